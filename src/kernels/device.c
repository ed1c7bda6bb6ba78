// The rows of the profile device on tiles (ops/compute_device.h): float32 tiles in, unpacked into
// source words, computed as one Tensix core does (device_arith.h), and out as float32 tiles of what
// the register of results holds, or of what the packer made of that.
#include "base/assert.h"
#include "kernels/compute_table.h"
#include "kernels/device_product.h"
#include "kernels/device_vector.h"
#include "tensor/float_bits.h"

#define DIM HOIST_TILE_DIM
#define FACE HOIST_DEVICE_LANES // columns of a face, and the products that one instruction sums

extern const hoist_compute_group hoist_device_kernel_group;

static int64_t integer(const hoist_compute_call *call, size_t index)
{
    return call->attrs.value[index].integer;
}

// What the register of results holds, as a float32 of the tile that goes out.
static float number(const hoist_device_core *c, uint32_t held)
{
    return hoist_f32_from_bits(hoist_device_widen(c->unit.dest, held));
}

// Element by element ------------------------------------------------------------------------------

// One element of the register of results. Each phase multiplies other bits of the two mantissas,
// and adds to what the phases before it left.
static uint32_t element(const hoist_device_core *c, hoist_compute_op op, uint32_t a, uint32_t b)
{
    uint32_t held = 0;
    switch (op) {
    case HOIST_DEVICE_ADD:
        return hoist_device_add(&c->unit, a, b);
    case HOIST_DEVICE_SUBTRACT:
        return hoist_device_add(&c->unit, a, b ^ 1U << 18); // the sign of a source word
    default:
        for (unsigned phase = 0; phase < c->phases; phase += c->step) {
            held = hoist_device_multiply(&c->unit, phase, a, b, held);
        }
        return held;
    }
}

static void binary(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_device_core c = hoist_device_core_of(call);
    // Of a row the index within it is left.
    const size_t mask = integer(call, HOIST_DEVICE_ROW) ? DIM - 1 : HOIST_TILE_FLOATS - 1;
    for (size_t n = begin; n < end; n++) {
        uint32_t a[HOIST_TILE_FLOATS];
        uint32_t b[HOIST_TILE_FLOATS];
        hoist_device_unpack_tile(c.source[0], hoist_tile_in(&call->inputs[0], n), a);
        hoist_device_unpack_tile(c.source[1], hoist_tile_in(&call->inputs[1], n), b);
        float *out = hoist_tile_out(&call->output, n);
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
            out[i] = number(&c, element(&c, call->op, a[i], b[i & mask]));
        }
    }
}

static void copy(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_device_core c = hoist_device_core_of(call);
    for (size_t n = begin; n < end; n++) {
        uint32_t words[HOIST_TILE_FLOATS];
        hoist_device_unpack_tile(c.source[0], hoist_tile_in(&call->inputs[0], n), words);
        float *out = hoist_tile_out(&call->output, n);
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
            out[i] = number(&c, hoist_device_moved(&c, words[i]));
        }
    }
}

static void pack(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_device_core c = hoist_device_core_of(call);
    const hoist_device_packer packer = {
        .arch = c.unit.arch,
        .dest = c.unit.dest,
        .dtype = call->attrs.value[HOIST_DEVICE_DTYPE].dtype,
        .relu = (hoist_device_relu)integer(call, HOIST_DEVICE_RELU),
        .threshold = (uint16_t)integer(call, HOIST_DEVICE_THRESHOLD),
    };
    for (size_t n = begin; n < end; n++) {
        const float *in = hoist_tile_in(&call->inputs[0], n);
        float *out = hoist_tile_out(&call->output, n);
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i += FACE) {
            uint32_t held[FACE];
            for (size_t k = 0; k < FACE; k++) {
                held[k] = hoist_device_narrow(c.unit.dest, hoist_f32_to_bits(in[i + k]));
            }
            hoist_device_pack(&packer, held, held);
            memcpy(out + i, held, sizeof held);
        }
    }
}

// The vector unit ---------------------------------------------------------------------------------

enum { VECTOR_ROWS = 4 }; // of "r"

// Whether an element is in the part of the tile that the op works on ("r", "c" or all).
static bool takes_part(int64_t part, size_t i)
{
    return part == HOIST_TILE_ROWS      ? i < (size_t)VECTOR_ROWS * DIM
           : part == HOIST_TILE_COLUMNS ? i % DIM < DIM / 2
                                        : true;
}

