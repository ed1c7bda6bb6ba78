// pack_exhaustive DTYPE [PARTS]: packs and unpacks every one of the 2^32 float32 bit patterns with
// the slow definition and with the kernels of every CPU level that this machine has, and compares
// all bytes. PARTS > 1 takes each PARTS-th tensor only (a sample).
//
// Consecutive patterns share a block of a block float, so blocks of one exponent, of neighbouring
// exponents, and those at infinity and NaN all occur.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "kernels/pack_testing.h"
#include "tensor/float_bits.h"

enum { GRID = 4, TILES = 64 };                              // 4 buffers of 64 tiles
static const size_t ELEMENTS = (size_t)GRID * TILES * 1024; // of one tensor: 2^18

typedef struct exhaustive {
    hoist_queue_layout layout;
    hoist_queue_size size;
    float *tensor;
    float *slow_floats;
    float *fast_floats;
    hoist_mut_bytes slow[GRID];
    hoist_mut_bytes fast[GRID];
} exhaustive;

static void *need(void *memory)
{
    if (!memory) {
        (void)fprintf(stderr, "no memory\n");
        exit(1);
    }
    return memory;
}

static void set_up(exhaustive *e, hoist_dtype dtype)
{
    e->layout = (hoist_queue_layout){
        .tiling = {GRID, 1, 1, 2, 2, 4, 4, false, 32, 32}, .dtype = dtype, .alignment = 32};
    if (hoist_queue_measure(&e->layout, &e->size) != HOIST_OK ||
        e->size.tiling.elements != ELEMENTS) {
        (void)fprintf(stderr, "this type has no tiles\n");
        exit(2);
    }
    e->tensor = need(malloc(ELEMENTS * sizeof(float)));
    e->slow_floats = need(malloc(ELEMENTS * sizeof(float)));
    e->fast_floats = need(malloc(ELEMENTS * sizeof(float)));
    for (size_t i = 0; i < GRID; i++) {
        e->slow[i] = (hoist_mut_bytes){need(malloc(e->size.buffer_bytes)), e->size.buffer_bytes};
        e->fast[i] = (hoist_mut_bytes){need(malloc(e->size.buffer_bytes)), e->size.buffer_bytes};
    }
}

static void tear_down(exhaustive *e)
{
    for (size_t i = 0; i < GRID; i++) {
        free(e->slow[i].data);
        free(e->fast[i].data);
    }
    free(e->tensor);
    free(e->slow_floats);
    free(e->fast_floats);
}

// Compares the kernels of one level with what the slow version left in e->slow, e->slow_floats.
static bool level_agrees(exhaustive *e, hoist_cpu_level level)
{
    const hoist_pack_kernels *kernels = hoist_pack_kernels_at(level);
    if (hoist_pack_queue(kernels, &e->layout, e->tensor, e->fast, GRID) != HOIST_OK ||
        hoist_unpack_queue(kernels, &e->layout, e->slow, GRID, e->fast_floats) != HOIST_OK) {
        return false;
    }
    for (size_t i = 0; i < GRID; i++) {
        if (memcmp(e->slow[i].data, e->fast[i].data, e->size.buffer_bytes) != 0) {
            return false;
        }
    }
    const void *slow = e->slow_floats; // bits, not numbers
    const void *fast = e->fast_floats;
    return memcmp(slow, fast, ELEMENTS * sizeof(float)) == 0;
}

// All patterns from `first` on, as many as a tensor holds.
static bool tensor_agrees(exhaustive *e, uint32_t first, hoist_cpu_level top)
{
    for (size_t i = 0; i < ELEMENTS; i++) {
        e->tensor[i] = hoist_f32_from_bits(first + (uint32_t)i);
    }
    if (hoist_queue_pack(&e->layout, e->tensor, e->slow, GRID) != HOIST_OK ||
        hoist_queue_unpack(&e->layout, e->slow, GRID, e->slow_floats) != HOIST_OK) {
        return false;
    }
    for (int level = HOIST_CPU_BASELINE; level <= (int)top; level++) {
        if (!level_agrees(e, (hoist_cpu_level)level)) {
            (void)printf("patterns from 0x%08x: level %s differs\n", first,
                         hoist_pack_kernels_name(hoist_pack_kernels_at((hoist_cpu_level)level)));
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    const hoist_dtype dtype =
        argc > 1 ? hoist_dtype_find(hoist_str_from(argv[1])) : HOIST_DTYPE_NONE;
    const unsigned long parts = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    if (dtype == HOIST_DTYPE_NONE || parts == 0) {
        (void)fprintf(stderr, "usage: pack_exhaustive DTYPE [PARTS]\n");
        return 2;
    }
    exhaustive e = {0};
    set_up(&e, dtype);
    const hoist_cpu_level top = hoist_cpu_detect();
    const size_t tensors = ((size_t)1 << 32) / ELEMENTS;
    size_t passed = 0;
    size_t failed = 0;
    for (size_t i = 0; i < tensors; i += parts) {
        const bool agrees = tensor_agrees(&e, (uint32_t)(i * ELEMENTS), top);
        passed += agrees;
        failed += !agrees;
    }
    tear_down(&e);
    (void)printf("%s: %zu of %zu tensors of %zu patterns\n%zu passed, %zu failed\n", argv[1],
                 passed + failed, tensors, ELEMENTS, passed, failed);
    return failed ? 1 : 0;
}
