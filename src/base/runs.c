// Sets of bytes as ranges (base/runs.h): a list of chunks, each a small sorted array of ranges, so
// that an insertion moves the ranges of one chunk only. Full chunks are split in half, as the nodes
// of a B-tree of two levels; at the end of the list a new one begins instead, and ascending ranges
// fill theirs.
#include "base/runs.h"

#include <string.h>

#include "base/alloc.h"

enum { CHUNK_RUNS = 128 };

typedef hoist_runs_cursor place;

void hoist_runs_init(hoist_runs *runs, hoist_allocator alloc)
{
    *runs = (hoist_runs){.alloc = alloc};
}

static void free_chunks(hoist_runs *runs, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        hoist_free(runs->alloc, runs->chunks[i].items,
                   runs->chunks[i].capacity * sizeof(hoist_run));
    }
}

void hoist_runs_deinit(hoist_runs *runs)
{
    free_chunks(runs, 0, runs->count);
    hoist_free(runs->alloc, runs->chunks, runs->capacity * sizeof(hoist_runs_chunk));
    *runs = (hoist_runs){.alloc = runs->alloc};
}

// Places -----------------------------------------------------------------------------------------

// The range at a place; NULL after the last.
static hoist_run *run_at(const hoist_runs *runs, place at)
{
    return at.chunk < runs->count ? &runs->chunks[at.chunk].items[at.item] : NULL;
}

static place behind(const hoist_runs *runs, place at)
{
    at.item++;
    return at.item < runs->chunks[at.chunk].count ? at : (place){at.chunk + 1, 0};
}

// The first range that ends at `end` or after it.
static place find(const hoist_runs *runs, uint64_t end)
{
    size_t low = 0;
    size_t high = runs->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const hoist_runs_chunk *const chunk = &runs->chunks[middle];
        if (chunk->items[chunk->count - 1].end < end) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    place at = {low, 0};
    high = low < runs->count ? runs->chunks[low].count : 0;
    while (at.item < high) {
        const size_t middle = at.item + (high - at.item) / 2;
        if (runs->chunks[low].items[middle].end < end) {
            at.item = middle + 1;
        } else {
            high = middle;
        }
    }
    return at;
}

size_t hoist_runs_count(const hoist_runs *runs)
{
    size_t count = 0;
    for (size_t i = 0; i < runs->count; i++) {
        count += runs->chunks[i].count;
    }
    return count;
}

bool hoist_runs_next(const hoist_runs *runs, hoist_runs_cursor *cursor, hoist_run *out_run)
{
    const hoist_run *const run = run_at(runs, *cursor);
    *out_run = run ? *run : (hoist_run){0, 0};
    if (run) {
        *cursor = behind(runs, *cursor);
    }
    return run != NULL;
}

// Changes ----------------------------------------------------------------------------------------

// Makes an empty chunk at `index`; false, and failed, when memory runs out.
static bool open_chunk(hoist_runs *runs, size_t index)
{
    void *chunks = runs->chunks;
    if (!hoist_grow(runs->alloc, &chunks, &runs->capacity, runs->count + 1,
                    sizeof(hoist_runs_chunk))) {
        runs->failed = true;
        return false;
    }
    runs->chunks = chunks;
    memmove(&runs->chunks[index + 1], &runs->chunks[index],
            (runs->count - index) * sizeof(hoist_runs_chunk));
    runs->chunks[index] = (hoist_runs_chunk){NULL, 0, 0};
    runs->count++;
    return true;
}

static void close_chunks(hoist_runs *runs, size_t first, size_t end)
{
    free_chunks(runs, first, end);
    memmove(&runs->chunks[first], &runs->chunks[end],
            (runs->count - end) * sizeof(hoist_runs_chunk));
    runs->count -= end - first;
}

// Space for `count` ranges in a chunk. A chunk that stays empty goes: none is.
static bool reserve(hoist_runs *runs, size_t index, size_t count)
{
    hoist_runs_chunk *const chunk = &runs->chunks[index];
    void *items = chunk->items;
    if (!hoist_grow(runs->alloc, &items, &chunk->capacity, count, sizeof(hoist_run))) {
        runs->failed = true;
        if (chunk->count == 0) {
            close_chunks(runs, index, index + 1);
        }
        return false;
    }
    chunk->items = items;
    return true;
}

