// The golden ops of single tiles against their formulas, element by element, at every CPU level
// that this machine has.
#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/compute_testing.h"
#include "tensor/block.h"
#include "tensor/float_bits.h"
#include "tensor/tile.h"
#include "tensor/tt_element.h"
#include "testing/test.h"

#define INTEGER(n)                                                                                 \
    {                                                                                              \
        .integer = (n)                                                                             \
    }
#define NUMBER(x)                                                                                  \
    {                                                                                              \
        .number = (x)                                                                              \
    }

enum { DIM = 32, TILES = 6 };

static const hoist_tile_shape shape = {1, 2, 3};

static const uint32_t edges[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x00200000, 0x80200001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
    0x7f800001, 0xff812345, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x42b17218, 0x42b17217,
    0xc2aeac50, 0xc2cff1b5, 0x41200000, 0xc1200000, 0x7e800000, 0x3f7fffff, 0x40490fdb, 0x3e4ccccd,
};

typedef enum draw {
    DRAW_BITS, // any pattern
    DRAW_EDGES,
    DRAW_NORMAL,   // -8..8
    DRAW_POSITIVE, // 0..8
    DRAW_COUNT,
} draw;

static float draw_float(draw how, uint64_t *state)
{
    const uint32_t u = (uint32_t)(hoist_test_random(state) >> 32);
    switch (how) {
    case DRAW_EDGES:
        return hoist_f32_from_bits(edges[u % HOIST_COUNT_OF(edges)]);
    case DRAW_NORMAL:
        return (float)(int32_t)u * 0x1p-28f;
    case DRAW_POSITIVE:
        return (float)u * 0x1p-29f;
    default:
        return hoist_f32_from_bits(u);
    }
}

// Two operands and a result, all with their tiles out of order.
typedef struct board {
    _Alignas(64) float a[TILES * HOIST_TILE_FLOATS];
    _Alignas(64) float b[TILES * HOIST_TILE_FLOATS];
    _Alignas(64) float out[TILES * HOIST_TILE_FLOATS];
} board;

static const uint32_t a_tiles[TILES] = {5, 0, 4, 1, 3, 2};
static const uint32_t b_tiles[TILES] = {2, 3, HOIST_TILE_ZERO, 0, 5, 1};

static float element(const float *base, const uint32_t *tiles, size_t i)
{
    const uint32_t at = tiles[i / HOIST_TILE_FLOATS];
    return at == HOIST_TILE_ZERO ? 0 : base[at * (size_t)HOIST_TILE_FLOATS + i % HOIST_TILE_FLOATS];
}

static board *make_board(hoist_test *t, draw how, uint64_t *state)
{
    static board all;
    (void)t;
    for (size_t i = 0; i < (size_t)TILES * HOIST_TILE_FLOATS; i++) {
        all.a[i] = draw_float(how, state);
        all.b[i] = draw_float(how, state);
        all.out[i] = 12345;
    }
    return &all;
}

static hoist_compute_call make_call(board *all, hoist_compute_op op, hoist_compute_attrs attrs)
{
    return (hoist_compute_call){
        .op = op,
        .attrs = attrs,
        .inputs = {{all->a, a_tiles, shape}, {all->b, b_tiles, shape}},
        .output = {all->out, NULL, shape},
        .input_count = hoist_compute_get(op)->inputs,
    };
}

// Runs `call` in two parts.
static hoist_status run(hoist_test *t, const hoist_compute_kernels *kernels,
                        const hoist_compute_call *call, hoist_compute_fault *fault)
{
    HOIST_EXPECT_EQ(t, hoist_compute_work(call), TILES);
    const hoist_status status = hoist_compute_run(kernels, call, 2, TILES, fault);
    return status ? status : hoist_compute_run(kernels, call, 0, 2, fault);
}

static void expect_bits(hoist_test *t, const char *level, size_t i, float got, float expected)
{
    const uint32_t a = hoist_f32_to_bits(got);
    const uint32_t b = hoist_f32_to_bits(expected);
    if (a != b) {
        hoist_test_fail(t, __FILE__, __LINE__, "%s: element %zu is %08x, expected %08x", level, i,
                        a, b);
    }
}

