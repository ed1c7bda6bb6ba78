// What callers see of a program: entries, parameters and the text; and where windows lie.
#include "hoist/program.h"

#include "program/program_testing.h"
#include "program/text.h"
#include "program/verify.h"

static const char source[] = HOIST_COMMON_ROWS
    "buffer w1 in m size 64 window x offset 16\n"
    "buffer w2 in m size 32 window w1 offset 8\n"
    "buffer w3 in m size 8 window w2\n"
    "buffer w4 in m size 4 window w5 offset 4\n" // below what it is a window of
    "buffer w5 in m size 64 window y offset 100\n"
    "thread a {\n    register i\n    register k lifetime session\n}\n"
    "thread b {\n    register i\n}\n"
    "entry run {\n    start a\n    start b\n    parameter $n thread a register i\n"
    "    parameter $m thread b register i\n    parameter \"\" thread a register k\n}\n"
    "entry \"a b\" {\n    start b\n}\n";

static hoist_program *read_source(hoist_test *t)
{
    return hoist_test_program(t, hoist_str_from(source), HOIST_OK);
}

static const struct {
    const char *name;
    size_t entry;
    const char *entry_name;
    const char *parameters; // joined by commas
} entries[] = {
    {"an entry with parameters", 0, "run", "$n,$m,"},
    {"an entry without", 1, "a b", NULL},
};

HOIST_TEST_TABLE(entries_are_seen, entries)
{
    hoist_program *program = read_source(t);
    HOIST_EXPECT_EQ(t, hoist_program_entry_count(program), HOIST_COUNT_OF(entries));
    HOIST_EXPECT_STR(t, hoist_program_entry_name(program, row->entry), row->entry_name);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    const size_t count = hoist_program_parameter_count(program, row->entry);
    for (size_t i = 0; i < count; i++) {
        hoist_buffer_c(&out, i ? "," : "");
        hoist_buffer_str(&out, hoist_program_parameter_name(program, row->entry, i));
    }
    HOIST_EXPECT_EQ(t, count != 0, row->parameters != NULL);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->parameters ? row->parameters : "");
    hoist_buffer_deinit(&out);
    hoist_program_destroy(program);
}

HOIST_TEST(a_program_without_entries)
{
    hoist_program *program = hoist_test_program(t, HOIST_STR("program p"), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_program_entry_count(program), 0);
    hoist_program_destroy(program);
    hoist_program_destroy(NULL);
}

static const struct {
    const char *name;
    const char *buffer;
    const char *root;
    uint64_t offset;
} windows[] = {
    {"memory of its own", "x", "x", 0},
    {"a window", "w1", "x", 16},
    {"a window of a window", "w2", "x", 24},
    {"a third one, at its start", "w3", "x", 24},
    {"a window of what is below it", "w4", "y", 104},
    {"and that one", "w5", "y", 100},
};

static hoist_ref find_buffer(const hoist_program *program, const char *name)
{
    for (hoist_ref i = 0; i < program->buffer_count; i++) {
        if (hoist_str_equal_c(program->buffers[i].name, name)) {
            return i;
        }
    }
    return HOIST_NO_REF;
}

HOIST_TEST_TABLE(windows_have_a_root, windows)
{
    hoist_program *program = read_source(t);
    const hoist_ref buffer = find_buffer(program, row->buffer);
    const hoist_ref root = find_buffer(program, row->root);
    uint64_t offset = 77;
    HOIST_EXPECT(t, root != HOIST_NO_REF);
    HOIST_EXPECT_EQ(t, hoist_prog_root(program, buffer, &offset), root);
    HOIST_EXPECT_EQ(t, offset, row->offset);
    HOIST_EXPECT_EQ(t, hoist_prog_root(program, buffer, NULL), root);
    hoist_program_destroy(program);
}

HOIST_TEST(the_text_is_what_is_printed)
{
    hoist_program *program = read_source(t);
    hoist_mut_bytes text = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_program_write(program, &text), HOIST_OK);
    const hoist_str expected = hoist_test_program_text(t, program);
    HOIST_EXPECT(t, hoist_str_equal((hoist_str){(const char *)text.data, text.size}, expected));
    hoist_program_free_text(program, text);
    HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    hoist_program_destroy(program);
}

// Reads with memory for all, then does `what` with its n-th request refused, for every n.
static const struct {
    const char *name;
    bool writes; // else verifies
} hungry[] = {
    {"writing", true},
    {"verifying", false},
};

HOIST_TEST_TABLE(every_failing_allocation_is_no_memory, hungry)
{
    hoist_failing failing = {.parent = hoist_allocator_system()};
    hoist_program *program = NULL;
    const hoist_bytes bytes = {(const uint8_t *)source, sizeof source - 1};
    HOIST_EXPECT_EQ(
        t, hoist_program_parse(bytes, hoist_failing_allocator(&failing, 0), t->diag, &program),
        HOIST_OK);
    const size_t live = failing.live;
    hoist_status status = HOIST_NO_MEMORY;
    size_t n = 0;
    while (status == HOIST_NO_MEMORY && n < 1000) {
        hoist_mut_bytes text = {NULL, 0};
        failing.fail_at = failing.requests + ++n;
        status = row->writes ? hoist_program_write(program, &text)
                             : hoist_program_verify(program, t->diag);
        HOIST_EXPECT_EQ(t, text.data != NULL, row->writes && status == HOIST_OK);
        if (text.data) {
            hoist_program_free_text(program, text);
        }
        HOIST_EXPECT_EQ(t, failing.live, live);
    }
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT(t, n > 1);
    HOIST_EXPECT_RULE(t, NULL);
    failing.fail_at = 0;
    hoist_program_destroy(program);
    HOIST_EXPECT_EQ(t, failing.live, 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(entries_are_seen), HOIST_TEST_ROW(a_program_without_entries),
                HOIST_TEST_ROW(windows_have_a_root), HOIST_TEST_ROW(the_text_is_what_is_printed),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
