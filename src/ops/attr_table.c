// The attributes of ops: buda-netlist reference sections 1.6 (which op takes which) and 1.10
// (those of sub-ops in a fused op).
#include "base/span.h"
#include "ops/op.h"

#define BIT(family) HOIST_FAMILY_BIT(HOIST_FAMILY_##family)
// Every family but HOIST_FAMILY_NONE.
#define ANY (HOIST_FAMILY_BIT(HOIST_FAMILY_COUNT) - 2u)
#define SPARSE (BIT(MATMUL) | BIT(FUSED))
// What describes the encoding itself: a `buffer` passes it on.
#define ENCODING (SPARSE | BIT(BUFFER))
#define INTEGER .min = INT32_MIN, .max = INT32_MAX
#define NATURAL .min = 0, .max = INT32_MAX
#define REAL .min = -3.4028234663852886e38, .max = 3.4028234663852886e38

static const char *const dims[] = {"r", "c", "rc", "z", NULL};
static const char *const reduce_types[] = {"max", NULL};
static const char *const relu_modes[] = {"none", "min", "max", NULL};
static const char *const rounding_modes[] = {"none", "fpu", "pack", "all", NULL};
static const char *const granularities[] = {"ublock", "t", NULL};
static const char *const threads[] = {"math", "pack", NULL};
static const char *const sorts[] = {"max", "argmax", NULL};

