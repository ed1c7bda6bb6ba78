// lower/tflite/lower.h - models: of each the first subgraph, with the arithmetic of TFLite's
// reference kernels; operators that are compiled for an Edge TPU as the layers of their packages
// (lower/darwinn/lower.h). Inputs and outputs have the names of their tensors; where there is none,
// or another tensor has it, "0/12" of tensor 12. The entry is "run"; of several files, which share
// one Edge TPU, each has an entry of its own, too (lower/darwinn/models.h).
#ifndef HOIST_SRC_LOWER_TFLITE_LOWER_H
#define HOIST_SRC_LOWER_TFLITE_LOWER_H

#include "lower/lower.h"

HOIST_NODISCARD hoist_lower_fn tflite_lower;

#endif // HOIST_SRC_LOWER_TFLITE_LOWER_H