// What the formulas get: the operands' elements and the number of the element.
typedef struct place {
    float x;
    float y;
    const hoist_compute_value *attrs;
    size_t row; // in the tile
    size_t col;
} place;

typedef float formula(const place *p);

// A NaN that went through arithmetic.
static float quiet(float nan)
{
    return hoist_f32_from_bits(hoist_f32_to_bits(nan) | 0x400000);
}

static float f_add(const place *p)
{
    return isnan(p->x) ? quiet(p->x) : p->x + p->y;
}
static float f_subtract(const place *p)
{
    return isnan(p->x) ? quiet(p->x) : p->x - p->y;
}
static float f_multiply(const place *p)
{
    const bool zero = hoist_f32_to_bits(p->x) == 0 || hoist_f32_to_bits(p->y) == 0;
    return zero ? 0 : isnan(p->x) ? quiet(p->x) : p->x * p->y;
}
static float f_maximum(const place *p)
{
    return p->x > p->y ? p->x : p->y;
}
static float f_exp(const place *p)
{
    return isnan(p->x) ? FLT_MAX : fminf(FLT_MAX, expf(p->x));
}
static float f_log(const place *p)
{
    return logf(p->x == 0 ? 0x1p-23F : p->x);
}
static float f_square(const place *p)
{
    return p->x * p->x;
}
static float f_abs(const place *p)
{
    return fabsf(p->x);
}
static float f_sine(const place *p)
{
    return sinf(p->x);
}
static float f_cosine(const place *p)
{
    return cosf(p->x);
}
static float f_tanh(const place *p)
{
    return tanhf(p->x);
}
static float f_sigmoid(const place *p)
{
    const float e = isnan(p->x) ? FLT_MAX : fminf(FLT_MAX, expf(-p->x));
    return (float)(1.0 / (1.0 + (double)e));
}
static double inner(double x)
{
    return tanh(0.797884560802865356 * (x + 0.044715 * pow(x, 3)));
}
static float f_gelu(const place *p)
{
    const double x = (double)p->x;
    return (float)(0.5 * x * (1 + inner(x)));
}
static float f_gelu_derivative(const place *p)
{
    if (isnan(p->x)) {
        return p->x + p->x;
    }
    const double x = (double)p->x;
    const double bell = exp(-0.5 * x * x) * (0.5 * 0.797884560802865356);
    return (float)(0.5 * (1 + inner(x)) + x * bell);
}
static float f_lrelu(const place *p)
{
    return p->x > 0 ? p->x : p->x * p->attrs[HOIST_LRELU_SLOPE].number;
}
static float f_power(const place *p)
{
    float r = 1;
    for (int64_t i = 0; i < p->attrs[HOIST_POWER_EXPONENT].integer; i++) {
        r *= p->x;
    }
    return r;
}
static float f_copy(const place *p)
{
    return p->x;
}
static float f_relu_max(const place *p)
{
    const float t = p->attrs[HOIST_RELU_THRESHOLD].number;
    return p->x >= t ? t : p->x >= 0 ? p->x : 0;
}
static float f_relu_min(const place *p)
{
    return p->x >= p->attrs[HOIST_RELU_THRESHOLD].number ? p->x : 0;
}
static float f_add_scalar(const place *p)
{
    return p->x + p->attrs[HOIST_ADD_SCALAR_VALUE].number;
}
// The positive arguments that sqrt and reciprocal are given here never stop the run.
static float f_sqrt(const place *p)
{
    return sqrtf(p->x);
}
static float f_reciprocal(const place *p)
{
    return p->x == 0 ? (float)(1.0 / (double)FLT_EPSILON) : (float)(1.0 / (double)p->x);
}
static float f_mask(const place *p)
{
    const bool inside = (int64_t)p->row < p->attrs[HOIST_MASK_HEIGHT].integer &&
                        (int64_t)p->col < p->attrs[HOIST_MASK_WIDTH].integer;
    return inside ? p->x : (isinf(p->x) ? copysignf(FLT_MAX, p->x) : p->x) * 0.0F;
}

typedef struct op_case {
    const char *name;
    hoist_compute_op op;
    hoist_compute_attrs attrs;
    formula *expected;
    bool vector;   // has the attribute
    bool positive; // arguments only
} op_case;

