// formats/buda/info.h - parts of the summary that info.c puts together.
#ifndef HOIST_SRC_FORMATS_BUDA_INFO_H
#define HOIST_SRC_FORMATS_BUDA_INFO_H

#include "base/tree.h"
#include "formats/buda/net.h"

// Sends the list `queues`: shape and place in words for people, as numbers for programs. Scratch
// comes from `arena`. The sink's first failure, HOIST_OK or HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status buda_send_queues(const buda_net *net, hoist_arena *arena,
                                              hoist_tree_sink *sink);

// Sends a map test_config and a list performance_check for the sections that the file has.
// Failures stay in the sink.
void buda_send_test_sections(const hoist_buda_module *module, hoist_tree_sink *sink);

#endif // HOIST_SRC_FORMATS_BUDA_INFO_H
