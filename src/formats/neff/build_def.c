// def.json of a subgraph that is built: engines, variables, queue sets (neff reference 3.3, 4.1,
// 4.2). In go the caller's structs, out come trees of build_tree.c under the keys of fields.c.
// build_engine.c fills the engines.
#include "base/alloc.h"
#include "base/options.h"
#include "base/span.h"
#include "formats/neff/build.h"

// Subgraphs --------------------------------------------------------------------------------------

// An engine's JSON and stream as members, named after `stem`: "pe" gives pe.json and pe.bin.
static hoist_status add_engine(hoist_neff *neff, neff_build_subgraph *sub, neff_engine_id id,
                               const char *stem)
{
    neff_maker *const m = &neff->maker;
    neff_build_engine *const engine = &sub->engines[id];
    const hoist_str json = hoist_arena_format(&neff->arena, "%s.json", stem);
    const hoist_str bin = hoist_arena_format(&neff->arena, "%s.bin", stem);
    HOIST_TRY_MEMORY(json.data && bin.data);
    neff_made *const root = neff_make_map(m, &neff_engine_table, NULL);
    engine->blocks = neff_make_list(m); // blocks are added to it later
    neff_put(m, root, "dma", engine->blocks);
    neff_put_text(m, root, "instr", bin.data);
    neff_put_text(m, root, "name", stem);
    neff_put_text(m, sub->def, neff_engines[id].key, json.data); // def.json refers to the file
    HOIST_TRY(m->status);
    const neff_build_member file = {
        .path = hoist_arena_format(&neff->arena, "%s/%s", sub->name.data, json.data),
        .source = NEFF_BUILD_TREE,
        .rank = NEFF_RANK_ENGINE,
        .tree = root};
    const neff_build_member stream = {
        .path = hoist_arena_format(&neff->arena, "%s/%s", sub->name.data, bin.data),
        .source = NEFF_BUILD_STREAM,
        .rank = NEFF_RANK_STREAM,
        .stream = &engine->stream};
    HOIST_TRY(file.path.data && stream.path.data ? HOIST_OK : HOIST_NO_MEMORY);
    HOIST_TRY(neff_build_add(neff, &file));
    return neff_build_add(neff, &stream);
}

// def.json with its empty maps, the engines that are not absent, and an item in the kelf.
static hoist_status fill_subgraph(hoist_neff *neff, const hoist_neff_subgraph *o,
                                  neff_build_subgraph *sub)
{
    neff_maker *const m = neff_build_begin(neff);
    sub->def = neff_make_map(m, &neff_def_table, NULL);
    sub->vars = neff_make_map(m, NULL, NULL);
    sub->queues = neff_make_map(m, NULL, NULL);
    neff_put_text(m, sub->def, "name", "definition"); // as an observed file has it
    neff_put_text(m, sub->def, "version", "0.6");
    neff_put(m, sub->def, "dma_queue", sub->queues);
    neff_put(m, sub->def, "var", sub->vars);
    const hoist_str path = hoist_arena_format(&neff->arena, "%s/def.json", sub->name.data);
    HOIST_TRY(path.data ? m->status : HOIST_NO_MEMORY);
    const neff_build_member def = {
        .path = path, .source = NEFF_BUILD_TREE, .rank = NEFF_RANK_DEF, .tree = sub->def};
    HOIST_TRY(neff_build_add(neff, &def));
    for (neff_engine_id i = 0; i < NEFF_ENGINE_COUNT; i++) {
        if (!o->absent[i]) {
            const char *const stem = o->engine_files[i];
            HOIST_TRY(add_engine(neff, sub, i, stem ? stem : neff_engines[i].key));
        }
    }
    // {"definition": "sg00/def.json", "name": "sg00"}.
    neff_made *const graph = neff_make_map(m, NULL, NULL);
    neff_put_text(m, graph, "definition", path.data);
    neff_put_text(m, graph, "name", sub->name.data);
    neff_made_add(m, neff->kelf_graphs, HOIST_STR(""), graph);
    return m->status;
}

// The subgraph is in the table before it is filled, so that destroying frees its streams.
hoist_status hoist_neff_add_subgraph(hoist_neff *neff, const hoist_neff_subgraph *subgraph)
{
    hoist_neff_subgraph own;
    HOIST_TRY(hoist_options_read(subgraph, &own, sizeof(own)));
    void *items = neff->subgraphs;
    HOIST_TRY_MEMORY(hoist_grow(neff->alloc, &items, &neff->subgraph_capacity,
                                neff->subgraph_count + 1, sizeof(neff_build_subgraph *)));
    neff->subgraphs = items;
    neff_build_subgraph *const sub = hoist_arena_alloc(&neff->arena, sizeof(*sub));
    HOIST_TRY_MEMORY(sub);
    sub->name = own.name ? hoist_arena_str(&neff->arena, hoist_str_from(own.name))
                         // "sg00", "sg01" as the format has it.
                         : hoist_arena_format(&neff->arena, "sg%02zu", neff->subgraph_count);
    HOIST_TRY(sub->name.data ? HOIST_OK : HOIST_NO_MEMORY);
    for (size_t i = 0; i < NEFF_ENGINE_COUNT; i++) {
        hoist_buffer_init(&sub->engines[i].stream, neff->alloc);
    }
    neff->subgraphs[neff->subgraph_count++] = sub;
    const hoist_status status = fill_subgraph(neff, &own, sub);
    // A path that is there already: two subgraphs of one name.
    return status == HOIST_BUSY ? HOIST_INVALID : status;
}

