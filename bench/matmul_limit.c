// The limit of matmul_bench, compiled for x86-64-v3 and x86-64-v4.
#include "bench/matmul_limit.h"

#include "kernels/level.h"
#include "kernels/tile_product.h"

// Of C, at a time: their chains hide the latency of the instructions.
enum { VECTORS = 4 };

typedef struct block {
    hoist_f32s at[VECTORS];
} block;

// x, of which the compiler knows nothing any more, so that it computes each product anew.
HOIST_LANES_INLINE hoist_f32s unknown(hoist_f32s x)
{
    __asm__ volatile("" : "+v"(x));
    return x;
}

HOIST_LANES_INLINE block add(block x, block y)
{
    HOIST_UNROLL
    for (size_t v = 0; v < VECTORS; v++) {
        x.at[v] = unknown(x.at[v] + y.at[v]);
    }
    return x;
}

HOIST_LANES_INLINE block chain(hoist_f32s a, hoist_f32s b)
{
    block p;
    HOIST_UNROLL
    for (size_t k = 0; k < HOIST_TILE_DIM / 8; k++) {
        HOIST_UNROLL
        for (size_t v = 0; v < VECTORS; v++) {
            const hoist_f32s x = unknown(a);
            p.at[v] = unknown(k == 0 ? x * b : hoist_lanes_fma(x, b, p.at[v]));
        }
    }
    return p;
}

HOIST_LANES_INLINE block chains(hoist_f32s a, hoist_f32s b)
{
    const block p = chain(a, b);
    const block q = add(p, chain(a, b));
    const block r = chain(a, b);
    return add(q, add(r, chain(a, b)));
}

float HOIST_LEVEL_NAME(matmul_limit)(size_t products)
{
    const hoist_f32s a = hoist_lanes_all_f32(0.5F);
    const hoist_f32s b = hoist_lanes_all_f32(0.25F);
    block c = {{a, a, a, a}};
    const size_t blocks = products * (HOIST_TILE_FLOATS / HOIST_LANES / VECTORS);
    for (size_t i = 0; i < blocks; i++) {
        const block r = chains(a, b);
        c = add(c, add(r, chains(a, b)));
    }
    return c.at[0][0];
}
