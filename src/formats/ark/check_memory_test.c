// Conflicts of operators that no edge orders, overlaps within one, and the note of what a file
// needs and leaves; findings by the id of the rule and the object they are at.
#include <string.h>

#include "base/buffer.h"
#include "formats/ark/check_memory.h"
#include "formats/ark/check_testing.h"
#include "formats/ark/sketch_testing.h"

// "M37a nodes/1/op/read/0", of these two rules.
static hoist_str found(hoist_test *t, const char *sketch)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    (void)ark_test_findings(t, ark_sketch(t, sketch), ark_check_memory);
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *const f = hoist_diag_at(t->diag, i);
        if (strncmp(f->rule->id, "ARK-M37", 7) == 0 || strcmp(f->rule->id, "ARK-M38") == 0) {
            hoist_buffer_format(&out, "%s%s %.*s", out.size ? "; " : "", f->rule->id + 4,
                                HOIST_STR_ARGS(f->object));
        }
    }
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return text;
}

#define WRITES_1 "Relu 0=0:4 > 1=1:4 > 2=1:4\n" // node 0

static const struct {
    const char *name;
    const char *sketch;
    const char *wanted;
} conflicts[] = {
    {"an edge by the tensor", WRITES_1 "Exp 2 > 3=2:4 > 4=2:4", ""},
    {"read after write", WRITES_1 "Exp 5=1:4 > 3=2:4 > 4=2:4", "M37a nodes/1/op/read/0"},
    {"one byte read after write", WRITES_1 "Exp 5=1:b1/16+15 > 3=2:b1 > 4=2:b1",
     "M37a nodes/1/op/read/0"},
    {"read next to a write",
     "Relu 0=0:2x2 > 1=1:2x2/2x4 > 2=1:2x2/2x4\nExp 5=1:2x2/2x4+0,2 > 3=2:2x2 > 4=2:2x2", ""},
    {"a control edge", WRITES_1 "Exp 5=1:4 > 3=2:4 > 4=2:4 @ 0", ""},
    {"a path through others",
     WRITES_1 "Exp 6=6:4 > 7=7:4 > 8=7:4 @ 0\nNoop 8 > - > -\nExp 5=1:4 > 3=2:4 > 4=2:4 @ 2", ""},
    {"a path through a virtual operator",
     WRITES_1 "Tensor 2 > - > 5=1:2x2\nExp 5 > 3=2:2x2 > 4=2:2x2", ""},
    {"a path to elsewhere", WRITES_1 "Exp 6=6:4 > 7=7:4 > 8=7:4 @ 0\nExp 5=1:4 > 3=2:4 > 4=2:4",
     "M37a nodes/2/op/read/0"},
    {"write after read", "Relu 0=0:4 > 1=1:4 > 2=1:4\nExp 3=2:4 > 0 > 4=0:4",
     "M37b nodes/1/op/write/0"},
    {"write after read, with an edge", "Relu 0=0:4 > 1=1:4 > 2=1:4\nExp 3=2:4 > 0 > 4=0:4 @ 0", ""},
    {"write after write", WRITES_1 "Exp 3=2:4 > 5=1:4 > 4=1:4", "M37b nodes/1/op/write/0"},
    {"in place", WRITES_1 "Exp 2 > 2 > 3=1:4", ""},
    {"in place, with another reader", WRITES_1 "Sqrt 2 > 5=2:4 > 6=2:4\nExp 2 > 2 > 3=1:4",
     "M37b nodes/2/op/write/0"},
    {"reading twice", "Add 0=0:4 0 > 1=1:4 > 2=1:4\nMul 0 0 > 3=2:4 > 4=2:4", ""},
    {"the last writer counts", WRITES_1 "Exp 0 > 1 > 3=1:4 @ 0\nSqrt 3 > 4=2:4 > 5=2:4", ""},
    {"a reader before the last writer",
     WRITES_1
     "Noop 2 > - > -\nSqrt 2 > 4=2:4 > 5=2:4\nExp 0 > 1 > 3=1:4 @ 2\nExp 0 > 1 > 6=1:4 @ 3",
     ""},
    {"both, of two operators", WRITES_1 "Exp 0 > 3=2:4 > 4=2:4\nRelu 5=1:4 > 0 > 7=0:4",
     "M37a nodes/2/op/read/0; M37b nodes/2/op/write/0"},
    {"parts by two writers, an edge to one",
     "Relu 0=0:2 > 1=1:2/4 > 2=1:2/4\nRelu 0 > 3=1:2/4+2 > 4=1:2/4+2\nExp 5=1:4 > 6=2:4 > 7=2:4 @ "
     "1",
     "M37a nodes/2/op/read/0"},
    {"other buffers", WRITES_1 "Exp 5=2:4 > 3=3:4 > 4=3:4", ""},
    {"not valid, no effects", WRITES_1 "Exp 5=1:4 5 > 3=2:4 > 4=2:4", ""},
    {"a message arrives",
     "rank 0 of 2\nRelu 5=1r1,5:4 > 3=2:4 > 4=2:4\nRecv 0=0@1s-1,5:4 > 1=1r1,5:4 > 2=1r1,5:4",
     "M37b nodes/1/op/write/0"},
    {"a message is read",
     "rank 0 of 2\nRecv 0=0@1s-1,5:4 > 1=1r1,5:4 > 2=1r1,5:4\nRelu 5=1r1,5:4 > 3=2:4 > 4=2:4",
     "M37a nodes/1/op/read/0"},
    {"scratch is read",
     "rank 0 of 2\nRelu 5=5:u32 > 1=1r1,5:u32 > 9=1r1,5:u32\n"
     "RecvPacket 0=0@1:u32 1 > 2=2:4 > 3=2:4",
     "M37a nodes/1/op/read/1"},
    {"proxies are elsewhere",
     "rank 0 of 2\nSend 0=0s1,5:4 > 1=1@1r-1,5:4 > 2=1@1r-1,5:4\n"
     "Send 0 > 1 > 3=1@1r-1,5:4",
     ""},
    {"barriers keep their order",
     "rank 0 of 2\nRelu 0=0:4 > 1=1:4 > 2=1:4\nDeviceSync 5=1:4 > 6=1:4 > 7=1:4\nExp 2 > 1 > 8=1:4",
     ""},
};

