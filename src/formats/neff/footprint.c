#include "formats/neff/footprint.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"

#define WINDOW ((uint32_t)NEFF_STATE_BUFFER_SIZE)
#define PARTITION ((uint32_t)NEFF_PARTITION_STRIDE)
#define WORD_BITS 64u
#define WORD_COUNT (WINDOW / WORD_BITS)
// A few seconds of walking.
#define BUDGET ((uint64_t)1 << 27)

bool neff_window_runs(const neff_engine *engine, const neff_pattern *pattern, neff_runs *out_runs)
{
    const neff_access access = neff_access_of(engine, pattern);
    return access.dims > 0 && neff_access_within(&access, NEFF_STATE_BUFFER_SIZE) &&
           neff_access_runs(&access, out_runs);
}

hoist_status neff_footprint_init(neff_footprint *set, hoist_allocator alloc)
{
    *set =
        (neff_footprint){.alloc = alloc, .low = WINDOW, .inner_low = PARTITION, .budget = BUDGET};
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

// Widens what the set says of its bytes' places by [start, end), which is not empty.
static void widen(neff_footprint *set, uint32_t start, uint32_t end)
{
    const bool is_one = start / PARTITION == (end - 1) / PARTITION; // partition
    const uint32_t inner_low = is_one ? start % PARTITION : 0;
    const uint32_t inner_high = is_one ? (end - 1) % PARTITION + 1 : PARTITION;
    set->low = start < set->low ? start : set->low;
    set->high = end > set->high ? end : set->high;
    set->inner_low = inner_low < set->inner_low ? inner_low : set->inner_low;
    set->inner_high = inner_high > set->inner_high ? inner_high : set->inner_high;
}

void neff_footprint_range(neff_footprint *set, uint32_t start, uint32_t size)
{
    const uint32_t end = start + size;
    HOIST_ASSERT(end <= WINDOW);
    for (uint32_t word = start / WORD_BITS; word * WORD_BITS < end; word++) {
        set->words[word] |= mask_of(word, start, end);
    }
    if (size > 0) {
        widen(set, start, end);
    }
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

// A walk over runs, all of which are in the window.
typedef struct run_walk {
    const neff_runs *runs;
    int64_t indices[NEFF_MAX_DIMS];
    int64_t start; // of the run at hand
} run_walk;

// Steps to the next run; false after the last.
static bool next_run(run_walk *w)
{
    for (uint32_t i = 0; i < w->runs->dims; i++) {
        w->start += w->runs->steps[i];
        if (++w->indices[i] < w->runs->counts[i]) {
            return true;
        }
        w->start -= w->runs->steps[i] * w->runs->counts[i];
        w->indices[i] = 0;
    }
    return false;
}

hoist_status neff_footprint_add(neff_footprint *set, const neff_runs *runs)
{
    run_walk w = {.runs = runs, .start = runs->low};
    do {
        if (set->budget == 0) {
            return HOIST_LIMIT;
        }
        set->budget--;
        neff_footprint_range(set, (uint32_t)w.start, (uint32_t)runs->run);
    } while (next_run(&w));
    return HOIST_OK;
}

// True when the runs stay in a part of each partition where the set has nothing.
static bool is_apart(const neff_footprint *set, const neff_runs *runs)
{
    const int64_t first = runs->low % NEFF_PARTITION_STRIDE;
    int64_t last = first + runs->run - 1;
    for (uint32_t i = 0; i < runs->dims; i++) {
        if (runs->steps[i] % NEFF_PARTITION_STRIDE != 0) {
            last += (runs->counts[i] - 1) * runs->steps[i]; // in the window, so it is small
        }
    }
    return last < NEFF_PARTITION_STRIDE && (last < set->inner_low || first >= set->inner_high);
}

hoist_status neff_footprint_meets(neff_footprint *set, const neff_runs *runs, uint32_t *out_byte)
{
    run_walk w = {.runs = runs, .start = runs->low};
    *out_byte = NEFF_NONE;
    if (is_apart(set, runs)) {
        return HOIST_OK;
    }
    do {
        if (set->budget == 0) {
            return HOIST_LIMIT;
        }
        set->budget--;
        *out_byte = first_common(set, (uint32_t)w.start, (uint32_t)(w.start + runs->run));
    } while (*out_byte == NEFF_NONE && next_run(&w));
    return HOIST_OK;
}

void neff_footprint_join(neff_footprint *set, const neff_footprint *other)
{
    for (uint32_t word = other->low / WORD_BITS; word * WORD_BITS < other->high; word++) {
        set->words[word] |= other->words[word];
    }
    set->low = other->low < set->low ? other->low : set->low;
    set->high = other->high > set->high ? other->high : set->high;
    set->inner_low = other->inner_low < set->inner_low ? other->inner_low : set->inner_low;
    set->inner_high = other->inner_high > set->inner_high ? other->inner_high : set->inner_high;
}

void neff_footprint_clear(neff_footprint *set)
{
    for (uint32_t word = set->low / WORD_BITS; word * WORD_BITS < set->high; word++) {
        set->words[word] = 0;
    }
    set->low = WINDOW;
    set->high = 0;
    set->inner_low = PARTITION;
    set->inner_high = 0;
}
