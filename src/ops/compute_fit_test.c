// Steps against their rows: operands as text, and the message for each that does not fit. Rows are
// those whose shapes are patterns: plain numbers, choices and lookups of tflite, ieee, ark.
#include <stdlib.h>
#include <string.h>

#include "ops/compute_ark.h"
#include "ops/compute_plain.h"
#include "testing/test.h"

enum { ATTRS = 6 };

// "f32[2,3] i32[] > f32[2,3]": inputs, then the output, with what they shall give. Attributes are
// integers in the order of their row.
// clang-format off
static const struct {
    const char *name;
    const char *op;
    int64_t attrs[ATTRS];
    const char *operands;
    hoist_compute_fit fit;
    const char *why;
} cases[] = {
    {"equal shapes", "tflite.maximum", {0}, "f32[2,3] f32[2,3] > f32[2,3]", HOIST_FIT_OK, ""},
    {"of no dimension", "tflite.maximum", {0}, "i8[] i8[] > i8[]", HOIST_FIT_OK, ""},
    {"of eight dimensions", "tflite.minimum", {0}, "u8[1,2,1,2,1,2,1,2] u8[1,2,1,2,1,2,1,2] > u8[1,2,1,2,1,2,1,2]", HOIST_FIT_OK, ""},
    {"another extent", "tflite.maximum", {0}, "f32[2,3] f32[2,4] > f32[2,3]", HOIST_FIT_SHAPES, "dimension 1 of b is 4, expected 3"},
    {"another rank", "tflite.maximum", {0}, "f32[2,3] f32[3] > f32[2,3]", HOIST_FIT_SHAPES, "b has 1 dimensions, expected [2, 3]"},
    {"another output", "tflite.minimum", {0}, "f32[2,3] f32[2,3] > f32[3,2]", HOIST_FIT_SHAPES, "dimension 0 of y is 3, expected 2"},
    {"another type of b", "tflite.maximum", {0}, "i8[2] u8[2] > i8[2]", HOIST_FIT_TYPES, "b is u8, a is i8"},
    {"another type of y", "tflite.maximum", {0}, "i8[2] i8[2] > i16[2]", HOIST_FIT_TYPES, "y is i16, a is i8"},
    {"a type that it has not", "tflite.maximum", {0}, "bool[2] bool[2] > bool[2]", HOIST_FIT_TYPES, "a is bool, expected f32 or i8 or i16 or i32 or u8"},
    {"float32 only", "tflite.add_f32", {0}, "f32[2] f16[2] > f32[2]", HOIST_FIT_TYPES, "b is f16, expected f32"},
    {"int32 only", "tflite.add_i32", {0, 1}, "i32[2] i32[2] > f32[2]", HOIST_FIT_TYPES, "y is f32, expected i32"},
    {"limits", "tflite.add_i32", {-5, 5}, "i32[2] i32[2] > i32[2]", HOIST_FIT_OK, ""},
    {"limits that meet", "tflite.subtract_i32", {5, 5}, "i32[2] i32[2] > i32[2]", HOIST_FIT_OK, ""},
    {"limits the wrong way", "tflite.multiply_i32", {5, 4}, "i32[2] i32[2] > i32[2]", HOIST_FIT_SHAPES, "multiply_i32 expects low no greater than high"},
    {"the lowest limit", "tflite.add_i32", {INT32_MIN, INT32_MAX}, "i32[2] i32[2] > i32[2]", HOIST_FIT_OK, ""},
    {"below the lowest", "tflite.add_i32", {(int64_t)INT32_MIN - 1, 0}, "i32[2] i32[2] > i32[2]", HOIST_FIT_ATTRIBUTES, "low is -2147483649, expected -2147483648 to 2147483647"},
    {"above the greatest", "tflite.add_i32", {0, (int64_t)INT32_MAX + 1}, "i32[2] i32[2] > i32[2]", HOIST_FIT_ATTRIBUTES, "high is 2147483648, expected -2147483648 to 2147483647"},
    {"casts take any two types", "tflite.cast", {0}, "bool[2,2] > i64[2,2]", HOIST_FIT_OK, ""},
    {"but no shape", "tflite.cast", {0}, "bool[2,2] > i64[4]", HOIST_FIT_SHAPES, "y has 1 dimensions, expected [2, 2]"},
    {"a zero of its type", "tflite.hard_swish", {-128, 127, 0, 0, 0, 0}, "i8[3] > i8[3]", HOIST_FIT_OK, ""},
    {"a zero beyond its type", "tflite.hard_swish", {128, 0, 0, 0, 0, 0}, "i8[3] > i8[3]", HOIST_FIT_ATTRIBUTES, "zero_in is 128, and x is i8"},
    {"a zero below its type", "tflite.hard_swish", {0, -1, 0, 0, 0, 0}, "u8[3] > u8[3]", HOIST_FIT_ATTRIBUTES, "zero_out is -1, and y is u8"},
    {"a shift to the left", "tflite.hard_swish", {0, 0, 0, 1, 0, 0}, "i8[3] > i8[3]", HOIST_FIT_ATTRIBUTES, "shift is 1, expected -15 to 0"},
    {"a place of the greatest", "tflite.arg_max", {0}, "f32[2,3,4] > i32[2,4]", HOIST_FIT_OK, ""},
    {"places as int64", "tflite.arg_min", {0}, "u8[2,3,4] > i64[2,4]", HOIST_FIT_OK, ""},
    {"places as float32", "tflite.arg_min", {0}, "u8[2,3,4] > f32[2,4]", HOIST_FIT_TYPES, "y is f32, expected i32 or i64"},
    {"the axis is gone", "tflite.arg_max", {0}, "f32[2,3,4] > i32[2,1,4]", HOIST_FIT_SHAPES, "y has 3 dimensions, expected [A, B]"},
    {"rows by index", "tflite.gather", {0}, "f32[2,9,4] i32[5] > f32[2,5,4]", HOIST_FIT_OK, ""},
    {"as many as there are", "tflite.gather", {0}, "f32[2,9,4] i32[5] > f32[2,9,4]", HOIST_FIT_SHAPES, "dimension 1 of y is 9, expected 5 (I)"},
    {"indices of integers", "tflite.gather", {0}, "f32[2,9,4] f32[5] > f32[2,5,4]", HOIST_FIT_TYPES, "indices is f32, expected i32 or i64"},
    {"places by indices", "tflite.gather_nd", {0}, "f32[1,1,3,4,5] i32[6,2] > f32[6,5]", HOIST_FIT_OK, ""},
    {"five indices", "tflite.gather_nd", {0}, "f32[1,1,3,4,5] i32[6,5] > f32[6,5]", HOIST_FIT_SHAPES, "gather_nd expects at most 4 indices for a row"},
    {"a dimension without an index", "tflite.gather_nd", {0}, "f32[1,2,3,4,5] i32[6,2] > f32[6,5]", HOIST_FIT_SHAPES, "gather_nd expects one element in dimensions that have no index"},
    {"all dimensions have one", "tflite.gather_nd", {0}, "f32[2,2,3,4,5] i32[6,4] > f32[6,5]", HOIST_FIT_OK, ""},
    {"nearest", "tflite.resize_nearest", {0, 1}, "u8[1,4,4,3] > u8[1,8,2,3]", HOIST_FIT_OK, ""},
    {"another channel", "tflite.resize_nearest", {0, 1}, "u8[1,4,4,3] > u8[1,8,2,4]", HOIST_FIT_SHAPES, "dimension 3 of y is 4, expected 3 (C)"},
    {"another type", "tflite.resize_nearest", {0, 1}, "u8[1,4,4,3] > i8[1,8,2,3]", HOIST_FIT_TYPES, "y is i8, x is u8"},
    {"a bool of 2", "tflite.resize_bilinear_f32", {2, 0}, "f32[1,4,4,3] > f32[1,8,2,3]", HOIST_FIT_ATTRIBUTES, "align_corners is 2, expected 0 to 1"},
    {"both", "tflite.resize_bilinear_f32", {1, 1}, "f32[1,4,4,3] > f32[1,8,2,3]", HOIST_FIT_SHAPES, "resize_bilinear_f32 expects aligned corners or half pixel centers, not both"},
    {"three dimensions", "tflite.resize_bilinear_f32", {0, 0}, "f32[4,4,3] > f32[1,8,2,3]", HOIST_FIT_SHAPES, "x has 3 dimensions, expected [N, H, W, C]"},
    {"ieee", "ieee.add", {0}, "f32[2,3] f32[2,3] > f32[2,3]", HOIST_FIT_OK, ""},
    {"ieee by the number of elements", "ieee.multiply", {0}, "f32[2,3] f32[3,2] > f32[2,3]", HOIST_FIT_OK, ""},
    {"ieee, one more", "ieee.multiply", {0}, "f32[2,3] f32[7] > f32[2,3]", HOIST_FIT_SHAPES, "b has 7 elements, a has 6"},
    {"a product", "ark.matmul", {0, 0}, "f32[2,3] f32[3,4] > f32[2,4]", HOIST_FIT_OK, ""},
    {"of batches", "ark.matmul", {0, 0}, "f32[5,6,2,3] f32[5,6,3,4] > f32[5,6,2,4]", HOIST_FIT_OK, ""},
    {"of other batches", "ark.matmul", {0, 0}, "f32[5,6,2,3] f32[5,7,3,4] > f32[5,6,2,4]", HOIST_FIT_SHAPES, "dimension 1 of b is 7, expected 6"},
    {"of batches and none", "ark.matmul", {0, 0}, "f32[5,2,3] f32[3,4] > f32[5,2,4]", HOIST_FIT_SHAPES, "b has 2 dimensions, expected [5, K, N]"},
    {"a is transposed", "ark.matmul", {1, 0}, "f32[3,2] f32[3,4] > f32[2,4]", HOIST_FIT_OK, ""},
    {"a is not", "ark.matmul", {0, 0}, "f32[3,2] f32[3,4] > f32[2,4]", HOIST_FIT_SHAPES, "dimension 0 of b is 3, expected 2 (K)"},
    {"b is transposed", "ark.matmul", {0, 1}, "f32[2,3] f32[4,3] > f32[2,4]", HOIST_FIT_OK, ""},
    {"both are", "ark.matmul", {1, 1}, "f32[3,2] f32[4,3] > f32[2,4]", HOIST_FIT_OK, ""},
    {"a vector", "ark.matmul", {0, 0}, "f32[3] f32[3,4] > f32[4]", HOIST_FIT_SHAPES, "a has 1 dimensions, expected [b..., M, K]"},
    {"of no terms", "ark.matmul", {0, 0}, "f32[2,0] f32[0,4] > f32[2,4]", HOIST_FIT_SHAPES, "dimension 1 of a is 0, expected 1 to 2147483647"},
    {"of too many", "ark.matmul", {0, 0}, "f32[1,67108865] f32[67108865,1] > f32[1,1]", HOIST_FIT_SHAPES, "matmul expects at most 2^26 terms of a sum"},
    {"of as many as may be", "ark.matmul", {0, 0}, "f32[1,67108864] f32[67108864,1] > f32[1,1]", HOIST_FIT_OK, ""},
    {"a sum", "ark.reduce_sum", {1, 0}, "f32[2,3,4] > f32[2,4]", HOIST_FIT_OK, ""},
    {"that keeps its axis", "ark.reduce_sum", {1, 1}, "f32[2,3,4] > f32[2,1,4]", HOIST_FIT_OK, ""},
    {"that should keep it", "ark.reduce_sum", {1, 1}, "f32[2,3,4] > f32[2,4]", HOIST_FIT_SHAPES, "y has 2 dimensions, expected [2, 1, 4]"},
    {"over the first axis", "ark.reduce_sum", {0, 0}, "f32[2,3,4] > f32[3,4]", HOIST_FIT_OK, ""},
    {"over the last", "ark.reduce_sum", {2, 0}, "f32[2,3,4] > f32[2,3]", HOIST_FIT_OK, ""},
    {"over the only one", "ark.reduce_sum", {0, 0}, "f32[7] > f32[]", HOIST_FIT_OK, ""},
    {"over one that is not there", "ark.reduce_sum", {3, 0}, "f32[2,3,4] > f32[2,3]", HOIST_FIT_SHAPES, "x has 3 dimensions, expected [a..., K, b...]"},
    {"over the ninth", "ark.reduce_sum", {8, 0}, "f32[2,3,4] > f32[2,3]", HOIST_FIT_ATTRIBUTES, "axis is 8, expected 0 to 7"},
    {"a sum of u8", "ark.reduce_sum", {0, 0}, "u8[2,3] > u8[3]", HOIST_FIT_OK, ""},
    {"a sum of another type", "ark.reduce_sum", {0, 0}, "i32[2,3] > f32[3]", HOIST_FIT_TYPES, "y is f32, x is i32"},
    {"a sum of i16", "ark.reduce_sum", {0, 0}, "i16[2,3] > i16[3]", HOIST_FIT_TYPES, "x is i16, expected f32 or f16 or bf16 or i8 or i32 or u8 or u32"},
    {"a mean", "ark.reduce_mean", {1, 1}, "f16[2,3] > f16[2,1]", HOIST_FIT_OK, ""},
    {"a mean of too many", "ark.reduce_mean", {0, 0}, "i8[67108865] > i8[]", HOIST_FIT_SHAPES, "reduce_mean expects at most 2^26 terms of a sum"},
    {"a mean of as many as may be", "ark.reduce_mean", {0, 0}, "i8[67108864] > i8[]", HOIST_FIT_OK, ""},
    {"a maximum", "ark.reduce_max", {0, 0}, "bf16[2,3] > bf16[3]", HOIST_FIT_OK, ""},
    {"a maximum of too many", "ark.reduce_max", {1, 0}, "u32[1,67108865] > u32[1]", HOIST_FIT_SHAPES, "reduce_max expects at most 2^26 terms of a sum"},
    {"a product of f16", "ark.matmul", {0, 0}, "f16[2,3] f16[3,4] > f16[2,4]", HOIST_FIT_OK, ""},
    {"a product of two types", "ark.matmul", {0, 0}, "bf16[2,3] f16[3,4] > bf16[2,4]", HOIST_FIT_TYPES, "b is f16, a is bf16"},
    {"a fast product", "fast.matmul", {0, 1}, "bf16[2,3] bf16[4,3] > bf16[2,4]", HOIST_FIT_OK, ""},
    {"a fast product of f32", "fast.matmul", {0, 1}, "f32[2,3] f32[4,3] > f32[2,4]", HOIST_FIT_TYPES, "a is f32, expected bf16"},
    {"a product of integers", "ark.matmul", {0, 0}, "i32[2,3] i32[3,4] > i32[2,4]", HOIST_FIT_TYPES, "a is i32, expected f32 or f16 or bf16"},
    {"two operands", "ark.add", {0}, "f32[2,3] f32[2,3] > f32[2,3]", HOIST_FIT_OK, ""},
    {"two of no dimension", "ark.divide", {0}, "u32[] u32[] > u32[]", HOIST_FIT_OK, ""},
    {"two that would be stretched", "ark.subtract", {0}, "f32[2,3] f32[1,3] > f32[2,3]", HOIST_FIT_SHAPES, "dimension 0 of b is 1, expected 2"},
    {"two types", "ark.multiply", {0}, "i8[2] u8[2] > i8[2]", HOIST_FIT_TYPES, "b is u8, a is i8"},
    {"two of f64", "ark.add", {0}, "f64[2] f64[2] > f64[2]", HOIST_FIT_TYPES, "a is f64, expected f32 or f16 or bf16 or i8 or i32 or u8 or u32"},
    {"one operand", "ark.exp", {0}, "bf16[2,3] > bf16[2,3]", HOIST_FIT_OK, ""},
    {"of integers", "ark.exp", {0}, "i32[2] > i32[2]", HOIST_FIT_TYPES, "x is i32, expected f32 or f16 or bf16"},
    {"of integers, too", "ark.relu", {0}, "i8[2] > i8[2]", HOIST_FIT_OK, ""},
    {"of another type", "ark.sqrt", {0}, "f32[2] > f16[2]", HOIST_FIT_TYPES, "y is f16, x is f32"},
    {"of another shape", "ark.gelu", {0}, "f32[2] > f32[3]", HOIST_FIT_SHAPES, "dimension 0 of y is 3, expected 2"},
    {"a cast", "ark.cast", {0}, "bf16[2,3] > u8[2,3]", HOIST_FIT_OK, ""},
    {"a cast to itself", "ark.cast", {0}, "f32[2] > f32[2]", HOIST_FIT_OK, ""},
    {"a cast to bool", "ark.cast", {0}, "f32[2] > bool[2]", HOIST_FIT_TYPES, "y is bool, expected f32 or f16 or bf16 or i8 or i32 or u8 or u32"},
    {"pairs", "ark.rope", {0}, "f16[5,2,4] f16[5,2,4] > f16[5,2,4]", HOIST_FIT_OK, ""},
    {"no pairs", "ark.rope", {0}, "f32[2,3] f32[2,3] > f32[2,3]", HOIST_FIT_SHAPES, "rope expects an even last dimension"},
    {"pairs of integers", "ark.rope", {0}, "i32[2] i32[2] > i32[2]", HOIST_FIT_TYPES, "x is i32, expected f32 or f16 or bf16"},
    {"pairs of no dimension", "ark.rope", {0}, "f32[] f32[] > f32[]", HOIST_FIT_SHAPES, "x has 0 dimensions, expected [a..., D]"},
    {"rows by index", "ark.embedding", {0}, "i32[2,3] u8[7,5] > u8[2,3,5]", HOIST_FIT_OK, ""},
    {"a row by index", "ark.embedding", {0}, "i32[] f16[7,5] > f16[5]", HOIST_FIT_OK, ""},
    {"rows by numbers", "ark.embedding", {0}, "f32[2] f32[7,5] > f32[2,5]", HOIST_FIT_TYPES, "indices is f32, expected i32"},
    {"rows of another type", "ark.embedding", {0}, "i32[2] f32[7,5] > bf16[2,5]", HOIST_FIT_TYPES, "y is bf16, weight is f32"},
    {"rows of another length", "ark.embedding", {0}, "i32[2] f32[7,5] > f32[2,4]", HOIST_FIT_SHAPES, "dimension 1 of y is 4, expected 5 (D)"},
    {"no table", "ark.embedding", {0}, "i32[2] f32[7] > f32[2]", HOIST_FIT_SHAPES, "weight has 1 dimensions, expected [V, D]"},
};
// clang-format on

