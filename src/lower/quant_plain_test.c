// Layers without requantization: the step of each call, where operands are stretched, flattened and
// gathered, worked out by hand from quant_plain.h; and what does not fit, with its reason.
#include "base/alloc.h"
#include "lower/quant_plain.h"
#include "lower/quant_testing.h"

#define F32 HOIST_DTYPE_F32
#define I32 HOIST_DTYPE_I32
#define U8 HOIST_DTYPE_U8

static const hoist_shape cube = {.rank = 3, .dim = {2, 3, 4}};
static const hoist_shape wall = {.rank = 2, .dim = {2, 3}};

// Two tensors, with limits.
typedef struct pair_case {
    const char *name;
    hoist_compute_op op;
    hoist_dtype dtype;
    hoist_shape a, b;
    hoist_quant_limits limits;
    const char *lines; // NULL: refused for `why`
    const char *why;
} pair_case;

// clang-format off
#define WALL {.rank = 2, .dim = {2, 3}}
#define LINE {.rank = 1, .dim = {3}}
#define COLUMN {.rank = 2, .dim = {2, 1}}
#define TWO {.rank = 1, .dim = {2}}
#define ALL {-__builtin_inf(), __builtin_inf()}
static const pair_case pairs[] = {
    {"float32 with limits", HOIST_TFLITE_ADD_F32, F32, WALL, WALL, {-1.5, 6.25},
     "compute tflite.add_f32(low -1.5, high 6.25) from [a f32[2, 3], w f32[2, 3]] to [y f32[2, 3]]\n", NULL},
    {"float32 without", HOIST_TFLITE_SUBTRACT_F32, F32, WALL, WALL, ALL,
     "compute tflite.subtract_f32(low -inf, high inf) from [a f32[2, 3], w f32[2, 3]] to [y f32[2, 3]]\n", NULL},
    {"int32 with limits, half to even", HOIST_TFLITE_ADD_I32, I32, WALL, WALL, {-2.5, 6.5},
     "compute tflite.add_i32(low -2, high 6) from [a i32[2, 3], w i32[2, 3]] to [y i32[2, 3]]\n", NULL},
    {"int32 up to the ends", HOIST_TFLITE_MULTIPLY_I32, I32, WALL, WALL, {-2147483648.0, 2147483647},
     "compute tflite.multiply_i32(low -2147483648, high 2147483647) from [a i32[2, 3], w i32[2, 3]] to [y i32[2, 3]]\n", NULL},
    {"a row and a column", HOIST_TFLITE_MULTIPLY_F32, F32, LINE, COLUMN, {0, 6},
     "compute tflite.multiply_f32(low 0, high 6) from [a f32[2, 3] by [0, 4], w f32[2, 3] by [4, 0]] to [y f32[2, 3]]\n", NULL},
    {"of a row that has no limits", HOIST_TFLITE_MAXIMUM, U8, WALL, LINE, {5, 4},
     "compute tflite.maximum from [a u8[2, 3], w u8[2, 3] by [0, 1]] to [y u8[2, 3]]\n", NULL},
    {"divisions of int32 have none", HOIST_TFLITE_FLOOR_DIVIDE_I32, I32, WALL, WALL, {5, 4},
     "compute tflite.floor_divide_i32 from [a i32[2, 3], w i32[2, 3]] to [y i32[2, 3]]\n", NULL},
    {"limits in equal places", HOIST_TFLITE_ADD_I32, I32, WALL, WALL, {4, 4},
     "compute tflite.add_i32(low 4, high 4) from [a i32[2, 3], w i32[2, 3]] to [y i32[2, 3]]\n", NULL},
    {"limits that change places", HOIST_TFLITE_ADD_I32, I32, WALL, WALL, {5, 4}, NULL, "add_i32 expects low no greater than high"},
    {"limits beyond int32", HOIST_TFLITE_ADD_I32, I32, WALL, WALL, {0, 2147483648.0}, NULL, "high is 2147483648, expected -2147483648 to 2147483647"},
    {"a too short", HOIST_TFLITE_ADD_F32, F32, TWO, WALL, {0, 6}, NULL, "an input cannot be stretched to the shape of the output"},
    {"b too short", HOIST_TFLITE_ADD_F32, F32, WALL, TWO, {0, 6}, NULL, "an input cannot be stretched to the shape of the output"},
    {"another type", HOIST_TFLITE_ADD_F32, I32, WALL, WALL, {0, 6}, NULL, "a is i32, expected f32"},
};
// clang-format on

