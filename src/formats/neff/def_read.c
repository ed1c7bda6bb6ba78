// def.json: the variables and queue sets of a subgraph, and the names of its engines' files (neff
// reference 3.3, 4.1, 4.2). In goes the member that kelf_read.c found, out come the tables of
// neff_subgraph; then engine_read.c reads the engines and alias_read.c the shared inputs. What
// values mean is checked in check_def.c and check_queues.c.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/order.h"
#include "base/span.h"
#include "formats/neff/neff.h"
#include "formats/neff/tape.h"
#include "formats/neff/text.h"

typedef struct def_reader {
    neff_reader *r;
    neff_subgraph *subgraph;
    const hoist_json *json; // of def.json
} def_reader;

// The member of def.json that is at hand.
typedef struct def_member {
    hoist_json_index key; // token of the name
    hoist_json_index value;
    hoist_str name;
} def_member;

// How many members the object has that is the value of `key`, and the token of the first. No
// object: 0; a value of another kind is reported by `rule`.
static uint32_t members_of(const def_reader *d, const char *key, neff_rule rule,
                           hoist_json_index *out_first)
{
    const hoist_json_index object = neff_tape_find(d->json, 0, key);
    *out_first = object + 1;
    if (neff_tape_is(d->json, object, HOIST_JSON_OBJECT)) {
        return hoist_json_size(d->json, object);
    }
    if (object) {
        neff_report_value(d->r, (uint16_t)rule, d->json, object, key, "an object");
    }
    return 0;
}

// Steps to the member at `*at` and moves `*at` after it.
static hoist_status next_member(const def_reader *d, hoist_json_index *at, def_member *out_member)
{
    out_member->key = *at;
    out_member->value = hoist_json_next(d->json, *at);
    out_member->name = hoist_json_string(d->json, *at, d->r->arena);
    *at = hoist_json_next(d->json, out_member->value);
    // Empty names are allowed, NULL is not.
    return out_member->name.data ? HOIST_OK : HOIST_NO_MEMORY;
}

// The row for a name: a new one, or that of the name's first occurrence, which it replaces: of
// equal keys the last wins, as in Python's json.
static hoist_status claim_row(hoist_map *names, hoist_str name, uint32_t *count, size_t *out_row)
{
    const hoist_status status = hoist_map_add(names, name, *count, out_row);
    if (status == HOIST_OK) {
        *out_row = (*count)++;
    }
    return status == HOIST_BUSY ? HOIST_OK : status; // the name was there
}

// Fields of one variable or queue set; one that is no object has all its fallbacks.
static hoist_status read_object(def_reader *d, const char *path, const hoist_rec_table *table,
                                const def_member *member, void *object, uint64_t *out_present)
{
    hoist_frame outer;
    hoist_frame frame;
    // Object paths are var/NAME and dma_queue/NAME.
    hoist_diag_push(d->r->diag, &outer, NULL, HOIST_STR(""), hoist_str_from(path));
    hoist_diag_push(d->r->diag, &frame, NULL, HOIST_STR(""), member->name);
    const hoist_status status =
        neff_read_fields(d->r, table, d->json, member->value, object, out_present);
    hoist_diag_pop(d->r->diag, &frame);
    hoist_diag_pop(d->r->diag, &outer);
    return status;
}

// Variables --------------------------------------------------------------------------------------

static hoist_status read_vars(def_reader *d)
{
    neff_subgraph *const s = d->subgraph;
    hoist_json_index at = 0;
    const uint32_t count = members_of(d, "var", NEFF_026a, &at);
    // Of equal names only one row is used.
    s->vars = hoist_arena_array(d->r->arena, count, sizeof(s->vars[0]));
    HOIST_TRY_MEMORY(s->vars);
    for (uint32_t i = 0; i < count; i++) {
        def_member member;
        size_t row = 0;
        HOIST_TRY(next_member(d, &at, &member));
        HOIST_TRY(claim_row(&s->var_names, member.name, &s->var_count, &row));
        neff_var *const var = &s->vars[row];
        // Everything that a name occurring twice had before is forgotten.
        *var = (neff_var){.name = member.name,
                          .at = d->json->tokens[member.value].start,
                          .member = NEFF_NONE,
                          .referenced = NEFF_NONE,
                          .alias = NEFF_NONE};
        HOIST_TRY(read_object(d, "var", &neff_var_table, &member, var, &var->present));
    }
    return HOIST_OK;
}

