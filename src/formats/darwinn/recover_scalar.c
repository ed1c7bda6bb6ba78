// The softmax of early compilers, which the scalar core carries out on bytes of its memory: in, a
// stream and where it may begin; out, an operation with its count, zero point and scale.
//
// It is found by its program, bundle by bundle: the greatest number, the sum of powers, then each
// power times the sum's reciprocal and 256, cut to a byte. Registers may be others than those of
// the table, but each for one of it. Whatever differs is no softmax, and stays unknown.
#include <string.h>

#include "base/span.h"
#include "formats/darwinn/recover_operation.h"
#include "formats/darwinn/scalar.h"
#include "formats/darwinn/scalar_alu.h"

// What a row of the program is.
typedef enum row_kind {
    ROW_IMMEDIATE = 0, // ALU operation with an immediate
    ROW_REGISTER,      // with a register
    ROW_LOAD,          // of the word that a register names
    ROW_STORE,
    ROW_STORE_UNLESS, // where predicate `code` is not set
    ROW_FUNCTION,     // of a register, into the same
    ROW_NOTHING,
    ROW_LOOP,
    ROW_BRANCH, // back to the row `operand`, where predicate `to` is set
} row_kind;

// Immediates that differ from model to model: places of `found`.
typedef enum number {
    NO_NUMBER = 0,
    START_OF_INPUT, // bytes of the scalar memory
    START_OF_OUTPUT,
    STRIDE,
    END,
    ZERO,
    SCALE,
    COUNT,
    NUMBERS,
} number;

// Programs that have a row.
typedef enum when {
    ALWAYS = 0,
    WITH_ZERO, // where the input's zero point is not 0
    WITH_TAIL, // where the output ends within a word: the rest of it is cleared
    WHENS,
} when;

typedef struct row {
    uint8_t kind;
    uint8_t code; // of the ALU, or a function
    uint8_t to;   // registers as the first model had them; of a comparison a predicate
    uint8_t first;
    uint32_t operand; // register, immediate where `number` is NO_NUMBER, or row
    uint8_t number;
    uint8_t when;
} row;

// Codes of the scalar core's ALU, in scalar_alu.c.
enum { ADD = 1, SUB, AND, OR, XOR, SHL, SHR, EQ = 0x09, LTU = 0x0c, MOV = DWN_ALU_MOVE };
enum { I2F = 0x10, F2I, FADD, FSUB, FMUL, FMAX, FMIN };

#define ROW(...)                                                                                   \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define SET(to, value) ROW(ROW_IMMEDIATE, MOV, to, 0, value, NO_NUMBER, ALWAYS)
#define SET_TO(to, number) ROW(ROW_IMMEDIATE, MOV, to, 0, 0, number, ALWAYS)
#define COPY(to, from) ROW(ROW_REGISTER, MOV, to, 0, from, NO_NUMBER, ALWAYS)
#define BY(code, to, first, value) ROW(ROW_IMMEDIATE, code, to, first, value, NO_NUMBER, ALWAYS)
#define BY_NUMBER(code, to, first, number) ROW(ROW_IMMEDIATE, code, to, first, 0, number, ALWAYS)
#define OF(code, to, first, second) ROW(ROW_REGISTER, code, to, first, second, NO_NUMBER, ALWAYS)
#define LOAD(to, at) ROW(ROW_LOAD, 0, to, 0, at, NO_NUMBER, ALWAYS)
#define STORE(at, from) ROW(ROW_STORE, 0, from, 0, at, NO_NUMBER, ALWAYS)
#define FUNCTION(code, of) ROW(ROW_FUNCTION, code, of, 0, 0, NO_NUMBER, ALWAYS)
#define MINUS_ZERO(of) ROW(ROW_IMMEDIATE, SUB, of, of, 0, ZERO, WITH_ZERO)
// The word in which the byte at `at` is, and the byte's shift and mask in it.
#define WORD_OF(to, at, word, shift, mask)                                                         \
    BY(SHR, word, at, 2), LOAD(to, word), BY(AND, shift, at, 3), BY(SHL, shift, shift, 3),         \
        SET(mask, 0xff), OF(SHL, mask, mask, shift)
