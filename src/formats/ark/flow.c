// What a file needs and what it leaves (formats/ark/flow.h), on the pieces of its memory: one walk
// forward for the bytes that are read before they are written, one back for the results that are
// neither read nor overwritten afterwards.
#include "formats/ark/flow.h"

#include "base/runs.h"

// Ranges of a file's needs. Views that are cut into rows have one for each row; more than this is
// HOIST_LIMIT.
enum { MOST_RANGES = 1 << 20 };

typedef struct flow_finder {
    const ark_graph *graph;
    hoist_arena *arena; // of the flow
    hoist_arena scratch;
    const ark_effects *effects;
    const ark_pieces *pieces;
    bool *is_known; // by piece: written, or needed already
    bool *is_needed;
    uint32_t *need_of; // by memory: its need; ARK_NONE
    ark_need *needs;
    uint32_t need_count;
    ark_result *results;
    uint32_t result_count;
} flow_finder;

// Needs ------------------------------------------------------------------------------------------

// The need of a memory. The first call names it by its tensor and step.
static ark_need *need_in(flow_finder *f, uint32_t memory, uint32_t value, uint32_t step)
{
    if (f->need_of[memory] == ARK_NONE) {
        f->need_of[memory] = f->need_count++;
        f->needs[f->need_of[memory]] = (ark_need){.memory = memory, .value = value, .step = step};
    }
    return &f->needs[f->need_of[memory]];
}

// From here on a read of these bytes needs nothing from the caller.
static void note_written(flow_finder *f, uint32_t value)
{
    const ark_operands pieces = f->pieces->of[value];
    for (uint32_t i = 0; i < pieces.count; i++) {
        f->is_known[pieces.items[i]] = true;
    }
}

// Notes what is read before it is written. Memory of the caller is needed however it is read
// first.
static void note_read(flow_finder *f, uint32_t value, uint32_t step)
{
    const ark_operands pieces = f->pieces->of[value];
    const uint32_t memory = f->graph->values[value].memory;
    bool is_new = f->graph->memories[memory].external;
    for (uint32_t i = 0; i < pieces.count; i++) {
        const uint32_t piece = pieces.items[i];
        if (!f->is_known[piece]) {
            f->is_known[piece] = true;
            f->is_needed[piece] = true;
            is_new = true;
        }
    }
    if (is_new) {
        (void)need_in(f, memory, value, step);
    }
}

// Scratch that a receiving operator fills is known before the operator reads it.
static hoist_status find_needs(flow_finder *f)
{
    const ark_graph *const graph = f->graph;
    for (uint32_t i = 0; i < graph->step_count; i++) {
        const ark_effect *const first = &f->effects->items[f->effects->first[i]];
        const ark_effect *const end = &f->effects->items[f->effects->first[i + 1]];
        HOIST_TRY(hoist_deadline_look(graph->module->base.deadline));
        for (const ark_effect *e = first; e < end; e++) {
            if (e->kind == ARK_EFFECT_FILL) {
                note_written(f, e->value);
            }
        }
        for (const ark_effect *e = first; e < end; e++) { // reads come before writes
            if (e->kind == ARK_EFFECT_READ || e->kind == ARK_EFFECT_PASS) {
                note_read(f, e->value, i);
            } else {
                note_written(f, e->value);
            }
        }
    }
    for (uint32_t i = 0; i < graph->memory_count; i++) { // the caller's, also when nothing reads it
        const ark_memory *const memory = &graph->memories[i];
        if (memory->external && memory->local && memory->valid) {
            (void)need_in(f, i, memory->whole, ARK_NONE);
        }
    }
    return HOIST_OK;
}

