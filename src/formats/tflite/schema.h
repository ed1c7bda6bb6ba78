// formats/tflite/schema.h - the tables of a TensorFlow Lite file as C structs, and their rows.
//
// Members have the schema's names; the rows (schema.c) say what each means. Strings and vectors are
// slices of the file. A table that is absent is NULL; an absent scalar has the schema's default.
//
// Facts: TensorFlow Lite's public schema (version 3d); DarwiNN reference section 1.1.
#ifndef HOIST_SRC_FORMATS_TFLITE_SCHEMA_H
#define HOIST_SRC_FORMATS_TFLITE_SCHEMA_H

#include "hoist/tensor.h"

#include "codec/flatbuffer.h"

#define TFLITE_IDENTIFIER "TFL3"
enum { TFLITE_SCHEMA_VERSION = 3 };

// Element types ----------------------------------------------------------------------------------

typedef enum tflite_type {
#define TFLITE_TYPE(number, name, dtype, bits, least, most) TFLITE_##name = (number),
#include "formats/tflite/types.inc"
#undef TFLITE_TYPE
    TFLITE_TYPE_COUNT,
} tflite_type;

typedef struct tflite_type_row {
    const char *name;
    hoist_dtype dtype;  // NONE: hoist has no such type
    uint8_t bits;       // of an element; 0: not fixed
    int32_t least_zero; // of zero points
    int32_t most_zero;
} tflite_type_row;

// The row of a type; NULL: there is none of that number.
const tflite_type_row *tflite_type_get(int64_t type);

// Operators --------------------------------------------------------------------------------------

typedef enum tflite_operator_number {
#define TFLITE_OPERATOR(number, name, options, fewest, most, outputs) TFLITE_OP_##name = (number),
#include "formats/tflite/operators.inc"
#undef TFLITE_OPERATOR
    TFLITE_OP_COUNT,
} tflite_operator_number;

enum { TFLITE_MANY = UINT8_MAX };

typedef struct tflite_operator_row {
    const char *name; // "CONV_2D"
    uint8_t options;  // variant of the union; 0: not checked
    uint8_t fewest;   // inputs
    uint8_t most;     // TFLITE_MANY: any number
    uint8_t outputs;  // the same
} tflite_operator_row;

// The row of a builtin operator; NULL: there is none of that number.
const tflite_operator_row *tflite_operator_get(int64_t number);

// Tables -----------------------------------------------------------------------------------------

typedef struct tflite_operator_code {
    hoist_fb_table table;
    int8_t deprecated_builtin_code;
    hoist_str custom_code;
    int32_t version;
    int32_t builtin_code;
} tflite_operator_code;

typedef struct tflite_quantization {
    hoist_fb_table table;
    hoist_bytes min;        // float
    hoist_bytes max;        // float
    hoist_bytes scale;      // float
    hoist_bytes zero_point; // int64
    hoist_fb_union details; // of a technique of its own; then the others do not count
    int32_t quantized_dimension;
} tflite_quantization;

typedef struct tflite_dimension {
    hoist_fb_table table;
    int8_t format; // 0 dense, 1 compressed sparse rows
    int32_t dense_size;
    hoist_fb_union array_segments;
    hoist_fb_union array_indices;
} tflite_dimension;

typedef struct tflite_sparsity {
    hoist_fb_table table;
    hoist_bytes traversal_order; // int32
    hoist_bytes block_map;       // int32
    HOIST_FB_LIST(tflite_dimension) dim_metadata;
} tflite_sparsity;

typedef struct tflite_variant_type {
    hoist_fb_table table;
    hoist_bytes shape; // int32
    int8_t type;
    bool has_rank;
} tflite_variant_type;

typedef struct tflite_tensor {
    hoist_fb_table table;
    hoist_bytes shape; // int32
    int8_t type;       // tflite_type
    uint32_t buffer;   // index of the model's
    hoist_str name;
    tflite_quantization *quantization;
    bool is_variable;
    tflite_sparsity *sparsity;
    hoist_bytes shape_signature; // int32; -1: unknown
    bool has_rank;
    HOIST_FB_LIST(tflite_variant_type) variant_tensors;
    uint32_t external_buffer; // id of the data in another file; 0: they are in this one
} tflite_tensor;

