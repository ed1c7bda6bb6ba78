#include <math.h>

#include "report/value.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name;
    hoist_tree_event event;
    const char *want;
    const char *want_brief;
} scalars[] = {
    {"text",              {.kind = HOIST_TREE_STR, .str = {"gelu", 4}}, "gelu", "gelu"},
    {"yes",               {.kind = HOIST_TREE_BOOL, .boolean = true}, "yes", "yes"},
    {"no",                {.kind = HOIST_TREE_BOOL}, "no", "no"},
    {"null",              {.kind = HOIST_TREE_NULL}, "-", "-"},
    {"int",               {.kind = HOIST_TREE_INT, .integer = -1234567}, "-1234567", "-1234567"},
    {"smallest int",      {.kind = HOIST_TREE_INT, .integer = INT64_MIN}, "-9223372036854775808",
                          "-9223372036854775808"},
    {"uint",              {.kind = HOIST_TREE_UINT, .uinteger = UINT64_MAX},
                          "18446744073709551615", "18446744073709551615"},
    {"few bytes",         {.kind = HOIST_TREE_UINT, .unit = HOIST_UNIT_BYTES, .uinteger = 1023},
                          "1023", "1023 B"},
    {"1 KiB",             {.kind = HOIST_TREE_UINT, .unit = HOIST_UNIT_BYTES, .uinteger = 1024},
                          "1,024 (1.0 KiB)", "1.0 KiB"},
    {"rounded",           {.kind = HOIST_TREE_UINT, .unit = HOIST_UNIT_BYTES, .uinteger = 1048575},
                          "1,048,575 (1.0 MiB)", "1.0 MiB"},
    {"16.3 MiB",          {.kind = HOIST_TREE_UINT, .unit = HOIST_UNIT_BYTES, .uinteger = 17039392},
                          "17,039,392 (16.3 MiB)", "16.3 MiB"},
    {"most bytes",        {.kind = HOIST_TREE_UINT, .unit = HOIST_UNIT_BYTES,
                           .uinteger = UINT64_MAX},
                          "18,446,744,073,709,551,615 (16.0 EiB)", "16.0 EiB"},
    {"negative bytes",    {.kind = HOIST_TREE_INT, .unit = HOIST_UNIT_BYTES, .integer = -2048},
                          "-2,048 (2.0 KiB)", "-2.0 KiB"},
    {"bytes as float",    {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_BYTES, .number = 2048.4},
                          "2,048 (2.0 KiB)", "2.0 KiB"},
    {"address",           {.kind = HOIST_TREE_UINT, .unit = HOIST_UNIT_ADDRESS,
                           .uinteger = 0x30000000}, "0x30000000", "0x30000000"},
    {"percent",           {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_PERCENT, .number = 62.5},
                          "62.5 %", "62.5 %"},
    {"percent rounded",   {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_PERCENT,
                           .number = 200.0 / 3}, "66.7 %", "66.7 %"},
    {"percent, whole",    {.kind = HOIST_TREE_UINT, .unit = HOIST_UNIT_PERCENT, .uinteger = 62},
                          "62 %", "62 %"},
    {"percent, huge",     {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_PERCENT, .number = 1e300},
                          "1e+300", "1e+300"},
    {"seconds",           {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_SECONDS, .number = 1.5},
                          "1.50 s", "1.50 s"},
    {"milliseconds",      {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_SECONDS, .number = 0.012345},
                          "12.3 ms", "12.3 ms"},
    {"microseconds",      {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_SECONDS, .number = 0.000999},
                          "999 us", "999 us"},
    {"nanoseconds",       {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_SECONDS, .number = 9.996e-9},
                          "10.0 ns", "10.0 ns"},
    {"no time",           {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_SECONDS},
                          "0.00 ns", "0.00 ns"},
    {"days",              {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_SECONDS, .number = 1e6},
                          "1000000 s", "1000000 s"},
    {"less than no time", {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_SECONDS, .number = -0.5},
                          "-500 ms", "-500 ms"},
    {"time that is none", {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_SECONDS,
                           .number = (double)NAN}, "NaN", "NaN"},
    {"rate",              {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_RATE, .number = 12.34e9},
                          "12.3 GB/s", "12.3 GB/s"},
    {"operations",        {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_FLOPS, .number = 12.34e9},
     "12.3 GFLOP/s", "12.3 GFLOP/s"},
    {"some operations",   {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_FLOPS, .number = 1.5e6},
     "1.50 MFLOP/s", "1.50 MFLOP/s"},
    {"few operations",    {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_FLOPS, .number = 500},
     "0.50 kFLOP/s", "0.50 kFLOP/s"},
    {"slow",              {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_RATE, .number = 1.5e6},
                          "1.50 MB/s", "1.50 MB/s"},
    {"slowest",           {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_RATE, .number = 500},
                          "0.50 kB/s", "0.50 kB/s"},
    {"no bytes",          {.kind = HOIST_TREE_UINT, .unit = HOIST_UNIT_BYTES}, "0", "0 B"},
    {"seven digits",      {.kind = HOIST_TREE_UINT, .unit = HOIST_UNIT_BYTES, .uinteger = 1000000},
                          "1,000,000 (976.6 KiB)", "976.6 KiB"},
    {"zeros in groups",   {.kind = HOIST_TREE_UINT, .unit = HOIST_UNIT_BYTES, .uinteger = 1002003},
                          "1,002,003 (978.5 KiB)", "978.5 KiB"},
    {"address of an int", {.kind = HOIST_TREE_INT, .unit = HOIST_UNIT_ADDRESS, .integer = -16},
                          "-0x10", "-0x10"},
    {"percent, negative", {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_PERCENT, .number = -12.34},
                          "-12.3 %", "-12.3 %"},
    {"percent, zero",     {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_PERCENT}, "0 %", "0 %"},
    {"one digit before",  {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_SECONDS, .number = 9.99e-3},
                          "9.99 ms", "9.99 ms"},
    {"two digits before", {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_SECONDS, .number = 9.996e-3},
                          "10.0 ms", "10.0 ms"},
    {"three before",      {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_SECONDS, .number = 0.09996},
                          "100 ms", "100 ms"},
    {"just a second",     {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_SECONDS, .number = 1},
                          "1.00 s", "1.00 s"},
    {"below a second",    {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_SECONDS, .number = 0.9},
                          "900 ms", "900 ms"},
    {"just a GB/s",       {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_RATE, .number = 1e9},
                          "1.00 GB/s", "1.00 GB/s"},
    {"below a GB/s",      {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_RATE, .number = 999e6},
                          "999 MB/s", "999 MB/s"},
    {"seconds of a uint", {.kind = HOIST_TREE_UINT, .unit = HOIST_UNIT_SECONDS, .uinteger = 5},
                          "5", "5"},
    {"rate that is none", {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_RATE,
                           .number = (double)INFINITY}, "Infinity", "Infinity"},
    {"bytes beyond 2^53", {.kind = HOIST_TREE_FLOAT, .unit = HOIST_UNIT_BYTES, .number = 1e18},
                          "1e+18", "1e+18"},
    {"float",             {.kind = HOIST_TREE_FLOAT, .number = 100.0 / 3}, "33.3333", "33.33"},
    {"beyond 64 bits",    {.kind = HOIST_TREE_FLOAT, .number = 18446744073709551616.0,
                           .str = {"18446744073709551617", 20}}, "18446744073709551617",
                          "18446744073709551617"},
    {"NaN",               {.kind = HOIST_TREE_FLOAT, .number = (double)NAN}, "NaN", "NaN"},
    {"infinity",          {.kind = HOIST_TREE_FLOAT, .number = (double)INFINITY}, "Infinity",
                          "Infinity"},
    {"minus infinity",    {.kind = HOIST_TREE_FLOAT, .number = -(double)INFINITY}, "-Infinity",
                          "-Infinity"},
    {"empty list",        {.kind = HOIST_TREE_LIST}, "none", "none"},
    {"empty map",         {.kind = HOIST_TREE_MAP}, "none", "none"},
};
// clang-format on

