// What operators cost, worked out by hand from their shapes.
#include <inttypes.h>

#include "base/buffer.h"
#include "formats/ark/check_testing.h"
#include "formats/ark/op_cost.h"
#include "formats/ark/sketch_testing.h"

static const struct {
    const char *name;
    const char *sketch;
    const char *wanted; // operations, bytes read, written and sent
} costs[] = {
    {"Add", "Add 0=0:2x3 1=1:2x3 > 2=2:2x3 > 3=2:2x3", "6 48 24 0"},
    {"Add to all rows", "Add 0=0:2x3 1=1:1x3 > 2=2:2x3 > 3=2:2x3", "6 36 24 0"},
    {"Mul of halves", "Mul 0=0:h2x3 0 > 2=2:h2x3 > 3=2:h2x3", "6 24 12 0"},
    {"Rsqrt", "Rsqrt 0=0:5 > 2=2:5 > 3=2:5", "10 20 20 0"},
    {"Sigmoid", "Sigmoid 0=0:5 > 2=2:5 > 3=2:5", "20 20 20 0"},
    {"Gelu", "Gelu 0=0:5 > 2=2:5 > 3=2:5", "45 20 20 0"},
    {"Rope", "Rope 0=0:3x4 1=1:1x4 > 2=2:3x4 > 3=2:3x4", "36 64 48 0"},
    {"Cast", "Cast 0=0:5 > 2=2:h5 > 3=2:h5", "0 20 10 0"},
    {"ScalarAssign", "ScalarAssign - > 2=2:h5 > 3=2:h5", "0 0 10 0"},
    {"ReduceSum", "ReduceSum 0=0:3x7 > 2=2:3x1 > 3=2:3x1", "21 84 12 0"},
    {"ReduceMean", "ReduceMean 0=0:3x7 > 2=2:3 > 3=2:3", "21 84 12 0"},
    {"Matmul", "Matmul 0=0:2x5 1=1:5x3 > 2=2:2x3 > 3=2:2x3", "60 100 24 0"},
    {"Matmul, not transposed",
     "Matmul 0=0:2x5 1=1:5x3 > 2=2:2x3 > 3=2:2x3 {\"TransposeInput\":{\"BOOL\":false}}",
     "60 100 24 0"},
    {"Matmul, transposed",
     "Matmul 0=0:5x2 1=1:5x3 > 2=2:2x3 > 3=2:2x3 {\"TransposeInput\":{\"BOOL\":true}}",
     "60 100 24 0"},
    {"Matmul of a vector", "Matmul 0=0:5 1=1:5x3 > 2=2:1x3 > 3=2:1x3", "30 80 12 0"},
    {"Matmul of a vector, transposed",
     "Matmul 0=0:5 1=1:1x3 > 2=2:5x3 > 3=2:5x3 {\"TransposeInput\":{\"BOOL\":true}}", "30 32 60 0"},
    {"Matmul in batches", "Matmul 0=0:4x2x5 1=1:1x5x3 > 2=2:4x2x3 > 3=2:4x2x3", "240 220 96 0"},
    {"Embedding", "Embedding 0=0:i6 1=1:1000x2 > 2=2:1x1x6x2 > 3=2:1x1x6x2", "0 72 48 0"},
    {"Noop", "Noop 0=0:5 > - > -", "0 0 0 0"},
    {"Tensor", "Tensor 0=0:5 > - > 1=0:5", "0 0 0 0"},
    {"Send", "Send 0=0:5 > 1=1@1:5 > 2=1@1:5", "0 20 0 20"},
    {"Recv", "Recv 0=0@1:5 > 1=1:5 > 2=1:5", "0 0 20 0"},
    {"RecvPacket", "RecvPacket 0=0@1:u40 1=1:u40 > 2=2:5 > 3=2:5", "0 40 20 0"},
    {"RecvReduceSend", "RecvReduceSend 0=0:5 1=1:10 > 0 3=3@1:5 4=4@2:5 > 5=0:5", "10 60 20 40"},
    {"DeviceSync", "DeviceSync 0=0:4 > 1=0:4 > 2=0:4", "0 0 0 0"},
    {"not valid", "Relu 0=0:4 0 > 1=1:4 > 2=1:4", "0 0 0 0"},
    {"more than 64 bits", "Matmul 0=0:b1x4611686018427387904 1=1:b1 > 2=2:b1x65536 > 3=2:b1x65536",
     "18446744073709551615 4611686018427387905 65536 0"},
};

HOIST_TEST_TABLE(costs_follow_from_shapes, costs)
{
    ark_test_file file;
    ark_effects effects;
    ark_cost sum = {0};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(
        t, ark_test_open(ark_sketch(t, row->sketch), hoist_allocator_system(), NULL, &file),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, ark_effects_find(&file.graph, &file.arena, &effects), HOIST_OK);
    const ark_cost cost = ark_step_cost(&file.graph, &effects, 0);
    hoist_buffer_format(&out, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, cost.flops,
                        cost.read_bytes, cost.written_bytes, cost.sent_bytes);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->wanted);
    ark_cost_add(&sum, &cost);
    ark_cost_add(&sum, &cost);
    HOIST_EXPECT_EQ(t, sum.flops, cost.flops > UINT64_MAX / 2 ? UINT64_MAX : 2 * cost.flops);
    HOIST_EXPECT_EQ(t, sum.read_bytes, 2 * cost.read_bytes);
    HOIST_EXPECT_EQ(t, sum.written_bytes, 2 * cost.written_bytes);
    HOIST_EXPECT_EQ(t, sum.sent_bytes, 2 * cost.sent_bytes);
    hoist_buffer_deinit(&out);
    ark_test_close(&file);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(costs_follow_from_shapes))
