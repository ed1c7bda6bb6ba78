// Keys that occur twice in one object.
//
// Nearly all objects have a handful of short keys without escapes: their signatures (8 bytes from
// the front, 8 from the end, the size) are compared pair by pair. Larger objects, and those with an
// escaped key, are sorted by hash, equal hashes by content, so that no choice of keys makes it
// quadratic.
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "codec/json_parser.h"

enum { FEW_KEYS = 16 };

typedef struct json_key {
    uint32_t hash;
    uint32_t token;
} json_key;

// Reads a name byte by byte, decoded.
typedef struct name_reader {
    hoist_str content;
    size_t at;
    char piece[4];
    size_t size; // of `piece`
    size_t used; // of `piece`
} name_reader;

static hoist_str key_content(const json_parser *p, uint32_t token)
{
    const hoist_json_token *t = &p->json->tokens[token];
    return (hoist_str){(const char *)p->text + t->start + 1, t->size - 2};
}

static bool is_escaped(const json_parser *p, uint32_t token)
{
    return p->json->tokens[token].bits & JSON_ESCAPED;
}

static void add_duplicate(json_parser *p, uint32_t token)
{
    p->duplicate_count++;
    // Counted, not kept: an object may repeat a key a million times.
    if (p->duplicate_count > JSON_MAX_DUPLICATES) {
        return;
    }
    const hoist_json_token *key = &p->json->tokens[token];
    // An outer object is complete after the inner ones, but its keys may be before theirs.
    size_t i = p->duplicate_count - 1;
    for (; i > 0 && p->duplicates[i - 1].start > key->start; i--) {
        p->duplicates[i] = p->duplicates[i - 1];
    }
    p->duplicates[i] = (json_range){key->start, key->size};
}

static uint64_t load_up_to_8(const char *at, size_t size)
{
    uint64_t word = 0;
    memcpy(&word, at, size < 8 ? size : 8);
    return word;
}

// Equal texts have equal signatures; different ones hardly ever.
// Up to 7 bytes and the size are the signature itself, hence exact; longer names may collide,
// so equal signatures are compared in full.
static uint64_t signature(hoist_str name)
{
    if (name.size >= 8) {
        const uint64_t head = load_up_to_8(name.data, 8);
        const uint64_t tail = load_up_to_8(name.data + name.size - 8, 8);
        return (head ^ (tail * 0x9e3779b97f4a7c15u)) + name.size;
    }
    uint64_t word = 0;
    for (size_t i = 0; i < name.size; i++) {
        word = word << 8 | (uint8_t)name.data[i];
    }
    return word << 4 | name.size;
}

// Index of the key after `token` and its value.
static uint32_t next_key(const json_parser *p, uint32_t token)
{
    return p->json->tokens[token + 1].next;
}

// Compares pair by pair. False when a key has an escape: nothing was looked at then.
static bool check_few(json_parser *p, uint32_t object, size_t count)
{
    uint64_t signatures[FEW_KEYS];
    uint32_t tokens[FEW_KEYS];
    uint32_t token = object + 1;
    for (size_t i = 0; i < count; i++) {
        if (is_escaped(p, token)) {
            return false;
        }
        tokens[i] = token;
        signatures[i] = signature(key_content(p, token));
        token = next_key(p, token);
    }
    for (size_t i = 1; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (signatures[i] == signatures[k] &&
                hoist_str_equal(key_content(p, tokens[i]), key_content(p, tokens[k]))) {
                // Once for each key that has an equal one before it.
                add_duplicate(p, tokens[i]);
                break;
            }
        }
    }
    return true;
}

// The next byte; -1 at the end.
static int next_byte(name_reader *r)
{
    if (r->used == r->size) {
        if (r->at == r->content.size) {
            return -1;
        }
        r->used = 0;
        r->size = 0;
        r->at += json_decode_one(r->content, r->at, r->piece, &r->size);
    }
    return (uint8_t)r->piece[r->used++];
}

