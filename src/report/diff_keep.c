// Keeping a document: nodes with digests, without what does not count.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "report/diff.h"

enum { MAX_DEPTH = 1200, MAX_RULES = 64 };

// A map or list whose end has not come.
typedef struct hoist_diff_open {
    hoist_diff_node *node;
    hoist_diff_node *last;
    uint64_t rules; // bit i: the path so far is the beginning of that of rule i
    uint64_t sum;   // digests of its members so far
} hoist_diff_open;

static const char digests[] = "digests";

void hoist_diff_init(hoist_diff *diff, const hoist_diff_rule *rules, hoist_allocator alloc)
{
    *diff = (hoist_diff){.alloc = alloc, .rules = rules};
    hoist_arena_init(&diff->arena, alloc);
    hoist_map_init(&diff->keys, alloc);
    // Who writes the files cannot know where stack and program are, and so not which texts have one
    // digest.
    diff->seed[0] = (uint64_t)(uintptr_t)diff;
    diff->seed[1] = (uint64_t)(uintptr_t)digests;
}

void hoist_diff_deinit(hoist_diff *diff)
{
    hoist_free(diff->alloc, diff->open, diff->capacity * sizeof(diff->open[0]));
    hoist_map_deinit(&diff->keys);
    hoist_arena_deinit(&diff->arena);
}

// Digests
// ------------------------------------------------------------------------------------------

static uint64_t digest_of(const hoist_diff *diff, hoist_str text)
{
    return hoist_str_siphash(text, diff->seed[0], diff->seed[1]);
}

static uint64_t combine(const hoist_diff *diff, uint64_t a, uint64_t b, uint64_t kind)
{
    const uint64_t words[] = {a, b, kind};
    return digest_of(diff, (hoist_str){(const char *)words, sizeof(words)});
}

// Numbers that are equal have one digest, however they are written, but for integers beyond 64
// bits: these are their digits.
static uint64_t number_digest(const hoist_diff *diff, const hoist_diff_node *node)
{
    static const double exact = 9007199254740992.0; // 2^53
    if (node->digits) {
        return combine(diff, digest_of(diff, node->as.str), 1, HOIST_TREE_FLOAT);
    }
    const bool whole =
        node->kind != HOIST_TREE_FLOAT ||
        (fabs(node->as.number) <= exact && floor(node->as.number) == node->as.number);
    const uint64_t bits = node->kind == HOIST_TREE_FLOAT && whole
                              ? (uint64_t)(int64_t)node->as.number
                              : node->as.uinteger;
    const bool negative = (node->kind == HOIST_TREE_INT || node->kind == HOIST_TREE_FLOAT) &&
                          whole && (int64_t)bits < 0;
    return combine(diff, bits, negative, whole ? HOIST_TREE_INT : HOIST_TREE_FLOAT);
}

static uint64_t scalar_digest(const hoist_diff *diff, const hoist_diff_node *node)
{
    switch ((hoist_tree_kind)node->kind) {
    case HOIST_TREE_STR:
        return combine(diff, digest_of(diff, node->as.str), 0, HOIST_TREE_STR);
    case HOIST_TREE_INT:
    case HOIST_TREE_UINT:
    case HOIST_TREE_FLOAT:
        return number_digest(diff, node);
    case HOIST_TREE_BOOL:
        return combine(diff, node->as.boolean, 0, HOIST_TREE_BOOL);
    case HOIST_TREE_NULL:
    case HOIST_TREE_MAP:
    case HOIST_TREE_LIST:
    case HOIST_TREE_END:
        break;
    }
    return combine(diff, 0, 0, HOIST_TREE_NULL);
}

// Adds a member to what is known of its map or list: in lists whose items have an order their
// places count.
static void add_digest(const hoist_diff *diff, hoist_diff_open *open, const hoist_diff_node *node)
{
    const bool map = open->node->kind == HOIST_TREE_MAP;
    if (map || open->node->as.identity) {
        open->sum += combine(diff, map ? digest_of(diff, node->key) : 0, node->digest, 0);
    } else {
        open->sum = combine(diff, open->sum, node->digest, 1);
    }
}

// Rules
// --------------------------------------------------------------------------------------------

// The rest of a path behind its first step, which is compared; NULL: it is another one.
static const char *path_behind(const char *path, size_t depth, hoist_str key)
{
    for (; depth; depth--) {
        path = strchr(path, '/') + 1;
    }
    const char *const end = strchr(path, '/');
    const hoist_str step = {path, end ? (size_t)(end - path) : strlen(path)};
    if (!hoist_str_equal_c(step, "*") && !hoist_str_equal(step, key)) {
        return NULL;
    }
    return path + step.size;
}