// Variables --------------------------------------------------------------------------------------

// Keys without a value are left out, except where the type of the variable requires them.
static neff_made *make_variable(neff_maker *m, const hoist_neff_variable *v, int64_t var_id)
{
    const int type = hoist_rec_word_find(&neff_var_types, hoist_str_from(v->type));
    neff_made *const map = neff_make_map(m, &neff_var_table, NULL);
    neff_put_text(m, map, "type", v->type);
    neff_put_int(m, map, "var_id", v->has_var_id ? v->var_id : var_id);
    // Real files give a state-buffer no size.
    neff_put_given(m, map, "size", v->size || type != NEFF_VAR_STATE_BUFFER, v->size);
    neff_put_given(m, map, "alignment", v->alignment, v->alignment);
    neff_put_text(m, map, "fabric_path", v->fabric_path);
    neff_put_text(m, map, "file_name", v->file_name);
    neff_put_given(m, map, "backing_variable_off",
                   v->backing_variable_off || type == NEFF_VAR_VIRTUAL, v->backing_variable_off);
    neff_put_given(m, map, "referenced_var_id", type == NEFF_VAR_POINTER, v->referenced_var_id);
    if (type == NEFF_VAR_DGE_TABLE) {
        neff_put_ints(m, map, "list", v->list);
    }
    neff_put_given(m, map, "element_size", v->element_size, v->element_size);
    if (v->shape.count) {
        neff_put_ints(m, map, "shape", v->shape);
    }
    neff_put_text(m, map, "dtype", v->dtype);
    neff_put_text(m, map, "backing_buf", v->backing_buf);
    neff_put_keys(m, map, v->keys); // last: these replace fields
    return map;
}

// HOIST_INVALID: no such subgraph, or no name or type.
hoist_status hoist_neff_add_variable(hoist_neff *neff, size_t subgraph,
                                     const hoist_neff_variable *variable)
{
    hoist_neff_variable own;
    HOIST_TRY(hoist_options_read(variable, &own, sizeof(own)));
    neff_build_subgraph *const sub = neff_build_subgraph_at(neff, subgraph);
    if (!sub || !own.name || !own.type) {
        return HOIST_INVALID;
    }
    neff_maker *const m = neff_build_begin(neff);
    // Dense ids by default.
    neff_made *const map = make_variable(m, &own, (int64_t)sub->vars->count);
    neff_made_add(m, sub->vars, neff_build_name(neff, own.name), map);
    // Bit 25: variables above 4 GiB.
    if (own.size > UINT32_MAX) {
        neff_build_feature(neff, NEFF_BIT_LARGE_TENSORS);
    }
    return m->status;
}

// Queue sets -------------------------------------------------------------------------------------

// As make_variable: fields that are not set are left out.
static neff_made *make_queue_set(neff_maker *m, const hoist_neff_queue_set *q)
{
    neff_made *const map = neff_make_map(m, &neff_queue_table, NULL);
    neff_put_text(m, map, "type", q->type);
    neff_put_given(m, map, "num_queues", q->num_queues, q->num_queues); // absent means 1
    neff_put_text(m, map, "owner", q->owner);
    neff_put_true(m, map, "pinned", q->pinned);
    if (q->queue_instances.count) {
        neff_put_names(m, map, "queue_instances", q->queue_instances);
    }
    if (q->semaphore_set.count) {
        neff_put_ints(m, map, "semaphore_set", q->semaphore_set);
    }
    neff_put_given(m, map, "semaphore", q->has_semaphore, q->semaphore);
    neff_put_text(m, map, "fabric_path", q->fabric_path);
    neff_put_keys(m, map, q->keys);
    return map;
}

hoist_status hoist_neff_add_queue_set(hoist_neff *neff, size_t subgraph,
                                      const hoist_neff_queue_set *queue_set)
{
    hoist_neff_queue_set own;
    HOIST_TRY(hoist_options_read(queue_set, &own, sizeof(own)));
    neff_build_subgraph *const sub = neff_build_subgraph_at(neff, subgraph);
    if (!sub || !own.name || !own.type) {
        return HOIST_INVALID;
    }
    neff_maker *const m = neff_build_begin(neff);
    neff_made *const map = make_queue_set(m, &own);
    neff_made_add(m, sub->queues, neff_build_name(neff, own.name), map);
    // Bits that follow from the type or from instances (features.c has the rule for files).
    const int type = hoist_rec_word_find(&neff_queue_types, hoist_str_from(own.type));
    if (own.queue_instances.count) {
        neff_build_feature(neff, NEFF_BIT_INSTANCES);
    }
    if (type == NEFF_QUEUE_ACT_LOAD) {
        neff_build_feature(neff, NEFF_BIT_ACT_LOAD);
    }
    if (type == NEFF_QUEUE_DYNAMIC) {
        neff_build_feature(neff, NEFF_BIT_DGE);
    }
    return m->status;
}
