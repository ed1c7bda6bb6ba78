// The digest of a document (content.h): a tree of SHA-256 over encoded values, a Merkle tree. In:
// tree events and the rules of diff_rules.h; out: 32 bytes. diff_keep.c has the same rules.
#include "report/content.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "report/diff_node.h"
#include "report/diff_rules.h"

enum { MAX_DEPTH = 1200, LENGTH = 8 };

// A map or list whose end has not come.
typedef struct hoist_content_open {
    size_t begin;   // of its members in content->bytes
    size_t size_at; // of the last member's length there, or SIZE_MAX
    uint64_t rules; // as of hoist_diff_rules_all
    bool is_map;
    bool sorted; // the order of members does not count
} hoist_content_open;

void hoist_content_init(hoist_content *content, const hoist_diff_rule *rules,
                        hoist_deadline *deadline, hoist_allocator alloc)
{
    static const hoist_diff_rule none = {NULL, NULL};
    *content =
        (hoist_content){.alloc = alloc, .rules = rules ? rules : &none, .deadline = deadline};
    hoist_buffer_init(&content->bytes, alloc);
}

void hoist_content_deinit(hoist_content *content)
{
    hoist_buffer_deinit(&content->bytes);
    hoist_free(content->alloc, content->open, content->open_capacity * sizeof(content->open[0]));
    hoist_free(content->alloc, content->members,
               content->member_capacity * sizeof(content->members[0]));
}

