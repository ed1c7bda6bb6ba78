#include <string.h>

#include "codec/json_writer.h"
#include "report/findings.h"
#include "testing/test.h"

static const hoist_rule error_rule = {.id = "T-001", .severity = HOIST_ERROR, .title = "e"};
static const hoist_rule warning_rule = {.id = "T-002a", .severity = HOIST_WARNING, .title = "w"};
static const hoist_rule note_rule = {.id = "T-003", .severity = HOIST_NOTE, .title = "n"};

static const char source[] = "queues:\r\n"
                             "\tq0: {type: qeue}\n"
                             "caf\xc3\xa9: \x1b[1m\xff\n"
                             "last";

static void nothing(hoist_diag *diag)
{
    (void)diag;
}

static void text_places(hoist_diag *diag)
{
    hoist_frame frame;
    hoist_diag_source(diag, HOIST_STR("net.yaml"), HOIST_STR(""));
    hoist_diag_push(diag, &frame, "reading queue", HOIST_STR("q0"), HOIST_STR("queues/q0"));
    hoist_report(diag, &error_rule, hoist_loc_pos((hoist_pos){2, 13}), "type is 'qeue'");
    hoist_diag_pop(diag, &frame);
    hoist_report(diag, &note_rule, hoist_loc_pos((hoist_pos){3, 14}), "odd");
    hoist_report(diag, &warning_rule, hoist_loc_pos((hoist_pos){4, 5}), "at the end");
    hoist_report(diag, &warning_rule, hoist_loc_pos((hoist_pos){1, 1}), "back to the start");
    hoist_report(diag, &warning_rule, hoist_loc_pos((hoist_pos){5, 1}), "past the end");
}

static void other_places(hoist_diag *diag)
{
    hoist_diag_source(diag, HOIST_STR("a.neff"), HOIST_STR(""));
    hoist_report(diag, &error_rule, hoist_loc_byte(16), "bytes");
    hoist_report(diag, &error_rule, hoist_loc_none(), "file");
    hoist_diag_source(diag, HOIST_STR("a.neff"), HOIST_STR("sg00/def.json"));
    hoist_report(diag, &error_rule, hoist_loc_pos((hoist_pos){1, 2}), "text of a member");
    hoist_diag_source(diag, HOIST_STR("a.neff"), HOIST_STR("in.neff!pool.bin"));
    hoist_report(diag, &error_rule, hoist_loc_byte(0x12345678901), "bytes of a member");
}

static void hostile(hoist_diag *diag)
{
    hoist_frame frame;
    hoist_diag_source(diag, HOIST_STR("\x1b[2J.yaml"), HOIST_STR("m\n"));
    hoist_diag_push(diag, &frame, "reading", HOIST_STR("\x1b]0;x\a"), HOIST_STR("\x1b"));
    hoist_report(diag, &error_rule, hoist_loc_none(), "name '\r\xff'");
    hoist_diag_pop(diag, &frame);
}

static void report_object(hoist_diag *diag, const char *path, const char *sentence)
{
    hoist_frame frame;
    hoist_diag_push(diag, &frame, NULL, HOIST_STR(""), hoist_str_from(path));
    hoist_report(diag, &error_rule, hoist_loc_none(), "%s", sentence);
    hoist_diag_pop(diag, &frame);
}

// Sentences that say which object they are about, and others.
static void objects(hoist_diag *diag)
{
    hoist_diag_source(diag, HOIST_STR("f"), HOIST_STR(""));
    report_object(diag, "queues/q0", "queue 'q0' is odd");
    report_object(diag, "queues/q0", "queue 'q01' reads q0");
    report_object(diag, "q", "'q");
    report_object(diag, "dma/0/desc/1/to", "'to' is odd");
    report_object(diag, "dma/0/desc/1/to", "dma/0/desc/1/to is odd");
    report_object(diag, "sg00/record 3", "odd (record 3)");
    report_object(diag, "sg00/record 3", "record 4 is odd");
}

