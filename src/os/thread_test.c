#include <stdatomic.h>

#include "base/span.h"
#include "os/thread.h"
#include "testing/test.h"

HOIST_TEST(time_goes_forward)
{
    const double before = hoist_now();
    HOIST_EXPECT(t, before >= 0);
    HOIST_EXPECT(t, hoist_now() >= before);
}

HOIST_TEST(work_takes_processor_time)
{
    const double before = hoist_cpu_time();
    volatile unsigned sum = 0;
    for (unsigned i = 0; i < 1000000; i++) {
        sum = sum + i;
    }
    HOIST_EXPECT(t, before > 0);
    HOIST_EXPECT(t, hoist_cpu_time() > before);
}

HOIST_TEST(there_is_a_core)
{
    HOIST_EXPECT(t, hoist_core_count() >= 1);
}

typedef struct flag {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    bool set;
} flag;

static void *set_flag(void *self)
{
    flag *f = self;
    (void)pthread_mutex_lock(&f->mutex);
    f->set = true;
    (void)pthread_cond_signal(&f->cond);
    (void)pthread_mutex_unlock(&f->mutex);
    return NULL;
}

HOIST_TEST(a_wait_ends_by_signal_or_deadline)
{
    flag f = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    HOIST_EXPECT(t, hoist_cond_init(&f.cond));
    (void)pthread_mutex_lock(&f.mutex);
    const double deadline = hoist_now() + 0.01;
    while (hoist_cond_wait(&f.cond, &f.mutex, deadline)) {
    }
    HOIST_EXPECT(t, hoist_now() >= deadline);
    pthread_t thread;
    HOIST_EXPECT_EQ(t, pthread_create(&thread, NULL, set_flag, &f), 0);
    while (!f.set && hoist_cond_wait(&f.cond, &f.mutex, -1)) {
    }
    HOIST_EXPECT(t, f.set);
    (void)pthread_mutex_unlock(&f.mutex);
    HOIST_EXPECT_EQ(t, pthread_join(thread, NULL), 0);
    (void)pthread_cond_destroy(&f.cond);
}

static void *count_change(void *self)
{
    atomic_uint *const counter = self;
    (void)atomic_fetch_add(counter, 1);
    return NULL;
}

HOIST_TEST(a_spin_ends_by_change_or_time)
{
    atomic_uint counter = 7;
    const double before = hoist_now();
    HOIST_EXPECT(t, !hoist_spin_while(&counter, 7, 0.001));
    HOIST_EXPECT(t, hoist_now() >= before + 0.001);
    HOIST_EXPECT(t, hoist_spin_while(&counter, 6, 0)); // it has changed before
    pthread_t thread;
    HOIST_EXPECT_EQ(t, pthread_create(&thread, NULL, count_change, &counter), 0);
    HOIST_EXPECT(t, hoist_spin_while(&counter, 7, 60));
    HOIST_EXPECT_EQ(t, pthread_join(thread, NULL), 0);
}

enum { ROUNDS = 20000 };

typedef struct guarded {
    pthread_mutex_t mutex;
    int count; // guarded
} guarded;

static void *count_guarded(void *self)
{
    guarded *const g = self;
    for (int i = 0; i < ROUNDS; i++) {
        hoist_lock_soon(&g->mutex);
        g->count++;
        (void)pthread_mutex_unlock(&g->mutex);
    }
    return NULL;
}

HOIST_TEST(a_lock_that_is_soon_had_keeps_others_out)
{
    guarded g = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    pthread_t threads[3];
    for (size_t i = 0; i < HOIST_COUNT_OF(threads); i++) {
        HOIST_EXPECT_EQ(t, pthread_create(&threads[i], NULL, count_guarded, &g), 0);
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(threads); i++) {
        HOIST_EXPECT_EQ(t, pthread_join(threads[i], NULL), 0);
    }
    HOIST_EXPECT_EQ(t, g.count, (int)HOIST_COUNT_OF(threads) * ROUNDS);
}

enum { PARTS = 1000 };

typedef struct parts {
    int calls[PARTS];  // of each, by the thread that runs it
    atomic_int begun;  // all together
    atomic_bool early; // one ran before many others
} parts;

static void run_part(void *self, size_t i)
{
    parts *const p = self;
    const int before = atomic_fetch_add(&p->begun, 1);
    p->calls[i]++;
    // Threads may be late by what others have begun meanwhile, never by more than there are of
    // them.
    if ((int)i > before + (int)hoist_core_count()) {
        atomic_store(&p->early, true);
    }
}

HOIST_TEST(each_part_runs_once)
{
    static const size_t counts[] = {0, 1, 2, PARTS};
    for (size_t c = 0; c < HOIST_COUNT_OF(counts); c++) {
        parts p = {.begun = 0};
        hoist_run_on_cores(counts[c], run_part, &p);
        HOIST_EXPECT_EQ(t, (size_t)atomic_load(&p.begun), counts[c]);
        HOIST_EXPECT(t, !atomic_load(&p.early));
        for (size_t i = 0; i < PARTS; i++) {
            HOIST_EXPECT_EQ(t, p.calls[i], i < counts[c] ? 1 : 0);
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(time_goes_forward), HOIST_TEST_ROW(work_takes_processor_time),
                HOIST_TEST_ROW(there_is_a_core), HOIST_TEST_ROW(a_wait_ends_by_signal_or_deadline),
                HOIST_TEST_ROW(a_spin_ends_by_change_or_time),
                HOIST_TEST_ROW(a_lock_that_is_soon_had_keeps_others_out),
                HOIST_TEST_ROW(each_part_runs_once))
