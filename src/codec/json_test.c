#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "codec/json.h"
#include "testing/test.h"

// A literal that may hold NUL bytes.
#define TEXT(literal)                                                                              \
    {                                                                                              \
        "" literal, sizeof(literal) - 1                                                            \
    }

static hoist_bytes exact(hoist_test *t, hoist_str text)
{
    return hoist_test_exact(t, (hoist_bytes){(const uint8_t *)text.data, text.size});
}

// Appends the value at `at` in a short notation that shows kinds and decoded content: [1 "a"
// {k:t}].
static void sketch(hoist_test *t, const hoist_json *json, hoist_json_index at, hoist_buffer *out)
{
    const hoist_json_kind kind = hoist_json_kind_of(json, at);
    const uint32_t count = hoist_json_size(json, at);
    const hoist_str text = hoist_json_text(json, at);
    switch (kind) {
    case HOIST_JSON_NULL:
    case HOIST_JSON_FALSE:
    case HOIST_JSON_TRUE:
        hoist_buffer_char(out, text.data[0]);
        return;
    case HOIST_JSON_NUMBER:
        hoist_buffer_str(out, text);
        return;
    case HOIST_JSON_STRING:
        hoist_buffer_char(out, '"');
        hoist_buffer_str(out, hoist_json_string(json, at, &t->arena));
        hoist_buffer_char(out, '"');
        return;
    case HOIST_JSON_ARRAY:
    case HOIST_JSON_OBJECT:
        break;
    }
    const bool object = kind == HOIST_JSON_OBJECT;
    hoist_buffer_char(out, object ? '{' : '[');
    hoist_json_index child = count ? hoist_json_first(json, at) : 0;
    for (uint32_t i = 0; i < count; i++) {
        hoist_buffer_c(out, i ? " " : "");
        if (object) {
            sketch(t, json, child, out);
            hoist_buffer_char(out, ':');
            child = hoist_json_next(json, child);
        }
        sketch(t, json, child, out);
        child = hoist_json_next(json, child);
    }
    hoist_buffer_char(out, object ? '}' : ']');
    HOIST_EXPECT(t, count == 0 || child == hoist_json_next(json, at));
    HOIST_EXPECT(t, text.data[0] == (object ? '{' : '[') &&
                        text.data[text.size - 1] == (object ? '}' : ']'));
}

