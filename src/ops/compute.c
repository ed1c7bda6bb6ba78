// ops/compute.c - the table of compute rows. Facts of the golden profile: buda-ops reference
// sections 4.2, 5 and 6.
#include "ops/compute.h"

#include <string.h>

#include "base/checked.h"
#include "base/span.h"
#include "ops/compute_quant.h"

#define COUNT(array) (uint8_t)(sizeof(array) / sizeof *(array))
#define BIG (INT64_C(1) << 31)

// clang-format off
static const hoist_compute_attr_def unary_attrs[] = {
    [HOIST_UNARY_VECTOR] = {"vector", HOIST_COMPUTE_INT, HOIST_TILE_ALL, HOIST_TILE_COLUMNS},
};
static const hoist_compute_attr_def lrelu_attrs[] = {
    [HOIST_UNARY_VECTOR] = {"vector", HOIST_COMPUTE_INT, HOIST_TILE_ALL, HOIST_TILE_COLUMNS},
    [HOIST_LRELU_SLOPE]  = {"slope", HOIST_COMPUTE_FLOAT, 0, 0},
};
static const hoist_compute_attr_def power_attrs[] = {
    [HOIST_UNARY_VECTOR]   = {"vector", HOIST_COMPUTE_INT, HOIST_TILE_ALL, HOIST_TILE_COLUMNS},
    [HOIST_POWER_EXPONENT] = {"exponent", HOIST_COMPUTE_INT, -BIG, BIG},
};
static const hoist_compute_attr_def dropout_attrs[] = {
    [HOIST_UNARY_VECTOR] = {"vector", HOIST_COMPUTE_INT, HOIST_TILE_ALL, HOIST_TILE_COLUMNS},
    [HOIST_DROPOUT_P]    = {"p", HOIST_COMPUTE_FLOAT, 0, 0},
};
static const hoist_compute_attr_def relu_attrs[] = {
    [HOIST_RELU_THRESHOLD] = {"threshold", HOIST_COMPUTE_FLOAT, 0, 0},
};
static const hoist_compute_attr_def add_scalar_attrs[] = {
    [HOIST_ADD_SCALAR_VALUE] = {"value", HOIST_COMPUTE_FLOAT, 0, 0},
};
static const hoist_compute_attr_def quantize_attrs[] = {
    [HOIST_QUANTIZE_DTYPE]  = {"dtype", HOIST_COMPUTE_DTYPE, 0, 0},
    [HOIST_QUANTIZE_HEIGHT] = {"height", HOIST_COMPUTE_INT, 1, 32},
    [HOIST_QUANTIZE_WIDTH]  = {"width", HOIST_COMPUTE_INT, 16, 32},
};
static const hoist_compute_attr_def clear_attrs[] = {
    [HOIST_CLEAR_HEIGHT] = {"height", HOIST_COMPUTE_INT, 1, 32},
    [HOIST_CLEAR_WIDTH]  = {"width", HOIST_COMPUTE_INT, 16, 32},
};
static const hoist_compute_attr_def broadcast_attrs[] = {
    [HOIST_BROADCAST_AXIS] = {"axis", HOIST_COMPUTE_INT, HOIST_AXIS_ROW, HOIST_AXIS_BOTH},
};
static const hoist_compute_attr_def sum_z_attrs[] = {
    [HOIST_SUM_Z_GROUP] = {"group", HOIST_COMPUTE_INT, 1, BIG},
};
static const hoist_compute_attr_def reduce_attrs[] = {
    [HOIST_REDUCE_DIM]   = {"dim", HOIST_COMPUTE_INT, HOIST_AXIS_ROW, HOIST_AXIS_Z},
    [HOIST_REDUCE_GROUP] = {"group", HOIST_COMPUTE_INT, 0, BIG},
};
static const hoist_compute_attr_def sparse_attrs[] = {
    [HOIST_SPARSE_GRID_ROWS] = {"grid_rows", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_SPARSE_GRID_COLS] = {"grid_cols", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_SPARSE_T]         = {"t", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_SPARSE_MBLOCK_M]  = {"mblock_m", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_SPARSE_MBLOCK_N]  = {"mblock_n", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_SPARSE_UBLOCK_RT] = {"ublock_rt", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_SPARSE_UBLOCK_CT] = {"ublock_ct", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_SPARSE_U_KT]      = {"u_kt", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_SPARSE_TILES]     = {"sparse_tiles", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_SPARSE_PTR_BITS]  = {"ptr_bits", HOIST_COMPUTE_INT, 1, 16},
    [HOIST_SPARSE_IDX_BITS]  = {"idx_bits", HOIST_COMPUTE_INT, 1, 16},
    [HOIST_SPARSE_FRACTURE]  = {"fracture", HOIST_COMPUTE_INT, 1, BIG},
};
static const hoist_compute_attr_def depthwise_attrs[] = {
    [HOIST_DEPTHWISE_M_K] = {"m_k", HOIST_COMPUTE_INT, 1, BIG},
};
static const hoist_compute_attr_def embedding_attrs[] = {
    [HOIST_EMBEDDING_INDICES]   = {"indices", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_EMBEDDING_GRID_ROWS] = {"grid_rows", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_EMBEDDING_ROWS]      = {"rows", HOIST_COMPUTE_INT, 1, BIG},
};
static const hoist_compute_attr_def topk_attrs[] = {
    [HOIST_TOPK_K]         = {"k", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_TOPK_ARGMAX]    = {"argmax", HOIST_COMPUTE_INT, 0, 1},
    [HOIST_TOPK_KREDUCE]   = {"kreduce", HOIST_COMPUTE_INT, 0, 1},
    [HOIST_TOPK_GRID_COLS] = {"grid_cols", HOIST_COMPUTE_INT, 1, BIG},
};
// clang-format on

