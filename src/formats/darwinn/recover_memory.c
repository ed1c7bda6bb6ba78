// The memories of tiles as words of values (recover_trace.h): what is at an address, and how words
// are written, copied and forgotten. In: addresses and loops; out: pages of the trace.
//
// Words are followed in runs of addresses and not one by one, since there may be millions: loops
// are put in order of their strides where that makes no difference.
#include "formats/darwinn/recover_memory.h"

#include <string.h>

#include "base/span.h"

// Outside of the memory, in a page that was never written, and after the last step that may be
// followed: unknown.
dwn_held dwn_memory_at(const dwn_walk *w, uint32_t tile, int64_t address)
{
    const dwn_trace *t = w->trace;
    if (!t || t->left == 0 || address < 0 || address >= DWN_TRACE_WORDS) {
        return (dwn_held){0, 0};
    }
    const dwn_held *page = t->pages[tile][address / DWN_TRACE_PAGE];
    return page ? page[address % DWN_TRACE_PAGE] : (dwn_held){0, 0};
}

const dwn_mixed *dwn_memory_mixed(const dwn_trace *t, uint32_t index)
{
    return &t->mixed[index / DWN_TRACE_CHUNK][index % DWN_TRACE_CHUNK];
}

dwn_held dwn_trace_at(const dwn_walk *w, uint32_t tile, int64_t address)
{
    const dwn_held held = dwn_memory_at(w, tile, address);
    return held.value == DWN_MIXED ? (dwn_held){0, 0} : held;
}

uint32_t dwn_trace_run(const dwn_walk *w, uint32_t tile, int64_t address, dwn_held held,
                       uint32_t most)
{
    uint32_t count = 0;
    while (count < most && address >= 0 && address < DWN_TRACE_WORDS && w->trace->left > 0) {
        const dwn_held *page = w->trace->pages[tile][address / DWN_TRACE_PAGE];
        const int64_t first = address % DWN_TRACE_PAGE;
        for (int64_t i = first; i < DWN_TRACE_PAGE && count < most; i++, count++) {
            if (!page || page[i].value != held.value || page[i].word != held.word + count) {
                return count;
            }
        }
        address += DWN_TRACE_PAGE - first;
    }
    return count;
}

const dwn_mixed *dwn_trace_mixed(const dwn_walk *w, uint32_t tile, int64_t address)
{
    const dwn_held held = dwn_memory_at(w, tile, address);
    return held.value == DWN_MIXED ? dwn_memory_mixed(w->trace, held.word) : NULL;
}

// The words of a run that are in one page, from `at` on; 0: the run is at its end.
static uint64_t piece_at(const dwn_memory_run *r, int64_t at)
{
    const int64_t left = r->at >= DWN_TRACE_WORDS ? 0 : r->at + (int64_t)r->count - at;
    const int64_t here = DWN_TRACE_PAGE - at % DWN_TRACE_PAGE;
    return at >= DWN_TRACE_WORDS || left <= 0 ? 0 : (uint64_t)(left < here ? left : here);
}

// The first address of a run that a tile has; counts of steps are below 2^32.
static int64_t first_address(const dwn_memory_run *r)
{
    return r->at < 0 ? 0 : r->at;
}

// The page of an address. It is made where there is none; NULL: out of memory.
static dwn_held *page_of(dwn_walk *w, uint32_t tile, int64_t address)
{
    dwn_held **page = &w->trace->pages[tile][address / DWN_TRACE_PAGE];
    *page = *page ? *page : hoist_arena_array(w->scratch, DWN_TRACE_PAGE, sizeof(**page));
    return *page;
}

// Unknown words need no memory where there is none.
static void forget_run(dwn_walk *w, const dwn_memory_run *r)
{
    uint64_t count = 0;
    for (int64_t at = first_address(r); (count = piece_at(r, at)) > 0; at += (int64_t)count) {
        dwn_held *page = w->trace->pages[r->tile][at / DWN_TRACE_PAGE];
        if (page) {
            memset(page + at % DWN_TRACE_PAGE, 0, count * sizeof(*page));
        }
    }
}

// Words of a value that are one after the other, `held` the first.
hoist_status dwn_memory_put(dwn_walk *w, const dwn_memory_run *r, dwn_held held)
{
    uint64_t count = 0;
    for (int64_t at = first_address(r); (count = piece_at(r, at)) > 0; at += (int64_t)count) {
        dwn_held *page = page_of(w, r->tile, at);
        if (!page) {
            return HOIST_NO_MEMORY;
        }
        const uint32_t word = held.word + (uint32_t)(at - r->at);
        for (uint64_t i = 0; i < count; i++) {
            page[(uint64_t)(at % DWN_TRACE_PAGE) + i] = (dwn_held){held.value, word + (uint32_t)i};
        }
    }
    return HOIST_OK;
}

