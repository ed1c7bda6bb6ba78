#include "codec/json_writer.h"
#include "report/rules.h"
#include "testing/test.h"

static const hoist_rule rows[] = {
    {"T-001", HOIST_ERROR, false, true, "a queue has a name that is not empty and not longer",
     "Other tools cut it.", "section 5.1; parser"},
    {"T-002a", HOIST_WARNING, true, false, "short", "", ""},
    {"T-003", HOIST_NOTE, false, true, "note", "", "ours"},
};
static const hoist_rule_set set = {"test", "test format", rows, HOIST_COUNT_OF(rows)};

typedef void render_fn(hoist_buffer *out);

static void list_narrow(hoist_buffer *out)
{
    hoist_rules_text(&set, 50, false, out);
}

static void list_wide(hoist_buffer *out)
{
    hoist_rules_text(&set, 0, true, out);
}

static void full(hoist_buffer *out)
{
    hoist_rule_text(&rows[0], 30, false, out);
}

static void full_short(hoist_buffer *out)
{
    hoist_rule_text(&rows[1], 30, true, out);
}

static void as_json(hoist_buffer *out)
{
    hoist_json_writer w;
    hoist_json_writer_init(&w, out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&w);
    hoist_rule_tree(&rows[1], "", &sink);
    hoist_json_writer_deinit(&w);
}

// clang-format off
static const struct {
    const char *name;
    render_fn *render;
    const char *want;
} cases[] = {
    {"list", list_narrow,
     "test: test format (3 rules)\n"
     "T-001   error    a queue has a name that is not\n"
     "                 empty and not longer\n"
     "T-002a  warning  short (not judged)\n"
     "T-003   note     note\n"},
    {"list, no limit, in color", list_wide,
     "\x1b[1mtest\x1b[0m: test format (3 rules)\n"
     "T-001   \x1b[1;31merror\x1b[0m    a queue has a name that is not empty and not longer\n"
     "T-002a  \x1b[1;35mwarning\x1b[0m  short (not judged)\n"
     "T-003   \x1b[1;36mnote\x1b[0m     note\n"},
    {"one in full", full,
     "T-001: error\n\na queue has a name that is not\nempty and not longer\n\n"
     "Other tools cut it.\n\nSource: section 5.1; parser\n"},
    {"one with little to say", full_short,
     "\x1b[1mT-002a\x1b[0m: \x1b[1;35mwarning\x1b[0m, an error with\n               --strict, not judged\n\n"
     "short\n"},
    {"JSON", as_json,
     "{\"id\":\"T-002a\","
     "\"severity\":\"warning\",\"strict_error\":true,\"judged\":false,\"title\":\"short\","
     "\"detail\":\"\",\"source\":\"\"}"},
};
// clang-format on

HOIST_TEST_TABLE(rules, cases)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    row->render(&out);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(failed_allocations_show)
{
    for (size_t n = 1; n < 20; n++) {
        hoist_failing failing;
        hoist_buffer out;
        hoist_buffer_init(&out, hoist_failing_allocator(&failing, n));
        list_narrow(&out);
        HOIST_EXPECT_EQ(t, out.failed, failing.requests >= n);
        hoist_buffer_deinit(&out);
        HOIST_EXPECT_EQ(t, failing.live, 0);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(rules), HOIST_TEST_ROW(failed_allocations_show))
