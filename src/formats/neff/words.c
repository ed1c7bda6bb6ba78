// The closed sets of words and numbers that NEFFs use (neff reference 1.5, 2.4, 3.1.1, 4): engines,
// types, ops, dtypes, generations and feature bits, one table each. Readers find words in them,
// writers and messages their spelling; what a word may be combined with is in the checks.
#include "formats/neff/words.h"

#include "base/span.h"

// In the loader's order, which is also that of disassembly and of pinned queues.
// clang-format off
const neff_engine_row neff_engines[NEFF_ENGINE_COUNT] = {
    [NEFF_PE]   = {"pe",   "pe_instr",   "Tensor engine"},
    [NEFF_ACT]  = {"act",  "act_instr",  "Scalar engine"},
    [NEFF_POOL] = {"pool", "pool_instr", "GpSimd engine"},
    [NEFF_DVE]  = {"dve",  "dve_instr",  "Vector engine"},
    [NEFF_SP]   = {"sp",   "sp_instr",   "Sync engine"},
};

// Rows 0 to 14 are in the order of ISA codes, on which neff_dtype_of_isa relies.
const neff_dtype_row neff_dtypes[NEFF_DTYPE_COUNT] = {
    // name, dtype, bytes, isa_code, mnemonic, in_graph
    {"uint64",             HOIST_DTYPE_U64,    8, 0x1, "uint64", true},
    {"int8",               HOIST_DTYPE_I8,     1, 0x2, "int8", true},
    {"uint8",              HOIST_DTYPE_U8,     1, 0x3, "uint8", true},
    {"int16",              HOIST_DTYPE_I16,    2, 0x4, "int16", true},
    {"uint16",             HOIST_DTYPE_U16,    2, 0x5, "uint16", true},
    {"bfloat16",           HOIST_DTYPE_BF16,   2, 0x6, "bf16", true},
    {"float16",            HOIST_DTYPE_F16,    2, 0x7, "fp16", true},
    {"int32",              HOIST_DTYPE_I32,    4, 0x8, "int32", true},
    {"uint32",             HOIST_DTYPE_U32,    4, 0x9, "uint32", true},
    {"float32",            HOIST_DTYPE_F32,    4, 0xA, "fp32", true},
    // Storage of float32, another mode of matmul.
    {"float32r",           HOIST_DTYPE_F32,    4, 0xB, "fp32r", false},
    {"int64",              HOIST_DTYPE_I64,    8, 0xC, "int64", true},
    {"float8e3",           HOIST_DTYPE_F8E3M4, 1, 0xD, "fp8e3", false},
    {"float8e4",           HOIST_DTYPE_F8E4M3, 1, 0xE, "fp8e4", false},
    {"float8e5",           HOIST_DTYPE_F8E5M2, 1, 0xF, "fp8e5", false},
    // Aliases: one is another spelling, three are packed types of four elements that travel as an
    // integer. They have no ISA code: the first row of a mnemonic is the one written.
    {"float8_e4m3fn",      HOIST_DTYPE_F8E4M3, 1, 0,   "fp8e4", false},
    {"float8_e4m3fn_x4",   HOIST_DTYPE_U32,    4, 0,   "uint32", false},
    {"float8_e5m2_x4",     HOIST_DTYPE_U32,    4, 0,   "uint32", false},
    {"float4_e2m1fn_x4",   HOIST_DTYPE_U16,    2, 0,   "uint16", false},
};

// The last six were found in the loader and are not documented: rule 27b, and not executed.
static const char *const var_types[] = {
    [NEFF_VAR_STATE_BUFFER] = "state-buffer",
    [NEFF_VAR_INPUT]        = "input",
    [NEFF_VAR_OUTPUT]       = "output",
    [NEFF_VAR_FILE]         = "file",
    [NEFF_VAR_TMP_BUF]      = "tmp-buf",
    [NEFF_VAR_VIRTUAL]      = "virtual",
    [NEFF_VAR_POINTER]      = "pointer",
    [NEFF_VAR_DGE_TABLE]    = "dge-table",
    [NEFF_VAR_LIST]         = "list",
    [NEFF_VAR_REMOTE]       = "remote",
    [NEFF_VAR_SHARED]       = "shared",
    [NEFF_VAR_SHARDED]      = "sharded",
    [NEFF_VAR_LOCAL]        = "local",
    [NEFF_VAR_PIPE]         = "pipe",
};

static const char *const queue_types[] = {
    [NEFF_QUEUE_IN]               = "in",
    [NEFF_QUEUE_OUT]              = "out",
    [NEFF_QUEUE_DATA]             = "data",
    [NEFF_QUEUE_EMBEDDING_UPDATE] = "embedding_update",
    [NEFF_QUEUE_DYNAMIC]          = "dynamic",
    [NEFF_QUEUE_ACT_LOAD]         = "act_load",
};

static const char *const fabrics[] = {[NEFF_FABRIC_MAIN] = "main", [NEFF_FABRIC_ALT] = "alt"};

static const char *const ops[] = {
    [NEFF_OP_COPY] = "copy", [NEFF_OP_CAST] = "cast", [NEFF_OP_FMA] = "fma",
    [NEFF_OP_ADD] = "add",   [NEFF_OP_MIN] = "min",   [NEFF_OP_MAX] = "max",
    [NEFF_OP_TRANSPOSE] = "transpose",
};

