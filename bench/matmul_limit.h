// bench/matmul_limit.h - what the order of the golden matmul allows a CPU at most.
#ifndef HOIST_BENCH_MATMUL_LIMIT_H
#define HOIST_BENCH_MATMUL_LIMIT_H

#include <stddef.h>

// Does the multiplications and additions of `products` products of 32x32 tiles in the lanes order
// (kernels/tile_product.h) with all operands in registers, by vectors of the CPU level. The result
// has no meaning.
float matmul_limit_v3(size_t products);
float matmul_limit_v4(size_t products);

#endif // HOIST_BENCH_MATMUL_LIMIT_H
