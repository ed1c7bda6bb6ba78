// Which differences of findings their fingerprints see, and which they do not.
#include <string.h>

#include "base/span.h"
#include "report/fingerprint.h"
#include "testing/test.h"

static const hoist_rule rule = {.id = "T-001", .severity = HOIST_ERROR, .title = "e"};
static const hoist_rule other = {.id = "T-002", .severity = HOIST_ERROR, .title = "e"};

static const hoist_finding base = {.rule = &rule,
                                   .file = {"a.yaml", 6},
                                   .loc = {.kind = HOIST_LOC_TEXT, .pos = {3, 5}},
                                   .object = {"queues/q", 8},
                                   .message = {"4 of 12:5 and +0x1f:", 20}};

#define TEXT(text)                                                                                 \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }
#define PLACE                                                                                      \
    {                                                                                              \
        .kind = HOIST_LOC_TEXT, .pos = { 30, 7 }                                                   \
    }

static const struct {
    const char *name;
    hoist_finding finding;
    bool same;
} findings[] = {
    // clang-format off
    {"another place", {.rule = &rule, .file = TEXT("a.yaml"), .loc = PLACE, .object = TEXT("queues/q"), .message = TEXT("4 of 12:5 and +0x1f:")}, true},
    {"other places in the message", {.rule = &rule, .file = TEXT("a.yaml"), .object = TEXT("queues/q"), .message = TEXT("4 of 131:77 and +0xabc:")}, true},
    {"another number in the message", {.rule = &rule, .file = TEXT("a.yaml"), .object = TEXT("queues/q"), .message = TEXT("5 of 12:5 and +0x1f:")}, false},
    {"a number for a place", {.rule = &rule, .file = TEXT("a.yaml"), .object = TEXT("queues/q"), .message = TEXT("4 of 12: and +0x1f:")}, false},
    {"another rule", {.rule = &other, .file = TEXT("a.yaml"), .object = TEXT("queues/q"), .message = TEXT("4 of 12:5 and +0x1f:")}, false},
    {"another file", {.rule = &rule, .file = TEXT("b.yaml"), .object = TEXT("queues/q"), .message = TEXT("4 of 12:5 and +0x1f:")}, false},
    {"another object", {.rule = &rule, .file = TEXT("a.yaml"), .object = TEXT("queues/r"), .message = TEXT("4 of 12:5 and +0x1f:")}, false},
    {"another member", {.rule = &rule, .file = TEXT("a.yaml"), .member = TEXT("m"), .object = TEXT("queues/q"), .message = TEXT("4 of 12:5 and +0x1f:")}, false},
    {"the file's name in two parts", {.rule = &rule, .file = TEXT("a.y"), .member = TEXT("aml"), .object = TEXT("queues/q"), .message = TEXT("4 of 12:5 and +0x1f:")}, false},
    {"a message that ends in a place's middle", {.rule = &rule, .file = TEXT("a.yaml"), .object = TEXT("queues/q"), .message = TEXT("4 of 12:5 and +0x")}, false},
    // clang-format on
};

HOIST_TEST_TABLE(differences, findings)
{
    hoist_fingerprints all;
    hoist_fingerprint first;
    hoist_fingerprint second;
    hoist_fingerprints_init(&all, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fingerprint_next(&all, &base, &first), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_fingerprint_next(&all, &row->finding, &second), HOIST_OK);
    HOIST_EXPECT_EQ(t, strncmp(first.text, second.text, 32) == 0, row->same);
    HOIST_EXPECT_STR(t, hoist_str_from(first.text + 32), ":1");
    HOIST_EXPECT_STR(t, hoist_str_from(second.text + 32), row->same ? ":2" : ":1");
    hoist_fingerprints_deinit(&all);
}

// A run of its own counts from 1 on, and gives the same fingerprints.
HOIST_TEST(runs)
{
    hoist_fingerprint prints[2];
    for (size_t i = 0; i < 2; i++) {
        hoist_fingerprints all;
        hoist_fingerprints_init(&all, hoist_allocator_system());
        HOIST_EXPECT_EQ(t, hoist_fingerprint_next(&all, &base, &prints[i]), HOIST_OK);
        hoist_fingerprints_deinit(&all);
    }
    HOIST_EXPECT_STR(t, hoist_str_from(prints[0].text), prints[1].text);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(differences), HOIST_TEST_ROW(runs))