// Little-endian in eight bytes, wherever hoist runs.
static void put_number(uint8_t *bytes, uint64_t value)
{
    for (size_t i = 0; i < LENGTH; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

static void add_number(hoist_buffer *out, uint64_t value)
{
    uint8_t bytes[LENGTH];
    put_number(bytes, value);
    hoist_buffer_add(out, (hoist_bytes){bytes, sizeof(bytes)});
}

// A text after its length, so that two texts in a row cannot be taken for others.
static void add_text(hoist_buffer *out, hoist_str text)
{
    add_number(out, text.size);
    hoist_buffer_str(out, text);
}

// A letter for the kind, and the value: what is equal by value has the same bytes.
static void add_scalar(hoist_buffer *out, const hoist_tree_event *event)
{
    const hoist_diff_node node = hoist_diff_node_of(event);
    const hoist_diff_value value = hoist_diff_value_of(&node);
    switch (value.kind) {
    case HOIST_TREE_STR:
        hoist_buffer_char(out, 's');
        add_text(out, value.text);
        return;
    case HOIST_TREE_INT:
        hoist_buffer_char(out, value.negative ? '-' : '+');
        add_number(out, value.bits);
        return;
    case HOIST_TREE_FLOAT:
        hoist_buffer_char(out, value.text.size ? 'd' : 'f');
        if (value.text.size) {
            add_text(out, value.text);
        } else {
            // The number is no integer: its own bits are its value.
            uint64_t bits = 0;
            memcpy(&bits, &event->number, sizeof(bits));
            add_number(out, bits);
        }
        return;
    case HOIST_TREE_BOOL:
        hoist_buffer_char(out, value.bits ? 't' : 'n');
        return;
    default:
        hoist_buffer_char(out, '0');
        return;
    }
}

// By their bytes, a shorter one first where it is the beginning of the other.
static int compare_members(const void *a, const void *b)
{
    const hoist_bytes *const x = a;
    const hoist_bytes *const y = b;
    const int order = memcmp(x->data, y->data, x->size < y->size ? x->size : y->size);
    return order ? order : (x->size > y->size) - (x->size < y->size);
}

// Puts the members from `begin` on, each after its length, into the order of their bytes.
static bool sort_members(hoist_content *content, size_t begin)
{
    size_t count = 0;
    for (size_t at = begin; at < content->bytes.size;) {
        uint64_t size = 0;
        for (size_t i = LENGTH; i-- > 0;) {
            size = size << 8 | content->bytes.data[at + i];
        }
        // Addresses of the bytes stay as they are: nothing is added to them until the copy.
        if (!hoist_grow(content->alloc, (void **)&content->members, &content->member_capacity,
                        count + 1, sizeof(content->members[0]))) {
            return false;
        }
        content->members[count++] = (hoist_bytes){content->bytes.data + at + LENGTH, (size_t)size};
        at += LENGTH + (size_t)size;
    }
    if (count < 2) {
        return true;
    }
    hoist_buffer sorted;
    hoist_buffer_init(&sorted, content->alloc);
    qsort(content->members, count, sizeof(content->members[0]), compare_members);
    for (size_t i = 0; i < count; i++) {
        add_number(&sorted, content->members[i].size);
        hoist_buffer_add(&sorted, content->members[i]);
    }
    const bool done = !sorted.failed;
    if (done) {
        // The same members in another order take as many bytes.
        memcpy(content->bytes.data + begin, sorted.data, sorted.size);
    }
    hoist_buffer_deinit(&sorted);
    return done;
}

// Sets the length of the member that has just become complete.
static void end_member(hoist_content *content)
{
    if (content->depth && !content->bytes.failed) {
        const size_t at = content->open[content->depth - 1].size_at;
        put_number(content->bytes.data + at, content->bytes.size - at - LENGTH);
    }
}

// Replaces the members of a map or list that ends by their digest.
static hoist_status end(hoist_content *content)
{
    if (content->depth == 0) {
        return HOIST_INTERNAL;
    }
    const hoist_content_open *const open = &content->open[--content->depth];
    if (content->bytes.failed || (open->sorted && !sort_members(content, open->begin))) {
        return HOIST_NO_MEMORY;
    }
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    const hoist_bytes members = {content->bytes.data + open->begin,
                                 content->bytes.size - open->begin};
    HOIST_TRY(hoist_hash(HOIST_HASH_SHA256, members, content->deadline, digest));
    content->bytes.size = open->begin;
    hoist_buffer_add(&content->bytes, (hoist_bytes){digest, sizeof(digest)});
    end_member(content);
    return content->bytes.failed ? HOIST_NO_MEMORY : HOIST_OK;
}

// Begins a member: its length, which comes later, and in a map its key.
static void begin_member(hoist_content *content, hoist_str key)
{
    hoist_content_open *const open = content->depth ? &content->open[content->depth - 1] : NULL;
    if (open) {
        open->size_at = content->bytes.size;
        add_number(&content->bytes, 0);
    }
    if (open && open->is_map) {
        add_text(&content->bytes, key);
    }
}

// Adds a value, or opens a map or list. `unordered`: a rule names the list.
static hoist_status keep(hoist_content *content, const hoist_tree_event *event, uint64_t rules,
                         bool unordered)
{
    begin_member(content, event->key);
    const bool is_map = event->kind == HOIST_TREE_MAP;
    if (!is_map && event->kind != HOIST_TREE_LIST) {
        add_scalar(&content->bytes, event);
        end_member(content);
        return content->bytes.failed ? HOIST_NO_MEMORY : HOIST_OK;
    }
    hoist_buffer_char(&content->bytes, is_map ? 'm' : unordered ? 'u' : 'l');
    if (content->depth == MAX_DEPTH) {
        return HOIST_LIMIT;
    }
    if (content->bytes.failed ||
        !hoist_grow(content->alloc, (void **)&content->open, &content->open_capacity,
                    content->depth + 1, sizeof(content->open[0]))) {
        return HOIST_NO_MEMORY;
    }
    content->open[content->depth++] = (hoist_content_open){.begin = content->bytes.size,
                                                           .rules = rules,
                                                           .is_map = is_map,
                                                           .sorted = is_map || unordered};
    return HOIST_OK;
}

static hoist_status take(void *self, const hoist_tree_event *event)
{
    hoist_content *const content = self;
    const bool opens = event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST;
    // Inside of something that does not count only maps and lists are counted, to find its end.
    if (content->skipped) {
        content->skipped += opens;
        content->skipped -= event->kind == HOIST_TREE_END;
        return HOIST_OK;
    }
    if (event->kind == HOIST_TREE_END) {
        return end(content);
    }
    // A second root.
    if (content->depth == 0 && content->bytes.size) {
        return HOIST_INTERNAL;
    }
    const hoist_diff_rule *rule = NULL;
    const uint64_t rules =
        content->depth
            ? hoist_diff_rules_after(content->rules, content->open[content->depth - 1].rules,
                                     content->depth - 1, event->key, &rule)
            : hoist_diff_rules_all(content->rules);
    // A rule without a key says that the value does not count.
    if (event->audience == HOIST_TREE_FOR_PEOPLE || (rule && !rule->key)) {
        content->skipped = opens;
        return HOIST_OK;
    }
    return keep(content, event, rules, rule && event->kind == HOIST_TREE_LIST);
}

hoist_tree_sink hoist_content_sink(hoist_content *content)
{
    return (hoist_tree_sink){.self = content, .event = take, .deadline = content->deadline};
}

hoist_status hoist_content_text(const hoist_content *content, const char *format,
                                char out[HOIST_HASH_TEXT_SIZE])
{
    hoist_buffer root;
    hoist_buffer_init(&root, content->alloc);
    // The version of these rules and the format go into the digest: equal bytes of others differ.
    hoist_buffer_format(&root, "hoist content 1\n%s\n", format);
    hoist_buffer_add(&root, hoist_buffer_bytes(&content->bytes));
    const hoist_status status =
        root.failed
            ? HOIST_NO_MEMORY
            : hoist_hash_text(HOIST_HASH_SHA256, hoist_buffer_bytes(&root), content->deadline, out);
    hoist_buffer_deinit(&root);
    return status;
}
