// How long it takes to hand a graph to the workers and to learn that it is done: a graph of one
// tile, run and waited for, against two threads that wake each other through a condition variable
// and back. Wall time, because waiting is what is measured; each round trip is one wake there and
// one back.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hoist/runtime.h"

#include "bench/bench.h"
#include "os/thread.h"
#include "program/text.h"

enum { ROUNDS = 21, TRIPS = 400 };

// A ram is copied to another one through a buffer, on the queue of a chip.
static const char text[] =
    "program nop\n"
    "space dram\n"
    "buffer a0 in dram size 4160 alignment 32 lifetime session contents zero\n"
    "buffer b0 in dram size 4160 alignment 32 lifetime session contents zero\n"
    "buffer x in dram size 4096 alignment 32\n"
    "fifo a ram of f32 tiled() slots 1 in [a0] header 32 slot_bytes 4128 tile_alignment 32 "
    "host_push\n"
    "fifo b ram of f32 tiled() slots 1 in [b0] header 32 slot_bytes 4128 tile_alignment 32 "
    "host_pop\n"
    "unit chip0 depth 32\n"
    "function graph {\n"
    "    compute golden.copy from [read(a) f32 tiled()] to [x f32 tiled()]\n"
    "    move copy from [x f32 tiled()] to write(b) f32 tiled()\n"
    "}\n"
    "thread main {\n"
    "    post chip0 graph\n"
    "}\n"
    "entry main {\n"
    "    start main\n"
    "}\n";

static void fail(const char *what)
{
    fprintf(stderr, "dispatch_bench: %s\n", what);
    exit(1);
}

// The other thread answers every ping with a pong.
typedef struct pair {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    unsigned pings;
    unsigned pongs;
    bool stop;
} pair;

static void *answer(void *self)
{
    pair *p = self;
    (void)pthread_mutex_lock(&p->mutex);
    while (!p->stop) {
        if (p->pongs < p->pings) {
            p->pongs++;
            (void)pthread_cond_broadcast(&p->cond);
        } else {
            (void)pthread_cond_wait(&p->cond, &p->mutex);
        }
    }
    (void)pthread_mutex_unlock(&p->mutex);
    return NULL;
}

static double round_trips(pair *p)
{
    const double began = hoist_now();
    (void)pthread_mutex_lock(&p->mutex);
    for (int i = 0; i < TRIPS; i++) {
        p->pings++;
        (void)pthread_cond_broadcast(&p->cond);
        while (p->pongs < p->pings) {
            (void)pthread_cond_wait(&p->cond, &p->mutex);
        }
    }
    (void)pthread_mutex_unlock(&p->mutex);
    return (hoist_now() - began) / TRIPS;
}

static double runs(hoist_session *session)
{
    const double began = hoist_now();
    for (int i = 0; i < TRIPS; i++) {
        if (hoist_session_run(session, "main", NULL, 0) != HOIST_OK ||
            hoist_session_wait_idle(session, HOIST_FOREVER) != HOIST_OK) {
            fail("the run failed");
        }
    }
    return (hoist_now() - began) / TRIPS;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof *values, by_value);
    return values[ROUNDS / 2];
}

// Alternately, so that a slow phase of the machine hits both.
static double ratio(hoist_session *session, pair *p)
{
    double ours[ROUNDS];
    double theirs[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        ours[i] = runs(session);
        theirs[i] = round_trips(p);
    }
    const double a = median(ours);
    const double b = median(theirs);
    hoist_bench_figure("run and wait for a graph of one tile", a * 1e6, "us");
    hoist_bench_figure("round trip of two threads", b * 1e6, "us");
    return a / b;
}

// The threads that are made later stay there, too.
static void stay_on_one_cpu(void)
{
    const int cpu = sched_getcpu();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu < 0 ? 0 : (unsigned)cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) {
        fail("no CPU to stay on");
    }
}

int main(void)
{
    stay_on_one_cpu();
    hoist_program *program = NULL;
    hoist_session *session = NULL;
    const hoist_session_options options = {.struct_size = sizeof options, .threads = 1};
    const hoist_bytes bytes = {(const uint8_t *)text, strlen(text)};
    if (hoist_program_parse(bytes, hoist_allocator_system(), NULL, &program) != HOIST_OK ||
        hoist_session_open(program, &options, NULL, &session) != HOIST_OK) {
        fail("the program is not accepted");
    }
    pair p = {.mutex = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER};
    pthread_t thread;
    if (pthread_create(&thread, NULL, answer, &p) != 0) {
        fail("no thread");
    }
    const bool good = hoist_bench_at_most("dispatch", ratio(session, &p), "round trips", 4);
    (void)pthread_mutex_lock(&p.mutex);
    p.stop = true;
    (void)pthread_cond_broadcast(&p.cond);
    (void)pthread_mutex_unlock(&p.mutex);
    (void)pthread_join(thread, NULL);
    hoist_session_close(session);
    hoist_program_destroy(program);
    return good ? 0 : 1;
}
