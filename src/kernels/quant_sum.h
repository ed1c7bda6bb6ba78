// kernels/quant_sum.h - sums of quantised numbers: what quant_sum_level.c and the definition in
// quant_elements.c share.
#ifndef HOIST_SRC_KERNELS_QUANT_SUM_H
#define HOIST_SRC_KERNELS_QUANT_SUM_H

#include "kernels/compute.h"

enum { HOIST_QUANT_UNIT = 1024 }; // elements of a unit of work

// Units of a call that goes element by element.
size_t hoist_quant_elements_work(const hoist_compute_call *call);

// tflite.add, or with `negates` tflite.subtract, as they are defined, of any type.
void hoist_quant_sum(const hoist_compute_call *call, bool negates, size_t begin, size_t end);

#endif // HOIST_SRC_KERNELS_QUANT_SUM_H
