// lower/tensors/lower.h - a text of tensors as one thread of its ops, in the order of the file. A
// buffer has the name of its tensor; callers fill inputs and fetch outputs. The entry is "run".
#ifndef HOIST_SRC_LOWER_TENSORS_LOWER_H
#define HOIST_SRC_LOWER_TENSORS_LOWER_H

#include "lower/lower.h"

HOIST_NODISCARD hoist_lower_fn tensors_lower;

#endif // HOIST_SRC_LOWER_TENSORS_LOWER_H
