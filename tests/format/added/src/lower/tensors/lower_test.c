// Programs of texts of tensors: buffers, steps, and what does not depend on data.
#include <string.h>

#include "base/span.h"
#include "formats/tensors/module.h"
#include "lower/program_text_testing.h"
#include "lower/tensors/lower.h"
#include "program/verify.h"

static hoist_status lower(hoist_allocator alloc, const char *text, bool control_only,
                          hoist_diag *diag, hoist_program **out_program)
{
    const hoist_read_options read = {.alloc = alloc};
    const hoist_lower_options options = {.struct_size = sizeof(options),
                                         .control_only = control_only};
    hoist_module *module = NULL;
    HOIST_TRY(hoist_tensors_format.read((hoist_bytes){(const uint8_t *)text, strlen(text)}, &read,
                                        diag, &module));
    const hoist_file file = {.module = module, .name = HOIST_STR("a.tensors")};
    const hoist_status status = tensors_lower(&file, 1, NULL, &options, diag, out_program);
    hoist_tensors_format.destroy(module);
    return status;
}

// clang-format off
static const struct {
    const char *name;
    const char *text; // behind the first line
    bool control_only;
    const char *program; // behind its name and space
} cases[] = {
    {"nothing", "", false, "thread main {\n}\nentry run {\nstart main\n}\n"},
    {"a product", "input a 2x3\nconst b 3x1 1 2 3\nmatmul c a b\noutput c\n", false,
     "buffer a in memory size 24 of f32[2, 3] lifetime session contents caller\n"
     "buffer b in memory size 12 of f32[3, 1] lifetime constant contents bytes data 0000803f0000004000004040\n"
     "buffer c in memory size 8 of f32[2, 1] lifetime run output\n"
     "thread main {\n"
     "c: compute ark.matmul(transpose_a 0, transpose_b 0) from [a f32[2, 3], b f32[3, 1]] to [c f32[2, 1]]\n"
     "}\nentry run {\nstart main\n}\n"},
    {"without data", "const b 1 7\noutput b\n", true,
     "buffer b in memory size 4 of f32[1] lifetime constant output contents zero\n"
     "thread main {\n}\nentry run {\nstart main\n}\n"},
    {"sums, of which one is an output", "input a 2\nadd b a a\nadd c b a\noutput c\n", false,
     "buffer a in memory size 8 of f32[2] lifetime session contents caller\n"
     "buffer b in memory size 8 of f32[2] lifetime run\n"
     "buffer c in memory size 8 of f32[2] lifetime run output\n"
     "thread main {\n"
     "b: compute ieee.add from [a f32[2], a f32[2]] to [b f32[2]]\n"
     "c: compute ieee.add from [b f32[2], a f32[2]] to [c f32[2]]\n"
     "}\nentry run {\nstart main\n}\n"},
};
// clang-format on

HOIST_TEST_TABLE(programs, cases)
{
    const hoist_str text = hoist_arena_format(&t->arena, "tensors 1\n%s", row->text);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(
        t, lower(hoist_allocator_system(), text.data, row->control_only, t->diag, &program),
        HOIST_OK);
    lower_test_expect_piece(t, program, "buffer |thread |entry ", row->program);
    HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    hoist_program_destroy(program);
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
    hoist_test_starve(t, lower_text, "tensors 1\ninput a 2x3\nconst b 3x1 1 2 3\nmatmul c a b\n");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(programs), HOIST_TEST_ROW(memory_may_run_out))
