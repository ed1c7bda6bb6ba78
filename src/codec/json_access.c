// Reading the tape that json.c built: kinds, children, strings, numbers, positions. Strings are
// decoded on demand.
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/span.h"
#include "base/utf8.h"
#include "codec/json_parser.h"
#include "codec/number.h"

static const hoist_json_token *token_at(const hoist_json *json, hoist_json_index at)
{
    HOIST_ASSERT(at < json->count);
    return &json->tokens[at];
}

void hoist_json_free(hoist_json *json)
{
    hoist_free(json->alloc, json->tokens, json->capacity * sizeof(json->tokens[0]));
    *json = (hoist_json){.alloc = json->alloc};
}

hoist_json_kind hoist_json_kind_of(const hoist_json *json, hoist_json_index at)
{
    return (hoist_json_kind)(token_at(json, at)->bits & JSON_KIND_MASK);
}

uint32_t hoist_json_size(const hoist_json *json, hoist_json_index at)
{
    return token_at(json, at)->bits >> JSON_COUNT_SHIFT;
}

// The tape is in the order of the text: children follow their parent directly.
hoist_json_index hoist_json_first(const hoist_json *json, hoist_json_index at)
{
    HOIST_ASSERT(hoist_json_size(json, at) > 0);
    (void)json;
    return at + 1;
}

hoist_json_index hoist_json_next(const hoist_json *json, hoist_json_index at)
{
    return token_at(json, at)->next;
}

hoist_str hoist_json_text(const hoist_json *json, hoist_json_index at)
{
    const hoist_json_token *t = token_at(json, at);
    HOIST_ASSERT(t->start <= json->text.size && t->size <= json->text.size - t->start);
    return (hoist_str){(const char *)json->text.data + t->start, t->size};
}

static hoist_str string_content(const hoist_json *json, hoist_json_index at)
{
    HOIST_ASSERT(hoist_json_kind_of(json, at) == HOIST_JSON_STRING);
    const hoist_str text = hoist_json_text(json, at);
    HOIST_ASSERT(text.size >= 2);
    return hoist_str_slice(text, 1, text.size - 2);
}

// -1: one of the four is no hexadecimal digit.
int json_hex4(const uint8_t *digits)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        const uint8_t c = digits[i];
        const uint8_t letter = c | 0x20;
        if (c >= '0' && c <= '9') {
            value = value * 16 + (c - '0');
        } else if (letter >= 'a' && letter <= 'f') {
            value = value * 16 + (letter - 'a' + 10);
        } else {
            return -1;
        }
    }
    return value;
}

// Decodes "\uXXXX" or a pair of them at `at`; returns the bytes read. The parser has seen to it
// that they are complete.
static size_t decode_unicode(hoist_str content, size_t at, char *out, size_t *out_size)
{
    const uint8_t *digits = (const uint8_t *)content.data + at + 2;
    uint32_t code_point = (uint32_t)json_hex4(digits);
    HOIST_ASSERT(content.size - at >= 6 && code_point <= 0xffff);
    size_t read = 6;
    if (code_point >= 0xd800 && code_point <= 0xdfff) {
        const uint32_t low = (uint32_t)json_hex4(digits + 6);
        HOIST_ASSERT(content.size - at >= 12 && low >= 0xdc00 && low <= 0xdfff);
        // UTF-16: ten bits of each half, above the 16-bit plane.
        code_point = 0x10000 + ((code_point - 0xd800) << 10) + (low - 0xdc00);
        read = 12;
    }
    *out_size += hoist_utf8_encode(code_point, out + *out_size);
    return read;
}

// '\0' for letters without an escape; \u is no single letter.
char json_unescape(char letter)
{
    static const char values[128] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                     ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
    return (uint8_t)letter < sizeof(values) ? values[(uint8_t)letter] : '\0';
}