static bool same(hoist_tile_shape a, hoist_tile_shape b)
{
    return a.z == b.z && a.rows == b.rows && a.cols == b.cols;
}

// Attribute `index` as a count; the verifier has judged its range.
static uint64_t count_of(const hoist_compute_attrs *attrs, size_t index)
{
    const int64_t value = attrs->value[index].integer;
    return value < 0 ? 0 : (uint64_t)value;
}

static bool infer_same(const hoist_compute_attrs *attrs, const hoist_tile_shape *in, size_t count,
                       hoist_tile_shape *out, const char **wanted)
{
    (void)attrs;
    *wanted = "inputs of equal shape";
    for (size_t i = 1; i < count; i++) {
        if (!same(in[0], in[i])) {
            return false;
        }
    }
    *out = in[0];
    return true;
}

static bool infer_sum_z(const hoist_compute_attrs *attrs, const hoist_tile_shape *in, size_t count,
                        hoist_tile_shape *out, const char **wanted)
{
    (void)count;
    const uint64_t group = count_of(attrs, HOIST_SUM_Z_GROUP);
    *wanted = "a number of slices that the group divides";
    *out = in[0];
    out->z = group ? in[0].z / group : 0;
    return group && in[0].z % group == 0;
}

static bool infer_reduce(const hoist_compute_attrs *attrs, const hoist_tile_shape *in, size_t count,
                         hoist_tile_shape *out, const char **wanted)
{
    (void)count;
    *out = in[0];
    switch (attrs->value[HOIST_REDUCE_DIM].integer) {
    case HOIST_AXIS_ROW:
        out->rows = 1;
        return true;
    case HOIST_AXIS_COLUMN:
        out->cols = 1;
        return true;
    case HOIST_AXIS_BOTH:
        out->rows = 1;
        out->cols = 1;
        return true;
    default: {
        const uint64_t group = count_of(attrs, HOIST_REDUCE_GROUP);
        *wanted = "a number of slices that the group divides";
        out->z = group ? in[0].z / group : 0;
        return group && in[0].z % group == 0;
    }
    }
}