// One word.
hoist_status dwn_memory_put_word(dwn_walk *w, uint32_t tile, int64_t address, dwn_held held)
{
    if (address < 0 || address >= DWN_TRACE_WORDS) {
        return HOIST_OK;
    }
    dwn_held *page = page_of(w, tile, address);
    if (page) {
        page[address % DWN_TRACE_PAGE] = held;
    }
    return page ? HOIST_OK : HOIST_NO_MEMORY;
}

// Words of one page to one page, in their order. Where there is no page it is made for the first
// word that is known. `as` NULL: they keep their names.
static hoist_status copy_words(dwn_walk *w, const dwn_held *from, const dwn_memory_run *to,
                               const dwn_naming *as)
{
    dwn_held **const page = &w->trace->pages[to->tile][to->at / DWN_TRACE_PAGE];
    const size_t first = (size_t)to->at % DWN_TRACE_PAGE;
    uint64_t i = 0;
    while (!*page && i < to->count && (as ? dwn_named(w, as, from[i]) : from[i]).value == 0) {
        i++;
    }
    dwn_held *const written = i < to->count ? page_of(w, to->tile, to->at) : NULL;
    if (i == to->count || !written) {
        return i == to->count ? HOIST_OK : HOIST_NO_MEMORY;
    }
    if (!as) {
        for (; i < to->count; i++) {
            written[first + i] = from[i];
        }
    } else if (as->is_joined) {
        for (; i < to->count; i++) {
            written[first + i] = dwn_named(w, as, from[i]);
        }
    } else {
        for (; i < to->count; i++) { // without a branch, as of most layers
            const uint32_t is_it = from[i].value == as->input + 1;
            written[first + i] = (dwn_held){is_it * (as->output + 1), is_it * from[i].word};
        }
    }
    return HOIST_OK;
}

// Words of a tile, as many as `to` has and one after the other, so that what was written is read
// where both overlap. `as` NULL: they keep their names.
hoist_status dwn_memory_copy_run(dwn_walk *w, uint32_t tile, int64_t from, const dwn_memory_run *to,
                                 const dwn_naming *as)
{
    uint64_t count = 0;
    for (int64_t at = first_address(to); (count = piece_at(to, at)) > 0; at += (int64_t)count) {
        const int64_t source = (int64_t)((uint64_t)from + (uint64_t)(at - to->at));
        const bool is_inside = source >= 0 && source < DWN_TRACE_WORDS;
        // To the end of the source's page; outside of the memory word by word.
        const uint64_t here = is_inside ? DWN_TRACE_PAGE - (uint64_t)source % DWN_TRACE_PAGE : 1;
        const dwn_held *page = is_inside ? w->trace->pages[tile][source / DWN_TRACE_PAGE] : NULL;
        count = here < count ? here : count;
        if (!page) {
            forget_run(w, &(dwn_memory_run){to->tile, at, count});
            continue;
        }
        HOIST_TRY(copy_words(w, page + source % DWN_TRACE_PAGE,
                             &(dwn_memory_run){to->tile, at, count}, as));
    }
    return HOIST_OK;
}

// Steps of both that go through addresses one after the other: one run on both sides.
uint64_t dwn_memory_common_run(const dwn_steps *a, const dwn_steps *b)
{
    const uint64_t left = dwn_steps_run(a, 1);
    const uint64_t right = dwn_steps_run(b, 1);
    return left < right ? left : right;
}

// Whether both go through as many addresses in one way, and share none: then the order of the copy
// does not matter.
static bool are_alike(const dwn_steps *a, const dwn_steps *b, bool is_one_tile)
{
    const uint64_t apart =
        (uint64_t)(a->at < b->at ? b->at : a->at) - (uint64_t)(a->at < b->at ? a->at : b->at);
    uint64_t span = 0;
    for (uint32_t i = 0; i < a->loops && a->loops == b->loops; i++) {
        if (a->counts[i] != b->counts[i] || a->strides[i] != b->strides[i]) {
            return false;
        }
        span = dwn_plus(span, dwn_times(a->counts[i] - 1, a->strides[i]));
    }
    return a->loops == b->loops && (!is_one_tile || apart > span);
}

