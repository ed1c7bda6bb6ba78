// Every rule of the verifier has a row here; verify_*_test.c have one per clause.
#include <string.h>

#include "program/builder.h"
#include "program/program_testing.h"
#include "program/rules.h"
#include "program/text.h"
#include "program/verify.h"

typedef struct verify_case {
    const char *name;
    const char *rule;   // NULL: clean
    const char *object; // NULL: not looked at
    const char *text;   // after HOIST_COMMON_ROWS
} verify_case;

static const verify_case cases[] = {
    {"the common rows are clean", NULL, NULL, ""},
    {"good steps", NULL, NULL,
     HOIST_STEPS(
         "call f with [1, x f32[4], y f32[4]]\n"
         "loop i\nbranch i < 3 to next\nnext: alu i = add i 1\nend\n"
         "move copy from [x f32[2, 3]] to y f32[6] by [16]\n"
         "move copy from [t f32 tiled(t 2)] to t f32 tiled(t 3) + 2 table [0, -1, 1]\n"
         "compute ieee.add from [x f32[4], y f32[4]] to [x f32[4]]\n"
         "compute golden.matmul from [t f32 tiled(ublock 1x2), t f32 tiled(ublock 2x1) + 2] "
         "to [t f32 tiled() + 4]\n"
         "move copy from [read(q) f32 tiled(t 2)] to t f32 tiled(t 2)\n"
         "collective all_gather group 0 members 2 rank 1 from x f32[4] to y f32[8]\n"
         "post u f with [1, x f32[4], y f32[4]] then [s add 1]\ndrain u\n")},
    {"a view of a buffer that is not there", "PRG-001", "threads/main/steps/0",
     HOIST_STEPS("move copy from [@99 f32[4]] to x f32[4]\n")},
    {"alignment of a space", "PRG-004", "spaces/n", "space n alignment 3\n"},
    {"a buffer without bytes", "PRG-005", "buffers/b", "buffer b in m size 0\n"},
    {"beyond the space", "PRG-006", "buffers/b", "buffer b in m size 64 at 0xffe0\n"},
    {"at the end of the space", NULL, NULL, "buffer b in m size 64 at 0xffc0\n"},
    {"two buffers at one place", "PRG-007", "buffers/b2",
     "buffer b1 in m size 64 at 0x0\nbuffer b2 in m size 64 at 0x20\n"},
    {"side by side", NULL, NULL, "buffer b1 in m size 32 at 0x0\nbuffer b2 in m size 64 at 0x20\n"},
    {"one place in two spaces", NULL, NULL,
     "buffer b1 in m size 32 at 0x0\nbuffer b2 in host size 64 at 0x0\n"},
    {"dynamic fifos share memory", NULL, NULL,
     "buffer b1 in m size 64 at 0x0\nbuffer b2 in m size 64 at 0x0\n"
     "fifo d1 queue of f32[1] slots 1 in [b1] slot_bytes 4 dynamic\n"
     "fifo d2 queue of f32[1] slots 1 in [b2] slot_bytes 4 dynamic\n"},
    {"a window is no overlap", NULL, NULL,
     "buffer b1 in m size 64 at 0x40\nbuffer b2 in m size 32 at 0x60 window b1 offset 32\n"},
    {"a window beyond its base", "PRG-008", "buffers/w",
     "buffer w in m size 4096 window x offset 1\n"},
    {"a relocation beyond the end", "PRG-009", "buffers/c",
     "relocation c bit 449 gets whole of x\n"},
    {"a relocation at the end", NULL, NULL, "relocation c bit 448 gets whole of x\n"},
    {"two relocations of one field", "PRG-010", "buffers/c",
     "relocation c bit 6 gets low32 of x\nrelocation c bit 37 gets high32 of x\n"},
    {"no slots", "PRG-011", "fifos/r", "fifo r ram of f32[1] slots 0 in [x] slot_bytes 4\n"},
    {"parts for another grid", "PRG-012", "fifos/r",
     "fifo r ram of tt-bfp8b tiled(grid 1x2) slots 1 in [x] slot_bytes 64 tile_alignment 32\n"},
    {"push tables", NULL, NULL,
     "fifo r queue of f32 tiled(t 2) slots 1 in [t] slot_bytes 8448 tile_alignment 32 host_push "
     "push_shape [1, 33, 32] push_tiles [1, -1]\n"},
    {"a push tile that is not there", "PRG-013", "fifos/r",
     "fifo r queue of f32 tiled(t 2) slots 1 in [t] slot_bytes 8448 tile_alignment 32 host_push "
     "push_shape [1, 32, 32] push_tiles [1, -1]\n"},
    {"a unit that holds nothing", "PRG-014", "units/v", "unit v depth 0\n"},
    {"a negative semaphore", "PRG-015", "semaphores/r", "semaphore r initial -1\n"},
    {"an entry without threads", "PRG-037", "entries/e", "entry e {\n}\n"},
    {"a dimension below 0", "PRG-016", NULL,
     HOIST_STEPS("move copy from [x f32[-1] by [4]] to y f32[1]\n")},
    {"block floats without tiles", "PRG-017", NULL,
     HOIST_STEPS("move copy from [x tt-bfp8b[4]] to y f32[4]\n")},
    {"a view beyond its buffer", "PRG-018", "threads/main/steps/0",
     HOIST_STEPS("move copy from [c f32[4] + 52] to x f32[4]\n")},
    {"a view backwards", NULL, NULL,
     HOIST_STEPS("move copy from [c f32[4] by [-4] + 12] to x f32[4]\n")},
    {"a view of nothing anywhere", NULL, NULL,
     HOIST_STEPS("move copy from [c f32[0] + 4096] to x f32[0]\n")},
    {"a register that is not there", "PRG-019", NULL, HOIST_STEPS("alu @7 = set 1\n")},
    {"a register of a function that stays", "PRG-020", "functions/g",
     "function g {\n register r lifetime session\n}\n"},
    {"an end without a loop", "PRG-021", "threads/main/steps/0", HOIST_STEPS("end\n")},
    {"a branch behind the last step", NULL, NULL, HOIST_STEPS("branch i == 0 to 1\n")},
    {"a branch beyond the code", "PRG-022", NULL, HOIST_STEPS("branch i == 0 to 2\n")},
    {"a branch to the end", NULL, NULL, HOIST_STEPS("loop 2\nbranch i == 0 to 2\nend\n")},
    {"a function that posts", "PRG-023", "functions/g/steps/0",
     "function g {\n post u f with [1, x f32[4], y f32[4]]\n}\n"},
    {"too few arguments", "PRG-024", NULL, HOIST_STEPS("call f with [1, x f32[4]]\n")},
    {"a function that calls itself", "PRG-025", "functions/g/steps/0",
     "function g {\n call g\n}\n"},
    {"a constant is written", "PRG-026", NULL,
     HOIST_STEPS("move copy from [x f32[4]] to c f32[4]\n")},
    {"elements beyond a buffer", "PRG-040", "buffers/e", "buffer e in m size 24 of f32[2, 4]\n"},
    {"elements with gaps", "PRG-040", "buffers/e", "buffer e in m size 24 of f32[3] by [8]\n"},
    {"elements that share bytes", "PRG-041", NULL,
     HOIST_STEPS("compute ieee.relu from [x f32[2]] to [y f32[2] by [0]]\n")},
    {"elements of a buffer", NULL, NULL, "buffer e in m size 24 of f32[2, 3]\n"},
    {"a port beyond its buffer", "PRG-042", "ports/a", "port a in c of f32[17]\n"},
    {"a port of a fifo's name", "PRG-043", "ports/q", "port q in x of f32[1]\n"},
    {"a need beyond its buffer", "PRG-044", "ports/a",
     "port a in x of f32[1]\nneed a from 0 to 4097\n"},
    {"ports that share bytes", NULL, NULL,
     "port a in x of f32[4]\nport b in x of u8[4] offset 12\nneed b from 0 to 16\n"},
    {"memory of another home", "PRG-045", "threads/main/steps/0",
     "space far home 1\nbuffer z in far size 4 lifetime session\n" HOIST_STEPS(
         "move copy from [z f32[1]] to x f32[1]\n")},
    {"incwrap by 0", "PRG-039", NULL, HOIST_STEPS("alu i = incwrap 1 0\n")},
    {"a move without sources", "PRG-027", NULL, HOIST_STEPS("move add from [] to x f32[4]\n")},
    {"a transpose of a cast", NULL, NULL,
     HOIST_STEPS("move cast from [x f32[2, 2]] to y bf16[2, 2] transpose [1, 0]\n")},
    {"a cast of two sources", "PRG-027", NULL,
     HOIST_STEPS("move cast from [x f32[4], x f32[4]] to y f32[4]\n")},
    {"a cast with a table", "PRG-027", NULL,
     HOIST_STEPS("move cast from [x f32[4]] to y f32[4] table [0..3]\n")},
    {"a cast of tiles", "PRG-027", NULL,
     HOIST_STEPS("move cast from [t f32 tiled()] to t f32 tiled() + 1\n")},
    {"integers compared", NULL, NULL,
     HOIST_STEPS("move min from [x i32[4], x i32[4]] to y i32[4] in i32 start 3\n"
                 "move max from [x u32[4]] to y u32[4] in u32\n")},
    {"a sum in integers", "PRG-027", NULL,
     HOIST_STEPS("move add from [x i32[4]] to y i32[4] in i32\n")},
    {"a source of another type", "PRG-027", NULL,
     HOIST_STEPS("move min from [x i32[4], x u32[4]] to y i32[4] in i32\n")},
    {"a destination of another type", "PRG-027", NULL,
     HOIST_STEPS("move max from [x u32[4]] to y f32[4] in u32\n")},
    {"other counts", "PRG-028", NULL, HOIST_STEPS("move copy from [x f32[4]] to y f32[5]\n")},
    {"a table of another length", "PRG-029", NULL,
     HOIST_STEPS("move copy from [x f32[4]] to y f32[4] table [0..2]\n")},
    {"an axis twice", "PRG-030", NULL,
     HOIST_STEPS("move copy from [x f32[2, 2]] to y f32[2, 2] transpose [1, 1]\n")},
    {"tiles onto themselves", "PRG-031", NULL,
     HOIST_STEPS("move copy from [t f32 tiled(t 2)] to t f32 tiled(t 2) + 1\n")},
    {"too many inputs", "PRG-032", NULL,
     HOIST_STEPS("compute ieee.relu from [x f32[4], x f32[4]] to [y f32[4]]\n")},
    {"a number out of range", "PRG-033", NULL,
     HOIST_STEPS("compute golden.exp(vector 3) from [t f32 tiled()] to [t f32 tiled()]\n")},
    {"inputs that do not fit", "PRG-034", NULL,
     HOIST_STEPS("compute golden.matmul from [t f32 tiled(ublock 1x2), t f32 tiled()] to "
                 "[t f32 tiled() + 4]\n")},
    {"a product in place", "PRG-035", NULL,
     HOIST_STEPS(
         "compute golden.matmul from [t f32 tiled(), t f32 tiled() + 1] to [t f32 tiled()]\n")},
    {"columns beside each other", NULL, NULL,
     HOIST_STEPS(
         "compute ieee.relu from [x f32[4, 2] by [16, 4]] to [x f32[4, 2] by [16, 4] + 8]\n")},
    {"a rank that is not there", "PRG-036", NULL,
     HOIST_STEPS("collective barrier group 0 members 2 rank 2\n")},
    {"a read before the write", "PRG-038", "threads/main/steps/0",
     HOIST_STEPS(
         "move copy from [own f32[4]] to x f32[4]\nmove copy from [x f32[4]] to own f32[4]\n")},
    {"a read of two writes", NULL, NULL,
     HOIST_STEPS(
         "move copy from [x f32[4]] to own f32[4] + 16\nmove copy from [x f32[4]] to own f32[4]\n"
         "move copy from [own f32[8]] to x f32[8]\n")},
    {"a read behind a write through a window", NULL, NULL,
     "buffer w in m size 32 window own offset 16\n" HOIST_STEPS(
         "move copy from [x f32[4]] to w f32[4]\nmove copy from [own f32[4] + 16] to x f32[4]\n")},
    {"a read of what a register chose", NULL, NULL,
     HOIST_STEPS(
         "move copy from [x f32[4]] to own f32[4] + i * 4\nmove copy from [own f32[16]] to x "
         "f32[16]\n")},
    {"behind a branch nothing is known", NULL, NULL,
     HOIST_STEPS("branch i == 0 to 1\nmove copy from [own f32[4]] to x f32[4]\n")},
    {"many writes", NULL, NULL,
     HOIST_STEPS(
         "move copy from [x u8[1]] to own u8[1]\nmove copy from [x u8[1]] to own u8[1] + 2\n"
         "move copy from [x u8[1]] to own u8[1] + 4\nmove copy from [x u8[1]] to own u8[1] + 6\n"
         "move copy from [x u8[1]] to own u8[1] + 8\nmove copy from [x u8[1]] to own u8[1] + 10\n"
         "move copy from [x u8[1]] to own u8[1] + 12\nmove copy from [x u8[1]] to own u8[1] + 14\n"
         "move copy from [x u8[1]] to own u8[1] + 16\nmove copy from [x u8[1]] to own u8[1] + 18\n"
         "move copy from [x u8[1]] to own u8[1] + 20\nmove copy from [x u8[1]] to own u8[1] + 22\n"
         "move copy from [x u8[1]] to own u8[1] + 24\nmove copy from [x u8[1]] to own u8[1] + 26\n"
         "move copy from [x u8[1]] to own u8[1] + 28\nmove copy from [x u8[1]] to own u8[1] + 30\n"
         "move copy from [x u8[1]] to own u8[1] + 32\nmove copy from [own u8[31]] to x u8[31]\n")},
};