// `first` is the spelling of value 0; its table may have larger rows.
#define WORDS(first, rows) {.names = &(first), .stride = sizeof((rows)[0]), .count = HOIST_COUNT_OF(rows)}
const neff_words neff_var_types    = WORDS(var_types[0], var_types);
const neff_words neff_queue_types  = WORDS(queue_types[0], queue_types);
const neff_words neff_fabrics      = WORDS(fabrics[0], fabrics);
const neff_words neff_ops          = WORDS(ops[0], ops);
const neff_words neff_engine_words = WORDS(neff_engines[0].key, neff_engines);
const neff_words neff_dtype_words  = WORDS(neff_dtypes[0].name, neff_dtypes);

// Section 3.1.1. "*" has only the limits that all generations share; the size of a partition is not
// public before generation 2 and after 3. semaphores: per core; queues: per queue set; reservation:
// 8 bytes at the end of each partition are the runtime's.
const neff_generation_row neff_generations[NEFF_GENERATION_COUNT] = {
    //                      target  alias   spellings                  sem. queues partition remote reservation
    [NEFF_ANY_GENERATION] = {"*",    NULL,   {"*"},                     256, 16, 0,       true,  false},
    [NEFF_GEN1]           = {"inf1", NULL,   {"tonga", "inf1", "v1"},   32,  1,  0,       false, false},
    [NEFF_GEN2]           = {"trn1", "inf2", {"sunda", "v2"},           256, 16, 0x30000, false, false},
    [NEFF_GEN3]           = {"trn2", NULL,   {"cayman", "v3"},          256, 16, 0x38000, true,  true },
    [NEFF_GEN4]           = {"trn3", NULL,   {"mariana", "v4"},         256, 16, 0,       true,  false},
    [NEFF_GEN5]           = {"gen5", NULL,   {NULL},                    256, 16, 0,       true,  false},
};

// Section 1.5. Bits without a row have neither a name nor a known meaning: a run refuses a file
// that has one set. `true`: the compiler writes the name to neff_features as well.
const neff_feature_row neff_features[64] = {
    [1]  = {"collective_has_offset", true, "a collective with tensor offsets other than 0"},
    [2]  = {"neff_feature_custom_ops", true, "a GpSimd library of custom ops"},
    [3]  = {"neff_coalesced_ccops", true, "coalesced collectives"},
    [4]  = {"neff_queue_set_instances", true, "any queue_instances"},
    [5]  = {"neff_has_functions", true, "functions in engine binaries, function_start"},
    [6]  = {"neff_feature_dynamic_pwp", true, "activation tables loaded by an act_load queue"},
    [7]  = {"neff_feature_indirect_memcpy_32b_sem_wait", true, NULL},
    [8]  = {"neff_feature_indirect_memcpy_bound_check", true, NULL},
    [9]  = {"neff_feature_DMA_desc_higher_dim", true, "patterns of more than 4 dimensions"},
    [10] = {"neff_feature_vnc", true, "a logical core of more than one physical core"},
    [11] = {NULL, false, "DVE performance mode, after generation 2"},
    [12] = {"DGE", false, "the descriptor generation engine"},
    [13] = {"POOL_RSQRT", false, NULL},
    [14] = {"neff_feature_remote_sem", false, "any remote_semaphores"},
    [15] = {"DGE_cast", false, NULL},
    [16] = {"vector_DGE", false, NULL},
    [17] = {"embedding_stride32", false, NULL},
    [20] = {"SQI_no_rearm", false, "instances of queue sets that are not rearmed"},
    [21] = {"hardware_DGE", false, "dynamic queues driven by hardware"},
    [22] = {"partial_sb2sb_ccop", false, NULL},
    [24] = {NULL, false, "architecture of generation 4"},
    [25] = {"large_tensor_support", false, "variables above 4 GiB"},
};
// A name whose meaning is unknown has a row without summary.
// clang-format on

const neff_dtype_row *neff_dtype_of_isa(unsigned code)
{
    // The codes count the vendor's own 15 rows.
    return code >= 1 && code <= 15 ? &neff_dtypes[code - 1] : NULL;
}

int neff_generation_of_target(hoist_str target)
{
    for (int i = NEFF_GEN1; i < NEFF_GENERATION_COUNT; i++) {
        const neff_generation_row *row = &neff_generations[i];
        if (hoist_str_equal_c(target, row->target) ||
            (row->alias && hoist_str_equal_c(target, row->alias))) {
            return i;
        }
    }
    // Spellings of kelf files are taken for --target, too, except "*", which names no target.
    const int spelled = target.size > 0 ? neff_generation_of_spelling(target) : -1;
    return spelled == NEFF_ANY_GENERATION ? -1 : spelled;
}

int neff_generation_of_spelling(hoist_str spelling)
{
    if (spelling.size == 0) {
        return NEFF_GEN2; // older writers leave it empty [re]
    }
    for (int i = 0; i < NEFF_GENERATION_COUNT; i++) {
        const char *const *spellings = neff_generations[i].spellings;
        for (size_t k = 0; spellings[k]; k++) {
            if (hoist_str_equal_c(spelling, spellings[k])) {
                return i;
            }
        }
    }
    return -1;
}
