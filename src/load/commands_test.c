// Commands that programs give to chips, as summaries have them: what loops with numbers multiply,
// what depends on a parameter, and waits for chips that touch the same queue.
#include "hoist/load.h"

#include "base/buffer.h"
#include "testing/test.h"

#define QUEUE(name, input, channel)                                                                \
    "  " name ": {type: queue, input: " input ", entries: 16, grid_size: [1, 1], t: 1, mblock: "   \
    "[1, 1], ublock: [1, 1], df: Float16_b, target_device: 0, loc: dram, dram: [[" channel         \
    ", 0x30000000]]}\n"
#define GRAPH(name, chip, op, input)                                                               \
    "  " name ": {target_device: " chip ", input_count: 1, " op                                    \
    ": {type: datacopy, grid_loc: [0, 0], grid_size: [1, 1], inputs: [" input                      \
    "], in_df: [Float16_b], acc_df: Float16_b, out_df: Float16_b, intermed_df: Float16_b, "        \
    "ublock_order: r, buf_size_mb: 2, math_fidelity: HiFi3, untilize_output: false, t: 1, "        \
    "mblock: [1, 1], ublock: [1, 1]}}\n"
#define NETLIST                                                                                    \
    "devices: {arch: wormhole_b0}\nqueues:\n" QUEUE("a", "HOST", "0") QUEUE("b", "x", "1")         \
        QUEUE("c", "y", "2") QUEUE("d", "z", "3") "graphs:\n" GRAPH("g", "0", "x", "a")            \
            GRAPH("i", "0", "z", "a") GRAPH("h", "1", "y", "b") "programs:\n"
#define RUN(graph, queue)                                                                          \
    "    - execute: {graph_name: " graph ", queue_settings: {" queue                               \
    ": {prologue: false, epilogue: false, zero: false, rd_ptr_local: 0, rd_ptr_global: 0}}}\n"

// clang-format off
static const struct {
    const char *name;
    const char *programs;
    const char *want; // unit, posts, commands, waits
} rows[] = {
    {"one execute", "  - p:\n" RUN("g", "a"), "chip0 1 1 0;"},
    {"a loop of a number", "  - p:\n    - loop: 3\n" RUN("g", "a") "    - endloop\n", "chip0 1 3 0;"},
    {"loops in loops", "  - p:\n    - loop: 3\n    - loop: 2\n" RUN("g", "a") "    - endloop\n" RUN("g", "a") "    - endloop\n", "chip0 2 9 0;"},
    {"a loop of a parameter", "  - p:\n    - param: [$n]\n    - loop: $n\n" RUN("g", "a") "    - endloop\n", "chip0 1 null 0;"},
    {"behind such a loop", "  - p:\n    - param: [$n]\n    - loop: $n\n    - endloop\n" RUN("g", "a"), "chip0 1 1 0;"},
    {"a chip that reads what another has written", "  - p:\n    - loop: 3\n" RUN("g", "a") RUN("i", "a") RUN("h", "b") "    - endloop\n", "chip0 2 6 3;chip1 1 3 3;"},
    {"two programs", "  - p:\n" RUN("g", "a") "  - q:\n" RUN("g", "a"), "chip0 1 1 0;chip0 1 1 0;"},
    {"nothing to run", "  - p:\n    - var: {$v: 0}\n", ""},
    {"an error", "  - p:\n    - endloop\n", "null"},
};
// clang-format on

typedef struct seen {
    hoist_buffer text;
    size_t depth; // of the list
} seen;

static hoist_status see(void *self, const hoist_tree_event *event)
{
    seen *s = self;
    const bool opens = event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST;
    if (s->depth == 0 && hoist_str_equal_c(event->key, "command_queues")) {
        s->depth = opens;
        hoist_buffer_c(&s->text, opens ? "" : "null");
    } else if (s->depth > 0 && event->kind == HOIST_TREE_END) {
        hoist_buffer_c(&s->text, s->depth == 2 ? ";" : "");
        s->depth--;
    } else if (s->depth > 0 && opens) {
        s->depth++;
    } else if (s->depth == 2 && hoist_str_equal_c(event->key, "unit")) {
        hoist_buffer_format(&s->text, "%.*s", HOIST_STR_ARGS(event->str));
    } else if (s->depth == 2 && event->kind == HOIST_TREE_NULL) {
        hoist_buffer_c(&s->text, " null");
    } else if (s->depth == 2 && event->kind == HOIST_TREE_UINT &&
               !hoist_str_equal_c(event->key, "slots")) {
        hoist_buffer_format(&s->text, " %llu", (unsigned long long)event->uinteger);
    }
    return HOIST_OK;
}

HOIST_TEST_TABLE(commands_of_programs, rows)
{
    const hoist_str text = hoist_arena_format(&t->arena, "%s%s", NETLIST, row->programs);
    hoist_job *job = NULL;
    seen s = {.depth = 0};
    hoist_buffer_init(&s.text, hoist_allocator_system());
    hoist_tree_sink sink = {.self = &s, .event = see};
    const hoist_status opened = hoist_job_open_bytes(
        (hoist_bytes){(const uint8_t *)text.data, text.size}, "n.yaml", NULL, t->diag, &job);
    HOIST_EXPECT_EQ(t, opened, HOIST_OK);
    if (job) {
        HOIST_EXPECT_EQ(t, hoist_job_info(job, false, t->diag, &sink), HOIST_OK);
        HOIST_EXPECT_STR(t, hoist_buffer_text(&s.text), row->want);
    }
    hoist_buffer_deinit(&s.text);
    hoist_job_close(job);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(commands_of_programs))