static const char *first_object(hoist_test *t, const char *rule)
{
    for (size_t i = 0; rule && i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *finding = hoist_diag_at(t->diag, i);
        if (hoist_str_equal_c(hoist_str_from(finding->rule->id), rule)) {
            return hoist_arena_str(&t->arena, finding->object).data;
        }
    }
    return "";
}

HOIST_TEST_TABLE(each_rule_has_a_bad_program, cases)
{
    hoist_program *program = hoist_test_program(
        t, hoist_arena_format(&t->arena, "%s%s", HOIST_COMMON_ROWS, row->text), HOIST_OK);
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, row->rule);
    if (row->rule && row->object) {
        HOIST_EXPECT_STR(t, hoist_str_from(first_object(t, row->rule)), row->object);
    }
    if (row->rule) {
        HOIST_EXPECT_EQ(t, hoist_diag_at(t->diag, 0)->loc.kind, HOIST_LOC_TEXT);
        HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), hoist_diag_kept(t->diag));
    }
    hoist_program_destroy(program);
}

// What no text can say.

static hoist_program *build(hoist_test *t, void (*fill)(hoist_builder *b))
{
    hoist_builder *b = NULL;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("p"), &b),
                    HOIST_OK);
    fill(b);
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &program), HOIST_OK);
    return program;
}

