// lower/buda/lower.h - a netlist as a program: one file, whose programs are the entries.
#ifndef HOIST_SRC_LOWER_BUDA_LOWER_H
#define HOIST_SRC_LOWER_BUDA_LOWER_H

#include "lower/lower.h"

HOIST_NODISCARD hoist_lower_fn buda_lower;

#endif // HOIST_SRC_LOWER_BUDA_LOWER_H
