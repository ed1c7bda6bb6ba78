// Messages that need no copy (stays.h). Input: the steps of all threads, and what is over before
// what (before.h). A fifo is looked at as a whole: each of its entries has to be a copy of dense
// bytes, each reader of its slots has to stay inside of the shortest entry, and every step that
// writes one of these bytes has to be over before the copy, or to begin after the pop.
// Out: stays, lent_until and capacities of each fifo.
#include "plan/stays.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/order.h"
#include "plan/walk.h"
#include "program/uses.h"

// Of an entry with a writer; beyond them a fifo keeps its memory.
enum { MOST_COMPARISONS = 1 << 24 };

// Of writers of one buffer only their bytes and steps are needed.
// A step that writes bytes [low, high) of a buffer with memory of its own.
typedef struct writer {
    hoist_ref root;
    hoist_before_step at;
    int64_t low, high;
} writer;

// An entry of a fifo, and what it is a copy of.
typedef struct entry {
    hoist_ref root;
    uint32_t move; // step of the thread that fills it
    int64_t low, high;
    uint32_t reserved; // the step after which its slot may be filled; HOIST_NO_REF: none
} entry;

typedef struct finder {
    const hoist_program *program;
    const hoist_before *before;
    hoist_stay_plan *plan;
    hoist_deadline *deadline;
    writer *writers; // by buffer
    size_t writer_count;
    size_t writer_capacity;
    entry *entries;    // as the pushes of `before`
    uint32_t *pushed;  // per fifo: entries of it that were found
    int64_t *shortest; // per fifo: bytes of its shortest entry
    bool *is_memory;   // per buffer: of a fifo that may do without it
    uint32_t *of_move; // per fifo: the step that the next push is of; HOIST_NO_REF: none
    // Per fifo: the step that reserved the slot which is filled now; HOIST_NO_REF: none did.
    uint32_t *reserved;
    bool *awaited; // per fifo: the slot that is read now was awaited
    bool *strict;  // per fifo: slots are filled and read between such steps only
    hoist_before_step at;
    bool by_address; // a step writes where registers say
    bool failed;     // memory ran out
    size_t comparisons;
} finder;

// Which fifos -------------------------------------------------------------------------------------

// Any doubt keeps the memory of a fifo: a copy is slower, never wrong.
static void keep(finder *f, hoist_ref fifo)
{
    f->plan->stays[fifo] = false;
}

// Fifos whose memory is reached otherwise keep it. is_memory of a buffer: the fifo's own, named by
// nothing else.
static void keep_named(finder *f)
{
    const hoist_program *p = f->program;
    // First candidates, then everything that names their memory takes them out again.
    bool *is_memory = f->is_memory;
    for (uint32_t i = 0; i < p->fifo_count; i++) {
        const hoist_prog_fifo *row = &p->fifos[i];
        const hoist_prog_buffer *memory = &p->buffers[row->parts[0]];
        const bool is_plain = row->part_count == 1 && memory->window_of == HOIST_NO_REF &&
                              memory->contents == HOIST_CONTENTS_UNDEFINED && !memory->output &&
                              !memory->placed && !memory->typed && !is_memory[row->parts[0]] &&
                              p->layouts[row->layout].kind == HOIST_LAYOUT_STRIDED;
        f->plan->stays[i] = is_plain && f->before->fifos[i].count > 0;
        is_memory[row->parts[0]] = true; // a second fifo on it finds it taken
    }
    for (uint32_t i = 0; i < p->view_count; i++) {
        if (p->views[i].base == HOIST_VIEW_BUFFER) {
            is_memory[hoist_prog_root(p, p->views[i].of, NULL)] = false;
        }
    }
    for (uint32_t i = 0; i < p->port_count; i++) {
        is_memory[hoist_prog_root(p, p->ports[i].buffer, NULL)] = false;
    }
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        if (p->buffers[i].window_of != HOIST_NO_REF) {
            is_memory[hoist_prog_root(p, i, NULL)] = false;
        }
    }
    for (uint32_t i = 0; i < p->fifo_count; i++) {
        f->plan->stays[i] = f->plan->stays[i] && is_memory[p->fifos[i].parts[0]];
    }
}

// Steps -----------------------------------------------------------------------------------------