// A byte above ASCII is passed on by itself: sequences need no decoding.
size_t json_decode_one(hoist_str content, size_t at, char *out, size_t *out_size)
{
    HOIST_ASSERT(at < content.size);
    if (content.data[at] != '\\') {
        out[(*out_size)++] = content.data[at];
        return 1;
    }
    if (content.data[at + 1] == 'u') {
        return decode_unicode(content, at, out, out_size);
    }
    out[(*out_size)++] = json_unescape(content.data[at + 1]);
    return 2;
}

hoist_str json_decode(hoist_str content, hoist_arena *arena)
{
    // Decoding never makes a string longer: 6 bytes become at most 3, 12 become 4.
    char *out = hoist_arena_alloc(arena, content.size + 1);
    size_t size = 0;
    for (size_t i = 0; out && i < content.size;) {
        i += json_decode_one(content, i, out, &size);
    }
    HOIST_ASSERT(!out || size <= content.size);
    return (hoist_str){out, size};
}

hoist_str hoist_json_string(const hoist_json *json, hoist_json_index at, hoist_arena *arena)
{
    const hoist_str content = string_content(json, at);
    return token_at(json, at)->bits & JSON_ESCAPED ? json_decode(content, arena) : content;
}

// Compared piece by piece while decoding, since most calls end at the first byte.
bool hoist_json_string_is(const hoist_json *json, hoist_json_index at, hoist_str key)
{
    const hoist_str content = string_content(json, at);
    if (!(token_at(json, at)->bits & JSON_ESCAPED)) {
        return hoist_str_equal(content, key);
    }
    size_t matched = 0;
    for (size_t i = 0; i < content.size;) {
        char piece[4];
        size_t size = 0;
        i += json_decode_one(content, i, piece, &size);
        HOIST_ASSERT(size <= sizeof(piece));
        if (key.size - matched < size || memcmp(key.data + matched, piece, size) != 0) {
            return false;
        }
        matched += size;
    }
    return matched == key.size;
}

// Linear, in the order of the text: objects of the formats here have a handful of members.
bool hoist_json_find(const hoist_json *json, hoist_json_index object, hoist_str key,
                     hoist_json_index *out_value)
{
    *out_value = 0;
    if (hoist_json_kind_of(json, object) != HOIST_JSON_OBJECT) {
        return false;
    }
    hoist_json_index at = object + 1;
    for (uint32_t left = hoist_json_size(json, object); left > 0; left--) {
        if (hoist_json_string_is(json, at, key)) {
            *out_value = at + 1;
            return true;
        }
        at = hoist_json_next(json, at + 1);
    }
    return false;
}

static bool read_integer(const hoist_json *json, hoist_json_index at, bool *out_negative,
                         uint64_t *out_magnitude)
{
    if (hoist_json_kind_of(json, at) != HOIST_JSON_NUMBER) {
        return false;
    }
    const hoist_str text = hoist_json_text(json, at);
    *out_negative = text.data[0] == '-';
    // Digits of an integer without its sign; false for other numbers and out of range.
    const hoist_str digits = hoist_str_slice(text, *out_negative ? 1 : 0, text.size);
    uint64_t value = 0;
    for (size_t i = 0; i < digits.size; i++) {
        const char c = digits.data[i];
        // Any other character is a point or an exponent: the number is no integer.
        if (c < '0' || c > '9' || __builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(c - '0'), &value)) {
            return false;
        }
    }
    *out_magnitude = value;
    return true;
}

bool hoist_json_i64(const hoist_json *json, hoist_json_index at, int64_t *out_value)
{
    *out_value = 0;
    bool negative = false;
    uint64_t magnitude = 0;
    if (!read_integer(json, at, &negative, &magnitude) ||
        magnitude > (uint64_t)INT64_MAX + (negative ? 1 : 0)) {
        return false;
    }
    // INT64_MIN has no positive counterpart, so one is added after the sign.
    *out_value = negative && magnitude ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
    return true;
}

