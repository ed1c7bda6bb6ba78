#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/span.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name; // the text
    bool octal;
    bool accepted;
    int64_t wanted;
} integers[] = {
    {"0", false, true, 0},           {"-0", false, true, 0},        {"+7", false, true, 7},
    {"00", false, true, 0},          {"010", false, true, 10},      {"-010", false, true, -10},
    {"0", true, true, 0},            {"00", true, true, 0},         {"010", true, true, 8},
    {"-010", true, true, -8},        {"08", true, false, 0},        {"018", true, false, 0},
    {"0x10", false, true, 16},       {"0X1f", true, true, 31},      {"-0xFf", false, true, -255},
    {"0x", false, false, 0},         {"0x", true, false, 0},        {"0xg", false, false, 0},
    {"-", false, false, 0},          {"+", false, false, 0},        {"+-1", false, false, 0},
    {"", false, false, 0},           {" 1", false, false, 0},       {"1 ", false, false, 0},
    {"1.0", false, false, 0},        {"1e3", false, false, 0},      {"12abc", false, false, 0},
    {"1_000", false, false, 0},      {"a", false, false, 0},        {"/", false, false, 0},
    {":", false, false, 0},          {"--1", false, false, 0},      {"0o17", true, false, 0},
    {"9223372036854775807", false, true, INT64_MAX},
    {"9223372036854775808", false, false, 0},
    {"-9223372036854775808", false, true, INT64_MIN},
    {"-9223372036854775809", false, false, 0},
    {"0x7fffffffffffffff", false, true, INT64_MAX},
    {"0x8000000000000000", false, false, 0},
    {"-0x8000000000000000", false, true, INT64_MIN},
    {"0777777777777777777777", true, true, INT64_MAX},
    {"01000000000000000000000", true, false, 0},
    {"99999999999999999999999999", false, false, 0},
};
// clang-format on

HOIST_TEST_TABLE(texts_to_integers, integers)
{
    int64_t got = 77;
    const hoist_bytes text = {(const uint8_t *)row->name, hoist_str_from(row->name).size};
    const hoist_bytes exact = hoist_test_exact(t, text);
    const hoist_str s = {(const char *)exact.data, exact.size};
    HOIST_EXPECT_EQ(t, hoist_str_to_i64(s, row->octal, &got), row->accepted);
    HOIST_EXPECT_EQ(t, got, row->wanted);
}

HOIST_TEST(integers_come_back)
{
    uint64_t seed = 11;
    for (int i = 0; i < 2000; i++) {
        // Of every length: as many high bits dropped as the number says.
        const uint64_t bits = hoist_test_random(&seed);
        const int64_t wanted = (int64_t)bits >> (bits % 64);
        int64_t got = 0;
        const hoist_str text = hoist_arena_format(&t->arena, "%" PRId64, wanted);
        HOIST_EXPECT(t, hoist_str_to_i64(text, true, &got));
        HOIST_EXPECT_EQ(t, got, wanted);
    }
}

// clang-format off
static const struct {
    const char *name; // the text
    bool accepted;
    double wanted;
} floats[] = {
    {"0", true, 0},               {"1.5", true, 1.5},            {"-1.25e3", true, -1250},
    {"+2", true, 2},              {".5", true, .5},              {"5.", true, 5},
    {"1e3", true, 1000},          {"1E+3", true, 1000},          {"1e-3", true, 1e-3},
    {"0.1", true, 0.1},           {"1e-5", true, 1e-5},          {"3.4028235e38", true, 3.4028235e38},
    {"1.7976931348623157e308", true, 1.7976931348623157e308},
    {"4.9e-324", true, 4.9e-324}, {"1e-999999999999999999999", true, 0},
    {"1e999", true, INFINITY},    {"-1e999999999999999999999", true, -INFINITY},
    {"000000000000000000001", true, 1},
    {".inf", true, INFINITY},     {"+.INF", true, INFINITY},     {"-.Inf", true, -INFINITY},
    {"", false, 0},               {".", false, 0},               {"-", false, 0},
    {"-.", false, 0},             {"e5", false, 0},              {"1e", false, 0},
    {"1e+", false, 0},            {"1e5.", false, 0},            {"1.2.3", false, 0},
    {"1,5", false, 0},            {"0x1p3", false, 0},           {"0x10", false, 0},
    {"inf", false, 0},            {"infinity", false, 0},        {"nan", false, 0},
    {"+-1", false, 0},            {" 1", false, 0},              {"1 ", false, 0},
    {"1f", false, 0},             {"1e5 ", false, 0},            {".e5", false, 0},
};
// clang-format on

HOIST_TEST_TABLE(texts_to_floats, floats)
{
    double got = 77;
    HOIST_EXPECT_EQ(t, hoist_str_to_f64(hoist_str_from(row->name), &got), row->accepted);
    HOIST_EXPECT(t, got == row->wanted);
}

