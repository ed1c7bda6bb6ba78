// size: table
// The rows of the tables of a TensorFlow Lite file.
#include "formats/tflite/schema.h"

#include "base/span.h"
#include "formats/tflite/options.h"

static const hoist_fb_word dimension_words[] = {{"DENSE", 0}, {"SPARSE_CSR", 1}, {NULL, 0}};
static const hoist_fb_word custom_words[] = {{"FLEXBUFFERS", 0}, {NULL, 0}};

// Vectors of indices of sparse tensors: one field, whose items differ in width.
typedef struct tflite_indices {
    hoist_fb_table table;
    hoist_bytes values;
} tflite_indices;

// All that the schema's union QuantizationDetails has: one blob of unknown meaning.
typedef struct tflite_custom_quantization {
    hoist_fb_table table;
    hoist_bytes custom;
} tflite_custom_quantization;

// clang-format off
#define TYPE(title, object)                                                                        \
    {title, object##_fields, HOIST_COUNT_OF(object##_fields), sizeof(tflite_##object)}

#define INDICES(width, alignment)                                                                  \
    {HOIST_FB_ROW(tflite_indices, values, 0, VECTOR, .item = HOIST_FB_##width,                     \
                  .align = (alignment), .summary = "indices")}
static const hoist_fb_field wide_fields[] = INDICES(I32, 0);
static const hoist_fb_field half_fields[] = INDICES(U16, 4);
static const hoist_fb_field byte_fields[] = INDICES(U8, 4);
static const hoist_fb_type wide_type = {"Int32Vector", wide_fields, 1, sizeof(tflite_indices)};
static const hoist_fb_type half_type = {"Uint16Vector", half_fields, 1, sizeof(tflite_indices)};
static const hoist_fb_type byte_type = {"Uint8Vector", byte_fields, 1, sizeof(tflite_indices)};
// Of the union SparseIndexVector: 1 Int32Vector, 2 Uint16Vector, 3 Uint8Vector.
static const hoist_fb_variant index_variants[] = {
    {1, &wide_type}, {2, &half_type}, {3, &byte_type}, {0, NULL}};

static const hoist_fb_field custom_quantization_fields[] = {
    HOIST_FB_ROW(tflite_custom_quantization, custom, 0, VECTOR, .item = HOIST_FB_U8, .align = 16,
                 .summary = "parameters of the technique")
};
static const hoist_fb_type custom_quantization_type =
    TYPE("CustomQuantization", custom_quantization);
static const hoist_fb_variant detail_variants[] = {{1, &custom_quantization_type}, {0, NULL}};
// StableHLO options have no rows: they are kept as bytes.
static const hoist_fb_variant no_variants[] = {{0, NULL}};

#define OBJECT(object) static const hoist_fb_field object##_fields[] = {
#define FIELD(object, member, number, what, ...)                                                   \
    HOIST_FB_ROW(tflite_##object, member, number, what, __VA_ARGS__)
#define CHILD(object, member, number, table, ...)                                                  \
    FIELD(object, member, number, TABLE, .type = &tflite_##table##_type, __VA_ARGS__)
#define CHILDREN(object, member, number, table, ...)                                               \
    FIELD(object, member, number, TABLES, .type = &tflite_##table##_type, __VA_ARGS__)
#define END(object, title) }; const hoist_fb_type tflite_##object##_type = TYPE(title, object);
#include "formats/tflite/schema.inc"
// clang-format on
