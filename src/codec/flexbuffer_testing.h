// codec/flexbuffer_testing.h - numbers and truths of the narrowest width, for buffers that tests
// make; what the library writes are copies of cells (flexbuffer_copy.c).
#ifndef HOIST_SRC_CODEC_FLEXBUFFER_TESTING_H
#define HOIST_SRC_CODEC_FLEXBUFFER_TESTING_H

#include <string.h>

#include "codec/flexbuffer_writer.h"

static inline void hoist_flex_put_bool(hoist_flex_writer *w, bool truth)
{
    hoist_flex_put_cell(w, (hoist_flex_cell){.type = HOIST_FLEX_BOOL, .raw = truth});
}

static inline void hoist_flex_put_int(hoist_flex_writer *w, int64_t number)
{
    hoist_flex_put_cell(
        w, (hoist_flex_cell){HOIST_FLEX_INT, hoist_flex_bits_of_int(number), (uint64_t)number});
}

static inline void hoist_flex_put_uint(hoist_flex_writer *w, uint64_t number)
{
    hoist_flex_put_cell(
        w, (hoist_flex_cell){HOIST_FLEX_UINT, hoist_flex_bits_of_uint(number), number});
}

static inline void hoist_flex_put_float(hoist_flex_writer *w, double number)
{
    hoist_flex_cell cell = {HOIST_FLEX_FLOAT, hoist_flex_bits_of_float(number), 0};
    memcpy(&cell.raw, &number, sizeof(number));
    hoist_flex_put_cell(w, cell);
}

#endif // HOIST_SRC_CODEC_FLEXBUFFER_TESTING_H
