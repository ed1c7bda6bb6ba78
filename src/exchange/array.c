#include "hoist/exchange.h"

#include "base/alloc.h"
#include "base/checked.h"
#include "tensor/convert.h"
#include "tensor/element.h"

void hoist_array_deinit(hoist_array *array, hoist_allocator alloc)
{
    hoist_free(alloc, array->owned, array->data.size);
    *array = (hoist_array){0};
}

size_t hoist_array_element_size(hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    return info->kind == HOIST_CLASS_BLOCK ? 0 : info->bits / 8u;
}

bool hoist_array_size(const hoist_array *array, uint64_t *out_size)
{
    int64_t size = (int64_t)hoist_array_element_size(array->dtype);
    *out_size = 0;
    for (uint32_t i = 0; i < array->rank; i++) {
        if (array->shape[i] == 0) {
            return false;
        }
    }
    for (uint32_t i = 0; i < array->rank; i++) {
        if (hoist_ckd_mul_i64(&size, size, array->shape[i])) {
            return true;
        }
    }
    *out_size = (uint64_t)size;
    return false;
}

hoist_status hoist_array_floats(const hoist_array *array, float *out)
{
    const size_t size = hoist_array_element_size(array->dtype);
    if (size == 0 || hoist_dtype_get(array->dtype)->kind == HOIST_CLASS_RAW) {
        return HOIST_UNSUPPORTED;
    }
    for (size_t i = 0; i < array->data.size / size; i++) {
        const uint64_t bits = hoist_element_load(array->data.data + i * size, size);
        out[i] = hoist_to_f32(array->dtype, bits);
    }
    return HOIST_OK;
}
