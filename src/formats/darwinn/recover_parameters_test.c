// Blocks of parameters: their sizes, where they are found, and their arrays.
#include <string.h>

#include "base/reader.h"
#include "formats/darwinn/recover_testing.h"

// clang-format off
static const struct {
    const char *name;
    dwn_block_shape shape;
    uint64_t size;
} sizes[] = {
    {"dense_256",           {256, 64, 0, false, true, false, true, false, 0, 0, 0},  UINT64_C(4) * (64 * 8 + 64 * 256)},
    {"few rows",            {8, 9, 0, false, false, true, false, false, 0, 0, 0},    UINT64_C(16) * 4 + 9 * 64},
    {"65 rows",             {65, 2, 0, false, false, false, false, false, 0, 0, 0},  UINT64_C(2) * 2 * 256},
    {"64 rows",             {64, 2, 0, false, false, false, false, false, 0, 0, 0},  UINT64_C(2) * 256},
    {"four rows",           {4, 9, 4, false, false, false, false, false, 0, 0, 0},   UINT64_C(9) * 16},
    {"diagonals",           {8, 9, 4, true, true, true, true, false, 0, 0, 0},       UINT64_C(2) * (3 * 16 + 9 * 16)},
    {"no weights",          {8, 0, 4, true, false, true, false, false, 0, 0, 0},     UINT64_C(2) * 16},
    {"steps overflow",      {8, UINT64_MAX / 8, 4, false, false, false, false, false, 0, 0, 0}, 0},
    {"groups overflow",     {UINT32_MAX, UINT64_MAX / 512, 4, false, false, false, false, false, 0, 0, 0}, 0},
};
// clang-format on

HOIST_TEST_TABLE(block_sizes, sizes)
{
    HOIST_EXPECT_EQ(t, dwn_block_size(&row->shape), row->size);
}

// Where a block of 100 bytes (128 with padding) is, by what there is.
// clang-format off
static const struct {
    const char *name;
    uint32_t cached, streamed; // bytes
    uint32_t transfers[3];
    bool is_cached, is_streamed; // found there
} places[] = {
    {"cached only",          128, 0,   {0},           true,  false},
    {"streamed only",        0,   128, {128},         false, true},
    {"both",                 128, 128, {128},         true,  true},
    {"two transfers",        0,   192, {64, 64, 64},  false, true},
    {"transfers do not fit", 0,   192, {192},         false, false},
    {"transfers step over",  0,   192, {64, 128},     false, false},
    {"no transfers",         0,   128, {0},           false, false},
    {"too few cached",       127, 0,   {0},           false, false},
    {"too few streamed",     0,   127, {128},         false, false},
    {"nothing",              0,   0,   {0},           false, false},
};
// clang-format on

HOIST_TEST_TABLE(block_places, places)
{
    static const uint8_t bytes[256];
    dwn_sources s = {.cached = {{bytes, row->cached}, 0},
                     .streamed = {{bytes, row->streamed}, 0},
                     .transfers = row->transfers,
                     .transfer_count = HOIST_COUNT_OF(row->transfers)};
    dwn_piece piece;
    HOIST_EXPECT_EQ(t, dwn_block_find(&s, 100, false, &piece), row->is_cached);
    HOIST_EXPECT_EQ(t, piece.size, row->is_cached ? 128 : 0);
    HOIST_EXPECT_EQ(t, dwn_block_find(&s, 100, true, &piece), row->is_streamed);
    HOIST_EXPECT_EQ(t, piece.size, row->is_streamed ? 128 : 0);
    HOIST_EXPECT(t, !dwn_block_find(&s, 0, false, &piece));
    HOIST_EXPECT(t, !dwn_block_find(&s, UINT64_MAX, false, &piece));
}

HOIST_TEST(taken_blocks_are_gone)
{
    static const uint8_t bytes[256];
    static const uint32_t transfers[] = {64, 64, 128};
    dwn_sources s = {.cached = {{bytes, 128}, 0},
                     .streamed = {{bytes, 256}, 0},
                     .transfers = transfers,
                     .transfer_count = 3};
    dwn_piece piece;
    HOIST_EXPECT(t, dwn_block_find(&s, 128, true, &piece));
    dwn_block_take(&s, &piece);
    HOIST_EXPECT_EQ(t, s.next, 2);
    HOIST_EXPECT(t, dwn_block_find(&s, 65, true, &piece));
    HOIST_EXPECT_EQ(t, piece.offset, 128);
    dwn_block_take(&s, &piece);
    HOIST_EXPECT(t, !dwn_block_find(&s, 64, true, &piece));
    HOIST_EXPECT(t, dwn_block_find(&s, 128, false, &piece));
    dwn_block_take(&s, &piece);
    HOIST_EXPECT(t, !dwn_block_find(&s, 1, false, &piece));
}

