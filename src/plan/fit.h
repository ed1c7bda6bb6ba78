// plan/fit.h - the lowest free place over a stretch of time.
//
// Times are a tree of halves. What is placed is kept, merged, where a half is covered by it, and in
// every half that it touches; so a stretch of time is some 30 sets of few spans each, and no
// search visits all that was placed before. Places are integers, in the caller's units. A list of
// all placed buffers would make each search linear in them.
#ifndef HOIST_SRC_PLAN_FIT_H
#define HOIST_SRC_PLAN_FIT_H

#include "hoist/base.h"

typedef struct hoist_fit_span {
    uint64_t begin;
    uint64_t end;
} hoist_fit_span;

typedef struct hoist_fit_set {
    hoist_fit_span *spans; // owned; ascending, with gaps between them
    size_t count;
    size_t capacity;
} hoist_fit_set;

typedef struct hoist_fit_half {
    hoist_fit_set covering; // all of this half
    hoist_fit_set touching; // some of it
} hoist_fit_half;

typedef struct hoist_fit {
    hoist_allocator alloc;
    hoist_fit_half *halves; // owned: the root is 1, halves of i are 2 * i and 2 * i + 1
    uint32_t times;         // a power of two
} hoist_fit;

// For times from 0 to below `times`. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_fit_init(hoist_fit *fit, hoist_allocator alloc, uint32_t times);
void hoist_fit_deinit(hoist_fit *fit);

// From time `first` to and with `last`.
typedef struct hoist_fit_life {
    uint32_t first;
    uint32_t last;
} hoist_fit_life;

// The least place where `size` units are free all the time; of 0 units that is 0.
uint64_t hoist_fit_find(const hoist_fit *fit, hoist_fit_life life, uint64_t size);
// Takes a span all the time, whatever was taken before. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_fit_take(hoist_fit *fit, hoist_fit_life life,
                                            hoist_fit_span span);

#endif // HOIST_SRC_PLAN_FIT_H
