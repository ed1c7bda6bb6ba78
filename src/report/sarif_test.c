// Logs, byte for byte but for fingerprints, which fingerprint_test.c is about; and those read back
// as a baseline, in baseline_test.c. tests/cli validates logs with the schema.
#include "base/span.h"
#include "codec/json_writer.h"
#include "report/sarif.h"
#include "testing/test.h"

static const hoist_rule error_rule = {.id = "T-001",
                                      .severity = HOIST_ERROR,
                                      .refused_by = HOIST_REFUSER_GOLDEN,
                                      .title = "the title",
                                      .detail = "the detail"};
static const hoist_rule note_rule = {
    .id = "T-003", .severity = HOIST_NOTE, .title = "n", .detail = ""};

static const char source[] = "a\ncaf\xc3\xa9: x\n";

static void report(hoist_diag *diag)
{
    hoist_frame frame;
    hoist_diag_source(diag, HOIST_STR("dir/a b:1.yaml"), HOIST_STR(""));
    hoist_diag_push(diag, &frame, NULL, HOIST_STR(""), HOIST_STR("queues/q"));
    hoist_report(diag, &error_rule, hoist_loc_pos((hoist_pos){2, 8}), "after two bytes of one");
    hoist_diag_pop(diag, &frame);
    hoist_report(diag, &note_rule, hoist_loc_pos((hoist_pos){9, 1}), "past the end");
    hoist_diag_source(diag, HOIST_STR("/tmp/x"), HOIST_STR("m"));
    hoist_report(diag, &error_rule, hoist_loc_byte(16), "in a member");
    hoist_diag_source(diag, HOIST_STR("/tmp/x"), HOIST_STR(""));
    hoist_report(diag, &error_rule, hoist_loc_byte(16), "in a file");
}

static hoist_str log_of(hoist_test *t, bool quiet)
{
    hoist_buffer text;
    hoist_json_writer writer;
    hoist_sarif sarif;
    hoist_diag *diag = NULL;
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &diag), HOIST_OK);
    report(diag);
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_json_writer_init(&writer, &text, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    const hoist_findings_options options = {
        .quiet = quiet,
        .source_file = HOIST_STR("dir/a b:1.yaml"),
        .source = {(const uint8_t *)source, sizeof(source) - 1}};
    hoist_tree_map(&sink, "");
    hoist_sarif_begin(&sarif, hoist_allocator_system(), &sink);
    hoist_sarif_add(&sarif, diag, &options);
    HOIST_EXPECT_EQ(t, hoist_sarif_end(&sarif, "1.2.3"), HOIST_OK);
    hoist_tree_end(&sink);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_json_writer_deinit(&writer);
    hoist_buffer_deinit(&text);
    hoist_diag_destroy(diag);
    return copy;
}

static const struct {
    const char *name;
    const char *part;
    bool quiet;
    bool absent;
} parts[] = {
    // clang-format off
    {"the head", "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{", false, false},
    {"a column of characters, not bytes", "\"region\":{\"startLine\":2,\"startColumn\":7}", false, false},
    {"no column past the end", "\"region\":{\"startLine\":9}", false, false},
    {"a path as a URI", "\"uri\":\"dir/a%20b%3A1.yaml\"", false, false},
    {"an absolute path as a URI", "\"uri\":\"file:///tmp/x\"", false, false},
    {"no region of a member", "{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"file:///tmp/x\"}},\"logicalLocations\":[{\"fullyQualifiedName\":\"m\",\"kind\":\"member\"}]}", false, false},
    {"an offset", "\"region\":{\"byteOffset\":16,\"byteLength\":0}", false, false},
    {"an object", "\"logicalLocations\":[{\"fullyQualifiedName\":\"queues/q\",\"kind\":\"object\"}]", false, false},
    {"a note", "\"ruleId\":\"T-003\",\"level\":\"note\"", false, false},
    {"no note", "T-003", true, true},
    {"rules, each once", "\"tool\":{\"driver\":{\"name\":\"hoist\",\"version\":\"1.2.3\",\"rules\":[{\"id\":\"T-001\",\"shortDescription\":{\"text\":\"the title\"},\"help\":{\"text\":\"the detail\"},\"defaultConfiguration\":{\"level\":\"error\"},\"properties\":{\"refused_by\":[\"golden model\"]}}]}}}]}", true, false},
    {"help where there is no detail", "\"shortDescription\":{\"text\":\"n\"},\"help\":{\"text\":\"n\"}", false, false},
    // clang-format on
};

HOIST_TEST_TABLE(logs, parts)
{
    const hoist_str text = log_of(t, row->quiet);
    if (hoist_str_contains(text, row->part) == row->absent) {
        hoist_test_fail(t, __FILE__, __LINE__, "%s in %.*s", row->part, HOIST_STR_ARGS(text));
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(logs))
