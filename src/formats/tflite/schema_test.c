// The rows: each field in its place in the C struct, slots that rise, and tables without holes.
#include <string.h>

#include "base/span.h"
#include "formats/tflite/options.h"
#include "formats/tflite/tflite_testing.h"

// Bytes of the member that a field of that kind has.
static size_t member_size(const hoist_fb_field *field)
{
    switch ((hoist_fb_kind)field->kind) {
    case HOIST_FB_STRING:
        return sizeof(hoist_str);
    case HOIST_FB_VECTOR:
    case HOIST_FB_STRUCTS:
        return sizeof(hoist_bytes);
    case HOIST_FB_TABLE:
        return sizeof(void *);
    case HOIST_FB_STRINGS:
    case HOIST_FB_TABLES:
        return sizeof(HOIST_FB_LIST(hoist_str));
    case HOIST_FB_UNION:
        return sizeof(hoist_fb_union);
    default:
        return hoist_fb_scalar_size((hoist_fb_kind)field->kind);
    }
}

static void expect_rows(hoist_test *t, const hoist_fb_type *type)
{
    size_t end = sizeof(hoist_fb_table);
    int slot = -1;
    hoist_test_row(t, type->name);
    HOIST_EXPECT(t, type->size >= end && type->count <= 64);
    for (size_t i = 0; i < type->count; i++) {
        const hoist_fb_field *const field = &type->fields[i];
        HOIST_EXPECT(t, field->name && field->summary && field->slot > slot);
        HOIST_EXPECT(t, field->at >= end && field->at < end + 8);
        end = field->at + member_size(field);
        slot = field->slot;
        HOIST_EXPECT_EQ(t, field->kind == HOIST_FB_TABLE || field->kind == HOIST_FB_TABLES,
                        field->type != NULL);
        HOIST_EXPECT_EQ(t, field->kind == HOIST_FB_UNION, field->variants != NULL);
        HOIST_EXPECT(t, field->kind == HOIST_FB_VECTOR || field->item == 0);
    }
    HOIST_EXPECT(t, end <= type->size && type->size < end + 8);
}

HOIST_TEST(tables_have_their_rows)
{
    static const hoist_fb_type *const types[] = {
        &tflite_model_type,      &tflite_operator_code_type,  &tflite_subgraph_type,
        &tflite_operator_type,   &tflite_tensor_type,         &tflite_quantization_type,
        &tflite_sparsity_type,   &tflite_dimension_type,      &tflite_variant_type_type,
        &tflite_buffer_type,     &tflite_metadata_type,       &tflite_signature_type,
        &tflite_tensor_map_type, &tflite_external_group_type, &tflite_external_buffer_type};
    for (size_t i = 0; i < HOIST_COUNT_OF(types); i++) {
        expect_rows(t, types[i]);
    }
}

HOIST_TEST(options_have_their_rows)
{
    size_t count = 0;
    for (const hoist_fb_variant *v = tflite_options_variants; v->type; v++) {
        expect_rows(t, v->type);
        HOIST_EXPECT_EQ(t, v->value, count + 1);
        HOIST_EXPECT_STR(t, hoist_str_from(hoist_fb_word_name(tflite_options_words, v->value)),
                         v->type->name);
        count++;
    }
    HOIST_EXPECT_EQ(t, count, 126);
}

HOIST_TEST(operators_have_names_and_options)
{
    HOIST_EXPECT(t, !tflite_operator_get(-1) && !tflite_operator_get(TFLITE_OP_COUNT));
    HOIST_EXPECT_EQ(t, TFLITE_OP_COUNT, 210);
    for (int i = 0; i < TFLITE_OP_COUNT; i++) {
        const tflite_operator_row *const row = tflite_operator_get(i);
        HOIST_EXPECT(t, row != NULL);
        if (!row) {
            continue;
        }
        HOIST_EXPECT(t, row->name && row->fewest <= row->most);
        HOIST_EXPECT(t, row->options < TFLITE_OPTIONS_COUNT);
        HOIST_EXPECT_STR(t, hoist_str_from(hoist_fb_word_name(tflite_operator_words, i)),
                         row->name);
    }
}

// A few numbers by hand, so that no row has slipped.
HOIST_TEST(numbers_are_the_schemas)
{
    HOIST_EXPECT_EQ(t, TFLITE_OP_CUSTOM, 32);
    HOIST_EXPECT_EQ(t, TFLITE_OP_QUANTIZE, 114);
    HOIST_EXPECT_EQ(t, TFLITE_OP_PLACEHOLDER_FOR_GREATER_OP_CODES, 127);
    HOIST_EXPECT_EQ(t, TFLITE_OP_STABLEHLO_CASE, 209);
    HOIST_EXPECT_EQ(t, TFLITE_OPTIONS_Conv2D, 1);
    HOIST_EXPECT_EQ(t, TFLITE_OPTIONS_FullyConnected, 8);
    HOIST_EXPECT_EQ(t, TFLITE_OPTIONS_Reshape, 17);
    HOIST_EXPECT_EQ(t, TFLITE_OPTIONS_Reducer, 27);
    HOIST_EXPECT_EQ(t, TFLITE_OPTIONS_Split, 35);
    HOIST_EXPECT_EQ(t, TFLITE_OPTIONS_ArgMax, 40);
    HOIST_EXPECT_EQ(t, TFLITE_OPTIONS_ResizeNearestNeighbor, 74);
    HOIST_EXPECT_EQ(t, TFLITE_OPTIONS_Quantize, 89);
    HOIST_EXPECT_EQ(t, TFLITE_INT8, 9);
}

HOIST_TEST(types_have_element_types)
{
    HOIST_EXPECT(t, !tflite_type_get(-1) && !tflite_type_get(TFLITE_TYPE_COUNT));
    for (int i = 0; i < TFLITE_TYPE_COUNT; i++) {
        const tflite_type_row *const row = tflite_type_get(i);
        HOIST_EXPECT(t, row != NULL);
        if (!row) {
            continue;
        }
        HOIST_EXPECT(t, row->name && row->least_zero <= row->most_zero);
        HOIST_EXPECT(t, row->dtype == HOIST_DTYPE_NONE ||
                            hoist_dtype_get(row->dtype)->bits == row->bits);
        HOIST_EXPECT_STR(t, hoist_str_from(hoist_fb_word_name(tflite_type_words, i)), row->name);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(tables_have_their_rows), HOIST_TEST_ROW(options_have_their_rows),
                HOIST_TEST_ROW(operators_have_names_and_options),
                HOIST_TEST_ROW(numbers_are_the_schemas), HOIST_TEST_ROW(types_have_element_types))
