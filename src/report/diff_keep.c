// Keeps a document for diff.c: packed nodes (diff_node.c) with digests, without the keys that the
// format's rules leave out.
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "report/diff_node.h"
#include "report/diff_rules.h"

enum { MAX_DEPTH = 1200 };

// A map or list whose end has not come.
typedef struct hoist_diff_open {
    size_t contents; // where they begin in diff->packed
    size_t key;      // its number, or SIZE_MAX
    uint64_t rules;  // bit i: the path so far is the beginning of that of rule i
    uint64_t sum;    // digests of its members so far
    uint64_t count;  // of these
    hoist_tree_kind kind;
    bool ordered; // a list whose items are known by their places
} hoist_diff_open;

static const char digests[] = "digests";

void hoist_diff_init(hoist_diff *diff, const hoist_diff_rule *rules, hoist_allocator alloc)
{
    *diff = (hoist_diff){.alloc = alloc, .rules = rules};
    hoist_arena_init(&diff->arena, alloc);
    hoist_map_init(&diff->keys, alloc);
    hoist_buffer_init(&diff->packed, alloc);
    // Who writes the files cannot know where stack and program are, and so not which texts have one
    // digest.
    diff->seed[0] = (uint64_t)(uintptr_t)diff;
    diff->seed[1] = (uint64_t)(uintptr_t)digests;
}

void hoist_diff_deinit(hoist_diff *diff)
{
    for (int side = 0; side < 2; side++) {
        hoist_free(diff->alloc, diff->roots[side].data, diff->roots[side].size);
    }
    hoist_buffer_deinit(&diff->packed);
    hoist_free(diff->alloc, diff->open, diff->capacity * sizeof(diff->open[0]));
    hoist_free(diff->alloc, diff->key_at, diff->key_capacity * sizeof(diff->key_at[0]));
    hoist_map_deinit(&diff->keys);
    hoist_arena_deinit(&diff->arena);
}

// Digests -----------------------------------------------------------------------------------------

// SipHash of a text, with the key of this comparison.
static uint64_t digest_of(const hoist_diff *diff, hoist_str text)
{
    return hoist_str_siphash(text, diff->seed[0], diff->seed[1]);
}

// A digest of two, and of what they are.
static uint64_t combine(const hoist_diff *diff, uint64_t a, uint64_t b, uint64_t kind)
{
    const uint64_t words[] = {a, b, kind};
    return digest_of(diff, (hoist_str){(const char *)words, sizeof(words)});
}

// Of a value by what it says, not by how it is written.
static uint64_t scalar_digest(const hoist_diff *diff, const hoist_diff_node *node)
{
    enum { TEXT = 2 };
    const hoist_diff_value value = hoist_diff_value_of(node);
    return value.text.size ? combine(diff, digest_of(diff, value.text), TEXT, (uint64_t)value.kind)
                           : combine(diff, value.bits, value.negative, (uint64_t)value.kind);
}

// Nodes -------------------------------------------------------------------------------------------

// The number of a key; SIZE_MAX for the empty one. False when out of memory.
static bool keep_key(hoist_diff *diff, hoist_str key, size_t *out_key)
{
    *out_key = SIZE_MAX;
    if (key.size == 0 || hoist_map_find(&diff->keys, key, out_key)) {
        return true;
    }
    const hoist_str copy = hoist_arena_str(&diff->arena, key);
    if (!copy.data || !hoist_grow(diff->alloc, (void **)&diff->key_at, &diff->key_capacity,
                                  diff->key_count + 1, sizeof(diff->key_at[0]))) {
        return false;
    }
    diff->key_at[diff->key_count] = (hoist_diff_key){copy, digest_of(diff, copy)};
    *out_key = diff->key_count;
    return hoist_map_add(&diff->keys, copy, diff->key_count++, NULL) == HOIST_OK;
}

