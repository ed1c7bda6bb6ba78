#include "formats/neff/footprint.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"

enum { WORD_BITS = 64 };
#define WORD_COUNT (NEFF_WINDOW_SIZE / WORD_BITS)
// A few seconds of walking.
#define BUDGET ((uint64_t)1 << 27)

// Patterns ----------------------------------------------------------------------------------------

// Inserts a dimension of two or more places in ascending order of steps.
static void insert_dim(neff_reach *reach, uint32_t size, uint32_t step)
{
    uint32_t at = reach->dims++;
    for (; at > 0 && reach->steps[at - 1] > step; at--) {
        reach->sizes[at] = reach->sizes[at - 1];
        reach->steps[at] = reach->steps[at - 1];
    }
    reach->sizes[at] = size;
    reach->steps[at] = step;
}

// Folds the inner dimensions into one run, as long as their parts touch.
static void fold_runs(neff_reach *reach)
{
    uint32_t folded = 0;
    while (folded < reach->dims && reach->steps[folded] <= reach->run) {
        reach->run += (reach->sizes[folded] - 1) * reach->steps[folded];
        folded++;
    }
    reach->dims -= folded;
    for (uint32_t i = 0; i < reach->dims; i++) {
        reach->sizes[i] = reach->sizes[i + folded];
        reach->steps[i] = reach->steps[i + folded];
    }
}

bool neff_reach_of(const neff_engine *engine, const neff_pattern *pattern, neff_reach *out_reach)
{
    *out_reach = (neff_reach){.run = 1};
    int64_t low = pattern->offset;
    int64_t high = pattern->offset;
    if (pattern->size_count != pattern->step_count || pattern->size_count == 0 ||
        pattern->size_count > 8) {
        return false;
    }
    for (uint32_t i = 0; i < pattern->size_count; i++) {
        const int64_t size = engine->numbers[pattern->sizes + i];
        const int64_t step = engine->numbers[pattern->steps + i];
        int64_t span = 0;
        if (size <= 0 || hoist_ckd_mul_i64(&span, size - 1, step) ||
            hoist_ckd_add_i64(span < 0 ? &low : &high, span < 0 ? low : high, span)) {
            return false;
        }
        // All steps go up from the lowest byte; those that stay in place reach nothing new.
        if (span != 0 && span > -(int64_t)NEFF_WINDOW_SIZE && span < (int64_t)NEFF_WINDOW_SIZE) {
            insert_dim(out_reach, (uint32_t)size, (uint32_t)(step < 0 ? -step : step));
        }
    }
    if (low < 0 || high >= (int64_t)NEFF_WINDOW_SIZE) {
        return false;
    }
    out_reach->offset = (uint32_t)low;
    fold_runs(out_reach);
    return true;
}

// Sets --------------------------------------------------------------------------------------------

hoist_status neff_footprint_init(neff_footprint *set, hoist_allocator alloc)
{
    *set = (neff_footprint){.alloc = alloc, .low = NEFF_WINDOW_SIZE, .budget = BUDGET};
    set->words = hoist_alloc_zero(alloc, WORD_COUNT, sizeof(set->words[0]));
    return set->words ? HOIST_OK : HOIST_NO_MEMORY;
}

void neff_footprint_deinit(neff_footprint *set)
{
    hoist_free(set->alloc, set->words, WORD_COUNT * sizeof(set->words[0]));
    set->words = NULL;
}

// The bits of word `word` that are in [start, end).
static uint64_t mask_of(uint32_t word, uint32_t start, uint32_t end)
{
    const uint32_t first = word * WORD_BITS;
    uint64_t mask = UINT64_MAX;
    if (start > first) {
        mask &= UINT64_MAX << (start - first);
    }
    if (end < first + WORD_BITS) {
        mask &= UINT64_MAX >> (first + WORD_BITS - end);
    }
    return mask;
}

void neff_footprint_range(neff_footprint *set, uint32_t start, uint32_t size)
{
    const uint32_t end = start + size;
    HOIST_ASSERT(end <= NEFF_WINDOW_SIZE);
    for (uint32_t word = start / WORD_BITS; word * WORD_BITS < end; word++) {
        set->words[word] |= mask_of(word, start, end);
    }
    set->low = size && start < set->low ? start : set->low;
    set->high = size && end > set->high ? end : set->high;
}

// The first byte of the set in [start, end); NEFF_NONE.
static uint32_t first_common(const neff_footprint *set, uint32_t start, uint32_t end)
{
    start = start > set->low ? start : set->low;
    end = end < set->high ? end : set->high;
    for (uint32_t word = start / WORD_BITS; start < end && word * WORD_BITS < end; word++) {
        const uint64_t common = set->words[word] & mask_of(word, start, end);
        if (common) {
            return word * WORD_BITS + (uint32_t)__builtin_ctzll(common);
        }
    }
    return NEFF_NONE;
}

// Steps to the next run; false after the last.
static bool next_run(const neff_reach *reach, uint32_t *indices, uint32_t *start)
{
    for (uint32_t i = 0; i < reach->dims; i++) {
        *start += reach->steps[i];
        if (++indices[i] < reach->sizes[i]) {
            return true;
        }
        *start -= reach->steps[i] * reach->sizes[i];
        indices[i] = 0;
    }
    return false;
}

hoist_status neff_footprint_add(neff_footprint *set, const neff_reach *reach)
{
    uint32_t indices[8] = {0};
    uint32_t start = reach->offset;
    do {
        if (set->budget == 0) {
            return HOIST_LIMIT;
        }
        set->budget--;
        neff_footprint_range(set, start, reach->run);
    } while (next_run(reach, indices, &start));
    return HOIST_OK;
}

hoist_status neff_footprint_meets(neff_footprint *set, const neff_reach *reach, uint32_t *out_byte)
{
    uint32_t indices[8] = {0};
    uint32_t start = reach->offset;
    *out_byte = NEFF_NONE;
    do {
        if (set->budget == 0) {
            return HOIST_LIMIT;
        }
        set->budget--;
        *out_byte = first_common(set, start, start + reach->run);
    } while (*out_byte == NEFF_NONE && next_run(reach, indices, &start));
    return HOIST_OK;
}

void neff_footprint_join(neff_footprint *set, const neff_footprint *other)
{
    for (uint32_t word = other->low / WORD_BITS; word * WORD_BITS < other->high; word++) {
        set->words[word] |= other->words[word];
    }
    set->low = other->low < set->low ? other->low : set->low;
    set->high = other->high > set->high ? other->high : set->high;
}

void neff_footprint_clear(neff_footprint *set)
{
    for (uint32_t word = set->low / WORD_BITS; word * WORD_BITS < set->high; word++) {
        set->words[word] = 0;
    }
    set->low = NEFF_WINDOW_SIZE;
    set->high = 0;
}