HOIST_TEST_TABLE(conflicts_need_a_path, conflicts)
{
    HOIST_EXPECT_STR(t, found(t, row->sketch), row->wanted);
}

static const struct {
    const char *name;
    const char *sketch;
    const char *wanted;
} overlaps[] = {
    {"in place", "Relu 0=0:4 > 0 > 1=0:4", ""},
    {"the second input", "Add 1=1:4 0=0:4 > 0 > 2=0:4", ""},
    {"the same elements by other ids", "Add 1=1:4 0=0:4 > 5=0:1x4 > 2=0:1x4", ""},
    {"Rope in place", "Rope 0=0:4 1=1:4 > 0 > 2=0:4", ""},
    {"Cast to a type of the same size", "Cast 0=0:4 > 1=0:i4 > 2=0:i4", ""},
    {"Cast to a smaller type", "Cast 0=0:4 > 1=0:h4 > 2=0:h4", "M38 nodes/0/op/read/0"},
    {"a part of the output", "Relu 0=0:2/4 > 1=0:4 > 2=0:4", "M38 nodes/0/op/read/0"},
    {"moved by one", "Copy 0=0:3/4 > 1=0:3/4+1 > 2=0:3/4+1", "M38 nodes/0/op/read/0"},
    {"next to each other", "Copy 0=0:2/4 > 1=0:2/4+2 > 2=0:2/4+2", ""},
    {"columns of one buffer", "Copy 0=0:2x2/2x4 > 1=0:2x2/2x4+0,2 > 2=0:2x2/2x4+0,2", ""},
    {"another shape", "Copy 0=0:2x3 > 1=0:3x2 > 2=0:3x2", "M38 nodes/0/op/read/0"},
    {"another pitch", "Copy 0=0:2x2 > 1=0:2x2/2x4 > 2=0:2x2/2x4", "M38 nodes/0/op/read/0"},
    {"Matmul in place", "Matmul 0=0:2x2 1=1:2x2 > 0 > 2=0:2x2", "M38 nodes/0/op/read/0"},
    {"both inputs of Matmul", "Matmul 0=0:2x2 0 > 0 > 2=0:2x2",
     "M38 nodes/0/op/read/0; M38 nodes/0/op/read/1"},
    {"ReduceSum in place", "ReduceSum 0=0:1x4 > 0 > 2=0:1x4", "M38 nodes/0/op/read/0"},
    {"Embedding in place", "Embedding 1=1:i4 0=0:4x2 > 2=0:4x2 > 3=0:4x2", "M38 nodes/0/op/read/1"},
    {"Transpose in place", "Transpose 0=0:2x2 > 0 > 2=0:2x2 {\"Permutation\":{\"DIMS\":[1,0]}}",
     "M38 nodes/0/op/read/0"},
    {"Transpose of nothing", "Transpose 0=0:2x2 > 0 > 2=0:2x2 {\"Permutation\":{\"DIMS\":[0,1]}}",
     ""},
    {"Transpose without a permutation", "Transpose 0=0:2x2 > 0 > 2=0:2x2", "M38 nodes/0/op/read/0"},
    {"ReduceSend into its input",
     "rank 0 of 2\nRecvReduceSend 0=0:4 1=1r1,5:4 > 0 2=2@1r-1,6:4 > 3=0:4", ""},
    {"ReduceSend into its scratch",
     "rank 0 of 2\nRecvReduceSend 0=0:4 1=1r1,5:4 > 1 2=2@1r-1,6:4 > 3=1r1,5:4",
     "M38 nodes/0/op/read/1"},
    {"barrier", "rank 0 of 2\nDeviceSync 5=1:4 > 6=1:b16 > 7=1:b16", ""},
};