// clang-format off
static const struct {
    const char *name;
    hoist_str text;
    const char *want;
} valid[] = {
    {"null",                    TEXT("null"),                        "n"},
    {"true",                    TEXT("true"),                        "t"},
    {"false in white space",    TEXT(" \t\r\nfalse \t\r\n"),          "f"},
    {"zero",                    TEXT("0"),                           "0"},
    {"minus zero",              TEXT("-0"),                          "-0"},
    {"integer",                 TEXT("1234567890"),                  "1234567890"},
    {"negative",                TEXT("-17"),                         "-17"},
    {"fraction",                TEXT("0.5"),                         "0.5"},
    {"fraction of zeros",       TEXT("-0.000"),                      "-0.000"},
    {"exponent",                TEXT("1e5"),                         "1e5"},
    {"exponent with plus",      TEXT("1E+05"),                       "1E+05"},
    {"exponent with minus",     TEXT("1.25e-300"),                   "1.25e-300"},
    {"zero with exponent",      TEXT("0e0"),                         "0e0"},
    {"too large for a double",  TEXT("1e999"),                       "1e999"},
    {"long integer",            TEXT("123456789012345678901234567890"),
                                "123456789012345678901234567890"},
    {"empty string",            TEXT("\"\""),                        "\"\""},
    {"string",                  TEXT("\"abc\""),                     "\"abc\""},
    {"DEL needs no escape",     TEXT("\"\x7f\""),                    "\"\x7f\""},
    {"short escapes",           TEXT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), "\"\"\\/\b\f\n\r\t\""},
    {"hex escape",              TEXT("\"\\u0041\\u00e9\\u20AC\""),   "\"A\xc3\xa9\xe2\x82\xac\""},
    {"surrogate pair",          TEXT("\"\\ud83d\\uDE00\""),          "\"\xf0\x9f\x98\x80\""},
    {"lowest pair",             TEXT("\"\\uD800\\uDC00\""),          "\"\xf0\x90\x80\x80\""},
    {"highest pair",            TEXT("\"\\uDBFF\\uDFFF\""),          "\"\xf4\x8f\xbf\xbf\""},
    {"noncharacter",            TEXT("\"\\uFFFF\""),                 "\"\xef\xbf\xbf\""},
    {"UTF-8 of every length",   TEXT("\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""),
                                "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
    {"line separator",          TEXT("\"\xe2\x80\xa8\""),            "\"\xe2\x80\xa8\""},
    {"brackets in a string",    TEXT("\"[{,:}]\""),                  "\"[{,:}]\""},
    {"empty array",             TEXT("[]"),                          "[]"},
    {"empty object",            TEXT("{ }"),                         "{}"},
    {"array",                   TEXT("[1,\"a\",null]"),              "[1 \"a\" n]"},
    {"array in white space",    TEXT(" [ 1 , 2 ] "),                 "[1 2]"},
    {"object",                  TEXT("{\"a\":1,\"b\":[]}"),          "{\"a\":1 \"b\":[]}"},
    {"nested",                  TEXT("[[],[[]],{\"k\":{\"l\":[true]}}]"),
                                "[[] [[]] {\"k\":{\"l\":[t]}}]"},
    {"empty key",               TEXT("{\"\":0}"),                    "{\"\":0}"},
    {"keys that differ in case", TEXT("{\"a\":0,\"A\":1}"),          "{\"a\":0 \"A\":1}"},
    {"keys that share 8 bytes", TEXT("{\"from_sizes\":0,\"from_sizez\":1,\"xrom_sizes\":2}"),
                                "{\"from_sizes\":0 \"from_sizez\":1 \"xrom_sizes\":2}"},
    {"same key in two objects", TEXT("[{\"a\":0},{\"a\":1}]"),       "[{\"a\":0} {\"a\":1}]"},
    {"same key inside",         TEXT("{\"a\":{\"a\":1}}"),           "{\"a\":{\"a\":1}}"},
};
// clang-format on

HOIST_TEST_TABLE(accepts, valid)
{
    hoist_json json;
    const hoist_bytes text = exact(t, row->text);
    HOIST_EXPECT_EQ(t, hoist_json_read(text, NULL, hoist_allocator_system(), t->diag, &json),
                    HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    sketch(t, &json, 0, &out);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want);
    HOIST_EXPECT_EQ(t, hoist_json_next(&json, 0), json.count);
    hoist_buffer_deinit(&out);
    hoist_json_free(&json);
}

// clang-format off
static const struct {
    const char *name;
    hoist_str text;
    hoist_status status;
    const char *want;
} invalid[] = {
    {"empty", TEXT(""), HOIST_INVALID, "1:1: error: the text holds no value [JSON-001]\n"},
    {"white space only", TEXT(" \n\t"), HOIST_INVALID,
     "1:1: error: the text holds no value [JSON-001]\n"},

    {"open array", TEXT("["), HOIST_TRUNCATED,
     "1:2: error: the text ends inside an array [JSON-002]\n"},
    {"array after comma", TEXT("[1,\n"), HOIST_TRUNCATED,
     "2:1: error: the text ends inside an array [JSON-002]\n"},
    {"open object", TEXT("{"), HOIST_TRUNCATED,
     "1:2: error: the text ends inside an object [JSON-002]\n"},
    {"object after key", TEXT("{\"a\""), HOIST_TRUNCATED,
     "1:5: error: the text ends inside an object [JSON-002]\n"},
    {"object after colon", TEXT("{\"a\": "), HOIST_TRUNCATED,
     "1:7: error: the text ends before a member's value [JSON-002]\n"},
    {"object after value", TEXT("[{\"a\":1"), HOIST_TRUNCATED,
     "1:8: error: the text ends inside an object [JSON-002]\n"},
    {"open string", TEXT("\"abc"), HOIST_TRUNCATED,
     "1:5: error: the text ends inside a string [JSON-002]\n"},
    {"quote alone", TEXT("\""), HOIST_TRUNCATED,
     "1:2: error: the text ends inside a string [JSON-002]\n"},
    {"open key", TEXT("{\"ab"), HOIST_TRUNCATED,
     "1:5: error: the text ends inside a string [JSON-002]\n"},
    {"escape cut", TEXT("\"\\"), HOIST_TRUNCATED,
     "1:3: error: the text ends inside an escape [JSON-002]\n"},
    {"hex escape cut", TEXT("\"\\u00"), HOIST_TRUNCATED,
     "1:6: error: the text ends inside an escape [JSON-002]\n"},
    {"pair cut in the middle", TEXT("\"\\ud800"), HOIST_TRUNCATED,
     "1:8: error: the text ends inside a pair of surrogates [JSON-002]\n"},
    {"pair cut in its second half", TEXT("\"\\ud800\\udc"), HOIST_TRUNCATED,
     "1:12: error: the text ends inside a pair of surrogates [JSON-002]\n"},
    {"character cut", TEXT("\"\xe2\x82"), HOIST_TRUNCATED,
     "1:4: error: the text ends inside a character [JSON-002]\n"},
    {"minus alone", TEXT("-"), HOIST_TRUNCATED,
     "1:2: error: the text ends inside a number [JSON-002]\n"},
    {"fraction cut", TEXT("1."), HOIST_TRUNCATED,
     "1:3: error: the text ends inside a number [JSON-002]\n"},
    {"exponent cut", TEXT("[1e+"), HOIST_TRUNCATED,
     "1:5: error: the text ends inside a number [JSON-002]\n"},
    {"word cut", TEXT("[tru"), HOIST_TRUNCATED,
     "1:5: error: the text ends inside a word [JSON-002]\n"},

    {"UTF-8 mark", TEXT("\xef\xbb\xbf{}"), HOIST_INVALID,
     "1:1: error: the text starts with a UTF-8 byte order mark [JSON-003]\n"},
    {"UTF-16 mark, little", TEXT("\xff\xfe{\0}\0"), HOIST_INVALID,
     "1:1: error: the text starts with a UTF-16 byte order mark [JSON-003]\n"},
    {"UTF-16 mark, big", TEXT("\xfe\xff\0{\0}"), HOIST_INVALID,
     "1:1: error: the text starts with a UTF-16 byte order mark [JSON-003]\n"},

    {"stray continuation", TEXT("\"a\x80\""), HOIST_INVALID,
     "1:3: error: byte 0x80 is no UTF-8 [JSON-004]\n"},
    {"overlong", TEXT("\"\xc0\xaf\""), HOIST_INVALID,
     "1:2: error: byte 0xc0 is no UTF-8 [JSON-004]\n"},
    {"overlong, three bytes", TEXT("\"\xe0\x80\xaf\""), HOIST_INVALID,
     "1:2: error: byte 0xe0 is no UTF-8 [JSON-004]\n"},
    {"surrogate in UTF-8", TEXT("[\"\xed\xa0\x80\"]"), HOIST_INVALID,
     "1:3: error: byte 0xed is no UTF-8 [JSON-004]\n"},
    {"above U+10FFFF", TEXT("\"\xf4\x90\x80\x80\""), HOIST_INVALID,
     "1:2: error: byte 0xf4 is no UTF-8 [JSON-004]\n"},
    {"Latin-1", TEXT("\"caf\xe9\""), HOIST_INVALID,
     "1:5: error: byte 0xe9 is no UTF-8 [JSON-004]\n"},
    {"character cut by the quote", TEXT("\"\xe2\x82\""), HOIST_INVALID,
     "1:2: error: byte 0xe2 is no UTF-8 [JSON-004]\n"},
    {"bad lead at the end", TEXT("\"\xff"), HOIST_INVALID,
     "1:2: error: byte 0xff is no UTF-8 [JSON-004]\n"},

    {"line break in a string", TEXT("[\n\"a\nb\"]"), HOIST_INVALID,
     "2:3: error: control character 0x0a inside a string [JSON-005]\n"},
    {"tab in a string", TEXT("\"\t\""), HOIST_INVALID,
     "1:2: error: control character 0x09 inside a string [JSON-005]\n"},
    {"NUL in a string", TEXT("\"a\0\""), HOIST_INVALID,
     "1:3: error: control character 0x00 inside a string [JSON-005]\n"},
    {"0x1f in a key", TEXT("{\"\x1f\":1}"), HOIST_INVALID,
     "1:3: error: control character 0x1f inside a string [JSON-005]\n"},

    {"high surrogate alone", TEXT("\"\\ud800\"  "), HOIST_INVALID,
     "1:2: error: '\\ud800' is a high surrogate without its low one [JSON-006]\n"},
    {"low surrogate alone", TEXT("\"x\\uDFFF\""), HOIST_INVALID,
     "1:3: error: '\\udfff' is a low surrogate without its high one [JSON-006]\n"},
    {"two high surrogates", TEXT("\"\\ud800\\ud800\""), HOIST_INVALID,
     "1:2: error: '\\ud800' is a high surrogate without its low one [JSON-006]\n"},
    {"high surrogate and a letter", TEXT("\"\\udbff\\u0041\""), HOIST_INVALID,
     "1:2: error: '\\udbff' is a high surrogate without its low one [JSON-006]\n"},
    {"high surrogate and an escape", TEXT("\"\\udbff\\n----\""), HOIST_INVALID,
     "1:2: error: '\\udbff' is a high surrogate without its low one [JSON-006]\n"},

    {"unknown escape", TEXT("\"\\x41\""), HOIST_INVALID,
     "1:2: error: a backslash before 'x' is no escape [JSON-007]\n"},
    {"escaped line break", TEXT("\"\\\n\""), HOIST_INVALID,
     "1:2: error: a backslash before byte 0x0a is no escape [JSON-007]\n"},
    {"escaped 0xff", TEXT("\"\\\xff\""), HOIST_INVALID,
     "1:2: error: a backslash before byte 0xff is no escape [JSON-007]\n"},
    {"capital U", TEXT("\"\\U0041\""), HOIST_INVALID,
     "1:2: error: a backslash before 'U' is no escape [JSON-007]\n"},
    {"three hex digits", TEXT("\"\\u004\"  "), HOIST_INVALID,
     "1:2: error: four hexadecimal digits must follow '\\u' [JSON-007]\n"},
    {"letter among hex digits", TEXT("\"\\u00g0\""), HOIST_INVALID,
     "1:2: error: four hexadecimal digits must follow '\\u' [JSON-007]\n"},
    {"bad digits after a high surrogate", TEXT("\"\\ud800\\uzzzz\""), HOIST_INVALID,
     "1:8: error: four hexadecimal digits must follow '\\u' [JSON-007]\n"},

    {"leading zero", TEXT("012"), HOIST_INVALID,
     "1:1: error: a number starts with a needless zero [JSON-008]\n"},
    {"leading zero after minus", TEXT("[-00]"), HOIST_INVALID,
     "1:3: error: a number starts with a needless zero [JSON-008]\n"},
    {"no digit after point", TEXT("[1.]"), HOIST_INVALID,
     "1:4: error: ']' where a digit should follow '.' [JSON-008]\n"},
    {"exponent after point", TEXT("1.e5"), HOIST_INVALID,
     "1:3: error: 'e' where a digit should follow '.' [JSON-008]\n"},
    {"no digit in exponent", TEXT("[1e]"), HOIST_INVALID,
     "1:4: error: ']' where a digit should follow the exponent's 'e' [JSON-008]\n"},
    {"two signs", TEXT("--1"), HOIST_INVALID,
     "1:2: error: '-' where a digit should follow '-' [JSON-008]\n"},
    {"minus infinity", TEXT("-Infinity"), HOIST_INVALID,
     "1:2: error: 'I' where a digit should follow '-' [JSON-008]\n"},

    {"plus sign", TEXT("+1"), HOIST_INVALID,
     "1:1: error: found '+', expected a value [JSON-009]\n"},
    {"bare fraction", TEXT("[.5]"), HOIST_INVALID,
     "1:2: error: found '.', expected a value [JSON-009]\n"},
    {"NaN", TEXT("{\"scale\": NaN}"), HOIST_INVALID,
     "1:11: error: unknown word 'NaN' [JSON-009]\n"},
    {"capital", TEXT("True"), HOIST_INVALID, "1:1: error: unknown word 'True' [JSON-009]\n"},
    {"word too long", TEXT("nulll"), HOIST_INVALID,
     "1:1: error: unknown word 'nulll' [JSON-009]\n"},
    {"very long word", TEXT("[abcdefghijklmnopqrstuvwxyz]"), HOIST_INVALID,
     "1:2: error: unknown word 'abcdefghijklmnopqrst...' [JSON-009]\n"},
    {"word cut by a bracket", TEXT("[tru]"), HOIST_INVALID,
     "1:2: error: unknown word 'tru' [JSON-009]\n"},
    {"single quotes", TEXT("'a'"), HOIST_INVALID,
     "1:1: error: found ''', expected a value [JSON-009]\n"},
    {"comment", TEXT("/* c */ 1"), HOIST_INVALID,
     "1:1: error: found '/', expected a value [JSON-009]\n"},
    {"comma after the last item", TEXT("[1,]"), HOIST_INVALID,
     "1:4: error: found ']', expected a value [JSON-009]\n"},
    {"comma first", TEXT("[,1]"), HOIST_INVALID,
     "1:2: error: found ',', expected a value [JSON-009]\n"},
    {"missing value", TEXT("{\"a\":}"), HOIST_INVALID,
     "1:6: error: found '}', expected a value [JSON-009]\n"},
    {"NUL byte", TEXT("\0"), HOIST_INVALID,
     "1:1: error: found byte 0x00, expected a value [JSON-009]\n"},
    {"vertical tab", TEXT("\v1"), HOIST_INVALID,
     "1:1: error: found byte 0x0b, expected a value [JSON-009]\n"},
    {"no-break space", TEXT("\xc2\xa0" "1"), HOIST_INVALID,
     "1:1: error: found byte 0xc2, expected a value [JSON-009]\n"},
    {"closing bracket alone", TEXT("]"), HOIST_INVALID,
     "1:1: error: found ']', expected a value [JSON-009]\n"},

    {"missing comma", TEXT("[1 2]"), HOIST_INVALID,
     "1:4: error: found '2', expected ',' or ']' [JSON-010]\n"},
    {"missing comma in an object", TEXT("{\"a\":1 \"b\":2}"), HOIST_INVALID,
     "1:8: error: found '\"', expected ',' or '}' [JSON-010]\n"},
    {"missing colon", TEXT("{\"a\" 1}"), HOIST_INVALID,
     "1:6: error: found '1', expected the ':' after a key [JSON-010]\n"},
    {"comma for colon", TEXT("{\"a\",1}"), HOIST_INVALID,
     "1:5: error: found ',', expected the ':' after a key [JSON-010]\n"},
    {"two colons", TEXT("{\"a\"::1}"), HOIST_INVALID,
     "1:6: error: found ':', expected a value [JSON-009]\n"},
    {"wrong bracket", TEXT("[1}"), HOIST_INVALID,
     "1:3: error: found '}', expected ',' or ']' [JSON-010]\n"},
    {"wrong bracket in an object", TEXT("{\"a\":1]"), HOIST_INVALID,
     "1:7: error: found ']', expected ',' or '}' [JSON-010]\n"},
    {"letter after a number", TEXT("[1a]"), HOIST_INVALID,
     "1:3: error: found 'a', expected ',' or ']' [JSON-010]\n"},
    {"hexadecimal", TEXT("[0x10]"), HOIST_INVALID,
     "1:3: error: found 'x', expected ',' or ']' [JSON-010]\n"},

    {"key without quotes", TEXT("{a:1}"), HOIST_INVALID,
     "1:2: error: found 'a', expected a key in double quotes [JSON-011]\n"},
    {"number as key", TEXT("{1:1}"), HOIST_INVALID,
     "1:2: error: found '1', expected a key in double quotes [JSON-011]\n"},
    {"comma after the last member", TEXT("{\"a\":1,}"), HOIST_INVALID,
     "1:8: error: found '}', expected a key in double quotes [JSON-011]\n"},
    {"comma first in an object", TEXT("{,}"), HOIST_INVALID,
     "1:2: error: found ',', expected a key in double quotes [JSON-011]\n"},

    {"second value", TEXT("{}\n{}"), HOIST_INVALID,
     "2:1: error: '{' after the end of the value [JSON-012]\n"},
    {"bracket too many", TEXT("[]]"), HOIST_INVALID,
     "1:3: error: ']' after the end of the value [JSON-012]\n"},
    {"comma at the end", TEXT("1,"), HOIST_INVALID,
     "1:2: error: ',' after the end of the value [JSON-012]\n"},
    {"NUL at the end", TEXT("{}\0"), HOIST_INVALID,
     "1:3: error: byte 0x00 after the end of the value [JSON-012]\n"},

    {"too deep", TEXT("[{\"a\":[[[1]]]}]"), HOIST_INVALID,
     "1:9: error: nested more than 4 deep [JSON-013]\n"},

    {"duplicate key", TEXT("{\"a\":1,\n \"b\":2,\n \"a\":3}"), HOIST_OK,
     "3:2: error: key \"a\" occurs twice in its object [JSON-014]\n"},
    {"key three times", TEXT("{\"a\":1,\"a\":2,\"a\":3}"), HOIST_OK,
     "1:8: error: key \"a\" occurs twice in its object [JSON-014]\n"
     "1:14: error: key \"a\" occurs twice in its object [JSON-014]\n"},
    {"empty key twice", TEXT("{\"\":1,\"\":2}"), HOIST_OK,
     "1:7: error: key \"\" occurs twice in its object [JSON-014]\n"},
    {"duplicate in disguise", TEXT("{\"ab\":1,\"\\u0061b\":2}"), HOIST_OK,
     "1:9: error: key \"\\u0061b\" occurs twice in its object [JSON-014]\n"},
    {"duplicates inside come first", TEXT("{\"k\":{\"x\":1,\"x\":2},\"k\":3}"), HOIST_OK,
     "1:13: error: key \"x\" occurs twice in its object [JSON-014]\n"
     "1:20: error: key \"k\" occurs twice in its object [JSON-014]\n"},
    {"duplicate before a failure", TEXT("[{\"a\":1,\"a\":2},"), HOIST_TRUNCATED,
     "1:9: error: key \"a\" occurs twice in its object [JSON-014]\n"
     "1:16: error: the text ends inside an array [JSON-002]\n"},

    {"too many tokens", TEXT("[1,2,3,4,5,6,7,8,9,10,11,12]"), HOIST_LIMIT,
     "1:25: error: more than 11 values and keys [JSON-015]\n"},
    {"too many bytes", TEXT("[                                                    "), HOIST_LIMIT,
     "1:1: error: the text has 53 bytes, the limit is 52 [JSON-015]\n"},

    {"lines end with CR LF", TEXT("[\r\n1\r\n2]"), HOIST_INVALID,
     "3:1: error: found '2', expected ',' or ']' [JSON-010]\n"},
    {"lines end with CR", TEXT("[\r1\r\r2]"), HOIST_INVALID,
     "4:1: error: found '2', expected ',' or ']' [JSON-010]\n"},
};
// clang-format on

HOIST_TEST_TABLE(refuses, invalid)
{
    static const hoist_json_limits limits = {.max_bytes = 52, .max_depth = 4, .max_tokens = 11};
    hoist_json json;
    const hoist_bytes text = exact(t, row->text);
    HOIST_EXPECT_EQ(t, hoist_json_read(text, &limits, hoist_allocator_system(), t->diag, &json),
                    row->status);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->want);
    HOIST_EXPECT(t, (json.tokens != NULL) == (row->status == HOIST_OK));
    hoist_json_free(&json);
}

