// The work that ops of a netlist carry: which steps have it, cycles by format and attributes, bytes
// from other cores.
#include "base/span.h"
#include "lower/buda/job_testing.h"

#define QUEUES                                                                                     \
    "queues:\n" REF_QUEUE("a", "HOST", "4", "0x10100000") REF_QUEUE("o", "x", "4", "0x10200000")
#define RUN REF_P REF_EXECUTE("g", REF_SET("a", "0", "0"))
#define ONE(type, inputs, formats, more) REF_OP("x", type, inputs, formats, ", t: 1" more)

// Weights are those of cost/tensix_weights.inc, of Float32, one tile, HiFi3.
// clang-format off
static const struct {
    const char *name;
    const char *arch;
    const char *ops;
    uint64_t cycles; // of op x; 0: it has no work
    uint64_t bytes;
    const char *left_out; // an op; NULL: none
} ops[] = {
    {"an op of one input", "grayskull", ONE("exp", "a", "Float32", ""), 2666, 0, NULL},
    {"a faster one", "grayskull", ONE("exp", "a", "Float32", ", attributes: {approximate_mode: true}"), 699, 0, NULL},
    {"in rows", "wormhole_b0", ONE("exp", "a", "Float32", ", attributes: {vector: r}"), 285, 0, NULL},
    {"in columns", "wormhole_b0", ONE("exp", "a", "Float32", ", attributes: {vector: c}"), 917, 0, NULL},
    {"two inputs of 4 bytes", "grayskull", ONE("add", "a, a", "Float32, Float32", ""), 496, 0, NULL},
    {"a product in three phases", "grayskull",
     ONE("matmul", "a, a", "Float32, Float32", ", attributes: {m_k: 1, u_kt: 1}"), 164, 0, NULL},
    {"a product of Wormhole", "wormhole_b0",
     ONE("matmul", "a, a", "Float32, Float32", ", attributes: {m_k: 1, u_kt: 1}"), 146, 0, NULL},
    {"a sum", "blackhole", ONE("reduce", "a", "Float32", ", attributes: {dim: r, m_k: 1, u_kt: 1}"), 135, 0, NULL},
    {"a sum of columns", "blackhole", ONE("reduce", "a", "Float32", ", attributes: {dim: c, m_k: 1, u_kt: 1}"), 91, 0, NULL},
    {"no weights", "grayskull", ONE("cosine", "a", "Float32", ""), 0, 0, NULL},
    // The result is the input, until it is pushed.
    {"a copy", "grayskull", REF_NOP("x", "a"), 361, 0, NULL},
    {"a copy that another op reads", "grayskull", REF_NOP("w", "a") ONE("exp", "w", "Float32", ""), 2666, 4128, "w"},
};
// clang-format on

HOIST_TEST_TABLE(work_of_ops, ops)
{
    const hoist_str head =
        hoist_arena_format(&t->arena, "%sgraphs:\n%s%s", QUEUES, REF_GRAPH("g", "1"), row->ops);
    hoist_program *program = lower_test_lower(t, lower_test_netlist(t, row->arch, head.data, RUN));
    const hoist_prog_work *found = NULL;
    for (uint32_t i = 0; program && i < program->work_count; i++) {
        HOIST_EXPECT(t, program->works[i].has_cores);
        HOIST_EXPECT_STR(t, program->works[i].device, row->arch);
        found = program->works[i].cycles ? &program->works[i] : found;
    }
    HOIST_EXPECT_EQ(t, found ? found->cycles : 0, row->cycles);
    HOIST_EXPECT_EQ(t, found ? found->core_bytes : 0, row->bytes);
    if (found) {
        HOIST_EXPECT(t, found->least_cycles > 0 && found->least_cycles <= found->cycles &&
                            found->cycles <= found->most_cycles);
    }
    if (program) {
        HOIST_EXPECT_EQ(t, program->left_out_count, row->left_out != NULL);
        if (row->left_out && program->left_out_count) {
            HOIST_EXPECT_STR(t, program->left_out[0], row->left_out);
        }
    }
    hoist_program_destroy(program);
}

// Cores -------------------------------------------------------------------------------------------

#define STORE(name, input, grid, block, places)                                                    \
    "  " name ": {type: queue, input: " input ", entries: 4, grid_size: [" grid                    \
    "], t: 1, mblock: [" block                                                                     \
    "], ublock: [1, 1], df: Float32, target_device: 0, loc: dram, dram: [" places "]}\n"
#define SPREAD(name, type, inputs, formats, grid, block, more)                                     \
    "    " name ": {type: " type ", grid_loc: [0, 0], grid_size: [" grid "], inputs: [" inputs     \
    "], in_df: [" formats "], acc_df: Float32, out_df: Float32, intermed_df: Float32, "            \
    "ublock_order: r, buf_size_mb: 2, math_fidelity: HiFi3, t: 1, mblock: [" block                 \
    "], ublock: [1, 1]" more "}\n"
#define SIX                                                                                        \
    "[0, 0x14000000], [0, 0x14100000], [0, 0x14200000], [0, 0x14300000], [0, 0x14400000], "        \
    "[0, 0x14500000]"

// x has six cores in two rows of three. Bytes are those of tiles that each of them gets from p and
// q.
// clang-format off
static const struct {
    const char *name;
    const char *p, *q; // blocks of tiles
    const char *x;     // its type
    const char *inputs, *formats;
    const char *attributes;
    uint64_t tiles;
} spread[] = {
    {"a product: rows of the first, columns of the second", "4, 1", "1, 3", "matmul", "p, q", "Float32, Float32", ", attributes: {m_k: 1, u_kt: 1}", 2 + 1},
    {"all of what is summed up", "4, 5", "5, 3", "matmul", "p, q", "Float32, Float32", ", attributes: {m_k: 5, u_kt: 1}", 2 * 5 + 5},
    {"a bias in rows and columns", "4, 3", "3, 3", "matmul", "p, q, p", "Float32, Float32, Float32", ", attributes: {bias: true, m_k: 3, u_kt: 1}", 2 * 3 + 3 + 2},
    {"of other ops rows and columns", "4, 3", "4, 3", "add", "p, q", "Float32, Float32", "", 2 + 2},
};
// clang-format on

HOIST_TEST_TABLE(bytes_of_a_core, spread)
{
    const hoist_str head = hoist_arena_format(
        &t->arena,
        "queues:\n" STORE("a", "HOST", "1, 1", "%s", "[0, 0x10000000]")
            STORE("b", "HOST", "1, 1", "%s", "[0, 0x12000000]")
                STORE("o", "x", "2, 3", "2, 1", SIX) "graphs:\n" REF_GRAPH("g", "1")
                    SPREAD("p", "exp", "a", "Float32", "1, 1", "%s", "")
                        SPREAD("q", "exp", "b", "Float32", "1, 1", "%s", "")
                            SPREAD("x", "%s", "%s", "%s", "2, 3", "2, 1", "%s"),
        row->p, row->q, row->p, row->q, row->x, row->inputs, row->formats, row->attributes);
    const char *const run =
        REF_P REF_EXECUTE("g", REF_SET("a", "0", "0") ", " REF_SET("b", "0", "0"));
    hoist_program *program =
        lower_test_lower(t, lower_test_netlist(t, "grayskull", head.data, run));
    uint64_t most = 0;
    for (uint32_t i = 0; program && i < program->work_count; i++) {
        const uint64_t bytes = program->works[i].core_bytes;
        most = bytes > most ? bytes : most;
    }
    HOIST_EXPECT_EQ(t, most, row->tiles * 4128);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(work_of_ops), HOIST_TEST_ROW(bytes_of_a_core))
