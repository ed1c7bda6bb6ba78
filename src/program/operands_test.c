// Every kind of operand of the text form: what may be written, how it is printed, what is refused.
#include <string.h>

#include "program/program_testing.h"

// Lines that rows may name.
#define COMMON                                                                                     \
    "program p\nspace m\nbuffer x in m size 64\nunit u depth 1\nsemaphore s\n"                     \
    "fifo q queue of f32[4] slots 2 in [x] slot_bytes 16\n"                                        \
    "function f {\nparameter v view f32[1]\nparameter k\n}\n"

typedef struct form {
    const char *name;
    const char *written; // after COMMON, or in a thread with a register n
    const char *printed; // NULL: as it is written
} form;

// clang-format off
static const form rows[] = {
    // Numbers.
    {"a number in hexadecimal", "space b capacity 0x1f", "space b capacity 31"},
    {"64 bits", "space b capacity 18446744073709551615", NULL},
    {"64 bits in hexadecimal", "space b capacity 0xffffffffffffffff", "space b capacity 18446744073709551615"},
    {"32 bits", "space b alignment 4294967295", NULL},
    {"zeros in front", "space b capacity 007", "space b capacity 7"},
    {"what is usual is left out", "space b capacity 0 alignment 1", "space b"},
    {"signed numbers", "semaphore b initial -9223372036854775808 maximum 9223372036854775807", NULL},
    {"an address 0", "buffer b in m size 1 at 0x0", NULL},
    {"an address in decimal", "buffer b in m size 1 at 4096", "buffer b in m size 1 at 0x1000"},
    // Names.
    {"a dollar", "space $b", NULL},
    {"every mark of a name", "space _b.c-d/e$f0", NULL},
    {"quotes that are not needed", "space \"b\"", "space b"},
    {"a digit in front", "space \"0b\"", NULL},
    {"a mark in front", "space \"-b\"", NULL},
    {"an empty name", "space \"\"", NULL},
    {"bytes beyond ASCII", "space \"\xc3\xa4\"", NULL},
    {"every escape", "space \"\\\"\\\\\\x00\\x1f\\x7f\"", NULL},
    {"an escape that is not needed", "space \"\\x62\"", "space b"},
    {"a row by its number", "buffer b in @0 size 1", "buffer b in m size 1"},
    {"a row that is not there", "buffer b in @7 size 1", NULL},
    // Types.
    {"dense strides", "fifo b ram of bf16[2, 3] by [6, 2] slots 1 in [x] slot_bytes 12", "fifo b ram of bf16[2, 3] slots 1 in [x] slot_bytes 12"},
    {"strides", "fifo b ram of bf16[2, 3] by [2, 4] slots 1 in [x] slot_bytes 12", NULL},
    {"strides of 0 and below", "fifo b ram of f32[2, 3] by [0, -4] slots 1 in [x] slot_bytes 12", NULL},
    {"no dimension", "fifo b ram of f32[] slots 1 in [x] slot_bytes 4", NULL},
    {"eight dimensions", "fifo b ram of u8[1, 1, 1, 1, 1, 1, 1, 2] slots 1 in [x] slot_bytes 2", NULL},
    {"a tile", "fifo b ram of f32 tiled(t 1 grid 1x1 tile 32x32) slots 1 in [x] slot_bytes 4096", "fifo b ram of f32 tiled() slots 1 in [x] slot_bytes 4096"},
    {"all of a tiling", "fifo b ram of tt-bfp4b tiled(t 2 grid 1x2 mblock 3x4 ublock 5x6 column_major tile 16x32 flat) slots 1 in [] slot_bytes 1", NULL},
    {"a layout that is not there", "fifo b ram of f32 @9 slots 1 in [] slot_bytes 1", NULL},
    // Lists and flags of rows.
    {"no parts", "fifo b ram of f32[1] slots 1 in [] slot_bytes 4", NULL},
    {"parts that are not there", "fifo b ram of f32[1] slots 1 in [x, @9, @4294967295] slot_bytes 4", NULL},
    {"flags", "fifo b queue policy golden of f32[1] slots 1 in [x] slot_bytes 4 dynamic host_push host_pop", NULL},
    {"no bytes", "buffer b in m size 1 contents bytes", NULL},
    {"bytes", "buffer b in m size 1 contents pattern data 00ff", NULL},
    {"a relocation", "relocation x bit 64 gets high32 of x plus -1", NULL},
    {"a home of a space", "space b home 1", NULL},
    {"home 0 is usual", "space b home 0", "space b"},
    {"a home of a thread", "thread w home 7 {\n}", NULL},
    {"a port", "port a in x of f32[1]", NULL},
    {"all of a port", "port \"1\" in x of f32[2] by [-8] offset 8 result note \"buffer 4, first\"", NULL},
    {"a note of one word", "port a in x of f32[1] note b", NULL},
    {"no note", "port a in x of f32[1] offset 0 note \"\"", "port a in x of f32[1]"},
    {"a port of a buffer that is not there", "port a in @9 of f32[1]", NULL},
    {"a need of a port that is not there", "need @9 from 0 to 18446744073709551615", NULL},
    {"an entry", "entry e {\n    start t\n    parameter \"a b\" thread t register n\n}", NULL},
};

