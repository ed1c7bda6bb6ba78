// Lists of a model that grow past the powers of two, and the codes that are left of a compiled one.
#include <string.h>

#include "edgetpu/tflite_maker.h"
#include "testing/test.h"

enum { MOST_CODES = 8 };

// Kinds of operators as letters: 'E' is the Edge TPU's, others are builtins of their own.
static tflite_operator_code code_of_letter(char letter)
{
    return letter == 'E' ? (tflite_operator_code){.builtin_code = TFLITE_OP_CUSTOM,
                                                  .custom_code = HOIST_STR("edgetpu-custom-op")}
                         : (tflite_operator_code){.builtin_code = letter - 'a'};
}

static char letter_of_code(const tflite_operator_code *code)
{
    return code->builtin_code == TFLITE_OP_CUSTOM ? 'E' : (char)('a' + code->builtin_code);
}

static const struct {
    const char *name;
    const char *codes;
    const char *graphs[2]; // the operators, by the letter of their kind; '?' has none
    const char *left;
} drops[] = {
    // clang-format off
    {"the only kind",             "E",     {"",      ""},    ""},
    {"no kind at all",            "",      {"",      ""},    ""},
    {"none of them",              "abc",   {"cab",   "b"},   "abc"},
    {"the first",                 "Eab",   {"ba",    "a"},   "ab"},
    {"the last",                  "abE",   {"ab",    "b"},   "ab"},
    {"several",                   "aEbEEc", {"abc",  "cbac"}, "abc"},
    {"an operator without a kind", "Ea",   {"a?",    "?"},   "a"},
    // clang-format on
};

static tflite_subgraph graph_of(hoist_test *t, const char *codes, const char *kinds)
{
    const uint32_t count = (uint32_t)strlen(kinds);
    tflite_subgraph graph = {.operators.count = count,
                             .operators.items =
                                 hoist_arena_array(&t->arena, count, sizeof(tflite_operator))};
    for (uint32_t i = 0; i < count; i++) {
        const char *at = strchr(codes, kinds[i]);
        graph.operators.items[i].opcode_index = at ? (uint32_t)(at - codes) : UINT32_MAX;
    }
    return graph;
}

HOIST_TEST_TABLE(operators_keep_their_kinds_when_compiled_ones_are_dropped, drops)
{
    tflite_operator_code codes[MOST_CODES] = {0};
    tflite_subgraph graphs[] = {graph_of(t, row->codes, row->graphs[0]),
                                graph_of(t, row->codes, row->graphs[1])};
    tflite_model model = {.operator_codes = {.items = codes, .count = (uint32_t)strlen(row->codes)},
                          .subgraphs = {.items = graphs, .count = HOIST_COUNT_OF(graphs)}};
    for (uint32_t i = 0; i < model.operator_codes.count; i++) {
        codes[i] = code_of_letter(row->codes[i]);
    }
    hoist_edgetpu_maker maker;
    hoist_edgetpu_maker_init(&maker, &t->arena, &model);
    hoist_edgetpu_maker_drop_compiled(&maker);
    HOIST_EXPECT(t, !maker.failed);
    HOIST_EXPECT_EQ(t, model.operator_codes.count, strlen(row->left));
    for (uint32_t i = 0; i < model.operator_codes.count; i++) {
        HOIST_EXPECT_EQ(t, letter_of_code(&model.operator_codes.items[i]), row->left[i]);
    }
    for (uint32_t g = 0; g < HOIST_COUNT_OF(graphs); g++) {
        for (uint32_t i = 0; i < graphs[g].operators.count; i++) {
            const uint32_t index = graphs[g].operators.items[i].opcode_index;
            HOIST_EXPECT_EQ(t,
                            index < model.operator_codes.count
                                ? letter_of_code(&model.operator_codes.items[index])
                                : '?',
                            row->graphs[g][i]);
        }
    }
}

static const struct {
    const char *name;
    uint32_t had;
    uint32_t more;
} lists[] = {{"from nothing", 0, 9},
             {"from one", 1, 4},
             {"from a power of two", 4, 5},
             {"from one less", 3, 2},
             {"from one more", 5, 4}};

