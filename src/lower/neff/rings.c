// Queue sets as units, one for each ring, and blocks of descriptors as functions that triggers post
// on them (neff reference sections 4.2, 4.3, 4.7). In go a rank's core and the blocks that turns.c
// found, out come units and functions; threads.c posts them, moves.c has the descriptors.
#include <inttypes.h>

#include "base/assert.h"
#include "base/span.h"
#include "lower/neff/state.h"

enum { MAX_RINGS = 16 };

// Numbers out of range have findings of rule 36, and count as one ring.
static uint32_t ring_count(const neff_queue_set *set)
{
    return set->num_queues > 0 && set->num_queues <= MAX_RINGS ? (uint32_t)set->num_queues : 1;
}

// Units ------------------------------------------------------------------------------------------

// Rings "q0", or "q0.0" to "q0.15"; the first one's unit.
static hoist_ref add_rings(neff_lower_job *j, const neff_lower_core *core, hoist_str name,
                           uint32_t count)
{
    HOIST_ASSERT(count > 0 && count <= MAX_RINGS);
    hoist_ref first = HOIST_NO_REF;
    for (uint32_t i = 0; i < count; i++) {
        const hoist_str own = count == 1 ? hoist_lower_joined(&j->c, core->prefix, name)
                                         : hoist_lower_name(&j->c, core->prefix, "%.*s.%" PRIu32,
                                                            HOIST_STR_ARGS(name), i);
        const hoist_ref unit = hoist_builder_unit(
            // How many transfers may wait before a trigger does.
            j->c.b, &(hoist_prog_unit){.name = own, .depth = NEFF_LOWER_RING_DEPTH});
        first = i == 0 ? unit : first;
    }
    return first;
}

// Index into core->rings: sets, then instances.
static uint32_t slot_of(const neff_subgraph *s, const neff_block *block)
{
    HOIST_ASSERT(block->queue < s->queue_count);
    HOIST_ASSERT(block->instance == NEFF_NONE || block->instance < s->instance_count);
    return block->instance == NEFF_NONE ? block->queue : s->queue_count + block->instance;
}

// The first ring of the set or instance that a block is on; the units are made when first used.
static hoist_ref rings_of(neff_lower_job *j, neff_lower_core *core, const neff_block *block)
{
    const neff_subgraph *s = core->subgraph;
    const neff_queue_set *set = &s->queues[block->queue];
    hoist_ref *slot = &core->rings[slot_of(s, block)];
    if (*slot == HOIST_NO_REF) {
        // A swap of instances is refused, so each instance is a ring group of its own.
        const hoist_str name =
            block->instance == NEFF_NONE ? set->name : s->instances[block->instance].name;
        *slot = add_rings(j, core, name, ring_count(set));
    }
    return *slot;
}

// Functions --------------------------------------------------------------------------------------

// Rings that a block has work for: descriptors are spread over them. A block with an event runs on
// one, so that it is done when the event is set.
static uint32_t working_rings(const neff_subgraph *s, const neff_block *block)
{
    HOIST_ASSERT(block->queue < s->queue_count);
    const uint32_t rings = ring_count(&s->queues[block->queue]);
    const bool alone = neff_has(&neff_block_table, block->present, "event");
    return alone ? 1 : block->desc_count < rings ? block->desc_count : rings;
}

// Where the reader of places is in an engine's text; blocks come in file order, so each is near.
typedef struct block_cursor {
    neff_cursor text;
    hoist_bytes bytes;
    uint32_t source;
} block_cursor;

static hoist_loc loc_at(block_cursor *at, uint32_t offset)
{
    hoist_loc loc =
        at->bytes.size ? hoist_loc_pos(neff_place(&at->text, at->bytes, offset)) : hoist_loc_none();
    loc.source = at->source;
    return loc;
}

// Descriptors `first`, `first` + `step` ... of a block: what one ring runs of it.
static void add_function(neff_lower_job *j, neff_lower_place *place, block_cursor *at,
                         uint32_t first, uint32_t step)
{
    HOIST_ASSERT(step > 0 && first < step);
    const neff_engine *engine = place->engine;
    const neff_block *block = &engine->blocks[place->at];
    const char *key = neff_engines[engine->id].key;
    const hoist_str prefix = place->core->prefix;
    // "pe/dma/3", or "pe/dma/3.0" and so on for the parts of a block.
    const hoist_str name =
        step == 1
            ? hoist_lower_name(&j->c, prefix, "%s/dma/%" PRIu32, key, place->at)
            : hoist_lower_name(&j->c, prefix, "%s/dma/%" PRIu32 ".%" PRIu32, key, place->at, first);
    const hoist_prog_function row = {.name = name, .loc = loc_at(at, block->at)};
    const hoist_ref function = hoist_builder_begin_function(j->c.b, &row);
    if (first == 0) { // parts follow each other: first + i
        j->cores[place->core->number].functions[engine->id][place->at] = function;
    }
    place->kind = NEFF_LOWER_IN_DESC;
    for (uint32_t i = first; i < block->desc_count && hoist_lower_goes_on(&j->c); i += step) {
        const neff_desc *desc = &engine->descs[block->descs + i];
        place->desc = i;
        place->loc = loc_at(at, desc->at);
        neff_lower_move(j, place, desc);
    }
    hoist_builder_end_code(j->c.b);
}

