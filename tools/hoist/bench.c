// hoist bench: iterations, their profile, and memcpy beside them.
#include "bench.h"

#include <string.h>

#include "base/alloc.h"

// Without --iterations: seconds that are timed, with what stands between, and how many iterations.
static const double TIMED_SECONDS = 1.5;
static const double PROFILED_SECONDS = 0.25;
enum { LEAST_TIMED = 5, MOST_TIMED = 10000, MOST_PROFILED = 1000 };

// Of one memcpy; more bytes are copied through it piece by piece.
static const size_t MOST_PIECE = (size_t)64 << 20;
// A few bytes are copied so often that the clock can tell.
static const uint64_t LEAST_COPIED = UINT64_C(1) << 20;

hoist_status bench_open(bench *b)
{
    hoist_arena *arena = &b->r->arena;
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

// Keeps the rows in which something was noted, and all workers.
static hoist_status read_profile(bench *b)
{
    hoist_session *session = b->r->session;
    const size_t count = hoist_session_profile_count(session);
    b->rows = hoist_arena_array(&b->r->arena, count, sizeof(b->rows[0]));
    if (!b->rows) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        hoist_profile_row row = {.struct_size = sizeof(row)};
        (void)hoist_session_profile_at(session, i, &row);
        if (row.kind == HOIST_PROFILED_RUNS) {
            b->run_seconds = row.seconds;
        } else if (row.calls || row.seconds > 0 || row.kind == HOIST_PROFILED_WORKER) {
            b->rows[b->row_count++] = row;
            b->moved += is_moved(&row) ? row.bytes_written : 0;
        }
    }
    b->moved /= b->profiled;
    return HOIST_OK;
}

static hoist_status profile(bench *b)
{
    const uint64_t most =
        b->r->iterations && b->r->iterations < MOST_PROFILED ? b->r->iterations : MOST_PROFILED;
    const double until = hoist_now() + PROFILED_SECONDS;
    HOIST_TRY(hoist_session_profile_begin(b->r->session));
    do {
        run_cost cost;
        HOIST_TRY(run_once(b->r, &cost));
        b->profiled++;
    } while (b->profiled < most && hoist_now() < until);
    hoist_session_profile_end(b->r->session);
    return read_profile(b);
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
    // Pages that nobody has written are all the same one.
    memset(b->from, 1, b->piece);
    memset(b->to, 2, b->piece);
    b->repeats = b->moved < LEAST_COPIED ? LEAST_COPIED / b->moved : 1;
    return HOIST_OK;
}

// Seconds that memcpy takes for as many bytes as an iteration moves.
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

static hoist_status time_all(bench *b)
{
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

hoist_status bench_iterate(bench *b)
{
    for (uint64_t i = 0; i < b->r->warmup; i++) {
        run_cost cost;
        HOIST_TRY(run_once(b->r, &cost));
    }
    HOIST_TRY(profile(b));
    HOIST_TRY(open_peer(b));
    return time_all(b);
}
