// Writing FlexBuffers. A value whose bytes are separate is written at once; its slot is
// written with the vector that it is an item of, which is as wide as the widest of its length and
// its items. How wide an offset is depends on where its slot will be, and so on that width; the
// narrowest that fits is taken for each item by itself, as the public builder does.
#include "codec/flexbuffer_writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/reader.h"
#include "base/span.h"

void hoist_flex_writer_init(hoist_flex_writer *w, hoist_buffer *out)
{
    *w = (hoist_flex_writer){.out = out, .start = out->size};
    hoist_map_init(&w->keys, out->alloc);
}

// Numbers ----------------------------------------------------------------------------------------

uint8_t hoist_flex_bits_of_uint(uint64_t number)
{
    return number <= UINT8_MAX ? 0 : number <= UINT16_MAX ? 1 : number <= UINT32_MAX ? 2 : 3;
}

// The sign needs a bit: -128 to 127 in one byte. Doubling drops it and makes one rule of both.
uint8_t hoist_flex_bits_of_int(int64_t number)
{
    const uint64_t twice = (uint64_t)number << 1;
    return hoist_flex_bits_of_uint(number < 0 ? ~twice : twice);
}

uint8_t hoist_flex_bits_of_float(double number)
{
    // float32 where it loses nothing; NaN compares unequal to everything and is kept narrow.
    return number != number || (double)(float)number == number ? 2 : 3;
}

// The bits of a number in `width` bytes.
// Integers are cut by add_number(), which writes the low bytes.
static uint64_t narrowed(const hoist_flex_cell *cell, size_t width)
{
    const bool is_float = cell->type == HOIST_FLEX_FLOAT || cell->type == HOIST_FLEX_INDIRECT_FLOAT;
    if (!is_float || width == 8) {
        return cell->raw;
    }
    double number = 0;
    memcpy(&number, &cell->raw, sizeof(number));
    const float half = (float)number;
    uint32_t raw = 0;
    memcpy(&raw, &half, sizeof(raw));
    return raw;
}

// Bytes ------------------------------------------------------------------------------------------

static size_t here(const hoist_flex_writer *w)
{
    return w->out->size - w->start;
}

// Bytes up to the next multiple of a power of two: the two's complement of `at`, masked.
static size_t padding(size_t at, size_t width)
{
    return (~at + 1) & (width - 1);
}

static void align(hoist_flex_writer *w, size_t width)
{
    hoist_buffer_fill(w->out, 0, padding(here(w), width));
}

static void add_number(hoist_flex_writer *w, uint64_t number, size_t width)
{
    uint8_t bytes[8];
    hoist_store_u64le(bytes, number);
    hoist_buffer_add(w->out, (hoist_bytes){bytes, width});
}

// After a failure nothing is pushed: finish() reports the first one.
static void push(hoist_flex_writer *w, hoist_flex_cell cell)
{
    void *cells = w->cells;
    if (w->status != HOIST_OK) {
        return;
    }
    if (!hoist_grow(w->out->alloc, &cells, &w->capacity, w->count + 1, sizeof(cell))) {
        w->status = HOIST_NO_MEMORY;
        return;
    }
    w->cells = cells;
    w->cells[w->count++] = cell;
}

// Scalars and bytes ------------------------------------------------------------------------------

void hoist_flex_put_null(hoist_flex_writer *w)
{
    push(w, (hoist_flex_cell){.type = HOIST_FLEX_NULL});
}

static void put_bytes(hoist_flex_writer *w, hoist_bytes bytes, uint8_t type)
{
    const uint8_t bits = hoist_flex_bits_of_uint(bytes.size);
    align(w, (size_t)1 << bits);
    add_number(w, bytes.size, (size_t)1 << bits);
    // raw: where the bytes begin, behind the length.
    push(w, (hoist_flex_cell){type, bits, here(w)});
    hoist_buffer_add(w->out, bytes);
    if (type == HOIST_FLEX_STRING) {
        hoist_buffer_char(w->out, 0);
    }
}

void hoist_flex_put_string(hoist_flex_writer *w, hoist_bytes bytes)
{
    put_bytes(w, bytes, HOIST_FLEX_STRING);
}

void hoist_flex_put_blob(hoist_flex_writer *w, hoist_bytes bytes)
{
    put_bytes(w, bytes, HOIST_FLEX_BLOB);
}

