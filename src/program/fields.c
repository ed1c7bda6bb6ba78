// The operands of every line of the text form: one row per operand with its kind, its place in the
// struct and what it refers to. The reader (read_fields.c), the printer (print_fields.c) and the
// verifier (verify_refs.c) walk these rows, so that a new operand is one row.
//
// Above each table of operands is a line of text as an example; docs/program.md has the
// grammar. Operands are read in the order of rows, so a word that may be left out must not be a
// word that can follow it.
#include "program/fields.h"

#include <string.h>

#include "base/span.h"
#include "tensor/view.h"

// Message and spellings of an enum; `text` completes "found 'x', expected ...".
#define WORDS(text, list)                                                                          \
    {                                                                                              \
        .what = (text), .names = (list), .count = HOIST_COUNT_OF(list)                             \
    }
// The usual value of a PAIR in one number.
#define PAIR(a, b) (INT64_C(a) << 32 | (b))
#define AT(row, member) offsetof(row, member)
#define ROWS(list) .fields = (list), .field_count = HOIST_COUNT_OF(list)

// True of all enums here: gcc and clang give them the size of unsigned int.
_Static_assert(sizeof(hoist_alu_op) == sizeof(uint32_t),
               "choices are read and written as uint32_t");

// clang-format off
// The words of the text form are stable: programs are files (formats/program).
static const char *const contents_names[] = {
    [HOIST_CONTENTS_UNDEFINED] = "undefined",
    [HOIST_CONTENTS_ZERO]      = "zero",
    [HOIST_CONTENTS_BYTES]     = "bytes",
    [HOIST_CONTENTS_CALLER]    = "caller",
    [HOIST_CONTENTS_PATTERN]   = "pattern",
};
static const char *const lifetime_names[] = {
    [HOIST_LIFETIME_CALL]     = "call",
    [HOIST_LIFETIME_RUN]      = "run",
    [HOIST_LIFETIME_SESSION]  = "session",
    [HOIST_LIFETIME_CONSTANT] = "constant",
};
// "whole" is the 64-bit address.
static const char *const relocation_names[] = {
    [HOIST_RELOCATION_64]     = "whole",
    [HOIST_RELOCATION_LOW32]  = "low32",
    [HOIST_RELOCATION_HIGH32] = "high32",
};
static const char *const fifo_kind_names[] = {
    [HOIST_FIFO_QUEUE] = "queue",
    [HOIST_FIFO_RAM]   = "ram",
};
// As of --queue-mode.
static const char *const policy_names[] = {
    [HOIST_FIFO_STRICT] = "strict",
    [HOIST_FIFO_GOLDEN] = "golden",
};
static const char *const alu_names[HOIST_ALU_COUNT] = {
    [HOIST_ALU_SET]     = "set",
    [HOIST_ALU_ADD]     = "add",
    [HOIST_ALU_SUB]     = "sub",
    [HOIST_ALU_MUL]     = "mul",
    [HOIST_ALU_AND]     = "and",
    [HOIST_ALU_OR]      = "or",
    [HOIST_ALU_XOR]     = "xor",
    [HOIST_ALU_SHL]     = "shl",
    [HOIST_ALU_SHR]     = "shr",
    [HOIST_ALU_EQ]      = "eq",
    [HOIST_ALU_LT]      = "lt",
    [HOIST_ALU_LE]      = "le",
    [HOIST_ALU_INCWRAP] = "incwrap",
    [HOIST_ALU_WRAP32]  = "wrap32",
};
// The lexer gives these as marks, other words as words; the reader compares texts only.
static const char *const compare_names[HOIST_CMP_COUNT] = {
    [HOIST_CMP_EQ] = "==",
    [HOIST_CMP_NE] = "!=",
    [HOIST_CMP_LT] = "<",
    [HOIST_CMP_LE] = "<=",
    [HOIST_CMP_GT] = ">",
    [HOIST_CMP_GE] = ">=",
};
// "nothing" is never written: the operand is left out.
static const char *const then_names[] = {
    [HOIST_THEN_NOTHING]  = "nothing",
    [HOIST_THEN_SUBTRACT] = "subtract",
    [HOIST_THEN_CLEAR]    = "clear",
    [HOIST_THEN_SET]      = "set",
};
static const char *const signal_names[] = {
    [HOIST_SIGNAL_ADD] = "add",
    [HOIST_SIGNAL_SUB] = "sub",
    [HOIST_SIGNAL_SET] = "set",
};
// Global read, global write and local read pointer of a queue.
static const char *const pointer_names[] = {
    [HOIST_POINTER_READ]  = "read",
    [HOIST_POINTER_WRITE] = "write",
    [HOIST_POINTER_LOCAL] = "local",
    [HOIST_POINTER_BEGIN] = "begin",
};
static const char *const move_names[HOIST_MOVE_OP_COUNT] = {
    [HOIST_MOVE_COPY] = "copy",
    [HOIST_MOVE_CAST] = "cast",
    [HOIST_MOVE_FMA]  = "fma",
    [HOIST_MOVE_ADD]  = "add",
    [HOIST_MOVE_MIN]  = "min",
    [HOIST_MOVE_MAX]  = "max",
};
static const char *const reduce_names[HOIST_REDUCE_COUNT] = {
    [HOIST_REDUCE_ADD] = "add",
    [HOIST_REDUCE_MUL] = "mul",
    [HOIST_REDUCE_MIN] = "min",
    [HOIST_REDUCE_MAX] = "max",
};
static const char *const arithmetic_names[HOIST_MOVE_ARITHMETIC_COUNT] = {
    [HOIST_MOVE_IN_F32] = "f32",
    [HOIST_MOVE_IN_I32] = "i32",
    [HOIST_MOVE_IN_U32] = "u32",
};
static const char *const collective_names[HOIST_COLLECTIVE_KIND_COUNT] = {
    [HOIST_COLLECTIVE_BARRIER]        = "barrier",
    [HOIST_COLLECTIVE_ALL_REDUCE]     = "all_reduce",
    [HOIST_COLLECTIVE_ALL_GATHER]     = "all_gather",
    [HOIST_COLLECTIVE_REDUCE_SCATTER] = "reduce_scatter",
    [HOIST_COLLECTIVE_BROADCAST]      = "broadcast",
};
// clang-format on