static void two_of_a_name(hoist_builder *b)
{
    (void)hoist_builder_unit(b, &(hoist_prog_unit){.name = HOIST_STR("u"), .depth = 1});
    (void)hoist_builder_unit(b, &(hoist_prog_unit){.name = HOIST_STR("u"),
                                                   .depth = 1,
                                                   .loc = hoist_loc_pos((hoist_pos){7, 3})});
}

static void no_name(hoist_builder *b)
{
    (void)hoist_builder_begin_thread(b, &(hoist_prog_thread){.name = HOIST_STR("t")});
    (void)hoist_builder_register(b, &(hoist_prog_register){.initial = 1});
    hoist_builder_end_code(b);
}

static void unknown_step(hoist_builder *b)
{
    (void)hoist_builder_begin_thread(b, &(hoist_prog_thread){.name = HOIST_STR("t")});
    (void)hoist_builder_step(b, &(hoist_prog_step){.kind = HOIST_STEP_COUNT});
    hoist_builder_end_code(b);
}

static void unknown_choice(hoist_builder *b)
{
    (void)hoist_builder_space(b, &(hoist_prog_space){.name = HOIST_STR("m"), .alignment = 1});
    (void)hoist_builder_buffer(b, &(hoist_prog_buffer){.name = HOIST_STR("x"),
                                                       .size = 1,
                                                       .alignment = 1,
                                                       .window_of = HOIST_NO_REF,
                                                       .lifetime = (hoist_lifetime)9});
}

