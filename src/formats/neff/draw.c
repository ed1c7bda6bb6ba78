// Draws a NEFF as text: of each subgraph its engines with the queue sets that they own, what flows
// through each of these, the semaphores between them, and the memory.
//
//   pool  Pool engine, 3 instructions
//     q_gradient_in
//       in, 1 ring, 1 block, 1 trigger
//       input          -> gradient_in         128 B
#include "formats/neff/draw.h"

#include <inttypes.h>

#include "base/span.h"
#include "formats/neff/stream.h"

enum { MOST_FLOWS = 4, QUEUE_INDENT = 4, DETAIL_INDENT = 6 };

typedef struct flow_view {
    const neff_drawing *d;
    neff_flow_view flows;
} flow_view;

uint64_t neff_instructions_of(const neff_drawing *d, const neff_engine *engine)
{
    return engine->instr != NEFF_NONE
               ? d->module->members[engine->instr].bytes.size / NEFF_RECORD_SIZE
               : 0;
}

// Counting
// -----------------------------------------------------------------------------------------

static void count_triggers(const neff_drawing *d, const neff_engine *engine, uint32_t *triggers)
{
    for (uint64_t i = 0; i < neff_instructions_of(d, engine); i++) {
        const uint8_t *const bytes =
            d->module->members[engine->instr].bytes.data + i * NEFF_RECORD_SIZE;
        const neff_opcode *const row = neff_opcode_find(bytes[0], d->generation);
        size_t queue = 0;
        if (!row || row->form != NEFF_FORM_TRIGGER) {
            continue;
        }
        const neff_record record = neff_record_decode(bytes, d->generation);
        if (hoist_map_find(&d->subgraph->queue_names, neff_trigger_of(&record).queue, &queue)) {
            triggers[queue]++;
        }
    }
}

hoist_status neff_flow_view_read(const neff_drawing *d, neff_flow_view *out)
{
    const neff_subgraph *const s = d->subgraph;
    *out = (neff_flow_view){
        .first = hoist_arena_array(d->arena, s->queue_count, sizeof(*out->first)),
        .triggers = hoist_arena_array(d->arena, s->queue_count, sizeof(*out->triggers)),
    };
    if (!out->first || !out->triggers) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(neff_traffic_read(s, true, d->module->base.alloc, d->arena, &out->traffic));
    for (uint32_t i = out->traffic.flow_count; i > 0; i--) {
        const uint32_t queue = out->traffic.flows[i - 1]->queue;
        if (queue != NEFF_NONE) {
            out->first[queue] = i - 1;
        }
    }
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        count_triggers(d, &s->engines[e], out->triggers);
    }
    return HOIST_OK;
}

// Queue sets
// ---------------------------------------------------------------------------------------

static hoist_str var_name(const neff_drawing *d, uint32_t var)
{
    return var == NEFF_NONE ? HOIST_STR("?") : d->subgraph->vars[var].name;
}

static void draw_flow(const neff_drawing *d, const neff_flow *flow)
{
    static const char arrow[] = " -> ";
    const size_t names = d->width - DETAIL_INDENT - (sizeof(arrow) - 1) - HOIST_DRAW_SIZE_WIDTH;
    hoist_buffer_fill(d->out, ' ', DETAIL_INDENT);
    hoist_draw_padded(d->out, var_name(d, flow->from), names / 2, false);
    hoist_buffer_c(d->out, arrow);
    hoist_draw_padded(d->out, var_name(d, flow->to), names / 2, false);
    hoist_draw_size(d->out, flow->bytes);
    hoist_draw_end_line(d->out);
}

static void draw_flows(const flow_view *v, uint32_t queue)
{
    const neff_traffic *const t = &v->flows.traffic;
    uint64_t hidden = 0;
    uint64_t bytes = 0;
    for (uint32_t i = v->flows.first[queue]; i < t->flow_count && t->flows[i]->queue == queue;
         i++) {
        if (i - v->flows.first[queue] < MOST_FLOWS) {
            draw_flow(v->d, t->flows[i]);
        } else {
            hidden++;
            bytes = neff_sum(bytes, t->flows[i]->bytes);
        }
    }
    if (hidden) {
        hoist_buffer_format(v->d->out, "      and %" PRIu64 " more with ", hidden);
        hoist_draw_short_size(v->d->out, bytes);
        hoist_buffer_char(v->d->out, '\n');
    }
}

// ", 3 blocks"
static void write_count(hoist_buffer *out, uint64_t count, const char *one, const char *many)
{
    hoist_buffer_format(out, ", %" PRIu64 " %s", count, hoist_plural(count, one, many));
}

