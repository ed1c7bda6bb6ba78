// kernels/float_rows.h - float32 numbers of views by row and column, for rows whose operands are
// lists: no loop is made for speed here.
#ifndef HOIST_SRC_KERNELS_FLOAT_ROWS_H
#define HOIST_SRC_KERNELS_FLOAT_ROWS_H

#include "base/reader.h"
#include "tensor/float_bits.h"
#include "tensor/view.h"

// The first byte of an element, by its first two indices.
static inline uint8_t *hoist_row_element(const hoist_view *view, int64_t row, int64_t column)
{
    return view->memory.data + view->offset + row * view->stride[0] + column * view->stride[1];
}

// Stored numbers are little-endian, at any address.
static inline float hoist_float_load(const uint8_t *bytes)
{
    return hoist_f32_from_bits(hoist_load_u32le(bytes));
}

static inline void hoist_float_store(uint8_t *bytes, float number)
{
    hoist_store_u32le(bytes, hoist_f32_to_bits(number));
}

static inline float hoist_row_float(const hoist_view *view, int64_t row, int64_t column)
{
    return hoist_float_load(hoist_row_element(view, row, column));
}

static inline void hoist_row_store(const hoist_view *view, int64_t row, int64_t column,
                                   float number)
{
    hoist_float_store(hoist_row_element(view, row, column), number);
}

#endif // HOIST_SRC_KERNELS_FLOAT_ROWS_H
