// kernels/ark_elements.h - how rows of the profile ark store floats, and find their output.
#ifndef HOIST_SRC_KERNELS_ARK_ELEMENTS_H
#define HOIST_SRC_KERNELS_ARK_ELEMENTS_H

#include "kernels/compute_table.h"
#include "tensor/convert.h"
#include "tensor/float_bits.h"

#define HOIST_ARK_UNIT 512 // elements of a unit of rows that go element by element

static inline const hoist_view *hoist_ark_output(const hoist_compute_call *call)
{
    return &call->views[call->input_count];
}

static inline bool hoist_ark_is_float(hoist_dtype dtype)
{
    return hoist_dtype_get(dtype)->kind == HOIST_CLASS_FLOAT;
}

// `x`, and the one NaN that the profile stores: machines differ in the sign of the NaN of an
// invalid operation, compilers in which of two NaNs an operation takes.
static inline float hoist_ark_settle(float x)
{
    return x == x ? x : hoist_f32_from_bits(0x7fc00000);
}

// `x` as `dtype`, a float type, stores it.
static inline float hoist_ark_round(hoist_dtype dtype, float x)
{
    const hoist_rounding nearest = {HOIST_ROUND_NEAREST, false};
    return dtype == HOIST_DTYPE_F32 ? x : hoist_to_f32(dtype, hoist_from_f32(dtype, x, nearest));
}

#endif // HOIST_SRC_KERNELS_ARK_ELEMENTS_H
