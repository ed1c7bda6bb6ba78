// Facts of layers: element types, shapes, sizes in elements and bytes (darwinn reference section
// 5). All numbers are those of the file and may be anything; products are checked and give -1 where
// they do not fit. layout.c has the order of the bytes.
#include "formats/darwinn/layer.h"

#include "base/assert.h"
#include "base/checked.h"
#include "base/span.h"

// {type, bytes, top bit flipped, dtype, shift of the zero point} (reference 5.3).
static const dwn_type_row types[] = {
    {DWN_FIXED_POINT8, 1, false, HOIST_DTYPE_U8, 0},
    {DWN_FIXED_POINT16, 2, false, HOIST_DTYPE_I16, 0},
    {DWN_SIGNED_FIXED_POINT32, 4, false, HOIST_DTYPE_I32, 0},
    {DWN_BFLOAT, 2, false, HOIST_DTYPE_BF16, 0},
    {DWN_HALF, 2, false, HOIST_DTYPE_F16, 0},
    {DWN_SINGLE, 4, false, HOIST_DTYPE_F32, 0},
    {DWN_SIGNED_FIXED_POINT8, 1, true, HOIST_DTYPE_I8, 128},
    {DWN_SIGNED_FIXED_POINT16, 2, true, HOIST_DTYPE_I16, 32768},
};

const dwn_type_row *dwn_type_of(int16_t type)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(types); i++) {
        if (types[i].type == type) {
            return &types[i];
        }
    }
    return NULL;
}

size_t dwn_shape_rank(const dwn_tensor_shape *shape)
{
    return shape->dimension.size / DWN_RANGE_SIZE;
}

dwn_range dwn_shape_range(const dwn_tensor_shape *shape, size_t index)
{
    HOIST_ASSERT(index < dwn_shape_rank(shape));
    return (dwn_range){hoist_fb_i32(shape->dimension, 2 * index),
                       hoist_fb_i32(shape->dimension, 2 * index + 1)};
}

// Ranges are inclusive; in 64 bits, as both ends may be any int32.
int64_t dwn_shape_extent(const dwn_tensor_shape *shape, size_t index)
{
    const dwn_range range = dwn_shape_range(shape, index);
    return (int64_t)range.end - range.start + 1;
}

// `product` times `extent`; -1: one is negative, or it overflows. So -1 passes through a chain.
static int64_t times(int64_t product, int64_t extent)
{
    int64_t result = 0;
    return product < 0 || extent < 0 || hoist_ckd_mul_i64(&result, product, extent) ? -1 : result;
}

int64_t dwn_shape_elements(const dwn_tensor_shape *shape)
{
    int64_t product = 1;
    for (size_t i = 0; i < dwn_shape_rank(shape); i++) {
        const int64_t extent = dwn_shape_extent(shape, i);
        product = times(product, extent < 1 ? -1 : extent);
    }
    return product;
}

int64_t dwn_layer_plain(const dwn_layer *layer)
{
    return times(times(times(1, layer->y_dim), layer->x_dim), layer->z_dim);
}

int64_t dwn_layer_elements(const dwn_layer *layer)
{
    return layer->shape ? dwn_shape_elements(layer->shape) : dwn_layer_plain(layer);
}

int64_t dwn_layer_actual(const dwn_layer *layer)
{
    const dwn_type_row *const type = dwn_type_of(layer->data_type);
    return times(times(dwn_layer_elements(layer), type ? type->size : -1),
                 layer->execution_count_per_inference);
}

int64_t dwn_layer_padded(const dwn_layer *layer)
{
    return times(times(1, layer->size_bytes), layer->execution_count_per_inference);
}

const dwn_layer *dwn_layer_find(const dwn_layer *layers, uint32_t count, hoist_str name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (hoist_str_equal(layers[i].name, name)) {
            return &layers[i];
        }
    }
    return NULL;
}

// "state_variable_output" is the state of input "state" (LE custom_op_user_data_direct.cc).
hoist_str dwn_layer_state_of(const dwn_layer *output)
{
    const hoist_str ending = HOIST_STR("_variable_output");
    if (!hoist_str_ends_with(output->name, ending.data)) {
        return (hoist_str){NULL, 0};
    }
    return (hoist_str){output->name.data, output->name.size - ending.size};
}

bool dwn_layer_is_state(const dwn_layer *output, const dwn_executable *executable)
{
    const hoist_str input = dwn_layer_state_of(output);
    return input.data &&
           dwn_layer_find(executable->input_layers.items, executable->input_layers.count, input);
}
