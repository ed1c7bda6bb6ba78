// What an address has, by what wrote it last: operations, movements, copies over the ring.
#include <math.h>

#include "formats/darwinn/recover_testing.h"

enum { LAYERS = 3, WORDS = 16 };

// Layers 0 and 1 write 16 words at 100 and at 200, layer 0 on tile 1, too.
static const dwn_sketch first = {.tiles = 3, .rest = WORDS, .b_base = 100};
static const dwn_sketch second = {.rest = WORDS, .b_base = 200, .output_zero = 1};

#define COPY(from, to)                                                                             \
    {                                                                                              \
        .tiles = 1, .mode = 0x1c30, .multiplier = 1, .high = INFINITY, .rest = WORDS,              \
        .a_base = (from), .b_base = (to), .a = {                                                   \
            {WORDS, 1}                                                                             \
        }                                                                                          \
    }

typedef struct ring { // a copy of words from tile 1 to tile 0
    uint32_t from, to;
    uint32_t shift;   // of the address of what is consumed
    uint16_t sources; // tiles
    bool is_own;      // or of words of tile 0, which itself copies them out and in
    bool is_of_parameters;
    bool is_both; // tile 0 copied something else out before
} ring;

// clang-format off
static const struct {
    const char *name;
    dwn_sketch third; // of layer 2; tiles 0: none
    dwn_sketch move;  // tiles 0: none
    ring ring;        // to 0: none
    dwn_stored fill;  // tiles 0: none
    int64_t at;
    uint32_t value;   // 1 and more are the layers'; 0: the input
    dwn_written expected;
} writes[] = {
    {"the first word",           .at = 100, .value = 1, .expected = DWN_WRITTEN_SO},
    {"the last word",            .at = 115, .value = 1, .expected = DWN_WRITTEN_SO},
    {"of another layer",         .at = 115, .value = 2, .expected = DWN_WRITTEN_NOT_SO},
    {"of the input",             .at = 115, .value = 0, .expected = DWN_WRITTEN_NOT_SO},
    {"behind the last",          .at = 116, .value = 1, .expected = DWN_WRITTEN_UNKNOWN},
    {"before the first",         .at = 99,  .value = 1, .expected = DWN_WRITTEN_UNKNOWN},
    {"written again",            .third = {.tiles = 1, .b_base = 115, .output_zero = 2}, .at = 115, .value = 3, .expected = DWN_WRITTEN_SO},
    {"written again, before",    .third = {.tiles = 1, .b_base = 115, .output_zero = 2}, .at = 114, .value = 1, .expected = DWN_WRITTEN_SO},
    {"on another tile",          .third = {.tiles = 2, .b_base = 115, .output_zero = 2}, .at = 115, .value = 1, .expected = DWN_WRITTEN_SO},
    {"every other word",         .third = {.tiles = 1, .rest = 4, .b_base = 100, .output_zero = 2, .b = {{4, 2}}}, .at = 102, .value = 3, .expected = DWN_WRITTEN_SO},
    {"between them",             .third = {.tiles = 1, .rest = 4, .b_base = 100, .output_zero = 2, .b = {{4, 2}}}, .at = 103, .value = 1, .expected = DWN_WRITTEN_SO},
    {"of the last channels",     .third = {.tiles = 1, .rest = 8, .full_rows = 64, .last_rows = 32, .b_base = 4, .output_zero = 2, .b = {{16, 1}, {4, 24}, {2, 16}}}, .at = 99, .value = 3, .expected = DWN_WRITTEN_SO},
    {"channels of the next pixel", .third = {.tiles = 1, .rest = 8, .full_rows = 64, .last_rows = 32, .b_base = 80, .output_zero = 2, .b = {{16, 1}, {4, 24}, {2, 16}}}, .at = 106, .value = 3, .expected = DWN_WRITTEN_SO},
    {"after the last channels",  .third = {.tiles = 1, .rest = 8, .full_rows = 64, .last_rows = 32, .b_base = 4, .output_zero = 2, .b = {{16, 1}, {4, 24}, {2, 16}}}, .at = 100, .value = 1, .expected = DWN_WRITTEN_SO},
    {"moved",                    .move = COPY(200, 300), .at = 307, .value = 2, .expected = DWN_WRITTEN_SO},
    {"moved from nowhere",       .move = COPY(400, 300), .at = 307, .value = 2, .expected = DWN_WRITTEN_UNKNOWN},
    {"moved beyond",             .move = COPY(208, 300), .at = 308, .value = 2, .expected = DWN_WRITTEN_UNKNOWN},
    {"moved over it",            .move = COPY(200, 100), .at = 107, .value = 2, .expected = DWN_WRITTEN_SO},
    {"over the ring",            .ring = {100, 500, 0, 2, .is_own = false}, .at = 503, .value = 1, .expected = DWN_WRITTEN_SO},
    {"over the ring, over it",   .ring = {100, 200, 0, 2, .is_own = false}, .at = 203, .value = 1, .expected = DWN_WRITTEN_SO},
    {"from an unknown word",     .ring = {200, 500, 0, 2, .is_own = false}, .at = 503, .value = 2, .expected = DWN_WRITTEN_UNKNOWN},
    {"from another address",     .ring = {100, 200, 1, 2, .is_own = false}, .at = 203, .value = 2, .expected = DWN_WRITTEN_UNKNOWN},
    {"from two tiles",           .ring = {100, 200, 0, 3, .is_own = false}, .at = 203, .value = 2, .expected = DWN_WRITTEN_UNKNOWN},
    {"next to it",               .ring = {100, 204, 1, 3, .is_own = false}, .at = 203, .value = 2, .expected = DWN_WRITTEN_SO},
    {"by the tile itself",       .ring = {100, 500, 0, 1, .is_own = true}, .at = 503, .value = 1, .expected = DWN_WRITTEN_SO},
    {"by the tile, over it",     .ring = {100, 200, 0, 1, .is_own = true}, .at = 203, .value = 2, .expected = DWN_WRITTEN_NOT_SO},
    {"by more tiles than one",   .ring = {100, 500, 0, 3, .is_own = true}, .at = 503, .value = 1, .expected = DWN_WRITTEN_SO},
    {"by another tile alone",    .ring = {100, 500, 0, 2, .is_own = true}, .at = 503, .value = 1, .expected = DWN_WRITTEN_UNKNOWN},
    {"from another address of the tile", .ring = {100, 500, 1, 1, .is_own = true}, .at = 503, .value = 1, .expected = DWN_WRITTEN_UNKNOWN},
    {"by the ring as well",      .ring = {100, 200, 0, 3, .is_both = true}, .at = 203, .value = 2, .expected = DWN_WRITTEN_UNKNOWN},
    {"parameters",               .ring = {100, 200, 0, 1, .is_own = true, .is_of_parameters = true}, .at = 203, .value = 2, .expected = DWN_WRITTEN_SO},
    {"a number is stored",       .fill = {1, false, 7, 100, {{0}}}, .at = 100, .value = 1, .expected = DWN_WRITTEN_UNKNOWN},
    {"a number on another tile", .fill = {2, false, 7, 100, {{0}}}, .at = 100, .value = 1, .expected = DWN_WRITTEN_SO},
    {"a word is sent there",     .fill = {1, true, 0, 100, {{0}}}, .at = 100, .value = 1, .expected = DWN_WRITTEN_UNKNOWN},
};
// clang-format on

