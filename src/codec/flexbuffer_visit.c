// Walks over all values of a FlexBuffer without recursion, to check it (no sink) or to send it as
// tree events.
#include "base/span.h"
#include "base/utf8.h"
#include "codec/flexbuffer.h"
#include "codec/flexbuffer_rules.h"
#include "codec/hash.h"

// A buffer may unfold to FREE_WORK and WORK_FACTOR times its size, in values and bytes.
enum { FREE_WORK = 1024, WORK_FACTOR = 16 };

// A vector or map that is open.
typedef struct flex_level {
    hoist_flex_value value;
    uint64_t next; // item
    hoist_str key; // of the one before it
} flex_level;

// Its own stack, since callers may have small ones (hoist/base.h).
typedef struct flex_walk {
    hoist_flex *in;
    hoist_tree_sink *sink; // NULL: checking
    uint64_t work_left;
    size_t depth;
    flex_level levels[HOIST_FLEX_MAX_DEPTH];
} flex_walk;

// Offsets may lead many slots to one value, so work is counted, not bytes: one for each item,
// and the bytes of keys and texts.
static hoist_status spend(flex_walk *w, const hoist_flex_value *v, uint64_t work)
{
    if (work > w->work_left) {
        w->work_left = 0;
        return hoist_flex_fault(w->in, HOIST_LIMIT, FX_012, v->at,
                                "the values are far more than %zu bytes can hold",
                                w->in->bytes.size);
    }
    w->work_left -= work;
    return HOIST_OK;
}

static void send(flex_walk *w, hoist_str key, hoist_tree_event event)
{
    if (w->sink) {
        event.key = key;
        hoist_tree_send(w->sink, &event);
    }
}

// Checking has nothing to do here: reading the slot was the check.
static hoist_status walk_leaf(flex_walk *w, hoist_str key, const hoist_flex_value *v)
{
    hoist_tree_event event = {.kind = HOIST_TREE_NULL};
    if (!w->sink) {
        return HOIST_OK;
    }
    if (hoist_flex_bytes(v).data) {
        HOIST_TRY(spend(w, v, v->count));
        const hoist_str text = hoist_flex_text(v);
        if (v->kind == HOIST_FLEX_BLOB || !hoist_utf8_is_text(text)) {
            return hoist_tree_digest(w->sink, key, hoist_flex_bytes(v));
        }
        send(w, key, (hoist_tree_event){.kind = HOIST_TREE_STR, .str = text});
        return HOIST_OK;
    }
    if (hoist_flex_bool(v, &event.boolean)) {
        event.kind = HOIST_TREE_BOOL;
    } else if (v->kind == HOIST_FLEX_INT && hoist_flex_i64(v, &event.integer)) {
        // By kind first: hoist_flex_i64() also takes unsigned values that fit.
        event.kind = HOIST_TREE_INT;
    } else if (hoist_flex_u64(v, &event.uinteger)) {
        event.kind = HOIST_TREE_UINT;
    } else if (hoist_flex_f64(v, &event.number)) {
        event.kind = HOIST_TREE_FLOAT;
    }
    send(w, key, event);
    return HOIST_OK;
}

// Reads the key of a member into `*key`, and checks it against the one before.
// A key that is broken was reported; its member is sent without a name.
static hoist_status read_key(flex_walk *w, const hoist_flex_value *map, uint64_t index,
                             hoist_str *key)
{
    const hoist_str before = *key;
    hoist_flex_value found;
    *key = (hoist_str){0};
    if (hoist_flex_key_at(map, index, &found) != HOIST_OK) {
        return HOIST_OK;
    }
    HOIST_TRY(spend(w, &found, found.count));
    *key = hoist_flex_text(&found);
    // Order is a question of the check; sending reports nothing twice.
    if (!w->sink && before.data && hoist_str_compare(before, *key) >= 0) {
        (void)hoist_flex_fault(w->in, HOIST_INVALID, FX_009, found.at, "key '%.*s' is after '%.*s'",
                               HOIST_STR_ARGS(*key), HOIST_STR_ARGS(before));
    }
    return HOIST_OK;
}

// A leaf as a whole, the beginning of others.
static hoist_status enter_value(flex_walk *w, hoist_str key, const hoist_flex_value *v)
{
    if (v->kind != HOIST_FLEX_VECTOR && v->kind != HOIST_FLEX_MAP) {
        return walk_leaf(w, key, v);
    }
    if (w->depth == HOIST_FLEX_MAX_DEPTH) {
        return hoist_flex_fault(w->in, HOIST_LIMIT, FX_011, v->at,
                                "vectors and maps are nested more than %d deep",
                                HOIST_FLEX_MAX_DEPTH);
    }
    const bool is_map = v->kind == HOIST_FLEX_MAP;
    send(w, key, (hoist_tree_event){.kind = is_map ? HOIST_TREE_MAP : HOIST_TREE_LIST});
    w->levels[w->depth++] = (flex_level){.value = *v};
    return HOIST_OK;
}

static hoist_status walk_item(flex_walk *w, flex_level *level)
{
    const hoist_flex_value *const v = &level->value;
    const uint64_t index = level->next++;
    hoist_flex_value item;
    if (v->kind == HOIST_FLEX_MAP) {
        HOIST_TRY(read_key(w, v, index, &level->key));
    }
    HOIST_TRY(spend(w, v, 1));
    if (hoist_flex_at(v, index, &item) == HOIST_OK) {
        return enter_value(w, level->key, &item);
    }
    send(w, level->key, (hoist_tree_event){.kind = HOIST_TREE_NULL});
    return HOIST_OK;
}

// Every level that was opened is closed, whatever happened: a sink gets balanced events.
static hoist_status walk_value(flex_walk *w, hoist_str key, const hoist_flex_value *v)
{
    hoist_status status = enter_value(w, key, v);
    while (w->depth > 0) {
        flex_level *const level = &w->levels[w->depth - 1];
        const bool is_heard = !w->sink || w->sink->status == HOIST_OK;
        if (status != HOIST_OK || !is_heard || level->next == level->value.count) {
            w->depth--;
            send(w, (hoist_str){0}, (hoist_tree_event){.kind = HOIST_TREE_END});
        } else {
            status = walk_item(w, level);
        }
    }
    return status;
}

static hoist_status walk(const hoist_flex_value *v, const char *key, hoist_tree_sink *sink)
{
    if (!v->in) { // there is no value
        if (sink) {
            hoist_tree_null(sink, key ? key : "");
        }
        return HOIST_OK;
    }
    uint64_t size = v->in->bytes.size;
    // No buffer is as large; the line keeps the product from overflowing all the same.
    if (size > (UINT64_MAX - FREE_WORK) / WORK_FACTOR) {
        size = (UINT64_MAX - FREE_WORK) / WORK_FACTOR;
    }
    flex_walk w; // its levels are set when they are entered
    w.in = v->in;
    w.sink = sink;
    w.work_left = FREE_WORK + WORK_FACTOR * size;
    w.depth = 0;
    return walk_value(&w, hoist_str_from(key), v);
}

hoist_status hoist_flex_check(const hoist_flex_value *value)
{
    return walk(value, NULL, NULL);
}

hoist_status hoist_flex_visit(const hoist_flex_value *value, const char *key, hoist_tree_sink *sink)
{
    return walk(value, key, sink);
}