static hoist_dtype dtype_of(hoist_test *t, const char *name, size_t size)
{
    for (int i = 0; i < HOIST_DTYPE_COUNT; i++) {
        const char *known = hoist_dtype_get((hoist_dtype)i)->name;
        if (known && strlen(known) == size && memcmp(known, name, size) == 0) {
            return (hoist_dtype)i;
        }
    }
    hoist_test_fail(t, __FILE__, __LINE__, "no type '%.*s'", (int)size, name);
    return HOIST_DTYPE_F32;
}

// One operand of the text; what follows it.
static const char *read_operand(hoist_test *t, const char *at, hoist_compute_operand *out)
{
    const size_t name = strcspn(at, "[");
    *out = (hoist_compute_operand){.dtype = dtype_of(t, at, name)};
    at += name + 1;
    while (*at != ']') {
        char *end = NULL;
        out->shape.dim[out->shape.rank++] = strtoll(at, &end, 10);
        at = *end == ',' ? end + 1 : end;
    }
    at++;
    return at + strspn(at, " >");
}

static hoist_compute_attrs attrs_of(const int64_t values[ATTRS])
{
    hoist_compute_attrs attrs = {0};
    for (size_t i = 0; i < ATTRS; i++) {
        attrs.value[i].integer = values[i];
    }
    return attrs;
}

