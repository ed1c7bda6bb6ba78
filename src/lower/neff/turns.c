// What the engines of a file come to, in order: streams go straight on, so that calls can be
// unrolled, and which block a trigger releases is known (neff reference section 4.7). In go the
// indices of streams (formats/neff/stream_index.h), out come turns, released blocks and barriers of
// each engine, which rings.c and threads.c use for every rank that runs the file.
#include <inttypes.h>

#include "base/alloc.h"
#include "base/span.h"
#include "lower/neff/state.h"

// A routine that is being run.
typedef struct call {
    uint32_t routine;
    uint32_t next; // record that comes next
} call;

// A walk over one engine's records in the order of execution.
typedef struct walk {
    neff_lower_job *j;
    const neff_lower_core *core; // with nothing but its file and subgraph
    const neff_engine *engine;
    neff_lower_stream *stream;
    uint32_t *cursors;                    // arena; by section
    call calls[NEFF_LOWER_MAX_DEPTH + 1]; // the engine's own records first, then calls in them
    int depth;
} walk;

neff_lower_place neff_lower_record_place(neff_lower_job *j, const neff_lower_core *core,
                                         // The place of a record: its byte in the stream, under the
                                         // number of the member.
                                         const neff_engine *engine, uint32_t record)
{
    neff_lower_place place = {.core = core,
                              .member = engine->instr,
                              .loc = hoist_loc_byte((uint64_t)record * NEFF_RECORD_SIZE),
                              .engine = engine,
                              .kind = NEFF_LOWER_IN_RECORD,
                              .at = record};
    place.loc.source = neff_lower_source(j, core->file, engine->instr);
    return place;
}

static neff_lower_place place_of(walk *w, uint32_t record)
{
    return neff_lower_record_place(w->j, w->core, w->engine, record);
}

// Every call finds the blocks of its function from the first on: the same part of a ring serves
// each call [inferred, 4.7].
static void rewind_section(walk *w, uint32_t function)
{
    const neff_stream *index = &w->stream->index;
    for (uint32_t i = 0; i < index->section_count; i++) {
        if (index->sections[i].function == function) {
            w->cursors[i] = 0;
        }
    }
}

// Reported once in each file, for the first one: what the count resets is not public.
static void report_resets(walk *w, const neff_routine *routine)
{
    const neff_record begin = neff_stream_at(&w->stream->index, routine->begin);
    const unsigned resets = neff_function_of(&begin).reset_semaphores;
    if (resets && !w->j->resets) {
        const neff_lower_place place = place_of(w, routine->begin);
        neff_lower_refuse(w->j, RUN_028, &place,
                          "return_reset_semaphores of function '%.*s' is %u; no semaphore is reset",
                          HOIST_STR_ARGS(routine->name), resets);
        w->j->resets = true;
    }
}

// Pushes the called routine. Recursion would never end: there are no conditions by which it could.
static void enter_function(walk *w, uint32_t record, const neff_record *r)
{
    const neff_stream *index = &w->stream->index;
    const hoist_str name = neff_function_of(r).name;
    const neff_lower_place place = place_of(w, record);
    size_t found = 0;
    if (!hoist_map_find(&index->routine_names, name, &found)) {
        neff_lower_find(w->j, NEFF_070a, &place, "function '%.*s' is not in this stream",
                        HOIST_STR_ARGS(name));
        return;
    }
    for (int i = 0; i < w->depth; i++) { // all that are being run
        if (w->calls[i].routine == found) {
            neff_lower_find(w->j, NEFF_072a, &place, "function '%.*s' calls itself, and never ends",
                            HOIST_STR_ARGS(name));
            return;
        }
    }
    if (w->depth > NEFF_LOWER_MAX_DEPTH) { // index of the next free entry
        neff_lower_exceed(w->j, RUN_022, &place, "calls are nested more than %d deep",
                          NEFF_LOWER_MAX_DEPTH);
        return;
    }
    const neff_routine *routine = &index->routines[found];
    report_resets(w, routine);
    w->calls[w->depth++] = (call){(uint32_t)found, routine->first};
    rewind_section(w, routine->section);
}

