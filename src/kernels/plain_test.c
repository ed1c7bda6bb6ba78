// Plain numbers, choices and lookups of tflite: cases computed by hand, what stops a run, units one
// by one, and views whose strides are not those of dense ones.
#include <math.h>
#include <string.h>

#include "kernels/compute.h"
#include "kernels/plain_numbers.h"
#include "ops/compute_quant.h"
#include "tensor/float_bits.h"
#include "testing/test.h"

enum { MOST = 24, MOST_OPERANDS = 5, MEMORY = 4096 };
enum { UNTOUCHED = 77 }; // elements of an output before

// A number of an operand: a float32 where its type is that.
typedef double number;

typedef struct operand {
    hoist_dtype dtype;
    size_t rank;
    int64_t dims[5];
    number items[MOST];
} operand;

typedef struct bench {
    hoist_view views[MOST_OPERANDS];
    uint8_t memory[MOST_OPERANDS][MEMORY];
    hoist_compute_call call;
} bench;

static void put(hoist_dtype dtype, number x, uint8_t *to)
{
    if (dtype == HOIST_DTYPE_F32) {
        hoist_store_u32le(to, hoist_f32_to_bits((float)x));
    } else {
        hoist_plain_store(dtype, (int64_t)x, to);
    }
}

static number got(const hoist_view *view, size_t i)
{
    uint8_t bytes[HOIST_ELEMENT_MAX_SIZE];
    hoist_elements_read(view, i, 1, bytes);
    return view->dtype == HOIST_DTYPE_F32 ? (number)hoist_f32_from_bits(hoist_load_u32le(bytes))
                                          : (number)hoist_plain_load(view->dtype, bytes);
}

// Operands whose innermost elements stand `gap` elements apart, filled with theirs.
static void begin(hoist_test *t, bench *n, hoist_compute_op op, const operand *operands, int gap)
{
    const size_t inputs = hoist_compute_get(op)->inputs;
    memset(n, 0, sizeof *n);
    for (size_t i = 0; i <= inputs; i++) {
        hoist_shape shape;
        const operand *o = &operands[i];
        HOIST_EXPECT_EQ(t, hoist_shape_init(o->dims, o->rank, &shape), HOIST_OK);
        hoist_view *view = &n->views[i];
        HOIST_EXPECT_EQ(t,
                        hoist_view_init((hoist_mut_bytes){n->memory[i], MEMORY}, o->dtype, &shape,
                                        0, NULL, view),
                        HOIST_OK);
        for (int d = 0; d < shape.rank; d++) {
            view->stride[d] *= gap;
        }
        for (size_t k = 0; k < (size_t)hoist_shape_count(&shape); k++) {
            uint8_t bytes[HOIST_ELEMENT_MAX_SIZE];
            put(o->dtype, i < inputs ? o->items[k] : UNTOUCHED, bytes);
            hoist_elements_write(view, k, 1, bytes);
        }
    }
    n->call = (hoist_compute_call){.op = op, .views = n->views, .input_count = inputs};
}

// All units, the last first.
static hoist_status run(const bench *n, hoist_compute_fault *out_fault)
{
    const hoist_compute_kernels *kernels = hoist_compute_kernels_at(HOIST_CPU_BASELINE);
    for (size_t unit = hoist_compute_work(&n->call); unit > 0; unit--) {
        HOIST_TRY(hoist_compute_run(kernels, &n->call, unit - 1, unit, out_fault));
    }
    return HOIST_OK;
}

