// Sets of bytes of the state buffer as bitmaps in pages (neff reference 4.1.1): in go the runs of
// access patterns (pattern.c), out comes the first byte that two sets share, or a count. Used by
// check_window.c and info_state_buffer.c.
//
// 32 MiB of window are 4 MiB of bits; pages of 2 KiB are made when a first byte of theirs is added.
#include "formats/neff/footprint.h"

#include "base/alloc.h"
#include "base/assert.h"

#define WINDOW ((uint32_t)NEFF_STATE_BUFFER_SIZE)
#define PARTITION ((uint32_t)NEFF_PARTITION_STRIDE)
#define WORD_BITS 64u
#define PAGE_BYTES ((uint32_t)NEFF_PAGE_BYTES)
// A few seconds of walking: what a file of some kilobytes can ask for is without limit.
#define BUDGET ((uint64_t)1 << 27)

bool neff_window_runs(const neff_engine *engine, const neff_pattern *pattern, neff_runs *out_runs)
{
    const neff_access access = neff_access_of(engine, pattern);
    return access.dims > 0 && neff_access_within(&access, NEFF_STATE_BUFFER_SIZE) &&
           neff_access_runs(&access, out_runs);
}

// An empty set has its low bound above its high one, in the window and within partitions.
static void set_bounds(neff_footprint *set, uint32_t low, uint32_t high, uint32_t inner_low,
                       uint32_t inner_high)
{
    set->low = low;
    set->high = high;
    set->inner_low = inner_low;
    set->inner_high = inner_high;
}

hoist_status neff_footprint_init(neff_footprint *set, hoist_allocator alloc)
{
    *set = (neff_footprint){.alloc = alloc, .budget = BUDGET};
    set_bounds(set, WINDOW, 0, PARTITION, 0);
    set->pages = hoist_alloc_zero(alloc, NEFF_PAGE_COUNT, sizeof(set->pages[0]));
    return set->pages ? HOIST_OK : HOIST_NO_MEMORY;
}

static void free_page(neff_footprint *set, uint32_t page)
{
    HOIST_ASSERT(page < NEFF_PAGE_COUNT);
    hoist_free(set->alloc, set->pages[page], NEFF_PAGE_WORDS * sizeof(uint64_t));
    set->pages[page] = NULL;
}

void neff_footprint_deinit(neff_footprint *set)
{
    for (uint32_t page = 0; set->pages && page < NEFF_PAGE_COUNT; page++) {
        free_page(set, page);
    }
    hoist_free(set->alloc, set->pages, NEFF_PAGE_COUNT * sizeof(set->pages[0]));
    set->pages = NULL;
}

// The bits of word `word` of the window that are in [start, end), at least one of which is.
static uint64_t mask_of(uint32_t word, uint32_t start, uint32_t end)
{
    HOIST_ASSERT(start < end && start < (word + 1) * WORD_BITS && end > word * WORD_BITS);
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

// Widens the bounds of the set to include these; nothing is ever removed from a set.
static void widen(neff_footprint *set, uint32_t low, uint32_t high, uint32_t inner_low,
                  uint32_t inner_high)
{
    set_bounds(set, low < set->low ? low : set->low, high > set->high ? high : set->high,
               inner_low < set->inner_low ? inner_low : set->inner_low,
               inner_high > set->inner_high ? inner_high : set->inner_high);
}

// Takes a run of `size` bytes off the budget; false: it is used up. Setting whole words is quick,
// so long runs cost only a little more than short ones.
static bool afford(neff_footprint *set, uint32_t size)
{
    enum { STRIDE = 8 * (int)WORD_BITS }; // bytes that cost as much as one more run
    const uint64_t cost = 1 + size / STRIDE;
    const bool enough = cost <= set->budget;
    set->budget -= enough ? cost : set->budget;
    return enough;
}

// Sets the bits of [start, end), which are in one page.
static hoist_status add_in_page(neff_footprint *set, uint32_t start, uint32_t end)
{
    HOIST_ASSERT(start < end && end <= WINDOW && start / PAGE_BYTES == (end - 1) / PAGE_BYTES);
    uint64_t **const page = &set->pages[start / PAGE_BYTES];
    if (!*page) {
        *page = hoist_alloc_zero(set->alloc, NEFF_PAGE_WORDS, sizeof(**page));
    }
    for (uint32_t word = start / WORD_BITS; *page && word * WORD_BITS < end; word++) {
        (*page)[word % NEFF_PAGE_WORDS] |= mask_of(word, start, end);
    }
    return *page ? HOIST_OK : HOIST_NO_MEMORY;
}

// The first byte of the set in [start, end), which is in one page; NEFF_NONE.
static uint32_t first_in_page(const neff_footprint *set, uint32_t start, uint32_t end)
{
    HOIST_ASSERT(start < end && start / PAGE_BYTES == (end - 1) / PAGE_BYTES);
    const uint64_t *const page = set->pages[start / PAGE_BYTES];
    // No page: no byte of the set is there.
    for (uint32_t word = start / WORD_BITS; page && word * WORD_BITS < end; word++) {
        const uint64_t common = page[word % NEFF_PAGE_WORDS] & mask_of(word, start, end);
        if (common) {
            return word * WORD_BITS + (uint32_t)__builtin_ctzll(common); // the lowest set bit
        }
    }
    return NEFF_NONE;
}

// Where the part of [start, end) that is in the page of `start` ends.
static uint32_t end_in_page(uint32_t start, uint32_t end)
{
    const uint32_t limit = start - start % PAGE_BYTES + PAGE_BYTES;
    return end < limit ? end : limit;
}

hoist_status neff_footprint_range(neff_footprint *set, uint32_t start, uint32_t size)
{
    const uint32_t end = start + size; // in the window: the caller's patterns were checked
    HOIST_ASSERT(end <= WINDOW);
    if (!afford(set, size)) {
        return HOIST_LIMIT;
    }
    for (uint32_t at = start; at < end; at = end_in_page(at, end)) {
        HOIST_TRY(add_in_page(set, at, end_in_page(at, end)));
    }
    if (size > 0) {
        // In one partition: else the places within partitions are anything.
        const bool is_one = start / PARTITION == (end - 1) / PARTITION;
        widen(set, start, end, is_one ? start % PARTITION : 0,
              is_one ? (end - 1) % PARTITION + 1 : PARTITION);
    }
    return HOIST_OK;
}

// The first byte of the set in [start, end), of which only the part within the set's bounds is
// looked at; NEFF_NONE.
static uint32_t first_common(const neff_footprint *set, uint32_t start, uint32_t end)
{
    uint32_t byte = NEFF_NONE;
    start = start > set->low ? start : set->low;
    end = end < set->high ? end : set->high;
    for (uint32_t at = start; at < end && byte == NEFF_NONE; at = end_in_page(at, end)) {
        byte = first_in_page(set, at, end_in_page(at, end));
    }
    return byte;
}

// A walk over runs, all of which are in the window: an odometer whose first dimension turns
// fastest.
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
        HOIST_ASSERT(w->indices[i] < w->runs->counts[i]);
        if (++w->indices[i] < w->runs->counts[i]) {
            return true;
        }
        w->start -= w->runs->steps[i] * w->runs->counts[i]; // back to the dimension's first
        w->indices[i] = 0;
    }
    return false;
}

