// NEFFs with data: what comes out against values worked out by hand, in every schedule, and no
// order that the waits permit is wrong (neff reference sections 4, 5 and appendix A).
#include <string.h>

#include "hoist/load.h"
#include "hoist/runtime.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "lower/neff/job_testing.h"
#include "machine/order.h"
#include "tensor/float_bits.h"

#define QUEUE(more) "\"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 1" more "}"
#define AT(side, name, off, sizes, steps)                                                          \
    "\"" side "\": \"" name "\", \"" side "_off\": " off ", \"" side "_sizes\": " sizes            \
    ", \"" side "_steps\": " steps
#define BLOCK(desc) "{\"id\": 0, \"queue\": \"q0\", \"desc\": [{" desc "}]}"
#define WHOLE(from, to) AT("from", from, "0", "[64]", "[1]") ", " AT("to", to, "0", "[64]", "[1]")
#define TRIGGER "c1 10 00 00 00 00 00 00 00 00 00 00 'q0'\n"
#define WAIT(count) "a0 10 00 00 05 01 00 00 " count " 00 00 00\n"
#define RUN TRIGGER WAIT("01")
#define VARS(in, out)                                                                              \
    "\"input\": {\"type\": \"input\", \"var_id\": 0, \"size\": " in "},"                           \
    "\"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": " out "}"
#define BYTES "000102030405060708090a0b"
#define CALL(name) "d3 10 00 00 00 00 00 00 00 00 00 00 '" name "'\n"
#define BEGIN(name) "d1 10 00 00 00 00 00 00 00 00 00 00 '" name "'\n"
#define RETURN "d2 10\n"
#define SOURCE(off, more)                                                                          \
    "{" AT("from", "input", off, "[8]", "[1]") ", \"from_dtype\": \"float32\"" more "}"
#define DEST AT("to", "output", "0", "[8]", "[1]") ", \"to_dtype\": \"float32\""
// 1 2, 10 20, 100 200
#define SUMS "0000803f000000400000204100 00a04100 00c842 00004843"
#define MOVE(reg, number)                                                                          \
    "a7 10 00 00 00 00 00 00 00 00 00 00 01 08 01 00 00 00 00 00 00 00 00 00 " reg                 \
    " 00 00 00 00 00 00 00 " number "\n"
#define ALU(op, type, to, from, with)                                                              \
    "a8 10 00 00 00 00 00 00 00 00 00 00 " op " " type " 01 00 " from " 00 00 00 " to              \
    " 00 00 00 " with "\n"
#define UPDATE(reg) "a4 10 00 00 00 00 99 01 " reg " 00 00 00\n"
// clang-format off
#define FROM_ALU(number, op, type, with, result)                                                   \
    MOVE("03", number)                                                                             \
    ALU(op, type, "04", "03", with)                                                                \
    UPDATE("04")                                                                                   \
    "a0 10 00 00 01 01 00 00 " result "\n"                                                         \
    "a4 10 00 00 00 00 19 01\n" RUN

