// The softmax of the scalar core: its program as early compilers write it, with other registers,
// and with each instruction changed.
#include "base/span.h"
#include "formats/darwinn/recover_testing.h"
#include "formats/darwinn/scalar.h"

enum { MOST = 96, ZERO_POINT = 0x60, NUMBERS = 1001 };
enum { ADD = 1, SUB, AND, OR, XOR, SHL, SHR, EQ = 9, LTU = 12, MOV = 15 };
enum { I2F = 16, F2I, FADD, FSUB, FMUL, FMAX, FMIN };

typedef struct program {
    dwn_maker maker;
    hoist_mut_bytes made[MOST];
    uint8_t opcodes[MOST];
    size_t count;
    uint8_t shift; // registers are so many higher
    bool has_zero, has_tail;
} program;

static uint8_t reg(const program *p, uint8_t number)
{
    return (uint8_t)(number + p->shift);
}

static void add(program *p, const dwn_bundle *b)
{
    dwn_make_bundle(&p->maker, b);
    p->opcodes[p->count] = DWN_OP_BUNDLE;
    p->made[p->count++] = (hoist_mut_bytes){
        p->maker.bytes + (size_t)(p->maker.words - 1) * DWN_WORD_SIZE, DWN_WORD_SIZE};
}

static void by(program *p, uint8_t code, uint8_t to, uint8_t first, uint32_t immediate)
{
    add(p, &(dwn_bundle){.alu = code,
                         .by_immediate = true,
                         .to = code == LTU || code == EQ ? to : reg(p, to),
                         .first = code == MOV ? 0 : reg(p, first),
                         .immediate = immediate});
}

static void of(program *p, uint8_t code, uint8_t to, uint8_t first, uint8_t second)
{
    const bool is_unary = code == MOV || code == I2F || code == F2I;
    add(p, &(dwn_bundle){.alu = code,
                         .to = reg(p, to),
                         .first = is_unary ? 0 : reg(p, first),
                         .immediate = reg(p, second)});
}

static void function(program *p, dwn_function code, uint8_t number)
{
    add(p, &(dwn_bundle){.function = (uint8_t)code,
                         .function_to = reg(p, number),
                         .function_of = reg(p, number)});
}

static void loop(program *p, uint32_t body)
{
    const hoist_mut_bytes x = dwn_make_add(&p->maker, DWN_OP_LOOP);
    dwn_make_set(x, &dwn_loop_rows[DWN_LOOP_COUNT], 0, NUMBERS);
    dwn_make_set(x, &dwn_loop_rows[DWN_LOOP_BODY], 0, body - !p->has_zero);
    p->opcodes[p->count] = DWN_OP_LOOP;
    p->made[p->count++] = x;
}

// The byte at `address` as a float32 in `value`: the number without its zero point, times its
// scale.
static void fetch(program *p, uint8_t address, uint8_t value, uint8_t help, bool is_kept)
{
    by(p, SHR, help, address, 2);
    add(p, &(dwn_bundle){
               .load = DWN_LOAD_BY_REGISTER, .load_to = reg(p, value), .load_from = reg(p, help)});
    const uint8_t shift = (uint8_t)(help + 1);
    const uint8_t mask = (uint8_t)(help + 2);
    by(p, AND, shift, address, 3);
    by(p, SHL, shift, shift, 3);
    by(p, MOV, mask, 0, 0xff);
    of(p, SHL, mask, mask, shift);
    if (is_kept) { // the word that the byte is in
        of(p, MOV, 11, 0, value);
    }
    of(p, AND, value, value, mask);
    if (is_kept) {
        of(p, XOR, 11, 11, value);
    }
    of(p, SHR, value, value, shift);
    if (p->has_zero) {
        by(p, SUB, value, value, ZERO_POINT);
    }
    of(p, I2F, value, 0, value);
    by(p, FMUL, value, value, 0x3e05f90b);
}

static void power(program *p)
{
    of(p, FSUB, 10, 10, 8);
    by(p, FMUL, 10, 10, 0x3fb8aa3b);
    function(p, DWN_FUNCTION_EXP2, 10);
}

