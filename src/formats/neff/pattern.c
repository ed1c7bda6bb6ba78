// Arithmetic of access patterns (neff reference 4.5.1): extents, counts, sets of bytes as runs, and
// whether two patterns share a byte. The checks of descriptors, footprint.c and lower/neff use it.
// The overlap is a recursive search, bounded by MAX_ATTEMPTS: the outer dimension of the longer set
// is split into its inner parts, of which only those that reach into the other set are visited.
#include "formats/neff/pattern.h"

#include <string.h>

#include "base/assert.h"
#include "base/checked.h"

enum {
    MAX_ENTRY = 65536,     // bytes of a ring entry
    MAX_ATTEMPTS = 1 << 12 // pairs of parts that an overlap may look at
};

neff_access neff_access_of(const neff_engine *engine, const neff_pattern *pattern)
{
    const uint8_t expected = NEFF_HAS_SIZES | NEFF_HAS_STEPS;
    const uint32_t dims = pattern->size_count;
    neff_access access = {.offset = pattern->offset};
    if ((pattern->present & expected) != expected || dims != pattern->step_count || dims == 0 ||
        dims > NEFF_MAX_DIMS) {
        return access;
    }
    access.sizes = engine->numbers + pattern->sizes;
    access.steps = engine->numbers + pattern->steps;
    // A size below 1 leaves `dims` 0: nothing below divides by it or counts with it.
    for (uint32_t i = 0; i < dims; i++) {
        if (access.sizes[i] < 1) {
            return access;
        }
    }
    access.dims = dims;
    return access;
}

// Counts -----------------------------------------------------------------------------------------

bool neff_access_bytes(const neff_access *access, uint64_t *out_bytes)
{
    *out_bytes = 1;
    bool overflow = false;
    for (uint32_t i = 0; i < access->dims; i++) {
        overflow = overflow || hoist_ckd_mul(out_bytes, *out_bytes, (uint64_t)access->sizes[i]);
    }
    return !overflow; // sizes are 1 or more, so a product never shrinks again
}

uint64_t neff_access_entries(const neff_access *access)
{
    // The innermost dimension as runs of at most 64 KiB, once for each index of the others.
    uint64_t entries = ((uint64_t)access->sizes[0] + MAX_ENTRY - 1) / MAX_ENTRY;
    bool overflow = false;
    for (uint32_t i = 1; i < access->dims; i++) {
        overflow = overflow || hoist_ckd_mul(&entries, entries, (uint64_t)access->sizes[i]);
    }
    return overflow ? UINT64_MAX : entries;
}

// Extents ----------------------------------------------------------------------------------------

// Adds (size - 1) * step, of the sign of `step`, to `*sum`; on overflow the limit of 64 bits stays.
static void add_reach(int64_t *sum, int64_t size, int64_t step, bool *exact)
{
    int64_t reach = 0;
    if (hoist_ckd_mul_i64(&reach, size - 1, step) || hoist_ckd_add_i64(sum, *sum, reach)) {
        *sum = step < 0 ? INT64_MIN : INT64_MAX;
        *exact = false;
    }
}

// Negative steps reach below the offset, positive ones above. Each of the two sums has terms of one
// sign, so one that has left 64 bits never comes back, but for an offset of the other sign: then
// the other end is out of every variable.
neff_extent neff_access_extent(const neff_access *access)
{
    neff_extent extent = {0, 1, true}; // the first byte alone
    for (uint32_t i = 0; i < access->dims; i++) {
        const int64_t step = access->steps[i];
        add_reach(step < 0 ? &extent.low : &extent.high, access->sizes[i], step, &extent.exact);
    }
    if (hoist_ckd_add_i64(&extent.low, extent.low, access->offset)) {
        extent.low = access->offset < 0 ? INT64_MIN : INT64_MAX;
        extent.exact = false;
    }
    if (hoist_ckd_add_i64(&extent.high, extent.high, access->offset)) {
        extent.high = access->offset < 0 ? INT64_MIN : INT64_MAX;
        extent.exact = false;
    }
    return extent;
}

