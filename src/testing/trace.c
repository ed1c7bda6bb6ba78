#include "testing/trace.h"

#include <inttypes.h>

static void trace_value(hoist_buffer *out, const hoist_tree_event *event)
{
    switch (event->kind) {
    case HOIST_TREE_MAP:
        hoist_buffer_c(out, "map");
        break;
    case HOIST_TREE_LIST:
        hoist_buffer_c(out, "list");
        break;
    case HOIST_TREE_END:
        hoist_buffer_c(out, "end");
        break;
    case HOIST_TREE_STR:
        hoist_buffer_format(out, "str %zu ", event->str.size);
        hoist_buffer_str(out, event->str);
        break;
    case HOIST_TREE_INT:
        hoist_buffer_format(out, "int %" PRId64, event->integer);
        break;
    case HOIST_TREE_UINT:
        hoist_buffer_format(out, "uint %" PRIu64, event->uinteger);
        break;
    case HOIST_TREE_FLOAT:
        hoist_buffer_format(out, "float %.17g", event->number);
        break;
    case HOIST_TREE_BOOL:
        hoist_buffer_c(out, event->boolean ? "true" : "false");
        break;
    case HOIST_TREE_NULL:
        hoist_buffer_c(out, "null");
        break;
    }
}

static hoist_status trace_event(void *self, const hoist_tree_event *event)
{
    hoist_buffer *const out = self;
    hoist_buffer_str(out, event->key);
    hoist_buffer_c(out, event->key.size ? ": " : "");
    trace_value(out, event);
    if (event->pos.line) {
        hoist_buffer_format(out, " @%" PRIu32 ":%" PRIu32, event->pos.line, event->pos.column);
    }
    hoist_buffer_char(out, '\n');
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

hoist_tree_sink hoist_trace_sink(hoist_buffer *out)
{
    return (hoist_tree_sink){.self = out, .event = trace_event, .status = HOIST_OK};
}

static hoist_status refuse_event(void *self, const hoist_tree_event *event)
{
    (void)event;
    size_t *const left = self;
    if (*left == 0) {
        return HOIST_IO;
    }
    --*left;
    return HOIST_OK;
}

hoist_tree_sink hoist_refusing_sink(size_t *left)
{
    return (hoist_tree_sink){.self = left, .event = refuse_event, .status = HOIST_OK};
}

static hoist_status count_depth(void *self, const hoist_tree_event *event)
{
    size_t *const depth = self;
    if (event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST) {
        ++*depth;
    } else if (event->kind == HOIST_TREE_END) {
        if (*depth == 0) {
            return HOIST_INTERNAL;
        }
        --*depth;
    }
    return HOIST_OK;
}

hoist_tree_sink hoist_depth_sink(size_t *depth)
{
    *depth = 0;
    return (hoist_tree_sink){.self = depth, .event = count_depth, .status = HOIST_OK};
}

static hoist_status drop_piece(void *self, hoist_str text)
{
    (void)self;
    (void)text;
    return HOIST_OK;
}

hoist_piece_sink hoist_dropping_sink(void)
{
    return (hoist_piece_sink){.piece = drop_piece};
}

static hoist_status drop_event(void *self, const hoist_tree_event *event)
{
    (void)self;
    (void)event;
    return HOIST_OK;
}

hoist_tree_sink hoist_dropping_tree(void)
{
    return (hoist_tree_sink){.event = drop_event};
}

static hoist_status drop_part(void *self, const hoist_part *part)
{
    (void)self;
    (void)part;
    return HOIST_OK;
}

hoist_part_sink hoist_dropping_parts(void)
{
    return (hoist_part_sink){.part = drop_part};
}

static hoist_status drop_array(void *self, const hoist_recovered *array)
{
    (void)self;
    (void)array;
    return HOIST_OK;
}

static hoist_status drop_missing(void *self, const hoist_unrecovered *missing)
{
    (void)self;
    (void)missing;
    return HOIST_OK;
}

hoist_recovery_sink hoist_dropping_recovery(void)
{
    return (hoist_recovery_sink){.array = drop_array, .missing = drop_missing};
}
