// Values of a difference on their way out: as tree events for JSON, or cut to a few words for
// text.
#include <inttypes.h>

#include "base/span.h"
#include "codec/json_writer.h"
#include "codec/number.h"
#include "report/diff.h"
#include "report/plain.h"

void hoist_diff_send(hoist_tree_sink *sink, const char *key, const hoist_diff_node *node)
{
    hoist_tree_event event = {.kind = node->kind,
                              .unit = node->unit,
                              .audience = sink->audience,
                              .key = key ? hoist_str_from(key) : node->key,
                              .inline_hint = node->inline_hint};
    const bool opens = event.kind == HOIST_TREE_MAP || event.kind == HOIST_TREE_LIST;
    // Both forms of the number: who reads doubles gets the nearest one.
    if (node->digits) {
        event.str = node->as.str;
        event.number = hoist_number_read(node->as.str);
    } else if (event.kind == HOIST_TREE_STR) {
        event.str = node->as.str;
    } else if (event.kind == HOIST_TREE_INT) {
        event.integer = node->as.integer;
    } else if (event.kind == HOIST_TREE_UINT) {
        event.uinteger = node->as.uinteger;
    } else if (event.kind == HOIST_TREE_FLOAT) {
        event.number = node->as.number;
    } else if (event.kind == HOIST_TREE_BOOL) {
        event.boolean = node->as.boolean;
    }
    hoist_tree_send(sink, &event);
    hoist_diff_items items = node->items;
    hoist_diff_node item;
    while (opens && hoist_diff_next(&items, &item)) {
        // Members keep their keys; items have none.
        hoist_diff_send(sink, event.kind == HOIST_TREE_MAP ? NULL : "", &item);
    }
    if (opens) {
        hoist_tree_end(sink);
    }
}

// As JSON has it, but texts in single quotes, and addresses in hexadecimal.
static void write_scalar(hoist_buffer *out, const hoist_diff_node *node)
{
    switch (node->kind) {
    case HOIST_TREE_STR:
        hoist_buffer_char(out, '\'');
        hoist_plain_write(out, node->as.str);
        hoist_buffer_char(out, '\'');
        break;
    case HOIST_TREE_INT:
        hoist_buffer_format(out, "%" PRId64, node->as.integer);
        break;
    case HOIST_TREE_UINT:
        hoist_buffer_format(out, node->unit == HOIST_UNIT_ADDRESS ? "0x%" PRIx64 : "%" PRIu64,
                            node->as.uinteger);
        break;
    case HOIST_TREE_FLOAT:
        if (node->digits) {
            hoist_buffer_str(out, node->as.str);
        } else {
            hoist_json_write_double(out, node->as.number);
        }
        break;
    case HOIST_TREE_BOOL:
        hoist_buffer_c(out, node->as.boolean ? "true" : "false");
        break;
    case HOIST_TREE_NULL:
    case HOIST_TREE_MAP:
    case HOIST_TREE_LIST:
    case HOIST_TREE_END:
        hoist_buffer_c(out, "null");
        break;
    }
}

// Stops where `end` is reached: the rest is three dots.
static void write_node(hoist_buffer *out, const hoist_diff_node *node, size_t end)
{
    const bool map = node->kind == HOIST_TREE_MAP;
    if (!map && node->kind != HOIST_TREE_LIST) {
        write_scalar(out, node);
        return;
    }
    hoist_buffer_char(out, map ? '{' : '[');
    hoist_diff_items items = node->items;
    hoist_diff_node item;
    for (const char *between = ""; hoist_diff_next(&items, &item); between = ", ") {
        hoist_buffer_c(out, between);
        if (out->size >= end) {
            hoist_buffer_c(out, "...");
            break;
        }
        if (map) {
            hoist_plain_write(out, item.key);
            hoist_buffer_c(out, ": ");
        }
        write_node(out, &item, end);
    }
    hoist_buffer_char(out, map ? '}' : ']');
}

void hoist_diff_write(hoist_buffer *out, const hoist_diff_node *node, size_t width)
{
    write_node(out, node, width ? out->size + width : SIZE_MAX);
}
