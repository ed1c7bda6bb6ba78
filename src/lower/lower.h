// lower/lower.h - typed modules to programs, one file per format; nothing else.
#ifndef HOIST_SRC_LOWER_LOWER_H
#define HOIST_SRC_LOWER_LOWER_H

#include "hoist/lower.h"

#include "formats/format.h"
#include "program/program.h"
#include "program/rules.h"

extern const hoist_rule_set hoist_lower_rules; // RUN-001...: what cannot be lowered, and why

// Lowers a netlist that was read and has no errors. Statuses as hoist_job_lower().
HOIST_NODISCARD hoist_status hoist_lower_buda(const hoist_module *module,
                                              const hoist_check_options *check,
                                              const hoist_lower_options *options, hoist_diag *diag,
                                              hoist_program **out_program);

// A file of a job.
typedef struct hoist_lower_file {
    const hoist_module *module;
    hoist_str name; // for messages
} hoist_lower_file;

// Lowers the NEFFs of a job, which were read and have no errors, to one program: one file that all
// ranks run, or one for each. With several ranks names are "rank1/NAME", and with several cores
// those of other variables than inputs and outputs "rank1/sg01/NAME". The entry is "run". Statuses
// as hoist_job_lower().
HOIST_NODISCARD hoist_status hoist_lower_neff(const hoist_lower_file *files, size_t count,
                                              const hoist_check_options *check,
                                              const hoist_lower_options *options, hoist_diag *diag,
                                              hoist_program **out_program);

// The rule of NEFFs that a finding of a program of theirs is reported under; NULL: the program's.
const hoist_rule *hoist_lower_neff_rule(hoist_program_rule rule);

#endif // HOIST_SRC_LOWER_LOWER_H
