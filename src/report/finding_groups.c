// Groups of findings that say the same of many places (finding_groups.h). The key of a group is its
// rule, file, member and the sentence without what quotes enclose and without digits.
#include "report/finding_groups.h"

#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "base/span.h"
#include "report/plain.h"

enum { MOST_EXAMPLES = 3 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Appends the sentence: a name between quotes is '', digits are one #.
static void write_shape(hoist_buffer *out, hoist_str sentence)
{
    for (size_t i = 0; i < sentence.size; i++) {
        const char c = sentence.data[i];
        // An apostrophe that nothing closes is a character like others.
        const char *const end =
            c == '\'' ? memchr(sentence.data + i + 1, '\'', sentence.size - i - 1) : NULL;
        if (end) {
            hoist_buffer_c(out, "''");
            i = (size_t)(end - sentence.data);
        } else if (!is_digit(c)) {
            hoist_buffer_char(out, c);
        } else if (i == 0 || !is_digit(sentence.data[i - 1])) {
            hoist_buffer_char(out, '#');
        }
    }
}

// The key in the arena; data NULL: out of memory.
static hoist_str key_of(const hoist_finding *f, hoist_arena *arena, hoist_buffer *words)
{
    words->size = 0;
    hoist_buffer_format(words, "%s %d ", f->rule->id, (int)f->severity);
    hoist_buffer_str(words, f->file);
    hoist_buffer_char(words, '!');
    hoist_buffer_str(words, f->member);
    hoist_buffer_char(words, ' ');
    write_shape(words, f->message);
    return words->failed ? (hoist_str){NULL, 0} : hoist_arena_str(arena, hoist_buffer_text(words));
}

// Finds for each finding the first one with its key, and chains those of a key in their order.
static hoist_status find_heads(const hoist_diag *diag, hoist_arena *arena, hoist_map *keys,
                               hoist_buffer *words, hoist_finding_groups *out)
{
    const size_t kept = hoist_diag_kept(diag);
    size_t *const last = hoist_arena_array(arena, kept, sizeof(*last));
    if (!last) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < kept; i++) {
        const hoist_str key = key_of(hoist_diag_at(diag, i), arena, words);
        if (!key.data) {
            return HOIST_NO_MEMORY;
        }
        // When the key is there already, the map says which finding has it first.
        out->head[i] = i;
        const hoist_status status = hoist_map_add(keys, key, i, &out->head[i]);
        if (status == HOIST_BUSY) {
            out->next[last[out->head[i]]] = i;
        } else if (status != HOIST_OK) {
            return status;
        } else {
            out->head[i] = i;
        }
        last[out->head[i]] = i;
        out->count[out->head[i]]++;
    }
    return HOIST_OK;
}

hoist_status hoist_finding_groups_find(const hoist_diag *diag, hoist_arena *arena,
                                       hoist_finding_groups *out_groups)
{
    const size_t kept = hoist_diag_kept(diag);
    *out_groups = (hoist_finding_groups){.head = hoist_arena_array(arena, kept, sizeof(size_t)),
                                         .next = hoist_arena_array(arena, kept, sizeof(size_t)),
                                         .count = hoist_arena_array(arena, kept, sizeof(size_t))};
    if (!out_groups->head || !out_groups->next || !out_groups->count) {
        return HOIST_NO_MEMORY;
    }
    hoist_map keys;
    hoist_buffer words;
    hoist_map_init(&keys, arena->alloc);
    hoist_buffer_init(&words, arena->alloc);
    const hoist_status status = find_heads(diag, arena, &keys, &words, out_groups);
    hoist_buffer_deinit(&words);
    hoist_map_deinit(&keys);
    for (size_t i = 0; status == HOIST_OK && i < kept; i++) {
        const size_t head = out_groups->head[i];
        // Too few for a group: each is its own head again.
        if (out_groups->count[head] < HOIST_FINDING_GROUP_LEAST) {
            out_groups->head[i] = i;
        }
    }
    for (size_t i = 0; status == HOIST_OK && i < kept; i++) {
        const bool alone = out_groups->count[i] < HOIST_FINDING_GROUP_LEAST;
        out_groups->count[i] = out_groups->head[i] == i && alone ? 1 : out_groups->count[i];
    }
    return status;
}

