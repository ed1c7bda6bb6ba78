// program/index.h - makes hoist_program.index.
#ifndef HOIST_SRC_PROGRAM_INDEX_H
#define HOIST_SRC_PROGRAM_INDEX_H

#include "program/program.h"

// Of a program whose tables are complete. A name that is there twice means its first row. HOIST_OK,
// HOIST_NO_MEMORY; either way hoist_prog_index_deinit() gives back what it took.
HOIST_NODISCARD hoist_status hoist_prog_index_init(hoist_program *program);
void hoist_prog_index_deinit(hoist_program *program);

#endif // HOIST_SRC_PROGRAM_INDEX_H
