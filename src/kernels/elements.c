// Lines of elements: a strided view of any layout and type in, elements of it in C order as bytes
// of a line out, and back; a line as float32. ieee.c, plain_*.c and quant_elements.c work on such
// lines.
#include "kernels/elements.h"

#include <string.h>

#include "tensor/convert.h"
#include "tensor/element.h"
#include "tensor/float_bits.h"

// Types of views have whole bytes.
size_t hoist_element_size(hoist_dtype dtype)
{
    return hoist_dtype_get(dtype)->bits / 8;
}

// The place of an element, and how many more are evenly spaced behind it.
typedef struct run {
    uint8_t *first;
    int64_t stride;
    size_t count;
} run;

// The elements from number `at` to the end of its innermost dimension, at most `most`.
static run run_at(const hoist_view *view, uint64_t at, size_t most)
{
    int64_t offset = view->offset;
    run r = {NULL, 0, 1};
    // The number of the element by its indices, the innermost first.
    for (int i = view->shape.rank - 1; i >= 0; i--) {
        const uint64_t dim = (uint64_t)view->shape.dim[i];
        const uint64_t index = at % dim;
        at /= dim;
        offset += (int64_t)index * view->stride[i];
        if (i == view->shape.rank - 1) {
            r.stride = view->stride[i];
            r.count = dim - index < most ? (size_t)(dim - index) : most;
        }
    }
    r.first = view->memory.data + offset;
    return r;
}

// Elements of a run side by side into a line.
static void gather(const run *r, size_t size, uint8_t *line)
{
    // Without gaps it is one copy.
    if (r->stride == (int64_t)size) {
        memcpy(line, r->first, r->count * size);
        return;
    }
    for (size_t i = 0; i < r->count; i++) {
        memcpy(line + i * size, r->first + (int64_t)i * r->stride, size);
    }
}

// A line into the elements of a run, spread out again.
static void scatter(const run *r, size_t size, const uint8_t *line)
{
    if (r->stride == (int64_t)size) {
        memcpy(r->first, line, r->count * size);
        return;
    }
    for (size_t i = 0; i < r->count; i++) {
        memcpy(r->first + (int64_t)i * r->stride, line + i * size, size);
    }
}

// Run by run, as dimensions inside are evenly spaced.
void hoist_elements_read(const hoist_view *view, uint64_t begin, size_t count, uint8_t *line)
{
    const size_t size = hoist_element_size(view->dtype);
    while (count > 0) {
        const run r = run_at(view, begin, count);
        gather(&r, size, line);
        // The next run, and its place in the line.
        begin += r.count;
        count -= r.count;
        line += r.count * size;
    }
}

void hoist_elements_write(const hoist_view *view, uint64_t begin, size_t count, const uint8_t *line)
{
    const size_t size = hoist_element_size(view->dtype);
    while (count > 0) {
        const run r = run_at(view, begin, count);
        scatter(&r, size, line);
        begin += r.count;
        count -= r.count;
        line += r.count * size;
    }
}

bool hoist_elements_are_floats(hoist_dtype dtype)
{
// Elements are little-endian; so are floats of such machines.
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return dtype == HOIST_DTYPE_F32;
#else
    (void)dtype;
    return false;
#endif
}

void hoist_elements_to_f32(hoist_dtype dtype, const uint8_t *line, size_t count, float *values)
{
    // In memory as the machine has them.
    if (hoist_elements_are_floats(dtype)) {
        memcpy(values, line, count * sizeof *values);
        return;
    }
    const size_t size = hoist_element_size(dtype);
    for (size_t i = 0; i < count; i++) {
        values[i] = hoist_to_f32(dtype, hoist_element_load(line + i * size, size));
    }
}

void hoist_elements_from_f32(hoist_dtype dtype, const float *values, size_t count, uint8_t *line)
{
    if (hoist_elements_are_floats(dtype)) {
        memcpy(line, values, count * sizeof *values);
        return;
    }
    for (size_t i = 0; dtype == HOIST_DTYPE_F32 && i < count; i++) { // NaNs as they are
        hoist_store_u32le(line + 4 * i, hoist_f32_to_bits(values[i]));
    }
    if (dtype == HOIST_DTYPE_F32) {
        return;
    }
    const hoist_rounding nearest = {HOIST_ROUND_NEAREST, false};
    const size_t size = hoist_element_size(dtype);
    for (size_t i = 0; i < count; i++) {
        // One by one, by the definition of the type.
        hoist_element_store(line + i * size, size, hoist_from_f32(dtype, values[i], nearest));
    }
}

// First byte of a view that has elements, and the one behind its last.
static void extent_of(const hoist_view *view, uintptr_t *out_begin, uintptr_t *out_end)
{
    int64_t least = view->offset;
    int64_t most = view->offset + (int64_t)hoist_element_size(view->dtype);
    for (int i = 0; i < view->shape.rank; i++) {
        // Negative strides reach to lower addresses.
        const int64_t reach = (view->shape.dim[i] - 1) * view->stride[i];
        *(reach < 0 ? &least : &most) += reach;
    }
    *out_begin = (uintptr_t)(view->memory.data + least);
    *out_end = (uintptr_t)(view->memory.data + most);
}

bool hoist_elements_may_overlap(const hoist_view *a, const hoist_view *b)
{
    // Without elements there is no byte to share.
    if (hoist_shape_count(&a->shape) == 0 || hoist_shape_count(&b->shape) == 0) {
        return false;
    }
    uintptr_t a_begin, a_end, b_begin, b_end;
    extent_of(a, &a_begin, &a_end);
    extent_of(b, &b_begin, &b_end);
    return a_begin < b_end && b_begin < a_end;
}