// clang-format off
static const op_case op_cases[] = {
    {"add",             HOIST_GOLDEN_ADD,             {{{0}}}, f_add,             false, false},
    {"subtract",        HOIST_GOLDEN_SUBTRACT,        {{{0}}}, f_subtract,        false, false},
    {"multiply",        HOIST_GOLDEN_MULTIPLY,        {{{0}}}, f_multiply,        false, false},
    {"maximum",         HOIST_GOLDEN_MAXIMUM,         {{{0}}}, f_maximum,         false, false},
    {"exp",             HOIST_GOLDEN_EXP,             {{{0}}}, f_exp,             true,  false},
    {"log",             HOIST_GOLDEN_LOG,             {{{0}}}, f_log,             true,  false},
    {"square",          HOIST_GOLDEN_SQUARE,          {{{0}}}, f_square,          true,  false},
    {"abs",             HOIST_GOLDEN_ABS,             {{{0}}}, f_abs,             true,  false},
    {"sine",            HOIST_GOLDEN_SINE,            {{{0}}}, f_sine,            true,  false},
    {"cosine",          HOIST_GOLDEN_COSINE,          {{{0}}}, f_cosine,          true,  false},
    {"tanh",            HOIST_GOLDEN_TANH,            {{{0}}}, f_tanh,            true,  false},
    {"sigmoid",         HOIST_GOLDEN_SIGMOID,         {{{0}}}, f_sigmoid,         true,  false},
    {"gelu",            HOIST_GOLDEN_GELU,            {{{0}}}, f_gelu,            true,  false},
    {"gelu_derivative", HOIST_GOLDEN_GELU_DERIVATIVE, {{{0}}}, f_gelu_derivative, true,  false},
    {"copy",            HOIST_GOLDEN_COPY,            {{{0}}}, f_copy,            true,  false},
    {"sqrt",            HOIST_GOLDEN_SQRT,            {{{0}}}, f_sqrt,            true,  true },
    {"reciprocal",      HOIST_GOLDEN_RECIPROCAL,      {{{0}}}, f_reciprocal,      true,  true },
    {"lrelu 0.01",      HOIST_GOLDEN_LRELU,    {{INTEGER(0), NUMBER(0.01F)}}, f_lrelu, true, false},
    {"lrelu -3",        HOIST_GOLDEN_LRELU,    {{INTEGER(0), NUMBER(-3)}},    f_lrelu, true, false},
    {"power 5",         HOIST_GOLDEN_POWER,    {{INTEGER(0), INTEGER(5)}},    f_power, true, false},
    {"power 0",         HOIST_GOLDEN_POWER,    {{INTEGER(0), INTEGER(0)}},    f_power, true, false},
    {"power -2",        HOIST_GOLDEN_POWER,    {{INTEGER(0), INTEGER(-2)}},   f_power, true, false},
    {"relu max 0",      HOIST_GOLDEN_RELU_MAX, {{NUMBER(0)}},     f_relu_max, false, false},
    {"relu max 1.5",    HOIST_GOLDEN_RELU_MAX, {{NUMBER(1.5F)}},  f_relu_max, false, false},
    {"relu min 0",      HOIST_GOLDEN_RELU_MIN, {{NUMBER(0)}},     f_relu_min, false, false},
    {"relu min 1.5",    HOIST_GOLDEN_RELU_MIN, {{NUMBER(1.5F)}},  f_relu_min, false, false},
    {"add scalar",      HOIST_GOLDEN_ADD_SCALAR, {{NUMBER(-7.25F)}}, f_add_scalar, false, false},
    {"mask 32x32",     HOIST_GOLDEN_MASK, {{INTEGER(32), INTEGER(32)}}, f_mask, false, false},
    {"mask 32x16",     HOIST_GOLDEN_MASK, {{INTEGER(32), INTEGER(16)}}, f_mask, false, false},
    {"mask 16x32",     HOIST_GOLDEN_MASK, {{INTEGER(16), INTEGER(32)}}, f_mask, false, false},
    {"mask 1x32",      HOIST_GOLDEN_MASK, {{INTEGER(1),  INTEGER(32)}}, f_mask, false, false},
    {"mask 5x21",      HOIST_GOLDEN_MASK, {{INTEGER(5),  INTEGER(21)}}, f_mask, false, false},
};
// clang-format on

