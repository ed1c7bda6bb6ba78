// formats/program/module.h - a program text (docs/program.md) as a file: the program that it
// spells. read.c of program/ reads it, and its printer writes it; here is what makes a format of
// these. Neighbours: format.c is the row of the format, info.c its summary, picture.c its drawing.
#ifndef HOIST_SRC_FORMATS_PROGRAM_MODULE_H
#define HOIST_SRC_FORMATS_PROGRAM_MODULE_H

#include "formats/format.h"
#include "program/program.h"

typedef struct program_module {
    hoist_module base;
    hoist_bytes text;       // slice of the file: what a program for a caller is read from again
    hoist_program *program; // owned; may break rules of programs, but has no other fault
} program_module;

static inline const program_module *program_of(const hoist_module *module)
{
    return (const program_module *)module; // the base is the first member
}

// Those of hoist_format.
hoist_status program_info(const hoist_module *module, const hoist_check_options *options,
                          hoist_diag *diag, hoist_tree_sink *sink);
hoist_status program_picture(const hoist_module *module, const hoist_check_options *options,
                             hoist_diag *diag, hoist_picture *picture);

extern const hoist_format hoist_program_format;

#endif // HOIST_SRC_FORMATS_PROGRAM_MODULE_H