// Equal keys are written once: maps of one layout share them.
void hoist_flex_put_key(hoist_flex_writer *w, hoist_str key)
{
    const size_t at = here(w);
    size_t before = 0;
    const hoist_status status = hoist_map_add(&w->keys, key, at, &before);
    if (status == HOIST_NO_MEMORY) {
        w->status = HOIST_NO_MEMORY;
    } else if (status == HOIST_OK) {
        hoist_buffer_str(w->out, key);
        hoist_buffer_char(w->out, 0);
    }
    push(w, (hoist_flex_cell){HOIST_FLEX_KEY, 0, status == HOIST_BUSY ? before : at});
}

static bool is_inline(const hoist_flex_cell *cell)
{
    return cell->type <= HOIST_FLEX_FLOAT || cell->type == HOIST_FLEX_BOOL;
}

void hoist_flex_put_cell(hoist_flex_writer *w, hoist_flex_cell cell)
{
    if (is_inline(&cell)) {
        push(w, cell);
        return;
    }
    const size_t width = (size_t)1 << cell.bits;
    align(w, width);
    const size_t at = here(w);
    add_number(w, narrowed(&cell, width), width);
    cell.raw = at;
    push(w, cell);
}

// Vectors ----------------------------------------------------------------------------------------

// log2 of the narrowest slot that holds the cell as the item at `index` of what is written next.
// The width of an offset depends on the slot's place, and that on the width: tried from the
// narrowest on. Eight bytes hold any distance.
static uint8_t slot_bits(const hoist_flex_writer *w, const hoist_flex_cell *cell, size_t index)
{
    HOIST_ASSERT(cell->bits <= 3);
    if (is_inline(cell)) {
        return cell->bits;
    }
    uint8_t bits = 0;
    for (; bits < 3; bits++) {
        const size_t width = (size_t)1 << bits;
        const size_t slot = here(w) + padding(here(w), width) + index * width;
        if (hoist_flex_bits_of_uint(slot - cell->raw) <= bits) {
            break;
        }
    }
    return bits;
}

static void add_slot(hoist_flex_writer *w, const hoist_flex_cell *cell, size_t width)
{
    add_number(w, is_inline(cell) ? narrowed(cell, width) : here(w) - cell->raw, width);
}

// An inline number is as wide as its slot; others keep the width of what their offset leads to.
static uint8_t packed(const hoist_flex_cell *cell, uint8_t slot)
{
    const uint8_t bits = is_inline(cell) && slot > cell->bits ? slot : cell->bits;
    return (uint8_t)(cell->type << 2 | bits);
}

// Every `step`-th of the last cells, `count` of them from `first` on, become a vector.
typedef struct flex_run {
    size_t first;
    size_t step;
    size_t count;
    hoist_flex_type type;
    const hoist_flex_cell *keys; // MAP
} flex_run;

static bool is_fixed(hoist_flex_type type)
{
    return type >= HOIST_FLEX_VECTOR_INT2 && type <= HOIST_FLEX_VECTOR_FLOAT4;
}

static hoist_flex_cell add_run(hoist_flex_writer *w, const flex_run *run)
{
    const size_t before = run->keys ? 3 : 1; // keys, their width, and the length
    uint8_t bits = hoist_flex_bits_of_uint(run->count);
    if (run->keys) {
        const uint8_t keys = slot_bits(w, run->keys, 0);
        bits = keys > bits ? keys : bits;
    }
    for (size_t i = 0; i < run->count; i++) {
        const uint8_t item = slot_bits(w, &w->cells[run->first + i * run->step], i + before);
        bits = item > bits ? item : bits;
    }
    // As wide as the widest of count and items.
    const size_t width = (size_t)1 << bits;
    HOIST_ASSERT(bits <= 3 &&
                 (run->count == 0 || run->first + (run->count - 1) * run->step < w->count));
    align(w, width);
    if (run->keys) {
        add_slot(w, run->keys, width);
        add_number(w, (uint64_t)1 << run->keys->bits, width);
    }
    if (!is_fixed(run->type)) {
        add_number(w, run->count, width);
    }
    const size_t at = here(w);
    for (size_t i = 0; i < run->count; i++) {
        add_slot(w, &w->cells[run->first + i * run->step], width);
    }
    const bool mixed = run->type == HOIST_FLEX_VECTOR || run->type == HOIST_FLEX_MAP;
    // One byte for each item, behind all of them.
    for (size_t i = 0; mixed && i < run->count; i++) {
        const uint8_t type = packed(&w->cells[run->first + i * run->step], bits);
        hoist_buffer_char(w->out, (char)type);
    }
    return (hoist_flex_cell){(uint8_t)run->type, bits, at};
}

