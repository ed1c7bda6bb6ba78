// Slices of bytes and text: compare, cut, and convert decimal and hexadecimal text to numbers
// without locale.
#include "base/span.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/reader.h"

hoist_str hoist_str_from(const char *text)
{
    return (hoist_str){text, text ? strlen(text) : 0};
}

bool hoist_str_equal(hoist_str a, hoist_str b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

bool hoist_str_equal_c(hoist_str a, const char *b)
{
    return hoist_str_equal(a, hoist_str_from(b));
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool hoist_str_equal_nocase(hoist_str a, hoist_str b)
{
    if (a.size != b.size) {
        return false;
    }
    for (size_t i = 0; i < a.size; i++) {
        if (lower(a.data[i]) != lower(b.data[i])) {
            return false;
        }
    }
    return true;
}

bool hoist_str_starts_with(hoist_str s, const char *prefix)
{
    const hoist_str p = hoist_str_from(prefix);
    return s.size >= p.size && hoist_str_equal(hoist_str_slice(s, 0, p.size), p);
}

bool hoist_str_ends_with(hoist_str s, const char *suffix)
{
    const hoist_str p = hoist_str_from(suffix);
    return s.size >= p.size && hoist_str_equal(hoist_str_slice(s, s.size - p.size, p.size), p);
}

bool hoist_str_contains(hoist_str s, const char *needle)
{
    const hoist_str n = hoist_str_from(needle);
    return s.size >= n.size && memmem(s.data, s.size, n.data, n.size) != NULL;
}

int hoist_str_compare(hoist_str a, hoist_str b)
{
    const size_t common = a.size < b.size ? a.size : b.size;
    const int order = common ? memcmp(a.data, b.data, common) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

hoist_str hoist_str_slice(hoist_str s, size_t start, size_t size)
{
    if (start >= s.size) {
        return (hoist_str){s.data ? s.data + s.size : NULL, 0};
    }
    const size_t left = s.size - start;
    return (hoist_str){s.data + start, size < left ? size : left};
}

size_t hoist_str_cut(hoist_str s, size_t most)
{
    if (s.size <= most) {
        return s.size;
    }
    size_t end = most;
    while (end > 0 && most - end < 3 && ((uint8_t)s.data[end] & 0xc0) == 0x80) {
        end--;
    }
    return end;
}

const char *hoist_str_shown(hoist_str s, char *buffer)
{
    static const char dots[] = "...";
    if (s.size <= HOIST_SHOWN_BYTES) {
        return s.data ? s.data : "";
    }
    const size_t end = hoist_str_cut(s, HOIST_SHOWN_BYTES + 1 - sizeof(dots));
    memcpy(buffer, s.data, end);
    memcpy(buffer + end, dots, sizeof(dots));
    return buffer;
}

const char *hoist_plural(uint64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

uint64_t hoist_str_hash(hoist_str s, uint64_t seed)
{
    uint64_t hash = 0xcbf29ce484222325u ^ seed;
    for (size_t i = 0; i < s.size; i++) {
        hash = (hash ^ (uint8_t)s.data[i]) * 0x100000001b3u;
    }
    hash ^= hash >> 32;
    return hash * 0xd6e8feb86659fd93u ^ (hash >> 29);
}

static uint64_t rotate(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] = rotate(v[0], 32) + v[3];
    v[2] += v[1];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

// Fewer than eight bytes, the first one lowest.
static uint64_t sip_rest(const char *data, size_t size)
{
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++) {
        word |= (uint64_t)(uint8_t)data[i] << 8 * i;
    }
    return word;
}

uint64_t hoist_str_siphash(hoist_str s, uint64_t k0, uint64_t k1)
{
    // The constants are "somepseudorandomlygeneratedbytes" in the definition of SipHash.
    uint64_t v[4] = {k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u,
                     k1 ^ 0x7465646279746573u};
    const char *data = s.data ? s.data : "";
    const size_t whole = s.size - s.size % 8;
    for (size_t i = 0; i <= whole; i += 8) {
        const uint64_t word = i < whole ? hoist_load_u64le((const uint8_t *)data + i)
                                        : sip_rest(data + i, s.size % 8) | (uint64_t)s.size << 56;
        v[3] ^= word;
        sip_round(v);
        v[0] ^= word;
    }
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++) {
        sip_round(v);
    }
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

// Value of one digit in `base`, or -1.
static int digit_value(char c, int base)
{
    int v = -1;
    if (c >= '0' && c <= '9') {
        v = c - '0';
    } else if (lower(c) >= 'a' && lower(c) <= 'f') {
        v = lower(c) - 'a' + 10;
    }
    return v < base ? v : -1;
}

bool hoist_str_to_i64(hoist_str s, bool yaml_octal, int64_t *out_value)
{
    *out_value = 0;
    const bool negative = s.size && s.data[0] == '-';
    size_t i = s.size && (s.data[0] == '-' || s.data[0] == '+') ? 1 : 0;
    int base = 10;
    if (i + 2 < s.size && s.data[i] == '0' && lower(s.data[i + 1]) == 'x') {
        base = 16;
        i += 2;
    } else if (yaml_octal && i + 1 < s.size && s.data[i] == '0') {
        base = 8;
        i += 1;
    }
    if (i >= s.size) {
        return false;
    }
    int64_t value = 0;
    for (; i < s.size; i++) {
        const int digit = digit_value(s.data[i], base);
        if (digit < 0 || __builtin_mul_overflow(value, (int64_t)base, &value) ||
            __builtin_sub_overflow(value, (int64_t)digit, &value)) {
            return false;
        }
    }
    // Collected as a negative number, whose range is the larger one.
    if (!negative && value == INT64_MIN) {
        return false;
    }
    *out_value = negative ? value : -value;
    return true;
}

// Digits from `*at` on, appended to `text` of `*size` bytes; how many.
static size_t take_digits(hoist_str s, size_t *at, char *text, size_t *size)
{
    const size_t first = *at;
    for (; *at < s.size && s.data[*at] >= '0' && s.data[*at] <= '9'; (*at)++) {
        text[(*size)++] = s.data[*at];
    }
    return *at - first;
}

// The exponent "e-12" at `at`, 0 when there is none; false when it is not one or more follows it.
static bool take_exponent(hoist_str s, size_t at, int64_t *out_exponent)
{
    *out_exponent = 0;
    if (at == s.size) {
        return true;
    }
    hoist_str digits = hoist_str_slice(s, at + 1, s.size);
    if (lower(s.data[at]) != 'e') {
        return false;
    }
    // Beyond six digits only the sign matters: strtod knows zero and infinity by then.
    bool negative = false;
    if (digits.size && (digits.data[0] == '-' || digits.data[0] == '+')) {
        negative = digits.data[0] == '-';
        digits = hoist_str_slice(digits, 1, digits.size);
    }
    for (size_t i = 0; i < digits.size; i++) {
        const int digit = digit_value(digits.data[i], 10);
        if (digit < 0) {
            return false;
        }
        *out_exponent = *out_exponent < 100000 ? *out_exponent * 10 + digit : *out_exponent;
    }
    *out_exponent = negative ? -*out_exponent : *out_exponent;
    return digits.size > 0;
}

enum { MAX_FLOAT_TEXT = 512 };

bool hoist_str_to_f64(hoist_str s, double *out_value)
{
    *out_value = 0.0;
    if (hoist_str_equal_nocase(s, HOIST_STR(".nan"))) {
        *out_value = (double)NAN;
        return true;
    }
    if (hoist_str_equal_nocase(s, HOIST_STR(".inf")) ||
        hoist_str_equal_nocase(s, HOIST_STR("+.inf")) ||
        hoist_str_equal_nocase(s, HOIST_STR("-.inf"))) {
        *out_value = s.data[0] == '-' ? -(double)INFINITY : (double)INFINITY;
        return true;
    }
    // strtod takes more than decimals, and its decimal mark is the locale's: it gets "-1.25e3" as
    // "-125e1".
    char text[MAX_FLOAT_TEXT + 32];
    size_t size = 0;
    size_t at = 0;
    if (s.size == 0 || s.size > MAX_FLOAT_TEXT) {
        return false;
    }
    if (s.data[0] == '-' || s.data[0] == '+') {
        text[size++] = s.data[at++];
    }
    size_t digits = take_digits(s, &at, text, &size);
    size_t fraction = 0;
    if (at < s.size && s.data[at] == '.') {
        at++;
        fraction = take_digits(s, &at, text, &size);
        digits += fraction;
    }
    int64_t exponent = 0;
    if (digits == 0 || !take_exponent(s, at, &exponent)) {
        return false;
    }
    (void)snprintf(text + size, sizeof(text) - size, "e%" PRId64, exponent - (int64_t)fraction);
    *out_value = strtod(text, NULL);
    return true;
}
