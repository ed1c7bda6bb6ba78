// testing/trace.h - a sink that writes each tree event as one line of text, so that two streams of
// events compare as texts.
#ifndef HOIST_SRC_TESTING_TRACE_H
#define HOIST_SRC_TESTING_TRACE_H

#include "hoist/formats.h"

#include "base/buffer.h"
#include "base/tree.h"

// A sink that appends to `out`: key, kind, value, and the place when the
// event has one. HOIST_NO_MEMORY from the sink when `out` cannot grow.
hoist_tree_sink hoist_trace_sink(hoist_buffer *out);
// A sink that takes `*left` events and counts them down, and then refuses with HOIST_IO.
hoist_tree_sink hoist_refusing_sink(size_t *left);
// A sink that keeps nothing but how many maps and lists are open: `*depth`, 0 from here on. It
// needs no memory, and refuses an end where none is open with HOIST_INTERNAL.
hoist_tree_sink hoist_depth_sink(size_t *depth);
// Sinks that drop everything.
hoist_piece_sink hoist_dropping_sink(void);
hoist_tree_sink hoist_dropping_tree(void);
hoist_part_sink hoist_dropping_parts(void);
hoist_recovery_sink hoist_dropping_recovery(void);

#endif // HOIST_SRC_TESTING_TRACE_H