// One function for each ring that has work, in one run of references.
static void add_block(neff_lower_job *j, neff_lower_core *core, const neff_engine *engine,
                      uint32_t index, block_cursor *at)
{
    const neff_block *block = &engine->blocks[index];
    neff_lower_place place = {
        .core = core, .member = engine->text.member, .engine = engine, .at = index};
    const uint32_t working = working_rings(core->subgraph, block);
    (void)rings_of(j, core, block);
    for (uint32_t i = 0; i < working && hoist_lower_goes_on(&j->c); i++) {
        add_function(j, &place, at, i, working);
    }
}

// Activation tables move no data (4.2.1), so their blocks have no functions.
static bool moves_data(const neff_subgraph *s, const neff_block *block)
{
    return block->queue != NEFF_NONE && s->queues[block->queue].type != NEFF_QUEUE_ACT_LOAD;
}

void neff_lower_rings(neff_lower_job *j, neff_lower_core *core)
{
    const neff_subgraph *s = core->subgraph;
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        const neff_engine *engine = &s->engines[e];
        const uint32_t member = engine->text.member;
        block_cursor at = {.source = neff_lower_source(j, core->file, member)};
        if (member != NEFF_NONE) {
            at.bytes = core->file->module->members[member].bytes;
        }
        for (size_t i = 0; i < engine->block_count && hoist_lower_goes_on(&j->c); i++) {
            // Never released: no function.
            if (core->part->streams[e].used[i] && moves_data(s, &engine->blocks[i])) {
                add_block(j, core, engine, (uint32_t)i, &at);
            }
        }
    }
}

// Triggers ---------------------------------------------------------------------------------------

enum { MAX_SIGNALS = 64, MAX_REMOTE = MAX_SIGNALS - 2 }; // its own and an event among them

// The signals at the end of a block.
typedef struct ending {
    hoist_prog_signal signals[MAX_SIGNALS];
    uint32_t count;
} ending;

static void add_signal(ending *e, hoist_ref semaphore, hoist_signal_op op, int64_t value)
{
    HOIST_ASSERT(e->count < MAX_SIGNALS); // of a block: its own, an event, MAX_REMOTE
    e->signals[e->count++] = (hoist_prog_signal){semaphore, op, hoist_lower_number(value)};
}

// Rule 62 has reported numbers out of range in `check`; here they cannot be lowered.
static bool is_semaphore(neff_lower_job *j, const neff_lower_place *place, int64_t number)
{
    if (number < 0 || number >= NEFF_LOWER_SEMAPHORES) {
        neff_lower_refuse(j, RUN_017, place, "the block signals %" PRId64 ", expected 0 to %d",
                          number, NEFF_LOWER_SEMAPHORES - 1);
        return false;
    }
    return true;
}

// The semaphore of a block, else of its set, else that of its set at the position of the ring, else
// the first one (5.4) [inferred]; -1: none.
static int64_t semaphore_of(const neff_queue_set *set, const neff_block *block, uint32_t ring)
{
    if (neff_has(&neff_block_table, block->present, "semaphore")) {
        return block->semaphore;
    }
    if (neff_has(&neff_queue_table, set->present, "semaphore")) {
        return set->semaphore;
    }
    const size_t count = set->semaphore_set.count;
    return count > 0 ? set->semaphore_set.items[ring < count ? ring : 0] : -1;
}

// Signals of the part of a block on `ring`; each semaphore counts up by `amount`.
static void end_block(neff_lower_job *j, const neff_lower_place *place, const neff_block *block,
                      uint32_t ring, int64_t amount, ending *out)
{
    const neff_lower_core *core = place->core;
    const int64_t own = semaphore_of(&core->subgraph->queues[block->queue], block, ring);
    *out = (ending){.count = 0};
    if (block->remote_semaphores.count > MAX_REMOTE) {
        neff_lower_refuse(j, RUN_017, place,
                          "the block signals %zu remote semaphores, expected at most %d",
                          block->remote_semaphores.count, MAX_REMOTE);
        return;
    }
    if (own != -1 && is_semaphore(j, place, own)) {
        add_signal(out, neff_lower_semaphore(j, core, (uint32_t)own), HOIST_SIGNAL_ADD, amount);
    }
    // Without a peer rule 62b has warned.
    for (uint32_t i = 0; core->peer && i < block->remote_semaphores.count; i++) {
        const int64_t remote = block->remote_semaphores.items[i];
        if (is_semaphore(j, place, remote)) {
            add_signal(out, neff_lower_semaphore(j, core->peer, (uint32_t)remote), HOIST_SIGNAL_ADD,
                       amount);
        }
    }
    // Set once by the only ring that runs the block.
    if (neff_has(&neff_block_table, block->present, "event") &&
        is_semaphore(j, place, block->event)) {
        add_signal(out, neff_lower_event(j, core, (uint32_t)block->event), HOIST_SIGNAL_SET, 1);
    }
}