// clang-format off
static const struct {
    const char *name;
    hoist_str text;
    const char *off; // what is found without `nonfinite` ...
    const char *on;  // ... and with it
} nonfinite[] = {
    {"NaN", TEXT("NaN"), "1:1: error: unknown word 'NaN' [JSON-009]\n", NULL},
    {"Infinity", TEXT("[1,\n Infinity]"), "2:2: error: unknown word 'Infinity' [JSON-009]\n", NULL},
    {"-Infinity", TEXT("{\"a\":-Infinity }"),
     "1:7: error: 'I' where a digit should follow '-' [JSON-008]\n", NULL},
    {"all, and others", TEXT("[-1,NaN,-Infinity,Infinity,null]"),
     "1:5: error: unknown word 'NaN' [JSON-009]\n", NULL},
    {"-NaN", TEXT("-NaN"), "1:2: error: 'N' where a digit should follow '-' [JSON-008]\n",
     "1:2: error: 'N' where a digit should follow '-' [JSON-008]\n"},
    {"NaN and a letter", TEXT("[NaNx]"), "1:2: error: unknown word 'NaNx' [JSON-009]\n",
     "1:2: error: unknown word 'NaNx' [JSON-009]\n"},
    {"NaN and a digit", TEXT("[NaN1]"), "1:2: error: unknown word 'NaN' [JSON-009]\n",
     "1:5: error: found '1', expected ',' or ']' [JSON-010]\n"},
    {"NaN and a fraction", TEXT("NaN.0"), "1:1: error: unknown word 'NaN' [JSON-009]\n",
     "1:4: error: '.' after the end of the value [JSON-012]\n"},
    {"Inf", TEXT("[Inf]"), "1:2: error: unknown word 'Inf' [JSON-009]\n",
     "1:2: error: unknown word 'Inf' [JSON-009]\n"},
    {"-Inf", TEXT("[-Inf]"), "1:3: error: 'I' where a digit should follow '-' [JSON-008]\n",
     "1:2: error: unknown word '-Inf' [JSON-009]\n"},
    {"-Infinity and a letter", TEXT("-Infinityx"),
     "1:2: error: 'I' where a digit should follow '-' [JSON-008]\n",
     "1:1: error: unknown word '-Infinityx' [JSON-009]\n"},
    {"plus", TEXT("+Infinity"), "1:1: error: found '+', expected a value [JSON-009]\n",
     "1:1: error: found '+', expected a value [JSON-009]\n"},
    {"two signs", TEXT("--Infinity"), "1:2: error: '-' where a digit should follow '-' [JSON-008]\n",
     "1:2: error: '-' where a digit should follow '-' [JSON-008]\n"},
    {"lower case", TEXT("nan"), "1:1: error: unknown word 'nan' [JSON-009]\n",
     "1:1: error: unknown word 'nan' [JSON-009]\n"},
    {"a word with a sign", TEXT("[-true]"),
     "1:3: error: 't' where a digit should follow '-' [JSON-008]\n",
     "1:3: error: 't' where a digit should follow '-' [JSON-008]\n"},
    {"as a key", TEXT("{NaN:1}"), "1:2: error: found 'N', expected a key in double quotes [JSON-011]\n",
     "1:2: error: found 'N', expected a key in double quotes [JSON-011]\n"},
    {"NaN cut", TEXT("[Na"), "1:2: error: unknown word 'Na' [JSON-009]\n",
     "1:4: error: the text ends inside a word [JSON-002]\n"},
    {"-Infinity cut", TEXT("-I"), "1:2: error: 'I' where a digit should follow '-' [JSON-008]\n",
     "1:3: error: the text ends inside a word [JSON-002]\n"},
    {"minus alone", TEXT("-"), "1:2: error: the text ends inside a number [JSON-002]\n",
     "1:2: error: the text ends inside a number [JSON-002]\n"},
};
// clang-format on

