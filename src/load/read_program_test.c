// hoist_program_read(): programs without a job, and why there is none.
#include "hoist/load.h"

#include "base/span.h"
#include "testing/test.h"

#define HEAD "# a comment\nprogram p\nspace m\n"

static hoist_bytes bytes_of(hoist_test *t, const char *text)
{
    const hoist_str words = hoist_str_from(text);
    return hoist_test_exact(t, (hoist_bytes){(const uint8_t *)words.data, words.size});
}

HOIST_TEST(a_text_is_a_program)
{
    static const char text[] = HEAD "buffer x in m size 4 of f32[1] lifetime session output "
                                    "contents caller\nthread t {\n}\nentry run {\n    start t\n}\n";
    hoist_program *program = NULL;
    hoist_program *again = NULL;
    hoist_mut_bytes written = {NULL, 0};
    size_t index = 7;
    HOIST_EXPECT_EQ(t, hoist_program_read(bytes_of(t, text), NULL, NULL, &program), HOIST_OK);
    HOIST_EXPECT(t, hoist_program_find_entry(program, HOIST_STR("run"), &index) && index == 0);
    HOIST_EXPECT_STR(t, hoist_program_entry_name(program, index), "run");
    HOIST_EXPECT_EQ(t, hoist_program_write(program, &written), HOIST_OK);
    HOIST_EXPECT_EQ(
        t, hoist_program_read((hoist_bytes){written.data, written.size}, NULL, t->diag, &again),
        HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    const hoist_str now = {(const char *)written.data, written.size};
    HOIST_EXPECT_STR(t, now, text + sizeof("# a comment\n") - 1);
    hoist_program_free_text(program, written);
    hoist_program_destroy(program);
    hoist_program_destroy(again);
}

static const struct {
    const char *name;
    const char *text;
    hoist_status status;
    const char *findings;
} refused[] = {
    {"nothing", "", HOIST_INVALID,
     "1:1: error: no line `program NAME` gives the program a name [PRG-909]\n"},
    {"a line that no program has", HEAD "bufer x\n", HOIST_INVALID,
     "4:1: error: no line outside functions, threads and entries begins with 'bufer' "
     "[PRG-902]\n"},
    {"a program that does not verify", HEAD "buffer x in m size 0\n", HOIST_INVALID,
     "4:1: error: a buffer of 0 bytes cannot hold 1 [PRG-005]\n"},
    {"a reference that leads nowhere", HEAD "buffer x in @7 size 4\n", HOIST_INVALID,
     "4:1: error: space 7 does not exist, there are 1 [PRG-001]\n"},
};

HOIST_TEST_TABLE(why_there_is_none, refused)
{
    const hoist_program_read_options options = {.struct_size = sizeof options, .name = "a.hoist"};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_program_read(bytes_of(t, row->text), &options, t->diag, &program),
                    row->status);
    HOIST_EXPECT(t, program == NULL);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->findings);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->file, "a.hoist");
}

HOIST_TEST(options_of_another_library_are_refused)
{
    const hoist_program_read_options options = {.struct_size = 3};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_program_read(bytes_of(t, HEAD), &options, t->diag, &program),
                    HOIST_INVALID);
    HOIST_EXPECT(t, program == NULL);
    HOIST_EXPECT_RULE(t, "LOAD-003");
}

HOIST_TEST(reading_ends_with_its_time)
{
    hoist_deadline *deadline = hoist_test_deadline(t, 0);
    const hoist_program_read_options options = {.struct_size = sizeof options,
                                                .deadline = deadline};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_program_read(bytes_of(t, HEAD), &options, t->diag, &program),
                    HOIST_LIMIT);
    HOIST_EXPECT(t, program == NULL);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "error: the time limit was reached while reading the file [LOAD-006]\n");
    hoist_deadline_destroy(deadline);
}

static hoist_status read_starved(hoist_allocator alloc, const void *self)
{
    const hoist_program_read_options options = {.struct_size = sizeof options, .alloc = alloc};
    const hoist_str text = hoist_str_from(self);
    hoist_program *program = NULL;
    const hoist_status status = hoist_program_read(
        (hoist_bytes){(const uint8_t *)text.data, text.size}, &options, NULL, &program);
    hoist_program_destroy(program);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    hoist_test_starve(t, read_starved, HEAD "thread t {\n}\nentry run {\n    start t\n}\n");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(a_text_is_a_program), HOIST_TEST_ROW(why_there_is_none),
                HOIST_TEST_ROW(options_of_another_library_are_refused),
                HOIST_TEST_ROW(reading_ends_with_its_time), HOIST_TEST_ROW(memory_may_run_out))