// True when the elements are one after the other without gaps, from the first on.
static bool is_dense(const hoist_prog_layout *layout, hoist_dtype dtype)
{
    int64_t bytes = hoist_dtype_get(dtype)->bits / 8;
    bool dense = layout->kind == HOIST_LAYOUT_STRIDED && hoist_dtype_get(dtype)->bits % 8 == 0;
    for (int i = layout->shape.rank - 1; dense && i >= 0; i--) {
        dense =
            layout->shape.dim[i] > 0 && (layout->shape.dim[i] == 1 || layout->stride[i] == bytes);
        bytes *= dense ? layout->shape.dim[i] : 1; // of elements that are inside of a buffer
    }
    return dense;
}

// The same bytes in the same order: no conversion, no transposition, no table, no register.
static bool is_copy(const hoist_program *p, const hoist_prog_move *move)
{
    const hoist_prog_view *to = &p->views[move->destination];
    const hoist_prog_view *from = &p->views[move->sources[0].view];
    return move->op == HOIST_MOVE_COPY && move->source_count == 1 && move->transpose_rank == 0 &&
           !move->table && from->base == HOIST_VIEW_BUFFER && from->dtype == to->dtype &&
           from->reg == HOIST_NO_REF && to->reg == HOIST_NO_REF && to->offset == 0 &&
           is_dense(&p->layouts[from->layout], from->dtype) &&
           is_dense(&p->layouts[to->layout], to->dtype) &&
           hoist_shape_count(&p->layouts[from->layout].shape) ==
               hoist_shape_count(&p->layouts[to->layout].shape);
}

// A move into a slot: the entry that the next push is of. The fifo keeps its memory where there is
// another one already, or the bytes are no copy.
// Exactly one move per push, by the thread that fills the fifo.
static void note_entry(finder *f, hoist_ref fifo, const hoist_prog_step *step)
{
    const hoist_before_fifo *row = &f->before->fifos[fifo];
    hoist_walk from;
    if (step->kind != HOIST_STEP_MOVE || f->of_move[fifo] != HOIST_NO_REF ||
        f->at.thread != row->fills || f->pushed[fifo] == row->count ||
        !is_copy(f->program, step->as.move) ||
        !hoist_walk_init(f->program, step->as.move->sources[0].view, false, &from) ||
        f->program->buffers[from.root].lifetime == HOIST_LIFETIME_CALL) {
        keep(f, fifo);
        return;
    }
    entry *e = &f->entries[row->first + f->pushed[fifo]];
    f->of_move[fifo] = f->at.step;
    e->root = from.root;
    e->move = f->at.step;
    e->low = from.low;
    e->high = from.high;
    const int64_t bytes = from.high - from.low;
    // Readers may not read beyond any entry.
    f->shortest[fifo] = bytes < f->shortest[fifo] ? bytes : f->shortest[fifo];
}

// A push without a copy before it has an entry of unknown bytes.
static void note_push(finder *f, hoist_ref fifo)
{
    if (f->of_move[fifo] == HOIST_NO_REF) {
        keep(f, fifo);
    }
    f->of_move[fifo] = HOIST_NO_REF;
    f->entries[f->before->fifos[fifo].first + f->pushed[fifo]++].reserved = f->reserved[fifo];
    f->reserved[fifo] = HOIST_NO_REF;
}

// What lies between reserve and push, and between await and pop, may touch the slot.
static void note_control(finder *f, const hoist_prog_step *step)
{
    const hoist_ref fifo = step->as.fifo.fifo;
    switch (step->kind) {
    case HOIST_STEP_RESERVE:
        f->reserved[fifo] = f->at.step;
        break;
    case HOIST_STEP_PUSH:
        note_push(f, fifo);
        break;
    case HOIST_STEP_AWAIT:
        f->awaited[fifo] = true;
        break;
    case HOIST_STEP_ADVANCE:
    case HOIST_STEP_POP:
        f->awaited[fifo] = false;
        break;
    default:
        break;
    }
}

// Every write of the program is listed, with its bytes; an unknown range is all of the buffer.
static void note_writer(finder *f, hoist_ref view)
{
    hoist_walk walk;
    const hoist_prog_view *row = &f->program->views[view];
    f->by_address = f->by_address || row->base == HOIST_VIEW_SPACE;
    if (row->base != HOIST_VIEW_BUFFER) {
        return;
    }
    if (!hoist_walk_init(f->program, view, true, &walk)) {
        uint64_t inside = 0;
        // By the view's buffer; its range is not known.
        walk.root = hoist_prog_root(f->program, row->of, &inside);
        walk.low = 0;
        walk.high = INT64_MAX;
    }
    f->failed = f->failed || !hoist_grow(f->plan->alloc, (void **)&f->writers, &f->writer_capacity,
                                         f->writer_count + 1, sizeof *f->writers);
    if (!f->failed) {
        f->writers[f->writer_count++] = (writer){walk.root, f->at, walk.low, walk.high};
    }
}

