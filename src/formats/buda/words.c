// The tables of the closed sets of words (words.h): data formats, architectures, TMs, instructions.
// The index of a spelling is the value that the model keeps, so rows are never reordered.
#include "formats/buda/words.h"

#include "base/span.h"

// clang-format off
// Buda-netlist reference section 1.8.
const buda_format_row buda_formats[BUDA_DF_COUNT] = {
    //                  name          code  dtype                 netlist family bfp   integer raw
    [BUDA_FLOAT32]    = {"Float32",    0x00, HOIST_DTYPE_F32,      true,  0,   false, false, false},
    [BUDA_FLOAT16]    = {"Float16",    0x01, HOIST_DTYPE_TT_F16,      true,  'A', false, false, false},
    [BUDA_BFP8]       = {"Bfp8",       0x02, HOIST_DTYPE_TT_BFP8A,     true,  'A', true,  false, false},
    [BUDA_BFP4]       = {"Bfp4",       0x03, HOIST_DTYPE_TT_BFP4A,     true,  'A', true,  false, false},
    [BUDA_TF32]       = {"Tf32",       0x04, HOIST_DTYPE_TF32,     false, 0,   false, false, false},
    [BUDA_FLOAT16_B]  = {"Float16_b",  0x05, HOIST_DTYPE_BF16,     true,  'B', false, false, false},
    [BUDA_BFP8_B]     = {"Bfp8_b",     0x06, HOIST_DTYPE_TT_BFP8B,   true,  'B', true,  false, false},
    [BUDA_BFP4_B]     = {"Bfp4_b",     0x07, HOIST_DTYPE_TT_BFP4B,   true,  'B', true,  false, false},
    [BUDA_INT32]      = {"Int32",      0x08, HOIST_DTYPE_TT_I32,      true,  0,   false, true,  false},
    [BUDA_UINT16]     = {"UInt16",     0x09, HOIST_DTYPE_U16,      true,  0,   false, true,  false},
    [BUDA_LF8]        = {"Lf8",        0x0a, HOIST_DTYPE_TT_LF8,      true,  0,   false, false, false},
    [BUDA_BFP2]       = {"Bfp2",       0x0b, HOIST_DTYPE_TT_BFP2A,     true,  'A', true,  false, false},
    [BUDA_INT8]       = {"Int8",       0x0e, HOIST_DTYPE_TT_I8,       true,  0,   false, true,  false},
    [BUDA_BFP2_B]     = {"Bfp2_b",     0x0f, HOIST_DTYPE_TT_BFP2B,   true,  'B', true,  false, false},
    [BUDA_FP8_E4M3]   = {"Fp8_e4m3",   0x1a, HOIST_DTYPE_TT_F8E4M3,  true,  0,   false, false, false},
    [BUDA_UINT8]      = {"UInt8",      0x1e, HOIST_DTYPE_U8,       true,  0,   false, true,  false},
    [BUDA_RAW_UINT8]  = {"RawUInt8",   0xf0, HOIST_DTYPE_TT_RAW8,       true,  0,   false, false, true},
    [BUDA_RAW_UINT16] = {"RawUInt16",  0xf1, HOIST_DTYPE_TT_RAW16,      true,  0,   false, false, true},
    [BUDA_RAW_UINT32] = {"RawUInt32",  0xf2, HOIST_DTYPE_TT_RAW32,      true,  0,   false, false, true},
};

// Lower case here; arch words compare without case (`true` in buda_arch_words).
static const char *const archs[] = {
    [BUDA_GRAYSKULL] = "grayskull",
    [BUDA_WORMHOLE] = "wormhole",
    [BUDA_WORMHOLE_B0] = "wormhole_b0",
    [BUDA_BLACKHOLE] = "blackhole",
};

// Known spellings that are no device: the finding differs from that of an unknown word.
static const buda_arch_alias arch_aliases[] = {
    {"wormhole_b", BUDA_WORMHOLE_B0, BUDA_003b, "is read as wormhole_b0"},
    {"jawbridge",  BUDA_ARCH_NONE,   BUDA_003a, "has no public device facts"},
    {"invalid",    BUDA_ARCH_NONE,   BUDA_003a, "names no device"},
};

static const char *const queue_types[] = {[BUDA_QUEUE] = "queue", [BUDA_RAM] = "ram"};
static const char *const locs[] = {[BUDA_LOC_DRAM] = "dram", [BUDA_LOC_HOST] = "host"};
static const char *const orders[] = {[BUDA_ORDER_R] = "r", [BUDA_ORDER_C] = "c"};
static const char *const layouts[] = {
    [BUDA_LAYOUT_TILIZED] = "tilized", [BUDA_LAYOUT_FLAT] = "flat"};
static const char *const fidelities[] = {
    [BUDA_LOFI] = "LoFi",       [BUDA_HIFI2] = "HiFi2", [BUDA_HIFI2_A] = "HiFi2_A",
    [BUDA_HIFI2_B] = "HiFi2_B", [BUDA_HIFI3] = "HiFi3", [BUDA_HIFI4] = "HiFi4",
};