static const form steps[] = {
    // Values.
    {"the smallest number", "alu n = set -9223372036854775808", NULL},
    {"a hexadecimal one", "alu n = set 0x7fffffffffffffff", "alu n = set 9223372036854775807"},
    {"registers", "alu n = mul n n", NULL},
    {"a register that is not there", "alu @5 = add @6 1", NULL},
    {"a register by its number", "alu @0 = add @0 1", "alu n = add n 1"},
    {"a label in quotes", "\"a: b\": drain u", NULL},
    {"a step by its number", "branch n == 1 to 0", NULL},
    {"a label", "here: branch n >= 1 to here", "here: branch n >= 1 to 0"},
    {"marks without blanks", "branch n!=-1 to 1", "branch n != -1 to 1"},
    // Targets and arguments.
    {"a function", "call f", NULL},
    {"no arguments", "call f with []", "call f"},
    {"arguments", "call f with [x f32[1], n, -3, read(q) f32[1] + 4]", NULL},
    {"a table of functions", "call [f, @8, f] at -1", NULL},
    {"an empty table", "call [] at n", NULL},
    {"signals", "post u f then [s add 1, s set n, @9 sub 2]", NULL},
    {"no signal", "post u f then []", "post u f"},
    // Views.
    {"an offset of nothing", "move copy from [x f32[1] + 0] to x f32[1]", "move copy from [x f32[1]] to x f32[1]"},
    {"a negative offset", "move copy from [x f32[1] + -4] to x f32[1]", NULL},
    {"a register", "move copy from [x f32[1] + n * -4] to x f32[1]", NULL},
    {"both", "move copy from [x f32[1] + 8 + n * 0] to x f32[1]", NULL},
    {"a space", "move copy from [space(m) f32[1] + n * 1] to write(q) f32[4]", NULL},
    {"views that are not there", "move copy from [view(@99), param(@3) f32[1]] to @9 f32[1]", NULL},
    // Floats.
    {"a tenth", "move fma from [x f32[1] scale 0.1] to x f32[1]", NULL},
    {"the smallest float", "move fma from [x f32[1] scale 1e-45] to x f32[1]", NULL},
    {"the largest", "move fma from [x f32[1] scale 3.4028235e38] to x f32[1]", NULL},
    {"more digits than it has", "move fma from [x f32[1] scale 0.10000000149] to x f32[1]", "move fma from [x f32[1] scale 0.1] to x f32[1]"},
    {"without a scale", "move fma from [x f32[1]] to x f32[1]", "move fma from [x f32[1] scale 1] to x f32[1]"},
    {"a plus", "move fma from [x f32[1] scale 1e2] to x f32[1]", "move fma from [x f32[1] scale 1e02] to x f32[1]"},
    {"minus zero", "move copy from [x f32[1]] to x f32[1] fill -0", NULL},
    {"zero is usual", "move copy from [x f32[1]] to x f32[1] fill 0", "move copy from [x f32[1]] to x f32[1]"},
    {"infinity", "move copy from [x f32[1]] to x f32[1] fill -inf", NULL},
    {"a NaN's bits", "move copy from [x f32[1]] to x f32[1] fill nan_ffc12345", NULL},
    {"a signalling NaN", "move copy from [x f32[1]] to x f32[1] fill nan_7f800001", NULL},
    {"the smallest double", "move min from [x f32[1]] to x f32[1] start 5e-324", NULL},
    {"the largest double", "move min from [x f32[1]] to x f32[1] start 1.7976931348623157e308", NULL},
    {"a start of zero", "move max from [x f32[1]] to x f32[1] start 0", NULL},
    {"what is compared", "move max from [x i32[1]] to x i32[1] in i32 start 5", NULL},
    {"floats are usual", "move max from [x f32[1]] to x f32[1] in f32", "move max from [x f32[1]] to x f32[1]"},
    {"a cast", "move cast from [x i32[1, 1]] to x i32[1, 1] transpose [1, 0]", NULL},
    {"a NaN of 64 bits", "move max from [x f32[1]] to x f32[1] start nan_fff0000000000001", NULL},
    // Lists of numbers.
    {"rising numbers", "move copy from [x f32[1]] to x f32[3] table [0, 1, 2]", "move copy from [x f32[1]] to x f32[3] table [0..2]"},
    {"two are no range", "move copy from [x f32[1]] to x f32[2] table [0..1]", "move copy from [x f32[1]] to x f32[2] table [0, 1]"},
    {"equal numbers", "move copy from [x f32[1]] to x f32[2] table [-1, -1]", "move copy from [x f32[1]] to x f32[2] table [-1x2]"},
    {"equal, then rising", "move copy from [x f32[1]] to x f32[5] table [0, 0, 1, 2, 3]", "move copy from [x f32[1]] to x f32[5] table [0x2, 1..3]"},
    {"negative ones do not rise", "move copy from [x f32[1]] to x f32[3] table [-3, -2, -1]", NULL},
    {"the ends of 32 bits", "move copy from [x f32[1]] to x f32[2] table [2147483647, -2147483648]", NULL},
    {"up to the last number", "move copy from [x f32[1]] to x f32[3] table [2147483645..2147483647]", NULL},
    {"a range of one", "move copy from [x f32[1]] to x f32[1] table [7..7]", "move copy from [x f32[1]] to x f32[1] table [7]"},
    {"once", "move copy from [x f32[1]] to x f32[1] table [7x1]", "move copy from [x f32[1]] to x f32[1] table [7]"},
    {"axes", "move copy from [x f32[1, 1, 1]] to x f32[1, 1, 1] transpose [2, 0, 1]", NULL},
    // Operations.
    {"attributes of every kind", "compute golden.quantize(dtype tt-bfp8b, height 16, width 32) from [] to []", NULL},
    {"attributes in another order", "compute golden.reduce(group 2, dim 3) from [] to []", "compute golden.reduce(dim 3, group 2) from [] to []"},
    {"attributes that are left out", "compute golden.reduce(dim 3) from [] to []", "compute golden.reduce(dim 3, group 0) from [] to []"},
    {"a float attribute", "compute golden.add_scalar(value -0.5) from [x f32[1]] to [x f32[1]]", NULL},
    {"an opaque record", "opaque \"a b\" record 00 reads [x f32[1]] writes [x f32[1], x f32[1] + 4]", NULL},
    {"without anything known", "opaque b", NULL},
    {"a barrier", "collective barrier group 4294967295 members 1 rank 0", NULL},
    {"gather", "collective all_gather group 0 members 2 rank 1 from x f32[1] to x f32[2]", NULL},
    // Fifos and semaphores.
    {"a pointer", "set_pointer q begin = n", NULL},
    {"a wait that changes nothing", "wait s >= 1 then nothing", "wait s >= 1"},
    {"a wait that sets", "wait s < n then set -1", NULL},
    {"a push of a register", "push q by n", NULL},
};