static void function(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_device_core c = hoist_device_core_of(call);
    const int64_t part = integer(call, HOIST_DEVICE_VECTOR);
    const hoist_device_function f = {
        .arch = c.unit.arch,
        .dest = c.unit.dest,
        .op = call->op,
        .is_approximate = integer(call, HOIST_DEVICE_APPROXIMATE) != 0,
        .parameter = (uint32_t)integer(call, HOIST_DEVICE_PARAMETER),
    };
    for (size_t n = begin; n < end; n++) {
        const float *in = hoist_tile_in(&call->inputs[0], n);
        float *out = hoist_tile_out(&call->output, n);
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
            const uint32_t x = hoist_f32_to_bits(in[i]);
            out[i] = hoist_f32_from_bits(takes_part(part, i) ? hoist_device_apply(&f, x) : x);
        }
    }
}

// The vector unit works on the register of results: nothing is unpacked into source words.
static void maximum(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_device_core c = hoist_device_core_of(call);
    for (size_t n = begin; n < end; n++) {
        const float *a = hoist_tile_in(&call->inputs[0], n);
        const float *b = hoist_tile_in(&call->inputs[1], n);
        float *out = hoist_tile_out(&call->output, n);
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
            out[i] = hoist_f32_from_bits(hoist_device_maximum(
                c.unit.arch, c.unit.dest, hoist_f32_to_bits(a[i]), hoist_f32_to_bits(b[i])));
        }
    }
}

// Matmul ------------------------------------------------------------------------------------------

// Tile `n` of the output: a row of tiles by a column of tiles, in the order of the inner dimension,
// which the bits depend on.
static void multiply(hoist_device_product *p, uint64_t block, const hoist_compute_call *call,
                     size_t n)
{
    const hoist_tile_shape *out = &call->output.shape;
    const uint64_t inner = call->inputs[0].shape.cols;
    const uint64_t z = n / out->cols / out->rows;
    hoist_device_begin_block(p, false);
    for (uint64_t k = 0; k < inner; k++) {
        if (k > 0 && k % block == 0) {
            const bool is_last = inner - k <= block;
            hoist_device_store(p, k == block);
            hoist_device_begin_block(p, !hoist_device_adds(p->sums) ||
                                            (is_last && !hoist_device_keeps(p->sums)));
        }
        hoist_device_add_product(
            p, hoist_tile_in(&call->inputs[0], n / out->cols * inner + k),
            hoist_tile_in(&call->inputs[1], (z * inner + k) * out->cols + n % out->cols));
    }
    float *tile = hoist_tile_out(&call->output, n);
    if (hoist_device_keeps(p->sums)) {
        hoist_device_store(p, inner <= block);
        memcpy(tile, p->memory, sizeof p->memory);
        return;
    }
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        tile[i] = number(&p->core, p->held[i]);
    }
}

static void matmul(const hoist_compute_call *call, size_t begin, size_t end)
{
    hoist_device_product product = hoist_device_product_of(call);
    const uint64_t block = (uint64_t)integer(call, HOIST_DEVICE_BLOCK);
    HOIST_ASSERT(block > 0);
    for (size_t n = begin; n < end; n++) {
        multiply(&product, block, call, n);
    }
}

enum { FIRST = HOIST_DEVICE_MATMUL };

// clang-format off
static const hoist_compute_row group_rows[] = {
    [HOIST_DEVICE_MATMUL - FIRST]   = {.fill = matmul},
    [HOIST_DEVICE_ADD - FIRST]      = {.fill = binary},
    [HOIST_DEVICE_SUBTRACT - FIRST] = {.fill = binary},
    [HOIST_DEVICE_MULTIPLY - FIRST] = {.fill = binary},
    [HOIST_DEVICE_COPY - FIRST]     = {.fill = copy},
    [HOIST_DEVICE_PACK - FIRST]     = {.fill = pack},
    [HOIST_DEVICE_MAXIMUM - FIRST]  = {.fill = maximum},
    [HOIST_DEVICE_ABS - FIRST]             = {.fill = function},
    [HOIST_DEVICE_EXP - FIRST]             = {.fill = function},
    [HOIST_DEVICE_GELU - FIRST]            = {.fill = function},
    [HOIST_DEVICE_GELU_DERIVATIVE - FIRST] = {.fill = function},
    [HOIST_DEVICE_LOG - FIRST]             = {.fill = function},
    [HOIST_DEVICE_LRELU - FIRST]           = {.fill = function},
    [HOIST_DEVICE_POWER - FIRST]           = {.fill = function},
    [HOIST_DEVICE_RECIPROCAL - FIRST]      = {.fill = function},
    [HOIST_DEVICE_SIGMOID - FIRST]         = {.fill = function},
    [HOIST_DEVICE_SQRT - FIRST]            = {.fill = function},
    [HOIST_DEVICE_SQUARE - FIRST]          = {.fill = function},
    [HOIST_DEVICE_TANH - FIRST]            = {.fill = function},
};
// clang-format on
const hoist_compute_group hoist_device_kernel_group = {FIRST, HOIST_COUNT_OF(group_rows),
                                                       group_rows};