// A masked byte as the float that it stands for.
#define SCALED(to, shift)                                                                          \
    OF(SHR, to, to, shift), MINUS_ZERO(to), OF(I2F, to, 0, to), BY_NUMBER(FMUL, to, to, SCALE)
#define AT_END(...) ROW(__VA_ARGS__, NO_NUMBER, WITH_TAIL)
#define NOTHING ROW(ROW_NOTHING, 0, 0, 0, 0, NO_NUMBER, ALWAYS)
#define LOOP(body) ROW(ROW_LOOP, 0, 0, 0, body, COUNT, ALWAYS)
#define BACK(predicate, to) ROW(ROW_BRANCH, 0, predicate, 0, to, NO_NUMBER, ALWAYS)

enum {
    MINUS_INFINITY = (int32_t)0xff800000,
    LOG2_E = 0x3fb8aa3b,
    FLOAT_ONE = 0x3f800000,
    FLOAT_255 = 0x437f0000,
    FLOAT_256 = 0x43800000,
};

static const row softmax[] = {
    SET_TO(4, START_OF_INPUT),
    SET_TO(5, START_OF_OUTPUT),
    COPY(6, 4),
    COPY(7, 5),
    // The greatest number, in s8.
    SET(8, (uint32_t)MINUS_INFINITY),
    COPY(10, 6),
    LOOP(13),
    WORD_OF(9, 10, 11, 12, 13),
    OF(AND, 9, 9, 13),
    SCALED(9, 12),
    OF(FMAX, 8, 8, 9),
    BY(ADD, 10, 10, 1),
    // The sum of powers of what is above or below it, in s9.
    SET(9, 0),
    COPY(11, 6),
    LOOP(17),
    WORD_OF(10, 11, 12, 13, 14),
    OF(AND, 10, 10, 14),
    SCALED(10, 13),
    OF(FSUB, 10, 10, 8),
    BY(FMUL, 10, 10, LOG2_E),
    FUNCTION(DWN_FUNCTION_EXP2, 10),
    BY(ADD, 11, 11, 1),
    NOTHING,
    OF(FADD, 9, 9, 10),
    // Each power over the sum, in 256ths, into its byte of the output.
    COPY(17, 6),
    COPY(13, 7),
    FUNCTION(DWN_FUNCTION_RECIPROCAL, 9),
    LOOP(27),
    WORD_OF(10, 17, 14, 15, 16),
    COPY(11, 10),
    OF(AND, 10, 10, 16),
    OF(XOR, 11, 11, 10),
    SCALED(10, 15),
    OF(FSUB, 10, 10, 8),
    BY(FMUL, 10, 10, LOG2_E),
    FUNCTION(DWN_FUNCTION_EXP2, 10),
    BY(ADD, 17, 17, 1),
    BY(SHR, 14, 13, 2),
    OF(FMUL, 10, 10, 9),
    BY(FMUL, 10, 10, FLOAT_256),
    BY(FMIN, 10, 10, FLOAT_255),
    BY(FMAX, 10, 10, 0),
    OF(F2I, 10, 0, 10),
    OF(SHL, 10, 10, 15),
    OF(OR, 11, 11, 10),
    STORE(14, 11),
    BY(ADD, 13, 13, 1),
    // What the last word has behind the output.
    AT_END(ROW_IMMEDIATE, AND, 15, 13, 3),
    AT_END(ROW_IMMEDIATE, EQ, 1, 15, 0),
    AT_END(ROW_IMMEDIATE, SHL, 15, 15, 3),
    AT_END(ROW_IMMEDIATE, MOV, 12, 0, 32),
    AT_END(ROW_REGISTER, SUB, 15, 12, 15),
    AT_END(ROW_REGISTER, SHL, 11, 11, 15),
    AT_END(ROW_REGISTER, SHR, 11, 11, 15),
    AT_END(ROW_STORE_UNLESS, 1, 11, 0, 14),
    // The next row.
    BY_NUMBER(ADD, 4, 4, STRIDE),
    BY_NUMBER(ADD, 5, 5, STRIDE),
    BY_NUMBER(LTU, 0, 5, END),
    BACK(0, 2),
};