bool hoist_json_u64(const hoist_json *json, hoist_json_index at, uint64_t *out_value)
{
    *out_value = 0;
    bool negative = false;
    uint64_t magnitude = 0;
    // "-0" is 0.
    if (!read_integer(json, at, &negative, &magnitude) || (negative && magnitude)) {
        return false;
    }
    *out_value = magnitude;
    return true;
}

hoist_str hoist_json_digits(const hoist_json *json, hoist_json_index at)
{
    const hoist_str none = {"", 0};
    int64_t integer = 0;
    uint64_t uinteger = 0;
    if (hoist_json_kind_of(json, at) != HOIST_JSON_NUMBER || hoist_json_i64(json, at, &integer) ||
        hoist_json_u64(json, at, &uinteger)) {
        return none;
    }
    const hoist_str text = hoist_json_text(json, at);
    for (size_t i = text.data[0] == '-'; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            return none;
        }
    }
    return text;
}

bool hoist_json_f64(const hoist_json *json, hoist_json_index at, double *out_value)
{
    *out_value = 0;
    if (hoist_json_kind_of(json, at) != HOIST_JSON_NUMBER) {
        return false;
    }
    const hoist_str text = hoist_json_text(json, at);
    // Numbers end with a digit; of the words NaN ends with 'N' and Infinity with 'y'.
    const char last = text.data[text.size - 1];
    if (last >= '0' && last <= '9') {
        *out_value = hoist_number_read(text);
    } else if (last == 'N') {
        *out_value = NAN;
    } else {
        *out_value = text.data[0] == '-' ? -INFINITY : INFINITY;
    }
    return true;
}

// Places -----------------------------------------------------------------------------------------

// True when a line ends with the byte at `at`: LF, or CR without an LF after it.
// As editors count: LF, CR LF and CR are each one line end.
static bool ends_line(hoist_bytes text, size_t at)
{
    HOIST_ASSERT(at < text.size);
    const uint8_t c = text.data[at];
    return c == '\n' || (c == '\r' && (at + 1 == text.size || text.data[at + 1] != '\n'));
}

// Counts the lines that end with a byte `what` in [start, end); the last of them moves `*last`, the
// start of a line, up.
// memchr() is an order of magnitude faster than a loop over bytes.
static uint32_t count_ends(hoist_bytes text, size_t start, size_t end, uint8_t what, size_t *last)
{
    uint32_t count = 0;
    HOIST_ASSERT(text.data || start >= end);
    const uint8_t *found = start < end ? memchr(text.data + start, what, end - start) : NULL;
    while (found) {
        const size_t next = (size_t)(found - text.data) + 1;
        if (ends_line(text, next - 1)) {
            count++;
            *last = next > *last ? next : *last;
        }
        found = next < end ? memchr(text.data + next, what, end - next) : NULL;
    }
    return count;
}

hoist_pos hoist_json_place(hoist_json_cursor *cursor, hoist_bytes text, size_t at)
{
    hoist_json_cursor *c = cursor;
    HOIST_ASSERT(at <= text.size);
    if (c->text != text.data || c->line == 0) {
        *c = (hoist_json_cursor){.text = text.data, .line = 1};
    }
    if (at >= c->at) {
        c->line += count_ends(text, c->at, at, '\n', &c->line_start);
        c->line += count_ends(text, c->at, at, '\r', &c->line_start);
    } else if (at < c->line_start) {
        // Backwards: lines between the two places are taken off again, and the start of the line is
        // looked for.
        size_t last = 0;
        c->line -= count_ends(text, at, c->at, '\n', &last);
        c->line -= count_ends(text, at, c->at, '\r', &last);
        c->line_start = at;
        while (c->line_start > 0 && !ends_line(text, c->line_start - 1)) {
            c->line_start--;
        }
    }
    c->at = at;
    return (hoist_pos){c->line, (uint32_t)(at - c->line_start) + 1};
}

hoist_pos hoist_json_pos(const hoist_json *json, hoist_json_index at)
{
    hoist_json_cursor cursor = {0};
    return hoist_json_place(&cursor, json->text, token_at(json, at)->start);
}
