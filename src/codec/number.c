// Decimal text and doubles, independent of the locale. Reading takes Clinger's fast path where it
// is exact and the C library's strtod() with a cleaned text for all others; writing finds the
// fewest of 15 to 17 digits that read back.
#include "codec/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum {
    // Between two doubles lies a decimal of at most 767 significant digits, so whatever follows
    // the 800th can only matter by being zero or not.
    MAX_DIGITS = 800,
    // Beyond these a double is infinite or zero, also with MAX_DIGITS digits before the exponent.
    MAX_EXPONENT = 2000,
    FAST_DIGITS = 15, // every integer of so many digits is a double
    FAST_POWER = 22,  // 10^22 is the largest power of ten that is a double
};

void hoist_number_write(hoist_buffer *out, double value, int digits)
{
    HOIST_ASSERT(isfinite(value) && digits >= 0 && digits <= 17);
    char text[64];
    const int first = digits ? digits : 15;
    const int last = digits ? digits : 17;
    // 15 digits always survive decimal-double-decimal, 17 always double-decimal-double.
    for (int precision = first; precision <= last; precision++) {
        const int size = snprintf(text, sizeof(text), "%.*g", precision, value);
        HOIST_ASSERT(size > 0 && (size_t)size < sizeof(text));
        (void)size;
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    // Both printf and strtod follow the locale; its decimal mark (one or more bytes) becomes '.'.
    bool mark = false;
    for (const char *c = text; *c; c++) {
        const bool plain = strchr("0123456789+-e", *c) != NULL;
        if (plain || !mark) {
            hoist_buffer_char(out, plain ? *c : '.');
        }
        mark = !plain;
    }
}

// A decimal taken apart: digits * 10^exponent.
typedef struct decimal {
    char digits[MAX_DIGITS + 1];
    size_t count;    // significant digits kept
    int64_t dropped; // significant integer digits not kept
    bool sticky;     // a digit not kept was not zero
    int64_t exponent;
    bool negative;
} decimal;

// Leading zeros are no significant digits, but behind the point they move it.
static void add_digit(decimal *d, char digit, bool fraction)
{
    if (d->count == 0 && digit == '0') {
        d->exponent -= fraction;
    } else if (d->count < MAX_DIGITS) {
        d->digits[d->count++] = digit;
        d->exponent -= fraction;
    } else {
        d->sticky = d->sticky || digit != '0';
        d->dropped += !fraction;
    }
}

// Stops growing at 2^31: no double has such an exponent, and the sum with the point's cannot
// overflow.
static int64_t read_exponent(hoist_str text, size_t at)
{
    const bool negative = at < text.size && text.data[at] == '-';
    int64_t value = 0;
    for (; at < text.size; at++) {
        if (text.data[at] >= '0' && text.data[at] <= '9' && value < INT32_MAX) {
            value = value * 10 + (text.data[at] - '0');
        }
    }
    return negative ? -value : value;
}

static void take_apart(hoist_str text, decimal *d)
{
    bool fraction = false;
    *d = (decimal){.negative = text.size && text.data[0] == '-'};
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        if (c >= '0' && c <= '9') {
            add_digit(d, c, fraction);
        } else if (c == '.') {
            fraction = true;
        } else if (c == 'e' || c == 'E') {
            d->exponent += read_exponent(text, i + 1);
            break;
        }
    }
    d->exponent += d->dropped;
}

// Clinger's fast path: an exact integer times or over an exact power of ten rounds once.
static bool read_fast(const decimal *d, double *out_value)
{
    static const double powers[FAST_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (d->count > FAST_DIGITS || d->exponent < -FAST_POWER || d->exponent > FAST_POWER) {
        return false;
    }
    double value = 0;
    for (size_t i = 0; i < d->count; i++) {
        value = value * 10 + (d->digits[i] - '0');
    }
    value = d->exponent < 0 ? value / powers[-d->exponent] : value * powers[d->exponent];
    *out_value = d->negative ? -value : value;
    return true;
}

double hoist_number_read(hoist_str text)
{
    decimal d;
    take_apart(text, &d);
    double value = 0;
    if (read_fast(&d, &value)) {
        return value;
    }
    if (d.count == 0) {
        return d.negative ? -0.0 : 0.0;
    }
    // A last digit that is not zero stands for all that were dropped: it only has to break a
    // tie.
    if (d.sticky) {
        d.digits[d.count - 1] = d.digits[d.count - 1] == '0' ? '1' : d.digits[d.count - 1];
    }
    // Clamped for %d; far beyond these the result is 0 or infinity anyway.
    int64_t exponent = d.exponent;
    exponent = exponent > MAX_EXPONENT ? MAX_EXPONENT : exponent;
    exponent = exponent < -MAX_EXPONENT ? -MAX_EXPONENT : exponent;
    // Without a decimal mark the text means the same in every locale.
    char plain[MAX_DIGITS + 32];
    (void)snprintf(plain, sizeof(plain), "%s%.*se%d", d.negative ? "-" : "", (int)d.count, d.digits,
                   (int)exponent);
    return strtod(plain, NULL);
}
