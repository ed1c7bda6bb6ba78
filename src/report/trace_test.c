// Traces: exact text of each kind of event, times, hostile names, calls in the wrong order, memory.
#include <math.h>
#include <stdio.h>

#include "base/tree.h"
#include "report/trace.h"
#include "testing/test.h"

// Sends some events between begin and close.
typedef void produce_fn(hoist_trace *trace, const hoist_trace_event *event);

// What comes out of a trace with this event, read back from a file; `*out_status`: of its end.
static hoist_str traced(hoist_test *t, produce_fn *produce, const hoist_trace_event *event,
                        hoist_status *out_status)
{
    FILE *file = tmpfile();
    if (!file) {
        hoist_test_skip(t, "no temporary file");
    }
    hoist_output out;
    hoist_output_init(&out, fileno(file));
    hoist_trace trace;
    hoist_trace_open(&trace, hoist_allocator_system(), &out);
    hoist_trace_begin_events(&trace);
    produce(&trace, event);
    *out_status = hoist_trace_close(&trace);
    HOIST_EXPECT_EQ(t, hoist_output_flush(&out), HOIST_OK);
    rewind(file);
    const size_t capacity = 4096;
    char *text = hoist_arena_alloc(&t->arena, capacity);
    const size_t size = text ? fread(text, 1, capacity, file) : 0;
    (void)fclose(file);
    return (hoist_str){text, size};
}

static void send_event(hoist_trace *trace, const hoist_trace_event *event)
{
    hoist_trace_begin(trace, event);
    hoist_trace_end(trace);
}

static void send_what_is_there(hoist_trace *trace, const hoist_trace_event *event)
{
    hoist_trace_begin(trace, event);
    hoist_trace_text(trace, "device", HOIST_STR("a"));
    hoist_trace_text(trace, "empty", HOIST_STR(""));
    hoist_trace_text(trace, "host", (hoist_str){NULL, 0});
    hoist_trace_amount(trace, "bytes", 7);
    hoist_trace_amount(trace, "steps", 0);
    hoist_trace_end(trace);
}

static void send_arguments(hoist_trace *trace, const hoist_trace_event *event)
{
    hoist_trace_begin(trace, event);
    hoist_tree_float(trace->sink, "ratio", NAN, HOIST_UNIT_NONE);
    trace->sink->audience = HOIST_TREE_FOR_PEOPLE;
    hoist_tree_c(trace->sink, "words", "for others");
    trace->sink->audience = HOIST_TREE_FOR_ALL;
    hoist_tree_list(trace->sink, "at");
    hoist_tree_uint(trace->sink, "", UINT64_MAX, HOIST_UNIT_NONE);
    hoist_tree_end(trace->sink);
    hoist_trace_end(trace);
}

static void send_names(hoist_trace *trace, const hoist_trace_event *event)
{
    hoist_trace_name_process(trace, event->process, event->name);
    hoist_trace_name_thread(trace, event->process, event->thread, HOIST_STR("second"));
}

static void send_nothing(hoist_trace *trace, const hoist_trace_event *event)
{
    (void)trace;
    (void)event;
}

#define HEAD                                                                                       \
    "{\n  \"schema\": \"hoist.trace/1\",\n  \"displayTimeUnit\": \"ns\",\n  \"otherData\": {},\n"
#define LIST(lines) HEAD "  \"traceEvents\": [\n" lines "\n  ]\n}\n"
#define LINE "    {\"ph\": "
#define AT "\"pid\": 1, \"tid\": 2, \"name\": \"matmul\", \"cat\": \"compute\", "
#define ONE(times) LIST(LINE "\"X\", " AT times ", \"args\": {}}")
#define NAMED(name)                                                                                \
    LIST(LINE "\"X\", \"pid\": 0, \"tid\": 0, \"name\": " name                                     \
              ", \"cat\": \"a\", \"ts\": 0, \"dur\": 0, \"args\": {}}")
// Of a string literal, in tables, which compound literals cannot be in.
#define TEXT(literal)                                                                              \
    {                                                                                              \
        "" literal, sizeof(literal) - 1                                                            \
    }
#define EVENT(from, length)                                                                        \
    {                                                                                              \
        1, 2, TEXT("matmul"), "compute", from, length                                              \
    }

