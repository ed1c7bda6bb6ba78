// Names in markup: nothing of a name is obeyed, and it takes no more columns than it may.
#include "base/alloc.h"
#include "base/span.h"
#include "picture/xml_text.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name;
    size_t most;
    const char *xml;
    const char *dot;
    size_t columns;
} names[] = {
    {"plain",                  10, "plain",                     "plain",                   5},
    {"",                        4, "",                          "",                        0},
    {"</script>",              20, "&lt;/script&gt;",           "</script>",               9},
    {"\"'&\\",                 20, "&quot;&#39;&amp;\\",        "\\\"'&\\\\",              4},
    {"a\tb\n",                 20, "a\\x09b\\x0a",              "a\\\\x09b\\\\x0a",        10},
    {"\x7f\x1b[0m",            20, "\\x7f\\x1b[0m",             "\\\\x7f\\\\x1b[0m",       11},
    {"\xe2\x80\xaexyz",        20, "\\xe2\\x80\\xaexyz",        "\\\\xe2\\\\x80\\\\xaexyz", 15},
    {"\xff\xc3",               20, "\\xff\\xc3",                "\\\\xff\\\\xc3",          8},
    {"\xef\xbf\xbe",           20, "\\xef\\xbf\\xbe",           "\\\\xef\\\\xbf\\\\xbe",   12},
    {"\xef\xbf\xbd",           20, "\xef\xbf\xbd",              "\xef\xbf\xbd",            2},
    {"\xc3\xa9t\xc3\xa9",       3, "\xc3\xa9t\xc3\xa9",         "\xc3\xa9t\xc3\xa9",       3},
    {"abcdefghij",             10, "abcdefghij",                "abcdefghij",              10},
    {"abcdefghijk",            10, "abc\xe2\x80\xa6""fghijk",   "abc\xe2\x80\xa6""fghijk", 10},
    {"abcdefghijk",             4, "a\xe2\x80\xa6jk",           "a\xe2\x80\xa6jk",         4},
    // Neither end takes part of a cell: wide ones, and escapes.
    {"\xe5\xa5\xbd\xe5\xa5\xbd\xe5\xa5\xbd\xe5\xa5\xbd", 7,
     "\xe5\xa5\xbd\xe2\x80\xa6\xe5\xa5\xbd\xe5\xa5\xbd",
     "\xe5\xa5\xbd\xe2\x80\xa6\xe5\xa5\xbd\xe5\xa5\xbd", 7},
    {"\x01\x01\x01\x01",       10, "\xe2\x80\xa6\\x01",         "\xe2\x80\xa6\\\\x01",     5},
    {"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80", 4, "\xe2\x80\xa6", "\xe2\x80\xa6", 1},
};
// clang-format on

HOIST_TEST_TABLE(names_are_escaped_and_cut, names)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    const hoist_str name = hoist_str_from(row->name);
    HOIST_EXPECT_EQ(t, hoist_markup_name(&out, HOIST_MARKUP_XML, name, row->most), row->columns);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->xml);
    out.size = 0;
    HOIST_EXPECT_EQ(t, hoist_markup_name(&out, HOIST_MARKUP_DOT, name, row->most), row->columns);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->dot);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(long_names_take_no_time)
{
    enum { SIZE = 1 << 20 };
    hoist_buffer name;
    hoist_buffer out;
    hoist_buffer_init(&name, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_fill(&name, 'x', SIZE);
    hoist_buffer_c(&name, "end");
    for (size_t i = 0; i < 1000; i++) {
        out.size = 0;
        HOIST_EXPECT_EQ(t, hoist_markup_name(&out, HOIST_MARKUP_XML, hoist_buffer_text(&name), 10),
                        10);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), "xxx\xe2\x80\xa6xxxend");
    HOIST_EXPECT_EQ(t, hoist_markup_columns(hoist_buffer_text(&name), 50), 50);
    hoist_buffer_deinit(&name);
    hoist_buffer_deinit(&out);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(names_are_escaped_and_cut), HOIST_TEST_ROW(long_names_take_no_time))