static bool is_same(number a, number b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

#define U8 HOIST_DTYPE_U8
#define I8 HOIST_DTYPE_I8
#define I16 HOIST_DTYPE_I16
#define I32 HOIST_DTYPE_I32
#define I64 HOIST_DTYPE_I64
#define F32 HOIST_DTYPE_F32
#define FLAG HOIST_DTYPE_BOOL
#define MANY 3.4028234663852886e38 // the greatest float32
#define I(x)                                                                                       \
    {                                                                                              \
        .integer = (x)                                                                             \
    }
#define F(x)                                                                                       \
    {                                                                                              \
        .number = (float)(x)                                                                       \
    }

// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    hoist_compute_attrs attrs;
    operand operands[MOST_OPERANDS];
} cases[] = {
    // The greatest and the least; of NaN it is b.
    {"maximum", HOIST_TFLITE_MAXIMUM, {{I(0)}},
     {{I8, 1, {4}, {-3, 5, 0, -128}}, {I8, 1, {4}, {-4, 6, 0, 127}}, {I8, 1, {4}, {-3, 6, 0, 127}}}},
    {"minimum of u8", HOIST_TFLITE_MINIMUM, {{I(0)}},
     {{U8, 1, {2}, {200, 5}}, {U8, 1, {2}, {100, 6}}, {U8, 1, {2}, {100, 5}}}},
    {"maximum of i32", HOIST_TFLITE_MAXIMUM, {{I(0)}},
     {{I32, 1, {2}, {INT32_MIN, 5}}, {I32, 1, {2}, {INT32_MAX, 4}}, {I32, 1, {2}, {INT32_MAX, 5}}}},
    {"minimum of floats", HOIST_TFLITE_MINIMUM, {{I(0)}},
     {{F32, 1, {4}, {1.5, NAN, 2, -INFINITY}}, {F32, 1, {4}, {-1, 3, NAN, 0}}, {F32, 1, {4}, {-1, 3, NAN, -INFINITY}}}},
    // Float32, clamped.
    {"add_f32", HOIST_TFLITE_ADD_F32, {{F(-MANY), F(MANY)}},
     {{F32, 1, {4}, {1, 0.1, INFINITY, NAN}}, {F32, 1, {4}, {2, 0.2, 1, 1}}, {F32, 1, {4}, {3, (double)(0.1F + 0.2F), MANY, NAN}}}},
    {"subtract_f32", HOIST_TFLITE_SUBTRACT_F32, {{F(0), F(6)}},
     {{F32, 1, {3}, {1, 9, 2.5}}, {F32, 1, {3}, {2, 1, 1}}, {F32, 1, {3}, {0, 6, 1.5}}}},
    {"multiply_f32", HOIST_TFLITE_MULTIPLY_F32, {{F(-1), F(1)}},
     {{F32, 1, {3}, {0.5, -3, 0}}, {F32, 1, {3}, {0.5, 4, -1}}, {F32, 1, {3}, {0.25, -1, -0.0}}}},
    {"divide_f32", HOIST_TFLITE_DIVIDE_F32, {{F(-MANY), F(MANY)}},
     {{F32, 1, {4}, {1, 1, -1, 0}}, {F32, 1, {4}, {3, 0, 0, 0}}, {F32, 1, {4}, {(double)(1.0F / 3), MANY, -MANY, NAN}}}},
    {"sqrt_f32", HOIST_TFLITE_SQRT_F32, {{I(0)}},
     {{F32, 1, {4}, {4, 2, -1, -0.0}}, {F32, 1, {4}, {2, 1.4142135381698608, NAN, -0.0}}, {0}}},
    // int32, modulo 2^32.
    {"add_i32", HOIST_TFLITE_ADD_I32, {{I(INT32_MIN), I(INT32_MAX)}},
     {{I32, 1, {3}, {1, INT32_MAX, INT32_MIN}}, {I32, 1, {3}, {2, 1, -1}}, {I32, 1, {3}, {3, INT32_MIN, INT32_MAX}}}},
    {"subtract_i32, from 0 on", HOIST_TFLITE_SUBTRACT_I32, {{I(0), I(INT32_MAX)}},
     {{I32, 1, {2}, {1, 7}}, {I32, 1, {2}, {2, 3}}, {I32, 1, {2}, {0, 4}}}},
    {"multiply_i32, to 6", HOIST_TFLITE_MULTIPLY_I32, {{I(-1), I(6)}},
     {{I32, 1, {4}, {2, 3, 65536, INT32_MIN}}, {I32, 1, {4}, {2, 3, 65536, INT32_MIN}}, {I32, 1, {4}, {4, 6, 0, 0}}}},
    {"floor_divide", HOIST_TFLITE_FLOOR_DIVIDE_I32, {{I(0)}},
     {{I32, 1, {6}, {7, -7, 7, -7, 6, INT32_MIN}}, {I32, 1, {6}, {2, 2, -2, -2, -3, -1}}, {I32, 1, {6}, {3, -4, -4, 3, -2, INT32_MIN}}}},
    {"floor_mod", HOIST_TFLITE_FLOOR_MOD_I32, {{I(0)}},
     {{I32, 1, {6}, {7, -7, 7, -7, 6, INT32_MIN}}, {I32, 1, {6}, {2, 2, -2, -2, -3, -1}}, {I32, 1, {6}, {1, 1, -1, -1, 0, 0}}}},
    // Halves of what is 1 or more, else quarters of the product.
    {"prelu", HOIST_TFLITE_PRELU, {{I(1), I(0), I(3), I(1 << 30), I(0), I(1 << 30), I(-1)}},
     {{I8, 1, {5}, {1, 5, -3, -128, 127}}, {I8, 1, {5}, {2, 2, 3, 3, 9}}, {I8, 1, {5}, {3, 5, 0, -94, 66}}}},
    {"prelu of a negative slope", HOIST_TFLITE_PRELU, {{I(1), I(0), I(3), I(1 << 30), I(0), I(-(1 << 30)), I(-1)}},
     {{I8, 1, {5}, {1, 5, -3, -128, 127}}, {I8, 1, {5}, {2, 2, 3, 3, 9}}, {I8, 1, {5}, {3, 5, 6, 100, 66}}}},
    {"prelu of i16", HOIST_TFLITE_PRELU, {{I(0), I(0), I(0), I(1 << 30), I(1), I(1 << 30), I(-1)}},
     {{I16, 1, {4}, {32767, -32768, 258, -1000}}, {I16, 1, {4}, {1, 1, 9, 3}}, {I16, 1, {4}, {32767, -8192, 258, -750}}}},
    {"requantize to i32", HOIST_TFLITE_REQUANTIZE, {{I(-32768), I(0), I(1 << 30), I(11)}},
     {{I16, 1, {3}, {-32768, 32767, 1}}, {I32, 1, {3}, {0, 67107840, 33555456}}, {0}}},
    {"requantize of i32, modulo 2^32", HOIST_TFLITE_REQUANTIZE, {{I(1), I(5), I(1 << 30), I(-9)}},
     {{I32, 1, {4}, {2049, -2047, 2147483647, -2147483647 - 1}}, {I16, 1, {4}, {7, 3, 32767, 32767}}, {0}}},
    {"prelu of u8, clamped", HOIST_TFLITE_PRELU, {{I(128), I(0), I(250), I(1 << 30), I(1), I(1 << 30), I(1)}},
     {{U8, 1, {4}, {128, 130, 140, 100}}, {U8, 1, {4}, {9, 9, 9, 20}}, {U8, 1, {4}, {250, 252, 255, 0}}}},
    // The box of the best score covers half of the first one; the last is apart.
    {"detections_f32", HOIST_TFLITE_DETECTIONS_F32, {{I(2), I(1), I(1), I(9), I(0), F(0.25), F(0.25), F(10), F(10), F(5), F(5)}},
     {{F32, 2, {3, 4}, {0}}, {F32, 2, {3, 2}, {9, 0.5, 9, 0.75, 9, 0.25}}, {F32, 2, {3, 4}, {0.5, 0.5, 1, 1, 0.5, 0.5, 1, 0.5, 2, 2, 1, 1}},
      {F32, 2, {3, 6}, {0, 0.25, 1, 0.75, 0, 0.75, 1.5, 1.5, 2.5, 2.5, 0, 0.25, 2, 0, 0, 0, 0, 0}}}},
    {"detections_f32, moved, its two best classes", HOIST_TFLITE_DETECTIONS_F32, {{I(1), I(2), I(3), I(9), I(0), F(0.25), F(0.25), F(2), F(4), F(5), F(5)}},
     {{F32, 2, {1, 5}, {1, 2, 0, 0, 7}}, {F32, 2, {1, 3}, {0.5, 0.25, 0.5}}, {F32, 2, {1, 4}, {0, 0, 2, 4}},
      {F32, 2, {3, 6}, {0, 0, 2, 4, 0, 0.5, 0, 0, 2, 4, 2, 0.5, 1, 0, 0, 0, 0, 0}}}},
    {"detections_f32 of none", HOIST_TFLITE_DETECTIONS_F32, {{I(1), I(1), I(1), I(9), I(0), F(0.75), F(0.25), F(1), F(1), F(1), F(1)}},
     {{F32, 2, {1, 4}, {0}}, {F32, 2, {1, 1}, {0.5}}, {F32, 2, {1, 4}, {0, 0, 1, 1}}, {F32, 2, {2, 6}, {0}}}},
    // Of each class; of equal scores those of the last class come first.
    {"detections_f32, regular", HOIST_TFLITE_DETECTIONS_F32, {{I(3), I(1), I(2), I(3), I(1), F(0.5), F(0.25), F(1), F(1), F(1), F(1)}},
     {{F32, 2, {3, 4}, {0}}, {F32, 2, {3, 2}, {0.5, 0.75, 0.5, 0.5, 0.75, 0.25}}, {F32, 2, {3, 4}, {0.5, 0.5, 1, 1, 0.5, 0.5, 1, 0.5, 2, 2, 1, 1}},
      {F32, 2, {4, 6}, {0, 0, 1, 1, 1, 0.75, 1.5, 1.5, 2.5, 2.5, 0, 0.75, 0, 0, 1, 1, 0, 0.5, 3, 0, 0, 0, 0, 0}}}},
    {"detections_f32, regular, the worst falls out", HOIST_TFLITE_DETECTIONS_F32, {{I(1), I(1), I(2), I(1), I(1), F(0.5), F(0.25), F(1), F(1), F(1), F(1)}},
     {{F32, 2, {2, 4}, {0}}, {F32, 2, {2, 2}, {0.5, 0.75, 0.75, 0.5}}, {F32, 2, {2, 4}, {0.5, 0.5, 1, 1, 2, 2, 1, 1}},
      {F32, 2, {2, 6}, {0, 0, 1, 1, 1, 0.75, 1, 0, 0, 0, 0, 0}}}},
    // Means and softmax as the interpreter's own kernels have them.
    {"mean_single", HOIST_TFLITE_MEAN_SINGLE, {{I(1 << 30), I(0), I(-2)}}, {{U8, 4, {1, 1, 2, 2}, {3, 100, 5, 101}}, {U8, 4, {1, 1, 1, 2}, {2, 99}}, {0}}},
    {"mean_single, far below", HOIST_TFLITE_MEAN_SINGLE, {{I(1 << 30), I(0), I(INT32_MIN)}}, {{I8, 4, {1, 1, 2, 1}, {-128, -128}}, {I8, 4, {1, 1, 1, 1}, {-128}}, {0}}},
    {"mean_single, far above", HOIST_TFLITE_MEAN_SINGLE, {{I(1 << 30), I(0), I(INT32_MAX)}}, {{I8, 4, {1, 1, 2, 1}, {127, 127}}, {I8, 4, {1, 1, 1, 1}, {127}}, {0}}},
    {"softmax_single", HOIST_TFLITE_SOFTMAX_SINGLE, {{F(0.13083283603191376), F(0.00390625)}}, {{U8, 1, {4}, {10, 20, 30, 40}}, {U8, 1, {4}, {4, 14, 51, 188}}, {0}}},
    {"softmax_single of one", HOIST_TFLITE_SOFTMAX_SINGLE, {{F(1), F(0.00390625)}}, {{U8, 2, {2, 1}, {77, 3}}, {U8, 2, {2, 1}, {255, 255}}, {0}}},
    {"softmax_single of signed numbers", HOIST_TFLITE_SOFTMAX_SINGLE, {{F(0.05), F(0.00390625)}}, {{I8, 1, {3}, {-128, 0, 127}}, {I8, 1, {3}, {-128, -128, 127}}, {0}}},
    {"softmax_single to i16", HOIST_TFLITE_SOFTMAX_SINGLE, {{F(1), F(0.0000152587890625)}}, {{I8, 1, {4}, {9, 9, 9, 9}}, {I16, 1, {4}, {-16384, -16384, -16384, -16384}}, {0}}},
    {"softmax to i16", HOIST_TFLITE_SOFTMAX, {{I(1 << 30), I(27)}}, {{I8, 2, {2, 4}, {9, 9, 9, 9, 127, -128, -128, -128}}, {I16, 2, {2, 4}, {-16384, -16384, -16384, -16384, 32767, -32768, -32768, -32768}}, {0}}},
    {"dense_i16_i8", HOIST_TFLITE_DENSE_I16_I8, {{I(-7), I(1 << 30), I(-3)}},
     {{I16, 3, {2, 2, 2}, {20, -20, 1000, 0, 3, 4, 5, 6}}, {I16, 2, {2, 2}, {20, 10, 9, 1}}, {I32, 1, {2}, {8, -100}}, {I8, 2, {2, 2}, {6, 127, 0, -10}}}},
    {"dense_i16_i8, modulo 2^32", HOIST_TFLITE_DENSE_I16_I8, {{I(0), I(1 << 30), I(-26)}},
     {{I16, 3, {1, 1, 3}, {-32768, -32768, -32768}}, {I16, 2, {1, 3}, {-32768, -32768, -32768}}, {I32, 1, {1}, {-2147483647}}, {I8, 2, {1, 1}, {8}}}},
    {"softmax_single of equals", HOIST_TFLITE_SOFTMAX_SINGLE, {{F(1), F(0.00390625)}}, {{I8, 1, {4}, {9, 9, 9, 9}}, {I8, 1, {4}, {-64, -64, -64, -64}}, {0}}},
    // Casts.
    {"cast of u8", HOIST_TFLITE_CAST, {{I(0)}}, {{U8, 1, {3}, {0, 1, 255}}, {F32, 1, {3}, {0, 1, 255}}, {0}}},
    {"cast of a large number", HOIST_TFLITE_CAST, {{I(0)}}, {{I32, 1, {2}, {16777217, -16777219}}, {F32, 1, {2}, {16777216, -16777220}}, {0}}},
    {"cast to fewer bits", HOIST_TFLITE_CAST, {{I(0)}}, {{I32, 1, {3}, {300, -1, -129}}, {I8, 1, {3}, {44, -1, 127}}, {0}}},
    {"cast to more", HOIST_TFLITE_CAST, {{I(0)}}, {{I16, 1, {2}, {-5, 32767}}, {I64, 1, {2}, {-5, 32767}}, {0}}},
    {"cast of floats", HOIST_TFLITE_CAST, {{I(0)}}, {{F32, 1, {8}, {1.9, -1.9, 127.5, 128, -129, NAN, INFINITY, -INFINITY}}, {I8, 1, {8}, {1, -1, 127, 127, -128, 0, 127, -128}}, {0}}},
    {"cast of floats to u8", HOIST_TFLITE_CAST, {{I(0)}}, {{F32, 1, {4}, {-0.5, -1, 255.9, 256}}, {U8, 1, {4}, {0, 0, 255, 255}}, {0}}},
    {"cast of floats to i32", HOIST_TFLITE_CAST, {{I(0)}}, {{F32, 1, {3}, {2147483648.0, -2147483648.0, 2147483520.0}}, {I32, 1, {3}, {INT32_MAX, INT32_MIN, 2147483520}}, {0}}},
    {"cast to bool", HOIST_TFLITE_CAST, {{I(0)}}, {{F32, 1, {4}, {0, -0.0, 0.25, NAN}}, {FLAG, 1, {4}, {0, 0, 1, 1}}, {0}}},
    {"cast of i64 to bool", HOIST_TFLITE_CAST, {{I(0)}}, {{I64, 1, {3}, {0, 256, -1}}, {FLAG, 1, {3}, {0, 1, 1}}, {0}}},
    {"cast of bool", HOIST_TFLITE_CAST, {{I(0)}}, {{FLAG, 1, {2}, {0, 2}}, {F32, 1, {2}, {0, 1}}, {0}}},
    // Scale 1/16 in and out, so that 48 is 3: x * relu6(x + 3) / 6.
    {"hard_swish", HOIST_TFLITE_HARD_SWISH, {{I(0), I(0), I(16384), I(-6), I(21845), I(3)}},
     {{I8, 1, {8}, {-128, -48, -24, 0, 1, 24, 48, 127}}, {I8, 1, {8}, {0, 0, -6, 0, 1, 18, 48, 127}}, {0}}},
    // Places.
    {"arg_max along the last axis", HOIST_TFLITE_ARG_MAX, {{I(0)}},
     {{U8, 3, {2, 4, 1}, {3, 200, 200, 1, 0, 0, 0, 0}}, {I64, 2, {2, 1}, {1, 0}}, {0}}},
    {"arg_max along the first", HOIST_TFLITE_ARG_MAX, {{I(0)}},
     {{I8, 3, {1, 3, 2}, {-5, 4, -4, 4, -128, 5}}, {I32, 2, {1, 2}, {1, 2}}, {0}}},
    {"arg_min", HOIST_TFLITE_ARG_MIN, {{I(0)}},
     {{I32, 3, {1, 4, 1}, {7, -2, -2, 9}}, {I32, 2, {1, 1}, {1}}, {0}}},
    {"arg_max of floats", HOIST_TFLITE_ARG_MAX, {{I(0)}},
     {{F32, 3, {3, 3, 1}, {NAN, -1, -2, 3, NAN, 2, NAN, NAN, NAN}}, {I32, 2, {3, 1}, {1, 0, 0}}, {0}}},
    {"arg_min of floats", HOIST_TFLITE_ARG_MIN, {{I(0)}},
     {{F32, 3, {2, 3, 1}, {NAN, -1, -2, 3, NAN, 3}}, {I32, 2, {2, 1}, {2, 0}}, {0}}},
    // Lookups.
    {"gather", HOIST_TFLITE_GATHER, {{I(0)}},
     {{I8, 3, {2, 3, 2}, {0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15}}, {I32, 1, {4}, {2, 0, 2, 1}},
      {I8, 3, {2, 4, 2}, {4, 5, 0, 1, 4, 5, 2, 3, 14, 15, 10, 11, 14, 15, 12, 13}}}},
    {"gather by i64", HOIST_TFLITE_GATHER, {{I(0)}},
     {{F32, 3, {1, 2, 1}, {0.5, -0.25}}, {I64, 1, {1}, {1}}, {F32, 3, {1, 1, 1}, {-0.25}}}},
    {"gather_nd of rows", HOIST_TFLITE_GATHER_ND, {{I(0)}},
     {{I16, 5, {1, 1, 2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}, {I32, 2, {2, 2}, {1, 0, 0, 1}},
      {I16, 2, {2, 3}, {6, 7, 8, 3, 4, 5}}}},
    {"gather_nd of numbers", HOIST_TFLITE_GATHER_ND, {{I(0)}},
     {{U8, 5, {2, 1, 2, 2, 1}, {0, 1, 2, 3, 4, 5, 6, 7}}, {I64, 2, {3, 4}, {1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 1}},
      {U8, 2, {3, 1}, {7, 0, 5}}}},
    // Images: 2 rows of 3 to 4 of 6, and back.
    {"resize_nearest", HOIST_TFLITE_RESIZE_NEAREST, {{I(0), I(0)}},
     {{I8, 4, {1, 2, 3, 1}, {1, 2, 3, 4, 5, 6}}, {I8, 4, {1, 4, 5, 1}, {1, 1, 2, 2, 3, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 4, 4, 5, 5, 6}}, {0}}},
    {"with aligned corners", HOIST_TFLITE_RESIZE_NEAREST, {{I(1), I(0)}},
     {{I8, 4, {1, 1, 3, 1}, {1, 2, 3}}, {I8, 4, {1, 1, 5, 1}, {1, 2, 2, 3, 3}}, {0}}},
    {"with half pixels", HOIST_TFLITE_RESIZE_NEAREST, {{I(0), I(1)}},
     {{I8, 4, {1, 1, 4, 1}, {1, 2, 3, 4}}, {I8, 4, {1, 1, 2, 1}, {2, 4}}, {0}}},
    {"two channels", HOIST_TFLITE_RESIZE_NEAREST, {{I(0), I(0)}},
     {{F32, 4, {2, 1, 1, 2}, {1, 2, 3, 4}}, {F32, 4, {2, 1, 2, 2}, {1, 2, 1, 2, 3, 4, 3, 4}}, {0}}},
    {"bilinear", HOIST_TFLITE_RESIZE_BILINEAR_F32, {{I(0), I(0)}},
     {{F32, 4, {1, 2, 2, 1}, {0, 1, 2, 3}}, {F32, 4, {1, 4, 4, 1}, {0, 0.5, 1, 1, 1, 1.5, 2, 2, 2, 2.5, 3, 3, 2, 2.5, 3, 3}}, {0}}},
    {"bilinear with aligned corners", HOIST_TFLITE_RESIZE_BILINEAR_F32, {{I(1), I(0)}},
     {{F32, 4, {1, 1, 2, 1}, {0, 4}}, {F32, 4, {1, 1, 5, 1}, {0, 1, 2, 3, 4}}, {0}}},
    {"bilinear with half pixels", HOIST_TFLITE_RESIZE_BILINEAR_F32, {{I(0), I(1)}},
     {{F32, 4, {1, 1, 2, 1}, {0, 4}}, {F32, 4, {1, 1, 4, 1}, {0, 1, 3, 4}}, {0}}},
    // Windows over 2 rows of 2, of weights that are digits.
    {"conv_f32", HOIST_TFLITE_CONV_F32, {{I(1), I(1), I(0), I(0), I(1), I(1), F(-MANY), F(MANY)}},
     {{F32, 4, {1, 2, 2, 1}, {1, 2, 3, 4}}, {F32, 4, {1, 2, 2, 1}, {1, 10, 100, 1000}}, {F32, 1, {1}, {0.5}},
      {F32, 4, {1, 1, 1, 1}, {4321.5}}}},
    {"conv_f32 beyond all edges", HOIST_TFLITE_CONV_F32, {{I(1), I(1), I(1), I(1), I(1), I(1), F(0), F(3000)}},
     {{F32, 4, {1, 2, 2, 1}, {1, 2, 3, 4}}, {F32, 4, {1, 2, 2, 1}, {1, 10, 100, 1000}}, {F32, 1, {1}, {0}},
      {F32, 4, {1, 3, 3, 1}, {1000, 2100, 200, 3000, 3000, 402, 30, 43, 4}}}},
    {"conv_f32 with strides and dilation", HOIST_TFLITE_CONV_F32, {{I(2), I(1), I(0), I(1), I(1), I(2), F(-MANY), F(MANY)}},
     {{F32, 4, {1, 3, 2, 1}, {1, 2, 3, 4, 5, 6}}, {F32, 4, {1, 1, 2, 1}, {1, 10}}, {F32, 1, {1}, {0}},
      {F32, 4, {1, 2, 2, 1}, {20, 1, 60, 5}}}},
    {"conv_f32 of two groups", HOIST_TFLITE_CONV_F32, {{I(1), I(1), I(0), I(0), I(1), I(1), F(-MANY), F(MANY)}},
     {{F32, 4, {1, 1, 1, 4}, {1, 2, 3, 4}}, {F32, 4, {4, 1, 1, 2}, {1, 0, 0, 1, 1, 0, 10, 1}}, {F32, 1, {4}, {0, 0, 0, 1}},
      {F32, 4, {1, 1, 1, 4}, {1, 2, 3, 35}}}},
    // Each row of x over three rows of y, two apart.
    {"transpose_conv_f32", HOIST_TFLITE_TRANSPOSE_CONV_F32, {{I(2), I(1), I(0), I(0), I(1), I(1), F(-MANY), F(MANY)}},
     {{F32, 4, {1, 2, 1, 1}, {1, 2}}, {F32, 4, {1, 3, 1, 1}, {1, 10, 100}}, {F32, 1, {1}, {0.5}},
      {F32, 4, {1, 5, 1, 1}, {1.5, 10.5, 102.5, 20.5, 200.5}}}},
    {"transpose_conv_f32 beyond both edges", HOIST_TFLITE_TRANSPOSE_CONV_F32, {{I(2), I(1), I(1), I(0), I(1), I(1), F(0), F(150)}},
     {{F32, 4, {1, 2, 1, 1}, {1, 2}}, {F32, 4, {1, 3, 1, 1}, {1, 10, 100}}, {F32, 1, {1}, {0}},
      {F32, 4, {1, 3, 1, 1}, {10, 102, 20}}}},
    {"transpose_conv_f32 of columns and channels", HOIST_TFLITE_TRANSPOSE_CONV_F32, {{I(1), I(2), I(0), I(1), I(1), I(3), F(-MANY), F(MANY)}},
     {{F32, 4, {1, 1, 2, 2}, {1, 2, 3, 4}}, {F32, 4, {2, 1, 2, 2}, {1, 10, 100, 1000, 1, 0, 0, 1}}, {F32, 1, {2}, {0, 0.5}},
      {F32, 4, {1, 1, 4, 2}, {0, 0.5, 43, 3.5, 2100, 2.5, 0, 0.5}}}},
    // Sums of 64 bits.
    // 7 + (4 - 3) * 5 + (-2 - 3) * 6 = -18, over 2: -9, and 100; 32760 and 9 are too much.
    {"dense_i16", HOIST_TFLITE_DENSE_I16, {{I(3), I(1 << 30), I(0)}},
     {{I8, 2, {1, 2}, {4, -2}}, {I8, 2, {2, 2}, {5, 6, -5, -6}}, {I32, 1, {2}, {7, -7}}, {I16, 2, {1, 2}, {100, 32760}},
      {I16, 2, {1, 2}, {91, 32767}}}},
    {"dense_i16, below", HOIST_TFLITE_DENSE_I16, {{I(0), I(1 << 30), I(1)}},
     {{I8, 2, {1, 1}, {-128}}, {I8, 2, {1, 1}, {127}}, {I32, 1, {1}, {0}}, {I16, 2, {1, 1}, {-20000}}, {I16, 2, {1, 1}, {-32768}}}},
    {"add_i16", HOIST_TFLITE_ADD_I16, {{I(-32768), I(32767)}},
     {{I16, 1, {3}, {30000, -30000, 5}}, {I16, 1, {3}, {3000, -3000, -7}}, {I16, 1, {3}, {32767, -32768, -2}}}},
    {"add_i16 within limits", HOIST_TFLITE_ADD_I16, {{I(-10), I(9)}},
     {{I16, 1, {3}, {8, -9, 5}}, {I16, 1, {3}, {2, -2, -7}}, {I16, 1, {3}, {9, -10, -2}}}},
    {"multiply_i16", HOIST_TFLITE_MULTIPLY_I16, {{I(1)}},
     {{I16, 1, {4}, {3, -3, 100, 2}}, {I16, 1, {4}, {3, 3, -7, 3}}, {I16, 1, {4}, {5, -5, -350, 3}}}},
    {"multiply_i16, the greatest", HOIST_TFLITE_MULTIPLY_I16, {{I(15)}},
     {{I16, 1, {2}, {-32768, 32767}}, {I16, 1, {2}, {-32768, 32767}}, {I16, 1, {2}, {-32768, 32766}}}},
    {"multiply_i16_i8", HOIST_TFLITE_MULTIPLY_I16_I8, {{I(-7), I(1 << 30), I(-3)}},
     {{I16, 1, {4}, {20, -20, 1000, -1000}}, {I16, 1, {4}, {20, 20, 9, 9}}, {I8, 1, {4}, {18, -32, 127, -128}}}},
    {"logistic_i16", HOIST_TFLITE_LOGISTIC_I16, {{I(0)}}, {{I16, 1, {3}, {-1000, 0, 4096}}, {I16, 1, {3}, {14391, 16384, 23952}}, {0}}},
    {"tanh_i16", HOIST_TFLITE_TANH_I16, {{I(3)}}, {{I16, 1, {3}, {-1000, 0, 4096}}, {I16, 1, {3}, {-7840, 0, 24964}}, {0}}},
    {"conv_i16", HOIST_TFLITE_CONV_I16, {{I(1), I(1), I(0), I(0), I(1), I(1), I(0), I(0), I(0), I(-32768), I(32767)}},
     {{I16, 4, {1, 1, 2, 2}, {-32768, 32767, 100, -7}}, {I8, 4, {1, 1, 2, 2}, {-128, 127, 3, -5}}, {I64, 1, {1}, {-8355880}}, {I32, 2, {1, 2}, {1 << 30, 0}},
      {I16, 4, {1, 1, 1, 1}, {84}}}},
    {"conv_i16, beyond the edge, in groups", HOIST_TFLITE_CONV_I16, {{I(2), I(1), I(1), I(0), I(1), I(1), I(1), I(-1), I(5), I(-100), I(100)}},
     {{I16, 4, {1, 2, 1, 2}, {2, 3, 4, 5}}, {I8, 4, {2, 2, 1, 1}, {1, 10, 2, 20}}, {I64, 1, {2}, {0, 4294967296}}, {I32, 2, {2, 2}, {1 << 30, 1, 1 << 30, -25}},
      {I16, 4, {1, 1, 1, 2}, {16, 69}}}},
    {"transpose_conv", HOIST_TFLITE_TRANSPOSE_CONV, {{I(2), I(1), I(0), I(0), I(1), I(1), I(1), I(2), I(5), I(0), I(100)}},
     {{U8, 4, {1, 2, 1, 1}, {2, 3}}, {U8, 4, {1, 3, 1, 1}, {3, 12, 102}}, {I32, 1, {1}, {3}}, {I32, 2, {1, 2}, {1 << 30, 1}},
      {U8, 4, {1, 5, 1, 1}, {9, 18, 100, 28, 100}}}},
    {"transpose_conv of i8, scales by channel", HOIST_TFLITE_TRANSPOSE_CONV, {{I(1), I(1), I(0), I(0), I(1), I(1), I(-1), I(0), I(-5), I(-128), I(127)}},
     {{I8, 4, {1, 1, 1, 1}, {3}}, {I8, 4, {2, 1, 1, 1}, {-6, 7}}, {I32, 1, {2}, {0, 2}}, {I32, 2, {2, 2}, {1 << 30, 1, 1 << 30, 0}},
      {I8, 4, {1, 1, 1, 2}, {-29, 10}}}},
    {"transpose_conv_i16", HOIST_TFLITE_TRANSPOSE_CONV_I16, {{I(2), I(1), I(0), I(0), I(1), I(1), I(1), I(2), I(5), I(-20000), I(20000)}},
     {{I16, 4, {1, 2, 1, 1}, {1001, 20001}}, {I8, 4, {1, 3, 1, 1}, {3, 12, -98}}, {I64, 1, {1}, {3}}, {I32, 2, {1, 2}, {1 << 30, 1}},
      {I16, 4, {1, 5, 1, 1}, {1008, 10008, -20000, 20000, -20000}}}},
    {"transpose_conv_i16, a wide bias, scales by channel", HOIST_TFLITE_TRANSPOSE_CONV_I16, {{I(1), I(1), I(0), I(0), I(1), I(1), I(0), I(0), I(0), I(-32768), I(32767)}},
     {{I16, 4, {1, 1, 1, 1}, {-32768}}, {I8, 4, {2, 1, 1, 1}, {-128, 127}}, {I64, 1, {2}, {4294967296, -4294967296}}, {I32, 2, {2, 2}, {1 << 30, -24, 1 << 30, -23}},
      {I16, 4, {1, 1, 1, 2}, {128, -256}}}},
    {"same_i32", HOIST_TFLITE_SAME_I32, {{I(0)}}, {{I32, 1, {3}, {1, -1, 2147483647}}, {I32, 1, {3}, {1, 7, 2147483647}}, {I32, 1, {3}, {1, 7, 2147483647}}}},
    {"depthwise_f32, two outputs of a channel", HOIST_TFLITE_DEPTHWISE_F32, {{I(1), I(1), I(0), I(0), I(1), I(1), F(-1), F(6)}},
     {{F32, 4, {1, 1, 2, 2}, {1, 2, 0.5, -3}}, {F32, 4, {1, 1, 2, 4}, {1, 1, 1, 1, 2, 0, 1, 2}}, {F32, 1, {4}, {0, 1, 0, 0}},
      {F32, 4, {1, 1, 1, 4}, {2, 2, -1, -1}}}},
    {"dense_f32 of more than a block", HOIST_TFLITE_DENSE_F32, {{F(0), F(6)}},
     {{F32, 2, {1, 2}, {1, 0.5}}, {F32, 2, {10, 2}, {1, 0, 0, 1, 1, 1, 2, 2, 3, 4, 6, 6, -1, 0, 0, -1, 0, 2, 8, 0}},
      {F32, 1, {10}, {0, 0, 0, 0, 0, 0, 0, 1, 0, -3}}, {F32, 2, {1, 10}, {1, 0.5, 1.5, 3, 5, 6, 0, 0.5, 1, 5}}}},
    {"softmax_f32", HOIST_TFLITE_SOFTMAX_F32, {{F(2)}},
     {{F32, 2, {3, 2}, {5, 5, 0, -1000, 7, -INFINITY}}, {F32, 2, {3, 2}, {0.5, 0.5, 1, 0, 1, 0}}, {0}}},
    {"softmax_f32 of a number", HOIST_TFLITE_SOFTMAX_F32, {{F(1)}}, {{F32, 0, {0}, {3}}, {F32, 0, {0}, {1}}, {0}}},
    {"logistic_f32", HOIST_TFLITE_LOGISTIC_F32, {{I(0)}},
     {{F32, 1, {4}, {0, 1000, -1000, NAN}}, {F32, 1, {4}, {0.5, 1, 0, NAN}}, {0}}},
    {"tanh_f32", HOIST_TFLITE_TANH_F32, {{I(0)}},
     {{F32, 1, {4}, {-0.0, 1000, -1000, 0.5}}, {F32, 1, {4}, {-0.0, 1, -1, 0.46211716532707214}}, {0}}},
    {"prelu_f32", HOIST_TFLITE_PRELU_F32, {{I(0)}},
     {{F32, 1, {5}, {2, -2, 0, NAN, -INFINITY}}, {F32, 1, {5}, {9, 0.25, 9, 1, 2}}, {F32, 1, {5}, {2, -0.5, 0, NAN, -INFINITY}}}},
    {"average_pool_f32", HOIST_TFLITE_AVERAGE_POOL_F32, {{I(2), I(2), I(1), I(1), I(1), I(0), F(-MANY), F(MANY)}},
     {{F32, 4, {1, 2, 2, 1}, {1, 2, 3, 4}}, {F32, 4, {1, 2, 2, 1}, {1.5, 2, 2.5, 3}}, {0}}},
    {"max_pool_f32", HOIST_TFLITE_MAX_POOL_F32, {{I(2), I(1), I(2), I(1), I(0), I(0), F(-MANY), F(3)}},
     {{F32, 4, {1, 3, 1, 2}, {1, -2, -5, -1, NAN, 4}}, {F32, 4, {1, 2, 1, 2}, {1, -1, -MANY, 3}}, {0}}},
};
// clang-format on

HOIST_TEST_TABLE(cases_by_hand, cases)
{
    for (int gap = 1; gap < 3; gap++) {
        static bench n;
        hoist_compute_fault fault;
        begin(t, &n, row->op, row->operands, gap);
        n.call.attrs = row->attrs;
        const size_t inputs = n.call.input_count;
        const operand *expected = &row->operands[inputs];
        HOIST_EXPECT_EQ(t, run(&n, &fault), HOIST_OK);
        for (size_t i = 0; i < (size_t)hoist_shape_count(&n.views[inputs].shape); i++) {
            if (!is_same(got(&n.views[inputs], i), expected->items[i])) {
                hoist_test_fail(t, __FILE__, __LINE__, "number %zu is %.17g, expected %.17g", i,
                                got(&n.views[inputs], i), expected->items[i]);
            }
        }
    }
}

// Units are shared among threads: none writes an element that another one writes, too.
HOIST_TEST_TABLE(units_share_nothing, cases)
{
    static bench n;
    const hoist_compute_kernels *const kernels = hoist_compute_kernels_at(HOIST_CPU_BASELINE);
    size_t count = 1;
    size_t written = 0;
    for (size_t unit = 0; unit < count; unit++) {
        hoist_compute_fault fault;
        begin(t, &n, row->op, row->operands, 1);
        n.call.attrs = row->attrs;
        count = hoist_compute_work(&n.call);
        HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &n.call, unit, unit + 1, &fault), HOIST_OK);
        const hoist_view *const out = &n.views[n.call.input_count];
        for (size_t i = 0; i < (size_t)hoist_shape_count(&out->shape); i++) {
            written += !is_same(got(out, i), UNTOUCHED);
        }
    }
    const hoist_view *const out = &n.views[n.call.input_count];
    HOIST_EXPECT(t, written <= (size_t)hoist_shape_count(&out->shape));
}

// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    operand operands[MOST_OPERANDS];
    const char *what;
    uint64_t row, col;
    double value;
    unsigned operand; // 0: none
    double expected;  // where it is the first one
} stops[] = {
    {"a box without an area", HOIST_TFLITE_DETECTIONS_F32,
     {{F32, 2, {2, 4}, {0}}, {F32, 2, {2, 1}, {1}}, {F32, 2, {2, 4}, {0, 0, 1, 1, 0, 0, 0, 1}}, {F32, 2, {2, 6}, {0}}},
     "a box without an area", 0, 2, 1, 3, 0},
    {"a shift of 16-bit numbers", HOIST_TFLITE_CONV_I16,
     {{I16, 4, {1, 1, 1, 1}, {3}}, {I8, 4, {1, 1, 1, 1}, {1}}, {I64, 1, {1}, {0}}, {I32, 2, {1, 2}, {1, 8}}, {I16, 4, {1, 1, 1, 1}, {0}}},
     "a shift above 7 of 16-bit numbers", 0, 1, 8, 0, 0},
    {"a multiplier of 16-bit numbers", HOIST_TFLITE_CONV_I16,
     {{I16, 4, {1, 1, 1, 1}, {3}}, {I8, 4, {1, 1, 1, 1}, {1}}, {I64, 1, {1}, {0}}, {I32, 2, {1, 2}, {-1, 7}}, {I16, 4, {1, 1, 1, 1}, {0}}},
     "a multiplier below 0", 0, 0, -1, 0, 0},
    {"a shift of a transposed convolution", HOIST_TFLITE_TRANSPOSE_CONV,
     {{I8, 4, {1, 1, 1, 1}, {3}}, {I8, 4, {1, 1, 1, 1}, {1}}, {I32, 1, {1}, {0}}, {I32, 2, {1, 2}, {1, 31}}, {I8, 4, {1, 1, 1, 1}, {0}}},
     "a shift outside of -31 to 30", 0, 1, 31, 0, 0},
    {"a shift of a transposed convolution of 16-bit numbers", HOIST_TFLITE_TRANSPOSE_CONV_I16,
     {{I16, 4, {1, 1, 1, 1}, {3}}, {I8, 4, {1, 1, 1, 1}, {1}}, {I64, 1, {1}, {0}}, {I32, 2, {1, 2}, {1, 8}}, {I16, 4, {1, 1, 1, 1}, {0}}},
     "a shift above 7 of 16-bit numbers", 0, 1, 8, 0, 0},
    {"another number", HOIST_TFLITE_SAME_I32,
     {{I32, 1, {3}, {1, 2, 3}}, {I32, 1, {3}, {1, 7, 2}}, {I32, 1, {3}, {0}}}, "a number differs", 0, 1, 2, 1, 7},
    {"a divisor of 0 of a rest", HOIST_TFLITE_FLOOR_MOD_I32,
     {{I32, 1, {3}, {1, 2, 3}}, {I32, 1, {3}, {1, 0, 2}}, {I32, 1, {3}, {0}}}, "a division by 0", 0, 1, 0, 2, 0},
    {"a divisor of 0", HOIST_TFLITE_FLOOR_DIVIDE_I32,
     {{I32, 1, {3}, {1, 2, 3}}, {I32, 1, {3}, {1, 0, 2}}, {I32, 1, {3}, {0}}}, "a division by 0", 0, 1, 0, 2, 0},
    {"an index below", HOIST_TFLITE_GATHER,
     {{U8, 3, {1, 3, 1}, {1, 2, 3}}, {I32, 1, {2}, {0, -1}}, {U8, 3, {1, 2, 1}, {0}}}, "an index outside of its dimension", 1, 0, -1, 2, 0},
    {"an index above", HOIST_TFLITE_GATHER,
     {{U8, 3, {1, 3, 1}, {1, 2, 3}}, {I64, 1, {1}, {3}}, {U8, 3, {1, 1, 1}, {0}}}, "an index outside of its dimension", 0, 0, 3, 2, 0},
    {"an index outside that would come to an element", HOIST_TFLITE_GATHER_ND,
     {{U8, 5, {1, 1, 2, 3, 1}, {1, 2, 3}}, {I32, 2, {1, 2}, {0, 3}}, {U8, 2, {1, 1}, {0}}}, "an index outside of its dimension", 0, 1, 3, 2, 0},
    {"a negative one", HOIST_TFLITE_GATHER_ND,
     {{U8, 5, {1, 1, 2, 3, 1}, {1, 2, 3}}, {I32, 2, {2, 2}, {0, 2, -1, 2}}, {U8, 2, {2, 1}, {0}}}, "an index outside of its dimension", 1, 0, -1, 2, 0},
};
// clang-format on

