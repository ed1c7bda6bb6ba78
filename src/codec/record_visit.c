// Records as tree events, in the order of their rows; the opposite of record_read.c.
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "codec/record.h"

static const hoist_str no_key = {"", 0}; // in a list

// Events -----------------------------------------------------------------------------------------

// Without `positions` events have line 0: no place.
void hoist_rec_send_event(const hoist_rec_walk *walk, hoist_tree_event event, hoist_str key,
                          hoist_pos pos)
{
    event.key = key;
    event.pos = walk->positions ? pos : (hoist_pos){0, 0};
    hoist_tree_send(walk->sink, &event);
}

void hoist_rec_open(const hoist_rec_walk *walk, hoist_tree_kind kind, hoist_str key, hoist_pos pos,
                    bool one_line)
{
    hoist_rec_send_event(walk, (hoist_tree_event){.kind = kind, .inline_hint = one_line}, key, pos);
}

void hoist_rec_send_str(const hoist_rec_walk *walk, hoist_str key, hoist_str text, hoist_pos pos)
{
    hoist_rec_send_event(walk, (hoist_tree_event){.kind = HOIST_TREE_STR, .str = text}, key, pos);
}

void hoist_rec_send_int(const hoist_rec_walk *walk, hoist_str key, int64_t value, hoist_pos pos)
{
    hoist_rec_send_event(walk, (hoist_tree_event){.kind = HOIST_TREE_INT, .integer = value}, key,
                         pos);
}

void hoist_rec_send_float(const hoist_rec_walk *walk, hoist_str key, double value, hoist_pos pos)
{
    hoist_rec_send_event(walk, (hoist_tree_event){.kind = HOIST_TREE_FLOAT, .number = value}, key,
                         pos);
}

void hoist_rec_send_bool(const hoist_rec_walk *walk, hoist_str key, bool value, hoist_pos pos)
{
    hoist_rec_send_event(walk, (hoist_tree_event){.kind = HOIST_TREE_BOOL, .boolean = value}, key,
                         pos);
}

// Slots ------------------------------------------------------------------------------------------

// A bare slot, or an item of a bare list, as one with a place.
static void send_scalar(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                        const void *slot)
{
    hoist_pos pos = {0, 0};
    // -1 for a bare word, whose text is another slot: its name alone can be sent.
    hoist_rec_word word = {.value = -1};
    if (field->places) {
        memcpy(&pos, (const char *)slot + hoist_rec_place_at(NULL, field), sizeof(pos));
    }
    switch ((hoist_rec_kind)field->kind) {
    case HOIST_REC_INT:
        hoist_rec_send_int(walk, key, *(const int64_t *)slot, pos);
        break;
    case HOIST_REC_FLOAT:
        hoist_rec_send_float(walk, key, *(const double *)slot, pos);
        break;
    case HOIST_REC_BOOL:
        hoist_rec_send_bool(walk, key, *(const bool *)slot, pos);
        break;
    case HOIST_REC_STR:
        hoist_rec_send_str(walk, key, *(const hoist_str *)slot, pos);
        break;
    default: // WORD
        memcpy(&word, slot, field->places ? sizeof(word) : sizeof(int32_t));
        const char *const name = hoist_rec_word_name(field->words, word.value);
        hoist_rec_send_str(walk, key, name ? hoist_str_from(name) : word.text, pos);
        break;
    }
}

static void send_list(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                      const void *slot)
{
    hoist_rec_field item = *field;
    item.kind = field->kind == HOIST_REC_INTS   ? HOIST_REC_INT
                : field->kind == HOIST_REC_STRS ? HOIST_REC_STR
                                                : HOIST_REC_WORD;
    const size_t size = hoist_rec_slot_size(&item);
    hoist_rec_ints list = {.count = 0};
    memcpy(&list, slot, field->places ? sizeof(list) : sizeof(hoist_rec_list));
    const char *slots = (const char *)list.items;
    // A list that was written as a scalar goes out as one again.
    const bool alone = list.scalar && list.count == 1;
    if (!alone) {
        hoist_rec_open(walk, HOIST_TREE_LIST, key, list.pos, true);
    }
    for (size_t i = 0; i < list.count; i++) {
        send_scalar(walk, &item, alone ? key : no_key, slots);
        slots += size;
    }
    if (!alone) {
        hoist_tree_end(walk->sink);
    }
}

void hoist_rec_send_extra(const hoist_rec_walk *walk, const hoist_rec_extra *extra)
{
    const bool apart = extra && walk->extra_apart;
    if (apart) {
        hoist_tree_map(walk->sink, "extra");
    }
    for (; extra; extra = extra->next) {
        walk->tree(walk, &extra->node);
    }
    if (apart) {
        hoist_tree_end(walk->sink);
    }
}