// What is expected where another word is found.
static const hoist_words contents_words = WORDS("contents", contents_names);
static const hoist_words lifetime_words = WORDS("a lifetime", lifetime_names);
static const hoist_words relocation_words = WORDS("a part of an address", relocation_names);
static const hoist_words fifo_kind_words = WORDS("a kind of fifo", fifo_kind_names);
static const hoist_words policy_words = WORDS("a policy", policy_names);
static const hoist_words alu_words = WORDS("an operation", alu_names);
static const hoist_words compare_words = WORDS("a comparison", compare_names);
static const hoist_words then_words = WORDS("what follows a wait", then_names);
static const hoist_words signal_words = WORDS("a kind of signal", signal_names);
static const hoist_words pointer_words = WORDS("a pointer", pointer_names);
static const hoist_words move_words = WORDS("a kind of move", move_names);
static const hoist_words reduce_words = WORDS("a reduction", reduce_names);
static const hoist_words arithmetic_words = WORDS("f32, i32 or u32", arithmetic_names);
static const hoist_words collective_words = WORDS("a kind of collective", collective_names);

// Operands whose meaning hangs on one before them.

// set and wrap32 have one operand.
static bool alu_has_b(const void *record)
{
    const hoist_alu_op op = ((const hoist_prog_step *)record)->as.alu.op;
    return op != HOIST_ALU_SET && op != HOIST_ALU_WRAP32;
}

// clear and nothing take no value.
static bool wait_has_value(const void *record)
{
    const hoist_wait_then then = ((const hoist_prog_step *)record)->as.wait.then;
    return then == HOIST_THEN_SUBTRACT || then == HOIST_THEN_SET;
}

// An integer parameter has no type: it is 64 bits.
static bool is_view_parameter(const void *record)
{
    return ((const hoist_prog_parameter *)record)->is_view;
}

// The others fold nothing.
static bool collective_has_op(const void *record)
{
    const hoist_collective_kind kind = ((const hoist_prog_collective *)record)->kind;
    return kind == HOIST_COLLECTIVE_ALL_REDUCE || kind == HOIST_COLLECTIVE_REDUCE_SCATTER;
}

// A buffer without `of` is plain bytes.
static bool is_typed(const void *record)
{
    return ((const hoist_prog_buffer *)record)->typed;
}

// An offset belongs to a window.
static bool is_window(const void *record)
{
    return ((const hoist_prog_buffer *)record)->window_of != HOIST_NO_REF;
}

