// formats/buda/check.h - the parts of the checker. Each takes the whole netlist and reports all it
// finds; none depends on another having been clean, none repeats what the reader reported.
#ifndef HOIST_SRC_FORMATS_BUDA_CHECK_H
#define HOIST_SRC_FORMATS_BUDA_CHECK_H

#include "formats/buda/net.h"
#include "formats/buda/rules.h"

typedef struct buda_check {
    const hoist_buda_module *module;
    const buda_net *net;
    const buda_cluster *cluster; // NULL: none given
    const hoist_check_options *options;
    hoist_diag *diag;
    hoist_arena *scratch; // freed after the check
    buda_arch arch;       // BUDA_ARCH_NONE: rules that depend on it are not checked
} buda_check;

// Checks for one architecture (buda_choose_arch): builds the net and runs every part below, one
// after the other, whatever the ones before found. HOIST_OK whatever was found; HOIST_NO_MEMORY,
// HOIST_LIMIT.
HOIST_NODISCARD hoist_status buda_check_arch(const hoist_buda_module *netlist,
                                             const hoist_check_options *options, hoist_diag *diag);
// The `check` of the format: for each architecture that the netlist lists where the options choose
// none. The same statuses. check_archs.c
HOIST_NODISCARD hoist_status buda_check_module(hoist_module *module,
                                               const hoist_check_options *options,
                                               hoist_diag *diag);

// Rules 4a, 9 to 15, 17 to 20, 58, 91, 93, 94: names, links, placement. check_structure.c
hoist_status buda_check_structure(const buda_check *c);
// Rules 37 to 57, 60 to 62, 85, 87 to 90, 92: one op by itself. check_op.c, check_format.c
hoist_status buda_check_ops(const buda_check *c);
// Rules 64 to 76, 86, 104: fused ops. check_fused.c
hoist_status buda_check_fused(const buda_check *c);
// Rules 77 to 80: addresses, channels, overlap of static queues. check_memory.c
hoist_status buda_check_memory(const buda_check *c);
// Rules 21 to 36 and 97 to 102: programs, by walking and by simulating their control side.
// check_program.c, simulate.c
hoist_status buda_check_programs(const buda_check *c);
// Rules 39b, 59, 63: shapes and formats along the edges. check_shape.c
hoist_status buda_check_shapes(const buda_check *c);
// Rules 901, 902: test-config and performance-check. check_test_config.c
hoist_status buda_check_test_sections(const buda_check *c);

#endif // HOIST_SRC_FORMATS_BUDA_CHECK_H
