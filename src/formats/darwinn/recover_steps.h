// formats/darwinn/recover_steps.h - the addresses that a nest of loops goes through, one by one.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_STEPS_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_STEPS_H

#include "formats/darwinn/stream_tensor.h"

// An iterator: `at` is the address of the step at hand, `done` the steps of each loop before it.
//
// Loops of one step are left out, and one that goes on where the loop inside it ends is one with
// it: most operations go through contiguous words, and what follows them goes run by run.
typedef struct dwn_steps {
    int64_t at; // the address; hostile strides wrap around 64 bits
    uint64_t count;
    uint32_t loops;
    uint32_t done[DWN_LOOPS];
    uint32_t counts[DWN_LOOPS];
    uint64_t strides[DWN_LOOPS];
} dwn_steps;

// A loop around the others.
static inline void dwn_steps_add(dwn_steps *s, uint32_t count, uint64_t stride)
{
    const uint32_t last = s->loops - 1;
    if (count > 1 && s->loops > 0 && stride == s->strides[last] * s->counts[last] &&
        s->counts[last] <= UINT32_MAX / count) {
        s->counts[last] *= count;
    } else if (count > 1) {
        s->counts[s->loops] = count;
        s->strides[s->loops++] = stride;
    }
}

// The innermost loop first, at most DWN_LOOPS of them. `count` is UINT64_MAX where it does not fit.
static inline dwn_steps dwn_steps_of(int64_t base, const dwn_loop *loops, size_t count)
{
    dwn_steps s = {.at = base, .count = 1};
    for (size_t i = 0; i < count; i++) {
        s.count = dwn_times(s.count, loops[i].count);
        dwn_steps_add(&s, loops[i].count, (uint64_t)loops[i].stride);
    }
    return s;
}

// The same addresses, the loops with the smaller strides inside.
static inline dwn_steps dwn_steps_sorted(const dwn_steps *steps)
{
    dwn_steps from = *steps;
    dwn_steps s = {.at = from.at, .count = from.count};
    for (uint32_t n = 0; n < steps->loops; n++) {
        uint32_t least = 0;
        for (uint32_t i = 1; i < steps->loops; i++) {
            const bool is_left = from.counts[i] > 0;
            least = is_left && (from.counts[least] == 0 || from.strides[i] < from.strides[least])
                        ? i
                        : least;
        }
        dwn_steps_add(&s, from.counts[least], from.strides[least]);
        from.counts[least] = 0;
    }
    return s;
}

// Steps from here on, this one included, whose addresses are `stride` apart.
static inline uint64_t dwn_steps_run(const dwn_steps *s, uint64_t stride)
{
    return s->loops > 0 && s->strides[0] == stride ? s->counts[0] - s->done[0] : 1;
}

// The address so many words after the one of the steps.
static inline int64_t dwn_steps_after(const dwn_steps *s, uint32_t words)
{
    return (int64_t)((uint64_t)s->at + words);
}

// The address so many steps after the first one, of steps of which none was made.
static inline int64_t dwn_steps_address(const dwn_steps *first, uint64_t step)
{
    uint64_t at = (uint64_t)first->at;
    for (uint32_t i = 0; i < first->loops; i++) {
        at += step % first->counts[i] * first->strides[i];
        step /= first->counts[i];
    }
    return (int64_t)at;
}

// Whether no address is between the first and the last of both; false where that is not known.
static inline bool dwn_steps_are_apart(const dwn_steps *a, const dwn_steps *b)
{
    const dwn_steps *const both[2] = {a, b};
    int64_t last[2] = {0, 0};
    for (size_t i = 0; i < 2; i++) {
        uint64_t span = 0;
        for (uint32_t k = 0; k < both[i]->loops; k++) {
            if (both[i]->strides[k] > INT32_MAX) { // it goes back
                return false;
            }
            span = dwn_plus(span, dwn_times(both[i]->counts[k] - 1, both[i]->strides[k]));
        }
        if (span > INT32_MAX) {
            return false;
        }
        last[i] = (int64_t)((uint64_t)both[i]->at + span);
    }
    return last[0] < b->at || last[1] < a->at;
}

// Like a counter with carry: the first loop that is not at its end goes on, those before begin
// anew.
static inline void dwn_steps_next(dwn_steps *s)
{
    uint64_t at = (uint64_t)s->at;
    for (uint32_t i = 0; i < s->loops; i++) {
        if (++s->done[i] < s->counts[i]) {
            at += s->strides[i];
            break;
        }
        at -= (s->counts[i] - 1) * s->strides[i];
        s->done[i] = 0;
    }
    s->at = (int64_t)at;
}

// Goes on by `steps`, at most those of a run.
static inline void dwn_steps_skip(dwn_steps *s, uint64_t steps)
{
    if (steps > 1) {
        s->done[0] += (uint32_t)(steps - 1);
        s->at = (int64_t)((uint64_t)s->at + (steps - 1) * s->strides[0]);
    }
    dwn_steps_next(s);
}

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_STEPS_H