bool neff_access_within(const neff_access *access, int64_t size)
{
    const neff_extent extent = neff_access_extent(access);
    return extent.exact && extent.low >= 0 && extent.high <= size;
}

// Sizes and steps are compared as they are written: patterns that are equal in another way count as
// different.
bool neff_access_equal(const neff_access *a, const neff_access *b)
{
    const size_t size = a->dims * sizeof(a->sizes[0]);
    return a->offset == b->offset && a->dims == b->dims && memcmp(a->sizes, b->sizes, size) == 0 &&
           memcmp(a->steps, b->steps, size) == 0;
}

// Sets of bytes ----------------------------------------------------------------------------------

// Inserts a dimension so that steps ascend (insertion sort; 8 dimensions at most).
static void insert_dim(neff_runs *runs, int64_t count, int64_t step)
{
    HOIST_ASSERT(runs->dims < NEFF_MAX_DIMS && count > 1 && step > 0);
    uint32_t at = runs->dims++;
    for (; at > 0 && runs->steps[at - 1] > step; at--) {
        runs->steps[at] = runs->steps[at - 1];
        runs->counts[at] = runs->counts[at - 1];
    }
    runs->steps[at] = step;
    runs->counts[at] = count;
}

// Joins what touches: a dimension that leaves no gap makes the runs longer, and one whose step is
// so many steps of the one inside it makes that one longer. The set stays the same, bytes that were
// enumerated twice are in it once.
static void join_dims(neff_runs *runs)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < runs->dims; i++) {
        const int64_t step = runs->steps[i];
        const int64_t more = runs->counts[i] - 1;
        const int64_t inner = kept ? runs->steps[kept - 1] : 1;
        HOIST_ASSERT(step > 0 && inner > 0);
        if (kept == 0 && step <= runs->run) {
            runs->run += more * step;
        } else if (kept && step % inner == 0 && step / inner <= runs->counts[kept - 1]) {
            runs->counts[kept - 1] += more * (step / inner);
        } else {
            runs->counts[kept] = runs->counts[i];
            runs->steps[kept++] = step;
        }
    }
    runs->dims = kept;
}

bool neff_access_runs(const neff_access *access, neff_runs *out_runs)
{
    const neff_extent extent = neff_access_extent(access);
    *out_runs = (neff_runs){.low = extent.low, .run = 1};
    if (!extent.exact || extent.low < 0) {
        return false;
    }
    for (uint32_t i = 0; i < access->dims; i++) {
        const int64_t step = access->steps[i];
        if (access->sizes[i] > 1 && step != 0) { // others add no bytes
            // Cannot overflow: extent.exact.
            insert_dim(out_runs, access->sizes[i], step < 0 ? -step : step);
        }
    }
    join_dims(out_runs);
    return true;
}

// Overlaps ---------------------------------------------------------------------------------------

// The first `dims` dimensions of a set, moved to `at`.
typedef struct part {
    const neff_runs *runs;
    uint32_t dims;
    int64_t at;
} part;

// Bytes from the first to the last of a part; fits 63 bits, since the pattern's extent does.
static int64_t span_of(const neff_runs *runs, uint32_t dims)
{
    HOIST_ASSERT(dims <= runs->dims);
    int64_t span = runs->run;
    for (uint32_t i = 0; i < dims; i++) {
        span += (runs->counts[i] - 1) * runs->steps[i];
    }
    return span;
}

// Greatest integer that is not above a / b, for b above 0: C's division rounds towards 0.
static int64_t floor_div(int64_t a, int64_t b)
{
    HOIST_ASSERT(b > 0);
    return a / b - (a % b < 0 ? 1 : 0);
}

