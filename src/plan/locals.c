// Buffers that no one reads outside of one group (locals.h). Such a buffer is not stored: each
// block has memory for its part of it. Input: the groups, and all uses of buffers in the program.
// A buffer qualifies when every use is in one group, every byte that is read was written before in
// the same block, and no port, fifo or address leads to it. Neighbour: pages.c gives bytes to all
// other buffers.
#include "plan/locals.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "plan/walk.h"
#include "program/uses.h"

#define NO_GROUP UINT32_MAX     // not used so far
#define STORED (UINT32_MAX - 1) // used otherwise than by one group
enum { ALIGNMENT = 64 };        // of places within a block: a cache line

// A buffer that only one group uses.
// Becomes a local unless `fails`.
typedef struct candidate {
    hoist_ref root;
    uint32_t first; // step of the group, from 0 on
    uint32_t last;
    bool fails;
    hoist_walk write; // the first one
    int64_t low;      // of the parts at index 0, all uses
    int64_t high;
} candidate;

// Per program; `candidates` and what follows are of the group at hand.
typedef struct finder {
    const hoist_program *program;
    hoist_group_plan *plan;
    uint32_t *group_of;     // per buffer with memory of its own
    uint32_t *candidate_of; // per such buffer: in `candidates`; NO_GROUP: none
    uint32_t group;         // whose step is looked at; STORED: of none
    candidate candidates[HOIST_GROUP_STEPS];
    uint32_t count;
    uint32_t step;
} finder;

// Who uses what ---------------------------------------------------------------------------------

// By its root, as windows are reached through it.
static void store(finder *f, hoist_ref buffer)
{
    f->group_of[hoist_prog_root(f->program, buffer, NULL)] = STORED;
}

static void store_fifo(finder *f, const hoist_prog_fifo *fifo)
{
    for (uint32_t i = 0; i < fifo->part_count; i++) {
        store(f, fifo->parts[i]);
    }
}

// Buffers that are reached otherwise than by views of steps. They have to be in memory: somebody
// reads or writes them who knows nothing of blocks.
static void store_named(finder *f, const bool *is_read)
{
    const hoist_program *p = f->program;
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        const hoist_prog_buffer *row = &p->buffers[i]; // named from outside, or of known contents
        if (row->output || row->typed || row->placed || row->contents == HOIST_CONTENTS_CALLER ||
            row->lifetime == HOIST_LIFETIME_CONSTANT) {
            store(f, i);
        }
    }
    // Ports that the caller reads; without a list any of them may be read.
    for (uint32_t i = 0; i < p->port_count; i++) {
        if (!is_read || is_read[i]) {
            store(f, p->ports[i].buffer);
        }
    }
    for (uint32_t i = 0; i < p->need_count; i++) {
        store(f, p->ports[p->needs[i].port].buffer);
    }
    for (uint32_t i = 0; i < p->relocation_count; i++) {
        store(f, p->relocations[i].buffer);
        store(f, p->relocations[i].target);
    }
    for (uint32_t i = 0; i < p->fifo_count; i++) {
        store_fifo(f, &p->fifos[i]);
    }
}

// One group may use a buffer as often as it likes; a second user of any kind ends it.
static void note_owner(void *self, hoist_step_use use)
{
    finder *f = self;
    const hoist_prog_view *view = &f->program->views[use.view];
    if (view->base != HOIST_VIEW_BUFFER) {
        return;
    }
    // First use, or the same group again.
    uint32_t *group = &f->group_of[hoist_prog_root(f->program, view->of, NULL)];
    *group = *group == NO_GROUP || *group == f->group ? f->group : STORED;
}

// Steps outside of groups store what they use: their group is STORED.
// Steps of a code; `*at` is the first group that is not of a code before it.
static hoist_status note_code(finder *f, uint32_t number, const hoist_prog_code *code, size_t *at,
                              hoist_deadline *deadline)
{
    const hoist_group_plan *plan = f->plan;
    for (uint32_t i = 0; i < code->step_count; i++) {
        if (i % 1024 == 0) {
            HOIST_TRY(hoist_deadline_look(deadline));
        }
        while (*at < plan->count && plan->groups[*at].code == number &&
               i >= plan->groups[*at].first + plan->groups[*at].count) {
            (*at)++;
        }
        const bool inside =
            *at < plan->count && plan->groups[*at].code == number && i >= plan->groups[*at].first;
        f->group = inside ? (uint32_t)*at : STORED;
        hoist_step_uses(f->program, &code->steps[i], note_owner, f);
    }
    while (*at < plan->count && plan->groups[*at].code == number) {
        (*at)++;
    }
    return HOIST_OK;
}

