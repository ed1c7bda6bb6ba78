// ops/compute_golden.c - the rows of the profiles ieee and golden (buda-ops reference sections 4.2,
// 5 and 6).
#include "base/checked.h"
#include "ops/compute_rows.h"

// Attributes ------------------------------------------------------------------------------------

#define VECTOR INT("vector", HOIST_TILE_ALL, HOIST_TILE_COLUMNS)

// clang-format off
static const hoist_compute_attr_def unary_attrs[] = {[HOIST_UNARY_VECTOR] = VECTOR};
static const hoist_compute_attr_def lrelu_attrs[] = {
    [HOIST_UNARY_VECTOR] = VECTOR,
    [HOIST_LRELU_SLOPE]  = FLOAT("slope"),
};
static const hoist_compute_attr_def power_attrs[] = {
    [HOIST_UNARY_VECTOR]   = VECTOR,
    [HOIST_POWER_EXPONENT] = INT("exponent", -BIG, BIG),
};
static const hoist_compute_attr_def dropout_attrs[] = {
    [HOIST_UNARY_VECTOR] = VECTOR,
    [HOIST_DROPOUT_P]    = FLOAT("p"),
};
static const hoist_compute_attr_def relu_attrs[] = {[HOIST_RELU_THRESHOLD] = FLOAT("threshold")};
static const hoist_compute_attr_def add_scalar_attrs[] = {[HOIST_ADD_SCALAR_VALUE] = FLOAT("value")};
static const hoist_compute_attr_def quantize_attrs[] = {
    [HOIST_QUANTIZE_DTYPE]  = {"dtype", HOIST_COMPUTE_DTYPE, 0, 0, 0},
    [HOIST_QUANTIZE_HEIGHT] = INT("height", 1, 32),
    [HOIST_QUANTIZE_WIDTH]  = INT("width", 16, 32),
};
static const hoist_compute_attr_def mask_attrs[] = {
    [HOIST_MASK_HEIGHT] = INT("height", 1, 32),
    [HOIST_MASK_WIDTH]  = INT("width", 16, 32),
};
static const hoist_compute_attr_def broadcast_attrs[] = {
    [HOIST_BROADCAST_AXIS] = INT("axis", HOIST_AXIS_ROW, HOIST_AXIS_BOTH),
};
static const hoist_compute_attr_def sum_z_attrs[] = {[HOIST_SUM_Z_GROUP] = INT("group", 1, BIG)};
static const hoist_compute_attr_def reduce_attrs[] = {
    [HOIST_REDUCE_DIM]   = INT("dim", HOIST_AXIS_ROW, HOIST_AXIS_Z),
    [HOIST_REDUCE_GROUP] = INT("group", 0, BIG),
};
static const hoist_compute_attr_def sparse_attrs[] = {
    HOIST_SPARSE_ATTRS(0),
};
#define OLDER_BLOCKS \
    [HOIST_OLDER_MBLOCK_M]  = INT("mblock_m", 1, BIG), \
    [HOIST_OLDER_MBLOCK_N]  = INT("mblock_n", 1, BIG), \
    [HOIST_OLDER_UBLOCK_RT] = INT("ublock_rt", 1, BIG), \
    [HOIST_OLDER_UBLOCK_CT] = INT("ublock_ct", 1, BIG)
static const hoist_compute_attr_def sparse_indices_attrs[] = {
    OLDER_BLOCKS,
    [HOIST_OLDER_LENGTH]    = INT("length", 1, BIG),
    [HOIST_OLDER_FIRST_ROW] = INT("first_row", 0, BIG),
};
static const hoist_compute_attr_def sparse_bytes_attrs[] = {
    OLDER_BLOCKS,
    [HOIST_OLDER_U_KT] = INT("u_kt", 1, BIG),
};
static const hoist_compute_attr_def depthwise_attrs[] = {
    [HOIST_DEPTHWISE_M_K] = LETTER("m_k", 1, BIG, 'K'),
};
static const hoist_compute_attr_def embedding_attrs[] = {
    [HOIST_EMBEDDING_INDICES]   = INT("indices", 1, BIG),
    [HOIST_EMBEDDING_GRID_ROWS] = INT("grid_rows", 1, BIG),
    [HOIST_EMBEDDING_ROWS]      = LETTER("rows", 1, BIG, 'R'),
};
static const hoist_compute_attr_def topk_attrs[] = {
    [HOIST_TOPK_K]         = INT("k", 1, BIG),
    [HOIST_TOPK_ARGMAX]    = INT("argmax", 0, 1),
    [HOIST_TOPK_KREDUCE]   = INT("kreduce", 0, 1),
    [HOIST_TOPK_GRID_COLS] = INT("grid_cols", 1, BIG),
};

