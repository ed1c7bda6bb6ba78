// The rows of the profiles ark and fast: their operands as patterns of shapes and sets of types,
// and what patterns cannot say. kernels/ark*.c compute them.
#include "ops/compute_ark.h"

#include "ops/compute_rows.h"

#define FLOATS (TYPE(F32) | TYPE(F16) | TYPE(BF16))
#define NUMBERS (FLOATS | TYPE(I32) | TYPE(U32) | TYPE(I8) | TYPE(U8))

// clang-format off
static const hoist_compute_attr_def matmul_attrs[] = {
    [HOIST_ARK_MATMUL_TRANSPOSE_A] = INT("transpose_a", 0, 1),
    [HOIST_ARK_MATMUL_TRANSPOSE_B] = INT("transpose_b", 0, 1),
};
static const hoist_compute_attr_def reduce_attrs[] = {
    [HOIST_ARK_REDUCE_AXIS]      = LETTER("axis", 0, HOIST_MAX_RANK - 1, 'a'),
    [HOIST_ARK_REDUCE_KEEP_DIMS] = INT("keep_dims", 0, 1),
};

static const hoist_compute_operand_def binary_operands[] = {
    ALIKE("a", NUMBERS, "s"), ALIKE("b", NUMBERS, "s"), ALIKE("y", NUMBERS, "s")};
static const hoist_compute_operand_def float_operands[] = {
    ALIKE("x", FLOATS, "s"), ALIKE("y", FLOATS, "s")};
static const hoist_compute_operand_def number_operands[] = {
    ALIKE("x", NUMBERS, "s"), ALIKE("y", NUMBERS, "s")};
static const hoist_compute_operand_def cast_operands[] = {
    OPERAND("x", NUMBERS, "s"), OPERAND("y", NUMBERS, "s")};
static const hoist_compute_operand_def rope_operands[] = {
    ALIKE("x", FLOATS, "aD"), ALIKE("y", FLOATS, "aD"), ALIKE("z", FLOATS, "aD")};
static const hoist_compute_operand_def reduce_operands[] = {
    ALIKE("x", NUMBERS, "aKb"),
    {"y", NUMBERS, true, "ab|a1b", 0, HOIST_ARK_REDUCE_KEEP_DIMS},
};
static const hoist_compute_operand_def matmul_operands[] = {
    {"a", FLOATS, true, "bMK|bKM", 0, HOIST_ARK_MATMUL_TRANSPOSE_A},
    {"b", FLOATS, true, "bKN|bNK", 0, HOIST_ARK_MATMUL_TRANSPOSE_B},
    ALIKE("y", FLOATS, "bMN"),
};
static const hoist_compute_operand_def fast_operands[] = {
    {"a", TYPE(BF16), true, "bMK|bKM", 0, HOIST_ARK_MATMUL_TRANSPOSE_A},
    {"b", TYPE(BF16), true, "bKN|bNK", 0, HOIST_ARK_MATMUL_TRANSPOSE_B},
    ALIKE("y", TYPE(BF16), "bMN"),
};
static const hoist_compute_operand_def embedding_operands[] = {
    OPERAND("indices", TYPE(I32), "i"), ALIKE("weight", NUMBERS, "VD"), ALIKE("y", NUMBERS, "iD")};
// clang-format on

// An element is done in one go, and a run has to notice when its time is over.
static const char *check_terms(const hoist_compute_case *c)
{
    return hoist_case_extent(c, 'K') <= INT64_C(1) << 26 ? NULL : "at most 2^26 terms of a sum";
}

// (cos, sin) rotates pairs.
static const char *check_pairs(const hoist_compute_case *c)
{
    return hoist_case_extent(c, 'D') % 2 == 0 ? NULL : "an even last dimension";
}

#define EACH(text, list, count)                                                                    \
    ROW(ARK, text, list, .tilewise = true, .parts = HOIST_PARTS_ELEMENTS, FLOPS(OUTPUT, count))
#define FOLD(text)                                                                                 \
    ROW(ARK, text, reduce_operands, ATTRS(reduce_attrs), .parts = HOIST_PARTS_AXIS,                \
        .rule = check_terms, FLOPS(INPUT, 1))
#define PRODUCT(who, list)                                                                         \
    ROW(who, "matmul", list, ATTRS(matmul_attrs), .parts = HOIST_PARTS_PRODUCT,                    \
        .rule = check_terms, FLOPS(PRODUCTS, 2))
#define AT(op) [HOIST_ARK_##op - HOIST_ARK_FIRST]

// clang-format off
const hoist_compute_def hoist_ark_rows[HOIST_FAST_FIRST - HOIST_ARK_FIRST] = {
    AT(ADD)         = EACH("add", binary_operands, 1),
    AT(SUBTRACT)    = EACH("subtract", binary_operands, 1),
    AT(MULTIPLY)    = EACH("multiply", binary_operands, 1),
    AT(DIVIDE)      = EACH("divide", binary_operands, 1),
    AT(EXP)         = EACH("exp", float_operands, 1),
    AT(SQRT)        = EACH("sqrt", float_operands, 1),
    AT(RSQRT)       = EACH("rsqrt", float_operands, 2), // root and reciprocal
    AT(GELU)        = EACH("gelu", float_operands, 9), // 0.5 x (1 + tanh(a (x + b x x x))): two sums, six products, tanh
    AT(RELU)        = EACH("relu", number_operands, 1), // a maximum
    AT(SIGMOID)     = EACH("sigmoid", float_operands, 4), // negation, exp, sum, reciprocal
    AT(CAST)        = EACH("cast", cast_operands, 0),
    AT(ROPE)        = ROW(ARK, "rope", rope_operands, .tilewise = true, .parts = HOIST_PARTS_LINES, .rule = check_pairs,
                          FLOPS(OUTPUT, 3)), // two products and a sum
    AT(REDUCE_SUM)  = FOLD("reduce_sum"),
    AT(REDUCE_MEAN) = FOLD("reduce_mean"),
    AT(REDUCE_MAX)  = FOLD("reduce_max"),
    AT(MATMUL)      = PRODUCT(ARK, matmul_operands),
    AT(EMBEDDING)   = ROW(ARK, "embedding", embedding_operands, .rule = NULL),
};
const hoist_compute_def hoist_fast_rows[HOIST_DEVICE_FIRST - HOIST_FAST_FIRST] = {
    [HOIST_FAST_MATMUL - HOIST_FAST_FIRST] = PRODUCT(FAST, fast_operands),
};
// clang-format on
