// Rules 68 and 69: triggers against queue sets and blocks (neff reference sections 4.7 and 9). In
// goes the index of a stream (stream_index.c), out come findings at its records, and at blocks that
// are never released.
//
// Whether a block is there is asked of all rings of the queue set, as instances may be swapped;
// order is checked where it is known: in straight-line code, on the ring that is active at start,
// and not where a trigger counts raw entries. One finding of rule 69 per ring and function is
// enough, since all later triggers differ, too.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/neff/check_streams.h"

// An id that blocks of a queue set and function have.
typedef struct known_id {
    uint32_t queue;
    uint32_t function;
    int64_t id;
    bool met; // a trigger has it
} known_id;

// What triggers have done with one ring's blocks of one function.
typedef struct section_state {
    uint32_t released; // blocks, from the ring's start
    bool is_touched;   // a trigger with an id was checked
    bool is_loose;     // order is not known (any more)
} section_state;

typedef struct triggers {
    neff_stream_check *s;
    known_id *ids; // sorted, each once
    size_t id_count;
    section_state *sections; // of the stream's
    bool *raw;               // queue sets that a trigger releases by raw count
    bool has_swap;
} triggers;

// By queue set, function and id: the order for bsearch.
static int order_ids(const void *a, const void *b)
{
    const known_id *x = a;
    const known_id *y = b;
    int order = hoist_order_u64(x->queue, y->queue);
    order = order ? order : hoist_order_u64(x->function, y->function);
    return order ? order : hoist_order_i64(x->id, y->id);
}

// Each id once for its queue set and function, whatever ring the blocks are on.
static hoist_status collect_ids(triggers *t)
{
    const neff_engine *engine = t->s->engine;
    t->ids = hoist_arena_array(&t->s->c->arena, engine->block_count, sizeof(*t->ids));
    HOIST_TRY_MEMORY(t->ids);
    size_t all = 0;
    for (size_t i = 0; i < engine->block_count; i++) {
        const neff_block *block = &engine->blocks[i];
        if (block->queue != NEFF_NONE) {
            t->ids[all++] = (known_id){block->queue, block->function, block->id, false};
        }
    }
    qsort(t->ids, all, sizeof(*t->ids), order_ids);
    // Removes equal neighbours in place.
    for (size_t i = 0; i < all; i++) {
        if (t->id_count == 0 || order_ids(&t->ids[t->id_count - 1], &t->ids[i]) != 0) {
            t->ids[t->id_count++] = t->ids[i];
        }
    }
    return HOIST_OK;
}

// NULL also for an empty table: bsearch may not get a NULL base.
static known_id *find_id(const triggers *t, uint32_t queue, uint32_t function, int64_t id)
{
    const known_id key = {queue, function, id, false};
    // The file's ids are signed, a trigger's has 32 bits: other ids are never met.
    return t->id_count == 0 ? NULL : bsearch(&key, t->ids, t->id_count, sizeof(*t->ids), order_ids);
}

// Triggers ---------------------------------------------------------------------------------------

// The queue set that a trigger names; false: reported.
// Triggers name queue sets, as the loader looks them up; an instance is named by blocks alone.
static bool find_queue(const triggers *t, uint32_t i, hoist_str name, uint32_t *out_queue)
{
    const neff_subgraph *subgraph = t->s->subgraph;
    size_t found = 0;
    if (name.size == 0) {
        neff_report_record(t->s, NEFF_068a, i, "the trigger names no queue set");
        return false;
    }
    if (!hoist_map_find(&subgraph->queue_names, name, &found)) {
        const bool is_instance = hoist_map_find(&subgraph->instance_names, name, &found);
        neff_report_record(
            t->s, NEFF_068a, i, "the trigger names '%.*s', which is %s", HOIST_STR_ARGS(name),
            is_instance ? "an instance, expected its queue set" : "no queue set of def.json");
        return false;
    }
    *out_queue = (uint32_t)found;
    return true;
}

