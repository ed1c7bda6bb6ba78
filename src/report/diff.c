// Compares two documents that diff_keep.c has packed: by key in maps, by an identity key or by
// place in lists. Equal parts are skipped by their digests; the recursion is bounded by the depth
// of documents.
#include <inttypes.h>

#include "base/alloc.h"
#include "base/span.h"
#include "report/diff_node.h"
#include "report/plain.h"

// State of one comparison; `path` leads to what is compared.
typedef struct compare {
    const hoist_diff *diff;
    const hoist_diff_sink *sink;
    hoist_buffer path;
} compare;

static hoist_status compare_nodes(compare *c, const hoist_diff_node *old,
                                  const hoist_diff_node *now);

// Sends a difference at the path so far.
static hoist_status emit(compare *c, const hoist_diff_node *old, const hoist_diff_node *now)
{
    if (c->path.failed) {
        return HOIST_NO_MEMORY;
    }
    const hoist_difference difference = {hoist_buffer_text(&c->path), old, now};
    return c->sink->difference(c->sink->self, &difference);
}

// Compares what has its own step in the path; one of both may be NULL. An item of an ordered list
// is known by its place.
static hoist_status step(compare *c, hoist_str name, bool brackets, const hoist_diff_node *old,
                         const hoist_diff_node *now)
{
    const size_t size = c->path.size;
    hoist_buffer_c(&c->path, brackets ? "[" : size ? "/" : "");
    hoist_plain_write(&c->path, name);
    hoist_buffer_c(&c->path, brackets ? "]" : "");
    const hoist_status status = old && now ? compare_nodes(c, old, now) : emit(c, old, now);
    c->path.size = size;
    return status;
}

// The same of an item that has its place only.
static hoist_status step_index(compare *c, size_t index, const hoist_diff_node *old,
                               const hoist_diff_node *now)
{
    const size_t size = c->path.size;
    hoist_buffer_format(&c->path, "[%zu]", index);
    const hoist_status status = old && now ? compare_nodes(c, old, now) : emit(c, old, now);
    // Back to the path of the caller.
    c->path.size = size;
    return status;
}

// Matched by name ---------------------------------------------------------------------------------

// What a member or item is known by; {NULL, 0}: nothing.
static hoist_str name_of(const hoist_diff_node *node, const char *identity)
{
    hoist_diff_items members = node->items;
    hoist_diff_node member;
    if (!identity) {
        return node->key;
    }
    while (node->kind == HOIST_TREE_MAP && hoist_diff_next(&members, &member)) {
        if (member.kind == HOIST_TREE_STR && hoist_str_equal_c(member.key, identity)) {
            return member.as.str;
        }
    }
    return (hoist_str){NULL, 0};
}

// One that the new document has.
typedef struct known_item {
    hoist_diff_items place; // it and all after it
    bool seen;              // by the old document's
} known_item;

typedef struct known_items {
    hoist_allocator alloc;
    const char *identity; // NULL: keys
    hoist_map names;
    known_item *items; // owned
    size_t count;
    size_t capacity;
} known_items;

// Of equal names the first counts; the others of the new document are what only it has.
static hoist_status know(known_items *known, hoist_diff_items items)
{
    hoist_diff_node node;
    known_item item = {.place = items};
    for (; hoist_diff_next(&items, &node); item.place = items) {
        const hoist_str name = name_of(&node, known->identity);
        const hoist_status status =
            name.data ? hoist_map_add(&known->names, name, known->count, NULL) : HOIST_OK;
        if ((status != HOIST_OK && status != HOIST_BUSY) ||
            !hoist_grow(known->alloc, (void **)&known->items, &known->capacity, known->count + 1,
                        sizeof(item))) {
            return HOIST_NO_MEMORY;
        }
        known->items[known->count++] = item;
    }
    return HOIST_OK;
}

// The first unmarked one of that name, which is marked then. False: there is none.
static bool find_known(known_items *known, hoist_str name, hoist_diff_node *out_node)
{
    size_t at = 0;
    if (!name.data || !hoist_map_find(&known->names, name, &at) || known->items[at].seen) {
        return false;
    }
    known->items[at].seen = true;
    hoist_diff_items place = known->items[at].place;
    return hoist_diff_next(&place, out_node);
}

static hoist_status step_named(compare *c, const known_items *known, const hoist_diff_node *old,
                               const hoist_diff_node *now)
{
    const hoist_str name = name_of(old ? old : now, known->identity);
    return step(c, name.data ? name : HOIST_STR("?"), known->identity, old, now);
}

