// The rows of the schema, innermost types first (darwinn reference section 2).
#include "formats/darwinn/schema.h"

#include "base/span.h"
#include "formats/darwinn/scalar_hints.h"

#define TYPE(variable, title, rows, structure)                                                     \
    const hoist_fb_type variable = {title, rows, HOIST_COUNT_OF(rows), sizeof(structure)}

static const hoist_fb_word descs[] = {
    {"OUTPUT", 0}, {"INPUT", 1}, {"PARAMETER", 2}, {"SCRATCH", 3}, {NULL, 0}};
static const hoist_fb_word positions[] = {{"LOWER_32BIT", 0}, {"UPPER_32BIT", 1}, {NULL, 0}};
static const hoist_fb_word directions[] = {{"INFEED", 0}, {"OUTFEED", 1}, {NULL, 0}};
static const hoist_fb_word interrupts[] = {{"SCALAR_CORE_INT_0", 0},
                                           {"SCALAR_CORE_INT_1", 1},
                                           {"SCALAR_CORE_INT_2", 2},
                                           {"SCALAR_CORE_INT_3", 3},
                                           {NULL, 0}};
const hoist_fb_word dwn_data_types[] = {{"FIXED_POINT8", DWN_FIXED_POINT8},
                                        {"FIXED_POINT16", DWN_FIXED_POINT16},
                                        {"SIGNED_FIXED_POINT32", DWN_SIGNED_FIXED_POINT32},
                                        {"BFLOAT", DWN_BFLOAT},
                                        {"HALF", DWN_HALF},
                                        {"SINGLE", DWN_SINGLE},
                                        {"SIGNED_FIXED_POINT8", DWN_SIGNED_FIXED_POINT8},
                                        {"SIGNED_FIXED_POINT16", DWN_SIGNED_FIXED_POINT16},
                                        {NULL, 0}};
const hoist_fb_word dwn_executable_types[] = {{"STAND_ALONE", DWN_STAND_ALONE},
                                              {"PARAMETER_CACHING", DWN_PARAMETER_CACHING},
                                              {"EXECUTION_ONLY", DWN_EXECUTION_ONLY},
                                              {NULL, 0}};

// clang-format off
#define AT(member) .at = offsetof(STRUCT, member)

#define STRUCT dwn_meta
static const hoist_fb_field meta_fields[] = {
    {.name = "desc", .slot = 0, .kind = HOIST_FB_I16, AT(desc), .words = descs,
     .summary = "which base address"},
    {.name = "batch", .slot = 1, .kind = HOIST_FB_I32, AT(batch),
     .summary = "element of the batch; of PARAMETER without a meaning"},
    {.name = "name", .slot = 2, .kind = HOIST_FB_STRING, AT(name),
     .summary = "of the layer; empty for PARAMETER and SCRATCH"},
    {.name = "position", .slot = 3, .kind = HOIST_FB_I16, AT(position), .words = positions,
     .summary = "which half of the address"},
};
static TYPE(meta_type, "Meta", meta_fields, STRUCT);
#undef STRUCT

#define STRUCT dwn_field_offset
static const hoist_fb_field field_offset_fields[] = {
    {.name = "meta", .slot = 0, .kind = HOIST_FB_TABLE, AT(meta), .type = &meta_type,
     .summary = "what is to be filled in"},
    {.name = "offset_bit", .slot = 1, .kind = HOIST_FB_I32, AT(offset_bit),
     .summary = "bit of the chunk where 32 bits are to be filled in"},
};
TYPE(dwn_field_offset_rows, "FieldOffset", field_offset_fields, STRUCT);
#undef STRUCT