static void no_file(hoist_diag *diag)
{
    hoist_report(diag, &note_rule, hoist_loc_none(), "nowhere");
}

static void one_place(hoist_diag *diag)
{
    hoist_diag_source(diag, HOIST_STR("f"), HOIST_STR(""));
    hoist_report(diag, &error_rule, hoist_loc_none(), "m");
}

// clang-format off
static const struct {
    const char *name;
    void (*report)(hoist_diag *diag);
    bool color;
    bool quiet;
    bool excerpt;
    const char *want;
    const char *want_summary;
} texts[] = {
    {"nothing", nothing, false, false, true, "", "clean\n"},
    {"text places", text_places, false, false, false,
     "net.yaml:2:13: error: type is 'qeue' (queues/q0) [T-001]\n    while reading queue 'q0'\n"
     "net.yaml:3:14: note: odd [T-003]\n"
     "net.yaml:4:5: warning: at the end [T-002a]\n"
     "net.yaml:1:1: warning: back to the start [T-002a]\n"
     "net.yaml:5:1: warning: past the end [T-002a]\n",
     "1 error, 3 warnings, 1 note\n"},
    {"quiet, with excerpts", text_places, false, true, true,
     "net.yaml:2:13: error: type is 'qeue' (queues/q0) [T-001]\n    while reading queue 'q0'\n"
     "       2 |     q0: {type: qeue}\n"
     "         |                ^\n"
     "net.yaml:4:5: warning: at the end [T-002a]\n"
     "       4 | last\n"
     "         |     ^\n"
     "net.yaml:1:1: warning: back to the start [T-002a]\n"
     "       1 | queues:\n"
     "         | ^\n"
     "net.yaml:5:1: warning: past the end [T-002a]\n",
     "1 error, 3 warnings\n"},
    {"other places", other_places, false, false, true,
     "a.neff:+0x10: error: bytes [T-001]\n"
     "a.neff: error: file [T-001]\n"
     "a.neff!sg00/def.json:1:2: error: text of a member [T-001]\n"
     "a.neff!in.neff!pool.bin:+0x12345678901: error: bytes of a member [T-001]\n",
     "4 errors\n"},
    {"hostile names", hostile, false, false, false,
     "\\x1b[2J.yaml!m\\x0a: error: name '\\x0d\\xff' (\\x1b) [T-001]\n"
     "    while reading '\\x1b]0;x\\x07'\n",
     "1 error\n"},
    {"objects", objects, false, false, false,
     "f: error: queue 'q0' is odd [T-001]\n"
     "f: error: queue 'q01' reads q0 (queues/q0) [T-001]\n"
     "f: error: 'q (q) [T-001]\n"
     "f: error: 'to' is odd (dma/0/desc/1/to) [T-001]\n"
     "f: error: dma/0/desc/1/to is odd [T-001]\n"
     "f: error: odd (record 3) [T-001]\n"
     "f: error: record 4 is odd (sg00/record 3) [T-001]\n",
     "7 errors\n"},
    {"no file", no_file, false, false, false, "note: nowhere [T-003]\n", "clean, 1 note\n"},
    {"no file, quiet", no_file, false, true, false, "", "clean\n"},
    {"color", no_file, true, false, false,
     "\x1b[1;36mnote\x1b[0m: nowhere [T-003]\n", "clean, 1 note\n"},
    {"color of a place", one_place, true, false, false,
     "\x1b[1mf:\x1b[0m \x1b[1;31merror\x1b[0m: m [T-001]\n", "1 error\n"},
};
// clang-format on

