// What was done when. Input: what profile.c notes. Output: events in blocks of memory. Of each
// worker it is known up to when its time has events; what is between that and the next event is
// control, so that the events of a worker have no gap while something runs.
#include "runtime/timeline.h"

#include "base/assert.h"

enum { BLOCK = 4096 }; // events

// False: out of memory.
static bool add_block(hoist_timeline *t)
{
    void *blocks = t->blocks;
    if (!hoist_grow(t->alloc, &blocks, &t->block_capacity, t->block_count + 1,
                    sizeof(t->blocks[0]))) {
        return false;
    }
    t->blocks = blocks;
    // Blocks stay where they are: only their list grows.
    t->blocks[t->block_count] = hoist_alloc(t->alloc, BLOCK * sizeof(hoist_timed));
    t->block_count += t->blocks[t->block_count] != NULL;
    // Also false when the block itself could not be had.
    return t->block_count * BLOCK > t->count;
}

hoist_status hoist_timeline_init(hoist_timeline *timeline, hoist_allocator alloc,
                                 const hoist_timeline_setup *setup)
{
    *timeline = (hoist_timeline){.setup = *setup, .alloc = alloc};
    timeline->workers = hoist_alloc_zero(alloc, setup->workers, sizeof(timeline->workers[0]));
    for (uint32_t i = 0; timeline->workers && i < setup->workers; i++) {
        // Who works next is not known yet.
        timeline->workers[i].waits = setup->waits;
    }
    return timeline->workers && add_block(timeline) ? HOIST_OK : HOIST_NO_MEMORY;
}

void hoist_timeline_deinit(hoist_timeline *timeline)
{
    for (size_t i = 0; i < timeline->block_count; i++) {
        hoist_free(timeline->alloc, timeline->blocks[i], BLOCK * sizeof(hoist_timed));
    }
    hoist_free(timeline->alloc, timeline->blocks,
               timeline->block_capacity * sizeof(timeline->blocks[0]));
    hoist_free(timeline->alloc, timeline->workers,
               timeline->setup.workers * sizeof(timeline->workers[0]));
    *timeline = (hoist_timeline){0};
}

// Memory for one more event; NULL: there is none.
static hoist_timed *take(hoist_timeline *t)
{
    const bool is_full = t->count == (uint64_t)t->block_count * BLOCK;
    if (t->count >= t->setup.most || (is_full && !add_block(t))) {
        return NULL;
    }
    const uint64_t at = t->count++;
    return &t->blocks[at / BLOCK][at % BLOCK];
}

void hoist_timeline_add(hoist_timeline *timeline, const hoist_timed *timed)
{
    hoist_timed *event = take(timeline);
    if (event) {
        *event = *timed;
    } else {
        timeline->lost++;
    }
}

const hoist_timed *hoist_timeline_event_at(const hoist_timeline *timeline, uint64_t index)
{
    HOIST_ASSERT(index < timeline->count);
    return &timeline->blocks[index / BLOCK][index % BLOCK];
}

// Workers -------------------------------------------------------------------------------------

// The worker did so from where its events end until now.
static void fill(hoist_timeline *t, size_t worker, size_t row, double now)
{
    hoist_timeline_worker *w = &t->workers[worker];
    // A gap of no time is none; between runs nothing is shown.
    if (t->running && now > w->since) {
        const hoist_timed gap = {.row = (uint32_t)row,
                                 .owner = (uint32_t)(t->setup.first_worker + worker),
                                 .steps = 1,
                                 .begin = w->since,
                                 .end = now};
        hoist_timeline_add(t, &gap);
        w->since = now;
    }
}

void hoist_timeline_begin_run(hoist_timeline *timeline, double now)
{
    timeline->running = true;
    for (uint32_t i = 0; i < timeline->setup.workers; i++) {
        timeline->workers[i].since = now;
    }
}

void hoist_timeline_end_run(hoist_timeline *timeline, double now)
{
    for (uint32_t i = 0; i < timeline->setup.workers; i++) {
        const bool waits = timeline->workers[i].waits;
        // What each was last seen to do, it did to the end.
        fill(timeline, i, waits ? timeline->setup.idle : timeline->setup.control, now);
    }
    timeline->running = false;
}

void hoist_timeline_begin_wait(hoist_timeline *timeline, size_t worker, double now)
{
    HOIST_ASSERT(worker < timeline->setup.workers);
    fill(timeline, worker, timeline->setup.control, now);
    timeline->workers[worker].waits = true;
}

void hoist_timeline_end_wait(hoist_timeline *timeline, size_t worker, double now)
{
    HOIST_ASSERT(worker < timeline->setup.workers);
    fill(timeline, worker, timeline->setup.idle, now);
    timeline->workers[worker].waits = false;
}

bool hoist_timeline_work(hoist_timeline *timeline, size_t worker, hoist_timed *timed)
{
    HOIST_ASSERT(worker < timeline->setup.workers);
    hoist_timeline_worker *w = &timeline->workers[worker];
    w->waits = false;
    // All of it lies in time that has events already.
    if (!timeline->running || timed->end <= w->since) {
        return false;
    }
    fill(timeline, worker, timeline->setup.control, timed->begin);
    timed->begin = timed->begin > w->since ? timed->begin : w->since;
    w->since = timed->end;
    hoist_timeline_add(timeline, timed);
    return true;
}
