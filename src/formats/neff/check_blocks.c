// Rules 46 to 48, 62 and 65: the blocks of `dma` (neff reference 4.3, 4.7). Rule 45 is reading's.
// In go rows, out come findings, for which engine_check.c reads the block again; check_descs.c has
// what is in the blocks.
#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/neff/engine_check.h"
#include "formats/neff/pattern.h"
#include "formats/neff/stream_index.h"

enum { MOST_EVENTS = 256 }; // of a core, on every generation

// True when the key has a value of its kind.
static bool has(const neff_block *block, const char *key)
{
    return neff_has(&neff_block_table, block->present, key);
}

static const neff_generation_row *limits(const neff_engine_check *e)
{
    return &neff_generations[e->c->generation];
}

// Queues: rules 46 and 47 -------------------------------------------------------------------------

// Rule 46a, of a name that was never declared in a block that has it. The row keeps only the index,
// so the name is read from the text.
static void check_name(neff_engine_check *e, uint32_t i, const char *key, const hoist_map *names,
                       const char *what)
{
    size_t index = 0;
    const neff_engine_spot spot = neff_block_spot(i, key);
    const hoist_str name = neff_engine_text(e, spot);
    if (!hoist_map_find(names, name, &index)) {
        neff_engine_report(e, NEFF_046a, spot, "%s '%.*s' is not declared", what,
                           HOIST_STR_ARGS(name));
    }
}

// Rule 46. The instance counts when both are there; the queue set is still looked up.
static void check_queue(neff_engine_check *e, uint32_t i, const neff_block *block)
{
    const bool queue = has(block, "queue");
    const bool instance = has(block, "instance_name");
    if (queue && instance) {
        neff_engine_report(e, NEFF_046b, neff_block_spot(i, "queue"),
                           "both 'queue' and 'instance_name', of which the second one counts");
    }
    if (instance && block->instance == NEFF_NONE) {
        check_name(e, i, "instance_name", &e->subgraph->instance_names, "instance");
    }
    if (queue && (instance || block->queue == NEFF_NONE)) {
        check_name(e, i, "queue", &e->subgraph->queue_names, "queue set");
    }
    // Neither in the row: reported only when neither is in the text, as reading has reported a
    // value of another kind.
    if (!queue && !instance && neff_engine_lacks(e, neff_block_spot(i, "queue")) &&
        neff_engine_lacks(e, neff_block_spot(i, "instance_name"))) {
        neff_engine_report(
            e, NEFF_046a, neff_block_spot(i, NULL),
            "a block with neither 'queue' nor 'instance_name', expected one of them");
    }
}

// Rule 47: triggers come from the owner, so its file is where the blocks are looked for.
static void check_owner(neff_engine_check *e, uint32_t i, const neff_block *block)
{
    if (block->queue == NEFF_NONE) {
        return;
    }
    const neff_queue_set *queue = &e->subgraph->queues[block->queue];
    if (queue->owner >= 0 && queue->owner != (int32_t)e->engine->id) {
        const char *key = block->instance != NEFF_NONE ? "instance_name" : "queue";
        neff_engine_report(e, NEFF_047, neff_block_spot(i, key),
                           "a block of '%.*s' for %s, expected in the file of its owner %s",
                           HOIST_STR_ARGS(queue->name), neff_engines[e->engine->id].key,
                           neff_engines[queue->owner].key);
    }
}

// Keys of later generations: rule 48b -------------------------------------------------------------

// The rows of fields.c know which keys came with generation 2; remote_semaphores, of generation 3,
// are rule 62b's.
static void check_since(neff_engine_check *e, uint32_t i, const neff_block *block)
{
    if (e->c->generation != NEFF_GEN1) {
        return;
    }
    for (size_t row = 0; row < neff_block_table.count; row++) {
        const hoist_rec_field *field = &neff_block_table.fields[row];
        // Only keys that the block has.
        if (field->since == NEFF_SINCE_GEN2 && (block->present >> row & 1)) {
            neff_engine_report(e, NEFF_048b, neff_block_spot(i, field->key),
                               "'%s' is not there on inf1", field->key);
        }
    }
}

// Signals: rule 62 --------------------------------------------------------------------------------

