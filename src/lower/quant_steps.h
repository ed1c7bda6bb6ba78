// lower/quant_steps.h - what the parts of lower/quant.h share.
#ifndef HOIST_SRC_LOWER_QUANT_STEPS_H
#define HOIST_SRC_LOWER_QUANT_STEPS_H

#include "lower/quant.h"
#include "ops/multiplier.h"

// A step to be: operands in the order of the row, inputs first.
typedef struct hoist_quant_step {
    hoist_compute_op op;
    hoist_compute_attrs attrs;
    const hoist_lower_view *operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
} hoist_quant_step;

// Checks the operands and attributes, and adds the step. Statuses as in quant.h.
HOIST_NODISCARD hoist_status hoist_quant_compute(hoist_quant_layers *layers,
                                                 const hoist_quant_step *step);

// The strides, pads and dilations of a convolution.
void hoist_quant_put_window(hoist_quant_step *step, const hoist_quant_window *window);

// The operands of a step of two tensors; a and b are stretched to the shape of y into `views`,
// which live as long as the step. HOIST_OK; HOIST_UNSUPPORTED: they cannot be.
HOIST_NODISCARD hoist_status hoist_quant_put_pair(hoist_quant_layers *layers,
                                                  const hoist_quant_pair *pair,
                                                  hoist_lower_view views[2],
                                                  hoist_quant_step *step);

// Says what does not fit; HOIST_UNSUPPORTED.
hoist_status hoist_quant_refuse(hoist_quant_layers *layers, const char *format, ...)
    HOIST_PRINTF(2, 3);
// The factor as an integer multiplier and a shift; a factor that has none is refused.
HOIST_NODISCARD hoist_status hoist_quant_factor(hoist_quant_layers *layers, double factor,
                                                hoist_multiplier *out_multiplier);
// A number as an integer attribute: rounded half to even; far beyond any that
// fits when it is.
int64_t hoist_quant_rounded(double number);

// A new constant of these bytes, which live as long as the arena; "constant/0" and so on.
hoist_ref hoist_quant_constant(hoist_quant_layers *layers, hoist_bytes bytes);
// Zeros of a type of 32 or 64 bits, none of which has bytes of its own.
hoist_lower_view hoist_quant_zeros(hoist_quant_layers *layers, hoist_dtype dtype, int64_t count);

#endif // HOIST_SRC_LOWER_QUANT_STEPS_H
