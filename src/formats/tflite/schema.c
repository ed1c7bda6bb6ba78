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

typedef struct tflite_custom_quantization {
    hoist_fb_table table;
    hoist_bytes custom;
} tflite_custom_quantization;

// clang-format off
#define F(object, member, id, what)                                                                \
    .name = #member, .slot = (id), .kind = HOIST_FB_##what, .at = offsetof(tflite_##object, member)
#define TYPE(title, object)                                                                        \
    {title, object##_fields, HOIST_COUNT_OF(object##_fields), sizeof(tflite_##object)}

#define INDICES(kind_of_item, alignment)                                                           \
    {{F(indices, values, 0, VECTOR), .item = HOIST_FB_##kind_of_item, .align = (alignment),        \
      .summary = "indices"}}
static const hoist_fb_field wide_fields[] = INDICES(I32, 0);
static const hoist_fb_field half_fields[] = INDICES(U16, 4);
static const hoist_fb_field byte_fields[] = INDICES(U8, 4);
static const hoist_fb_type wide_type = {"Int32Vector", wide_fields, 1, sizeof(tflite_indices)};
static const hoist_fb_type half_type = {"Uint16Vector", half_fields, 1, sizeof(tflite_indices)};
static const hoist_fb_type byte_type = {"Uint8Vector", byte_fields, 1, sizeof(tflite_indices)};
static const hoist_fb_variant index_variants[] = {
    {1, &wide_type}, {2, &half_type}, {3, &byte_type}, {0, NULL}};

static const hoist_fb_field custom_quantization_fields[] = {
    {F(custom_quantization, custom, 0, VECTOR), .item = HOIST_FB_U8, .align = 16,
     .summary = "parameters of the technique"},
};
static const hoist_fb_type custom_quantization_type =
    TYPE("CustomQuantization", custom_quantization);
static const hoist_fb_variant detail_variants[] = {{1, &custom_quantization_type}, {0, NULL}};
static const hoist_fb_variant no_variants[] = {{0, NULL}};

static const hoist_fb_field operator_code_fields[] = {
    {F(operator_code, deprecated_builtin_code, 0, I8), .words = tflite_operator_words,
     .summary = "number of the operator up to 127"},
    {F(operator_code, custom_code, 1, STRING),
     .summary = "name of a custom operator"},
    {F(operator_code, version, 2, I32), .fallback = 1,
     .summary = "of the operator, 1 or more"},
    {F(operator_code, builtin_code, 3, I32), .words = tflite_operator_words,
     .summary = "number of the operator; the larger of both counts"},
};
const hoist_fb_type tflite_operator_code_type = TYPE("OperatorCode", operator_code);

static const hoist_fb_field quantization_fields[] = {
    {F(quantization, min, 0, VECTOR), .item = HOIST_FB_F32,
     .summary = "of the values it was made from"},
    {F(quantization, max, 1, VECTOR), .item = HOIST_FB_F32,
     .summary = "of the values it was made from"},
    {F(quantization, scale, 2, VECTOR), .item = HOIST_FB_F32,
     .summary = "float = scale * (stored - zero point); one, or one for each index of a dimension"},
    {F(quantization, zero_point, 3, VECTOR), .item = HOIST_FB_I64,
     .summary = "as many as scales"},
    {F(quantization, details, 5, UNION), .variants = detail_variants,
     .summary = "a technique of its own; the others then do not count"},
    {F(quantization, quantized_dimension, 6, I32),
     .summary = "that the scales belong to"},
};
const hoist_fb_type tflite_quantization_type = TYPE("QuantizationParameters", quantization);

static const hoist_fb_field dimension_fields[] = {
    {F(dimension, format, 0, I8), .words = dimension_words,
     .summary = "dense or sparse"},
    {F(dimension, dense_size, 1, I32),
     .summary = "extent of a dense dimension"},
    {F(dimension, array_segments, 3, UNION), .variants = index_variants,
     .summary = "of a sparse one: where the entries of each row begin"},
    {F(dimension, array_indices, 5, UNION), .variants = index_variants,
     .summary = "of a sparse one: where entries are"},
};
const hoist_fb_type tflite_dimension_type = TYPE("DimensionMetadata", dimension);

static const hoist_fb_field sparsity_fields[] = {
    {F(sparsity, traversal_order, 0, VECTOR), .item = HOIST_FB_I32,
     .summary = "order of dimensions, those of blocks last"},
    {F(sparsity, block_map, 1, VECTOR), .item = HOIST_FB_I32,
     .summary = "dimension that each block dimension divides"},
    {F(sparsity, dim_metadata, 2, TABLES), .type = &tflite_dimension_type,
     .summary = "one for each dimension"},
};
const hoist_fb_type tflite_sparsity_type = TYPE("SparsityParameters", sparsity);

static const hoist_fb_field variant_type_fields[] = {
    {F(variant_type, shape, 0, VECTOR), .item = HOIST_FB_I32,
     .summary = "extents"},
    {F(variant_type, type, 1, I8), .words = tflite_type_words,
     .summary = "of an element"},
    {F(variant_type, has_rank, 2, BOOL),
     .summary = "whether the rank is known"},
};
const hoist_fb_type tflite_variant_type_type = TYPE("VariantSubType", variant_type);

static const hoist_fb_field tensor_fields[] = {
    {F(tensor, shape, 0, VECTOR), .item = HOIST_FB_I32,
     .summary = "extents, 0 or more"},
    {F(tensor, type, 1, I8), .words = tflite_type_words,
     .summary = "of an element"},
    {F(tensor, buffer, 2, U32),
     .summary = "its data; 0: none"},
    {F(tensor, name, 3, STRING),
     .summary = "for people"},
    {F(tensor, quantization, 4, TABLE), .type = &tflite_quantization_type,
     .summary = "absent: none"},
    {F(tensor, is_variable, 5, BOOL),
     .summary = "keeps its value from run to run"},
    {F(tensor, sparsity, 6, TABLE), .type = &tflite_sparsity_type,
     .summary = "how the data of a sparse tensor are laid out"},
    {F(tensor, shape_signature, 7, VECTOR), .item = HOIST_FB_I32,
     .summary = "extents with -1 for unknown ones"},
    {F(tensor, has_rank, 8, BOOL),
     .summary = "distinguishes a scalar from an unknown rank"},
    {F(tensor, variant_tensors, 9, TABLES), .type = &tflite_variant_type_type,
     .summary = "what a VARIANT holds"},
    {F(tensor, external_buffer, 10, U32),
     .summary = "id of its data in another file; 0: they are in this one"},
};
const hoist_fb_type tflite_tensor_type = TYPE("Tensor", tensor);

static const hoist_fb_field operator_fields[] = {
    {F(operator, opcode_index, 0, U32),
     .summary = "kind: an index of operator_codes"},
    {F(operator, inputs, 1, VECTOR), .item = HOIST_FB_I32,
     .summary = "tensors; -1: an optional one is left out"},
    {F(operator, outputs, 2, VECTOR), .item = HOIST_FB_I32,
     .summary = "tensors"},
    {F(operator, builtin_options, 4, UNION), .variants = tflite_options_variants,
     .words = tflite_options_words,
     .summary = "of a builtin operator"},
    {F(operator, custom_options, 5, VECTOR), .item = HOIST_FB_U8,
     .summary = "of a custom operator"},
    {F(operator, custom_options_format, 6, I8), .words = custom_words,
     .summary = "of these bytes"},
    {F(operator, mutating_variable_inputs, 7, VECTOR), .item = HOIST_FB_BOOL,
     .summary = "which inputs are changed"},
    {F(operator, intermediates, 8, VECTOR), .item = HOIST_FB_I32,
     .summary = "tensors of its own"},
    {F(operator, large_custom_options_offset, 9, U64),
     .summary = "byte of the file, above 1, where custom options lie"},
    {F(operator, large_custom_options_size, 10, U64),
     .summary = "of these, in bytes"},
    {F(operator, builtin_options_2, 12, UNION), .variants = no_variants,
     .summary = "of a StableHLO operator"},
    {F(operator, debug_metadata_index, 13, I32), .fallback = -1,
     .summary = "for debuggers; -1: none"},
};
const hoist_fb_type tflite_operator_type = TYPE("Operator", operator);

static const hoist_fb_field subgraph_fields[] = {
    {F(subgraph, tensors, 0, TABLES), .type = &tflite_tensor_type,
     .summary = "all tensors"},
    {F(subgraph, inputs, 1, VECTOR), .item = HOIST_FB_I32,
     .summary = "tensors that callers fill"},
    {F(subgraph, outputs, 2, VECTOR), .item = HOIST_FB_I32,
     .summary = "tensors that callers get"},
    {F(subgraph, operators, 3, TABLES), .type = &tflite_operator_type,
     .summary = "in the order of execution"},
    {F(subgraph, name, 4, STRING),
     .summary = "for people"},
    {F(subgraph, debug_metadata_index, 5, I32), .fallback = -1,
     .summary = "for debuggers; -1: none"},
};
const hoist_fb_type tflite_subgraph_type = TYPE("SubGraph", subgraph);

static const hoist_fb_field buffer_fields[] = {
    {F(buffer, data, 0, VECTOR), .item = HOIST_FB_U8, .align = 16,
     .summary = "little-endian"},
    {F(buffer, offset, 1, U64),
     .summary = "byte of the file, above 1, where the data lie"},
    {F(buffer, size, 2, U64),
     .summary = "of these, in bytes"},
};
const hoist_fb_type tflite_buffer_type = TYPE("Buffer", buffer);

static const hoist_fb_field metadata_fields[] = {
    {F(metadata, name, 0, STRING),
     .summary = "what it is"},
    {F(metadata, buffer, 1, U32),
     .summary = "index of buffers"},
};
const hoist_fb_type tflite_metadata_type = TYPE("Metadata", metadata);

static const hoist_fb_field tensor_map_fields[] = {
    {F(tensor_map, name, 0, STRING),
     .summary = "of an argument or result"},
    {F(tensor_map, tensor_index, 1, U32),
     .summary = "tensor of the subgraph"},
};
const hoist_fb_type tflite_tensor_map_type = TYPE("TensorMap", tensor_map);

static const hoist_fb_field signature_fields[] = {
    {F(signature, inputs, 0, TABLES), .type = &tflite_tensor_map_type,
     .summary = "arguments"},
    {F(signature, outputs, 1, TABLES), .type = &tflite_tensor_map_type,
     .summary = "results"},
    {F(signature, signature_key, 2, STRING),
     .summary = "name of the signature"},
    {F(signature, deprecated_tag, 3, STRING),
     .summary = "deprecated"},
    {F(signature, subgraph_index, 4, U32),
     .summary = "subgraph that is called"},
};
const hoist_fb_type tflite_signature_type = TYPE("SignatureDef", signature);

static const hoist_fb_field external_group_fields[] = {
    {F(external_group, name, 0, STRING),
     .summary = "of the file"},
};
const hoist_fb_type tflite_external_group_type = TYPE("ExternalBufferGroup", external_group);

static const hoist_fb_field external_buffer_fields[] = {
    {F(external_buffer, id, 0, U32),
     .summary = "what tensors call it, above 0"},
    {F(external_buffer, group, 1, U32),
     .summary = "index of the file"},
    {F(external_buffer, offset, 2, U64),
     .summary = "byte of that file"},
    {F(external_buffer, length, 3, U64),
     .summary = "bytes"},
    {F(external_buffer, packing, 4, STRING),
     .summary = "how elements are packed"},
};
const hoist_fb_type tflite_external_buffer_type = TYPE("ExternalBuffer", external_buffer);

static const hoist_fb_field model_fields[] = {
    {F(model, version, 0, U32),
     .summary = "of the schema: 3"},
    {F(model, operator_codes, 1, TABLES), .type = &tflite_operator_code_type,
     .summary = "kinds of operators in use"},
    {F(model, subgraphs, 2, TABLES), .type = &tflite_subgraph_type,
     .summary = "the first is the main one"},
    {F(model, description, 3, STRING),
     .summary = "who made it, for people"},
    {F(model, buffers, 4, TABLES), .type = &tflite_buffer_type,
     .summary = "data of tensors and metadata; the first is empty"},
    {F(model, metadata_buffer, 5, VECTOR), .item = HOIST_FB_I32,
     .summary = "deprecated: buffers of metadata"},
    {F(model, metadata, 6, TABLES), .type = &tflite_metadata_type,
     .summary = "named buffers"},
    {F(model, signature_defs, 7, TABLES), .type = &tflite_signature_type,
     .summary = "named ways to call subgraphs"},
    {F(model, external_buffer_groups, 8, TABLES), .type = &tflite_external_group_type,
     .summary = "other files that hold data"},
    {F(model, external_buffers, 9, TABLES), .type = &tflite_external_buffer_type,
     .summary = "data in other files"},
};
const hoist_fb_type tflite_model_type = TYPE("Model", model);
// clang-format on