// A variable's place in the order of var_ids.
typedef struct def_id {
    int64_t var_id;
    uint32_t index;
    bool absent; // after all others
} def_id;

static int compare_ids(const void *left, const void *right)
{
    const def_id *const a = left;
    const def_id *const b = right;
    // Ascending ids, in file order among equal ones, so that bisection finds the first of them.
    int order = a->absent - b->absent;
    order = order ? order : hoist_order_i64(a->var_id, b->var_id);
    return order ? order : hoist_order_u64(a->index, b->index);
}

// by_id: what pointers, tables and collectives refer to is looked up in it.
static hoist_status order_ids(def_reader *d)
{
    neff_subgraph *const s = d->subgraph;
    const hoist_allocator alloc = d->r->module->base.alloc;
    s->by_id = hoist_arena_array(d->r->arena, s->var_count, sizeof(s->by_id[0]));
    if (!s->by_id || s->var_count == 0) { // a table of no rows is not NULL
        return s->by_id ? HOIST_OK : HOIST_NO_MEMORY;
    }
    const size_t size = s->var_count * sizeof(def_id);
    def_id *const ids = hoist_alloc(alloc, size);
    HOIST_TRY_MEMORY(ids);
    for (uint32_t i = 0; i < s->var_count; i++) {
        const neff_var *const var = &s->vars[i];
        ids[i] = (def_id){var->var_id, i, !neff_has(&neff_var_table, var->present, "var_id")};
    }
    qsort(ids, s->var_count, sizeof(ids[0]), compare_ids);
    for (uint32_t i = 0; i < s->var_count; i++) {
        s->by_id[i] = ids[i].index;
    }
    hoist_free(alloc, ids, size);
    return HOIST_OK;
}

uint32_t neff_var_by_id(const neff_subgraph *subgraph, int64_t var_id)
{
    const def_id expected = {var_id, 0, false}; // index 0: before all of that id
    uint32_t low = 0;
    uint32_t high = subgraph->var_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const uint32_t index = subgraph->by_id[middle];
        // Lower bound, over the same order as in order_ids.
        const neff_var *const var = &subgraph->vars[index];
        const def_id id = {var->var_id, index, !neff_has(&neff_var_table, var->present, "var_id")};
        if (compare_ids(&id, &expected) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == subgraph->var_count) {
        return NEFF_NONE;
    }
    const neff_var *const var = &subgraph->vars[subgraph->by_id[low]];
    const bool found = var->var_id == var_id && neff_has(&neff_var_table, var->present, "var_id");
    return found ? subgraph->by_id[low] : NEFF_NONE;
}

// What variables refer to: the payload of a file, the target of a pointer. Missing ones stay
// NEFF_NONE, for rules 31a and 33a.
static hoist_status resolve_vars(def_reader *d)
{
    neff_subgraph *const s = d->subgraph;
    for (uint32_t i = 0; i < s->var_count; i++) {
        neff_var *const var = &s->vars[i];
        if (var->type == NEFF_VAR_FILE && var->file_name.size > 0) {
            // The payload of a `file` variable: in the folder of its `prefix`, which is one of the
            // archive [inferred], else in that of def.json.
            neff_module *const module = d->r->module;
            hoist_arena *const arena = d->r->arena;
            hoist_str folder = d->subgraph->folder;
            if (var->prefix.size > 0) {
                HOIST_TRY(
                    neff_member_resolve(module, arena, var->prefix, var->file_name, &var->member));
            }
            if (var->member == NEFF_NONE) {
                HOIST_TRY(neff_member_resolve(module, arena, folder, var->file_name, &var->member));
            }
            // A member that is known as something else stays that: roles are for rule 19 alone.
            if (var->member != NEFF_NONE &&
                module->members[var->member].role == NEFF_ROLE_UNKNOWN) {
                module->members[var->member].role = NEFF_ROLE_CONSTANT;
            }
        }
        if (var->type == NEFF_VAR_POINTER &&
            neff_has(&neff_var_table, var->present, "referenced_var_id")) {
            var->referenced = neff_var_by_id(s, var->referenced_var_id);
        }
    }
    return HOIST_OK;
}

