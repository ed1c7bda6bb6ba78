// edgetpu/nested_testing.h - a TFLite file with a compiled operator, for tests and examples.
#ifndef HOIST_SRC_EDGETPU_NESTED_TESTING_H
#define HOIST_SRC_EDGETPU_NESTED_TESTING_H

#include "formats/darwinn/package_testing.h"

// A model whose one operator is an Edge TPU package of the kind DWN_PAIR: its input `image` and its
// outputs `grid` and `scores` fit the package's layers. In the test's arena.
hoist_bytes hoist_test_edgetpu_file(hoist_test *t);
// The same with so many of that operator.
hoist_bytes hoist_test_edgetpu_files(hoist_test *t, uint32_t operators);
// The same with the package of `draft`, whose first executable has those layers.
hoist_bytes hoist_test_edgetpu_file_of(const dwn_draft *draft);
// The same of the kind DWN_LAYERS, whose layers can be recovered.
hoist_bytes hoist_test_layers_file(hoist_test *t);

// A TFLite model or a package, with what is nested in it, as load/ opens them.
typedef struct edgetpu_file {
    hoist_file file;
    hoist_module *module; // owned
    hoist_nested *nested; // arena; its modules are owned
    hoist_arena arena;
} edgetpu_file;

// Opens bytes that outlive the file. HOIST_OK, and edgetpu_close() frees it; else it is freed.
HOIST_NODISCARD hoist_status edgetpu_open(hoist_bytes bytes, hoist_allocator alloc,
                                          hoist_diag *diag, edgetpu_file *out_file);
void edgetpu_close(edgetpu_file *file); // one of zeros is allowed

#endif // HOIST_SRC_EDGETPU_NESTED_TESTING_H
