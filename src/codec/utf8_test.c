#include "codec/utf8.h"
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
        if (hoist_utf8_size((hoist_str){text, size}, 0) != size) {
            hoist_test_fail(t, __FILE__, __LINE__, "U+%04X", (unsigned)c);
        }
    }
    HOIST_EXPECT_EQ(t, hoist_utf8_size(HOIST_STR("ab"), 2), 0);
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
                HOIST_TEST_ROW(every_code_point_round_trips))
