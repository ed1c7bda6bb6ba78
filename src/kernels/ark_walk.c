// Lines of views (ark_walk.h): dimensions that every operand steps over evenly are joined to loops,
// the innermost of which is a line or several.
#include "kernels/ark_walk.h"

#include <string.h>

#include "base/assert.h"
#include "kernels/elements.h"

size_t hoist_ark_work(const hoist_compute_call *call)
{
    const uint64_t count = (uint64_t)hoist_shape_count(&hoist_ark_output(call)->shape);
    return (size_t)((count + HOIST_ARK_UNIT - 1) / HOIST_ARK_UNIT);
}

// Loops -----------------------------------------------------------------------------------------

// Makes dimension `d` part of the loop before it, where one step of the dimension is where the loop
// ends, of all operands; else a loop of its own.
static void add_dimension(hoist_ark_walk *walk, const hoist_view *views, int d)
{
    hoist_ark_loop *const inner = walk->loops > 0 ? &walk->loop[walk->loops - 1] : NULL;
    hoist_ark_loop *const next = &walk->loop[walk->loops];
    // Only where there is a loop to join.
    bool joins = inner;
    next->count = (uint64_t)views[0].shape.dim[d];
    for (size_t i = 0; i < walk->operands; i++) {
        next->step[i] = views[i].stride[d];
        joins = joins && next->step[i] == inner->step[i] * (int64_t)inner->count;
    }
    if (joins) {
        inner->count *= next->count;
    } else {
        walk->loops++;
    }
}

// Loops from the inside out; dimensions of one index are none.
static void find_loops(hoist_ark_walk *walk, const hoist_view *views)
{
    const hoist_shape *shape = &views[0].shape;
    walk->loops = 0;
    for (int d = shape->rank - 1; d >= 0; d--) {
        if (shape->dim[d] != 1) {
            add_dimension(walk, views, d);
        }
    }
    // A single element is a loop of one turn.
    if (walk->loops == 0) {
        hoist_ark_loop *const one = &walk->loop[walk->loops++];
        one->count = 1;
        for (size_t i = 0; i < walk->operands; i++) {
            one->step[i] = (int64_t)walk->size[i];
        }
    }
}

// Moves all operands by some turns of a loop.
static void step_over(hoist_ark_walk *walk, size_t loop, int64_t count)
{
    for (size_t i = 0; i < walk->operands; i++) {
        walk->offset[i] += count * walk->loop[loop].step[i];
    }
}

// The loops as they are at element `first`; the outermost one takes what is left of it.
static void go_to(hoist_ark_walk *walk, uint64_t first)
{
    for (size_t n = 0; n < walk->loops; n++) {
        hoist_ark_loop *const loop = &walk->loop[n];
        // The digits of a number whose bases are the loops' counts.
        loop->index = first == 0 ? 0 : n + 1 == walk->loops ? first : first % loop->count;
        first = first == 0 ? 0 : first / loop->count;
        step_over(walk, n, (int64_t)loop->index);
    }
}

void hoist_ark_walk_begin(hoist_ark_walk *walk, const hoist_view *views, size_t operands,
                          uint64_t first, uint64_t count)
{
    const uint64_t total = (uint64_t)hoist_shape_count(&views[operands - 1].shape);
    HOIST_ASSERT(operands <= HOIST_COMPUTE_LINE_OPERANDS);
    walk->operands = operands;
    // Units are counted up: the last one may begin at the end.
    walk->left = first >= total ? 0 : total - first < count ? total - first : count;
    walk->held = 0;
    // Lines without a buffer may be of any length.
    walk->most = UINT64_MAX;
    for (size_t i = 0; i < operands; i++) {
        walk->base[i] = views[i].memory.data;
        walk->offset[i] = views[i].offset;
        walk->size[i] = hoist_element_size(views[i].dtype);
        HOIST_ASSERT(walk->size[i] <= 4);
    }
    find_loops(walk, views);
    for (size_t i = 0; i < operands; i++) {
        const int64_t step = walk->loop[0].step[i];
        // It goes through a buffer, which bounds the line. An input that stands for all stays where
        // it is.
        if (step != (int64_t)walk->size[i] && (step != 0 || i + 1 == operands)) {
            walk->most = HOIST_ARK_LINE;
        }
    }
    if (walk->left > 0) {
        go_to(walk, first);
    }
}

