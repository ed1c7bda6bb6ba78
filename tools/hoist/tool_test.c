// Parts of the command that no command line reaches one by one: exit codes, sizes, names of files.
#include <string.h>

#include "parse.h"
#include "testing/test.h"
#include "tool.h"

static const struct {
    const char *name;
    hoist_status status;
    tool_exit wanted;
} statuses[] = {
    {"ok", HOIST_OK, TOOL_OK},
    {"invalid", HOIST_INVALID, TOOL_UNREADABLE},
    {"truncated", HOIST_TRUNCATED, TOOL_UNREADABLE},
    {"unsupported", HOIST_UNSUPPORTED, TOOL_UNSUPPORTED},
    {"limit", HOIST_LIMIT, TOOL_LIMIT},
    {"no memory", HOIST_NO_MEMORY, TOOL_LIMIT},
    {"not found", HOIST_NOT_FOUND, TOOL_UNREADABLE},
    {"busy", HOIST_BUSY, TOOL_UNREADABLE},
    {"cancelled", HOIST_CANCELLED, TOOL_INTERRUPTED},
    {"io", HOIST_IO, TOOL_UNREADABLE},
    {"internal", HOIST_INTERNAL, TOOL_INTERNAL},
    {"none of them", (hoist_status)99, TOOL_INTERNAL},
};

HOIST_TEST_TABLE(statuses_have_exit_codes, statuses)
{
    HOIST_EXPECT_EQ(t, tool_exit_of(row->status), row->wanted);
}

// Design section 6: with several files the highest-ranking code counts.
HOIST_TEST(the_worse_exit_code_wins)
{
    static const tool_exit ranks[] = {TOOL_INTERNAL,   TOOL_INTERRUPTED, TOOL_LIMIT,
                                      TOOL_UNREADABLE, TOOL_UNSUPPORTED, TOOL_NO,
                                      TOOL_OK};
    for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
        for (size_t k = i; k < sizeof(ranks) / sizeof(ranks[0]); k++) {
            HOIST_EXPECT_EQ(t, tool_worse(ranks[i], ranks[k]), ranks[i]);
            HOIST_EXPECT_EQ(t, tool_worse(ranks[k], ranks[i]), ranks[i]);
        }
    }
}

static const struct {
    const char *name; // the text
    bool accepted;
    size_t wanted;
} sizes[] = {
    {"1", true, 1},
    {"512M", true, (size_t)512 << 20},
    {"3K", true, 3072},
    {"2G", true, (size_t)2 << 30},
    {"1T", true, (size_t)1 << 40},
    {"16777215T", true, (size_t)16777215 << 40},
    {"16777216T", false, 0},
    {"18446744073709551615", true, SIZE_MAX},
    {"18446744073709551616", false, 0},
    {"99999999999999999999999999", false, 0},
    {"0", false, 0},
    {"", false, 0},
    {"K", false, 0},
    {"-1", false, 0},
    {"+1", false, 0},
    {" 1", false, 0},
    {"1k", false, 0},
    {"1KB", false, 0},
    {"1 K", false, 0},
    {"0x10", false, 0},
    {"1.5G", false, 0},
};

HOIST_TEST_TABLE(sizes_of_options, sizes)
{
    size_t size = 77;
    HOIST_EXPECT_EQ(t, tool_parse_size(row->name, &size), row->accepted);
    HOIST_EXPECT_EQ(t, size, row->wanted);
}

HOIST_TEST(options_have_words)
{
    const tool_option *const formats = &tool_options[OPT_FORMAT];
    const tool_option option = {.words = "one two-two 3"};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_STR(t, tool_word_at(&option, 1), "two-two");
    HOIST_EXPECT(t, tool_word_at(&option, 3).data == NULL);
    HOIST_EXPECT_STR(t, tool_word_at(formats, 0), hoist_format_name(0));
    HOIST_EXPECT(t, tool_word_at(formats, hoist_format_count() - 1).data != NULL);
    HOIST_EXPECT(t, tool_word_at(formats, hoist_format_count()).data == NULL);
    tool_write_words(&option, ", ", " or ", &out);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), "one, two-two or 3");
    hoist_buffer_deinit(&out);
}

// 235 bytes, the longest name that a file gets whole.
#define FIVE_NAMES "nnnnnnnnnn_nnnnnnnnnn_nnnnnnnnnn_nnnnnnnnnn_nnn"
#define LONG_NAME FIVE_NAMES FIVE_NAMES FIVE_NAMES FIVE_NAMES FIVE_NAMES

static const struct {
    const char *name; // what a model says
    const char *wanted;
} file_names[] = {
    {"w", "w"},
    {"", ""},
    {"..", ".."},
    {"../up", "..%2Fup"},
    {"/etc/passwd", "%2Fetc%2Fpasswd"},
    {"50%", "50%25"},
    {"%2F", "%252F"},
    {"a\nb\x7f", "a%0Ab%7F"},
    {"\xc3\xa4 b", "\xc3\xa4 b"},
    {"\xe2\x80\xae"
     "a\xff",
     "%E2%80%AEa%FF"},
    {LONG_NAME, LONG_NAME},
    {LONG_NAME "n", LONG_NAME "%~7"},
    {LONG_NAME "nnnn", LONG_NAME "%~7"},
};

HOIST_TEST_TABLE(names_of_files, file_names)
{
    hoist_buffer file;
    hoist_buffer_init(&file, hoist_allocator_system());
    tool_file_name((hoist_str){row->name, strlen(row->name)}, 7, &file);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&file), row->wanted);
    hoist_buffer_deinit(&file);
}

static const struct {
    const char *name; // the type
    const char *wanted;
} bits[] = {
    {"f64", "f64"},    {"f32", "f32"},      {"tf32", "u32"},     {"f16", "u16"}, {"bf16", "u16"},
    {"f8e5m2", "u8"},  {"f8e4m3fn", "u8"},  {"i16", "i16"},      {"u64", "u64"}, {"bool", "bool"},
    {"tt-raw8", "u8"}, {"tt-raw16", "u16"}, {"tt-raw32", "u32"},
};

HOIST_TEST_TABLE(types_of_bits, bits)
{
    const hoist_dtype dtype = hoist_dtype_find((hoist_str){row->name, strlen(row->name)});
    HOIST_EXPECT_EQ(t, tool_bits_dtype(dtype),
                    hoist_dtype_find((hoist_str){row->wanted, strlen(row->wanted)}));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(statuses_have_exit_codes), HOIST_TEST_ROW(the_worse_exit_code_wins),
                HOIST_TEST_ROW(sizes_of_options), HOIST_TEST_ROW(options_have_words),
                HOIST_TEST_ROW(names_of_files), HOIST_TEST_ROW(types_of_bits))