HOIST_TEST_TABLE(numbers_that_are_not_finite, nonfinite)
{
    const hoist_bytes text = exact(t, row->text);
    for (int on = 0; on < 2; on++) {
        const hoist_json_limits limits = {.nonfinite = on};
        const char *want = on ? row->on : row->off;
        hoist_json json;
        hoist_test_row(t, row->name);
        const hoist_status status =
            hoist_json_read(text, &limits, hoist_allocator_system(), t->diag, &json);
        HOIST_EXPECT(t, (status == HOIST_OK) == !want);
        HOIST_EXPECT_STR(t, hoist_test_findings(t), want ? want : "");
        hoist_json_free(&json);
    }
}

HOIST_TEST(values_that_are_not_finite)
{
    static const hoist_json_limits limits = {.nonfinite = true};
    static const double want[] = {INFINITY, -INFINITY, NAN};
    const hoist_str text = hoist_str_from("[Infinity,-Infinity,NaN]");
    hoist_json json;
    HOIST_EXPECT_EQ(
        t, hoist_json_read(exact(t, text), &limits, hoist_allocator_system(), t->diag, &json),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, json.count, 1 + HOIST_COUNT_OF(want));
    for (hoist_json_index i = 1; i < json.count && i <= HOIST_COUNT_OF(want); i++) {
        double f64 = 0;
        int64_t i64 = 0;
        uint64_t u64 = 0;
        HOIST_EXPECT_EQ(t, hoist_json_kind_of(&json, i), HOIST_JSON_NUMBER);
        HOIST_EXPECT(t, hoist_json_f64(&json, i, &f64));
        HOIST_EXPECT(t, f64 == want[i - 1] || (isnan(f64) && isnan(want[i - 1])));
        HOIST_EXPECT(t, !hoist_json_i64(&json, i, &i64) && !hoist_json_u64(&json, i, &u64));
    }
    HOIST_EXPECT(t, hoist_str_equal_c(hoist_json_text(&json, 2), "-Infinity"));
    hoist_json_free(&json);
}