// True when a number is below `count`; else it was reported.
static bool check_number(neff_engine_check *e, neff_engine_spot spot, int64_t number,
                         unsigned count)
{
    const bool good = number >= 0 && number < (int64_t)count;
    if (!good) {
        neff_engine_report(e, NEFF_062a, spot, "'%s' is %" PRId64 ", expected 0 to %u", spot.key,
                           number, count - 1);
    }
    return good;
}

// Rule 62: an event and a semaphore to signal here, semaphores of the other core to signal there.
static void check_signals(neff_engine_check *e, uint32_t i, const neff_block *block)
{
    if (has(block, "event")) {
        (void)check_number(e, neff_block_spot(i, "event"), block->event, MOST_EVENTS);
    }
    if (has(block, "semaphore")) {
        (void)check_number(e, neff_block_spot(i, "semaphore"), block->semaphore,
                           limits(e)->semaphores);
    }
    neff_engine_spot spot = neff_block_spot(i, "remote_semaphores");
    if (block->remote_semaphores.count == 0) {
        return;
    }
    if (e->c->module->header.lnc_size < 2) { // 0 is 1: an old writer
        neff_engine_report(e, NEFF_062b, spot,
                           "'remote_semaphores' with an lnc_size of %" PRIu32
                           ", expected 2: there is no other core",
                           e->c->module->header.lnc_size);
    }
    if (!limits(e)->remote_semaphores) {
        neff_engine_report(e, NEFF_062b, spot, "'remote_semaphores' on %s, expected %s or later",
                           limits(e)->target, neff_generations[NEFF_GEN3].target);
    }
    bool good = true; // one finding is enough for a list of any length
    for (uint32_t k = 0; good && k < block->remote_semaphores.count; k++) {
        spot.item = k;
        good = check_number(e, spot, block->remote_semaphores.items[k], limits(e)->semaphores);
    }
}

// Functions: rule 48a -----------------------------------------------------------------------------

// Rule 48a: a function_start names a function of the stream. Without a stream there are no
// functions to look among, which is rule 66's.
static hoist_status check_functions(neff_engine_check *e)
{
    if (e->engine->function_count == 0 || e->engine->instr == NEFF_NONE) {
        return HOIST_OK;
    }
    neff_stream stream;
    const hoist_status status =
        neff_stream_index(e->c->module, e->engine, e->c->generation, &e->c->arena, &stream);
    for (uint32_t i = 0; status == HOIST_OK && i < e->engine->block_count; i++) {
        if (has(&e->engine->blocks[i], "function_start")) {
            size_t index = 0;
            const neff_engine_spot spot = neff_block_spot(i, "function_start");
            const hoist_str name = neff_engine_text(e, spot);
            // "" is the main program.
            if (name.size > 0 && !hoist_map_find(&stream.routine_names, name, &index)) {
                neff_engine_report(e, NEFF_048a, spot, "function '%.*s' is not in '%.*s'",
                                   HOIST_STR_ARGS(name), HOIST_STR_ARGS(e->engine->instr_name));
            }
        }
    }
    neff_stream_deinit(&stream);
    return status;
}

// Trigger amounts: rule 65 ------------------------------------------------------------------------

// A block among those of its ring, function and id, which one trigger releases alike.
typedef struct block_key {
    uint64_t entries; // that both sides take in the ring
    int64_t id;
    uint32_t queue;
    uint32_t instance;
    uint32_t function;
    uint32_t block; // position in `dma`, the last key of the order
} block_key;

// Equal when a trigger cannot distinguish the blocks.
static int compare_group(const block_key *a, const block_key *b)
{
    int order = hoist_order_u64(a->queue, b->queue);
    order = order ? order : hoist_order_u64(a->instance, b->instance);
    order = order ? order : hoist_order_u64(a->function, b->function);
    return order ? order : hoist_order_i64(a->id, b->id);
}

static int compare_keys(const void *left, const void *right)
{
    const block_key *a = left;
    const block_key *b = right;
    const int order = compare_group(a, b);
    return order ? order : hoist_order_u64(a->block, b->block);
}

// Adds the entries of a side; false when it is no pattern. Sums stay at UINT64_MAX.
static bool add_entries(const neff_engine *engine, const neff_pattern *pattern, uint64_t *sum)
{
    const neff_access access = neff_access_of(engine, pattern);
    const uint64_t entries = access.dims ? neff_access_entries(&access) : 0;
    *sum = entries > UINT64_MAX - *sum ? UINT64_MAX : *sum + entries;
    return access.dims > 0;
}