// clang-format off
// program ark_layer
static const hoist_field program_fields[] = {
    {.type = HOIST_FIELD_NAME, .offset = AT(hoist_program, name)},
};
// space dram0 capacity 1073741824 alignment 32 home 1
static const hoist_field space_fields[] = {
    {.type = HOIST_FIELD_NAME, .offset = AT(hoist_prog_space, name)},
    {"capacity", HOIST_FIELD_U64, .offset = AT(hoist_prog_space, capacity), .optional = true},
    {"alignment", HOIST_FIELD_U32, .offset = AT(hoist_prog_space, alignment), .optional = true,
     .usual = 1},
    {"home", HOIST_FIELD_U32, .offset = AT(hoist_prog_space, home), .optional = true},
};
// buffer w in dram0 size 24 of f32[2, 3] at 0x1000 lifetime constant contents bytes data
// 0000803f
static const hoist_field buffer_fields[] = {
    {.type = HOIST_FIELD_NAME, .offset = AT(hoist_prog_buffer, name)},
    {"in", HOIST_FIELD_REF, HOIST_NAMES_SPACE, .offset = AT(hoist_prog_buffer, space)},
    {"size", HOIST_FIELD_U64, .offset = AT(hoist_prog_buffer, size)},
    {"of", HOIST_FIELD_FLAG, .offset = AT(hoist_prog_buffer, typed), .optional = true,
     .key = "typed"},
    {.type = HOIST_FIELD_TYPE, .offset = AT(hoist_prog_buffer, dtype),
     .also = AT(hoist_prog_buffer, layout), .used = is_typed},
    {"alignment", HOIST_FIELD_U32, .offset = AT(hoist_prog_buffer, alignment), .optional = true,
     .usual = 1},
    {"at", HOIST_FIELD_ADDRESS, .offset = AT(hoist_prog_buffer, address),
     .also = AT(hoist_prog_buffer, placed), .optional = true, .key = "address"},
    {"window", HOIST_FIELD_REF, HOIST_NAMES_BUFFER, .offset = AT(hoist_prog_buffer, window_of),
     .optional = true},
    {"offset", HOIST_FIELD_U64, .offset = AT(hoist_prog_buffer, window_offset), .optional = true,
     .used = is_window},
    {"lifetime", HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_buffer, lifetime), .optional = true,
     .usual = HOIST_LIFETIME_CALL, .words = &lifetime_words},
    {"output", HOIST_FIELD_FLAG, .offset = AT(hoist_prog_buffer, output), .optional = true},
    {"contents", HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_buffer, contents), .optional = true,
     .usual = HOIST_CONTENTS_UNDEFINED, .words = &contents_words},
    {"data", HOIST_FIELD_BYTES, .offset = AT(hoist_prog_buffer, bytes), .optional = true},
};
// relocation chunk bit 70 gets low32 of scratch plus 64
static const hoist_field relocation_fields[] = {
    {.type = HOIST_FIELD_REF, .table = HOIST_NAMES_BUFFER,
     .offset = AT(hoist_prog_relocation, buffer)},
    {"bit", HOIST_FIELD_U64, .offset = AT(hoist_prog_relocation, bit_offset)},
    {"gets", HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_relocation, kind),
     .words = &relocation_words},
    {"of", HOIST_FIELD_REF, HOIST_NAMES_BUFFER, .offset = AT(hoist_prog_relocation, target)},
    {"plus", HOIST_FIELD_I64, .offset = AT(hoist_prog_relocation, addend), .optional = true},
};
// port "4" in y of f32[2, 2] by [16, 8] offset 4 result note "buffer 2, FP32 [2,2]"
static const hoist_field port_fields[] = {
    {.type = HOIST_FIELD_NAME, .offset = AT(hoist_prog_port, name)},
    {"in", HOIST_FIELD_REF, HOIST_NAMES_BUFFER, .offset = AT(hoist_prog_port, buffer)},
    {"of", HOIST_FIELD_TYPE, .offset = AT(hoist_prog_port, dtype),
     .also = AT(hoist_prog_port, layout)},
    {"offset", HOIST_FIELD_U64, .offset = AT(hoist_prog_port, offset), .optional = true},
    {"result", HOIST_FIELD_FLAG, .offset = AT(hoist_prog_port, result), .optional = true},
    {"note", HOIST_FIELD_NAME, .offset = AT(hoist_prog_port, note), .optional = true},
};
// need "4" from 16 to 28
static const hoist_field need_fields[] = {
    {.type = HOIST_FIELD_REF, .table = HOIST_NAMES_PORT, .offset = AT(hoist_prog_need, port)},
    {"from", HOIST_FIELD_U64, .offset = AT(hoist_prog_need, begin)},
    {"to", HOIST_FIELD_U64, .offset = AT(hoist_prog_need, end)},
};
// fifo loss queue of bf16 tiled(ublock 1x2) slots 4 in [loss.memory] header 32 slot_bytes 4160
// tile_alignment 32 host_pop
static const hoist_field fifo_fields[] = {
    {.type = HOIST_FIELD_NAME, .offset = AT(hoist_prog_fifo, name)},
    {.type = HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_fifo, kind), .words = &fifo_kind_words,
     .key = "kind"},
    {"policy", HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_fifo, policy), .optional = true,
     .usual = HOIST_FIFO_STRICT, .words = &policy_words},
    {"of", HOIST_FIELD_TYPE, .offset = AT(hoist_prog_fifo, dtype),
     .also = AT(hoist_prog_fifo, layout)},
    {"slots", HOIST_FIELD_U32, .offset = AT(hoist_prog_fifo, slots)},
    {"in", HOIST_FIELD_REFS, HOIST_NAMES_BUFFER, .offset = AT(hoist_prog_fifo, parts),
     .also = AT(hoist_prog_fifo, part_count)},
    {"header", HOIST_FIELD_U64, .offset = AT(hoist_prog_fifo, header), .optional = true},
    {"slot_bytes", HOIST_FIELD_U64, .offset = AT(hoist_prog_fifo, slot_bytes)},
    {"tile_alignment", HOIST_FIELD_U32, .offset = AT(hoist_prog_fifo, tile_alignment),
     .optional = true},
    {"dynamic", HOIST_FIELD_FLAG, .offset = AT(hoist_prog_fifo, dynamic), .optional = true},
    {"host_push", HOIST_FIELD_FLAG, .offset = AT(hoist_prog_fifo, host_push), .optional = true},
    {"host_pop", HOIST_FIELD_FLAG, .offset = AT(hoist_prog_fifo, host_pop), .optional = true},
    {"push_shape", HOIST_FIELD_SHAPE, .offset = AT(hoist_prog_fifo, push_shape), .optional = true},
    {"push_tiles", HOIST_FIELD_INTS, .offset = AT(hoist_prog_fifo, push_tiles),
     .also = AT(hoist_prog_fifo, push_tile_count), .optional = true},
};
// unit chip0 depth 32
static const hoist_field unit_fields[] = {
    {.type = HOIST_FIELD_NAME, .offset = AT(hoist_prog_unit, name)},
    {"depth", HOIST_FIELD_U32, .offset = AT(hoist_prog_unit, depth)},
};
// semaphore ready initial 1 maximum 1
static const hoist_field semaphore_fields[] = {
    {.type = HOIST_FIELD_NAME, .offset = AT(hoist_prog_semaphore, name)},
    {"initial", HOIST_FIELD_I64, .offset = AT(hoist_prog_semaphore, initial), .optional = true},
    {"maximum", HOIST_FIELD_I64, .offset = AT(hoist_prog_semaphore, maximum), .optional = true},
};
// function forward_graph {
static const hoist_field function_fields[] = {
    {.type = HOIST_FIELD_NAME, .offset = AT(hoist_prog_function, name)},
};
// thread rank1 home 1 {
static const hoist_field thread_fields[] = {
    {.type = HOIST_FIELD_NAME, .offset = AT(hoist_prog_thread, name)},
    {"home", HOIST_FIELD_U32, .offset = AT(hoist_prog_thread, home), .optional = true},
};
// entry load once {
static const hoist_field entry_fields[] = {
    {.type = HOIST_FIELD_NAME, .offset = AT(hoist_prog_entry, name)},
    {"once", HOIST_FIELD_FLAG, .offset = AT(hoist_prog_entry, once), .optional = true},
};
// parameter weights view f32 tiled(ublock 1x2) written
static const hoist_field parameter_fields[] = {
    {.type = HOIST_FIELD_NAME, .offset = AT(hoist_prog_parameter, name)},
    {"view", HOIST_FIELD_FLAG, .offset = AT(hoist_prog_parameter, is_view), .optional = true},
    {.type = HOIST_FIELD_TYPE, .offset = AT(hoist_prog_parameter, dtype),
     .also = AT(hoist_prog_parameter, layout), .used = is_view_parameter},
    {"written", HOIST_FIELD_FLAG, .offset = AT(hoist_prog_parameter, written), .optional = true,
     .used = is_view_parameter},
};
// register gptr lifetime session initial 3
static const hoist_field register_fields[] = {
    {.type = HOIST_FIELD_NAME, .offset = AT(hoist_prog_register, name)},
    {"lifetime", HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_register, lifetime), .optional = true,
     .usual = HOIST_LIFETIME_CALL, .words = &lifetime_words},
    {"initial", HOIST_FIELD_I64, .offset = AT(hoist_prog_register, initial), .optional = true},
};
// start rank0
static const hoist_field start_fields[] = {
    {.type = HOIST_FIELD_REF, .table = HOIST_NAMES_THREAD, .offset = 0},
};
// parameter $p_steps thread host register steps
static const hoist_field entry_parameter_fields[] = {
    {.type = HOIST_FIELD_NAME, .offset = AT(hoist_prog_entry_parameter, name)},
    {"thread", HOIST_FIELD_REF, HOIST_NAMES_THREAD,
     .offset = AT(hoist_prog_entry_parameter, thread)},
    {"register", HOIST_FIELD_REF, HOIST_NAMES_REGISTER,
     .offset = AT(hoist_prog_entry_parameter, reg)},
};

