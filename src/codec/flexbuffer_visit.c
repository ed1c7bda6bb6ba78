// Walks over all values of a FlexBuffer: to judge it, and to show it.
#include "base/span.h"
#include "base/utf8.h"
#include "codec/flexbuffer.h"
#include "codec/flexbuffer_rules.h"
#include "codec/hash.h"

// A buffer may unfold to FREE_WORK and WORK_FACTOR times its size, in values and bytes.
enum { FREE_WORK = 1024, WORK_FACTOR = 16 };

typedef struct flex_walk {
    hoist_flex *in;
    hoist_tree_sink *sink; // NULL: judging
    uint64_t work_left;
    unsigned depth; // of open vectors and maps
} flex_walk;

static hoist_status walk_value(flex_walk *w, hoist_str key, const hoist_flex_value *v);

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

static hoist_status show_bytes(flex_walk *w, hoist_str key, const hoist_flex_value *v)
{
    HOIST_TRY(spend(w, v, v->count));
    const hoist_str text = hoist_flex_text(v);
    if (v->kind == HOIST_FLEX_BLOB || !hoist_utf8_is_text(text)) {
        return hoist_tree_digest(w->sink, key, hoist_flex_bytes(v));
    }
    send(w, key, (hoist_tree_event){.kind = HOIST_TREE_STR, .str = text});
    return HOIST_OK;
}

static hoist_status walk_leaf(flex_walk *w, hoist_str key, const hoist_flex_value *v)
{
    hoist_tree_event event = {.kind = HOIST_TREE_NULL};
    if (!w->sink) {
        return HOIST_OK;
    }
    if (hoist_flex_bytes(v).data) {
        return show_bytes(w, key, v);
    }
    if (hoist_flex_bool(v, &event.boolean)) {
        event.kind = HOIST_TREE_BOOL;
    } else if (v->kind == HOIST_FLEX_INT && hoist_flex_i64(v, &event.integer)) {
        event.kind = HOIST_TREE_INT;
    } else if (hoist_flex_u64(v, &event.uinteger)) {
        event.kind = HOIST_TREE_UINT;
    } else if (hoist_flex_f64(v, &event.number)) {
        event.kind = HOIST_TREE_FLOAT;
    }
    send(w, key, event);
    return HOIST_OK;
}

// Reads the key of a member into `*key`, and judges it against the one before.
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
    if (!w->sink && before.data && hoist_str_compare(before, *key) >= 0) {
        (void)hoist_flex_fault(w->in, HOIST_INVALID, FX_009, found.at,
                               "key '%.*s' stands behind '%.*s'", HOIST_STR_ARGS(*key),
                               HOIST_STR_ARGS(before));
    }
    return HOIST_OK;
}

static hoist_status walk_items(flex_walk *w, const hoist_flex_value *v)
{
    hoist_str key = {0};
    for (uint64_t i = 0; i < v->count; i++) {
        if (v->kind == HOIST_FLEX_MAP) {
            HOIST_TRY(read_key(w, v, i, &key));
        }
        hoist_flex_value item;
        HOIST_TRY(spend(w, v, 1));
        if (hoist_flex_at(v, i, &item) == HOIST_OK) {
            HOIST_TRY(walk_value(w, key, &item));
        } else {
            send(w, key, (hoist_tree_event){.kind = HOIST_TREE_NULL});
        }
        if (w->sink && w->sink->status != HOIST_OK) {
            return HOIST_OK; // nobody listens
        }
    }
    return HOIST_OK;
}

static hoist_status walk_value(flex_walk *w, hoist_str key, const hoist_flex_value *v)
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
    w->depth++;
    const hoist_status status = walk_items(w, v);
    w->depth--;
    send(w, (hoist_str){0}, (hoist_tree_event){.kind = HOIST_TREE_END});
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
    if (size > (UINT64_MAX - FREE_WORK) / WORK_FACTOR) {
        size = (UINT64_MAX - FREE_WORK) / WORK_FACTOR;
    }
    flex_walk w = {.in = v->in, .sink = sink, .work_left = FREE_WORK + WORK_FACTOR * size};
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