enum { WIDE = 50, UNIT = 4 };

static void make_copy_out(dwn_maker *m, const ring *r)
{
    const hoist_mut_bytes x = dwn_make_add(m, DWN_OP_COPY_OUT);
    dwn_make_set(x, &dwn_copy_rows[DWN_HEADER_TILES], 0, r->sources);
    dwn_make_set(x, &dwn_copy_rows[DWN_COPY_ADDRESS], 0, r->from);
    dwn_make_set(x, &dwn_copy_rows[DWN_COPY_INCREMENT], 0, 1);
    dwn_make_set(x, &dwn_copy_rows[DWN_COPY_COUNT], 0, WORDS - 1);
    dwn_make_set(x, &dwn_copy_rows[DWN_COPY_WIDE], 0, WIDE * UNIT);
}

// 16 words from the memory of tiles to the ring, and from there to tile 0.
static void make_ring(dwn_maker *m, const ring *r)
{
    const ring own = {.from = 200, .sources = 1};
    if (r->is_both) {
        make_copy_out(m, &own);
    }
    if (r->is_own) {
        make_copy_out(m, r);
        dwn_make_copy_in(m, WIDE + r->shift,
                         &(dwn_sending){.tiles = 1, .base = r->to, .loops = {{WORDS, 1}}},
                         r->is_of_parameters);
        return;
    }
    dwn_make_copy_in(m, WIDE + r->shift,
                     &(dwn_sending){.tiles = 1, .base = r->to, .loops = {{WORDS, 1}}},
                     r->is_of_parameters);
    hoist_mut_bytes x = dwn_make_add(m, DWN_OP_RING_CONSUMER);
    dwn_make_set(x, &dwn_mover_rows[DWN_HEADER_TILES], 0, 1);
    dwn_make_set(x, &dwn_mover_rows[DWN_MOVER_ADDRESS], 0, WIDE);
    x = dwn_make_add(m, DWN_OP_RING_PRODUCER);
    dwn_make_set(x, &dwn_mover_rows[DWN_HEADER_TILES], 0, r->sources);
    dwn_make_set(x, &dwn_mover_rows[DWN_MOVER_ADDRESS], 0, WIDE);
    make_copy_out(m, r);
}

