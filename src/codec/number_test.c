#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codec/number.h"
#include "testing/test.h"

static hoist_str written(hoist_test *t, double value, int digits)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_number_write(&out, value, digits);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return copy;
}

// clang-format off
static const struct {
    const char *name;
    double value;
    int digits;
    const char *want;
} writes[] = {
    {"zero",                  0.0,                    0, "0"},
    {"minus zero",            -0.0,                   0, "-0"},
    {"integer",               3.0,                    0, "3"},
    {"a tenth",               0.1,                    0, "0.1"},
    {"needs 16",              0.3 + 0.6,              0, "0.8999999999999999"},
    {"needs 17",              0.1 + 0.2,              0, "0.30000000000000004"},
    {"largest",               DBL_MAX,                0, "1.7976931348623157e+308"},
    {"smallest normal",       DBL_MIN,                0, "2.2250738585072014e-308"},
    {"smallest",              4.9406564584124654e-324, 0, "4.94065645841247e-324"},
    {"large power",           1e22,                   0, "1e+22"},
    {"six digits",            100.0 / 3.0,            6, "33.3333"},
    {"one digit",             0.0625,                 1, "0.06"},
};

static const struct {
    const char *name;
    const char *text;
    double want;
} reads[] = {
    {"zero",                   "0",                        0.0},
    {"minus zero",             "-0",                       -0.0},
    {"minus zero, exponent",   "-0.000e999999999999",      -0.0},
    {"integer",                "42",                       42.0},
    {"fraction",               "0.001",                    0.001},
    {"exponent",               "1e3",                      1000.0},
    {"signed exponents",       "-12.5E+1",                 -125.0},
    {"negative exponent",      "25e-2",                    0.25},
    {"fast path's edge",       "999999999999999e22",       999999999999999e22},
    {"beyond the fast path",   "9007199254740993",         9007199254740992.0},
    {"halfway, sticky",        "9007199254740993.00000000000000000000000001", 9007199254740994.0},
    {"2^64",                   "18446744073709551616",     18446744073709551616.0},
    {"largest",                "1.7976931348623157e308",   DBL_MAX},
    {"over the largest",       "1e309",                    INFINITY},
    {"minus over the largest", "-1e309",                   -INFINITY},
    {"absurd exponent",        "1e99999999999999999999",   INFINITY},
    {"absurd small exponent",  "1e-99999999999999999999",  0.0},
    {"denormal",               "5e-324",                   4.9406564584124654e-324},
    {"famous hang",            "2.2250738585072011e-308",  2.2250738585072011e-308},
};
// clang-format on

HOIST_TEST_TABLE(writes_fewest_digits, writes)
{
    HOIST_EXPECT_STR(t, written(t, row->value, row->digits), row->want);
}

HOIST_TEST_TABLE(reads_rounded, reads)
{
    const double got = hoist_number_read(hoist_str_from(row->text));
    HOIST_EXPECT(t, got == row->want && signbit(got) == signbit(row->want));
}

static void put(char *at, const char *digits)
{
    while (*digits) {
        *at++ = *digits++;
    }
}

// More digits than are kept: only a later digit says that the value is above the halfway point.
HOIST_TEST(long_tails_count)
{
    static char text[2100];
    memset(text, '0', sizeof(text));
    put(text, "9007199254740993.");
    HOIST_EXPECT(t, hoist_number_read((hoist_str){text, sizeof(text)}) == 9007199254740992.0);
    text[2099] = '1';
    HOIST_EXPECT(t, hoist_number_read((hoist_str){text, sizeof(text)}) == 9007199254740994.0);
    memset(text, '1', sizeof(text));
    HOIST_EXPECT(t, isinf(hoist_number_read((hoist_str){text, sizeof(text)})));
    put(text + 2094, "e-2094");
    HOIST_EXPECT(t, hoist_number_read((hoist_str){text, sizeof(text)}) == 1.0 / 9.0);
}

static double random_double(uint64_t *seed)
{
    double value = 0;
    do {
        const uint64_t bits = hoist_test_random(seed);
        memcpy(&value, &bits, sizeof(value));
    } while (!isfinite(value));
    return value;
}

HOIST_TEST(random_doubles_round_trip)
{
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        hoist_arena_deinit(&t->arena);
        const double value = random_double(&seed);
        const double again = hoist_number_read(written(t, value, 0));
        if (again != value) {
            hoist_test_fail(t, __FILE__, __LINE__, "%a became %a", value, again);
        }
    }
}

HOIST_TEST(locale_does_not_matter)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8", "de_DE"};
    size_t tried = 0;
    for (size_t i = 0; i < HOIST_COUNT_OF(names); i++) {
        if (setlocale(LC_ALL, names[i])) {
            tried++;
            HOIST_EXPECT_STR(t, written(t, 1234.5, 0), "1234.5");
            HOIST_EXPECT(t, hoist_number_read(HOIST_STR("0.30000000000000004")) == 0.1 + 0.2);
        }
    }
    (void)setlocale(LC_ALL, "C");
    if (tried == 0) {
        hoist_test_skip(t, "no locale with a decimal comma is installed");
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(writes_fewest_digits), HOIST_TEST_ROW(reads_rounded),
                HOIST_TEST_ROW(long_tails_count), HOIST_TEST_ROW(random_doubles_round_trip),
                HOIST_TEST_ROW(locale_does_not_matter))
