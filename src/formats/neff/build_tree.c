// Values of the JSON that the builder makes: maps, lists and scalars in the builder's arena, and
// JSON text of the caller (hoist_neff_key) as such values. build_def.c, build_engine.c and
// build_graph.c make trees of them, build_write.c the text.
//
// After a failure the maker's status stays and every function does nothing, so that callers look at
// it once at the end instead of after each key.
#include "formats/neff/build_tree.h"

#include <math.h>

#include "base/assert.h"
#include "base/span.h"
#include "codec/json.h"

// Deeper nesting in a key's value is no use, and writing it recurses.
enum { MAX_DEPTH = 32 };

// NULL after a failure, earlier or now.
static neff_made *make(neff_maker *m, hoist_tree_kind kind)
{
    neff_made *const value =
        m->status == HOIST_OK ? hoist_arena_alloc(m->arena, sizeof(*value)) : NULL;
    if (!value) {
        m->status = m->status == HOIST_OK ? HOIST_NO_MEMORY : m->status;
        return NULL;
    }
    value->kind = kind;
    return value;
}

neff_made *neff_make_map(neff_maker *m, const hoist_rec_table *table, const hoist_rec_table *second)
{
    neff_made *const map = make(m, HOIST_TREE_MAP);
    if (map) {
        map->tables[0] = table;
        map->tables[1] = second;
    }
    return map;
}

neff_made *neff_make_list(neff_maker *m)
{
    return make(m, HOIST_TREE_LIST);
}

static hoist_str copy(neff_maker *m, hoist_str text) // NULL data after a failure
{
    if (m->status != HOIST_OK) {
        return (hoist_str){NULL, 0};
    }
    const hoist_str own = hoist_arena_str(m->arena, text);
    m->status = own.data ? HOIST_OK : HOIST_NO_MEMORY;
    return own;
}

static neff_made *make_text(neff_maker *m, hoist_str text)
{
    const hoist_str own = copy(m, text);
    neff_made *const value = make(m, HOIST_TREE_STR);
    if (value) {
        value->text = own;
    }
    return value;
}

static neff_made *make_int(neff_maker *m, int64_t integer)
{
    neff_made *const value = make(m, HOIST_TREE_INT);
    if (value) {
        value->integer = integer;
    }
    return value;
}

// Appends: a list of children with a pointer to the last, since files have millions of descriptors.
void neff_made_add(neff_maker *m, neff_made *parent, hoist_str key, neff_made *value)
{
    if (m->status != HOIST_OK) {
        return;
    }
    value->key = key; // static or in the arena
    if (parent->last) {
        parent->last->next = value;
    } else {
        parent->first = value;
    }
    parent->last = value;
    parent->count++;
}

// A search from the start: maps have few keys, and lists of descriptors are not searched.
neff_made *neff_made_find(const neff_made *map, hoist_str key)
{
    neff_made *child = map->first;
    while (child && !hoist_str_equal(child->key, key)) {
        child = child->next;
    }
    return child;
}

// Members ----------------------------------------------------------------------------------------

// True when a table of the map has the key, or it has none.
static bool is_known(const neff_made *map, hoist_str key)
{
    return !map->tables[0] || hoist_rec_find(map->tables[0], key, 0) >= 0 ||
           (map->tables[1] && hoist_rec_find(map->tables[1], key, 0) >= 0);
}

void neff_put(neff_maker *m, neff_made *map, const char *key, neff_made *value)
{
    if (m->status == HOIST_OK) {
        HOIST_ASSERT(is_known(map, hoist_str_from(key))); // a key of our own that fields.c lacks
        neff_made_add(m, map, hoist_str_from(key), value);
    }
}

void neff_put_int(neff_maker *m, neff_made *map, const char *key, int64_t value)
{
    neff_put(m, map, key, make_int(m, value));
}

void neff_put_given(neff_maker *m, neff_made *map, const char *key, bool given, int64_t value)
{
    if (given) {
        neff_put_int(m, map, key, value);
    }
}

// A number that JSON cannot hold fails the call: no loader could read the text.
void neff_put_number(neff_maker *m, neff_made *map, const char *key, double number)
{
    if (!isfinite(number)) { // of which JSON knows none
        m->status = m->status == HOIST_OK ? HOIST_INVALID : m->status;
        return;
    }
    neff_made *const value = make(m, HOIST_TREE_FLOAT);
    if (value) {
        value->number = number;
        neff_put(m, map, key, value);
    }
}

// False is the default of all boolean keys and left out.
void neff_put_true(neff_maker *m, neff_made *map, const char *key, bool given)
{
    neff_made *const value = given ? make(m, HOIST_TREE_BOOL) : NULL;
    if (value) {
        value->boolean = true;
        neff_put(m, map, key, value);
    }
}

// NULL: the field was not set.
void neff_put_text(neff_maker *m, neff_made *map, const char *key, const char *text)
{
    if (text) {
        neff_put(m, map, key, make_text(m, hoist_str_from(text)));
    }
}

// An empty list is written; callers leave the key out where that means something else.
void neff_put_ints(neff_maker *m, neff_made *map, const char *key, hoist_neff_ints values)
{
    neff_made *const list = neff_make_list(m);
    for (size_t i = 0; i < values.count; i++) {
        neff_made_add(m, list, HOIST_STR(""), make_int(m, values.items[i]));
    }
    neff_put(m, map, key, list);
}

