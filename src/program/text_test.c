#include <string.h>

#include "program/fields.h"
#include "program/program_testing.h"
#include "program/rules.h"
#include "program/text.h"

// Every line of every kind, as it is printed.
static const char canonical[] =
    "program all\n"
    "space hbm capacity 1048576 alignment 64 home 3\n"
    "space host\n"
    "buffer x in hbm size 128 alignment 64 at 0x8000000000000040 lifetime session output "
    "contents bytes data 00ff12\n"
    "buffer typed in hbm size 24 of f32[2, 3] output contents caller\n"
    "buffer \"a b\" in hbm size 64 window x offset 32\n"
    "buffer tiles in host size 16384 lifetime run contents zero\n"
    "buffer q0 in hbm size 8352 lifetime constant contents caller\n"
    "relocation x bit 70 gets low32 of q0 plus -4\n"
    "relocation x bit 0 gets whole of x\n"
    "port \"op:add\" in x of bf16[2, 3] by [16, 2] offset 4 result note \"buffer 3, BF16 [2, 3]\"\n"
    "port all in x of u8[128]\n"
    "need all from 64 to 128\n"
    "need \"op:add\" from 0 to 1\n"
    "fifo q queue of tt-bfp8b tiled(t 2 mblock 1x2 ublock 2x1 column_major tile 16x32 "
    "flat) slots 4 in [q0, @77] header 32 slot_bytes 2080 tile_alignment 32 dynamic host_push "
    "host_pop push_shape [2, 32, 64] push_tiles [0..3, -1x2, 5, 6]\n"
    "fifo r ram policy golden of f32[2, 3] slots 2 in [q0] slot_bytes 64\n"
    "unit u depth 32\n"
    "semaphore s initial 2 maximum 3\n"
    "semaphore done\n"
    "function f {\n"
    "    parameter in view f32[4, 4]\n"
    "    parameter n\n"
    "    parameter out view f32[4, 4] by [4, 16] written\n"
    "    register i initial -3\n"
    "    loop n must_run\n"
    "        move copy from [param(in) f32[4, 4] + 4 + i * 64] to param(out) f32[4, 4] by [4, 16]\n"
    "        alu i = incwrap 1 8\n"
    "    end\n"
    "    move fma from [x f32[4] scale 1, x f32[4] scale 0.1] to x f32[4] + -4\n"
    "    move max from [x bf16[2]] to x bf16[2] start -inf\n"
    "    move copy from [x f32[2, 3]] to x f32[3, 2] transpose [1, 0]\n"
    "    move copy from [tiles f32 tiled(t 4)] to tiles f32 tiled(t 4) + 4 table [0..2, -1] "
    "fill 1e-20\n"
    "    \"the product\": compute golden.matmul from [read(q) f32 tiled(), write(r) f32 tiled()] "
    "to [tiles f32 tiled()]\n"
    "    compute golden.quantize(dtype tt-bfp8b, height 32, width 16) from [tiles f32 tiled()] "
    "to [tiles f32 tiled() + 1]\n"
    "    compute golden.add_scalar(value nan_7fc00001) from [tiles f32 tiled()] "
    "to [space(host) f32 tiled() + i * 1]\n"
    "    opaque PE_01 record 0100ff reads [x u8[8]] writes [view(@99)]\n"
    "    opaque nothing skip\n"
    "}\n"
    "function g {\n"
    "}\n"
    "thread main home 4294967295 {\n"
    "    register n lifetime session initial 7\n"
    "    register m lifetime run\n"
    "    alu n = set 5\n"
    "    alu n = add n -1\n"
    "    branch n < 4 to 0\n"
    "    call f with [x f32[4, 4], n, x f32[4, 4]]\n"
    "    post u [f, g] at n with [12] then [s add 1, done set n]\n"
    "    drain u\n"
    "    wait s >= 4 then subtract 4\n"
    "    wait s == n\n"
    "    wait s > 0 then clear\n"
    "    signal s sub 1\n"
    "    reserve q\n"
    "    push q by 1\n"
    "    await q\n"
    "    advance q by n\n"
    "    pop q by 2\n"
    "    set_pointer q local = n\n"
    "    set_pointer q begin = 4\n"
    "    allocate q\n"
    "    free q\n"
    "    zero r\n"
    "    collective barrier group 0 members 2 rank 1\n"
    "    collective all_reduce add group 1 members 2 rank 0 from x f32[4] to x f32[4] + 16\n"
    "}\n"
    "entry load once {\n"
    "    start main\n"
    "}\n"
    "entry run {\n"
    "    start main\n"
    "    parameter $p_loop thread main register m\n"
    "}\n";

