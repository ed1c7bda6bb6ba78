// Tensor operations, decoded, in groups, and the constants stored before them.
#include "formats/darwinn/recover_testing.h"

static dwn_operations operations_of(hoist_test *t, dwn_maker *m)
{
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(m, false))};
    dwn_operations operations;
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &operations), HOIST_OK);
    return operations;
}

HOIST_TEST(fields_are_decoded)
{
    const dwn_sketch sketch = {.tiles = 0x0f0f,
                               .mode = 0x38,
                               .code = 0x528,
                               .multiplier = 0.25f,
                               .input_zero = 3,
                               .weight_zero = 128,
                               .output_zero = 200,
                               .has_bias = true,
                               .has_weight_zeros = true,
                               .full_rows = 64,
                               .last_rows = 12,
                               .constant = -77,
                               .reduction = 9,
                               .rest = 256,
                               .a_base = 1234,
                               .b_base = 4321,
                               .a = {{3, 2}, {3, 36}, {16, 2}}};
    const dwn_operation op = dwn_test_operation(t, &sketch);
    HOIST_EXPECT_EQ(t, op.at.word, 1);
    HOIST_EXPECT_EQ(t, op.at.words, 17);
    HOIST_EXPECT_EQ(t, op.tiles, 0x0f0f);
    HOIST_EXPECT_EQ(t, op.multiplier, 0x3e800000);
    HOIST_EXPECT_EQ(t, op.input_zero, 3);
    HOIST_EXPECT_EQ(t, op.weight_zero, 128);
    HOIST_EXPECT_EQ(t, op.output_zero, 200);
    HOIST_EXPECT(t, op.has_bias && op.has_weight_zeros && !op.has_multipliers);
    HOIST_EXPECT_EQ(t, op.full_rows, 64);
    HOIST_EXPECT_EQ(t, op.last_rows, 12);
    HOIST_EXPECT_EQ(t, op.constant, -77);
    HOIST_EXPECT_EQ(t, op.steps, 9 * 256);
    HOIST_EXPECT_EQ(t, op.reduction, 9);
    HOIST_EXPECT_EQ(t, op.a.base, 1234);
    HOIST_EXPECT_EQ(t, op.b.base, 4321);
    HOIST_EXPECT_EQ(t, op.a.loops[1].stride, 36);
}

// What the second of two operations has other than the first; they are one group or two.
// clang-format off
static const struct {
    const char *name;
    dwn_sketch second;
    uint32_t groups;
} pairs[] = {
    {"other tiles",         {.tiles = 2, .input_zero = 5},                            1},
    {"same tile",           {.tiles = 1, .input_zero = 5},                            2},
    {"some tiles in both",  {.tiles = 3, .input_zero = 5},                            2},
    {"other input zero",    {.tiles = 2, .input_zero = 6},                            2},
    {"other output zero",   {.tiles = 2, .input_zero = 5, .output_zero = 1},          2},
    {"other weight zero",   {.tiles = 2, .input_zero = 5, .weight_zero = 1},          2},
    {"other M",             {.tiles = 2, .input_zero = 5, .multiplier = 0.75f},       2},
    {"other clamp above",   {.tiles = 2, .input_zero = 5, .high = 128},               2},
    {"other clamp below",   {.tiles = 2, .input_zero = 5, .low = -1},                 2},
    {"other arrays",        {.tiles = 2, .input_zero = 5, .has_bias = true},          2},
    {"multipliers",         {.tiles = 2, .input_zero = 5, .has_multipliers = true},   2},
    {"zero points",         {.tiles = 2, .input_zero = 5, .has_weight_zeros = true},  2},
    {"other opcode",        {.tiles = 2, .input_zero = 5, .opcode = DWN_OP_MAX},      2},
    {"other kind",          {.tiles = 2, .input_zero = 5, .mode = 0x1870},            2},
    {"other constant",      {.tiles = 2, .input_zero = 5, .constant = 3},             2},
};
// clang-format on

