// lower/darwinn/lower.h - packages for an Edge TPU, by the layers that are recovered from them.
// Inputs and outputs have the names of their layers. Entries as those of lower/tflite/lower.h.
#ifndef HOIST_SRC_LOWER_DARWINN_LOWER_H
#define HOIST_SRC_LOWER_DARWINN_LOWER_H

#include "lower/lower.h"

HOIST_NODISCARD hoist_lower_fn darwinn_lower;

#endif // HOIST_SRC_LOWER_DARWINN_LOWER_H