// The keyword is the first word of a line; PARAMETER and ENTRY_PARAMETER share one, as they are
// in different bodies.
static const hoist_record row_records[HOIST_ROW_COUNT] = {
    [HOIST_ROW_PROGRAM]         = {.keyword = "program", ROWS(program_fields)},
    [HOIST_ROW_SPACE]           = {.keyword = "space", ROWS(space_fields)},
    [HOIST_ROW_BUFFER]          = {.keyword = "buffer", ROWS(buffer_fields)},
    [HOIST_ROW_RELOCATION]      = {.keyword = "relocation", ROWS(relocation_fields)},
    [HOIST_ROW_PORT]            = {.keyword = "port", ROWS(port_fields)},
    [HOIST_ROW_NEED]            = {.keyword = "need", ROWS(need_fields)},
    [HOIST_ROW_FIFO]            = {.keyword = "fifo", ROWS(fifo_fields)},
    [HOIST_ROW_UNIT]            = {.keyword = "unit", ROWS(unit_fields)},
    [HOIST_ROW_SEMAPHORE]       = {.keyword = "semaphore", ROWS(semaphore_fields)},
    [HOIST_ROW_FUNCTION]        = {.keyword = "function", ROWS(function_fields), .block = true},
    [HOIST_ROW_THREAD]          = {.keyword = "thread", ROWS(thread_fields), .block = true},
    [HOIST_ROW_ENTRY]           = {.keyword = "entry", ROWS(entry_fields), .block = true},
    [HOIST_ROW_PARAMETER]       = {.keyword = "parameter", ROWS(parameter_fields)},
    [HOIST_ROW_REGISTER]        = {.keyword = "register", ROWS(register_fields)},
    [HOIST_ROW_START]           = {.keyword = "start", ROWS(start_fields)},
    [HOIST_ROW_ENTRY_PARAMETER] = {.keyword = "parameter", ROWS(entry_parameter_fields)},
};

