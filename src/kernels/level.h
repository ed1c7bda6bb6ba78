// kernels/level.h - names in a source that is compiled once per CPU level: HOIST_LEVEL_NAME(rows)
// is rows_baseline, rows_v3, rows_v4, rows_vnni or rows_bf16. The build defines HOIST_LEVEL_SUFFIX
// and HOIST_LEVEL (the hoist_cpu_level).
//
// A level with instructions for few kernels is compiled from their sources only and takes the
// others from levels below: HOIST_QUANT_NAME(rows) are those of quantised numbers,
// HOIST_PRODUCT_NAME(rows) those of float products, HOIST_BASE_NAME(rows) all others. The build
// defines HOIST_LEVEL_BASE, HOIST_LEVEL_QUANT and HOIST_LEVEL_PRODUCT.
#ifndef HOIST_SRC_KERNELS_LEVEL_H
#define HOIST_SRC_KERNELS_LEVEL_H

#define HOIST_LEVEL_JOIN(name, suffix) name##_##suffix
#define HOIST_LEVEL_EXPAND(name, suffix) HOIST_LEVEL_JOIN(name, suffix)
#define HOIST_LEVEL_NAME(name) HOIST_LEVEL_EXPAND(name, HOIST_LEVEL_SUFFIX)
#define HOIST_BASE_NAME(name) HOIST_LEVEL_EXPAND(name, HOIST_LEVEL_BASE)
#define HOIST_QUANT_NAME(name) HOIST_LEVEL_EXPAND(name, HOIST_LEVEL_QUANT)
#define HOIST_PRODUCT_NAME(name) HOIST_LEVEL_EXPAND(name, HOIST_LEVEL_PRODUCT)

#endif // HOIST_SRC_KERNELS_LEVEL_H
