// lower/quant_testing.h - for the tests of lower/quant.h and quant_plain.h: a function under
// construction over three buffers, and the text of the steps that were added to it.
//
// In: layers, added to `layers` of the bench. Out: the lines of the program that they made.
#ifndef HOIST_SRC_LOWER_QUANT_TESTING_H
#define HOIST_SRC_LOWER_QUANT_TESTING_H

#include "lower/quant.h"
#include "testing/test.h"

// Buffers a, w and y of QUANT_TEST_BYTES each.
typedef struct quant_bench {
    hoist_module module; // no file
    hoist_lower_context c;
    hoist_quant_layers layers;
    hoist_ref a, w, y;
} quant_bench;

enum { QUANT_TEST_BYTES = 512 };

// Begins the program and its function; quant_test_end() or quant_test_drop() ends both.
HOIST_NODISCARD hoist_status quant_test_begin(quant_bench *n, hoist_requantization how,
                                              hoist_allocator alloc, hoist_diag *diag);
// The constants and steps of the program, which passes the verifier; a line each, in t->arena.
hoist_str quant_test_end(hoist_test *t, quant_bench *n);
// Ends without a look at the program; the status of finishing it.
hoist_status quant_test_drop(quant_bench *n);

// A dense view of a buffer.
hoist_lower_view quant_test_view(hoist_ref of, hoist_dtype dtype, hoist_shape shape, int64_t zero);

#endif // HOIST_SRC_LOWER_QUANT_TESTING_H