HOIST_TEST_TABLE(what_is_at_an_address, writes)
{
    static const dwn_sketch reader = {.tiles = 1, .b_base = 900, .output_zero = 9};
    uint32_t owners[LAYERS + 2] = {0, 1, DWN_NONE, DWN_NONE, DWN_NONE};
    dwn_recovered layers[LAYERS] = {{.kind = DWN_KIND_CONVOLUTION}};
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    dwn_make_operation(&m, &first);
    dwn_make_operation(&m, &second);
    if (row->third.tiles) {
        dwn_make_operation(&m, &row->third);
        owners[2] = 2;
    }
    if (row->move.tiles) {
        dwn_make_operation(&m, &row->move);
    }
    if (row->ring.to) {
        make_ring(&m, &row->ring);
    }
    if (row->fill.tiles) {
        dwn_make_fill(&m, &row->fill);
    }
    dwn_make_operation(&m, &reader);
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&m, false))};
    dwn_walk w = {.owners = owners, .layers = layers, .input_count = 1, .layer_count = LAYERS};
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &w.operations), HOIST_OK);
    const dwn_group *group = &w.operations.groups[w.operations.group_count - 1];
    HOIST_EXPECT_EQ(t, dwn_is_written(&w, group, row->at, row->value), row->expected);
}

// A word of a part is one of the values that it was joined to.
HOIST_TEST(parts_of_a_value)
{
    const uint32_t parts[] = {0, DWN_MODEL_INPUT};
    const uint32_t joined[] = {2};
    uint32_t owners[] = {0, 1, DWN_NONE};
    dwn_recovered layers[] = {{.kind = DWN_KIND_CONVOLUTION},
                              {.kind = DWN_KIND_CONVOLUTION},
                              {.kind = DWN_KIND_CONCATENATION, .inputs = parts, .input_count = 2},
                              {.kind = DWN_KIND_CONCATENATION, .inputs = joined, .input_count = 1},
                              {.kind = DWN_KIND_ADD, .inputs = parts, .input_count = 2}};
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    dwn_make_operation(&m, &first);
    dwn_make_operation(&m, &second);
    dwn_make_operation(&m, &(dwn_sketch){.output_zero = 9});
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&m, false))};
    dwn_walk w = {.owners = owners, .layers = layers, .input_count = 1, .layer_count = 5};
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &w.operations), HOIST_OK);
    const dwn_group *group = &w.operations.groups[w.operations.group_count - 1];
    HOIST_EXPECT_EQ(t, dwn_is_written(&w, group, 100, 3), DWN_WRITTEN_SO);
    HOIST_EXPECT_EQ(t, dwn_is_written(&w, group, 100, 4), DWN_WRITTEN_SO);
    HOIST_EXPECT_EQ(t, dwn_is_written(&w, group, 200, 4), DWN_WRITTEN_NOT_SO);
    HOIST_EXPECT_EQ(t, dwn_is_written(&w, group, 100, 5), DWN_WRITTEN_NOT_SO);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_is_at_an_address), HOIST_TEST_ROW(parts_of_a_value))
