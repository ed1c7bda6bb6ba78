// Reading the golden vectors: .npy arrays and the spelling of Tenstorrent's formats.
#ifndef HOIST_TESTS_CORPUS_VECTORS_H
#define HOIST_TESTS_CORPUS_VECTORS_H

#include "hoist/tensor.h"

#include "testing/test.h"

// The data of the .npy file `path` (C order, little-endian), in the test's arena; data NULL when
// the file is absent or not an array.
hoist_bytes vectors_npy(hoist_test *t, const char *path);

// The same as `count` floats; NULL when the file is absent or has another size.
float *vectors_floats(hoist_test *t, const char *path, size_t count);

// Element type by the name a netlist gives it ("Bfp8_b"); HOIST_DTYPE_NONE when unknown.
hoist_dtype vectors_dtype(hoist_str name);

// Number of differing bytes; reports the first one as a failure of the current row.
size_t vectors_compare(hoist_test *t, const char *what, hoist_bytes got, hoist_bytes wanted);

// The same for floats, by bit pattern.
size_t vectors_compare_floats(hoist_test *t, const char *what, const float *got,
                              const float *wanted, size_t count);

#endif // HOIST_TESTS_CORPUS_VECTORS_H
