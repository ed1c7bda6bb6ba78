#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "codec/json.h"
#include "report/diff.h"
#include "testing/test.h"
#include "testing/trace.h"

static void send_value(hoist_test *t, hoist_tree_sink *sink, const hoist_json *json,
                       hoist_json_index at, hoist_str key)
{
    const hoist_json_kind kind = hoist_json_kind_of(json, at);
    hoist_tree_event event = {.key = key};
    if (kind == HOIST_JSON_OBJECT || kind == HOIST_JSON_ARRAY) {
        event.kind = kind == HOIST_JSON_OBJECT ? HOIST_TREE_MAP : HOIST_TREE_LIST;
        hoist_tree_send(sink, &event);
        hoist_json_index child = at + 1;
        for (uint32_t i = 0; i < hoist_json_size(json, at); i++) {
            hoist_str name = {"", 0};
            if (kind == HOIST_JSON_OBJECT) {
                name = hoist_json_string(json, child, &t->arena);
                child = hoist_json_next(json, child);
            }
            send_value(t, sink, json, child, name);
            child = hoist_json_next(json, child);
        }
        hoist_tree_end(sink);
        return;
    }
    event.kind = kind == HOIST_JSON_STRING   ? HOIST_TREE_STR
                 : kind == HOIST_JSON_NULL   ? HOIST_TREE_NULL
                 : kind != HOIST_JSON_NUMBER ? HOIST_TREE_BOOL
                                             : HOIST_TREE_INT;
    event.boolean = kind == HOIST_JSON_TRUE;
    event.str = kind == HOIST_JSON_STRING ? hoist_json_string(json, at, &t->arena) : event.str;
    if (kind == HOIST_JSON_NUMBER && !hoist_json_i64(json, at, &event.integer)) {
        event.kind = hoist_json_u64(json, at, &event.uinteger) ? HOIST_TREE_UINT : HOIST_TREE_FLOAT;
        (void)hoist_json_f64(json, at, &event.number);
        event.str = hoist_json_digits(json, at);
    }
    hoist_tree_send(sink, &event);
}

static hoist_status send_text(hoist_test *t, hoist_diff *diff, int side, const char *text)
{
    hoist_json json;
    const hoist_bytes bytes = {(const uint8_t *)text, strlen(text)};
    HOIST_EXPECT_EQ(t, hoist_json_read(bytes, NULL, hoist_allocator_system(), t->diag, &json),
                    HOIST_OK);
    hoist_tree_sink sink = hoist_diff_document(diff, side);
    send_value(t, &sink, &json, 0, HOIST_STR(""));
    hoist_json_free(&json);
    return sink.status;
}

// Appends "path: old -> new;" to a buffer.
static hoist_status take(void *self, const hoist_difference *d)
{
    hoist_buffer *const out = self;
    hoist_buffer_str(out, d->path);
    hoist_buffer_c(out, ": ");
    if (d->old) {
        hoist_diff_write(out, d->old, 12);
    }
    hoist_buffer_c(out, " -> ");
    if (d->now) {
        hoist_diff_write(out, d->now, 12);
    }
    hoist_buffer_c(out, "; ");
    return HOIST_OK;
}

static const hoist_diff_rule rules[] = {
    {"id", NULL},        {"items", "name"},  {"items/*/tag", NULL},
    {"rows/*/at", NULL}, {"rows/*/set", ""}, {NULL, NULL},
};