// For each view of a step.
static void note_use(void *self, hoist_step_use use)
{
    finder *f = self;
    const hoist_prog_view *row = &f->program->views[use.view];
    if (use.written) {
        note_writer(f, use.view);
    }
    // A slot that is written in other ways than by an entry's copy, or read where it is filled.
    // The slot of the reader is read by the thread that empties, that of the writer written by the
    // one that fills.
    if (row->base == HOIST_VIEW_READ_SLOT || row->base == HOIST_VIEW_WRITE_SLOT) {
        const uint32_t end = row->base == HOIST_VIEW_READ_SLOT ? f->before->fifos[row->of].empties
                                                               : f->before->fifos[row->of].fills;
        const bool is_ready =
            use.written ? f->reserved[row->of] != HOIST_NO_REF : f->awaited[row->of];
        if (use.written != (row->base == HOIST_VIEW_WRITE_SLOT) || end != f->at.thread ||
            !is_ready) {
            keep(f, row->of);
            f->strict[row->of] = false; // not even its number of slots can be reduced
        }
    }
}

// Uses first: a move that reads a slot which was not awaited has to be seen before it becomes an
// entry.
static void note_step(finder *f, const hoist_prog_step *step)
{
    hoist_step_uses(f->program, step, note_use, f);
    note_control(f, step);
    const hoist_ref view = step->kind == HOIST_STEP_MOVE         ? step->as.move->destination
                           : step->kind == HOIST_STEP_COMPUTE    ? step->as.compute->outputs[0]
                           : step->kind == HOIST_STEP_COLLECTIVE ? step->as.collective->destination
                                                                 : HOIST_NO_REF;
    if (view != HOIST_NO_REF && f->program->views[view].base == HOIST_VIEW_WRITE_SLOT) {
        note_entry(f, f->program->views[view].of, step);
    }
}

// Threads one by one: their order does not matter, `before` has it.
static hoist_status note_steps(finder *f)
{
    for (f->at.thread = 0; f->at.thread < f->program->thread_count; f->at.thread++) {
        const hoist_prog_code *code = &f->program->threads[f->at.thread].code;
        for (f->at.step = 0; f->at.step < code->step_count; f->at.step++) {
            HOIST_TRY(f->at.step % 1024 == 0 ? hoist_deadline_look(f->deadline) : HOIST_OK);
            note_step(f, &code->steps[f->at.step]);
        }
    }
    return HOIST_OK;
}

// Bytes of a slot that are read. An entry has no bytes behind its own.
static void note_reads(finder *f)
{
    const hoist_program *p = f->program;
    for (uint32_t i = 0; i < p->view_count; i++) {
        const hoist_prog_view *view = &p->views[i];
        if (view->base == HOIST_VIEW_READ_SLOT &&
            (view->reg != HOIST_NO_REF || view->offset != 0 ||
             !is_dense(&p->layouts[view->layout], view->dtype) ||
             hoist_shape_count(&p->layouts[view->layout].shape) >
                 f->shortest[view->of] / (hoist_dtype_get(view->dtype)->bits / 8))) {
            keep(f, view->of);
        }
    }
}

// Changes -----------------------------------------------------------------------------------------

static int by_root(const void *a, const void *b)
{
    return hoist_order_u64(((const writer *)a)->root, ((const writer *)b)->root);
}

static bool root_is_before(const void *one, const void *root)
{
    return ((const writer *)one)->root < *(const hoist_ref *)root;
}

// Writers of one buffer are neighbours.
static size_t first_of(const finder *f, hoist_ref root)
{
    return hoist_order_first(f->writers, f->writer_count, sizeof *f->writers, root_is_before,
                             &root);
}

