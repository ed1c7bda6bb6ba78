// Rules 30 and 36 to 42: the queue sets of def.json (neff reference 4.2). In go their rows and what
// blocks and streams do with them, out come findings in def.json, and for uses in the member that
// has them. check_window.c has the pinned sets' bytes.
#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "formats/neff/check_memory.h"
#include "formats/neff/def_check.h"
#include "formats/neff/stream_index.h"

// How many there are (4.2): semaphores of a set; rings of a core; queues of a core [re].
enum { SET_SEMAPHORES = 32, CORE_RINGS = 32, CORE_QUEUES = 11 * 16 };

// The uses of a queue set in the rest of the file.
typedef struct queue_use {
    uint32_t blocks;
    const neff_engine *engine; // of the first block
    uint32_t at;               // of the first block in the engine's text
    size_t index;              // of the first block in `dma`
    bool triggered;
} queue_use;

// True when the key has a value of its kind.
static bool has(const neff_queue_set *queue, const char *key)
{
    return neff_has(&neff_queue_table, queue->present, key);
}

// Of the effective generation; of "*" those that all share.
static const neff_generation_row *limits(const neff_def_check *d)
{
    return &neff_generations[d->c->generation];
}

// Rules 30, 36 and 37 -----------------------------------------------------------------------------

// Rules 36a, 36b and 30. A missing type is reading's.
static void check_type(neff_def_check *d, const neff_queue_set *queue)
{
    if (has(queue, "type") && queue->type < 0) {
        neff_report(d->c->diag, NEFF_036a, neff_def_at(d, queue->at, "type"),
                    "type '%.*s' is not known, expected one like 'data'",
                    HOIST_STR_ARGS(queue->type_text));
    }
    if (queue->type == NEFF_QUEUE_ACT_LOAD) {
        neff_report(d->c->diag, NEFF_036b, neff_def_at(d, queue->at, "type"),
                    "type 'act_load' is known to the loader, but not documented");
    }
    if (queue->fabric < 0) {
        neff_report(d->c->diag, NEFF_030, neff_def_at(d, queue->at, "fabric_path"),
                    "'fabric_path' is neither 'main' nor 'alt'");
    }
}

// Rule 37a. The owner does the triggers, so it has to be an engine that def.json names a file for.
static void check_owner(neff_def_check *d, const neff_queue_set *queue)
{
    if (!has(queue, "owner")) {
        return; // reading has reported it
    }
    const hoist_loc loc = neff_def_at(d, queue->at, "owner");
    if (queue->owner < 0) {
        neff_report(d->c->diag, NEFF_037a, loc,
                    "owner '%.*s' is no engine, expected pe, act, pool, dve or sp",
                    HOIST_STR_ARGS(queue->owner_text));
    } else if (!neff_tape_find(d->json, 0, neff_engines[queue->owner].key)) {
        neff_report(d->c->diag, NEFF_037a, loc, "owner '%s' is no engine of this subgraph",
                    neff_engines[queue->owner].key);
    }
}

// Types of which the loader takes one queue and no instances.
static bool is_single(const neff_queue_set *queue)
{
    return queue->type == NEFF_QUEUE_IN || queue->type == NEFF_QUEUE_OUT ||
           queue->type == NEFF_QUEUE_EMBEDDING_UPDATE;
}

// Rule 38: the loader refuses these, a warning without --strict.
static void check_single(neff_def_check *d, const neff_queue_set *queue)
{
    if (is_single(queue) && queue->num_queues > 1) {
        neff_report(d->c->diag, NEFF_038, neff_def_at(d, queue->at, "num_queues"),
                    "'num_queues' is %" PRId64 " on a set of type '%.*s', expected 1",
                    queue->num_queues, HOIST_STR_ARGS(queue->type_text));
    }
    if (is_single(queue) && queue->instances.count > 0) {
        neff_report(d->c->diag, NEFF_038, neff_def_at(d, queue->at, "queue_instances"),
                    "'queue_instances' on a set of type '%.*s', expected none",
                    HOIST_STR_ARGS(queue->type_text));
    }
}

