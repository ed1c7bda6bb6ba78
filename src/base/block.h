// base/block.h - the bytes of a strided view of a memory, as ranges [begin, end): how many, which,
// and whether two views have the same.
#ifndef HOIST_SRC_BASE_BLOCK_H
#define HOIST_SRC_BASE_BLOCK_H

#include "hoist/base.h"

// Bytes [begin, end).
typedef struct hoist_run {
    uint64_t begin, end;
} hoist_run;

enum { HOIST_BLOCK_RANK = 4 };

// The bytes of a strided view: `size` bytes at offset + sum of i_k * stride[k], for all indices
// 0 <= i_k < count[k]. Nothing of it is beyond byte 2^64 - 1.
typedef struct hoist_block {
    uint64_t offset;
    uint64_t size;
    int rank; // 0 to 4
    uint64_t count[HOIST_BLOCK_RANK];
    uint64_t stride[HOIST_BLOCK_RANK]; // bytes
} hoist_block;

// The same bytes with the fewest dimensions and the longest ranges: dimensions of one index go, and
// those that continue each other become one. No bytes: all zeros. Blocks whose dimensions go from
// the largest stride to the least and do not overlap have one form only.
hoist_block hoist_block_normal(const hoist_block *block);
// The number of its ranges, each as often as the block has it; UINT64_MAX: there are more.
uint64_t hoist_block_count(const hoist_block *block);
// The end of its last byte; its offset when it has none.
uint64_t hoist_block_end(const hoist_block *block);

// A walk over the ranges of a block, the last dimension first. Starts with {block}.
typedef struct hoist_block_walk {
    const hoist_block *block;
    uint64_t index[HOIST_BLOCK_RANK];
    bool is_done;
} hoist_block_walk;
bool hoist_block_next(hoist_block_walk *walk, hoist_run *out_run);

#endif // HOIST_SRC_BASE_BLOCK_H
