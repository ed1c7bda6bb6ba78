// The effects of operators on local memory (formats/ark/effects.h): those that compute read all
// that they read and write all that they write; those that communicate have a row each (ark
// reference section 8.1); all others (virtual ones, Noop, SendDone) have none.
#include "formats/ark/effects.h"

#include "base/span.h"
#include "formats/ark/ops_table.h"

// Kinds that a row leaves out are ARK_EFFECT_NONE.
typedef struct effect_row {
    ark_effect_kind first_read;
    ark_effect_kind other_reads;
    ark_effect_kind writes;
    bool has_result;
} effect_row;

static const effect_row plain_row = {ARK_EFFECT_READ, ARK_EFFECT_READ, ARK_EFFECT_WRITE, true};
static const effect_row no_row = {.has_result = false}; // also of unknown types

// Proxy tensors have their effects here, too: they are on other ranks, so no local memory has them.
// The columns are: first read, other reads, writes, whether there is a result.
static const struct {
    ark_op_type type;
    effect_row row;
} special_rows[] = {
    {ARK_SEND, {ARK_EFFECT_READ, ARK_EFFECT_NONE, ARK_EFFECT_WRITE, true}},
    {ARK_SEND_PACKET, {ARK_EFFECT_READ, ARK_EFFECT_NONE, ARK_EFFECT_WRITE, true}},
    {ARK_RECV, {.writes = ARK_EFFECT_WRITE, .has_result = true}},
    {ARK_RECV_PACKET,
     {.other_reads = ARK_EFFECT_FILL, .writes = ARK_EFFECT_WRITE, .has_result = true}},
    {ARK_RECV_REDUCE_SEND, {ARK_EFFECT_READ, ARK_EFFECT_FILL, ARK_EFFECT_WRITE, true}},
    {ARK_RECV_REDUCE_SEND_PACKET, {ARK_EFFECT_READ, ARK_EFFECT_FILL, ARK_EFFECT_WRITE, true}},
    {ARK_DEVICE_SYNC, {.first_read = ARK_EFFECT_PASS, .has_result = true}},
};

static const effect_row *row_of(ark_op_type type)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(special_rows); i++) {
        if (special_rows[i].type == type) {
            return &special_rows[i].row;
        }
    }
    const ark_op_def *const def = ark_op_def_of((int)type);
    return def && def->class == ARK_CLASS_COMPUTE ? &plain_row : &no_row;
}

// An effect that touches bytes.
static bool is_access(ark_effect_kind kind)
{
    return kind != ARK_EFFECT_NONE && kind != ARK_EFFECT_PASS;
}

bool ark_touches_memory(ark_op_type type)
{
    const effect_row *const row = row_of(type);
    return is_access(row->first_read) || is_access(row->other_reads) || is_access(row->writes);
}

static bool is_local(const ark_graph *graph, uint32_t value)
{
    return graph->memories[graph->values[value].memory].local;
}

// Adds the effects of a list of tensors to `items`; how many. `items` has the capacity for all
// tensors of the list.
static uint32_t add_list(const ark_graph *graph, const ark_operands *list, ark_effect_kind first,
                         ark_effect_kind others, ark_effect *items)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const ark_effect_kind kind = i ? others : first;
        if (kind != ARK_EFFECT_NONE && is_local(graph, list->items[i])) {
            items[count++] = (ark_effect){list->items[i], i, kind};
        }
    }
    return count;
}

// One list for all steps, each of which has a range of it: first[i] to first[i + 1].
hoist_status ark_effects_find(const ark_graph *graph, hoist_arena *arena, ark_effects *out_effects)
{
    *out_effects = (ark_effects){0};
    size_t most = 0;
    for (uint32_t i = 0; i < graph->step_count; i++) {
        most += (size_t)graph->steps[i].reads.count + graph->steps[i].writes.count;
    }
    ark_effect *const items = hoist_arena_array(arena, most, sizeof(*items));
    uint32_t *const first = hoist_arena_array(arena, (size_t)graph->step_count + 1, sizeof(*first));
    uint32_t *const results = hoist_arena_array(arena, graph->step_count, sizeof(*results));
    HOIST_TRY_MEMORY(items && first && results);
    for (uint32_t i = 0; i < graph->step_count; i++) {
        const ark_step *const step = &graph->steps[i];
        const effect_row *const row = row_of(step->type);
        uint32_t end = first[i];
        HOIST_TRY(hoist_deadline_look(graph->module->base.deadline));
        results[i] = ARK_NONE;
        if (step->valid) {
            end += add_list(graph, &step->reads, row->first_read, row->other_reads, &items[end]);
            end += add_list(graph, &step->writes, row->writes, row->writes, &items[end]);
            const bool has =
                row->has_result && step->results.count && is_local(graph, step->results.items[0]);
            results[i] = has ? step->results.items[0] : ARK_NONE;
        }
        first[i + 1] = end;
    }
    *out_effects = (ark_effects){items, first, results};
    return HOIST_OK;
}
