// Rows of numbers as trees that share their equal parts (persistent tries with 16 children; path
// copying, as in functional data structures). order_clock.c keeps its vector clocks in them: a
// clock that differs from another in few processes takes few nodes.
#include "machine/order_rows.h"

#include "base/alloc.h"

// FIXED_NODES: HOIST_ROW_ZERO and HOIST_ROW_FULL, which represent whole subtrees at every level.
enum { BITS = 4, MASK = HOIST_ROW_WIDTH - 1, FIXED_NODES = 2 };

void hoist_rows_init(hoist_rows *rows, hoist_allocator alloc, uint32_t width)
{
    *rows = (hoist_rows){.alloc = alloc,
                         .count = FIXED_NODES,
                         .settled = FIXED_NODES,
                         .levels = 1,
                         .width = width < HOIST_ROW_WIDTH ? width : HOIST_ROW_WIDTH};
    // As many levels as make 16^levels at least `width`.
    for (uint32_t rest = width > 0 ? (width - 1) >> BITS : 0; rest > 0; rest >>= BITS) {
        rows->levels++;
    }
}

void hoist_rows_deinit(hoist_rows *rows)
{
    hoist_free(rows->alloc, rows->slots, rows->capacity * rows->width * sizeof *rows->slots);
    *rows = (hoist_rows){.alloc = rows->alloc};
}

static uint32_t *slot_of_node(const hoist_rows *rows, hoist_row node, uint32_t i)
{
    return &rows->slots[(size_t)node * rows->width + i];
}

static uint32_t slot_of(uint32_t index, uint32_t level)
{
    return index >> (BITS * level) & MASK;
}

uint32_t hoist_row_get(const hoist_rows *rows, hoist_row row, uint32_t index)
{
    for (uint32_t level = rows->levels; level-- > 0 && row >= FIXED_NODES;) {
        const uint32_t next = *slot_of_node(rows, row, slot_of(index, level));
        if (level == 0) {
            return next;
        }
        row = next;
    }
    // A fixed node was met on the way down: all numbers below it are alike.
    return row == HOIST_ROW_FULL ? UINT32_MAX : 0;
}

// What slot `i` of a node is, which may be one of the fixed ones.
static uint32_t slot_at(const hoist_rows *rows, hoist_row node, uint32_t level, uint32_t i)
{
    if (node >= FIXED_NODES) {
        return *slot_of_node(rows, node, i);
    }
    return level == 0 && node == HOIST_ROW_FULL ? UINT32_MAX : node;
}

static bool is_equal(const hoist_rows *rows, hoist_row a, hoist_row b, uint32_t level)
{
    bool equal = true;
    // Shared nodes are equal without a look into them.
    for (uint32_t i = 0; a != b && i < rows->width && equal; i++) {
        const uint32_t x = slot_at(rows, a, level, i);
        const uint32_t y = slot_at(rows, b, level, i);
        equal = x == y || (level > 0 && is_equal(rows, x, y, level - 1));
    }
    return equal;
}

bool hoist_row_equal(const hoist_rows *rows, hoist_row a, hoist_row b)
{
    return is_equal(rows, a, b, rows->levels - 1);
}

// A node of the row in the making with the slots of `node`: that itself, when it is no other row's.
static hoist_row own(hoist_rows *rows, hoist_row node, uint32_t level)
{
    if (node >= rows->settled) {
        return node;
    }
    if (rows->count >= UINT32_MAX || // numbers of nodes are 32 bits
        !hoist_grow(rows->alloc, (void **)&rows->slots, &rows->capacity, rows->count + 1,
                    rows->width * sizeof *rows->slots)) {
        rows->status = rows->count >= UINT32_MAX ? HOIST_LIMIT : HOIST_NO_MEMORY;
        return HOIST_ROW_ZERO;
    }
    const hoist_row new = (hoist_row)rows->count++;
    for (uint32_t i = 0; i < rows->width; i++) {
        *slot_of_node(rows, new, i) = slot_at(rows, node, level, i);
    }
    return new;
}

static hoist_row put(hoist_rows *rows, hoist_row row, uint32_t level, uint32_t index,
                     uint32_t number)
{
    const hoist_row node = own(rows, row, level);
    if (node == HOIST_ROW_ZERO) {
        return node;
    }
    const uint32_t i = slot_of(index, level);
    const uint32_t next =
        level == 0 ? number : put(rows, *slot_of_node(rows, node, i), level - 1, index, number);
    // By its number again: put() may have moved the slots.
    *slot_of_node(rows, node, i) = next;
    return node;
}

