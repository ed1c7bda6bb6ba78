// Names that are there twice or not at all: PRG-003. The reader of the text refuses them before.
#include "program/builder.h"
#include "program/fields.h"
#include "program/program_testing.h"
#include "program/verify.h"

static void add_named(hoist_builder *b, hoist_name_table table, hoist_str name, uint32_t line)
{
    const hoist_loc loc = hoist_loc_pos((hoist_pos){line, 1});
    switch (table) {
    case HOIST_NAMES_SPACE:
        (void)hoist_builder_space(b, &(hoist_prog_space){.name = name, .loc = loc, .alignment = 1});
        break;
    case HOIST_NAMES_BUFFER:
        (void)hoist_builder_buffer(
            b, &(hoist_prog_buffer){
                   .name = name, .loc = loc, .size = 4, .alignment = 1, .window_of = HOIST_NO_REF});
        break;
    case HOIST_NAMES_PORT:
        (void)hoist_builder_port(
            b, &(hoist_prog_port){.name = name, .loc = loc, .dtype = HOIST_DTYPE_F32});
        break;
    case HOIST_NAMES_FIFO:
        (void)hoist_builder_fifo(
            b, &(hoist_prog_fifo){.name = name, .loc = loc, .dtype = HOIST_DTYPE_F32});
        break;
    case HOIST_NAMES_UNIT:
        (void)hoist_builder_unit(b, &(hoist_prog_unit){name, loc, 1});
        break;
    case HOIST_NAMES_SEMAPHORE:
        (void)hoist_builder_semaphore(b, &(hoist_prog_semaphore){.name = name, .loc = loc});
        break;
    case HOIST_NAMES_FUNCTION:
        (void)hoist_builder_begin_function(b, &(hoist_prog_function){.name = name, .loc = loc});
        hoist_builder_end_code(b);
        break;
    case HOIST_NAMES_THREAD:
        (void)hoist_builder_begin_thread(b, &(hoist_prog_thread){.name = name, .loc = loc});
        hoist_builder_end_code(b);
        break;
    default:
        (void)hoist_builder_entry(b, &(hoist_prog_entry){.name = name, .loc = loc});
        break;
    }
}

static hoist_program *make_named(hoist_test *t, hoist_name_table table, const char *second)
{
    hoist_builder *b = NULL;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("p"), &b),
                    HOIST_OK);
    if (table != HOIST_NAMES_SPACE) {
        add_named(b, HOIST_NAMES_SPACE, HOIST_STR("m"), 1); // of buffers
    }
    (void)hoist_builder_layout( // of fifos and ports
        b, &(hoist_prog_layout){.shape = {.rank = 1, .dim = {1}}, .stride = {4}});
    if (table == HOIST_NAMES_PORT) {
        (void)hoist_builder_buffer(b, &(hoist_prog_buffer){.name = HOIST_STR("b"),
                                                           .size = 4,
                                                           .alignment = 1,
                                                           .lifetime = HOIST_LIFETIME_SESSION,
                                                           .window_of = HOIST_NO_REF});
    }
    add_named(b, table, HOIST_STR("n"), 2);
    add_named(b, table, hoist_str_from(second), 3);
    HOIST_EXPECT_EQ(t, hoist_builder_finish(b, &program), HOIST_OK);
    return program;
}

static const struct {
    const char *name;
    hoist_name_table table;
    const char *twice;
    const char *none;
} tables[] = {
    {"spaces", HOIST_NAMES_SPACE, "3:1 spaces/p: two spaces are called 'n' [PRG-003]",
     "3:1 spaces/p: space 1 has no name [PRG-003]"},
    {"buffers", HOIST_NAMES_BUFFER, "3:1 buffers/p: two buffers are called 'n' [PRG-003]",
     "3:1 buffers/p: buffer 1 has no name [PRG-003]"},
    {"fifos", HOIST_NAMES_FIFO, "3:1 fifos/p: two fifos are called 'n' [PRG-003]",
     "3:1 fifos/p: fifo 1 has no name [PRG-003]"},
    {"ports", HOIST_NAMES_PORT, "3:1 ports/p: two ports are called 'n' [PRG-003]",
     "3:1 ports/p: port 1 has no name [PRG-003]"},
    {"units", HOIST_NAMES_UNIT, "3:1 units/p: two units are called 'n' [PRG-003]",
     "3:1 units/p: unit 1 has no name [PRG-003]"},
    {"semaphores", HOIST_NAMES_SEMAPHORE,
     "3:1 semaphores/p: two semaphores are called 'n' [PRG-003]",
     "3:1 semaphores/p: semaphore 1 has no name [PRG-003]"},
    {"functions", HOIST_NAMES_FUNCTION, "3:1 functions/p: two functions are called 'n' [PRG-003]",
     "3:1 functions/p: function 1 has no name [PRG-003]"},
    {"threads", HOIST_NAMES_THREAD, "3:1 threads/p: two threads are called 'n' [PRG-003]",
     "3:1 threads/p: thread 1 has no name [PRG-003]"},
    {"entries", HOIST_NAMES_ENTRY, "3:1 entries/p: two entries are called 'n' [PRG-003]",
     "3:1 entries/p: entry 1 has no name [PRG-003]"},
};

HOIST_TEST_TABLE(names_are_unique, tables)
{
    hoist_program *program = make_named(t, row->table, "n");
    HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    const hoist_str found = hoist_test_places(t, 0);
    HOIST_EXPECT_STR(t, found, row->twice);
    hoist_program_destroy(program);
}

HOIST_TEST_TABLE(names_are_not_empty, tables)
{
    hoist_program *program = make_named(t, row->table, "");
    HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    const hoist_str found = hoist_test_places(t, 0);
    HOIST_EXPECT_STR(t, found, row->none);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(names_are_unique), HOIST_TEST_ROW(names_are_not_empty))