// alu gptr = incwrap 1 8
static const hoist_field alu_fields[] = {
    {.type = HOIST_FIELD_REF, .table = HOIST_NAMES_REGISTER,
     .offset = AT(hoist_prog_step, as.alu.destination)},
    {"=", HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_step, as.alu.op), .words = &alu_words,
     .key = "op"},
    {.type = HOIST_FIELD_VALUE, .offset = AT(hoist_prog_step, as.alu.a), .key = "a"},
    {.type = HOIST_FIELD_VALUE, .offset = AT(hoist_prog_step, as.alu.b), .used = alu_has_b,
     .key = "b"},
};
// loop $p_steps must_run
static const hoist_field loop_fields[] = {
    {.type = HOIST_FIELD_VALUE, .offset = AT(hoist_prog_step, as.loop.count), .key = "count"},
    {"must_run", HOIST_FIELD_FLAG, .offset = AT(hoist_prog_step, as.loop.must_run),
     .optional = true},
};
// branch i < 4 to again
static const hoist_field branch_fields[] = {
    {.type = HOIST_FIELD_VALUE, .offset = AT(hoist_prog_step, as.branch.a), .key = "a"},
    {.type = HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_step, as.branch.compare),
     .words = &compare_words, .key = "compare"},
    {.type = HOIST_FIELD_VALUE, .offset = AT(hoist_prog_step, as.branch.b), .key = "b"},
    {"to", HOIST_FIELD_STEP, .offset = AT(hoist_prog_step, as.branch.target_step)},
};
// call f with [x f32[4], 3], or call [f, g] at i
static const hoist_field call_fields[] = {
    {.type = HOIST_FIELD_TARGET, .offset = AT(hoist_prog_step, as.call.target)},
    {"with", HOIST_FIELD_ARGUMENTS, .offset = AT(hoist_prog_step, as.call.target.arguments),
     .also = AT(hoist_prog_step, as.call.target.argument_count), .optional = true},
};
// post chip0 forward_graph with [w f32[4]] then [done add 1]
static const hoist_field post_fields[] = {
    {.type = HOIST_FIELD_REF, .table = HOIST_NAMES_UNIT,
     .offset = AT(hoist_prog_step, as.call.unit)},
    {.type = HOIST_FIELD_TARGET, .offset = AT(hoist_prog_step, as.call.target)},
    {"with", HOIST_FIELD_ARGUMENTS, .offset = AT(hoist_prog_step, as.call.target.arguments),
     .also = AT(hoist_prog_step, as.call.target.argument_count), .optional = true},
    {"then", HOIST_FIELD_SIGNALS, .offset = AT(hoist_prog_step, as.call.signals),
     .also = AT(hoist_prog_step, as.call.signal_count), .optional = true},
};
// drain chip0
static const hoist_field drain_fields[] = {
    {.type = HOIST_FIELD_REF, .table = HOIST_NAMES_UNIT,
     .offset = AT(hoist_prog_step, as.call.unit)},
};
// wait ready >= 1 then subtract 1
static const hoist_field wait_fields[] = {
    {.type = HOIST_FIELD_REF, .table = HOIST_NAMES_SEMAPHORE,
     .offset = AT(hoist_prog_step, as.wait.semaphore)},
    {.type = HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_step, as.wait.compare),
     .words = &compare_words, .key = "compare"},
    {.type = HOIST_FIELD_VALUE, .offset = AT(hoist_prog_step, as.wait.value), .key = "value"},
    {"then", HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_step, as.wait.then), .optional = true,
     .usual = HOIST_THEN_NOTHING, .words = &then_words},
    {.type = HOIST_FIELD_VALUE, .offset = AT(hoist_prog_step, as.wait.then_value),
     .used = wait_has_value, .key = "then_value"},
};
// signal ready add 1
static const hoist_field signal_fields[] = { // of hoist_prog_signal, in lists too
    {.type = HOIST_FIELD_REF, .table = HOIST_NAMES_SEMAPHORE,
     .offset = AT(hoist_prog_signal, semaphore)},
    {.type = HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_signal, op), .words = &signal_words,
     .key = "op"},
    {.type = HOIST_FIELD_VALUE, .offset = AT(hoist_prog_signal, value), .key = "value"},
};
// reserve loss
static const hoist_field fifo_only_fields[] = {
    {.type = HOIST_FIELD_REF, .table = HOIST_NAMES_FIFO,
     .offset = AT(hoist_prog_step, as.fifo.fifo)},
};
// push loss by 1
static const hoist_field fifo_value_fields[] = {
    {.type = HOIST_FIELD_REF, .table = HOIST_NAMES_FIFO,
     .offset = AT(hoist_prog_step, as.fifo.fifo)},
    {"by", HOIST_FIELD_VALUE, .offset = AT(hoist_prog_step, as.fifo.value)},
};
// set_pointer activations local = lptr
static const hoist_field set_pointer_fields[] = {
    {.type = HOIST_FIELD_REF, .table = HOIST_NAMES_FIFO,
     .offset = AT(hoist_prog_step, as.fifo.fifo)},
    {.type = HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_step, as.fifo.pointer),
     .words = &pointer_words, .key = "pointer"},
    {"=", HOIST_FIELD_VALUE, .offset = AT(hoist_prog_step, as.fifo.value),
     .key = "value"},
};
// move fma from [x f32[4] scale 0.5, y f32[4] scale 2] to z f32[4]
static const hoist_field move_fields[] = {
    {.type = HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_move, op), .words = &move_words,
     .key = "op"},
    {"from", HOIST_FIELD_SOURCES, .offset = AT(hoist_prog_move, sources),
     .also = AT(hoist_prog_move, source_count)},
    {"to", HOIST_FIELD_VIEW, .offset = AT(hoist_prog_move, destination)},
    {"in", HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_move, arithmetic), .optional = true,
     .usual = HOIST_MOVE_IN_F32, .words = &arithmetic_words},
    {"start", HOIST_FIELD_DOUBLE, .offset = AT(hoist_prog_move, start),
     .also = AT(hoist_prog_move, has_start), .optional = true},
    {"transpose", HOIST_FIELD_AXES, .offset = AT(hoist_prog_move, transpose_axes),
     .also = AT(hoist_prog_move, transpose_rank), .optional = true},
    {"table", HOIST_FIELD_INTS, .offset = AT(hoist_prog_move, table),
     .also = AT(hoist_prog_move, table_count), .optional = true},
    {"fill", HOIST_FIELD_FLOAT, .offset = AT(hoist_prog_move, fill), .optional = true},
};
// compute ark.reduce_sum(axis 1, keep_dims 0) from [y f32[2, 2, 2]] to [columns f32[2, 2]]
static const hoist_field compute_fields[] = {
    {.type = HOIST_FIELD_COMPUTE, .offset = AT(hoist_prog_compute, op),
     .also = AT(hoist_prog_compute, attrs)},
    {"from", HOIST_FIELD_VIEWS, .offset = AT(hoist_prog_compute, inputs),
     .also = AT(hoist_prog_compute, input_count)},
    {"to", HOIST_FIELD_VIEWS, .offset = AT(hoist_prog_compute, outputs),
     .also = AT(hoist_prog_compute, output_count)},
};
// collective all_reduce add group 0 members 2 rank 0 from x f32[32] to y f32[32]
static const hoist_field collective_fields[] = {
    {.type = HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_collective, kind),
     .words = &collective_words, .key = "kind"},
    {.type = HOIST_FIELD_CHOICE, .offset = AT(hoist_prog_collective, op), .words = &reduce_words,
     .used = collective_has_op, .key = "op"},
    {"group", HOIST_FIELD_U32, .offset = AT(hoist_prog_collective, group)},
    {"members", HOIST_FIELD_U32, .offset = AT(hoist_prog_collective, members)},
    {"rank", HOIST_FIELD_U32, .offset = AT(hoist_prog_collective, rank)},
    {"from", HOIST_FIELD_VIEW, .offset = AT(hoist_prog_collective, source), .optional = true},
    {"to", HOIST_FIELD_VIEW, .offset = AT(hoist_prog_collective, destination), .optional = true},
};
// opaque "act.37" record 00ff12 reads [x f32[4]] writes [y f32[4]] skip
static const hoist_field opaque_fields[] = {
    {.type = HOIST_FIELD_NAME, .offset = AT(hoist_prog_opaque, name)},
    {"record", HOIST_FIELD_BYTES, .offset = AT(hoist_prog_opaque, record), .optional = true},
    {"reads", HOIST_FIELD_VIEWS, .offset = AT(hoist_prog_opaque, reads),
     .also = AT(hoist_prog_opaque, read_count), .optional = true},
    {"writes", HOIST_FIELD_VIEWS, .offset = AT(hoist_prog_opaque, writes),
     .also = AT(hoist_prog_opaque, write_count), .optional = true},
    {"skip", HOIST_FIELD_FLAG, .offset = AT(hoist_prog_opaque, skip), .optional = true},
};