// Arrays -----------------------------------------------------------------------------------------

// A block whose byte i is i mod 251, in the test's arena.
static hoist_mut_bytes counted(hoist_test *t, const dwn_block_shape *shape)
{
    const size_t size = (size_t)dwn_block_size(shape);
    const hoist_mut_bytes block = {hoist_arena_alloc(&t->arena, size), size};
    for (size_t i = 0; i < size; i++) {
        block.data[i] = (uint8_t)(i % 251);
    }
    return block;
}

static hoist_bytes read_only(hoist_mut_bytes block)
{
    return (hoist_bytes){block.data, block.size};
}

// Section 9's offset of w[o][tap][i] in a convolution.
HOIST_TEST(convolutions_are_put_in_order)
{
    enum { ROWS = 70, CHANNELS = 6, TAPS = 9, STEPS = TAPS * 2, HEAD = 3 * 4 * 64 };
    const dwn_block_shape shape = {ROWS, STEPS, 0, false, true, true, true, false, 0, 0, 0};
    const hoist_bytes block = read_only(counted(t, &shape));
    dwn_recovered layer = {0};
    HOIST_EXPECT_EQ(t, dwn_block_read(&shape, block, CHANNELS, &t->arena, &layer), HOIST_OK);
    HOIST_EXPECT_EQ(t, layer.rows, ROWS);
    HOIST_EXPECT_EQ(t, layer.weight_count, ROWS * TAPS * CHANNELS);
    for (uint32_t o = 0; o < ROWS; o++) {
        const size_t group = (size_t)(o / 64) * (HEAD + STEPS * 256);
        HOIST_EXPECT_EQ(t, layer.bias[o],
                        (int32_t)hoist_load_u32le(block.data + group + 256 + (size_t)(o % 64) * 4));
        HOIST_EXPECT_EQ(t, layer.weight_zeros[o], block.data[group + 512 + (size_t)(o % 64) * 4]);
        for (uint32_t i = 0; i < TAPS * CHANNELS; i++) {
            const size_t step = i / CHANNELS * 2 + i % CHANNELS / 4;
            const size_t at = group + HEAD + (step * 64 + o % 64) * 4 + i % CHANNELS % 4;
            HOIST_EXPECT_EQ(t, layer.weights[o * TAPS * CHANNELS + i], block.data[at]);
        }
    }
}

// Steps go by blocks of channels, in each by taps: w[o][tap][i] of 16 channels, and of 14, of which
// the last word has two.
static const struct {
    const char *name;
    uint32_t channels, inner;
} orders[] = {
    {"all channels", 16, 0}, {"halves", 16, 2}, {"words", 16, 1}, {"a ragged end", 14, 2}};

HOIST_TEST_TABLE(blocks_of_channels, orders)
{
    enum { ROWS = 16, TAPS = 9, WORDS = 4 };
    const dwn_block_shape shape = {.rows = ROWS, .steps = TAPS * WORDS, .inner = row->inner};
    const hoist_bytes block = read_only(counted(t, &shape));
    const uint32_t inner = row->inner ? row->inner : WORDS;
    const uint32_t channels = row->channels;
    dwn_recovered layer = {.block = shape, .block_channels = channels};
    HOIST_EXPECT_EQ(t, dwn_block_read(&shape, block, channels, &t->arena, &layer), HOIST_OK);
    for (uint32_t o = 0; o < ROWS; o++) {
        for (uint32_t i = 0; i < TAPS * channels; i++) {
            const uint32_t word = i % channels / 4;
            const size_t step = (word / inner * TAPS + i / channels) * inner + word % inner;
            HOIST_EXPECT_EQ(t, layer.weights[o * TAPS * channels + i],
                            block.data[(step * ROWS + o) * 4 + i % channels % 4]);
        }
    }
    const hoist_mut_bytes written = {hoist_arena_alloc(&t->arena, block.size), block.size};
    memcpy(written.data, block.data, block.size);
    dwn_block_write(&layer, written);
    dwn_recovered again = layer;
    HOIST_EXPECT_EQ(t, dwn_block_read(&shape, read_only(written), channels, &t->arena, &again),
                    HOIST_OK);
    HOIST_EXPECT(t, memcmp(again.weights, layer.weights, (size_t)layer.weight_count) == 0);
    HOIST_EXPECT(t, channels % 4 != 0 || memcmp(written.data, block.data, block.size) == 0);
}

