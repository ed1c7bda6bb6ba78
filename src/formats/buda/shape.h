// formats/buda/shape.h - shapes of one entry in tiles, and what tensor manipulations make of them.
//
// Facts: buda-netlist reference sections 1.7 and 4.1.
#ifndef HOIST_SRC_FORMATS_BUDA_SHAPE_H
#define HOIST_SRC_FORMATS_BUDA_SHAPE_H

#include "formats/buda/op_view.h"

// z slices of r x c tiles. All are 1 or more in a known shape; in a expected shape 0 means "any".
typedef struct buda_shape {
    int64_t z;
    int64_t r;
    int64_t c;
} buda_shape;

typedef enum buda_tm_result {
    BUDA_TM_OK = 0,
    BUDA_TM_BAD_FACTOR,    // below 1, or a pad below 0
    BUDA_TM_NOT_DIVISIBLE, // a slice or stack that does not divide its axis
    BUDA_TM_TOO_BIG,       // the result does not fit
} buda_tm_result;

// The shape of grid x t x mblock x ublock; false when a part is missing, below 1 or too big.
bool buda_shape_of_block(buda_pair grid, buda_int t, buda_pair mblock, buda_pair ublock,
                         buda_shape *out_shape);
bool buda_shape_of_op(const buda_op *op, buda_shape *out_shape);
bool buda_shape_of_queue(const buda_queue *queue, buda_shape *out_shape);

// Applies one TM; on failure `*shape` is as before. An unknown TM changes nothing.
buda_tm_result buda_shape_apply(buda_shape *shape, const buda_tm *tm);
// Applies all of `tms` (may be NULL); false at the first that does not apply.
bool buda_shape_apply_all(buda_shape *shape, const buda_tms *tms);
// The axis that a slice or stack divides: its name and its size in `shape`; NULL for other TMs.
const char *buda_tm_divides(const buda_tm *tm, const buda_shape *shape, int64_t *out_size);

// The shape that the source of input `i` has. False when the source or its shape is unknown.
bool buda_input_source_shape(const buda_op_view *view, size_t i, buda_shape *out_shape);
// The shape of input `i` where the op reads it: after unpad, TMs and pad. False when the source is
// unknown or one of them cannot be applied.
bool buda_input_shape(const buda_op_view *view, size_t i, buda_shape *out_shape);
// True when `shape` agrees with `expected` on every axis that is not 0 there.
bool buda_shape_fits(const buda_shape *shape, const buda_shape *expected);
// a*b of numbers of 0 or more; 0 ("any") when one of them is not positive or it does not fit.
int64_t buda_shape_product(int64_t a, int64_t b);

#endif // HOIST_SRC_FORMATS_BUDA_SHAPE_H
