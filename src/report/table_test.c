#include "report/table.h"
#include "testing/test.h"

#define S(literal)                                                                                 \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }

static const hoist_table_column named[] = {
    {S("name"), false}, {S("count"), true}, {S("uses"), false}};
static const hoist_str two_rows[] = {S("matmul"), S("12"), S("q0 and weights"),
                                     S("g"),      S("1"),  S("")};
static const hoist_table uses = {named, 3, two_rows, 2};

static const hoist_table_column texts[] = {{S("a"), false}, {S("b"), false}};
static const hoist_str long_cells[] = {S("abcdefghijklmnopqrstuvwxyz"),
                                       S("one two three four five")};
static const hoist_table two_texts = {texts, 2, long_cells, 1};

static const hoist_table_column titles[] = {{S("cycles per input"), true}, {S("x"), true}};
static const hoist_str digits[] = {S("1234"), S("-5")};
static const hoist_table numbers = {titles, 2, digits, 1};

static const hoist_str accents[] = {
    S("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"), S("x"),
    S("abcdefghijklmnopqr"), S("\xc3\xa9")};
static const hoist_table letters = {texts, 2, accents, 2};

static const hoist_table no_rows = {named, 3, NULL, 0};

// clang-format off
static const struct {
    const char *name;
    const hoist_table *table;
    size_t indent;
    size_t width;
    size_t want_width;
    size_t want_least;
    const char *want;
} cases[] = {
    {"fits", &uses, 0, 80, 29, 22,
     "name    count  uses\n"
     "matmul     12  q0 and weights\n"
     "g           1\n"},
    {"fits exactly, indented", &uses, 2, 31, 29, 22,
     "  name    count  uses\n"
     "  matmul     12  q0 and weights\n"
     "  g           1\n"},
    {"one too narrow", &uses, 2, 30, 29, 22,
     "  name    count  uses\n"
     "  matmul     12  q0 and\n"
     "                 weights\n"
     "  g           1\n"},
    {"no limit", &two_texts, 0, 0, 51, 23,
     "a                           b\n"
     "abcdefghijklmnopqrstuvwxyz  one two three four five\n"},
    {"the last text column first", &two_texts, 0, 44, 51, 23,
     "a                           b\n"
     "abcdefghijklmnopqrstuvwxyz  one two three\n"
     "                            four five\n"},
    {"words stay whole", &two_texts, 0, 34, 51, 23,
     "a                           b\n"
     "abcdefghijklmnopqrstuvwxyz  one\n"
     "                            two\n"
     "                            three\n"
     "                            four\n"
     "                            five\n"},
    {"then the widest", &two_texts, 0, 32, 51, 23,
     "a                 b\n"
     "abcdefghijklmnop  one two three\n"
     "qrstuvwxyz        four five\n"},
    {"at its least", &two_texts, 0, 5, 51, 23,
     "a                 b\n"
     "abcdefghijklmnop  one\n"
     "qrstuvwxyz        two\n"
     "                  three\n"
     "                  four\n"
     "                  five\n"},
    {"titles break, numbers do not", &numbers, 0, 12, 20, 10,
     "  cycles   x\n"
     "     per\n"
     "   input\n"
     "    1234  -5\n"},
    {"letters of two bytes", &letters, 0, 20, 21, 19,
     "a                  b\n"
     "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9          x\n"
     "abcdefghijklmnopq  \xc3\xa9\n"
     "r\n"},
    {"only a header", &no_rows, 0, 80, 17, 17,
     "name  count  uses\n"},
};
// clang-format on

HOIST_TEST_TABLE(layouts, cases)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_table_width(row->table), row->want_width);
    HOIST_EXPECT_EQ(t, hoist_table_least(row->table), row->want_least);
    HOIST_EXPECT_EQ(t,
                    hoist_table_write(row->table, row->indent, row->width, false, &t->arena, &out),
                    HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want);
    hoist_buffer_deinit(&out);
}

// Whatever the width: no line is longer than the larger of it and the least width.
HOIST_TEST(every_width_is_kept)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(cases); i++) {
        const size_t least = hoist_table_least(cases[i].table);
        for (size_t width = 1; width < 60; width++) {
            hoist_buffer out;
            hoist_buffer_init(&out, hoist_allocator_system());
            HOIST_EXPECT_EQ(t, hoist_table_write(cases[i].table, 0, width, false, &t->arena, &out),
                            HOIST_OK);
            size_t column = 0;
            for (size_t k = 0; k < out.size; k++) {
                column += (out.data[k] & 0xc0u) != 0x80u;
                column = out.data[k] == '\n' ? 0 : column;
                HOIST_EXPECT(t, column <= (width > least ? width : least));
            }
            hoist_buffer_deinit(&out);
        }
    }
}

HOIST_TEST(header_in_bold)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_table_write(&numbers, 1, 12, true, &t->arena, &out), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out),
                     "\x1b[1m  cycles   x\x1b[0m\n\x1b[1m     per\x1b[0m\n\x1b[1m   input\x1b[0m\n"
                     "    1234  -5\n");
    hoist_buffer_deinit(&out);
}

// Rows that are not kept look as in a table that has all the space it wants.
HOIST_TEST(rows_that_flow)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(cases); i++) {
        const hoist_table *table = cases[i].table;
        hoist_table_flow flow = {.columns = table->columns, .column_count = table->column_count};
        hoist_buffer kept;
        hoist_buffer out;
        hoist_buffer_init(&kept, hoist_allocator_system());
        hoist_buffer_init(&out, hoist_allocator_system());
        hoist_table_flow_measure(&flow, NULL);
        for (size_t row = 0; row < table->row_count; row++) {
            hoist_table_flow_measure(&flow, table->cells + row * table->column_count);
        }
        HOIST_EXPECT_EQ(t, hoist_table_flow_width(&flow), hoist_table_width(table));
        hoist_table_flow_row(&flow, NULL, 2, true, &out);
        for (size_t row = 0; row < table->row_count; row++) {
            hoist_table_flow_row(&flow, table->cells + row * table->column_count, 2, true, &out);
        }
        HOIST_EXPECT_EQ(t, hoist_table_write(table, 2, 0, true, &t->arena, &kept), HOIST_OK);
        HOIST_EXPECT_STR(t, hoist_buffer_text(&out),
                         (const char *)hoist_arena_str(&t->arena, hoist_buffer_text(&kept)).data);
        hoist_buffer_deinit(&kept);
        hoist_buffer_deinit(&out);
    }
}

HOIST_TEST(scratch_memory_runs_out)
{
    hoist_failing failing;
    hoist_arena arena;
    hoist_buffer out;
    hoist_arena_init(&arena, hoist_failing_allocator(&failing, 1));
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_table_write(&uses, 0, 80, false, &arena, &out), HOIST_NO_MEMORY);
    HOIST_EXPECT_EQ(t, out.size, 0);
    hoist_buffer_deinit(&out);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(layouts), HOIST_TEST_ROW(every_width_is_kept),
                HOIST_TEST_ROW(header_in_bold), HOIST_TEST_ROW(rows_that_flow),
                HOIST_TEST_ROW(scratch_memory_runs_out))