// Order of two keys' names, decoded: negative, zero, positive.
static int compare_names(const json_parser *p, uint32_t a, uint32_t b)
{
    if (!is_escaped(p, a) && !is_escaped(p, b)) {
        return hoist_str_compare(key_content(p, a), key_content(p, b));
    }
    name_reader left = {.content = key_content(p, a)};
    name_reader right = {.content = key_content(p, b)};
    int x = 0;
    int y = 0;
    // -1 at the end of the shorter name: it comes first, as in hoist_str_compare().
    while (x == y && x >= 0) {
        x = next_byte(&left);
        y = next_byte(&right);
    }
    return x - y;
}

static bool comes_before(const json_parser *p, const json_key *a, const json_key *b)
{
    if (a->hash != b->hash) {
        return a->hash < b->hash;
    }
    const int order = compare_names(p, a->token, b->token);
    // By place last: the first of equal keys is the one that stays.
    return order ? order < 0 : a->token < b->token;
}

// A run of sorted keys, [start, middle), and the one after it, [middle, end).
typedef struct key_runs {
    size_t start;
    size_t middle;
    size_t end;
} key_runs;

// Merges two runs of `from` into `to`.
static void merge(const json_parser *p, const json_key *from, json_key *to, key_runs runs)
{
    size_t a = runs.start;
    size_t b = runs.middle;
    for (size_t i = runs.start; i < runs.end; i++) {
        const bool take_a =
            b == runs.end || (a < runs.middle && comes_before(p, &from[a], &from[b]));
        to[i] = take_a ? from[a++] : from[b++];
    }
}

// Sorts `keys` with the help of `spare`, as large; returns which of the two holds the result.
// Bottom-up merge sort: n log n whatever the input, and no recursion. qsort() has no argument
// for the parser, which the comparison needs.
static json_key *sort_keys(const json_parser *p, json_key *keys, json_key *spare, size_t count)
{
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t start = 0; start < count; start += 2 * run) {
            const size_t middle = count - start < run ? count : start + run;
            const size_t end = count - middle < run ? count : middle + run;
            merge(p, keys, spare, (key_runs){start, middle, end});
        }
        json_key *sorted = spare;
        spare = keys;
        keys = sorted;
    }
    return keys;
}

static bool collect_keys(json_parser *p, uint32_t object, size_t count, hoist_arena *arena,
                         json_key *keys)
{
    uint32_t token = object + 1;
    for (size_t i = 0; i < count; i++) {
        hoist_str name = key_content(p, token);
        if (is_escaped(p, token)) {
            name = json_decode(name, arena);
            if (!name.data) {
                return false;
            }
        }
        // A fixed seed: reports must not depend on the run, and equal hashes cost only
        // comparisons.
        keys[i] = (json_key){(uint32_t)hoist_str_hash(name, 0), token};
        token = next_key(p, token);
    }
    return true;
}

bool json_check_keys(json_parser *p, uint32_t at)
{
    const size_t count = p->json->tokens[at].bits >> JSON_COUNT_SHIFT;
    if (count < 2 || (count <= FEW_KEYS && check_few(p, at, count))) {
        return true;
    }
    const hoist_allocator alloc = p->json->alloc;
    const size_t bytes = 2 * count * sizeof(json_key); // count is below 2^28
    json_key *keys = hoist_alloc(alloc, bytes);
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    const bool collected = keys && collect_keys(p, at, count, &arena, keys);
    if (collected) {
        const json_key *sorted = sort_keys(p, keys, keys + count, count);
        for (size_t i = 1; i < count; i++) {
            if (sorted[i].hash == sorted[i - 1].hash &&
                compare_names(p, sorted[i].token, sorted[i - 1].token) == 0) {
                add_duplicate(p, sorted[i].token);
            }
        }
    }
    hoist_arena_deinit(&arena);
    hoist_free(alloc, keys, bytes);
    return collected;
}
