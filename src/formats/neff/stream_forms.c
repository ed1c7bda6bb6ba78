// How the operands of each form are written (neff reference section 5.6): one row per field, in the
// order of the text. stream_disasm.c and stream_assemble.c walk them, stream_docgen.c makes a table
// of the documentation from them. Offsets are those of stream_internal.h.
//
// A field that has no row here is not shown; a record in which such a field is not 0 is written as
// bytes in braces, so that text stays complete.
#include "base/span.h"
#include "formats/neff/stream_internal.h"

// By code; the extras from 0x20 on are numbers in text, as their names differ among sources.
static const char *const alu_names[] = {
    "BYPASS", "NOT", "ASL", "ASR",     "ADD", "SUB",  "MULT", "DIV", "MAX",   "MIN",
    "AND",    "OR",  "XOR", "LAND",    "LOR", "LXOR", "LSL",  "LSR", "EQ",    "GT",
    "GE",     "LE",  "LT",  "ABSDIFF", "NE",  "ABS",  "POW",  "MOD", "CRC32", "RSQRT",
};
// Code 0 has no name, and neither have the other kinds: only ALL_REDUCE was observed.
static const char *const collective_names[] = {
    [NEFF_COLLECTIVE_ALL_REDUCE] = "ALL_REDUCE",
};
static const char *const inst_names[] = {
    [NEFF_INST_EXIT] = "EXIT",
    [NEFF_INST_LIBRARY_RELOAD] = "LIBRARY_RELOAD",
};

const char *neff_alu_name(unsigned code)
{
    return code < HOIST_COUNT_OF(alu_names) ? alu_names[code] : NULL;
}

const char *neff_collective_name(unsigned code)
{
    return code < HOIST_COUNT_OF(collective_names) ? collective_names[code] : NULL;
}

const char *neff_inst_name(unsigned code)
{
    return code < HOIST_COUNT_OF(inst_names) ? inst_names[code] : NULL;
}

static const char *dtype_name(unsigned code)
{
    const neff_dtype_row *row = neff_dtype_of_isa(code);
    return row ? row->mnemonic : NULL;
}

// The names that JSON files use ("float32"): the assembler takes them as well as "fp32".
static int dtype_other(hoist_str word)
{
    const int i = hoist_rec_word_find(&neff_dtype_words, word);
    return i >= 0 && neff_dtypes[i].isa_code ? neff_dtypes[i].isa_code : -1;
}

static const neff_code_set alu_ops = {"an ALU op", HOIST_COUNT_OF(alu_names), neff_alu_name, NULL};
// 15 ISA codes from 1 on.
static const neff_code_set dtypes = {"a dtype", 16, dtype_name, dtype_other};
static const neff_code_set collectives = {"a kind of collective", HOIST_COUNT_OF(collective_names),
                                          neff_collective_name, NULL};
static const neff_code_set insts = {"EXIT, LIBRARY_RELOAD", HOIST_COUNT_OF(inst_names),
                                    neff_inst_name, NULL};

// clang-format off
// PSEUDO_DMA_TRIGGER q_gradient_in block_id=0
static const neff_operand trigger[] = {
    {NEFF_OPERAND_NAME,    NEFF_AT_QUEUE, NEFF_QUEUE_BYTES, false, NULL, NULL},
    // And the flag at 0x2c.
    {NEFF_OPERAND_RELEASE, NEFF_AT_BLOCK, 4,                false, NULL, NULL},
};

// PSEUDO_TRIGGER_COLLECTIVE ctype=ALL_REDUCE input_tensor_id=3 ... group_id=0; offsets were never
// observed to be other than 0, and the vendor's texts do not have them.
static const neff_operand collective[] = {
    {NEFF_OPERAND_CODE,   NEFF_AT_COLLECTIVE_KIND,          1, false, "ctype",            &collectives},
    {NEFF_OPERAND_NUMBER, NEFF_AT_COLLECTIVE_INPUT,         4, false, "input_tensor_id",  NULL},
    {NEFF_OPERAND_NUMBER, NEFF_AT_COLLECTIVE_OUTPUT,        4, false, "output_tensor_id", NULL},
    {NEFF_OPERAND_NUMBER, NEFF_AT_COLLECTIVE_ELEMENTS,      8, false, "num_elements",     NULL},
    {NEFF_OPERAND_CODE,   NEFF_AT_COLLECTIVE_DTYPE,         1, false, "dtype",            &dtypes},
    {NEFF_OPERAND_CODE,   NEFF_AT_COLLECTIVE_OP,            1, false, "op",               &alu_ops},
    {NEFF_OPERAND_NUMBER, NEFF_AT_COLLECTIVE_GROUP,         2, false, "group_id",         NULL},
    {NEFF_OPERAND_NUMBER, NEFF_AT_COLLECTIVE_INPUT_OFFSET,  8, true,  "input_offset",     NULL},
    {NEFF_OPERAND_NUMBER, NEFF_AT_COLLECTIVE_OUTPUT_OFFSET, 8, true,  "output_offset",    NULL},
};