static bool is_processed(size_t row, size_t col, int64_t part)
{
    return part == HOIST_TILE_ROWS ? row < 4 : part == HOIST_TILE_COLUMNS ? col < 16 : true;
}

static float expected_at(const op_case *c, const hoist_compute_attrs *attrs, const board *all,
                         size_t i)
{
    const size_t row = i % HOIST_TILE_FLOATS / DIM;
    const size_t col = i % DIM;
    const place p = {element(all->a, a_tiles, i), element(all->b, b_tiles, i), attrs->value, row,
                     col};
    const int64_t part = c->vector ? attrs->value[HOIST_UNARY_VECTOR].integer : HOIST_TILE_ALL;
    return is_processed(row, col, part) ? c->expected(&p) : 0;
}

static void check_draw(hoist_test *t, const op_case *c, hoist_compute_attrs attrs, draw how)
{
    uint64_t state = 1 + (uint64_t)how;
    board *all = make_board(t, how, &state);
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at(level);
        const hoist_compute_call call = make_call(all, c->op, attrs);
        hoist_compute_fault fault;
        HOIST_EXPECT_EQ(t, run(t, kernels, &call, &fault), HOIST_OK);
        for (size_t i = 0; i < (size_t)TILES * HOIST_TILE_FLOATS; i++) {
            expect_bits(t, compute_kernels_name(kernels), i, all->out[i],
                        expected_at(c, &attrs, all, i));
        }
    }
}

HOIST_TEST_TABLE(formulas, op_cases)
{
    const int64_t parts = row->vector ? HOIST_TILE_COLUMNS : HOIST_TILE_ALL;
    for (int64_t part = HOIST_TILE_ALL; part <= parts; part++) {
        hoist_compute_attrs attrs = row->attrs;
        if (row->vector) {
            attrs.value[HOIST_UNARY_VECTOR].integer = part;
        }
        for (draw how = 0; how < DRAW_COUNT; how++) {
            if (!row->positive || how == DRAW_POSITIVE) {
                check_draw(t, row, attrs, how);
            }
        }
    }
}

// The output is the first input; both results must be the same.
HOIST_TEST_TABLE(in_place, op_cases)
{
    static float saved[TILES * HOIST_TILE_FLOATS];
    uint64_t state = 5;
    board *all = make_board(t, row->positive ? DRAW_POSITIVE : DRAW_EDGES, &state);
    const hoist_compute_kernels *kernels = hoist_compute_kernels_at(hoist_cpu_detect());
    hoist_compute_call call = make_call(all, row->op, row->attrs);
    hoist_compute_fault fault;
    HOIST_EXPECT_EQ(t, run(t, kernels, &call, &fault), HOIST_OK);
    memcpy(saved, all->out, sizeof saved);
    call.output = call.inputs[0];
    HOIST_EXPECT_EQ(t, run(t, kernels, &call, &fault), HOIST_OK);
    for (size_t i = 0; i < (size_t)TILES * HOIST_TILE_FLOATS; i++) {
        expect_bits(t, "in place", i, element(all->a, a_tiles, i), saved[i]);
    }
}

// Element (row, col) of the result is which element of the tile?
typedef struct turn_case {
    const char *name;
    hoist_compute_op op;
    int64_t axis;
} turn_case;

static const turn_case turn_cases[] = {
    {"transpose", HOIST_GOLDEN_TRANSPOSE_TILE, 0},
    {"broadcast r", HOIST_GOLDEN_BROADCAST_TILE, HOIST_AXIS_ROW},
    {"broadcast c", HOIST_GOLDEN_BROADCAST_TILE, HOIST_AXIS_COLUMN},
    {"broadcast rc", HOIST_GOLDEN_BROADCAST_TILE, HOIST_AXIS_BOTH},
    {"add row", HOIST_GOLDEN_ADD_ROW, 0},
};