HOIST_TEST_TABLE(an_operator_overlaps_itself, overlaps)
{
    HOIST_EXPECT_STR(t, found(t, row->sketch), row->wanted);
}

static const struct {
    const char *name;
    const char *sketch;
    const char *wanted;
} texts[] = {
    {"read after write", WRITES_1 "Exp 5=1:4 > 3=2:4 > 4=2:4",
     "error: tensor 5 has bytes of buffer 1 that 'n0 (Relu)' of node 0 writes before, but no path "
     "of "
     "edges leads from there [ARK-M37a]"},
    {"of three operators",
     WRITES_1 "Exp 2 > 3=3:4 > 4=3:4\nExp 2 > 5=5:4 > 6=5:4\nExp 9=9:4 > 1 > 7=1:4",
     "warning: tensor 1 has bytes of buffer 1 that 'n0 (Relu)' of node 0 writes before, but no "
     "path "
     "of edges leads from there; nor from 2 other operators [ARK-M37b]"},
    {"of a reader", "Relu 0=0:4 > 1=1:4 > 2=1:4\nExp 3=2:4 > 0 > 4=0:4",
     "warning: tensor 0 has bytes of buffer 0 that 'n0 (Relu)' of node 0 reads before, but no path "
     "of "
     "edges leads from there [ARK-M37b]"},
    {"overlap", "Relu 0=0:2/4 > 1=0:4 > 2=0:4",
     "warning: tensor 0 has bytes of buffer 0 that Relu also writes, as tensor 1: expected the "
     "same "
     "elements, or none of them [ARK-M38]"},
    {"apart", "Matmul 0=0:2x2 1=1:2x2 > 0 > 2=0:2x2",
     "warning: tensor 0 has bytes of buffer 0 that Matmul also writes, as tensor 0: expected an "
     "input "
     "apart from the output [ARK-M38]"},
    {"the note", "Relu 0=0:4 > 1=1:2x2 > 2=1:2x2",
     "note: inputs: 0 (buffer 0, FP32 [4]); outputs: 2 (buffer 1, FP32 [2,2]); state: none "
     "[ARK-M39]"},
    {"nothing to note", "Tensor - > - > 0=0:4",
     "note: inputs: none; outputs: none; state: none [ARK-M39]"},
    {"state", "Relu 0=0:4 > 0 > 1=0:4\nExp 2=2:h1 > 2 > 3=2:h1",
     "note: inputs: 0 (buffer 0, FP32 [4]), 2 (buffer 2, FP16 [1]); outputs: 1 (buffer 0, FP32 "
     "[4]), "
     "3 (buffer 2, FP16 [1]); state: buffer 0, buffer 2 [ARK-M39]"},
    {"eight of nine",
     "Add 0=0:1 1=1:1 > 20=20:1 > 30=20:1\nAdd 2=2:1 3=3:1 > 21=21:1 > 31=21:1\n"
     "Add 4=4:1 5=5:1 > 22=22:1 > 32=22:1\nAdd 6=6:1 7=7:1 > 23=23:1 > 33=23:1\n"
     "Relu 8=8:1 > 24=24:1 > 34=24:1",
     "7 (buffer 7, FP32 [1]) and 1 more; outputs: 30 (buffer 20, FP32 [1]), 31 (buffer 21, FP32 "
     "[1]), "
     "32 (buffer 22, FP32 [1]), 33 (buffer 23, FP32 [1]), 34 (buffer 24, FP32 [1]); state: none"},
};

