#include "bench/encoder_plain.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

// Compiled once more for another CPU, under other names.
#ifdef HOIST_BENCH_NAME_V3
#define hoist_plain_push hoist_plain_push_v3
#define hoist_plain_encode hoist_plain_encode_v3
#endif

enum { N = 128, HIDDEN = 128, INNER = 512, HEADS = 4, HEAD = HIDDEN / HEADS, TILE = 32 };

// Memory for the outputs of all ops of a graph, given out in order.
enum { POOL = 24 * N * HIDDEN + 8 * HEADS * N * N };
static float pool[POOL];
static size_t pool_used;

typedef struct tensor {
    float *data;
    size_t z;
    size_t rows;
    size_t cols;
} tensor;

static tensor make(size_t z, size_t rows, size_t cols)
{
    float *data = pool + pool_used;
    pool_used += z * rows * cols;
    return (tensor){data, z, rows, cols};
}

static tensor like(tensor x)
{
    return make(x.z, x.rows, x.cols);
}

static size_t count_of(tensor x)
{
    return x.z * x.rows * x.cols;
}

// Row `row` of slice `z`, both counted on through copies of the whole: broadcast r and z.
static const float *row_at(tensor x, size_t z, size_t row)
{
    return x.data + (z % x.z * x.rows + row % x.rows) * x.cols;
}