#define STRUCT dwn_bitstream
static const hoist_fb_field bitstream_fields[] = {
    {.name = "bitstream", .slot = 0, .kind = HOIST_FB_VECTOR, AT(bitstream), .item = HOIST_FB_U8,
     .summary = "instructions, words of 16 bytes"},
    {.name = "field_offsets", .slot = 1, .kind = HOIST_FB_TABLES, AT(field_offsets),
     .type = &dwn_field_offset_rows, .summary = "where linking fills in addresses"},
};
TYPE(dwn_bitstream_rows, "InstructionBitstream", bitstream_fields, STRUCT);
#undef STRUCT

#define STRUCT dwn_dma_hint
static const hoist_fb_field dma_hint_fields[] = {
    {.name = "meta", .slot = 0, .kind = HOIST_FB_TABLE, AT(meta), .type = &meta_type,
     .summary = "which buffer"},
    {.name = "offset_in_bytes", .slot = 1, .kind = HOIST_FB_I32, AT(offset_in_bytes),
     .summary = "first byte of the buffer"},
    {.name = "size_in_bytes", .slot = 2, .kind = HOIST_FB_I32, AT(size_in_bytes),
     .summary = "bytes"},
};
static TYPE(dma_hint_type, "DmaDescriptorHint", dma_hint_fields, STRUCT);
#undef STRUCT

#define STRUCT dwn_instruction_hint
static const hoist_fb_field instruction_hint_fields[] = {
    {.name = "instruction_chunk_index", .slot = 0, .kind = HOIST_FB_I32,
     AT(instruction_chunk_index), .summary = "which chunk is sent"},
};
static TYPE(instruction_hint_type, "InstructionHint", instruction_hint_fields, STRUCT);
#undef STRUCT

#define STRUCT dwn_interrupt_hint
static const hoist_fb_field interrupt_hint_fields[] = {
    {.name = "type", .slot = 0, .kind = HOIST_FB_I16, AT(type), .words = interrupts,
     .summary = "which interrupt is waited for"},
};
static TYPE(interrupt_hint_type, "InterruptHint", interrupt_hint_fields, STRUCT);
#undef STRUCT

static const hoist_fb_type fence_hint_type = {"FenceHint", NULL, 0, sizeof(dwn_fence_hint)};

static const hoist_fb_variant any_hint[] = {{DWN_HINT_DMA, &dma_hint_type},
                                            {DWN_HINT_INSTRUCTION, &instruction_hint_type},
                                            {DWN_HINT_INTERRUPT, &interrupt_hint_type},
                                            {DWN_HINT_FENCE, &fence_hint_type},
                                            {0, NULL}};

#define STRUCT dwn_stored_hint
static const hoist_fb_field hint_fields[] = {
    {.name = "any_hint", .slot = 1, .kind = HOIST_FB_UNION, AT(any_hint), .variants = any_hint,
     .summary = "a step of the driver"},
    {.name = "direction", .slot = 2, .kind = HOIST_FB_I16, AT(direction), .words = directions,
     .summary = "to the chip or from it"},
};
TYPE(dwn_stored_hint_rows, "DmaHint", hint_fields, STRUCT);
#undef STRUCT

#define STRUCT dwn_hints
static const hoist_fb_field hints_fields[] = {
    {.name = "hints", .slot = 0, .kind = HOIST_FB_TABLES, AT(hints), .type = &dwn_stored_hint_rows,
     .summary = "the steps in order"},
    {.name = "fully_deterministic", .slot = 1, .kind = HOIST_FB_BOOL, AT(fully_deterministic),
     .summary = "the hints are all steps that there are"},
};
TYPE(dwn_hints_rows, "DmaHints", hints_fields, STRUCT);
#undef STRUCT

#define STRUCT dwn_output_layout
#define INTS(number, member, text)                                                                 \
    {.name = #member, .slot = (number), .kind = HOIST_FB_VECTOR, AT(member), .item = HOIST_FB_I32,   \
     .summary = (text)}
