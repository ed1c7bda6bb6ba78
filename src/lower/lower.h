// lower/lower.h - typed modules to programs, one file per format; nothing else.
#ifndef HOIST_SRC_LOWER_LOWER_H
#define HOIST_SRC_LOWER_LOWER_H

#include "hoist/lower.h"

#include "formats/format.h"
#include "program/program.h"

extern const hoist_rule_set hoist_lower_rules; // RUN-001...: what cannot be lowered, and why

// Lowers a netlist that was read and has no errors. Statuses as hoist_job_lower().
HOIST_NODISCARD hoist_status hoist_lower_buda(const hoist_module *module,
                                              const hoist_check_options *check,
                                              const hoist_lower_options *options, hoist_diag *diag,
                                              hoist_program **out_program);

#endif // HOIST_SRC_LOWER_LOWER_H
