// Files one after the other, and the tokens that they share.
#include <stdio.h>

#include "hoist/load.h"

#include "base/alloc.h"
#include "edgetpu/nested_testing.h"
#include "formats/darwinn/package_testing.h"

enum { MAX_FILES = 4 };

// A package with that token.
static hoist_bytes package_of(hoist_test *t, uint64_t token)
{
    dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    for (size_t i = 0; i < draft.count; i++) {
        draft.executables[i]->parameter_caching_token = token;
    }
    return dwn_draft_package(&draft);
}

// clang-format off
static const struct {
    const char *name;
    uint64_t tokens[MAX_FILES]; // of files "0", "1" ...; 0: that file has none, and is a model
    const char *want[MAX_FILES]; // NULL: nothing is reported of that file
} sets[] = {
    {"all different", {1, 2, 3, 4}, {NULL}},
    {"two and two", {1, 2, 1, 2},
     {NULL, NULL, "the token 0000000000000001 is that of '0', too", "the token 0000000000000002 is that of '1', too"}},
    {"three of one", {9, 9, 8, 9},
     {NULL, "the token 0000000000000009 is that of '0', too", NULL, "the token 0000000000000009 is that of '0', too"}},
    {"tokens that are none", {0, 0, 5, 0}, {NULL}},
};
// clang-format on

static void add_file(hoist_test *t, hoist_file_set *set, hoist_bytes bytes, const char *name)
{
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, name, NULL, t->diag, &job), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_file_set_add(set, job, t->diag), HOIST_OK);
    hoist_job_close(job);
}

HOIST_TEST_TABLE(shared_tokens, sets)
{
    hoist_file_set *set = NULL;
    size_t reported = 0;
    HOIST_EXPECT_EQ(t, hoist_file_set_create((hoist_allocator){0}, &set), HOIST_OK);
    for (size_t i = 0; i < MAX_FILES; i++) {
        char name[8];
        (void)snprintf(name, sizeof(name), "%zu", i);
        add_file(t, set, package_of(t, row->tokens[i]), name);
        HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), reported + (row->want[i] != NULL));
        if (row->want[i] && hoist_diag_kept(t->diag) == reported + 1) {
            const hoist_finding *const f = hoist_diag_at(t->diag, reported++);
            HOIST_EXPECT_RULE(t, "DWN-080");
            HOIST_EXPECT_STR(t, f->message, row->want[i]);
            HOIST_EXPECT_STR(t, f->file, name);
            HOIST_EXPECT_STR(t, f->object, "executables/0");
            HOIST_EXPECT_EQ(t, f->loc.kind, HOIST_LOC_BYTE);
        }
    }
    hoist_file_set_destroy(set);
}

// In a model, and for the same model again.
HOIST_TEST(a_model_and_itself)
{
    hoist_file_set *set = NULL;
    const hoist_bytes file = hoist_test_edgetpu_file(t);
    HOIST_EXPECT_EQ(t, hoist_file_set_create((hoist_allocator){0}, &set), HOIST_OK);
    add_file(t, set, file, "a.tflite");
    HOIST_EXPECT_RULE(t, NULL);
    add_file(t, set, file, "b.tflite");
    HOIST_EXPECT_RULE(t, "DWN-080");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->object,
                     "subgraphs/0/operators/0/packages/0/executables/0");
    hoist_file_set_destroy(set);
    hoist_file_set_destroy(NULL);
}

static hoist_status add_starved(hoist_allocator alloc, const void *self)
{
    hoist_file_set *set = NULL;
    HOIST_TRY(hoist_file_set_create(alloc, &set));
    hoist_status status = hoist_file_set_add(set, self, NULL);
    status = status == HOIST_OK ? hoist_file_set_add(set, self, NULL) : status;
    hoist_file_set_destroy(set);
    return status;
}

HOIST_TEST(gives_memory_back)
{
    hoist_job *job = NULL;
    const hoist_bytes file = hoist_test_edgetpu_file(t);
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(file, "m.tflite", NULL, t->diag, &job), HOIST_OK);
    hoist_test_starve(t, add_starved, job);
    hoist_job_close(job);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(shared_tokens), HOIST_TEST_ROW(a_model_and_itself),
                HOIST_TEST_ROW(gives_memory_back))