hoist_status neff_footprint_add(neff_footprint *set, const neff_runs *runs)
{
    HOIST_ASSERT(runs->low >= 0 && runs->run > 0);
    run_walk w = {.runs = runs, .start = runs->low};
    do {
        HOIST_TRY(neff_footprint_range(set, (uint32_t)w.start, (uint32_t)runs->run));
    } while (next_run(&w));
    return HOIST_OK;
}

// True when the runs stay in a part of each partition where the set has nothing, by bounds alone:
// tensors of one tile differ in the partition, and have the same place within it.
static bool is_apart(const neff_footprint *set, const neff_runs *runs)
{
    const int64_t first = runs->low % NEFF_PARTITION_STRIDE;
    int64_t last = first + runs->run - 1;
    for (uint32_t i = 0; i < runs->dims; i++) {
        // A step of full partitions does not change the place within one.
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
        if (!afford(set, (uint32_t)runs->run)) {
            return HOIST_LIMIT;
        }
        *out_byte = first_common(set, (uint32_t)w.start, (uint32_t)(w.start + runs->run));
    } while (*out_byte == NEFF_NONE && next_run(&w));
    return HOIST_OK;
}

// Moves a page of `other`, which has it: the page itself where `set` has none, else its bits.
static void take_page(neff_footprint *set, neff_footprint *other, uint32_t page)
{
    HOIST_ASSERT(page < NEFF_PAGE_COUNT && other->pages[page]);
    if (!set->pages[page]) {
        set->pages[page] = other->pages[page];
        other->pages[page] = NULL;
        return;
    }
    for (uint32_t i = 0; i < NEFF_PAGE_WORDS; i++) {
        set->pages[page][i] |= other->pages[page][i];
    }
    free_page(other, page);
}

void neff_footprint_take(neff_footprint *set, neff_footprint *other)
{
    for (uint32_t page = other->low / PAGE_BYTES; page * PAGE_BYTES < other->high; page++) {
        if (other->pages[page]) {
            take_page(set, other, page);
        }
    }
    widen(set, other->low, other->high, other->inner_low, other->inner_high);
    set_bounds(other, WINDOW, 0, PARTITION, 0);
}

uint32_t neff_footprint_count(const neff_footprint *set, uint32_t partition)
{
    HOIST_ASSERT((partition + 1) * (PARTITION / PAGE_BYTES) <= NEFF_PAGE_COUNT);
    const uint32_t pages = PARTITION / PAGE_BYTES; // of one partition: 16
    uint32_t bytes = 0;
    for (uint32_t page = partition * pages; page < (partition + 1) * pages; page++) {
        for (uint32_t i = 0; set->pages[page] && i < NEFF_PAGE_WORDS; i++) {
            bytes += (uint32_t)__builtin_popcountll(set->pages[page][i]);
        }
    }
    return bytes;
}