// clang-format off
static const struct {
    const char *name;
    produce_fn *produce;
    hoist_trace_event event;
    const char *text;
} traces[] = {
    {"no event", send_nothing, {.process = 0}, HEAD "  \"traceEvents\": []\n}\n"},
    {"microseconds", send_event, EVENT(1.5, 0.25), ONE("\"ts\": 1500000, \"dur\": 250000")},
    {"nanoseconds", send_event, EVENT(0.000000001, 0.000000002), ONE("\"ts\": 0.001, \"dur\": 0.002")},
    {"both ends are rounded", send_event, EVENT(0.0000000014, 0.0000000014), ONE("\"ts\": 0.001, \"dur\": 0.002")},
    {"less than a nanosecond", send_event, EVENT(0.0000000001, 0.0000000001), ONE("\"ts\": 0, \"dur\": 0")},
    {"a day in nanoseconds", send_event, EVENT(86400.000000001, 0), ONE("\"ts\": 86400000000.001, \"dur\": 0")},
    {"texts and amounts that are there", send_what_is_there, EVENT(0, 1),
     LIST(LINE "\"X\", " AT "\"ts\": 0, \"dur\": 1000000, "
          "\"args\": {\"device\": \"a\", \"empty\": \"\", \"bytes\": 7}}")},
    {"arguments", send_arguments, EVENT(0, 1),
     LIST(LINE "\"X\", " AT "\"ts\": 0, \"dur\": 1000000, "
          "\"args\": {\"ratio\": \"NaN\", \"at\": [\"18446744073709551615\"]}}")},
    {"names", send_names, EVENT(0, 0),
     LIST(LINE "\"M\", \"pid\": 1, \"tid\": 0, \"name\": \"process_name\", \"args\": {\"name\": \"matmul\"}},\n"
          LINE "\"M\", \"pid\": 1, \"tid\": 0, \"name\": \"process_sort_index\", \"args\": {\"sort_index\": 0}},\n"
          LINE "\"M\", \"pid\": 1, \"tid\": 2, \"name\": \"thread_name\", \"args\": {\"name\": \"second\"}},\n"
          LINE "\"M\", \"pid\": 1, \"tid\": 2, \"name\": \"thread_sort_index\", \"args\": {\"sort_index\": 1}}")},
    {"quotes and marks", send_event, {.name = TEXT("a\"\\\n</script>\xe2\x80\xae"), .category = "a"},
     NAMED("\"a\\\"\\\\\\n</script>\\u202e\"")},
    {"no UTF-8", send_event, {.name = TEXT("\xff\xc0x"), .category = "a"},
     NAMED("\"\xef\xbf\xbd\xef\xbf\xbdx\"")},
    {"no name", send_event, {.category = "a"}, NAMED("\"\"")},
};
// clang-format on

HOIST_TEST_TABLE(texts, traces)
{
    hoist_status status = HOIST_INTERNAL;
    const hoist_str text = traced(t, row->produce, &row->event, &status);
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT_STR(t, text, row->text);
}

// clang-format off
static const struct {
    const char *name;
    double begin;
    double seconds;
    hoist_status expected;
} times[] = {
    {"zero",                 0,            0,         HOIST_OK},
    {"the last nanosecond",  9007199.0,    0.25,      HOIST_OK},
    {"beyond it",            9007200.0,    0,         HOIST_INVALID},
    {"ends beyond it",       9007199.0,    1,         HOIST_INVALID},
    {"negative",             -1e-6,        1,         HOIST_INVALID},
    {"negative length",      1,            -1e-6,     HOIST_INVALID},
    {"no number",            NAN,          0,         HOIST_INVALID},
    {"length is no number",  0,            NAN,       HOIST_INVALID},
    {"infinite",             INFINITY,     0,         HOIST_INVALID},
    {"infinite length",      0,            INFINITY,  HOIST_INVALID},
    {"minus infinite",       -INFINITY,    INFINITY,  HOIST_INVALID},
};
// clang-format on

HOIST_TEST_TABLE(bounds_of_times, times)
{
    const hoist_trace_event event = {
        .name = HOIST_STR("x"), .category = "a", .begin = row->begin, .seconds = row->seconds};
    hoist_status status = HOIST_INTERNAL;
    (void)traced(t, send_event, &event, &status);
    HOIST_EXPECT_EQ(t, status, row->expected);
}

static void send_end(hoist_trace *trace, const hoist_trace_event *event)
{
    (void)event;
    hoist_trace_end(trace);
}

HOIST_TEST(an_end_too_many_fails)
{
    hoist_status status = HOIST_OK;
    (void)traced(t, send_end, NULL, &status);
    HOIST_EXPECT_EQ(t, status, HOIST_INTERNAL);
}

// Facts come before events, wherever the caller has them from.
HOIST_TEST(facts_are_other_data)
{
    hoist_output out;
    hoist_output_init(&out, -1);
    hoist_trace trace;
    hoist_trace_open(&trace, hoist_allocator_system(), &out);
    hoist_tree_c(trace.sink, "file", "a.neff");
    hoist_trace_begin_events(&trace);
    const hoist_str text = hoist_buffer_text(&trace.doc.buffer);
    HOIST_EXPECT_STR(t, text,
                     "{\n  \"schema\": \"hoist.trace/1\",\n  \"displayTimeUnit\": \"ns\",\n"
                     "  \"otherData\": {\n    \"file\": \"a.neff\"\n  },\n  \"traceEvents\": [");
    HOIST_EXPECT_EQ(t, hoist_trace_close(&trace), HOIST_OK);
}

static hoist_status trace_with(hoist_allocator alloc, const void *self)
{
    hoist_output out;
    hoist_output_init(&out, -1);
    hoist_trace trace;
    hoist_trace_open(&trace, alloc, &out);
    hoist_trace_begin_events(&trace);
    send_names(&trace, self);
    send_event(&trace, self);
    return hoist_trace_close(&trace);
}

HOIST_TEST(memory_may_run_out)
{
    const hoist_trace_event event = EVENT(0, 1);
    hoist_test_starve(t, trace_with, &event);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(texts), HOIST_TEST_ROW(bounds_of_times),
                HOIST_TEST_ROW(an_end_too_many_fails), HOIST_TEST_ROW(facts_are_other_data),
                HOIST_TEST_ROW(memory_may_run_out))
