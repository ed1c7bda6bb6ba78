// Comparing two documents that were kept (diff_keep.c). The recursion is bounded by their depth.
#include "report/diff.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/span.h"
#include "report/plain.h"

typedef struct compare {
    hoist_diff *diff;
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

static hoist_status step_index(compare *c, size_t index, const hoist_diff_node *old,
                               const hoist_diff_node *now)
{
    const size_t size = c->path.size;
    hoist_buffer_format(&c->path, "[%zu]", index);
    const hoist_status status = old && now ? compare_nodes(c, old, now) : emit(c, old, now);
    c->path.size = size;
    return status;
}

// Matched by name
// ----------------------------------------------------------------------------------

// What a member or item is known by; {NULL, 0}: nothing.
static hoist_str name_of(const hoist_diff_node *node, const char *identity)
{
    if (!identity) {
        return node->key;
    }
    if (node->kind == HOIST_TREE_MAP) {
        for (const hoist_diff_node *n = node->first; n; n = n->next) {
            if (n->kind == HOIST_TREE_STR && hoist_str_equal_c(n->key, identity)) {
                return n->as.str;
            }
        }
    }
    return (hoist_str){NULL, 0};
}

// Compares the members of `old` with those of `now` that `names` knows, and marks these.
static hoist_status compare_known(compare *c, const hoist_diff_node *old, hoist_map *names,
                                  hoist_diff_node *const *items)
{
    const char *const identity = old->kind == HOIST_TREE_LIST ? old->as.identity : NULL;
    for (const hoist_diff_node *n = old->first; n; n = n->next) {
        const hoist_str name = name_of(n, identity);
        size_t at = 0;
        hoist_diff_node *const other =
            name.data && hoist_map_find(names, name, &at) && !items[at]->seen ? items[at] : NULL;
        if (other) {
            other->seen = true;
        }
        if (!other || other->digest != n->digest) {
            HOIST_TRY(step(c, name.data ? name : HOIST_STR("?"), identity, n, other));
        }
    }
    return HOIST_OK;
}

// Of equal names the first counts; the others of the new document are what only it has.
static hoist_status compare_named(compare *c, const hoist_diff_node *old,
                                  const hoist_diff_node *now)
{
    const char *const identity = now->kind == HOIST_TREE_LIST ? now->as.identity : NULL;
    const size_t room = now->count * sizeof(hoist_diff_node *);
    hoist_diff_node **const items = hoist_alloc(c->diff->alloc, room ? room : 1);
    hoist_map names;
    size_t count = 0;
    hoist_map_init(&names, c->diff->alloc);
    hoist_status status = items ? HOIST_OK : HOIST_NO_MEMORY;
    for (hoist_diff_node *n = now->first; n && status == HOIST_OK; n = n->next) {
        const hoist_str name = name_of(n, identity);
        items[count] = n;
        if (name.data) {
            status = hoist_map_add(&names, name, count, NULL);
            status = status == HOIST_BUSY ? HOIST_OK : status;
        }
        count++;
    }
    if (status == HOIST_OK) {
        status = compare_known(c, old, &names, items);
    }
    for (size_t i = 0; i < count && status == HOIST_OK; i++) {
        const hoist_str name = name_of(items[i], identity);
        if (!items[i]->seen) {
            status = step(c, name.data ? name : HOIST_STR("?"), identity, NULL, items[i]);
        }
    }
    hoist_map_deinit(&names);
    hoist_free(c->diff->alloc, items, room ? room : 1);
    return status;
}

// Matched by place
// ---------------------------------------------------------------------------------

static bool is_scalar(const hoist_diff_node *node)
{
    return node->kind != HOIST_TREE_MAP && node->kind != HOIST_TREE_LIST;
}

// Short lists of numbers and words are one value to people.
static bool is_word(const hoist_diff_node *list)
{
    enum { SHORT = 16 };
    for (const hoist_diff_node *n = list->first; n; n = n->next) {
        if (!is_scalar(n)) {
            return false;
        }
    }
    return list->count <= SHORT;
}

// How many items of `from` to pass over until one equals `item`; 0: none does soon.
static size_t look_ahead(const hoist_diff_node *from, const hoist_diff_node *item)
{
    enum { FAR = 32 };
    size_t steps = 1;
    for (const hoist_diff_node *n = from->next; n && steps <= FAR; n = n->next, steps++) {
        if (n->digest == item->digest) {
            return steps;
        }
    }
    return 0;
}

static hoist_status compare_lists(compare *c, const hoist_diff_node *a, const hoist_diff_node *b)
{
    size_t i = 0;
    size_t k = 0;
    while (a || b) {
        if (a && b && a->digest == b->digest) {
            a = a->next, i++;
            b = b->next, k++;
            continue;
        }
        const size_t gone = a && b ? look_ahead(a, b) : 0;
        const size_t came = a && b ? look_ahead(b, a) : 0;
        const bool drops = a && (!b || (gone && (!came || gone <= came)));
        const bool adds = b && !drops && (!a || came);
        HOIST_TRY(step_index(c, adds ? k : i, adds ? NULL : a, drops ? NULL : b));
        a = adds ? a : a->next;
        i += !adds;
        b = drops ? b : b->next;
        k += !drops;
    }
    return HOIST_OK;
}

static hoist_status compare_nodes(compare *c, const hoist_diff_node *old,
                                  const hoist_diff_node *now)
{
    if (old->digest == now->digest) {
        return HOIST_OK;
    }
    if (old->kind != now->kind || is_scalar(old)) {
        return emit(c, old, now);
    }
    if (old->kind == HOIST_TREE_MAP || old->as.identity) {
        return compare_named(c, old, now);
    }
    return is_word(old) && is_word(now) ? emit(c, old, now)
                                        : compare_lists(c, old->first, now->first);
}

hoist_status hoist_diff_compare(hoist_diff *diff, const hoist_diff_sink *sink)
{
    compare c = {.diff = diff, .sink = sink};
    if (!diff->roots[0] || !diff->roots[1]) {
        return HOIST_INTERNAL;
    }
    hoist_buffer_init(&c.path, diff->alloc);
    const hoist_status status = compare_nodes(&c, diff->roots[0], diff->roots[1]);
    hoist_buffer_deinit(&c.path);
    return status;
}
