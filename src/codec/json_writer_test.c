#include <math.h>

#include "codec/json_writer.h"
#include "testing/test.h"

static void key_pos(hoist_tree_sink *sink, hoist_tree_kind kind, const char *key, uint32_t line)
{
    hoist_tree_send(
        sink, &(hoist_tree_event){
                  .kind = kind, .key = hoist_str_from(key), .pos = {line, 2 * line}, .integer = 7});
}

static void hinted(hoist_tree_sink *sink, hoist_tree_kind kind, const char *key)
{
    hoist_tree_send(
        sink, &(hoist_tree_event){.kind = kind, .key = hoist_str_from(key), .inline_hint = true});
}

static void send_scalar(hoist_tree_sink *sink)
{
    hoist_tree_bool(sink, "", true);
}

static void send_empty(hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    hoist_tree_list(sink, "none");
    hoist_tree_end(sink);
    hoist_tree_map(sink, "nothing");
    hoist_tree_end(sink);
    hoist_tree_end(sink);
}

// 2^64 + 1, as a reader of JSON sends it.
static void send_digits(hoist_tree_sink *sink)
{
    hoist_tree_send(sink, &(hoist_tree_event){.kind = HOIST_TREE_FLOAT,
                                              .number = 18446744073709551616.0,
                                              .str = HOIST_STR("18446744073709551617")});
}

static void send_scalars(hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "");
    hoist_tree_null(sink, "");
    hoist_tree_bool(sink, "", false);
    hoist_tree_int(sink, "", INT64_MIN);
    hoist_tree_int(sink, "", -9007199254740992);
    hoist_tree_int(sink, "", -9007199254740993);
    hoist_tree_uint(sink, "", 9007199254740992, HOIST_UNIT_BYTES);
    hoist_tree_uint(sink, "", UINT64_MAX, HOIST_UNIT_ADDRESS);
    hoist_tree_float(sink, "", 0.1, HOIST_UNIT_PERCENT);
    hoist_tree_float(sink, "", -0.0, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "", (double)NAN, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "", (double)INFINITY, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "", -(double)INFINITY, HOIST_UNIT_NONE);
    send_digits(sink);
    hoist_tree_end(sink);
}

static void send_nested(hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    hoist_tree_int(sink, "a", 1);
    hoist_tree_list(sink, "b");
    hinted(sink, HOIST_TREE_MAP, "");
    hoist_tree_int(sink, "x", 1);
    hoist_tree_list(sink, "y");
    hoist_tree_int(sink, "", 2);
    hoist_tree_int(sink, "", 3);
    hoist_tree_end(sink);
    hoist_tree_end(sink);
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "z", NULL);
    hoist_tree_end(sink);
    hoist_tree_end(sink);
    hinted(sink, HOIST_TREE_LIST, "c");
    hoist_tree_end(sink);
    hoist_tree_end(sink);
}

static void send_places(hoist_tree_sink *sink)
{
    key_pos(sink, HOIST_TREE_MAP, "", 1);
    key_pos(sink, HOIST_TREE_INT, "at", 2);
    hoist_tree_int(sink, "plain", 8);
    key_pos(sink, HOIST_TREE_LIST, "l", 3);
    key_pos(sink, HOIST_TREE_INT, "", 4);
    hoist_tree_end(sink);
    hoist_tree_end(sink);
}