// Steps with a payload have their operands in the struct that the step points to; `base` is for
// those whose operands are a struct of their own inside the step.
static const hoist_record step_records[HOIST_STEP_COUNT] = {
    [HOIST_STEP_ALU]         = {.keyword = "alu", ROWS(alu_fields)},
    [HOIST_STEP_LOOP]        = {.keyword = "loop", ROWS(loop_fields)},
    [HOIST_STEP_END]         = {.keyword = "end"},
    [HOIST_STEP_BRANCH]      = {.keyword = "branch", ROWS(branch_fields)},
    [HOIST_STEP_CALL]        = {.keyword = "call", ROWS(call_fields)},
    [HOIST_STEP_POST]        = {.keyword = "post", ROWS(post_fields)},
    [HOIST_STEP_DRAIN]       = {.keyword = "drain", ROWS(drain_fields)},
    [HOIST_STEP_WAIT]        = {.keyword = "wait", ROWS(wait_fields)},
    [HOIST_STEP_SIGNAL]      = {.keyword = "signal", ROWS(signal_fields),
                                .base = AT(hoist_prog_step, as.signal)},
    [HOIST_STEP_RESERVE]     = {.keyword = "reserve", ROWS(fifo_only_fields)},
    [HOIST_STEP_PUSH]        = {.keyword = "push", ROWS(fifo_value_fields)},
    [HOIST_STEP_AWAIT]       = {.keyword = "await", ROWS(fifo_only_fields)},
    [HOIST_STEP_ADVANCE]     = {.keyword = "advance", ROWS(fifo_value_fields)},
    [HOIST_STEP_POP]         = {.keyword = "pop", ROWS(fifo_value_fields)},
    [HOIST_STEP_SET_POINTER] = {.keyword = "set_pointer", ROWS(set_pointer_fields)},
    [HOIST_STEP_ALLOCATE]    = {.keyword = "allocate", ROWS(fifo_only_fields)},
    [HOIST_STEP_FREE]        = {.keyword = "free", ROWS(fifo_only_fields)},
    [HOIST_STEP_ZERO]        = {.keyword = "zero", ROWS(fifo_only_fields)},
    [HOIST_STEP_MOVE]        = {.keyword = "move", ROWS(move_fields),
                                .payload = sizeof(hoist_prog_move)},
    [HOIST_STEP_COMPUTE]     = {.keyword = "compute", ROWS(compute_fields),
                                .payload = sizeof(hoist_prog_compute)},
    [HOIST_STEP_COLLECTIVE]  = {.keyword = "collective", ROWS(collective_fields),
                                .payload = sizeof(hoist_prog_collective)},
    [HOIST_STEP_OPAQUE]      = {.keyword = "opaque", ROWS(opaque_fields),
                                .payload = sizeof(hoist_prog_opaque)},
};