static const struct {
    const char *name;
    hoist_tree_kind kind;
    bool is_number; // columns of numbers are aligned right
} kinds[] = {
    {"int", HOIST_TREE_INT, true},     {"uint", HOIST_TREE_UINT, true},
    {"float", HOIST_TREE_FLOAT, true}, {"text", HOIST_TREE_STR, false},
    {"bool", HOIST_TREE_BOOL, false},  {"null", HOIST_TREE_NULL, false},
    {"map", HOIST_TREE_MAP, false},    {"list", HOIST_TREE_LIST, false},
};

HOIST_TEST_TABLE(numbers, kinds)
{
    const hoist_value v = {.event = {.kind = row->kind}};
    HOIST_EXPECT_EQ(t, hoist_value_is_number(&v), row->is_number);
}

static void expect_words(hoist_test *t, const hoist_value *v, bool brief, const char *want)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_value_write(&out, v, brief);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), want);
    hoist_buffer_deinit(&out);
}

HOIST_TEST_TABLE(scalars_and_units, scalars)
{
    const hoist_value v = {.event = row->event};
    expect_words(t, &v, false, row->want);
    expect_words(t, &v, true, row->want_brief);
    HOIST_EXPECT(t, hoist_value_is_line(&v));
}

// [1, [2], [], {x: 3}]
HOIST_TEST(nested_values_on_one_line)
{
    hoist_value three = {.event = {.kind = HOIST_TREE_INT, .integer = 3, .key = HOIST_STR("x")}};
    hoist_value map = {.event = {.kind = HOIST_TREE_MAP}, .first = &three, .count = 1};
    hoist_value empty = {.event = {.kind = HOIST_TREE_LIST}, .next = &map};
    hoist_value two = {.event = {.kind = HOIST_TREE_INT, .integer = 2}};
    hoist_value inner = {
        .event = {.kind = HOIST_TREE_LIST}, .first = &two, .count = 1, .next = &empty};
    hoist_value one = {.event = {.kind = HOIST_TREE_INT, .integer = 1}, .next = &inner};
    hoist_value list = {.event = {.kind = HOIST_TREE_LIST}, .first = &one, .count = 4};
    expect_words(t, &list, false, "1, [2], [], {x: 3}");
    expect_words(t, &map, false, "x: 3");
    HOIST_EXPECT(t, !hoist_value_is_line(&list));
    HOIST_EXPECT(t, !hoist_value_is_line(&map));
    HOIST_EXPECT(t, hoist_value_is_line(&inner));
    list.event.inline_hint = true;
    HOIST_EXPECT(t, hoist_value_is_line(&list));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(scalars_and_units), HOIST_TEST_ROW(numbers),
                HOIST_TEST_ROW(nested_values_on_one_line))
