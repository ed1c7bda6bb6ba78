// lower/neff/lower.h - the NEFFs of a job as one program: one file that all ranks run, or one for
// each. With several ranks names are "rank1/NAME", and with several cores those of other variables
// than inputs and outputs "rank1/sg01/NAME". The entry is "run".
#ifndef HOIST_SRC_LOWER_NEFF_LOWER_H
#define HOIST_SRC_LOWER_NEFF_LOWER_H

#include "lower/lower.h"

HOIST_NODISCARD hoist_lower_fn neff_lower;

// The rule of NEFFs that a finding of a program of theirs is reported under; NULL: the program's.
const hoist_rule *neff_lower_rule(hoist_program_rule rule);

#endif // HOIST_SRC_LOWER_NEFF_LOWER_H