// Codes and groups are in the same order, so one index runs through both.
static hoist_status note_owners(finder *f, hoist_deadline *deadline)
{
    const hoist_program *p = f->program;
    size_t at = 0;
    for (uint32_t i = 0; i < hoist_prog_code_count(p); i++) {
        HOIST_TRY(note_code(f, i, hoist_prog_code_at(p, i), &at, deadline));
    }
    return HOIST_OK;
}

// A group's own buffers -------------------------------------------------------------------------

// Strides that go up from part to part, as those of `other`. Blocks are numbered along growing
// addresses: a negative stride would need an offset of its own.
static bool has_strides(const hoist_walk *walk, const hoist_walk *other, int lead)
{
    bool same = true;
    for (int i = 0; i < lead; i++) {
        same = same && walk->stride[i] > 0 && walk->stride[i] == other->stride[i];
    }
    return same;
}

// The first use of a buffer in its group: bytes that are read before come from outside. Dense and
// written as a whole: the block's memory then holds every byte of the part.
static void begin(finder *f, const hoist_walk *walk, int lead)
{
    const hoist_walk_part part = hoist_walk_part_of(walk, lead);
    if (!walk->written || !hoist_walk_is_dense(walk, lead) || !has_strides(walk, walk, lead)) {
        f->group_of[walk->root] = STORED;
        return;
    }
    HOIST_ASSERT(f->count < HOIST_GROUP_STEPS); // a step writes one
    f->candidate_of[walk->root] = f->count;
    f->candidates[f->count++] = (candidate){.root = walk->root,
                                            .first = f->step,
                                            .last = f->step,
                                            .write = *walk,
                                            .low = part.low,
                                            .high = part.high};
}

// Later uses have to stay within the bytes that the first write gave, in equal strides.
static void note_use(void *self, hoist_step_use use)
{
    finder *f = self;
    const int lead = f->plan->groups[f->group].lead;
    hoist_walk walk;
    // Of another group or stored: not a candidate.
    if (!hoist_walk_init(f->program, use.view, use.written, &walk) ||
        f->group_of[walk.root] != f->group) {
        return;
    }
    if (f->candidate_of[walk.root] == NO_GROUP) {
        begin(f, &walk, lead);
        return;
    }
    candidate *c = &f->candidates[f->candidate_of[walk.root]];
    const hoist_walk_part part = hoist_walk_part_of(&walk, lead);
    const bool is_inside = part.low >= c->low && part.high <= c->high;
    // A read outside of what was written would need bytes of another block.
    c->fails = c->fails || !is_inside || !has_strides(&walk, &c->write, lead);
    c->last = f->step;
}

// Of a product the rows of a block are one behind the other, with the columns of a block.
static int64_t row_of(const hoist_group *g, const candidate *c)
{
    const int last = g->lead - 1;
    return g->is_product && g->axis < last ? c->write.stride[last] * (int64_t)g->most[last]
                                           : c->write.stride[g->axis];
}

// The bytes of a block's part of the buffer: one part, and the distance to the last part of the
// block.
static uint64_t block_bytes(const hoist_group *g, const candidate *c)
{
    uint64_t bytes = (uint64_t)(c->high - c->low);
    for (int i = g->axis; i < g->lead; i++) {
        const int64_t step = i == g->axis ? row_of(g, c) : c->write.stride[i];
        bytes += (g->most[i] - 1) * (uint64_t)step; // inside the buffer
    }
    return bytes;
}

// Buffers that do not live at the same steps share a place: first fit over the steps of the group.
typedef struct place {
    uint32_t last; // step of the latest buffer in it
    uint64_t size;
} place;