// Height by width in elements. Grayskull has the first one only (rule 42).
static const struct {
    int64_t h;
    int64_t w;
} tile_dims[] = {{32, 32}, {16, 32}, {32, 16}, {8, 32}, {4, 32}, {2, 32}, {1, 32}};

static const buda_tm_row tms[] = {
    [BUDA_TM_BROADCAST]      = {"broadcast",      BUDA_TM_FORM_AXES},
    [BUDA_TM_HSLICE]         = {"hslice",         BUDA_TM_FORM_FACTOR},
    [BUDA_TM_HSTACK]         = {"hstack",         BUDA_TM_FORM_FACTOR},
    [BUDA_TM_VSLICE]         = {"vslice",         BUDA_TM_FORM_FACTOR},
    [BUDA_TM_VSTACK]         = {"vstack",         BUDA_TM_FORM_FACTOR},
    [BUDA_TM_TRANSPOSE]      = {"transpose",      BUDA_TM_FORM_NONE},
    [BUDA_TM_PAD]            = {"pad",            BUDA_TM_FORM_PAD},
    [BUDA_TM_TILE_BROADCAST] = {"tile_broadcast", BUDA_TM_FORM_AXIS},
};

static const char *const instrs[] = {
    [BUDA_I_VAR] = "var",
    [BUDA_I_STATICVAR] = "staticvar",
    [BUDA_I_PARAM] = "param",
    [BUDA_I_LOOP] = "loop",
    [BUDA_I_ENDLOOP] = "endloop",
    [BUDA_I_VARINST] = "varinst",
    [BUDA_I_EXECUTE] = "execute",
    [BUDA_I_ALLOCATE] = "allocate_queue",
    [BUDA_I_DEALLOCATE] = "deallocate_queue",
    [BUDA_I_ENDPROGRAM] = "endprogram",
};

// Second column: operands after the operation; the destination is not counted.
static const buda_var_op_row var_ops[] = {
    [BUDA_V_SET] = {"set", 1},
    [BUDA_V_ADD] = {"add", 2},
    [BUDA_V_MUL] = {"mul", 2},
    [BUDA_V_INC] = {"inc", 1},
    [BUDA_V_INCWRAP] = {"incwrap", 2},
};

// Tf32 has a device code and a size, but the vendor's parser refuses it in netlists.
static bool df_accepted(int value)
{
    return buda_formats[value].in_netlist;
}

// what, names, stride, count, any case, filter: as hoist_rec_words lists them.
#define PLAIN_SET(what, names) {what, names, sizeof((names)[0]), HOIST_COUNT_OF(names), false, NULL}

const hoist_rec_words buda_arch_words = {
    "architecture", archs, sizeof(archs[0]), BUDA_ARCH_COUNT, true, NULL};
const hoist_rec_words buda_queue_type_words = PLAIN_SET("queue type", queue_types);
const hoist_rec_words buda_loc_words = PLAIN_SET("location", locs);
const hoist_rec_words buda_order_words = PLAIN_SET("ublock order", orders);
const hoist_rec_words buda_layout_words = PLAIN_SET("layout", layouts);
const hoist_rec_words buda_fidelity_words = PLAIN_SET("math fidelity", fidelities);
const hoist_rec_words buda_df_words = {
    "data format", &buda_formats[0].name, sizeof(buda_formats[0]), BUDA_DF_COUNT, false,
    df_accepted};
static const hoist_rec_words tm_words = {
    "TM", &tms[0].name, sizeof(tms[0]), HOIST_COUNT_OF(tms), false, NULL};
static const hoist_rec_words instr_words = PLAIN_SET("instruction", instrs);
static const hoist_rec_words var_op_words = {
    "operation", &var_ops[0].name, sizeof(var_ops[0]), HOIST_COUNT_OF(var_ops), false, NULL};
// clang-format on

const char *buda_arch_name(int arch)
{
    return hoist_rec_word_name(&buda_arch_words, arch);
}

const buda_arch_alias *buda_arch_alias_find(hoist_str text)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(arch_aliases); i++) {
        if (hoist_str_equal_nocase(text, hoist_str_from(arch_aliases[i].name))) {
            return &arch_aliases[i];
        }
    }
    return NULL;
}

bool buda_tile_dim_exists(int64_t h, int64_t w)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(tile_dims); i++) {
        if (tile_dims[i].h == h && tile_dims[i].w == w) {
            return true;
        }
    }
    return false;
}

buda_tm_kind buda_tm_find(hoist_str text)
{
    return (buda_tm_kind)hoist_rec_word_find(&tm_words, text);
}

const buda_tm_row *buda_tm_get(buda_tm_kind kind)
{
    return kind == BUDA_TM_NONE ? NULL : &tms[kind];
}

buda_instr_kind buda_instr_find(hoist_str text)
{
    return (buda_instr_kind)hoist_rec_word_find(&instr_words, text);
}

const char *buda_instr_name(buda_instr_kind kind)
{
    return hoist_rec_word_name(&instr_words, (int)kind);
}

buda_var_op buda_var_op_find(hoist_str text)
{
    return (buda_var_op)hoist_rec_word_find(&var_op_words, text);
}

const buda_var_op_row *buda_var_op_get(buda_var_op op)
{
    return op == BUDA_V_UNKNOWN ? NULL : &var_ops[op];
}
