#include "base/utf8.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    size_t want;  // size of the sequence at 0
} cases[] = {
    {"ASCII",                        "a",                1},
    {"U+0080",                       "\xc2\x80",         2},
    {"U+07FF",                       "\xdf\xbf",         2},
    {"U+0800",                       "\xe0\xa0\x80",     3},
    {"U+D7FF",                       "\xed\x9f\xbf",     3},
    {"U+E000",                       "\xee\x80\x80",     3},
    {"U+FFFF",                       "\xef\xbf\xbf",     3},
    {"U+10000",                      "\xf0\x90\x80\x80", 4},
    {"U+10FFFF",                     "\xf4\x8f\xbf\xbf", 4},
    {"empty",                        "",                 0},
    {"continuation alone",           "\x80",             0},
    {"overlong slash, two bytes",    "\xc0\xaf",         0},
    {"overlong, c1",                 "\xc1\xbf",         0},
    {"overlong, three bytes",        "\xe0\x9f\xbf",     0},
    {"overlong, four bytes",         "\xf0\x8f\xbf\xbf", 0},
    {"surrogate U+D800",             "\xed\xa0\x80",     0},
    {"surrogate U+DFFF",             "\xed\xbf\xbf",     0},
    {"above U+10FFFF",               "\xf4\x90\x80\x80", 0},
    {"f5",                           "\xf5\x80\x80\x80", 0},
    {"ff",                           "\xff",             0},
    {"two bytes cut",                "\xc3",             0},
    {"three bytes cut",              "\xe2\x82",         0},
    {"four bytes cut",               "\xf0\x9f\x98",     0},
    {"third byte is no continuation", "\xe2\x82\x41",     0},
    {"fourth byte is no continuation", "\xf0\x9f\x98\x41", 0},
    {"second byte is a lead",        "\xc3\xc3",         0},
};
// clang-format on

HOIST_TEST_TABLE(sequence_size, cases)
{
    const hoist_str text = hoist_str_from(row->text);
    const hoist_bytes exact =
        hoist_test_exact(t, (hoist_bytes){(const uint8_t *)text.data, text.size});
    HOIST_EXPECT_EQ(t, hoist_utf8_size((hoist_str){(const char *)exact.data, exact.size}, 0),
                    row->want);
}

HOIST_TEST(every_code_point_round_trips)
{
    for (uint32_t c = 0; c <= 0x10ffff; c++) {
        if (c == 0xd800) {
            c = 0xe000;
        }
        char text[4];
        const size_t size = hoist_utf8_encode(c, text);
        const hoist_str one = {text, size};
        if (hoist_utf8_size(one, 0) != size || hoist_utf8_decode(one, 0, size) != c) {
            hoist_test_fail(t, __FILE__, __LINE__, "U+%04X", (unsigned)c);
        }
    }
    HOIST_EXPECT_EQ(t, hoist_utf8_size(HOIST_STR("ab"), 2), 0);
}

// clang-format off
static const struct {
    const char *name;
    uint32_t first; // and last: neither they nor what lies between is shown, but their neighbors are
    uint32_t last;
} hidden[] = {
    {"C0",                   0x00,    0x1f},
    {"DEL and C1",           0x7f,    0x9f},
    {"soft hyphen",          0xad,    0xad},
    {"Arabic numbers",       0x600,   0x605},
    {"Arabic letter mark",   0x61c,   0x61c},
    {"Syriac",               0x70f,   0x70f},
    {"Mongolian",            0x180e,  0x180e},
    {"joiners and marks",    0x200b,  0x200f},
    {"lines and overrides",  0x2028,  0x202e},
    {"invisible operators",  0x2060,  0x2064},
    {"isolates",             0x2066,  0x206f},
    {"byte order mark",      0xfeff,  0xfeff},
    {"annotations",          0xfff9,  0xfffb},
    {"hieroglyphs",          0x13430, 0x1343f},
    {"musical",              0x1d173, 0x1d17a},
    {"language tag",         0xe0001, 0xe0001},
    {"tags",                 0xe0020, 0xe007f},
};
// clang-format on

HOIST_TEST_TABLE(controls_and_formats_are_not_shown, hidden)
{
    for (uint32_t c = row->first; c <= row->last; c++) {
        HOIST_EXPECT(t, !hoist_utf8_is_shown(c));
    }
    HOIST_EXPECT(t, row->first == 0 || hoist_utf8_is_shown(row->first - 1));
    HOIST_EXPECT(t, hoist_utf8_is_shown(row->last + 1));
}

HOIST_TEST(what_is_shown_has_a_size)
{
    const hoist_str text = HOIST_STR("a\xc2\x9b\xe2\x82\xac\xff\xf0\x9f\x98\x80\xf3\xa0\x80\x81");
    HOIST_EXPECT_EQ(t, hoist_utf8_shown_size(text, 0), 1);
    HOIST_EXPECT_EQ(t, hoist_utf8_shown_size(text, 1), 0);
    HOIST_EXPECT_EQ(t, hoist_utf8_shown_size(text, 3), 3);
    HOIST_EXPECT_EQ(t, hoist_utf8_shown_size(text, 6), 0);
    HOIST_EXPECT_EQ(t, hoist_utf8_shown_size(text, 7), 4);
    HOIST_EXPECT_EQ(t, hoist_utf8_shown_size(text, 11), 0);
    HOIST_EXPECT_EQ(t, hoist_utf8_decode(text, 11, 4), 0xe0001);
    HOIST_EXPECT(t, hoist_utf8_is_shown(0x10ffff));
}

HOIST_TEST(text_is_all_well_formed)
{
    HOIST_EXPECT(t, hoist_utf8_is_text(HOIST_STR("")));
    HOIST_EXPECT(t, hoist_utf8_is_text(HOIST_STR("a\xc3\xa4 \xf0\x9f\x98\x80")));
    HOIST_EXPECT(t, !hoist_utf8_is_text(HOIST_STR("a\0b")));
    HOIST_EXPECT(t, !hoist_utf8_is_text(HOIST_STR("ab\xff")));
    HOIST_EXPECT(t, !hoist_utf8_is_text(HOIST_STR("ab\xc3")));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(sequence_size), HOIST_TEST_ROW(text_is_all_well_formed),
                HOIST_TEST_ROW(every_code_point_round_trips),
                HOIST_TEST_ROW(controls_and_formats_are_not_shown),
                HOIST_TEST_ROW(what_is_shown_has_a_size))
