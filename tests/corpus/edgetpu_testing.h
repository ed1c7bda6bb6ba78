// tests/corpus/edgetpu_testing.h - the compiled models of the corpus, and the packages in them.
#ifndef HOIST_TESTS_CORPUS_EDGETPU_TESTING_H
#define HOIST_TESTS_CORPUS_EDGETPU_TESTING_H

#include "formats/darwinn/module.h"
#include "testing/test.h"

// Calls `visit` for each compiled model, as a row. False: the corpus is absent.
bool edgetpu_each_file(hoist_test *t, hoist_test_visit *visit, void *self);

// A TFLite model; NULL and a failed test where it does not read. Owned by the caller:
// tflite_destroy.
hoist_module *edgetpu_model(hoist_test *t, hoist_bytes file);
// The packages of such a model, of which there must be one: payloads that the test's arena has.
const hoist_payload *edgetpu_payloads(hoist_test *t, const hoist_module *model, size_t *out_count);
// The packages that are a payload; NULL and a failed test where they do not read. Owned by the
// caller: dwn_destroy.
hoist_module *edgetpu_read(hoist_test *t, const hoist_payload *payload);

// Calls `visit` for the packages of each operator of a compiled model.
typedef void edgetpu_visit(hoist_test *t, const hoist_payload *payload, hoist_module *module,
                           void *self);
void edgetpu_each_payload(hoist_test *t, const char *path, edgetpu_visit *visit, void *self);

// The first package of a file by its identifier alone, and what is behind it; empty: there is none.
hoist_bytes edgetpu_package_in(hoist_bytes file);

#endif // HOIST_TESTS_CORPUS_EDGETPU_TESTING_H
