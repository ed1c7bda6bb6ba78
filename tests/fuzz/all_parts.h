// tests/fuzz/all_parts.h - the files of a folder that a job was unpacked to, in memory.
#ifndef HOIST_TESTS_FUZZ_ALL_PARTS_H
#define HOIST_TESTS_FUZZ_ALL_PARTS_H

#include "hoist/load.h"

#include "base/arena.h"

enum { ALL_MOST_PARTS = 64 };

typedef struct all_parts {
    hoist_arena arena;
    hoist_part items[ALL_MOST_PARTS];
    size_t count;
} all_parts;

// As hoist_job_unpack(), and HOIST_LIMIT: there are too many. all_parts_drop in any case.
hoist_status all_parts_take(all_parts *parts, const hoist_job *job, hoist_allocator alloc);
void all_parts_drop(all_parts *parts);

// The same paths and bytes, in the same order. Of what only the container says there may be more:
// how a file that hoist wrote is compressed is known.
bool all_parts_same(const all_parts *a, const all_parts *b);

// As hoist_pack(), into a file of the job's format.
hoist_status all_parts_pack(const all_parts *parts, const hoist_job *job, hoist_diag *diag,
                            hoist_mut_bytes *out_bytes);

#endif // HOIST_TESTS_FUZZ_ALL_PARTS_H
