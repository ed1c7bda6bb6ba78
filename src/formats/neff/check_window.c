// Rules 39c, 39e and 44: what blocks write in the state buffer, against what pinned queue sets
// filled at the start (neff reference 4.2.1) and what the runtime keeps for itself (3.3). In go the
// descriptors of a subgraph, out come findings; footprint.c has the sets of bytes.
//
// All state-buffer variables are names of the one window (4.1.1), so bytes are compared by their
// place in it.
#include <stdio.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/neff/check_memory.h"

// A walk over the descriptors of a subgraph, with the set that their writes are compared with.
typedef struct desc_walk {
    neff_def_check *d;
    neff_footprint *set;
    const neff_engine *engine;
    neff_cursor cursors[NEFF_ENGINE_COUNT]; // of the engines' texts
} desc_walk;

// The budget of a set is used up. Without a rule from the caller the status alone says so.
static hoist_status fail_limit(neff_def_check *d)
{
    if (d->c->options && d->c->options->limit_rule) {
        hoist_report(d->c->diag, d->c->options->limit_rule, hoist_loc_none(),
                     "the blocks and reservations of '%.*s' are in more places of the state buffer "
                     "than are looked at",
                     HOIST_STR_ARGS(d->subgraph->name));
    }
    return HOIST_LIMIT;
}

// Reports at a descriptor of the walk's engine; `what` ends the sentence. Findings go back to
// def.json afterwards.
static void report_desc(desc_walk *w, neff_rule rule, const neff_block *block,
                        const neff_desc *desc, const char *what)
{
    char path[64];
    neff_check *const c = w->d->c;
    hoist_frame frame;
    neff_cursor *const cursor = &w->cursors[w->engine->id];
    const hoist_bytes text = c->module->members[w->engine->text.member].bytes;
    (void)snprintf(path, sizeof(path), "dma/%zu/desc/%zu", (size_t)(block - w->engine->blocks),
                   (size_t)(desc - w->engine->descs) - block->descs);
    neff_enter(c->module, c->diag, w->engine->text.member);
    hoist_diag_push(c->diag, &frame, NULL, HOIST_STR(""), hoist_str_from(path));
    neff_report(c->diag, rule, hoist_loc_pos(neff_place(cursor, text, desc->at)),
                "the block of '%.*s' %s",
                HOIST_STR_ARGS(block->queue != NEFF_NONE ? w->d->subgraph->queues[block->queue].name
                                                         : HOIST_STR("an unknown queue set")),
                what);
    hoist_diag_pop(c->diag, &frame);
    neff_enter(c->module, c->diag, w->d->subgraph->def.member);
}

// True when a side is in the state buffer.
static bool is_window(const neff_subgraph *subgraph, const neff_pattern *pattern)
{
    return pattern->var != NEFF_NONE && subgraph->vars[pattern->var].type == NEFF_VAR_STATE_BUFFER;
}

// Reports each descriptor of the block that writes bytes of the set, with the first such byte.
// HOIST_LIMIT.
static hoist_status check_writes(desc_walk *w, const neff_block *block, neff_rule rule,
                                 const char *whose)
{
    for (uint32_t i = 0; i < block->desc_count; i++) {
        HOIST_TRY(hoist_deadline_look(w->d->c->module->base.deadline));
        const neff_desc *const desc = &w->engine->descs[block->descs + i];
        neff_runs runs;
        uint32_t byte = NEFF_NONE;
        char what[128];
        if (!is_window(w->d->subgraph, &desc->to) ||
            !neff_window_runs(w->engine, &desc->to, &runs)) { // out of the window: rule 55
            continue;
        }
        HOIST_TRY(neff_footprint_meets(w->set, &runs, &byte));
        if (byte != NEFF_NONE) {
            (void)snprintf(what, sizeof(what), "writes byte %u of partition %u, which %s",
                           byte % (uint32_t)NEFF_PARTITION_STRIDE,
                           byte / (uint32_t)NEFF_PARTITION_STRIDE, whose);
            report_desc(w, rule, block, desc, what);
        }
    }
    return HOIST_OK;
}

// Reservations ------------------------------------------------------------------------------------

// An integer of 0 to `below`, inclusive.
static bool number_of(const neff_def_check *d, hoist_json_index item, const char *key,
                      uint64_t below, uint64_t *out_number)
{
    const hoist_json_index value = neff_tape_find(d->json, item, key);
    return value && hoist_json_u64(d->json, value, out_number) && *out_number <= below;
}

// Bytes [begin, end) of each of some partitions: {"type": "evtaccel", "offset": 229368, "size": 8,
// "base_partition": 0, "partitions": 128}
typedef struct reservation {
    uint32_t begin;
    uint32_t end;
    uint32_t base; // first partition
    uint32_t partitions;
} reservation;

static int compare_reservations(const void *left, const void *right)
{
    const reservation *const a = left;
    const reservation *const b = right;
    return hoist_order_u64(a->begin, b->begin);
}