static void write_byte(program *p)
{
    by(p, ADD, 17, 17, 1);
    by(p, SHR, 14, 13, 2);
    of(p, FMUL, 10, 10, 9);
    by(p, FMUL, 10, 10, 0x43800000);
    by(p, FMIN, 10, 10, 0x437f0000);
    by(p, FMAX, 10, 10, 0);
    of(p, F2I, 10, 0, 10);
    of(p, SHL, 10, 10, 15);
    of(p, OR, 11, 11, 10);
    add(p, &(dwn_bundle){
               .store = DWN_STORE_BY_REGISTER, .store_to = reg(p, 14), .store_from = reg(p, 11)});
    by(p, ADD, 13, 13, 1);
}

static void clear_rest(program *p)
{
    by(p, AND, 15, 13, 3);
    by(p, EQ, 1, 15, 0);
    by(p, SHL, 15, 15, 3);
    by(p, MOV, 12, 0, 32);
    of(p, SUB, 15, 12, 15);
    of(p, SHL, 11, 11, 15);
    of(p, SHR, 11, 11, 15);
    add(p, &(dwn_bundle){.predicated = true,
                         .predicate = 1,
                         .store = DWN_STORE_BY_REGISTER,
                         .store_to = reg(p, 14),
                         .store_from = reg(p, 11)});
}

static void make(program *p, uint32_t stride, uint32_t end)
{
    dwn_make_begin(&p->maker);
    by(p, MOV, 4, 0, 0x3c14);
    by(p, MOV, 5, 0, 0x3c14);
    of(p, MOV, 6, 0, 4);
    of(p, MOV, 7, 0, 5);
    by(p, MOV, 8, 0, 0xff800000);
    of(p, MOV, 10, 0, 6);
    loop(p, 13);
    fetch(p, 10, 9, 11, false);
    of(p, FMAX, 8, 8, 9);
    by(p, ADD, 10, 10, 1);
    by(p, MOV, 9, 0, 0);
    of(p, MOV, 11, 0, 6);
    loop(p, 17);
    fetch(p, 11, 10, 12, false);
    power(p);
    by(p, ADD, 11, 11, 1);
    add(p, &(dwn_bundle){0});
    of(p, FADD, 9, 9, 10);
    of(p, MOV, 17, 0, 6);
    of(p, MOV, 13, 0, 7);
    function(p, DWN_FUNCTION_RECIPROCAL, 9);
    loop(p, 27);
    fetch(p, 17, 10, 14, true);
    power(p);
    write_byte(p);
    if (p->has_tail) {
        clear_rest(p);
    }
    by(p, ADD, 4, 4, stride);
    by(p, ADD, 5, 5, stride);
    by(p, LTU, 0, 5, end);
    const uint32_t words = p->maker.words;
    const hoist_mut_bytes x = dwn_make_add(&p->maker, DWN_OP_BRANCH);
    dwn_make_set(x, &dwn_branch_rows[DWN_BRANCH_CONDITIONAL], 0, 1);
    dwn_make_set(x, &dwn_branch_rows[DWN_BRANCH_SENSE], 0, 1);
    dwn_make_set(x, &dwn_branch_rows[DWN_BRANCH_OFFSET], 0, 3 - words); // back to word 3
    dwn_make_set(x, &dwn_branch_rows[DWN_BRANCH_FORM], 0, 2);
    p->opcodes[p->count] = DWN_OP_BRANCH;
    p->made[p->count++] = x;
}

// The operation that is found first, if it is a softmax; else of no numbers.
static dwn_operation found_in(hoist_test *t, program *p)
{
    const dwn_stream stream = dwn_test_stream(t, dwn_make_end(&p->maker, false));
    for (size_t i = 0; i < stream.count; i++) {
        dwn_operation op;
        size_t next = 0;
        if (dwn_scalar_softmax(&stream, i, 3, &op, &next)) {
            HOIST_EXPECT_EQ(t, next, i + p->count);
            return op;
        }
    }
    return (dwn_operation){0};
}

// clang-format off
static const struct {
    const char *name;
    uint8_t shift;
    bool has_zero, has_tail;
    uint32_t stride, end;
    uint32_t rows; // 0: it is none
} programs[] = {
    {"one row",             0, true,  false, 1004, 0x3c14 + 1004,     1},
    {"other registers",     5, true,  false, 1004, 0x3c14 + 1004,     1},
    {"no zero point",       0, false, false, 1004, 0x3c14 + 1004,     1},
    {"an end in a word",    0, true,  true,  1004, 0x3c14 + 1004,     1},
    {"both",                2, false, true,  1004, 0x3c14 + 1004,     1},
    {"three rows",          0, true,  false, 1004, 0x3c14 + 3 * 1004, 3},
    {"an end within a row", 0, true,  false, 1004, 0x3c14 + 1005,     0},
    {"no end",              0, true,  false, 1004, 0x3c14,            0},
    {"rows overlap",        0, true,  false, 1000, 0x3c14 + 1000,     0},
    {"no stride",           0, true,  false, 0,    0x3c14 + 1000,     0},
};
// clang-format on