static bool infer_matmul(const hoist_compute_attrs *attrs, const hoist_tile_shape *in, size_t count,
                         hoist_tile_shape *out, const char **wanted)
{
    (void)attrs;
    (void)count;
    *wanted = "as many tile rows in input 1 as tile columns in input 0, and at least its slices";
    *out = (hoist_tile_shape){in[0].z, in[0].rows, in[1].cols};
    return in[0].cols == in[1].rows && in[1].z >= in[0].z;
}

// Input 0: unique sparse tiles; 1: activations; 2: encoding.
static bool infer_sparse(const hoist_compute_attrs *attrs, const hoist_tile_shape *in, size_t count,
                         hoist_tile_shape *out, const char **wanted)
{
    (void)count;
    const uint64_t grid_rows = count_of(attrs, HOIST_SPARSE_GRID_ROWS);
    const uint64_t grid_cols = count_of(attrs, HOIST_SPARSE_GRID_COLS);
    const uint64_t fracture = count_of(attrs, HOIST_SPARSE_FRACTURE);
    out->z = count_of(attrs, HOIST_SPARSE_T);
    *wanted = "sizes that fit";
    if (hoist_ckd_mul(&out->rows, grid_rows, count_of(attrs, HOIST_SPARSE_MBLOCK_M)) ||
        hoist_ckd_mul(&out->rows, out->rows, count_of(attrs, HOIST_SPARSE_UBLOCK_RT)) ||
        hoist_ckd_mul(&out->cols, grid_cols, count_of(attrs, HOIST_SPARSE_MBLOCK_N)) ||
        hoist_ckd_mul(&out->cols, out->cols, count_of(attrs, HOIST_SPARSE_UBLOCK_CT))) {
        return false;
    }
    *wanted = "inputs 0 and 2 that divide over grid rows and fractures, activations over grid "
              "columns";
    return grid_rows && grid_cols && fracture && grid_cols % fracture == 0 &&
           in[0].rows % grid_rows == 0 && in[2].rows % grid_rows == 0 &&
           in[0].cols % fracture == 0 && in[2].cols % fracture == 0 && in[1].cols == out->cols;
}

static bool infer_depthwise(const hoist_compute_attrs *attrs, const hoist_tile_shape *in,
                            size_t count, hoist_tile_shape *out, const char **wanted)
{
    (void)count;
    const uint64_t m_k = count_of(attrs, HOIST_DEPTHWISE_M_K);
    *wanted = "input 1 of m_k tile rows and a m_k-th of input 0's tile columns";
    *out = in[0];
    out->cols = in[1].cols;
    return m_k && in[1].rows == m_k && in[0].cols % m_k == 0 && in[1].cols == in[0].cols / m_k &&
           in[1].z >= in[0].z;
}

// Input 0: the table; 1: the indices.
static bool infer_embedding(const hoist_compute_attrs *attrs, const hoist_tile_shape *in,
                            size_t count, hoist_tile_shape *out, const char **wanted)
{
    (void)count;
    const uint64_t grid_rows = count_of(attrs, HOIST_EMBEDDING_GRID_ROWS);
    const uint64_t indices = count_of(attrs, HOIST_EMBEDDING_INDICES);
    *wanted = "rows of output and indices that divide over the grid's rows, with place for all "
              "indices";
    *out = (hoist_tile_shape){in[0].z, count_of(attrs, HOIST_EMBEDDING_ROWS), in[0].cols};
    return grid_rows && out->rows % grid_rows == 0 && in[1].rows % grid_rows == 0 &&
           indices <= out->rows / grid_rows * 32 &&
           indices <= in[1].z * (in[1].rows / grid_rows) * in[1].cols * 1024;
}

static bool infer_topk(const hoist_compute_attrs *attrs, const hoist_tile_shape *in, size_t count,
                       hoist_tile_shape *out, const char **wanted)
{
    (void)count;
    const uint64_t grid_cols = count_of(attrs, HOIST_TOPK_GRID_COLS);
    const uint64_t k = count_of(attrs, HOIST_TOPK_K);
    *wanted = "k of a power of two up to 64";
    if (k == 0 || k > HOIST_TOPK_MAX_K || (k & (k - 1))) {
        return false;
    }
    *wanted = "values and indices of equal shape whose columns divide over the grid's, k or more "
              "for each";
    *out = in[0];
    out->cols = grid_cols * ((k + 31) / 32);
    return same(in[0], in[1]) && grid_cols && in[0].cols % grid_cols == 0 &&
           in[0].cols / grid_cols * 32 >= k;
}

