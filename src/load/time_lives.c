// Memory that steps share over the estimated time, in a picture. In: an estimate and its program.
// Out: of each thread or function the rectangles of what is in its memory: bytes, and the time from
// the beginning of the first step that it lives in to the end of the last one; of a function, in
// its last call. Where steps have no time, or do not follow each other in time, as those of ops on
// cores of their own, their numbers take its place. Neighbours: time.c (the estimate),
// plan/lives.h.
#include <stdlib.h>

#include "base/span.h"
#include "load/time.h"
#include "plan/lives.h"

static int by_code(const void *a, const void *b)
{
    const hoist_plan_life *const one = a;
    const hoist_plan_life *const other = b;
    if (one->code != other->code) {
        return one->code < other->code ? -1 : 1;
    }
    return one->buffer < other->buffer ? -1 : one->buffer > other->buffer;
}

// Steps are numbered within their code.
static uint32_t last_of(const hoist_plan_life *lives, size_t count)
{
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++) {
        last = lives[i].last > last ? lives[i].last : last;
    }
    return last;
}

// True when the ends of all lives have times, and steps follow each other in time.
static bool are_timed(const hoist_step_time *steps, const hoist_plan_life *lives, size_t count)
{
    const uint32_t last = last_of(lives, count);
    double end = 0;
    bool timed = true;
    for (size_t i = 0; timed && i < count; i++) {
        timed = steps[lives[i].first].is_known && steps[lives[i].last].is_known;
    }
    for (uint32_t i = 0; timed && i <= last; i++) {
        timed = !steps[i].is_known || steps[i].begin >= end;
        end = steps[i].is_known ? steps[i].end : end;
    }
    return timed && end > 0;
}

// Extends the drawing to hold one more rectangle.
static void extend(hoist_picture_sharing *sharing, const hoist_picture_life *life)
{
    const uint64_t size = life->offset + life->size;
    const bool is_first = sharing->count == 0;
    sharing->begin = is_first || life->begin < sharing->begin ? life->begin : sharing->begin;
    sharing->end = life->end > sharing->end ? life->end : sharing->end;
    sharing->size = size > sharing->size ? size : sharing->size;
    sharing->count++;
}

// The rectangles of what lives in the memory of one code; `lives` are all of that code.
static hoist_status add_sharing(const hoist_estimate *e, const hoist_plan_life *lives, size_t count,
                                hoist_picture *picture)
{
    hoist_arena *const arena = &picture->arena;
    const hoist_step_time *const steps = e->forecast.steps[lives->code];
    hoist_picture_life *const rows = hoist_arena_array(arena, count, sizeof *rows);
    HOIST_TRY_MEMORY(rows);
    hoist_picture_sharing sharing = {
        .name = hoist_arena_str(arena, hoist_prog_code_name(e->program, lives->code)),
        .is_timed = are_timed(steps, lives, count),
        .lives = rows};
    for (size_t i = 0; i < count; i++) {
        const hoist_prog_buffer *const buffer = &e->program->buffers[lives[i].buffer];
        const uint32_t first = lives[i].first;
        const uint32_t last = lives[i].last;
        rows[i] =
            (hoist_picture_life){.name = hoist_arena_str(arena, buffer->name),
                                 .offset = lives[i].offset,
                                 .size = buffer->size,
                                 .begin = sharing.is_timed ? steps[first].begin : (double)first,
                                 // To the end of its last step.
                                 .end = sharing.is_timed ? steps[last].end : (double)last + 1};
        extend(&sharing, &rows[i]);
    }
    hoist_picture_add_sharing(picture, &sharing);
    return hoist_arena_status(arena, hoist_picture_status(picture));
}

hoist_status hoist_estimate_append_lives(const hoist_estimate *e, hoist_picture *picture)
{
    hoist_deadline *const deadline = e->job->deadline;
    hoist_plan_lives found;
    const hoist_status status =
        hoist_plan_lives_find(e->program, deadline, &picture->arena, &found);
    // A program that sessions refuse has no plan of memory: nothing is added.
    if (status == HOIST_UNSUPPORTED || status == HOIST_INVALID) {
        return HOIST_OK;
    }
    HOIST_TRY(status);
    if (found.count > 0) {
        qsort(found.lives, found.count, sizeof found.lives[0], by_code);
    }
    // One drawing for each code that has lives, in the order of codes.
    for (size_t i = 0, end = 0; i < found.count; i = end) { // the group of one code is [i, end)
        HOIST_TRY(hoist_deadline_look(deadline));
        for (end = i + 1; end < found.count && found.lives[end].code == found.lives[i].code;
             end++) {
        }
        HOIST_TRY(add_sharing(e, &found.lives[i], end - i, picture));
    }
    return HOIST_OK;
}