// Rule 69: JSON order has to equal trigger order, as a trigger releases what comes next.
static void check_order(triggers *t, uint32_t i, const neff_section *section, uint32_t id)
{
    const neff_stream *stream = &t->s->stream;
    section_state *state = &t->sections[section - stream->sections];
    bool in_order = false;
    state->is_touched = true;
    if (state->is_loose) {
        return;
    }
    // Both are taken before the release, which moves `released`.
    const uint32_t position = section->first + state->released;
    const bool is_end = state->released == section->count;
    (void)neff_section_release(stream, section, &state->released, id, &in_order);
    if (in_order) {
        return;
    }
    state->is_loose = true; // one finding per ring and function
    if (is_end) {
        neff_report_record(t->s, NEFF_069, i,
                           "the trigger of block %" PRIu32 " is one more than the queue has blocks",
                           id);
    } else {
        const neff_engine *engine = t->s->engine;
        const uint32_t next = stream->order[position];
        neff_report_record(t->s, NEFF_069, i,
                           "the trigger is of block %" PRIu32
                           ", but the next one of the queue is dma/%" PRIu32 " with id %" PRId64,
                           id, next, engine->blocks[next].id);
    }
}

// Rule 68a: the block that a trigger releases. `section` may be NULL: the active ring has no blocks
// in this function.
static void check_block(triggers *t, uint32_t i, const neff_routine *routine, uint32_t queue,
                        const neff_section *section)
{
    const neff_record record = neff_stream_at(&t->s->stream, i);
    const neff_trigger trigger = neff_trigger_of(&record);
    const bool is_main = routine->begin == NEFF_NONE;
    known_id *id = find_id(t, queue, routine->section, trigger.block_id);
    if (id) {
        id->met = true;
    } else {
        neff_report_record(t->s, NEFF_068a, i,
                           "queue set '%.*s' has no block with id %" PRIu32 " for %s%.*s%s",
                           HOIST_STR_ARGS(trigger.queue), trigger.block_id,
                           is_main ? "the main program" : "function '",
                           HOIST_STR_ARGS(routine->name), is_main ? "" : "'");
    }
    if (id && section) {
        check_order(t, i, section, trigger.block_id);
    }
}

// A trigger's queue set, its owner (68b) and its block; `is_straight`: no branch came before it.
static void check_trigger(triggers *t, uint32_t i, const neff_routine *routine, bool is_straight)
{
    const neff_record record = neff_stream_at(&t->s->stream, i);
    const neff_trigger trigger = neff_trigger_of(&record);
    uint32_t queue = 0;
    if (!find_queue(t, i, trigger.queue, &queue)) {
        return;
    }
    const neff_queue_set *set = &t->s->subgraph->queues[queue];
    const bool is_swapped = t->has_swap && set->instances.count > 0; // the active ring is not known
    const neff_section *section =
        neff_section_of(&t->s->stream, t->s->subgraph, queue, routine->section);
    if (set->owner >= 0 && set->owner != (int32_t)t->s->engine->id) {
        neff_report_record(t->s, NEFF_068b, i,
                           "engine '%s' triggers queue set '%.*s', which belongs to '%s'",
                           neff_engines[t->s->engine->id].key, HOIST_STR_ARGS(set->name),
                           neff_engines[set->owner].key);
    }
    // What the ring has released is unknown from here on.
    if (section && (trigger.use_raw_count || !is_straight || is_swapped)) {
        t->sections[section - t->s->stream.sections].is_loose = true;
    }
    if (trigger.use_raw_count) {
        t->raw[queue] = true; // it may have released any block of the set
    } else {
        check_block(t, i, routine, queue, section);
    }
}

// Branches and labels end straight-line code; calls do not, as each function has its own sections.
static void check_routine(triggers *t, const neff_routine *routine)
{
    bool is_straight = true;
    for (uint32_t i = routine->first; i < routine->end; i++) {
        const neff_opcode *row = neff_record_opcode(t->s, i);
        is_straight =
            is_straight &&
            !(row && (row->code == NEFF_COMPARE_BRANCH || row->code == NEFF_BRANCH_LABEL));
        if (row && row->form == NEFF_FORM_TRIGGER) {
            check_trigger(t, i, routine, is_straight);
        }
    }
}

// Blocks that nothing triggers -------------------------------------------------------------------

