// ops/compute_device.c - the rows of the profiles device (a Tensix core,
// docs/formats/buda-device.md) and declared (the reference's float32 arithmetic, rounded to the
// types that a netlist declares).
#include "ops/compute_device.h"

#include "ops/compute_rows.h"

#define LAST(name) (HOIST_DEVICE_##name##_COUNT - 1)

// clang-format off
#define CORE                                                                                       \
    [HOIST_DEVICE_ARCH] = INT("arch", 0, LAST(ARCH)), [HOIST_DEVICE_DEST] = INT("dest", 0, LAST(DEST))
#define SOURCES                                                                                    \
    [HOIST_DEVICE_A] = INT("a", 0, LAST(SOURCE)), [HOIST_DEVICE_B] = INT("b", 0, LAST(SOURCE)),    \
    [HOIST_DEVICE_PHASES] = INT("phases", 1, 4), [HOIST_DEVICE_PHASE_STEP] = INT("phase_step", 1, 2)

#define MEMORY                                                                                     \
    [HOIST_DEVICE_SPILL]        = {"spill", HOIST_COMPUTE_DTYPE, 0, 0, 0},                         \
    [HOIST_DEVICE_SPILL_SOURCE] = INT("spill_source", 0, LAST(SOURCE)),                            \
    [HOIST_DEVICE_SUMS]         = INT("sums", 0, LAST(SUMS))

static const hoist_compute_attr_def matmul_attrs[] = {
    CORE, SOURCES, MEMORY, [HOIST_DEVICE_BLOCK] = INT("block", 1, BIG),
};
static const hoist_compute_attr_def sparse_attrs[] = {
    CORE, SOURCES, MEMORY, HOIST_SPARSE_ATTRS(HOIST_DEVICE_SPARSE),
};
static const hoist_compute_attr_def binary_attrs[] = {CORE, SOURCES, [HOIST_DEVICE_ROW] = INT("row", 0, 1)};
static const hoist_compute_attr_def copy_attrs[] = {CORE, [HOIST_DEVICE_A] = INT("a", 0, LAST(SOURCE))};
static const hoist_compute_attr_def pack_attrs[] = {
    CORE,
    [HOIST_DEVICE_DTYPE]     = {"dtype", HOIST_COMPUTE_DTYPE, 0, 0, 0},
    [HOIST_DEVICE_RELU]      = INT("relu", 0, LAST(RELU)),
    [HOIST_DEVICE_THRESHOLD] = INT("threshold", 0, 0x7fff),
};
static const hoist_compute_attr_def core_attrs[] = {CORE};
static const hoist_compute_attr_def function_attrs[] = {
    CORE,
    [HOIST_DEVICE_VECTOR]      = INT("vector", HOIST_TILE_ALL, HOIST_TILE_COLUMNS),
    [HOIST_DEVICE_APPROXIMATE] = INT("approximate", 0, 1),
    [HOIST_DEVICE_PARAMETER]   = INT("parameter", 0, 0xffff),
};
#define TILES(text, dims) OPERAND(text, ALL_TYPES, dims)
static const hoist_compute_operand_def tiles1[] = {TILES("x", "ZRC"), TILES("y", "ZRC")};
static const hoist_compute_operand_def tiles2[] = {TILES("a", "ZRC"), TILES("b", "ZRC"), TILES("y", "ZRC")};
static const hoist_compute_operand_def sparse_operands[] = {
    TILES("tiles", "ABC"), TILES("activations", "DEN"), TILES("encoding", "FGH"), TILES("y", "TMN")};
static const hoist_compute_operand_def matmul_operands[] = {TILES("a", "ZMK"), TILES("b", "YKN"), TILES("y", "ZMN")};
// clang-format on

// Rules -----------------------------------------------------------------------------------------

static bool is_short(const hoist_compute_case *c, size_t index)
{
    return hoist_case_integer(c, index) == HOIST_DEVICE_SOURCE_F16;
}

// A register of 16 bits has the exponent of the sources.
static bool fits_register(const hoist_compute_case *c, size_t index)
{
    const int64_t dest = hoist_case_integer(c, HOIST_DEVICE_DEST);
    return dest == HOIST_DEVICE_DEST_F32 || (dest == HOIST_DEVICE_DEST_F16) == is_short(c, index);
}

static const char *check_copy(const hoist_compute_case *c)
{
    return fits_register(c, HOIST_DEVICE_A) ? NULL : "a register with the exponent of the source";
}

static const char *check_binary(const hoist_compute_case *c)
{
    return is_short(c, HOIST_DEVICE_A) == is_short(c, HOIST_DEVICE_B)
               ? check_copy(c)
               : "sources of which both or none are Float16";
}

bool hoist_device_packs(hoist_device_arch arch, hoist_device_dest dest, hoist_dtype dtype)
{
    switch (dtype) {
    case HOIST_DTYPE_F32:
    case HOIST_DTYPE_BF16:
    case HOIST_DTYPE_TT_BFP8B:
        return true;
    case HOIST_DTYPE_TT_BFP4B:
        return dest != HOIST_DEVICE_DEST_F16;
    case HOIST_DTYPE_TT_F16:
        return dest == HOIST_DEVICE_DEST_F16 ||
               (dest == HOIST_DEVICE_DEST_F32 && arch == HOIST_DEVICE_BLACKHOLE);
    default:
        return false;
    }
}

bool hoist_device_accumulates(hoist_dtype dtype)
{
    return dtype == HOIST_DTYPE_F32 || dtype == HOIST_DTYPE_BF16;
}