// The part at one index of the outermost dimension.
static part inside(part p, int64_t index)
{
    HOIST_ASSERT(p.dims > 0);
    return (part){p.runs, p.dims - 1, p.at + index * p.runs->steps[p.dims - 1]};
}

static neff_overlap meet(part a, part b, unsigned *attempts);

// The inner parts of `a` that reach into `b`, one by one: those i with a.at + i * step < b's end
// and a.at + i * step + inner > b.at.
static neff_overlap meet_split(part a, part b, unsigned *attempts)
{
    const int64_t step = a.runs->steps[a.dims - 1];
    const int64_t most = a.runs->counts[a.dims - 1] - 1;
    const int64_t inner = span_of(a.runs, a.dims - 1);
    const int64_t first = floor_div(b.at - a.at - inner, step) + 1;
    const int64_t last = floor_div(b.at - a.at + span_of(b.runs, b.dims) - 1, step);
    for (int64_t i = first < 0 ? 0 : first; i <= last && i <= most; i++) {
        const neff_overlap found = meet(inside(a, i), b, attempts);
        if (found != NEFF_APART) {
            return found;
        }
    }
    return NEFF_APART;
}

// Both have that step outermost, so only the difference i of their indices counts: n + m - 1 pairs
// instead of n * m.
static neff_overlap meet_equal(part a, part b, unsigned *attempts)
{
    const int64_t step = a.runs->steps[a.dims - 1];
    const int64_t apart = b.at - a.at;
    const int64_t first = floor_div(-span_of(b.runs, b.dims - 1) - apart, step) + 1;
    const int64_t last = floor_div(span_of(a.runs, a.dims - 1) - 1 - apart, step);
    const int64_t least = 1 - a.runs->counts[a.dims - 1];
    const int64_t most = b.runs->counts[b.dims - 1] - 1;
    for (int64_t i = first < least ? least : first; i <= last && i <= most; i++) {
        // `a` stays, `b` moves by i steps.
        const neff_overlap found = meet(inside(a, 0), inside(b, i), attempts);
        if (found != NEFF_APART) {
            return found;
        }
    }
    return NEFF_APART;
}

// True search: parts whose spans are apart are dropped, two runs that are not share a byte, else
// the longer part is split. Depth is at most the sum of both dimensions, 16.
static neff_overlap meet(part a, part b, unsigned *attempts)
{
    const int64_t a_span = span_of(a.runs, a.dims);
    const int64_t b_span = span_of(b.runs, b.dims);
    if (a.at + a_span <= b.at || b.at + b_span <= a.at) {
        return NEFF_APART;
    }
    if (a.dims == 0 && b.dims == 0) {
        return NEFF_OVERLAP;
    }
    if (*attempts == 0) {
        return NEFF_MAY_OVERLAP;
    }
    (*attempts)--;
    if (a.dims && b.dims && a.runs->steps[a.dims - 1] == b.runs->steps[b.dims - 1]) {
        return meet_equal(a, b, attempts);
    }
    const bool split_a = b.dims == 0 || (a.dims && a_span >= b_span);
    return split_a ? meet_split(a, b, attempts) : meet_split(b, a, attempts);
}

neff_overlap neff_access_overlap(const neff_access *a, const neff_access *b)
{
    const neff_extent first = neff_access_extent(a);
    const neff_extent second = neff_access_extent(b);
    neff_runs a_runs;
    neff_runs b_runs;
    unsigned attempts = MAX_ATTEMPTS;
    // Extents first: nearly all pairs of a file are far apart.
    if (first.exact && second.exact && (first.high <= second.low || second.high <= first.low)) {
        return NEFF_APART;
    }
    if (!neff_access_runs(a, &a_runs) || !neff_access_runs(b, &b_runs)) {
        return NEFF_MAY_OVERLAP;
    }
    return meet((part){&a_runs, a_runs.dims, a_runs.low}, (part){&b_runs, b_runs.dims, b_runs.low},
                &attempts);
}