// Moves the second half of a full chunk into a new one after it.
static bool split(hoist_runs *runs, size_t index)
{
    const size_t half = CHUNK_RUNS / 2;
    if (!open_chunk(runs, index + 1) || !reserve(runs, index + 1, CHUNK_RUNS - half)) {
        return false;
    }
    hoist_runs_chunk *const full = &runs->chunks[index];
    memcpy(full[1].items, &full->items[half], (CHUNK_RUNS - half) * sizeof(hoist_run));
    full[1].count = CHUNK_RUNS - half;
    full->count = half;
    return true;
}

// Puts a range before the one at a place.
static void insert(hoist_runs *runs, place at, hoist_run run)
{
    if (at.item == 0 && at.chunk > 0) {
        at.chunk--; // at its end
        at.item = runs->chunks[at.chunk].count;
    }
    const bool is_end = runs->count == 0 || (at.chunk + 1 == runs->count && at.item == CHUNK_RUNS);
    if (is_end) {
        at = (place){runs->count, 0};
        if (!open_chunk(runs, at.chunk)) {
            return;
        }
    } else if (runs->chunks[at.chunk].count == CHUNK_RUNS) {
        if (!split(runs, at.chunk)) {
            return;
        }
        if (at.item > runs->chunks[at.chunk].count) {
            at.item -= runs->chunks[at.chunk].count;
            at.chunk++;
        }
    }
    if (!reserve(runs, at.chunk, runs->chunks[at.chunk].count + 1)) {
        return;
    }
    hoist_runs_chunk *const chunk = &runs->chunks[at.chunk];
    memmove(&chunk->items[at.item + 1], &chunk->items[at.item],
            (chunk->count - at.item) * sizeof(hoist_run));
    chunk->items[at.item] = run;
    chunk->count++;
}

// Takes the first ranges of a chunk away; some stay.
static void erase_part(hoist_runs_chunk *chunk, size_t first, size_t end)
{
    memmove(&chunk->items[first], &chunk->items[end], (chunk->count - end) * sizeof(hoist_run));
    chunk->count -= end - first;
}

// Takes the ranges from `first` on and before `end` away.
static void erase(hoist_runs *runs, place first, place end)
{
    if (first.chunk == end.chunk) {
        if (first.item < end.item) { // `end` is in the chunk, so one stays
            erase_part(&runs->chunks[first.chunk], first.item, end.item);
        }
        return;
    }
    if (end.item) {
        erase_part(&runs->chunks[end.chunk], 0, end.item);
    }
    if (first.item) {
        runs->chunks[first.chunk].count = first.item;
        first.chunk++;
    }
    close_chunks(runs, first.chunk, end.chunk);
}

void hoist_runs_add(hoist_runs *runs, uint64_t begin, uint64_t end)
{
    if (runs->failed || begin >= end) {
        return;
    }
    const hoist_runs_chunk *const last = runs->count ? &runs->chunks[runs->count - 1] : NULL;
    const bool is_last = !last || last->items[last->count - 1].end < begin;
    const place first = is_last ? (place){runs->count, 0} : find(runs, begin);
    hoist_run joined = {begin, end};
    place next = first;
    for (const hoist_run *run = run_at(runs, next); run && run->begin <= end;
         run = run_at(runs, next)) {
        joined.begin = run->begin < joined.begin ? run->begin : joined.begin;
        joined.end = run->end > joined.end ? run->end : joined.end;
        next = behind(runs, next);
    }
    if (first.chunk == next.chunk && first.item == next.item) {
        insert(runs, first, joined);
    } else {
        *run_at(runs, first) = joined;
        erase(runs, behind(runs, first), next);
    }
}

// Whether each byte of the range is in the set.
static bool contains(const hoist_runs *runs, uint64_t begin, uint64_t end)
{
    const hoist_run *const run = begin < end ? run_at(runs, find(runs, begin + 1)) : NULL;
    return begin >= end || (run && run->begin <= begin && end <= run->end);
}

void hoist_runs_add_block(hoist_runs *runs, const hoist_block *block)
{
    const hoist_block normal = hoist_block_normal(block);
    if (contains(runs, normal.offset, hoist_block_end(&normal))) {
        return;
    }
    hoist_block_walk walk = {.block = &normal};
    for (hoist_run run; !runs->failed && hoist_block_next(&walk, &run);) {
        hoist_runs_add(runs, run.begin, run.end);
    }
}
