// Logs as baselines: those that are none, and which findings are known by one.
#include "base/diag.h"
#include "base/span.h"
#include "report/baseline.h"
#include "testing/test.h"

static const hoist_rule rule = {.id = "T-001", .severity = HOIST_ERROR, .title = "e"};

static const struct {
    const char *name;
    const char *log;
    hoist_status status;
    size_t known;
} logs[] = {
    // clang-format off
    {"nothing", "", HOIST_INVALID, 0},
    {"no JSON", "{\"runs\":[", HOIST_TRUNCATED, 0},
    {"no object", "[]", HOIST_UNSUPPORTED, 0},
    {"no log", "{\"files\":[]}", HOIST_UNSUPPORTED, 0},
    {"runs of another kind", "{\"runs\":{}}", HOIST_UNSUPPORTED, 0},
    {"no runs", "{\"runs\":[]}", HOIST_OK, 0},
    {"what is no run, result or fingerprint", "{\"runs\":[1,{},{\"results\":1},{\"results\":[1,{},{\"partialFingerprints\":1},{\"partialFingerprints\":{\"hoist/v1\":1}}]}]}", HOIST_OK, 0},
    {"another tool", "{\"runs\":[{\"results\":[{\"partialFingerprints\":{\"primaryLocationLineHash\":\"a:1\"}}]}]}", HOIST_OK, 0},
    {"the same twice", "{\"runs\":[{\"results\":[{\"partialFingerprints\":{\"hoist/v1\":\"a:1\"}},{\"partialFingerprints\":{\"hoist/v1\":\"a:1\"}}]}]}", HOIST_OK, 1},
    {"two runs", "{\"runs\":[{\"results\":[{\"partialFingerprints\":{\"hoist/v1\":\"a:1\"}}]},{\"results\":[{\"partialFingerprints\":{\"hoist/v1\":\"b\\u003a1\"}}]}]}", HOIST_OK, 2},
    // clang-format on
};

HOIST_TEST_TABLE(reading, logs)
{
    hoist_baseline baseline;
    hoist_diag *diag = NULL;
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &diag), HOIST_OK);
    const hoist_str log = hoist_str_from(row->log);
    const hoist_bytes bytes =
        hoist_test_exact(t, (hoist_bytes){(const uint8_t *)log.data, log.size});
    HOIST_EXPECT_EQ(t, hoist_baseline_read(bytes, hoist_allocator_system(), diag, &baseline),
                    row->status);
    HOIST_EXPECT_EQ(t, baseline.known.count, row->known);
    hoist_baseline_deinit(&baseline);
    hoist_diag_destroy(diag);
}

// Of two equal findings, one of which is known, one is left; and what is new.
HOIST_TEST(splitting)
{
    hoist_diag *from = NULL;
    hoist_diag *to = NULL;
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &from), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &to), HOIST_OK);
    hoist_report(from, &rule, hoist_loc_pos((hoist_pos){1, 1}), "twice");
    hoist_report(from, &rule, hoist_loc_pos((hoist_pos){2, 1}), "new");
    hoist_report(from, &rule, hoist_loc_pos((hoist_pos){3, 1}), "twice");
    hoist_fingerprints all;
    hoist_fingerprint known;
    hoist_fingerprints_init(&all, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fingerprint_next(&all, hoist_diag_at(from, 0), &known), HOIST_OK);
    hoist_fingerprints_deinit(&all);
    const hoist_str log = hoist_arena_format(
        &t->arena, "{\"runs\":[{\"results\":[{\"partialFingerprints\":{\"hoist/v1\":\"%s\"}}]}]}",
        known.text);
    hoist_baseline baseline;
    size_t count = 0;
    HOIST_EXPECT_EQ(t,
                    hoist_baseline_read((hoist_bytes){(const uint8_t *)log.data, log.size},
                                        hoist_allocator_system(), NULL, &baseline),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_baseline_split(&baseline, from, to, &count), HOIST_OK);
    HOIST_EXPECT_EQ(t, count, 1);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(to), 2);
    HOIST_EXPECT_STR(t, hoist_diag_at(to, 0)->message, "new");
    HOIST_EXPECT_EQ(t, hoist_diag_at(to, 1)->loc.pos.line, 3);
    hoist_baseline_deinit(&baseline);
    hoist_diag_destroy(from);
    hoist_diag_destroy(to);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(reading), HOIST_TEST_ROW(splitting))