static uint32_t bits_of(float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Formats (section 2) -------------------------------------------------------------------------

static uint32_t exponent_of(uint32_t bits)
{
    return bits >> 23 & 0xff;
}

// One datum of a Bfp8_b block whose exponent is `shared`, packed and unpacked again.
static float block_datum(uint32_t bits, uint32_t shared)
{
    if ((bits & 0x7fffffff) == 0) {
        return 0;
    }
    const uint32_t shift = shared - exponent_of(bits);
    uint32_t q = shift > 31 ? 0 : (UINT32_C(1) << 23 | (bits & 0x7fffff)) >> shift;
    q = (q + (UINT32_C(1) << 16)) >> 17;
    q = q > 127 ? 127 : q;
    if (q == 0) {
        return 0;
    }
    uint32_t exponent = shared;
    for (; !(q & 0x40); q <<= 1) {
        exponent--;
    }
    return float_of((bits & UINT32_C(0x80000000)) | exponent << 23 | (q << 1 & 0x7f) << 16);
}

static void round_block(const float *values, float *out)
{
    uint32_t shared = 0;
    for (size_t i = 0; i < 16; i++) {
        const uint32_t exponent = exponent_of(bits_of(values[i]));
        shared = exponent > shared ? exponent : shared;
    }
    for (size_t i = 0; i < 16; i++) {
        out[i] = block_datum(bits_of(values[i]), shared);
    }
}

void hoist_plain_push(const float *values, size_t count, bool block, float *out)
{
    if (block) {
        for (size_t i = 0; i < count; i += 16) { // of one row of a face, so of a row
            round_block(values + i, out + i);
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            out[i] = float_of(bits_of(values[i]) & UINT32_C(0xffff0000));
        }
    }
}

// TMs (section 3) -----------------------------------------------------------------------------

static tensor hslice(tensor x, size_t n)
{
    const tensor y = make(x.z * n, x.rows, x.cols / n);
    for (size_t z = 0; z < y.z; z++) {
        for (size_t r = 0; r < y.rows; r++) {
            memcpy(y.data + (z * y.rows + r) * y.cols, row_at(x, z / n, r) + z % n * y.cols,
                   y.cols * sizeof(float));
        }
    }
    return y;
}

static tensor hstack(tensor x, size_t n)
{
    const tensor y = make(x.z / n, x.rows, x.cols * n);
    for (size_t z = 0; z < x.z; z++) {
        for (size_t r = 0; r < x.rows; r++) {
            memcpy(y.data + (z / n * y.rows + r) * y.cols + z % n * x.cols, row_at(x, z, r),
                   x.cols * sizeof(float));
        }
    }
    return y;
}

static tensor transpose(tensor x)
{
    const tensor y = make(x.z, x.cols, x.rows);
    for (size_t z = 0; z < y.z; z++) {
        for (size_t r = 0; r < y.rows; r++) {
            for (size_t c = 0; c < y.cols; c++) {
                y.data[(z * y.rows + r) * y.cols + c] = x.data[(z * x.rows + c) * x.cols + r];
            }
        }
    }
    return y;
}

// Ops (section 5) -----------------------------------------------------------------------------

// One row of a product: 32-deep tiles ascending, each in 8 chains of fused multiply-adds that are
// then added pairwise. The columns are the inner loop, which a compiler can put into vectors.
static void product_row(const float *a, tensor b, const float *right, float *out)
{
    float p[8][INNER];
    memset(out, 0, b.cols * sizeof *out);
    for (size_t tile = 0; tile < b.rows; tile += TILE) {
        for (size_t l = 0; l < 8; l++) {
            memset(p[l], 0, b.cols * sizeof(float));
        }
        for (size_t k = 0; k < TILE; k++) {
            const float left = a[tile + k];
            const float *row = right + (tile + k) * b.cols;
            float *chain = p[k % 8];
            for (size_t c = 0; c < b.cols; c++) {
                chain[c] = fmaf(left, row[c], chain[c]);
            }
        }
        for (size_t c = 0; c < b.cols; c++) {
            const float r0 = (p[0][c] + p[4][c]) + (p[2][c] + p[6][c]);
            const float r1 = (p[1][c] + p[5][c]) + (p[3][c] + p[7][c]);
            out[c] += r0 + r1;
        }
    }
}

static tensor matmul(tensor a, tensor b)
{
    const tensor y = make(a.z, a.rows, b.cols);
    for (size_t z = 0; z < y.z; z++) {
        for (size_t r = 0; r < y.rows; r++) {
            product_row(row_at(a, z, r), b, row_at(b, z, 0), y.data + (z * y.rows + r) * y.cols);
        }
    }
    return y;
}

// Of `bias` row 0 of each tile counts.
static tensor matmul_bias(tensor a, tensor b, tensor bias)
{
    const tensor y = matmul(a, b);
    for (size_t z = 0; z < y.z; z++) {
        for (size_t r = 0; r < y.rows; r++) {
            const float *added = row_at(bias, z, r / TILE * TILE);
            for (size_t c = 0; c < y.cols; c++) {
                y.data[(z * y.rows + r) * y.cols + c] += added[c];
            }
        }
    }
    return y;
}

static float sum_of(float a, float b)
{
    return a + b;
}

static float difference_of(float a, float b)
{
    return a - b;
}

// +0.0 absorbs.
static float product_of(float a, float b)
{
    if (bits_of(a) == 0) {
        b = 0;
    }
    if (bits_of(b) == 0) {
        a = 0;
    }
    return a * b;
}

// `b` is copied over all of `a` where it is smaller: broadcast r, c and z.
#define BINARY(name, element)                                                                      \
    static tensor name(tensor a, tensor b)                                                         \
    {                                                                                              \
        const tensor y = like(a);                                                                  \
        for (size_t z = 0; z < y.z; z++) {                                                         \
            for (size_t r = 0; r < y.rows; r++) {                                                  \
                const float *left = row_at(a, z, r);                                               \
                const float *right = row_at(b, z, r);                                              \
                float *out = y.data + (z * y.rows + r) * y.cols;                                   \
                for (size_t first = 0; first < y.cols; first += b.cols) {                          \
                    for (size_t c = 0; c < b.cols; c++) {                                          \
                        out[first + c] = element(left[first + c], right[c]);                       \
                    }                                                                              \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        return y;                                                                                  \
    }

BINARY(add, sum_of)
BINARY(subtract, difference_of)
BINARY(multiply, product_of)

static float exp_of(float x)
{
    const float y = expf(x);
    return y < FLT_MAX ? y : FLT_MAX; // also for NaN
}

static float reciprocal_of(float x)
{
    return x == 0 ? (float)(1.0 / (double)FLT_EPSILON) : (float)(1.0 / (double)x);
}

static float gelu_of(float f)
{
    const double x = (double)f;
    const double inner = M_2_SQRTPI / M_SQRT2 * (x + 0.044715 * pow(x, 3));
    return (float)(0.5 * x * (1 + tanh(inner)));
}

#define UNARY(name, element)                                                                       \
    static tensor name(tensor x)                                                                   \
    {                                                                                              \
        const tensor y = like(x);                                                                  \
        for (size_t i = 0; i < count_of(x); i++) {                                                 \
            y.data[i] = element(x.data[i]);                                                        \
        }                                                                                          \
        return y;                                                                                  \
    }

UNARY(exponential, exp_of)
UNARY(reciprocal, reciprocal_of)
UNARY(square_root, sqrtf)
UNARY(gelu, gelu_of)

// The netlist -----------------------------------------------------------------------------------

// All inputs as tensors; their memory is the caller's and only read.
typedef struct layer {
    tensor in[HOIST_PLAIN_INPUT_COUNT];
} layer;

// clang-format off
static const size_t shapes[HOIST_PLAIN_INPUT_COUNT][2] = {
    [HOIST_PLAIN_X]       = {N, HIDDEN},
    [HOIST_PLAIN_WQ]      = {HIDDEN, HIDDEN},
    [HOIST_PLAIN_WK]      = {HIDDEN, HIDDEN},
    [HOIST_PLAIN_WV]      = {HIDDEN, HIDDEN},
    [HOIST_PLAIN_WO]      = {HIDDEN, HIDDEN},
    [HOIST_PLAIN_W1]      = {HIDDEN, INNER},
    [HOIST_PLAIN_W2]      = {INNER, HIDDEN},
    [HOIST_PLAIN_BQ]      = {TILE, HIDDEN},
    [HOIST_PLAIN_BK]      = {TILE, HIDDEN},
    [HOIST_PLAIN_BV]      = {TILE, HIDDEN},
    [HOIST_PLAIN_BO]      = {TILE, HIDDEN},
    [HOIST_PLAIN_B1]      = {TILE, INNER},
    [HOIST_PLAIN_B2]      = {TILE, HIDDEN},
    [HOIST_PLAIN_GAIN1]   = {TILE, HIDDEN},
    [HOIST_PLAIN_OFFSET1] = {TILE, HIDDEN},
    [HOIST_PLAIN_GAIN2]   = {TILE, HIDDEN},
    [HOIST_PLAIN_OFFSET2] = {TILE, HIDDEN},
    [HOIST_PLAIN_MEAN]    = {HIDDEN, HIDDEN},
    [HOIST_PLAIN_ONES]    = {N, N},
    [HOIST_PLAIN_SCALE]   = {TILE, TILE},
    [HOIST_PLAIN_EPSILON] = {TILE, TILE},
};
// clang-format on

static tensor norm(const layer *l, tensor sum, tensor gain, tensor offset)
{
    const tensor mean = matmul(sum, l->in[HOIST_PLAIN_MEAN]);
    const tensor centered = subtract(sum, mean);
    const tensor square = multiply(centered, centered);
    const tensor variance = matmul(square, l->in[HOIST_PLAIN_MEAN]);
    const tensor guarded = add(variance, l->in[HOIST_PLAIN_EPSILON]);
    const tensor inverse = reciprocal(square_root(guarded));
    const tensor unit = multiply(centered, inverse);
    return add(multiply(unit, gain), offset);
}

static tensor attention(const layer *l)
{
    const tensor x = l->in[HOIST_PLAIN_X];
    const tensor q = matmul_bias(x, l->in[HOIST_PLAIN_WQ], l->in[HOIST_PLAIN_BQ]);
    const tensor k = matmul_bias(x, l->in[HOIST_PLAIN_WK], l->in[HOIST_PLAIN_BK]);
    const tensor v = matmul_bias(x, l->in[HOIST_PLAIN_WV], l->in[HOIST_PLAIN_BV]);
    const tensor scores = matmul(hslice(q, HEADS), transpose(hslice(k, HEADS)));
    const tensor exps = exponential(multiply(scores, l->in[HOIST_PLAIN_SCALE]));
    const tensor shares = reciprocal(matmul(exps, l->in[HOIST_PLAIN_ONES]));
    const tensor mixed = matmul(multiply(exps, shares), hslice(v, HEADS));
    const tensor o =
        matmul_bias(hstack(mixed, HEADS), l->in[HOIST_PLAIN_WO], l->in[HOIST_PLAIN_BO]);
    return norm(l, add(o, x), l->in[HOIST_PLAIN_GAIN1], l->in[HOIST_PLAIN_OFFSET1]);
}

static tensor feed_forward(const layer *l, tensor a)
{
    const tensor up = matmul_bias(a, l->in[HOIST_PLAIN_W1], l->in[HOIST_PLAIN_B1]);
    const tensor down = matmul_bias(gelu(up), l->in[HOIST_PLAIN_W2], l->in[HOIST_PLAIN_B2]);
    return norm(l, add(down, a), l->in[HOIST_PLAIN_GAIN2], l->in[HOIST_PLAIN_OFFSET2]);
}

void hoist_plain_encode(const float *const inputs[HOIST_PLAIN_INPUT_COUNT], float *y)
{
    layer l;
    for (size_t i = 0; i < HOIST_PLAIN_INPUT_COUNT; i++) {
        const union {
            const float *given;
            float *data; // only read
        } values = {inputs[i]};
        l.in[i] = (tensor){values.data, 1, shapes[i][0], shapes[i][1]};
    }
    float a[HOIST_PLAIN_ELEMENTS]; // the queue between the graphs: not rounded
    pool_used = 0;
    memcpy(a, attention(&l).data, sizeof a);
    pool_used = 0;
    memcpy(y, feed_forward(&l, (tensor){a, 1, N, HIDDEN}).data, sizeof a);
}
