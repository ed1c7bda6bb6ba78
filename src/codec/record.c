// Rows, words and fallbacks of records: finding a key or word, sizes of slots, default values.
// record_read.c and record_visit.c share them.
#include "codec/record.h"

#include <string.h>

#include "base/span.h"

// The stride leads through any table of structs that begins with a name.
static const char *word_at(const hoist_rec_words *words, size_t index)
{
    const char *const first = (const char *)words->names;
    return *(const char *const *)(const void *)(first + index * words->stride);
}

const char *hoist_rec_word_name(const hoist_rec_words *words, int value)
{
    return value >= 0 && (size_t)value < words->count ? word_at(words, (size_t)value) : NULL;
}

// Words that are not accepted count as unknown: a set may be larger than what one key allows.
int hoist_rec_word_find(const hoist_rec_words *words, hoist_str text)
{
    for (size_t i = 0; i < words->count; i++) {
        const hoist_str word = hoist_str_from(word_at(words, i));
        const bool same =
            words->any_case ? hoist_str_equal_nocase(word, text) : hoist_str_equal(word, text);
        if (same && (!words->accepted || words->accepted((int)i))) {
            return (int)i;
        }
    }
    return -1;
}

void hoist_rec_word_list(const hoist_rec_words *words, hoist_buffer *out)
{
    const char *between = "";
    for (size_t i = 0; i < words->count; i++) {
        if (!words->accepted || words->accepted((int)i)) {
            hoist_buffer_format(out, "%s%s", between, word_at(words, i));
            between = ", ";
        }
    }
}

static bool is_key(const hoist_rec_field *field, hoist_str key)
{
    return field->key_size == key.size && memcmp(field->key, key.data, key.size) == 0;
}

// From `first` around the table: files repeat the order of their keys.
int hoist_rec_find(const hoist_rec_table *table, hoist_str key, unsigned first)
{
    // A perfect hash that a test of the table has made: one comparison, found or not.
    if (table->slots) {
        const int row = (int)table->slots[hoist_rec_slot(key, table->multiplier)] - 1;
        return row >= 0 && is_key(&table->fields[row], key) ? row : -1;
    }
    unsigned row = first;
    for (unsigned i = 0; i < table->count; i++, row++) {
        row = row < table->count ? row : 0;
        if (is_key(&table->fields[row], key)) {
            return (int)row;
        }
    }
    return -1;
}

// Slots ------------------------------------------------------------------------------------------

// A kind's slot: its bytes with a place and bare, and where the place is in the former.
#define SLOT(placed, bare)                                                                         \
    {                                                                                              \
        sizeof(placed), sizeof(bare), offsetof(placed, pos)                                        \
    }
static const struct {
    // Bytes; a kind that has no placed form has 0.
    uint8_t placed, bare, place_at;
} slots[HOIST_REC_OWN] = {
    [HOIST_REC_INT] = SLOT(hoist_rec_int, int64_t),
    [HOIST_REC_FLOAT] = SLOT(hoist_rec_float, double),
    [HOIST_REC_BOOL] = SLOT(hoist_rec_bool, bool),
    [HOIST_REC_STR] = SLOT(hoist_rec_str, hoist_str),
    [HOIST_REC_WORD] = SLOT(hoist_rec_word, int32_t),
    [HOIST_REC_SMALL_WORD] = {.bare = sizeof(int8_t)},
    [HOIST_REC_INTS] = SLOT(hoist_rec_ints, hoist_rec_list),
    [HOIST_REC_STRS] = SLOT(hoist_rec_strs, hoist_rec_list),
    [HOIST_REC_WORDS] = SLOT(hoist_rec_word_items, hoist_rec_list),
    [HOIST_REC_TABLES] = {sizeof(hoist_rec_list), sizeof(hoist_rec_list), 0},
    [HOIST_REC_NAMED] = {sizeof(hoist_rec_list), sizeof(hoist_rec_list), 0},
};

size_t hoist_rec_slot_size(const hoist_rec_field *field)
{
    return field->places ? slots[field->kind].placed : slots[field->kind].bare;
}

// Own kinds and tables say themselves where their place is.
size_t hoist_rec_place_at(const hoist_rec_own *own, const hoist_rec_field *field)
{
    return field->kind >= HOIST_REC_OWN     ? own[field->kind - HOIST_REC_OWN].place_at
           : field->kind == HOIST_REC_TABLE ? field->table->place_at
                                            : slots[field->kind].place_at;
}

// Fallbacks --------------------------------------------------------------------------------------

// Through memcpy, as slots of bare records need not be aligned for their type.
void hoist_rec_clear_field(const hoist_rec_own *own, const hoist_rec_field *field, void *record)
{
    if (field->at == HOIST_REC_NONE) {
        return;
    }
    char *const slot = (char *)record + field->at;
    if (field->kind >= HOIST_REC_OWN) {
        if (own[field->kind - HOIST_REC_OWN].clear) {
            own[field->kind - HOIST_REC_OWN].clear(field, slot);
        }
        return;
    }
    if (field->kind == HOIST_REC_TABLE) {
        hoist_rec_clear(own, field->table, slot);
        return;
    }
    memset(slot, 0, hoist_rec_slot_size(field));
    const int32_t word = (int32_t)field->fallback;
    const double number = (double)field->fallback;
    if (field->text_at != HOIST_REC_NONE) {
        memset((char *)record + field->text_at, 0, sizeof(hoist_str));
    }
    if (field->kind == HOIST_REC_INT) {
        memcpy(slot, &field->fallback, sizeof(field->fallback));
    } else if (field->kind == HOIST_REC_FLOAT) {
        memcpy(slot, &number, sizeof(number));
    } else if (field->kind == HOIST_REC_WORD) {
        memcpy(slot, &word, sizeof(word));
    } else if (field->kind == HOIST_REC_BOOL || field->kind == HOIST_REC_SMALL_WORD) {
        *slot = (char)field->fallback;
    }
}

void hoist_rec_clear(const hoist_rec_own *own, const hoist_rec_table *table, void *record)
{
    for (unsigned i = 0; i < table->count; i++) {
        const hoist_rec_field *const field = &table->fields[i];
        // The record is zeroed: rows whose fallback is zero are right already.
        if (field->fallback != 0 || field->kind >= HOIST_REC_OWN || field->table) {
            hoist_rec_clear_field(own, field, record);
        }
    }
}
