// Reading the tape: kinds, children, strings, numbers, places.
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/span.h"
#include "codec/json_parser.h"
#include "codec/number.h"
#include "codec/utf8.h"

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
    return (hoist_str){(const char *)json->text.data + t->start, t->size};
}

static hoist_str string_content(const hoist_json *json, hoist_json_index at)
{
    HOIST_ASSERT(hoist_json_kind_of(json, at) == HOIST_JSON_STRING);
    const hoist_str text = hoist_json_text(json, at);
    return hoist_str_slice(text, 1, text.size - 2);
}

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
    size_t read = 6;
    if (code_point >= 0xd800 && code_point <= 0xdfff) {
        const uint32_t low = (uint32_t)json_hex4(digits + 6);
        code_point = 0x10000 + ((code_point - 0xd800) << 10) + (low - 0xdc00);
        read = 12;
    }
    *out_size += hoist_utf8_encode(code_point, out + *out_size);
    return read;
}

char json_unescape(char letter)
{
    static const char values[128] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                     ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
    return (uint8_t)letter < sizeof(values) ? values[(uint8_t)letter] : '\0';
}

size_t json_decode_one(hoist_str content, size_t at, char *out, size_t *out_size)
{
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
    return (hoist_str){out, size};
}

hoist_str hoist_json_string(const hoist_json *json, hoist_json_index at, hoist_arena *arena)
{
    const hoist_str content = string_content(json, at);
    return token_at(json, at)->bits & JSON_ESCAPED ? json_decode(content, arena) : content;
}

// True when the string at `at` is `key` after decoding; needs no memory.
static bool string_equals(const hoist_json *json, hoist_json_index at, hoist_str key)
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
        if (key.size - matched < size || memcmp(key.data + matched, piece, size) != 0) {
            return false;
        }
        matched += size;
    }
    return matched == key.size;
}

bool hoist_json_find(const hoist_json *json, hoist_json_index object, hoist_str key,
                     hoist_json_index *out_value)
{
    *out_value = 0;
    if (hoist_json_kind_of(json, object) != HOIST_JSON_OBJECT) {
        return false;
    }
    hoist_json_index at = object + 1;
    for (uint32_t left = hoist_json_size(json, object); left > 0; left--) {
        if (string_equals(json, at, key)) {
            *out_value = at + 1;
            return true;
        }
        at = hoist_json_next(json, at + 1);
    }
    return false;
}

// Digits of an integer without its sign; false for other numbers and out of range.
static bool read_magnitude(hoist_str digits, uint64_t *out_value)
{
    uint64_t value = 0;
    for (size_t i = 0; i < digits.size; i++) {
        const char c = digits.data[i];
        if (c < '0' || c > '9' || __builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(c - '0'), &value)) {
            return false;
        }
    }
    *out_value = value;
    return true;
}

static bool read_integer(const hoist_json *json, hoist_json_index at, bool *out_negative,
                         uint64_t *out_magnitude)
{
    if (hoist_json_kind_of(json, at) != HOIST_JSON_NUMBER) {
        return false;
    }
    const hoist_str text = hoist_json_text(json, at);
    *out_negative = text.data[0] == '-';
    return read_magnitude(hoist_str_slice(text, *out_negative ? 1 : 0, text.size), out_magnitude);
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
    *out_value = negative && magnitude ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
    return true;
}

bool hoist_json_u64(const hoist_json *json, hoist_json_index at, uint64_t *out_value)
{
    *out_value = 0;
    bool negative = false;
    uint64_t magnitude = 0;
    if (!read_integer(json, at, &negative, &magnitude) || (negative && magnitude)) {
        return false;
    }
    *out_value = magnitude;
    return true;
}

bool hoist_json_f64(const hoist_json *json, hoist_json_index at, double *out_value)
{
    *out_value = 0;
    if (hoist_json_kind_of(json, at) != HOIST_JSON_NUMBER) {
        return false;
    }
    const hoist_str text = hoist_json_text(json, at);
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

// Counts occurrences of `what` in `part` and where the last of them ends (0: nowhere).
static size_t count_breaks(hoist_bytes part, uint8_t what, size_t *out_end)
{
    size_t count = 0;
    size_t at = 0;
    const uint8_t *found = part.size ? memchr(part.data, what, part.size) : NULL;
    while (found) {
        const size_t i = (size_t)(found - part.data);
        at = i + 1;
        // CR LF is one line break, counted by its LF.
        if (what == '\n' || at == part.size || part.data[at] != '\n') {
            count++;
            *out_end = at > *out_end ? at : *out_end;
        }
        found = at < part.size ? memchr(part.data + at, what, part.size - at) : NULL;
    }
    return count;
}

hoist_pos json_pos(hoist_bytes text, size_t at)
{
    const hoist_bytes part = {text.data, at};
    size_t start = 0; // of the line
    size_t lines = count_breaks(part, '\n', &start);
    lines += count_breaks(part, '\r', &start);
    return (hoist_pos){(uint32_t)lines + 1, (uint32_t)(at - start) + 1};
}

hoist_pos hoist_json_pos(const hoist_json *json, hoist_json_index at)
{
    return json_pos(json->text, token_at(json, at)->start);
}
