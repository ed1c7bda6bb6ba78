// What cannot be lowered: every rule, at its place, and all of a file in one go.
#include "lower/buda_testing.h"

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

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_cannot_be_lowered))
