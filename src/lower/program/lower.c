// Program texts to programs: the text is read again, since a module keeps its own program, and a
// caller's outlives it. Constants are left out where only control counts.
// In: the module's text, which `keeps_bytes` has kept. Out: a program with the caller's allocator
// and options.
#include "lower/program/lower.h"

#include "formats/program/module.h"
#include "program/text.h"

hoist_status program_lower(const hoist_file *files, size_t count, const hoist_check_options *check,
                           const hoist_lower_options *options, hoist_diag *diag,
                           hoist_program **out_program)
{
    const program_module *const m = program_of(files->module);
    const hoist_parse_options parse = {.alloc = m->base.alloc,
                                       .deadline = m->base.deadline,
                                       .no_data = options->control_only,
                                       .file = files->name};
    (void)count; // one: texts do not make jobs together
    (void)check; // nothing in them is about programs
    return hoist_program_parse_with(m->text, &parse, diag, out_program);
}
