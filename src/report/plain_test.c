#include "report/plain.h"
#include "testing/test.h"

static void expect_text(hoist_test *t, hoist_buffer *out, const char *want)
{
    HOIST_EXPECT_STR(t, hoist_buffer_text(out), want);
    hoist_buffer_deinit(out);
}

// clang-format off
static const struct {
    const char *name;
    hoist_str text;
    const char *want;
} escapes[] = {
    {"empty",               {NULL, 0},                      ""},
    {"plain",               {"queue 'q0'", 10},             "queue 'q0'"},
    {"letters",             {"\xc3\xa9\xe2\x82\xac", 5},    "\xc3\xa9\xe2\x82\xac"},
    {"escape sequence",     {"a\x1b[2Jb", 6},               "a\\x1b[2Jb"},
    {"newline, tab, NUL",   {"\n\t\0", 3},                  "\\x0a\\x09\\x00"},
    {"DEL",                 {"\x7f", 1},                    "\\x7f"},
    {"C1 control",          {"\xc2\x9b" "1m", 4},           "\\xc2\\x9b1m"},
    {"no-break space",      {"\xc2\xa0", 2},                "\xc2\xa0"},
    {"right-to-left",       {"a\xe2\x80\xae" "b", 5},       "a\\xe2\\x80\\xaeb"},
    {"line separator",      {"\xe2\x80\xa8", 3},            "\\xe2\\x80\\xa8"},
    {"isolate",             {"\xe2\x81\xa6", 3},            "\\xe2\\x81\\xa6"},
    {"byte order mark",     {"\xef\xbb\xbf", 3},          "\\xef\\xbb\\xbf"},
    {"Arabic letter mark",  {"\xd8\x9c", 2},              "\\xd8\\x9c"},
    {"tag",                 {"\xf3\xa0\x80\x81", 4},      "\\xf3\\xa0\\x80\\x81"},
    {"en dash",             {"\xe2\x80\x93", 3},            "\xe2\x80\x93"},
    {"stray bytes",         {"\xff\xc3", 2},                "\\xff\\xc3"},
    {"cut in a sequence",   {"x\xe2\x82", 3},               "x\\xe2\\x82"},
};

static const struct {
    const char *name;
    const char *text;
    size_t width;
    bool hard;
    size_t want_size;
    size_t want_next;
} lines[] = {
    {"all of it",                 "one two",            7, false, 7, 7},
    {"no limit",                  "one two",            0, true,  7, 7},
    {"last space that fits",      "one two three",      9, false, 7, 8},
    {"space right at the edge",   "one two",            3, false, 3, 4},
    {"long word kept",            "abcdefgh ij",        4, false, 8, 9},
    {"long word cut",             "abcdefgh ij",        4, true,  4, 4},
    {"long last word kept",       "abcdefgh",           4, false, 8, 8},
    {"letters of two bytes",      "\xc3\xa9\xc3\xa9\xc3\xa9", 2, true, 4, 4},
    {"empty",                     "",                   4, true,  0, 0},
};

static const struct {
    const char *name;
    const char *text;
    size_t want_width;
    size_t want_longest; // word
} widths[] = {
    {"empty",                "",                                0, 0},
    {"one word",             "abc",                             3, 3},
    {"the first is longest", "abcd ef g",                       9, 4},
    {"the last is longest",  "a bc def",                        8, 3},
    {"spaces at both ends",  " ab ",                            4, 2},
    {"two spaces",           "a  bc",                           5, 2},
    {"letters of two bytes", "\xc3\xa9\xc3\xa9 x",              4, 2},
    {"letters of four",      "\xf0\x9f\x98\x80 \xf0\x9f\x98\x80", 3, 1},
};