typedef struct bad_form {
    const char *name;
    const char *rule;
    const char *written;
} bad_form;

static const bad_form bad_rows[] = {
    {"65 bits", "PRG-905", "space b capacity 18446744073709551616"},
    {"65 bits in hexadecimal", "PRG-905", "space b capacity 0x10000000000000000"},
    {"no digits", "PRG-905", "space b capacity 0x"},
    {"a capital digit", "PRG-905", "space b capacity 0xFF"},
    {"a fraction", "PRG-905", "space b capacity 1.5"},
    {"33 bits", "PRG-905", "space b alignment 4294967296"},
    {"64 signed bits and one", "PRG-905", "semaphore b initial 9223372036854775808"},
    {"the same below", "PRG-905", "semaphore b initial -9223372036854775809"},
    {"a negative address", "PRG-905", "buffer b in m size 1 at -1"},
    {"a row number of 33 bits", "PRG-903", "buffer b in @4294967296 size 1"},
    {"a row number without digits", "PRG-903", "buffer b in @ size 1"},
    {"a negative row number", "PRG-903", "buffer b in @-1 size 1"},
    {"a quoted row number", "PRG-903", "buffer b in \"@0\" size 1"},
    {"a name of another table", "PRG-903", "buffer b in x size 1"},
    {"an escape of one digit", "PRG-901", "space \"\\x1\""},
    {"an escape in capitals", "PRG-901", "space \"\\X1F\""},
    {"a line end in quotes", "PRG-901", "space \"b\nspace c\""},
    {"a quoted word", "PRG-906", "buffer b in m size 1 \"output\""},
    {"a quoted choice", "PRG-905", "buffer b in m size 1 lifetime \"run\""},
    {"a word without what follows", "PRG-905", "buffer b in m size 1 lifetime"},
    {"an offset without a window", "PRG-906", "buffer b in m size 1 offset 4"},
    {"data with a blank", "PRG-906", "buffer b in m size 1 data 00 ff"},
    {"data in capitals", "PRG-905", "buffer b in m size 1 data 0F"},
    {"data in quotes", "PRG-905", "buffer b in m size 1 data \"00\""},
    {"no part of an address", "PRG-905", "relocation x bit 0 gets all of x"},
    {"no kind of fifo", "PRG-905", "fifo b stack of f32[1] slots 1 in [x] slot_bytes 4"},
    {"a comma too many", "PRG-905", "fifo b ram of f32[1] slots 1 in [x,] slot_bytes 4"},
    {"a comma too few", "PRG-905", "fifo b ram of f32[1] slots 1 in [x x] slot_bytes 4"},
    {"more strides than dimensions", "PRG-905", "fifo b ram of f32[1] by [4, 4] slots 1 in [x] slot_bytes 4"},
    {"strides that overflow", "PRG-905", "fifo b ram of f32[2, 9223372036854775807] slots 1 in [x] slot_bytes 4"},
    {"a tiling that is not closed", "PRG-905", "fifo b ram of f32 tiled(t 2 slots 1 in [x] slot_bytes 4"},
    {"a tiling that is not opened", "PRG-905", "fifo b ram of f32 tiled t 2) slots 1 in [x] slot_bytes 4"},
    {"operands of a tiling in another order", "PRG-905", "fifo b ram of f32 tiled(grid 2x2 t 2) slots 1 in [x] slot_bytes 4"},
    {"half a pair", "PRG-905", "fifo b ram of f32 tiled(grid 2x) slots 1 in [x] slot_bytes 4"},
    {"the other half", "PRG-905", "fifo b ram of f32 tiled(grid x2) slots 1 in [x] slot_bytes 4"},
    {"a pair of 33 bits", "PRG-905", "fifo b ram of f32 tiled(grid 1x4294967296) slots 1 in [x] slot_bytes 4"},
    {"three of a pair", "PRG-905", "fifo b ram of f32 tiled(grid 1x2x3) slots 1 in [x] slot_bytes 4"},
    {"a thread that is not there", "PRG-903", "entry e {\nstart g\n}"},
    {"a register of no thread", "PRG-903", "entry e {\nstart t\nparameter a thread t register k\n}"},
    {"a register of a thread that is not there", "PRG-903", "entry e {\nstart t\nparameter a thread @9 register n\n}"},
};

