// What the tables of a model say about each other: numbers and names of operators, data in the
// FlatBuffer and after it, tensors of lists, their elements, bytes and quantities.
#include "base/span.h"
#include "formats/tflite/tflite_testing.h"

// clang-format off
static const struct {
    const char *name;
    tflite_operator_code code;
    int32_t number;
    const char *title;
    bool is_edgetpu;
} codes[] = {
    {"a builtin", {.builtin_code = TFLITE_OP_CONV_2D, .deprecated_builtin_code = TFLITE_OP_CONV_2D}, TFLITE_OP_CONV_2D, "CONV_2D", false},
    {"only the old number", {.deprecated_builtin_code = TFLITE_OP_SOFTMAX}, TFLITE_OP_SOFTMAX, "SOFTMAX", false},
    {"above 127", {.builtin_code = TFLITE_OP_CUMSUM, .deprecated_builtin_code = 127}, TFLITE_OP_CUMSUM, "CUMSUM", false},
    {"beyond the last", {.builtin_code = 5000, .deprecated_builtin_code = 127}, 5000, "operator 5000", false},
    {"below 0", {.builtin_code = -7, .deprecated_builtin_code = -9}, -7, "operator -7", false},
    {"the largest", {.builtin_code = INT32_MAX}, INT32_MAX, "operator 2147483647", false},
    {"custom", {.builtin_code = TFLITE_OP_CUSTOM, .custom_code = {"mine", 4}}, TFLITE_OP_CUSTOM, "mine", false},
    {"custom without a name", {.builtin_code = TFLITE_OP_CUSTOM}, TFLITE_OP_CUSTOM, "custom", false},
    {"compiled", {.builtin_code = TFLITE_OP_CUSTOM, .custom_code = {TFLITE_EDGETPU_NAME, 17}}, TFLITE_OP_CUSTOM, TFLITE_EDGETPU_NAME, true},
    {"nearly compiled", {.builtin_code = TFLITE_OP_CUSTOM, .custom_code = {TFLITE_EDGETPU_NAME, 16}}, TFLITE_OP_CUSTOM, "edgetpu-custom-o", false},
    {"a builtin with that name", {.custom_code = {TFLITE_EDGETPU_NAME, 17}}, TFLITE_OP_ADD, "ADD", false},
};
// clang-format on

HOIST_TEST_TABLE(operator_codes, codes)
{
    char buffer[32];
    HOIST_EXPECT_EQ(t, tflite_code_number(&row->code), row->number);
    HOIST_EXPECT_STR(t, tflite_code_name(&row->code, buffer), row->title);
    HOIST_EXPECT_EQ(t, tflite_is_edgetpu(&row->code), row->is_edgetpu);
}

HOIST_TEST(operators_beyond_the_codes_have_none)
{
    char buffer[32];
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_operator *const op = &model->subgraphs.items[0].operators.items[TEST_OP_SOFTMAX];
    HOIST_EXPECT(t, tflite_code_of(model, op) == &model->operator_codes.items[TEST_OPS - 1]);
    op->opcode_index = TEST_OPS;
    HOIST_EXPECT(t, tflite_code_of(model, op) == NULL);
    HOIST_EXPECT_STR(t, tflite_code_name(NULL, buffer), "unknown");
    HOIST_EXPECT(t, !tflite_is_edgetpu(NULL));
}

// Rows
// ---------------------------------------------------------------------------------------------

// A kind of options that an operator has is one that can be read.
HOIST_TEST(options_of_operators_have_types)
{
    for (int32_t i = 0; i < TFLITE_OP_COUNT; i++) {
        const uint8_t options = tflite_operator_get(i)->options;
        HOIST_EXPECT(t, !options || hoist_fb_variant_type(tflite_options_variants, options));
        HOIST_EXPECT(t, !options || hoist_fb_word_name(tflite_options_words, options));
    }
}