HOIST_TEST(not_a_number_has_a_name)
{
    double got = 0;
    HOIST_EXPECT(t, hoist_str_to_f64(HOIST_STR(".NaN"), &got) && isnan(got));
    HOIST_EXPECT(t, !hoist_str_to_f64(HOIST_STR("-.nan"), &got) && got == 0);
}

HOIST_TEST(floats_come_back)
{
    uint64_t seed = 13;
    for (int i = 0; i < 2000; i++) {
        const uint64_t bits = hoist_test_random(&seed);
        const double wanted = ldexp((double)(int64_t)bits, (int)(bits % 1200) - 600);
        double got = 0;
        const hoist_str text = hoist_arena_format(&t->arena, "%.17g", wanted);
        HOIST_EXPECT(t, hoist_str_to_f64(text, &got));
        HOIST_EXPECT(t, got == wanted);
    }
}

HOIST_TEST(long_texts_have_a_limit)
{
    double got = 0;
    const hoist_str longest = hoist_arena_format(&t->arena, "0.%0509d5", 0);
    HOIST_EXPECT_EQ(t, longest.size, 512);
    HOIST_EXPECT(t, hoist_str_to_f64(longest, &got) && got == 0);
    HOIST_EXPECT(t, !hoist_str_to_f64(hoist_arena_format(&t->arena, "%0513d", 5), &got));
}

// A program that uses the library may have set a locale whose decimal mark is a comma.
HOIST_TEST(floats_do_not_follow_the_locale)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "ru_RU.UTF-8"};
    bool set = false;
    for (size_t i = 0; i < HOIST_COUNT_OF(names) && !set; i++) {
        set = setlocale(LC_NUMERIC, names[i]) != NULL;
    }
    if (!set) {
        hoist_test_skip(t, "no locale with a decimal comma is installed");
    }
    double got = 0;
    HOIST_EXPECT(t, hoist_str_to_f64(HOIST_STR("1.5"), &got) && got == 1.5);
    HOIST_EXPECT(t, !hoist_str_to_f64(HOIST_STR("1,5"), &got));
    (void)setlocale(LC_NUMERIC, "C");
}

static const struct {
    const char *name;
    const char *a;
    const char *b;
    bool equal;
    bool nocase;
    bool starts; // a starts with b
    bool ends;
    bool contains;
    int order;
} pairs[] = {
    {"same", "abc", "abc", true, true, true, true, true, 0},
    {"case", "aBc", "AbC", false, true, false, false, false, 1},
    {"prefix", "abc", "ab", false, false, true, false, true, 1},
    {"suffix", "abc", "bc", false, false, false, true, true, -1},
    {"inside", "abcd", "bc", false, false, false, false, true, -1},
    {"longer", "ab", "abc", false, false, false, false, false, -1},
    {"both ends", "abab", "ab", false, false, true, true, true, 1},
    {"not ASCII", "\xc3\xa4", "\xc3\x84", false, false, false, false, false, 1},
    {"brackets are no letters", "[", "{", false, false, false, false, false, -1},
    {"at signs are no letters", "@", "`", false, false, false, false, false, -1},
    {"nothing in something", "a", "", false, false, true, true, true, 1},
};

HOIST_TEST_TABLE(texts_compare, pairs)
{
    const hoist_str a = hoist_str_from(row->a);
    const hoist_str b = hoist_str_from(row->b);
    HOIST_EXPECT_EQ(t, hoist_str_equal(a, b), row->equal);
    HOIST_EXPECT_EQ(t, hoist_str_equal_c(b, row->a), row->equal);
    HOIST_EXPECT_EQ(t, hoist_str_equal_nocase(a, b), row->nocase);
    HOIST_EXPECT_EQ(t, hoist_str_starts_with(a, row->b), row->starts);
    HOIST_EXPECT_EQ(t, hoist_str_ends_with(a, row->b), row->ends);
    HOIST_EXPECT_EQ(t, hoist_str_contains(a, row->b), row->contains);
    const int forward = hoist_str_compare(a, b);
    const int backward = hoist_str_compare(b, a);
    HOIST_EXPECT_EQ(t, (forward > 0) - (forward < 0), row->order);
    HOIST_EXPECT_EQ(t, (backward > 0) - (backward < 0), -row->order);
    HOIST_EXPECT(t, !row->equal || hoist_str_hash(a, 5) == hoist_str_hash(b, 5));
    HOIST_EXPECT(t, row->equal || hoist_str_hash(a, 5) != hoist_str_hash(b, 5));
    HOIST_EXPECT(t, hoist_str_hash(a, 5) != hoist_str_hash(a, 6));
}

HOIST_TEST(nothing_equals_nothing)
{
    const hoist_str none = hoist_str_from(NULL);
    HOIST_EXPECT_EQ(t, none.size, 0);
    HOIST_EXPECT(t, hoist_str_equal(none, HOIST_STR("")));
    HOIST_EXPECT(t, hoist_str_equal_nocase(none, HOIST_STR("")));
    HOIST_EXPECT_EQ(t, hoist_str_compare(none, HOIST_STR("")), 0);
    HOIST_EXPECT(t, hoist_str_slice(none, 3, 2).data == NULL);
}