static const hoist_fb_field output_layout_fields[] = {
    INTS(0, y_coordinate_to_linear_tile_id_map, "first tile of the row of tiles that holds y"),
    INTS(1, x_coordinate_to_linear_tile_id_map, "tile in its row that holds x"),
    INTS(2, linearized_tile_byte_offset, "where the output of a tile begins"),
    INTS(3, x_coordinate_to_local_byte_offset, "offset of x in a row of its tile"),
    INTS(4, y_coordinate_to_local_y_offset, "row of y in its tile"),
    INTS(5, x_coordinate_to_local_y_row_size, "size of a row of the tile that holds x"),
};
TYPE(dwn_output_layout_rows, "OutputLayout", output_layout_fields, STRUCT);
#undef STRUCT

static const hoist_fb_field range_fields[] = {
    {.name = "start", .slot = 0, .kind = HOIST_FB_I32, .summary = "first index"},
    {.name = "end", .slot = 4, .kind = HOIST_FB_I32, .summary = "last index"},
};
static const hoist_fb_type range_type = {"Range", range_fields, HOIST_COUNT_OF(range_fields),
                                         DWN_RANGE_SIZE};

#define STRUCT dwn_tensor_shape
static const hoist_fb_field tensor_shape_fields[] = {
    {.name = "dimension", .slot = 0, .kind = HOIST_FB_STRUCTS, AT(dimension), .type = &range_type,
     .summary = "indices of each dimension, outermost first"},
};
static TYPE(tensor_shape_type, "TensorShape", tensor_shape_fields, STRUCT);
#undef STRUCT

#define STRUCT dwn_tensor_layout
static const hoist_fb_field tensor_layout_fields[] = {
    {.name = "shape", .slot = 0, .kind = HOIST_FB_TABLE, AT(shape), .type = &tensor_shape_type,
     .summary = "indices of the slice"},
    INTS(1, stride, "elements between neighbours of each dimension"),
};
TYPE(dwn_tensor_layout_rows, "TensorLayout", tensor_layout_fields, STRUCT);
#undef STRUCT

#define STRUCT dwn_shape_info
static const hoist_fb_field shape_info_fields[] = {
    {.name = "slice_layout", .slot = 0, .kind = HOIST_FB_TABLES, AT(slice_layout),
     .type = &dwn_tensor_layout_rows, .summary = "the slices that come from the chip"},
    INTS(1, slice_offset, "bytes before each slice"),
};
TYPE(dwn_shape_info_rows, "OutputShapeInfo", shape_info_fields, STRUCT);
#undef STRUCT
#undef INTS

#define STRUCT dwn_numerics
static const hoist_fb_field numerics_fields[] = {
    {.name = "zero_point", .slot = 0, .kind = HOIST_FB_I32, AT(zero_point),
     .summary = "of the unsigned form, also of signed types"},
    {.name = "dequantization_factor", .slot = 1, .kind = HOIST_FB_F32, AT(dequantization_factor),
     .summary = "the scale"},
};
TYPE(dwn_numerics_rows, "NumericsConstants", numerics_fields, STRUCT);
#undef STRUCT

#define STRUCT dwn_output_layer
static const hoist_fb_field output_layer_fields[] = {
    {.name = "layout", .slot = 0, .kind = HOIST_FB_TABLE, AT(layout), .type = &dwn_output_layout_rows,
     .summary = "how the chip's order becomes y, x, z"},
    {.name = "data_type", .slot = 1, .kind = HOIST_FB_I16, AT(data_type), .words = dwn_data_types,
     .summary = "deprecated"},
    {.name = "shape_info", .slot = 2, .kind = HOIST_FB_TABLE, AT(shape_info),
     .type = &dwn_shape_info_rows, .summary = "the same as slices of a tensor"},
};
TYPE(dwn_output_layer_rows, "OutputLayer", output_layer_fields, STRUCT);
#undef STRUCT

static const hoist_fb_type input_layer_type = {"InputLayer", NULL, 0, sizeof(dwn_input_layer)};