// EVENT_SEMAPHORE $S[11]>0 then $S[12]++@complete
static const neff_operand event_semaphore[] = {
    {NEFF_OPERAND_SECOND, NEFF_AT_SECOND_EVENTS, NEFF_AT_SECOND_END - NEFF_AT_SECOND_EVENTS, true, NULL, NULL},
};

// MOVE dtype=int32 $R[1]=0x10, $R[2]=0x20
static const neff_operand move[] = {
    {NEFF_OPERAND_CODE,  NEFF_AT_MOVE_DTYPE, 1, false, "dtype", &dtypes},
    // All moves, from the byte that counts them.
    {NEFF_OPERAND_MOVES, NEFF_AT_MOVE_COUNT, 1, false, NULL,    NULL},
};

// ALU_OP dtype=int32 op=ADD $R[1]=$R[2],4
static const neff_operand alu[] = {
    {NEFF_OPERAND_CODE,  NEFF_AT_ALU_DTYPE,  1, false, "dtype", &dtypes},
    {NEFF_OPERAND_CODE,  NEFF_AT_ALU_OP,     1, false, "op",    &alu_ops},
    // Destination, first and second operand.
    {NEFF_OPERAND_TERMS, NEFF_AT_ALU_TARGET, 1, false, NULL,    NULL},
};

// PSEUDO_FUNCTION_BEGIN f reset_semaphores=0 return=$R[2],$R[3]
static const neff_operand function_begin[] = {
    {NEFF_OPERAND_NAME,   NEFF_AT_FUNCTION,         NEFF_FUNCTION_BYTES, false, NULL,               NULL},
    {NEFF_OPERAND_NUMBER, NEFF_AT_RESET_SEMAPHORES, 1,                   false, "reset_semaphores", NULL},
    // Two registers: halves of a 64-bit address.
    {NEFF_OPERAND_RETURN, NEFF_AT_RETURN,           2,                   false, "return",           NULL},
};

// PSEUDO_FUNCTION_CALL f args_table=4
static const neff_operand function_call[] = {
    {NEFF_OPERAND_NAME,   NEFF_AT_FUNCTION,   NEFF_FUNCTION_BYTES, false, NULL,         NULL},
    {NEFF_OPERAND_NUMBER, NEFF_AT_ARGS_TABLE, 4,                   false, "args_table", NULL},
};

static const neff_operand core_barrier[] = {
    {NEFF_OPERAND_NUMBER, NEFF_AT_BARRIER_ID,        4, false, "id",        NULL},
    {NEFF_OPERAND_NUMBER, NEFF_AT_BARRIER_SEMAPHORE, 4, false, "semaphore", NULL},
};

// PSEUDO_INST EXIT
static const neff_operand inst[] = {
    {NEFF_OPERAND_CODE, NEFF_AT_INST, 1, false, NULL, &insts},
};

const neff_operands neff_forms[NEFF_FORM_COUNT] = {
    [NEFF_FORM_NONE]            = {NULL,            0},
    [NEFF_FORM_TRIGGER]         = {trigger,         HOIST_COUNT_OF(trigger)},
    [NEFF_FORM_COLLECTIVE]      = {collective,      HOIST_COUNT_OF(collective)},
    [NEFF_FORM_EVENT_SEMAPHORE] = {event_semaphore, HOIST_COUNT_OF(event_semaphore)},
    [NEFF_FORM_MOVE]            = {move,            HOIST_COUNT_OF(move)},
    [NEFF_FORM_ALU]             = {alu,             HOIST_COUNT_OF(alu)},
    [NEFF_FORM_FUNCTION_BEGIN]  = {function_begin,  HOIST_COUNT_OF(function_begin)},
    [NEFF_FORM_FUNCTION_CALL]   = {function_call,   HOIST_COUNT_OF(function_call)},
    [NEFF_FORM_CORE_BARRIER]    = {core_barrier,    HOIST_COUNT_OF(core_barrier)},
    [NEFF_FORM_INST]            = {inst,            HOIST_COUNT_OF(inst)},
};
// clang-format on

// Letters and digits of ASCII by comparison: isalnum() would depend on the locale.
bool neff_is_plain(uint8_t byte)
{
    static const char others[] = "_.-$/";
    bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                 (byte >= '0' && byte <= '9');
    for (size_t i = 0; i + 1 < sizeof(others); i++) {
        plain |= byte == (uint8_t)others[i];
    }
    return plain;
}
