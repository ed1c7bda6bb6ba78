// formats/buda/show.h - a netlist for people: the summary of `hoist info`, the drawing of
// `hoist graph`.
#ifndef HOIST_SRC_FORMATS_BUDA_SHOW_H
#define HOIST_SRC_FORMATS_BUDA_SHOW_H

#include "base/buffer.h"
#include "base/tree.h"
#include "formats/buda/net.h"

// The `info` of the format: architecture, contents, memory, queues, graphs, op types, fused ops,
// programs, and with options->resources the estimates of resources.c; members of a map that is
// open already. Returns the sink's status, HOIST_NO_MEMORY or HOIST_LIMIT.
HOIST_NODISCARD hoist_status buda_info(const hoist_module *module,
                                       const hoist_check_options *options, hoist_diag *diag,
                                       hoist_tree_sink *sink);

// Sends the list `resources`, one map per op: what a core needs of its L1, DRAM streams and links,
// beside the limits. All figures are estimates: buda-netlist reference section 5.5, rules 81 to 84.
void buda_send_resources(const buda_net *net, hoist_tree_sink *sink);

// The `draw` of the format: per graph a map of the worker grid with its legend and the flow of data
// through its ops; per chip the DRAM channels with their queues. ASCII, at most `width` columns (at
// least 40 are used; 0: 80).
HOIST_NODISCARD hoist_status buda_draw(const hoist_module *module,
                                       const hoist_check_options *options, hoist_diag *diag,
                                       size_t width, hoist_buffer *out);

#endif // HOIST_SRC_FORMATS_BUDA_SHOW_H