HOIST_TEST_TABLE(text, texts)
{
    const hoist_findings_options options = {
        .color = row->color,
        .quiet = row->quiet,
        .source_file = HOIST_STR("net.yaml"),
        .source = {(const uint8_t *)source, row->excerpt ? sizeof(source) - 1 : 0}};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    row->report(t->diag);
    hoist_findings_text(t->diag, &options, &out);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want);
    out.size = 0;
    hoist_arch_verdict found = {NULL, hoist_diag_count(t->diag, HOIST_ERROR),
                                hoist_diag_count(t->diag, HOIST_WARNING),
                                hoist_diag_count(t->diag, HOIST_NOTE)};
    hoist_findings_summary(&found, row->quiet, "clean", &out);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want_summary);
    const hoist_str counts = hoist_str_slice(hoist_buffer_text(&out), 0, out.size - 1);
    const hoist_str judged =
        hoist_arena_format(&t->arena, "%.*s (blackhole)\n", HOIST_STR_ARGS(counts));
    out.size = 0;
    found.arch = "blackhole";
    hoist_findings_summary(&found, row->quiet, "clean", &out);
    HOIST_EXPECT(t, hoist_str_equal(hoist_buffer_text(&out), judged));
    hoist_buffer_deinit(&out);
}

// One finding at `pos` of `line`; the result starts after the finding's own line.
static hoist_str excerpt(hoist_test *t, hoist_bytes line, hoist_pos pos, bool color)
{
    const hoist_findings_options options = {
        .color = color, .source_file = HOIST_STR("f"), .source = line};
    hoist_diag_source(t->diag, HOIST_STR("f"), HOIST_STR(""));
    hoist_report(t->diag, &error_rule, hoist_loc_pos(pos), "m");
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_findings_text(t->diag, &options, &out);
    const hoist_str all = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    const char *end = memchr(all.data, '\n', all.size);
    return hoist_str_slice(all, (size_t)(end - all.data) + 1, all.size);
}

// clang-format off
static const struct {
    const char *name;
    hoist_str line;
    uint32_t column;
    bool color;
    const char *want;
} excerpts[] = {
    {"escapes widen the line", {"a\x1b\xff" "b", 4}, 4, false,
     "       1 | a\\x1b\\xffb\n         |          ^\n"},
    {"letters are one column", {"\xc3\xa9\xc3\xa9x", 5}, 5, false,
     "       1 | \xc3\xa9\xc3\xa9x\n         |   ^\n"},
    {"column past the line", {"ab", 2}, 9, false, "       1 | ab\n         |   ^\n"},
    {"column 0", {"ab", 2}, 0, false, "       1 | ab\n         | ^\n"},
    {"line break by CR", {"ab\rcd", 5}, 2, false, "       1 | ab\n         |  ^\n"},
    {"color", {"ab", 2}, 2, true, "       1 | ab\n         |  \x1b[1;32m^\x1b[0m\n"},
};
// clang-format on

HOIST_TEST_TABLE(excerpt_lines, excerpts)
{
    const hoist_bytes line = {(const uint8_t *)row->line.data, row->line.size};
    HOIST_EXPECT_STR(t,
                     excerpt(t, hoist_test_exact(t, line), (hoist_pos){1, row->column}, row->color),
                     row->want);
}

HOIST_TEST(long_lines_are_cut_around_the_column)
{
    char line[400];
    memset(line, 'x', sizeof(line));
    line[199] = 'Y';
    const hoist_str got =
        excerpt(t, (hoist_bytes){(const uint8_t *)line, sizeof(line)}, (hoist_pos){1, 200}, false);
    hoist_buffer want;
    hoist_buffer_init(&want, hoist_allocator_system());
    hoist_buffer_c(&want, "       1 | ...");
    hoist_buffer_fill(&want, 'x', 60);
    hoist_buffer_c(&want, "Y");
    hoist_buffer_fill(&want, 'x', 39);
    hoist_buffer_c(&want, "...\n         | ");
    hoist_buffer_fill(&want, ' ', 63);
    hoist_buffer_c(&want, "^\n");
    hoist_buffer_char(&want, '\0');
    HOIST_EXPECT_STR(t, got, (const char *)want.data);
    hoist_buffer_deinit(&want);
}