// Examples ----------------------------------------------------------------------------------------

// Whether both point to the same line and column, or byte.
static bool is_place_equal(const hoist_finding *a, const hoist_finding *b)
{
    return a->loc.kind == b->loc.kind &&
           (a->loc.kind == HOIST_LOC_NONE ||
            (a->loc.kind == HOIST_LOC_BYTE
                 ? a->loc.offset == b->loc.offset
                 : a->loc.pos.line == b->loc.pos.line && a->loc.pos.column == b->loc.pos.column));
}

static void write_place(hoist_buffer *out, const hoist_finding *f)
{
    if (f->loc.kind == HOIST_LOC_TEXT) {
        hoist_buffer_format(out, "%" PRIu32 ":%" PRIu32, f->loc.pos.line, f->loc.pos.column);
    } else if (f->loc.kind == HOIST_LOC_BYTE) {
        hoist_buffer_format(out, "+0x%" PRIx64, f->loc.offset);
    }
}

// The first word of `sentence` that differs from that of `other`, without brackets and commas.
static hoist_str differing_word(hoist_str sentence, hoist_str other)
{
    size_t start = 0;
    size_t at = 0;
    while (at < sentence.size && at < other.size && sentence.data[at] == other.data[at]) {
        // The word that begins last before the difference has it.
        start = sentence.data[at] == ' ' ? at + 1 : start;
        at++;
    }
    if (at == sentence.size && at == other.size) {
        return HOIST_STR("");
    }
    size_t end = start;
    while (end < sentence.size && sentence.data[end] != ' ') {
        end++;
    }
    const char *const around = "(),;:";
    while (start < end && strchr(around, sentence.data[start])) {
        start++;
    }
    while (end > start && strchr(around, sentence.data[end - 1])) {
        end--;
    }
    return hoist_str_slice(sentence, start, end - start);
}

// Appends the place of `f` when it is not that of `before`, else the word that differs from that
// of the head; nothing when both are the same.
static bool write_example(hoist_buffer *out, const hoist_finding *f, const hoist_finding *before,
                          const hoist_finding *head, bool by_place, const char *between)
{
    const hoist_str word = differing_word(f->message, head->message);
    if (by_place ? is_place_equal(f, before) : word.size == 0) {
        return false;
    }
    hoist_buffer_c(out, between);
    if (by_place) {
        write_place(out, f);
    } else {
        hoist_plain_write(out, word);
    }
    return true;
}

static void write_words(const hoist_finding_groups *groups, const hoist_diag *diag, size_t head,
                        hoist_buffer *out)
{
    const hoist_finding *const first = hoist_diag_at(diag, head);
    const hoist_finding *before = first;
    bool by_place = false;
    for (size_t i = groups->next[head]; i && !by_place; i = groups->next[i]) {
        // Places say most, unless all are one place.
        by_place = !is_place_equal(hoist_diag_at(diag, i), first);
    }
    hoist_buffer_format(out, "%zu more like it", groups->count[head] - 1);
    size_t written = 0;
    size_t left = 0;
    for (size_t i = groups->next[head]; i; i = groups->next[i]) {
        const hoist_finding *const f = hoist_diag_at(diag, i);
        const char *const between = written ? ", " : by_place ? ", at " : ": ";
        if (written == MOST_EXAMPLES) {
            left++;
        } else if (write_example(out, f, before, first, by_place, between)) {
            written++;
        }
        before = f;
    }
    hoist_buffer_c(out, left ? " ...; --all lists them" : "; --all lists them");
}

void hoist_finding_groups_write(const hoist_finding_groups *groups, const hoist_diag *diag,
                                size_t head, size_t width, hoist_buffer *out)
{
    enum { INDENT = 4 };
    if (groups->count[head] < HOIST_FINDING_GROUP_LEAST) {
        return;
    }
    hoist_buffer words;
    hoist_buffer_init(&words, out->alloc);
    write_words(groups, diag, head, &words);
    hoist_buffer_fill(out, ' ', INDENT);
    hoist_plain_wrap(out, hoist_buffer_text(&words), INDENT, width);
    hoist_buffer_char(out, '\n');
    out->failed = out->failed || words.failed;
    hoist_buffer_deinit(&words);
}