static hoist_status add_pair(quant_bench *n, const pair_case *c)
{
    const hoist_quant_pair pair = {quant_test_view(n->a, c->dtype, c->a, 0),
                                   quant_test_view(n->w, c->dtype, c->b, 0),
                                   quant_test_view(n->y, c->dtype, wall, 0), c->limits};
    return hoist_plain_pair(&n->layers, c->op, &pair);
}

// What a call of a row came to: its lines, or its reason.
static void expect_case(hoist_test *t, quant_bench *n, hoist_status status, const char *lines,
                        const char *why)
{
    HOIST_EXPECT_EQ(t, status, lines ? HOIST_OK : HOIST_UNSUPPORTED);
    if (why) {
        HOIST_EXPECT_STR(t, hoist_str_from(n->layers.why), why);
    }
    HOIST_EXPECT_STR(t, quant_test_end(t, n), lines ? lines : "");
    HOIST_EXPECT_RULE(t, NULL);
}

static void begin(hoist_test *t, quant_bench *n)
{
    HOIST_EXPECT_EQ(t,
                    quant_test_begin(n, HOIST_REQUANTIZE_DOUBLE, hoist_allocator_system(), t->diag),
                    HOIST_OK);
}

HOIST_TEST_TABLE(pairs_are_stretched_and_limited, pairs)
{
    quant_bench n;
    begin(t, &n);
    expect_case(t, &n, add_pair(&n, row), row->lines, row->why);
}

// One tensor --------------------------------------------------------------------------------------

typedef struct unary_case {
    const char *name;
    hoist_status (*add)(quant_bench *n);
    const char *lines; // NULL: refused for `why`
    const char *why;
} unary_case;

static hoist_quant_unary unary(const quant_bench *n, hoist_dtype from, hoist_dtype to)
{
    return (hoist_quant_unary){quant_test_view(n->a, from, wall, from == U8 ? 1 : 0),
                               quant_test_view(n->y, to, wall, to == U8 ? 3 : 0)};
}

static hoist_status add_cast(quant_bench *n)
{
    const hoist_quant_unary u = unary(n, F32, I32);
    return hoist_plain_unary(&n->layers, HOIST_TFLITE_CAST, &u);
}

static hoist_status add_root(quant_bench *n)
{
    const hoist_quant_unary u = unary(n, F32, F32);
    return hoist_plain_unary(&n->layers, HOIST_TFLITE_SQRT_F32, &u);
}

static hoist_status add_root_of_integers(quant_bench *n)
{
    const hoist_quant_unary u = unary(n, I32, F32);
    return hoist_plain_unary(&n->layers, HOIST_TFLITE_SQRT_F32, &u);
}

static hoist_status add_swish(quant_bench *n, float in, float out)
{
    const hoist_quant_unary u = unary(n, U8, U8);
    return hoist_plain_swish(&n->layers, &u, in, out);
}

static hoist_status add_swish_of_one_scale(quant_bench *n)
{
    return add_swish(n, 0.0625F, 0.0625F);
}

static hoist_status add_swish_of_two_scales(quant_bench *n)
{
    return add_swish(n, 0.046875F, 0.0625F);
}

// The multiplier, 0.99999994 / 128, is 2^15 in 16 bits, which int16 does not have.
static hoist_status add_swish_that_saturates(quant_bench *n)
{
    return add_swish(n, 0x1.fffffep-5F, 0.0625F);
}

// 2^30 + 2^15 and 2^7 less, of which 16 bits are rounded off.
static hoist_status add_swish_that_rounds_up(quant_bench *n)
{
    return add_swish(n, 0x1.0002p-4F, 0.0625F);
}

static hoist_status add_swish_that_rounds_down(quant_bench *n)
{
    return add_swish(n, 0x1.0001fep-4F, 0.0625F);
}

static hoist_status add_swish_to_a_fine_scale(quant_bench *n)
{
    return add_swish(n, 1.0F, 0x1p-8F);
}

static hoist_status add_swish_to_no_scale(quant_bench *n)
{
    return add_swish(n, 1.0F, 0.0F);
}

static hoist_status add_swish_of_a_large_scale(quant_bench *n)
{
    return add_swish(n, 0x1p26F, 0x1p26F);
}