HOIST_TEST(cuts_keep_letters_whole)
{
    char line[402];
    for (size_t i = 0; i < sizeof(line); i += 2) {
        line[i] = '\xc3';
        line[i + 1] = '\xa9';
    }
    for (uint32_t column = 1; column <= sizeof(line); column++) {
        hoist_test_row(t, NULL);
        const hoist_str got = excerpt(t, (hoist_bytes){(const uint8_t *)line, sizeof(line)},
                                      (hoist_pos){1, column | 1u}, false);
        HOIST_EXPECT(t, !hoist_str_contains(got, "\\x"));
    }
}

HOIST_TEST(findings_as_json)
{
    hoist_buffer out;
    hoist_json_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_json_writer_init(&w, &out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&w);
    hoist_frame frame;
    hoist_diag_push(t->diag, &frame, "reading op", HOIST_STR("mm"), HOIST_STR("graphs/g0/ops/mm"));
    hoist_diag_source(t->diag, HOIST_STR("a"), HOIST_STR("b"));
    hoist_report(t->diag, &error_rule, hoist_loc_pos((hoist_pos){3, 4}), "m");
    hoist_diag_pop(t->diag, &frame);
    hoist_report(t->diag, &note_rule, hoist_loc_none(), "left out");
    hoist_diag_source(t->diag, HOIST_STR("c"), HOIST_STR(""));
    hoist_report(t->diag, &warning_rule, hoist_loc_byte(255), "k");
    hoist_findings_tree(t->diag, "", &(hoist_findings_options){.quiet = true}, &sink);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out),
                     "[{\"rule\":\"T-001\",\"severity\":\"error\",\"file\":\"a\",\"member\":\"b\","
                     "\"line\":3,\"column\":4,\"object\":\"graphs/g0/ops/mm\",\"message\":\"m\","
                     "\"context\":\"while reading op 'mm'\"},"
                     "{\"rule\":\"T-002a\",\"severity\":\"warning\",\"file\":\"c\",\"offset\":255,"
                     "\"message\":\"k\"}]");
    hoist_json_writer_deinit(&w);
    hoist_buffer_deinit(&out);
}

static void expect_shown(hoist_test *t, const hoist_diag *diag, const char *want)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_findings_text(diag, &(hoist_findings_options){.quiet = true}, &out);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), want);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(what_was_not_kept_is_said)
{
    const hoist_diag_options options = {sizeof(options), .max_findings = 1};
    hoist_diag *diag = NULL;
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), &options, &diag), HOIST_OK);
    for (int i = 0; i < 3; i++) {
        hoist_report(diag, &error_rule, hoist_loc_none(), "m");
    }
    expect_shown(t, diag, "error: m [T-001]\n... and 2 more, not shown\n");
    hoist_diag_destroy(diag);
}

HOIST_TEST(what_memory_lost_is_said)
{
    hoist_failing failing;
    hoist_diag *diag = NULL;
    const hoist_allocator alloc = hoist_failing_allocator(&failing, 0);
    HOIST_EXPECT_EQ(t, hoist_diag_create(alloc, NULL, &diag), HOIST_OK);
    failing.fail_at = failing.requests + 1;
    hoist_diag_source(diag, HOIST_STR("f"), HOIST_STR(""));
    expect_shown(t, diag, "memory ran out: findings are missing\n");
    hoist_diag_destroy(diag);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(text), HOIST_TEST_ROW(excerpt_lines),
                HOIST_TEST_ROW(long_lines_are_cut_around_the_column),
                HOIST_TEST_ROW(cuts_keep_letters_whole), HOIST_TEST_ROW(findings_as_json),
                HOIST_TEST_ROW(what_was_not_kept_is_said), HOIST_TEST_ROW(what_memory_lost_is_said))