// False: one that is incomplete or not in the window reserves nothing. Each limit depends on the
// value before it, so that no sum leaves the window.
static bool read_reservation(const neff_def_check *d, hoist_json_index item,
                             reservation *out_reservation)
{
    uint64_t offset = 0;
    uint64_t size = 0;
    uint64_t base = 0;
    uint64_t partitions = 0;
    if (!number_of(d, item, "offset", (uint64_t)NEFF_PARTITION_STRIDE, &offset) ||
        !number_of(d, item, "size", (uint64_t)NEFF_PARTITION_STRIDE - offset, &size) ||
        !number_of(d, item, "base_partition", NEFF_PARTITIONS, &base) ||
        !number_of(d, item, "partitions", NEFF_PARTITIONS - base, &partitions)) {
        return false;
    }
    *out_reservation = (reservation){(uint32_t)offset, (uint32_t)(offset + size), (uint32_t)base,
                                     (uint32_t)partitions};
    return true;
}

// Adds them in the order of their first bytes, so that none is added twice: of each partition all
// below `reach` has been looked at. A list of thousands of equal reservations costs no budget.
static hoist_status add_reservations(const reservation *list, size_t count, neff_footprint *set)
{
    uint32_t reach[NEFF_PARTITIONS] = {0};
    for (size_t i = 0; i < count; i++) {
        const reservation *const r = &list[i];
        for (uint32_t p = r->base; p < r->base + r->partitions; p++) {
            const uint32_t begin = r->begin > reach[p] ? r->begin : reach[p];
            if (begin < r->end) {
                HOIST_TRY(neff_footprint_range(set, p * (uint32_t)NEFF_PARTITION_STRIDE + begin,
                                               r->end - begin));
                reach[p] = r->end;
            }
        }
    }
    return HOIST_OK;
}

// Reads the list of def.json; wrong items are left out.
static hoist_status collect_reservations(const neff_def_check *d, hoist_json_index list,
                                         neff_footprint *set)
{
    const uint32_t size = hoist_json_size(d->json, list);
    reservation *const items = hoist_arena_array(&d->c->arena, size, sizeof(items[0]));
    size_t count = 0;
    HOIST_TRY_MEMORY(items);
    hoist_json_index item = list + 1;
    for (uint32_t i = 0; i < size; i++) {
        count += read_reservation(d, item, &items[count]);
        item = hoist_json_next(d->json, item);
    }
    qsort(items, count, sizeof(items[0]), compare_reservations);
    return add_reservations(items, count, set);
}

static hoist_status check_reserved(neff_def_check *d, hoist_json_index list, neff_footprint *set)
{
    HOIST_TRY(collect_reservations(d, list, set));
    desc_walk w = {.d = d, .set = set};
    for (int e = 0; e < NEFF_ENGINE_COUNT && set->high > 0; e++) { // an empty set is met by nothing
        w.engine = &d->subgraph->engines[e];
        for (size_t i = 0; i < w.engine->block_count; i++) {
            HOIST_TRY(
                check_writes(&w, &w.engine->blocks[i], NEFF_044, "is reserved for the runtime"));
        }
    }
    return HOIST_OK;
}

hoist_status neff_check_reservations(neff_def_check *d)
{
    static const char key[] = "runtime_statebuffer_reservation";
    const hoist_json_index list = neff_tape_find(d->json, 0, key);
    // Rule 44, first part: generation 3 is refused without the key; others may have it.
    if (!list && neff_generations[d->c->generation].reservation) {
        neff_report(d->c->diag, NEFF_044, neff_tape_loc(&d->cursor, d->json, 0),
                    "the subgraph has no '%s', which %s wants", key,
                    neff_generations[d->c->generation].target);
    }
    if (!neff_tape_is(d->json, list, HOIST_JSON_ARRAY) || hoist_json_size(d->json, list) == 0) {
        return HOIST_OK;
    }
    neff_footprint set;
    hoist_status status = neff_footprint_init(&set, d->c->module->base.alloc);
    if (status == HOIST_OK) {
        status = check_reserved(d, list, &set);
    }
    neff_footprint_deinit(&set);
    // A deadline counts before a limit: it is the caller's own.
    HOIST_TRY(hoist_deadline_look(d->c->module->base.deadline));
    return status == HOIST_LIMIT ? fail_limit(d) : status;
}

// Pinned queue sets -------------------------------------------------------------------------------

// A block on a pinned queue set, by which the blocks of a set come together.
typedef struct pinned_block {
    uint32_t queue;
    uint32_t engine;
    size_t block;
} pinned_block;

// By set, then by engine in the loader's order, then in file order: the order in which they run.
static int compare_pinned(const void *left, const void *right)
{
    const pinned_block *const a = left;
    const pinned_block *const b = right;
    int order = hoist_order_u64(a->queue, b->queue);
    order = order ? order : hoist_order_u64(a->engine, b->engine);
    return order ? order : hoist_order_u64(a->block, b->block);
}

// True when the block runs at model start and never again.
static bool is_pinned(const neff_subgraph *subgraph, const neff_block *block)
{
    return block->queue != NEFF_NONE && subgraph->queues[block->queue].pinned;
}