// Rules 39a and 39b. Pinned sets ran at model start on generation 1; nothing signals when they are
// done.
static void check_pin(neff_def_check *d, const neff_queue_set *queue)
{
    if (!queue->pinned) {
        return;
    }
    if (d->c->generation >= NEFF_GEN2) { // silent when the generation is unknown
        neff_report(d->c->diag, NEFF_039a, neff_def_at(d, queue->at, "pinned"),
                    "a pinned queue set on %s, expected on inf1 only", limits(d)->target);
    }
    static const char *const keys[] = {"semaphore", "semaphore_set"};
    for (size_t i = 0; i < HOIST_COUNT_OF(keys); i++) {
        if (neff_def_there(d, queue->at, keys[i])) {
            neff_report(d->c->diag, NEFF_039b, neff_def_at(d, queue->at, keys[i]),
                        "a pinned queue set with '%s', which nothing can wait for", keys[i]);
        }
    }
}

// Rule 40 -----------------------------------------------------------------------------------------

static bool is_semaphore(const neff_def_check *d, int64_t number)
{
    return number >= 0 && number < (int64_t)limits(d)->semaphores;
}

// Rule 40: numbers within the core's, at most 32 of them, and one form of the two.
static void check_semaphores(neff_def_check *d, const neff_queue_set *queue)
{
    const hoist_loc loc = neff_def_at(d, queue->at, "semaphore");
    if (has(queue, "semaphore") && !is_semaphore(d, queue->semaphore)) {
        neff_report(d->c->diag, NEFF_040a, loc, "'semaphore' is %" PRId64 ", expected 0 to %u",
                    queue->semaphore, limits(d)->semaphores - 1);
    }
    const hoist_json_index object = neff_tape_at(d->json, queue->at);
    hoist_json_index item = neff_tape_find(d->json, object, "semaphore_set") + 1;
    if (queue->semaphore_set.count > SET_SEMAPHORES) {
        neff_report(d->c->diag, NEFF_040a, neff_def_at(d, queue->at, "semaphore_set"),
                    "'semaphore_set' has %zu semaphores, expected at most %d",
                    queue->semaphore_set.count, SET_SEMAPHORES);
    }
    for (uint32_t i = 0; i < queue->semaphore_set.count; i++) {
        if (!is_semaphore(d, queue->semaphore_set.items[i])) {
            neff_report(d->c->diag, NEFF_040a, neff_tape_loc(&d->cursor, d->json, item),
                        "item %" PRIu32 " of 'semaphore_set' is %" PRId64 ", expected 0 to %u", i,
                        queue->semaphore_set.items[i], limits(d)->semaphores - 1);
        }
        item = hoist_json_next(d->json, item);
    }
    // Both at once: which of them rises is not public.
    if (has(queue, "semaphore") && has(queue, "semaphore_set")) {
        neff_report(d->c->diag, NEFF_040b, loc,
                    "both 'semaphore' and 'semaphore_set', expected one of them");
    }
    // With several queues each has a semaphore of its own, in the order of the set.
    if (has(queue, "semaphore") && queue->num_queues > 1) {
        neff_report(d->c->diag, NEFF_040b, loc,
                    "a single 'semaphore' for %" PRId64 " queues, expected 'semaphore_set'",
                    queue->num_queues);
    }
}

// Rule 41 -----------------------------------------------------------------------------------------

// Rule 41: triggers and blocks name sets and instances in one space, so a name may occur once.
static void check_instances(neff_def_check *d, const neff_queue_set *queue)
{
    const neff_subgraph *const s = d->subgraph;
    const hoist_json_index object = neff_tape_at(d->json, queue->at);
    hoist_json_index item = neff_tape_find(d->json, object, "queue_instances") + 1;
    if (queue->instances.count > 0 && d->c->generation == NEFF_GEN1) {
        neff_report(d->c->diag, NEFF_041, neff_def_at(d, queue->at, "queue_instances"),
                    "'queue_instances' on inf1, which has none");
    }
    for (uint32_t i = 0; i < queue->instances.count; i++) {
        const hoist_str name = queue->instances.items[i];
        const hoist_loc loc = neff_tape_loc(&d->cursor, d->json, item);
        size_t other = 0;
        // The map has the first instance of a name; a later one finds another index.
        if (hoist_map_find(&s->instance_names, name, &other) &&
            other != queue->first_instance + i) {
            neff_report(d->c->diag, NEFF_041, loc, "'%.*s' is an instance of '%.*s' already",
                        HOIST_STR_ARGS(name),
                        HOIST_STR_ARGS(s->queues[s->instances[other].queue].name));
        }
        if (hoist_map_find(&s->queue_names, name, &other)) {
            neff_report(d->c->diag, NEFF_041, loc,
                        "'%.*s' is the name of a queue set, expected another",
                        HOIST_STR_ARGS(name));
        }
        item = hoist_json_next(d->json, item);
    }
}

