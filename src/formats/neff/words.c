#include "formats/neff/words.h"

#include "base/span.h"

// clang-format off
const neff_engine_row neff_engines[NEFF_ENGINE_COUNT] = {
#define NEFF_ENGINE(id, key, instr_key, title) [id] = {(key), (instr_key), (title)},
#include "formats/neff/words.inc"
#undef NEFF_ENGINE
};

static const char *const engine_words[] = {
#define NEFF_ENGINE(id, key, instr_key, title) [id] = (key),
#include "formats/neff/words.inc"
#undef NEFF_ENGINE
};

const neff_dtype_row neff_dtypes[NEFF_DTYPE_COUNT] = {
#define NEFF_DTYPE(name, dtype, bytes, isa_code, mnemonic, in_graph)                               \
    {name, dtype, bytes, isa_code, mnemonic, in_graph},
#include "formats/neff/words.inc"
#undef NEFF_DTYPE
};

static const char *const dtype_words[] = {
#define NEFF_DTYPE(name, dtype, bytes, isa_code, mnemonic, in_graph) name,
#include "formats/neff/words.inc"
#undef NEFF_DTYPE
};

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

const neff_words neff_var_types    = {var_types, HOIST_COUNT_OF(var_types)};
const neff_words neff_queue_types  = {queue_types, HOIST_COUNT_OF(queue_types)};
const neff_words neff_fabrics      = {fabrics, HOIST_COUNT_OF(fabrics)};
const neff_words neff_ops          = {ops, HOIST_COUNT_OF(ops)};
const neff_words neff_engine_words = {engine_words, HOIST_COUNT_OF(engine_words)};
const neff_words neff_dtype_words  = {dtype_words, HOIST_COUNT_OF(dtype_words)};

// Section 3.1.1. "*" has only the limits that all generations share; the size of a partition is
// not public before generation 2 and after 3.
const neff_generation_row neff_generations[NEFF_GENERATION_COUNT] = {
    //                      target  alias   spellings                  sem. queues partition remote reservation
    [NEFF_ANY_GENERATION] = {"*",    NULL,   {"*"},                     256, 16, 0,       true,  false},
    [NEFF_GEN1]           = {"inf1", NULL,   {"tonga", "inf1", "v1"},   32,  1,  0,       false, false},
    [NEFF_GEN2]           = {"trn1", "inf2", {"sunda", "v2"},           256, 16, 0x30000, false, false},
    [NEFF_GEN3]           = {"trn2", NULL,   {"cayman", "v3"},          256, 16, 0x38000, true,  true },
    [NEFF_GEN4]           = {"trn3", NULL,   {"mariana", "v4"},         256, 16, 0,       true,  false},
    [NEFF_GEN5]           = {"gen5", NULL,   {NULL},                    256, 16, 0,       true,  false},
};

// Section 1.5. Bits without a row have neither a name nor a known meaning.
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
// clang-format on

int neff_word_find(const neff_words *words, hoist_str word)
{
    for (size_t i = 0; i < words->count; i++) {
        if (hoist_str_equal_c(word, words->names[i])) {
            return (int)i;
        }
    }
    return -1;
}

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
    const int spelled = target.size > 0 ? neff_generation_of_spelling(target) : -1;
    return spelled == NEFF_ANY_GENERATION ? -1 : spelled;
}

int neff_generation_of_spelling(hoist_str spelling)
{
    if (spelling.size == 0) {
        return NEFF_GEN2;
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
