// program/names.h - the names of the rows of each table, and which names need quotes.
#ifndef HOIST_SRC_PROGRAM_NAMES_H
#define HOIST_SRC_PROGRAM_NAMES_H

#include "program/fields.h"

// The names of one table, wherever they are in its rows.
typedef struct hoist_names {
    const void *rows; // borrowed from the program
    size_t row_size;
    size_t name_offset;
    size_t loc_offset; // 0: rows without a place (the name is first in all others)
    uint32_t count;
} hoist_names;

// The names of `table`. PARAMETER: of `function` (NULL: none); REGISTER: of `code` (NULL: none).
hoist_names hoist_names_of(const hoist_program *program, hoist_name_table table,
                           const hoist_prog_function *function, const hoist_prog_code *code);
hoist_str hoist_names_at(const hoist_names *names, uint32_t index); // index below the count
hoist_loc hoist_names_loc(const hoist_names *names, uint32_t index, hoist_loc otherwise);

// A letter, _ or $, then letters, digits and any of _ $ . / -.
bool hoist_name_is_bare(hoist_str name);
// True for what may be after the first character of a bare name or number.
bool hoist_name_has_char(char c);

#endif // HOIST_SRC_PROGRAM_NAMES_H
