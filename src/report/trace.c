// A timeline in the trace-event format of Perfetto and chrome://tracing. Input: names, events and
// the arguments that the caller sends as tree events. Output: JSON through document.c, which sends
// it on as it grows. Fields: ph is the kind ("M" metadata, "X" an event with its length, "C" a
// counter), ts and dur are microseconds, pid and tid numbers, cat a category, args a map.
#include "report/trace.h"

#include <math.h>

#include "base/span.h"
#include "base/tree.h"

// Beyond this many nanoseconds doubles are no integers any more.
static const double MOST_NS = 9007199254740992.0;

void hoist_trace_open(hoist_trace *trace, hoist_allocator alloc, hoist_output *out)
{
    static const hoist_document_style style = {.json = true};
    *trace = (hoist_trace){.named = 0};
    hoist_document_open(&trace->doc, alloc, out, &style);
    trace->sink = &trace->doc.sink;
    hoist_tree_map(trace->sink, "");
    hoist_tree_c(trace->sink, "schema", "hoist.trace/1");
    hoist_tree_c(trace->sink, "displayTimeUnit", "ns");
    hoist_tree_map(trace->sink, "otherData");
}

void hoist_trace_begin_events(hoist_trace *trace)
{
    hoist_tree_end(trace->sink);
    hoist_tree_list(trace->sink, "traceEvents");
}

// The fields that every event has.
static void send_head(hoist_trace *trace, const char *kind, hoist_str name, uint32_t process,
                      uint32_t thread)
{
    hoist_tree_short_map(trace->sink, "");
    hoist_tree_c(trace->sink, "ph", kind);
    hoist_tree_uint(trace->sink, "pid", process, HOIST_UNIT_NONE);
    hoist_tree_uint(trace->sink, "tid", thread, HOIST_UNIT_NONE);
    hoist_tree_str(trace->sink, "name", name);
}

// Names are events with arguments; the second one sorts the first.
static void send_name(hoist_trace *trace, const char *const kinds[2], uint32_t process,
                      uint32_t thread, hoist_str name)
{
    for (size_t i = 0; i < 2; i++) {
        send_head(trace, "M", hoist_str_from(kinds[i]), process, thread);
        hoist_tree_map(trace->sink, "args");
        if (i == 0) {
            hoist_tree_str(trace->sink, "name", name);
        } else {
            hoist_tree_uint(trace->sink, "sort_index", trace->named++, HOIST_UNIT_NONE);
        }
        hoist_trace_end(trace);
    }
}

void hoist_trace_name_process(hoist_trace *trace, uint32_t process, hoist_str name)
{
    static const char *const kinds[] = {"process_name", "process_sort_index"};
    send_name(trace, kinds, process, 0, name);
}

void hoist_trace_name_thread(hoist_trace *trace, uint32_t process, uint32_t thread, hoist_str name)
{
    static const char *const kinds[] = {"thread_name", "thread_sort_index"};
    send_name(trace, kinds, process, thread, name);
}

// Nanoseconds, in the form that the file has them in. Names a time that cannot be in a file.
static double nanoseconds(hoist_trace *trace, double seconds)
{
    const double ns = round(seconds * 1e9);
    if (ns >= 0 && ns <= MOST_NS) { // false of NaN
        return ns;
    }
    if (trace->sink->status == HOIST_OK) {
        trace->sink->status = HOIST_INVALID;
    }
    return 0;
}

static void send_time(hoist_trace *trace, const char *key, double ns)
{
    hoist_tree_float(trace->sink, key, ns / 1000, HOIST_UNIT_NONE);
}

void hoist_trace_begin(hoist_trace *trace, const hoist_trace_event *event)
{
    const double begin = nanoseconds(trace, event->begin);
    const double end = nanoseconds(trace, event->begin + event->seconds);
    if (end < begin && trace->sink->status == HOIST_OK) {
        trace->sink->status = HOIST_INVALID;
    }
    send_head(trace, "X", event->name, event->process, event->thread);
    hoist_tree_c(trace->sink, "cat", event->category);
    send_time(trace, "ts", begin);
    send_time(trace, "dur", end - begin);
    hoist_tree_map(trace->sink, "args");
}

void hoist_trace_text(hoist_trace *trace, const char *key, hoist_str text)
{
    if (text.data) {
        hoist_tree_str(trace->sink, key, text);
    }
}

void hoist_trace_amount(hoist_trace *trace, const char *key, uint64_t amount)
{
    if (amount) {
        hoist_tree_uint(trace->sink, key, amount, HOIST_UNIT_NONE);
    }
}

void hoist_trace_end(hoist_trace *trace)
{
    hoist_tree_end(trace->sink); // args
    hoist_tree_end(trace->sink);
}

hoist_status hoist_trace_close(hoist_trace *trace)
{
    hoist_tree_end(trace->sink); // traceEvents
    hoist_tree_end(trace->sink);
    return hoist_document_close(&trace->doc);
}
