// The public view of a program: its entries with their parameters, and its text (print.c).
#include "base/alloc.h"
#include "base/assert.h"
#include "base/span.h"
#include "program/program.h"
#include "program/text.h"

// The entry with that number among those that a user may run.
static const hoist_prog_entry *entry_at(const hoist_program *program, size_t index)
{
    HOIST_ASSERT(index < program->index.entry_count);
    return &program->entries[program->index.entries[index]];
}

// Only entries that a user may call: `once` has none of their names.
hoist_ref hoist_prog_find_entry(const hoist_program *program, const char *name)
{
    size_t entry = 0;
    return hoist_program_find_entry(program, hoist_str_from(name), &entry)
               ? program->index.entries[entry]
               : HOIST_NO_REF;
}

bool hoist_program_find_entry(const hoist_program *program, hoist_str name, size_t *out_entry)
{
    // Most programs have one, whose name is compared sooner than hashed.
    if (program->index.entry_count == 1) {
        *out_entry = 0;
        return hoist_str_equal(entry_at(program, 0)->name, name);
    }
    return hoist_map_find(&program->index.entry_names, name, out_entry);
}

// Linear: entries have a handful of parameters.
uint32_t hoist_prog_find_parameter(const hoist_prog_entry *entry, const char *name)
{
    uint32_t i = 0;
    for (; i < entry->parameter_count; i++) {
        const hoist_str own = entry->parameters[i].name;
        // 1 or 0: the size of the prefix to skip.
        const size_t sign = hoist_str_starts_with(own, "$");
        if (hoist_str_equal_c(own, name) ||
            hoist_str_equal_c(hoist_str_slice(own, sign, own.size - sign), name)) {
            break;
        }
    }
    return i;
}

size_t hoist_program_entry_count(const hoist_program *program)
{
    return program->index.entry_count;
}

hoist_str hoist_program_entry_name(const hoist_program *program, size_t entry)
{
    return entry_at(program, entry)->name;
}

size_t hoist_program_parameter_count(const hoist_program *program, size_t entry)
{
    return entry_at(program, entry)->parameter_count;
}

hoist_str hoist_program_parameter_name(const hoist_program *program, size_t entry, size_t parameter)
{
    return entry_at(program, entry)->parameters[parameter].name;
}

// Memory of the program's allocator; hoist_program_free_text() frees it.
hoist_status hoist_program_write(const hoist_program *program, hoist_mut_bytes *out_text)
{
    *out_text = (hoist_mut_bytes){NULL, 0};
    hoist_buffer text;
    hoist_buffer_init(&text, program->arena.alloc);
    hoist_status status = hoist_program_print(program, &text);
    void *fitting = NULL;
    if (status == HOIST_OK) {
        // The text goes to a caller who frees it by its size, not by the buffer's capacity.
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