// Ring entries of both sides of a block [inferred], as 4.5.6 estimates them; false when a pattern
// of it is unknown, so that one fault does not make a second one.
static bool entries_of(const neff_engine *engine, const neff_block *block, uint64_t *out_entries)
{
    bool known = true;
    *out_entries = 0;
    for (uint32_t i = 0; known && i < block->desc_count; i++) {
        const neff_desc *desc = &engine->descs[block->descs + i];
        known = add_entries(engine, &desc->to, out_entries);
        for (uint32_t k = 0; known && k < desc->source_count; k++) {
            known = add_entries(engine, &engine->sources[desc->sources + k].from, out_entries);
        }
    }
    return known;
}

// The blocks that can be compared, in groups, each in the order of `dma`.
static size_t sort_blocks(const neff_engine *engine, block_key *keys)
{
    size_t count = 0;
    for (uint32_t i = 0; i < engine->block_count; i++) {
        const neff_block *block = &engine->blocks[i];
        uint64_t entries = 0;
        if (block->queue != NEFF_NONE && has(block, "id") && entries_of(engine, block, &entries)) {
            keys[count++] =
                (block_key){entries, block->id, block->queue, block->instance, block->function, i};
        }
    }
    qsort(keys, count, sizeof(keys[0]), compare_keys);
    return count;
}

// A block with another amount than the first of its group.
typedef struct odd_block {
    uint64_t entries;
    uint64_t expected; // entries of the first of its group
    uint32_t first;    // NEFF_NONE: nothing
} odd_block;

// Rule 65: a trigger moves the ring's tail by a fixed amount, which the loader takes from the id.
static hoist_status check_amounts(neff_engine_check *e)
{
    const size_t count = e->engine->block_count;
    hoist_arena arena; // of its own: freed before the next engine's tables are made
    hoist_arena_init(&arena, e->c->module->base.alloc);
    block_key *keys = hoist_arena_array(&arena, count, sizeof(*keys));
    odd_block *odds = hoist_arena_array(&arena, count, sizeof(*odds));
    if (keys && odds) {
        for (size_t i = 0; i < count; i++) {
            odds[i].first = NEFF_NONE;
        }
        // Each block against the first of its group. Findings come in the order of the file, since
        // a place is found quickly only from one near by, so they are noted by block first.
        const size_t sorted = sort_blocks(e->engine, keys);
        size_t first = 0;
        for (size_t i = 1; i < sorted; i++) {
            if (compare_group(&keys[first], &keys[i]) != 0) {
                first = i;
            } else if (keys[first].entries != keys[i].entries) {
                odds[keys[i].block] =
                    (odd_block){keys[i].entries, keys[first].entries, keys[first].block};
            }
        }
        for (uint32_t i = 0; i < count; i++) {
            if (odds[i].first != NEFF_NONE) {
                const neff_block *block = &e->engine->blocks[i];
                neff_engine_report(e, NEFF_065, neff_block_spot(i, "id"),
                                   "a block of id %" PRId64 " on '%.*s' with %" PRIu64
                                   " ring entries, expected %" PRIu64 " as block %" PRIu32 " has",
                                   block->id,
                                   HOIST_STR_ARGS(e->subgraph->queues[block->queue].name),
                                   odds[i].entries, odds[i].expected, odds[i].first);
            }
        }
    }
    hoist_arena_deinit(&arena);
    return keys && odds ? HOIST_OK : HOIST_NO_MEMORY;
}

// Engines -----------------------------------------------------------------------------------------

static hoist_status check_engine(neff_engine_check *e)
{
    for (uint32_t i = 0; i < e->engine->block_count; i++) {
        const neff_block *block = &e->engine->blocks[i];
        // Files may have millions of blocks.
        HOIST_TRY(hoist_deadline_look(e->c->module->base.deadline));
        check_queue(e, i, block);
        check_owner(e, i, block);
        check_since(e, i, block);
        check_signals(e, i, block);
    }
    HOIST_TRY(check_functions(e));
    return check_amounts(e);
}

hoist_status neff_check_blocks(neff_check *c)
{
    return neff_check_each_engine(c, check_engine);
}
