// What happens before what in all runs of a program (before.h). Input: the threads' steps. One run
// is followed without data; whenever a thread has waited for another it gets a row of its clock:
// what it knew, and what the other one knew at the step that it waited for.
// Out: the clocks, which stays.c and reuse.c ask by hoist_is_before(). Anything that does not fit
// the pattern leaves `is_known` false, and nothing is shared then.
#include "plan/before.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"
#include "base/order.h"

enum {
    MOST_NUMBERS = 1 << 22, // of all clocks : 16 MiB
    MOST_ROUNDS = 1 << 22,  // questions whether a thread can go on : a long chain of threads, each
                            // waiting for the next, would cost threads times steps
};

// A fifo while a run is followed.
typedef struct fifo_state {
    uint32_t pushed;   // entries so far
    uint32_t advanced; // past the read pointer, perhaps not popped yet
    uint32_t popped;
} fifo_state;

typedef struct follower {
    hoist_before *out;  // the rows that are filled
    fifo_state *fifos;  // owned, per fifo
    uint32_t *at;       // per thread: its step
    uint32_t *rows;     // per thread: how many it has so far
    uint64_t *meets;    // per thread: group + 1 of the collective that it is at; 0: of none
    uint32_t left;      // threads that go on
    uint32_t questions; // whether a thread can go on
} follower;

static const hoist_prog_code *code_of(const hoist_before *b, uint32_t thread)
{
    return &b->program->threads[thread].code;
}

// Which programs --------------------------------------------------------------------------------

// Entries one by one: the k-th push is then the k-th entry.
static bool is_single(const hoist_prog_step *step)
{
    return step->as.fifo.value.reg == HOIST_NO_REF && step->as.fifo.value.number == 1;
}

// Nothing but steps moves its pointers: no caller and no allocation.
static bool is_plain_fifo(const hoist_prog_fifo *fifo)
{
    return fifo->kind == HOIST_FIFO_QUEUE && fifo->policy == HOIST_FIFO_STRICT && !fifo->dynamic &&
           !fifo->host_push && !fifo->host_pop;
}

// Makes `thread` the one at this end of a fifo; false when another one is.
static bool take_end(uint32_t *end, uint32_t thread)
{
    const bool is_free = *end == HOIST_NO_REF;
    *end = is_free ? thread : *end;
    return *end == thread;
}

// True for a step of a kind that can be followed; fifos learn their ends, and how many entries a
// run has.
static bool note_step(hoist_before *b, uint32_t thread, const hoist_prog_step *step)
{
    hoist_before_fifo *f = NULL;
    switch (step->kind) {
    case HOIST_STEP_MOVE:
    case HOIST_STEP_COMPUTE:
        return true;
    case HOIST_STEP_COLLECTIVE: // of fewer threads than all, which ones meet would depend on the
                                // run
        return step->as.collective->members == b->program->thread_count;
    case HOIST_STEP_RESERVE: // of the entries, although later steps may be refused
        return take_end(&b->fifos[step->as.fifo.fifo].fills, thread);
    case HOIST_STEP_PUSH:
        f = &b->fifos[step->as.fifo.fifo];
        f->count++;
        return is_single(step) && take_end(&f->fills, thread);
    case HOIST_STEP_AWAIT:
        return take_end(&b->fifos[step->as.fifo.fifo].empties, thread);
    case HOIST_STEP_ADVANCE:
    case HOIST_STEP_POP:
        return is_single(step) && take_end(&b->fifos[step->as.fifo.fifo].empties, thread);
    default:
        return false;
    }
}

// Steps after which a thread may know more than before: each gets space for a row.
static bool waits(const hoist_prog_step *step)
{
    return step->kind == HOIST_STEP_RESERVE || step->kind == HOIST_STEP_AWAIT ||
           step->kind == HOIST_STEP_COLLECTIVE;
}

// With several entries a run of one could follow a run of another.
static bool has_one_entry(const hoist_program *p)
{
    bool has = p->entry_count == 1 && p->entries[0].thread_count == p->thread_count &&
               p->function_count == 0 && p->thread_count > 0;
    for (uint32_t i = 0; has && i < p->fifo_count; i++) {
        has = is_plain_fifo(&p->fifos[i]);
    }
    return has;
}

