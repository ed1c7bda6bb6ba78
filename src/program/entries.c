// The public view of a program: its entries and its text.
#include "base/alloc.h"
#include "program/program.h"
#include "program/text.h"

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

hoist_status hoist_program_write(const hoist_program *program, hoist_mut_bytes *out_text)
{
    *out_text = (hoist_mut_bytes){NULL, 0};
    hoist_buffer text;
    hoist_buffer_init(&text, program->arena.alloc);
    hoist_status status = hoist_program_print(program, &text);
    void *fitting = NULL;
    if (status == HOIST_OK) {
        fitting = hoist_resize(text.alloc, text.data, text.capacity, text.size);
        status = fitting ? HOIST_OK : HOIST_NO_MEMORY;
    }
    if (status != HOIST_OK) {
        hoist_buffer_deinit(&text);
        return status;
    }
    *out_text = (hoist_mut_bytes){fitting, text.size};
    return HOIST_OK;
}

void hoist_program_free_text(const hoist_program *program, hoist_mut_bytes text)
{
    hoist_free(program->arena.alloc, text.data, text.size);
}
