// hoist bench, measuring: warm-up, profiled iterations, timed iterations, and after each of these
// a memcpy of as many bytes as the program moves. Input: a run that is ready (run_files.c).
// Output: the samples in a `bench`, which bench_report.c prints.
#include "bench.h"

#include <string.h>

#include "base/alloc.h"

// Without --iterations: seconds that are timed, with what is between, and how many iterations.
static const double TIMED_SECONDS = 1.5;
static const double PROFILED_SECONDS = 0.25;
enum {
    LEAST_TIMED = 5,       // percentiles of fewer say nothing
    MOST_TIMED = 10000,    // of the shortest programs; the arrays of samples have this capacity
    MOST_PROFILED = 1000,  // a profile costs time, and its rows are means over these
    MOST_SAMPLES = 1 << 21 // of all rows: a program may have ops by the ten thousand
};

// Of one memcpy; more bytes are copied through it piece by piece.
static const size_t MOST_PIECE = (size_t)64 << 20;
// A few bytes are copied so often that the clock can tell.
static const uint64_t LEAST_COPIED = UINT64_C(1) << 20;

// The samples are allocated before anything is measured: an allocation in the loop would be
// part of the time of an iteration.
hoist_status bench_open(bench *b)
{
    hoist_arena *arena = &b->r->arena;
    // bench_goes_on() stops at MOST_TIMED, so this is enough in both cases.
    b->capacity = b->r->iterations ? (size_t)b->r->iterations : MOST_TIMED;
    b->wall = hoist_arena_array(arena, b->capacity, sizeof(b->wall[0]));
    b->cpu = hoist_arena_array(arena, b->capacity, sizeof(b->cpu[0]));
    b->copy = hoist_arena_array(arena, b->capacity, sizeof(b->copy[0]));
    return b->wall && b->cpu && b->copy ? HOIST_OK : HOIST_NO_MEMORY;
}

void bench_close(bench *b)
{
    hoist_free(b->r->t->alloc, b->from, b->from ? b->piece : 0);
    hoist_free(b->r->t->alloc, b->to, b->to ? b->piece : 0);
}

// Profile -----------------------------------------------------------------------------------------

static bool is_moved(const hoist_profile_row *row)
{
    return row->kind == HOIST_PROFILED_MOVE || row->kind == HOIST_PROFILED_COLLECTIVE;
}

// Those whose times of each iteration are kept: the rows of data steps, of where they are, and
// whose.
static bool is_sampled(const hoist_profile_row *row)
{
    return is_moved(row) || row->kind == HOIST_PROFILED_COMPUTE ||
           row->kind == HOIST_PROFILED_OPAQUE || row->kind >= HOIST_PROFILED_THREAD;
}

// Takes memory for the rows of the profile that was begun, and for samples of `most` iterations.
static hoist_status open_rows(bench *b, uint64_t most)
{
    hoist_session *const session = b->r->session;
    b->row_count = hoist_session_profile_count(session);
    b->rows = hoist_arena_array(&b->r->arena, b->row_count, sizeof(b->rows[0]));
    if (!b->rows) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < b->row_count; i++) {
        bench_row *const row = &b->rows[i];
        // Only rows that can be sampled get an array: a program has many more rows than data
        // steps.
        row->sum.struct_size = sizeof(row->sum);
        (void)hoist_session_profile_at(session, i, &row->sum);
        if (is_sampled(&row->sum)) {
            row->samples = hoist_arena_array(&b->r->arena, (size_t)most, sizeof(row->samples[0]));
            if (!row->samples) {
                return HOIST_NO_MEMORY;
            }
        }
    }
    return HOIST_OK;
}

// Adds the profile of an iteration to the rows.
// The session starts from zero with each profile; the sums are kept here.
static void add_iteration(bench *b)
{
    for (size_t i = 0; i < b->row_count; i++) {
        bench_row *const row = &b->rows[i];
        hoist_profile_row now = {.struct_size = sizeof(now)};
        (void)hoist_session_profile_at(b->r->session, i, &now);
        // `profiled` is still the index of this iteration.
        if (row->samples) {
            row->samples[b->profiled] = now.seconds;
        }
        now.calls += row->sum.calls;
        now.seconds += row->sum.seconds;
        now.bytes_read += row->sum.bytes_read;
        now.bytes_written += row->sum.bytes_written;
        now.flops += row->sum.flops;
        row->sum = now; // with the name, which is of the latest profile
    }
    b->profiled++;
}