// The block that a trigger releases; NEFF_NONE: lowering the record reports why there is none.
static uint32_t release(walk *w, const neff_record *r)
{
    const neff_stream *index = &w->stream->index;
    const neff_trigger trigger = neff_trigger_of(r);
    const neff_subgraph *s = w->core->subgraph;
    size_t queue = 0;
    if (trigger.use_raw_count || !hoist_map_find(&s->queue_names, trigger.queue, &queue)) {
        return NEFF_NONE;
    }
    // A function that no function_start names has no blocks.
    const uint32_t function = index->routines[w->calls[w->depth - 1].routine].section;
    // Swaps of instances are refused (5.5.1), so the first instance stays the active one.
    const neff_section *section = neff_section_of(index, s, (uint32_t)queue, function);
    if (!section) {
        return NEFF_NONE;
    }
    bool in_order = true;
    const uint32_t block = neff_section_release(
        index, section, &w->cursors[section - index->sections], trigger.block_id, &in_order);
    if (block != NEFF_NONE) {
        w->stream->used[block] = true;
    }
    return block;
}

// Variables that collectives write count as written: a constant that is written is no constant.
static void note_output(walk *w, const neff_record *r)
{
    const neff_subgraph *s = w->core->subgraph;
    const uint32_t var = neff_var_by_id(s, neff_collective_of(r).output);
    if (var != NEFF_NONE) {
        w->core->file->parts[s - w->core->file->module->subgraphs].written[var] = true;
    }
}

// HALT or EXIT: the engine stops, also in the middle of functions. Generation 1 has neither.
static bool ends(const neff_record *r, int generation)
{
    return generation != NEFF_GEN1 &&
           (r->opcode == NEFF_HALT ||
            (r->opcode == NEFF_INST && neff_inst_of(r) == NEFF_INST_EXIT));
}

// Whether another turn is within the built-in limit and the one that was given. Records of the file
// itself are within the given one, as a run counts them; only unrolling can exceed it here.
static bool has_turns_left(walk *w, uint32_t record)
{
    const uint64_t given = w->j->c.options->max_steps;
    const size_t count = w->stream->turn_count;
    // Without calls there are as many turns as records.
    const bool within = !given || count < given || count < w->stream->index.record_count;
    if (within && count < NEFF_LOWER_MAX_RECORDS) {
        return true;
    }
    const neff_lower_place place = place_of(w, record);
    if (within) {
        neff_lower_exceed(w->j, RUN_022, &place, "the engine makes more than %d steps",
                          NEFF_LOWER_MAX_RECORDS);
    } else {
        neff_lower_exceed(w->j, RUN_022, &place,
                          "unrolling the functions that the engine calls takes more than %" PRIu64
                          " %s, the limit that was given",
                          given, hoist_plural(given, "step", "steps"));
    }
    return false;
}

// One record becomes a turn. True when the engine goes on.
static bool take(walk *w, uint32_t record)
{
    const neff_record r = neff_stream_at(&w->stream->index, record);
    const neff_opcode *opcode = neff_opcode_find(r.opcode, w->core->file->generation);
    const neff_lower_turn turn = {record,
                                  r.opcode == NEFF_DMA_TRIGGER ? release(w, &r) : NEFF_NONE};
    if (!has_turns_left(w, record)) {
        return false;
    }
    if (!hoist_lower_add(&w->j->c, (void **)&w->stream->turns, &w->stream->turn_count,
                         &w->stream->turn_capacity, &turn, sizeof turn)) {
        return false;
    }
    const neff_form form = opcode ? (neff_form)opcode->form : NEFF_FORM_NONE;
    if (form == NEFF_FORM_FUNCTION_CALL) {
        enter_function(w, record, &r);
    } else if (form == NEFF_FORM_COLLECTIVE) {
        note_output(w, &r);
    } else if (opcode && r.opcode == NEFF_FUNCTION_RETURN) {
        w->depth--; // the call's next record comes next
    }
    w->stream->barriers += opcode && r.opcode == NEFF_SYNC_BARRIER;
    const bool goes_on = !ends(&r, w->core->file->generation);
    w->stream->works = w->stream->works || goes_on; // an EXIT alone is no work
    return goes_on;
}

