// Orders of jobs: verdicts, and what is said when there is none.
#include <string.h>

#include "hoist/load.h"

#include "base/arena.h"
#include "base/diag.h"
#include "testing/test.h"

#define NETLIST                                                                                    \
    "devices: {arch: grayskull}\nqueues:\n"                                                        \
    "  a: {type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], "        \
    "ublock: [1, 1], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x10000000]]}\n"         \
    "  o: {type: queue, input: x, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], "           \
    "ublock: [1, 1], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x11000000]]}\n"         \
    "graphs:\n  g:\n    target_device: 0\n    input_count: 1\n"                                    \
    "    x: {type: %s, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a], in_df: [Float16], "       \
    "acc_df: Float16, out_df: Float16, intermed_df: Float16, ublock_order: r, buf_size_mb: 2, "    \
    "math_fidelity: HiFi3, t: 1, mblock: [1, 1], ublock: [1, 1]}\n"                                \
    "programs:\n- p:\n    - execute: {graph_name: g, queue_settings: {a: {prologue: false, "       \
    "epilogue: false, zero: false, rd_ptr_local: 0, rd_ptr_global: 0}}}\n"                         \
    "- count:\n    - param: [$n]\n    - staticvar: {$i: 0}\n    - loop: $n\n"                      \
    "    - varinst: [$i, incwrap, 1, 8]\n    - endloop\n"

static const char *const p_only[] = {"p"};
static const char *const count_twice[] = {"count", "count"};
static const char *const none[] = {"p", "none"};
static const hoist_parameter many[] = {{"n", 1000}};
static const hoist_parameter few[] = {{"$n", 10}};
static const hoist_parameter other[] = {{"n", 1}, {"m", 1}};

static const struct {
    const char *name;
    const char *type; // of the op
    hoist_order_check options;
    hoist_status status;
    hoist_verdict verdict;
    const char *rules[2];
} asked[] = {
    {"a netlist", "nop", {.struct_size = 0}, HOIST_OK, HOIST_VERDICT_CLEAN, {NULL, NULL}},
    {"with options",
     "nop",
     {.struct_size = sizeof(hoist_order_check), .max_steps = 1000, .max_schedules = 2},
     HOIST_OK,
     HOIST_VERDICT_CLEAN,
     {NULL, NULL}},
    {"too few steps",
     "nop",
     {.struct_size = sizeof(hoist_order_check), .max_steps = 2},
     HOIST_OK,
     HOIST_VERDICT_UNKNOWN,
     {"PRG-105", "PRG-106"}},
    {"what cannot be run",
     "drainer",
     {.struct_size = 0},
     HOIST_OK,
     HOIST_VERDICT_UNKNOWN,
     {"PRG-105", "PRG-107"}},
    {"what check refuses",
     "add",
     {.struct_size = 0},
     HOIST_OK,
     HOIST_VERDICT_NONE,
     {"BUDA-087", NULL}},
    {"a loop that is short by itself",
     "nop",
     {.struct_size = sizeof(hoist_order_check), .max_steps = 200},
     HOIST_OK,
     HOIST_VERDICT_CLEAN,
     {NULL, NULL}},
    {"a loop that a parameter makes long",
     "nop",
     {.struct_size = sizeof(hoist_order_check),
      .max_steps = 200,
      .parameters = many,
      .parameter_count = 1},
     HOIST_OK,
     HOIST_VERDICT_UNKNOWN,
     {"PRG-105", "PRG-106"}},
    {"a loop that nobody looks at",
     "nop",
     {.struct_size = sizeof(hoist_order_check),
      .max_steps = 200,
      .programs = p_only,
      .program_count = 1},
     HOIST_OK,
     HOIST_VERDICT_CLEAN,
     {NULL, NULL}},
    {"a program twice, with its parameter",
     "nop",
     {.struct_size = sizeof(hoist_order_check),
      .max_steps = 200,
      .programs = count_twice,
      .program_count = 2,
      .parameters = few,
      .parameter_count = 1},
     HOIST_OK,
     HOIST_VERDICT_CLEAN,
     {NULL, NULL}},
    {"the long one before it",
     "nop",
     {.struct_size = sizeof(hoist_order_check),
      .max_steps = 200,
      .programs = count_twice,
      .program_count = 2,
      .parameters = many,
      .parameter_count = 1},
     HOIST_OK,
     HOIST_VERDICT_UNKNOWN,
     {"PRG-105", "PRG-106"}},
    {"a program that is not there",
     "nop",
     {.struct_size = sizeof(hoist_order_check), .programs = none, .program_count = 2},
     HOIST_NOT_FOUND,
     HOIST_VERDICT_NONE,
     {"LOAD-003", NULL}},
    {"a parameter that is not there",
     "nop",
     {.struct_size = sizeof(hoist_order_check), .parameters = other, .parameter_count = 2},
     HOIST_NOT_FOUND,
     HOIST_VERDICT_NONE,
     {"LOAD-003", NULL}},
    {"a parameter of a program that does not run",
     "nop",
     {.struct_size = sizeof(hoist_order_check),
      .programs = p_only,
      .program_count = 1,
      .parameters = few,
      .parameter_count = 1},
     HOIST_NOT_FOUND,
     HOIST_VERDICT_NONE,
     {"LOAD-003", NULL}},
    {"a brief check of what has no rules of orders",
     "nop",
     {.struct_size = sizeof(hoist_order_check), .brief = true},
     HOIST_OK,
     HOIST_VERDICT_NONE,
     {NULL, NULL}},
    {"options of no version",
     "nop",
     {.struct_size = 1},
     HOIST_INVALID,
     HOIST_VERDICT_NONE,
     {"LOAD-003", NULL}},
};