// Keeps the rows in which something was noted, and all workers.
// Then `moved` and `flops` are those of one iteration, the mean over all that were profiled.
static void close_rows(bench *b)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->row_count; i++) {
        bench_row row = b->rows[i];
        if (row.sum.kind == HOIST_PROFILED_RUNS) {
            b->run_seconds = row.sum.seconds;
        } else if (row.sum.calls || row.sum.seconds > 0 || row.sum.kind == HOIST_PROFILED_WORKER) {
            if (row.samples) {
                row.times = run_times_of(row.samples, (size_t)b->profiled);
            }
            b->moved += is_moved(&row.sum) ? row.sum.bytes_written : 0;
            b->flops += row.sum.kind == HOIST_PROFILED_COMPUTE ? row.sum.flops : 0;
            b->rows[kept++] = row;
        }
    }
    b->row_count = kept;
    b->moved /= b->profiled;
    b->flops /= b->profiled;
}

// At least one iteration, and as many more as fit in PROFILED_SECONDS. The rows are known only
// after the first profile has begun, hence open_rows() in the loop.
static hoist_status profile(bench *b)
{
    uint64_t most =
        b->r->iterations && b->r->iterations < MOST_PROFILED ? b->r->iterations : MOST_PROFILED;
    const double until = hoist_now() + PROFILED_SECONDS;
    do {
        run_cost cost;
        HOIST_TRY(hoist_session_profile_begin(b->r->session));
        if (!b->rows) {
            // Samples are rows x iterations: with many rows fewer iterations are kept.
            const size_t rows = hoist_session_profile_count(b->r->session);
            most = most > MOST_SAMPLES / rows ? MOST_SAMPLES / rows + 1 : most;
            HOIST_TRY(open_rows(b, most));
        }
        HOIST_TRY(run_once(b->r, &cost));
        hoist_session_profile_end(b->r->session);
        add_iteration(b);
    } while (b->profiled < most && hoist_now() < until);
    close_rows(b);
    return HOIST_OK;
}

// The peer ----------------------------------------------------------------------------------------

// A share of the memory that is left, so that the peer never is what goes beyond --max-memory.
static hoist_status open_peer(bench *b)
{
    const hoist_budget *budget = &b->r->t->budget;
    const size_t room = (budget->limit - budget->used) / 8;
    const size_t most = room < MOST_PIECE ? room : MOST_PIECE;
    b->piece = b->moved < most ? (size_t)b->moved : most;
    if (b->piece == 0) {
        return HOIST_OK;
    }
    b->from = hoist_alloc(b->r->t->alloc, b->piece);
    b->to = hoist_alloc(b->r->t->alloc, b->piece);
    if (!b->from || !b->to) {
        return HOIST_NO_MEMORY;
    }
    // Uninitialized pages are all one zero page.
    memset(b->from, 1, b->piece);
    memset(b->to, 2, b->piece);
    b->repeats = b->moved < LEAST_COPIED ? LEAST_COPIED / b->moved : 1;
    return HOIST_OK;
}

// Seconds that memcpy takes for as many bytes as an iteration moves.
// `volatile` keeps the compiler from seeing that the copies are never read, and removing them.
static double copy_as_much(const bench *b)
{
    void *(*volatile copy)(void *to, const void *from, size_t size) = memcpy; // is really called
    const double before = hoist_now();
    for (uint64_t i = 0; i < b->repeats; i++) {
        for (uint64_t left = b->moved; left;) {
            const size_t size = left < b->piece ? (size_t)left : b->piece;
            (void)copy(b->to, b->from, size);
            left -= size;
        }
    }
    return (hoist_now() - before) / (double)b->repeats;
}

// Iterations --------------------------------------------------------------------------------------

bool bench_goes_on(size_t count, double elapsed, double left)
{
    // The half is kept for what may take longer than before.
    const double most = left / 2 < TIMED_SECONDS ? left / 2 : TIMED_SECONDS;
    return count < LEAST_TIMED || (count < MOST_TIMED && elapsed < most);
}

// The order matters: warm-up first (caches, page faults, memory of the session), the profile
// second, because it gives the bytes for memcpy, and the timed iterations last, without a
// profile. memcpy follows each iteration, so that both find the machine in the same state.
hoist_status bench_iterate(bench *b)
{
    for (uint64_t i = 0; i < b->r->warmup; i++) {
        run_cost cost;
        HOIST_TRY(run_once(b->r, &cost));
    }
    HOIST_TRY(profile(b));
    HOIST_TRY(open_peer(b));
    const run *r = b->r;
    const double began = hoist_now();
    const double left = hoist_deadline_left(r->t->deadline);
    while (r->iterations ? b->count < r->iterations
                         : bench_goes_on(b->count, hoist_now() - began, left)) {
        run_cost cost;
        HOIST_TRY(run_once(b->r, &cost));
        b->wall[b->count] = cost.wall;
        b->cpu[b->count] = cost.cpu;
        b->copy[b->count] = b->piece ? copy_as_much(b) : 0;
        b->count++;
    }
    return HOIST_OK;
}
