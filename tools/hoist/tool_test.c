// Parts of the command that no command line reaches one by one: exit codes and sizes.
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

HOIST_TEST(all_formats_can_be_asked_for)
{
    hoist_buffer names;
    hoist_buffer_init(&names, hoist_allocator_system());
    for (size_t i = 0; i < hoist_format_count(); i++) {
        hoist_buffer_format(&names, "%s%s", i ? " " : "", hoist_format_name(i));
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&names), tool_options[OPT_FORMAT].words);
    hoist_buffer_deinit(&names);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(statuses_have_exit_codes), HOIST_TEST_ROW(the_worse_exit_code_wins),
                HOIST_TEST_ROW(sizes_of_options), HOIST_TEST_ROW(all_formats_can_be_asked_for))