static const struct {
    const char *name;
    const char *rule;
    uint32_t line; // 0: no place
    void (*fill)(hoist_builder *b);
} built[] = {
    {"two of a name", "PRG-003", 7, two_of_a_name},
    {"no name", "PRG-003", 0, no_name},
    {"a step of no kind", "PRG-002", 0, unknown_step},
    {"a lifetime that does not exist", "PRG-002", 0, unknown_choice},
};

HOIST_TEST_TABLE(what_only_code_can_do_wrong, built)
{
    hoist_program *program = build(t, row->fill);
    HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, row->rule);
    HOIST_EXPECT_EQ(t, hoist_diag_at(t->diag, 0)->loc.pos.line, row->line);
    hoist_buffer out; // what is wrong can be looked at
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_program_print(program, &out), HOIST_OK);
    hoist_buffer_deinit(&out);
    hoist_program_destroy(program);
}

static bool has_row(const char *rule)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(cases); i++) {
        if (cases[i].rule && strcmp(cases[i].rule, rule) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(built); i++) {
        if (strcmp(built[i].rule, rule) == 0) {
            return true;
        }
    }
    return false;
}

// Those of runs begin at 101, those of the text at 901: text_test.c has a row for each.
HOIST_TEST(every_rule_of_the_verifier_has_a_row)
{
    for (int i = 0; i < HOIST_PRG_101; i++) {
        const char *id = hoist_program_rule_get((hoist_program_rule)i)->id;
        if (!has_row(id)) {
            hoist_test_fail(t, __FILE__, __LINE__, "no row has %s", id);
        }
    }
}

