// formats/ark/check.h - the checks of an ARK file, each over its graph; rules: rules.inc.
//
// Each part reports what it finds, with the object path of what has it ("nodes/3/op/read/0"), and
// looks at valid steps and tensors only: what makes others invalid is reported already. HOIST_OK
// whatever was found; HOIST_NO_MEMORY, HOIST_LIMIT, HOIST_CANCELLED.
#ifndef HOIST_SRC_FORMATS_ARK_CHECK_H
#define HOIST_SRC_FORMATS_ARK_CHECK_H

#include "formats/ark/graph.h"

typedef hoist_status ark_check_part(const ark_graph *graph, hoist_arena *scratch, hoist_diag *diag);

ark_check_part ark_check_args;  // arguments of operators: M10, M11
ark_check_part ark_check_nodes; // nodes, edges and their order: M30 to M36, M40, M41
ark_check_part ark_check_ops;   // tensors of operators: M50 to M63
ark_check_part ark_check_memory;
ark_check_part ark_check_messages; // communication, as far as one file shows it: M70 to M78
ark_check_part ark_check_plan;

// All of them: hoist_format.check.
HOIST_NODISCARD hoist_status ark_check(hoist_module *module, const hoist_check_options *options,
                                       hoist_diag *diag);

#endif // HOIST_SRC_FORMATS_ARK_CHECK_H
