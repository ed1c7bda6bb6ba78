// The communication of jobs: which puts and receipts belong together, where puts go, and when those
// are delivered that no operator receives.
#include <inttypes.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "formats/ark/job_testing.h"
#include "formats/ark/messages.h"

// clang-format off
#define R(rank, nodes) JOB_RANK(rank, "2", nodes)
#define R3(rank, nodes) JOB_RANK(rank, "3", nodes)
#define NEXT ",\n"
// A Send to memory that rank 1 has under the tag, and no operator there receives it.
#define HAS_MEMORY JOB_RELU("30", JOB_IN("0", "4"))
#define TWO_MEMORIES HAS_MEMORY NEXT JOB_RELU("31", JOB_IN("0", "5"))
#define AT ARK_BUFFER_AT
// A reduction of rank `rank` of three.
#define REDUCE(rank, a, b) JOB_OP("RecvReduceSend", \
    JOB_F("1", "16", ARK_BUFFER("1")) "," JOB_F("2", "32", AT("2", "-1", "", "[" a ",6],[" b ",6]")), \
    JOB_F("3", "16", ARK_BUFFER("3")) "," JOB_F("7", "16", AT("7", a, "", "[-1,7]")) "," \
    JOB_F("8", "16", AT("8", b, "", "[-1,7]")), JOB_F("4", "16", ARK_BUFFER("3")), \
    "\"NPeers\":{\"UINT32\":2},\"Rank\":{\"INT\":" rank "}")

// "R0: P(1 t4 >0) ..." : the events of each rank. Puts have the rank and tag that they are for, and
// ">" the receipt, "?" where there is none; receipts the same with "<" and the put. "m" and the Id
// of the buffer follow. "D(put, event)" are deliveries.
static const struct {
    const char *name;
    const char *texts[JOB_TEST_FILES + 1];
    const char *shown;
} cases[] = {
    {"no file has communication", {JOB_RANK("0", "1", "")}, "R0 complete"},
    {"a message", {R("0", JOB_SEND("1", "4") NEXT JOB_DONE("1", "4")), R("1", JOB_RECV("0", "4"))}, "R0 P0(1 t4 >0 m304 64) done(1 t4); R1 G0(0 t4 <0 c0) complete"},
    {"files in another order", {R("1", JOB_RECV("0", "4")), R("0", JOB_SEND("1", "4"))}, "R0 P0(1 t4 >0 m304 64); R1 G0(0 t4 <0 c0) complete"},
    {"the other file is missing", {R("0", JOB_SEND("1", "4") NEXT JOB_RECV("1", "4"))}, "R0 P0(1 t4 64) G0(1 t4 c0)"},
    {"two of one key, in order", {R("0", JOB_SEND("1", "4") NEXT JOB_SEND("1", "4")),
                                  R("1", JOB_RECV("0", "4") NEXT JOB_RECV("0", "4"))}, "R0 P0(1 t4 >0 m304 64) P1(1 t4 >1 m304 64); R1 G0(0 t4 <0 c0) G1(0 t4 <1 c0) complete"},
    {"two keys, in another order", {R("0", JOB_SEND("1", "4") NEXT JOB_SEND("1", "5")),
                                    R("1", JOB_RECV("0", "5") NEXT JOB_RECV("0", "4"))}, "R0 P0(1 t4 >1 m304 64) P1(1 t5 >0 m305 64); R1 G0(0 t5 <1 c0) G1(0 t4 <0 c0) complete"},
    {"more are received", {R("0", JOB_SEND("1", "4")), R("1", JOB_RECV("0", "4") NEXT JOB_RECV("0", "4"))}, "R0 P0(1 t4 >0 m304 64); R1 G0(0 t4 <0 c0) G1(0 t4 c0) complete"},
    {"delivered at the end", {R("0", JOB_SEND("1", "4")), R("1", HAS_MEMORY)}, "R0 P0(1 t4 m304 64); R1 D(0) complete"},
    {"the second at the end", {R("0", JOB_SEND("1", "4") NEXT JOB_SEND("1", "4")), R("1", JOB_RECV("0", "4"))}, "R0 P0(1 t4 >0 m304 64) P1(1 t4 m304 64); R1 G0(0 t4 <0 c0) D(1) complete"},
    {"delivered at the next barrier", {R("0", JOB_SYNC("1") NEXT JOB_SEND("1", "4") NEXT JOB_SYNC("1")),
                                       R("1", JOB_SYNC("1") NEXT HAS_MEMORY NEXT JOB_SYNC("1"))}, "R0 B0 P0(1 t4 m304 64) B1; R1 B0 B1 D(0, 1) complete"},
    {"no barrier is left", {R("0", JOB_SYNC("1") NEXT JOB_SEND("1", "4")), R("1", JOB_SYNC("1") NEXT HAS_MEMORY)}, "R0 B0 P0(1 t4 m304 64); R1 B0 D(0) complete"},
    {"two deliveries, by barriers", {R("0", JOB_SEND("1", "5") NEXT JOB_SYNC("1") NEXT JOB_SEND("1", "4")),
                                     R("1", JOB_SYNC("1") NEXT TWO_MEMORIES)}, "R0 P0(1 t5 m305 64) B0 P1(1 t4 m304 64); R1 B0 D(0, 0) D(1) complete"},
    {"by source, then position", {R3("0", JOB_SYNC("2") NEXT JOB_SEND("2", "4")), R3("1", JOB_SEND("2", "4") NEXT JOB_SYNC("2")),
        R3("2", JOB_RELU("30", JOB_IN("0", "4")) NEXT JOB_RELU("31", JOB_IN("1", "4")) NEXT JOB_SYNC("2"))}, "R0 B0 P0(2 t4 m304 64); R1 P1(2 t4 m314 64) B0; R2 B0 D(1, 0) D(0) complete"},
    {"packets are not delivered", {R("0", JOB_SEND_PACKET("1", "4", "1")), R("1", HAS_MEMORY)}, "R0 P0(1 t4 m304 64); R1 complete"},
    {"packets", {R("0", JOB_SEND_PACKET("1", "4", "1")), R("1", JOB_RECV_PACKET("0", "4", "1"))}, "R0 P0(1 t4 >0 m304 64); R1 G0(0 t4 <0 c0) complete"},
    {"no memory there", {R("0", JOB_SEND("1", "4")), R("1", "")}, "R0 P0(1 t4 64); R1 complete"},
    {"reductions", {R3("0", REDUCE("0", "1", "2")), R3("1", REDUCE("1", "0", "2")), R3("2", REDUCE("2", "0", "1"))}, "R0 G0(1 t6 c0) G1(2 t6 c1) P0(1 t7 64) P1(2 t7 64); R1 G2(0 t6 c0) G3(2 t6 c1) P2(0 t7 64) P3(2 t7 64); R2 G4(0 t6 c0) G5(1 t6 c1) P4(0 t7 64) P5(1 t7 64) complete"},
    {"unresolved", {R("0", JOB_OP("Send", JOB_F("1", "16", JOB_OUT("1", "5")), JOB_F("2", "16", JOB_TO("1", "4")),
        JOB_F("3", "16", JOB_TO("1", "4")), "")), R("1", JOB_RECV("0", "4"))}, "R0 P0(1 64 unresolved); R1 G0(0 t4 c0)"},
    {"a rank that there is not", {JOB_RANK("2", "2", JOB_SYNC("1"))}, ""},
    {"the first of two files", {R("0", JOB_SEND("1", "4")), R("1", JOB_RECV("0", "4")), R("1", "")}, "R0 P0(1 t4 >0 m304 64); R1 G0(0 t4 <0 c0) complete"},
};
// clang-format on

