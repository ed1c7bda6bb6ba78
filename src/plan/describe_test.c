// The plan of a program as events: every kind of place, sums, order, and what is refused. That
// sessions take as many bytes is in runtime/planned_memory_test.c.

#include "base/buffer.h"
#include "base/span.h"
#include "program/text.h"
#include "testing/test.h"
#include "testing/trace.h"

#define ADD(a, b, to) "compute ark.add from [" a ", " b "] to [" to "]\n"

// x and y outlive a call, y has a port; b0 to b2 are of one call, z and t0 of
// queues.
static const char rows[] =
    "program p\nspace m\nspace n home 1\n"
    "buffer x in m size 1024 lifetime session contents zero\n"
    "buffer y in m size 1024 lifetime session contents zero\n"
    "buffer b0 in m size 1024\n"
    "buffer b1 in m size 512\n"
    "buffer b2 in m size 512\n"
    "buffer w in m size 64 window y offset 128\n"
    "buffer unused in m size 64 lifetime run\n"
    "buffer k0 in m size 4 lifetime constant contents bytes data 0000803f\n"
    "buffer k1 in m size 4 lifetime constant contents bytes data 0000803f\n"
    "buffer z in n size 2048 lifetime session contents zero\n"
    "buffer t0 in n size 16384 lifetime session contents zero\n"
    "fifo q queue of f32[256] slots 2 in [z] slot_bytes 1024 host_push\n"
    "fifo tiles queue of f32 tiled() slots 3 in [t0] slot_bytes 4096 tile_alignment 32 host_push\n"
    "port y in y of f32[256] result\n"
    "function f {\n"
    "    first: " ADD("x f32[256]", "k0 f32[256] by [0]", "b0 f32[256]") "    " ADD(
        "b0 f32[256]", "k1 f32[256] by [0]",
        "y f32[256]") "    move copy from [w f32[16]] to b1 f32[16]\n"
                      "    move copy from [b1 f32[16]] to b2 f32[16]\n"
                      "    move copy from [b2 f32[16]] to x f32[16]\n"
                      "}\n"
                      "thread main {\n    call f\n}\nentry run {\n    start main\n}\n";