// Operands --------------------------------------------------------------------------------------

#define VIEW(text) OPERAND(text, ALL_TYPES, "#")
#define TILES(text, dims) OPERAND(text, ALL_TYPES, dims)

static const hoist_compute_operand_def views1[] = {VIEW("x"), VIEW("y")};
static const hoist_compute_operand_def views2[] = {VIEW("a"), VIEW("b"), VIEW("y")};
static const hoist_compute_operand_def tiles1[] = {TILES("x", "ZRC"), TILES("y", "ZRC")};
static const hoist_compute_operand_def tiles2[] = {
    TILES("a", "ZRC"), TILES("b", "ZRC"), TILES("y", "ZRC")};
static const hoist_compute_operand_def sum_z_operands[] = {TILES("x", "ZRC"), TILES("y", "GRC")};
static const hoist_compute_operand_def reduce_operands[] = {
    TILES("x", "ZRC"), {"y", ALL_TYPES, false, "Z1C|ZR1|Z11|GRC", 0, HOIST_REDUCE_DIM}};
static const hoist_compute_operand_def matmul_operands[] = {
    TILES("a", "ZMK"), TILES("b", "YKN"), TILES("y", "ZMN")};
static const hoist_compute_operand_def sparse_operands[] = {
    TILES("tiles", "ABC"), TILES("activations", "DEN"), TILES("encoding", "FGH"), TILES("y", "TMN")};
static const hoist_compute_operand_def sparse_older_operands[] = {
    TILES("tiles", "ABC"), TILES("activations", "DEN"), TILES("encoding", "FGH"), TILES("y", "1MN")};
static const hoist_compute_operand_def depthwise_operands[] = {
    TILES("x", "ZMI"), TILES("weights", "YKN"), TILES("y", "ZMN")};
static const hoist_compute_operand_def embedding_operands[] = {
    TILES("table", "ZVC"), TILES("indices", "ABD"), TILES("y", "ZRC")};
static const hoist_compute_operand_def topk_operands[] = {
    TILES("values", "ZRC"), TILES("indices", "ZRC"), TILES("y", "ZRG")};
// clang-format on

// Rules -----------------------------------------------------------------------------------------

static const char not_divided[] = "a number of slices that the group divides";

static const char *derive_groups(hoist_compute_case *c, int64_t group)
{
    const int64_t slices = hoist_case_extent(c, 'Z');
    c->extent['G' - 'A'] = group ? slices / group : 0;
    return group && slices % group == 0 ? NULL : not_divided;
}

static const char *derive_sum_z(hoist_compute_case *c)
{
    return derive_groups(c, hoist_case_integer(c, HOIST_SUM_Z_GROUP));
}

static const char *derive_reduce(hoist_compute_case *c)
{
    return hoist_case_integer(c, HOIST_REDUCE_DIM) == HOIST_AXIS_Z
               ? derive_groups(c, hoist_case_integer(c, HOIST_REDUCE_GROUP))
               : NULL;
}

static const char *check_slices(const hoist_compute_case *c)
{
    return hoist_case_extent(c, 'Y') >= hoist_case_extent(c, 'Z')
               ? NULL
               : "at least as many slices in input 1 as in input 0";
}

const char *hoist_derive_sparse(hoist_compute_case *c, size_t first)
{
    int64_t cols = 0;
    int64_t *rows = &c->extent['M' - 'A'];
    const int64_t grid_rows = hoist_case_integer(c, first + HOIST_SPARSE_GRID_ROWS);
    const int64_t grid_cols = hoist_case_integer(c, first + HOIST_SPARSE_GRID_COLS);
    const int64_t fracture = hoist_case_integer(c, first + HOIST_SPARSE_FRACTURE);
    if (hoist_ckd_mul_i64(rows, grid_rows, hoist_case_integer(c, first + HOIST_SPARSE_MBLOCK_M)) ||
        hoist_ckd_mul_i64(rows, *rows, hoist_case_integer(c, first + HOIST_SPARSE_UBLOCK_RT)) ||
        hoist_ckd_mul_i64(&cols, grid_cols, hoist_case_integer(c, first + HOIST_SPARSE_MBLOCK_N)) ||
        hoist_ckd_mul_i64(&cols, cols, hoist_case_integer(c, first + HOIST_SPARSE_UBLOCK_CT))) {
        return "sizes that fit";
    }
    return grid_cols % fracture == 0 && hoist_case_extent(c, 'B') % grid_rows == 0 &&
                   hoist_case_extent(c, 'G') % grid_rows == 0 &&
                   hoist_case_extent(c, 'C') % fracture == 0 &&
                   hoist_case_extent(c, 'H') % fracture == 0 && hoist_case_extent(c, 'N') == cols
               ? NULL
               : "inputs 0 and 2 that divide over grid rows and fractures, activations over grid "
                 "columns";
}

