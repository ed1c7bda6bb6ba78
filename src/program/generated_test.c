// Generated programs: they verify, their text comes back, and so does what is left of it when it is
// cut or a line is missing.
#include "base/buffer.h"
#include "base/span.h"
#include "program/program_testing.h"
#include "program/text.h"
#include "program/verify.h"
#include "testing/program_generator.h"

static hoist_program *generate(hoist_test *t, uint64_t seed)
{
    hoist_generated made = {.program = NULL};
    HOIST_EXPECT_EQ(t,
                    hoist_program_generate(hoist_allocator_system(),
                                           &(hoist_program_options){.seed = seed}, &made),
                    HOIST_OK);
    return made.program;
}

// Reads `text`, which may be wrong; true when it is not, and then what it prints is read as itself.
static bool comes_back(hoist_test *t, hoist_str text)
{
    const hoist_bytes bytes =
        hoist_test_exact(t, (hoist_bytes){(const uint8_t *)text.data, text.size});
    hoist_program *program = NULL;
    const hoist_status status =
        hoist_program_parse(bytes, hoist_allocator_system(), t->diag, &program);
    HOIST_EXPECT(t, status == HOIST_OK || status == HOIST_INVALID);
    HOIST_EXPECT_EQ(t, program != NULL, status == HOIST_OK);
    if (!program) {
        return false;
    }
    const hoist_str once = hoist_test_program_text(t, program);
    hoist_program *again = hoist_test_program(t, once, HOIST_OK);
    if (again) {
        const hoist_str twice = hoist_test_program_text(t, again);
        HOIST_EXPECT(t, hoist_str_equal(once, twice));
    }
    hoist_program_destroy(again);
    hoist_program_destroy(program);
    return true;
}

HOIST_TEST(generated_programs_come_back)
{
    for (uint64_t seed = 1; seed <= HOIST_TEST_ROUNDS(64); seed++) {
        hoist_program *program = generate(t, seed);
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
        const hoist_str text = hoist_test_program_text(t, program);
        hoist_program *again = hoist_test_program(t, text, HOIST_OK);
        if (again) {
            HOIST_EXPECT_EQ(t, hoist_program_verify(again, t->diag), HOIST_OK);
            const hoist_str twice = hoist_test_program_text(t, again);
            HOIST_EXPECT(t, hoist_str_equal(text, twice));
            HOIST_EXPECT_EQ(t, again->buffer_count, program->buffer_count);
            HOIST_EXPECT_EQ(t, again->thread_count, program->thread_count);
        }
        hoist_program_destroy(again);
        hoist_program_destroy(program);
    }
    HOIST_EXPECT_RULE(t, NULL);
}

// A cut inside a body is a finding; a line that misses is one where it is referred to.
static const struct {
    const char *name;
    bool cuts; // else leaves a line out
} damages[] = {
    {"cut behind a line", true},
    {"without a line", false},
};

HOIST_TEST_TABLE(damaged_texts_are_found_or_come_back, damages)
{
    hoist_program *program = generate(t, 7);
    const hoist_str text = hoist_test_program_text(t, program);
    hoist_program_destroy(program);
    size_t read = 0;
    size_t refused = 0;
    size_t start = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] != '\n') {
            continue;
        }
        const hoist_str rest = hoist_str_slice(text, i + 1, text.size);
        const hoist_str damaged = row->cuts
                                      ? hoist_str_slice(text, 0, i + 1)
                                      : hoist_arena_format(&t->arena, "%.*s%.*s", (int)start,
                                                           text.data, (int)rest.size, rest.data);
        *(comes_back(t, damaged) ? &read : &refused) += 1;
        start = i + 1;
    }
    HOIST_EXPECT(t, read > 0);
    HOIST_EXPECT(t, refused > 0);
    HOIST_EXPECT(t, hoist_diag_count(t->diag, HOIST_ERROR) >= refused);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(generated_programs_come_back),
                HOIST_TEST_ROW(damaged_texts_are_found_or_come_back))
