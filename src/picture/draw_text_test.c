// The words of drawings fit their columns.
#include "base/alloc.h"
#include "base/span.h"
#include "picture/draw_text.h"
#include "testing/test.h"

static const struct {
    const char *name; // the tag
    size_t index;
} tags[] = {{"a", 0},   {"z", 25},  {"A", 26},   {"Z", 51},   {"aa", 52},
            {"az", 77}, {"ba", 78}, {"zz", 727}, {"##", 728}, {"##", SIZE_MAX}};

HOIST_TEST_TABLE(tags_are_letters, tags)
{
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_draw_tag(row->index).text), row->name);
}

static const struct {
    const char *name; // what is drawn
    size_t width;
    const char *cut;
    const char *left;
    const char *right;
} names[] = {
    // clang-format off
    {"abc",        5,  "abc",        "abc  ",      "  abc"},
    {"abcde",      5,  "abcde",      "abcde",      "abcde"},
    {"",           2,  "",           "  ",         "  "},
    {" ~\x1f\x7f.",  5,  " ~??.",      " ~??.",      " ~??."},
    {"abcdefghij", 0,  "",           "",           ""},
    {"abcdefghij", 4,  "abcd",       "abcd",       "abcd"},
    {"abcdefghij", 5,  "a..ij",      "a..ij",      "a..ij"},
    {"abcdefghij", 8,  "ab..ghij",   "ab..ghij",   "ab..ghij"},
    {"abcdefghij", 10, "abcdefghij", "abcdefghij", "abcdefghij"},
    {"a\xc3\xa9",   5,  "a??",        "a??  ",      "  a??"},
    // clang-format on
};

HOIST_TEST_TABLE(long_names_lose_their_middle, names)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    const size_t columns = hoist_draw_name(&out, hoist_str_from(row->name), row->width);
    HOIST_EXPECT_EQ(t, columns, out.size);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->cut);
    out.size = 0;
    hoist_draw_padded(&out, hoist_str_from(row->name), row->width, false);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->left);
    out.size = 0;
    hoist_draw_padded(&out, hoist_str_from(row->name), row->width, true);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->right);
    hoist_buffer_deinit(&out);
}

static const struct {
    const char *name; // the width that is asked for
    size_t width;
    size_t got;
} widths[] = {{"none", 0, HOIST_DRAW_DEFAULT_WIDTH},
              {"one", 1, HOIST_DRAW_LEAST_WIDTH},
              {"the least", HOIST_DRAW_LEAST_WIDTH, HOIST_DRAW_LEAST_WIDTH},
              {"one more", HOIST_DRAW_LEAST_WIDTH + 1, HOIST_DRAW_LEAST_WIDTH + 1}};

HOIST_TEST_TABLE(drawings_have_a_least_width, widths)
{
    HOIST_EXPECT_EQ(t, hoist_draw_width(row->width), row->got);
}

HOIST_TEST(sizes_and_ends_of_lines)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_draw_size(&out, 12 * 1024);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), "  12.0 KiB");
    out.size = 0;
    hoist_draw_short_size(&out, 12 * 1024);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), "12.0 KiB");
    hoist_buffer_c(&out, " x   ");
    hoist_draw_end_line(&out);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), "12.0 KiB x\n");
    hoist_buffer_deinit(&out);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(tags_are_letters), HOIST_TEST_ROW(long_names_lose_their_middle),
                HOIST_TEST_ROW(drawings_have_a_least_width),
                HOIST_TEST_ROW(sizes_and_ends_of_lines))
