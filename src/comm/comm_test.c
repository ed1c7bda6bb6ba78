// Ends of one process: order, bodies, agreement, and ends that are gone.
#include <pthread.h>
#include <string.h>

#include "comm/inproc_testing.h"
#include "testing/test.h"

enum { RANKS = 3 };

static hoist_comm_head head_of(uint64_t id, size_t size)
{
    return (hoist_comm_head){.kind = 1, .run = 2, .id = id, .count = id + 1, .size = size};
}

static void open_ends(hoist_test *t, hoist_comm **ends)
{
    HOIST_EXPECT_EQ(t, hoist_comm_inproc(hoist_allocator_system(), RANKS, ends), HOIST_OK);
}

static void close_ends(hoist_comm **ends)
{
    for (size_t i = 0; i < RANKS; i++) {
        hoist_comm_close(ends[i]);
    }
}

HOIST_TEST(ends_have_their_ranks)
{
    hoist_comm *ends[RANKS];
    open_ends(t, ends);
    for (uint32_t i = 0; i < RANKS; i++) {
        HOIST_EXPECT_EQ(t, hoist_comm_rank(ends[i]), i);
        HOIST_EXPECT_EQ(t, hoist_comm_count(ends[i]), RANKS);
    }
    close_ends(ends);
    hoist_comm_close(NULL);
}

HOIST_TEST(messages_keep_their_order_and_bodies)
{
    hoist_comm *ends[RANKS];
    open_ends(t, ends);
    const hoist_comm_calls *calls = ends[0]->calls;
    hoist_comm_head head;
    HOIST_EXPECT(t, !calls->peek(ends[1], 0, &head));
    uint8_t bytes[4] = {1, 2, 3, 4};
    const hoist_comm_head first = head_of(7, sizeof bytes);
    const hoist_comm_head second = head_of(8, 0);
    HOIST_EXPECT_EQ(t, calls->send(ends[0], 1, &first, bytes, HOIST_COMM_BORROWED), HOIST_OK);
    HOIST_EXPECT_EQ(t, calls->send(ends[0], 1, &second, NULL, HOIST_COMM_OWNED), HOIST_OK);
    (void)calls->poll(ends[1]);
    HOIST_EXPECT(t, !calls->peek(ends[2], 0, &head)); // not to whom it was not sent
    HOIST_EXPECT(t, calls->peek(ends[1], 0, &head));
    HOIST_EXPECT(t, memcmp(&head, &first, sizeof head) == 0);
    HOIST_EXPECT(t, calls->peek(ends[1], 0, &head)); // a look takes nothing
    HOIST_EXPECT(t, !calls->received(ends[1], 0));
    uint8_t came[4] = {0};
    calls->accept(ends[1], 0, came);
    HOIST_EXPECT(t, !calls->peek(ends[1], 0, &head)); // before the body is there
    HOIST_EXPECT(t, calls->received(ends[1], 0));
    HOIST_EXPECT(t, !calls->received(ends[1], 0)); // once
    HOIST_EXPECT(t, memcmp(came, bytes, sizeof bytes) == 0);
    HOIST_EXPECT(t, calls->peek(ends[1], 0, &head));
    HOIST_EXPECT_EQ(t, head.id, 8);
    HOIST_EXPECT_EQ(t, calls->failure(ends[1]), HOIST_OK);
    close_ends(ends); // with a message that nobody took
}

HOIST_TEST(an_end_that_is_gone_says_no_more)
{
    hoist_comm *ends[RANKS];
    open_ends(t, ends);
    const hoist_comm_calls *calls = ends[0]->calls;
    HOIST_EXPECT(t, hoist_comm_is_alive(ends[0], 2));
    hoist_comm_inproc_kill(ends[2]);
    HOIST_EXPECT(t, !hoist_comm_is_alive(ends[0], 2));
    HOIST_EXPECT(t, hoist_comm_is_alive(ends[0], 1));
    HOIST_EXPECT(t, hoist_comm_is_alive(ends[2], 2)); // to itself
    const hoist_comm_head head = head_of(1, 0);
    hoist_comm_head found;
    HOIST_EXPECT_EQ(t, calls->send(ends[2], 0, &head, NULL, HOIST_COMM_BORROWED), HOIST_OK);
    HOIST_EXPECT(t, !calls->peek(ends[0], 2, &found));
    hoist_comm_abort(ends[0], 5);
    HOIST_EXPECT(t, !hoist_comm_is_alive(ends[0], 1));
    close_ends(ends);
}

static hoist_status broken(hoist_comm *comm)
{
    (void)comm;
    return HOIST_IO;
}

HOIST_TEST(a_transport_that_fails_ends_an_agreement)
{
    hoist_comm *ends[RANKS];
    uint64_t all[RANKS];
    bool there[RANKS];
    open_ends(t, ends);
    hoist_comm_calls failing = *ends[0]->calls;
    const hoist_comm_calls *const sound = ends[0]->calls;
    failing.failure = broken;
    ends[0]->calls = &failing;
    HOIST_EXPECT_EQ(t, hoist_comm_agree(ends[0], 1, 20, all, there), HOIST_IO);
    ends[0]->calls = sound;
    close_ends(ends);
}

// One end in a thread of its own.
typedef struct agreeing {
    hoist_comm *comm;
    double seconds;
    hoist_status status;
    uint64_t all[RANKS];
    bool there[RANKS];
} agreeing;

