// formats/darwinn/recover_steps.h - the addresses that a nest of loops goes through, one by one.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_STEPS_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_STEPS_H

#include "formats/darwinn/stream_tensor.h"

// Loops of one step are left out.
typedef struct dwn_steps {
    int64_t at; // the address; hostile strides wrap around 64 bits
    uint64_t count;
    uint32_t loops;
    uint32_t done[DWN_LOOPS];
    uint32_t counts[DWN_LOOPS];
    uint64_t strides[DWN_LOOPS];
} dwn_steps;

// The innermost loop first, at most DWN_LOOPS of them. `count` is UINT64_MAX where it does not fit.
static inline dwn_steps dwn_steps_of(int64_t base, const dwn_loop *loops, size_t count)
{
    dwn_steps s = {.at = base, .count = 1};
    for (size_t i = 0; i < count; i++) {
        s.count = dwn_times(s.count, loops[i].count);
        if (loops[i].count > 1) {
            s.counts[s.loops] = loops[i].count;
            s.strides[s.loops++] = (uint64_t)loops[i].stride;
        }
    }
    return s;
}

// The address so many words after the one of the steps.
static inline int64_t dwn_steps_after(const dwn_steps *s, uint32_t words)
{
    return (int64_t)((uint64_t)s->at + words);
}

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

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_STEPS_H
