// report/trace.h - a timeline as a file in the trace-event format that Perfetto and
// chrome://tracing open ("Trace Event Format", its JSON object form), one event on each line.
//
//   hoist_trace trace;
//   hoist_trace_open(&trace, alloc, out);              // facts about the run go to trace.sink
//   hoist_trace_begin_events(&trace);
//   hoist_trace_name_process(&trace, 0, name);         // its threads follow
//   hoist_trace_name_thread(&trace, 0, 1, name);
//   hoist_trace_begin(&trace, &event);                 // arguments go to trace.sink
//   hoist_trace_end(&trace);
//   status = hoist_trace_close(&trace);
//
// Names and arguments may be any bytes: codec/json_writer.h makes valid JSON of them. The file's
// times are integers of nanoseconds, as microseconds with three decimals: both ends of an event are
// rounded alike, so that an event that is inside another one still is.
#ifndef HOIST_SRC_REPORT_TRACE_H
#define HOIST_SRC_REPORT_TRACE_H

#include "report/document.h"

typedef struct hoist_trace {
    hoist_document doc;    // owned
    hoist_tree_sink *sink; // of `doc`: facts before the events, then arguments of the open one
    uint32_t named;        // processes and threads
} hoist_trace;

// What a thread did for a while.
typedef struct hoist_trace_event {
    uint32_t process;     // numbers that were named
    uint32_t thread;      // within the process
    hoist_str name;       // borrowed
    const char *category; // static, such as "compute"
    double begin;         // seconds from the beginning of the trace, 0 or more
    double seconds;       // 0 or more
} hoist_trace_event;

// `trace` must stay where it is until it is closed.
void hoist_trace_open(hoist_trace *trace, hoist_allocator alloc, hoist_output *out);
void hoist_trace_begin_events(hoist_trace *trace);

// Viewers list processes, and the threads of one, in the order of these calls.
void hoist_trace_name_process(hoist_trace *trace, uint32_t process, hoist_str name);
void hoist_trace_name_thread(hoist_trace *trace, uint32_t process, uint32_t thread, hoist_str name);

// An event, open for its arguments until hoist_trace_end(). Events of a thread are apart or one
// inside the other. Times that are not finite, negative, or beyond 2^53 ns (104 days) make the
// trace fail with HOIST_INVALID.
void hoist_trace_begin(hoist_trace *trace, const hoist_trace_event *event);
// A fact or an argument: a text that is there (data not NULL), an amount that is not 0.
void hoist_trace_text(hoist_trace *trace, const char *key, hoist_str text);
void hoist_trace_amount(hoist_trace *trace, const char *key, uint64_t amount);
void hoist_trace_end(hoist_trace *trace);

// Completes the text. The first failure: HOIST_INVALID (a time), HOIST_NO_MEMORY, HOIST_INTERNAL
// (calls in another order); those of the output itself stay in the output.
HOIST_NODISCARD hoist_status hoist_trace_close(hoist_trace *trace);

#endif // HOIST_SRC_REPORT_TRACE_H