static const char *derive_sparse(hoist_compute_case *c)
{
    return hoist_derive_sparse(c, HOIST_SPARSE_GRID_ROWS);
}

static const char *derive_sparse_older(hoist_compute_case *c)
{
    int64_t cols = 0;
    const bool fits =
        !hoist_ckd_mul_i64(&c->extent['M' - 'A'], hoist_case_integer(c, HOIST_OLDER_MBLOCK_M),
                           hoist_case_integer(c, HOIST_OLDER_UBLOCK_RT)) &&
        !hoist_ckd_mul_i64(&cols, hoist_case_integer(c, HOIST_OLDER_MBLOCK_N),
                           hoist_case_integer(c, HOIST_OLDER_UBLOCK_CT));
    return !fits                               ? "sizes that fit"
           : hoist_case_extent(c, 'N') == cols ? NULL
                                               : "activations as wide as the output";
}

static const char *check_depthwise(const hoist_compute_case *c)
{
    return hoist_case_extent(c, 'I') == hoist_case_extent(c, 'K') * hoist_case_extent(c, 'N')
               ? check_slices(c)
               : "input 1 of a m_k-th of input 0's tile columns";
}

static const char *check_embedding(const hoist_compute_case *c)
{
    const int64_t grid_rows = hoist_case_integer(c, HOIST_EMBEDDING_GRID_ROWS);
    const int64_t indices = hoist_case_integer(c, HOIST_EMBEDDING_INDICES);
    const int64_t rows = hoist_case_extent(c, 'R') / grid_rows;
    const int64_t index_rows = hoist_case_extent(c, 'A') * (hoist_case_extent(c, 'B') / grid_rows);
    int64_t places = 0;
    return hoist_case_extent(c, 'R') % grid_rows == 0 &&
                   hoist_case_extent(c, 'B') % grid_rows == 0 && indices <= rows * 32 &&
                   (hoist_ckd_mul_i64(&places, index_rows, hoist_case_extent(c, 'D') * 1024) ||
                    indices <= places)
               ? NULL
               : "rows of output and indices that divide over the grid's rows, with place for all "
                 "indices";
}

static const char *derive_topk(hoist_compute_case *c)
{
    const int64_t grid_cols = hoist_case_integer(c, HOIST_TOPK_GRID_COLS);
    const int64_t k = hoist_case_integer(c, HOIST_TOPK_K);
    const int64_t cols = hoist_case_extent(c, 'C');
    if (k > HOIST_TOPK_MAX_K || (k & (k - 1))) {
        return "k of a power of two up to 64";
    }
    c->extent['G' - 'A'] = grid_cols * ((k + 31) / 32);
    return cols % grid_cols == 0 && cols / grid_cols * 32 >= k
               ? NULL
               : "columns that divide over the grid's, k or more for each";
}

// The table -------------------------------------------------------------------------------------

#define IEEE(text, list)                                                                           \
    ROW(IEEE, text, list, .tilewise = true, .parts = HOIST_PARTS_ELEMENTS, FLOPS(OUTPUT, 1))
#define BINARY(text) ROW(GOLDEN, text, tiles2, .tiled = true, .tilewise = true, FLOPS(OUTPUT, 1))
// Gelu's derivative: a function, two sums, five products, exp; others are one operation.
#define EACH(text, list, count)                                                                    \
    ROW(GOLDEN, text, tiles1, .tiled = true, .tilewise = true, ATTRS(list), FLOPS(OUTPUT, count))
#define UNARY(text, list) ROW(GOLDEN, text, tiles1, .tiled = true, .tilewise = true, ATTRS(list))
#define COUNTED(text, count)                                                                       \
    ROW(GOLDEN, text, tiles1, .tiled = true, .tilewise = true, ATTRS(unary_attrs),                 \
        FLOPS(OUTPUT, count))
#define ALL(text, list, ...) ROW(GOLDEN, text, list, .tiled = true, __VA_ARGS__)

