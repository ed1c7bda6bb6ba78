// The lowest free place over a stretch of time: a segment tree over time whose nodes keep sorted,
// merged spans of what is taken. calls.c asks it once for each buffer. Neighbour: intervals.c,
// which turns steps into times and bytes into units.
#include "plan/fit.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/order.h"

// As many leaves as times, rounded up to a power of two, and one unused element for index 0.
hoist_status hoist_fit_init(hoist_fit *fit, hoist_allocator alloc, uint32_t times)
{
    *fit = (hoist_fit){.alloc = alloc, .times = 1};
    while (fit->times < times) {
        fit->times *= 2;
    }
    fit->halves = hoist_alloc_zero(alloc, 2 * (size_t)fit->times, sizeof *fit->halves);
    return fit->halves ? HOIST_OK : HOIST_NO_MEMORY;
}

static void free_set(const hoist_fit *fit, hoist_fit_set *set)
{
    hoist_free(fit->alloc, set->spans, set->capacity * sizeof *set->spans);
}

// Also after a failed init, where `halves` is NULL.
void hoist_fit_deinit(hoist_fit *fit)
{
    for (size_t i = 0; fit->halves && i < 2 * (size_t)fit->times; i++) {
        free_set(fit, &fit->halves[i].covering);
        free_set(fit, &fit->halves[i].touching);
    }
    hoist_free(fit->alloc, fit->halves, 2 * (size_t)fit->times * sizeof *fit->halves);
    *fit = (hoist_fit){.alloc = fit->alloc};
}

static bool ends_before(const void *span, const void *at)
{
    return ((const hoist_fit_span *)span)->end < *(const uint64_t *)at;
}

// The first span that ends at `at` or after it; `count`: none.
static size_t first_to_end(const hoist_fit_set *set, uint64_t at)
{
    return hoist_order_first(set->spans, set->count, sizeof *set->spans, ends_before, &at);
}

// Merges `span` with those that it meets. Touching spans become one, too, so that gaps are real.
static hoist_status add_to_set(const hoist_fit *fit, hoist_fit_set *set, hoist_fit_span span)
{
    const size_t first = first_to_end(set, span.begin);
    size_t last = first;
    for (; last < set->count && set->spans[last].begin <= span.end; last++) {
        span.begin = span.begin < set->spans[last].begin ? span.begin : set->spans[last].begin;
        span.end = span.end > set->spans[last].end ? span.end : set->spans[last].end;
    }
    // Only a span that meets no other takes a place of its own.
    if (first == last && !hoist_grow(fit->alloc, (void **)&set->spans, &set->capacity,
                                     set->count + 1, sizeof *set->spans)) {
        return HOIST_NO_MEMORY;
    }
    // One memmove for both cases: it closes the gap of merged spans or opens one.
    memmove(&set->spans[first + 1], &set->spans[last], (set->count - last) * sizeof *set->spans);
    set->spans[first] = span;
    set->count = set->count - (last - first) + 1;
    return HOIST_OK;
}

// A half and its times.
typedef struct half {
    size_t index;
    uint32_t begin;
    uint32_t end;
} half;

// No time in common.
static bool is_apart(half h, hoist_fit_life life)
{
    return h.end <= life.first || h.begin > life.last;
}

// Every time of the half is in the life.
static bool is_covered(half h, hoist_fit_life life)
{
    return life.first <= h.begin && h.end - 1 <= life.last;
}

static half lower(half h)
{
    return (half){2 * h.index, h.begin, h.begin + (h.end - h.begin) / 2};
}

static half upper(half h)
{
    return (half){2 * h.index + 1, h.begin + (h.end - h.begin) / 2, h.end};
}

// Depth: that of the tree, at most 32. A half that is covered needs no entry below it: what is
// asked below is asked on the way down, too.
static hoist_status take(hoist_fit *fit, half h, hoist_fit_life life, hoist_fit_span span)
{
    if (is_apart(h, life)) {
        return HOIST_OK;
    }
    HOIST_TRY(add_to_set(fit, &fit->halves[h.index].touching, span));
    if (is_covered(h, life)) {
        return add_to_set(fit, &fit->halves[h.index].covering, span);
    }
    HOIST_TRY(take(fit, lower(h), life, span));
    return take(fit, upper(h), life, span);
}

hoist_status hoist_fit_take(hoist_fit *fit, hoist_fit_life life, hoist_fit_span span)
{
    HOIST_ASSERT(span.begin < span.end && life.first <= life.last && life.last < fit->times);
    return take(fit, (half){1, 0, fit->times}, life, span);
}

// The sets that say together what is taken in a life: two on each way down to its ends, and what
// the halves between them have.
enum { MAX_SETS = 4 * 32 }; // two per level and side

typedef struct sets {
    const hoist_fit_set *of[MAX_SETS];
    size_t count;
} sets;

// A covered half has everything in `touching`; above it only what covers a half as a whole
// matters.
static void collect(const hoist_fit *fit, half h, hoist_fit_life life, sets *out)
{
    if (is_apart(h, life)) {
        return;
    }
    const hoist_fit_half *own = &fit->halves[h.index];
    const bool covered = is_covered(h, life);
    const hoist_fit_set *set = covered ? &own->touching : &own->covering;
    if (set->count > 0) {
        HOIST_ASSERT(out->count < MAX_SETS);
        out->of[out->count++] = set;
    }
    if (!covered) {
        collect(fit, lower(h), life, out);
        collect(fit, upper(h), life, out);
    }
}

// The least place from `at` on where a set has `size` units free. Spans are apart, so each step
// passes one of them.
static uint64_t find_in_set(const hoist_fit_set *set, uint64_t at, uint64_t size)
{
    size_t i = first_to_end(set, at + 1); // a span that ends exactly at `at` leaves it free
    for (; i < set->count && set->spans[i].begin < at + size; i++) {
        at = set->spans[i].end;
    }
    return at;
}

// Asks the sets in turn until all of them agree on one place; each disagreement moves the place
// up, so it ends.
uint64_t hoist_fit_find(const hoist_fit *fit, hoist_fit_life life, uint64_t size)
{
    sets all = {.count = 0};
    if (size > 0) {
        collect(fit, (half){1, 0, fit->times}, life, &all);
    }
    uint64_t at = 0;
    size_t agree = 0; // sets in a row that have space there
    for (size_t i = 0; agree < all.count; i = i + 1 < all.count ? i + 1 : 0) {
        const uint64_t next = find_in_set(all.of[i], at, size);
        agree = next == at ? agree + 1 : 1;
        at = next;
    }
    return at;
}