// Of each eight rows the last ones are no channels: they are left out, and stay when it is written.
// clang-format off
static const struct {
    const char *name;
    uint32_t rows, empty, bias_at; // empty rows at the end of each eight; a row with a bias
    uint32_t want;
} periods[] = {
    {"none",                       16, 0, 0, 0},
    {"one of each",                16, 1, 0, 1},
    {"three of each",              16, 3, 0, 3},
    {"four are no padding",        16, 4, 0, 3},
    {"a bias in the first period", 16, 2, 6, 1},
    {"a bias in the last row",     16, 2, 15, 0},
    {"of one period",              8,  1, 0, 1},
};
// clang-format on

HOIST_TEST_TABLE(rows_of_periods, periods)
{
    enum { CHANNELS = 8, PERIOD = 8, ZERO = 9 };
    dwn_block_shape shape = {.rows = row->rows, .steps = CHANNELS / 4, .has_bias = true};
    const hoist_mut_bytes block = counted(t, &shape);
    for (uint32_t o = 0; o < row->rows; o++) {
        const bool is_empty = o % PERIOD >= PERIOD - row->empty;
        hoist_store_u32le(block.data + (size_t)o * 4, !is_empty || o == row->bias_at ? 5 + o : 0);
        for (size_t i = 0; is_empty && i < CHANNELS; i++) {
            block.data[64 + i / 4 * 64 + (size_t)o * 4 + i % 4] = ZERO;
        }
    }
    HOIST_EXPECT_EQ(t, dwn_block_padding(&shape, read_only(block), PERIOD, ZERO), row->want);
    shape.period = PERIOD;
    shape.kept = PERIOD - row->want;
    dwn_recovered layer = {.block = shape, .block_channels = CHANNELS, .weight_zero = ZERO};
    HOIST_EXPECT_EQ(t, dwn_block_read(&shape, read_only(block), CHANNELS, &t->arena, &layer),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, layer.rows, row->rows / PERIOD * shape.kept);
    HOIST_EXPECT_EQ(t, layer.weight_count, (uint64_t)layer.rows * CHANNELS);
    for (uint32_t o = 0; o < layer.rows; o++) {
        const size_t stored = o / shape.kept * PERIOD + o % shape.kept;
        HOIST_EXPECT_EQ(t, layer.bias[o], (int32_t)hoist_load_u32le(block.data + stored * 4));
        for (size_t i = 0; i < CHANNELS; i++) {
            HOIST_EXPECT_EQ(t, layer.weights[o * CHANNELS + i],
                            block.data[64 + i / 4 * 64 + stored * 4 + i % 4]);
        }
    }
    const hoist_mut_bytes written = {hoist_arena_alloc(&t->arena, block.size), block.size};
    memcpy(written.data, block.data, block.size);
    dwn_block_write(&layer, written);
    HOIST_EXPECT(t, memcmp(written.data, block.data, block.size) == 0);
}

// 130 rows have three groups of 2 * 256 bytes.
static const struct {
    const char *name;
    dwn_supply supply;
    bool expected;
} supplies[] = {
    {"group by group", {DWN_SUPPLY_CACHED, false, 64, 64 + 2 * 512}, true},
    {"streamed", {DWN_SUPPLY_STREAMED, false, 0, 2 * 512}, true},
    {"a group less", {DWN_SUPPLY_CACHED, false, 64, 64 + 512}, false},
    {"other groups", {DWN_SUPPLY_CACHED, false, 64, 64 + 2 * 576}, false},
    {"of both", {DWN_SUPPLY_MIXED, false, 64, 64 + 2 * 512}, false},
    {"nothing", {DWN_SUPPLY_NONE, false, 0, 0}, false},
};

HOIST_TEST_TABLE(blocks_come_group_by_group, supplies)
{
    const dwn_block_shape shape = {.rows = 130, .steps = 2};
    HOIST_EXPECT_EQ(t, dwn_block_is_supplied(&shape, &row->supply), row->expected);
}

HOIST_TEST(diagonals_are_put_in_order)
{
    enum { CHANNELS = 6, TAPS = 9 };
    const dwn_block_shape shape = {8, TAPS, 4, true, false, true, false, false, 0, 0, 0};
    const hoist_bytes block = read_only(counted(t, &shape));
    dwn_recovered layer = {0};
    HOIST_EXPECT_EQ(t, dwn_block_read(&shape, block, CHANNELS, &t->arena, &layer), HOIST_OK);
    HOIST_EXPECT_EQ(t, layer.weight_count, TAPS * CHANNELS);
    for (uint32_t i = 0; i < TAPS * CHANNELS; i++) {
        const uint32_t c = i % CHANNELS;
        const size_t at = c / 4 * (16 + TAPS * 16) + 16 + i / CHANNELS * 16 + c % 4 * 5;
        HOIST_EXPECT_EQ(t, layer.weights[i], block.data[at]);
    }
}