// Tensors
// ------------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    uint32_t rank;
    int32_t shape[4];
    int8_t type;
    int64_t elements; // -1: unknown
    int64_t bytes;    // -1: unknown
} sizes[] = {
    {"a scalar",            0, {0},          TFLITE_FLOAT32, 1,   4},
    {"a vector",            1, {5},          TFLITE_INT64,   5,   40},
    {"an image",            4, {1, 8, 8, 3}, TFLITE_INT8,    192, 192},
    {"no elements",         2, {0, 7},       TFLITE_FLOAT32, 0,   0},
    {"no elements of many", 3, {INT32_MAX, INT32_MAX, 0}, TFLITE_FLOAT32, 0, 0},
    {"half bytes",          1, {3},          TFLITE_INT4,    3,   2},
    {"quarters of bytes",   1, {5},          TFLITE_INT2,    5,   2},
    {"16 bytes each",       1, {2},          TFLITE_COMPLEX128, 2, 32},
    {"strings",             1, {2},          TFLITE_STRING,  2,   -1},
    {"no such type",        1, {2},          99,             2,   -1},
    {"an extent below 0",   2, {4, -1},      TFLITE_INT8,    -1,  -1},
    {"behind a zero",       2, {0, -1},      TFLITE_INT8,    -1,  -1},
    {"63 bits",             3, {INT32_MAX, INT32_MAX, 2}, TFLITE_INT2, INT64_C(9223372028264841218), INT64_C(2305843007066210305)},
    {"too many elements",   3, {INT32_MAX, INT32_MAX, 3}, TFLITE_INT8, -1, -1},
    {"too many bits",       3, {INT32_MAX, INT32_MAX, 2}, TFLITE_INT8, INT64_C(9223372028264841218), -1},
};
// clang-format on

HOIST_TEST_TABLE(tensor_sizes, sizes)
{
    const tflite_tensor tensor = {.shape = tflite_test_ints(&t->arena, row->rank, row->shape),
                                  .type = row->type};
    int64_t elements = -1;
    uint64_t bytes = UINT64_MAX;
    HOIST_EXPECT_EQ(t, tflite_elements(&tensor, &elements), row->elements >= 0);
    HOIST_EXPECT_EQ(t, elements, row->elements >= 0 ? row->elements : 0);
    HOIST_EXPECT_EQ(t, tflite_bytes(&tensor, &bytes), row->bytes >= 0);
    HOIST_EXPECT_EQ(t, bytes, row->bytes >= 0 ? row->bytes : 0);
}

// clang-format off
static const struct {
    const char *name;
    size_t scales, zeros;
    uint8_t details; // type of the union
    bool is_quantized;
} quantities[] = {
    {"one of each",         1, 1, 0, true},
    {"one of each channel", 4, 4, 0, false},
    {"no zero point",       1, 0, 0, false},
    {"no scale",            0, 1, 0, false},
    {"none",                0, 0, 0, false},
    {"another technique",   1, 1, 1, false},
};
// clang-format on

HOIST_TEST_TABLE(tensor_quantities, quantities)
{
    static const float scales[4] = {0.25F, 1, 2, 3};
    static const int64_t zeros[4] = {-7, 1, 2, 3};
    tflite_quantization q = {.scale = tflite_test_floats(&t->arena, row->scales, scales),
                             .zero_point = tflite_test_longs(&t->arena, row->zeros, zeros),
                             .details = {row->details, NULL, 0}};
    const tflite_tensor tensor = {.quantization = &q};
    const tflite_tensor plain = {.quantization = NULL};
    float scale = 0;
    int64_t zero = 0;
    HOIST_EXPECT_EQ(t, tflite_quantity(&tensor, &scale, &zero), row->is_quantized);
    HOIST_EXPECT(t, scale == (row->is_quantized ? 0.25F : 0));
    HOIST_EXPECT_EQ(t, zero, row->is_quantized ? -7 : 0);
    HOIST_EXPECT(t, !tflite_quantity(&plain, &scale, &zero));
}

HOIST_TEST(lists_name_tensors)
{
    const tflite_model *const model = tflite_test_model(&t->arena);
    const tflite_subgraph *const graph = &model->subgraphs.items[0];
    const hoist_bytes list =
        TEST_INTS(&t->arena, TEST_CONV, -1, TEST_TENSORS, TEST_TENSORS - 1, INT32_MIN);
    HOIST_EXPECT_EQ(t, tflite_count(list), 5);
    HOIST_EXPECT(t, tflite_tensor_at(graph, list, 0) == &graph->tensors.items[TEST_CONV]);
    HOIST_EXPECT(t, tflite_tensor_at(graph, list, 1) == NULL);
    HOIST_EXPECT(t, tflite_tensor_at(graph, list, 2) == NULL);
    HOIST_EXPECT(t, tflite_tensor_at(graph, list, 3) == &graph->tensors.items[TEST_TENSORS - 1]);
    HOIST_EXPECT(t, tflite_tensor_at(graph, list, 4) == NULL);
    HOIST_EXPECT(t, tflite_tensor_in(graph, list, 0) == &graph->tensors.items[TEST_CONV]);
    HOIST_EXPECT(t, tflite_tensor_in(graph, list, 5) == NULL);
    HOIST_EXPECT(t, tflite_tensor_in(graph, (hoist_bytes){NULL, 0}, 0) == NULL);
}