static const struct {
    const char *name;
    const char *text;
    size_t indent;
    size_t width;
    const char *want;
} wraps[] = {
    {"no limit",                  "one two three", 2, 0,  "one two three"},
    {"fits exactly",              "one two",       2, 9,  "one two"},
    {"one too narrow",            "one two",       2, 8,  "one\n  two"},
    {"a word that is too long",   "abcdefgh ij",   1, 5,  "abcdefgh\n ij"},
    {"no column left",            "a b",           4, 4,  "a\n    b"},
    {"less than the indentation", "a b",           4, 2,  "a\n    b"},
    {"a space at the end",        "ab ",           0, 2,  "ab"},
    {"empty",                     "",              3, 10, ""},
};

static const struct {
    const char *name;
    hoist_style style;
    const char *want;
} styles[] = {
    {"none",    HOIST_STYLE_NONE,    "x"},
    {"bold",    HOIST_STYLE_BOLD,    "\x1b[1mx\x1b[0m"},
    {"error",   HOIST_STYLE_ERROR,   "\x1b[1;31mx\x1b[0m"},
    {"warning", HOIST_STYLE_WARNING, "\x1b[1;35mx\x1b[0m"},
    {"note",    HOIST_STYLE_NOTE,    "\x1b[1;36mx\x1b[0m"},
    {"caret",   HOIST_STYLE_CARET,   "\x1b[1;32mx\x1b[0m"},
};
// clang-format on

HOIST_TEST_TABLE(columns, widths)
{
    HOIST_EXPECT_EQ(t, hoist_plain_width(hoist_str_from(row->text)), row->want_width);
    HOIST_EXPECT_EQ(t, hoist_plain_longest_word(hoist_str_from(row->text)), row->want_longest);
}

HOIST_TEST_TABLE(wrapped_text, wraps)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_plain_wrap(&out, hoist_str_from(row->text), row->indent, row->width);
    expect_text(t, &out, row->want);
}

HOIST_TEST_TABLE(styled_text, styles)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_plain_styled(&out, true, row->style, HOIST_STR("x"));
    expect_text(t, &out, row->want);
}

HOIST_TEST(severities_have_styles)
{
    HOIST_EXPECT_EQ(t, hoist_severity_style(HOIST_NOTE), HOIST_STYLE_NOTE);
    HOIST_EXPECT_EQ(t, hoist_severity_style(HOIST_WARNING), HOIST_STYLE_WARNING);
    HOIST_EXPECT_EQ(t, hoist_severity_style(HOIST_ERROR), HOIST_STYLE_ERROR);
}

HOIST_TEST_TABLE(escapes_what_terminals_obey, escapes)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_plain_write(&out, row->text);
    expect_text(t, &out, row->want);
}

HOIST_TEST_TABLE(first_line, lines)
{
    size_t next = 99;
    HOIST_EXPECT_EQ(t, hoist_plain_line(hoist_str_from(row->text), row->width, row->hard, &next),
                    row->want_size);
    HOIST_EXPECT_EQ(t, next, row->want_next);
}

HOIST_TEST(wraps_with_hanging_indent)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_c(&out, "key: ");
    hoist_plain_wrap(&out, HOIST_STR("one two three four"), 5, 14);
    expect_text(t, &out, "key: one two\n     three\n     four");
}

HOIST_TEST(colors_only_when_asked)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_plain_styled(&out, true, HOIST_STYLE_ERROR, HOIST_STR("error"));
    hoist_plain_styled(&out, false, HOIST_STYLE_ERROR, HOIST_STR("error"));
    hoist_plain_styled(&out, true, HOIST_STYLE_NONE, HOIST_STR("x"));
    expect_text(t, &out, "\x1b[1;31merror\x1b[0merrorx");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(escapes_what_terminals_obey), HOIST_TEST_ROW(first_line),
                HOIST_TEST_ROW(columns), HOIST_TEST_ROW(wrapped_text), HOIST_TEST_ROW(styled_text),
                HOIST_TEST_ROW(severities_have_styles), HOIST_TEST_ROW(wraps_with_hanging_indent),
                HOIST_TEST_ROW(colors_only_when_asked))