static void expect_round_trip(hoist_test *t, hoist_str text)
{
    hoist_program *first = hoist_test_program(t, text, HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    if (!first) {
        return;
    }
    const hoist_str once = hoist_test_program_text(t, first);
    hoist_program_destroy(first);
    hoist_program *second = hoist_test_program(t, once, HOIST_OK);
    if (second) {
        HOIST_EXPECT(t, hoist_str_equal(hoist_test_program_text(t, second), once));
        hoist_program_destroy(second);
    }
}

HOIST_TEST(every_line_comes_back)
{
    hoist_program *program = hoist_test_program(t, hoist_str_from(canonical), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    if (program) {
        HOIST_EXPECT_STR(t, hoist_test_program_text(t, program), canonical);
        hoist_program_destroy(program);
    }
    expect_round_trip(t, hoist_str_from(canonical));
}

HOIST_TEST(what_people_write_is_read)
{
    expect_round_trip(t,
                      HOIST_STR("# a comment\r\n\n  program p # and another\r\n"
                                "entry e{\nstart main\n}\n" // later lines may be named
                                "thread main {\n"
                                "first: alu i = set 0x10\n" // so may registers
                                "branch i>=2 to last\n"
                                "last: alu i = set 1\n"
                                "branch i == 0 to first\n"
                                "move copy from [x f32[0]] to x f32[0] table []\n"
                                "move fma from [x f32[1], x f32[1] scale inf] to x f32[1]\n"
                                "move min from [x f32[1]] to x f32[1] start nan_7ff8000000000001\n"
                                "register i\n}\n"
                                "buffer x in \"\\x01\\\\\\\"\" size 4\n"
                                "space \"\\x01\\\\\\\"\"\n"
                                "space \"view\"\nspace \"\"\n"));
}

HOIST_TEST(names_are_written_as_they_are_shown)
{
    const hoist_str text =
        HOIST_STR("program p\nspace \"a\xe2\x80\xae\xc2\x9b\x7f\\xff\xc3\xa4\"\n");
    hoist_program *program = hoist_test_program(t, text, HOIST_OK);
    if (!program) {
        return;
    }
    HOIST_EXPECT_STR(t, program->spaces[0].name, "a\xe2\x80\xae\xc2\x9b\x7f\xff\xc3\xa4");
    const char *const line = "space \"a\\xe2\\x80\\xae\\xc2\\x9b\\x7f\\xff\xc3\xa4\"\n";
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_program_text(t, program), line));
    hoist_program_destroy(program);
    expect_round_trip(t, text);
    expect_round_trip(t, hoist_arena_format(&t->arena, "program p\n%s", line));
}

