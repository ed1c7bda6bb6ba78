// The names of the tables in paths and messages, and which names of rows need quotes in the text
// form.
#include "program/names.h"

#include <string.h>

// Rows of a code have no place of their own.
#define LOCAL_NAMES(table, number, row)                                                            \
    {                                                                                              \
        .rows = (table), .row_size = sizeof(row), .name_offset = offsetof(row, name),              \
        .count = (number)                                                                          \
    }
#define NAMES(table, number, row)                                                                  \
    {                                                                                              \
        .rows = (table), .row_size = sizeof(row), .name_offset = offsetof(row, name),              \
        .loc_offset = offsetof(row, loc), .count = (number)                                        \
    }

// An empty list where there is no function or code at hand.
hoist_names hoist_names_of(const hoist_program *program, hoist_name_table table,
                           const hoist_prog_function *function, const hoist_prog_code *code)
{
    const hoist_program *p = program;
    const hoist_names none = {.count = 0};
    // Built at each call, which is cheap next to what callers do with it; PARAMETER and
    // REGISTER stay empty, as they depend on the code.
    const hoist_names tables[HOIST_NAMES_COUNT] = {
        [HOIST_NAMES_SPACE] = NAMES(p->spaces, p->space_count, hoist_prog_space),
        [HOIST_NAMES_BUFFER] = NAMES(p->buffers, p->buffer_count, hoist_prog_buffer),
        [HOIST_NAMES_PORT] = NAMES(p->ports, p->port_count, hoist_prog_port),
        [HOIST_NAMES_FIFO] = NAMES(p->fifos, p->fifo_count, hoist_prog_fifo),
        [HOIST_NAMES_UNIT] = NAMES(p->units, p->unit_count, hoist_prog_unit),
        [HOIST_NAMES_SEMAPHORE] = NAMES(p->semaphores, p->semaphore_count, hoist_prog_semaphore),
        [HOIST_NAMES_FUNCTION] = NAMES(p->functions, p->function_count, hoist_prog_function),
        [HOIST_NAMES_THREAD] = NAMES(p->threads, p->thread_count, hoist_prog_thread),
        [HOIST_NAMES_ENTRY] = NAMES(p->entries, p->entry_count, hoist_prog_entry),
    };
    if (table == HOIST_NAMES_PARAMETER) {
        const hoist_names own =
            LOCAL_NAMES(function ? function->parameters : NULL,
                        function ? function->parameter_count : 0, hoist_prog_parameter);
        return function ? own : none;
    }
    if (table == HOIST_NAMES_REGISTER) {
        const hoist_names own = LOCAL_NAMES(code ? code->registers : NULL,
                                            code ? code->register_count : 0, hoist_prog_register);
        return code ? own : none;
    }
    return tables[table];
}

hoist_str hoist_names_at(const hoist_names *names, uint32_t index)
{
    hoist_str name;
    memcpy(&name, (const uint8_t *)names->rows + index * names->row_size + names->name_offset,
           sizeof name);
    return name;
}

hoist_loc hoist_names_loc(const hoist_names *names, uint32_t index, hoist_loc otherwise)
{
    if (names->loc_offset) {
        memcpy(&otherwise,
               (const uint8_t *)names->rows + index * names->row_size + names->loc_offset,
               sizeof otherwise);
    }
    return otherwise;
}

// ASCII whatever the locale: isalpha() would follow it.
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

// A point, slash or dash may be inside, as in "dram0/a.b-1".
bool hoist_name_has_char(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '/' || c == '-';
}

// A name that begins with a digit or '-' would read as a number.
bool hoist_name_is_bare(hoist_str name)
{
    if (name.size == 0 || !is_letter(name.data[0])) {
        return false;
    }
    for (size_t i = 1; i < name.size; i++) {
        if (!hoist_name_has_char(name.data[i])) {
            return false;
        }
    }
    return true;
}