enum { NO_REGISTER = 0xff };

typedef struct match {
    const dwn_stream *stream;
    size_t begin;
    bool with[WHENS];
    uint8_t registers[DWN_REGISTERS]; // that the table's are; NO_REGISTER: none yet
    uint8_t taken[DWN_REGISTERS];     // that of the table which is in it
    uint32_t found[NUMBERS];
    bool has[NUMBERS];
} match;

// The first use pairs a register of the program with one of the table; every later use has to be
// the same pair.
static bool is_register(match *m, uint32_t expected, uint32_t found)
{
    if (m->registers[expected] == NO_REGISTER && m->taken[found] == NO_REGISTER) {
        m->registers[expected] = (uint8_t)found;
        m->taken[found] = (uint8_t)expected;
    }
    return m->registers[expected] == found && m->taken[found] == expected;
}

// A number that differs from model to model is the same wherever the table has it.
static bool is_number(match *m, const row *r, uint32_t found)
{
    if (r->number == NO_NUMBER) {
        return found == r->operand;
    }
    m->found[r->number] = m->has[r->number] ? m->found[r->number] : found;
    m->has[r->number] = true;
    return m->found[r->number] == found;
}

// Comparisons write a predicate, which is the same in all models.
static bool is_alu(match *m, const row *r, const dwn_bundle *b)
{
    const bool is_unary = r->code == MOV || r->code == I2F || r->code == F2I;
    const bool is_compare = r->code == LTU || r->code == EQ;
    return b->alu == r->code && b->by_immediate == (r->kind == ROW_IMMEDIATE) &&
           (is_unary || is_register(m, r->first, b->first)) &&
           (r->kind == ROW_IMMEDIATE
                ? is_number(m, r, b->immediate)
                : b->immediate < DWN_REGISTERS && is_register(m, r->operand, b->immediate)) &&
           (is_compare ? b->to == r->to : is_register(m, r->to, b->to));
}

// Whether a bundle has that row in its one slot.
static bool is_bundle(match *m, const row *r, hoist_bytes bytes)
{
    const dwn_bundle b = dwn_bundle_of(bytes);
    const bool is_load = r->kind == ROW_LOAD;
    const bool is_unless = r->kind == ROW_STORE_UNLESS;
    const bool is_store = r->kind == ROW_STORE || is_unless;
    const bool is_function = r->kind == ROW_FUNCTION;
    if (b.predicated != is_unless || (is_unless && (b.sense || b.predicate != r->code)) ||
        b.load != (is_load ? DWN_LOAD_BY_REGISTER : DWN_LOAD_NONE) ||
        b.store != (is_store ? DWN_STORE_BY_REGISTER : DWN_STORE_NONE) ||
        b.function != (is_function ? r->code : DWN_FUNCTION_NONE)) {
        return false;
    }
    if (r->kind == ROW_IMMEDIATE || r->kind == ROW_REGISTER) {
        return is_alu(m, r, &b);
    }
    return b.alu == 0 &&
           (!is_load || (b.load_from < DWN_REGISTERS && is_register(m, r->operand, b.load_from) &&
                         is_register(m, r->to, b.load_to))) &&
           (!is_store || (b.store_to < DWN_REGISTERS && is_register(m, r->operand, b.store_to) &&
                          is_register(m, r->to, b.store_from))) &&
           (!is_function ||
            (is_register(m, r->to, b.function_to) && is_register(m, r->to, b.function_of)));
}

// The body is shorter by the subtraction that models with a zero point of 0 do not have.
static bool is_loop(match *m, const row *r, hoist_bytes bytes)
{
    return is_number(m, r, dwn_field_load(&dwn_loop_rows[DWN_LOOP_COUNT], bytes, 0)) &&
           dwn_field_load(&dwn_loop_rows[DWN_LOOP_BODY], bytes, 0) + !m->with[WITH_ZERO] ==
               r->operand;
}

