// formats/tflite/cost.h - what operators cost: multiply-accumulates and bytes of parameters.
#ifndef HOIST_SRC_FORMATS_TFLITE_COST_H
#define HOIST_SRC_FORMATS_TFLITE_COST_H

#include "formats/tflite/module.h"

// Multiply-accumulates of one run of a convolution or dense layer, by the shapes of its tensors.
// False, with 0, for all other operators, and where shapes are missing or their product overflows.
bool tflite_macs(const tflite_model *model, const tflite_subgraph *graph, const tflite_operator *op,
                 uint64_t *out_macs);
// Bytes of the constants among its inputs.
uint64_t tflite_parameter_bytes(const tflite_module *module, const tflite_subgraph *graph,
                                const tflite_operator *op);
// Bytes of all buffers that tensors have, each counted once. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status tflite_constant_bytes(const tflite_module *module,
                                                   uint64_t *out_bytes);

#endif // HOIST_SRC_FORMATS_TFLITE_COST_H