static void show_put(const ark_job *job, const ark_put *p, uint32_t index, hoist_buffer *out)
{
    hoist_buffer_format(out, " P%" PRIu32 "(%" PRId64, index, p->to.number);
    if (p->to.tags == 1) {
        hoist_buffer_format(out, " t%" PRId64, p->to.tag);
    }
    if (p->receipt != ARK_NONE) {
        hoist_buffer_format(out, " >%" PRIu32, p->receipt);
    }
    if (p->memory != ARK_NONE) {
        hoist_buffer_format(out, " m%" PRId64,
                            job->ranks[p->to.rank].graph->memories[p->memory].id);
    }
    hoist_buffer_format(out, " %" PRIu64 "%s)", p->bytes, p->to.resolved ? "" : " unresolved");
}

static void show_rank(const ark_job *job, const ark_rank *rank, hoist_buffer *out)
{
    hoist_buffer_format(out, "R%" PRId64, rank->number);
    for (uint32_t i = 0; i < rank->event_count; i++) {
        const ark_event *const e = &rank->events[i];
        for (uint32_t k = e->receipts; k < e->receipts + e->receipt_count; k++) {
            const ark_receipt *const r = &job->receipts[k];
            hoist_buffer_format(out, " G%" PRIu32 "(%" PRId64 " t%" PRId64, k, r->from.number,
                                r->from.tag);
            if (r->put != ARK_NONE) {
                hoist_buffer_format(out, " <%" PRIu32, r->put);
            }
            hoist_buffer_format(out, " c%" PRIu32 ")", r->chunk);
        }
        for (uint32_t k = e->puts; k < e->puts + e->put_count; k++) {
            show_put(job, &job->puts[k], k, out);
        }
        if (e->kind == ARK_EVENT_BARRIER) {
            hoist_buffer_format(out, " B%" PRIu32, e->barrier);
        } else if (e->kind == ARK_EVENT_DONE) {
            hoist_buffer_format(out, " done(%" PRId64 " t%" PRId64 ")", e->peer.number,
                                e->peer.tag);
        }
    }
    for (uint32_t i = 0; i < rank->delivery_count; i++) {
        hoist_buffer_format(out, " D(%" PRIu32, rank->deliveries[i].put);
        if (rank->deliveries[i].event != ARK_NONE) {
            hoist_buffer_format(out, ", %" PRIu32, rank->deliveries[i].event);
        }
        hoist_buffer_c(out, ")");
    }
}

static hoist_str shown(hoist_test *t, const char *const *texts)
{
    ark_test_job files;
    ark_job job;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, ark_test_job_open(texts, hoist_allocator_system(), NULL, NULL, &files),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, ark_job_build(files.files, files.count, &t->arena, &job), HOIST_OK);
    for (uint32_t r = 0; r < job.rank_count; r++) {
        hoist_buffer_c(&out, r ? "; " : "");
        show_rank(&job, &job.ranks[r], &out);
        HOIST_EXPECT_EQ(t, ark_job_find_rank(&job, job.ranks[r].number), r);
    }
    HOIST_EXPECT_EQ(t, ark_job_find_rank(&job, 100), ARK_NONE);
    hoist_buffer_c(&out, job.complete ? " complete" : "");
    ark_test_job_close(&files);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return copy;
}

HOIST_TEST_TABLE(events, cases)
{
    HOIST_EXPECT_STR(t, shown(t, row->texts), row->shown);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(events))
