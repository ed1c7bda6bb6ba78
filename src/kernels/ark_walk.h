// kernels/ark_walk.h - the elements of views of one shape as lines: for kernels that take elements
// which are adjacent in memory, or one that stands for all. Elements with gaps go through a buffer.
#ifndef HOIST_SRC_KERNELS_ARK_WALK_H
#define HOIST_SRC_KERNELS_ARK_WALK_H

#include "kernels/ark_elements.h"

enum {
    HOIST_ARK_LINE = 512, // elements of a line that goes through a buffer
};

// A loop that the operands have in common.
typedef struct hoist_ark_loop {
    uint64_t count;
    uint64_t index;
    int64_t step[HOIST_COMPUTE_LINE_OPERANDS]; // bytes
} hoist_ark_loop;

typedef struct hoist_ark_walk {
    size_t operands;
    uint8_t *base[HOIST_COMPUTE_LINE_OPERANDS]; // borrowed
    int64_t offset[HOIST_COMPUTE_LINE_OPERANDS];
    size_t size[HOIST_COMPUTE_LINE_OPERANDS]; // of an element, bytes
    hoist_ark_loop loop[HOIST_MAX_RANK];
    size_t loops;        // at least one; innermost first
    uint64_t left;       // elements
    uint64_t most;       // elements of a line
    size_t held;         // elements of the output in its buffer
    uint8_t *held_first; // where they go
    _Alignas(64) uint8_t buffer[HOIST_COMPUTE_LINE_OPERANDS][4 * HOIST_ARK_LINE];
} hoist_ark_walk;

// Units of HOIST_ARK_UNIT elements.
size_t hoist_ark_work(const hoist_compute_call *call);

// From element `first` on, `count` elements of `views`, the last of which is written; elements have
// 1, 2 or 4 bytes. `count` is cut where the views end.
void hoist_ark_walk_begin(hoist_ark_walk *walk, const hoist_view *views, size_t operands,
                          uint64_t first, uint64_t count);

// The next line, until none is left: false. An operand's step is its size, or 0: one element stands
// for all. What the caller has written to a line reaches the output with the next call, so that the
// last one must give false.
bool hoist_ark_walk_next(hoist_ark_walk *walk, hoist_compute_line *out_line);

// Instead of it: the next elements without buffers.
bool hoist_ark_walk_run(hoist_ark_walk *walk, hoist_compute_line *out_run);

// `count` elements of `size` bytes, `from_step` and `to_step` bytes apart.
void hoist_ark_copy(uint8_t *to, int64_t to_step, const uint8_t *from, int64_t from_step,
                    size_t count, size_t size);

#endif // HOIST_SRC_KERNELS_ARK_WALK_H
