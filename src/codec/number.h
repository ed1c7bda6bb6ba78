// codec/number.h - decimal text and doubles, independent of the process's locale.
#ifndef HOIST_SRC_CODEC_NUMBER_H
#define HOIST_SRC_CODEC_NUMBER_H

#include "base/buffer.h"

// Appends a finite `value` in decimal with `digits` significant digits (1 to 17, trailing zeros
// dropped), or with the fewest of 15, 16 and 17 that read back as the same double when `digits`
// is 0.
void hoist_number_write(hoist_buffer *out, double value, int digits);

// Reads decimal digits with an optional sign, fraction and exponent, correctly rounded whatever
// their number; too large gives infinity, too small zero. `text` must have that form already.
double hoist_number_read(hoist_str text);

#endif // HOIST_SRC_CODEC_NUMBER_H
