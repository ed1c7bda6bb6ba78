// Every word of every table is printed as it is read: choices, element types, operations and their
// attributes.
#include "program/fields.h"
#include "program/program_testing.h"

// A line with one choice; %s is its word.
typedef struct template
{
    const char *name;
    const hoist_record *(*record)(int kind);
    int kind;
    uint32_t field; // of the record
    const char *line;
    const char *without; // the line as it is printed with the usual word; NULL: with the word
}
template;

static const hoist_record *row_of(int kind)
{
    return hoist_row_record((hoist_row_kind)kind);
}

static const hoist_record *step_of(int kind)
{
    return hoist_step_record((hoist_step_kind)kind);
}

// clang-format off
static const template templates[] = {
    {"lifetimes of buffers", row_of, HOIST_ROW_BUFFER, 9, "buffer b in m size 4 lifetime %s", "buffer b in m size 4"},
    {"contents", row_of, HOIST_ROW_BUFFER, 11, "buffer b in m size 4 contents %s", "buffer b in m size 4"},
    {"parts of addresses", row_of, HOIST_ROW_RELOCATION, 2, "relocation x bit 0 gets %s of x", NULL},
    {"kinds of fifos", row_of, HOIST_ROW_FIFO, 1, "fifo r %s of f32[1] slots 1 in [x] slot_bytes 4", NULL},
    {"policies", row_of, HOIST_ROW_FIFO, 2, "fifo r ram policy %s of f32[1] slots 1 in [x] slot_bytes 4", "fifo r ram of f32[1] slots 1 in [x] slot_bytes 4"},
    {"lifetimes of registers", row_of, HOIST_ROW_REGISTER, 1, "thread w {\n    register k lifetime %s\n}", "thread w {\n    register k\n}"},
    {"comparisons of branches", step_of, HOIST_STEP_BRANCH, 1, "thread w {\n    branch 1 %s 2 to 0\n}", NULL},
    {"comparisons of waits", step_of, HOIST_STEP_WAIT, 1, "thread w {\n    wait s %s 1\n}", NULL},
    {"kinds of signals", step_of, HOIST_STEP_SIGNAL, 1, "thread w {\n    signal s %s 1\n}", NULL},
    {"pointers", step_of, HOIST_STEP_SET_POINTER, 1, "thread w {\n    set_pointer q %s = 1\n}", NULL},
    {"operations of reductions", step_of, HOIST_STEP_COLLECTIVE, 1, "thread w {\n    collective all_reduce %s group 0 members 1 rank 0\n}", NULL},
};
// clang-format on

// `line` is in the text of the program that it makes.
static void expect_line(hoist_test *t, const char *line, const char *printed)
{
    hoist_program *program = hoist_test_program(
        t, hoist_arena_format(&t->arena, "%s%s\n", HOIST_COMMON_ROWS, line), HOIST_OK);
    if (!program) {
        return;
    }
    const hoist_str text = hoist_test_program_text(t, program);
    if (!hoist_str_contains(text, hoist_arena_format(&t->arena, "\n%s\n", printed).data)) {
        hoist_test_fail(t, __FILE__, __LINE__, "expected %s in\n%.*s", printed,
                        HOIST_STR_ARGS(text));
    }
    hoist_program_destroy(program);
}

// `line` with `word` for its %s.
static const char *fill(hoist_test *t, const char *line, const char *word)
{
    const hoist_str all = hoist_str_from(line);
    size_t at = 0;
    while (at + 1 < all.size && !(line[at] == '%' && line[at + 1] == 's')) {
        at++;
    }
    return hoist_arena_format(&t->arena, "%.*s%s%s", (int)at, line, word, line + at + 2).data;
}

HOIST_TEST_TABLE(every_choice_comes_back, templates)
{
    const hoist_field *field = &row->record(row->kind)->fields[row->field];
    HOIST_EXPECT_EQ(t, field->type, HOIST_FIELD_CHOICE);
    HOIST_EXPECT_EQ(t, field->optional, row->without != NULL);
    for (uint32_t i = 0; i < field->words->count; i++) {
        const char *line = fill(t, row->line, field->words->names[i]);
        const bool left_out = field->optional && i == (uint32_t)field->usual;
        expect_line(t, line, left_out ? row->without : line);
    }
}

