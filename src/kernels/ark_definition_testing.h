// kernels/ark_definition_testing.h - rows of the profile ark by their definitions, one element
// after the other, for tests of the kernels.
#ifndef HOIST_SRC_KERNELS_ARK_DEFINITION_TESTING_H
#define HOIST_SRC_KERNELS_ARK_DEFINITION_TESTING_H

#include "kernels/compute.h"

// The complete call, whose op goes element by element; reduces.
void ark_define(const hoist_compute_call *call);
void ark_define_reduction(const hoist_compute_call *call);

#endif // HOIST_SRC_KERNELS_ARK_DEFINITION_TESTING_H