static uint64_t align(uint64_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

// The number of a place that is free at the candidate's first step; `count`: none. A place is free
// when its latest buffer was used before that step.
static uint32_t free_place(const place *places, uint32_t count, uint32_t step)
{
    uint32_t i = 0;
    while (i < count && places[i].last >= step) {
        i++;
    }
    return i;
}

// Candidates that fit become locals; the others stay in memory, which is slower and not wrong.
static hoist_status add_locals(finder *f, hoist_group *g)
{
    hoist_group_plan *plan = f->plan;
    place places[HOIST_GROUP_STEPS] = {{0}};
    uint32_t used = 0;
    uint64_t total = 0;
    g->local_first = (uint32_t)plan->local_count;
    if (!hoist_grow(plan->alloc, (void **)&plan->locals, &plan->local_capacity,
                    plan->local_count + f->count, sizeof *plan->locals)) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        const candidate *c = &f->candidates[i];
        const bool is_product = g->is_product && c->first == 0;
        hoist_group_local local = {
            .buffer = c->root, .base = c->low, .row = row_of(g, c), .is_product = is_product};
        if (!c->fails && is_product) {
            plan->locals[plan->local_count++] = local;
            g->local_count++;
            continue;
        }
        local.size = c->fails ? UINT64_MAX : block_bytes(g, c); // never fits
        const uint32_t at = free_place(places, used, c->first);
        const uint64_t more =
            local.size <= places[at].size ? 0 : align(local.size) - places[at].size;
        if (local.size > HOIST_GROUP_SCRATCH || total + more > HOIST_GROUP_SCRATCH) {
            continue;
        }
        used += at == used;
        total += more;
        // A place grows to its largest buffer.
        places[at] = (place){c->last, places[at].size + more};
        local.offset = at; // the number of the place until all sizes are known
        plan->locals[plan->local_count++] = local;
        g->local_count++;
    }
    // Places lie one behind the other.
    uint64_t begins[HOIST_GROUP_STEPS] = {0};
    for (uint32_t i = 1; i < used; i++) {
        begins[i] = begins[i - 1] + places[i - 1].size;
    }
    for (uint32_t i = 0; i < g->local_count; i++) {
        hoist_group_local *local = &plan->locals[g->local_first + i];
        local->offset = begins[local->offset];
    }
    g->scratch = total;
    plan->scratch = total > plan->scratch ? total : plan->scratch;
    return HOIST_OK;
}

// One group: candidates from its steps, in order, then places.
static hoist_status find_in(finder *f, uint32_t group)
{
    hoist_group *g = &f->plan->groups[group];
    f->group = group;
    f->count = 0;
    for (f->step = 0; f->step < g->count; f->step++) {
        hoist_step_uses(f->program, &g->steps[f->step], note_use, f);
    }
    // Reset for the next group.
    for (uint32_t i = 0; i < f->count; i++) {
        f->candidate_of[f->candidates[i].root] = NO_GROUP;
    }
    return add_locals(f, g);
}

// Views by address may lead to any buffer, so nothing can be left unstored.
static bool has_addresses(const hoist_program *program)
{
    bool has = false;
    for (uint32_t i = 0; i < program->view_count; i++) {
        has = has || program->views[i].base == HOIST_VIEW_SPACE;
    }
    return has;
}

// Order: what is reached by name, who uses what, then each group.
static hoist_status find(finder *f, const hoist_group_options *options)
{
    for (uint32_t i = 0; i < f->program->buffer_count; i++) {
        f->group_of[i] = NO_GROUP;
        f->candidate_of[i] = NO_GROUP;
    }
    store_named(f, options->is_read);
    HOIST_TRY(note_owners(f, options->deadline));
    for (uint32_t i = 0; i < f->plan->count; i++) {
        HOIST_TRY(hoist_deadline_look(options->deadline));
        HOIST_TRY(find_in(f, i));
    }
    return HOIST_OK;
}

hoist_status hoist_group_find_locals(const hoist_program *program,
                                     const hoist_group_options *options, hoist_group_plan *plan)
{
    if (plan->count == 0 || has_addresses(program)) {
        return HOIST_OK;
    }
    const size_t buffers = (size_t)program->buffer_count + 1;
    // 32 candidates with their walks are too many for a stack frame.
    finder *f = hoist_alloc_zero(plan->alloc, 1, sizeof *f);
    uint32_t *groups = hoist_alloc_zero(plan->alloc, buffers, sizeof *groups);
    uint32_t *candidates = hoist_alloc_zero(plan->alloc, buffers, sizeof *candidates);
    hoist_status status = HOIST_NO_MEMORY;
    if (f && groups && candidates) {
        *f = (finder){
            .program = program, .plan = plan, .group_of = groups, .candidate_of = candidates};
        status = find(f, options);
    }
    hoist_free(plan->alloc, f, sizeof *f);
    hoist_free(plan->alloc, groups, buffers * sizeof *groups);
    hoist_free(plan->alloc, candidates, buffers * sizeof *candidates);
    return status;
}