// Copies step by step; both sides have as many. Sorted, the steps have longer runs.
hoist_status dwn_memory_copy(dwn_walk *w, uint32_t source, dwn_steps from, uint32_t tile,
                             dwn_steps to, const dwn_naming *as)
{
    uint64_t steps = 0;
    if (are_alike(&from, &to, source == tile)) {
        from = dwn_steps_sorted(&from);
        to = dwn_steps_sorted(&to);
    }
    for (uint64_t i = 0; i < to.count; i += steps) {
        steps = dwn_memory_common_run(&from, &to);
        HOIST_TRY(
            dwn_memory_copy_run(w, source, from.at, &(dwn_memory_run){tile, to.at, steps}, as));
        dwn_steps_skip(&from, steps);
        dwn_steps_skip(&to, steps);
    }
    return HOIST_OK;
}

// Whether so many more steps may be followed; else nothing is known from here on: `left` stays 0.
bool dwn_trace_go(dwn_trace *t, uint64_t steps)
{
    t->left = steps < t->left ? t->left - steps : 0;
    return t->left > 0;
}

bool dwn_trace_spend(dwn_walk *w, uint64_t steps)
{
    return dwn_trace_go(w->trace, steps);
}

// How many of the steps of a run, from `step` on, a cut treats alike: all of them, or those of the
// row of the innermost loop.
uint64_t dwn_cut_alike(const dwn_loop *loops, const dwn_cut *cut, uint64_t step, uint64_t count)
{
    if (!cut || cut->words == 0) {
        return count;
    }
    const uint64_t row = cut->loop == 0 ? 1 : loops[0].count - step % loops[0].count;
    return row < count ? row : count;
}

// How many of the steps of a row, from `step` on, the cut of the loops does not leave out.
uint64_t dwn_cut_kept(const dwn_loop *loops, const dwn_cut *cut, uint64_t step, uint64_t count)
{
    if (!cut || cut->words == 0) {
        return count;
    }
    const uint64_t in_row = step % loops[0].count;
    const uint64_t left = in_row < cut->words ? cut->words - in_row : 0;
    for (uint32_t i = 0; i < cut->loop; i++) {
        step /= loops[i].count;
    }
    const bool is_last = step % loops[cut->loop].count + 1 == loops[cut->loop].count;
    return is_last && left < count ? left : count;
}

bool dwn_trace_look(dwn_walk *w, uint64_t steps, uint32_t *out_each)
{
    enum { ENOUGH = 4096 }; // looks at a tile
    static const uint32_t each[] = {1, 11, 37, 131, 521, 2053};
    size_t i = 0;
    while (i + 1 < HOIST_COUNT_OF(each) && steps / each[i] > ENOUGH) {
        i++;
    }
    *out_each = each[i];
    uint64_t *const looks = &w->trace->looks;
    const bool is_so = w->trace->left > 0 && steps / each[i] < *looks;
    *looks -= is_so ? steps / each[i] + 1 : 0;
    return is_so;
}

// Forgets the words that loops write, but for those that the cut leaves out, which stay as they
// were. A cut belongs to loops in their own order, so that those are not sorted.
void dwn_memory_forget_but(dwn_walk *w, uint32_t tile, int64_t base, const dwn_loop *loops,
                           size_t count, const dwn_cut *cut)
{
    const bool has_cut = cut && cut->words > 0;
    dwn_loop moving[DWN_LOOPS];
    for (size_t i = 0; i < count; i++) { // again and again is as good as once
        moving[i] = has_cut || loops[i].stride != 0 ? loops[i] : (dwn_loop){.count = 1};
    }
    const dwn_steps all = dwn_steps_of(base, moving, count);
    dwn_steps to = has_cut ? all : dwn_steps_sorted(&all);
    const bool is_left = dwn_trace_go(w->trace, to.count);
    uint64_t steps = 0;
    for (uint64_t i = 0; is_left && i < to.count; i += steps) {
        steps = dwn_cut_alike(loops, cut, i, dwn_steps_run(&to, 1));
        forget_run(w, &(dwn_memory_run){tile, to.at, dwn_cut_kept(loops, cut, i, steps)});
        dwn_steps_skip(&to, steps);
    }
}

// What an operation writes that is not followed is unknown from then on; what it leaves is known.
void dwn_memory_forget(dwn_walk *w, uint32_t tile, int64_t base, const dwn_loop *loops,
                       size_t count)
{
    dwn_memory_forget_but(w, tile, base, loops, count, NULL);
}
