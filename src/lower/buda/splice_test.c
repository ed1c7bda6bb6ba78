// Splices as one table of tiles, worked out by hand from the patterns [index, length, stride] of
// the inputs; and ops whose step has many attributes (buda-ops reference sections 5.4 to 5.10).
#include "lower/buda/job_testing.h"

#define STORE(name, input, grid, t, mblock, ublock, list)                                          \
    "  " name ": {type: queue, input: " input ", entries: 4, grid_size: [" grid "], t: " t         \
    ", mblock: [" mblock "], ublock: [" ublock                                                     \
    "], df: Float32, target_device: 0, loc: dram, dram: [" list "]}\n"
#define ONE(address) "[0, " address "]"
#define TWO(one, two) ONE(one) ", " ONE(two)
#define OP(type, grid, t, mblock, ublock, order, inputs, formats, more)                            \
    "    x: {type: " type ", grid_loc: [0, 0], grid_size: [" grid "], inputs: [" inputs            \
    "], in_df: [" formats                                                                          \
    "], acc_df: Float32, out_df: Float32, intermed_df: Float32, ublock_order: " order              \
    ", buf_size_mb: 2, math_fidelity: HiFi3, t: " t ", mblock: [" mblock "], ublock: [" ublock     \
    "], attributes: {" more "}}\n"
// Inputs a and b of one core each and the output, of a core; in t, mblock, ublock.
#define SPLICE(at, am, bt, bm, ot, om, u, order, more)                                             \
    "queues:\n" STORE("a", "HOST", "1, 1", at, am, u, ONE("0x10000000"))                           \
        STORE("b", "HOST", "1, 1", bt, bm, u, ONE("0x14000000"))                                   \
            STORE("o", "x", "1, 1", ot, om, u, ONE("0x18000000")) "graphs:\n" REF_GRAPH("g", "1")  \
                OP("splice", "1, 1", ot, om, u, order, "a, b", "Float32, Float32", more)
// The same with two cores next to each other.
#define SPLICE_2(at, am, bt, bm, ot, om, u, order, more)                                           \
    "queues:\n" STORE("a", "HOST", "1, 2", at, am, u, TWO("0x10000000", "0x11000000"))             \
        STORE("b", "HOST", "1, 2", bt, bm, u, TWO("0x14000000", "0x15000000"))                     \
            STORE("o", "x", "1, 2", ot, om, u,                                                     \
                  TWO("0x18000000", "0x19000000")) "graphs:\n" REF_GRAPH("g", "1")                 \
                OP("splice", "1, 2", ot, om, u, order, "a, b", "Float32, Float32", more)
#define RUN REF_P REF_EXECUTE("g", REF_SET("a", "0", "0") ", " REF_SET("b", "0", "0"))

// clang-format off
static const struct {
    const char *name;
    const char *head;
    const char *wanted; // of the program
} cases[] = {
    // a has tiles 0 and 1, b 2 and 3: a slice of each in turn.
    {"slices of both in turn", SPLICE("2", "1, 1", "2", "1, 1", "4", "1, 1", "1, 1", "r", "granularity: t, input0: [0, 1, 1], input1: [0, 1, 1]"),
     "table [0, 2, 1, 3]"},
    // Each takes `length`, then moves on by `stride` from where it began: 0 1, then 4; 2 3 after a length of 2 and stride 2.
    {"two slices at a time", SPLICE("4", "1, 1", "4", "1, 1", "8", "1, 1", "1, 1", "r", "granularity: t, input0: [0, 2, 2], input1: [0, 2, 2]"),
     "table [0, 1, 4, 5, 2, 3, 6, 7]"},
    {"a start and a gap", SPLICE("4", "1, 1", "4", "1, 1", "2", "1, 1", "1, 1", "r", "granularity: t, input0: [1, 1, 1], input1: [3, 1, 1]"),
     "table [1, 7]"},
    {"the index counts again in each turn", SPLICE("4", "1, 1", "2", "1, 1", "4", "1, 1", "1, 1", "r", "granularity: t, input0: [1, 1, 1], input1: [0, 1, 1]"),
     "table [1, 4, 3, 5]"},
    {"slices of several tiles", SPLICE("2", "1, 2", "1", "1, 2", "3", "1, 2", "1, 1", "r", "granularity: t, input0: [0, 2, 2], input1: [0, 1, 1]"),
     "table [0..5]"},
    {"of a stride longer than the rest", SPLICE("3", "2, 1", "3", "2, 1", "2", "2, 1", "1, 1", "r", "granularity: t, input0: [2, 1, 1], input1: [1, 1, 1]"),
     "table [4, 5, 8, 9]"},
    // Ublocks of a row: a has 0 1, b has 2 3.
    {"ublocks of both in turn", SPLICE("1", "1, 2", "1", "1, 2", "1", "1, 4", "1, 1", "r", "granularity: ublock, input0: [0, 1, 1], input1: [0, 1, 1]"),
     "table [0, 2, 1, 3]"},
    // 2 x 2 tiles each, row by row: a 0 1 / 2 3, b 4 5 / 6 7; the output has 2 x 4.
    {"row by row", SPLICE("1", "2, 2", "1", "2, 2", "1", "2, 4", "1, 1", "r", "granularity: ublock, input0: [0, 1, 1], input1: [0, 1, 1]"),
     "table [0, 4, 1, 5, 2, 6, 3, 7]"},
    // By columns a is 0 2 1 3, b 4 6 5 7; the output's columns are (0 4) (2 6) (1 5) (3 7).
    {"column by column", SPLICE("1", "2, 2", "1", "2, 2", "1", "2, 4", "1, 1", "c", "granularity: ublock, input0: [0, 1, 1], input1: [0, 1, 1]"),
     "table [0, 2, 1, 3, 4, 6, 5, 7]"},
    // Ublocks of 2 x 1 tiles: a 0 / 1, b 2 / 3, side by side.
    {"ublocks of several tiles", SPLICE("1", "1, 1", "1", "1, 1", "1", "1, 2", "2, 1", "r", "granularity: ublock, input0: [0, 1, 1], input1: [0, 1, 1]"),
     "table [0, 2, 1, 3]"},
    // Each slice for itself: a 0 1 and 2 3, b 4 5 and 6 7.
    {"each slice for itself", SPLICE("2", "1, 2", "2", "1, 2", "2", "1, 4", "1, 1", "r", "granularity: ublock, input0: [0, 1, 1], input1: [0, 1, 1]"),
     "table [0, 4, 1, 5, 2, 6, 3, 7]"},
    // Two cores, of two columns each: a 0 1 | 2 3, b 4 5 | 6 7.
    {"each core for itself", SPLICE_2("1", "1, 2", "1", "1, 2", "1", "1, 4", "1, 1", "r", "granularity: ublock, input0: [0, 1, 1], input1: [0, 1, 1]"),
     "table [0, 4, 1, 5, 2, 6, 3, 7]"},
    {"two ublocks of one, one of the other", SPLICE("1", "1, 4", "1", "1, 2", "1", "1, 6", "1, 1", "r", "granularity: ublock, input0: [0, 2, 2], input1: [0, 1, 1]"),
     "table [0, 1, 4, 2, 3, 5]"},
};

