#include <math.h>
#include <string.h>

#include "base/span.h"
#include "report/content.h"
#include "testing/test.h"

static const hoist_diff_rule rules[] = {
    {"id", NULL}, {"set", ""}, {"items", "name"}, {"items/*/at", NULL}, {NULL, NULL}};

// A document of `text`, a character for each event: m and l begin a map and a list, . ends one,
// letters after a # are the key of the next event, digits are numbers, f is 0.5, F 1.0, s a text,
// t true, 0 a number, z null, p something for people only.
static void send(hoist_tree_sink *sink, const char *text)
{
    hoist_str key = {"", 0};
    for (const char *c = text; *c; c++) {
        hoist_tree_event event = {.key = key};
        if (*c == '#') {
            key = (hoist_str){c + 1, strcspn(c + 1, ":")};
            c += key.size + 1;
            continue;
        }
        event.kind = *c == 'm'                ? HOIST_TREE_MAP
                     : *c == 'l'              ? HOIST_TREE_LIST
                     : *c == '.'              ? HOIST_TREE_END
                     : *c == 's' || *c == 'p' ? HOIST_TREE_STR
                     : *c == 't'              ? HOIST_TREE_BOOL
                     : *c == 'z'              ? HOIST_TREE_NULL
                     : *c == 'f' || *c == 'F' ? HOIST_TREE_FLOAT
                     : *c == '-' || *c == '+' ? HOIST_TREE_INT
                                              : HOIST_TREE_UINT;
        event.audience = *c == 'p' ? HOIST_TREE_FOR_PEOPLE : HOIST_TREE_FOR_ALL;
        event.str = event.kind == HOIST_TREE_STR ? HOIST_STR("text") : event.str;
        event.boolean = true;
        event.number = *c == 'f' ? 0.5 : 1.0;
        event.integer = *c == '-' ? -1 : 1;
        event.uinteger = (uint64_t)(*c - '0');
        hoist_tree_send(sink, &event);
        key = (hoist_str){"", 0};
    }
}

static void digest(hoist_test *t, const char *text, const char *format,
                   char out[HOIST_HASH_TEXT_SIZE])
{
    hoist_content content;
    hoist_content_init(&content, rules, NULL, hoist_allocator_system());
    hoist_tree_sink sink = hoist_content_sink(&content);
    send(&sink, text);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_content_text(&content, format, out), HOIST_OK);
    hoist_content_deinit(&content);
}

// clang-format off
static const struct {
    const char *name;
    const char *a;
    const char *b;
    bool same;
} pairs[] = {
    {"order of keys",               "m#a:1#b:2.", "m#b:2#a:1.", true},
    {"values of keys",              "m#a:1#b:2.", "m#a:2#b:1.", false},
    {"names of keys",               "m#a:1.", "m#b:1.", false},
    {"order in a list",             "ml12..", "ml21..", false},
    {"order in a set",              "m#set:l12..", "m#set:l21..", true},
    {"how often in a set",          "m#set:l112..", "m#set:l122..", false},
    {"order of named items",        "m#items:lm#name:1.m#name:2...", "m#items:lm#name:2.m#name:1...", true},
    {"what does not count",         "m#id:1#a:2.", "m#id:3#a:2.", true},
    {"a map that does not count",   "m#id:m#x:1.#a:2.", "m#a:2.", true},
    {"in an item, too",             "m#items:lm#at:1#name:s...", "m#items:lm#name:s#at:2...", true},
    {"the same key elsewhere",      "m#a:m#id:1..", "m#a:m#id:2..", false},
    {"for people only",             "m#a:1#b:p.", "m#a:1.", true},
    {"a number as a float",         "m#a:1.", "m#a:F.", true},
    {"a number as a signed one",    "m#a:1.", "m#a:+.", true},
    {"number and text",             "m#a:1.", "m#a:s.", false},
    {"true and 1",                  "m#a:t.", "m#a:1.", false},
    {"null and none",               "m#a:z.", "m.", false},
    {"null and 0",                  "m#a:z.", "m#a:0.", false},
    {"an empty map and list",       "m#a:m..", "m#a:l..", false},
    {"members moved into a list",   "ml1.2.", "ml12..", false},
    {"members of two maps",         "m#a:m#b:1.#c:2.", "m#a:m#b:1#c:2..", false},
};
// clang-format on

HOIST_TEST_TABLE(compares, pairs)
{
    char a[HOIST_HASH_TEXT_SIZE];
    char b[HOIST_HASH_TEXT_SIZE];
    digest(t, row->a, "x", a);
    digest(t, row->b, "x", b);
    HOIST_EXPECT_EQ(t, strcmp(a, b) == 0, row->same);
}

HOIST_TEST(is_of_a_format)
{
    char a[HOIST_HASH_TEXT_SIZE];
    char b[HOIST_HASH_TEXT_SIZE];
    digest(t, "m.", "x", a);
    digest(t, "m.", "y", b);
    HOIST_EXPECT(t, strcmp(a, b) != 0);
}

// Computed by the description in docs/scan.md.
HOIST_TEST(is_what_the_document_says)
{
    char a[HOIST_HASH_TEXT_SIZE];
    digest(t, "m#b:lsf.#a:-.", "x", a);
    HOIST_EXPECT_STR(t, hoist_str_from(a),
                     "cef7831c2bf6fffb321942690f39b4d83a720d95532bf97cf5aef56a0e990413");
}

HOIST_TEST(refuses_what_is_no_document)
{
    static const char *const texts[] = {".", "mm..."};
    for (size_t i = 0; i < HOIST_COUNT_OF(texts); i++) {
        hoist_content content;
        hoist_content_init(&content, NULL, NULL, hoist_allocator_system());
        hoist_tree_sink sink = hoist_content_sink(&content);
        send(&sink, texts[i]);
        HOIST_EXPECT_EQ(t, sink.status, HOIST_INTERNAL);
        hoist_content_deinit(&content);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(compares), HOIST_TEST_ROW(is_of_a_format),
                HOIST_TEST_ROW(is_what_the_document_says),
                HOIST_TEST_ROW(refuses_what_is_no_document))
