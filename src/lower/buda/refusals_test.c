// What cannot be lowered: every rule, at its place, and all of a file in one go.
#include "lower/buda/job_testing.h"

#define P REF_P
#define LINE REF_LINE
#define EXECUTE REF_EXECUTE
#define QUEUES                                                                                     \
    "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_QUEUE("o", "x", "4", "0x10200000")
#define GRAPH "graphs:\n" REF_GRAPH("g", "1")
#define RUN P EXECUTE("g", REF_SET("a", "0", "0"))
#define TWO_CHIPS                                                                                  \
    QUEUES "graphs:\n" REF_GRAPH("g", "1") REF_NOP("w", "a") REF_GRAPH_ON("1", "h", "1")           \
        REF_NOP("x", "w")

// A queue of `t` tiles that are made of what the caller pushes.
#define PUSHED(t, tms)                                                                             \
    "queues:\n" REF_STORE("a", "queue", "HOST", "4", "0", "0x10100000",                            \
                          ", t: " t ", input_tms: @[" tms "]")                                     \
        REF_QUEUE("o", "x", "4", "0x10200000") GRAPH REF_NOP("x", "a")

// clang-format off
static const buda_reference_row refusals[] = {
    {"an op that the reference does not run", QUEUES GRAPH
     "    x: {type: @drainer, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a], in_df: [Float32], "
     "acc_df: Float32, out_df: Float32, intermed_df: Float32, ublock_order: r, buf_size_mb: 2, "
     "math_fidelity: HiFi3, t: 1, mblock: [1, 1], ublock: [1, 1]}\n", RUN, "RUN-001"},
    {"an attribute without meaning", QUEUES GRAPH
     REF_OP("x", "matmul", "a, a", "Float32, Float32", ", t: 1, attributes: {m_k: 1, u_kt: 1, sfpu_op: @exp}"),
     RUN, "RUN-002"},
    {"an attribute out of range", QUEUES GRAPH
     REF_OP("@x", "depthwise", "a, a", "Float32, Float32", ", t: 1, attributes: {m_k: 0}"), RUN,
     "RUN-002"},
    {"a reduction of nothing", QUEUES GRAPH
     REF_OP("@x", "reduce", "a", "Float32", ", t: 1, attributes: {type: max}"), RUN, "RUN-002"},
    {"a fused op that is not there", QUEUES GRAPH
     REF_OP("x", "fused_op", "a", "Float32", ", t: 1, attributes: {fused_op_id: @7}"), RUN,
     "RUN-002"},
    {"operands of different shape", QUEUES GRAPH
     REF_OP("@x", "add", "a, a", "Float32, Float32", ", t: 1, input_1_tms: [broadcast: {r: 2}]"),
     RUN, "RUN-003"},
    {"a result that does not fit its queue", QUEUES GRAPH
     REF_OP("@x", "nop", "a", "Float32", ", t: 1, input_0_tms: [broadcast: {r: 2}]"), RUN,
     "RUN-003"},
    {"a matmul without its bias", QUEUES GRAPH
     REF_OP("@x", "matmul", "a, a", "Float32, Float32", ", t: 1, attributes: {m_k: 1, u_kt: 1, bias: true}"),
     RUN, "RUN-003"},
    {"a slice that does not divide", QUEUES GRAPH
     REF_OP("x", "nop", "a", "Float32", ", t: 1, input_0_tms: [@hslice: 2]"), RUN, "RUN-004"},
    {"what a caller pushes, of half a slice", PUSHED("3", "hstack: 2"), RUN, "RUN-004"},
    {"of a third of a tile", PUSHED("1", "vslice: 3"), RUN, "RUN-004"},
    {"of half a broadcast", PUSHED("3", "broadcast: {z: 2}"), RUN, "RUN-004"},
    {"of a TM that no queue has", PUSHED("1", "transpose"), RUN, "RUN-004"},
    {"an unpad that leaves nothing", QUEUES GRAPH
     REF_OP("x", "nop", "a", "Float32", ", t: 1, input_0_unpad: @{rt: 1, ct: 0}"), RUN, "RUN-004"},
    {"an alias of nothing", "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000")
     REF_STORE("o", "ram", "x", "4", "0", "0x10200000", ", t: 1, alias: @b") GRAPH REF_NOP("x", "a"),
     RUN, "RUN-005"},
    {"an alias in the memory of another chip", "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000")
     REF_RAM("o", "x", "4", "0x10200000")
     REF_STORE("r", "ram", "HOST", "1", "1", "0x10200000", ", t: 4, alias: @o") GRAPH REF_NOP("x", "a"),
     RUN, "RUN-005"},
    {"an epoch over the border of a loop", TWO_CHIPS,
     P EXECUTE("g", REF_SET("a", "0", "0")) "      - @loop: 2\n" LINE("execute: {graph_name: h}")
     LINE("endloop"), "RUN-006"},
    {"a graph that is not there", QUEUES GRAPH REF_NOP("x", "a"),
     P LINE("execute: {graph_name: @k}") EXECUTE("g", REF_SET("a", "0", "0")), "RUN-007"},
    {"a static variable that begins as another", QUEUES GRAPH REF_NOP("x", "a"),
     P LINE("var: {$v: 1}") LINE("staticvar: {$s: @$v}") EXECUTE("g", REF_SET("a", "0", "0")),
     "RUN-007"},
    {"more tiles than any memory", QUEUES GRAPH
     REF_OP("x", "nop", "a", "Float32", ", t: 1, input_0_tms: [@broadcast: {r: 10000000}]"), RUN,
     "RUN-008"},
    {"ops in a circle", QUEUES GRAPH REF_NOP("@y", "x") REF_NOP("x", "y"), RUN, "RUN-009"},
    {"a graph without a name", QUEUES "graphs:\n" REF_GRAPH("@\"\"", "1") REF_NOP("x", "a"),
     P EXECUTE("\"\"", REF_SET("a", "0", "0")), "RUN-010"},
    {"a graph that is called as an instruction", QUEUES "graphs:\n" REF_GRAPH("p/0/0", "1")
     REF_NOP("x", "a"), P "      - @execute: {graph_name: p/0/0, queue_settings: {" REF_SET("a", "0", "0") "}}\n",
     "RUN-010"},
    {"all of a file in one go", QUEUES GRAPH
     REF_OP("x", "nop", "a", "Float32", ", t: 1, input_0_tms: [@hslice: 2]")
     REF_OP("y", "nop", "a", "Float32", ", t: 1, input_0_tms: [@vslice: 2]"), RUN,
     "RUN-004 RUN-004"},
};
// clang-format on

