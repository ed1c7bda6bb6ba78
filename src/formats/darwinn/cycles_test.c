// Cycles of layers, of instructions that the test makes: which tile counts, and whose operations
// are those that no layer has.
#include "base/span.h"
#include "formats/darwinn/cycles.h"
#include "formats/darwinn/stream_tensor.h"
#include "testing/test.h"

enum { WORDS = 17, WORD = 16, OPERATIONS = 4 };

typedef struct operation {
    uint16_t tiles;
    uint32_t counts[2]; // of the innermost master loops
    uint32_t layer;     // from 1; 0: it is of none
} operation;

// clang-format off
static const struct {
    const char *name;
    operation operations[OPERATIONS]; // tiles 0 ends them
    uint64_t layers[2];
    uint64_t rest, total;
    uint32_t tile;
} cases[] = {
    {"none", {{0}}, {0, 0}, 0, 0, 0},
    {"one each", {{0xffff, {3, 4}, 1}, {0xffff, {5, 1}, 2}}, {12, 5}, 0, 17, 0},
    {"moves go with the layer after them", {{1, {2, 1}, 0}, {1, {3, 1}, 1}, {1, {4, 1}, 0}, {1, {5, 1}, 2}},
     {5, 9}, 0, 14, 0},
    {"and after the last are the rest", {{1, {2, 1}, 1}, {1, {7, 1}, 0}}, {2, 0}, 7, 9, 0},
    {"the busiest tile", {{1, {2, 1}, 1}, {4, {9, 1}, 1}, {5, {1, 1}, 2}}, {9, 1}, 0, 10, 2},
    {"of equal ones the first", {{2, {6, 1}, 1}, {4, {6, 1}, 2}}, {6, 0}, 0, 6, 1},
};
// clang-format on

HOIST_TEST_TABLE(cycles, cases)
{
    uint8_t bytes[OPERATIONS * WORDS * WORD] = {0};
    dwn_instruction instructions[OPERATIONS] = {0};
    dwn_words words[2][OPERATIONS];
    dwn_recovered layers[2] = {{.words = words[0]}, {.words = words[1]}};
    uint32_t count = 0;
    for (; count < OPERATIONS && row->operations[count].tiles; count++) {
        const operation *const op = &row->operations[count];
        const hoist_mut_bytes at = {bytes + (size_t)count * WORDS * WORD, (size_t)WORDS * WORD};
        instructions[count] = (dwn_instruction){
            .word = count * WORDS, .tiles = op->tiles, .opcode = DWN_OP_TENSOR, .words = WORDS};
        for (size_t i = 0; i < HOIST_COUNT_OF(op->counts); i++) {
            dwn_field_store(&dwn_tensor_rows[DWN_TENSOR_MASTER], at, i, op->counts[i] - 1);
        }
        if (op->layer) {
            dwn_recovered *const layer = &layers[op->layer - 1];
            words[op->layer - 1][layer->word_count++] = (dwn_words){0, count * WORDS, WORDS};
        }
    }
    dwn_chunk chunk = {.stream = {.bytes = {bytes, sizeof bytes},
                                  .instructions = instructions,
                                  .count = count,
                                  .words = OPERATIONS * WORDS}};
    const dwn_image image = {.chunks = &chunk, .chunk_count = 1};
    const dwn_recovery recovery = {.layers = layers, .count = 2};
    dwn_cycles got;
    HOIST_EXPECT_EQ(t, dwn_count_cycles(&image, &recovery, &t->arena, &got), HOIST_OK);
    HOIST_EXPECT_EQ(t, got.layers[0], row->layers[0]);
    HOIST_EXPECT_EQ(t, got.layers[1], row->layers[1]);
    HOIST_EXPECT_EQ(t, got.rest, row->rest);
    HOIST_EXPECT_EQ(t, got.total, row->total);
    HOIST_EXPECT_EQ(t, got.tile, row->tile);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(cycles))