HOIST_TEST_TABLE(what_stops_a_run, stops)
{
    static bench n;
    hoist_compute_fault fault = {0};
    begin(t, &n, row->op, row->operands, 1);
    HOIST_EXPECT_EQ(t, run(&n, &fault), HOIST_INVALID);
    HOIST_EXPECT_STR(t, hoist_str_from(fault.what ? fault.what : ""), row->what);
    HOIST_EXPECT_EQ(t, fault.row, row->row);
    HOIST_EXPECT_EQ(t, fault.col, row->col);
    HOIST_EXPECT(t, fault.value == row->value);
    HOIST_EXPECT_EQ(t, fault.operand, row->operand);
    HOIST_EXPECT_EQ(t, fault.has_expected, row->operand == 1);
    HOIST_EXPECT(t, fault.expected == row->expected);
}

// More elements than a unit has, onto the first operand.
HOIST_TEST(many_numbers_in_place)
{
    enum { COUNT = 1000 };
    static uint8_t memory[2][4 * COUNT];
    hoist_view views[3];
    hoist_shape shape;
    hoist_compute_fault fault;
    HOIST_EXPECT_EQ(t, hoist_shape_init((int64_t[]){COUNT}, 1, &shape), HOIST_OK);
    for (size_t i = 0; i < 3; i++) {
        const hoist_mut_bytes bytes = {memory[i % 2], sizeof memory[0]};
        HOIST_EXPECT_EQ(t, hoist_view_init(bytes, I32, &shape, 0, NULL, &views[i]), HOIST_OK);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        hoist_store_u32le(memory[0] + (size_t)4 * i, i);
        hoist_store_u32le(memory[1] + (size_t)4 * i, 3);
    }
    const hoist_compute_call call = {.op = HOIST_TFLITE_MULTIPLY_I32,
                                     .attrs = {{I(INT32_MIN), I(INT32_MAX)}},
                                     .views = views,
                                     .input_count = 2};
    const size_t work = hoist_compute_work(&call);
    HOIST_EXPECT(t, work > 1);
    HOIST_EXPECT_EQ(
        t, hoist_compute_run(hoist_compute_kernels_at(HOIST_CPU_BASELINE), &call, 0, work, &fault),
        HOIST_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        HOIST_EXPECT_EQ(t, hoist_load_u32le(memory[0] + (size_t)4 * i), 3 * i);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(cases_by_hand), HOIST_TEST_ROW(units_share_nothing),
                HOIST_TEST_ROW(what_stops_a_run), HOIST_TEST_ROW(many_numbers_in_place))
