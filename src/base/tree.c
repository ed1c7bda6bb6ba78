// The producer's side of the tree visitor: one function for each kind of event. codec/ and report/
// have the sinks.
#include "base/tree.h"

#include "base/assert.h"
#include "base/span.h"

void hoist_tree_send(hoist_tree_sink *sink, const hoist_tree_event *event)
{
    HOIST_ASSERT(sink->event && event->kind <= HOIST_TREE_NULL);
    if (sink->status == HOIST_OK) {
        sink->status = hoist_deadline_look(sink->deadline);
    }
    if (sink->status != HOIST_OK) {
        return;
    }
    if (event->audience != HOIST_TREE_FOR_ALL || sink->audience == HOIST_TREE_FOR_ALL) {
        sink->status = sink->event(sink->self, event);
        return;
    }
    hoist_tree_event addressed = *event;
    addressed.audience = sink->audience;
    sink->status = sink->event(sink->self, &addressed);
}

void hoist_tree_map(hoist_tree_sink *sink, const char *key)
{
    hoist_tree_send(sink, &(hoist_tree_event){.kind = HOIST_TREE_MAP, .key = hoist_str_from(key)});
}

void hoist_tree_list(hoist_tree_sink *sink, const char *key)
{
    hoist_tree_send(sink, &(hoist_tree_event){.kind = HOIST_TREE_LIST, .key = hoist_str_from(key)});
}

void hoist_tree_end(hoist_tree_sink *sink)
{
    hoist_tree_send(sink, &(hoist_tree_event){.kind = HOIST_TREE_END});
}

void hoist_tree_str(hoist_tree_sink *sink, const char *key, hoist_str value)
{
    hoist_tree_send(sink, &(hoist_tree_event){
                              .kind = HOIST_TREE_STR, .key = hoist_str_from(key), .str = value});
}

void hoist_tree_c(hoist_tree_sink *sink, const char *key, const char *value)
{
    hoist_tree_str(sink, key, hoist_str_from(value));
}

void hoist_tree_int(hoist_tree_sink *sink, const char *key, int64_t value)
{
    hoist_tree_send(
        sink,
        &(hoist_tree_event){.kind = HOIST_TREE_INT, .key = hoist_str_from(key), .integer = value});
}

void hoist_tree_uint(hoist_tree_sink *sink, const char *key, uint64_t value, hoist_tree_unit unit)
{
    hoist_tree_send(sink, &(hoist_tree_event){.kind = HOIST_TREE_UINT,
                                              .key = hoist_str_from(key),
                                              .uinteger = value,
                                              .unit = unit});
}

void hoist_tree_float(hoist_tree_sink *sink, const char *key, double value, hoist_tree_unit unit)
{
    hoist_tree_send(sink, &(hoist_tree_event){.kind = HOIST_TREE_FLOAT,
                                              .key = hoist_str_from(key),
                                              .number = value,
                                              .unit = unit});
}

void hoist_tree_bool(hoist_tree_sink *sink, const char *key, bool value)
{
    hoist_tree_send(
        sink,
        &(hoist_tree_event){.kind = HOIST_TREE_BOOL, .key = hoist_str_from(key), .boolean = value});
}

void hoist_tree_null(hoist_tree_sink *sink, const char *key)
{
    hoist_tree_unknown(sink, key, HOIST_UNIT_NONE);
}

void hoist_tree_unknown(hoist_tree_sink *sink, const char *key, hoist_tree_unit unit)
{
    hoist_tree_send(sink, &(hoist_tree_event){
                              .kind = HOIST_TREE_NULL, .key = hoist_str_from(key), .unit = unit});
}

void hoist_tree_maybe_str(hoist_tree_sink *sink, const char *key, hoist_str value)
{
    if (value.data) {
        hoist_tree_str(sink, key, value);
    } else {
        hoist_tree_null(sink, key);
    }
}

void hoist_tree_maybe_c(hoist_tree_sink *sink, const char *key, const char *value)
{
    hoist_tree_maybe_str(sink, key, hoist_str_from(value));
}

void hoist_tree_maybe_uint(hoist_tree_sink *sink, const char *key, bool known, uint64_t value,
                           hoist_tree_unit unit)
{
    if (known) {
        hoist_tree_uint(sink, key, value, unit);
    } else {
        hoist_tree_unknown(sink, key, unit);
    }
}

void hoist_tree_maybe_float(hoist_tree_sink *sink, const char *key, bool known, double value,
                            hoist_tree_unit unit)
{
    if (known) {
        hoist_tree_float(sink, key, value, unit);
    } else {
        hoist_tree_unknown(sink, key, unit);
    }
}

void hoist_tree_short_list(hoist_tree_sink *sink, const char *key)
{
    hoist_tree_send(sink, &(hoist_tree_event){.kind = HOIST_TREE_LIST,
                                              .key = hoist_str_from(key),
                                              .inline_hint = true});
}

void hoist_tree_short_map(hoist_tree_sink *sink, const char *key)
{
    hoist_tree_send(sink, &(hoist_tree_event){.kind = HOIST_TREE_MAP,
                                              .key = hoist_str_from(key),
                                              .inline_hint = true});
}
