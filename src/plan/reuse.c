// Which values of threads share memory (reuse.h). Input: the steps of all threads, in their order.
// For each buffer the bytes that were written so far are kept as one range without gaps, or as the
// first write's elements; a read of anything else leaves the buffer its own memory.
// Out: an offset for each value that shares.
#include "plan/reuse.h"

#include "base/alloc.h"
#include "base/checked.h"
#include "plan/walk.h"
#include "program/uses.h"

// One row per buffer; windows are in the row of their root.
// A buffer with memory of its own, while the steps are looked at.
typedef struct value {
    bool keeps;   // its memory
    bool is_read; // by the caller, after a run
    uint32_t thread;
    uint32_t first, last; // step
    int64_t low, high;    // written without gaps
    hoist_ref written;    // view of the first write , for have_same_elements()
    hoist_ref next;       // buffer of the same thread : a list through `first_of`
} value;

// `first` and `last` are the step at hand, or the group's steps.
typedef struct finder {
    const hoist_program *program;
    const hoist_stay_plan *stays;
    hoist_reuse_plan *plan;
    value *values;       // per buffer
    hoist_ref *first_of; // per thread: a buffer that shares; HOIST_NO_REF: none
    uint32_t thread;
    uint32_t first; // step; of a group that of its first and of its last
    uint32_t last;
} finder;

// As locals.c, but for a thread as a whole.
// Who keeps it ----------------------------------------------------------------------------------

static void keep(finder *f, hoist_ref buffer)
{
    f->values[hoist_prog_root(f->program, buffer, NULL)].keeps = true;
}

// Nothing outside of steps gives it contents, an address or a reader.
static bool may_share(const hoist_prog_buffer *row)
{
    return (row->lifetime == HOIST_LIFETIME_SESSION || row->lifetime == HOIST_LIFETIME_RUN) &&
           (row->contents == HOIST_CONTENTS_ZERO || row->contents == HOIST_CONTENTS_UNDEFINED) &&
           !row->output && !row->typed && !row->placed && row->window_of == HOIST_NO_REF &&
           row->alignment <= HOIST_PLAN_ALIGNMENT;
}

// Buffers that are reached otherwise than by views of steps, or that are never stored, keep their
// memory. What the caller reads is in its place from the first write on, and has to be written as
// a whole.
static void keep_named(finder *f, const hoist_group_plan *groups, const bool *is_read)
{
    const hoist_program *p = f->program;
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        if (!may_share(&p->buffers[i])) {
            keep(f, i);
        }
    }
    for (uint32_t i = 0; i < p->port_count; i++) {
        const hoist_ref root = hoist_prog_root(p, p->ports[i].buffer, NULL);
        // A reader that is not known may read all.
        f->values[root].keeps = f->values[root].keeps || !is_read;
        f->values[root].is_read = f->values[root].is_read || !is_read || is_read[i];
    }
    for (uint32_t i = 0; i < p->need_count; i++) {
        keep(f, p->ports[p->needs[i].port].buffer);
    }
    for (uint32_t i = 0; i < p->relocation_count; i++) {
        keep(f, p->relocations[i].buffer);
        keep(f, p->relocations[i].target);
    }
    for (uint32_t i = 0; i < p->fifo_count; i++) {
        for (uint32_t k = 0; k < p->fifos[i].part_count; k++) {
            keep(f, p->fifos[i].parts[k]);
        }
    }
    for (size_t i = 0; i < groups->local_count; i++) {
        keep(f, groups->locals[i].buffer);
    }
}

// Uses --------------------------------------------------------------------------------------------

// Elementwise the same places: a strided write that is read back in the same way leaves no gap to
// the reader.
static bool have_same_elements(const hoist_program *p, hoist_ref a, hoist_ref b)
{
    hoist_walk x;
    hoist_walk y;
    bool same = a != HOIST_NO_REF && hoist_walk_init(p, a, false, &x) &&
                hoist_walk_init(p, b, false, &y) && x.rank == y.rank && x.offset == y.offset &&
                x.size == y.size;
    for (int i = 0; same && i < x.rank; i++) {
        same = x.count[i] == y.count[i] && x.stride[i] == y.stride[i];
    }
    return same;
}

// A write that touches what was written before extends the range; one with gaps is remembered as
// the first view only.
static void note_write(value *v, const hoist_walk *walk, hoist_ref view)
{
    v->written = v->written == HOIST_NO_REF ? view : v->written;
    if (!hoist_walk_is_dense(walk, 0)) {
        return;
    }
    if (v->low == v->high) { // nothing yet
        v->low = walk->low;
        v->high = walk->high;
    } else if (walk->low <= v->high && v->low <= walk->high) {
        v->low = walk->low < v->low ? walk->low : v->low;
        v->high = walk->high > v->high ? walk->high : v->high;
    }
}