static const char *check_packing(const hoist_compute_case *c, size_t dtype)
{
    return hoist_device_packs((hoist_device_arch)hoist_case_integer(c, HOIST_DEVICE_ARCH),
                              (hoist_device_dest)hoist_case_integer(c, HOIST_DEVICE_DEST),
                              c->attrs->value[dtype].dtype)
               ? NULL
               : "a type that this core's packer makes of its register";
}

static const char *check_pack(const hoist_compute_case *c)
{
    return check_packing(c, HOIST_DEVICE_DTYPE);
}

// exp has macros of instructions when it is approximate, which the simulator leaves out; what
// sigmoid and gelu_derivative look up is published for Wormhole; whether two roundings of the exact
// gelu_derivative are one depends on the compiler.
bool hoist_device_has_function(hoist_device_arch arch, hoist_compute_op op, bool is_approximate)
{
    switch (op) {
    case HOIST_DEVICE_EXP:
        return !is_approximate;
    case HOIST_DEVICE_GELU_DERIVATIVE:
        return is_approximate && arch == HOIST_DEVICE_WORMHOLE_B0;
    case HOIST_DEVICE_SIGMOID:
        return arch == HOIST_DEVICE_WORMHOLE_B0;
    default:
        return op >= HOIST_DEVICE_ABS && op <= HOIST_DEVICE_TANH;
    }
}

static const char *check_function(const hoist_compute_case *c)
{
    const hoist_compute_op op =
        (hoist_compute_op)(HOIST_DEVICE_FIRST + (int)(c->def - hoist_device_rows));
    return hoist_device_has_function((hoist_device_arch)hoist_case_integer(c, HOIST_DEVICE_ARCH),
                                     op, hoist_case_integer(c, HOIST_DEVICE_APPROXIMATE) != 0)
               ? NULL
               : "a function whose kernel is known on this core";
}

static const char *check_slices(const hoist_compute_case *c)
{
    return hoist_case_extent(c, 'Y') >= hoist_case_extent(c, 'Z')
               ? NULL
               : "at least as many slices in input 1 as in input 0";
}

static const char *check_products(const hoist_compute_case *c)
{
    const char *wrong = check_packing(c, HOIST_DEVICE_SPILL);
    if (!wrong && !fits_register(c, HOIST_DEVICE_SPILL_SOURCE)) {
        wrong = "a register with the exponent of what was spilled";
    }
    if (!wrong && hoist_device_adds((hoist_device_sums)hoist_case_integer(c, HOIST_DEVICE_SUMS)) &&
        !hoist_device_accumulates(c->attrs->value[HOIST_DEVICE_SPILL].dtype)) {
        wrong = "sums of float32 or bf16 in memory";
    }
    return wrong ? wrong : check_binary(c);
}

static const char *check_matmul(const hoist_compute_case *c)
{
    const char *wrong = check_slices(c);
    return wrong ? wrong : check_products(c);
}

static const char *derive_sparse(hoist_compute_case *c)
{
    return hoist_derive_sparse(c, HOIST_DEVICE_SPARSE);
}

// The table -------------------------------------------------------------------------------------

#define BINARY(text)                                                                               \
    ROW(DEVICE, text, tiles2, .tiled = true, .tilewise = true, ATTRS(binary_attrs),                \
        .rule = check_binary, FLOPS(OUTPUT, 1))
#define EACH(text, list, check)                                                                    \
    ROW(DEVICE, text, tiles1, .tiled = true, .tilewise = true, ATTRS(list), .rule = (check))

#define FUNCTION(text)                                                                             \
    ROW(DEVICE, text, tiles1, .tiled = true, .tilewise = true, ATTRS(function_attrs),              \
        .rule = check_function, FLOPS(OUTPUT, 1))

// clang-format off
const hoist_compute_def hoist_device_rows[HOIST_DECLARED_FIRST - HOIST_DEVICE_FIRST] = {
#define AT(op) [HOIST_DEVICE_##op - HOIST_DEVICE_FIRST]
    AT(MATMUL)   = ROW(DEVICE, "matmul", matmul_operands, .tiled = true, ATTRS(matmul_attrs), .rule = check_matmul, FLOPS(PRODUCTS, 2)),
    AT(SPARSE_MATMUL) = ROW(DEVICE, "sparse_matmul", sparse_operands, .tiled = true, ATTRS(sparse_attrs), .derive = derive_sparse, .rule = check_products),
    AT(ADD)      = BINARY("add"),
    AT(SUBTRACT) = BINARY("subtract"),
    AT(MULTIPLY) = BINARY("multiply"),
    AT(COPY)     = EACH("copy", copy_attrs, check_copy),
    AT(PACK)     = EACH("pack", pack_attrs, check_pack),
    AT(MAXIMUM)  = ROW(DEVICE, "maximum", tiles2, .tiled = true, .tilewise = true, ATTRS(core_attrs), FLOPS(OUTPUT, 1)),
    AT(ABS)             = FUNCTION("abs"),
    AT(EXP)             = FUNCTION("exp"),
    AT(GELU)            = FUNCTION("gelu"),
    AT(GELU_DERIVATIVE) = FUNCTION("gelu_derivative"),
    AT(LOG)             = FUNCTION("log"),
    AT(LRELU)           = FUNCTION("lrelu"),
    AT(POWER)           = FUNCTION("power"),
    AT(RECIPROCAL)      = FUNCTION("reciprocal"),
    AT(SIGMOID)         = FUNCTION("sigmoid"),
    AT(SQRT)            = FUNCTION("sqrt"),
    AT(SQUARE)          = FUNCTION("square"),
    AT(TANH)            = FUNCTION("tanh"),
#undef AT
};
// clang-format on