static const hoist_fb_variant any_layer[] = {
    {DWN_LAYER_OUTPUT, &dwn_output_layer_rows}, {DWN_LAYER_INPUT, &input_layer_type}, {0, NULL}};

#define STRUCT dwn_layer
static const hoist_fb_field layer_fields[] = {
    {.name = "name", .slot = 0, .kind = HOIST_FB_STRING, AT(name), .summary = "of the tensor"},
    {.name = "size_bytes", .slot = 1, .kind = HOIST_FB_I32, AT(size_bytes),
     .summary = "bytes with padding, of one element of a batch"},
    {.name = "y_dim", .slot = 2, .kind = HOIST_FB_I32, AT(y_dim), .summary = "rows"},
    {.name = "x_dim", .slot = 3, .kind = HOIST_FB_I32, AT(x_dim), .summary = "columns"},
    {.name = "z_dim", .slot = 4, .kind = HOIST_FB_I32, AT(z_dim), .summary = "channels"},
    {.name = "numerics", .slot = 5, .kind = HOIST_FB_TABLE, AT(numerics), .type = &dwn_numerics_rows,
     .summary = "scale and zero point"},
    {.name = "data_type", .slot = 6, .kind = HOIST_FB_I16, AT(data_type), .words = dwn_data_types,
     .summary = "type of an element"},
    {.name = "any_layer", .slot = 8, .kind = HOIST_FB_UNION, AT(any_layer), .variants = any_layer,
     .summary = "what only outputs or only inputs have"},
    {.name = "execution_count_per_inference", .slot = 9, .kind = HOIST_FB_I32,
     AT(execution_count_per_inference), .fallback = 1, .summary = "how often it is run"},
    {.name = "cache_on_dram", .slot = 10, .kind = HOIST_FB_BOOL, AT(cache_on_dram),
     .summary = "kept in the chip's DRAM where it has one"},
    {.name = "shape", .slot = 11, .kind = HOIST_FB_TABLE, AT(shape), .type = &tensor_shape_type,
     .summary = "the tensor's own shape"},
};
TYPE(dwn_layer_rows, "Layer", layer_fields, STRUCT);
#undef STRUCT

#define STRUCT dwn_executable
static const hoist_fb_field executable_fields[] = {
    {.name = "version", .slot = 0, .kind = HOIST_FB_I32, AT(version), .summary = "0"},
    {.name = "name", .slot = 1, .kind = HOIST_FB_STRING, AT(name), .summary = "of the model"},
    {.name = "serialized_model", .slot = 2, .kind = HOIST_FB_VECTOR, AT(serialized_model),
     .item = HOIST_FB_U8, .summary = "the source model; empty in released files"},
    {.name = "batch_size", .slot = 3, .kind = HOIST_FB_I32, AT(batch_size),
     .summary = "inputs that are processed at once"},
    {.name = "scratch_size_bytes", .slot = 4, .kind = HOIST_FB_I32, AT(scratch_size_bytes),
     .summary = "bytes of host memory that the chip spills to"},
    {.name = "instruction_bitstreams", .slot = 5, .kind = HOIST_FB_TABLES,
     AT(instruction_bitstreams), .type = &dwn_bitstream_rows, .summary = "the chunks of the program"},
    {.name = "parameters", .slot = 6, .kind = HOIST_FB_VECTOR, AT(parameters), .item = HOIST_FB_U8,
     .align = 4096, .summary = "weights, biases and the like, in the chip's order"},
    {.name = "dma_hints", .slot = 7, .kind = HOIST_FB_TABLE, AT(dma_hints), .type = &dwn_hints_rows,
     .summary = "the transfers of a run"},
    {.name = "input_layers", .slot = 8, .kind = HOIST_FB_TABLES, AT(input_layers),
     .type = &dwn_layer_rows, .summary = "tensors that go in"},
    {.name = "output_layers", .slot = 9, .kind = HOIST_FB_TABLES, AT(output_layers),
     .type = &dwn_layer_rows, .summary = "tensors that come out"},
    {.name = "chip", .slot = 10, .kind = HOIST_FB_STRING, AT(chip),
     .summary = "what it was compiled for"},
    {.name = "estimated_cycles", .slot = 11, .kind = HOIST_FB_I32, AT(estimated_cycles),
     .summary = "deprecated"},
    {.name = "used_narrow_memory_bytes_per_tile", .slot = 12, .kind = HOIST_FB_I32,
     AT(used_narrow_memory_bytes_per_tile), .summary = "of 196,608"},
    {.name = "type", .slot = 13, .kind = HOIST_FB_I16, AT(type), .words = dwn_executable_types,
     .summary = "what part of the work it is"},
    {.name = "parameter_caching_token", .slot = 14, .kind = HOIST_FB_U64,
     AT(parameter_caching_token), .summary = "executables with the same one share the chip's memory"},
    {.name = "use_tpu_dram_for_parameters", .slot = 15, .kind = HOIST_FB_BOOL,
     AT(use_tpu_dram_for_parameters), .summary = "parameters are kept in the chip's DRAM"},
    {.name = "estimated_cycles_64bit", .slot = 16, .kind = HOIST_FB_I64,
     AT(estimated_cycles_64bit), .summary = "of a run"},
};
TYPE(dwn_executable_rows, "Executable", executable_fields, STRUCT);
#undef STRUCT