static const struct {
    const char *name;
    const char *rule;
    const char *place; // "line:column" of the first finding
    const char *text;  // after `program p` and a line `space m`
} bad[] = {
    {"a character without meaning", "PRG-901", "3:10", "buffer x ; in m size 4"},
    {"a line of nothing", "PRG-901", "3:1", "\\"},
    {"a nul", "PRG-901", "3:7", "space \x01"},
    {"quotes that do not end", "PRG-901", "3:7", "space \"n"},
    {"an escape that does not exist", "PRG-901", "3:7", "space \"\\n\""},
    {"half an escape", "PRG-901", "3:7", "space \"\\x0\""},
    {"no keyword", "PRG-902", "3:1", "spaces n"},
    {"a mark as keyword", "PRG-902", "3:1", "( n"},
    {"a quoted keyword", "PRG-902", "3:1", "\"space\" n"},
    {"a step outside", "PRG-902", "3:1", "zero f"},
    {"a declaration inside", "PRG-902", "4:1", "thread t {\nbuffer x in m size 4\n}"},
    {"a step in an entry", "PRG-902", "4:1", "entry e {\nloop 1\n}"},
    {"a parameter in a thread", "PRG-902", "4:1", "thread t {\nparameter n\n}"},
    {"a parameter behind a register", "PRG-902", "5:1", "function f {\nregister r\nparameter n\n}"},
    {"a label of a row", "PRG-902", "3:1", "here: space n"},
    {"a label of an end", "PRG-902", "4:1", "thread t {\nhere: }"},
    {"an unknown space", "PRG-903", "3:13", "buffer x in n size 4"},
    {"an unknown register", "PRG-903", "4:6", "thread t {\nloop n\n}"},
    {"a register of another", "PRG-903", "7:6",
     "thread s {\nregister n\n}\nthread t {\nloop n\n}\n"},
    {"an unknown label", "PRG-903", "4:18", "thread t {\nbranch 1 == 1 to there\n}"},
    {"a name twice", "PRG-904", "3:7", "space m"},
    {"a register twice", "PRG-904", "5:10", "thread t {\nregister n\nregister n\n}"},
    {"a parameter that is a register", "PRG-904", "5:10",
     "function f {\nparameter n\nregister n\n}"},
    {"a label twice", "PRG-904", "6:18",
     "thread t {\nhere: loop 1\nhere: end\nbranch 1 == 1 to here\n}"},
    {"a name that is missing", "PRG-905", "3:6", "space"},
    {"a number as a name", "PRG-905", "3:7", "space 4"},
    {"a reference as a name", "PRG-905", "3:7", "space @4"},
    {"a word that is missing", "PRG-905", "3:10", "buffer x size 4"},
    {"a number that is missing", "PRG-905", "3:20", "buffer x in m size \"4\""},
    {"a number that is too big", "PRG-905", "3:20", "buffer x in m size 18446744073709551616"},
    {"a number of 33 bits", "PRG-905", "3:14", "unit u depth 4294967296"},
    {"a negative number", "PRG-905", "3:14", "unit u depth -1"},
    {"no such choice", "PRG-905", "3:31", "buffer x in m size 4 contents ones"},
    {"half a byte", "PRG-905", "3:27", "buffer x in m size 4 data 012"},
    {"no byte", "PRG-905", "3:27", "buffer x in m size 4 data 0g"},
    {"no element type", "PRG-905", "3:15", "fifo q ram of f33[1] slots 1 in [] slot_bytes 4"},
    {"no layout", "PRG-905", "3:19", "fifo q ram of f32 slots 1 in [] slot_bytes 4"},
    {"nine dimensions", "PRG-905", "3:43",
     "fifo q ram of f32[1, 1, 1, 1, 1, 1, 1, 1, 1] slots 1 in [] slot_bytes 4"},
    {"too few strides", "PRG-905", "4:28",
     "fifo q ram of f32[4] by [4] slots 1 in [] slot_bytes 4\n"
     "fifo r ram of f32[4] by [] slots 1 in [] slot_bytes 4"},
    {"no pair", "PRG-905", "3:30", "fifo q ram of f32 tiled(grid 2) slots 1 in [] slot_bytes 4"},
    {"a list that does not end", "PRG-905", "3:37",
     "fifo q ram of f32[1] slots 1 in [@1 slot_bytes 4"},
    {"no operation", "PRG-905", "4:9", "thread t {\ncompute golden.nothing from [] to []\n}"},
    {"no attribute", "PRG-905", "4:20", "thread t {\ncompute golden.exp(slope 1) from [] to []\n}"},
    {"no view", "PRG-905", "4:17", "thread t {\nmove copy from [slot(q) f32[1]] to @1 f32[1]\n}"},
    {"no factor", "PRG-905", "5:33",
     "thread t {\nregister i\nmove copy from [@1 f32[1] + i * i] to @1 f32[1]\n}"},
    {"no run", "PRG-905", "4:54",
     "thread t {\nmove copy from [@1 f32[1]] to @1 f32[1] table [0, 1, a]\n}"},
    {"a range downwards", "PRG-905", "4:48",
     "thread t {\nmove copy from [@1 f32[1]] to @1 f32[1] table [3..1]\n}"},
    {"nothing so often", "PRG-905", "4:48",
     "thread t {\nmove copy from [@1 f32[1]] to @1 f32[1] table [3x0]\n}"},
    {"no float", "PRG-905", "4:46",
     "thread t {\nmove copy from [@1 f32[1]] to @1 f32[1] fill 1e39\n}"},
    {"no nan", "PRG-905", "4:46",
     "thread t {\nmove copy from [@1 f32[1]] to @1 f32[1] fill nan_7f800000\n}"},
    {"a nan without bits", "PRG-905", "4:46",
     "thread t {\nmove copy from [@1 f32[1]] to @1 f32[1] fill nan_\n}"},
    {"an axis that is no axis", "PRG-905", NULL,
     "thread t {\nmove copy from [@1 f32[1]] to @1 f32[1] transpose [300]\n}"},
    {"no index", "PRG-905", "4:9", "thread t {\ncall [] \n}"},
    {"more on the line", "PRG-906", "3:9", "space n m"},
    {"operands in another order", "PRG-906", "3:21", "space n alignment 4 capacity 4"},
    {"more behind the brace", "PRG-906", "3:12", "thread t { loop 1\n}"},
    {"more behind the end", "PRG-906", "4:3", "thread t {\n} loop 1"},
    {"no brace", "PRG-907", "3:9", "thread t\n}"},
    {"a brace too many", "PRG-907", "3:1", "}"},
    {"a body that does not end", "PRG-907", "5:1", "thread t {\n"},
    {"a body in a body", "PRG-907", "4:1", "thread t {\nfunction f {\n}"},
    {"too many items", "PRG-908", "4:48",
     "thread t {\nmove copy from [@1 f32[1]] to @1 f32[1] table [0x2000000000]\n}"},
    {"two programs", "PRG-909", "3:1", "program q"},
};