typedef struct tflite_operator {
    hoist_fb_table table;
    uint32_t opcode_index;
    hoist_bytes inputs;  // int32: tensors of the subgraph; -1: an optional one is left out
    hoist_bytes outputs; // int32
    hoist_fb_union builtin_options; // options.h
    hoist_bytes custom_options;
    int8_t custom_options_format;         // 0: FlexBuffers
    hoist_bytes mutating_variable_inputs; // bool
    hoist_bytes intermediates;            // int32
    uint64_t large_custom_options_offset; // of the file, when above 1
    uint64_t large_custom_options_size;
    hoist_fb_union builtin_options_2; // those of StableHLO; no rows here
    int32_t debug_metadata_index;
} tflite_operator;

typedef struct tflite_subgraph {
    hoist_fb_table table;
    HOIST_FB_LIST(tflite_tensor) tensors;
    hoist_bytes inputs;  // int32
    hoist_bytes outputs; // int32
    HOIST_FB_LIST(tflite_operator) operators;
    hoist_str name;
    int32_t debug_metadata_index;
} tflite_subgraph;

typedef struct tflite_buffer {
    hoist_fb_table table;
    hoist_bytes data;
    uint64_t offset; // of the file, when above 1: the data lie after the FlatBuffer
    uint64_t size;
} tflite_buffer;

typedef struct tflite_metadata {
    hoist_fb_table table;
    hoist_str name;
    uint32_t buffer;
} tflite_metadata;

typedef struct tflite_tensor_map {
    hoist_fb_table table;
    hoist_str name;
    uint32_t tensor_index;
} tflite_tensor_map;

typedef HOIST_FB_LIST(tflite_tensor_map) tflite_tensor_maps;

typedef struct tflite_signature {
    hoist_fb_table table;
    tflite_tensor_maps inputs;
    tflite_tensor_maps outputs;
    hoist_str signature_key;
    hoist_str deprecated_tag;
    uint32_t subgraph_index;
} tflite_signature;

typedef struct tflite_external_group { // a file that the model needs
    hoist_fb_table table;
    hoist_str name;
} tflite_external_group;

typedef struct tflite_external_buffer { // bytes of such a file
    hoist_fb_table table;
    uint32_t id; // above 0
    uint32_t group;
    uint64_t offset;
    uint64_t length;
    hoist_str packing;
} tflite_external_buffer;

typedef struct tflite_model {
    hoist_fb_table table;
    uint32_t version;
    HOIST_FB_LIST(tflite_operator_code) operator_codes;
    HOIST_FB_LIST(tflite_subgraph) subgraphs;
    hoist_str description;
    HOIST_FB_LIST(tflite_buffer) buffers;
    hoist_bytes metadata_buffer; // int32
    HOIST_FB_LIST(tflite_metadata) metadata;
    HOIST_FB_LIST(tflite_signature) signature_defs;
    HOIST_FB_LIST(tflite_external_group) external_buffer_groups;
    HOIST_FB_LIST(tflite_external_buffer) external_buffers;
} tflite_model;

extern const hoist_fb_type tflite_model_type;
extern const hoist_fb_type tflite_operator_code_type;
extern const hoist_fb_type tflite_subgraph_type;
extern const hoist_fb_type tflite_operator_type;
extern const hoist_fb_type tflite_tensor_type;
extern const hoist_fb_type tflite_quantization_type;
extern const hoist_fb_type tflite_sparsity_type;
extern const hoist_fb_type tflite_dimension_type;
extern const hoist_fb_type tflite_variant_type_type;
extern const hoist_fb_type tflite_buffer_type;
extern const hoist_fb_type tflite_metadata_type;
extern const hoist_fb_type tflite_signature_type;
extern const hoist_fb_type tflite_tensor_map_type;
extern const hoist_fb_type tflite_external_group_type;
extern const hoist_fb_type tflite_external_buffer_type;
// Words of enums: names and numbers.
extern const hoist_fb_word tflite_type_words[];
extern const hoist_fb_word tflite_operator_words[];

#endif // HOIST_SRC_FORMATS_TFLITE_SCHEMA_H