void neff_put_names(neff_maker *m, neff_made *map, const char *key, hoist_neff_names values)
{
    neff_made *const list = neff_make_list(m);
    for (size_t i = 0; i < values.count; i++) {
        neff_made_add(m, list, HOIST_STR(""), make_text(m, hoist_str_from(values.items[i])));
    }
    neff_put(m, map, key, list);
}

// Values as JSON text
// ------------------------------------------------------------------------------

// Integers keep all 64 bits; larger ones and fractions keep their digits, so that the text of the
// caller comes back as it is.
static neff_made *make_number(neff_maker *m, const hoist_json *json, hoist_json_index at)
{
    neff_made number = {.kind = HOIST_TREE_INT};
    if (!hoist_json_i64(json, at, &number.integer)) {
        // UINT for 2^63 and above.
        number.kind = hoist_json_u64(json, at, &number.uinteger) ? HOIST_TREE_UINT
                      : hoist_json_f64(json, at, &number.number) ? HOIST_TREE_FLOAT
                                                                 : HOIST_TREE_NULL;
    }
    if (number.kind == HOIST_TREE_FLOAT) {
        number.digits = hoist_arena_str(m->arena, hoist_json_digits(json, at));
        m->status = number.digits.data ? m->status : HOIST_NO_MEMORY;
    }
    neff_made *const value = make(m, number.kind);
    if (value) {
        *value = number;
    }
    return value;
}

// Decoded: escapes are written again as needed.
static neff_made *make_string(neff_maker *m, const hoist_json *json, hoist_json_index at)
{
    const hoist_str text = hoist_json_string(json, at, m->arena);
    if (!text.data) {
        m->status = HOIST_NO_MEMORY;
    }
    return make_text(m, text);
}

static neff_made *make_json(neff_maker *m, const hoist_json *json, hoist_json_index at);

// An array or object with all that is in it.
static neff_made *make_items(neff_maker *m, const hoist_json *json, hoist_json_index at)
{
    const bool is_map = hoist_json_kind_of(json, at) == HOIST_JSON_OBJECT;
    neff_made *const parent = make(m, is_map ? HOIST_TREE_MAP : HOIST_TREE_LIST);
    const uint32_t count = hoist_json_size(json, at);
    hoist_json_index item = count ? hoist_json_first(json, at) : 0;
    for (uint32_t i = 0; i < count && m->status == HOIST_OK; i++) {
        hoist_str key = HOIST_STR("");
        if (is_map) {
            key = copy(m, hoist_json_string(json, item, m->arena)); // the tape goes, the key stays
            item = hoist_json_next(json, item);
        }
        neff_made_add(m, parent, key, make_json(m, json, item));
        item = hoist_json_next(json, item);
    }
    return parent;
}

// A value with everything inside it. Recurses at most MAX_DEPTH times, a limit that the reader of
// the JSON has applied.
static neff_made *make_json(neff_maker *m, const hoist_json *json, hoist_json_index at)
{
    const hoist_json_kind kind = hoist_json_kind_of(json, at);
    neff_made *value = NULL;
    switch (kind) {
    case HOIST_JSON_NULL:
        return make(m, HOIST_TREE_NULL);
    case HOIST_JSON_FALSE:
    case HOIST_JSON_TRUE:
        value = make(m, HOIST_TREE_BOOL);
        if (value) {
            value->boolean = kind == HOIST_JSON_TRUE;
        }
        return value;
    case HOIST_JSON_NUMBER:
        return make_number(m, json, at);
    case HOIST_JSON_STRING:
        return make_string(m, json, at);
    case HOIST_JSON_ARRAY:
    case HOIST_JSON_OBJECT:
        return make_items(m, json, at);
    }
    return NULL;
}

// The JSON text of a hoist_neff_key as a value; HOIST_INVALID: it is no JSON, or too deep.
static neff_made *make_given(neff_maker *m, const char *text)
{
    static const hoist_json_limits limits = {.max_depth = MAX_DEPTH};
    const hoist_str own = copy(m, hoist_str_from(text)); // the tape points into it
    hoist_json json;
    if (m->status != HOIST_OK) {
        return NULL;
    }
    const hoist_bytes bytes = {(const uint8_t *)own.data, own.size};
    const hoist_status status = hoist_json_read(bytes, &limits, m->arena->alloc, NULL, &json);
    if (status != HOIST_OK) {
        m->status = status == HOIST_NO_MEMORY ? status : HOIST_INVALID;
        return NULL;
    }
    neff_made *const value = make_json(m, &json, 0);
    hoist_json_free(&json);
    return value;
}

// Adds a key of the caller, or replaces the one of a field: at its place, so that the order of keys
// stays.
static void put_key(neff_maker *m, neff_made *map, const hoist_neff_key *key)
{
    neff_made *const value = key->json ? make_given(m, key->json) : make(m, HOIST_TREE_NULL);
    if (m->status != HOIST_OK) {
        return;
    }
    neff_made *const there = neff_made_find(map, hoist_str_from(key->key));
    value->given = true;
    value->absent = !key->json; // a key to be left out still takes the field's place
    if (there) {
        neff_made *const next = there->next; // kept, as *value has none
        value->key = there->key;
        *there = *value;
        there->next = next;
    } else {
        neff_made_add(m, map, copy(m, hoist_str_from(key->key)), value);
    }
}

void neff_put_keys(neff_maker *m, neff_made *map, hoist_neff_keys keys)
{
    for (size_t i = 0; i < keys.count && m->status == HOIST_OK; i++) {
        if (!keys.items[i].key) { // for a key without a name there is no member
            m->status = HOIST_INVALID;
            return;
        }
        put_key(m, map, &keys.items[i]);
    }
}