size_t hoist_flex_open(const hoist_flex_writer *w)
{
    return w->count;
}

// A member while they are sorted.
typedef struct flex_member {
    hoist_str name; // in `out`
    hoist_flex_cell key;
    hoist_flex_cell value;
} flex_member;

static int by_name(const void *a, const void *b)
{
    const flex_member *const x = a;
    const flex_member *const y = b;
    return hoist_str_compare(x->name, y->name);
}

// Puts the members, which are pairs of cells from `mark` on, in the order of their keys.
// By the bytes of keys, as readers search them.
static void sort_members(hoist_flex_writer *w, size_t mark, size_t count)
{
    flex_member *const members = hoist_alloc_zero(w->out->alloc, count, sizeof(*members));
    if (count > 0 && !members) {
        w->status = HOIST_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const hoist_flex_cell *const pair = &w->cells[mark + 2 * i];
        HOIST_ASSERT(pair->type == HOIST_FLEX_KEY && w->start + pair->raw < w->out->size);
        const char *const name = (const char *)w->out->data + w->start + pair[0].raw;
        members[i] = (flex_member){hoist_str_from(name), pair[0], pair[1]};
    }
    if (count > 1) {
        qsort(members, count, sizeof(*members), by_name);
    }
    for (size_t i = 0; i < count; i++) {
        w->cells[mark + 2 * i] = members[i].key;
        w->cells[mark + 2 * i + 1] = members[i].value;
    }
    hoist_free(w->out->alloc, members, count * sizeof(*members));
}

static hoist_flex_cell add_map(hoist_flex_writer *w, size_t mark)
{
    const size_t count = (w->count - mark) / 2;
    HOIST_ASSERT((w->count - mark) % 2 == 0);
    sort_members(w, mark, count);
    const flex_run keys = {.first = mark, .step = 2, .count = count, .type = HOIST_FLEX_VECTOR_KEY};
    const hoist_flex_cell names = add_run(w, &keys);
    // Keys and values alternate on the stack: two runs with a step of 2.
    const flex_run values = {
        .first = mark + 1, .step = 2, .count = count, .type = HOIST_FLEX_MAP, .keys = &names};
    return add_run(w, &values);
}

static bool goes_on(hoist_flex_writer *w)
{
    if (w->out->failed && w->status == HOIST_OK) {
        w->status = HOIST_NO_MEMORY;
    }
    return w->status == HOIST_OK;
}

void hoist_flex_close(hoist_flex_writer *w, size_t mark, hoist_flex_type type)
{
    if (!goes_on(w)) {
        return;
    }
    HOIST_ASSERT(mark <= w->count);
    const flex_run run = {.first = mark, .step = 1, .count = w->count - mark, .type = type};
    const hoist_flex_cell cell = type == HOIST_FLEX_MAP ? add_map(w, mark) : add_run(w, &run);
    // The items are replaced by one cell: the vector.
    w->count = mark;
    push(w, cell);
}

hoist_status hoist_flex_finish(hoist_flex_writer *w)
{
    if (goes_on(w)) {
        HOIST_ASSERT(w->count == 1);
        const hoist_flex_cell *const root = w->cells;
        // The root is a vector of one slot without a length, with its packed type and width
        // behind it.
        const uint8_t bits = slot_bits(w, root, 0);
        align(w, (size_t)1 << bits);
        add_slot(w, root, (size_t)1 << bits);
        hoist_buffer_char(w->out, (char)packed(root, bits));
        hoist_buffer_char(w->out, (char)(1 << bits));
    }
    const hoist_status status = goes_on(w) ? HOIST_OK : w->status;
    hoist_free(w->out->alloc, w->cells, w->capacity * sizeof(*w->cells));
    hoist_map_deinit(&w->keys);
    *w = (hoist_flex_writer){.status = status};
    return status;
}
