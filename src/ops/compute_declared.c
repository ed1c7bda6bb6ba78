// ops/compute_declared.c - the rows of the profile declared: the reference's float32 arithmetic,
// rounded to the types that a netlist declares.
#include "ops/compute_declared.h"

#include "ops/compute_rows.h"

// clang-format off
static const hoist_compute_attr_def round_attrs[] = {
    [HOIST_DECLARED_DTYPE] = {"dtype", HOIST_COMPUTE_DTYPE, 0, 0, 0},
};
static const hoist_compute_attr_def matmul_attrs[] = {
    [HOIST_DECLARED_BLOCK] = INT("block", 1, BIG),
    [HOIST_DECLARED_ACC]   = {"acc", HOIST_COMPUTE_DTYPE, 0, 0, 0},
    [HOIST_DECLARED_SPILL] = {"spill", HOIST_COMPUTE_DTYPE, 0, 0, 0},
};
static const hoist_compute_attr_def dropout_attrs[] = {
    [HOIST_UNARY_VECTOR]  = INT("vector", HOIST_TILE_ALL, HOIST_TILE_COLUMNS),
    [HOIST_DROPOUT_P]     = FLOAT("p"),
    [HOIST_DECLARED_SEED] = INT("seed", 0, UINT32_MAX),
};

#define TILES(text, dims) OPERAND(text, ALL_TYPES, dims)
static const hoist_compute_operand_def tiles1[] = {TILES("x", "ZRC"), TILES("y", "ZRC")};
static const hoist_compute_operand_def matmul_operands[] = {TILES("a", "ZMK"), TILES("b", "YKN"), TILES("y", "ZMN")};
// clang-format on

static const char *check_slices(const hoist_compute_case *c)
{
    return hoist_case_extent(c, 'Y') >= hoist_case_extent(c, 'Z')
               ? NULL
               : "at least as many slices in input 1 as in input 0";
}

static bool is_type(const hoist_compute_case *c, size_t index)
{
    return hoist_dtype_get(c->attrs->value[index].dtype)->kind != HOIST_CLASS_NONE;
}

static const char *check_round(const hoist_compute_case *c)
{
    return is_type(c, HOIST_DECLARED_DTYPE) ? NULL : "an element type";
}

static const char *check_matmul(const hoist_compute_case *c)
{
    return is_type(c, HOIST_DECLARED_ACC) && is_type(c, HOIST_DECLARED_SPILL) ? check_slices(c)
                                                                              : "element types";
}

#define EACH(text, list, ...)                                                                      \
    ROW(DECLARED, text, tiles1, .tiled = true, .tilewise = true, ATTRS(list), __VA_ARGS__)

// clang-format off
const hoist_compute_def hoist_declared_rows[HOIST_COMPUTE_COUNT - HOIST_DECLARED_FIRST] = {
#define AT(op) [HOIST_DECLARED_##op - HOIST_DECLARED_FIRST]
    AT(MATMUL)  = ROW(DECLARED, "matmul", matmul_operands, .tiled = true, ATTRS(matmul_attrs), .rule = check_matmul, FLOPS(PRODUCTS, 2)),
    AT(ROUND)   = EACH("round", round_attrs, .rule = check_round),
    AT(DROPOUT) = EACH("dropout", dropout_attrs, FLOPS(NONE, 0)),
#undef AT
};
// clang-format on