// Adds the bytes of the needed pieces of a memory; `*work` counts ranges of the file. Neighbouring
// pieces become one range. Pieces may be strided, so a piece can have many ranges.
static hoist_status add_ranges(const flow_finder *f, uint32_t memory, hoist_runs *runs,
                               uint64_t *work)
{
    const ark_piece_memory *const pieces = &f->pieces->memories[memory];
    for (uint32_t i = 0; i < pieces->range_count; i++) {
        ark_piece_range range = pieces->ranges[i];
        if (!f->is_needed[range.piece]) {
            continue;
        }
        while (i + 1 < pieces->range_count && pieces->ranges[i + 1].begin == range.end &&
               f->is_needed[pieces->ranges[i + 1].piece]) {
            range.end = pieces->ranges[++i].end;
        }
        const hoist_block row = ark_piece_block(pieces, &range);
        const hoist_block block = hoist_block_normal(&row);
        const uint64_t count = hoist_block_count(&block);
        HOIST_TRY(hoist_deadline_look(f->graph->module->base.deadline));
        if (count > MOST_RANGES - *work) {
            return HOIST_LIMIT;
        }
        *work += count;
        hoist_runs_add_block(runs, &block);
    }
    return runs->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

// Copies the runs to the arena of the flow. `runs` is ordered and without overlap.
static hoist_status keep_ranges(const flow_finder *f, const hoist_runs *runs, ark_need *need)
{
    const size_t count = hoist_runs_count(runs);
    ark_range *const ranges = hoist_arena_array(f->arena, count, sizeof(*ranges));
    hoist_runs_cursor cursor = {0, 0};
    hoist_run run;
    HOIST_TRY_MEMORY(ranges);
    for (size_t i = 0; hoist_runs_next(runs, &cursor, &run); i++) {
        ranges[i] = (ark_range){run.begin, run.end};
    }
    need->ranges = ranges;
    need->range_count = (uint32_t)count;
    return HOIST_OK;
}

// Each need gets ranges of its own memory; memory of the caller is needed as a whole.
static hoist_status find_ranges(const flow_finder *f)
{
    uint64_t work = 0;
    for (uint32_t i = 0; i < f->need_count; i++) {
        const ark_memory *const memory = &f->graph->memories[f->needs[i].memory];
        hoist_runs runs;
        hoist_runs_init(&runs, f->graph->module->base.alloc);
        hoist_status status = HOIST_OK;
        if (memory->external) {
            hoist_runs_add(&runs, 0, memory->size);
            status = runs.failed ? HOIST_NO_MEMORY : HOIST_OK;
        } else {
            status = add_ranges(f, f->needs[i].memory, &runs, &work);
        }
        status = status == HOIST_OK ? keep_ranges(f, &runs, &f->needs[i]) : status;
        hoist_runs_deinit(&runs);
        HOIST_TRY(status);
    }
    return HOIST_OK;
}

// Results ----------------------------------------------------------------------------------------

// Sets the flag of each piece of a tensor.
static void mark(const flow_finder *f, bool *flags, uint32_t value)
{
    const ark_operands pieces = f->pieces->of[value];
    for (uint32_t i = 0; i < pieces.count; i++) {
        flags[pieces.items[i]] = true;
    }
}

// Whether nothing reads any byte of a result, and something of it is left.
static bool is_left(const flow_finder *f, const bool *is_read, const bool *is_gone, uint32_t value)
{
    const ark_operands pieces = f->pieces->of[value];
    bool is_anything_left = false;
    for (uint32_t i = 0; i < pieces.count; i++) {
        if (is_read[pieces.items[i]]) {
            return false;
        }
        is_anything_left = is_anything_left || !is_gone[pieces.items[i]];
    }
    return is_anything_left;
}

// From the last step to the first: what is marked is read or overwritten by a later step. A later
// Noop is no reader: it has no effects.
static hoist_status find_results(flow_finder *f)
{
    bool *const is_read = hoist_arena_array(&f->scratch, f->pieces->count, sizeof(*is_read));
    bool *const is_gone = hoist_arena_array(&f->scratch, f->pieces->count, sizeof(*is_gone));
    HOIST_TRY_MEMORY(is_read && is_gone);
    for (uint32_t i = f->graph->step_count; i-- > 0;) {
        const uint32_t result = f->effects->results[i];
        HOIST_TRY(hoist_deadline_look(f->graph->module->base.deadline));
        if (result != ARK_NONE && is_left(f, is_read, is_gone, result)) {
            f->results[f->result_count++] = (ark_result){result, i};
        }
        for (uint32_t k = f->effects->first[i]; k < f->effects->first[i + 1]; k++) {
            const ark_effect *const effect = &f->effects->items[k];
            if (effect->kind != ARK_EFFECT_WRITE) {
                mark(f, is_read, effect->value);
            }
            if (effect->kind == ARK_EFFECT_WRITE || effect->kind == ARK_EFFECT_FILL) {
                mark(f, is_gone, effect->value);
            }
        }
    }
    for (uint32_t i = 0; i < f->result_count / 2; i++) { // found from the last one on
        const ark_result other = f->results[f->result_count - 1 - i];
        f->results[f->result_count - 1 - i] = f->results[i];
        f->results[i] = other;
    }
    return HOIST_OK;
}

// ------------------------------------------------------------------------------------------------

// Needs go first, since a range needs all of them, and state follows from needs and results.
static hoist_status find(flow_finder *f, ark_flow *out_flow)
{
    const ark_graph *const graph = f->graph;
    f->is_known = hoist_arena_array(&f->scratch, f->pieces->count, sizeof(*f->is_known));
    f->is_needed = hoist_arena_array(&f->scratch, f->pieces->count, sizeof(*f->is_needed));
    f->need_of = hoist_arena_array(&f->scratch, graph->memory_count, sizeof(*f->need_of));
    f->needs = hoist_arena_array(f->arena, graph->memory_count, sizeof(*f->needs));
    f->results = hoist_arena_array(f->arena, graph->step_count, sizeof(*f->results));
    bool *const is_state = hoist_arena_array(f->arena, graph->memory_count, sizeof(*is_state));
    HOIST_TRY_MEMORY(f->is_known && f->is_needed && f->need_of && f->needs && f->results &&
                     is_state);
    for (uint32_t i = 0; i < graph->memory_count; i++) {
        f->need_of[i] = ARK_NONE;
    }
    HOIST_TRY(find_needs(f));
    HOIST_TRY(find_ranges(f));
    HOIST_TRY(find_results(f));
    for (uint32_t i = 0; i < f->result_count; i++) {
        const uint32_t memory = graph->values[f->results[i].value].memory;
        is_state[memory] = f->need_of[memory] != ARK_NONE;
    }
    *out_flow = (ark_flow){.needs = f->needs,
                           .need_count = f->need_count,
                           .results = f->results,
                           .result_count = f->result_count,
                           .is_state = is_state};
    return HOIST_OK;
}

// What is found lives in `arena`; flags are forgotten.
hoist_status ark_flow_of_pieces(const ark_graph *graph, const ark_effects *effects,
                                const ark_pieces *pieces, hoist_arena *arena, ark_flow *out_flow)
{
    *out_flow = (ark_flow){0};
    flow_finder f = {.graph = graph, .effects = effects, .pieces = pieces, .arena = arena};
    hoist_arena_init(&f.scratch, graph->module->base.alloc);
    const hoist_status status = find(&f, out_flow);
    hoist_arena_deinit(&f.scratch);
    return status;
}

hoist_status ark_flow_find(const ark_graph *graph, hoist_arena *arena, ark_flow *out_flow)
{
    *out_flow = (ark_flow){0};
    hoist_arena scratch;
    ark_effects effects;
    ark_pieces pieces;
    hoist_arena_init(&scratch, graph->module->base.alloc);
    hoist_status status = ark_effects_find(graph, &scratch, &effects);
    status = status == HOIST_OK ? ark_pieces_find(graph, &effects, &scratch, &pieces) : status;
    status =
        status == HOIST_OK ? ark_flow_of_pieces(graph, &effects, &pieces, arena, out_flow) : status;
    hoist_arena_deinit(&scratch);
    return status;
}