static float turned_at(const turn_case *c, const board *all, size_t i)
{
    const size_t tile = i - i % HOIST_TILE_FLOATS;
    const size_t row = i % HOIST_TILE_FLOATS / DIM;
    const size_t col = i % DIM;
    size_t from = col * DIM + row;
    if (c->op == HOIST_GOLDEN_ADD_ROW) {
        const place p = {element(all->a, a_tiles, i), element(all->b, b_tiles, tile + col), NULL, 0,
                         0};
        return f_add(&p);
    }
    if (c->op == HOIST_GOLDEN_BROADCAST_TILE) {
        from =
            (c->axis == HOIST_AXIS_COLUMN ? row * DIM : 0) + (c->axis == HOIST_AXIS_ROW ? col : 0);
    }
    return element(all->a, a_tiles, tile + from);
}

HOIST_TEST_TABLE(turns, turn_cases)
{
    static float expected[TILES * HOIST_TILE_FLOATS];
    uint64_t state = 9;
    for (int level = HOIST_CPU_BASELINE; level <= (int)hoist_cpu_detect(); level++) {
        board *all = make_board(t, DRAW_BITS, &state);
        hoist_compute_attrs attrs = {{INTEGER(row->axis)}};
        hoist_compute_call call = make_call(all, row->op, attrs);
        for (size_t i = 0; i < (size_t)TILES * HOIST_TILE_FLOATS; i++) {
            expected[i] = turned_at(row, all, i);
        }
        // Once apart, once in place.
        for (int in_place_too = 0; in_place_too < 2; in_place_too++) {
            hoist_compute_fault fault;
            const hoist_compute_kernels *kernels = hoist_compute_kernels_at((hoist_cpu_level)level);
            HOIST_EXPECT_EQ(t, run(t, kernels, &call, &fault), HOIST_OK);
            for (size_t i = 0; i < (size_t)TILES * HOIST_TILE_FLOATS; i++) {
                const float got = in_place_too ? element(all->a, a_tiles, i) : all->out[i];
                expect_bits(t, compute_kernels_name(kernels), i, got, expected[i]);
            }
            call.output = call.inputs[0];
        }
    }
}

HOIST_TEST(add_row_onto_the_row)
{
    uint64_t state = 3;
    board *all = make_board(t, DRAW_NORMAL, &state);
    hoist_compute_call call = make_call(all, HOIST_GOLDEN_ADD_ROW, (hoist_compute_attrs){{{0}}});
    call.inputs[1].tiles = NULL;
    call.output = call.inputs[1];
    const float expected = all->a[5 * HOIST_TILE_FLOATS + 9 * DIM + 7] + all->b[7];
    hoist_compute_fault fault;
    const hoist_compute_kernels *kernels = hoist_compute_kernels_at(hoist_cpu_detect());
    HOIST_EXPECT_EQ(t, run(t, kernels, &call, &fault), HOIST_OK);
    expect_bits(t, "add_row", 0, all->b[9 * DIM + 7], expected);
}

typedef struct fault_case {
    const char *name;
    hoist_compute_op op;
    int64_t part;
    uint32_t bits;
    size_t at; // in tile 4: slice 0, tile row 1, tile column 1
    bool stops;
} fault_case;

