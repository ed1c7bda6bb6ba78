// base/runs.h - sets of bytes of a memory of any size: disjoint ranges [begin, end) in ascending
// order. Strided views go in as blocks (base/block.h).
//
// Ranges that touch become one. Ascending ranges are added in constant time each, others in the
// logarithm of their number. Failure to grow sets the sticky `failed` flag; later changes do
// nothing. Test it once at the end.
#ifndef HOIST_SRC_BASE_RUNS_H
#define HOIST_SRC_BASE_RUNS_H

#include "base/block.h"

typedef struct hoist_runs_chunk {
    hoist_run *items; // owned; ascending, apart
    size_t count;     // never 0
    size_t capacity;
} hoist_runs_chunk;

typedef struct hoist_runs {
    hoist_allocator alloc;
    hoist_runs_chunk *chunks; // owned
    size_t count;
    size_t capacity;
    bool failed; // memory ran out
} hoist_runs;

void hoist_runs_init(hoist_runs *runs, hoist_allocator alloc);
void hoist_runs_deinit(hoist_runs *runs); // frees; the set is empty and can be used again

// A range with begin >= end is empty and changes nothing.
void hoist_runs_add(hoist_runs *runs, uint64_t begin, uint64_t end);

// The number of ranges.
size_t hoist_runs_count(const hoist_runs *runs);

// A position among the ranges: {0} is before the first.
typedef struct hoist_runs_cursor {
    size_t chunk, item;
} hoist_runs_cursor;
// Gives the next range; false after the last.
bool hoist_runs_next(const hoist_runs *runs, hoist_runs_cursor *cursor, hoist_run *out_run);

// Adds the bytes of a block in steps of one for each range of it, so the caller limits
// hoist_block_count(). A set that has all from its first to its last byte answers in one step.
void hoist_runs_add_block(hoist_runs *runs, const hoist_block *block);

#endif // HOIST_SRC_BASE_RUNS_H
