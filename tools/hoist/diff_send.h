// diff_send.h - the comparison of `hoist diff` as data, for pages.
#ifndef HOIST_TOOLS_DIFF_SEND_H
#define HOIST_TOOLS_DIFF_SEND_H

#include "tool.h"

// Sends the differences of two files of one format, or of a compiled model and its source, as
// members of the map that is open (hoist.diff/1, without its head). HOIST_OK, the sink's failure,
// HOIST_LIMIT, HOIST_CANCELLED, HOIST_NO_MEMORY. cmd_diff.c
HOIST_NODISCARD hoist_status diff_send(tool *t, const tool_input inputs[2], hoist_tree_sink *sink);

#endif // HOIST_TOOLS_DIFF_SEND_H