// Marks the blocks of a section that are released, or may be, or that are of a function that the
// stream lacks: 48a has reported that one.
static void mark_released(const triggers *t, const neff_section *section, const bool *is_known,
                          bool *released)
{
    const neff_stream *stream = &t->s->stream;
    const section_state *state = &t->sections[section - stream->sections];
    const neff_queue_set *set = &t->s->subgraph->queues[section->queue];
    const bool is_fine = set->pinned || t->raw[section->queue] || // no finding whatever triggers do
                         (section->function != NEFF_NONE && !is_known[section->function]);
    for (uint32_t i = 0; i < section->count; i++) {
        const uint32_t block = stream->order[section->first + i];
        const known_id *id =
            find_id(t, section->queue, section->function, t->s->engine->blocks[block].id);
        // Where order was kept the count says which blocks are left, else any trigger with the id
        // counts.
        const bool is_counted = state->is_touched && !state->is_loose;
        released[block] = is_fine || (is_counted ? i < state->released : id && id->met);
    }
}

// Rule 68b: blocks that nothing triggers, in the order of the file.
static hoist_status check_blocks(const triggers *t)
{
    const neff_stream *stream = &t->s->stream;
    const neff_engine *engine = t->s->engine;
    hoist_arena *arena = &t->s->c->arena;
    // By `function_start`: the stream has the function.
    bool *is_known = hoist_arena_array(arena, engine->function_count, sizeof(*is_known));
    bool *released = hoist_arena_array(arena, engine->block_count, sizeof(*released));
    HOIST_TRY_MEMORY(is_known && released);
    for (uint32_t i = 1; i < stream->routine_count; i++) {
        if (stream->routines[i].section < NEFF_NO_SECTION) {
            is_known[stream->routines[i].section] = true;
        }
    }
    for (uint32_t i = 0; i < stream->section_count; i++) {
        mark_released(t, &stream->sections[i], is_known, released);
    }
    for (uint32_t i = 0; i < engine->block_count; i++) {
        const neff_block *block = &engine->blocks[i];
        // Without an id: rule 45.
        if (block->queue != NEFF_NONE && neff_has(&neff_block_table, block->present, "id") &&
            !released[i]) {
            const hoist_bytes text = t->s->c->module->members[t->s->engine->text.member].bytes;
            char path[32];
            hoist_frame frame;
            const int size = snprintf(path, sizeof(path), "dma/%" PRIu32, i);
            neff_enter(t->s->c->module, t->s->c->diag, t->s->engine->text.member);
            hoist_diag_push(t->s->c->diag, &frame, NULL, HOIST_STR(""),
                            (hoist_str){path, (size_t)size});
            neff_report(t->s->c->diag, NEFF_068b,
                        hoist_loc_pos(neff_place(&t->s->cursor, text, block->at)),
                        "nothing triggers the block with id %" PRId64 " of queue set '%.*s'",
                        block->id, HOIST_STR_ARGS(t->s->subgraph->queues[block->queue].name));
            hoist_diag_pop(t->s->c->diag, &frame);
        }
    }
    return HOIST_OK;
}

hoist_status neff_check_triggers(neff_stream_check *s)
{
    triggers t = {.s = s};
    t.sections = hoist_arena_array(&s->c->arena, s->stream.section_count, sizeof(*t.sections));
    t.raw = hoist_arena_array(&s->c->arena, s->subgraph->queue_count, sizeof(*t.raw));
    HOIST_TRY_MEMORY(t.sections && t.raw);
    HOIST_TRY(collect_ids(&t));
    // A swap anywhere in the stream makes the active ring of every set with instances unknown.
    for (uint32_t i = 0; i < s->stream.record_count; i++) {
        const neff_opcode *row = neff_record_opcode(s, i);
        t.has_swap = t.has_swap || (row && row->code == NEFF_SWAP_QUEUE_SET);
    }
    for (uint32_t i = 0; i < s->stream.routine_count; i++) {
        const neff_routine *routine = &s->stream.routines[i];
        size_t first = i; // a second function of a name is an error that was reported
        if (i == 0 ||
            (hoist_map_find(&s->stream.routine_names, routine->name, &first) && first == i)) {
            check_routine(&t, routine);
        }
    }
    return check_blocks(&t);
}