static hoist_program *program_of(hoist_test *t)
{
    hoist_program *program = NULL;
    const hoist_bytes text = {(const uint8_t *)rows, sizeof rows - 1};
    HOIST_EXPECT_EQ(t, hoist_program_parse(text, hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    return program;
}

// The events of the plan, a line for each.
static hoist_status trace(const hoist_program *program, const hoist_program_plan_options *options,
                          hoist_diag *diag, hoist_buffer *out)
{
    hoist_tree_sink sink = hoist_trace_sink(out);
    return hoist_program_plan(program, options, diag, &sink);
}

// clang-format off
static const struct {
    const char *name;
    const char *lines;
} parts[] = {
    {"memory", "calls_bytes: uint 1024\ntotal_bytes: uint 17416\nnever_stored_bytes: uint 0\npeak_bytes: uint 17416\nworker_bytes: uint 1024\n"},
    {"a space", "space: str 1 n\nrank: uint 1\nconstants_bytes: uint 0\nsession_bytes: uint 0\nrun_bytes: uint 0\nqueues_bytes: uint 14336\n"},
    {"a function", "code: str 1 f\nkind: str 8 function\nrank: null\nsteps: uint 5\ngroups: uint 1\nbuffers_bytes: uint 2048\nlive_bytes: uint 1024\ncall_bytes: uint 1024\nwith_calls_bytes: uint 1024\n"},
    {"a thread", "code: str 4 main\nkind: str 6 thread\nrank: uint 0\nsteps: uint 1\ngroups: uint 0\nbuffers_bytes: null\n"},
    {"a group", "group: uint 0\ncode: str 1 f\nfirst_step: uint 0\nrows: list\nstr 7 ark.add\nstr 7 ark.add\nend\nparts: list\nuint 256\nend\nparts_of_a_block: list\nuint 256\nend\nblocks: uint 1\nnever_stored: list\nstr 2 b0\nend\nblock_bytes: uint 1024\n"},
    {"a step of it", "code: str 1 f\nstep: uint 0\nlabel: str 5 first\nrow: str 7 ark.add\ngroup: uint 0\n"},
    {"a step of none", "code: str 1 f\nstep: uint 2\nlabel: null\nrow: str 4 move\ngroup: null\n"},
    {"a step of a thread", "code: str 4 main\nstep: uint 0\nlabel: null\nrow: str 4 call\ngroup: null\n"},
    {"a buffer of its own", "buffer: str 1 x\nspace: str 1 m\nlifetime: str 7 session\nsize_bytes: uint 1024\nplace: str 3 own\nin: null\noffset: null\ngroup: null\nfirst_step: null\nlast_step: null\nplace: str 3 own\n"},
    {"one in a block", "buffer: str 2 b0\nspace: str 1 m\nlifetime: str 4 call\nsize_bytes: uint 1024\nplace: str 5 block\nin: null\noffset: uint 0\ngroup: uint 0\nfirst_step: null\nlast_step: null\nplace: str 20 block of group 0 + 0\n"},
    {"one of a call", "place: str 4 call\nin: str 1 f\noffset: uint 512\ngroup: null\nfirst_step: uint 3\nlast_step: uint 4\nplace: str 26 call f + 512, steps 3 to 4\n"},
    {"a window", "place: str 6 window\nin: str 1 y\noffset: uint 128\n"},
    {"one that nothing names", "buffer: str 6 unused\nspace: str 1 m\nlifetime: str 3 run\nsize_bytes: uint 64\nplace: str 4 none\n"},
    {"tiles of a queue", "place: str 5 queue\nin: str 5 tiles\n"},
    {"a queue of bytes", "queue: str 1 q\nslots: uint 2\nslot_bytes: uint 1024\nown_bytes: uint 0\nstays: false\nin: str 1 z\n"},
    {"a queue of tiles", "queue: str 5 tiles\nslots: uint 3\nslot_bytes: uint 4096\nown_bytes: uint 12288\nstays: false\nin: null\n"},
};
// clang-format on

HOIST_TEST_TABLE(what_a_plan_has, parts)
{
    const char *const reads[] = {"y"};
    const hoist_program_plan_options options = {
        .struct_size = sizeof options, .reads = reads, .read_count = 1};
    hoist_program *program = program_of(t);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    if (program) {
        HOIST_EXPECT_EQ(t, trace(program, &options, t->diag, &out), HOIST_OK);
        HOIST_EXPECT_RULE(t, NULL);
        if (!hoist_str_contains(hoist_buffer_text(&out), row->lines)) {
            hoist_test_fail(t, __FILE__, __LINE__, "%.*s", HOIST_STR_ARGS(hoist_buffer_text(&out)));
        }
    }
    hoist_buffer_deinit(&out);
    hoist_program_destroy(program);
}

// Values of a thread that share memory, and a message that stays where it is.
HOIST_TEST(what_threads_share)
{
    static const char text[] =
        "program p\nspace m\n"
        "buffer x in m size 64 lifetime session contents zero\n"
        "buffer y in m size 64 lifetime session contents zero\n"
        "buffer u in m size 64 lifetime session contents zero\n"
        "buffer z in m size 64 lifetime run\n"
        "fifo q queue of f32[16] slots 1 in [z] slot_bytes 64\n"
        "port x in x of f32[16]\nport y in y of f32[16] result\n"
        "thread a {\nmove copy from [x f32[16]] to u f32[16]\n"
        "reserve q\nmove copy from [u f32[16]] to write(q) f32[16]\npush q by 1\n}\n"
        "thread b {\nawait q\nmove copy from [read(q) f32[16]] to y f32[16]\n"
        "advance q by 1\npop q by 1\n}\nentry run {\nstart a\nstart b\n}\n";
    static const char *const lines[] = {
        "buffer: str 1 u\nspace: str 1 m\nlifetime: str 7 session\nsize_bytes: uint 64\n"
        "place: str 6 thread\nin: str 1 a\noffset: uint 0\ngroup: null\nfirst_step: uint 0\n"
        "last_step: uint 3\nplace: str 26 thread a + 0, steps 0 to 3\n",
        "queue: str 1 q\nslots: uint 1\nslot_bytes: uint 64\nown_bytes: uint 0\nstays: true\n",
        "total_bytes: uint 192\n"};
    const char *const reads[] = {"y"};
    const hoist_program_plan_options options = {
        .struct_size = sizeof options, .reads = reads, .read_count = 1};
    hoist_program *program = NULL;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t,
                    hoist_program_parse((hoist_bytes){(const uint8_t *)text, sizeof text - 1},
                                        hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, trace(program, &options, t->diag, &out), HOIST_OK);
        for (size_t i = 0; i < HOIST_COUNT_OF(lines); i++) {
            HOIST_EXPECT(t, hoist_str_contains(hoist_buffer_text(&out), lines[i]));
        }
    }
    hoist_buffer_deinit(&out);
    hoist_program_destroy(program);
}

// Every step by itself, and only the memory.
HOIST_TEST(choices)
{
    const hoist_program_plan_options options = {
        .struct_size = sizeof options, .no_fusion = true, .memory_only = true};
    hoist_program *program = program_of(t);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    if (program) {
        HOIST_EXPECT_EQ(t, trace(program, &options, t->diag, &out), HOIST_OK);
        HOIST_EXPECT(t, hoist_str_contains(hoist_buffer_text(&out), "worker_bytes: uint 0"));
        HOIST_EXPECT(t, !hoist_str_contains(hoist_buffer_text(&out), "order"));
    }
    hoist_buffer_deinit(&out);
    hoist_program_destroy(program);
}

HOIST_TEST(what_is_refused)
{
    const char *const reads[] = {"nothing"};
    hoist_program_plan_options options = {
        .struct_size = sizeof options, .reads = reads, .read_count = 1};
    hoist_program *program = program_of(t);
    hoist_deadline *deadline = NULL;
    size_t left = 3;
    hoist_tree_sink sink = hoist_refusing_sink(&left);
    HOIST_EXPECT_EQ(t, hoist_deadline_create(hoist_allocator_system(), 0, &deadline), HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_plan(program, NULL, NULL, &sink), HOIST_IO);
        HOIST_EXPECT_EQ(t, hoist_program_plan(program, &options, t->diag, &sink), HOIST_INVALID);
        HOIST_EXPECT_RULE(t, "RUN-107");
        options.struct_size = 1;
        HOIST_EXPECT_EQ(t, hoist_program_plan(program, &options, NULL, &sink), HOIST_INVALID);
        options = (hoist_program_plan_options){.struct_size = sizeof options, .deadline = deadline};
        HOIST_EXPECT_EQ(t, hoist_program_plan(program, &options, NULL, &sink), HOIST_LIMIT);
    }
    hoist_deadline_destroy(deadline);
    hoist_program_destroy(program);
}

static hoist_status starved(hoist_allocator alloc, const void *program)
{
    const char *const reads[] = {"y"};
    const hoist_program_plan_options options = {
        .struct_size = sizeof options, .alloc = alloc, .reads = reads, .read_count = 1};
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    return hoist_program_plan(program, &options, NULL, &sink);
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    hoist_program *program = program_of(t);
    if (program) {
        hoist_test_starve(t, starved, program);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_a_plan_has), HOIST_TEST_ROW(what_threads_share),
                HOIST_TEST_ROW(choices), HOIST_TEST_ROW(what_is_refused),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
