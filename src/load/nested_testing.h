// load/nested_testing.h - a TFLite file with a compiled operator, for tests and examples.
#ifndef HOIST_SRC_LOAD_NESTED_TESTING_H
#define HOIST_SRC_LOAD_NESTED_TESTING_H

#include "formats/darwinn/package_testing.h"

// A model whose one operator is an Edge TPU package of the kind DWN_PAIR: its input `image` and its
// outputs `grid` and `scores` fit the package's layers. In the test's arena.
hoist_bytes hoist_test_edgetpu_file(hoist_test *t);
// The same with the package of `draft`, whose first executable has those layers.
hoist_bytes hoist_test_edgetpu_file_of(const dwn_draft *draft);
// The same of the kind DWN_LAYERS, whose layers can be recovered.
hoist_bytes hoist_test_layers_file(hoist_test *t);

#endif // HOIST_SRC_LOAD_NESTED_TESTING_H