HOIST_TEST_TABLE(findings_name_both_ends, texts)
{
    (void)found(t, row->sketch);
    const hoist_str all = hoist_test_findings(t);
    if (!hoist_str_contains(all, row->wanted)) {
        HOIST_EXPECT_STR(t, all, row->wanted);
    }
}

// Operators that all read the parts of one buffer, which nothing writes.
static hoist_status check_readers(hoist_test *t, uint32_t steps, uint32_t parts)
{
    static const ark_op op;
    const ark_memory memory = {.local = true, .valid = true};
    ark_value *const values = hoist_arena_array(&t->arena, parts, sizeof(*values));
    uint32_t *const ids = hoist_arena_array(&t->arena, parts, sizeof(*ids));
    ark_step *const rows = hoist_arena_array(&t->arena, steps, sizeof(*rows));
    ark_node *const nodes = hoist_arena_array(&t->arena, steps, sizeof(*nodes));
    ark_module module = {.base = {.alloc = hoist_allocator_system()}};
    ark_effects effects;
    ark_pieces pieces;
    for (uint32_t i = 0; i < parts; i++) {
        ids[i] = i;
        values[i] = (ark_value){
            .valid = true, .rank = 1, .offset = i, .shape = {1}, .stride = {1}, .count = 1};
    }
    for (uint32_t i = 0; i < steps; i++) {
        rows[i] = (ark_step){
            .op = &op, .type = ARK_RELU, .valid = true, .owner = i, .reads = {ids, parts}};
    }
    module.nodes.items = nodes;
    module.nodes.count = steps;
    const ark_graph graph = {&module, &memory, 1, values, parts, rows, steps};
    HOIST_EXPECT_EQ(t, ark_effects_find(&graph, &t->arena, &effects), HOIST_OK);
    HOIST_EXPECT_EQ(t, ark_pieces_find(&graph, &effects, &t->arena, &pieces), HOIST_OK);
    HOIST_EXPECT_EQ(t, pieces.count, parts);
    const ark_memory_check check = {&graph, &effects, &pieces, &t->arena, NULL};
    return ark_check_conflicts(&check);
}

HOIST_TEST(too_many_readers_are_a_limit)
{
    HOIST_EXPECT_EQ(t, check_readers(t, 1 << 13, 1 << 10), HOIST_OK);
    HOIST_EXPECT_EQ(t, check_readers(t, (1 << 13) + 1, 1 << 10), HOIST_LIMIT);
}

HOIST_TEST(time_and_memory_run_out)
{
    const char *const text =
        ark_sketch(t, WRITES_1 "Exp 5=1:4 > 3=2:4 > 4=2:4\nExp 6=9:4 > 0 > 7=0:4");
    ark_test_starve(t, text, ark_check_memory);
    ark_test_cancel(t, text, ark_check_memory);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(conflicts_need_a_path), HOIST_TEST_ROW(an_operator_overlaps_itself),
                HOIST_TEST_ROW(findings_name_both_ends),
                HOIST_TEST_ROW(too_many_readers_are_a_limit),
                HOIST_TEST_ROW(time_and_memory_run_out))