// Tensors, their buffers and operators: those of the model stay in front.
HOIST_TEST_TABLE(lists_grow, lists)
{
    tflite_tensor tensors[8] = {0};
    tflite_buffer buffers[8] = {0};
    tflite_subgraph graph = {.tensors = {.items = tensors, .count = row->had}};
    tflite_model model = {.buffers = {.items = buffers, .count = row->had},
                          .subgraphs = {.items = &graph, .count = 1}};
    for (uint32_t i = 0; i < row->had; i++) {
        tensors[i].buffer = 100 + i;
        buffers[i].offset = 100 + i;
    }
    hoist_edgetpu_maker maker;
    hoist_edgetpu_maker_init(&maker, &t->arena, &model);
    hoist_edgetpu_maker_open(&maker, &graph);
    for (uint32_t i = 0; i < row->more; i++) {
        const uint8_t data[] = {(uint8_t)i};
        const hoist_edgetpu_draft draft = {
            .type = TFLITE_UINT8,
            .shape = {1, {(int32_t)i + 1}},
            .data = {hoist_test_exact(t, (hoist_bytes){data, 1}).data, 1}};
        HOIST_EXPECT_EQ(t, hoist_edgetpu_maker_tensor(&maker, &draft), row->had + i);
        hoist_edgetpu_maker_keep(&maker, &(tflite_operator){.opcode_index = i});
    }
    hoist_edgetpu_maker_close(&maker);
    HOIST_EXPECT(t, !maker.failed);
    HOIST_EXPECT_EQ(t, graph.tensors.count, row->had + row->more);
    HOIST_EXPECT_EQ(t, model.buffers.count, row->had + row->more);
    HOIST_EXPECT_EQ(t, graph.operators.count, row->more);
    for (uint32_t i = 0; i < row->had; i++) {
        HOIST_EXPECT_EQ(t, graph.tensors.items[i].buffer, 100 + i);
        HOIST_EXPECT_EQ(t, model.buffers.items[i].offset, 100 + i);
    }
    for (uint32_t i = 0; i < row->more; i++) {
        const hoist_edgetpu_shape shape = hoist_edgetpu_maker_shape(&maker, row->had + i);
        const uint32_t buffer = graph.tensors.items[row->had + i].buffer;
        HOIST_EXPECT_EQ(t, shape.rank, 1);
        HOIST_EXPECT_EQ(t, shape.dim[0], i + 1);
        HOIST_EXPECT_EQ(t, model.buffers.items[buffer].data.data[0], i);
        HOIST_EXPECT_EQ(t, graph.operators.items[i].opcode_index, i);
    }
}

static const struct {
    const char *name;
    int32_t dim[6];
    uint32_t count;
    uint32_t rank;
} shapes[] = {{"none", {0}, 0, 0},
              {"one", {7}, 1, 1},
              {"four", {1, 2, 3, 4}, 4, 4},
              {"five", {1, 2, 3, 4, 5}, 5, 0},
              {"six", {1, 2, 3, 4, 5, 6}, 6, 0}};

HOIST_TEST_TABLE(shapes_have_four_dimensions_or_none, shapes)
{
    tflite_tensor tensors[2] = {0};
    tflite_subgraph graph = {.tensors = {.items = tensors, .count = HOIST_COUNT_OF(tensors)}};
    hoist_edgetpu_maker maker = {.arena = &t->arena, .graph = &graph};
    tensors[1].shape = hoist_edgetpu_maker_ints(&maker, row->dim, row->count);
    const hoist_edgetpu_shape shape = hoist_edgetpu_maker_shape(&maker, 1);
    HOIST_EXPECT_EQ(t, shape.rank, row->rank);
    for (uint32_t i = 0; i < row->rank; i++) {
        HOIST_EXPECT_EQ(t, shape.dim[i], row->dim[i]);
    }
    hoist_edgetpu_shape other = shape;
    HOIST_EXPECT(t, hoist_edgetpu_same_shape(&shape, &other));
    if (row->rank > 0) {
        other.dim[row->rank - 1]++;
        HOIST_EXPECT(t, !hoist_edgetpu_same_shape(&shape, &other));
        other = shape;
        other.rank--;
        HOIST_EXPECT(t, !hoist_edgetpu_same_shape(&shape, &other));
    }
}

// They have buffer 0, and the model gets none for them.
HOIST_TEST(tensors_without_data_have_no_buffer)
{
    tflite_buffer buffers[1] = {0};
    tflite_subgraph graph = {.debug_metadata_index = -1};
    tflite_model model = {.buffers = {.items = buffers, .count = 1},
                          .subgraphs = {.items = &graph, .count = 1}};
    const hoist_edgetpu_draft draft = {.type = TFLITE_UINT8, .shape = {1, {7}}};
    hoist_edgetpu_maker maker;
    hoist_edgetpu_maker_init(&maker, &t->arena, &model);
    hoist_edgetpu_maker_open(&maker, &graph);
    HOIST_EXPECT_EQ(t, hoist_edgetpu_maker_tensor(&maker, &draft), 0);
    HOIST_EXPECT_EQ(t, hoist_edgetpu_maker_tensor(&maker, &draft), 1);
    HOIST_EXPECT(t, !maker.failed);
    HOIST_EXPECT_EQ(t, graph.tensors.items[1].buffer, 0);
    HOIST_EXPECT_EQ(t, model.buffers.count, 1);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(shapes_have_four_dimensions_or_none),
                HOIST_TEST_ROW(operators_keep_their_kinds_when_compiled_ones_are_dropped),
                HOIST_TEST_ROW(tensors_without_data_have_no_buffer), HOIST_TEST_ROW(lists_grow))