static void *agree(void *self)
{
    agreeing *a = self;
    a->status = hoist_comm_agree(a->comm, 10 + a->comm->rank, a->seconds, a->all, a->there);
    return NULL;
}

// `silent`: ranks that do not take part; `killed`: those that have ended, too.
// clang-format off
static const struct {
    const char *name;
    uint32_t silent; // a bit for each rank
    uint32_t killed;
    double seconds;
    hoist_status status;
} agreements[] = {
    {"all",                          0, 0, -1,   HOIST_OK},
    {"all, in time",                 0, 0, 60,   HOIST_OK},
    {"one does not answer",          4, 0, 0.05, HOIST_LIMIT},
    {"one is gone: no waiting",      4, 4, -1,   HOIST_LIMIT},
    {"two are gone",                 6, 6, 60,   HOIST_LIMIT},
};
// clang-format on

HOIST_TEST_TABLE(processes_agree, agreements)
{
    hoist_comm *ends[RANKS];
    agreeing all[RANKS];
    pthread_t threads[RANKS];
    open_ends(t, ends);
    uint8_t left[100] = {0};
    const hoist_comm_head head = head_of(3, sizeof left); // of a session that has ended
    HOIST_EXPECT_EQ(t, ends[0]->calls->send(ends[0], 1, &head, left, HOIST_COMM_BORROWED),
                    HOIST_OK);
    for (uint32_t i = 0; i < RANKS; i++) {
        all[i] = (agreeing){.comm = ends[i], .seconds = row->seconds};
        if (row->killed >> i & 1) {
            hoist_comm_inproc_kill(ends[i]);
        }
    }
    for (uint32_t i = 0; i < RANKS; i++) {
        if (!(row->silent >> i & 1)) {
            HOIST_EXPECT_EQ(t, pthread_create(&threads[i], NULL, agree, &all[i]), 0);
        }
    }
    for (uint32_t i = 0; i < RANKS; i++) {
        if (row->silent >> i & 1) {
            continue;
        }
        (void)pthread_join(threads[i], NULL);
        HOIST_EXPECT_EQ(t, all[i].status, row->status);
        for (uint32_t k = 0; k < RANKS; k++) {
            const bool there = !(row->silent >> k & 1);
            HOIST_EXPECT_EQ(t, all[i].there[k], there);
            HOIST_EXPECT_EQ(t, all[i].all[k], there ? 10 + k : 0);
        }
    }
    close_ends(ends);
}

// A body that was on its way to a session when it ended is waited for.
HOIST_TEST(agreement_ends_what_a_session_was_receiving)
{
    hoist_comm *ends[2];
    HOIST_EXPECT_EQ(t, hoist_comm_inproc(hoist_allocator_system(), 2, ends), HOIST_OK);
    uint8_t body[8] = {9};
    uint8_t slot[8] = {0};
    const hoist_comm_head head = head_of(3, sizeof body);
    HOIST_EXPECT_EQ(t, ends[0]->calls->send(ends[0], 1, &head, body, HOIST_COMM_BORROWED),
                    HOIST_OK);
    ends[1]->calls->accept(ends[1], 0, slot);
    agreeing other = {.comm = ends[0], .seconds = 60};
    agreeing self = {.comm = ends[1], .seconds = 60};
    pthread_t thread;
    HOIST_EXPECT_EQ(t, pthread_create(&thread, NULL, agree, &other), 0);
    (void)agree(&self);
    (void)pthread_join(thread, NULL);
    HOIST_EXPECT_EQ(t, self.status, HOIST_OK);
    HOIST_EXPECT_EQ(t, other.status, HOIST_OK);
    hoist_comm_close(ends[0]);
    hoist_comm_close(ends[1]);
}

static hoist_status starved(hoist_allocator alloc, const void *self)
{
    hoist_comm *ends[2];
    (void)self;
    HOIST_TRY(hoist_comm_inproc(alloc, 2, ends));
    const uint8_t body[4] = {1, 2, 3, 4};
    const hoist_comm_head head = head_of(3, sizeof body);
    uint64_t all[2];
    bool there[2];
    hoist_status status = ends[0]->calls->send(ends[0], 1, &head, body, HOIST_COMM_BORROWED);
    if (status == HOIST_OK) {
        status = hoist_comm_agree(ends[1], 1, 0, all, there);
        status = status == HOIST_LIMIT ? HOIST_OK : status;
    }
    hoist_comm_close(ends[0]);
    hoist_comm_close(ends[1]);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    hoist_test_starve(t, starved, NULL);
}

HOIST_TEST(the_module_is_looked_for)
{
    const char *why = NULL;
    hoist_comm *comm = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_comm_open_mpi(hoist_allocator_system(), "/nonexistent.so", &why, &comm),
                    HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, comm == NULL);
    HOIST_EXPECT(t, why && *why);
    HOIST_EXPECT(t, !hoist_comm_mpi() || strncmp(hoist_comm_mpi(), "Open MPI ", 9) == 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(a_transport_that_fails_ends_an_agreement),
                HOIST_TEST_ROW(ends_have_their_ranks),
                HOIST_TEST_ROW(messages_keep_their_order_and_bodies),
                HOIST_TEST_ROW(an_end_that_is_gone_says_no_more), HOIST_TEST_ROW(processes_agree),
                HOIST_TEST_ROW(agreement_ends_what_a_session_was_receiving),
                HOIST_TEST_ROW(memory_runs_out), HOIST_TEST_ROW(the_module_is_looked_for))