HOIST_TEST(every_rule_has_a_row)
{
    for (size_t i = 0; i < hoist_json_rules.count; i++) {
        const hoist_rule *rule = &hoist_json_rules.rules[i];
        bool tested = false;
        for (size_t k = 0; k < HOIST_COUNT_OF(invalid); k++) {
            tested = tested || hoist_str_contains(hoist_str_from(invalid[k].want), rule->id);
        }
        hoist_test_row(t, rule->id);
        HOIST_EXPECT(t, tested && rule->title[0] && rule->source[0]);
    }
}

// Every prefix of a text that holds everything is cut, never anything else.
HOIST_TEST(every_prefix_is_truncated)
{
    static const char text[] = "{\"a\\u00e9\\n\": [-1.5e+3, true, null, false, \"\\ud83d\\ude00"
                               "\xf0\x9f\x98\x80\", {}], \"b\": {\"c\": [[]]}}";
    for (size_t size = 1; size < sizeof(text) - 1; size++) {
        hoist_json json;
        const hoist_bytes part = exact(t, (hoist_str){text, size});
        hoist_test_row(t, NULL);
        HOIST_EXPECT_EQ(t, hoist_json_read(part, NULL, hoist_allocator_system(), t->diag, &json),
                        HOIST_TRUNCATED);
        HOIST_EXPECT_RULE(t, "JSON-002");
    }
}