// Those whose word decides what follows it.
static const struct {
    const char *name;
    hoist_step_kind kind;
    uint32_t field;
    const char *lines[16]; // one for each word, in their order
} following[] = {
    {"operations of an alu",
     HOIST_STEP_ALU,
     1,
     {"alu @0 = set 1", "alu @0 = add 1 2", "alu @0 = sub 1 2", "alu @0 = mul 1 2",
      "alu @0 = and 1 2", "alu @0 = or 1 2", "alu @0 = xor 1 2", "alu @0 = shl 1 2",
      "alu @0 = shr 1 2", "alu @0 = eq 1 2", "alu @0 = lt 1 2", "alu @0 = le 1 2",
      "alu @0 = incwrap 1 2", "alu @0 = wrap32 1"}},
    {"what follows a wait",
     HOIST_STEP_WAIT,
     3,
     {"wait s >= 1", "wait s >= 1 then subtract 1", "wait s >= 1 then clear",
      "wait s >= 1 then set 1"}},
    {"kinds of moves",
     HOIST_STEP_MOVE,
     0,
     {"move copy from [x f32[1]] to y f32[1]", "move cast from [x f32[1]] to y f32[1]",
      "move fma from [x f32[1] scale 2] to y f32[1]", "move add from [x f32[1]] to y f32[1]",
      "move min from [x f32[1]] to y f32[1] start 0",
      "move max from [x f32[1]] to y f32[1] start -1"}},
    {"kinds of collectives",
     HOIST_STEP_COLLECTIVE,
     0,
     {"collective barrier group 0 members 1 rank 0",
      "collective all_reduce add group 0 members 1 rank 0 from x f32[1] to y f32[1]",
      "collective all_gather group 0 members 1 rank 0 from x f32[1] to y f32[1]",
      "collective reduce_scatter max group 0 members 1 rank 0 from x f32[1] to y f32[1]",
      "collective broadcast group 0 members 1 rank 0 from x f32[1] to y f32[1]"}},
};

HOIST_TEST_TABLE(every_choice_has_its_operands, following)
{
    const hoist_words *words = hoist_step_record(row->kind)->fields[row->field].words;
    for (uint32_t i = 0; i < words->count; i++) {
        const char *line = row->lines[i];
        const bool usual = i == 0 && row->field == 3;
        HOIST_EXPECT(t,
                     line && (usual || hoist_str_contains(hoist_str_from(line), words->names[i])));
        line = hoist_arena_format(&t->arena, "thread w {\n    %s\n}", line ? line : "").data;
        expect_line(t, line, line);
    }
}

HOIST_TEST(every_element_type_comes_back)
{
    for (int i = 0; i < HOIST_DTYPE_COUNT; i++) {
        const char *line =
            hoist_arena_format(&t->arena, "function g {\n    parameter a view %s tiled()\n}",
                               hoist_dtype_get((hoist_dtype)i)->name)
                .data;
        expect_line(t, line, line);
    }
}

// The operation with a value for each of its attributes.
static hoist_str operation_text(hoist_test *t, const hoist_compute_def *def)
{
    static const char *const values[] = {
        [HOIST_COMPUTE_INT] = "-7", [HOIST_COMPUTE_FLOAT] = "0.5", [HOIST_COMPUTE_DTYPE] = "bf16"};
    hoist_str text =
        hoist_arena_format(&t->arena, "%s.%s", hoist_profile_name(def->profile), def->name);
    for (uint8_t i = 0; i < def->attr_count; i++) {
        text = hoist_arena_format(&t->arena, "%s%s%s %s%s", text.data, i ? ", " : "(",
                                  def->attrs[i].name, values[def->attrs[i].kind],
                                  i + 1 == def->attr_count ? ")" : "");
    }
    return text;
}

HOIST_TEST(every_operation_comes_back)
{
    for (int i = 0; i < HOIST_COMPUTE_COUNT; i++) {
        const hoist_compute_def *def = hoist_compute_get((hoist_compute_op)i);
        const char *line =
            hoist_arena_format(&t->arena, "thread w {\n    compute %s from [] to []\n}",
                               operation_text(t, def).data)
                .data;
        expect_line(t, line, line);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(every_choice_comes_back),
                HOIST_TEST_ROW(every_choice_has_its_operands),
                HOIST_TEST_ROW(every_element_type_comes_back),
                HOIST_TEST_ROW(every_operation_comes_back))