// What uses the sets: rules 36c, 36d, 39d ---------------------------------------------------------

// What blocks of all engines do with each set; the first block is where a finding is placed.
static void count_blocks(const neff_subgraph *subgraph, queue_use *uses)
{
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        const neff_engine *const engine = &subgraph->engines[e];
        for (size_t i = 0; i < engine->block_count; i++) {
            if (engine->blocks[i].queue == NEFF_NONE) {
                continue;
            }
            queue_use *const use = &uses[engine->blocks[i].queue];
            if (use->blocks++ == 0) {
                use->engine = engine;
                use->at = engine->blocks[i].at;
                use->index = i;
            }
        }
    }
}

// The queue set that a trigger names, also by an instance; NEFF_NONE: rule 68 reports it. Sets go
// before instances of the same name.
static uint32_t set_of(const neff_subgraph *subgraph, hoist_str name)
{
    size_t index = 0;
    if (hoist_map_find(&subgraph->queue_names, name, &index)) {
        return (uint32_t)index;
    }
    return hoist_map_find(&subgraph->instance_names, name, &index)
               ? subgraph->instances[index].queue
               : NEFF_NONE;
}

// Rule 39d, at a record of the stream. Findings go back to def.json afterwards.
static void check_trigger(neff_def_check *d, const neff_engine *engine, uint32_t number,
                          const neff_queue_set *queue)
{
    char path[32];
    hoist_frame frame;
    (void)snprintf(path, sizeof(path), "record %" PRIu32, number);
    neff_enter(d->c->module, d->c->diag, engine->instr);
    hoist_diag_push(d->c->diag, &frame, NULL, HOIST_STR(""), hoist_str_from(path));
    neff_report(d->c->diag, NEFF_039d, hoist_loc_byte((uint64_t)number * NEFF_RECORD_SIZE),
                "a trigger of '%.*s', which is pinned: it ran when the model started",
                HOIST_STR_ARGS(queue->name));
    hoist_diag_pop(d->c->diag, &frame);
    neff_enter(d->c->module, d->c->diag, d->subgraph->def.member);
}

// One pass over all streams: which sets are triggered, and triggers of pinned ones. Records are
// decoded without an index of functions, since the name is all that counts.
static void check_triggers(neff_def_check *d, queue_use *uses)
{
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        const neff_engine *const engine = &d->subgraph->engines[e];
        if (engine->instr == NEFF_NONE) {
            continue;
        }
        const hoist_bytes bytes = d->c->module->members[engine->instr].bytes;
        // Bytes of a last, incomplete record are rule 66's.
        for (uint32_t i = 0; i < bytes.size / NEFF_RECORD_SIZE; i++) {
            const neff_record record =
                neff_record_decode(bytes.data + (size_t)i * NEFF_RECORD_SIZE, d->c->generation);
            if (record.opcode != NEFF_DMA_TRIGGER) {
                continue;
            }
            const uint32_t set = set_of(d->subgraph, neff_trigger_of(&record).queue);
            if (set != NEFF_NONE) {
                uses[set].triggered = true;
            }
            if (set != NEFF_NONE && d->subgraph->queues[set].pinned) {
                check_trigger(d, engine, i, &d->subgraph->queues[set]);
            }
        }
    }
}

