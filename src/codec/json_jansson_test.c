// The tape against jansson on random texts, whole and damaged: both accept or both refuse, and the
// values are the same. Not compared are texts that jansson 2.14 is known to refuse although the RFC
// allows them (integers beyond 64 bits, reals beyond a double, NUL in a key) or to accept although
// it does not (it overlooks a NUL byte right after a number or word).
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "codec/json.h"
#include "testing/test.h"

static unsigned below(uint64_t *seed, unsigned limit)
{
    return (unsigned)(hoist_test_random(seed) % limit);
}

static const char *one_of(uint64_t *seed, const char *const *choices, unsigned count)
{
    return choices[below(seed, count)];
}

static void add_space(hoist_buffer *out, uint64_t *seed)
{
    static const char *const spaces[] = {"", "", "", " ", "\n", "\t \r\n"};
    hoist_buffer_c(out, one_of(seed, spaces, HOIST_COUNT_OF(spaces)));
}

static void add_string(hoist_buffer *out, uint64_t *seed)
{
    static const char *const pieces[] = {"a",
                                         "key",
                                         "from_sizes",
                                         "\\n",
                                         "\\\"",
                                         "\\\\",
                                         "\\/",
                                         "\\u0041",
                                         "\\u00e9",
                                         "\\ud83d\\ude00",
                                         "\\u0000",
                                         "\xc3\xa9",
                                         "\xe2\x82\xac",
                                         "\x7f",
                                         "\xf0\x9f\x98\x80",
                                         " ",
                                         "{",
                                         "0"};
    hoist_buffer_char(out, '"');
    for (unsigned n = below(seed, 5); n > 0; n--) {
        hoist_buffer_c(out, one_of(seed, pieces, HOIST_COUNT_OF(pieces)));
    }
    hoist_buffer_char(out, '"');
}

static void add_scalar(hoist_buffer *out, uint64_t *seed)
{
    static const char *const scalars[] = {"null",
                                          "true",
                                          "false",
                                          "0",
                                          "-0",
                                          "1",
                                          "-17",
                                          "9007199254740993",
                                          "9223372036854775807",
                                          "-9223372036854775808",
                                          "9223372036854775808",
                                          "0.1",
                                          "-2.5e-3",
                                          "1E+22",
                                          "1e400",
                                          "123456789.123456789",
                                          "5e-324",
                                          "2.2250738585072011e-308",
                                          "0.000"};
    if (below(seed, 2)) {
        add_string(out, seed);
    } else if (below(seed, 3)) {
        hoist_buffer_c(out, one_of(seed, scalars, HOIST_COUNT_OF(scalars)));
    } else {
        hoist_buffer_format(out, "%d.%ue%d", (int)below(seed, 1000) - 500, below(seed, 100000),
                            (int)below(seed, 600) - 300);
    }
}

static void add_value(hoist_buffer *out, uint64_t *seed, int depth)
{
    const unsigned kind = depth ? below(seed, 4) : 0;
    add_space(out, seed);
    if (kind < 2) {
        add_scalar(out, seed);
    } else {
        hoist_buffer_char(out, kind == 2 ? '[' : '{');
        add_space(out, seed);
        for (unsigned n = below(seed, 20), i = 0; i < n; i++) {
            hoist_buffer_c(out, i ? "," : "");
            add_space(out, seed);
            if (kind == 3) {
                add_string(out, seed);
                // Most keys differ, or hardly any object would be accepted.
                out->size--;
                hoist_buffer_format(out, "%u\"", below(seed, 1000));
                add_space(out, seed);
                hoist_buffer_char(out, ':');
            }
            add_value(out, seed, depth - 1);
        }
        hoist_buffer_char(out, kind == 2 ? ']' : '}');
    }
    add_space(out, seed);
}

// Changes, drops, doubles or inserts a byte, or cuts the text.
static void damage(hoist_buffer *text, uint64_t *seed)
{
    static const char bytes[] = "{}[],:\"\\/u0dD19.-+eE nt\n\x01\x80\xc3\xed\xff";
    const size_t at = below(seed, (unsigned)text->size);
    const char byte = bytes[below(seed, sizeof(bytes))]; // the NUL as well
    switch (below(seed, 4)) {
    case 0:
        text->data[at] = (uint8_t)byte;
        break;
    case 1:
        memmove(text->data + at, text->data + at + 1, text->size - at - 1);
        text->size--;
        break;
    case 2:
        hoist_buffer_char(text, byte);
        memmove(text->data + at + 1, text->data + at, text->size - at - 1);
        text->data[at] = (uint8_t)byte;
        break;
    default:
        text->size = at;
        break;
    }
}