// A use by a second thread, or one that is not evenly spaced, keeps the buffer where it is.
static void note_use(void *self, hoist_step_use use)
{
    finder *f = self;
    const hoist_prog_view *row = &f->program->views[use.view];
    hoist_walk walk;
    if (row->base != HOIST_VIEW_BUFFER) {
        return; // slots; programs of known order have no others, or all is kept
    }
    const hoist_ref root = hoist_prog_root(f->program, row->of, NULL);
    value *v = &f->values[root];
    // The first use begins the life, whether it reads or writes; a read before any write is found
    // below.
    if (v->thread == HOIST_NO_REF) {
        v->thread = f->thread;
        v->first = f->first;
    }
    v->keeps = v->keeps || v->thread != f->thread ||
               !hoist_walk_init(f->program, use.view, use.written, &walk);
    if (v->keeps) {
        return;
    }
    v->last = f->last;
    if (use.written) {
        note_write(v, &walk, use.view);
        // low == high before the first write: any read is then outside.
    } else if (walk.low < v->low || walk.high > v->high) {
        v->keeps = !have_same_elements(f->program, v->written, use.view);
    }
}

// Steps of a group are one: its blocks do all of them, one after the other, so that all their
// values live at once.
static hoist_status note_thread(finder *f, const hoist_group_plan *groups, hoist_deadline *deadline)
{
    const hoist_prog_code *code = &f->program->threads[f->thread].code;
    const hoist_group *group = NULL;
    for (uint32_t i = 0; i < code->step_count; i++) {
        HOIST_TRY(i % 1024 == 0 ? hoist_deadline_look(deadline) : HOIST_OK);
        const hoist_group *next = hoist_group_at(groups, &code->steps[i]);
        group = next ? next : group && i < group->first + group->count ? group : NULL;
        f->first = group ? group->first : i;
        f->last = group ? group->first + group->count - 1 : i;
        hoist_step_uses(f->program, &code->steps[i], note_use, f);
    }
    return HOIST_OK;
}

// Places ------------------------------------------------------------------------------------------

// Values are listed by thread, since each thread has memory of its own.
static void list_by_thread(finder *f)
{
    for (uint32_t i = 0; i < f->program->thread_count; i++) {
        f->first_of[i] = HOIST_NO_REF;
    }
    for (uint32_t i = 0; i < f->program->buffer_count; i++) {
        value *v = &f->values[i];
        const bool is_whole = v->low == 0 && (uint64_t)v->high == f->program->buffers[i].size;
        if (!v->keeps && (!v->is_read || is_whole) && v->thread != HOIST_NO_REF) {
            v->next = f->first_of[v->thread];
            f->first_of[v->thread] = i;
        }
    }
}

// What the values would take without sharing.
static uint64_t sum_of(const hoist_interval *intervals, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum = hoist_ckd_add(&sum, sum, intervals[i].size) ? UINT64_MAX : sum;
    }
    return sum;
}

// Lent values live until the receiver has popped them, results to the end of the run.
static hoist_status place_thread(finder *f, hoist_interval *intervals)
{
    hoist_reuse_plan *plan = f->plan;
    size_t count = 0;
    for (hoist_ref i = f->first_of[f->thread]; i != HOIST_NO_REF; i = f->values[i].next) {
        const value *v = &f->values[i];
        const hoist_prog_buffer *row = &f->program->buffers[i];
        const uint32_t lent = f->stays->lent_until[i];
        // stays.c: an entry is still in it.
        const uint32_t last = v->is_read ? UINT32_MAX : lent > v->last ? lent : v->last;
        intervals[count++] =
            (hoist_interval){.buffer = i, .first = v->first, .last = last, .size = row->size};
        plan->life[i] = (hoist_reuse_life){f->thread, v->first, last, v->is_read};
        plan->space[f->thread] = row->space;
    }
    uint64_t *bytes = &plan->bytes[f->thread];
    HOIST_TRY(hoist_intervals_place(intervals, count, plan->alloc, plan->offset, bytes));
    if (*bytes > sum_of(intervals, count)) { // alignment takes more than is won
        for (size_t i = 0; i < count; i++) {
            plan->offset[intervals[i].buffer] = UINT64_MAX;
        }
        *bytes = 0;
    }
    return HOIST_OK;
}

