// Named arrays of one file: npz.c and safetensors.c write what is collected here, npz_read.c and
// safetensors_read.c collect what is in a file.
#include "exchange/array_set.h"

#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "codec/hash.h"

hoist_status hoist_array_set_create(hoist_allocator alloc, hoist_array_set **out_set)
{
    hoist_array_set *const set = hoist_alloc_zero(alloc, 1, sizeof(*set));
    *out_set = set;
    if (!set) {
        return HOIST_NO_MEMORY;
    }
    set->alloc = alloc;
    hoist_arena_init(&set->arena, alloc);
    hoist_map_init(&set->names, alloc);
    return HOIST_OK;
}

void hoist_array_set_destroy(hoist_array_set *set)
{
    if (!set) {
        return;
    }
    for (size_t i = 0; i < set->count; i++) {
        // `owned` and `file` of an item: at most one of them holds its data; both may be empty.
        hoist_array_deinit(&set->items[i].array, set->alloc);
        hoist_free(set->alloc, set->items[i].file.data, set->items[i].file.size);
    }
    hoist_free(set->alloc, set->items, set->capacity * sizeof(*set->items));
    hoist_free(set->alloc, set->notes, set->note_capacity * sizeof(*set->notes));
    hoist_map_deinit(&set->names);
    hoist_arena_deinit(&set->arena);
    hoist_free(set->alloc, set, sizeof(*set));
}

// `out` is empty after this in either case.
hoist_status hoist_array_set_take(hoist_buffer *out, hoist_status status,
                                  hoist_mut_bytes *out_bytes)
{
    *out_bytes = (hoist_mut_bytes){NULL, 0};
    if (status == HOIST_OK) {
        return hoist_buffer_take(out, out_bytes);
    }
    hoist_buffer_deinit(out);
    return status;
}

void hoist_array_set_free_bytes(const hoist_array_set *set, hoist_mut_bytes bytes)
{
    hoist_free(set->alloc, bytes.data, bytes.size);
}

// Arrays -----------------------------------------------------------------------------------------

// Space for one more in a list; false: memory ran out.
static bool reserve(hoist_array_set *set, void **items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return true;
    }
    // Doubling keeps adding to a set linear in its arrays.
    const size_t more = *capacity ? 2 * *capacity : 16;
    void *const grown = hoist_resize(set->alloc, *items, *capacity * size, more * size);
    if (grown) {
        *items = grown;
        *capacity = more;
    }
    return grown != NULL;
}

hoist_status hoist_array_set_keep(hoist_array_set *set, const hoist_set_item *item)
{
    const hoist_str name = hoist_arena_str(&set->arena, item->name);
    void *items = set->items;
    if (!name.data || !reserve(set, &items, set->count, &set->capacity, sizeof(*set->items))) {
        return HOIST_NO_MEMORY;
    }
    set->items = items;
    // Before the item is in the list: a name that is there leaves the set as it was.
    HOIST_TRY(hoist_map_add(&set->names, name, set->count, NULL));
    set->items[set->count] = *item;
    set->items[set->count++].name = name;
    return HOIST_OK;
}

hoist_status hoist_array_set_add(hoist_array_set *set, hoist_str name, const hoist_array *array)
{
    // A copy: the caller's bytes need not outlive the call.
    uint8_t *const data = hoist_arena_alloc(&set->arena, array->data.size);
    if (!data) {
        return HOIST_NO_MEMORY;
    }
    if (array->data.size > 0) { // memcpy does not take NULL
        memcpy(data, array->data.data, array->data.size);
    }
    hoist_set_item item = {.name = name, .array = *array};
    item.array.data = (hoist_bytes){data, array->data.size};
    item.array.owned = NULL;
    return hoist_array_set_keep(set, &item);
}

size_t hoist_array_set_count(const hoist_array_set *set)
{
    return set->count;
}

hoist_str hoist_array_set_at(const hoist_array_set *set, size_t index, hoist_array *out_array)
{
    *out_array = set->items[index].array;
    out_array->owned = NULL; // the set keeps the memory; the caller gets a view
    return set->items[index].name;
}

// Notes ------------------------------------------------------------------------------------------

hoist_status hoist_array_set_note(hoist_array_set *set, const char *key, hoist_str text)
{
    const hoist_set_note note = {hoist_arena_str(&set->arena, hoist_str_from(key)),
                                 hoist_arena_str(&set->arena, text)};
    void *notes = set->notes;
    // What the arena took stays until the set goes: a failed note costs its bytes.
    if (!note.key.data || !note.text.data ||
        !reserve(set, &notes, set->note_count, &set->note_capacity, sizeof(note))) {
        return HOIST_NO_MEMORY;
    }
    set->notes = notes;
    set->notes[set->note_count++] = note;
    return HOIST_OK;
}

hoist_status hoist_array_set_digest(hoist_array_set *set, const char *key, hoist_bytes bytes)
{
    char text[HOIST_HASH_TEXT_SIZE];
    HOIST_TRY(hoist_hash_text(HOIST_HASH_SHA256, bytes, NULL, text));
    // Without the zero at its end.
    return hoist_array_set_note(set, key, (hoist_str){text, sizeof(text) - 1});
}

// Leaves out events for people, whole maps and lists with all that is in them: a file's notes are
// read by programs. `skipped` counts what is open of such a one.
static hoist_status forward(void *self, const hoist_tree_event *event)
{
    hoist_array_set *const set = self;
    const bool is_end = event->kind == HOIST_TREE_END;
    const bool opens = event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST;
    // An END has no audience of its own: it is skipped with its opening only.
    if (set->skipped > 0 || (!is_end && event->audience == HOIST_TREE_FOR_PEOPLE)) {
        set->skipped += opens;
        set->skipped -= is_end;
        return set->inner.status;
    }
    hoist_tree_send(&set->inner, event);
    return set->inner.status;
}

hoist_tree_sink *hoist_array_set_begin_tree(hoist_array_set *set, const char *key)
{
    set->key = key;
    set->skipped = 0;
    hoist_buffer_init(&set->text, set->alloc);
    // On one line, without blanks: no person reads it.
    hoist_json_writer_init(&set->writer, &set->text, false, false);
    set->inner = hoist_json_writer_sink(&set->writer);
    set->sink = (hoist_tree_sink){.self = set, .event = forward};
    hoist_tree_map(&set->sink, "");
    return &set->sink;
}

hoist_status hoist_array_set_end_tree(hoist_array_set *set)
{
    hoist_tree_end(&set->sink);
    // A failed text and a failed event are two ways to run out of memory.
    hoist_status status = set->text.failed ? HOIST_NO_MEMORY : set->sink.status;
    if (status == HOIST_OK) {
        status = hoist_array_set_note(set, set->key, hoist_buffer_text(&set->text));
    }
    // In all cases: begin and end are a pair.
    hoist_json_writer_deinit(&set->writer);
    hoist_buffer_deinit(&set->text);
    return status;
}
