// The programs of examples/programs: read, verified, printed and read again.
#include "program/text.h"
#include "program/verify.h"
#include "testing/test.h"

static hoist_program *read_file(hoist_test *t, const char *name)
{
    const hoist_str path =
        hoist_arena_format(&t->arena, "%s/examples/programs/%s.hoist", HOIST_SOURCE_DIR, name);
    const hoist_bytes file = hoist_test_file(t, path.data);
    hoist_program *program = NULL;
    HOIST_EXPECT(t, file.data != NULL);
    HOIST_EXPECT_EQ(t, hoist_program_parse(file, hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    return program;
}

static void expect_round_trip(hoist_test *t, const hoist_program *program)
{
    hoist_buffer once;
    hoist_buffer twice;
    hoist_program *again = NULL;
    hoist_buffer_init(&once, hoist_allocator_system());
    hoist_buffer_init(&twice, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_program_print(program, &once), HOIST_OK);
    HOIST_EXPECT_EQ(
        t,
        hoist_program_parse(hoist_buffer_bytes(&once), hoist_allocator_system(), t->diag, &again),
        HOIST_OK);
    if (again) {
        HOIST_EXPECT_EQ(t, hoist_program_print(again, &twice), HOIST_OK);
        HOIST_EXPECT(t, hoist_str_equal(hoist_buffer_text(&once), hoist_buffer_text(&twice)));
    }
    hoist_program_destroy(again);
    hoist_buffer_deinit(&once);
    hoist_buffer_deinit(&twice);
}

static const struct {
    const char *name;
    const char *rule; // NULL: clean, as far as the verifier can see
} files[] = {
    {"neff_all_reduce", NULL},
    {"edgetpu_token", NULL},
    {"buda_training", NULL},
    {"ark_ranks", NULL},
    {"ark_layer", NULL},
    {"tflite_edges", NULL},
    {"broken/neff_missing_wait", NULL},
    {"broken/edgetpu_missing_fence", NULL},
    {"broken/ark_missing_send", NULL},
    {"broken/buda_moved_window", "PRG-008"},
};

HOIST_TEST_TABLE(examples_read_and_verify, files)
{
    hoist_program *program = read_file(t, row->name);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
        HOIST_EXPECT_RULE(t, row->rule);
        expect_round_trip(t, program);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(examples_read_and_verify))