static void draw_queue(const flow_view *v, uint32_t index)
{
    enum { TYPE_WIDTH = 16 };
    const neff_drawing *const d = v->d;
    const neff_queue_set *const queue = &d->subgraph->queues[index];
    hoist_buffer_fill(d->out, ' ', QUEUE_INDENT);
    (void)hoist_draw_name(d->out, queue->name, d->width - QUEUE_INDENT);
    hoist_buffer_char(d->out, '\n');
    hoist_buffer_fill(d->out, ' ', DETAIL_INDENT);
    (void)hoist_draw_name(d->out, queue->type_text, TYPE_WIDTH);
    hoist_buffer_c(d->out, queue->pinned ? ", pinned" : "");
    write_count(d->out, neff_size(queue->num_queues), "ring", "rings");
    if (queue->instances.count) {
        write_count(d->out, queue->instances.count, "instance", "instances");
    }
    hoist_buffer_char(d->out, '\n');
    hoist_buffer_fill(d->out, ' ', DETAIL_INDENT);
    hoist_buffer_format(d->out, "%" PRIu32 " %s", v->flows.triggers[index],
                        hoist_plural(v->flows.triggers[index], "trigger", "triggers"));
    write_count(d->out, v->flows.traffic.queues[index].moved.blocks, "block", "blocks");
    hoist_buffer_char(d->out, '\n');
    draw_flows(v, index);
}

// Engines
// ------------------------------------------------------------------------------------------

// The queue sets of an owner; -1: of none that is known.
static void draw_owned(const flow_view *v, int owner)
{
    for (uint32_t i = 0; i < v->d->subgraph->queue_count; i++) {
        if (v->d->subgraph->queues[i].owner == owner) {
            draw_queue(v, i);
        }
    }
}

static bool owns_queues(const neff_subgraph *s, int owner)
{
    for (uint32_t i = 0; i < s->queue_count; i++) {
        if (s->queues[i].owner == owner) {
            return true;
        }
    }
    return false;
}

static hoist_status draw_engines(const neff_drawing *d)
{
    flow_view v = {.d = d};
    HOIST_TRY(neff_flow_view_read(d, &v.flows));
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        const uint64_t records = neff_instructions_of(d, &d->subgraph->engines[e]);
        if (records || owns_queues(d->subgraph, e)) {
            hoist_buffer_format(d->out, "\n  %s  %s", neff_engines[e].key, neff_engines[e].title);
            write_count(d->out, records, "instruction", "instructions");
            hoist_buffer_char(d->out, '\n');
            draw_owned(&v, e);
        }
    }
    if (owns_queues(d->subgraph, -1)) {
        hoist_buffer_c(d->out, "\n  queue sets without a known owner\n");
        draw_owned(&v, -1);
    }
    return HOIST_OK;
}

static hoist_status draw_subgraph(const neff_drawing *d)
{
    static const char title[] = "subgraph ";
    const size_t start = d->out->size;
    hoist_buffer_c(d->out, title);
    (void)hoist_draw_name(d->out, d->subgraph->name, d->width - (sizeof(title) - 1));
    const size_t width = d->out->size - start;
    hoist_buffer_char(d->out, '\n');
    hoist_buffer_fill(d->out, '=', width);
    hoist_buffer_char(d->out, '\n');
    HOIST_TRY(draw_engines(d));
    HOIST_TRY(neff_draw_semaphores(d));
    return neff_draw_areas(d);
}

hoist_status neff_draw(const hoist_module *module, const hoist_check_options *options,
                       hoist_diag *diag, size_t width, hoist_buffer *out)
{
    (void)diag;
    bool given = false;
    hoist_arena arena;
    hoist_status status = HOIST_OK;
    neff_drawing d = {.module = neff_of(module),
                      .generation = neff_generation_for(neff_of(module), options, &given),
                      .arena = &arena,
                      .width = hoist_draw_width(width),
                      .out = out};
    hoist_arena_init(&arena, module->alloc);
    for (uint32_t i = 0; i < d.module->subgraph_count && status == HOIST_OK; i++) {
        d.subgraph = &d.module->subgraphs[i];
        d.peer = d.module->subgraph_count == 2 ? &d.module->subgraphs[1 - i] : NULL;
        hoist_buffer_c(out, i ? "\n" : "");
        status = draw_subgraph(&d);
    }
    hoist_arena_deinit(&arena);
    return out->failed ? HOIST_NO_MEMORY : status;
}