// True when the tape holds something that jansson refuses although it is JSON.
static bool beyond_jansson(hoist_test *t, const hoist_json *json)
{
    for (hoist_json_index i = 0; i < json->count; i++) {
        const hoist_json_kind kind = hoist_json_kind_of(json, i);
        const hoist_str text = hoist_json_text(json, i);
        int64_t integer = 0;
        double number = 0;
        if (kind == HOIST_JSON_NUMBER && !hoist_json_i64(json, i, &integer)) {
            const bool real = hoist_str_contains(text, ".") || hoist_str_contains(text, "e") ||
                              hoist_str_contains(text, "E");
            if (!real || !hoist_json_f64(json, i, &number) || isinf(number)) {
                return true;
            }
        }
        if (kind == HOIST_JSON_STRING) {
            const hoist_str name = hoist_json_string(json, i, &t->arena);
            if (name.size && memchr(name.data, '\0', name.size)) {
                return true;
            }
        }
    }
    return false;
}

static bool has_nul_after_scalar(hoist_bytes text)
{
    for (size_t i = 1; i < text.size; i++) {
        const uint8_t before = text.data[i - 1] | 0x20;
        if (text.data[i] == '\0' &&
            ((before >= '0' && before <= '9') || (before >= 'a' && before <= 'z'))) {
            return true;
        }
    }
    return false;
}

static bool equal_scalar(hoist_test *t, const hoist_json *json, hoist_json_index at,
                         const json_t *other)
{
    int64_t integer = 0;
    double number = 0;
    switch (hoist_json_kind_of(json, at)) {
    case HOIST_JSON_NULL:
        return json_is_null(other);
    case HOIST_JSON_FALSE:
        return json_is_false(other);
    case HOIST_JSON_TRUE:
        return json_is_true(other);
    case HOIST_JSON_NUMBER:
        if (json_is_integer(other)) {
            return hoist_json_i64(json, at, &integer) && integer == json_integer_value(other);
        }
        return json_is_real(other) && hoist_json_f64(json, at, &number) &&
               number == json_real_value(other);
    case HOIST_JSON_STRING:
        return json_is_string(other) &&
               hoist_str_equal(hoist_json_string(json, at, &t->arena),
                               (hoist_str){json_string_value(other), json_string_length(other)});
    case HOIST_JSON_ARRAY:
    case HOIST_JSON_OBJECT:
        break;
    }
    return false;
}

static bool equal_value(hoist_test *t, const hoist_json *json, hoist_json_index at, json_t *other)
{
    const hoist_json_kind kind = hoist_json_kind_of(json, at);
    const uint32_t count = hoist_json_size(json, at);
    if (kind != HOIST_JSON_ARRAY && kind != HOIST_JSON_OBJECT) {
        return equal_scalar(t, json, at, other);
    }
    if (kind == HOIST_JSON_ARRAY ? json_array_size(other) != count
                                 : json_object_size(other) != count) {
        return false;
    }
    hoist_json_index child = at + 1;
    for (uint32_t i = 0; i < count; i++) {
        json_t *item = json_array_get(other, i);
        if (kind == HOIST_JSON_OBJECT) {
            const hoist_str key = hoist_json_string(json, child, &t->arena);
            hoist_json_index found = 0;
            item = json_object_getn(other, key.data, key.size);
            child++;
            if (!hoist_json_find(json, at, key, &found) || found != child) {
                return false;
            }
        }
        if (!item || !equal_value(t, json, child, item)) {
            return false;
        }
        child = hoist_json_next(json, child);
    }
    return true;
}

// Returns true when the text was accepted.
static bool compare(hoist_test *t, hoist_bytes text)
{
    hoist_json json;
    hoist_test_row(t, NULL);
    const hoist_status status =
        hoist_json_read(text, NULL, hoist_allocator_system(), t->diag, &json);
    json_t *other = json_loadb((const char *)text.data, text.size,
                               JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, NULL);
    const bool accepted = status == HOIST_OK && hoist_diag_kept(t->diag) == 0;
    HOIST_EXPECT(t, (status == HOIST_OK) == (json.tokens != NULL));
    const bool excused = accepted ? beyond_jansson(t, &json) : has_nul_after_scalar(text);
    if (accepted != (other != NULL) && !excused) {
        hoist_test_fail(t, __FILE__, __LINE__, "hoist says %s, jansson %s to: %.*s",
                        hoist_status_name(status), other ? "yes" : "no", (int)text.size,
                        (const char *)text.data);
    }
    if (accepted && other && !equal_value(t, &json, 0, other)) {
        hoist_test_fail(t, __FILE__, __LINE__, "values differ: %.*s", (int)text.size,
                        (const char *)text.data);
    }
    json_decref(other);
    hoist_json_free(&json);
    hoist_arena_deinit(&t->arena);
    return accepted;
}

HOIST_TEST(agrees_with_jansson)
{
    enum { TEXTS = 1500, DAMAGES = 8 };
    uint64_t seed = 20;
    unsigned accepted = 0;
    unsigned total = 0;
    for (int i = 0; i < TEXTS; i++) {
        hoist_buffer text;
        hoist_buffer_init(&text, hoist_allocator_system());
        add_value(&text, &seed, i % 4);
        for (int k = 0; k <= DAMAGES && text.size; k++) {
            accepted += compare(t, hoist_buffer_bytes(&text));
            total++;
            damage(&text, &seed);
        }
        hoist_buffer_deinit(&text);
    }
    HOIST_EXPECT(t, accepted > total / 10 && accepted < total / 2);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(agrees_with_jansson))