hoist_row hoist_row_put(hoist_rows *rows, hoist_row row, uint32_t index, uint32_t number)
{
    // An equal number leaves the row as it is, with its nodes shared.
    return hoist_row_get(rows, row, index) == number
               ? row
               : put(rows, row, rows->levels - 1, index, number);
}

// To which of two rows a third one is equal.
enum { SAME_AS_ROW = 1, SAME_AS_OTHER = 2, SAME_AS_BOTH = 3 };

// Where two nodes are equal both get the older one as theirs, so that they are not compared again.
// An older node is never dropped before a newer one.
static void unite(hoist_rows *rows, hoist_row row, hoist_row other, uint32_t slot, hoist_row same)
{
    *slot_of_node(rows, row, slot) = same;
    *slot_of_node(rows, other, slot) = same;
}

// The greater numbers of both; `*out_same` says to which it is equal, whose nodes it then has.
static hoist_row join(hoist_rows *rows, hoist_row row, hoist_row other, uint32_t level,
                      unsigned *out_same)
{
    *out_same = row == other                                       ? SAME_AS_BOTH
                : other == HOIST_ROW_ZERO || row == HOIST_ROW_FULL ? SAME_AS_ROW
                                                                   : SAME_AS_OTHER;
    if (row < FIXED_NODES || other < FIXED_NODES || row == other) {
        return *out_same & SAME_AS_ROW ? row : other;
    }
    uint32_t joined[HOIST_ROW_WIDTH];
    const uint32_t width = rows->width;
    // Narrowed slot by slot to the rows that the join is equal to, if any.
    *out_same = SAME_AS_BOTH;
    for (uint32_t i = 0; i < width; i++) {
        const uint32_t x = *slot_of_node(rows, row, i);
        const uint32_t y = *slot_of_node(rows, other, i);
        unsigned same = (x >= y ? SAME_AS_ROW : 0U) | (y >= x ? SAME_AS_OTHER : 0U);
        joined[i] = level > 0 ? join(rows, x, y, level - 1, &same) : x > y ? x : y;
        if (same == SAME_AS_BOTH && x != y) {
            unite(rows, row, other, i, joined[i]);
        }
        *out_same &= same;
    }
    // No new node: the join is one of the two, of equal ones the older.
    if (*out_same != 0) {
        return *out_same == SAME_AS_BOTH  ? (row < other ? row : other)
               : *out_same == SAME_AS_ROW ? row
                                          : other;
    }
    const hoist_row node = own(rows, row, level);
    for (uint32_t i = 0; node != HOIST_ROW_ZERO && i < width; i++) {
        *slot_of_node(rows, node, i) = joined[i];
    }
    return node;
}

hoist_row hoist_row_join(hoist_rows *rows, hoist_row row, hoist_row other)
{
    unsigned same = 0;
    return join(rows, row, other, rows->levels - 1, &same);
}

// From here on the nodes of the row may be shared, so that own() copies them.
void hoist_row_keep(hoist_rows *rows)
{
    rows->settled = rows->count;
}

// Nodes are a stack: those of a row that was not kept are on top.
void hoist_row_drop(hoist_rows *rows)
{
    rows->count = rows->settled;
}

// The same within a node, counted from its first number.
static uint32_t next_in(const hoist_rows *rows, hoist_row row, uint32_t level, uint32_t from)
{
    if (row == HOIST_ROW_ZERO) {
        return UINT32_MAX;
    }
    for (uint32_t i = slot_of(from, level); i < rows->width; i++) {
        const uint32_t slot = slot_at(rows, row, level, i);
        const uint32_t begin = i << (BITS * level);
        // Only the first slot begins in its middle.
        const uint32_t rest = i == slot_of(from, level) ? from & ((1u << (BITS * level)) - 1) : 0;
        const uint32_t found = level > 0 ? next_in(rows, slot, level - 1, rest)
                               : slot    ? 0
                                         : UINT32_MAX;
        if (found != UINT32_MAX) {
            return begin + found;
        }
    }
    return UINT32_MAX;
}

uint32_t hoist_row_next(const hoist_rows *rows, hoist_row row, uint32_t from)
{
    // 8 levels cover all indices, and a shift by 32 would be undefined.
    const bool beyond = rows->levels < 8 && from >> (BITS * rows->levels) != 0;
    return beyond ? UINT32_MAX : next_in(rows, row, rows->levels - 1, from);
}