// tiled(t 2, ...) without commas: tiled(t 2 grid 1x2 mblock 1x1 ublock 2x2)
static const hoist_field tiling_fields[] = {
    {"t", HOIST_FIELD_U32, .offset = AT(hoist_prog_layout, tiling.t), .optional = true,
     .usual = 1},
    {"grid", HOIST_FIELD_PAIR, .offset = AT(hoist_prog_layout, tiling.grid_rows),
     .optional = true, .usual = PAIR(1, 1)},
    {"mblock", HOIST_FIELD_PAIR, .offset = AT(hoist_prog_layout, tiling.mblock_m),
     .optional = true, .usual = PAIR(1, 1)},
    {"ublock", HOIST_FIELD_PAIR, .offset = AT(hoist_prog_layout, tiling.ublock_rt),
     .optional = true, .usual = PAIR(1, 1)},
    {"column_major", HOIST_FIELD_FLAG, .offset = AT(hoist_prog_layout, tiling.column_major),
     .optional = true},
    {"tile", HOIST_FIELD_PAIR, .offset = AT(hoist_prog_layout, tiling.tile_height),
     .optional = true, .usual = PAIR(32, 32)},
    {"flat", HOIST_FIELD_FLAG, .offset = AT(hoist_prog_layout, flat), .optional = true},
};
static const hoist_record tiling_record = {.keyword = "tiled", ROWS(tiling_fields)};

