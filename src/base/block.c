// Blocks: their normal form, their extent, and the walk over their ranges (base/block.h).
#include "base/block.h"

#include "base/assert.h"
#include "base/checked.h"

hoist_block hoist_block_normal(const hoist_block *block)
{
    hoist_block normal = {.offset = block->offset, .size = block->size};
    if (hoist_block_count(block) == 0) {
        return (hoist_block){0};
    }
    // Dimensions collect from the last one on, at the end of the arrays.
    int first = HOIST_BLOCK_RANK;
    for (int i = block->rank; i-- > 0;) {
        const uint64_t count = block->count[i];
        const uint64_t stride = block->stride[i];
        uint64_t extent = normal.size; // from one index of the next dimension out to the next
        const bool is_wide = first < HOIST_BLOCK_RANK &&
                             hoist_ckd_mul(&extent, normal.count[first], normal.stride[first]);
        if (count == 1 || stride == 0) {
            continue;
        }
        if (first == HOIST_BLOCK_RANK && stride == extent) {
            normal.size *= count;
        } else if (!is_wide && stride == extent) {
            normal.count[first] *= count;
        } else {
            first--;
            normal.count[first] = count;
            normal.stride[first] = stride;
        }
    }
    normal.rank = HOIST_BLOCK_RANK - first;
    for (int i = 0; i < HOIST_BLOCK_RANK; i++) {
        const bool has = first + i < HOIST_BLOCK_RANK;
        normal.count[i] = has ? normal.count[first + i] : 0;
        normal.stride[i] = has ? normal.stride[first + i] : 0;
    }
    return normal;
}

uint64_t hoist_block_count(const hoist_block *block)
{
    HOIST_ASSERT(block->rank >= 0 && block->rank <= HOIST_BLOCK_RANK);
    uint64_t count = block->size ? 1 : 0;
    for (int i = 0; i < block->rank; i++) {
        if (block->count[i] == 0) {
            return 0;
        }
        if (hoist_ckd_mul(&count, count, block->count[i])) {
            count = UINT64_MAX;
        }
    }
    return count;
}

uint64_t hoist_block_end(const hoist_block *block)
{
    uint64_t end = block->offset;
    if (hoist_block_count(block) == 0) {
        return end;
    }
    bool overflow = hoist_ckd_add(&end, end, block->size);
    for (int i = 0; i < block->rank; i++) {
        uint64_t far = 0;
        overflow = overflow || hoist_ckd_mul(&far, block->count[i] - 1, block->stride[i]) ||
                   hoist_ckd_add(&end, end, far);
    }
    HOIST_ASSERT(!overflow);
    return end;
}

bool hoist_block_next(hoist_block_walk *walk, hoist_run *out_run)
{
    const hoist_block *const block = walk->block;
    *out_run = (hoist_run){0, 0};
    if (walk->is_done || hoist_block_count(block) == 0) {
        return false;
    }
    uint64_t begin = block->offset;
    for (int i = 0; i < block->rank; i++) {
        begin += walk->index[i] * block->stride[i];
    }
    *out_run = (hoist_run){begin, begin + block->size};
    int moved = block->rank - 1;
    while (moved >= 0 && ++walk->index[moved] == block->count[moved]) {
        walk->index[moved] = 0;
        moved--;
    }
    walk->is_done = moved < 0;
    return true;
}
