// lower/lower.h - typed modules to programs, one file per format; nothing else.
#ifndef HOIST_SRC_LOWER_LOWER_H
#define HOIST_SRC_LOWER_LOWER_H

#include "hoist/lower.h"

#include "formats/format.h"
#include "program/program.h"
#include "program/rules.h"

extern const hoist_rule_set hoist_lower_rules; // RUN-001...: what cannot be lowered, and why

// What is nested in a module.
typedef struct hoist_lower_nested {
    const hoist_payload *payload;
    const hoist_module *module; // NULL: it is of no known format
} hoist_lower_nested;

// A file of a job.
typedef struct hoist_lower_file {
    const hoist_module *module;
    hoist_str name;                   // for messages
    const hoist_lower_nested *nested; // in the order of the module's payloads
    size_t nested_count;
} hoist_lower_file;

// Lowers a netlist that was read and has no errors. Statuses as hoist_job_lower().
HOIST_NODISCARD hoist_status hoist_lower_buda(const hoist_lower_file *file,
                                              const hoist_check_options *check,
                                              const hoist_lower_options *options, hoist_diag *diag,
                                              hoist_program **out_program);

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

// Lowers models that were read and have no errors: of each the first subgraph, with the arithmetic
// of TFLite's reference kernels; operators that are compiled for an Edge TPU as the layers of their
// packages (below). Inputs and outputs have the names of their tensors; where there is none, or
// another tensor has it, "0/12" of tensor 12. The entry is "run"; of several files, which share one
// Edge TPU, each has an entry of its own, too (lower/models.h). Statuses as hoist_job_lower().
HOIST_NODISCARD hoist_status hoist_lower_tflite(const hoist_lower_file *files, size_t count,
                                                const hoist_check_options *check,
                                                const hoist_lower_options *options,
                                                hoist_diag *diag, hoist_program **out_program);

// Lowers packages for an Edge TPU that were read and have no errors, by the layers that are
// recovered from them. Inputs and outputs have the names of their layers. Entries as above,
// statuses as hoist_job_lower().
HOIST_NODISCARD hoist_status hoist_lower_darwinn(const hoist_lower_file *files, size_t count,
                                                 const hoist_check_options *check,
                                                 const hoist_lower_options *options,
                                                 hoist_diag *diag, hoist_program **out_program);

#endif // HOIST_SRC_LOWER_LOWER_H