// x f32[4], read(fifo) f32[4], write(fifo) f32[4], param(p) f32[4], space(s) f32[4] + r * 1
static const hoist_view_base_row view_bases[HOIST_VIEW_BASE_COUNT] = {
    [HOIST_VIEW_BUFFER]     = {NULL, HOIST_NAMES_BUFFER},
    [HOIST_VIEW_READ_SLOT]  = {"read", HOIST_NAMES_FIFO},
    [HOIST_VIEW_WRITE_SLOT] = {"write", HOIST_NAMES_FIFO},
    [HOIST_VIEW_PARAMETER]  = {"param", HOIST_NAMES_PARAMETER},
    [HOIST_VIEW_SPACE]      = {"space", HOIST_NAMES_SPACE},
};
// One and many, for messages and object paths.
static const char *const table_names[HOIST_NAMES_COUNT][2] = {
    [HOIST_NAMES_SPACE]     = {"space", "spaces"},
    [HOIST_NAMES_BUFFER]    = {"buffer", "buffers"},
    [HOIST_NAMES_PORT]      = {"port", "ports"},
    [HOIST_NAMES_FIFO]      = {"fifo", "fifos"},
    [HOIST_NAMES_UNIT]      = {"unit", "units"},
    [HOIST_NAMES_SEMAPHORE] = {"semaphore", "semaphores"},
    [HOIST_NAMES_FUNCTION]  = {"function", "functions"},
    [HOIST_NAMES_THREAD]    = {"thread", "threads"},
    [HOIST_NAMES_ENTRY]     = {"entry", "entries"},
    [HOIST_NAMES_PARAMETER] = {"parameter", "parameters"},
    [HOIST_NAMES_REGISTER]  = {"register", "registers"},
};
// clang-format on

// By memcpy: offsets are those of members of any enum or index type of four bytes.
uint32_t hoist_field_u32(const void *record, size_t offset)
{
    uint32_t value = 0;
    memcpy(&value, (const uint8_t *)record + offset, sizeof value);
    return value;
}

const void *hoist_field_pointer(const void *record, size_t offset)
{
    const void *value = NULL;
    memcpy(&value, (const uint8_t *)record + offset, sizeof value);
    return value;
}

const hoist_record *hoist_row_record(hoist_row_kind kind)
{
    return &row_records[kind];
}

const hoist_record *hoist_step_record(hoist_step_kind kind)
{
    return &step_records[kind];
}

const hoist_record *hoist_tiling_record(void)
{
    return &tiling_record;
}

const hoist_view_base_row *hoist_view_base_get(hoist_view_base base)
{
    return &view_bases[base];
}

const char *hoist_name_table_text(hoist_name_table table)
{
    return table_names[table][0];
}

const char *hoist_name_table_many(hoist_name_table table)
{
    return table_names[table][1];
}

const char *hoist_lifetime_name(hoist_lifetime lifetime)
{
    return lifetime_names[lifetime];
}

// Records without a payload have their operands in the step.
const void *hoist_step_fields(const hoist_prog_step *step)
{
    switch (step->kind) {
    case HOIST_STEP_MOVE:
        return step->as.move;
    case HOIST_STEP_COMPUTE:
        return step->as.compute;
    case HOIST_STEP_COLLECTIVE:
        return step->as.collective;
    case HOIST_STEP_OPAQUE:
        return step->as.opaque;
    default:
        return (const uint8_t *)step + step_records[step->kind].base;
    }
}

// A rank below 0 comes from rows that were not verified yet.
bool hoist_layout_dense(const hoist_shape *shape, hoist_dtype dtype, int64_t out[HOIST_MAX_RANK])
{
    hoist_shape checked;
    const size_t rank = shape->rank < 0 ? HOIST_MAX_RANK + 1 : (size_t)shape->rank;
    return hoist_shape_init(shape->dim, rank, &checked) == HOIST_OK &&
           hoist_view_strides(&checked, dtype, out) == HOIST_OK;
}