static hoist_status add_nearest(quant_bench *n, hoist_quant_corners corners)
{
    const hoist_shape small = {.rank = 4, .dim = {1, 2, 3, 1}};
    const hoist_shape large = {.rank = 4, .dim = {1, 4, 9, 1}};
    const hoist_quant_unary u = {quant_test_view(n->a, U8, small, 0),
                                 quant_test_view(n->y, U8, large, 0)};
    return hoist_plain_nearest(&n->layers, &u, corners);
}

static hoist_status add_nearest_with_corners(quant_bench *n)
{
    return add_nearest(n, (hoist_quant_corners){.aligned = true});
}

static hoist_status add_nearest_of_centers(quant_bench *n)
{
    return add_nearest(n, (hoist_quant_corners){.half_pixel = true});
}

// clang-format off
static const unary_case unaries[] = {
    {"cast", add_cast, "compute tflite.cast from [a f32[2, 3]] to [y i32[2, 3]]\n", NULL},
    {"square root", add_root,
     "compute tflite.sqrt_f32 from [a f32[2, 3]] to [y f32[2, 3]]\n", NULL},
    {"square root of int32", add_root_of_integers, NULL, "x is i32, expected f32"},
    // 1/128 is 2^14 * 2^(-6 - 15); 0.0625 / 128 / (3 / 32768) is 16/3, 21845.33 * 2^(3 - 15).
    {"swish", add_swish_of_one_scale,
     "compute tflite.hard_swish(zero_in 1, zero_out 3, multiplier 16384, shift -6, ramp 21845, ramp_shift 3) from [a u8[2, 3]] to [y u8[2, 3]]\n", NULL},
    // 0.75 / 128 is 24576 * 2^(-7 - 15); 4 is 2^14 * 2^(3 - 15).
    {"swish of two scales", add_swish_of_two_scales,
     "compute tflite.hard_swish(zero_in 1, zero_out 3, multiplier 24576, shift -7, ramp 16384, ramp_shift 3) from [a u8[2, 3]] to [y u8[2, 3]]\n", NULL},
    {"swish, 16 bits at most", add_swish_that_saturates,
     "compute tflite.hard_swish(zero_in 1, zero_out 3, multiplier 32767, shift -7, ramp 21845, ramp_shift 3) from [a u8[2, 3]] to [y u8[2, 3]]\n", NULL},
    {"swish, half a step", add_swish_that_rounds_up,
     "compute tflite.hard_swish(zero_in 1, zero_out 3, multiplier 16385, shift -6, ramp 21846, ramp_shift 3) from [a u8[2, 3]] to [y u8[2, 3]]\n", NULL},
    {"swish, less than half", add_swish_that_rounds_down,
     "compute tflite.hard_swish(zero_in 1, zero_out 3, multiplier 16384, shift -6, ramp 21846, ramp_shift 3) from [a u8[2, 3]] to [y u8[2, 3]]\n", NULL},
    {"swish, a factor of 2", add_swish_to_a_fine_scale, NULL, "shift is 2, expected -15 to 0"},
    {"swish, no scale", add_swish_to_no_scale, NULL,
     "the ratio of scales is inf, expected 0 or more and below 2^30"},
    {"swish, the factor of the ramp", add_swish_of_a_large_scale, NULL,
     "the ratio of scales is 5.72662e+09, expected 0 or more and below 2^30"},
    {"nearest with aligned corners", add_nearest_with_corners,
     "compute tflite.resize_nearest(align_corners 1, half_pixel_centers 0) from [a u8[1, 2, 3, 1]] to [y u8[1, 4, 9, 1]]\n", NULL},
    {"nearest of pixel centers", add_nearest_of_centers,
     "compute tflite.resize_nearest(align_corners 0, half_pixel_centers 1) from [a u8[1, 2, 3, 1]] to [y u8[1, 4, 9, 1]]\n", NULL},
};
// clang-format on

HOIST_TEST_TABLE(layers_of_one_tensor, unaries)
{
    quant_bench n;
    begin(t, &n);
    expect_case(t, &n, row->add(&n), row->lines, row->why);
}

// Lookups ---------------------------------------------------------------------------------------

typedef struct lookup_case {
    const char *name;
    int axis; // -1: gather_nd
    hoist_shape x, indices, y;
    const char *lines; // NULL: refused for `why`
    const char *why;
} lookup_case;

