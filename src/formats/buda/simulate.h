// formats/buda/simulate.h - runs the control side of programs without data: variables, loops, queue
// pointers, allocation, temporal epochs (buda-netlist reference sections 2.2 to 2.8).
//
// Every program is run once, from its beginning. Everything that the netlist does not give is
// unknown: the params (unless the caller gives them), what the host pushes, pops and puts, and the
// state of a queue that another program uses as well, for programs may run in any order. Nothing
// that depends on an unknown value is checked. A loop of unknown count is walked for its first
// iteration, which always happens; what its body changes is unknown after it.
//
// The walk is bounded in steps; a program that needs more is checked as far as the steps go.
#ifndef HOIST_SRC_FORMATS_BUDA_SIMULATE_H
#define HOIST_SRC_FORMATS_BUDA_SIMULATE_H

#include "formats/buda/program_report.h"

typedef struct buda_param {
    hoist_str name; // with its `$`
    hoist_str value;
} buda_param;

typedef struct buda_params {
    const buda_param *items; // borrowed
    size_t count;
} buda_params;

// Runs all programs of `codes` (one per program of the module, in file order) and reports rules
// 29b-d, 30c, 31a-g, 32, 33, 34a, b, d, e, 35, 36d, 79b (two live queues) and 97 to 102. `params`
// NULL: the caller gave none, their values are unknown and rule 31f is not checked.
// HOIST_OK whatever was found; HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status buda_simulate(const buda_index *index, const buda_code *codes,
                                           const buda_params *params, buda_reporter *reporter);

#endif // HOIST_SRC_FORMATS_BUDA_SIMULATE_H