// Counts what memory is needed: `first` of threads and fifos. False in `*out_fits`: the program
// cannot be followed.
static hoist_status survey(hoist_before *b, hoist_deadline *deadline, bool *out_fits)
{
    const hoist_program *p = b->program;
    size_t rows = 0;
    for (uint32_t t = 0; *out_fits && t < p->thread_count; t++) {
        const hoist_prog_code *code = code_of(b, t);
        b->first[t] = (uint32_t)rows;
        for (uint32_t i = 0; *out_fits && i < code->step_count; i++) {
            HOIST_TRY(i % 1024 == 0 ? hoist_deadline_look(deadline) : HOIST_OK);
            rows += waits(&code->steps[i]);
            // The product of rows and threads is the size of all clocks.
            *out_fits = note_step(b, t, &code->steps[i]) && rows <= MOST_NUMBERS / p->thread_count;
        }
    }
    b->row_count = rows;
    b->first[p->thread_count] = (uint32_t)rows;
    for (uint32_t i = 0; i < p->fifo_count; i++) {
        b->fifos[i].first = (uint32_t)b->entry_count;
        b->entry_count += b->fifos[i].count;
    }
    return HOIST_OK;
}

// Clocks ------------------------------------------------------------------------------------------

static bool is_before_step(const void *from, const void *step)
{
    return *(const uint32_t *)from < *(const uint32_t *)step;
}

// The rows that hold at the beginning of a step; 0: none does, the thread has not waited. Rows
// ascend by `from`, hence the search.
static uint32_t rows_until(const uint32_t *from, uint32_t count, uint32_t step)
{
    return (uint32_t)hoist_order_first(from, count, sizeof *from, is_before_step, &step);
}

// A row has a number per thread: of how many of its steps it is known that they are over.
static uint32_t *row_at(const hoist_before *b, uint32_t thread, uint32_t row)
{
    return &b->clocks[((size_t)b->first[thread] + row) * b->program->thread_count];
}

// A new row of the thread, which holds after the step that it is at. It begins as the row before:
// knowledge only grows.
static uint32_t *add_row(follower *f, uint32_t thread)
{
    const hoist_before *b = f->out;
    const uint32_t row = f->rows[thread]++;
    HOIST_ASSERT(b->first[thread] + row < b->first[thread + 1]);
    uint32_t *clock = row_at(b, thread, row);
    if (row > 0) {
        memcpy(clock, row_at(b, thread, row - 1), b->program->thread_count * sizeof *clock);
    }
    b->from[b->first[thread] + row] = f->at[thread];
    return clock;
}

// Raises a clock to what `other` knew at the beginning of `step`, and to `over` of its own steps.
// The element-wise maximum of both clocks, as vector clocks are merged.
static void raise(const follower *f, uint32_t *clock, uint32_t other, uint32_t step, uint32_t over)
{
    const hoist_before *b = f->out;
    const uint32_t rows = rows_until(&b->from[b->first[other]], f->rows[other], step);
    const uint32_t *known = rows > 0 ? row_at(b, other, rows - 1) : NULL;
    for (uint32_t i = 0; known && i < b->program->thread_count; i++) {
        clock[i] = known[i] > clock[i] ? known[i] : clock[i];
    }
    clock[other] = over > clock[other] ? over : clock[other];
}

// A wait for the thread's own push or pop teaches nothing.
static void join(follower *f, uint32_t thread, uint32_t other, uint32_t step)
{
    if (other != thread) {
        raise(f, add_row(f, thread), other, step, step + 1);
    }
}

// Following -------------------------------------------------------------------------------------

// Waits for the pop that frees the slot: number `pushed - slots`. True when that pop has been made
// in the run that is followed.
static bool reserve(follower *f, uint32_t thread, hoist_ref fifo)
{
    const hoist_before_fifo *row = &f->out->fifos[fifo];
    const uint32_t slots = f->out->program->fifos[fifo].slots;
    const fifo_state *s = &f->fifos[fifo];
    if (s->pushed < slots) { // a slot that was free from the start
        return true;
    }
    const uint32_t needed = s->pushed - slots;
    if (s->popped <= needed) {
        return false;
    }
    join(f, thread, row->empties, f->out->pops[row->first + needed]);
    return true;
}

// Waits for the push of the entry after those that it has advanced over.
static bool await(follower *f, uint32_t thread, hoist_ref fifo)
{
    const hoist_before_fifo *row = &f->out->fifos[fifo];
    const uint32_t needed = f->fifos[fifo].advanced;
    if (f->fifos[fifo].pushed <= needed) {
        return false;
    }
    join(f, thread, row->fills, f->out->pushes[row->first + needed]);
    return true;
}

// The step at hand is over: the thread is at the next one.
static void go_on(follower *f, uint32_t thread)
{
    f->at[thread]++;
    f->left -= f->at[thread] == code_of(f->out, thread)->step_count;
}