// Rows after the first that are padding.
// clang-format off
static const struct {
    const char *name;
    uint32_t rows;
    uint32_t empty; // rows at the end that are zero points
    int32_t bias;   // of the last row
    uint32_t want;
} paddings[] = {
    {"no padding",          8, 0, 0, 8},
    {"one row",             8, 1, 0, 7},
    {"three rows",          8, 3, 0, 5},
    {"four are no padding", 8, 4, 0, 5},
    {"all but one",         4, 4, 0, 1},
    {"one row of one",      1, 1, 0, 1},
    {"with a bias",         8, 1, 5, 8},
};
// clang-format on

HOIST_TEST_TABLE(padding_rows, paddings)
{
    const dwn_block_shape shape = {row->rows, 3, 0, false, false, true, false, false, 0, 0, 0};
    const hoist_mut_bytes block = counted(t, &shape);
    memset(block.data, 0, 64);
    memset(block.data + 64, 99, block.size - 64);
    block.data[(size_t)(row->rows - 1) * 4] = (uint8_t)row->bias;
    for (uint32_t r = 0; r + row->empty < row->rows; r++) {
        block.data[64 + (size_t)r * 4] = 100;
    }
    dwn_recovered layer = {.weight_zero = 99};
    HOIST_EXPECT_EQ(t, dwn_block_read(&shape, read_only(block), 12, &t->arena, &layer), HOIST_OK);
    HOIST_EXPECT_EQ(t, layer.rows, row->want);
    HOIST_EXPECT_EQ(t, layer.weight_count, (uint64_t)row->want * 12);
    HOIST_EXPECT_EQ(t, layer.heuristics >> DWN_GUESS_ROWS & 1, row->want < row->rows);
}

HOIST_TEST(diagonals_have_nothing_beside)
{
    const dwn_block_shape shape = {8, 2, 4, true, false, false, false, false, 0, 0, 0};
    const hoist_mut_bytes block = counted(t, &shape);
    memset(block.data, 7, block.size);
    block.data[5] = 1; // of the diagonal
    HOIST_EXPECT(t, dwn_block_is_diagonal(&shape, read_only(block), 7));
    HOIST_EXPECT(t, !dwn_block_is_diagonal(&shape, read_only(block), 8));
    block.data[block.size - 2] = 1;
    HOIST_EXPECT(t, !dwn_block_is_diagonal(&shape, read_only(block), 7));
}

// One byte of a gather of two pixels with two channels each is changed.
// clang-format off
static const struct {
    const char *name;
    size_t at; // in the block
    uint8_t value;
    bool is_gather;
} gathers[] = {
    {"as it is",       0,        0, true},
    {"bias",           0,        1, false},
    {"no 1",           64,       0, false},
    {"other number",   64,       2, false},
    {"second 1",       64 + 2,   1, false},
    {"in padding row", 64 + 17,  1, true}, // it copies what is never read
};
// clang-format on

HOIST_TEST_TABLE(gather, gathers)
{
    static const uint32_t channels[] = {2};
    static const uint32_t more[] = {2, 2, 2};
    const dwn_block_shape shape = {4, 2, 0, false, false, true, false, false, 0, 0, 0};
    const hoist_mut_bytes block = counted(t, &shape);
    memset(block.data, 0, block.size);
    block.data[64] = 1;                  // row 0: pixel 0, channel 0
    block.data[64 + 4 + 1] = 1;          // row 1: pixel 0, channel 1
    block.data[64 + 64 + 2 * 4] = 1;     // row 2: pixel 1, channel 0
    block.data[64 + 64 + 3 * 4 + 1] = 1; // row 3: pixel 1, channel 1
    block.data[row->at] = row->value;
    const hoist_bytes bytes = read_only(block);
    HOIST_EXPECT_EQ(t, dwn_block_is_gather(&shape, bytes, channels, 1), row->is_gather);
    HOIST_EXPECT_EQ(t, dwn_block_is_gather(&shape, bytes, more, 3), row->is_gather);
    HOIST_EXPECT(t, !dwn_block_is_gather(&shape, bytes, channels, 0));
    HOIST_EXPECT(t, !dwn_block_is_gather(&shape, bytes, &(uint32_t){3}, 1));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(block_sizes), HOIST_TEST_ROW(block_places),
                HOIST_TEST_ROW(taken_blocks_are_gone),
                HOIST_TEST_ROW(convolutions_are_put_in_order), HOIST_TEST_ROW(blocks_of_channels),
                HOIST_TEST_ROW(rows_of_periods), HOIST_TEST_ROW(blocks_come_group_by_group),
                HOIST_TEST_ROW(diagonals_are_put_in_order), HOIST_TEST_ROW(padding_rows),
                HOIST_TEST_ROW(diagonals_have_nothing_beside), HOIST_TEST_ROW(gather))