// clang-format off
#define SHAPE(rank, ...) {rank, {__VA_ARGS__}}
static const lookup_case lookups[] = {
    {"rows", 0, SHAPE(3, 2, 3, 4), SHAPE(1, 5), SHAPE(3, 5, 3, 4),
     "compute tflite.gather from [a f32[1, 2, 12], w i32[5]] to [y f32[1, 5, 12]]\n", NULL},
    {"columns", 1, SHAPE(3, 2, 3, 4), SHAPE(1, 5), SHAPE(3, 2, 5, 4),
     "compute tflite.gather from [a f32[2, 3, 4], w i32[5]] to [y f32[2, 5, 4]]\n", NULL},
    {"elements", 2, SHAPE(3, 2, 3, 4), SHAPE(1, 5), SHAPE(3, 2, 3, 5),
     "compute tflite.gather from [a f32[6, 4, 1], w i32[5]] to [y f32[6, 5, 1]]\n", NULL},
    {"by a table of indices", 1, SHAPE(3, 2, 3, 4), SHAPE(2, 2, 2), SHAPE(4, 2, 2, 2, 4),
     "compute tflite.gather from [a f32[2, 3, 4], w i32[4]] to [y f32[2, 4, 4]]\n", NULL},
    {"by one index", 0, SHAPE(2, 2, 3), SHAPE(0, 0), SHAPE(1, 3),
     "compute tflite.gather from [a f32[1, 2, 3], w i32[1]] to [y f32[1, 1, 3]]\n", NULL},
    {"a result of other elements", 1, SHAPE(3, 2, 3, 4), SHAPE(1, 5), SHAPE(3, 2, 4, 4), NULL, "the shapes are not what it makes of its input"},
    {"places of one index", -1, SHAPE(3, 2, 3, 4), SHAPE(2, 5, 1), SHAPE(3, 5, 3, 4),
     "compute tflite.gather_nd from [a f32[1, 1, 1, 2, 12], w i32[5, 1]] to [y f32[5, 12]]\n", NULL},
    {"places of two", -1, SHAPE(3, 2, 3, 4), SHAPE(2, 5, 2), SHAPE(2, 5, 4),
     "compute tflite.gather_nd from [a f32[1, 1, 2, 3, 4], w i32[5, 2]] to [y f32[5, 4]]\n", NULL},
    {"places of all", -1, SHAPE(3, 2, 3, 4), SHAPE(2, 5, 3), SHAPE(1, 5),
     "compute tflite.gather_nd from [a f32[1, 2, 3, 4, 1], w i32[5, 3]] to [y f32[5, 1]]\n", NULL},
    {"a table of places", -1, SHAPE(3, 2, 3, 4), SHAPE(3, 2, 2, 2), SHAPE(3, 2, 2, 4),
     "compute tflite.gather_nd from [a f32[1, 1, 2, 3, 4], w i32[4, 2]] to [y f32[4, 4]]\n", NULL},
    {"places of four", -1, SHAPE(4, 1, 2, 3, 4), SHAPE(2, 5, 4), SHAPE(1, 5),
     "compute tflite.gather_nd from [a f32[1, 2, 3, 4, 1], w i32[5, 4]] to [y f32[5, 1]]\n", NULL},
    {"places of five", -1, SHAPE(5, 1, 1, 2, 3, 4), SHAPE(2, 5, 5), SHAPE(1, 5), NULL, "rows of 5 indices into 5 dimensions, expected 1 to 4"},
    {"more indices than dimensions", -1, SHAPE(2, 2, 3), SHAPE(2, 5, 3), SHAPE(1, 5), NULL, "rows of 3 indices into 2 dimensions, expected 1 to 2"},
    {"no index", -1, SHAPE(2, 2, 3), SHAPE(2, 5, 0), SHAPE(3, 5, 2, 3), NULL, "rows of 0 indices into 2 dimensions, expected 1 to 2"},
    {"indices without a dimension", -1, SHAPE(2, 2, 3), SHAPE(0, 0), SHAPE(2, 2, 3), NULL, "rows of 0 indices into 2 dimensions, expected 1 to 2"},
    {"places, a result of other elements", -1, SHAPE(3, 2, 3, 4), SHAPE(2, 5, 2), SHAPE(2, 5, 3), NULL, "the shapes are not what it makes of its input"},
};
// clang-format on

