// formats/buda/program_report.h - findings about programs: with the instruction in the object path,
// and once per place, however often a loop comes by.
#ifndef HOIST_SRC_FORMATS_BUDA_PROGRAM_REPORT_H
#define HOIST_SRC_FORMATS_BUDA_PROGRAM_REPORT_H

#include "formats/buda/program.h"
#include "formats/buda/rules.h"

typedef struct buda_reporter {
    hoist_diag *diag;            // borrowed; may be NULL
    hoist_arena *arena;          // borrowed
    hoist_map seen;              // rule, place and subject of what was reported
    const buda_program *program; // where we are: set by the caller
    size_t instr;                // index into program->instrs, or BUDA_NO_INDEX
    bool no_memory;              // sticky
} buda_reporter;

void buda_reporter_init(buda_reporter *reporter, hoist_diag *diag, hoist_arena *arena);
void buda_reporter_deinit(buda_reporter *reporter);

// Reports `rule` at `pos`, unless this rule was reported there before for the same `subject` (a
// queue's index, or 0 where the place says it all).
void buda_program_report(buda_reporter *reporter, buda_rule rule, hoist_pos pos, size_t subject,
                         const char *format, ...) HOIST_PRINTF(5, 6);

#endif // HOIST_SRC_FORMATS_BUDA_PROGRAM_REPORT_H