// Moves on by so many elements of the innermost loop, and to the next turn of the outer ones.
static void advance(hoist_ark_walk *walk, uint64_t count)
{
    walk->left -= count;
    step_over(walk, 0, (int64_t)count);
    walk->loop[0].index += count;
    for (size_t n = 0; n + 1 < walk->loops && walk->loop[n].index == walk->loop[n].count; n++) {
        step_over(walk, n, -(int64_t)walk->loop[n].count);
        walk->loop[n].index = 0;
        step_over(walk, n + 1, 1);
        walk->loop[n + 1].index++;
    }
}

// Elements with gaps ----------------------------------------------------------------------------

// Inlined for each size, so that `size` is known.
static inline void copy_elements(uint8_t *to, int64_t to_step, const uint8_t *from,
                                 int64_t from_step, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(to + (int64_t)i * to_step, from + (int64_t)i * from_step, size);
    }
}

void hoist_ark_copy(uint8_t *to, int64_t to_step, const uint8_t *from, int64_t from_step,
                    size_t count, size_t size)
{
    // The size is a constant in each branch, so that copies are plain loads and stores.
    switch (size) {
    case 1:
        copy_elements(to, to_step, from, from_step, count, 1);
        break;
    case 2:
        copy_elements(to, to_step, from, from_step, count, 2);
        break;
    default:
        copy_elements(to, to_step, from, from_step, count, 4);
        break;
    }
}

// Where the operand's elements of a line are, or are put.
static void place(hoist_ark_walk *walk, size_t operand, const hoist_compute_line *run,
                  hoist_compute_line *line)
{
    uint8_t *const first = run->at[operand];
    uint8_t *const buffer = walk->buffer[operand];
    const int64_t step = run->step[operand];
    const size_t size = walk->size[operand];
    line->step[operand] = (int64_t)size;
    line->at[operand] = buffer;
    // Where it is, without a copy.
    if (step == (int64_t)size) {
        line->at[operand] = first;
    } else if (operand + 1 == walk->operands) {
        // The output: what the caller writes to the buffer is copied with the next line.
        walk->held = run->count;
        walk->held_first = first;
    } else if (step == 0) {
        // One element for all.
        line->step[operand] = 0;
        line->at[operand] = first;
    } else {
        hoist_ark_copy(buffer, (int64_t)size, first, step, run->count, size);
    }
}

bool hoist_ark_walk_run(hoist_ark_walk *walk, hoist_compute_line *out_run)
{
    if (walk->left == 0) {
        return false;
    }
    // Up to the end of the innermost loop, of the walk, and of a buffer.
    uint64_t count = walk->loop[0].count - walk->loop[0].index;
    count = count < walk->left ? count : walk->left;
    out_run->count = (size_t)(count < walk->most ? count : walk->most);
    for (size_t i = 0; i < walk->operands; i++) {
        out_run->at[i] = walk->base[i] + walk->offset[i];
        out_run->step[i] = walk->loop[0].step[i];
    }
    // The walk is past the run while the caller works on it.
    advance(walk, out_run->count);
    return true;
}

bool hoist_ark_walk_next(hoist_ark_walk *walk, hoist_compute_line *out_line)
{
    const size_t last = walk->operands - 1;
    hoist_compute_line run;
    // The caller has filled the line before: it goes to where its elements are.
    if (walk->held > 0) {
        hoist_ark_copy(walk->held_first, walk->loop[0].step[last], walk->buffer[last],
                       (int64_t)walk->size[last], walk->held, walk->size[last]);
        walk->held = 0;
    }
    if (!hoist_ark_walk_run(walk, &run)) {
        return false;
    }
    out_line->count = run.count;
    for (size_t i = 0; i < walk->operands; i++) {
        place(walk, i, &run, out_line);
    }
    return true;
}