#define IEEE(text, inputs)                                                                         \
    {                                                                                              \
        .name = (text), .profile = HOIST_PROFILE_IEEE, .min_inputs = (inputs),                     \
        .max_inputs = (inputs), .tilewise = true                                                   \
    }
#define BINARY(text)                                                                               \
    {                                                                                              \
        .name = (text), .profile = HOIST_PROFILE_GOLDEN, .min_inputs = 2, .max_inputs = 2,         \
        .tilewise = true, .infer = infer_same                                                      \
    }
#define TILEWISE(text, list)                                                                       \
    {                                                                                              \
        .name = (text), .profile = HOIST_PROFILE_GOLDEN, .min_inputs = 1, .max_inputs = 1,         \
        .tilewise = true, .attrs = (list), .attr_count = COUNT(list), .infer = infer_same          \
    }
#define FAILING(text, list)                                                                        \
    {                                                                                              \
        .name = (text), .profile = HOIST_PROFILE_GOLDEN, .min_inputs = 1, .max_inputs = 1,         \
        .tilewise = true, .may_fail = true, .attrs = (list), .attr_count = COUNT(list),            \
        .infer = infer_same                                                                        \
    }
#define OTHER(text, inputs, list, fails, rule)                                                     \
    {                                                                                              \
        .name = (text), .profile = HOIST_PROFILE_GOLDEN, .min_inputs = (inputs),                   \
        .max_inputs = (inputs), .may_fail = (fails), .attrs = (list), .attr_count = COUNT(list),   \
        .infer = (rule)                                                                            \
    }