// clang-format off
static const struct {
    const char *name;
    const char *old;
    const char *now;
    const char *want;
} cases[] = {
    {"the same", "{\"a\": [1, {\"b\": null}]}", "{\"a\": [1, {\"b\": null}]}", ""},
    {"order of keys", "{\"a\": 1, \"b\": 2}", "{\"b\": 2, \"a\": 1}", ""},
    {"a number written otherwise", "{\"a\": 1, \"b\": 5e-1}", "{\"a\": 1.0, \"b\": 0.5}", ""},
    {"a number", "{\"a\": {\"b\": 1}}", "{\"a\": {\"b\": 2}}", "a/b: 1 -> 2; "},
    {"a number beyond 64 bits", "{\"a\": 18446744073709551617}", "{\"a\": 18446744073709551618}",
                                "a: 18446744073709551617 -> 18446744073709551618; "},
    {"one below 0", "[-9223372036854775809]", "[-9223372036854775810]",
                    ": [-9223372036854775809] -> [-9223372036854775810]; "},
    {"the same beyond 64 bits", "[-18446744073709551617]", "[-18446744073709551617]", ""},
    {"a large fraction", "[18446744073709551617.0]", "[18446744073709551618.0]", ""},
    {"its nearest fraction", "[18446744073709551616]", "[18446744073709551616.0]",
                             ": [18446744073709551616] -> [1.8446744073709552e+19]; "},
    {"of different signs", "{\"a\": 18446744073709551615}", "{\"a\": -1}", "a: 18446744073709551615 -> -1; "},
    {"number and text", "{\"a\": 1}", "{\"a\": \"1\"}", "a: 1 -> '1'; "},
    {"false and null", "{\"a\": false}", "{\"a\": null}", "a: false -> null; "},
    {"true and 1", "{\"a\": true}", "{\"a\": 1}", "a: true -> 1; "},
    {"map and list", "{\"a\": {}}", "{\"a\": []}", "a: {} -> []; "},
    {"the root", "1", "2", ": 1 -> 2; "},
    {"a key goes", "{\"a\": 1, \"b\": 2}", "{\"b\": 2}", "a: 1 -> ; "},
    {"a key comes", "{\"b\": 2}", "{\"b\": 2, \"a\": [1]}", "a:  -> [1]; "},
    {"a key gets another name", "{\"a\": 1}", "{\"b\": 1}", "a: 1 -> ; b:  -> 1; "},
    {"a value moves", "{\"a\": 1, \"b\": 2}", "{\"a\": 2, \"b\": 1}", "a: 1 -> 2; b: 2 -> 1; "},
    {"lists of numbers", "{\"a\": [1, 2]}", "{\"a\": [2, 1]}", "a: [1, 2] -> [2, 1]; "},
    {"an item changes", "{\"a\": [{\"x\": 1}, {\"x\": 2}]}", "{\"a\": [{\"x\": 1}, {\"x\": 3}]}", "a[1]/x: 2 -> 3; "},
    {"an item comes", "{\"a\": [{\"x\": 1}, {\"x\": 2}]}", "{\"a\": [{\"x\": 1}, {\"y\": 0}, {\"x\": 2}]}",
                      "a[1]:  -> {y: 0}; "},
    {"an item goes", "{\"a\": [{\"x\": 1}, {\"y\": 0}, {\"x\": 2}]}", "{\"a\": [{\"x\": 1}, {\"x\": 2}]}",
                     "a[1]: {y: 0} -> ; "},
    {"the last goes", "{\"a\": [{}, [1]]}", "{\"a\": [{}]}", "a[1]: [1] -> ; "},
    {"a long value", "{\"a\": {}}", "{\"a\": {\"b\": [1, 2, 3, 4, 5, 6, 7, 8, 9]}}",
                     "a/b:  -> [1, 2, 3, 4, ...]; "},
    {"what does not count", "{\"id\": 1, \"items\": [{\"name\": \"x\", \"tag\": {\"q\": [1]}}]}",
                            "{\"id\": [2], \"items\": [{\"tag\": 5, \"name\": \"x\"}]}", ""},
    {"only there", "{\"a\": {\"id\": 1}}", "{\"a\": {\"id\": 2}}", "a/id: 1 -> 2; "},
    {"inside of items", "{\"rows\": [{\"at\": 0, \"x\": 1}]}", "{\"rows\": [{\"at\": 9, \"x\": 1}]}", ""},
    {"named items", "{\"items\": [{\"name\": \"x\", \"v\": 1}, {\"name\": \"y\"}]}",
                    "{\"items\": [{\"name\": \"y\"}, {\"name\": \"x\", \"v\": 1}]}", ""},
    {"a named one changes", "{\"items\": [{\"name\": \"x\", \"v\": 1}, {\"name\": \"y\"}]}",
                            "{\"items\": [{\"name\": \"y\"}, {\"name\": \"x\", \"v\": 2}]}", "items[x]/v: 1 -> 2; "},
    {"a named one comes", "{\"items\": [{\"name\": \"x\"}]}",
                          "{\"items\": [{\"name\": \"y\"}, {\"name\": \"x\"}]}", "items[y]:  -> {name: 'y'}; "},
    {"two of a name", "{\"items\": [{\"name\": \"x\"}]}", "{\"items\": [{\"name\": \"x\"}, {\"name\": \"x\"}]}",
                      "items[x]:  -> {name: 'x'}; "},
    {"without a name", "{\"items\": [{\"n\": 1}]}", "{\"items\": [{\"n\": 2}]}",
                       "items[?]: {n: 1} -> ; items[?]:  -> {n: 2}; "},
    {"a set in another order", "{\"rows\": [{\"set\": [1, 2, 3]}]}", "{\"rows\": [{\"set\": [3, 1, 2]}]}", ""},
    {"a set with another item", "{\"rows\": [{\"set\": [1, 2]}]}", "{\"rows\": [{\"set\": [3, 1]}]}",
                                "rows[0]/set: [1, 2] -> [3, 1]; "},
    {"a set with an item more", "{\"rows\": [{\"set\": [1]}]}", "{\"rows\": [{\"set\": [1, 1]}]}",
                                "rows[0]/set: [1] -> [1, 1]; "},
    {"a long set", "{\"rows\": [{\"set\": [{\"a\": 1}, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]}]}",
                   "{\"rows\": [{\"set\": []}]}", "rows[0]/set: [{a: 1}, 2, ...] -> []; "},
    {"no set there", "{\"rows\": [{\"set\": 1}]}", "{\"rows\": [{\"set\": [1]}]}", "rows[0]/set: 1 -> [1]; "},
    {"control characters", "{\"a\\u001b\": \"\\u001b[1m\"}", "{\"a\\u001b\": \"\"}",
                           "a\\x1b: '\\x1b[1m' -> ''; "},
};
// clang-format on