// clang-format off
static const hoist_attr_def attrs[HOIST_ATTR_COUNT] = {
    [HOIST_ATTR_NONE] = {.name = "", .summary = ""},
    [HOIST_ATTR_KERNEL_BROADCAST] = {"kernel_broadcast", HOIST_ATTR_KIND_INPUT_MAP, ANY, NATURAL,
        .summary = "period in tiles after which an input repeats, over the whole of it"},
    [HOIST_ATTR_KERNEL_BROADCAST_PER_T] = {"kernel_broadcast_per_t", HOIST_ATTR_KIND_INPUT_MAP, ANY, NATURAL,
        .summary = "period in tiles after which an input repeats, within each t"},
    [HOIST_ATTR_SINGLE_TILE] = {"single_tile", HOIST_ATTR_KIND_INTS, ANY, NATURAL,
        .summary = "inputs that are one tile, repeated: kernel_broadcast of 1"},
    [HOIST_ATTR_M_K] = {"m_k", HOIST_ATTR_KIND_INT, ANY, .in_fused = true, INTEGER,
        .summary = "inner dimension: ublocks per step"},
    [HOIST_ATTR_U_KT] = {"u_kt", HOIST_ATTR_KIND_INT, ANY, .in_fused = true, INTEGER,
        .summary = "inner dimension: tiles per ublock"},
    [HOIST_ATTR_BIAS] = {"bias", HOIST_ATTR_KIND_BOOL, ANY,
        .summary = "input 2 is added to the product"},
    [HOIST_ATTR_SFPU_OP] = {"sfpu_op", HOIST_ATTR_KIND_NAME, ANY,
        .summary = "name of a unary op of the vector unit that follows the op"},
    [HOIST_ATTR_ACCUMULATE] = {"accumulate", HOIST_ATTR_KIND_BOOL, ANY,
        .summary = "groups of z slices of the product are summed"},
    [HOIST_ATTR_Z] = {"z", HOIST_ATTR_KIND_INT, BIT(REDUCE) | BIT(MATMUL) | BIT(FUSED), INTEGER,
        .summary = "slices in a group that is reduced or accumulated"},
    [HOIST_ATTR_VECTOR] = {"vector", HOIST_ATTR_KIND_WORD, ANY, .in_fused = true, .words = dims,
        .summary = "part of a tile that the vector unit works on"},
    [HOIST_ATTR_APPROXIMATE_MODE] = {"approximate_mode", HOIST_ATTR_KIND_BOOL, ANY,
        .summary = "the device uses its faster approximation"},
    [HOIST_ATTR_RELU_EN] = {"relu_en", HOIST_ATTR_KIND_BOOL, ANY, .in_fused = true,
        .summary = "the output is clipped at relu_threshold"},
    [HOIST_ATTR_RELU_THRESHOLD] = {"relu_threshold", HOIST_ATTR_KIND_FLOAT, ANY, .in_fused = true,
        .min = 0, .max = 3.4028234663852886e38,
        .summary = "where relu clips"},
    [HOIST_ATTR_RELU_MODE] = {"relu_mode", HOIST_ATTR_KIND_WORD, ANY, .in_fused = true, .words = relu_modes,
        .summary = "whether relu clips below (min) or above (max)"},
    [HOIST_ATTR_SRND_FPU_EN] = {"srnd_fpu_en", HOIST_ATTR_KIND_BOOL, ANY,
        .summary = "stochastic rounding in the matrix unit"},
    [HOIST_ATTR_STOCH_RND_MODE] = {"stoch_rnd_mode", HOIST_ATTR_KIND_WORD, ANY, .words = rounding_modes,
        .summary = "where stochastic rounding is used"},
    [HOIST_ATTR_ZERO_POINT] = {"zero_point", HOIST_ATTR_KIND_FLOAT, ANY, REAL,
        .summary = "zero point of quantization ops"},
    [HOIST_ATTR_INGRESS_CHANNELS] = {"ingress_channels", HOIST_ATTR_KIND_INTS, ANY, INTEGER,
        .summary = "ethernet channels that receive, one per core"},
    [HOIST_ATTR_EGRESS_CHANNELS] = {"egress_channels", HOIST_ATTR_KIND_INTS, ANY, INTEGER,
        .summary = "ethernet channels that send, one per core"},
    [HOIST_ATTR_DEST_DEVICE] = {"dest_device", HOIST_ATTR_KIND_INT, ANY, NATURAL,
        .summary = "chip that an ethernet op sends to"},
    [HOIST_ATTR_IDENTITY] = {"identity", HOIST_ATTR_KIND_BOOL, SPARSE,
        .summary = "sparse matmul: input 2 encodes where the tiles of input 0 are"},
    [HOIST_ATTR_NUM_SPARSE_TILES] = {"num_sparse_tiles", HOIST_ATTR_KIND_INT, SPARSE, INTEGER,
        .summary = "tiles of input 0 per row of the grid"},
    [HOIST_ATTR_NUM_COLUMNS] = {"num_columns", HOIST_ATTR_KIND_INT, SPARSE, INTEGER,
        .summary = "columns of a sparse matmul"},
    [HOIST_ATTR_INDICES_LEN] = {"indices_len", HOIST_ATTR_KIND_INT, SPARSE, INTEGER,
        .summary = "length of the encoding"},
    [HOIST_ATTR_FRACTURE_FACTOR] = {"fracture_factor", HOIST_ATTR_KIND_INT, SPARSE, INTEGER,
        .summary = "parts into which the columns split inputs 0 and 2; 1 unless given"},
    [HOIST_ATTR_STARTING_ROW] = {"starting_row", HOIST_ATTR_KIND_INT, SPARSE, INTEGER,
        .summary = "first row of a sparse matmul"},
    [HOIST_ATTR_ACT_T] = {"act_t", HOIST_ATTR_KIND_INT, SPARSE, INTEGER,
        .summary = "t of the activations"},
    [HOIST_ATTR_NUM_INDEX_TILES] = {"num_index_tiles", HOIST_ATTR_KIND_INT, ENCODING, INTEGER,
        .summary = "tiles of the encoding per row of the grid"},
    [HOIST_ATTR_SPARSE_TILE_PTR_BITS] = {"sparse_tile_ptr_bits", HOIST_ATTR_KIND_INT, ENCODING, INTEGER,
        .summary = "bits of a tile pointer in the encoding"},
    [HOIST_ATTR_SPARSE_UBLOCK_IDX_BITS] = {"sparse_ublock_idx_bits", HOIST_ATTR_KIND_INT, ENCODING, INTEGER,
        .summary = "bits of a ublock index in the encoding; -1, as sparse_tile_ptr_bits, unless given"},
    [HOIST_ATTR_NUM_NZ_STRIPS] = {"num_nz_strips", HOIST_ATTR_KIND_INTS, ENCODING, INTEGER,
        .summary = "strips that are not zero, one number per core"},
    [HOIST_ATTR_MIN_BUFFER_INPUT] = {"min_buffer_input", HOIST_ATTR_KIND_INT,
        BIT(MATMUL) | BIT(FUSED) | BIT(DEPTHWISE) | BIT(BUFFER), .min = 0, .max = 1,
        .zero_families = BIT(DEPTHWISE) | BIT(BUFFER),
        .summary = "input that gets the smallest buffer"},
    [HOIST_ATTR_L1_ACC] = {"l1_acc", HOIST_ATTR_KIND_BOOL, BIT(MATMUL) | BIT(DEPTHWISE),
        .summary = "accumulates in L1"},
    [HOIST_ATTR_DIM] = {"dim", HOIST_ATTR_KIND_WORD, BIT(REDUCE) | BIT(FUSED), .in_fused = true, .words = dims,
        .summary = "axis that reduce removes"},
    [HOIST_ATTR_TYPE] = {"type", HOIST_ATTR_KIND_WORD, BIT(REDUCE) | BIT(FUSED), .in_fused = true, .words = reduce_types,
        .summary = "what reduce computes"},
    [HOIST_ATTR_P] = {"p", HOIST_ATTR_KIND_FLOAT, BIT(FUSED), HOIST_OP_DROPOUT, .in_fused = true, .min = 0, .max = 1,
        .summary = "share that dropout drops"},
    [HOIST_ATTR_SEED] = {"seed", HOIST_ATTR_KIND_INT, BIT(FUSED), HOIST_OP_DROPOUT, .in_fused = true, INTEGER,
        .summary = "seed of dropout"},
    [HOIST_ATTR_SLOPE] = {"slope", HOIST_ATTR_KIND_FLOAT, BIT(FUSED), HOIST_OP_LRELU, .in_fused = true, REAL,
        .summary = "slope below zero; 0.01 unless given"},
    [HOIST_ATTR_EXP] = {"exp", HOIST_ATTR_KIND_INT, BIT(FUSED), HOIST_OP_POWER, .in_fused = true, INTEGER,
        .summary = "exponent of power"},
    [HOIST_ATTR_FUSED_OP_ID] = {"fused_op_id", HOIST_ATTR_KIND_NAME, BIT(FUSED),
        .summary = "name of the definition in fused_ops"},
    [HOIST_ATTR_GRANULARITY] = {"granularity", HOIST_ATTR_KIND_WORD, BIT(SPLICE), .words = granularities,
        .summary = "unit of input<N>; ublock unless given"},
    [HOIST_ATTR_INPUT] = {"input", HOIST_ATTR_KIND_INTS, BIT(SPLICE), NATURAL,
        .summary = "input0 to input7: units skipped, copied and advanced in turn"},
    [HOIST_ATTR_NUM_INDICES] = {"num_indices", HOIST_ATTR_KIND_INT, BIT(EMBEDDING), INTEGER,
        .summary = "rows that are looked up"},
    [HOIST_ATTR_SFPU_EXECUTION_THREAD] = {"sfpu_execution_thread", HOIST_ATTR_KIND_WORD, BIT(MATMUL) | BIT(SFPU), .words = threads,
        .summary = "thread of the core that runs the vector unit"},
    [HOIST_ATTR_REQUANT] = {"requant", HOIST_ATTR_KIND_BOOL, BIT(MATMUL),
        .summary = "the last input rescales an integer product"},
    [HOIST_ATTR_DEQUANT] = {"dequant", HOIST_ATTR_KIND_BOOL, BIT(MATMUL),
        .summary = "the last input turns an integer product into floats"},
    [HOIST_ATTR_K] = {"k", HOIST_ATTR_KIND_INT, BIT(TOPK), INTEGER,
        .summary = "how many of the largest values are kept"},
    [HOIST_ATTR_SORT] = {"sort", HOIST_ATTR_KIND_WORD, BIT(TOPK), .words = sorts,
        .summary = "whether values (max) or their indices (argmax) come out"},
    [HOIST_ATTR_KREDUCE] = {"kreduce", HOIST_ATTR_KIND_BOOL, BIT(TOPK),
        .summary = "the input consists of sorted runs of k"},
};
// clang-format on