// clang-format off
static const hoist_compute_def rows[HOIST_QUANT_FIRST] = {
    [HOIST_IEEE_ADD]               = IEEE("add", 2),
    [HOIST_IEEE_SUBTRACT]          = IEEE("subtract", 2),
    [HOIST_IEEE_MULTIPLY]          = IEEE("multiply", 2),
    [HOIST_IEEE_MAXIMUM]           = IEEE("maximum", 2),
    [HOIST_IEEE_RELU]              = IEEE("relu", 1),
    [HOIST_GOLDEN_ADD]             = BINARY("add"),
    [HOIST_GOLDEN_SUBTRACT]        = BINARY("subtract"),
    [HOIST_GOLDEN_MULTIPLY]        = BINARY("multiply"),
    [HOIST_GOLDEN_MAXIMUM]         = BINARY("maximum"),
    [HOIST_GOLDEN_ADD_ROW]         = BINARY("add_row"),
    [HOIST_GOLDEN_EXP]             = TILEWISE("exp", unary_attrs),
    [HOIST_GOLDEN_LOG]             = TILEWISE("log", unary_attrs),
    [HOIST_GOLDEN_SQRT]            = FAILING("sqrt", unary_attrs),
    [HOIST_GOLDEN_SQUARE]          = TILEWISE("square", unary_attrs),
    [HOIST_GOLDEN_ABS]             = TILEWISE("abs", unary_attrs),
    [HOIST_GOLDEN_SINE]            = TILEWISE("sine", unary_attrs),
    [HOIST_GOLDEN_COSINE]          = TILEWISE("cosine", unary_attrs),
    [HOIST_GOLDEN_TANH]            = TILEWISE("tanh", unary_attrs),
    [HOIST_GOLDEN_SIGMOID]         = TILEWISE("sigmoid", unary_attrs),
    [HOIST_GOLDEN_GELU]            = TILEWISE("gelu", unary_attrs),
    [HOIST_GOLDEN_GELU_DERIVATIVE] = TILEWISE("gelu_derivative", unary_attrs),
    [HOIST_GOLDEN_RECIPROCAL]      = FAILING("reciprocal", unary_attrs),
    [HOIST_GOLDEN_LRELU]           = TILEWISE("lrelu", lrelu_attrs),
    [HOIST_GOLDEN_POWER]           = TILEWISE("power", power_attrs),
    [HOIST_GOLDEN_DROPOUT]         = TILEWISE("dropout", dropout_attrs),
    [HOIST_GOLDEN_COPY]            = TILEWISE("copy", unary_attrs),
    [HOIST_GOLDEN_RELU_MAX]        = TILEWISE("relu_max", relu_attrs),
    [HOIST_GOLDEN_RELU_MIN]        = TILEWISE("relu_min", relu_attrs),
    [HOIST_GOLDEN_ADD_SCALAR]      = TILEWISE("add_scalar", add_scalar_attrs),
    [HOIST_GOLDEN_QUANTIZE]        = TILEWISE("quantize", quantize_attrs),
    [HOIST_GOLDEN_CLEAR]           = TILEWISE("clear", clear_attrs),
    [HOIST_GOLDEN_TRANSPOSE_TILE]  = {.name = "transpose_tile", .profile = HOIST_PROFILE_GOLDEN,
                                      .min_inputs = 1, .max_inputs = 1, .tilewise = true,
                                      .infer = infer_same},
    [HOIST_GOLDEN_BROADCAST_TILE]  = TILEWISE("broadcast_tile", broadcast_attrs),
    [HOIST_GOLDEN_SUM_Z]           = OTHER("sum_z", 1, sum_z_attrs, false, infer_sum_z),
    [HOIST_GOLDEN_REDUCE]          = OTHER("reduce", 1, reduce_attrs, false, infer_reduce),
    [HOIST_GOLDEN_MATMUL]          = {.name = "matmul", .profile = HOIST_PROFILE_GOLDEN,
                                      .min_inputs = 2, .max_inputs = 2, .infer = infer_matmul},
    [HOIST_GOLDEN_SPARSE_MATMUL]   = OTHER("sparse_matmul", 3, sparse_attrs, true, infer_sparse),
    [HOIST_GOLDEN_DEPTHWISE]       = OTHER("depthwise", 2, depthwise_attrs, false, infer_depthwise),
    [HOIST_GOLDEN_EMBEDDING]       = OTHER("embedding", 2, embedding_attrs, true, infer_embedding),
    [HOIST_GOLDEN_TOPK]            = OTHER("topk", 2, topk_attrs, false, infer_topk),
};

static const char *const profiles[HOIST_PROFILE_COUNT] = {
    [HOIST_PROFILE_IEEE]    = "ieee",
    [HOIST_PROFILE_GOLDEN]  = "golden",
    [HOIST_PROFILE_TFLITE]  = "tflite",
    [HOIST_PROFILE_EDGETPU] = "edgetpu",
};
// clang-format on

const char *hoist_profile_name(hoist_profile profile)
{
    return profiles[profile];
}

const hoist_compute_def *hoist_compute_get(hoist_compute_op op)
{
    return op < HOIST_QUANT_FIRST   ? &rows[op]
           : op < HOIST_PLAIN_FIRST ? &hoist_quant_rows[op - HOIST_QUANT_FIRST]
                                    : &hoist_plain_rows[op - HOIST_PLAIN_FIRST];
}

hoist_compute_op hoist_compute_find(hoist_str name)
{
    for (hoist_compute_op op = 0; op < HOIST_COMPUTE_COUNT; op++) {
        const hoist_compute_def *def = hoist_compute_get(op);
        const hoist_str profile = hoist_str_from(profiles[def->profile]);
        const hoist_str rest = hoist_str_from(def->name);
        if (name.size == profile.size + 1 + rest.size && name.data[profile.size] == '.' &&
            memcmp(name.data, profile.data, profile.size) == 0 &&
            memcmp(name.data + profile.size + 1, rest.data, rest.size) == 0) {
            return op;
        }
    }
    return HOIST_COMPUTE_COUNT;
}
