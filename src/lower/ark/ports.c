// What callers fill and fetch of a rank (ark reference sections 6.6 and 10): every tensor by its
// Id, results by the name of their operator, each buffer as a line of elements; and the bytes that
// have to be supplied. In: the graph, and what flow.h finds in it. Out: ports and needs.
#include <inttypes.h>

#include "base/buffer.h"
#include "base/span.h"
#include "formats/ark/flow.h"
#include "lower/ark/state.h"

// Ports of one rank; needs name the port of a tensor.
typedef struct ports {
    ark_lower_job *job;
    const ark_lower_rank *rank;
    ark_flow flow;
    const uint32_t *need_of; // by value: the need that it names; ARK_NONE: none
    const bool *is_result;   // by value
    hoist_ref *refs;         // by value: its port
} ports;

// "buffer 4, FP32 [1,512,4096]"
static void write_value(const ark_graph *graph, const ark_value *value, hoist_buffer *out)
{
    hoist_buffer_format(out, "buffer %" PRId64 ", %.*s [", graph->memories[value->memory].id,
                        HOIST_STR_ARGS(value->row->dtype.text));
    for (int i = 0; i < value->rank; i++) {
        hoist_buffer_format(out, "%s%" PRId64, i ? "," : "", value->shape[i]);
    }
    hoist_buffer_format(out, "]");
}

// "buffer 4, FP32 [1,512,4096], first read by matmul" (the note). Strides and offset are those of
// the tensor, so callers see dense elements of its Shape.
static hoist_ref add_port(const ports *p, hoist_str name, uint32_t index, bool is_result)
{
    hoist_builder *b = p->job->c.b;
    const ark_graph *graph = p->rank->graph;
    const ark_value *value = &graph->values[index];
    hoist_lower_view view = ark_lower_view(p->rank, index);
    hoist_loc loc = hoist_loc_pos(value->row->pos);
    hoist_buffer note;
    loc.source = p->rank->source;
    view.dtype = value->dtype;
    hoist_buffer_init(&note, p->job->c.arena.alloc);
    write_value(graph, value, &note);
    // Memory of the caller is needed also when no operator reads it.
    const uint32_t need = p->need_of[index];
    if (need != ARK_NONE && p->flow.needs[need].step != ARK_NONE) {
        const ark_step *step = &graph->steps[p->flow.needs[need].step];
        const hoist_str own = step->op->name.text;
        hoist_buffer_format(&note, ", first read by %.*s",
                            HOIST_STR_ARGS(own.size ? own : step->op->type.text));
    }
    const hoist_ref port =
        hoist_builder_port(b, &(hoist_prog_port){.name = name,
                                                 .loc = loc,
                                                 .buffer = view.of,
                                                 .dtype = view.dtype,
                                                 .layout = hoist_lower_view_layout(b, &view),
                                                 .offset = (uint64_t)view.offset,
                                                 .result = is_result,
                                                 .note = hoist_buffer_text(&note)});
    hoist_lower_fail(&p->job->c, note.failed ? HOIST_NO_MEMORY : HOIST_OK);
    hoist_buffer_deinit(&note);
    return port;
}

// All valid tensors of the rank, so that any of them can be filled or fetched. Names are "12", with
// several ranks "rank1/12".
static void add_values(const ports *p)
{
    const ark_graph *graph = p->rank->graph;
    for (uint32_t i = 0; i < graph->value_count && p->job->c.status == HOIST_OK; i++) {
        if (graph->values[i].valid && ark_lower_is_here(p->rank, i)) {
            const hoist_str name =
                hoist_lower_name(&p->job->c, p->rank->prefix, "%" PRId64, graph->values[i].id);
            p->refs[i] = add_port(p, name, i, p->is_result[i]);
        }
    }
}

// An operator without a name has no port of its own.
static bool has_result(const ports *p, const ark_step *step)
{
    return step->valid && step->op->name.text.size > 0 && step->results.count > 0 &&
           ark_lower_is_here(p->rank, step->results.items[0]);
}

