#include "codec/json_writer.h"
#include "report/rules.h"
#include "testing/test.h"

static const hoist_rule rows[] = {
    {"T-001", HOIST_ERROR, false, true, HOIST_REFUSER_PARSER | HOIST_REFUSER_RUNTIME,
     "a queue has a name that is not empty and not longer", "Other tools cut it.", "section 5.1"},
    {"T-002a", HOIST_WARNING, true, false, 0, "short", "", ""},
    {"T-003", HOIST_NOTE, false, true, HOIST_REFUSER_NONE, "note", "", "ours"},
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

// Columns that are too few for the longest word of a title: it begins below its id.
static void list_below(hoist_buffer *out)
{
    hoist_rules_text(&set, 22, false, out);
}

static void list_of_one(hoist_buffer *out)
{
    static const hoist_rule_set one = {"one", "of one", rows + 2, 1};
    hoist_rules_text(&one, 0, false, out);
}

static void list_of_none(hoist_buffer *out)
{
    static const hoist_rule_set none = {"none", "of none", rows, 0};
    hoist_rules_text(&none, 0, false, out);
}

// Rules of callers may lack a detail and a source.
static void full_without_texts(hoist_buffer *out)
{
    static const hoist_rule rule = {"T-009", HOIST_NOTE, false, true, 0, "title", NULL, NULL};
    hoist_rule_text(&rule, 0, false, out);
}

static void full_without_detail(hoist_buffer *out)
{
    hoist_rule_text(&rows[2], 0, false, out);
}

static void as_json(hoist_buffer *out)
{
    hoist_json_writer w;
    hoist_json_writer_init(&w, out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&w);
    hoist_tree_list(&sink, "");
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        hoist_rule_tree(&rows[i], "", &sink);
    }
    hoist_tree_end(&sink);
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
     "T-002a  warning  short (not checked)\n"
     "T-003   note     note\n"},
    {"list, no limit, in color", list_wide,
     "\x1b[1mtest\x1b[0m: test format (3 rules)\n"
     "T-001   \x1b[1;31merror\x1b[0m    a queue has a name that is not empty and not longer\n"
     "T-002a  \x1b[1;35mwarning\x1b[0m  short (not checked)\n"
     "T-003   \x1b[1;36mnote\x1b[0m     note\n"},
    {"one in full", full,
     "T-001: error\n\na queue has a name that is not\nempty and not longer\n\n"
     "Other tools cut it.\n\nRefused by: parser, device\n            runtime\n\nSource: section 5.1\n"},
    {"one with little to say", full_short,
     "\x1b[1mT-002a\x1b[0m: \x1b[1;35mwarning\x1b[0m, an error with\n               --strict, not checked\n\n"
     "short\n"},
    {"titles below their ids", list_below,
     "test: test format (3\n"
     "      rules)\n"
     "T-001   error\n"
     "    a queue has a name\n"
     "    that is not empty\n"
     "    and not longer\n"
     "T-002a  warning\n"
     "    short (not\n"
     "    checked)\n"
     "T-003   note     note\n"},
    {"a set of one rule", list_of_one, "one: of one (1 rule)\nT-003  note     note\n"},
    {"a set without rules", list_of_none, "none: of none (0 rules)\n"},
    {"neither detail nor source", full_without_texts, "T-009: note\n\ntitle\n"},
    {"no detail", full_without_detail, "T-003: note\n\nnote\n\nRefused by: none\n\nSource: ours\n"},
    {"JSON", as_json,
     "[{\"id\":\"T-001\",\"severity\":\"error\",\"strict_error\":false,\"judged\":true,"
     "\"refused_by\":[\"parser\",\"device runtime\"],\"title\":\"a queue has a name that is not empty and not longer\","
     "\"detail\":\"Other tools cut it.\",\"source\":\"section 5.1\"},{\"id\":\"T-002a\","
     "\"severity\":\"warning\",\"strict_error\":true,\"judged\":false,\"title\":\"short\","
     "\"detail\":\"\",\"source\":\"\"},{\"id\":\"T-003\",\"severity\":\"note\",\"strict_error\":false,"
     "\"judged\":true,\"refused_by\":[],\"title\":\"note\",\"detail\":\"\",\"source\":\"ours\"}]"},
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