// The rules whose paths go on with `key`; `*out_rule` is the one that ends there, or NULL.
static uint64_t rules_behind(const hoist_diff *diff, hoist_str key,
                             const hoist_diff_rule **out_rule)
{
    uint64_t left = 0;
    *out_rule = NULL;
    if (diff->depth == 0) {
        for (size_t i = 0; i < MAX_RULES && diff->rules[i].path; i++) {
            left |= (uint64_t)1 << i;
        }
        return left;
    }
    uint64_t rules = diff->open[diff->depth - 1].rules;
    for (size_t i = 0; rules; i++, rules >>= 1) {
        const char *const rest =
            rules & 1 ? path_behind(diff->rules[i].path, diff->depth - 1, key) : NULL;
        if (rest && *rest == '\0') {
            *out_rule = &diff->rules[i];
        } else if (rest) {
            left |= (uint64_t)1 << i;
        }
    }
    return left;
}

// Nodes
// --------------------------------------------------------------------------------------------

// Keys come again and again: one copy each. {NULL, 0} when out of memory.
static hoist_str keep_key(hoist_diff *diff, hoist_str key)
{
    size_t at = 0;
    if (hoist_map_find(&diff->keys, key, &at)) {
        return (hoist_str){(const char *)at, key.size};
    }
    const hoist_str copy = hoist_arena_str(&diff->arena, key);
    if (copy.data &&
        hoist_map_add(&diff->keys, copy, (size_t)(uintptr_t)copy.data, NULL) != HOIST_OK) {
        return (hoist_str){NULL, 0};
    }
    return copy;
}

static hoist_diff_node *keep(hoist_diff *diff, const hoist_tree_event *event)
{
    hoist_diff_node *const node = hoist_arena_alloc(&diff->arena, sizeof(*node));
    if (!node) {
        return NULL;
    }
    node->key = keep_key(diff, event->key);
    node->kind = (uint8_t)event->kind;
    node->unit = (uint8_t)event->unit;
    node->inline_hint = event->inline_hint;
    node->digits = event->kind == HOIST_TREE_FLOAT && event->str.size > 0;
    if (event->kind == HOIST_TREE_STR || node->digits) {
        node->as.str = hoist_arena_str(&diff->arena, event->str);
        return node->key.data && node->as.str.data ? node : NULL;
    }
    if (event->kind == HOIST_TREE_INT) {
        node->as.integer = event->integer;
    } else if (event->kind == HOIST_TREE_UINT) {
        node->as.uinteger = event->uinteger;
    } else if (event->kind == HOIST_TREE_FLOAT) {
        node->as.number = event->number;
    } else if (event->kind == HOIST_TREE_BOOL) {
        node->as.boolean = event->boolean;
    }
    return node->key.data ? node : NULL;
}

static hoist_status push(hoist_diff *diff, hoist_diff_node *node, uint64_t rules)
{
    if (diff->depth == MAX_DEPTH) {
        return HOIST_LIMIT;
    }
    if (!hoist_grow(diff->alloc, (void **)&diff->open, &diff->capacity, diff->depth + 1,
                    sizeof(diff->open[0]))) {
        return HOIST_NO_MEMORY;
    }
    diff->open[diff->depth++] = (hoist_diff_open){.node = node, .rules = rules};
    return HOIST_OK;
}

// Hangs a whole node into the map or list that is open.
static void attach(hoist_diff *diff, hoist_diff_node *node)
{
    if (diff->depth == 0) {
        diff->roots[diff->side] = node;
        return;
    }
    hoist_diff_open *const open = &diff->open[diff->depth - 1];
    if (open->last) {
        open->last->next = node;
    } else {
        open->node->first = node;
    }
    open->last = node;
    open->node->count++;
    add_digest(diff, open, node);
}

static hoist_status end(hoist_diff *diff)
{
    if (diff->depth == 0) {
        return HOIST_INTERNAL;
    }
    const hoist_diff_open *const open = &diff->open[--diff->depth];
    open->node->digest = combine(diff, open->sum, open->node->count, open->node->kind);
    attach(diff, open->node);
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
    if (event->audience == HOIST_TREE_FOR_PEOPLE) {
        diff->skipped = opens;
        return HOIST_OK;
    }
    const uint64_t rules = rules_behind(diff, event->key, &rule);
    if (rule && !rule->key) {
        diff->skipped = opens;
        return HOIST_OK;
    }
    hoist_diff_node *const node = keep(diff, event);
    if (!node) {
        return HOIST_NO_MEMORY;
    }
    if (opens) {
        node->as.identity = rule && event->kind == HOIST_TREE_LIST ? rule->key : NULL;
        return push(diff, node, rules);
    }
    node->digest = scalar_digest(diff, node);
    attach(diff, node);
    return HOIST_OK;
}

hoist_tree_sink hoist_diff_document(hoist_diff *diff, int side)
{
    diff->side = side;
    diff->depth = 0;
    diff->skipped = 0;
    return (hoist_tree_sink){.self = diff, .event = take};
}
