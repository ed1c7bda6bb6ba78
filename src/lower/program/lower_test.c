// Program texts as programs: the rows of the text, of the caller, and without data.
#include <string.h>

#include "base/span.h"
#include "formats/program/module.h"
#include "lower/program/lower.h"
#include "lower/program_text_testing.h"
#include "program/verify.h"

static hoist_status lower(hoist_allocator alloc, const char *text, bool control_only,
                          hoist_deadline *deadline, hoist_program **out_program)
{
    const hoist_read_options read = {.alloc = alloc, .keep = true};
    const hoist_lower_options options = {.struct_size = sizeof(options),
                                         .control_only = control_only};
    hoist_module *module = NULL;
    HOIST_TRY(hoist_program_format.read((hoist_bytes){(const uint8_t *)text, strlen(text)}, &read,
                                        NULL, &module));
    module->deadline = deadline;
    const hoist_file file = {.module = module, .name = HOIST_STR("a.hoist")};
    const hoist_status status = program_lower(&file, 1, NULL, &options, NULL, out_program);
    hoist_program_format.destroy(module);
    return status;
}

#define HEAD "program p\nspace m\n"
#define REST                                                                                       \
    "buffer x in m size 8 lifetime session output contents caller\n"                               \
    "thread main {\n"                                                                              \
    "move add from [x f32[2], k f32[2]] to x f32[2]\n"                                             \
    "}\n"                                                                                          \
    "thread other {\n"                                                                             \
    "}\n"                                                                                          \
    "entry load once {\n"                                                                          \
    "start other\n"                                                                                \
    "}\n"                                                                                          \
    "entry run {\n"                                                                                \
    "start main\n"                                                                                 \
    "start other\n"                                                                                \
    "}\n"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    bool control_only;
    const char *program;
} cases[] = {
    {"all rows", "buffer k in m size 8 lifetime constant contents bytes data 0000803f\n" REST, false,
     "buffer k in m size 8 lifetime constant contents bytes data 0000803f\n" REST},
    {"no data", "buffer k in m size 8 lifetime constant contents bytes data 0000803f\n" REST, true,
     "buffer k in m size 8 lifetime constant contents zero\n" REST},
    {"no pattern", "buffer k in m size 8 lifetime session contents pattern data 01\n" REST, true,
     "buffer k in m size 8 lifetime session contents zero\n" REST},
    {"what the caller gives stays", "buffer k in m size 8 lifetime session contents caller\n" REST, true,
     "buffer k in m size 8 lifetime session contents caller\n" REST},
};
// clang-format on

HOIST_TEST_TABLE(programs, cases)
{
    const hoist_str text = hoist_arena_format(&t->arena, HEAD "%s", row->text);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(
        t, lower(hoist_allocator_system(), text.data, row->control_only, NULL, &program), HOIST_OK);
    if (!program) {
        return;
    }
    lower_test_expect_piece(t, program, "buffer |thread |entry ", row->program);
    HOIST_EXPECT_STR(t, program->file, "a.hoist");
    HOIST_EXPECT_EQ(t, program->threads[0].code.steps[0].loc.pos.line, 6);
    HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    hoist_program_destroy(program);
}

HOIST_TEST(lowering_ends_with_its_time)
{
    hoist_deadline *deadline = hoist_test_deadline(t, 0);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, lower(hoist_allocator_system(), HEAD, false, deadline, &program),
                    HOIST_LIMIT);
    HOIST_EXPECT(t, program == NULL);
    hoist_deadline_destroy(deadline);
}

static hoist_status lower_text(hoist_allocator alloc, const void *self)
{
    hoist_program *program = NULL;
    const hoist_status status = lower(alloc, self, false, NULL, &program);
    hoist_program_destroy(program);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    hoist_test_starve(t, lower_text,
                      HEAD "buffer k in m size 8 lifetime constant contents bytes data 01\n" REST);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(programs), HOIST_TEST_ROW(lowering_ends_with_its_time),
                HOIST_TEST_ROW(memory_may_run_out))