static hoist_job *open_job(hoist_test *t, const char *type)
{
    const hoist_str text = hoist_arena_format(&t->arena, NETLIST, type);
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_job_open_bytes((hoist_bytes){(const uint8_t *)text.data, text.size}, "n",
                                         NULL, t->diag, &job),
                    HOIST_OK);
    return job;
}

static bool has_rule(const hoist_diag *diag, const char *rule)
{
    bool found = rule == NULL;
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        found = found || strcmp(hoist_diag_at(diag, i)->rule->id, rule) == 0;
    }
    return found;
}

HOIST_TEST_TABLE(jobs_have_verdicts, asked)
{
    const hoist_order_check *options = row->options.struct_size ? &row->options : NULL;
    hoist_job *job = open_job(t, row->type);
    for (int listening = 0; listening < 2; listening++) {
        hoist_verdict verdict = HOIST_VERDICT_CLEAN;
        hoist_diag *diag = listening ? t->diag : NULL;
        HOIST_EXPECT_EQ(t, hoist_job_check_order(job, options, diag, &verdict), row->status);
        HOIST_EXPECT_EQ(t, verdict, row->verdict);
    }
    HOIST_EXPECT(t, has_rule(t->diag, row->rules[0]) && has_rule(t->diag, row->rules[1]));
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag) > 0, row->rules[0] != NULL);
    hoist_job_close(job);
}

static hoist_status ask_starved(hoist_allocator alloc, const void *self)
{
    const hoist_open_options options = {.struct_size = sizeof options, .alloc = alloc};
    const hoist_bytes *text = self;
    hoist_verdict verdict = HOIST_VERDICT_CLEAN;
    hoist_job *job = NULL;
    HOIST_TRY(hoist_job_open_bytes(*text, "n", &options, NULL, &job));
    const hoist_status status = hoist_job_check_order(job, NULL, NULL, &verdict);
    hoist_job_close(job);
    return status;
}

HOIST_TEST(orders_without_memory)
{
    const hoist_str text = hoist_arena_format(&t->arena, NETLIST, "nop");
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    hoist_test_starve(t, ask_starved, &bytes);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(jobs_have_verdicts), HOIST_TEST_ROW(orders_without_memory))
