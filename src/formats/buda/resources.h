// formats/buda/resources.h - what `hoist info --resources` shows: estimates of what the compiler
// will need of each core. buda-netlist reference section 5.5, rules 81 to 84.
#ifndef HOIST_SRC_FORMATS_BUDA_RESOURCES_H
#define HOIST_SRC_FORMATS_BUDA_RESOURCES_H

#include "base/tree.h"
#include "formats/buda/net.h"

// Sends the map `resources_estimate`: the limits, then the list `ops` with the L1 bytes, DRAM
// streams, forks and links of one core of each op. Never findings: the compiler's placement of
// streams is not reproduced. For BUDA_ARCH_NONE only a note is sent.
void buda_send_resources(const buda_net *net, hoist_tree_sink *sink);

#endif // HOIST_SRC_FORMATS_BUDA_RESOURCES_H
