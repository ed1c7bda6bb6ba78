// lower/ark/lower.h - the ARK files of a job as one program: a model or plan of each rank is a
// thread of that rank. With several ranks names are "rank1/NAME". The entry is "run".
#ifndef HOIST_SRC_LOWER_ARK_LOWER_H
#define HOIST_SRC_LOWER_ARK_LOWER_H

#include "lower/lower.h"

HOIST_NODISCARD hoist_lower_fn ark_lower;

// The rule of ARK files that a finding of a program of theirs is reported under; NULL: the
// program's.
const hoist_rule *ark_lower_rule(hoist_program_rule rule);

#endif // HOIST_SRC_LOWER_ARK_LOWER_H