static const struct {
    const char *name;
    neff_job_parts parts;
    const char *input;  // hexadecimal
    const char *output;
} rows[] = {
    {"A1: a strided gather", {.vars = VARS("12", "6"), .records = RUN, .blocks = BLOCK(AT("from", "input", "1", "[2, 3]", "[1, 4]") ", " AT("to", "output", "0", "[6]", "[1]"))}, BYTES, "01020506090a"},
    {"A2: a negative step", {.vars = VARS("12", "12"), .records = RUN, .blocks = BLOCK(AT("from", "input", "8", "[4, 3]", "[1, -4]") ", " AT("to", "output", "0", "[12]", "[1]"))}, BYTES, "08090a0b0405060700010203"},
    {"A3: a broadcast", {.vars = VARS("12", "6"), .records = RUN, .blocks = BLOCK(AT("from", "input", "2", "[2, 3]", "[1, 0]") ", " AT("to", "output", "0", "[6]", "[1]"))}, BYTES, "020302030203"},
    {"the last of equal places wins", {.vars = VARS("4", "1"), .records = RUN, .blocks = BLOCK(AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[1, 4]", "[1, 0]"))}, "01020304", "04"},
    {"A4: a cast", {.vars = VARS("8", "4"), .records = RUN, .blocks = BLOCK("\"op\": \"cast\", \"from_dtype\": \"float32\", \"to_dtype\": \"bfloat16\", " AT("from", "input", "0", "[8]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]"))}, "0000803f0180803f", "803f813f"},
    {"A5: integers go through float32", {.vars = VARS("4", "4"), .records = RUN, .blocks = BLOCK("\"op\": \"cast\", \"from_dtype\": \"int32\", \"to_dtype\": \"int32\", " AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]"))}, "01000001", "00000001"},
    {"A6: fma", {.vars = VARS("24", "8"), .records = RUN, .blocks = BLOCK("\"op\": \"fma\", \"scale_dtype\": \"float32\", \"from_arr\": [" SOURCE("0", ", \"scale\": 2.0") ", " SOURCE("8", ", \"scale\": 0.5") ", " SOURCE("16", "") "], " DEST)}, SUMS, "0000d64200005643"},
    {"a scale beside the sources", {.vars = VARS("24", "8"), .records = RUN, .blocks = BLOCK("\"op\": \"fma\", \"scale_dtype\": \"float32\", \"scale\": 3.0, \"from_arr\": [" SOURCE("0", ", \"scale\": 2.0") ", " SOURCE("8", "") "], " DEST)}, SUMS, "0000004200008042"},
    {"A7: max with a constant", {.vars = VARS("24", "8"), .records = RUN, .blocks = BLOCK("\"op\": \"max\", \"constant_dtype\": \"float32\", \"constant\": 15, \"from_arr\": [" SOURCE("0", "") ", " SOURCE("8", "") "], " DEST)}, SUMS, "000070410000a041"},
    {"a constant without a type is ignored", {.vars = VARS("24", "8"), .records = RUN, .blocks = BLOCK("\"op\": \"max\", \"constant\": 15, \"from_arr\": [" SOURCE("0", "") ", " SOURCE("8", "") "], " DEST)}, SUMS, "000020410000a041"},
    {"min of integers beyond float32", {.vars = VARS("8", "4"), .records = RUN, .blocks = BLOCK("\"op\": \"min\", \"constant_dtype\": \"int32\", \"constant\": 2147483647, \"from_arr\": [{" AT("from", "input", "0", "[4]", "[1]") ", \"from_dtype\": \"int32\"}, {" AT("from", "input", "4", "[4]", "[1]") ", \"from_dtype\": \"int32\"}], " AT("to", "output", "0", "[4]", "[1]") ", \"to_dtype\": \"int32\"")}, "0300000101000001", "01000001"},
    {"elements in pieces are put byte by byte", {.vars = VARS("8", "8"), .records = RUN, .blocks = BLOCK("\"op\": \"cast\", \"from_dtype\": \"int16\", \"to_dtype\": \"int32\", " AT("from", "input", "0", "[4]", "[2]") ", " AT("to", "output", "7", "[8]", "[-1]"))}, "01ff02ff03ff04ff", "0000040300000201"},
    {"a transpose of a square", {.vars = VARS("4", "4"), .records = RUN, .blocks = BLOCK("\"op\": \"transpose\", " AT("from", "input", "0", "[2, 2]", "[1, 2]") ", " AT("to", "output", "0", "[4]", "[1]"))}, "01020304", "01030204"},
    {"a transpose of two bytes to a shape", {.vars = VARS("12", "12"), .records = RUN, .blocks = BLOCK("\"op\": \"transpose\", \"transpose_shape\": [3, 1, 1, 2], \"transpose_element_size\": 2, " AT("from", "input", "0", "[12]", "[1]") ", " AT("to", "output", "0", "[12]", "[1]"))}, BYTES, "000106070203080904050a0b"},
    {"outermost and innermost change places", {.vars = VARS("12", "12"), .records = RUN, .blocks = BLOCK("\"op\": \"transpose\", \"transpose_shape\": [2, 3, 1, 2], " AT("from", "input", "0", "[12]", "[1]") ", " AT("to", "output", "0", "[12]", "[1]"))}, BYTES, "000602080 40a010703 09050b"},
    {"A8: through the state buffer", {.vars = VARS("8", "8") ", \"SB\": {\"type\": \"state-buffer\", \"var_id\": 2}", .records = RUN TRIGGER WAIT("02"), .blocks = BLOCK(AT("from", "input", "0", "[8]", "[1]") ", " AT("to", "SB", "64", "[4, 2]", "[1, 262144]")) ", " BLOCK(AT("from", "SB", "64", "[4, 2]", "[1, 262144]") ", " AT("to", "output", "0", "[8]", "[1]"))}, "0102030405060708", "0102030405060708"},
    {"A9: two rings count twice", {.vars = VARS("4", "4"), .queues = QUEUE(", \"num_queues\": 2"), .records = TRIGGER WAIT("02"), .blocks = BLOCK(AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]"))}, "01020304", "01020304"},
    {"sixteen rings count sixteen times", {.vars = VARS("4", "4"), .queues = QUEUE(", \"num_queues\": 16"), .records = TRIGGER WAIT("10"), .blocks = "{\"id\": 0, \"queue\": \"q0\", \"desc\": [{" AT("from", "input", "0", "[2]", "[1]") ", " AT("to", "output", "0", "[2]", "[1]") "}, {" AT("from", "input", "2", "[2]", "[1]") ", " AT("to", "output", "2", "[2]", "[1]") "}]}"}, "01020304", "01020304"},
    {"the block's semaphore comes first", {.vars = VARS("4", "4"), .records = TRIGGER "a0 10 00 00 05 07 00 00 01\n", .blocks = "{\"id\": 0, \"queue\": \"q0\", \"semaphore\": 7, \"desc\": [{" AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]") "}]}"}, "01020304", "01020304"},
    {"each ring raises its own of a set of semaphores", {.vars = VARS("4", "4"), .queues = "\"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"num_queues\": 2, \"semaphore_set\": [9, 8]}", .records = TRIGGER "a0 10 00 00 05 09 00 00 01\na0 10 00 00 05 08 00 00 01\n", .blocks = BLOCK(AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]"))}, "01020304", "01020304"},
    {"a ring beyond the set raises its first", {.vars = VARS("4", "4"), .queues = "\"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"num_queues\": 3, \"semaphore_set\": [9, 8]}", .records = TRIGGER "a0 10 00 00 05 09 00 00 02\na0 10 00 00 05 08 00 00 01\n", .blocks = BLOCK(AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]"))}, "01020304", "01020304"},
    {"an event is set when all is done", {.vars = VARS("4", "4"), .queues = QUEUE(", \"num_queues\": 4"), .records = TRIGGER "a0 10 00 00 07 05\n", .blocks = "{\"id\": 0, \"queue\": \"q0\", \"event\": 5, \"desc\": [{" AT("from", "input", "0", "[2]", "[1]") ", " AT("to", "output", "0", "[2]", "[1]") "}, {" AT("from", "input", "2", "[2]", "[1]") ", " AT("to", "output", "2", "[2]", "[1]") "}]}"}, "01020304", "01020304"},
    {"the first instance is active", {.vars = VARS("4", "4"), .queues = QUEUE(", \"queue_instances\": [\"one\", \"two\"]"), .records = RUN, .blocks = "{\"id\": 0, \"instance_name\": \"two\", \"desc\": [{" AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[0]") "}]}, {\"id\": 0, \"instance_name\": \"one\", \"desc\": [{" AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "3", "[4]", "[-1]") "}]}"}, "01020304", "04030201"},
    {"A10: a pointer", {.vars = VARS("4", "8") ", \"p\": {\"type\": \"pointer\", \"var_id\": 9, \"size\": 8, \"referenced_var_id\": 1}", .records = RUN, .blocks = BLOCK(AT("from", "p", "0", "[8]", "[1]") ", " AT("to", "output", "0", "[8]", "[1]"))}, "01020304", "4000000010000000"},
    {"A10: a table", {.vars = VARS("4", "16") ", \"p\": {\"type\": \"dge-table\", \"var_id\": 9, \"size\": 16, \"list\": [1, 0]}", .records = RUN, .blocks = BLOCK(AT("from", "p", "0", "[16]", "[1]") ", " AT("to", "output", "0", "[16]", "[1]"))}, "01020304", "40000000100000000000000010000000"},
    {"the other area has other addresses", {.vars = VARS("4", "8") ", \"p\": {\"type\": \"pointer\", \"var_id\": 9, \"size\": 8, \"referenced_var_id\": 3}, \"x\": {\"type\": \"tmp-buf\", \"var_id\": 3, \"size\": 4, \"fabric_path\": \"alt\"}", .records = RUN, .blocks = BLOCK(AT("from", "p", "0", "[8]", "[1]") ", " AT("to", "output", "0", "[8]", "[1]"))}, "01020304", "0000000020000000"},
    {"A11: variables share a scratchpad", {.vars = VARS("4", "4") ", \"a\": {\"type\": \"virtual\", \"var_id\": 2, \"size\": 4, \"backing_variable_off\": 0}, \"b\": {\"type\": \"virtual\", \"var_id\": 3, \"size\": 4, \"backing_variable_off\": 2}", .records = RUN TRIGGER WAIT("02") TRIGGER WAIT("03"), .blocks = BLOCK(AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "a", "0", "[4]", "[1]")) ", " BLOCK(AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "b", "0", "[4]", "[1]")) ", " BLOCK(AT("from", "a", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]"))}, "01020304", "01020102"},
    {"functions three deep, one of them twice", {.vars = VARS("4", "4"), .records = CALL("a") CALL("c") WAIT("02") BEGIN("a") CALL("b") RETURN BEGIN("b") CALL("c") RETURN BEGIN("c") RUN RETURN, .blocks = "{\"id\": 0, \"queue\": \"q0\", \"function_start\": \"c\", \"desc\": [{" AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]") "}]}"}, "01020304", "01020304"},
    {"an addition wraps", {.vars = VARS("4", "4"), .records = FROM_ALU("ff ff ff ff", "04", "08", "06 00 00 00", "05"), .blocks = BLOCK(AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]"))}, "01020304", "01020304"},
    {"a logical shift", {.vars = VARS("4", "4"), .records = FROM_ALU("00 00 00 80", "11", "09", "1c 00 00 00", "08"), .blocks = BLOCK(AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]"))}, "01020304", "01020304"},
    {"the greater of signed numbers", {.vars = VARS("4", "4"), .records = FROM_ALU("ff ff ff ff", "08", "08", "07 00 00 00", "07"), .blocks = BLOCK(AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]"))}, "01020304", "01020304"},
    {"the lesser of unsigned numbers", {.vars = VARS("4", "4"), .records = FROM_ALU("ff ff ff ff", "09", "09", "07 00 00 00", "07"), .blocks = BLOCK(AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]"))}, "01020304", "01020304"},
    {"a distance", {.vars = VARS("4", "4"), .records = FROM_ALU("03 00 00 00", "17", "08", "0a 00 00 00", "07"), .blocks = BLOCK(AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]"))}, "01020304", "01020304"},
    {"tables of activations load at once", {.vars = VARS("4", "4"), .queues = "\"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 1}, \"qa\": {\"type\": \"act_load\", \"owner\": \"sp\", \"semaphore\": 2}", .records = "c1 10 00 00 00 00 00 00 00 00 00 00 'qa'\na0 10 00 00 05 02 00 00 01\n" RUN, .blocks = "{\"id\": 0, \"queue\": \"qa\", \"desc\": [{" AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]") "}]}, " BLOCK(AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]"))}, "01020304", "01020304"},
    {"pinned queues fill the chip first", {.vars = VARS("4", "4") ", \"SB\": {\"type\": \"state-buffer\", \"var_id\": 2}", .queues = QUEUE("") ", \"qp\": {\"type\": \"data\", \"pinned\": true}", .records = RUN, .blocks = "{\"id\": 9, \"queue\": \"qp\", \"desc\": [{" AT("from", "input", "0", "[4]", "[1]") ", " AT("to", "SB", "8", "[4]", "[1]") "}]}, " BLOCK(AT("from", "SB", "8", "[4]", "[1]") ", " AT("to", "output", "0", "[4]", "[1]"))}, "01020304", "01020304"},
};
// clang-format on

static size_t bytes_of(const char *hex, uint8_t *out)
{
    size_t size = 0;
    for (unsigned digits = 0, value = 0; *hex; hex++) {
        if (*hex == ' ') {
            continue;
        }
        const unsigned digit = (unsigned)(*hex <= '9' ? *hex - '0' : *hex - 'a' + 10);
        value = value * 16 + digit;
        if (++digits == 2) {
            out[size++] = (uint8_t)value;
            digits = 0;
            value = 0;
        }
    }
    return size;
}

// Every way to run it gives these bytes, twice.
static void expect_output(hoist_test *t, const hoist_program *program, const char *input,
                          const char *output)
{
    static const struct {
        bool sequential;
        uint32_t threads;
    } modes[] = {{true, 0}, {false, 1}, {false, 4}};
    uint8_t given[64];
    uint8_t wanted[64];
    uint8_t found[64];
    const hoist_bytes in = {given, bytes_of(input, given)};
    const hoist_mut_bytes out = {found, bytes_of(output, wanted)};
    for (size_t i = 0; i < HOIST_COUNT_OF(modes); i++) {
        const hoist_session_options options = {.struct_size = sizeof options,
                                               .sequential = modes[i].sequential,
                                               .threads = modes[i].threads};
        hoist_session *s = NULL;
        HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &s), HOIST_OK);
        for (int k = 0; s && k < 2; k++) {
            HOIST_EXPECT_EQ(t, hoist_session_write(s, "input", 0, HOIST_DTYPE_U8, in), HOIST_OK);
            HOIST_EXPECT_EQ(t, hoist_session_run(s, "run", NULL, 0), HOIST_OK);
            HOIST_EXPECT_EQ(t, hoist_session_wait_idle(s, 10), HOIST_OK);
            HOIST_EXPECT_EQ(t, hoist_session_read(s, "output", 0, HOIST_DTYPE_U8, out), HOIST_OK);
            HOIST_EXPECT(t, memcmp(found, wanted, out.size) == 0);
        }
        hoist_session_close(s);
    }
}

static hoist_ref entry_named(const hoist_program *program, const char *name)
{
    hoist_ref entry = 0;
    while (entry < program->entry_count && !hoist_str_equal_c(program->entries[entry].name, name)) {
        entry++;
    }
    return entry;
}

// What runs once has run before.
static hoist_verdict verdict_of(hoist_test *t, const hoist_program *program)
{
    const hoist_ref load = entry_named(program, "load");
    const hoist_order_options options = {.alloc = hoist_allocator_system(),
                                         .before = &load,
                                         .before_count = load < program->entry_count};
    hoist_verdict verdict = HOIST_VERDICT_BAD;
    HOIST_EXPECT_EQ(t,
                    hoist_program_check_order(program, entry_named(program, "run"), &options,
                                              t->diag, &verdict),
                    HOIST_OK);
    return verdict;
}

HOIST_TEST_TABLE(transfers_give_their_bytes, rows)
{
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &row->parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program), HOIST_OK);
    if (program) {
        expect_output(t, program, row->input, row->output);
        HOIST_EXPECT_EQ(t, verdict_of(t, program), HOIST_VERDICT_CLEAN);
    }
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    hoist_program_destroy(program);
}

// Both rebuilt files -----------------------------------------------------------------------------

enum { ELEMENTS = 32, MAX_RANKS = 4 };

static const struct {
    const char *name;
    const char *path;
    uint32_t ranks;
} files[] = {
    {"pax, one rank", "neff/tiny_allreduce_pkg1_pax.neff", 0},
    {"gnu, one rank", "neff/tiny_allreduce_pkg2_gnu.neff", 0},
    {"pax, two ranks", "neff/tiny_allreduce_pkg1_pax.neff", 2},
    {"gnu, four ranks", "neff/tiny_allreduce_pkg2_gnu.neff", 4},
};

// Numbers whose sum depends on the order of its terms.
static float element(uint32_t rank, int i)
{
    static const float scale[MAX_RANKS] = {1.0f, 1e8f, -1e8f, 0.25f};
    return scale[rank] * (float)(i + 1);
}

static const char *port(hoist_test *t, uint32_t ranks, uint32_t rank, const char *name)
{
    return ranks > 1 ? hoist_arena_format(&t->arena, "rank%u/%s", rank, name).data : name;
}

static void run_ranks(hoist_test *t, const hoist_program *program, uint32_t ranks,
                      const hoist_session_options *options)
{
    hoist_session *s = NULL;
    float values[ELEMENTS];
    HOIST_EXPECT_EQ(t, hoist_session_open(program, options, t->diag, &s), HOIST_OK);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        for (int i = 0; i < ELEMENTS; i++) {
            values[i] = element(rank, i);
        }
        const hoist_bytes in = {(const uint8_t *)values, sizeof values};
        HOIST_EXPECT_EQ(
            t, hoist_session_write(s, port(t, ranks, rank, "input"), 0, HOIST_DTYPE_F32, in),
            HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_session_run(s, "run", NULL, 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(s, 10), HOIST_OK);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        const hoist_mut_bytes out = {(uint8_t *)values, sizeof values};
        HOIST_EXPECT_EQ(
            t, hoist_session_read(s, port(t, ranks, rank, "output"), 0, HOIST_DTYPE_F32, out),
            HOIST_OK);
        for (int i = 0; i < ELEMENTS; i++) {
            float sum = element(0, i);
            for (uint32_t r = 1; r < ranks; r++) {
                sum += element(r, i);
            }
            HOIST_EXPECT_EQ(t, hoist_f32_to_bits(values[i]), hoist_f32_to_bits(sum));
        }
    }
    hoist_session_close(s);
}

static hoist_program *lower_file(hoist_test *t, const char *path, uint32_t ranks)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .ranks = ranks};
    const hoist_open_options open = {.struct_size = sizeof open};
    hoist_job *job = NULL;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open(path, &open, t->diag, &job), HOIST_OK);
    if (job) {
        HOIST_EXPECT_EQ(t, hoist_job_lower(job, &options, t->diag, &program), HOIST_OK);
    }
    hoist_job_close(job);
    return program;
}

HOIST_TEST_TABLE(the_rebuilt_files_add_up, files)
{
    const char *path = hoist_test_corpus(t, row->path);
    const uint32_t ranks = row->ranks ? row->ranks : 1;
    if (!path) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    hoist_program *program = lower_file(t, path, row->ranks);
    for (uint32_t threads = 0; program && threads <= 4; threads++) {
        const hoist_session_options options = {
            .struct_size = sizeof options, .sequential = threads == 0, .threads = threads};
        run_ranks(t, program, ranks, &options);
    }
    if (program) {
        HOIST_EXPECT_EQ(t, verdict_of(t, program), HOIST_VERDICT_CLEAN);
    }
    hoist_program_destroy(program);
}

// Wrong orders -----------------------------------------------------------------------------------

static bool says_all(const hoist_test *t, const char *rule, const char *one, const char *two)
{
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        if (strcmp(f->rule->id, rule) == 0 && hoist_str_contains(f->message, one) &&
            hoist_str_contains(f->message, two)) {
            return true;
        }
    }
    return false;
}

// Without the wait for the sum `output` gets what is not there yet: both places are named.
HOIST_TEST(a_wait_that_is_missing_is_a_race)
{
    neff_texts neff;
    hoist_program *program = NULL;
    const hoist_lower_options two = {.struct_size = sizeof two, .ranks = 2};
    neff_test_base(t, NEFF_TEST_ALL_REDUCE, NULL, &neff);
    neff_test_stream(t, &neff, "sg00/pool.bin",
                     "c1 10 00 00 00 00 00 00 00 00 00 00 'q_gradient_in'\n"
                     "c1 10 00 00 00 00 00 00 00 00 00 00 'q_gradient_out'\n"
                     "a0 10 00 00 04 0b 00 00 00 00 00 00\n");
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, &two, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, verdict_of(t, program), HOIST_VERDICT_BAD);
    }
    if (!says_all(t, "NEFF-075a", "sg00/pool.json:", "sg00/pe.bin:+0x0")) {
        hoist_test_fail(t, __FILE__, __LINE__, "%s", hoist_test_findings(t).data);
    }
    hoist_program_destroy(program);
}