// All members of a group are there, `last` came last: each knows what all of them know. The union
// of their clocks becomes a new row of each.
static void leave(follower *f, uint64_t group, uint32_t last)
{
    const uint32_t count = f->out->program->thread_count;
    uint32_t *known = add_row(f, last);
    known[last] = f->at[last];
    for (uint32_t i = 0; i < count; i++) {
        if (f->meets[i] == group && i != last) {
            raise(f, known, i, f->at[i], f->at[i]); // all of its steps before this one
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (f->meets[i] == group) {
            if (i != last) {
                memcpy(add_row(f, i), known, count * sizeof *known);
            }
            f->meets[i] = 0;
            go_on(f, i);
        }
    }
}

// Notes that the thread is at a collective, which it leaves with the last of the members. A thread
// inside is at its step until `leave` takes it on.
static bool meet(follower *f, uint32_t thread, const hoist_prog_collective *step)
{
    const uint64_t group = (uint64_t)step->group + 1;
    uint32_t there = 0;
    f->meets[thread] = group;
    for (uint32_t i = 0; i < f->out->program->thread_count; i++) {
        there += f->meets[i] == group;
    }
    if (there < step->members) {
        return false;
    }
    leave(f, group, thread); // with all of them, itself included
    return true;
}

// One step of a thread. False: it has to wait. Space for entries and entries themselves are
// counted; no data is looked at.
static bool follow_step(follower *f, uint32_t thread)
{
    const uint32_t at = f->at[thread];
    const hoist_prog_step *step = &code_of(f->out, thread)->steps[at];
    const hoist_ref fifo = step->as.fifo.fifo;
    bool goes_on = true;
    switch (step->kind) {
    case HOIST_STEP_COLLECTIVE:
        return meet(f, thread, step->as.collective);
    case HOIST_STEP_RESERVE:
        goes_on = reserve(f, thread, fifo);
        break;
    case HOIST_STEP_AWAIT:
        goes_on = await(f, thread, fifo);
        break;
    case HOIST_STEP_PUSH:
        f->out->pushes[f->out->fifos[fifo].first + f->fifos[fifo].pushed++] = at;
        break;
    case HOIST_STEP_ADVANCE: // past an entry that is not there: the program is wrong
        goes_on = f->fifos[fifo].advanced++ < f->fifos[fifo].pushed;
        break;
    case HOIST_STEP_POP:
        goes_on = f->fifos[fifo].popped < f->fifos[fifo].advanced;
        if (goes_on) {
            f->out->pops[f->out->fifos[fifo].first + f->fifos[fifo].popped++] = at;
        }
        break;
    default: // data
        break;
    }
    if (goes_on) {
        go_on(f, thread);
    }
    return goes_on;
}

// Follows all threads as far as they go, round after round; no thread can go on when a round moves
// none. HOIST_OK, HOIST_LIMIT.
static hoist_status follow_all(follower *f, hoist_deadline *deadline)
{
    const uint32_t count = f->out->program->thread_count;
    bool moved = true;
    for (uint32_t t = 0; t < count; t++) {
        f->left += code_of(f->out, t)->step_count > 0;
    }
    while (moved && f->left > 0 && f->questions < MOST_ROUNDS) {
        HOIST_TRY(hoist_deadline_look(deadline));
        moved = false;
        for (uint32_t t = 0; t < count; t++, f->questions++) {
            // As many steps as possible before the next thread: fewer rounds.
            while (f->meets[t] == 0 && f->at[t] < code_of(f->out, t)->step_count &&
                   follow_step(f, t)) {
                moved = true;
            }
        }
    }
    return HOIST_OK;
}

// Each entry that was pushed is popped, so that the next run begins as this one did. A program
// that ends unevenly would have other waits in its next run.
static bool is_even(const follower *f)
{
    bool even = f->left == 0;
    for (uint32_t i = 0; even && i < f->out->program->fifo_count; i++) {
        const fifo_state *s = &f->fifos[i];
        even = s->pushed == s->advanced && s->pushed == s->popped;
    }
    return even;
}

// Rows that were not needed, for waits that were none, hold at no step. UINT32_MAX is after every
// step.
static void close_rows(const follower *f)
{
    const hoist_before *b = f->out;
    for (uint32_t t = 0; t < b->program->thread_count; t++) {
        for (uint32_t i = b->first[t] + f->rows[t]; i < b->first[t + 1]; i++) {
            b->from[i] = UINT32_MAX;
        }
    }
}

// Working memory of the walk is freed here; the clocks stay.
static hoist_status follow(hoist_before *b, hoist_deadline *deadline)
{
    const hoist_program *p = b->program;
    const size_t threads = p->thread_count;
    follower f = {.out = b,
                  // One more: no request for 0 bytes.
                  .fifos = hoist_alloc_zero(b->alloc, (size_t)p->fifo_count + 1, sizeof *f.fifos),
                  .at = hoist_alloc_zero(b->alloc, threads, sizeof *f.at),
                  .rows = hoist_alloc_zero(b->alloc, threads, sizeof *f.rows),
                  .meets = hoist_alloc_zero(b->alloc, threads, sizeof *f.meets)};
    hoist_status status = HOIST_NO_MEMORY;
    if (f.fifos && f.at && f.rows && f.meets) {
        status = follow_all(&f, deadline);
        b->is_known = status == HOIST_OK && is_even(&f);
        close_rows(&f);
    }
    hoist_free(b->alloc, f.fifos, ((size_t)p->fifo_count + 1) * sizeof *f.fifos);
    hoist_free(b->alloc, f.at, threads * sizeof *f.at);
    hoist_free(b->alloc, f.rows, threads * sizeof *f.rows);
    hoist_free(b->alloc, f.meets, threads * sizeof *f.meets);
    return status;
}

// All ---------------------------------------------------------------------------------------------

// Of all clocks, with a row to spare.
static size_t numbers(const hoist_before *b)
{
    return (b->row_count + 1) * b->program->thread_count;
}

// Sizes are known from the survey.
static hoist_status take(hoist_before *b)
{
    b->clocks = hoist_alloc_zero(b->alloc, numbers(b), sizeof *b->clocks);
    b->from = hoist_alloc_zero(b->alloc, b->row_count + 1, sizeof *b->from);
    b->pushes = hoist_alloc_zero(b->alloc, b->entry_count + 1, sizeof *b->pushes);
    b->pops = hoist_alloc_zero(b->alloc, b->entry_count + 1, sizeof *b->pops);
    return b->clocks && b->from && b->pushes && b->pops ? HOIST_OK : HOIST_NO_MEMORY;
}

// HOIST_OK with `is_known` false wherever the pattern is not met.
static hoist_status build(hoist_before *b, hoist_deadline *deadline)
{
    const hoist_program *p = b->program;
    bool fits = has_one_entry(p);
    if (!fits) {
        return HOIST_OK;
    }
    b->fifos = hoist_alloc_zero(b->alloc, (size_t)p->fifo_count + 1, sizeof *b->fifos);
    b->first = hoist_alloc_zero(b->alloc, (size_t)p->thread_count + 1, sizeof *b->first);
    if (!b->fifos || !b->first) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < p->fifo_count; i++) {
        b->fifos[i].fills = HOIST_NO_REF;
        b->fifos[i].empties = HOIST_NO_REF;
    }
    HOIST_TRY(survey(b, deadline, &fits));
    if (!fits) {
        return HOIST_OK;
    }
    HOIST_TRY(take(b));
    return follow(b, deadline);
}