// clang-format off
static const fault_case fault_cases[] = {
    {"sqrt of -1",               HOIST_GOLDEN_SQRT,       0,                  0xbf800000, 37, true },
    {"sqrt of -denormal",        HOIST_GOLDEN_SQRT,       0,                  0x80000001, 0,  true },
    {"sqrt of NaN",              HOIST_GOLDEN_SQRT,       0,                  0x7fc00000, 9,  true },
    {"sqrt of -0",               HOIST_GOLDEN_SQRT,       0,                  0x80000000, 9,  false},
    {"sqrt of Inf",              HOIST_GOLDEN_SQRT,       0,                  0x7f800000, 9,  false},
    {"sqrt of -1, row 3",        HOIST_GOLDEN_SQRT,       HOIST_TILE_ROWS,    0xbf800000, 97, true },
    {"sqrt of -1, row 4",        HOIST_GOLDEN_SQRT,       HOIST_TILE_ROWS,    0xbf800000, 128, false},
    {"sqrt of -1, column 15",    HOIST_GOLDEN_SQRT,       HOIST_TILE_COLUMNS, 0xbf800000, 47, true },
    {"sqrt of -1, column 16",    HOIST_GOLDEN_SQRT,       HOIST_TILE_COLUMNS, 0xbf800000, 48, false},
    {"reciprocal of NaN",        HOIST_GOLDEN_RECIPROCAL, 0,                  0xffc00000, 31, true },
    {"reciprocal of -2^-128",    HOIST_GOLDEN_RECIPROCAL, 0,                  0x80200000, 31, true },
    {"reciprocal of -2^-149",    HOIST_GOLDEN_RECIPROCAL, 0,                  0x80000001, 31, true },
    {"reciprocal below -2^-128", HOIST_GOLDEN_RECIPROCAL, 0,                  0x80200001, 31, false},
    {"reciprocal of 2^-149",     HOIST_GOLDEN_RECIPROCAL, 0,                  0x00000001, 31, false},
    {"reciprocal of 0",          HOIST_GOLDEN_RECIPROCAL, 0,                  0x00000000, 31, false},
    {"reciprocal of -0",         HOIST_GOLDEN_RECIPROCAL, 0,                  0x80000000, 31, false},
    {"reciprocal of -Inf",       HOIST_GOLDEN_RECIPROCAL, 0,                  0xff800000, 31, false},
};
// clang-format on

HOIST_TEST_TABLE(faults, fault_cases)
{
    for (int level = HOIST_CPU_BASELINE; level <= (int)hoist_cpu_detect(); level++) {
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at((hoist_cpu_level)level);
        uint64_t state = 17;
        board *all = make_board(t, DRAW_POSITIVE, &state);
        const hoist_compute_call call =
            make_call(all, row->op, (hoist_compute_attrs){{INTEGER(row->part)}});
        float *bad = &all->a[a_tiles[4] * (size_t)HOIST_TILE_FLOATS + row->at];
        *bad = hoist_f32_from_bits(row->bits);
        hoist_compute_fault fault;
        const hoist_status status = hoist_compute_run(kernels, &call, 0, TILES, &fault);
        HOIST_EXPECT_EQ(t, status, row->stops ? HOIST_INVALID : HOIST_OK);
        HOIST_EXPECT_EQ(t, fault.what != NULL, row->stops);
        if (row->stops) {
            HOIST_EXPECT_EQ(t, fault.z, 0);
            HOIST_EXPECT_EQ(t, fault.row, DIM + row->at / DIM);
            HOIST_EXPECT_EQ(t, fault.col, DIM + row->at % DIM);
            expect_bits(t, "fault", row->at, (float)fault.value, hoist_f32_from_bits(row->bits));
        }
    }
}

// Negative denormals: the shortcut of the kernel against the division itself.
HOIST_TEST(reciprocal_stops_exactly)
{
    static float tile[HOIST_TILE_FLOATS];
    static float out[HOIST_TILE_FLOATS];
    const hoist_tile_shape one = {1, 1, 1};
    const hoist_compute_call call = {.op = HOIST_GOLDEN_RECIPROCAL,
                                     .inputs = {{tile, NULL, one}},
                                     .output = {out, NULL, one},
                                     .input_count = 1};
    const hoist_compute_kernels *kernels = hoist_compute_kernels_at(hoist_cpu_detect());
    for (uint32_t first = 0x80000001; first < 0x81000000; first += 0xfff1) {
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
            tile[i] = hoist_f32_from_bits(first);
        }
        const bool stops = (float)(1.0 / (double)tile[0]) == -INFINITY;
        hoist_compute_fault fault;
        HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &call, 0, 1, &fault) != HOIST_OK, stops);
        HOIST_EXPECT(t, stops || out[5] == (float)(1.0 / (double)tile[5]));
    }
}

