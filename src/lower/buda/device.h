// lower/buda/device.h - what the parts of the numerics `device` share; state.h has their entries.
//
// device.c          entries: what no op may have, the part that lowers each op
// device_source.c   formats: sources, register, packer; steps that all parts use
// device_vector.c   functions of the vector unit
// device_matrix.c   add, subtract, multiply, copies, splices, reductions
// device_product.c  matmuls, dense and sparse
// device_fused.c    sub-ops of fused ops
//
// A part that cannot give the bits of the device refuses the op: it is reported and the value is
// buda_lower_none(). Inputs are of their declared formats and in memory, the register is a value of
// the steps in ops/compute_device.h.
#ifndef HOIST_SRC_LOWER_BUDA_DEVICE_H
#define HOIST_SRC_LOWER_BUDA_DEVICE_H

#include "lower/buda/state.h"
#include "ops/compute_device.h"

// Choices that hold for one op.
typedef struct buda_device {
    buda_lower_code *c;
    hoist_device_arch arch;
    hoist_device_dest dest;
    hoist_device_source single; // what a Float32 is unpacked to
    buda_df inputs[BUDA_MAX_INPUTS];
    const buda_attributes *attributes; // of the function: the op's, or a sub-op's
} buda_device;

// Formats and steps: device_source.c --------------------------------------------------------------

// The choices for the op at hand.
buda_device buda_device_of(buda_lower_code *c);
// Reports that the op at hand needs `what` (RUN-045), at `pos` or at its name; gives no value.
buda_lower_value buda_device_refuse(const buda_device *d, hoist_pos pos, const char *what);
// The source that `df` is unpacked to; false where its unpacking is not known.
bool buda_device_source_of(const buda_device *d, buda_df df, hoist_device_source *out);
// The source of input `i` in out[i]; its exponents are as wide as those of out[0]. False: refused.
bool buda_device_source_at(const buda_device *d, size_t i, hoist_device_source *out);
// Those of the first `count` inputs; false when one is refused.
bool buda_device_sources(const buda_device *d, size_t count, hoist_device_source *out);
// True when the packer makes `df` of the register.
bool buda_device_packs(const buda_device *d, buda_df df);
// The source of sums that go over the op's memory as intermed_df, next to `first`; false: refused.
bool buda_device_spill_source(const buda_device *d, hoist_device_source first,
                              hoist_device_source *out);
// Attributes of a product, sum or difference of two sources.
hoist_compute_attrs buda_device_attrs(const buda_device *d, const hoist_device_source *source);
// The register in memory, as `df`; `relu` (NULL: none) is applied by the packer.
buda_lower_value buda_device_packed(const buda_device *d, buda_lower_value from, buda_df df,
                                    const buda_attributes *relu);
// The register after a move of one input to it.
buda_lower_value buda_device_moved(const buda_device *d, hoist_device_source source,
                                   buda_lower_value input);

// The vector unit: device_vector.c ----------------------------------------------------------------

// The reason why `op` is refused as a function of the vector unit; NULL: it is known.
const char *buda_device_unknown_function(const buda_device *d, hoist_op op);
// `op`, which is known, on the register.
buda_lower_value buda_device_applied(const buda_device *d, hoist_op op, buda_lower_value from);
// An op that is one function.
buda_lower_value buda_device_unary(const buda_device *d, const buda_lower_value *inputs);
// The greater one of each element of two registers.
buda_lower_value buda_device_greater(const buda_device *d, buda_lower_value a, buda_lower_value b);
// The op `maximum`.
buda_lower_value buda_device_maximum(const buda_device *d, const buda_lower_value *inputs);

// The matrix unit: device_matrix.c, device_product.c ----------------------------------------------

// True of add, subtract, multiply.
bool buda_device_is_combined(hoist_op op);
// The register after one of them on two inputs.
buda_lower_value buda_device_combined(const buda_device *d, hoist_op op,
                                      const hoist_device_source *source,
                                      const buda_lower_value *inputs);
// An op with two inputs.
buda_lower_value buda_device_binary(const buda_device *d, const buda_lower_value *inputs);
// A datacopy or nop.
buda_lower_value buda_device_copy(const buda_device *d, const buda_lower_value *inputs);
// A splice.
buda_lower_value buda_device_splice(const buda_device *d, const buda_lower_value *inputs);
// A reduction of rows, columns or slices.
buda_lower_value buda_device_reduce(const buda_device *d, const buda_lower_value *inputs);
// A matmul, dense or sparse.
buda_lower_value buda_device_matmul(const buda_device *d, const buda_lower_value *inputs);

#endif // HOIST_SRC_LOWER_BUDA_DEVICE_H