// Rule 36d: blocks in the file on a set whose descriptors are made at run time, reported at the
// first of them.
static void check_dynamic(neff_def_check *d, const neff_queue_set *queue, const queue_use *use)
{
    char path[32];
    hoist_frame frame;
    neff_cursor cursor = {0};
    const hoist_bytes text = d->c->module->members[use->engine->text.member].bytes;
    (void)snprintf(path, sizeof(path), "dma/%zu", use->index);
    neff_enter(d->c->module, d->c->diag, use->engine->text.member);
    hoist_diag_push(d->c->diag, &frame, NULL, HOIST_STR(""), hoist_str_from(path));
    neff_report(d->c->diag, NEFF_036d, hoist_loc_pos(neff_place(&cursor, text, use->at)),
                "%" PRIu32 " %s on the dynamic queue set '%.*s', expected none", use->blocks,
                hoist_plural(use->blocks, "block", "blocks"), HOIST_STR_ARGS(queue->name));
    hoist_diag_pop(d->c->diag, &frame);
    neff_enter(d->c->module, d->c->diag, d->subgraph->def.member);
}

// Two passes, so that findings in def.json come before those in engine files.
static void check_uses(neff_def_check *d, const queue_use *uses)
{
    for (uint32_t i = 0; i < d->subgraph->queue_count; i++) {
        const neff_queue_set *const queue = &d->subgraph->queues[i];
        if (queue->type == NEFF_QUEUE_EMBEDDING_UPDATE && (uses[i].blocks || uses[i].triggered)) {
            neff_def_path path;
            neff_def_push(d, &path, "dma_queue", queue->name);
            neff_report(d->c->diag, NEFF_036c, neff_def_at(d, queue->at, "type"),
                        "an embedding_update set in use, which cannot be executed here");
            neff_def_pop(d, &path);
        }
    }
    for (uint32_t i = 0; i < d->subgraph->queue_count; i++) {
        const neff_queue_set *const queue = &d->subgraph->queues[i];
        if (queue->type == NEFF_QUEUE_DYNAMIC && uses[i].blocks) {
            check_dynamic(d, queue, &uses[i]);
        }
    }
}

// Rule 42 -----------------------------------------------------------------------------------------

// Rule 42. A set has as many rings as instances, or one.
static void check_totals(neff_def_check *d)
{
    const neff_subgraph *const s = d->subgraph;
    uint64_t queues = 0;
    uint64_t rings = 0;
    for (uint32_t i = 0; i < s->queue_count; i++) {
        const neff_queue_set *const queue = &s->queues[i];
        // A number that is out of range has its own finding, and counts as one queue here.
        queues +=
            queue->num_queues >= 1 && queue->num_queues <= 16 ? (uint64_t)queue->num_queues : 1;
        rings += queue->instances.count ? queue->instances.count : 1;
    }
    if (queues > CORE_QUEUES) {
        neff_report(d->c->diag, NEFF_042, neff_def_loc(d, "dma_queue"),
                    "the queue sets have %" PRIu64 " queues, expected at most %d", queues,
                    CORE_QUEUES);
    }
    if (rings > CORE_RINGS) {
        neff_report(d->c->diag, NEFF_042, neff_def_loc(d, "dma_queue"),
                    "the queue sets have %" PRIu64 " rings, expected at most %d", rings,
                    CORE_RINGS);
    }
}

// First each set by itself, then all together, then their uses.
static hoist_status check_queues(neff_def_check *d)
{
    const neff_subgraph *const s = d->subgraph;
    queue_use *const uses = hoist_arena_array(&d->c->arena, s->queue_count, sizeof(*uses));
    HOIST_TRY_MEMORY(uses);
    for (uint32_t i = 0; i < s->queue_count; i++) {
        const neff_queue_set *const queue = &s->queues[i];
        neff_def_path path;
        neff_def_push(d, &path, "dma_queue", queue->name);
        check_type(d, queue);
        const unsigned most = limits(d)->queues;
        if (queue->num_queues < 1 || queue->num_queues > most) {
            neff_report(d->c->diag, NEFF_036a, neff_def_at(d, queue->at, "num_queues"),
                        most == 1 ? "'num_queues' is %" PRId64 ", expected %u"
                                  : "'num_queues' is %" PRId64 ", expected 1 to %u",
                        queue->num_queues, most);
        }
        check_owner(d, queue);
        check_single(d, queue);
        check_pin(d, queue);
        check_semaphores(d, queue);
        check_instances(d, queue);
        neff_def_pop(d, &path);
    }
    check_totals(d);
    count_blocks(s, uses);
    check_triggers(d, uses);
    check_uses(d, uses);
    return neff_check_pinned(d);
}

hoist_status neff_check_queues(neff_check *c)
{
    return neff_check_each_def(c, check_queues);
}