static const struct {
    const char *name;
    hoist_dtype dtype;
    uint32_t height;
    uint32_t width;
} quantize_cases[] = {
    {"f32", HOIST_DTYPE_F32, 32, 32},         {"tf32", HOIST_DTYPE_TF32, 32, 32},
    {"bf16", HOIST_DTYPE_BF16, 16, 32},       {"f16", HOIST_DTYPE_TT_F16, 32, 16},
    {"lf8", HOIST_DTYPE_TT_LF8, 32, 32},      {"e4m3", HOIST_DTYPE_TT_F8E4M3, 32, 32},
    {"i8", HOIST_DTYPE_TT_I8, 32, 32},        {"i32", HOIST_DTYPE_TT_I32, 8, 32},
    {"u8", HOIST_DTYPE_U8, 32, 32},           {"u16", HOIST_DTYPE_U16, 32, 32},
    {"raw8", HOIST_DTYPE_TT_RAW8, 4, 32},     {"raw16", HOIST_DTYPE_TT_RAW16, 32, 32},
    {"raw32", HOIST_DTYPE_TT_RAW32, 32, 32},  {"bfp8", HOIST_DTYPE_TT_BFP8A, 32, 32},
    {"bfp8_b", HOIST_DTYPE_TT_BFP8B, 16, 32}, {"bfp4", HOIST_DTYPE_TT_BFP4A, 8, 32},
    {"bfp4_b", HOIST_DTYPE_TT_BFP4B, 32, 16}, {"bfp2", HOIST_DTYPE_TT_BFP2A, 1, 32},
    {"bfp2_b", HOIST_DTYPE_TT_BFP2B, 2, 32},
};

// Element `i` of a tile after packing and unpacking it alone or with the 15 others of its block: 16
// columns of a row, for every tile is at least that wide.
static float quantised(hoist_dtype dtype, const float *tile, size_t i)
{
    if (hoist_dtype_get(dtype)->kind != HOIST_CLASS_BLOCK) {
        const uint32_t bits = hoist_tile_encode(dtype, hoist_f32_to_bits(tile[i]));
        return hoist_f32_from_bits(hoist_tt_decode(dtype, bits));
    }
    uint32_t values[HOIST_BLOCK_SIZE];
    memcpy(values, tile + i / HOIST_BLOCK_SIZE * HOIST_BLOCK_SIZE, sizeof values);
    const hoist_block block = hoist_block_encode(dtype, values, true);
    return hoist_f32_from_bits(
        hoist_block_decode(dtype, block.exponent, block.datum[i % HOIST_BLOCK_SIZE]));
}

HOIST_TEST_TABLE(quantisation, quantize_cases)
{
    hoist_compute_attrs attrs = {{{0}}};
    attrs.value[HOIST_QUANTIZE_DTYPE].dtype = row->dtype;
    attrs.value[HOIST_QUANTIZE_HEIGHT].integer = row->height;
    attrs.value[HOIST_QUANTIZE_WIDTH].integer = row->width;
    for (int level = HOIST_CPU_BASELINE; level <= (int)hoist_cpu_detect(); level++) {
        uint64_t state = 23;
        board *all = make_board(t, level % 2 ? DRAW_EDGES : DRAW_NORMAL, &state);
        const hoist_compute_call call = make_call(all, HOIST_GOLDEN_QUANTIZE, attrs);
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at((hoist_cpu_level)level);
        hoist_compute_fault fault;
        HOIST_EXPECT_EQ(t, run(t, kernels, &call, &fault), HOIST_OK);
        for (size_t i = 0; i < (size_t)TILES * HOIST_TILE_FLOATS; i++) {
            const size_t at = i % HOIST_TILE_FLOATS;
            const bool inside = at / DIM < row->height && at % DIM < row->width;
            const float *tile = all->a + (size_t)a_tiles[i / HOIST_TILE_FLOATS] * HOIST_TILE_FLOATS;
            expect_bits(t, compute_kernels_name(kernels), i, all->out[i],
                        inside ? quantised(row->dtype, tile, at) : 0);
        }
    }
}

static const struct {
    const char *name;
    hoist_dtype dtype;
    int64_t height;
    int64_t width;
} bad_quantize_cases[] = {
    {"no type", HOIST_DTYPE_NONE, 32, 32},      {"no tiles of f64", HOIST_DTYPE_F64, 32, 32},
    {"no tiles of i64", HOIST_DTYPE_I64, 4, 4}, {"3 rows", HOIST_DTYPE_TT_BFP8B, 3, 32},
    {"20 columns", HOIST_DTYPE_BF16, 32, 20},
};

