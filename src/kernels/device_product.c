// Products of tiles in the register of a Tensix core (device_product.h): in float32 tiles, which
// are unpacked to source words, out the words of the register, and what the packer leaves of them
// in memory. device.c and device_sparse.c say which blocks there are.
#include "kernels/device_product.h"

#include <string.h>

#include "tensor/float_bits.h"

#define DIM HOIST_TILE_DIM
#define FACE HOIST_DEVICE_LANES // columns of a face, and the products that one instruction sums

static int64_t integer(const hoist_compute_call *call, size_t index)
{
    return call->attrs.value[index].integer;
}

hoist_device_core hoist_device_core_of(const hoist_compute_call *call)
{
    const unsigned step = (unsigned)integer(call, HOIST_DEVICE_PHASE_STEP);
    return (hoist_device_core){
        .unit = {.arch = (hoist_device_arch)integer(call, HOIST_DEVICE_ARCH),
                 .dest = (hoist_device_dest)integer(call, HOIST_DEVICE_DEST),
                 .is_short = integer(call, HOIST_DEVICE_A) == HOIST_DEVICE_SOURCE_F16},
        .source = {(hoist_device_source)integer(call, HOIST_DEVICE_A),
                   (hoist_device_source)integer(call, HOIST_DEVICE_B)},
        .phases = (unsigned)integer(call, HOIST_DEVICE_PHASES) * step,
        .step = step,
    };
}

void hoist_device_unpack_tile(hoist_device_source source, const float *in, uint32_t *out)
{
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        out[i] = hoist_device_unpack(source, hoist_f32_to_bits(in[i]));
    }
}

uint32_t hoist_device_moved(const hoist_device_core *c, uint32_t word)
{
    return c->unit.dest == HOIST_DEVICE_DEST_F32 ? hoist_device_add(&c->unit, word, 0)
           : word & 0x3fc00                      ? word << 13
                                                 : 0;
}

hoist_device_product hoist_device_product_of(const hoist_compute_call *call)
{
    const hoist_device_core core = hoist_device_core_of(call);
    return (hoist_device_product){
        .core = core,
        .spill = {.arch = core.unit.arch,
                  .dest = core.unit.dest,
                  .dtype = call->attrs.value[HOIST_DEVICE_SPILL].dtype},
        .spill_source = (hoist_device_source)integer(call, HOIST_DEVICE_SPILL_SOURCE),
        .sums = (hoist_device_sums)integer(call, HOIST_DEVICE_SUMS),
    };
}

// held += a x b of one phase. The words of `b` are columns; the faces of the inner dimension follow
// each other.
static void add_phase(hoist_device_product *p, unsigned phase, const uint32_t *a, const uint32_t *b)
{
    const hoist_device_core *c = &p->core;
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        const uint32_t *row = a + i / DIM * DIM;
        const uint32_t *column = b + i % DIM * DIM;
        for (size_t k = 0; k < DIM; k += FACE) {
            p->held[i] = hoist_device_dot(&c->unit, phase, column + k, row + k, p->held[i]);
        }
    }
}

void hoist_device_add_product(hoist_device_product *p, const float *left, const float *right)
{
    uint32_t a[HOIST_TILE_FLOATS];
    uint32_t b[HOIST_TILE_FLOATS];
    hoist_device_unpack_tile(p->core.source[0], left, a);
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        b[i % DIM * DIM + i / DIM] =
            hoist_device_unpack(p->core.source[1], hoist_f32_to_bits(right[i]));
    }
    for (unsigned phase = 0; phase < p->core.phases; phase += p->core.step) {
        add_phase(p, phase, a, b);
    }
}

void hoist_device_begin_block(hoist_device_product *p, bool reloads)
{
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        p->held[i] =
            reloads
                ? hoist_device_moved(&p->core, hoist_device_unpack(p->spill_source, p->memory[i]))
                : 0;
    }
}

void hoist_device_store(hoist_device_product *p, bool is_first)
{
    const bool adds = hoist_device_adds(p->sums) && !is_first;
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i += FACE) {
        uint32_t packed[FACE];
        hoist_device_pack(&p->spill, p->held + i, packed);
        for (size_t k = 0; k < FACE; k++) {
            p->memory[i + k] =
                adds ? hoist_device_accumulate(p->spill.dtype, p->memory[i + k], packed[k])
                     : packed[k];
        }
    }
}
