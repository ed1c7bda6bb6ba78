// lower/darwinn/bench_testing.h - for tests: a model on a chip, and code that is built for it.
#ifndef HOIST_SRC_LOWER_DARWINN_BENCH_TESTING_H
#define HOIST_SRC_LOWER_DARWINN_BENCH_TESTING_H

#include "formats/darwinn/package_testing.h"
#include "lower/darwinn/border.h"
#include "lower/darwinn/model.h"

enum { DARWINN_BENCH_MODELS = 8 };

// A chip without a driver, and a model that has nothing yet. Points into itself.
typedef struct darwinn_bench {
    hoist_test *t;
    hoist_lower_context c;
    hoist_lower_options options;
    dwn_module module; // no file
    dwn_module *modules[DARWINN_BENCH_MODELS];
    size_t module_count;
    darwinn_lower_chip chip;
    darwinn_lower_model model;
} darwinn_bench;

// Findings go to the test's diag. Without memory c.b is NULL.
void darwinn_bench_begin(hoist_test *t, darwinn_bench *bench, hoist_allocator alloc);
void darwinn_bench_end(darwinn_bench *bench);
// Another model, of a package: what comes before the driver's walk, with layers of the test's own
// in place of recovered ones. They take `image` of a draft and give
//
//     grid    [y, x, z] = image [y, x, z mod 3]
//     scores  [i] = the first elements of image
//
// HOIST_OK, HOIST_UNSUPPORTED (executions), or as dwn_test_read(). The module is closed with the
// bench.
hoist_status darwinn_bench_open(darwinn_bench *bench, hoist_bytes package, const char *name,
                                darwinn_lower_model *out_model);
// The same of any package, whose outputs all have the first number of the first input.
hoist_status darwinn_bench_open_any(darwinn_bench *bench, hoist_bytes package, const char *name,
                                    darwinn_lower_model *out_model);
// An output layer of a square whose pixels stand for themselves, in tiles all over the buffer; and
// `count` numbers 0, step, 2 * step ..., as maps of layouts have them. In the test's arena.
dwn_layer *darwinn_bench_scattered(hoist_test *t, int32_t side);
hoist_bytes darwinn_bench_ramp(hoist_test *t, size_t count, int32_t step);
// What has failed so far.
hoist_status darwinn_bench_status(const darwinn_bench *bench);
// A buffer of so many elements that begin as zeros, for the caller to write and to fetch.
hoist_lower_view darwinn_bench_buffer(darwinn_bench *bench, const char *name, hoist_dtype dtype,
                                      int64_t elements);
// Begins the thread that the entry `run` starts; until darwinn_bench_finish().
void darwinn_bench_thread(darwinn_bench *bench);
// The program, which the caller owns; NULL and a failed test: there is none.
hoist_program *darwinn_bench_finish(darwinn_bench *bench);
// Finishes, and gives the steps of the thread as text, one a line, without labels.
hoist_str darwinn_bench_steps(darwinn_bench *bench);
// The boxes of an output have each element once, where the layer's order says.
void darwinn_expect_order(hoist_test *t, const darwinn_lower_border *border);

#endif // HOIST_SRC_LOWER_DARWINN_BENCH_TESTING_H
