// The scalar core: each operation, what slots see, loads, predicates, branches, loops, and each way
// in which a run ends.
#include <string.h>

#include "formats/darwinn/scalar.h"
#include "formats/darwinn/scalar_alu.h"
#include "formats/darwinn/stream_testing.h"

// Operations -------------------------------------------------------------------------------------

static const struct {
    const char *name;
    uint32_t code;
    uint32_t first;
    uint32_t operand;
    uint32_t want;
} operations[] = {
    // clang-format off
    {"add wraps",            0x01, 0xffffffff, 2,          1},
    {"sub wraps",            0x02, 1,          2,          0xffffffff},
    {"and",                  0x03, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
    {"or",                   0x04, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
    {"xor",                  0x05, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0},
    {"shl",                  0x06, 3,          31,         0x80000000},
    {"shl by 32 is by 0",    0x06, 3,          32,         3},
    {"shr",                  0x07, 0x80000000, 31,         1},
    {"sar",                  0x08, 0x80000000, 31,         0xffffffff},
    {"sar of a positive",    0x08, 0x40000000, 30,         1},
    {"sar by 0",             0x08, 0x80000001, 0,          0x80000001},
    {"eq",                   0x09, 5,          5,          1},
    {"eq not",               0x09, 5,          6,          0},
    {"ne",                   0x0a, 5,          6,          1},
    {"gt is signed",         0x0b, 0,          0xffffffff, 1},
    {"ltu is unsigned",      0x0c, 0,          0xffffffff, 1},
    {"ltu of equals",        0x0c, 7,          7,          0},
    {"ge is signed",         0x0d, 0xffffffff, 0,          0},
    {"geu is unsigned",      0x0e, 0xffffffff, 0,          1},
    {"mov takes the operand", 0x0f, 1,         2,          2},
    {"i2f",                  0x10, 0,          0xfffffffe, 0xc0000000},
    {"f2i",                  0x11, 0,          0x41ffffff, 31},
    {"f2i of a negative",    0x11, 0,          0xbfc00000, 0xffffffff},
    {"f2i too large",        0x11, 0,          0x7f800000, 0x7fffffff},
    {"f2i too small",        0x11, 0,          0xff800000, 0x80000000},
    {"f2i of no number",     0x11, 0,          0x7fc00000, 0},
    {"fadd",                 0x12, 0x40400000, 0x41c00000, 0x41d80000},
    {"fsub",                 0x13, 0x40400000, 0x41c00000, 0xc1a80000},
    {"fmul",                 0x14, 0x40400000, 0x41c00000, 0x42900000},
    {"fmax",                 0x15, 0xff800000, 0xc1c00000, 0xc1c00000},
    {"fmax of the first",    0x15, 0x40400000, 0x40000000, 0x40400000},
    {"fmin",                 0x16, 0x43800000, 0x437f0000, 0x437f0000},
    {"fmin of the first",    0x16, 0x40000000, 0x40400000, 0x40000000},
    // clang-format on
};

HOIST_TEST_TABLE(operations_compute, operations)
{
    const dwn_alu *alu = dwn_alu_find(row->code);
    HOIST_EXPECT(t, alu && alu->run && alu->run(row->first, row->operand) == row->want);
}

HOIST_TEST(operations_have_whole_rows)
{
    size_t count = 0;
    for (uint32_t code = 0; code < DWN_ALU_CODES + 2; code++) {
        const dwn_alu *alu = dwn_alu_find(code);
        count += alu != NULL;
        HOIST_EXPECT(t, !alu || (alu->formula && alu->kind < DWN_ALU_KINDS));
        HOIST_EXPECT(t, !alu || (alu->run != NULL) == (alu->kind != DWN_ALU_NONE));
    }
    HOIST_EXPECT_EQ(t, count, 23);
}

// Runs -------------------------------------------------------------------------------------------

static dwn_scalar_run run_chunks(hoist_test *t, const dwn_stream *chunks, size_t count)
{
    dwn_scalar_run run = {0};
    HOIST_EXPECT_EQ(t, dwn_scalar_execute(chunks, count, &t->arena, &run), HOIST_OK);
    return run;
}

static dwn_scalar_run run_maker(hoist_test *t, dwn_maker *m)
{
    const dwn_stream stream = dwn_test_stream(t, dwn_make_end(m, false));
    HOIST_EXPECT_EQ(t, stream.fault_count, 0);
    return run_chunks(t, &stream, 1);
}

static dwn_bundle movi(uint8_t to, uint32_t immediate)
{
    return (dwn_bundle){.alu = 0x0f, .by_immediate = true, .to = to, .immediate = immediate};
}

static dwn_bundle op(uint8_t code, uint8_t to, uint8_t first, uint32_t immediate)
{
    return (dwn_bundle){
        .alu = code, .by_immediate = true, .to = to, .first = first, .immediate = immediate};
}

// Bundles, then one that sends the descriptor of registers 10 to 13: what comes out of them.
static const struct {
    const char *name;
    dwn_bundle bundles[8];
    size_t count;
    uint32_t want[DWN_DESCRIPTOR_WORDS];
    uint8_t known;
} programs[] = {
    // clang-format off
    {"registers begin with 0", {{0}}, 1, {0, 0, 0, 0}, 15},
    {"immediates", {{.alu = 15, .by_immediate = true, .to = 10, .immediate = 0xdeadbeef},
                    {.alu = 15, .by_immediate = true, .to = 13, .immediate = 3}}, 2,
     {0xdeadbeef, 0, 0, 3}, 15},
    {"registers as operands", {{.alu = 15, .by_immediate = true, .to = 31, .immediate = 40},
                               {.alu = 1, .to = 10, .first = 31, .immediate = 31}}, 2,
     {80, 0, 0, 0}, 15},
    {"slots see what was before", {{.alu = 15, .by_immediate = true, .to = 10, .immediate = 1},
        {.store = DWN_STORE_DIRECT, .store_to = 5, .store_from = 10,
         .alu = 15, .by_immediate = true, .to = 10, .immediate = 2},
        {.load = DWN_LOAD_DIRECT, .load_to = 11, .load_from = 5}, {0}}, 4, {2, 1, 0, 0}, 15},
    {"a load and a store at once", {{.alu = 15, .by_immediate = true, .to = 10, .immediate = 9},
        {.load = DWN_LOAD_DIRECT, .load_to = 11, .load_from = 6,
         .store = DWN_STORE_DIRECT, .store_to = 6, .store_from = 10},
        {.load = DWN_LOAD_DIRECT, .load_to = 12, .load_from = 6}, {0}, {0}}, 5, {9, 0, 9, 0}, 15},
    {"loads come two bundles later", {{.alu = 15, .by_immediate = true, .to = 1, .immediate = 7},
        {.store = DWN_STORE_DIRECT, .store_to = 8191, .store_from = 1},
        {.load = DWN_LOAD_DIRECT, .load_to = 2, .load_from = 8191},
        {.alu = 1, .by_immediate = true, .to = 10, .first = 2},
        {.alu = 1, .by_immediate = true, .to = 11, .first = 2}}, 5, {0, 7, 0, 0}, 15},
    {"an ALU write beats a load that lands", {{.alu = 15, .by_immediate = true, .to = 1, .immediate = 7},
        {.store = DWN_STORE_DIRECT, .store_to = 1, .store_from = 1},
        {.load = DWN_LOAD_DIRECT, .load_to = 10, .load_from = 1}, {0},
        {.alu = 15, .by_immediate = true, .to = 10, .immediate = 8}}, 5, {8, 0, 0, 0}, 15},
    {"addresses in registers", {{.alu = 15, .by_immediate = true, .to = 1, .immediate = 4095},
        {.store = DWN_STORE_BY_REGISTER, .store_to = 1, .store_from = 1},
        {.load = DWN_LOAD_BY_REGISTER, .load_to = 10, .load_from = 1}, {0}}, 4, {4095, 0, 0, 0}, 15},
    {"predicated, and it holds", {{.alu = 9, .by_immediate = true, .to = 3},
        {.predicated = true, .predicate = 3, .sense = true, .alu = 15, .by_immediate = true,
         .to = 10, .immediate = 5}}, 2, {5, 0, 0, 0}, 15},
    {"predicated, and it does not", {{.alu = 9, .by_immediate = true, .to = 3, .immediate = 1},
        {.predicated = true, .predicate = 3, .sense = true, .alu = 15, .by_immediate = true,
         .to = 10, .immediate = 5}}, 2, {0, 0, 0, 0}, 15},
    {"predicated on not", {{.predicated = true, .predicate = 7, .alu = 15, .by_immediate = true,
         .to = 10, .immediate = 5}}, 1, {5, 0, 0, 0}, 15},
    {"carry from low to high", {{.alu = 15, .by_immediate = true, .to = 1, .immediate = 0xffffff00},
        {.alu = 15, .by_immediate = true, .to = 11, .immediate = 6},
        {.alu = 1, .by_immediate = true, .to = 10, .first = 1, .immediate = 0x200},
        {.alu = 12, .to = 1, .first = 10, .immediate = 1},
        {.predicated = true, .predicate = 1, .sense = true, .alu = 1, .by_immediate = true,
         .to = 11, .first = 11, .immediate = 1}}, 5, {0x100, 7, 0, 0}, 15},
    {"what only the chip knows", {{.load = DWN_LOAD_SPECIAL, .load_to = 11, .load_from = 38}, {0},
        {.alu = 1, .by_immediate = true, .to = 12, .first = 11},
        {.alu = 15, .to = 13, .first = 11, .immediate = 1}}, 4, {0, 0, 0, 0}, 9},
    {"and its stores", {{.load = DWN_LOAD_SPECIAL, .load_to = 1}, {0},
        {.store = DWN_STORE_DIRECT, .store_to = 2, .store_from = 1},
        {.load = DWN_LOAD_DIRECT, .load_to = 10, .load_from = 2},
        {.store = DWN_STORE_SPECIAL, .store_from = 1}, {.store = DWN_STORE_PUSH, .store_from = 1}},
     6, {0, 0, 0, 0}, 14},
    {"loads of unknown words", {{.load = DWN_LOAD_SPECIAL, .load_to = 1}, {0},
        {.load = DWN_LOAD_BY_REGISTER, .load_to = 10, .load_from = 1}, {0}}, 4, {0, 0, 0, 0}, 14},
    // clang-format on
};

HOIST_TEST_TABLE(bundles_do_what_they_say, programs)
{
    dwn_maker m = {0};
    dwn_make_begin(&m);
    for (size_t i = 0; i < row->count; i++) {
        dwn_make_bundle(&m, &row->bundles[i]);
    }
    const uint32_t word = m.words + DWN_DESCRIPTOR_WORDS;
    dwn_make_send(&m);
    const dwn_scalar_run run = run_maker(t, &m);
    HOIST_EXPECT_EQ(t, run.end, DWN_SCALAR_DONE);
    HOIST_EXPECT_EQ(t, run.count, 1);
    HOIST_EXPECT_EQ(t, run.sent[0].word, word);
    HOIST_EXPECT_EQ(t, run.sent[0].known, row->known);
    for (size_t i = 0; i < DWN_DESCRIPTOR_WORDS; i++) {
        if (row->known >> i & 1) {
            HOIST_EXPECT_EQ(t, run.sent[0].words[i], row->want[i]);
        }
    }
}

// Of what a function makes nothing is known, but that it is no longer what was there.
HOIST_TEST(functions_give_unknown_values)
{
    dwn_maker m = {0};
    const dwn_bundle first = movi(10, 7);
    const dwn_bundle second = movi(11, 8);
    dwn_make_begin(&m);
    dwn_make_bundle(&m, &first);
    dwn_make_bundle(&m, &second);
    dwn_make_bundle(
        &m, &(dwn_bundle){.function = DWN_FUNCTION_EXP2, .function_to = 10, .function_of = 11});
    dwn_make_send(&m);
    const dwn_scalar_run run = run_maker(t, &m);
    HOIST_EXPECT_EQ(t, run.sent[0].known, 14);
    HOIST_EXPECT_EQ(t, run.sent[0].words[1], 8);
}

HOIST_TEST(registers_last_from_chunk_to_chunk)
{
    dwn_maker first = {0};
    dwn_maker second = {0};
    dwn_bundle b = movi(12, 99);
    dwn_make_begin(&first);
    dwn_make_bundle(&first, &b);
    dwn_make_begin(&second);
    dwn_make_send(&second);
    const dwn_stream chunks[] = {dwn_test_stream(t, dwn_make_end(&first, true)),
                                 dwn_test_stream(t, dwn_make_end(&second, false))};
    const dwn_scalar_run run = run_chunks(t, chunks, 2);
    HOIST_EXPECT_EQ(t, run.count, 1);
    HOIST_EXPECT_EQ(t, run.sent[0].chunk, 1);
    HOIST_EXPECT_EQ(t, run.sent[0].words[2], 99);
    HOIST_EXPECT_EQ(t, run.end, DWN_SCALAR_DONE);
}

HOIST_TEST(nothing_runs_after_a_halt)
{
    dwn_maker m = {0};
    dwn_make_begin(&m);
    (void)dwn_make_add(&m, DWN_OP_HALT);
    dwn_make_send(&m);
    const dwn_scalar_run run = run_maker(t, &m);
    HOIST_EXPECT_EQ(t, run.count, 0);
    HOIST_EXPECT_EQ(t, run.end, DWN_SCALAR_DONE);
}

// Branches and loops -----------------------------------------------------------------------------

static void add_branch(dwn_maker *m, int32_t offset, bool conditional, uint8_t predicate)
{
    const hoist_mut_bytes branch = dwn_make_add(m, DWN_OP_BRANCH);
    dwn_make_set(branch, &dwn_branch_rows[DWN_BRANCH_OFFSET], 0, (uint32_t)offset);
    dwn_make_set(branch, &dwn_branch_rows[DWN_BRANCH_CONDITIONAL], 0, conditional);
    dwn_make_set(branch, &dwn_branch_rows[DWN_BRANCH_SENSE], 0, conditional);
    dwn_make_set(branch, &dwn_branch_rows[DWN_BRANCH_PREDICATE], 0, predicate);
    dwn_make_set(branch, &dwn_branch_rows[DWN_BRANCH_FORM], 0, 2);
}

static void add_loop(dwn_maker *m, uint32_t count, uint32_t body)
{
    const hoist_mut_bytes loop = dwn_make_add(m, DWN_OP_LOOP);
    dwn_make_set(loop, &dwn_loop_rows[DWN_LOOP_COUNT], 0, count);
    dwn_make_set(loop, &dwn_loop_rows[DWN_LOOP_BODY], 0, body);
}

static void add(dwn_maker *m, dwn_bundle bundle)
{
    dwn_make_bundle(m, &bundle);
}

// Sends the descriptor once, though the branch goes back, as the one program with branches does.
static void counted_branch(dwn_maker *m)
{
    dwn_make_begin(m);
    const uint32_t top = m->words;
    dwn_make_send(m);
    add(m, op(0x01, 1, 1, 1));
    add(m, op(0x0c, 2, 1, 28));
    add_branch(m, (int32_t)top - (int32_t)m->words, true, 2);
}

HOIST_TEST(branches_and_loops_do_nothing)
{
    dwn_maker m = {0};
    counted_branch(&m);
    add_branch(&m, 2, false, 0);
    add_loop(&m, 100, 1);
    add(&m, op(0x01, 11, 11, 7));
    dwn_make_send(&m);
    const dwn_scalar_run run = run_maker(t, &m);
    HOIST_EXPECT_EQ(t, run.end, DWN_SCALAR_DONE);
    HOIST_EXPECT_EQ(t, run.count, 2);
    HOIST_EXPECT_EQ(t, run.sent[1].words[1], 7);
}

// Ends -------------------------------------------------------------------------------------------

typedef void make(dwn_maker *m);

static void unknown_alu(dwn_maker *m)
{
    add(m, op(0x17, 1, 1, 1));
}

static void unknown_store(dwn_maker *m)
{
    add(m, (dwn_bundle){.store = 7});
}

static void unknown_predicate(dwn_maker *m)
{
    add(m, (dwn_bundle){.load = DWN_LOAD_SPECIAL, .load_to = 1});
    add(m, (dwn_bundle){0});
    add(m, op(0x09, 4, 1, 0));
    add(m, (dwn_bundle){.predicated = true, .predicate = 4});
}

static void unknown_branch(dwn_maker *m)
{
    add(m, (dwn_bundle){.load = DWN_LOAD_SPECIAL, .load_to = 1});
    add(m, (dwn_bundle){0});
    add(m, op(0x09, 4, 1, 0));
    add_branch(m, 1, true, 4);
}

static void unknown_address(dwn_maker *m)
{
    add(m, (dwn_bundle){.load = DWN_LOAD_SPECIAL, .load_to = 1});
    add(m, (dwn_bundle){0});
    add(m, (dwn_bundle){.store = DWN_STORE_BY_REGISTER, .store_to = 1});
}

static void bad_store_address(dwn_maker *m)
{
    add(m, movi(1, DWN_SCALAR_WORDS));
    add(m, (dwn_bundle){.store = DWN_STORE_BY_REGISTER, .store_to = 1});
}

static void bad_load_address(dwn_maker *m)
{
    add(m, movi(1, 0xffffffff));
    add(m, (dwn_bundle){.load = DWN_LOAD_BY_REGISTER, .load_from = 1});
}

static void bad_descriptor_word(dwn_maker *m)
{
    add(m, (dwn_bundle){.store = DWN_STORE_DESCRIPTOR, .store_to = 4});
}

static void bad_predicate(dwn_maker *m)
{
    add(m, op(0x09, 8, 0, 0));
}

static void unparsed(dwn_maker *m)
{
    (void)dwn_make_add(m, 0x30);
}

static const struct {
    const char *name;
    make *make;
    dwn_scalar_end end;
    uint32_t word;
} ends[] = {
    // clang-format off
    {"unknown operation",      unknown_alu,                DWN_SCALAR_UNKNOWN_ALU, 1},
    {"unknown store",          unknown_store,              DWN_SCALAR_UNKNOWN_STORE, 1},
    {"unknown predicate",      unknown_predicate,          DWN_SCALAR_UNKNOWN_PREDICATE, 4},
    {"unknown branch",         unknown_branch,             DWN_SCALAR_DONE, 5},
    {"unknown address",        unknown_address,            DWN_SCALAR_UNKNOWN_ADDRESS, 3},
    {"store outside",          bad_store_address,          DWN_SCALAR_BAD_ADDRESS, 2},
    {"load outside",           bad_load_address,           DWN_SCALAR_BAD_ADDRESS, 2},
    {"descriptor word 4",      bad_descriptor_word,        DWN_SCALAR_BAD_DESCRIPTOR, 1},
    {"predicate 8",            bad_predicate,              DWN_SCALAR_BAD_PREDICATE, 1},
    {"unknown instruction",    unparsed,                   DWN_SCALAR_UNPARSED, 1},
    // clang-format on
};

HOIST_TEST_TABLE(runs_say_how_they_ended, ends)
{
    dwn_maker m = {0};
    dwn_make_begin(&m);
    row->make(&m);
    const dwn_stream stream = dwn_test_stream(t, dwn_make_end(&m, false));
    const dwn_scalar_run run = run_chunks(t, &stream, 1);
    HOIST_EXPECT_EQ(t, run.end, row->end);
    HOIST_EXPECT_EQ(t, run.word, row->word);
    HOIST_EXPECT(t, strlen(dwn_scalar_end_text(run.end)) > 10);
}

static hoist_status run_starved(hoist_allocator alloc, const void *self)
{
    const dwn_stream *stream = self;
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    dwn_scalar_run run = {0};
    const hoist_status status = dwn_scalar_execute(stream, 1, &arena, &run);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    dwn_maker m = {0};
    counted_branch(&m);
    const dwn_stream stream = dwn_test_stream(t, dwn_make_end(&m, false));
    hoist_test_starve(t, run_starved, &stream);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(operations_compute), HOIST_TEST_ROW(operations_have_whole_rows),
                HOIST_TEST_ROW(bundles_do_what_they_say),
                HOIST_TEST_ROW(functions_give_unknown_values),
                HOIST_TEST_ROW(registers_last_from_chunk_to_chunk),
                HOIST_TEST_ROW(nothing_runs_after_a_halt),
                HOIST_TEST_ROW(branches_and_loops_do_nothing),
                HOIST_TEST_ROW(runs_say_how_they_ended), HOIST_TEST_ROW(memory_may_run_out))