// Tables of activation functions do not matter to data: a trigger signals its end without moving
// bytes.
static void complete_at_once(neff_lower_job *j, const neff_lower_place *place,
                             const neff_block *block)
{
    ending e;
    end_block(j, place, block, 0, ring_count(&place->core->subgraph->queues[block->queue]), &e);
    for (uint32_t i = 0; i < e.count; i++) {
        neff_lower_step(j, place, "",
                        (hoist_prog_step){.kind = HOIST_STEP_SIGNAL, .as.signal = e.signals[i]});
    }
    neff_lower_refuse(j, RUN_026, place, "tables are taken as loaded at once");
}

// Every ring of the set is posted once, with work or idle, so that the semaphore rises by
// num_queues in total (4.3); a block with an event is posted once and counts for all.
static void post_rings(neff_lower_job *j, const neff_lower_place *place, uint32_t index,
                       bool signals)
{
    const neff_lower_core *core = place->core;
    const neff_subgraph *s = core->subgraph;
    const neff_block *block = &place->engine->blocks[index];
    const uint32_t rings = ring_count(&s->queues[block->queue]);
    const uint32_t working = working_rings(s, block);
    const bool alone = neff_has(&neff_block_table, block->present, "event");
    // Its descriptors begin there.
    const uint32_t begin = core->part->streams[place->engine->id].first_ring[index];
    const hoist_ref unit = core->rings[slot_of(s, block)];
    const hoist_ref function = core->functions[place->engine->id][index];
    for (uint32_t i = 0; i < (alone ? 1 : rings) && hoist_lower_goes_on(&j->c); i++) {
        const uint32_t ring = (begin + i) % rings;
        ending e = {.count = 0};
        if (signals) {
            end_block(j, place, block, ring, alone ? rings : 1, &e);
        }
        // Functions of a block are numbered on.
        const hoist_ref part = i < working && function != HOIST_NO_REF ? function + i : j->idle;
        neff_lower_step(j, place, "",
                        (hoist_prog_step){.kind = HOIST_STEP_POST,
                                          .as.call = {.unit = unit + ring,
                                                      .target = {.function = part,
                                                                 .index = hoist_lower_number(0)},
                                                      .signals = e.signals,
                                                      .signal_count = e.count}});
    }
}

void neff_lower_post(neff_lower_job *j, const neff_lower_place *place, uint32_t block)
{
    const neff_block *row = &place->engine->blocks[block];
    const neff_queue_set *set = &place->core->subgraph->queues[row->queue];
    if (set->type == NEFF_QUEUE_ACT_LOAD) {
        complete_at_once(j, place, row);
    } else {
        post_rings(j, place, block, true);
    }
}

// Pinned queues ----------------------------------------------------------------------------------

// Blocks in the order of engines and of `dma` (4.2.1), without signals: nothing can wait for them.
void neff_lower_pinned(neff_lower_job *j, neff_lower_core *core)
{
    const neff_subgraph *s = core->subgraph;
    if (!core->part->has_pinned) {
        return;
    }
    const hoist_str name = hoist_lower_name(&j->c, core->prefix, "load");
    const hoist_ref thread = hoist_builder_begin_thread(j->c.b, &(hoist_prog_thread){.name = name});
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        const neff_engine *engine = &s->engines[e];
        block_cursor at = {.source = neff_lower_source(j, core->file, engine->text.member)};
        for (size_t i = 0; i < engine->block_count && hoist_lower_goes_on(&j->c); i++) {
            const neff_block *block = &engine->blocks[i];
            if (block->queue == NEFF_NONE || !s->queues[block->queue].pinned ||
                !moves_data(s, block)) {
                continue;
            }
            at.bytes = core->file->module->members[engine->text.member].bytes;
            const neff_lower_place place = {.core = core,
                                            .member = engine->text.member,
                                            .loc = loc_at(&at, block->at),
                                            .engine = engine,
                                            .kind = NEFF_LOWER_IN_BLOCK,
                                            .at = (uint32_t)i};
            post_rings(j, &place, (uint32_t)i, false);
        }
    }
    hoist_builder_end_code(j->c.b);
    (void)hoist_lower_add(&j->c, (void **)&j->loaders, &j->loader_count, &j->loader_capacity,
                          &thread, sizeof thread);
}