static hoist_status collect_pinned(neff_def_check *d, pinned_block **out_blocks, size_t *out_count)
{
    const neff_subgraph *const s = d->subgraph;
    size_t count = 0;
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        for (size_t i = 0; i < s->engines[e].block_count; i++) {
            count += is_pinned(s, &s->engines[e].blocks[i]);
        }
    }
    *out_blocks = hoist_arena_array(&d->c->arena, count, sizeof(**out_blocks));
    *out_count = 0;
    HOIST_TRY_MEMORY(*out_blocks);
    for (uint32_t e = 0; e < NEFF_ENGINE_COUNT; e++) {
        for (size_t i = 0; i < s->engines[e].block_count; i++) {
            const neff_block *const block = &s->engines[e].blocks[i];
            if (is_pinned(s, block)) {
                (*out_blocks)[(*out_count)++] = (pinned_block){block->queue, e, i};
            }
        }
    }
    qsort(*out_blocks, *out_count, sizeof(**out_blocks), compare_pinned);
    return HOIST_OK;
}

// Rule 39c: a pinned queue set may move constants and inputs into the state buffer, nothing else.
// Unknown variables are rule 51's.
static void check_ends_of(desc_walk *w, const neff_block *block, const neff_desc *desc)
{
    const neff_subgraph *const s = w->d->subgraph;
    if (desc->to.var != NEFF_NONE && !is_window(s, &desc->to)) {
        report_desc(w, NEFF_039c, block, desc,
                    "is pinned and writes to no state-buffer, expected one");
    }
    for (uint32_t i = 0; i < desc->source_count; i++) {
        const uint32_t var = w->engine->sources[desc->sources + i].from.var;
        if (var != NEFF_NONE && s->vars[var].type != NEFF_VAR_FILE &&
            s->vars[var].type != NEFF_VAR_INPUT) {
            report_desc(w, NEFF_039c, block, desc,
                        "is pinned and reads what is neither file nor input, expected one of them");
        }
    }
}

// Bytes that a block fills, added to `filled`; its ends are checked on the way.
static hoist_status add_writes(desc_walk *w, const neff_block *block, neff_footprint *filled)
{
    for (uint32_t i = 0; i < block->desc_count; i++) {
        HOIST_TRY(hoist_deadline_look(w->d->c->module->base.deadline));
        const neff_desc *const desc = &w->engine->descs[block->descs + i];
        neff_runs runs;
        check_ends_of(w, block, desc);
        if (is_window(w->d->subgraph, &desc->to) && neff_window_runs(w->engine, &desc->to, &runs)) {
            HOIST_TRY(neff_footprint_add(filled, &runs));
        }
    }
    return HOIST_OK;
}

// Rule 39e: one pinned queue set after the other, each against what those before it filled, then
// all other blocks. A set may write its own bytes twice, so they enter `all` only when it is
// complete.
static hoist_status check_filled(neff_def_check *d, const pinned_block *blocks, size_t count,
                                 neff_footprint *all, neff_footprint *own)
{
    static const char whose[] = "a pinned queue set filled";
    desc_walk w = {.d = d, .set = all};
    for (size_t i = 0; i < count; i++) {
        w.engine = &d->subgraph->engines[blocks[i].engine];
        const neff_block *const block = &w.engine->blocks[blocks[i].block];
        HOIST_TRY(check_writes(&w, block, NEFF_039e, whose));
        HOIST_TRY(add_writes(&w, block, own));
        if (i + 1 == count || blocks[i + 1].queue != blocks[i].queue) { // the last block of its set
            neff_footprint_take(all, own);
        }
    }
    for (int e = 0; e < NEFF_ENGINE_COUNT && all->high > 0; e++) {
        w.engine = &d->subgraph->engines[e];
        for (size_t i = 0; i < w.engine->block_count; i++) {
            if (!is_pinned(d->subgraph, &w.engine->blocks[i])) {
                HOIST_TRY(check_writes(&w, &w.engine->blocks[i], NEFF_039e, whose));
            }
        }
    }
    return HOIST_OK;
}

hoist_status neff_check_pinned(neff_def_check *d)
{
    pinned_block *blocks = NULL;
    size_t count = 0;
    HOIST_TRY(collect_pinned(d, &blocks, &count));
    if (count == 0) {
        return HOIST_OK;
    }
    neff_footprint all = {0};
    neff_footprint own = {0};
    hoist_status status = neff_footprint_init(&all, d->c->module->base.alloc);
    if (status == HOIST_OK) {
        status = neff_footprint_init(&own, d->c->module->base.alloc);
    }
    if (status == HOIST_OK) {
        status = check_filled(d, blocks, count, &all, &own);
    }
    neff_footprint_deinit(&all);
    neff_footprint_deinit(&own);
    HOIST_TRY(hoist_deadline_look(d->c->module->base.deadline));
    return status == HOIST_LIMIT ? fail_limit(d) : status;
}