HOIST_TEST_TABLE(diff_cases, cases)
{
    hoist_diff diff;
    hoist_buffer out;
    const hoist_diff_sink sink = {&out, take};
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_diff_init(&diff, rules, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, send_text(t, &diff, 0, row->old), HOIST_OK);
    HOIST_EXPECT_EQ(t, send_text(t, &diff, 1, row->now), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diff_compare(&diff, &sink), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want);
    hoist_diff_deinit(&diff);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(diff_without_documents)
{
    hoist_diff diff;
    const hoist_diff_sink sink = {NULL, take};
    hoist_diff_init(&diff, rules, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_diff_compare(&diff, &sink), HOIST_INTERNAL);
    hoist_tree_sink document = hoist_diff_document(&diff, 0);
    hoist_tree_end(&document);
    HOIST_EXPECT_EQ(t, document.status, HOIST_INTERNAL);
    hoist_diff_deinit(&diff);
}

HOIST_TEST(diff_limits_depth)
{
    hoist_diff diff;
    hoist_diff_init(&diff, rules, hoist_allocator_system());
    hoist_tree_sink sink = hoist_diff_document(&diff, 0);
    for (int i = 0; i < 1201; i++) {
        hoist_tree_list(&sink, "");
    }
    HOIST_EXPECT_EQ(t, sink.status, HOIST_LIMIT);
    hoist_diff_deinit(&diff);
}

HOIST_TEST(diff_takes_a_document_once)
{
    hoist_diff diff;
    hoist_diff_init(&diff, rules, hoist_allocator_system());
    hoist_tree_sink sink = hoist_diff_document(&diff, 0);
    hoist_tree_int(&sink, "", 1);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    hoist_tree_int(&sink, "", 2);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_INTERNAL);
    hoist_diff_deinit(&diff);
}

// All that an event can say but its place.
static void send_all_kinds(hoist_tree_sink *sink)
{
    static const int64_t integers[] = {0, -1, 63, -64, 64, INT64_MAX, INT64_MIN};
    hoist_tree_map(sink, "");
    hoist_tree_short_list(sink, "integers");
    for (size_t i = 0; i < HOIST_COUNT_OF(integers); i++) {
        hoist_tree_int(sink, "", integers[i]);
    }
    hoist_tree_end(sink);
    hoist_tree_uint(sink, "bytes", UINT64_MAX, HOIST_UNIT_BYTES);
    hoist_tree_uint(sink, "address", 127, HOIST_UNIT_ADDRESS);
    hoist_tree_float(sink, "number", -0.5, HOIST_UNIT_NONE);
    const hoist_tree_event beyond = {.kind = HOIST_TREE_FLOAT,
                                     .key = HOIST_STR("beyond"),
                                     .str = HOIST_STR("18446744073709551617"),
                                     .number = 18446744073709551616.0};
    hoist_tree_send(sink, &beyond);
    hoist_tree_str(sink, "", HOIST_STR(""));
    hoist_tree_str(sink, "text", HOIST_STR("a\"b"));
    hoist_tree_bool(sink, "yes", true);
    hoist_tree_bool(sink, "no", false);
    hoist_tree_null(sink, "nothing");
    hoist_tree_unknown(sink, "unknown", HOIST_UNIT_BYTES);
    hoist_tree_short_map(sink, "empty");
    hoist_tree_end(sink);
    hoist_tree_list(sink, "items");
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "name", HOIST_STR("x"));
    hoist_tree_end(sink);
    hoist_tree_end(sink);
    hoist_tree_end(sink);
}