static const bad_form bad_steps[] = {
    {"no operation", "PRG-905", "alu n = neg n"},
    {"no equals sign", "PRG-905", "alu n set 1"},
    {"one operand too few", "PRG-905", "alu n = add 1"},
    {"one too many", "PRG-906", "alu n = set 1 2"},
    {"a number as destination", "PRG-905", "alu 1 = set 1"},
    {"a float as value", "PRG-905", "alu n = set 1.0"},
    {"no comparison", "PRG-905", "branch n = 1 to 0"},
    {"half a comparison", "PRG-905", "branch n ! 1 to 0"},
    {"no step", "PRG-905", "branch n == 1 to -1"},
    {"a function that is not there", "PRG-903", "call g"},
    {"a table without an index", "PRG-905", "call [f, f]"},
    {"an argument that is nothing", "PRG-905", "call f with [,]"},
    {"arguments that do not end", "PRG-905", "call f with [n, x f32[1]"},
    {"a view as an index", "PRG-906", "call [f] at n f32[1]"},
    {"no kind of signal", "PRG-905", "post u f then [s mul 1]"},
    {"a signal without a value", "PRG-905", "post u f then [s add]"},
    {"signals before arguments", "PRG-906", "post u f then [s add 1] with [n]"},
    {"a view of nothing", "PRG-905", "move copy from [x] to x f32[1]"},
    {"a view that is not closed", "PRG-905", "move copy from [read(q f32[1]] to x f32[1]"},
    {"a parameter of a thread", "PRG-903", "move copy from [param(v) f32[1]] to x f32[1]"},
    {"a minus", "PRG-905", "move copy from [x f32[1] -4] to x f32[1]"},
    {"two offsets behind a register", "PRG-905", "move copy from [x f32[1] + n * 4 + 4] to x f32[1]"},
    {"a register without a factor", "PRG-905", "move copy from [x f32[1] + n] to x f32[1]"},
    {"no view with this number", "PRG-905", "move copy from [view(x)] to x f32[1]"},
    {"a scale of a copy", "PRG-905", "move copy from [x f32[1] scale 2] to x f32[1]"},
    {"a scale that is no number", "PRG-905", "move fma from [x f32[1] scale n] to x f32[1]"},
    {"a scale beyond float32", "PRG-905", "move fma from [x f32[1] scale 3.5e38] to x f32[1]"},
    {"a start that is no number", "PRG-905", "move max from [x f32[1]] to x f32[1] start nan"},
    {"a start beyond 64 bits", "PRG-905", "move max from [x f32[1]] to x f32[1] start 1e309"},
    {"a NaN of 65 bits", "PRG-905", "move max from [x f32[1]] to x f32[1] start nan_1fff0000000000001"},
    {"bits that are no NaN", "PRG-905", "move max from [x f32[1]] to x f32[1] start nan_7ff0000000000000"},
    {"a float NaN of 33 bits", "PRG-905", "move copy from [x f32[1]] to x f32[1] fill nan_1ffc00000"},
    {"an item of 33 bits", "PRG-905", "move copy from [x f32[1]] to x f32[1] table [2147483648]"},
    {"the same below", "PRG-905", "move copy from [x f32[1]] to x f32[1] table [-2147483649]"},
    {"three dots", "PRG-905", "move copy from [x f32[1]] to x f32[1] table [0...2]"},
    {"one dot", "PRG-905", "move copy from [x f32[1]] to x f32[1] table [0.2]"},
    {"a range from nowhere", "PRG-905", "move copy from [x f32[1]] to x f32[1] table [..2]"},
    {"a range to nowhere", "PRG-905", "move copy from [x f32[1]] to x f32[1] table [0..]"},
    {"a range beyond 32 bits", "PRG-905", "move copy from [x f32[1]] to x f32[1] table [0..2147483648]"},
    {"less than once", "PRG-905", "move copy from [x f32[1]] to x f32[1] table [5x-1]"},
    {"nine axes", "PRG-905", "move copy from [x f32[1]] to x f32[1] transpose [0, 1, 2, 3, 4, 5, 6, 7, 8]"},
    {"a negative axis", "PRG-905", "move copy from [x f32[1]] to x f32[1] transpose [-1]"},
    {"an attribute without a value", "PRG-905", "compute golden.reduce(dim) from [] to []"},
    {"attributes that do not end", "PRG-905", "compute golden.reduce(dim 3 from [] to []"},
    {"an attribute that is no type", "PRG-905", "compute golden.quantize(dtype 3) from [] to []"},
    {"an attribute where there is none", "PRG-905", "compute golden.add(dim 3) from [] to []"},
    {"an operation in quotes", "PRG-905", "compute \"golden.add\" from [] to []"},
    {"no kind of collective", "PRG-905", "collective scan group 0 members 1 rank 0"},
    {"a sum without an operation", "PRG-905", "collective all_reduce group 0 members 1 rank 0"},
    {"a gather with one", "PRG-905", "collective all_gather add group 0 members 1 rank 0"},
    {"no pointer", "PRG-905", "set_pointer q first = 0"},
    {"a pointer without a value", "PRG-905", "set_pointer q read"},
    {"no follow-up", "PRG-905", "wait s >= 1 then add 1"},
    {"a follow-up without a value", "PRG-905", "wait s >= 1 then set"},
    {"a follow-up with one", "PRG-906", "wait s >= 1 then clear 1"},
    {"a value without its word", "PRG-905", "push q 1"},
    {"a value that is not expected", "PRG-906", "reserve q by 1"},
};
// clang-format on

