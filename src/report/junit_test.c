// JUnit reports, byte for byte. tests/cli/ci.py validates those of real files with the schema,
// where xmllint is there.
#include "base/span.h"
#include "report/junit.h"
#include "testing/test.h"

static const hoist_rule error_rule = {.id = "T-001", .severity = HOIST_ERROR, .title = "e"};
static const hoist_rule warning_rule = {.id = "T-002", .severity = HOIST_WARNING, .title = "w"};
static const hoist_rule note_rule = {.id = "T-003", .severity = HOIST_NOTE, .title = "n"};

typedef struct junit_row {
    const char *name;
    hoist_junit_answer answer;
    bool error, warning, note;
    bool fails_by_warning, quiet;
    const char *expected; // the test case, without its first line's begin
} junit_row;

static const junit_row rows[] = {
    // clang-format off
    {"passed", HOIST_JUNIT_PASSED, false, false, false, false, false, "name=\"a&lt;b&gt;.yaml\"/>\n"},
    {"an error", HOIST_JUNIT_FAILED, true, false, false, false, false,
     "name=\"a&lt;b&gt;.yaml\">\n      <failure type=\"T-001\" message=\"&quot;x&quot; &amp; \\x1b\">a&lt;b&gt;.yaml:2:8 (queues/q)</failure>\n"
     "    </testcase>\n"},
    {"a warning passes", HOIST_JUNIT_PASSED, false, true, true, false, false,
     "name=\"a&lt;b&gt;.yaml\">\n      <system-out>a&lt;b&gt;.yaml!m:+0x10: warning: w [T-002]\na&lt;b&gt;.yaml: note: n \\xef\\xbf\\xbf [T-003]</system-out>\n"
     "    </testcase>\n"},
    {"notes are left out", HOIST_JUNIT_PASSED, false, false, true, false, true, "name=\"a&lt;b&gt;.yaml\"/>\n"},
    {"a warning fails", HOIST_JUNIT_FAILED, false, true, false, true, false,
     "name=\"a&lt;b&gt;.yaml\">\n      <failure type=\"T-002\" message=\"w\">a&lt;b&gt;.yaml!m:+0x10</failure>\n    </testcase>\n"},
    {"it fails without one", HOIST_JUNIT_FAILED, false, false, false, true, false,
     "name=\"a&lt;b&gt;.yaml\">\n      <failure message=\"the orders are unknown\"/>\n    </testcase>\n"},
    {"no answer", HOIST_JUNIT_BROKEN, false, false, false, false, false,
     "name=\"a&lt;b&gt;.yaml\">\n      <error message=\"the check is incomplete\"/>\n    </testcase>\n"},
    {"no answer, and why", HOIST_JUNIT_BROKEN, true, false, false, false, false,
     "name=\"a&lt;b&gt;.yaml\">\n      <error type=\"T-001\" message=\"&quot;x&quot; &amp; \\x1b\">a&lt;b&gt;.yaml:2:8 (queues/q)</error>\n"
     "    </testcase>\n"},
    // clang-format on
};

static void report(const junit_row *row, hoist_diag *diag)
{
    hoist_frame frame;
    hoist_diag_source(diag, HOIST_STR("a<b>.yaml"), HOIST_STR(""));
    if (row->error) {
        hoist_diag_push(diag, &frame, NULL, HOIST_STR(""), HOIST_STR("queues/q"));
        hoist_report(diag, &error_rule, hoist_loc_pos((hoist_pos){2, 8}), "\"x\" & \x1b");
        hoist_diag_pop(diag, &frame);
    }
    if (row->warning) {
        hoist_diag_source(diag, HOIST_STR("a<b>.yaml"), HOIST_STR("m"));
        hoist_report(diag, &warning_rule, hoist_loc_byte(16), "w");
        hoist_diag_source(diag, HOIST_STR("a<b>.yaml"), HOIST_STR(""));
    }
    if (row->note) {
        hoist_report(diag, &note_rule, (hoist_loc){.kind = HOIST_LOC_NONE}, "n \xef\xbf\xbf");
    }
}

HOIST_TEST(test_cases)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        hoist_diag *diag = NULL;
        hoist_junit junit;
        hoist_buffer out;
        HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &diag), HOIST_OK);
        report(&rows[i], diag);
        const hoist_junit_file file = {.path = HOIST_STR("a<b>.yaml"),
                                       .format = i ? "buda" : NULL,
                                       .diag = diag,
                                       .answer = rows[i].answer,
                                       .fails_by_warning = rows[i].fails_by_warning,
                                       .quiet = rows[i].quiet};
        hoist_junit_init(&junit, hoist_allocator_system());
        hoist_buffer_init(&out, hoist_allocator_system());
        hoist_junit_add(&junit, &file);
        hoist_buffer_str(&out, HOIST_STR("    <testcase classname=\"hoist"));
        hoist_buffer_format(&out, "%s\" %s", i ? ".buda" : "", rows[i].expected);
        const hoist_str expected = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
        HOIST_EXPECT_STR(t, hoist_buffer_text(&junit.cases), expected.data);
        hoist_buffer_deinit(&out);
        hoist_junit_deinit(&junit);
        hoist_diag_destroy(diag);
    }
}

HOIST_TEST(counts)
{
    hoist_diag *diag = NULL;
    hoist_junit junit;
    hoist_buffer out;
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &diag), HOIST_OK);
    hoist_junit_init(&junit, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    for (int i = 0; i < 6; i++) {
        const hoist_junit_file file = {.path = HOIST_STR("x"),
                                       .diag = diag,
                                       .answer = i == 0  ? HOIST_JUNIT_BROKEN
                                                 : i < 3 ? HOIST_JUNIT_FAILED
                                                         : HOIST_JUNIT_PASSED};
        hoist_junit_add(&junit, &file);
    }
    hoist_junit_write(&junit, &out);
    static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<testsuites tests=\"6\" failures=\"2\" errors=\"1\">\n"
                               "  <testsuite name=\"hoist check\" tests=\"6\" failures=\"2\" "
                               "errors=\"1\">\n";
    HOIST_EXPECT(t, hoist_str_starts_with(hoist_buffer_text(&out), head));
    HOIST_EXPECT(t, hoist_str_ends_with(hoist_buffer_text(&out), "</testsuite>\n</testsuites>\n"));
    hoist_buffer_deinit(&out);
    hoist_junit_deinit(&junit);
    hoist_diag_destroy(diag);
}

static hoist_status write_starved(hoist_allocator alloc, const void *self)
{
    const hoist_diag *const diag = self;
    hoist_junit junit;
    hoist_buffer out;
    const hoist_junit_file file = {.path = HOIST_STR("x"), .diag = diag};
    hoist_junit_init(&junit, alloc);
    hoist_buffer_init(&out, alloc);
    hoist_junit_add(&junit, &file);
    hoist_junit_write(&junit, &out);
    const hoist_status status = out.failed ? HOIST_NO_MEMORY : HOIST_OK;
    hoist_buffer_deinit(&out);
    hoist_junit_deinit(&junit);
    return status;
}

HOIST_TEST(memory_may_end)
{
    hoist_diag *diag = NULL;
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &diag), HOIST_OK);
    hoist_test_starve(t, write_starved, diag);
    hoist_diag_destroy(diag);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(test_cases), HOIST_TEST_ROW(counts), HOIST_TEST_ROW(memory_may_end))