HOIST_TEST_TABLE(what_cannot_be_lowered, refusals)
{
    const buda_marked marked =
        buda_test_marked(t, lower_test_netlist(t, "wormhole_b0", row->head, row->programs));
    hoist_program *program = NULL;
    const hoist_status status =
        lower_test_netlist_with(marked.text, hoist_allocator_system(), t->diag, &program);
    HOIST_EXPECT_EQ(t, status, HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, program == NULL);
    hoist_program_destroy(program);
    buda_test_expect_marked(t, row->rules, &marked);
}

// Broken netlists, which have findings of their own: what lowering adds to them, by its text.
#define BROKEN(keys)                                                                               \
    "queues:\n  a: {type: queue, input: HOST, " keys "}\n" REF_QUEUE("o", "x", "4", "0x10200000")  \
        GRAPH REF_NOP("x", "a")
#define SIZES "grid_size: [1, 1], t: 1, mblock: [1, 1], ublock: [1, 1], df: Float32, "
#define PLACE "target_device: 0, loc: dram, dram: [[0, 0x10100000]]"

// clang-format off
static const struct {
    const char *name;
    const char *head;
    const char *programs;
    const char *says; // a line of the findings, from its message on
} broken[] = {
    {"a queue without entries", BROKEN("entries: 0, " SIZES PLACE), RUN, "queue 'a' has no entries, or sizes that cannot be built [RUN-005]\n"},
    {"a queue of no format", BROKEN("entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], ublock: [1, 1], " PLACE), RUN, "the size of queue 'a' is not known [RUN-005]\n"},
    {"a queue of no blocks", BROKEN("entries: 4, grid_size: [1, 1], t: 1, ublock: [1, 1], df: Float32, " PLACE), RUN, "the size of queue 'a' is not known [RUN-005]\n"},
    {"more cores than places", BROKEN("entries: 4, grid_size: [1, 2], t: 1, mblock: [1, 1], ublock: [1, 1], df: Float32, " PLACE), RUN, "queue 'a' has no entries, or sizes that cannot be built [RUN-005]\n"},
    {"more places than cores", BROKEN("entries: 4, " SIZES "target_device: 0, loc: dram, dram: [[0, 0x10100000], [0, 0x10120000]]"), RUN, "queue 'a' has no entries, or sizes that cannot be built [RUN-005]\n"},
    {"an address that is none", BROKEN("entries: 4, " SIZES "target_device: 0, loc: dram, dram: [[0, here]]"), RUN, "queue 'a' has no address for buffer 0 [RUN-005]\n"},
    {"an input that is not there", QUEUES GRAPH REF_NOP("x", "nothing"), RUN, "input 0 of op 'x' does not exist [RUN-003]\n"},
    {"an op of another epoch", QUEUES "graphs:\n" REF_GRAPH("g", "1") REF_NOP("w", "a") REF_GRAPH("h", "1") REF_NOP("x", "w"),
     P EXECUTE("g", REF_SET("a", "0", "0")) LINE("execute: {graph_name: h}"), "op 'x' reads an op of a graph that runs at another time [RUN-003]\n"},
    {"an alias of an alias", "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_RAM("o", "x", "4", "0x10200000")
     REF_STORE("r", "ram", "HOST", "2", "0", "0x10200000", ", t: 1, alias: o") REF_STORE("s", "ram", "HOST", "1", "0", "0x10200000", ", t: 1, alias: r") GRAPH REF_NOP("x", "a"),
     P EXECUTE("g", REF_SET("a", "0", "0") ", " REF_RAM_SET("o", "0", "1")), "queue 's' cannot use the buffers of its alias [RUN-005]\n"},
    {"an alias that is larger", "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_RAM("o", "x", "4", "0x10200000")
     REF_STORE("r", "ram", "HOST", "5", "0", "0x10200000", ", t: 1, alias: o") GRAPH REF_NOP("x", "a"),
     P EXECUTE("g", REF_SET("a", "0", "0") ", " REF_RAM_SET("o", "0", "1")), "queue 'r' cannot use the buffers of its alias [RUN-005]\n"},
    {"an alias of a queue", "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_QUEUE("o", "x", "4", "0x10200000")
     REF_STORE("r", "ram", "HOST", "2", "0", "0x10200000", ", t: 1, alias: o") GRAPH REF_NOP("x", "a"), RUN, "queue 'r' cannot use the buffers of its alias [RUN-005]\n"},
};
// clang-format on

HOIST_TEST_TABLE(what_is_broken_is_refused_as_well, broken)
{
    const hoist_str text = lower_test_netlist(t, "wormhole_b0", row->head, row->programs);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    lower_test_netlist_with((hoist_bytes){(const uint8_t *)text.data, text.size},
                                            hoist_allocator_system(), t->diag, &program),
                    HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, program == NULL);
    const hoist_str all = hoist_test_findings(t);
    if (!hoist_str_contains(all, row->says)) {
        hoist_test_fail(t, __FILE__, __LINE__, "expected '%s' in\n%.*s", row->says,
                        HOIST_STR_ARGS(all));
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_cannot_be_lowered),
                HOIST_TEST_ROW(what_is_broken_is_refused_as_well))
