// A search through the data steps of a program, from one of them back to the nearest input (breadth
// first): buffers are what steps have in common, each with the steps that write it. uses.h has the
// views of a step.
#include "program/origin.h"

#include "base/alloc.h"
#include "program/uses.h"

// A step, and how the search came to it.
typedef struct node {
    const hoist_prog_step *step;
    uint32_t after;       // the node that reads what this one writes; HOIST_NO_REF: not met yet
    uint32_t next_writer; // of the same buffer; HOIST_NO_REF: none
} node;

typedef struct search {
    const hoist_program *program;
    node *nodes;
    uint32_t node_count;
    uint32_t node_capacity;
    const hoist_prog_step *step; // whose views are visited
    uint32_t *writers;           // per buffer: the first node that writes it; HOIST_NO_REF: none
    hoist_str *inputs;           // per buffer: the input that fills it; empty: none
    uint32_t *queue;             // nodes that were met, in that order
    uint32_t met;                // of `queue`
    uint32_t at;                 // node whose views are visited
    uint32_t start;              // node of the step asked for
    hoist_str found;             // the input
} search;

// The memory of a view; HOIST_NO_REF: known only when the program runs.
// Slots are taken for their first part: all parts of a fifo are written together.
static hoist_ref memory_of(const hoist_program *program, hoist_ref view)
{
    const hoist_prog_view *row = &program->views[view];
    switch (row->base) {
    case HOIST_VIEW_BUFFER:
        return hoist_prog_root(program, row->of, NULL);
    case HOIST_VIEW_READ_SLOT:
    case HOIST_VIEW_WRITE_SLOT:
        return hoist_prog_root(program, program->fifos[row->of].parts[0], NULL);
    default:
        return HOIST_NO_REF;
    }
}

// ZERO has no views and cannot lead anywhere.
static bool is_data(const hoist_prog_step *step)
{
    return step->kind >= HOIST_STEP_MOVE;
}

// A step that writes several buffers has a node for each.
static void note_writer(void *self, hoist_step_use use)
{
    search *const s = self;
    const hoist_ref memory = memory_of(s->program, use.view);
    if (use.written && memory != HOIST_NO_REF && s->node_count < s->node_capacity) {
        s->nodes[s->node_count] = (node){s->step, HOIST_NO_REF, s->writers[memory]};
        s->writers[memory] = s->node_count++;
    }
}

static void count_written(void *self, hoist_step_use use)
{
    *(uint32_t *)self += use.written;
}

static bool has_step(const hoist_prog_code *code, const hoist_prog_step *step)
{
    for (uint32_t i = 0; i < code->step_count; i++) {
        if (&code->steps[i] == step) {
            return true;
        }
    }
    return false;
}

// Calls `use` for the views of every data step, `*out_step` meanwhile.
static void visit_all(const hoist_program *program, void (*use)(void *self, hoist_step_use use),
                      void *self, const hoist_prog_step **out_step)
{
    for (size_t c = 0; c < hoist_prog_code_count(program); c++) {
        const hoist_prog_code *code = hoist_prog_code_at(program, c);
        for (uint32_t i = 0; i < code->step_count; i++) {
            *out_step = &code->steps[i];
            if (is_data(*out_step)) {
                hoist_step_uses(program, *out_step, use, self);
            }
        }
    }
}

// A fifo's name is found through the memory of its first part.
static void name_inputs(search *s)
{
    const hoist_program *p = s->program;
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        s->writers[i] = HOIST_NO_REF;
        s->inputs[i] = (hoist_str){NULL, 0};
    }
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        if (p->buffers[i].contents == HOIST_CONTENTS_CALLER) {
            s->inputs[hoist_prog_root(p, i, NULL)] = p->buffers[i].name;
        }
    }
    for (uint32_t i = 0; i < p->fifo_count; i++) {
        if (p->fifos[i].host_push) {
            s->inputs[hoist_prog_root(p, p->fifos[i].parts[0], NULL)] = p->fifos[i].name;
        }
    }
}