static hoist_status add_lookup(quant_bench *n, const lookup_case *c)
{
    const hoist_plain_lookup lookup = {quant_test_view(n->a, F32, c->x, 0),
                                       quant_test_view(n->w, I32, c->indices, 0),
                                       quant_test_view(n->y, F32, c->y, 0)};
    return c->axis < 0 ? hoist_plain_gather_nd(&n->layers, &lookup)
                       : hoist_plain_gather(&n->layers, &lookup, c->axis);
}

HOIST_TEST_TABLE(lookups_are_flattened_around_their_axis, lookups)
{
    quant_bench n;
    begin(t, &n);
    expect_case(t, &n, add_lookup(&n, row), row->lines, row->why);
}

// Operands that are not dense in memory have no other shape.
HOIST_TEST(lookups_need_dense_operands)
{
    static const lookup_case good = {"",   1,   SHAPE(3, 2, 3, 4), SHAPE(1, 3), SHAPE(3, 2, 3, 4),
                                     NULL, NULL};
    for (int i = 0; i < 3; i++) {
        quant_bench n;
        begin(t, &n);
        hoist_plain_lookup lookup = {quant_test_view(n.a, F32, good.x, 0),
                                     quant_test_view(n.w, I32, good.indices, 0),
                                     quant_test_view(n.y, F32, good.y, 0)};
        hoist_lower_view *views[] = {&lookup.x, &lookup.indices, &lookup.y};
        views[i]->stride[0] *= 2;
        expect_case(t, &n, hoist_plain_gather(&n.layers, &lookup, 1), NULL,
                    "the shapes are not what it makes of its input");
    }
}

typedef struct places_case {
    const char *name;
    int axis;
    hoist_shape y;
    const char *lines; // NULL: refused for `why`
    const char *why;
} places_case;

// clang-format off
static const places_case places[] = {
    {"along rows", 0, SHAPE(2, 3, 4),
     "compute tflite.arg_min from [a f32[1, 2, 12]] to [y i32[1, 12]]\n", NULL},
    {"along columns", 1, SHAPE(2, 2, 4),
     "compute tflite.arg_min from [a f32[2, 3, 4]] to [y i32[2, 4]]\n", NULL},
    {"along elements", 2, SHAPE(2, 2, 3),
     "compute tflite.arg_min from [a f32[6, 4, 1]] to [y i32[6, 1]]\n", NULL},
    {"of another shape", 2, SHAPE(2, 2, 4), NULL, "the shapes are not what it makes of its input"},
};
// clang-format on

HOIST_TEST_TABLE(places_lose_their_axis, places)
{
    quant_bench n;
    begin(t, &n);
    const hoist_quant_unary u = {quant_test_view(n.a, F32, cube, 0),
                                 quant_test_view(n.y, I32, row->y, 0)};
    expect_case(t, &n, hoist_plain_places(&n.layers, HOIST_TFLITE_ARG_MIN, &u, row->axis),
                row->lines, row->why);
}

// Failures --------------------------------------------------------------------------------------

// One layer of each kind; the first status that is not HOIST_OK.
static hoist_status add_all(quant_bench *n)
{
    HOIST_TRY(add_pair(n, &pairs[4]));
    for (size_t i = 0; i < HOIST_COUNT_OF(unaries); i++) {
        if (unaries[i].lines) {
            HOIST_TRY(unaries[i].add(n));
        }
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(lookups); i++) {
        if (lookups[i].lines) {
            HOIST_TRY(add_lookup(n, &lookups[i]));
        }
    }
    return HOIST_OK;
}

static hoist_status add_starved(hoist_allocator alloc, const void *self)
{
    quant_bench n;
    (void)self;
    hoist_status status = quant_test_begin(&n, HOIST_REQUANTIZE_DOUBLE, alloc, NULL);
    status = status == HOIST_OK ? add_all(&n) : status;
    const hoist_status finished = quant_test_drop(&n);
    return status != HOIST_OK ? status : finished;
}

HOIST_TEST(layers_without_memory)
{
    hoist_test_starve(t, add_starved, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(pairs_are_stretched_and_limited),
                HOIST_TEST_ROW(layers_of_one_tensor),
                HOIST_TEST_ROW(lookups_are_flattened_around_their_axis),
                HOIST_TEST_ROW(lookups_need_dense_operands), HOIST_TEST_ROW(places_lose_their_axis),
                HOIST_TEST_ROW(layers_without_memory))