static const struct {
    const char *name;
    size_t start;
    size_t size;
    const char *wanted;
} slices[] = {
    {"all", 0, 5, "hello"}, {"more than all", 0, SIZE_MAX, "hello"},
    {"head", 0, 2, "he"},   {"tail", 3, SIZE_MAX, "lo"},
    {"end", 5, 1, ""},      {"past", 9, 1, ""},
    {"none", 2, 0, ""},
};

HOIST_TEST_TABLE(slices_are_clamped, slices)
{
    const hoist_str text = HOIST_STR("hello");
    const hoist_str part = hoist_str_slice(text, row->start, row->size);
    HOIST_EXPECT_STR(t, part, row->wanted);
    HOIST_EXPECT(t, part.data >= text.data && part.data + part.size <= text.data + text.size);
}

// The first rows of the vectors for SipHash-1-3 with the key 00 01 ... 0f over 00 01 02 ...
HOIST_TEST(siphash_is_keyed)
{
    const uint64_t k0 = 0x0706050403020100u;
    const uint64_t k1 = 0x0f0e0d0c0b0a0908u;
    HOIST_EXPECT_EQ(t, hoist_str_siphash(HOIST_STR(""), k0, k1), 0xabac0158050fc4dcu);
    HOIST_EXPECT_EQ(t, hoist_str_siphash((hoist_str){NULL, 0}, k0, k1), 0xabac0158050fc4dcu);
    const hoist_str text = HOIST_STR("a name of 16 byt");
    uint64_t seen[17];
    for (size_t i = 0; i <= 16; i++) {
        seen[i] = hoist_str_siphash(hoist_str_slice(text, 0, i), k0, k1);
        HOIST_EXPECT(t, seen[i] != hoist_str_siphash(hoist_str_slice(text, 0, i), k0, k1 + 1));
        HOIST_EXPECT(t, seen[i] != hoist_str_siphash(hoist_str_slice(text, 0, i), k0 + 1, k1));
        for (size_t k = 0; k < i; k++) {
            HOIST_EXPECT(t, seen[k] != seen[i]);
        }
    }
}

// clang-format off
static const struct {
    const char *name;
    size_t before;     // letters
    const char *tail;  // repeated 100 times
    size_t want_size;
    const char *want_end;
} shown[] = {
    {"short", 10, "", 10, "nnn"},
    {"at the limit", 512, "", 512, "nnn"},
    {"one more", 513, "", 512, "n..."},
    {"a character of two bytes across the cut", 508, "\xc3\xa9", 511, "n..."},
    {"a character of two bytes before it", 507, "\xc3\xa9", 512, "n\xc3\xa9..."},
    {"a character of four bytes across the cut", 506, "\xf0\x9f\x98\x80", 509, "n..."},
    {"bytes that are no text", 400, "\x80\x80", 509, "\x80..."},
};
// clang-format on

HOIST_TEST_TABLE(long_names_are_shown_cut, shown)
{
    hoist_buffer name;
    hoist_buffer_init(&name, hoist_allocator_system());
    hoist_buffer_fill(&name, 'n', row->before);
    for (int i = 0; i < 100; i++) {
        hoist_buffer_c(&name, row->tail);
    }
    const hoist_bytes exact = hoist_test_exact(t, hoist_buffer_bytes(&name));
    const hoist_str s = {(const char *)exact.data, exact.size};
    const hoist_str text = hoist_arena_format(&t->arena, "%.*s", HOIST_STR_ARGS(s));
    HOIST_EXPECT_EQ(t, text.size, row->want_size);
    HOIST_EXPECT(t, hoist_str_ends_with(text, row->want_end));
    hoist_buffer_deinit(&name);
}

HOIST_TEST(counts_have_their_noun)
{
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_plural(1, "entry", "entries")), "entry");
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_plural(0, "entry", "entries")), "entries");
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_plural(2, "entry", "entries")), "entries");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(texts_to_integers), HOIST_TEST_ROW(integers_come_back),
                HOIST_TEST_ROW(texts_to_floats), HOIST_TEST_ROW(not_a_number_has_a_name),
                HOIST_TEST_ROW(floats_come_back), HOIST_TEST_ROW(long_texts_have_a_limit),
                HOIST_TEST_ROW(floats_do_not_follow_the_locale), HOIST_TEST_ROW(texts_compare),
                HOIST_TEST_ROW(nothing_equals_nothing), HOIST_TEST_ROW(slices_are_clamped),
                HOIST_TEST_ROW(siphash_is_keyed), HOIST_TEST_ROW(long_names_are_shown_cut),
                HOIST_TEST_ROW(counts_have_their_noun))
