// kernels/ark_testing.h - tensors of any type from numbers, for tests of the rows of the profile
// ark, and calls at every CPU level, complete and unit by unit.
#ifndef HOIST_SRC_KERNELS_ARK_TESTING_H
#define HOIST_SRC_KERNELS_ARK_TESTING_H

#include <math.h>
#include <string.h>

#include "kernels/compute.h"
#include "tensor/convert.h"
#include "tensor/element.h"
#include "testing/test.h"

enum { ARK_MOST = 1 << 20 }; // elements of a tensor

#define ARK_GAP 77 // what is between the elements of an output

typedef struct ark_tensor {
    hoist_dtype dtype;
    size_t count;
    size_t size; // of an element, bytes
    uint8_t bytes[4 * ARK_MOST];
} ark_tensor;

// `number` rounded to `dtype`; integers exactly.
static inline uint64_t ark_bits(hoist_dtype dtype, double number)
{
    return hoist_from_f64(dtype, number, (hoist_rounding){HOIST_ROUND_NEAREST, false});
}

// The same as the profile stores it: there is one NaN.
static inline uint64_t ark_result(hoist_dtype dtype, double number)
{
    return ark_bits(dtype, isnan(number) ? copysign((double)NAN, 1) : number);
}

static inline void ark_set(ark_tensor *x, size_t at, uint64_t bits)
{
    hoist_element_store(x->bytes + at * x->size, x->size, bits);
}

static inline uint64_t ark_get(const ark_tensor *x, size_t at)
{
    return hoist_element_load(x->bytes + at * x->size, x->size);
}

static inline void ark_begin(ark_tensor *x, hoist_dtype dtype, size_t count)
{
    x->dtype = dtype;
    x->count = count;
    x->size = hoist_dtype_get(dtype)->bits / 8;
    for (size_t i = 0; i < count; i++) {
        ark_set(x, i, ark_bits(dtype, ARK_GAP));
    }
}

// `count` elements: those that `numbers` are, over and over when it is shorter than that.
static inline void ark_fill(ark_tensor *x, hoist_dtype dtype, const double *numbers, size_t given,
                            size_t count)
{
    ark_begin(x, dtype, count);
    for (size_t i = 0; i < count; i++) {
        ark_set(x, i, ark_bits(dtype, numbers[i % given]));
    }
}

// A view of the elements; `offset` and `strides` in elements, NULL: without gaps.
static inline hoist_view ark_view(hoist_test *t, ark_tensor *x, const hoist_shape *shape,
                                  int64_t offset, const int64_t *strides)
{
    hoist_view view = {.dtype = x->dtype};
    int64_t bytes[HOIST_MAX_RANK] = {0};
    for (int i = 0; strides && i < shape->rank; i++) {
        bytes[i] = strides[i] * (int64_t)x->size;
    }
    HOIST_EXPECT_EQ(t,
                    hoist_view_init((hoist_mut_bytes){x->bytes, x->count * x->size}, x->dtype,
                                    shape, offset * (int64_t)x->size, strides ? bytes : NULL,
                                    &view),
                    HOIST_OK);
    return view;
}

// The same in a row of a table.
typedef struct ark_operand {
    hoist_shape shape;
    int64_t offset;
    int64_t strides[4];
    bool is_strided;
} ark_operand;

static inline hoist_view ark_view_of(hoist_test *t, ark_tensor *x, const ark_operand *o)
{
    int64_t strides[HOIST_MAX_RANK] = {0};
    memcpy(strides, o->strides, sizeof o->strides);
    return ark_view(t, x, &o->shape, o->offset, o->is_strided ? strides : NULL);
}

// The call with `size` bytes of scratch memory, filled with NaN; it borrows them from the arena.
static inline hoist_compute_call ark_with_scratch(hoist_test *t, const hoist_compute_call *call,
                                                  size_t size)
{
    enum { ALIGNMENT = 64 };
    hoist_compute_call with = *call;
    if (size) {
        uint8_t *const bytes = hoist_arena_alloc(&t->arena, size + ALIGNMENT);
        memset(bytes, 0xff, size + ALIGNMENT);
        with.scratch = (hoist_mut_bytes){bytes + (0 - (uintptr_t)bytes) % ALIGNMENT, size};
    }
    return with;
}

// Runs the call at every level, complete with the memory that it asks for and unit by unit without,
// each time on the tensor `y` as it is now, which must then be `expected`.
static inline void ark_expect(hoist_test *t, const hoist_compute_call *call, ark_tensor *y,
                              const ark_tensor *expected)
{
    const size_t units = hoist_compute_work(call);
    uint8_t *const before = hoist_arena_alloc(&t->arena, y->count * y->size);
    memcpy(before, y->bytes, y->count * y->size);
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at(level);
        const hoist_compute_call with =
            ark_with_scratch(t, call, hoist_compute_scratch_size(kernels, call));
        HOIST_EXPECT(t, with.scratch.size <= HOIST_COMPUTE_MAX_SCRATCH);
        for (int pass = 0; pass < 2; pass++) {
            const size_t step = pass == 0 ? units : 1;
            hoist_compute_fault fault;
            memcpy(y->bytes, before, y->count * y->size);
            for (size_t at = 0; at < units; at += step) {
                HOIST_EXPECT_EQ(
                    t, hoist_compute_run(kernels, pass == 0 ? &with : call, at, at + step, &fault),
                    HOIST_OK);
            }
            for (size_t i = 0; i < y->count; i++) {
                HOIST_EXPECT_EQ(t, ark_get(y, i), ark_get(expected, i));
            }
        }
    }
}

#endif // HOIST_SRC_KERNELS_ARK_TESTING_H