// Compares the members of the old document with those that are known, then takes the others.
static hoist_status compare_known(compare *c, hoist_diff_items old, known_items *known)
{
    hoist_diff_node node;
    hoist_diff_node other;
    while (hoist_diff_next(&old, &node)) {
        const bool found = find_known(known, name_of(&node, known->identity), &other);
        if (!found || !hoist_diff_is_same(&node, &other)) {
            HOIST_TRY(step_named(c, known, &node, found ? &other : NULL));
        }
    }
    for (size_t i = 0; i < known->count; i++) {
        hoist_diff_items place = known->items[i].place;
        if (!known->items[i].seen && hoist_diff_next(&place, &other)) {
            HOIST_TRY(step_named(c, known, NULL, &other));
        }
    }
    return HOIST_OK;
}

// Matched by place --------------------------------------------------------------------------------

// Short lists of numbers and words are one value to people.
static bool is_word(const hoist_diff_node *list)
{
    enum { SHORT = 16 };
    hoist_diff_items items = list->items;
    hoist_diff_node item;
    for (int count = 0; hoist_diff_next(&items, &item); count++) {
        if (count == SHORT || !hoist_diff_is_scalar(&item)) {
            return false;
        }
    }
    return true;
}

// How many items to pass over until one equals `item`; 0: none does soon. `after` is what follows
// the item that does not.
static size_t look_ahead(hoist_diff_items behind, const hoist_diff_node *item)
{
    enum { FAR = 32 };
    hoist_diff_node node;
    for (size_t steps = 1; steps <= FAR && hoist_diff_next(&behind, &node); steps++) {
        if (hoist_diff_is_same(&node, item)) {
            return steps;
        }
    }
    return 0;
}

// Where the walk over one of the lists is.
typedef struct walk {
    hoist_diff_items items; // after `node`
    hoist_diff_node node;
    bool has; // a node
    size_t index;
} walk;

static void advance(walk *w)
{
    w->has = hoist_diff_next(&w->items, &w->node);
    w->index++;
}

// Walks both lists at once. Where they differ, the nearer of both ways to an equal item is taken.
static hoist_status compare_lists(compare *c, const hoist_diff_node *old,
                                  const hoist_diff_node *now)
{
    walk a = {.items = old->items, .index = SIZE_MAX};
    walk b = {.items = now->items, .index = SIZE_MAX};
    advance(&a);
    advance(&b);
    while (a.has || b.has) {
        const bool both = a.has && b.has;
        const bool same = both && hoist_diff_is_same(&a.node, &b.node);
        const size_t gone = both && !same ? look_ahead(a.items, &b.node) : 0;
        const size_t came = both && !same ? look_ahead(b.items, &a.node) : 0;
        // Of two that are equally near, what is gone comes first.
        const bool drops = a.has && (!b.has || (gone && (!came || gone <= came)));
        const bool adds = b.has && !drops && (!a.has || came);
        // Neither gone nor new: the two items are compared with each other.
        if (!same) {
            HOIST_TRY(step_index(c, adds ? b.index : a.index, adds ? NULL : &a.node,
                                 drops ? NULL : &b.node));
        }
        if (!adds) {
            advance(&a);
        }
        if (!drops) {
            advance(&b);
        }
    }
    return HOIST_OK;
}

static hoist_status compare_nodes(compare *c, const hoist_diff_node *old,
                                  const hoist_diff_node *now)
{
    if (hoist_diff_is_same(old, now)) {
        return HOIST_OK;
    }
    // A list without order has no place to show a difference at: it is shown as a whole.
    const bool is_set = old->kind == HOIST_TREE_LIST && old->as.identity && !*old->as.identity;
    if (old->kind != now->kind || hoist_diff_is_scalar(old) || is_set) {
        return emit(c, old, now);
    }
    // The names of the new document are kept while this map or list is compared.
    if (old->kind == HOIST_TREE_MAP || old->as.identity) {
        known_items known = {.alloc = c->diff->alloc};
        known.identity = now->kind == HOIST_TREE_LIST ? now->as.identity : NULL;
        hoist_map_init(&known.names, known.alloc);
        hoist_status status = know(&known, now->items);
        status = status == HOIST_OK ? compare_known(c, old->items, &known) : status;
        hoist_map_deinit(&known.names);
        hoist_free(known.alloc, known.items, known.capacity * sizeof(known.items[0]));
        return status;
    }
    return is_word(old) && is_word(now) ? emit(c, old, now) : compare_lists(c, old, now);
}

static bool read_root(const hoist_diff *diff, int side, hoist_diff_node *out_node)
{
    const hoist_mut_bytes packed = diff->roots[side];
    hoist_diff_items root = {diff, {packed.data, packed.size}};
    return hoist_diff_next(&root, out_node);
}

hoist_status hoist_diff_compare(hoist_diff *diff, const hoist_diff_sink *sink)
{
    compare c = {.diff = diff, .sink = sink};
    hoist_diff_node old;
    hoist_diff_node now;
    if (!read_root(diff, 0, &old) || !read_root(diff, 1, &now)) {
        return HOIST_INTERNAL;
    }
    hoist_buffer_init(&c.path, diff->alloc);
    const hoist_status status = compare_nodes(&c, &old, &now);
    hoist_buffer_deinit(&c.path);
    return status;
}