// Data
// ---------------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    uint64_t offset, size; // of data after the FlatBuffer; the file has 100 bytes
    size_t expected;       // bytes that are found; 4 of them are in the FlatBuffer
    bool is_inside;        // the file has the range
} places[] = {
    {"no offset",          0,          50,         4,  true},
    {"an offset of 1",     1,          50,         4,  true},
    {"from byte 2 on",     2,          98,         98, true},
    {"one byte too far",   2,          99,         0,  false},
    {"the last byte",      99,         1,          1,  true},
    {"behind the last",    100,        0,          0,  true},
    {"beyond the file",    101,        0,          0,  false},
    {"a sum that wraps",   UINT64_MAX, 2,          0,  false},
    {"a size that wraps",  2,          UINT64_MAX, 0,  false},
};
// clang-format on

HOIST_TEST_TABLE(data_behind_the_tables, places)
{
    static const uint8_t file[100] = {0};
    tflite_model *const model = tflite_test_model(&t->arena);
    const tflite_module module = {.file = {file, sizeof(file)}, .model = model};
    model->buffers.items[1] =
        (tflite_buffer){.data = {file, 4}, .offset = row->offset, .size = row->size};
    const tflite_operator op = {.custom_options = {file, 4},
                                .large_custom_options_offset = row->offset,
                                .large_custom_options_size = row->size};
    HOIST_EXPECT_EQ(t, tflite_in_file(&module, row->offset, row->size), row->is_inside);
    const hoist_bytes data = tflite_buffer_data(&module, 1);
    HOIST_EXPECT_EQ(t, data.size, row->expected);
    HOIST_EXPECT(t, !data.size || row->offset < 2 || data.data == file + row->offset);
    HOIST_EXPECT_EQ(t, tflite_custom_options(&module, &op).size, row->expected);
}

HOIST_TEST(buffers_beyond_the_list_are_empty)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    const tflite_module module = {.model = model};
    HOIST_EXPECT_EQ(t, tflite_buffer_data(&module, 0).size, 0);
    HOIST_EXPECT_EQ(t, tflite_buffer_data(&module, 1).size, 108);
    HOIST_EXPECT_EQ(t, tflite_buffer_data(&module, model->buffers.count).size, 0);
    HOIST_EXPECT(t, tflite_buffer_data(&module, UINT32_MAX).data == NULL);
}

// A module that was made is in no file, one that was read is.
HOIST_TEST(places_are_of_files)
{
    const tflite_model *const model = tflite_test_model(&t->arena);
    const tflite_module made = {.model = NULL};
    HOIST_EXPECT_EQ(t, tflite_place(&made, &tflite_model_type, model, 0).kind,
                    hoist_loc_none().kind);
    tflite_module *const module = tflite_test_open(t, tflite_test_write(t, model));
    const hoist_loc place =
        tflite_place(module, &tflite_model_type, module->model, offsetof(tflite_model, version));
    HOIST_EXPECT_EQ(t, place.kind, HOIST_LOC_BYTE);
    HOIST_EXPECT(t, place.offset > 0 && place.offset < module->file.size);
    HOIST_EXPECT_EQ(t, module->file.data[place.offset], TFLITE_SCHEMA_VERSION);
    tflite_destroy(&module->base);
    tflite_destroy(NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(operator_codes),
                HOIST_TEST_ROW(operators_beyond_the_codes_have_none),
                HOIST_TEST_ROW(options_of_operators_have_types), HOIST_TEST_ROW(tensor_sizes),
                HOIST_TEST_ROW(tensor_quantities), HOIST_TEST_ROW(lists_name_tensors),
                HOIST_TEST_ROW(data_behind_the_tables),
                HOIST_TEST_ROW(buffers_beyond_the_list_are_empty),
                HOIST_TEST_ROW(places_are_of_files))