static const struct {
    const char *name;
    const char *head;
    const char *rule;
    const char *says;
} refusals[] = {
    {"more slices than there are", SPLICE("2", "1, 1", "1", "1, 1", "4", "1, 1", "1, 1", "r", "granularity: t, input0: [0, 1, 1], input1: [0, 1, 1]"), "RUN-003", "input 1 of splice 'x' has not the tiles that its pattern needs"},
    {"slices of another shape", SPLICE("2", "1, 2", "2", "1, 1", "4", "1, 2", "1, 1", "r", "granularity: t, input0: [0, 1, 1], input1: [0, 1, 1]"), "RUN-003", "input 1 of splice 'x'"},
    {"slices of other rows", SPLICE("2", "2, 1", "2", "1, 1", "4", "1, 1", "1, 1", "r", "granularity: t, input0: [0, 1, 1], input1: [0, 1, 1]"), "RUN-003", "input 0 of splice 'x'"},
    {"more ublocks than there are", SPLICE("1", "1, 2", "1", "1, 1", "1", "1, 4", "1, 1", "r", "granularity: ublock, input0: [0, 1, 1], input1: [0, 1, 1]"), "RUN-003", "input 1 of splice 'x'"},
    {"fewer slices than the output", SPLICE("1", "1, 2", "2", "1, 2", "2", "1, 4", "1, 1", "r", "granularity: ublock, input0: [0, 1, 1], input1: [0, 1, 1]"), "RUN-003", "input 0 of splice 'x'"},
    {"no pattern", SPLICE("2", "1, 1", "2", "1, 1", "4", "1, 1", "1, 1", "r", "granularity: t, input0: [0, 1, 1]"), "RUN-002", "splice 'x' has no attribute input1"},
    {"nine inputs", "queues:\n" STORE("a", "HOST", "1, 1", "1", "1, 1", "1, 1", ONE("0x10000000")) STORE("b", "HOST", "1, 1", "1", "1, 1", "1, 1", ONE("0x14000000")) STORE("o", "x", "1, 1", "1", "1, 1", "1, 1", ONE("0x18000000"))
     "graphs:\n" REF_GRAPH("g", "1") OP("splice", "1, 1", "1", "1, 1", "1, 1", "r", "a, a, a, a, a, a, a, a, b", "Float32, Float32, Float32, Float32, Float32, Float32, Float32, Float32, Float32", "granularity: t, input0: [0, 1, 1]"), "RUN-003", "splice 'x' has 9 inputs, expected 1 to 8"},
    {"a pattern of no length", SPLICE("2", "1, 1", "2", "1, 1", "4", "1, 1", "1, 1", "r", "granularity: t, input0: [0, 0, 1], input1: [0, 1, 1]"), "RUN-002", "splice 'x' has no attribute input0"},
};
// clang-format on

HOIST_TEST_TABLE(splices_are_tables, cases)
{
    lower_test_expect(t, lower_test_print(t, lower_test_netlist(t, "grayskull", row->head, RUN)),
                      row->wanted);
}

HOIST_TEST_TABLE(splices_need_their_tiles, refusals)
{
    const hoist_str text = lower_test_netlist(t, "grayskull", row->head, RUN);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    lower_test_netlist_with((hoist_bytes){(const uint8_t *)text.data, text.size},
                                            hoist_allocator_system(), t->diag, &program),
                    HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, row->rule);
    if (!hoist_diag_kept(t->diag) ||
        !hoist_str_contains(hoist_diag_at(t->diag, 0)->message, row->says)) {
        hoist_test_fail(t, __FILE__, __LINE__, "expected '%s' in\n%s", row->says,
                        hoist_test_findings(t).data);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(splices_are_tables), HOIST_TEST_ROW(splices_need_their_tiles))
