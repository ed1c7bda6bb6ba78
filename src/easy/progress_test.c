// What long calls report of how far they are (hoist_deadline_watch): which stages come, in which
// order, and that their counts are true: they grow, are at most the total, and reach it.
#include <stdio.h>
#include <string.h>

#include "hoist/easy.h"
#include "hoist/exchange.h"

#include "base/progress.h"
#include "base/span.h"
#include "testing/test.h"

// The reports of some calls, every look one.
typedef struct log {
    hoist_deadline *deadline;
    char stages[200]; // names, each with a blank after
    hoist_progress last;
    uint64_t done[HOIST_STAGE_COUNT];  // greatest
    uint64_t total[HOIST_STAGE_COUNT]; // last that was known
    int wrong;
} log;

static void note(void *self, const hoist_progress *progress)
{
    log *const l = self;
    const hoist_stage stage = progress->stage;
    const bool is_same = stage == l->last.stage;
    l->wrong += is_same && (progress->done < l->last.done || progress->total < l->last.total);
    l->wrong += progress->total && progress->done > progress->total;
    if (!is_same && stage != HOIST_STAGE_NONE) {
        const size_t size = strlen(l->stages);
        (void)snprintf(l->stages + size, sizeof(l->stages) - size, "%s ", progress->name);
    }
    l->done[stage] = progress->done > l->done[stage] ? progress->done : l->done[stage];
    l->total[stage] = progress->total ? progress->total : l->total[stage];
    l->last = *progress;
}

static void begin(hoist_test *t, log *l)
{
    *l = (log){.deadline = hoist_test_deadline(t, -1)};
    hoist_deadline_watch(l->deadline, note, l);
    hoist_deadline_report_all(l->deadline);
}

static void end(hoist_test *t, log *l, const char *stages)
{
    HOIST_EXPECT_STR(t, hoist_str_from(l->stages), stages);
    HOIST_EXPECT_EQ(t, l->wrong, 0);
    hoist_deadline_destroy(l->deadline);
}

static hoist_job *open_text(hoist_test *t, log *l, const char *text, const char *name)
{
    const hoist_open_options options = {.struct_size = sizeof(options), .deadline = l->deadline};
    const hoist_bytes bytes = {(const uint8_t *)text, strlen(text)};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, name, &options, t->diag, &job), HOIST_OK);
    return job;
}

// A text that is read line by line, and whose rules are checked in no time, with a loop of moves
// over a parameter.
static const char program[] = "program p\n"
                              "space m\n"
                              "buffer x in m size 8 lifetime session contents zero\n"
                              "port x in x of f32[2] result\n"
                              "thread main {\n"
                              "    register n lifetime run\n"
                              "    loop n\n"
                              "        move fma from [x f32[2] scale 2] to x f32[2]\n"
                              "        move copy from [x f32[1]] to x f32[1] + 4\n"
                              "    end\n"
                              "}\n"
                              "entry run {\n"
                              "    start main\n"
                              "    parameter $n thread main register n\n"
                              "}\n";

HOIST_TEST(a_run_counts_its_steps)
{
    log l;
    begin(t, &l);
    hoist_job *const job = open_text(t, &l, program, "p.hoist");
    const hoist_parameter n = {"$n", 300};
    hoist_array_set *outputs = NULL;
    const hoist_run_once_options options = {.struct_size = sizeof(options),
                                            .parameters = &n,
                                            .parameter_count = 1,
                                            .threads = 2,
                                            .deadline = l.deadline};
    HOIST_EXPECT_EQ(t, hoist_run_once(job, NULL, 0, &options, t->diag, &outputs), HOIST_OK);
    HOIST_EXPECT_EQ(t, l.total[HOIST_STAGE_OPENING], sizeof(program) - 1);
    HOIST_EXPECT_EQ(t, l.total[HOIST_STAGE_RUNNING], 600);
    HOIST_EXPECT(t, l.done[HOIST_STAGE_RUNNING] > 500);
    hoist_array_set_destroy(outputs);
    hoist_job_close(job);
    end(t, &l, "opening lowering running ");
}

HOIST_TEST(a_check_counts_steps_in_all_orders)
{
    log l;
    begin(t, &l);
    hoist_job *const job = open_text(t, &l, program, "p.hoist");
    const hoist_parameter n = {"$n", 20};
    const hoist_order_check options = {
        .struct_size = sizeof(options), .parameters = &n, .parameter_count = 1};
    hoist_verdict verdict = HOIST_VERDICT_NONE;
    HOIST_EXPECT_EQ(t, hoist_job_check_order(job, &options, t->diag, &verdict), HOIST_OK);
    HOIST_EXPECT_EQ(t, l.total[HOIST_STAGE_ORDERS], 0);
    HOIST_EXPECT(t, l.done[HOIST_STAGE_ORDERS] > 60);
    hoist_job_close(job);
    end(t, &l, "opening lowering checking orders ");
}

