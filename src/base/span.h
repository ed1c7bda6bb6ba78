// base/span.h - small helpers over hoist_bytes and hoist_str.
#ifndef HOIST_SRC_BASE_SPAN_H
#define HOIST_SRC_BASE_SPAN_H

#include "hoist/base.h"

// Text of a string literal or array, without its NUL.
#define HOIST_STR(literal) ((hoist_str){"" literal, sizeof(literal) - 1})

// Arguments for "%.*s" in messages, which never need more of a name than this; a longer one ends in
// three dots.
#define HOIST_SHOWN_BYTES 512
#define HOIST_STR_ARGS(s)                                                                          \
    (int)((s).size > HOIST_SHOWN_BYTES ? HOIST_SHOWN_BYTES : (s).size),                            \
        hoist_str_shown((s), (char[HOIST_SHOWN_BYTES + 1]){0})

#define HOIST_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// Text of a NUL-terminated string; NULL gives the empty text.
hoist_str hoist_str_from(const char *text);

bool hoist_str_equal(hoist_str a, hoist_str b);
bool hoist_str_equal_c(hoist_str a, const char *b);
// ASCII letters compare without case; other bytes as they are.
bool hoist_str_equal_nocase(hoist_str a, hoist_str b);
bool hoist_str_starts_with(hoist_str s, const char *prefix);
bool hoist_str_ends_with(hoist_str s, const char *suffix);
// True when `needle` (not empty) occurs in `s`.
bool hoist_str_contains(hoist_str s, const char *needle);
// Like memcmp, a shorter text before a longer one with the same start.
int hoist_str_compare(hoist_str a, hoist_str b);
// The part [start, start+size), clamped to `s`.
hoist_str hoist_str_slice(hoist_str s, size_t start, size_t size);

// Bytes of `s` to keep when it may have `most`: all, or fewer, so that no UTF-8 character is cut.
size_t hoist_str_cut(hoist_str s, size_t most);
// The text of `s` for HOIST_STR_ARGS: its own bytes, or in `buffer` (of HOIST_SHOWN_BYTES + 1) the
// beginning of a long one, three dots and a NUL.
const char *hoist_str_shown(hoist_str s, char *buffer);

// `one` for a count of 1, else `many`: "%zu %s", n, hoist_plural(n, "entry", "entries").
const char *hoist_plural(uint64_t count, const char *one, const char *many);

// A 64-bit hash (FNV-1a with a final mix); not for hostile keys without a seed.
uint64_t hoist_str_hash(hoist_str s, uint64_t seed);

// SipHash-1-3 (Aumasson and Bernstein) under the key (k0, k1): without the key it is not known
// which texts will collide.
uint64_t hoist_str_siphash(hoist_str s, uint64_t k0, uint64_t k1);

// Number conversions of a whole text; false when it is not exactly such a number or out of range.
// Decimal with optional sign; "0x" hexadecimal; leading-0 octal when `yaml_octal`.
bool hoist_str_to_i64(hoist_str s, bool yaml_octal, int64_t *out_value);
// Decimal floating point as strtod in the "C" locale (a number too large gives infinity), plus
// ".inf", "-.inf", ".nan"; no hexadecimal; at most 512 bytes.
bool hoist_str_to_f64(hoist_str s, double *out_value);

#endif // HOIST_SRC_BASE_SPAN_H