// clang-format off
static const struct {
    const char *name;
    void (*send)(hoist_tree_sink *sink);
    bool indent;
    bool positions;
    const char *want;
} cases[] = {
    {"scalar root", send_scalar, false, false, "true"},
    {"scalar root, indented", send_scalar, true, true, "true"},
    {"empty", send_empty, false, false, "{\"none\":[],\"nothing\":{}}"},
    {"empty, indented", send_empty, true, false, "{\n  \"none\": [],\n  \"nothing\": {}\n}"},
    {"scalars", send_scalars, false, false,
     "[null,false,\"-9223372036854775808\",-9007199254740992,\"-9007199254740993\","
     "9007199254740992,\"18446744073709551615\",0.1,-0,\"NaN\",\"Infinity\",\"-Infinity\","
     "\"18446744073709551617\"]"},
    {"nested", send_nested, false, false,
     "{\"a\":1,\"b\":[{\"x\":1,\"y\":[2,3]},{\"z\":\"\"}],\"c\":[]}"},
    {"nested, indented", send_nested, true, false,
     "{\n  \"a\": 1,\n  \"b\": [\n    {\"x\": 1, \"y\": [2, 3]},\n    {\n      \"z\": \"\"\n    }\n"
     "  ],\n  \"c\": []\n}"},
    {"places left out", send_places, false, false, "{\"at\":7,\"plain\":8,\"l\":[7]}"},
    {"places", send_places, false, true,
     "{\"at\":[1,2],\"value\":{\"at\":{\"at\":[2,4],\"value\":7},\"plain\":8,"
     "\"l\":{\"at\":[3,6],\"value\":[{\"at\":[4,8],\"value\":7}]}}}"},
    {"places, indented", send_places, true, true,
     "{\"at\": [1, 2], \"value\": {\n  \"at\": {\"at\": [2, 4], \"value\": 7},\n  \"plain\": 8,\n"
     "  \"l\": {\"at\": [3, 6], \"value\": [\n    {\"at\": [4, 8], \"value\": 7}\n  ]}\n}}"},
};
// clang-format on

HOIST_TEST(wide_integers_are_numbers)
{
    hoist_buffer out;
    hoist_json_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_json_writer_init(&w, &out, false, false);
    w.wide = true;
    hoist_tree_sink sink = hoist_json_writer_sink(&w);
    hoist_tree_list(&sink, "");
    hoist_tree_int(&sink, "", INT64_MIN);
    hoist_tree_uint(&sink, "", UINT64_MAX, HOIST_UNIT_NONE);
    send_digits(&sink);
    hoist_tree_end(&sink);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out),
                     "[-9223372036854775808,18446744073709551615,18446744073709551617]");
    hoist_json_writer_deinit(&w);
    hoist_buffer_deinit(&out);
}

HOIST_TEST_TABLE(documents, cases)
{
    hoist_buffer out;
    hoist_json_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_json_writer_init(&w, &out, row->indent, row->positions);
    hoist_tree_sink sink = hoist_json_writer_sink(&w);
    row->send(&sink);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    HOIST_EXPECT(t, w.done);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want);
    hoist_json_writer_deinit(&w);
    hoist_buffer_deinit(&out);
}

// clang-format off
static const struct {
    const char *name;
    bool indent;
    const char *want;
    unsigned levels;
} breaks[] = {
    // Root 0, "b" 1, its maps 2, "y" 3; a list of numbers is never broken, an empty one has no lines.
    {"broken to level 1", true,
     "{\n  \"a\": 1,\n  \"b\": [\n    {\"x\":1,\"y\":[2,3]},\n    {\"z\":\"\"}\n  ],\n  \"c\": []\n}", 1},
    {"broken to level 2", true,
     "{\n  \"a\": 1,\n  \"b\": [\n    {\n      \"x\": 1,\n      \"y\": [2,3]\n    },\n    {\n      \"z\": \"\"\n    }\n"
     "  ],\n  \"c\": []\n}", 2},
    {"levels, not indented", false,
     "{\"a\":1,\"b\":[{\"x\":1,\"y\":[2,3]},{\"z\":\"\"}],\"c\":[]}", 2},
};
// clang-format on

HOIST_TEST_TABLE(lines_are_broken_to_a_level, breaks)
{
    hoist_buffer out;
    hoist_json_writer w;
    hoist_buffer_init(&out, t->arena.alloc);
    hoist_json_writer_init(&w, &out, row->indent, false);
    w.levels = row->levels;
    hoist_tree_sink sink = hoist_json_writer_sink(&w);
    send_nested(&sink);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want);
    hoist_json_writer_deinit(&w);
    hoist_buffer_deinit(&out);
}

