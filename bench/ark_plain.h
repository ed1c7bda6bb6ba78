// bench/ark_plain.h - rows of the profile ark as plain C loops over dense elements, what a user
// would write; compiled for one CPU level.
#ifndef HOIST_BENCH_ARK_PLAIN_H
#define HOIST_BENCH_ARK_PLAIN_H

#include <stddef.h>
#include <stdint.h>

// Results of `count` elements of `a`, and of `b` where the row has two inputs. Sums and maxima are
// those of rows of HOIST_ARK_PLAIN_ROW elements.
typedef void hoist_ark_plain_fn(const void *a, const void *b, void *y, size_t count);

enum { HOIST_ARK_PLAIN_ROW = 1024 };

hoist_ark_plain_fn hoist_ark_plain_add;
hoist_ark_plain_fn hoist_ark_plain_add_bf16;
hoist_ark_plain_fn hoist_ark_plain_exp;
hoist_ark_plain_fn hoist_ark_plain_sigmoid;
hoist_ark_plain_fn hoist_ark_plain_gelu;
hoist_ark_plain_fn hoist_ark_plain_cast_bf16;
hoist_ark_plain_fn hoist_ark_plain_sum;
hoist_ark_plain_fn hoist_ark_plain_max;
hoist_ark_plain_fn hoist_ark_plain_sum_columns;

#endif // HOIST_BENCH_ARK_PLAIN_H