// What the node reads: an input, or what others write.
static void follow(void *self, hoist_step_use use)
{
    search *const s = self;
    const hoist_ref memory = memory_of(s->program, use.view);
    if (use.written || memory == HOIST_NO_REF || s->found.size) {
        return;
    }
    s->found = s->inputs[memory];
    uint32_t writer = s->writers[memory];
    // Each buffer is followed once, so the search is linear in steps and views.
    s->writers[memory] = HOIST_NO_REF; // visited
    while (writer != HOIST_NO_REF) {
        node *const n = &s->nodes[writer];
        const uint32_t next = n->next_writer;
        if (writer != s->start) {
            n->after = s->at;
            s->queue[s->met++] = writer;
        }
        writer = next;
    }
}

// Met nodes in their order, until one reads an input; that one, or HOIST_NO_REF.
// The queue grows while it is walked: breadth first, hence the fewest steps.
static uint32_t search_inputs(search *s)
{
    s->queue[s->met++] = s->start;
    for (uint32_t i = 0; i < s->met; i++) {
        s->at = s->queue[i];
        hoist_step_uses(s->program, s->nodes[s->at].step, follow, s);
        if (s->found.size) {
            return s->at;
        }
    }
    return HOIST_NO_REF;
}

static hoist_status list_steps(const search *s, uint32_t first, hoist_allocator alloc,
                               hoist_origin *out_origin)
{
    size_t count = 1;
    // `after` leads from the input forward to the step asked for.
    for (uint32_t i = first; i != s->start; i = s->nodes[i].after) {
        count++;
    }
    out_origin->steps = hoist_alloc_zero(alloc, count, sizeof(const hoist_prog_step *));
    if (!out_origin->steps) {
        return HOIST_NO_MEMORY;
    }
    out_origin->input = s->found;
    for (uint32_t i = first; out_origin->count < count; i = s->nodes[i].after) {
        out_origin->steps[out_origin->count++] = s->nodes[i].step;
    }
    return HOIST_OK;
}

static hoist_status find(search *s, const hoist_prog_step *step, hoist_allocator alloc,
                         hoist_origin *out_origin)
{
    name_inputs(s);
    visit_all(s->program, note_writer, s, &s->step);
    s->start = s->node_capacity; // a node of no buffer
    s->nodes[s->start] = (node){step, HOIST_NO_REF, HOIST_NO_REF};
    const uint32_t first = search_inputs(s);
    return list_steps(s, first == HOIST_NO_REF ? s->start : first, alloc, out_origin);
}

hoist_status hoist_origin_find(const hoist_program *program, const hoist_prog_step *step,
                               hoist_allocator alloc, hoist_origin *out_origin)
{
    *out_origin = (hoist_origin){.count = 0};
    search s = {.program = program};
    visit_all(program, count_written, &s.node_capacity, &s.step);
    const size_t nodes = (size_t)s.node_capacity + 1;
    const size_t buffers = (size_t)program->buffer_count + 1;
    s.nodes = hoist_alloc_zero(alloc, nodes, sizeof *s.nodes);
    s.queue = hoist_alloc_zero(alloc, nodes, sizeof *s.queue);
    s.writers = hoist_alloc_zero(alloc, buffers, sizeof *s.writers);
    s.inputs = hoist_alloc_zero(alloc, buffers, sizeof *s.inputs);
    hoist_status status = HOIST_NO_MEMORY;
    if (s.nodes && s.queue && s.writers && s.inputs) {
        status = find(&s, step, alloc, out_origin);
    }
    const size_t codes = hoist_prog_code_count(program);
    for (size_t c = 0; status == HOIST_OK && c < codes && !out_origin->code.size; c++) {
        if (has_step(hoist_prog_code_at(program, c), step)) {
            out_origin->code = hoist_prog_code_name(program, c);
        }
    }
    hoist_free(alloc, s.nodes, nodes * sizeof *s.nodes);
    hoist_free(alloc, s.queue, nodes * sizeof *s.queue);
    hoist_free(alloc, s.writers, buffers * sizeof *s.writers);
    hoist_free(alloc, s.inputs, buffers * sizeof *s.inputs);
    return status;
}

void hoist_origin_deinit(hoist_origin *origin, hoist_allocator alloc)
{
    hoist_free(alloc, origin->steps, origin->count * sizeof(const hoist_prog_step *));
    *origin = (hoist_origin){.count = 0};
}
