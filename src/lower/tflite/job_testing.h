// lower/tflite/job_testing.h - for tests: models of one operator, lowered.
#ifndef HOIST_SRC_LOWER_TFLITE_JOB_TESTING_H
#define HOIST_SRC_LOWER_TFLITE_JOB_TESTING_H

#include "formats/tflite/tflite_testing.h"
#include "lower/tflite/lower.h"

// A model of one operator. `tensors`: its inputs, " > ", its outputs, each list with commas:
// "i8 1x4x4x2 0.5 -3" is an int8 tensor with scale and zero point, "i8 2x2 0.5/0.25 0" one with a
// scale for each index of its first dimension, "i8 2x2@1 0.5/0.25 0" of its second, "i32 2 = 1 4" a
// constant, "i32 - = 7" a scalar, "none" an input that is left out. Inputs that are no constants
// are those of the model. Tensor i is called "t0" and so on. `options`: of the operator's kind;
// NULL: none.
tflite_model *tflite_job_model(hoist_test *t, int32_t op, const char *tensors, const void *options);
// Writes, reads and lowers a model; `*out_program` is the caller's, NULL when there is none.
hoist_status tflite_job_lower(hoist_test *t, const tflite_model *model,
                              const hoist_lower_options *options, hoist_program **out_program);
// The steps of its function as text, one a line, without labels.
hoist_str tflite_job_steps(hoist_test *t, const hoist_program *program);
// The text of a lowered model, which the verifier passes; empty: it was not lowered.
hoist_str tflite_job_text(hoist_test *t, const tflite_model *model,
                          const hoist_lower_options *options);

#endif // HOIST_SRC_LOWER_TFLITE_JOB_TESTING_H