// True when no byte of the entry changes from its copy to its pop; false when that is not certain.
static bool is_kept(finder *f, const hoist_before_fifo *fifo, uint32_t index)
{
    const entry *e = &f->entries[fifo->first + index];
    const hoist_before_step copy = {fifo->fills, e->move};
    const hoist_before_step pop = {fifo->empties, f->before->pops[fifo->first + index]};
    bool kept = true;
    for (size_t i = first_of(f, e->root); kept && i < f->writer_count; i++) {
        const writer *w = &f->writers[i];
        if (w->root != e->root) {
            break;
        }
        // Each writer is apart from the entry, or over before the copy, or begins after the pop.
        kept = ++f->comparisons < MOST_COMPARISONS &&
               (w->high <= e->low || e->high <= w->low || hoist_is_before(f->before, w->at, copy) ||
                hoist_is_before(f->before, pop, w->at));
    }
    return kept;
}

// The last step of the sender at which the entry is perhaps not popped: until then the buffer must
// not be reused. UINT32_MAX: to the end. Binary search, as "is popped before step k" is monotone
// in k.
static uint32_t last_lent(const finder *f, const hoist_before_fifo *fifo, uint32_t index)
{
    const hoist_before_step pop = {fifo->empties, f->before->pops[fifo->first + index]};
    const uint32_t count = f->program->threads[fifo->fills].code.step_count;
    uint32_t low = f->entries[fifo->first + index].move;
    uint32_t high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (hoist_is_before(f->before, pop, (hoist_before_step){fifo->fills, middle})) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low < count ? low - 1 : UINT32_MAX;
}

// Only fifos all of whose entries stay lend memory.
static hoist_status check_fifos(finder *f)
{
    for (uint32_t i = 0; i < f->program->fifo_count; i++) {
        const hoist_before_fifo *fifo = &f->before->fifos[i];
        HOIST_TRY(hoist_deadline_look(f->deadline));
        for (uint32_t k = 0; f->plan->stays[i] && k < fifo->count; k++) {
            f->plan->stays[i] = is_kept(f, fifo, k);
        }
        // The buffer is lent for the longest of all entries.
        for (uint32_t k = 0; f->plan->stays[i] && k < fifo->count; k++) {
            uint32_t *until = &f->plan->lent_until[f->entries[fifo->first + k].root];
            const uint32_t last = last_lent(f, fifo, k);
            *until = last > *until ? last : *until;
        }
    }
    return HOIST_OK;
}

// Capacity
// ------------------------------------------------------------------------------------------

// The most entries that are in the fifo at a time, in all runs: an entry is there from where its
// slot is reserved until it is popped. A sliding window over pops: both indices only grow.
static uint32_t most_entries(const finder *f, const hoist_before_fifo *fifo)
{
    uint32_t popped = 0;
    uint32_t most = 1;
    for (uint32_t k = 0; k < fifo->count; k++) {
        const uint32_t reserved = f->entries[fifo->first + k].reserved;
        const hoist_before_step begin = {fifo->fills, reserved == HOIST_NO_REF ? 0 : reserved};
        while (popped < k &&
               hoist_is_before(
                   f->before,
                   (hoist_before_step){fifo->empties, f->before->pops[fifo->first + popped]},
                   begin)) {
            popped++;
        }
        most = k + 1 - popped > most ? k + 1 - popped : most;
    }
    return most;
}

// Slots follow each other modulo the capacity, too, where it divides their number, or where each
// run begins with the first slot and comes to none twice. The runtime takes slot i modulo the
// capacity.
static void find_rooms(finder *f)
{
    for (uint32_t i = 0; i < f->program->fifo_count; i++) {
        const hoist_before_fifo *fifo = &f->before->fifos[i];
        const uint32_t slots = f->program->fifos[i].slots;
        const uint32_t most = f->strict[i] ? most_entries(f, fifo) : slots;
        const bool fits = most < slots && (slots % most == 0 || fifo->count == slots);
        f->plan->capacities[i] = fits ? most : slots;
    }
}

// All ---------------------------------------------------------------------------------------------

// Order matters: what names the memory, the steps, sizes, readers, and writers at last.
static hoist_status find(finder *f)
{
    for (uint32_t i = 0; i < f->program->fifo_count; i++) {
        f->shortest[i] = INT64_MAX;
        f->of_move[i] = HOIST_NO_REF;
        f->reserved[i] = HOIST_NO_REF;
    }
    keep_named(f);
    for (uint32_t i = 0; i < f->program->fifo_count; i++) {
        f->strict[i] = f->plan->stays[i]; // no one else names its memory
    }
    HOIST_TRY(note_steps(f));
    if (f->failed) {
        return HOIST_NO_MEMORY;
    }
    // A fifo with a move that no push followed, or a push too few, is not the pattern.
    for (uint32_t i = 0; i < f->program->fifo_count; i++) {
        f->plan->stays[i] = f->plan->stays[i] && !f->by_address &&
                            f->pushed[i] == f->before->fifos[i].count &&
                            f->of_move[i] == HOIST_NO_REF;
    }
    find_rooms(f);
    note_reads(f);
    if (f->writer_count > 0) {
        qsort(f->writers, f->writer_count, sizeof *f->writers, by_root);
    }
    return check_fifos(f);
}