HOIST_TEST(default_depth)
{
    char text[2 * 1025];
    memset(text, '[', 1025);
    memset(text + 1025, ']', 1025);
    hoist_json json;
    const hoist_str whole = {text, sizeof(text)};
    HOIST_EXPECT_EQ(t,
                    hoist_json_read(exact(t, whole), NULL, hoist_allocator_system(), NULL, &json),
                    HOIST_INVALID);
    HOIST_EXPECT_EQ(t,
                    hoist_json_read(exact(t, hoist_str_slice(whole, 1, 2048)), NULL,
                                    hoist_allocator_system(), t->diag, &json),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, json.count, 1024);
    hoist_json_free(&json);
}

static hoist_json read_ok(hoist_test *t, const char *text)
{
    hoist_json json;
    HOIST_EXPECT_EQ(t,
                    hoist_json_read(exact(t, hoist_str_from(text)), NULL, hoist_allocator_system(),
                                    t->diag, &json),
                    HOIST_OK);
    return json;
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    int64_t i64;
    uint64_t u64;
    double f64;
    bool is_i64;
    bool is_u64;
    bool is_f64;
} numbers[] = {
    {"zero",            "0", 0, 0,
                       0.0, true, true, true},
    {"minus zero",      "-0", 0, 0,
                       -0.0, true, true, true},
    {"positive",        "42", 42, 42,
                       42.0, true, true, true},
    {"negative",        "-7", -7, 0,
                       -7.0, true, false, true},
    {"INT64_MAX",       "9223372036854775807", INT64_MAX, INT64_MAX,
                       9223372036854775808.0, true, true, true},
    {"INT64_MAX + 1",   "9223372036854775808", 0, 9223372036854775808u,
                       9223372036854775808.0, false, true, true},
    {"INT64_MIN",       "-9223372036854775808", INT64_MIN, 0,
                       -9223372036854775808.0, true, false, true},
    {"INT64_MIN - 1",   "-9223372036854775809", 0, 0,
                       -9223372036854775808.0, false, false, true},
    {"UINT64_MAX",      "18446744073709551615", 0, UINT64_MAX,
                       18446744073709551616.0, false, true, true},
    {"UINT64_MAX + 1",  "18446744073709551616", 0, 0,
                       18446744073709551616.0, false, false, true},
    {"fraction",        "1.0", 0, 0,
                       1.0, false, false, true},
    {"exponent",        "1e2", 0, 0,
                       100.0, false, false, true},
    {"out of range",    "-1e999", 0, 0,
                       -(double)INFINITY, false, false, true},
    {"no number",       "\"1\"", 0, 0,
                       0.0, false, false, false},
    {"no number, true", "true", 0, 0,
                       0.0, false, false, false},
};
// clang-format on

