// formats/darwinn/schema.h - the tables of DarwiNN executables as C structs (darwinn reference
// section 2); schema.c has their rows.
//
// Members are named as the schema names its fields. Integers are as stored, whatever they are.
#ifndef HOIST_SRC_FORMATS_DARWINN_SCHEMA_H
#define HOIST_SRC_FORMATS_DARWINN_SCHEMA_H

#include "codec/flatbuffer.h"

typedef enum dwn_data_type {
    DWN_FIXED_POINT8 = 0,
    DWN_FIXED_POINT16 = 1,
    DWN_SIGNED_FIXED_POINT32 = 2,
    DWN_BFLOAT = 3,
    DWN_HALF = 4,
    DWN_SINGLE = 5,
    DWN_SIGNED_FIXED_POINT8 = 8,
    DWN_SIGNED_FIXED_POINT16 = 9,
} dwn_data_type;

typedef enum dwn_executable_type {
    DWN_STAND_ALONE = 0,
    DWN_PARAMETER_CACHING,
    DWN_EXECUTION_ONLY,
} dwn_executable_type;

typedef enum dwn_layer_type {
    DWN_LAYER_NONE = 0,
    DWN_LAYER_OUTPUT,
    DWN_LAYER_INPUT
} dwn_layer_type;

typedef struct dwn_meta {
    hoist_fb_table head;
    int16_t desc; // dwn_desc
    int32_t batch;
    hoist_str name;
    int16_t position; // low or high half
} dwn_meta;

typedef struct dwn_field_offset {
    hoist_fb_table head;
    dwn_meta *meta;
    int32_t offset_bit;
} dwn_field_offset;

typedef struct dwn_bitstream {
    hoist_fb_table head;
    hoist_bytes bitstream;
    HOIST_FB_LIST(dwn_field_offset) field_offsets;
} dwn_bitstream;

typedef struct dwn_dma_hint {
    hoist_fb_table head;
    dwn_meta *meta;
    int32_t offset_in_bytes;
    int32_t size_in_bytes;
} dwn_dma_hint;

typedef struct dwn_instruction_hint {
    hoist_fb_table head;
    int32_t instruction_chunk_index;
} dwn_instruction_hint;

typedef struct dwn_interrupt_hint {
    hoist_fb_table head;
    int16_t type;
} dwn_interrupt_hint;

typedef struct dwn_fence_hint {
    hoist_fb_table head;
} dwn_fence_hint;

typedef struct dwn_stored_hint {
    hoist_fb_table head;
    hoist_fb_union any_hint; // dwn_hint_kind
    int16_t direction;       // DWN_INFEED or DWN_OUTFEED
} dwn_stored_hint;

typedef struct dwn_hints {
    hoist_fb_table head;
    HOIST_FB_LIST(dwn_stored_hint) hints;
    bool fully_deterministic;
} dwn_hints;

// Maps of coordinates to tiles and offsets (5.1): vectors of int32_t.
typedef struct dwn_output_layout {
    hoist_fb_table head;
    hoist_bytes y_coordinate_to_linear_tile_id_map;
    hoist_bytes x_coordinate_to_linear_tile_id_map;
    hoist_bytes linearized_tile_byte_offset;
    hoist_bytes x_coordinate_to_local_byte_offset;
    hoist_bytes y_coordinate_to_local_y_offset;
    hoist_bytes x_coordinate_to_local_y_row_size;
} dwn_output_layout;

enum { DWN_RANGE_SIZE = 8 }; // bytes of a Range: start and end, inclusive, int32_t

typedef struct dwn_tensor_shape {
    hoist_fb_table head;
    hoist_bytes dimension; // ranges
} dwn_tensor_shape;

typedef struct dwn_tensor_layout {
    hoist_fb_table head;
    dwn_tensor_shape *shape;
    hoist_bytes stride; // int32_t, elements
} dwn_tensor_layout;

typedef struct dwn_shape_info {
    hoist_fb_table head;
    HOIST_FB_LIST(dwn_tensor_layout) slice_layout;
    hoist_bytes slice_offset; // int32_t, bytes
} dwn_shape_info;

typedef struct dwn_numerics {
    hoist_fb_table head;
    int32_t zero_point; // of the unsigned form, also of signed types (5.3)
    float dequantization_factor;
} dwn_numerics;

typedef struct dwn_output_layer {
    hoist_fb_table head;
    dwn_output_layout *layout;
    int16_t data_type; // deprecated
    dwn_shape_info *shape_info;
} dwn_output_layer;

typedef struct dwn_input_layer {
    hoist_fb_table head;
} dwn_input_layer;

typedef struct dwn_layer {
    hoist_fb_table head;
    hoist_str name;
    int32_t size_bytes; // with padding, of one element of a batch
    int32_t y_dim;
    int32_t x_dim;
    int32_t z_dim;
    dwn_numerics *numerics;
    int16_t data_type; // dwn_data_type
    hoist_fb_union any_layer;
    int32_t execution_count_per_inference;
    bool cache_on_dram;
    dwn_tensor_shape *shape;
} dwn_layer;

typedef struct dwn_executable {
    hoist_fb_table head;
    int32_t version;
    hoist_str name;
    hoist_bytes serialized_model;
    int32_t batch_size;
    int32_t scratch_size_bytes;
    HOIST_FB_LIST(dwn_bitstream) instruction_bitstreams;
    hoist_bytes parameters;
    dwn_hints *dma_hints;
    HOIST_FB_LIST(dwn_layer) input_layers;
    HOIST_FB_LIST(dwn_layer) output_layers;
    hoist_str chip;
    int32_t estimated_cycles; // deprecated
    int32_t used_narrow_memory_bytes_per_tile;
    int16_t type; // dwn_executable_type
    uint64_t parameter_caching_token;
    bool use_tpu_dram_for_parameters;
    int64_t estimated_cycles_64bit;
} dwn_executable;

typedef struct dwn_multi_executable {
    hoist_fb_table head;
    HOIST_FB_LIST(hoist_str) serialized_executables;
} dwn_multi_executable;

typedef struct dwn_serialized_package {
    hoist_fb_table head;
    hoist_bytes serialized_package;
} dwn_serialized_package;

typedef struct dwn_package {
    hoist_fb_table head;
    int32_t min_runtime_version;
    hoist_bytes serialized_multi_executable;
    hoist_bytes signature;
    int32_t keypair_version;
    hoist_str compiler_version;
    int32_t virtual_chip_id; // -1: a bundle
    HOIST_FB_LIST(dwn_serialized_package) multi_chip_package;
    hoist_str model_identifier;
} dwn_package;

// The rows of dwn_package and so on.
extern const hoist_fb_type dwn_package_rows, dwn_serialized_package_rows, dwn_multi_executable_rows,
    dwn_executable_rows, dwn_bitstream_rows, dwn_field_offset_rows, dwn_hints_rows,
    dwn_stored_hint_rows, dwn_layer_rows, dwn_numerics_rows, dwn_output_layer_rows,
    dwn_output_layout_rows, dwn_shape_info_rows, dwn_tensor_layout_rows;

extern const hoist_fb_word dwn_data_types[];
extern const hoist_fb_word dwn_executable_types[];

#endif // HOIST_SRC_FORMATS_DARWINN_SCHEMA_H