HOIST_TEST(every_rule_is_complete)
{
    HOIST_EXPECT_EQ(t, hoist_program_rules.count, HOIST_PRG_COUNT);
    for (size_t i = 0; i < hoist_program_rules.count; i++) {
        const hoist_rule *rule = &hoist_program_rules.rules[i];
        HOIST_EXPECT(t, rule->id && rule->title[0] && rule->detail[0] && rule->source[0]);
    }
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    static const char text[] = HOIST_COMMON_ROWS HOIST_STEPS(
        "move copy from [x f32[4]] to own f32[4]\nmove copy from [own f32[4]] to x f32[4]\n");
    const hoist_bytes bytes = {(const uint8_t *)text, sizeof text - 1};
    hoist_failing failing = {.parent = hoist_allocator_system()};
    hoist_program *program = NULL;
    size_t n = 0;
    hoist_status status = HOIST_NO_MEMORY;
    while (status == HOIST_NO_MEMORY && n < 10000) {
        status =
            hoist_program_parse(bytes, hoist_failing_allocator(&failing, ++n), t->diag, &program);
        if (status == HOIST_OK) {
            status = hoist_program_verify(program, t->diag);
            hoist_program_destroy(program);
        }
        HOIST_EXPECT_EQ(t, failing.live, 0);
    }
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT(t, n > 30);
    HOIST_EXPECT_RULE(t, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_rule_has_a_bad_program),
                HOIST_TEST_ROW(what_only_code_can_do_wrong),
                HOIST_TEST_ROW(every_rule_of_the_verifier_has_a_row),
                HOIST_TEST_ROW(every_rule_is_complete),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