HOIST_TEST(digits_of_integers_beyond_64_bits)
{
    static const struct {
        const char *text;
        const char *want;
    } rows[] = {
        {"18446744073709551616", "18446744073709551616"},
        {"-9223372036854775809", "-9223372036854775809"},
        {"18446744073709551615", ""},
        {"-9223372036854775808", ""},
        {"0", ""},
        {"18446744073709551616.0", ""},
        {"1e99", ""},
        {"-1E+99", ""},
        {"Infinity", ""},
        {"-Infinity", ""},
        {"NaN", ""},
        {"\"18446744073709551616\"", ""},
        {"null", ""},
    };
    const hoist_json_limits limits = {.nonfinite = true};
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        hoist_json json;
        const hoist_bytes bytes = {(const uint8_t *)rows[i].text, strlen(rows[i].text)};
        HOIST_EXPECT_EQ(
            t, hoist_json_read(bytes, &limits, hoist_allocator_system(), t->diag, &json), HOIST_OK);
        HOIST_EXPECT_STR(t, hoist_json_digits(&json, 0), rows[i].want);
        hoist_json_free(&json);
    }
}

HOIST_TEST_TABLE(number_values, numbers)
{
    hoist_json json = read_ok(t, row->text);
    int64_t i64 = 99;
    uint64_t u64 = 99;
    double f64 = 99;
    HOIST_EXPECT_EQ(t, hoist_json_i64(&json, 0, &i64), row->is_i64);
    HOIST_EXPECT_EQ(t, i64, row->i64);
    HOIST_EXPECT_EQ(t, hoist_json_u64(&json, 0, &u64), row->is_u64);
    HOIST_EXPECT(t, u64 == row->u64);
    HOIST_EXPECT_EQ(t, hoist_json_f64(&json, 0, &f64), row->is_f64);
    HOIST_EXPECT(t, f64 == row->f64 && signbit(f64) == signbit(row->f64));
    hoist_json_free(&json);
}

// clang-format off
static const struct {
    const char *name;
    hoist_str key;
    bool found;
    int64_t want;
} finds[] = {
    {"first",                 TEXT("a"),         true,  1},
    {"after a nested value",  TEXT("bc"),        true,  2},
    {"written with escapes",  TEXT("\xc3\xa9\n\xf0\x9f\x98\x80/"), true, 3},
    {"holds a NUL",           TEXT("x\0y"),      true,  4},
    {"duplicate: the first",  TEXT("dup"),       true,  5},
    {"empty",                 TEXT(""),          true,  7},
    {"prefix of a key",       TEXT("b"),         false, 0},
    {"longer than a key",     TEXT("bcd"),       false, 0},
    {"prefix of an escaped",  TEXT("\xc3\xa9\n"), false, 0},
    {"longer than an escaped", TEXT("x\0yz"),    false, 0},
    {"key of an inner object", TEXT("inner"),    false, 0},
};
// clang-format on

HOIST_TEST_TABLE(find, finds)
{
    hoist_json json = read_ok(t, "{\"a\":1,\"skip\":{\"inner\":[1,2]},\"bc\":2,"
                                 "\"\\u00e9\\n\\ud83d\\ude00\\/\":3,\"x\\u0000y\":4,"
                                 "\"dup\":5,\"dup\":6,\"\":7}");
    hoist_json_index at = 99;
    int64_t value = 0;
    HOIST_EXPECT_EQ(t, hoist_json_find(&json, 0, row->key, &at), row->found);
    HOIST_EXPECT_EQ(t, at != 0, row->found);
    HOIST_EXPECT_EQ(t, row->found && hoist_json_i64(&json, at, &value), row->found);
    HOIST_EXPECT_EQ(t, value, row->want);
    HOIST_EXPECT(t, !hoist_json_find(&json, 1, row->key, &at));
    hoist_json_free(&json);
}

HOIST_TEST(places_and_texts)
{
    hoist_json json = read_ok(t, "{\n  \"k\\n\": [10,\r\n    -2.5]\n}\n");
    const hoist_json_index array = 2;
    HOIST_EXPECT_STR(t, hoist_json_text(&json, 1), "\"k\\n\"");
    HOIST_EXPECT_STR(t, hoist_json_string(&json, 1, &t->arena), "k\n");
    HOIST_EXPECT_STR(t, hoist_json_text(&json, array), "[10,\r\n    -2.5]");
    HOIST_EXPECT_EQ(t, hoist_json_size(&json, array), 2);
    HOIST_EXPECT_EQ(t, hoist_json_size(&json, 0), 1);
    HOIST_EXPECT_EQ(t, hoist_json_size(&json, 1), 0);
    const hoist_json_index last = hoist_json_next(&json, hoist_json_first(&json, array));
    const hoist_pos pos = hoist_json_pos(&json, last);
    HOIST_EXPECT_EQ(t, pos.line, 3);
    HOIST_EXPECT_EQ(t, pos.column, 5);
    HOIST_EXPECT_EQ(t, hoist_json_pos(&json, array).column, 10);
    HOIST_EXPECT_EQ(t, hoist_json_pos(&json, 0).line, 1);
    hoist_json_free(&json);
}

// An object of `count` different keys, and one more that repeats the key `again`.
static hoist_bytes many_keys(hoist_test *t, unsigned count, unsigned again, bool escape)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_char(&out, '{');
    for (unsigned i = 0; i < count; i++) {
        hoist_buffer_format(&out, "\"key%06u\":%u,\n", i * 7919 % count, i);
    }
    hoist_buffer_format(&out, "\"%sey%06u\":0}", escape ? "\\u006b" : "k", again);
    const hoist_bytes bytes = hoist_test_exact(t, hoist_buffer_bytes(&out));
    hoist_buffer_deinit(&out);
    return bytes;
}