// All operands of a row.
static hoist_compute_op read_case(hoist_test *t, const char *name, const char *text,
                                  hoist_compute_operand *out)
{
    const hoist_compute_op op = hoist_compute_find(hoist_str_from(name));
    HOIST_EXPECT(t, op < HOIST_COMPUTE_COUNT);
    size_t count = 0;
    for (const char *at = text; *at && count < HOIST_COMPUTE_MAX_INPUTS + 1;) {
        at = read_operand(t, at, &out[count++]);
    }
    HOIST_EXPECT_EQ(t, count, hoist_compute_get(op)->inputs + HOIST_COMPUTE_MAX_OUTPUTS);
    return op;
}

HOIST_TEST_TABLE(steps_fit_their_rows, cases)
{
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    char why[HOIST_COMPUTE_WHY] = "";
    const hoist_compute_op op = read_case(t, row->op, row->operands, operands);
    const hoist_compute_attrs attrs = attrs_of(row->attrs);
    HOIST_EXPECT_EQ(t, hoist_compute_fits(op, &attrs, operands, why), row->fit);
    HOIST_EXPECT_STR(t, hoist_str_from(why), row->why);
}

// An output is inferred from what fits, unless its extents are free; a window over an image is.
HOIST_TEST_TABLE(outputs_follow, cases)
{
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    char why[HOIST_COMPUTE_WHY] = "";
    const hoist_compute_op op = read_case(t, row->op, row->operands, operands);
    if (row->fit != HOIST_FIT_OK) {
        return;
    }
    const hoist_compute_attrs attrs = attrs_of(row->attrs);
    hoist_compute_operand *output = &operands[hoist_compute_get(op)->inputs];
    const hoist_shape expected = output->shape;
    output->shape = (hoist_shape){.rank = 0};
    const hoist_compute_fit fit = hoist_compute_infer(op, &attrs, operands, why);
    if (op == HOIST_TFLITE_RESIZE_NEAREST) {
        HOIST_EXPECT_EQ(t, fit, HOIST_FIT_SHAPES);
        HOIST_EXPECT_STR(t, hoist_str_from(why), "the shape of y does not follow from the inputs");
        return;
    }
    HOIST_EXPECT_EQ(t, fit, HOIST_FIT_OK);
    HOIST_EXPECT(t, hoist_shape_equal(&output->shape, &expected));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(steps_fit_their_rows), HOIST_TEST_ROW(outputs_follow))
