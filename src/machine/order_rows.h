// machine/order_rows.h - many rows of numbers, one for each process, of which most are 0 or the
// same as in another row.
//
// A row is a tree of 16 by 16; rows share the parts in which they agree. So a row that comes of
// another by a few changes takes a few nodes, however many processes there are. A join looks at
// what differs: the parts in which one of the rows has all the greater numbers it has from that
// one, and parts that turn out to be equal are shared from then on.
#ifndef HOIST_SRC_MACHINE_ORDER_ROWS_H
#define HOIST_SRC_MACHINE_ORDER_ROWS_H

#include "hoist/base.h"

enum { HOIST_ROW_WIDTH = 16 };

typedef uint32_t hoist_row; // a node

#define HOIST_ROW_ZERO 0u // all numbers 0
#define HOIST_ROW_FULL 1u // all UINT32_MAX

typedef struct hoist_rows {
    hoist_allocator alloc;
    uint32_t *slots; // owned: `width` for each node: numbers in the lowest level, else nodes; of
                     // the first two nodes nothing is read
    size_t count;    // nodes
    size_t capacity;
    size_t settled; // nodes before this one may belong to several rows
    uint32_t levels;
    uint32_t width;
    hoist_status status; // sticky; after a failure rows have any numbers
} hoist_rows;

// For numbers 0 to below `width`.
void hoist_rows_init(hoist_rows *rows, hoist_allocator alloc, uint32_t width);
void hoist_rows_deinit(hoist_rows *rows);

uint32_t hoist_row_get(const hoist_rows *rows, hoist_row row, uint32_t index);
bool hoist_row_equal(const hoist_rows *rows, hoist_row a, hoist_row b);

// One row is made at a time, from HOIST_ROW_ZERO: each of these gives the next state of it and
// takes the one before. hoist_row_keep() ends it; hoist_row_drop() forgets it.
hoist_row hoist_row_put(hoist_rows *rows, hoist_row row, uint32_t index, uint32_t number);
hoist_row hoist_row_join(hoist_rows *rows, hoist_row row, hoist_row other); // the greater ones
void hoist_row_keep(hoist_rows *rows);
void hoist_row_drop(hoist_rows *rows);

// The first index from `from` on whose number is not 0; UINT32_MAX: there is none.
uint32_t hoist_row_next(const hoist_rows *rows, hoist_row row, uint32_t from);

#endif // HOIST_SRC_MACHINE_ORDER_ROWS_H