HOIST_TEST_TABLE(softmaxes, programs)
{
    program p = {.shift = row->shift, .has_zero = row->has_zero, .has_tail = row->has_tail};
    make(&p, row->stride, row->end);
    const dwn_operation op = found_in(t, &p);
    HOIST_EXPECT_EQ(t, op.numbers, row->rows ? NUMBERS : 0);
    HOIST_EXPECT_EQ(t, op.rows, row->rows);
    if (row->rows) {
        HOIST_EXPECT_EQ(t, op.kind, DWN_KIND_SOFTMAX);
        HOIST_EXPECT_EQ(t, op.input_zero, row->has_zero ? ZERO_POINT : 0);
        HOIST_EXPECT_EQ(t, op.output_zero, 0);
        HOIST_EXPECT(t, op.scale == dwn_float_of(0x3e05f90b));
        HOIST_EXPECT_EQ(t, op.at.chunk, 3);
        HOIST_EXPECT_EQ(t, op.at.word, 1);
        HOIST_EXPECT_EQ(t, op.at.words, p.count);
    }
}

static const dwn_field *field_of(uint8_t opcode, size_t index, size_t *out_count)
{
    *out_count = opcode == DWN_OP_LOOP     ? DWN_LOOP_FIELDS
                 : opcode == DWN_OP_BRANCH ? DWN_BRANCH_FIELDS
                                           : DWN_BUNDLE_FIELDS;
    return opcode == DWN_OP_LOOP     ? &dwn_loop_rows[index]
           : opcode == DWN_OP_BRANCH ? &dwn_branch_rows[index]
                                     : &dwn_bundle_rows[index];
}

// What a bundle does not use may be anything, and so may where the input begins; other numbers of
// the model have to agree with each other.
static bool may_change(const program *p, size_t index, size_t field)
{
    if (p->opcodes[index] != DWN_OP_BUNDLE) {
        return false;
    }
    const dwn_bundle b = dwn_bundle_of((hoist_bytes){p->made[index].data, p->made[index].size});
    const bool is_unary = b.alu == MOV || b.alu == I2F || b.alu == F2I;
    switch (field) {
    case DWN_BUNDLE_PREDICATE:
    case DWN_BUNDLE_SENSE:
        return !b.predicated;
    case DWN_BUNDLE_LOAD_TO:
    case DWN_BUNDLE_LOAD_FROM:
        return b.load == DWN_LOAD_NONE;
    case DWN_BUNDLE_STORE_TO:
    case DWN_BUNDLE_STORE_FROM:
        return b.store == DWN_STORE_NONE;
    case DWN_BUNDLE_TO:
    case DWN_BUNDLE_IMMEDIATE:
    case DWN_BUNDLE_IMMEDIATE_USED:
        return b.alu == 0 || (field == DWN_BUNDLE_IMMEDIATE && index == 0);
    case DWN_BUNDLE_FIRST:
        return b.alu == 0 || is_unary;
    case DWN_BUNDLE_FUNCTION_TO:
    case DWN_BUNDLE_FUNCTION_OF:
        return b.function == DWN_FUNCTION_NONE;
    default:
        return false;
    }
}

HOIST_TEST(every_instruction_counts)
{
    program whole = {.has_zero = true, .has_tail = true};
    make(&whole, 1004, 0x3c14 + 1004);
    for (size_t i = 0; i < whole.count; i++) {
        size_t fields = 0;
        (void)field_of(whole.opcodes[i], 0, &fields);
        for (size_t k = 0; k < fields; k++) {
            const dwn_field *const field = field_of(whole.opcodes[i], k, &fields);
            program p = {.has_zero = true, .has_tail = true};
            make(&p, 1004, 0x3c14 + 1004);
            const hoist_bytes bytes = {p.made[i].data, p.made[i].size};
            dwn_field_store(field, p.made[i], 0, dwn_field_load(field, bytes, 0) ^ 1);
            HOIST_EXPECT_EQ(t, found_in(t, &p).numbers > 0, may_change(&whole, i, k));
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(softmaxes), HOIST_TEST_ROW(every_instruction_counts))
