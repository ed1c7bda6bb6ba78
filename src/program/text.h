// program/text.h - the text form of programs: what `hoist dump --program` prints, its reader, and
// the same rows as tree events.
//
// One declaration or step per line; print(read(print(p))) is print(p), and the program read is the
// program printed but for source places. The grammar is in docs/program.md.
#ifndef HOIST_SRC_PROGRAM_TEXT_H
#define HOIST_SRC_PROGRAM_TEXT_H

#include "base/buffer.h"
#include "program/program.h"

// HOIST_OK or HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_program_print(const hoist_program *program, hoist_buffer *out);

// Sends the rows of `program` as members of the map that is open, with `positions` those of the
// text that it was read from. HOIST_OK, HOIST_NO_MEMORY, or the sink's status.
HOIST_NODISCARD hoist_status hoist_program_send(const hoist_program *program, bool positions,
                                                hoist_tree_sink *sink);

typedef struct hoist_parse_options {
    hoist_allocator alloc;
    hoist_deadline *deadline; // borrowed during the call; NULL: none
    bool no_data;             // bytes and patterns of buffers are taken as zeros
    hoist_str file;           // hoist_program.file; borrowed during the call
} hoist_parse_options;

// Places of the program are lines and columns of `text`. Syntax errors and unknown names are
// findings (PRG-9xx); all of a file in one go. HOIST_OK, HOIST_INVALID, HOIST_LIMIT (PRG-908, or
// the deadline without a finding), HOIST_CANCELLED, HOIST_NO_MEMORY; no program unless HOIST_OK.
HOIST_NODISCARD hoist_status hoist_program_parse_with(hoist_bytes text,
                                                      const hoist_parse_options *options,
                                                      hoist_diag *diag,
                                                      hoist_program **out_program);
static inline hoist_status hoist_program_parse(hoist_bytes text, hoist_allocator alloc,
                                               hoist_diag *diag, hoist_program **out_program)
{
    const hoist_parse_options options = {.alloc = alloc};
    return hoist_program_parse_with(text, &options, diag, out_program);
}

#endif // HOIST_SRC_PROGRAM_TEXT_H