// Ends at the end of the main program, at HALT or EXIT, or with a failure. A function ends at its
// return or at its last record.
static void walk_stream(walk *w)
{
    const neff_stream *index = &w->stream->index;
    w->calls[w->depth++] = (call){0, 0}; // the main program
    while (w->depth > 0 && hoist_lower_goes_on(&w->j->c)) {
        call *top = &w->calls[w->depth - 1];
        if (top->next >= index->routines[top->routine].end) {
            w->depth--;
        } else if (!take(w, top->next++)) {
            return;
        }
    }
}

// Barriers ---------------------------------------------------------------------------------------

// The record of the barrier `number`, from 0, that an engine comes to; it comes to more than that.
static uint32_t barrier_at(const neff_lower_stream *stream, uint32_t number)
{
    size_t i = 0;
    for (uint32_t before = 0; i + 1 < stream->turn_count; i++) {
        const neff_record r = neff_stream_at(&stream->index, stream->turns[i].record);
        if (r.opcode == NEFF_SYNC_BARRIER && before++ == number) {
            break;
        }
    }
    return stream->turns[i].record;
}

// All engines of a core that do anything meet in its barriers, so they have to come to as many: the
// one with more waits for ever.
static void check_barriers(neff_lower_job *j, const neff_lower_core *core,
                           const neff_lower_part *part)
{
    int least = NEFF_ENGINE_COUNT; // engine with the fewest; ENGINE_COUNT: none works
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        const bool fewer =
            least == NEFF_ENGINE_COUNT || part->streams[e].barriers < part->streams[least].barriers;
        least = part->streams[e].works && fewer ? e : least;
    }
    for (int e = 0; least < NEFF_ENGINE_COUNT && e < NEFF_ENGINE_COUNT; e++) {
        const uint32_t count = part->streams[e].barriers;
        const uint32_t expected = part->streams[least].barriers;
        if (count > expected) {
            const neff_lower_place place = neff_lower_record_place(
                j, core, &core->subgraph->engines[e], barrier_at(&part->streams[e], expected));
            neff_lower_find(j, NEFF_072a, &place,
                            "engine '%s' waits here for ever: it comes to %" PRIu32
                            " %s of engines, '%s', which has instructions, to %" PRIu32,
                            neff_engines[e].key, count, hoist_plural(count, "barrier", "barriers"),
                            neff_engines[least].key, expected);
        }
    }
}

// Blocks -----------------------------------------------------------------------------------------

// Descriptors of a set go to its rings in turn, those of a block after those of the one before;
// section_start begins at the first ring again [inferred, 4.7]. One cursor for each ring group.
static void spread_blocks(neff_lower_job *j, const neff_subgraph *s, neff_lower_part *part)
{
    uint32_t *next =
        hoist_lower_array(&j->c, (size_t)s->queue_count + s->instance_count, sizeof *next);
    for (int e = 0; next && e < NEFF_ENGINE_COUNT; e++) {
        const neff_engine *engine = &s->engines[e];
        for (size_t i = 0; i < engine->block_count; i++) {
            const neff_block *block = &engine->blocks[i];
            if (block->queue == NEFF_NONE) {
                continue;
            }
            uint32_t *at = &next[block->instance == NEFF_NONE ? block->queue
                                                              : s->queue_count + block->instance];
            const int64_t rings = s->queues[block->queue].num_queues;
            // Others have findings of rule 36.
            const uint32_t count = rings > 0 && rings <= 16 ? (uint32_t)rings : 1;
            *at = block->section_start ? 0 : *at;
            part->streams[e].first_ring[i] = *at;
            *at = (*at + block->desc_count) % count;
        }
    }
}

