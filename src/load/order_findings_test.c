// What the order check passes on to the caller's diag: each finding once, no reasons of lowering.
#include "base/diag.h"
#include "load/load_rules.h"
#include "load/question.h"
#include "lower/lower.h"
#include "testing/test.h"

static hoist_job *open_job(hoist_test *t)
{
    static const char model[] = "{\"Rank\":0,\"WorldSize\":1,\"Nodes\":[]}";
    const hoist_bytes bytes = {(const uint8_t *)model, sizeof model - 1};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, "r.json", NULL, NULL, &job), HOIST_OK);
    return job;
}

static hoist_diag *new_diag(hoist_test *t)
{
    hoist_diag *diag = NULL;
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &diag), HOIST_OK);
    return diag;
}

HOIST_TEST(each_finding_once)
{
    const hoist_rule *const first = hoist_load_rule(LOAD_001);
    hoist_job *const job = open_job(t);
    hoist_diag *const found = new_diag(t);
    hoist_question q = {.job = job, .diag = t->diag};
    hoist_report(found, first, hoist_loc_pos((hoist_pos){1, 1}), "one");
    hoist_report(found, first, hoist_loc_pos((hoist_pos){1, 1}), "one");
    hoist_report(found, first, hoist_loc_pos((hoist_pos){1, 2}), "one");
    hoist_report(found, first, hoist_loc_pos((hoist_pos){1, 1}), "two");
    hoist_report(found, hoist_load_rule(LOAD_002), hoist_loc_pos((hoist_pos){1, 1}), "one");
    hoist_report(found, &hoist_lower_rules.rules[0], hoist_loc_pos((hoist_pos){1, 1}), "a reason");
    HOIST_EXPECT_EQ(t, hoist_question_hand_over(&q, found), 4);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 4);
    HOIST_EXPECT_EQ(t, hoist_question_hand_over(&q, found), 0);
    hoist_report(found, first, hoist_loc_pos((hoist_pos){1, 2}), "one"); // by the next program
    hoist_report(found, first, hoist_loc_pos((hoist_pos){1, 2}), "three");
    HOIST_EXPECT_EQ(t, hoist_question_hand_over(&q, found), 1);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 4)->message, "three");
    hoist_diag_destroy(found);
    hoist_job_close(job);
}

// What was left out may have written it.
HOIST_TEST(unwritten_memory_counts_where_all_was_lowered)
{
    for (int incomplete = 0; incomplete < 2; incomplete++) {
        hoist_job *const job = open_job(t);
        hoist_diag *const found = new_diag(t);
        hoist_question q = {.job = job, .diag = t->diag, .incomplete = incomplete};
        hoist_report(found, hoist_job_rule(job, HOIST_PRG_104), hoist_loc_none(), "unwritten");
        HOIST_EXPECT_EQ(t, hoist_question_hand_over(&q, found), !incomplete);
        hoist_diag_destroy(found);
        hoist_job_close(job);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_finding_once),
                HOIST_TEST_ROW(unwritten_memory_counts_where_all_was_lowered))
