#include "testing/text_tree.h"

#include <stdlib.h>

#include "base/span.h"

static hoist_text_node *new_node(hoist_arena *arena, hoist_text_kind kind, hoist_str key)
{
    hoist_text_node *node = hoist_arena_alloc(arena, sizeof(*node));
    const hoist_str copy = hoist_arena_str(arena, key);
    if (!node || !copy.data) {
        abort();
    }
    *node = (hoist_text_node){.key = copy, .kind = kind};
    return node;
}

hoist_text_node *hoist_text_root(hoist_arena *arena)
{
    return new_node(arena, HOIST_TEXT_MAP, HOIST_STR(""));
}

static hoist_text_node *append(hoist_text_node *parent, hoist_text_node *node)
{
    hoist_text_node **at = &parent->first;
    while (*at) {
        at = &(*at)->next;
    }
    *at = node;
    return node;
}

hoist_text_node *hoist_text_add(hoist_arena *arena, hoist_text_node *parent, hoist_text_kind kind,
                                hoist_str key)
{
    return append(parent, new_node(arena, kind, key));
}

void hoist_text_set(hoist_arena *arena, hoist_text_node *parent, const char *key,
                    const char *format, ...)
{
    hoist_text_node *node = hoist_text_find(parent, key);
    if (!node) {
        node = hoist_text_add(arena, parent, HOIST_TEXT_SCALAR, hoist_str_from(key));
    }
    va_list args;
    va_start(args, format);
    node->value = hoist_arena_vformat(arena, format, args);
    va_end(args);
    if (!node->value.data) {
        abort();
    }
}

hoist_text_node *hoist_text_copy(hoist_arena *arena, hoist_text_node *parent,
                                 const hoist_text_node *node, hoist_str key)
{
    hoist_text_node *copy = hoist_text_add(arena, parent, node->kind, key);
    copy->value = node->value;
    for (const hoist_text_node *child = node->first; child; child = child->next) {
        (void)hoist_text_copy(arena, copy, child, child->key);
    }
    return copy;
}

void hoist_text_remove(hoist_text_node *parent, const hoist_text_node *node)
{
    hoist_text_node **at = &parent->first;
    while (*at && *at != node) {
        at = &(*at)->next;
    }
    if (*at) {
        *at = node->next;
    }
}

hoist_text_node *hoist_text_find(const hoist_text_node *parent, const char *key)
{
    hoist_text_node *node = parent ? parent->first : NULL;
    while (node && !hoist_str_equal_c(node->key, key)) {
        node = node->next;
    }
    return node;
}

size_t hoist_text_count(const hoist_text_node *parent)
{
    size_t count = 0;
    for (const hoist_text_node *node = parent ? parent->first : NULL; node; node = node->next) {
        count++;
    }
    return count;
}

hoist_text_node *hoist_text_at(const hoist_text_node *parent, size_t index)
{
    hoist_text_node *node = parent->first;
    while (node && index-- > 0) {
        node = node->next;
    }
    return node;
}

static void write_flow(const hoist_text_node *map, hoist_buffer *out)
{
    hoist_buffer_char(out, '{');
    for (const hoist_text_node *node = map->first; node; node = node->next) {
        hoist_buffer_format(out, "%.*s: ", HOIST_STR_ARGS(node->key));
        if (node->kind == HOIST_TEXT_SCALAR) {
            hoist_buffer_str(out, node->value);
        } else {
            write_flow(node, out);
        }
        hoist_buffer_c(out, node->next ? ", " : "");
    }
    hoist_buffer_char(out, '}');
}

// The children of a block map or list, each on lines of its own.
static void write_block(const hoist_text_node *parent, size_t indent, hoist_buffer *out)
{
    const bool list = parent->kind == HOIST_TEXT_LIST;
    for (const hoist_text_node *node = parent->first; node; node = node->next) {
        hoist_buffer_fill(out, ' ', indent);
        hoist_buffer_c(out, list ? "-" : "");
        hoist_buffer_str(out, node->key);
        hoist_buffer_c(out, list ? "" : ":");
        if (node->kind == HOIST_TEXT_SCALAR || node->kind == HOIST_TEXT_FLOW_MAP) {
            hoist_buffer_char(out, ' ');
        }
        switch (node->kind) {
        case HOIST_TEXT_SCALAR:
            hoist_buffer_str(out, node->value);
            hoist_buffer_char(out, '\n');
            break;
        case HOIST_TEXT_FLOW_MAP:
            write_flow(node, out);
            hoist_buffer_char(out, '\n');
            break;
        case HOIST_TEXT_MAP:
        case HOIST_TEXT_LIST:
            hoist_buffer_char(out, '\n');
            write_block(node, indent + 2, out);
            break;
        }
    }
}

void hoist_text_write(const hoist_text_node *root, hoist_buffer *out)
{
    write_block(root, 0, out);
}