hoist_status hoist_before_build(const hoist_program *program, hoist_allocator alloc,
                                hoist_deadline *deadline, hoist_before *out_before)
{
    *out_before = (hoist_before){.alloc = alloc, .program = program};
    const hoist_status status = build(out_before, deadline);
    // A plan that is not known holds no memory.
    if (status != HOIST_OK || !out_before->is_known) {
        hoist_before_deinit(out_before);
    }
    return status;
}

// Also of a plan that was built in part: arrays that are not there have size 0.
void hoist_before_deinit(hoist_before *before)
{
    hoist_before *const b = before;
    const size_t entries = (b->entry_count + 1) * sizeof *b->pops;
    hoist_free(b->alloc, b->clocks, b->clocks ? numbers(b) * sizeof *b->clocks : 0);
    hoist_free(b->alloc, b->from, b->from ? (b->row_count + 1) * sizeof *b->from : 0);
    hoist_free(b->alloc, b->pushes, b->pushes ? entries : 0);
    hoist_free(b->alloc, b->pops, b->pops ? entries : 0);
    hoist_free(b->alloc, b->fifos,
               b->fifos ? ((size_t)b->program->fifo_count + 1) * sizeof *b->fifos : 0);
    hoist_free(b->alloc, b->first,
               b->first ? ((size_t)b->program->thread_count + 1) * sizeof *b->first : 0);
    *b = (hoist_before){.alloc = b->alloc, .program = b->program};
}

bool hoist_is_before(const hoist_before *before, hoist_before_step a, hoist_before_step b)
{
    // In one thread by the order of its steps, between threads by the clock of the second.
    HOIST_ASSERT(before->is_known);
    if (a.thread == b.thread) {
        return a.step < b.step;
    }
    const uint32_t first = before->first[b.thread];
    const uint32_t rows =
        rows_until(&before->from[first], before->first[b.thread + 1] - first, b.step);
    return rows > 0 && row_at(before, b.thread, rows - 1)[a.thread] > a.step;
}