// Pinned blocks are used without a trigger; written variables are noted whether or not a block
// runs.
static void note_blocks(const neff_subgraph *s, neff_lower_part *part)
{
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        const neff_engine *engine = &s->engines[e];
        for (size_t i = 0; i < engine->block_count; i++) {
            const neff_block *block = &engine->blocks[i];
            const bool pinned = block->queue != NEFF_NONE && s->queues[block->queue].pinned;
            part->has_pinned = part->has_pinned || pinned;
            part->streams[e].used[i] = pinned;
            for (uint32_t k = 0; k < block->desc_count; k++) {
                const uint32_t to = engine->descs[block->descs + k].to.var;
                if (to != NEFF_NONE) {
                    part->written[to] = true;
                }
            }
        }
    }
}

// Files ------------------------------------------------------------------------------------------

// A failure of memory or time is the job's; findings are reported on the way.
static void survey_engine(neff_lower_job *j, const neff_lower_core *core, const neff_engine *engine,
                          neff_lower_stream *stream)
{
    const neff_lower_file *file = core->file;
    walk w = {.j = j, .core = core, .engine = engine, .stream = stream};
    const hoist_status status =
        neff_stream_index(file->module, engine, file->generation, &j->c.arena, &stream->index);
    if (status != HOIST_OK) {
        j->c.status = status;
        return;
    }
    w.cursors = hoist_lower_array(&j->c, stream->index.section_count, sizeof *w.cursors);
    if (w.cursors) {
        walk_stream(&w);
    }
}

// Tables by variable and by block, zeroed.
static bool take_tables(neff_lower_job *j, const neff_subgraph *s, neff_lower_part *part)
{
    part->written = hoist_lower_array(&j->c, s->var_count, sizeof *part->written);
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        const size_t blocks = s->engines[e].block_count;
        neff_lower_stream *stream = &part->streams[e];
        stream->used = hoist_lower_array(&j->c, blocks, sizeof *stream->used);
        stream->first_ring = hoist_lower_array(&j->c, blocks, sizeof *stream->first_ring);
    }
    for (uint32_t i = 0; i < s->var_count; i++) {
        part->uses_chip = part->uses_chip || s->vars[i].type == NEFF_VAR_STATE_BUFFER;
    }
    return j->c.status == HOIST_OK;
}

// Entries of neff.json are looked up by the names of variables: the type of an input or output.
void neff_lower_survey(neff_lower_job *j, neff_lower_file *file)
{
    const neff_module *module = file->module;
    hoist_map_init(&file->entries, j->c.arena.alloc);
    for (uint32_t i = 0; i < module->graph.entry_count; i++) {
        const hoist_str name = module->graph.entries[i].name;
        if (name.data && hoist_map_add(&file->entries, name, i, NULL) == HOIST_NO_MEMORY) {
            j->c.status = HOIST_NO_MEMORY;
            return;
        }
    }
    file->parts = hoist_lower_array(&j->c, module->subgraph_count, sizeof *file->parts);
    for (uint32_t i = 0; file->parts && i < module->subgraph_count; i++) {
        const neff_subgraph *s = &module->subgraphs[i];
        const neff_lower_core core = {.number = i, .file = file, .subgraph = s};
        if (!take_tables(j, s, &file->parts[i])) {
            return;
        }
        note_blocks(s, &file->parts[i]);
        spread_blocks(j, s, &file->parts[i]);
        for (int e = 0; e < NEFF_ENGINE_COUNT && hoist_lower_goes_on(&j->c); e++) {
            survey_engine(j, &core, &s->engines[e], &file->parts[i].streams[e]);
        }
        if (hoist_lower_goes_on(&j->c)) {
            check_barriers(j, &core, &file->parts[i]);
        }
    }
}

void neff_lower_survey_deinit(neff_lower_job *j, neff_lower_file *file)
{
    if (file->entries.alloc.resize) { // a file that was never looked over has no map
        hoist_map_deinit(&file->entries);
    }
    for (uint32_t i = 0; file->parts && i < file->module->subgraph_count; i++) {
        for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
            neff_lower_stream *stream = &file->parts[i].streams[e];
            if (stream->index.engine) { // begun only when it has an engine
                neff_stream_deinit(&stream->index);
            }
            hoist_free(j->c.arena.alloc, stream->turns,
                       stream->turn_capacity * sizeof *stream->turns);
        }
    }
}
