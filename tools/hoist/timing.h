// timing.h - what `time` and `trace` share: the choices of the command line, and rows of an
// estimate as events.
#ifndef HOIST_TOOLS_TIMING_H
#define HOIST_TOOLS_TIMING_H

#include "page/rows.h"
#include "report/trace.h"
#include "tool.h"

// The options of hoist_job_time() by the command line; names are in `arena`.
tool_exit timing_read_options(tool *t, hoist_arena *arena, hoist_time_options *out_options);

// Sends the rows as events of a process of their own, once the trace's events have begun.
// HOIST_NO_MEMORY; statuses of the trace itself stay in it.
HOIST_NODISCARD hoist_status timing_send_events(const timing_rows *rows, uint32_t process,
                                                hoist_trace *trace);

#endif // HOIST_TOOLS_TIMING_H