HOIST_TEST_TABLE(each_bad_line_is_a_finding, bad)
{
    const hoist_str text = hoist_arena_format(&t->arena, "program p\nspace m\n%s\n", row->text);
    const bool limit = strcmp(row->rule, "PRG-908") == 0;
    hoist_program_destroy(hoist_test_program(t, text, limit ? HOIST_LIMIT : HOIST_INVALID));
    HOIST_EXPECT_RULE(t, row->rule);
    hoist_diag_sort(t->diag);
    if (row->place && hoist_diag_kept(t->diag)) {
        const hoist_pos pos = hoist_diag_at(t->diag, 0)->loc.pos;
        HOIST_EXPECT_STR(t, hoist_arena_format(&t->arena, "%u:%u", pos.line, pos.column),
                         row->place);
    }
}

HOIST_TEST(every_rule_of_the_text_has_a_row)
{
    for (int i = HOIST_PRG_901; i < HOIST_PRG_COUNT; i++) {
        const char *id = hoist_program_rule_get((hoist_program_rule)i)->id;
        bool found = false;
        for (size_t k = 0; k < HOIST_COUNT_OF(bad); k++) {
            found |= strcmp(bad[k].rule, id) == 0;
        }
        if (!found) {
            hoist_test_fail(t, __FILE__, __LINE__, "no row has %s", id);
        }
    }
}

HOIST_TEST(all_bad_lines_are_found_at_once)
{
    hoist_program_destroy(
        hoist_test_program(t,
                           HOIST_STR("space m\nspace m\nunit u\nspace n p\n"
                                     "buffer x in q size 1\nthread t {\nloop q\n"),
                           HOIST_INVALID));
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 7);
    HOIST_EXPECT_RULE(t, "PRG-903");
    HOIST_EXPECT_RULE(t, "PRG-904");
    HOIST_EXPECT_RULE(t, "PRG-905");
    HOIST_EXPECT_RULE(t, "PRG-906");
    HOIST_EXPECT_RULE(t, "PRG-907");
    HOIST_EXPECT_RULE(t, "PRG-909");
}

HOIST_TEST(places_are_those_of_the_text)
{
    hoist_program *program = hoist_test_program(
        t, HOIST_STR("program p\n  space m\nthread t {\n  x: loop 1\n end\n}\n"), HOIST_OK);
    HOIST_EXPECT_EQ(t, program->spaces[0].loc.pos.line, 2);
    HOIST_EXPECT_EQ(t, program->spaces[0].loc.pos.column, 3);
    HOIST_EXPECT_EQ(t, program->threads[0].loc.pos.line, 3);
    HOIST_EXPECT_EQ(t, program->threads[0].code.steps[0].loc.pos.column, 6);
    HOIST_EXPECT_EQ(t, program->threads[0].code.steps[1].loc.pos.line, 5);
    hoist_program_destroy(program);
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    const hoist_bytes bytes = {(const uint8_t *)canonical, sizeof canonical - 1};
    hoist_failing failing = {.parent = hoist_allocator_system()};
    hoist_program *program = NULL;
    hoist_status status = HOIST_NO_MEMORY;
    size_t n = 0;
    while (status == HOIST_NO_MEMORY && n < 10000) {
        status =
            hoist_program_parse(bytes, hoist_failing_allocator(&failing, ++n), t->diag, &program);
        hoist_program_destroy(program);
        HOIST_EXPECT_EQ(t, failing.live, 0);
    }
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
}