// Arrays have one element more than rows, so that none has size 0.
hoist_status hoist_stay_plan_build(const hoist_program *program, const hoist_before *before,
                                   hoist_allocator alloc, hoist_deadline *deadline,
                                   hoist_stay_plan *out_plan)
{
    const size_t fifos = (size_t)program->fifo_count + 1;
    const size_t entries = before->entry_count + 1;
    const size_t buffers = (size_t)program->buffer_count + 1;
    *out_plan = (hoist_stay_plan){
        .alloc = alloc, .fifo_count = program->fifo_count, .buffer_count = program->buffer_count};
    out_plan->stays = hoist_alloc_zero(alloc, fifos, sizeof(bool));
    out_plan->capacities = hoist_alloc_zero(alloc, fifos, sizeof *out_plan->capacities);
    // As many as the fifo has, until shown otherwise.
    for (uint32_t i = 0; out_plan->capacities && i < program->fifo_count; i++) {
        out_plan->capacities[i] = program->fifos[i].slots;
    }
    out_plan->lent_until = hoist_alloc_zero(alloc, buffers, sizeof *out_plan->lent_until);
    finder f = {.program = program,
                .before = before,
                .plan = out_plan,
                .deadline = deadline,
                .entries = hoist_alloc_zero(alloc, entries, sizeof *f.entries),
                .pushed = hoist_alloc_zero(alloc, fifos, sizeof *f.pushed),
                .shortest = hoist_alloc_zero(alloc, fifos, sizeof *f.shortest),
                .of_move = hoist_alloc_zero(alloc, fifos, sizeof *f.of_move),
                .reserved = hoist_alloc_zero(alloc, fifos, sizeof *f.reserved),
                .awaited = hoist_alloc_zero(alloc, fifos, sizeof *f.awaited),
                .strict = hoist_alloc_zero(alloc, fifos, sizeof *f.strict),
                .is_memory = hoist_alloc_zero(alloc, buffers, sizeof *f.is_memory)};
    const bool has_plan = out_plan->stays && out_plan->capacities && out_plan->lent_until;
    const bool has_rows =
        f.entries && f.pushed && f.shortest && f.of_move && f.reserved && f.awaited;
    const bool complete = has_plan && has_rows && f.strict && f.is_memory;
    hoist_status status = complete ? HOIST_OK : HOIST_NO_MEMORY;
    if (complete && before->is_known) { // else every fifo keeps its memory
        status = find(&f);
    }
    hoist_free(alloc, f.writers, f.writer_capacity * sizeof *f.writers);
    hoist_free(alloc, f.entries, entries * sizeof *f.entries);
    hoist_free(alloc, f.pushed, fifos * sizeof *f.pushed);
    hoist_free(alloc, f.shortest, fifos * sizeof *f.shortest);
    hoist_free(alloc, f.of_move, fifos * sizeof *f.of_move);
    hoist_free(alloc, f.reserved, fifos * sizeof *f.reserved);
    hoist_free(alloc, f.awaited, fifos * sizeof *f.awaited);
    hoist_free(alloc, f.strict, fifos * sizeof *f.strict);
    hoist_free(alloc, f.is_memory, buffers * sizeof *f.is_memory);
    if (status != HOIST_OK) {
        hoist_stay_plan_deinit(out_plan);
    }
    return status;
}

void hoist_stay_plan_deinit(hoist_stay_plan *plan)
{
    hoist_free(plan->alloc, plan->stays, ((size_t)plan->fifo_count + 1) * sizeof(bool));
    hoist_free(plan->alloc, plan->capacities,
               ((size_t)plan->fifo_count + 1) * sizeof *plan->capacities);
    hoist_free(plan->alloc, plan->lent_until,
               ((size_t)plan->buffer_count + 1) * sizeof *plan->lent_until);
    *plan = (hoist_stay_plan){.alloc = plan->alloc};
}