// clang-format off
static const struct {
    const char *name;
    hoist_str text;
    const char *want;
} strings[] = {
    {"empty", {NULL, 0}, "\"\""},
    {"plain", {"queue_0", 7}, "\"queue_0\""},
    {"quote and backslash", {"a\"b\\c/", 6}, "\"a\\\"b\\\\c/\""},
    {"short escapes", {"\b\t\n\f\r", 5}, "\"\\b\\t\\n\\f\\r\""},
    {"other controls", {"\0\x01\x1f\x7f", 4}, "\"\\u0000\\u0001\\u001f\\u007f\""},
    {"C1 controls", {"\xc2\x80\xc2\x9f\xc2\xa0", 6}, "\"\\u0080\\u009f\xc2\xa0\""},
    {"direction of text", {"\xd8\x9c\xe2\x80\xae\xe2\x81\xa6", 8}, "\"\\u061c\\u202e\\u2066\""},
    {"separators and marks", {"\xe2\x80\xa8\xef\xbb\xbf", 6}, "\"\\u2028\\ufeff\""},
    {"tags in surrogates", {"\xf3\xa0\x80\x81\xf3\xa0\x81\xbf", 8},
     "\"\\udb40\\udc01\\udb40\\udc7f\""},
    {"UTF-8 is kept", {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", 11},
     "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\""},
    {"one U+FFFD per stray byte", {"a\xff\x80z", 4}, "\"a\xef\xbf\xbd\xef\xbf\xbdz\""},
    {"surrogate", {"\xed\xa0\x80", 3}, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
    {"cut sequence", {"\xe2\x82", 2}, "\"\xef\xbf\xbd\xef\xbf\xbd\""},
};
// clang-format on

HOIST_TEST_TABLE(string_escapes, strings)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_json_write_string(&out, row->text);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(breaking_the_grammar_is_refused)
{
    hoist_buffer out;
    hoist_json_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_json_writer_init(&w, &out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&w);
    hoist_tree_end(&sink);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_INTERNAL);
    sink.status = HOIST_OK;
    hoist_tree_int(&sink, "", 1);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    hoist_tree_int(&sink, "", 2);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_INTERNAL);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), "1");
    hoist_buffer_deinit(&out);
}

HOIST_TEST(deep_nesting_needs_no_recursion)
{
    enum { DEPTH = 200000 };
    hoist_buffer out;
    hoist_json_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_json_writer_init(&w, &out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&w);
    for (int i = 0; i < DEPTH; i++) {
        hoist_tree_list(&sink, "");
    }
    for (int i = 0; i < DEPTH; i++) {
        hoist_tree_end(&sink);
    }
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_buffer_text(&out).size, 2 * DEPTH);
    hoist_json_writer_deinit(&w);
    hoist_buffer_deinit(&out);
}

static hoist_status write_with(hoist_allocator alloc, const void *self)
{
    (void)self;
    hoist_buffer out;
    hoist_json_writer w;
    hoist_buffer_init(&out, alloc);
    hoist_json_writer_init(&w, &out, true, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&w);
    send_nested(&sink);
    hoist_json_writer_deinit(&w);
    hoist_buffer_deinit(&out);
    return sink.status;
}

HOIST_TEST(survives_every_failed_allocation)
{
    hoist_test_starve(t, write_with, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(documents), HOIST_TEST_ROW(lines_are_broken_to_a_level),
                HOIST_TEST_ROW(wide_integers_are_numbers), HOIST_TEST_ROW(string_escapes),
                HOIST_TEST_ROW(breaking_the_grammar_is_refused),
                HOIST_TEST_ROW(deep_nesting_needs_no_recursion),
                HOIST_TEST_ROW(survives_every_failed_allocation))