HOIST_TEST(reading_ends_with_its_time)
{
    hoist_deadline *deadline = hoist_test_deadline(t, 0);
    const hoist_parse_options options = {.alloc = hoist_allocator_system(), .deadline = deadline};
    const hoist_bytes bytes = {(const uint8_t *)canonical, sizeof canonical - 1};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_program_parse_with(bytes, &options, t->diag, &program), HOIST_LIMIT);
    HOIST_EXPECT(t, program == NULL);
    HOIST_EXPECT_RULE(t, NULL);
    hoist_deadline_destroy(deadline);
}

HOIST_TEST(a_cancelled_reader_says_so)
{
    hoist_deadline *deadline = hoist_test_deadline(t, -1);
    const hoist_parse_options options = {.alloc = hoist_allocator_system(), .deadline = deadline};
    const hoist_bytes bytes = {(const uint8_t *)canonical, sizeof canonical - 1};
    hoist_program *program = NULL;
    hoist_deadline_cancel(deadline);
    HOIST_EXPECT_EQ(t, hoist_program_parse_with(bytes, &options, NULL, &program), HOIST_CANCELLED);
    HOIST_EXPECT(t, program == NULL);
    hoist_deadline_destroy(deadline);
}

HOIST_TEST(data_may_be_left_out)
{
    static const char text[] = "program p\nspace m\n"
                               "buffer a in m size 4 lifetime constant contents bytes data 01\n"
                               "buffer b in m size 4 lifetime session contents pattern data 0102\n"
                               "buffer c in m size 4 lifetime session contents caller\n"
                               "buffer d in m size 4\n";
    static const char without[] = "program p\nspace m\n"
                                  "buffer a in m size 4 lifetime constant contents zero\n"
                                  "buffer b in m size 4 lifetime session contents zero\n"
                                  "buffer c in m size 4 lifetime session contents caller\n"
                                  "buffer d in m size 4\n";
    const hoist_parse_options options = {
        .alloc = hoist_allocator_system(), .no_data = true, .file = HOIST_STR("a.hoist")};
    const hoist_bytes bytes = {(const uint8_t *)text, sizeof text - 1};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_program_parse_with(bytes, &options, t->diag, &program), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_program_text(t, program), without);
    HOIST_EXPECT_STR(t, program->file, "a.hoist");
    hoist_program_destroy(program);
}

// One fact, one table: the grammar and the program above know every keyword and every word.
HOIST_TEST(every_word_is_documented)
{
    const char *path = hoist_arena_format(&t->arena, "%s/docs/program.md", HOIST_SOURCE_DIR).data;
    const hoist_bytes file = hoist_test_file(t, path);
    HOIST_EXPECT(t, file.data != NULL);
    const hoist_str page = {(const char *)file.data, file.size};
    for (int i = 0; i < HOIST_STEP_COUNT + HOIST_ROW_COUNT; i++) {
        const hoist_record *record = i < HOIST_STEP_COUNT
                                         ? hoist_step_record((hoist_step_kind)i)
                                         : hoist_row_record((hoist_row_kind)(i - HOIST_STEP_COUNT));
        const char *keyword = hoist_arena_format(&t->arena, "`%s", record->keyword).data;
        if (!hoist_str_contains(page, keyword) || !strstr(canonical, record->keyword)) {
            hoist_test_fail(t, __FILE__, __LINE__, "keyword %s", record->keyword);
        }
        for (uint32_t k = 0; k < record->field_count; k++) {
            const char *word = record->fields[k].word;
            if (word && (!hoist_str_contains(page, word) || !strstr(canonical, word))) {
                hoist_test_fail(t, __FILE__, __LINE__, "word %s of %s", word, record->keyword);
            }
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(every_line_comes_back), HOIST_TEST_ROW(what_people_write_is_read),
                HOIST_TEST_ROW(names_are_written_as_they_are_shown),
                HOIST_TEST_ROW(each_bad_line_is_a_finding),
                HOIST_TEST_ROW(every_rule_of_the_text_has_a_row),
                HOIST_TEST_ROW(all_bad_lines_are_found_at_once),
                HOIST_TEST_ROW(places_are_those_of_the_text),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory),
                HOIST_TEST_ROW(reading_ends_with_its_time),
                HOIST_TEST_ROW(a_cancelled_reader_says_so), HOIST_TEST_ROW(data_may_be_left_out),
                HOIST_TEST_ROW(every_word_is_documented))
