// runtime/form.h - the form of a compute step: a call of its kernel with types, shapes and strides
// but without data, for what is to be known before the first run.
#ifndef HOIST_SRC_RUNTIME_FORM_H
#define HOIST_SRC_RUNTIME_FORM_H

#include "kernels/compute.h"
#include "program/program.h"

// A call of `step` whose views are the inputs', then the output's; none of their elements may be
// read. `views` has space for all operands, and the call borrows them. False: `step` is no compute
// step on views.
bool hoist_form_of_step(const hoist_program *program, const hoist_prog_step *step,
                        hoist_view *views, hoist_compute_call *out_call);

#endif // HOIST_SRC_RUNTIME_FORM_H