HOIST_TEST(duplicates_in_objects_of_any_size)
{
    static const unsigned counts[] = {1, 2, 15, 16, 17, 100, 5000};
    for (size_t i = 0; i < HOIST_COUNT_OF(counts); i++) {
        for (int escape = 0; escape < 2; escape++) {
            hoist_json json;
            const unsigned count = counts[i];
            hoist_test_row(t, NULL);
            HOIST_EXPECT_EQ(t,
                            hoist_json_read(many_keys(t, count, count / 2, escape), NULL,
                                            hoist_allocator_system(), t->diag, &json),
                            HOIST_OK);
            HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
            HOIST_EXPECT_EQ(t, hoist_diag_at(t->diag, 0)->loc.pos.line, count + 1);
            hoist_json_free(&json);
            hoist_test_row(t, NULL);
            HOIST_EXPECT_EQ(t,
                            hoist_json_read(many_keys(t, count, count, escape), NULL,
                                            hoist_allocator_system(), t->diag, &json),
                            HOIST_OK);
            HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 0);
            hoist_json_free(&json);
        }
    }
}

// Escaped and plain names side by side, in an object large enough to be sorted.
HOIST_TEST(escaped_names_are_compared_decoded)
{
    static const char *const names[] = {"a",   "\\u0061",   "\\u0061b",       "ab",
                                        "abc", "a\\u0062d", "\\ud83d\\ude00", "\xf0\x9f\x98\x80",
                                        "\\n", "\\u000a"};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (size_t i = 0; i < HOIST_COUNT_OF(names); i++) {
        hoist_buffer_format(&out, "%s\"%s\":0,\"other%zu\":0", i ? ",\n" : "{", names[i], i);
    }
    hoist_buffer_char(&out, '}');
    hoist_json json;
    HOIST_EXPECT_EQ(
        t,
        hoist_json_read(hoist_buffer_bytes(&out), NULL, hoist_allocator_system(), t->diag, &json),
        HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "2:1: error: key \"\\u0061\" occurs twice in its object [JSON-014]\n"
                     "4:1: error: key \"ab\" occurs twice in its object [JSON-014]\n"
                     "8:1: error: key \"\xf0\x9f\x98\x80\" occurs twice in its object [JSON-014]\n"
                     "10:1: error: key \"\\u000a\" occurs twice in its object [JSON-014]\n");
    hoist_json_free(&json);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(duplicates_are_capped)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (int i = 0; i < 150; i++) {
        hoist_buffer_format(&out, "%s{\"k\":0,\"k\":1}", i ? ",\n" : "[");
    }
    hoist_buffer_char(&out, ']');
    hoist_json json;
    HOIST_EXPECT_EQ(
        t,
        hoist_json_read(hoist_buffer_bytes(&out), NULL, hoist_allocator_system(), t->diag, &json),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 101);
    HOIST_EXPECT_EQ(t, hoist_diag_at(t->diag, 99)->loc.pos.line, 100);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 100)->message,
                     "50 more keys occur twice in their objects");
    hoist_json_free(&json);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(survives_every_failed_allocation)
{
    const hoist_bytes text = many_keys(t, 300, 7, true);
    for (size_t n = 1;; n++) {
        hoist_failing failing;
        hoist_json json;
        const hoist_status status =
            hoist_json_read(text, NULL, hoist_failing_allocator(&failing, n), NULL, &json);
        HOIST_EXPECT(t, status == HOIST_NO_MEMORY || failing.requests < n);
        HOIST_EXPECT(t, status == HOIST_OK || failing.live == 0);
        hoist_json_free(&json);
        HOIST_EXPECT_EQ(t, failing.live, 0);
        if (failing.requests < n) {
            HOIST_EXPECT_EQ(t, status, HOIST_OK);
            break;
        }
    }
}

// However short the text is.
HOIST_TEST(ends_with_the_time)
{
    static const char *const texts[] = {"1", "[]", "[1, 2]", "{\"a\": 1}"};
    hoist_deadline *const over = hoist_test_deadline(t, 0);
    const hoist_json_limits limits = {.deadline = over};
    for (size_t i = 0; i < HOIST_COUNT_OF(texts); i++) {
        hoist_json json;
        const hoist_str text = hoist_str_from(texts[i]);
        HOIST_EXPECT_EQ(t,
                        hoist_json_read((hoist_bytes){(const uint8_t *)text.data, text.size},
                                        &limits, hoist_allocator_system(), t->diag, &json),
                        HOIST_LIMIT);
        HOIST_EXPECT_EQ(t, json.count, 0);
    }
    hoist_deadline_destroy(over);
}

HOIST_TEST(decoding_without_memory)
{
    hoist_json json = read_ok(t, "[\"a\\n\",\"b\"]");
    hoist_failing failing;
    hoist_arena arena;
    hoist_arena_init(&arena, hoist_failing_allocator(&failing, 1));
    HOIST_EXPECT(t, hoist_json_string(&json, 1, &arena).data == NULL);
    HOIST_EXPECT_STR(t, hoist_json_string(&json, 2, &arena), "b");
    hoist_json_free(&json);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(accepts), HOIST_TEST_ROW(refuses),
                HOIST_TEST_ROW(numbers_that_are_not_finite),
                HOIST_TEST_ROW(values_that_are_not_finite), HOIST_TEST_ROW(every_rule_has_a_row),
                HOIST_TEST_ROW(every_prefix_is_truncated), HOIST_TEST_ROW(default_depth),
                HOIST_TEST_ROW(digits_of_integers_beyond_64_bits), HOIST_TEST_ROW(number_values),
                HOIST_TEST_ROW(find), HOIST_TEST_ROW(places_and_texts),
                HOIST_TEST_ROW(duplicates_in_objects_of_any_size),
                HOIST_TEST_ROW(escaped_names_are_compared_decoded),
                HOIST_TEST_ROW(duplicates_are_capped),
                HOIST_TEST_ROW(survives_every_failed_allocation),
                HOIST_TEST_ROW(ends_with_the_time), HOIST_TEST_ROW(decoding_without_memory))