// A complete node was added; a document ends with its root.
static hoist_status attach(hoist_diff *diff, size_t key, uint64_t digest)
{
    if (diff->packed.failed) {
        return HOIST_NO_MEMORY;
    }
    // Adds a member to what is known of the map or list that is open: in lists whose items have an
    // order their places count.
    hoist_diff_open *const open = diff->depth ? &diff->open[diff->depth - 1] : NULL;
    if (open && open->ordered) {
        open->sum = combine(diff, open->sum, digest, 1);
    } else if (open) {
        const bool named = open->kind == HOIST_TREE_MAP && key != SIZE_MAX;
        // A sum does not depend on the order of its terms.
        open->sum += combine(diff, named ? diff->key_at[key].digest : 0, digest, 0);
    }
    if (open) {
        open->count++;
    }
    return diff->depth ? HOIST_OK : hoist_buffer_take(&diff->packed, &diff->roots[diff->side]);
}

// Closes a map or list: its digest is that of all its members, their number and its kind.
static hoist_status end(hoist_diff *diff)
{
    if (diff->depth == 0) {
        return HOIST_INTERNAL;
    }
    const hoist_diff_open *const open = &diff->open[--diff->depth];
    const uint64_t digest = combine(diff, open->sum, open->count, (uint64_t)open->kind);
    hoist_diff_pack_end(&diff->packed, open->contents, digest);
    return attach(diff, open->key, digest);
}

// Packs a node; a map or list stays open until its end comes.
static hoist_status keep(hoist_diff *diff, const hoist_tree_event *event, uint64_t rules,
                         const hoist_diff_rule *rule)
{
    const hoist_diff_node node = hoist_diff_node_of(event);
    const bool named = rule && event->kind == HOIST_TREE_LIST;
    size_t key = 0;
    if (!keep_key(diff, event->key, &key)) {
        return HOIST_NO_MEMORY;
    }
    hoist_diff_pack(&diff->packed, &node, key, named ? (size_t)(rule - diff->rules) : SIZE_MAX);
    if (hoist_diff_is_scalar(&node)) {
        return attach(diff, key, scalar_digest(diff, &node));
    }
    const hoist_diff_open open = {.contents = diff->packed.size,
                                  .key = key,
                                  .rules = rules,
                                  .kind = node.kind,
                                  .ordered = node.kind == HOIST_TREE_LIST && !named};
    if (diff->depth == MAX_DEPTH) {
        return HOIST_LIMIT;
    }
    if (!hoist_grow(diff->alloc, (void **)&diff->open, &diff->capacity, diff->depth + 1,
                    sizeof(diff->open[0]))) {
        return HOIST_NO_MEMORY;
    }
    diff->open[diff->depth++] = open;
    return HOIST_OK;
}

static hoist_status take(void *self, const hoist_tree_event *event)
{
    hoist_diff *const diff = self;
    const bool opens = event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST;
    const hoist_diff_rule *rule = NULL;
    if (diff->skipped) {
        diff->skipped += opens;
        diff->skipped -= event->kind == HOIST_TREE_END;
        return HOIST_OK;
    }
    if (event->kind == HOIST_TREE_END) {
        return end(diff);
    }
    // What is for people repeats in words what programs have as values.
    if (event->audience == HOIST_TREE_FOR_PEOPLE) {
        diff->skipped = opens;
        return HOIST_OK;
    }
    if (diff->roots[diff->side].data) {
        return HOIST_INTERNAL;
    }
    const uint64_t rules =
        diff->depth ? hoist_diff_rules_after(diff->rules, diff->open[diff->depth - 1].rules,
                                             diff->depth - 1, event->key, &rule)
                    : hoist_diff_rules_all(diff->rules);
    if (rule && !rule->key) {
        diff->skipped = opens;
        return HOIST_OK;
    }
    return keep(diff, event, rules, rule);
}

hoist_tree_sink hoist_diff_document(hoist_diff *diff, int side)
{
    diff->side = side;
    diff->depth = 0;
    diff->skipped = 0;
    hoist_buffer_deinit(&diff->packed);
    return (hoist_tree_sink){.self = diff, .event = take};
}