HOIST_TEST_TABLE(bad_quantisation, bad_quantize_cases)
{
    uint64_t state = 1;
    board *all = make_board(t, DRAW_NORMAL, &state);
    hoist_compute_attrs attrs = {{{0}}};
    attrs.value[HOIST_QUANTIZE_DTYPE].dtype = row->dtype;
    attrs.value[HOIST_QUANTIZE_HEIGHT].integer = row->height;
    attrs.value[HOIST_QUANTIZE_WIDTH].integer = row->width;
    const hoist_compute_call call = make_call(all, HOIST_GOLDEN_QUANTIZE, attrs);
    hoist_compute_fault fault;
    const hoist_compute_kernels *kernels = hoist_compute_kernels_at(HOIST_CPU_BASELINE);
    HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &call, 0, 1, &fault), HOIST_INVALID);
    HOIST_EXPECT(t, fault.what != NULL);
}

// The share of dropped elements, the scale, and that all tiles share a mask.
HOIST_TEST(dropout)
{
    static const float ps[] = {0, 0.25F, 0.5F, 1};
    for (size_t k = 0; k < HOIST_COUNT_OF(ps); k++) {
        uint64_t state = 2;
        board *all = make_board(t, DRAW_POSITIVE, &state);
        const hoist_compute_attrs attrs = {{INTEGER(0), NUMBER(ps[k])}};
        const hoist_compute_call call = make_call(all, HOIST_GOLDEN_DROPOUT, attrs);
        hoist_compute_fault fault;
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at(HOIST_CPU_BASELINE);
        HOIST_EXPECT_EQ(t, run(t, kernels, &call, &fault), HOIST_OK);
        size_t dropped = 0;
        for (size_t i = 0; i < (size_t)TILES * HOIST_TILE_FLOATS; i++) {
            const bool is_dropped = all->out[i % HOIST_TILE_FLOATS] == 0;
            const float x = element(all->a, a_tiles, i);
            const float scale = ps[k] == 1 ? 1 : 1 / (1 - ps[k]);
            expect_bits(t, "dropout", i, all->out[i], is_dropped ? 0 : x * scale);
            dropped += is_dropped && i < HOIST_TILE_FLOATS;
        }
        const double share = (double)dropped / HOIST_TILE_FLOATS;
        HOIST_EXPECT(t, share >= (double)ps[k] - 0.05 && share <= (double)ps[k] + 0.05);
    }
}

HOIST_TEST(levels_have_kernels)
{
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at(level);
        hoist_cpu_level named = HOIST_CPU_LEVEL_COUNT;
        const hoist_str name = hoist_str_from(compute_kernels_name(kernels));
        HOIST_EXPECT(t, hoist_cpu_level_find(name, &named));
        HOIST_EXPECT(t, named <= level);
        for (size_t op = 0; op < HOIST_COMPUTE_COUNT; op++) {
            size_t rows = 0;
            for (size_t i = 0; i < HOIST_COMPUTE_GROUPS && kernels->groups[i]; i++) {
                const hoist_compute_group *group = kernels->groups[i];
                if (op >= group->first && op - group->first < group->count) {
                    rows += group->rows[op - group->first].run != NULL;
                    rows += group->rows[op - group->first].fill != NULL;
                }
            }
            HOIST_EXPECT_EQ(t, rows, 1);
        }
    }
}

// x86-64 with fused multiply-add has the bits unless the C library changed its functions; what has
// another last bit must not be taken for exact.
HOIST_TEST(exactness_is_a_fact)
{
    volatile float x = 0x1p-7F; // the compiler would know the true value
    const bool same = hoist_f32_to_bits(tanhf(x)) == 0x3bfffeaa;
    HOIST_EXPECT(t, same || !hoist_compute_is_exact());
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(formulas), HOIST_TEST_ROW(in_place), HOIST_TEST_ROW(turns),
                HOIST_TEST_ROW(add_row_onto_the_row), HOIST_TEST_ROW(faults),
                HOIST_TEST_ROW(reciprocal_stops_exactly), HOIST_TEST_ROW(quantisation),
                HOIST_TEST_ROW(bad_quantisation), HOIST_TEST_ROW(dropout),
                HOIST_TEST_ROW(levels_have_kernels), HOIST_TEST_ROW(exactness_is_a_fact))