static hoist_status send_old(void *self, const hoist_difference *d)
{
    hoist_diff_send(self, "", d->old);
    return HOIST_OK;
}

HOIST_TEST(diff_keeps_all_of_a_document)
{
    hoist_diff diff;
    hoist_buffer want;
    hoist_buffer got;
    hoist_buffer_init(&want, hoist_allocator_system());
    hoist_buffer_init(&got, hoist_allocator_system());
    hoist_tree_sink whole = hoist_trace_sink(&want);
    hoist_tree_sink kept = hoist_trace_sink(&got);
    const hoist_diff_sink sink = {&kept, send_old};
    send_all_kinds(&whole);
    hoist_diff_init(&diff, rules, hoist_allocator_system());
    hoist_tree_sink side = hoist_diff_document(&diff, 0);
    send_all_kinds(&side);
    HOIST_EXPECT_EQ(t, side.status, HOIST_OK);
    side = hoist_diff_document(&diff, 1);
    hoist_tree_null(&side, "");
    HOIST_EXPECT_EQ(t, hoist_diff_compare(&diff, &sink), HOIST_OK);
    HOIST_EXPECT(t, hoist_str_equal(hoist_buffer_text(&got), hoist_buffer_text(&want)));
    hoist_diff_deinit(&diff);
    hoist_buffer_deinit(&want);
    hoist_buffer_deinit(&got);
}

// As the JSON of descriptors: maps of small lists.
static void send_rows(hoist_tree_sink *sink, size_t count, size_t other)
{
    hoist_tree_list(sink, "");
    for (size_t i = 0; i < count; i++) {
        hoist_tree_map(sink, "");
        hoist_tree_str(sink, "from", HOIST_STR("input"));
        hoist_tree_list(sink, "from_sizes");
        hoist_tree_int(sink, "", 64);
        hoist_tree_int(sink, "", i == other ? -1 : 1);
        hoist_tree_end(sink);
        hoist_tree_int(sink, "offset", (int64_t)i);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

static hoist_status compare_rows(hoist_allocator alloc, size_t count, hoist_buffer *out)
{
    hoist_diff diff;
    const hoist_diff_sink sink = {out, take};
    hoist_diff_init(&diff, rules, alloc);
    hoist_tree_sink side = hoist_diff_document(&diff, 0);
    send_rows(&side, count, SIZE_MAX);
    hoist_status status = side.status;
    side = hoist_diff_document(&diff, 1);
    send_rows(&side, count, count / 2);
    status = status == HOIST_OK ? side.status : status;
    status = status == HOIST_OK ? hoist_diff_compare(&diff, &sink) : status;
    hoist_diff_deinit(&diff);
    return status;
}

// A row has 57 characters of JSON.
HOIST_TEST(diff_needs_no_more_than_the_texts)
{
    enum { ROWS = 100 * 1000, CHARACTERS = 57 };
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = SIZE_MAX};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, compare_rows(hoist_budget_allocator(&budget), ROWS, &out), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), "[50000]/from_sizes: [64, 1] -> [64, -1]; ");
    HOIST_EXPECT(t, budget.peak < (size_t)3 * ROWS * CHARACTERS);
    HOIST_EXPECT_EQ(t, budget.used, 0);
    hoist_buffer_deinit(&out);
}

static hoist_status compare_few(hoist_allocator alloc, const void *self)
{
    (void)self;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    const hoist_status status = compare_rows(alloc, 10, &out);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(diff_without_memory)
{
    hoist_test_starve(t, compare_few, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(diff_cases), HOIST_TEST_ROW(diff_without_documents),
                HOIST_TEST_ROW(diff_limits_depth), HOIST_TEST_ROW(diff_takes_a_document_once),
                HOIST_TEST_ROW(diff_keeps_all_of_a_document),
                HOIST_TEST_ROW(diff_needs_no_more_than_the_texts),
                HOIST_TEST_ROW(diff_without_memory))