HOIST_TEST(json_is_counted_by_its_bytes)
{
    static const char text[] = "{\"Rank\": 0, \"WorldSize\": 1, \"Nodes\": []}";
    log l;
    begin(t, &l);
    const hoist_open_options options = {
        .struct_size = sizeof(options), .format = "ark", .deadline = l.deadline};
    const hoist_bytes bytes = {(const uint8_t *)text, sizeof(text) - 1};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, "a.json", &options, t->diag, &job), HOIST_OK);
    HOIST_EXPECT_EQ(t, l.total[HOIST_STAGE_OPENING], bytes.size);
    HOIST_EXPECT_EQ(t, l.done[HOIST_STAGE_OPENING], bytes.size);
    hoist_job_close(job);
    end(t, &l, "opening ");
}

// Bytes that hardly become less.
enum { BIG = 1 << 20 };
static uint8_t big[BIG];

static hoist_status take_part(void *self, const hoist_part *part)
{
    *(uint64_t *)self += part->bytes.size;
    return HOIST_OK;
}

HOIST_TEST(containers_count_their_bytes)
{
    log l;
    begin(t, &l);
    uint32_t state = 1;
    for (size_t i = 0; i < BIG; i++) {
        state = state * 1664525 + 1013904223;
        big[i] = (uint8_t)(state >> 24);
    }
    const hoist_part parts[] = {
        {.path = HOIST_STR("neff.json"), .bytes = {(const uint8_t *)"{}", 2}},
        {.path = HOIST_STR("big.bin"), .bytes = {big, BIG}},
    };
    const hoist_pack_options packing = {
        .struct_size = sizeof(packing), .format = "neff", .deadline = l.deadline};
    hoist_mut_bytes packed = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_pack(parts, 2, &packing, t->diag, &packed), HOIST_OK);
    HOIST_EXPECT(t, l.total[HOIST_STAGE_PACKING] > BIG);
    HOIST_EXPECT(t, l.done[HOIST_STAGE_PACKING] > BIG / 2);

    const hoist_open_options opening = {
        .struct_size = sizeof(opening), .container_only = true, .deadline = l.deadline};
    const hoist_bytes bytes = {packed.data, packed.size};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, "a.neff", &opening, t->diag, &job), HOIST_OK);
    HOIST_EXPECT(t, l.total[HOIST_STAGE_INFLATING] > BIG / 2);
    HOIST_EXPECT(t, l.done[HOIST_STAGE_INFLATING] > BIG / 4);

    uint64_t taken = 0;
    hoist_part_sink sink = {&taken, take_part};
    const hoist_unpack_options unpacking = {.struct_size = sizeof(unpacking), .members_only = true};
    HOIST_EXPECT_EQ(t, hoist_job_unpack(job, &unpacking, t->diag, &sink), HOIST_OK);
    HOIST_EXPECT_EQ(t, taken, BIG + 2);
    HOIST_EXPECT_EQ(t, l.total[HOIST_STAGE_UNPACKING], BIG + 2);
    HOIST_EXPECT_EQ(t, l.done[HOIST_STAGE_UNPACKING], BIG + 2);
    hoist_job_close(job);
    hoist_pack_free(hoist_allocator_system(), packed);
    end(t, &l, "packing inflating opening unpacking ");
}

// What another call of the deadline does meanwhile is not its own.
HOIST_TEST(calls_within_a_stage_do_not_count)
{
    log l;
    begin(t, &l);
    const bool is_own = hoist_stage_begin(l.deadline, HOIST_STAGE_SCANNING, 0);
    hoist_job *const job = open_text(t, &l, program, "p.hoist");
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    hoist_stage_end(l.deadline, is_own);
    HOIST_EXPECT_EQ(t, l.done[HOIST_STAGE_SCANNING], 0);
    hoist_job_close(job);
    end(t, &l, "scanning ");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(a_run_counts_its_steps),
                HOIST_TEST_ROW(a_check_counts_steps_in_all_orders),
                HOIST_TEST_ROW(json_is_counted_by_its_bytes),
                HOIST_TEST_ROW(containers_count_their_bytes),
                HOIST_TEST_ROW(calls_within_a_stage_do_not_count))