static void send_table(const hoist_rec_walk *walk, const hoist_rec_table *table, hoist_str key,
                       const void *record)
{
    hoist_pos pos = {0, 0};
    if (table->place_at != HOIST_REC_NONE) {
        memcpy(&pos, (const char *)record + table->place_at, sizeof(pos));
    }
    hoist_rec_open(walk, HOIST_TREE_MAP, key, pos, table->one_line);
    hoist_rec_send_all(walk, table, record);
    hoist_tree_end(walk->sink);
}

// The name is the record's first member, whatever the form of its slot.
static void send_records(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                         const void *slot)
{
    hoist_rec_list list;
    memcpy(&list, slot, sizeof(list));
    const bool named = field->kind == HOIST_REC_NAMED;
    const char *record = list.items;
    hoist_rec_open(walk, named ? HOIST_TREE_MAP : HOIST_TREE_LIST, key, (hoist_pos){0, 0}, false);
    for (size_t i = 0; i < list.count; i++, record += field->table->size) {
        send_table(walk, field->table, named ? *(const hoist_str *)(const void *)record : no_key,
                   record);
    }
    hoist_tree_end(walk->sink);
}

void hoist_rec_send_value(const hoist_rec_walk *walk, const hoist_rec_field *field, hoist_str key,
                          const void *slot)
{
    switch ((hoist_rec_kind)field->kind) {
    case HOIST_REC_INT:
    case HOIST_REC_FLOAT:
    case HOIST_REC_BOOL:
    case HOIST_REC_STR:
    case HOIST_REC_WORD:
        send_scalar(walk, field, key, slot);
        return;
    case HOIST_REC_INTS:
    case HOIST_REC_STRS:
    case HOIST_REC_WORDS:
        send_list(walk, field, key, slot);
        return;
    case HOIST_REC_TABLE:
        send_table(walk, field->table, key, slot);
        return;
    case HOIST_REC_TABLES:
    case HOIST_REC_NAMED:
        send_records(walk, field, key, slot);
        return;
    // Formats send these themselves: a small word is bare, and ANY has no slot.
    case HOIST_REC_SMALL_WORD:
    case HOIST_REC_ANY:
        return;
    case HOIST_REC_OWN:
        break;
    }
    walk->senders[field->kind - HOIST_REC_OWN](walk, field, key, slot);
}

// Records ----------------------------------------------------------------------------------------

bool hoist_rec_has(const hoist_rec_own *own, const hoist_rec_table *table, unsigned row,
                   const void *record)
{
    const hoist_rec_field *const field = &table->fields[row];
    const char *const bytes = record;
    uint64_t present = 0;
    hoist_pos pos = {0, 0};
    if (field->places) {
        memcpy(&pos, bytes + field->at + hoist_rec_place_at(own, field), sizeof(pos));
        // Lines count from 1.
        return pos.line != 0;
    }
    memcpy(&present, bytes + table->present_at, sizeof(present));
    return present >> row & 1;
}

static void send_field(const hoist_rec_walk *walk, const hoist_rec_table *table, unsigned row,
                       hoist_str prefix, const void *record)
{
    const hoist_rec_field *const field = &table->fields[row];
    if (field->at == HOIST_REC_NONE || !hoist_rec_has(walk->own, table, row, record)) {
        return;
    }
    // Keys and prefixes are those of tables, not of files: they are short.
    char text[64];
    const int size = snprintf(text, sizeof(text), "%.*s%s", HOIST_STR_ARGS(prefix), field->key);
    hoist_rec_send_value(walk, field, (hoist_str){text, (size_t)size},
                         (const char *)record + field->at);
}

void hoist_rec_send(const hoist_rec_walk *walk, const hoist_rec_table *table, hoist_str prefix,
                    const void *record)
{
    for (unsigned i = 0; i < table->count; i++) {
        const uint8_t forms = table->fields[i].forms;
        if (!walk->forms || !forms || (walk->forms & forms)) {
            send_field(walk, table, i, prefix, record);
        }
    }
}

void hoist_rec_send_all(const hoist_rec_walk *walk, const hoist_rec_table *table,
                        const void *record)
{
    const char *const bytes = record;
    const hoist_rec_extra *extra = NULL;
    const hoist_rec_order *order = NULL;
    if (table->extra_at != HOIST_REC_NONE) {
        memcpy(&extra, bytes + table->extra_at, sizeof(extra));
    }
    if (table->order_at) {
        memcpy(&order, bytes + table->order_at - 1, sizeof(order));
    }
    if (!order) {
        hoist_rec_send(walk, table, no_key, record);
    }
    for (uint32_t i = 0; order && i < order->count; i++) {
        if (order->rows[i] != HOIST_REC_EXTRA_ROW) {
            send_field(walk, table, order->rows[i], no_key, record);
        } else if (extra && !walk->extra_apart) {
            // Unknown keys are kept in a list in the order of the file: the next mark is the next
            // of them.
            walk->tree(walk, &extra->node);
            extra = extra->next;
        }
    }
    hoist_rec_send_extra(walk, extra);
}