// Queue sets -------------------------------------------------------------------------------------

static hoist_status read_queues(def_reader *d)
{
    neff_subgraph *const s = d->subgraph;
    hoist_json_index at = 0;
    const uint32_t count = members_of(d, "dma_queue", NEFF_026b, &at);
    s->queues = hoist_arena_array(d->r->arena, count, sizeof(s->queues[0]));
    HOIST_TRY_MEMORY(s->queues);
    for (uint32_t i = 0; i < count; i++) {
        def_member member;
        size_t row = 0;
        HOIST_TRY(next_member(d, &at, &member));
        HOIST_TRY(claim_row(&s->queue_names, member.name, &s->queue_count, &row));
        neff_queue_set *const queue = &s->queues[row];
        // Present and fallbacks are read next.
        *queue = (neff_queue_set){.name = member.name, .at = d->json->tokens[member.value].start};
        HOIST_TRY(read_object(d, "dma_queue", &neff_queue_table, &member, queue, &queue->present));
    }
    return HOIST_OK;
}

// Instances of all sets in one table; those of a set follow each other from first_instance on. The
// first set that has a name keeps it in the map; check_queues.c reports the others.
static hoist_status read_instances(def_reader *d)
{
    neff_subgraph *const s = d->subgraph;
    size_t count = 0;
    for (uint32_t i = 0; i < s->queue_count; i++) {
        count += s->queues[i].instances.count;
    }
    s->instances = hoist_arena_array(d->r->arena, count, sizeof(s->instances[0]));
    HOIST_TRY_MEMORY(s->instances);
    for (uint32_t i = 0; i < s->queue_count; i++) {
        neff_queue_set *const queue = &s->queues[i];
        queue->first_instance = s->instance_count;
        for (uint32_t k = 0; k < queue->instances.count; k++) {
            const neff_instance instance = {queue->instances.items[k], i};
            const hoist_status status =
                hoist_map_add(&s->instance_names, instance.name, s->instance_count, NULL);
            if (status == HOIST_NO_MEMORY) {
                return status;
            }
            s->instances[s->instance_count++] = instance;
        }
    }
    return HOIST_OK;
}

// Engines ----------------------------------------------------------------------------------------

// The order matters: engines refer to variables and queue sets by name, pointers to var_ids.
hoist_status neff_read_subgraph(neff_reader *r, neff_subgraph *subgraph)
{
    const uint32_t member = subgraph->def.member;
    if (member == NEFF_NONE) {
        return HOIST_OK;
    }
    HOIST_TRY(neff_text_try(r, member, NEFF_ROLE_DEF, &subgraph->def));
    if (subgraph->def.json.count == 0) {
        return HOIST_OK;
    }
    def_reader d = {.r = r, .subgraph = subgraph, .json = &subgraph->def.json};
    uint64_t present = 0;
    // Its kinds only: no slot.
    HOIST_TRY(neff_read_fields(r, &neff_def_table, d.json, 0, NULL, &present));
    HOIST_TRY(read_vars(&d));
    HOIST_TRY(order_ids(&d));
    HOIST_TRY(resolve_vars(&d));
    HOIST_TRY(read_queues(&d));
    HOIST_TRY(read_instances(&d));
    for (int i = 0; i < NEFF_ENGINE_COUNT; i++) {
        hoist_str file; // empty: no such engine
        HOIST_TRY(neff_tape_str(d.json, 0, neff_engines[i].key, d.r->arena, &file));
        HOIST_TRY(neff_read_engine(d.r, d.subgraph, &d.subgraph->engines[i], file));
    }
    return neff_read_aliases(r, subgraph);
}

void neff_subgraph_deinit(neff_module *module, neff_subgraph *subgraph)
{
    for (int i = 0; i < NEFF_ENGINE_COUNT; i++) {
        neff_engine_deinit(module, &subgraph->engines[i]);
    }
    hoist_map_deinit(&subgraph->var_names);
    hoist_map_deinit(&subgraph->queue_names);
    hoist_map_deinit(&subgraph->instance_names);
    neff_text_free(&subgraph->def);
}
