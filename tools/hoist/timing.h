// timing.h - what `time` and `trace` share: the choices of the command line, and rows of an
// estimate as events.
#ifndef HOIST_TOOLS_TIMING_H
#define HOIST_TOOLS_TIMING_H

#include "report/trace.h"
#include "tool.h"

// Most bytes that an estimate takes: a small file may have a long run, and its steps are kept.
enum { TIMING_MOST_BYTES = 1 << 30 };

typedef struct hoist_estimate hoist_estimate; // load/time.h

// The options of hoist_job_time() by the command line; names are in `arena`.
tool_exit timing_read_options(tool *t, hoist_arena *arena, hoist_time_options *out_options);

// Sends the rows as events of a process of their own, once the trace's events have begun.
// HOIST_NO_MEMORY; statuses of the trace itself stay in it.
HOIST_NODISCARD hoist_status timing_send_events(const hoist_estimate *e, uint32_t process,
                                                hoist_trace *trace);

#endif // HOIST_TOOLS_TIMING_H