const hoist_attr_def *hoist_attr_get(hoist_attr attr)
{
    return (unsigned)attr < HOIST_ATTR_COUNT ? &attrs[attr] : &attrs[HOIST_ATTR_NONE];
}

// "input0" to "input7", of splice.
static bool is_splice_input(hoist_str name)
{
    return name.size == 6 && hoist_str_starts_with(name, "input") && name.data[5] >= '0' &&
           name.data[5] <= '7';
}

hoist_attr hoist_attr_find(hoist_str name)
{
    if (is_splice_input(name)) {
        return HOIST_ATTR_INPUT;
    }
    for (int i = HOIST_ATTR_NONE + 1; i < HOIST_ATTR_COUNT; i++) {
        if (i != HOIST_ATTR_INPUT && hoist_str_equal_c(name, attrs[i].name)) {
            return (hoist_attr)i;
        }
    }
    return HOIST_ATTR_NONE;
}

bool hoist_attr_fits(hoist_attr attr, hoist_op op)
{
    const hoist_attr_def *def = hoist_attr_get(attr);
    const bool in_family = (def->families & HOIST_FAMILY_BIT(hoist_op_get(op)->family)) != 0;
    return in_family || (op != HOIST_OP_NONE && op == def->extra_op);
}

bool hoist_attr_fits_sub_op(hoist_attr attr)
{
    return hoist_attr_get(attr)->in_fused;
}

int hoist_attr_word(const hoist_attr_def *def, hoist_str word)
{
    for (int i = 0; def->words && def->words[i]; i++) {
        if (hoist_str_equal_c(word, def->words[i])) {
            return i;
        }
    }
    return -1;
}
