// Writes values that flexbuffer.c has read with flexbuffer_writer.c. Widths are chosen anew;
// values are equal, bytes need not be.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/order.h"
#include "codec/flexbuffer_writer.h"

typedef struct flex_copy {
    hoist_flex_writer *w;
    unsigned depth;
} flex_copy;

static hoist_status copy_value(flex_copy *c, const hoist_flex_value *v, uint8_t least_bits);

// 1, 2, 4, 8 give 0, 1, 2, 3.
static uint8_t bits_of_width(uint8_t width)
{
    return width == 8 ? 3 : width / 2;
}

// Numbers keep the width of a typed vector and their own where they lie by themselves; elsewhere
// they are as narrow as they can be.
static void copy_number(flex_copy *c, const hoist_flex_value *v, uint8_t least_bits)
{
    hoist_flex_cell cell = {.type = (uint8_t)v->type};
    int64_t integer = 0;
    double number = 0;
    if (v->kind == HOIST_FLEX_INT && hoist_flex_i64(v, &integer)) {
        cell.raw = (uint64_t)integer;
        cell.bits = hoist_flex_bits_of_int(integer);
    } else if (hoist_flex_f64(v, &number)) {
        memcpy(&cell.raw, &number, sizeof(number));
        cell.bits = hoist_flex_bits_of_float(number);
    } else if (hoist_flex_u64(v, &cell.raw)) {
        cell.bits = hoist_flex_bits_of_uint(cell.raw);
    }
    // Types differ from kinds where the number is indirect: its width is a choice of the
    // writer.
    const uint8_t own = v->type == v->kind ? least_bits : bits_of_width(v->width);
    cell.bits = own > cell.bits ? own : cell.bits;
    hoist_flex_put_cell(c->w, cell);
}

static void copy_leaf(flex_copy *c, const hoist_flex_value *v, uint8_t least_bits)
{
    bool truth = false;
    if (v->kind == HOIST_FLEX_STRING) {
        hoist_flex_put_string(c->w, hoist_flex_bytes(v));
    } else if (v->kind == HOIST_FLEX_BLOB) {
        hoist_flex_put_blob(c->w, hoist_flex_bytes(v));
    } else if (v->kind == HOIST_FLEX_KEY) {
        hoist_flex_put_key(c->w, hoist_flex_text(v));
    } else if (hoist_flex_bool(v, &truth)) {
        hoist_flex_put_cell(c->w, (hoist_flex_cell){HOIST_FLEX_BOOL, least_bits, truth});
    } else if (v->kind == HOIST_FLEX_NULL) {
        hoist_flex_put_null(c->w);
    } else {
        copy_number(c, v, least_bits);
    }
}

// Items of a typed vector have no type of their own, so their common width has to be kept.
static hoist_status copy_items(flex_copy *c, const hoist_flex_value *v)
{
    const bool typed = v->type != HOIST_FLEX_VECTOR;
    for (uint64_t i = 0; i < v->count; i++) {
        hoist_flex_value item;
        HOIST_TRY(hoist_flex_at(v, i, &item));
        HOIST_TRY(copy_value(c, &item, typed ? bits_of_width(v->width) : 0));
    }
    return HOIST_OK;
}

// A member while they are put in the order of the buffer.
typedef struct flex_entry {
    hoist_flex_value key;
    uint64_t index;
} flex_entry;

// The public builder writes keys when members are added, in that order, and sorts the map only
// at the end: places of keys are the order in which it was called.
static int by_place(const void *a, const void *b)
{
    const flex_entry *const x = a;
    const flex_entry *const y = b;
    const int order = hoist_order_u64(x->key.at, y->key.at);
    return order ? order : hoist_order_u64(x->index, y->index);
}

static hoist_status copy_entries(flex_copy *c, const hoist_flex_value *map, flex_entry *entries)
{
    for (uint64_t i = 0; i < map->count; i++) {
        entries[i].index = i;
        HOIST_TRY(hoist_flex_key_at(map, i, &entries[i].key));
    }
    if (map->count > 1) {
        qsort(entries, (size_t)map->count, sizeof(*entries), by_place);
    }
    for (uint64_t i = 0; i < map->count; i++) {
        hoist_flex_value value;
        HOIST_TRY(hoist_flex_at(map, entries[i].index, &value));
        hoist_flex_put_key(c->w, hoist_flex_text(&entries[i].key));
        HOIST_TRY(copy_value(c, &value, 0));
    }
    return HOIST_OK;
}

static hoist_status copy_members(flex_copy *c, const hoist_flex_value *map)
{
    const hoist_allocator alloc = c->w->out->alloc;
    const size_t count = (size_t)map->count;
    flex_entry *const entries = hoist_alloc_zero(alloc, count, sizeof(*entries));
    if (count > 0 && !entries) {
        return HOIST_NO_MEMORY;
    }
    const hoist_status status = copy_entries(c, map, entries);
    hoist_free(alloc, entries, count * sizeof(*entries));
    return status;
}

static hoist_status copy_value(flex_copy *c, const hoist_flex_value *v, uint8_t least_bits)
{
    if (v->kind != HOIST_FLEX_VECTOR && v->kind != HOIST_FLEX_MAP) {
        copy_leaf(c, v, least_bits);
        return HOIST_OK;
    }
    // The caller has checked the buffer; the limit protects one who has not.
    if (c->depth == HOIST_FLEX_MAX_DEPTH) {
        return HOIST_LIMIT;
    }
    c->depth++;
    const size_t mark = hoist_flex_open(c->w);
    HOIST_TRY(v->kind == HOIST_FLEX_MAP ? copy_members(c, v) : copy_items(c, v));
    // Strings in a typed vector are read as keys, so that is what they are written as.
    const bool strings = v->type == HOIST_FLEX_VECTOR_STRING;
    // Fixed vectors (of 2, 3, 4 items) keep their type, too.
    hoist_flex_close(c->w, mark, strings ? HOIST_FLEX_VECTOR_KEY : v->type);
    c->depth--;
    return HOIST_OK;
}

void hoist_flex_put_value(hoist_flex_writer *w, const hoist_flex_value *value)
{
    flex_copy c = {.w = w};
    const hoist_status status = copy_value(&c, value, 0);
    if (w->status == HOIST_OK) {
        w->status = status;
    }
}
