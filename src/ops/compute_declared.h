// ops/compute_declared.h - attributes of the rows of the profile declared: the golden profile's
// arithmetic, with results rounded to the types that a netlist declares. Floats are rounded to
// nearest, ties to even, block floats and integers as the host's packer does. F32: as it is.
#ifndef HOIST_SRC_OPS_COMPUTE_DECLARED_H
#define HOIST_SRC_OPS_COMPUTE_DECLARED_H

#include "ops/compute.h"

enum {
    HOIST_DECLARED_DTYPE = 0, // round: to this type and back
    // matmul: sums of `block` tiles of the inner dimension are rounded to `acc`, and, if more
    // follow, to `spill`.
    HOIST_DECLARED_BLOCK = 0,
    HOIST_DECLARED_ACC,
    HOIST_DECLARED_SPILL,
    // dropout: as golden's, but tile n of the result draws from a twister seeded with seed + n.
    HOIST_DECLARED_SEED = 2,
};

#endif // HOIST_SRC_OPS_COMPUTE_DECLARED_H
