// JSON text of a tree that was made: keys in the order of their tables, sorted, or reversed. In
// goes a tree of build_tree.c, out comes text by codec/json_write; build.c calls it for each
// member.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/span.h"
#include "base/tree.h"
#include "codec/json_writer.h"
#include "formats/neff/build_tree.h"

typedef struct tree_writer {
    hoist_tree_sink sink;
    hoist_neff_order order;
    hoist_allocator alloc;
} tree_writer;

// A child with its place: qsort is not stable, and places are all different.
typedef struct placed {
    const neff_made *value;
    size_t place; // in the order of the tables
} placed;

// Keys of the first table come first, then those of the second, then others as they were given.
static size_t place_of(const neff_made *map, const neff_made *child, size_t position)
{
    enum { ROWS = 64 }; // of a table at most (codec/record.h)
    for (size_t i = 0; i < HOIST_COUNT_OF(map->tables); i++) {
        const int row = map->tables[i] ? hoist_rec_find(map->tables[i], child->key, 0) : -1;
        if (row >= 0) {
            return i * ROWS + (size_t)row;
        }
    }
    return HOIST_COUNT_OF(map->tables) * ROWS + position;
}

static int by_place(const void *left, const void *right)
{
    const placed *const a = left;
    const placed *const b = right;
    return a->place < b->place ? -1 : a->place > b->place;
}

static int by_place_reversed(const void *left, const void *right)
{
    return by_place(right, left);
}

static int by_key(const void *left, const void *right)
{
    const placed *const a = left;
    const placed *const b = right;
    const int order = hoist_str_compare(a->value->key, b->value->key);
    return order ? order : by_place(left, right);
}

static void write_value(tree_writer *w, const neff_made *value);

// A copy of the children is sorted; the tree stays as it is for a second file.
static void write_map(tree_writer *w, const neff_made *map)
{
    placed *const children = hoist_alloc_zero(w->alloc, map->count, sizeof(children[0]));
    if (!children && map->count) {
        w->sink.status = HOIST_NO_MEMORY;
        return;
    }
    if (map->count) {
        static int (*const compare[])(const void *, const void *) = {
            [HOIST_NEFF_ORDER_OWN] = by_place,
            [HOIST_NEFF_ORDER_SORTED] = by_key,
            [HOIST_NEFF_ORDER_REVERSED] = by_place_reversed,
        };
        size_t count = 0;
        for (const neff_made *child = map->first; child; child = child->next) {
            children[count] = (placed){child, place_of(map, child, count)};
            count++;
        }
        qsort(children, count, sizeof(children[0]), compare[w->order]);
        for (size_t i = 0; i < count; i++) {
            if (!children[i].value->absent) { // left out by the caller
                write_value(w, children[i].value);
            }
        }
    }
    hoist_free(w->alloc, children, map->count * sizeof(children[0]));
}

static hoist_tree_event event_of(const neff_made *value)
{
    hoist_tree_event e = {.kind = value->kind, .key = value->key};
    switch (value->kind) {
    case HOIST_TREE_STR:
        e.str = value->text;
        break;
    case HOIST_TREE_INT:
        e.integer = value->integer;
        break;
    case HOIST_TREE_UINT:
        e.uinteger = value->uinteger;
        break;
    case HOIST_TREE_FLOAT:
        e.number = value->number;
        e.str = value->digits; // of an integer beyond 64 bits
        break;
    case HOIST_TREE_BOOL:
        e.boolean = value->boolean;
        break;
    case HOIST_TREE_MAP:
    case HOIST_TREE_LIST:
    case HOIST_TREE_END:
    case HOIST_TREE_NULL:
        break;
    }
    return e;
}

// A value with all that is in it. Recursion is as deep as the file's own nesting and that of a
// key's value, which build_tree.c limits.
static void write_value(tree_writer *w, const neff_made *value)
{
    const hoist_tree_event event = event_of(value);
    hoist_tree_send(&w->sink, &event);
    if (value->kind == HOIST_TREE_MAP) {
        write_map(w, value);
    } else if (value->kind == HOIST_TREE_LIST) {
        for (const neff_made *item = value->first; item; item = item->next) {
            write_value(w, item);
        }
    } else {
        return;
    }
    hoist_tree_end(&w->sink);
}

hoist_status neff_made_write(const neff_made *root, bool compact, hoist_neff_order order,
                             hoist_buffer *out)
{
    hoist_json_writer json;
    hoist_json_writer_init(&json, out, !compact, false);
    json.wide = true; // integers above 2^53 stay numbers, as compilers write them
    tree_writer w = {.sink = hoist_json_writer_sink(&json), .order = order, .alloc = out->alloc};
    write_value(&w, root);
    hoist_json_writer_deinit(&json);
    return w.sink.status;
}