HOIST_TEST_TABLE(groups, pairs)
{
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    dwn_make_operation(&m, &(dwn_sketch){.tiles = 1, .input_zero = 5});
    dwn_make_operation(&m, &row->second);
    const dwn_operations all = operations_of(t, &m);
    HOIST_EXPECT_EQ(t, all.count, 2);
    HOIST_EXPECT_EQ(t, all.group_count, row->groups);
}

// A reduction outside of a loop over pixels is late; loops of one step are nowhere.
static const struct {
    const char *name;
    uint32_t reduction, rest, late;
    uint64_t expected;
} lates[] = {
    {"inside only", 9, 49, 1, 1},
    {"outside", 9, 49, 6, 6},
    {"outside of one step", 9, 1, 6, 1},
};

HOIST_TEST_TABLE(late_reductions, lates)
{
    const dwn_operation op = dwn_test_operation(
        t, &(dwn_sketch){.reduction = row->reduction, .rest = row->rest, .late = row->late});
    HOIST_EXPECT_EQ(t, op.late, row->expected);
    HOIST_EXPECT_EQ(t, op.reduction, row->reduction * row->late);
    HOIST_EXPECT_EQ(t, op.steps, row->reduction * row->rest * row->late);
}

// Early compilers do not count the loop over operands among the reductions.
HOIST_TEST(additions_produce_what_they_write)
{
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    dwn_make_operation(&m, &(dwn_sketch){.tiles = 0x3,
                                         .mode = 0xb0,
                                         .code = 0x58,
                                         .reduction = 2,
                                         .rest = 20,
                                         .b = {{5, 1}, {2, 8}}});
    const dwn_operations all = operations_of(t, &m);
    HOIST_EXPECT_EQ(t, all.groups[0].produced, 2 * 10);
}

HOIST_TEST(groups_count_what_they_produce)
{
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    dwn_make_operation(&m, &(dwn_sketch){.tiles = 0x7, .reduction = 9, .rest = 10});
    dwn_make_operation(&m, &(dwn_sketch){.tiles = 0x8, .reduction = 9, .rest = 20});
    const dwn_operations all = operations_of(t, &m);
    HOIST_EXPECT_EQ(t, all.group_count, 1);
    HOIST_EXPECT_EQ(t, all.groups[0].count, 2);
    HOIST_EXPECT_EQ(t, all.groups[0].widest, 1);
    HOIST_EXPECT_EQ(t, all.groups[0].tiles, 0xf);
    HOIST_EXPECT_EQ(t, all.groups[0].produced, 3 * 10 + 20);
    HOIST_EXPECT_EQ(t, dwn_first_part(&all, &all.groups[0])->tiles, 0x7);
}

// clang-format off
static const struct {
    const char *name;
    uint32_t values[12];
    bool has_factors;
    int32_t first, second;
} constants[] = {
    {"two diagonals",     {7, 7u << 16, 7, 7u << 16, 9, 9u << 16, 9, 9u << 16},                 true,  7, 9},
    {"zeros between",     {7, 7u << 16, 0, 7, 7u << 16, 9, 9u << 16, 0, 9, 9u << 16},           true,  7, 9},
    {"others before",     {1, 0x100, 7, 7u << 16, 7, 7u << 16, 9, 9u << 16, 9, 9u << 16},       true,  7, 9},
    {"negative",          {0xffff, 0xffffu << 16, 0xffff, 0xffffu << 16, 9, 9u << 16, 9, 9u << 16}, true, -1, 9},
    {"two halves",        {7, 7u << 16, 9, 9u << 16},                                           true,  7, 9},
    {"equal halves",      {7, 7u << 16, 7, 7u << 16},                                           true,  7, 7},
    {"half a diagonal",   {7, 7u << 16},                                                        false, 0, 0},
    {"three halves",      {7, 7u << 16, 7, 7u << 16, 9, 9u << 16},                              false, 0, 0},
    {"a half differs",    {7, 7u << 16, 9, 8u << 16},                                           false, 0, 0},
    {"high half differs", {7, 8u << 16, 7, 7u << 16, 9, 9u << 16, 9, 9u << 16},                 false, 0, 0},
    {"identity of bytes", {1, 0x100, 0x10000, 0x1000000, 1, 0x100, 0x10000, 0x1000000},         false, 0, 0},
    {"more than 16 bits", {0x10007, 7u << 16, 0x10007, 7u << 16, 9, 9u << 16, 9, 9u << 16},     false, 0, 0},
    {"none",              {0},                                                                  false, 0, 0},
};
// clang-format on