// COMMON, then a row or a thread with a step.
static hoist_str whole(hoist_test *t, const char *line, bool is_step)
{
    return is_step ? hoist_arena_format(&t->arena, COMMON "thread t {\nregister n\n%s\n}\n", line)
                   : hoist_arena_format(&t->arena, COMMON "thread t {\nregister n\n}\n%s\n", line);
}

static void expect_form(hoist_test *t, const form *row, bool is_step)
{
    hoist_program *program = hoist_test_program(t, whole(t, row->written, is_step), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    if (!program) {
        return;
    }
    const hoist_str text = hoist_test_program_text(t, program);
    const char *expected = row->printed ? row->printed : row->written;
    expected = hoist_arena_format(&t->arena, "\n%s%s\n", is_step ? "    " : "", expected).data;
    if (!hoist_str_contains(text, expected)) {
        hoist_test_fail(t, __FILE__, __LINE__, "expected%sin\n%.*s", expected,
                        HOIST_STR_ARGS(text));
    }
    hoist_program_destroy(program);
}

HOIST_TEST_TABLE(rows_are_printed, rows)
{
    expect_form(t, row, false);
}

HOIST_TEST_TABLE(steps_are_printed, steps)
{
    expect_form(t, row, true);
}

HOIST_TEST_TABLE(bad_rows_are_refused, bad_rows)
{
    hoist_program_destroy(hoist_test_program(t, whole(t, row->written, false), HOIST_INVALID));
    HOIST_EXPECT_RULE(t, row->rule);
}

HOIST_TEST_TABLE(bad_steps_are_refused, bad_steps)
{
    hoist_program_destroy(hoist_test_program(t, whole(t, row->written, true), HOIST_INVALID));
    HOIST_EXPECT_RULE(t, row->rule);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(rows_are_printed), HOIST_TEST_ROW(steps_are_printed),
                HOIST_TEST_ROW(bad_rows_are_refused), HOIST_TEST_ROW(bad_steps_are_refused))