// Backwards, to the row of the table.
static bool is_branch(const match *m, const row *r, const dwn_instruction *in, hoist_bytes bytes)
{
    const dwn_branch b = dwn_branch_of(bytes);
    const uint32_t target = m->stream->instructions[m->begin + r->operand].word;
    return b.form == 2 && b.conditional && b.sense && b.predicate == r->to &&
           (int64_t)in->word + b.offset == target;
}

// One row is one instruction.
static bool is_row(match *m, const row *r, size_t at)
{
    static const uint8_t opcodes[] = {
        [ROW_LOOP] = DWN_OP_LOOP, [ROW_BRANCH] = DWN_OP_BRANCH, // others: bundles
    };
    const dwn_instruction *const in = &m->stream->instructions[at];
    const hoist_bytes bytes = dwn_instruction_bytes(m->stream, in);
    const uint8_t opcode = r->kind >= ROW_LOOP ? opcodes[r->kind] : DWN_OP_BUNDLE;
    if (in->opcode != opcode) {
        return false;
    }
    return r->kind == ROW_LOOP     ? is_loop(m, r, bytes)
           : r->kind == ROW_BRANCH ? is_branch(m, r, in, bytes)
                                   : is_bundle(m, r, bytes);
}

// Whether the program begins there, as it is with those rows; then what comes behind it.
static bool is_program(match *m, size_t *out_next)
{
    size_t at = m->begin;
    memset(m->registers, NO_REGISTER, sizeof(m->registers));
    memset(m->taken, NO_REGISTER, sizeof(m->taken));
    for (size_t i = 0; i < HOIST_COUNT_OF(softmax); i++) {
        const row *const r = &softmax[i];
        if (m->with[r->when] && (at >= m->stream->count || !is_row(m, r, at++))) {
            return false;
        }
    }
    *out_next = at;
    return true;
}

// Bytes of the memory as rows of the output, one behind the other, each in whole words; 0: they are
// not.
static uint32_t rows_of(const match *m)
{
    enum { WORD_CHANNELS = 4 };
    const uint32_t begin = m->found[START_OF_OUTPUT];
    const uint32_t stride = m->found[STRIDE];
    const bool is_so = m->found[END] > begin && stride > 0 &&
                       stride == dwn_words_of(m->found[COUNT]) * WORD_CHANNELS &&
                       (m->found[END] - begin) % stride == 0 && m->found[ZERO] <= UINT8_MAX;
    return is_so ? (m->found[END] - begin) / stride : 0;
}

// The first that fits of four variants of the program: with and without a zero point and a tail.
bool dwn_scalar_softmax(const dwn_stream *stream, size_t index, uint32_t chunk, dwn_operation *out,
                        size_t *out_next)
{
    match m;
    bool is_found = false;
    for (uint32_t i = 0; i < 4 && !is_found; i++) {
        m = (match){.stream = stream, .begin = index};
        m.with[ALWAYS] = true;
        m.with[WITH_ZERO] = i & 1;
        m.with[WITH_TAIL] = i & 2;
        is_found = is_program(&m, out_next);
    }
    if (!is_found || rows_of(&m) == 0) {
        return false;
    }
    const dwn_instruction *const first = &stream->instructions[index];
    const dwn_instruction *const last = &stream->instructions[*out_next - 1];
    *out = (dwn_operation){
        .at = {chunk, first->word, last->word + last->words - first->word},
        .opcode = DWN_OP_LOOP,
        .multiplier = FLOAT_ONE,
        .high = FLOAT_255,
        .input_zero = (uint8_t)m.found[ZERO],
        .kind = DWN_KIND_SOFTMAX,
        .steps = 1,
        .reduction = 1,
        .late = 1,
        .numbers = m.found[COUNT],
        .rows = rows_of(&m),
        .scale = dwn_float_of(m.found[SCALE]),
    };
    return true;
}