#define STRUCT dwn_multi_executable
static const hoist_fb_field multi_executable_fields[] = {
    {.name = "serialized_executables", .slot = 0, .kind = HOIST_FB_STRINGS,
     AT(serialized_executables), .align = 4096, .summary = "buffers of executables"},
};
TYPE(dwn_multi_executable_rows, "MultiExecutable", multi_executable_fields, STRUCT);
#undef STRUCT

#define STRUCT dwn_serialized_package
static const hoist_fb_field serialized_package_fields[] = {
    {.name = "serialized_package", .slot = 0, .kind = HOIST_FB_VECTOR, AT(serialized_package),
     .item = HOIST_FB_U8, .align = 8, .summary = "the package of one chip"},
};
TYPE(dwn_serialized_package_rows, "SerializedPackage", serialized_package_fields, STRUCT);
#undef STRUCT

#define STRUCT dwn_package
static const hoist_fb_field package_fields[] = {
    {.name = "min_runtime_version", .slot = 0, .kind = HOIST_FB_I32, AT(min_runtime_version),
     .summary = "oldest runtime that can run it: 10 to 14"},
    {.name = "serialized_multi_executable", .slot = 1, .kind = HOIST_FB_VECTOR,
     AT(serialized_multi_executable), .item = HOIST_FB_U8, .align = 4096,
     .summary = "buffer of the executables"},
    {.name = "signature", .slot = 2, .kind = HOIST_FB_VECTOR, AT(signature), .item = HOIST_FB_U8,
     .summary = "of the executables; the open runtime cannot check it"},
    {.name = "keypair_version", .slot = 3, .kind = HOIST_FB_I32, AT(keypair_version),
     .summary = "of the signature's keys"},
    {.name = "compiler_version", .slot = 4, .kind = HOIST_FB_STRING, AT(compiler_version),
     .summary = "that made it"},
    {.name = "virtual_chip_id", .slot = 5, .kind = HOIST_FB_I32, AT(virtual_chip_id),
     .summary = "-1: a bundle for several chips"},
    {.name = "multi_chip_package", .slot = 6, .kind = HOIST_FB_TABLES, AT(multi_chip_package),
     .type = &dwn_serialized_package_rows, .summary = "of a bundle, the packages of its chips"},
    {.name = "model_identifier", .slot = 7, .kind = HOIST_FB_STRING, AT(model_identifier),
     .summary = "a name that the user gave"},
};
TYPE(dwn_package_rows, "Package", package_fields, STRUCT);
#undef STRUCT
// clang-format on