HOIST_TEST(a_wait_that_nobody_ends_is_a_deadlock)
{
    neff_texts neff;
    hoist_program *program = NULL;
    const neff_job_parts parts = {.records = TRIGGER WAIT("02")};
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, verdict_of(t, program), HOIST_VERDICT_BAD);
    }
    HOIST_EXPECT(t, says_all(t, "NEFF-072a", "sg00/sp.bin:+0x40", "semaphore 's1'"));
    const hoist_finding *f = hoist_diag_at(t->diag, 0);
    HOIST_EXPECT_STR(t, f->member, "sg00/sp.bin");
    HOIST_EXPECT_EQ(t, f->loc.offset, 0x40);
    hoist_program_destroy(program);
}

// Ranks with files of their own ------------------------------------------------------------------

static void edit_count(hoist_test *t, neff_texts *neff, const char *count)
{
    neff_test_stream(t, neff, "sg00/pe.bin",
                     hoist_arena_format(&t->arena,
                                        "c8 10 00 00 04 0a 13 16 00 00 00 00 04 0a 00 00 03 00 00 "
                                        "00 04 00 00 00 %s 00 00 00 00 00 00 00 01\n",
                                        count)
                         .data);
}

HOIST_TEST(ranks_that_meet_agree)
{
    static const hoist_lower_options three = {.struct_size = sizeof three, .ranks = 3};
    neff_texts neff[2];
    hoist_program *program = NULL;
    neff_test_base(t, NEFF_TEST_ALL_REDUCE, NULL, &neff[0]);
    neff_test_base(t, NEFF_TEST_ALL_REDUCE, NULL, &neff[1]);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, neff, 2, NULL, &program), HOIST_OK);
    if (program) {
        const hoist_session_options sequential = {.struct_size = sizeof sequential,
                                                  .sequential = true};
        run_ranks(t, program, 2, &sequential);
        HOIST_EXPECT_EQ(t, verdict_of(t, program), HOIST_VERDICT_CLEAN);
    }
    hoist_program_destroy(program);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, neff, 2, &three, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "RUN-023");
    edit_count(t, &neff[1], "10");
    HOIST_EXPECT_EQ(t, neff_job_lower(t, neff, 2, NULL, &program), HOIST_INVALID);
    HOIST_EXPECT(t, says_all(t, "NEFF-071d",
                             "rank 1 meets rank 0 with ALL_REDUCE by ADD of 16 elements of fp32",
                             "expected what that has at a.neff!sg00/pe.bin:+0x0: ALL_REDUCE by ADD "
                             "of 32 elements of fp32"));
    const hoist_finding *f = hoist_diag_at(t->diag, hoist_diag_kept(t->diag) - 1);
    HOIST_EXPECT_STR(t, f->file, "b.neff");
    HOIST_EXPECT_STR(t, f->member, "sg00/pe.bin");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(transfers_give_their_bytes),
                HOIST_TEST_ROW(the_rebuilt_files_add_up),
                HOIST_TEST_ROW(a_wait_that_is_missing_is_a_race),
                HOIST_TEST_ROW(a_wait_that_nobody_ends_is_a_deadlock),
                HOIST_TEST_ROW(ranks_that_meet_agree))