// clang-format off
const hoist_compute_def hoist_golden_rows[HOIST_QUANT_FIRST] = {
    [HOIST_IEEE_ADD]               = IEEE("add", views2),
    [HOIST_IEEE_SUBTRACT]          = IEEE("subtract", views2),
    [HOIST_IEEE_MULTIPLY]          = IEEE("multiply", views2),
    [HOIST_IEEE_MAXIMUM]           = IEEE("maximum", views2),
    [HOIST_IEEE_RELU]              = IEEE("relu", views1),
    [HOIST_GOLDEN_ADD]             = BINARY("add"),
    [HOIST_GOLDEN_SUBTRACT]        = BINARY("subtract"),
    [HOIST_GOLDEN_MULTIPLY]        = BINARY("multiply"),
    [HOIST_GOLDEN_MAXIMUM]         = BINARY("maximum"),
    [HOIST_GOLDEN_ADD_ROW]         = BINARY("add_row"),
    [HOIST_GOLDEN_EXP]             = COUNTED("exp", 1),
    [HOIST_GOLDEN_LOG]             = COUNTED("log", 1),
    [HOIST_GOLDEN_SQRT]            = COUNTED("sqrt", 1),
    [HOIST_GOLDEN_SQUARE]          = COUNTED("square", 1),
    [HOIST_GOLDEN_ABS]             = COUNTED("abs", 1),
    [HOIST_GOLDEN_SINE]            = COUNTED("sine", 1),
    [HOIST_GOLDEN_COSINE]          = COUNTED("cosine", 1),
    [HOIST_GOLDEN_TANH]            = COUNTED("tanh", 1),
    [HOIST_GOLDEN_SIGMOID]         = COUNTED("sigmoid", 4),
    [HOIST_GOLDEN_GELU]            = COUNTED("gelu", 9),
    [HOIST_GOLDEN_GELU_DERIVATIVE] = EACH("gelu_derivative", unary_attrs, 9),
    [HOIST_GOLDEN_RECIPROCAL]      = COUNTED("reciprocal", 1),
    [HOIST_GOLDEN_LRELU]           = EACH("lrelu", lrelu_attrs, 1),
    [HOIST_GOLDEN_POWER]           = EACH("power", power_attrs, 1),
    [HOIST_GOLDEN_DROPOUT]         = UNARY("dropout", dropout_attrs),
    [HOIST_GOLDEN_COPY]            = UNARY("copy", unary_attrs),
    [HOIST_GOLDEN_RELU_MAX]        = EACH("relu_max", relu_attrs, 1),
    [HOIST_GOLDEN_RELU_MIN]        = EACH("relu_min", relu_attrs, 1),
    [HOIST_GOLDEN_ADD_SCALAR]      = EACH("add_scalar", add_scalar_attrs, 1),
    [HOIST_GOLDEN_QUANTIZE]        = UNARY("quantize", quantize_attrs),
    [HOIST_GOLDEN_MASK]            = UNARY("mask", mask_attrs),
    [HOIST_GOLDEN_TRANSPOSE_TILE]  = ROW(GOLDEN, "transpose_tile", tiles1, .tiled = true, .tilewise = true),
    [HOIST_GOLDEN_BROADCAST_TILE]  = UNARY("broadcast_tile", broadcast_attrs),
    [HOIST_GOLDEN_SUM_Z]           = ALL("sum_z", sum_z_operands, ATTRS(sum_z_attrs), .derive = derive_sum_z, FLOPS(INPUT, 1)),
    [HOIST_GOLDEN_REDUCE]          = ALL("reduce", reduce_operands, ATTRS(reduce_attrs), .derive = derive_reduce, FLOPS(INPUT, 1)),
    [HOIST_GOLDEN_MATMUL]          = ALL("matmul", matmul_operands, .rule = check_slices, FLOPS(PRODUCTS, 2)),
    [HOIST_GOLDEN_SPARSE_MATMUL]   = ALL("sparse_matmul", sparse_operands, ATTRS(sparse_attrs), .derive = derive_sparse),
    [HOIST_GOLDEN_SPARSE_INDICES]  = ALL("sparse_indices", sparse_older_operands, ATTRS(sparse_indices_attrs), .derive = derive_sparse_older),
    [HOIST_GOLDEN_SPARSE_BYTES]    = ALL("sparse_bytes", sparse_older_operands, ATTRS(sparse_bytes_attrs), .derive = derive_sparse_older),
    [HOIST_GOLDEN_DEPTHWISE]       = ALL("depthwise", depthwise_operands, ATTRS(depthwise_attrs), .rule = check_depthwise),
    [HOIST_GOLDEN_EMBEDDING]       = ALL("embedding", embedding_operands, ATTRS(embedding_attrs), .rule = check_embedding),
    [HOIST_GOLDEN_TOPK]            = ALL("topk", topk_operands, ATTRS(topk_attrs), .derive = derive_topk),
};
// clang-format on
