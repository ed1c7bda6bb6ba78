// The public view of a program's entries.
#include "program/program.h"

size_t hoist_program_entry_count(const hoist_program *program)
{
    return program->entry_count;
}

hoist_str hoist_program_entry_name(const hoist_program *program, size_t entry)
{
    return program->entries[entry].name;
}

size_t hoist_program_parameter_count(const hoist_program *program, size_t entry)
{
    return program->entries[entry].parameter_count;
}

hoist_str hoist_program_parameter_name(const hoist_program *program, size_t entry, size_t parameter)
{
    return program->entries[entry].parameters[parameter].name;
}
