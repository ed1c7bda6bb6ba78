// lower/program/lower.h - a program text as a program of the caller's own: the rows of the text,
// with all names and entries that it has.
#ifndef HOIST_SRC_LOWER_PROGRAM_LOWER_H
#define HOIST_SRC_LOWER_PROGRAM_LOWER_H

#include "lower/lower.h"

HOIST_NODISCARD hoist_lower_fn program_lower;

#endif // HOIST_SRC_LOWER_PROGRAM_LOWER_H