// Names that several operators have name none of them. They can be fetched by Id. The name is
// "op:matmul_1".
static void add_names(ports *p)
{
    const ark_graph *graph = p->rank->graph;
    hoist_lower_context *c = &p->job->c;
    hoist_map names;
    bool *is_again = hoist_lower_array(c, (size_t)graph->step_count + 1, sizeof *is_again);
    hoist_map_init(&names, c->arena.alloc);
    for (uint32_t i = 0; is_again && i < graph->step_count; i++) {
        size_t first = 0;
        if (!has_result(p, &graph->steps[i])) {
            continue;
        }
        const hoist_status status = hoist_map_add(&names, graph->steps[i].op->name.text, i, &first);
        if (status == HOIST_BUSY) {
            is_again[i] = true;
            is_again[first] = true;
        } else {
            hoist_lower_fail(c, status);
        }
    }
    for (uint32_t i = 0; is_again && i < graph->step_count && c->status == HOIST_OK; i++) {
        const ark_step *step = &graph->steps[i];
        if (has_result(p, step) && !is_again[i]) {
            const hoist_str front = hoist_lower_joined(c, p->rank->prefix, HOIST_STR("op:"));
            (void)add_port(p, hoist_lower_joined(c, front, step->op->name.text),
                           step->results.items[0], false);
        }
    }
    hoist_map_deinit(&names);
}

// A buffer as elements of the tensor that says how large it is. Padding and gaps are elements of
// it, too. The name is "buffer:3".
static void add_memories(const ports *p)
{
    const ark_graph *graph = p->rank->graph;
    hoist_builder *b = p->job->c.b;
    for (uint32_t i = 0; i < graph->memory_count && p->job->c.status == HOIST_OK; i++) {
        const ark_memory *memory = &graph->memories[i];
        if (p->rank->buffers[i] == HOIST_NO_REF) {
            continue;
        }
        const hoist_dtype dtype = graph->values[memory->whole].dtype;
        const uint64_t bytes = hoist_dtype_get(dtype)->bits / 8;
        const hoist_shape shape = {.rank = 1, .dim = {(int64_t)(memory->size / bytes)}};
        const hoist_lower_view view = hoist_lower_view_dense(p->rank->buffers[i], dtype, &shape);
        hoist_loc loc = hoist_loc_pos(memory->row->pos);
        loc.source = p->rank->source;
        (void)hoist_builder_port(
            b, &(hoist_prog_port){.name = hoist_lower_name(&p->job->c, p->rank->prefix,
                                                           "buffer:%" PRId64, memory->id),
                                  .loc = loc,
                                  .buffer = view.of,
                                  .dtype = dtype,
                                  .layout = hoist_lower_view_layout(b, &view)});
    }
}

// Bytes of a buffer that the caller has to supply, a row for each range.
static void add_needs(const ports *p)
{
    for (uint32_t i = 0; i < p->flow.need_count; i++) {
        const ark_need *need = &p->flow.needs[i];
        for (uint32_t k = 0; k < need->range_count && p->refs[need->value] != HOIST_NO_REF; k++) {
            hoist_builder_need(p->job->c.b, &(hoist_prog_need){.loc = hoist_loc_none(),
                                                               .port = p->refs[need->value],
                                                               .begin = need->ranges[k].begin,
                                                               .end = need->ranges[k].end});
        }
    }
}

// Flow first: it says which ports are results.
void ark_lower_ports(ark_lower_job *j, const ark_lower_rank *rank)
{
    const ark_graph *graph = rank->graph;
    const size_t count = (size_t)graph->value_count + 1;
    uint32_t *need_of = hoist_lower_array(&j->c, count, sizeof *need_of);
    bool *is_result = hoist_lower_array(&j->c, count, sizeof *is_result);
    ports p = {.job = j,
               .rank = rank,
               .need_of = need_of,
               .is_result = is_result,
               .refs = hoist_lower_array(&j->c, count, sizeof *p.refs)};
    hoist_lower_fail(&j->c, ark_flow_find(graph, &j->c.arena, &p.flow));
    if (j->c.status != HOIST_OK) {
        return;
    }
    for (uint32_t i = 0; i < graph->value_count; i++) {
        need_of[i] = ARK_NONE;
        p.refs[i] = HOIST_NO_REF;
    }
    for (uint32_t i = 0; i < p.flow.need_count; i++) {
        need_of[p.flow.needs[i].value] = i;
    }
    for (uint32_t i = 0; i < p.flow.result_count; i++) {
        is_result[p.flow.results[i].value] = true;
    }
    add_values(&p);
    add_names(&p);
    add_memories(&p);
    add_needs(&p);
}