HOIST_TEST_TABLE(factors, constants)
{
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->values); i++) {
        dwn_make_constant(&m, row->values[i]);
    }
    dwn_make_operation(&m, &(dwn_sketch){.tiles = 1});
    dwn_make_operation(&m, &(dwn_sketch){.tiles = 2});
    const dwn_operations all = operations_of(t, &m);
    HOIST_EXPECT_EQ(t, all.items[0].has_factors, row->has_factors);
    HOIST_EXPECT_EQ(t, all.items[0].factors[0], row->first);
    HOIST_EXPECT_EQ(t, all.items[0].factors[1], row->second);
    HOIST_EXPECT(t, !all.items[1].has_factors);
}

// A run of float32 numbers by the scalar core is one operation; addresses and counts are none.
HOIST_TEST(floats_of_the_scalar_core)
{
    enum { FLOATS = 0x10, INTEGERS_AFTER = 0x17 };
    for (int alu = FLOATS - 1; alu <= INTEGERS_AFTER; alu++) {
        const bool is_float = alu >= FLOATS && alu < INTEGERS_AFTER;
        dwn_maker m = {.next_id = 0};
        dwn_make_begin(&m);
        dwn_make_bundle(&m, &(dwn_bundle){.alu = (uint8_t)alu, .to = 3, .first = 4});
        dwn_make_bundle(&m, &(dwn_bundle){.alu = (uint8_t)alu, .to = 3, .first = 4});
        dwn_make_operation(&m, &(dwn_sketch){.tiles = 1});
        const dwn_operations all = operations_of(t, &m);
        HOIST_EXPECT_EQ(t, all.count, is_float ? 2 : 1);
        HOIST_EXPECT_EQ(t, all.items[0].opcode, is_float ? DWN_OP_BUNDLE : DWN_OP_TENSOR);
        HOIST_EXPECT(t, !is_float || all.items[0].at.words == 2);
        HOIST_EXPECT(t, !is_float || all.items[0].kind == DWN_KIND_UNKNOWN);
    }
}

// clang-format off
static const struct {
    const char *name;
    struct {
        uint16_t tiles;
        bool is_sent;
        uint8_t channel;
    } stored[4];
    bool is_rows, is_columns;
} ways[] = {
    {"rows that are sent",       {{0x0ff0, true, 0}},                                             true,  false},
    {"columns that are sent",    {{0x7777, true, 1}},                                             false, true},
    {"some tiles",               {{0x0606, true, 1}},                                             false, false},
    {"the last row, in parts",   {{0x0333, true, 2}, {0x0ccc, true, 2}, {0x3000, false, 2}, {0xc000, false, 2}}, true, false},
    {"the last column, in parts", {{0x0707, true, 1}, {0x7070, true, 1}, {0x0808, false, 1}, {0x8080, false, 1}}, false, true},
    {"the last column of three rows", {{0x0077, true, 1}, {0x0700, true, 1}, {0x0088, false, 1}, {0x0800, false, 1}}, false, true},
    {"ends in two rows or columns",  {{0x0505, true, 0}, {0x5050, false, 0}, {0x0303, true, 3}, {0x0c0c, false, 3}}, false, false},
    {"the column is not all",    {{0x7777, true, 1}, {0x0808, false, 1}},            false, true},
    {"an end in single tiles",   {{0x0606, true, 1}, {0x6060, true, 1}, {0x0208, false, 1}}, false, false},
    {"ends of two channels",     {{0x0606, true, 1}, {0x8080, false, 2}, {0x0808, false, 3}}, false, false},
    {"one tile in all",          {{0x0001, false, 0}},                                            false, false},
};
// clang-format on

