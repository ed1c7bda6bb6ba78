#include "base/buffer.h"
#include "base/span.h"
#include "base/tree.h"
#include "testing/test.h"

// Writes each event as one word and fails at the `fail_at`-th.
typedef struct recorder {
    hoist_buffer text;
    size_t events;
    size_t fail_at; // 0: never
} recorder;

static hoist_status record(void *self, const hoist_tree_event *event)
{
    static const char *const kinds[] = {
        [HOIST_TREE_MAP] = "map",     [HOIST_TREE_LIST] = "list", [HOIST_TREE_END] = "end",
        [HOIST_TREE_STR] = "str",     [HOIST_TREE_INT] = "int",   [HOIST_TREE_UINT] = "uint",
        [HOIST_TREE_FLOAT] = "float", [HOIST_TREE_BOOL] = "bool", [HOIST_TREE_NULL] = "null",
    };
    recorder *r = self;
    if (++r->events == r->fail_at) {
        return HOIST_LIMIT;
    }
    hoist_buffer_format(&r->text, "%.*s:%s", HOIST_STR_ARGS(event->key), kinds[event->kind]);
    if (event->kind == HOIST_TREE_STR) {
        hoist_buffer_format(&r->text, "=%.*s", HOIST_STR_ARGS(event->str));
    } else if (event->kind == HOIST_TREE_INT) {
        hoist_buffer_format(&r->text, "=%d", (int)event->integer);
    } else if (event->kind == HOIST_TREE_UINT) {
        hoist_buffer_format(&r->text, "=%u/%d", (unsigned)event->uinteger, (int)event->unit);
    } else if (event->kind == HOIST_TREE_FLOAT) {
        hoist_buffer_format(&r->text, "=%g/%d", event->number, (int)event->unit);
    } else if (event->kind == HOIST_TREE_BOOL) {
        hoist_buffer_format(&r->text, "=%d", event->boolean);
    }
    hoist_buffer_char(&r->text, ' ');
    return HOIST_OK;
}

static void send_one_of_each(hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "m");
    hoist_tree_c(sink, "c", "text");
    hoist_tree_str(sink, "s", HOIST_STR("span"));
    hoist_tree_int(sink, "i", -3);
    hoist_tree_uint(sink, "u", 7, HOIST_UNIT_BYTES);
    hoist_tree_list(sink, "l");
    hoist_tree_float(sink, "", 0.5, HOIST_UNIT_PERCENT);
    hoist_tree_bool(sink, "", true);
    hoist_tree_null(sink, "");
    hoist_tree_end(sink);
    hoist_tree_end(sink);
}

HOIST_TEST(each_helper_sends_its_event)
{
    recorder r = {0};
    hoist_buffer_init(&r.text, hoist_allocator_system());
    hoist_tree_sink sink = {.self = &r, .event = record};
    send_one_of_each(&sink);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&r.text),
                     "m:map c:str=text s:str=span i:int=-3 u:uint=7/1 l:list :float=0.5/3 "
                     ":bool=1 :null :end :end ");
    hoist_buffer_deinit(&r.text);
}

HOIST_TEST(what_is_absent_is_null)
{
    recorder r = {0};
    hoist_buffer_init(&r.text, hoist_allocator_system());
    hoist_tree_sink sink = {.self = &r, .event = record};
    hoist_tree_maybe_c(&sink, "c", "text");
    hoist_tree_maybe_c(&sink, "c", NULL);
    hoist_tree_maybe_str(&sink, "s", HOIST_STR(""));
    hoist_tree_maybe_str(&sink, "s", (hoist_str){NULL, 0});
    hoist_tree_maybe_uint(&sink, "u", true, 7, HOIST_UNIT_BYTES);
    hoist_tree_maybe_uint(&sink, "u", false, 7, HOIST_UNIT_BYTES);
    hoist_tree_maybe_float(&sink, "f", true, 0.5, HOIST_UNIT_PERCENT);
    hoist_tree_maybe_float(&sink, "f", false, 0.5, HOIST_UNIT_PERCENT);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&r.text),
                     "c:str=text c:null s:str= s:null u:uint=7/1 u:null f:float=0.5/3 f:null ");
    hoist_buffer_deinit(&r.text);
}

HOIST_TEST(nothing_is_sent_after_a_failure)
{
    for (size_t n = 1; n <= 11; n++) {
        recorder r = {.fail_at = n};
        hoist_buffer_init(&r.text, hoist_allocator_system());
        hoist_tree_sink sink = {.self = &r, .event = record};
        send_one_of_each(&sink);
        HOIST_EXPECT_EQ(t, sink.status, HOIST_LIMIT);
        HOIST_EXPECT_EQ(t, r.events, n);
        hoist_buffer_deinit(&r.text);
    }
}

static hoist_status record_audience(void *self, const hoist_tree_event *event)
{
    hoist_buffer_format(self, "%d%s ", (int)event->audience, event->inline_hint ? " short" : "");
    return HOIST_OK;
}

HOIST_TEST(the_sink_says_whom_events_are_for)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = {.self = &text, .event = record_audience};
    hoist_tree_short_map(&sink, "");
    sink.audience = HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_unknown(&sink, "a", HOIST_UNIT_BYTES);
    const hoist_tree_event own = {.kind = HOIST_TREE_NULL, .audience = HOIST_TREE_FOR_PEOPLE};
    hoist_tree_send(&sink, &own);
    sink.audience = HOIST_TREE_FOR_ALL;
    hoist_tree_short_list(&sink, "b");
    HOIST_EXPECT_STR(t, hoist_buffer_text(&text), "0 short 2 1 0 short ");
    hoist_buffer_deinit(&text);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_helper_sends_its_event), HOIST_TEST_ROW(what_is_absent_is_null),
                HOIST_TEST_ROW(the_sink_says_whom_events_are_for),
                HOIST_TEST_ROW(nothing_is_sent_after_a_failure))
