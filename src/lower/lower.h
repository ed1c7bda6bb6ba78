// lower/lower.h - what every way from typed modules to a program takes. The ways themselves are in
// the folders below: lower/buda/lower.h declares buda_lower(), and so on.
#ifndef HOIST_SRC_LOWER_LOWER_H
#define HOIST_SRC_LOWER_LOWER_H

#include "hoist/lower.h"

#include "formats/format.h"
#include "program/program.h"
#include "program/rules.h"

extern const hoist_rule_set hoist_lower_rules; // RUN-001...: what cannot be lowered, and why

// Lowers the files of a job, 1 or more of one format, which were read and have no errors. Findings
// go to `diag` (may be NULL). The caller owns `*out_program`, which is NULL unless the status is
// HOIST_OK. Statuses as hoist_job_lower().
typedef hoist_status hoist_lower_fn(const hoist_file *files, size_t count,
                                    const hoist_check_options *check,
                                    const hoist_lower_options *options, hoist_diag *diag,
                                    hoist_program **out_program);

#endif // HOIST_SRC_LOWER_LOWER_H