// A view by address may be of any buffer: then nothing is shared.
static bool has_addresses(const hoist_program *program)
{
    bool has = false;
    for (uint32_t i = 0; i < program->view_count; i++) {
        has = has || program->views[i].base == HOIST_VIEW_SPACE;
    }
    return has;
}

// Two passes over threads: lives, then places, with one array for the intervals of all.
static hoist_status find(finder *f, const hoist_group_plan *groups,
                         const hoist_group_options *options, hoist_interval *intervals)
{
    for (uint32_t i = 0; i < f->program->buffer_count; i++) {
        f->values[i] = (value){.thread = HOIST_NO_REF, .written = HOIST_NO_REF};
    }
    keep_named(f, groups, options->is_read);
    for (f->thread = 0; f->thread < f->program->thread_count; f->thread++) {
        HOIST_TRY(note_thread(f, groups, options->deadline));
    }
    list_by_thread(f);
    for (f->thread = 0; f->thread < f->program->thread_count; f->thread++) {
        HOIST_TRY(hoist_deadline_look(options->deadline));
        HOIST_TRY(place_thread(f, intervals));
    }
    return HOIST_OK;
}

// All ---------------------------------------------------------------------------------------------

// Offsets begin as "not shared", which holds whenever the order is not known.
static hoist_status take(hoist_reuse_plan *plan)
{
    const size_t buffers = (size_t)plan->buffer_count + 1;
    const size_t threads = (size_t)plan->thread_count + 1;
    plan->offset = hoist_alloc_zero(plan->alloc, buffers, sizeof *plan->offset);
    plan->life = hoist_alloc_zero(plan->alloc, buffers, sizeof *plan->life);
    plan->bytes = hoist_alloc_zero(plan->alloc, threads, sizeof *plan->bytes);
    plan->space = hoist_alloc_zero(plan->alloc, threads, sizeof *plan->space);
    for (size_t i = 0; plan->offset && i < buffers; i++) {
        plan->offset[i] = UINT64_MAX;
    }
    return plan->offset && plan->life && plan->bytes && plan->space ? HOIST_OK : HOIST_NO_MEMORY;
}

// HOIST_OK without anything shared where `before` is not known.
hoist_status hoist_reuse_plan_build(const hoist_program *program, const hoist_before *before,
                                    const hoist_stay_plan *stays, const hoist_group_plan *groups,
                                    const hoist_group_options *options, hoist_reuse_plan *out_plan)
{
    const size_t buffers = (size_t)program->buffer_count + 1;
    const size_t threads = (size_t)program->thread_count + 1;
    *out_plan = (hoist_reuse_plan){.alloc = options->alloc,
                                   .buffer_count = program->buffer_count,
                                   .thread_count = program->thread_count};
    finder f = {.program = program, .stays = stays, .plan = out_plan};
    hoist_interval *intervals = NULL;
    hoist_status status = take(out_plan);
    if (status == HOIST_OK && before->is_known && !has_addresses(program)) {
        f.values = hoist_alloc_zero(options->alloc, buffers, sizeof *f.values);
        f.first_of = hoist_alloc_zero(options->alloc, threads, sizeof *f.first_of);
        intervals = hoist_alloc_zero(options->alloc, buffers, sizeof *intervals);
        status = f.values && f.first_of && intervals ? find(&f, groups, options, intervals)
                                                     : HOIST_NO_MEMORY;
    }
    hoist_free(options->alloc, f.values, buffers * sizeof *f.values);
    hoist_free(options->alloc, f.first_of, threads * sizeof *f.first_of);
    hoist_free(options->alloc, intervals, buffers * sizeof *intervals);
    if (status != HOIST_OK) {
        hoist_reuse_plan_deinit(out_plan);
    }
    return status;
}

// Arrays that are not there have size 0.
void hoist_reuse_plan_deinit(hoist_reuse_plan *plan)
{
    const size_t buffers = (size_t)plan->buffer_count + 1;
    const size_t threads = (size_t)plan->thread_count + 1;
    hoist_free(plan->alloc, plan->offset, plan->offset ? buffers * sizeof *plan->offset : 0);
    hoist_free(plan->alloc, plan->life, plan->life ? buffers * sizeof *plan->life : 0);
    hoist_free(plan->alloc, plan->bytes, plan->bytes ? threads * sizeof *plan->bytes : 0);
    hoist_free(plan->alloc, plan->space, plan->space ? threads * sizeof *plan->space : 0);
    *plan = (hoist_reuse_plan){.alloc = plan->alloc};
}