// Tiles at the end of a channel store 0 where all others have what was sent.
HOIST_TEST_TABLE(ways_of_the_mesh, ways)
{
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->stored) && row->stored[i].tiles; i++) {
        const dwn_stored stored = {.tiles = row->stored[i].tiles,
                                   .is_sent = row->stored[i].is_sent};
        dwn_make_fill_on(&m, row->stored[i].channel, &stored);
    }
    dwn_make_operation(&m, &(dwn_sketch){.tiles = 1});
    dwn_make_operation(&m, &(dwn_sketch){.tiles = 2});
    const dwn_operations all = operations_of(t, &m);
    HOIST_EXPECT_EQ(t, all.items[0].has_rows_sent, row->is_rows);
    HOIST_EXPECT_EQ(t, all.items[0].has_columns_sent, row->is_columns);
    HOIST_EXPECT(t, !all.items[1].has_rows_sent && !all.items[1].has_columns_sent);
}

HOIST_TEST(hostile_counts_saturate)
{
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    const hoist_mut_bytes x = dwn_make_add(&m, DWN_OP_TENSOR);
    for (size_t k = 0; k < DWN_MASTER_LOOPS; k++) {
        dwn_make_set(x, &dwn_tensor_rows[DWN_TENSOR_MASTER], k, UINT32_MAX);
    }
    dwn_make_set(x, &dwn_tensor_rows[DWN_TENSOR_TILES], 0, 0xffff);
    const dwn_operations all = operations_of(t, &m);
    HOIST_EXPECT(t, all.items[0].steps == UINT64_MAX);
    HOIST_EXPECT_EQ(t, all.items[0].reduction, 1);
    HOIST_EXPECT(t, all.groups[0].produced == UINT64_MAX);
}

// The strides of stores wrap around 64 bits as those of traversals do.
HOIST_TEST(hostile_strides_wrap)
{
    enum { OP_MESH = 0x15 };
    const dwn_field *const fields = dwn_opcode_find(OP_MESH)->fields->rows;
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    const hoist_mut_bytes x = dwn_make_add(&m, OP_MESH);
    for (size_t k = 0; k < DWN_MESH_LOOPS; k++) {
        dwn_make_set(x, &fields[DWN_MESH_COUNT], k, UINT16_MAX);
        dwn_make_set(x, &fields[DWN_MESH_INCREMENT], k, 1u << 16); // -65,536
    }
    dwn_make_operation(&m, &(dwn_sketch){.tiles = 1});
    const dwn_operations all = operations_of(t, &m);
    HOIST_EXPECT_EQ(t, all.fill_count, 1);
    HOIST_EXPECT_EQ(t, all.fills[0].loops[0].stride, -(INT64_C(1) << 16));
    HOIST_EXPECT_EQ(t, all.fills[0].loops[1].stride, -(INT64_C(1) << 32));
    HOIST_EXPECT_EQ(t, all.fills[0].loops[2].stride,
                    -(INT64_C(1) << 48)); // the next would be -2^64
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(fields_are_decoded), HOIST_TEST_ROW(groups),
                HOIST_TEST_ROW(late_reductions), HOIST_TEST_ROW(additions_produce_what_they_write),
                HOIST_TEST_ROW(groups_count_what_they_produce), HOIST_TEST_ROW(factors),
                HOIST_TEST_ROW(floats_of_the_scalar_core), HOIST_TEST_ROW(ways_of_the_mesh),
                HOIST_TEST_ROW(hostile_counts_saturate), HOIST_TEST_ROW(hostile_strides_wrap))
