// Semaphores that are signalled and that no thread waits for: a note, since the wait may be in
// another program. In: the program of a question. Out: notes at the first signal, once for all
// ranks that have the place.
#include <stdlib.h>

#include "base/diag.h"
#include "base/span.h"
#include "load/question.h"
#include "lower/lower.h"

// What is known of a semaphore after one pass over all threads.
typedef struct signalled {
    const hoist_prog_step *by; // the first step that signals it; NULL: none
    hoist_str name;
    bool waited;
} signalled;

// A signal of a thread, of a post, or a wait.
static void note_step(const hoist_prog_step *step, signalled *all)
{
    const bool signals = step->kind == HOIST_STEP_SIGNAL;
    const uint32_t count = step->kind == HOIST_STEP_POST ? step->as.call.signal_count : signals;
    if (step->kind == HOIST_STEP_WAIT) {
        all[step->as.wait.semaphore].waited = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        const hoist_prog_signal *signal = signals ? &step->as.signal : &step->as.call.signals[i];
        if (!all[signal->semaphore].by) {
            all[signal->semaphore].by = step;
        }
    }
}

// "s20" of "rank1/s20": ranks of one file have the same name and place.
static hoist_str short_name(hoist_str name)
{
    size_t start = name.size;
    while (start > 0 && name.data[start - 1] != '/') {
        start--;
    }
    return hoist_str_slice(name, start, name.size);
}

// By place, then by short name; semaphores without a signal come last.
static int by_place(const void *a, const void *b)
{
    const signalled *x = a;
    const signalled *y = b;
    if (!x->by || !y->by) {
        return (x->by == NULL) - (y->by == NULL);
    }
    const int order = hoist_loc_order(x->by->loc, y->by->loc);
    return order ? order : hoist_str_compare(short_name(x->name), short_name(y->name));
}

// Waits in functions that units run.
static void note_waits(const hoist_prog_code *code, signalled *all)
{
    for (uint32_t i = 0; i < code->step_count; i++) {
        if (code->steps[i].kind == HOIST_STEP_WAIT) {
            all[code->steps[i].as.wait.semaphore].waited = true;
        }
    }
}

// Functions may wait; what only they signal is not reported, as they may be there for another
// program.
hoist_status hoist_question_note_signals(hoist_question *q)
{
    const hoist_program *p = q->program;
    signalled *all = hoist_arena_array(&q->arena, p->semaphore_count, sizeof *all);
    if (!all) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < p->semaphore_count; i++) {
        all[i].name = p->semaphores[i].name;
    }
    for (uint32_t i = 0; i < p->thread_count; i++) {
        for (uint32_t k = 0; k < p->threads[i].code.step_count; k++) {
            note_step(&p->threads[i].code.steps[k], all);
        }
    }
    for (uint32_t i = 0; i < p->function_count; i++) {
        note_waits(&p->functions[i].code, all);
    }
    qsort(all, p->semaphore_count, sizeof *all, by_place);
    hoist_diag_sources(q->found, p->sources, p->source_count);
    for (uint32_t i = 0; i < p->semaphore_count && all[i].by; i++) {
        // Neighbours of one place and name are the same of another rank.
        const bool reported = i > 0 && !all[i - 1].waited && by_place(&all[i - 1], &all[i]) == 0;
        if (!all[i].waited && !reported) {
            hoist_report(q->found, hoist_program_rule_of(p, HOIST_PRG_108), all[i].by->loc,
                         "no thread waits for semaphore '%.*s', which is signalled here",
                         HOIST_STR_ARGS(all[i].name));
        }
    }
    hoist_diag_sources(q->found, NULL, 0); // findings after this have no sources of the program
    return HOIST_OK;
}
