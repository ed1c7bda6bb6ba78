// The kelfs that nodes of neff.json name, and the subgraphs that they list (neff reference 2.5,
// 3.1): in go the nodes of graph_read.c, out come kelfs and subgraphs with name, folder and the
// member of their definition, which def_read.c reads.
#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/graph.h"
#include "formats/neff/tape.h"
#include "formats/neff/text.h"

hoist_status neff_member_resolve(const neff_module *module, hoist_arena *arena, hoist_str folder,
                                 hoist_str name, uint32_t *out_member)
{
    *out_member = NEFF_NONE;
    // As of tar names, see without_dot.
    const size_t dot = hoist_str_starts_with(name, "./") ? 2 : 0;
    const hoist_str rest = hoist_str_slice(name, dot, name.size);
    // Joined and then compared as text: "." and ".." have no meaning among members.
    const size_t slash = folder.size > 0 && !hoist_str_ends_with(folder, "/");
    char *const path = hoist_arena_alloc(arena, folder.size + slash + rest.size);
    HOIST_TRY_MEMORY(path);
    size_t size = 0;
    for (; size < folder.size; size++) {
        path[size] = folder.data[size];
    }
    if (slash) {
        path[size++] = '/';
    }
    for (size_t i = 0; i < rest.size; i++) {
        path[size++] = rest.data[i];
    }
    *out_member = neff_member_find(module, (hoist_str){path, size});
    return HOIST_OK;
}

// Folder of a path with its slash; empty when there is none.
static hoist_str folder_of(hoist_str path)
{
    size_t size = path.size;
    while (size > 0 && path.data[size - 1] != '/') {
        size--;
    }
    return hoist_str_slice(path, 0, size);
}

// The kelf that `node` names, unless another node has named it before: then they share it. One that
// is missing is reported at the node and leaves no kelf.
static hoist_status read_kelf(neff_reader *r, uint32_t node)
{
    neff_module *const module = r->module;
    const neff_node *const n = &module->graph.nodes[node];
    const hoist_json *const graph = &module->graph.text.json;
    uint32_t member = NEFF_NONE;
    HOIST_TRY(neff_member_resolve(module, r->arena, HOIST_STR(""), n->kelf, &member));
    if (member == NEFF_NONE) {
        neff_enter(module, r->diag, module->graph.text.member);
        // The format has a place for the kelf's name in both cases, which is empty in the second.
        neff_report(r->diag, NEFF_023a, neff_token_loc(r, graph, neff_tape_at(graph, n->at)),
                    n->kelf.size ? "kelf node '%.*s' names '%.*s', which is not in the archive"
                                 : "kelf node '%.*s' names no kelf%.*s",
                    HOIST_STR_ARGS(n->name), HOIST_STR_ARGS(n->kelf));
        return HOIST_OK;
    }
    if (module->members[member].role == NEFF_ROLE_KELF) { // read already
        return HOIST_OK;
    }
    neff_kelf *const kelf = &module->kelfs[module->kelf_count++];
    kelf->node = node;
    // After a kelf that is no JSON its texts are empty, and its generation that of an empty
    // spelling.
    HOIST_TRY(neff_text_try(r, member, NEFF_ROLE_KELF, &kelf->text));
    HOIST_TRY(neff_tape_str(&kelf->text.json, 0, "version", r->arena, &kelf->version));
    HOIST_TRY(neff_tape_str(&kelf->text.json, 0, "target", r->arena, &kelf->target));
    kelf->generation = neff_generation_of_spelling(kelf->target);
    return HOIST_OK;
}

hoist_status neff_read_kelfs(neff_reader *r)
{
    neff_module *const module = r->module;
    // As many kelfs as there are nodes for them, at most.
    const neff_graph *const graph = &module->graph;
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        count += graph->nodes[i].is_kelf;
    }
    module->kelfs = hoist_arena_array(r->arena, count, sizeof(module->kelfs[0]));
    HOIST_TRY_MEMORY(module->kelfs);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (graph->nodes[i].is_kelf) {
            hoist_frame outer;
            hoist_frame frame;
            // Findings have the object path nodes/NAME.
            hoist_diag_push(r->diag, &outer, NULL, HOIST_STR(""), HOIST_STR("nodes"));
            hoist_diag_push(r->diag, &frame, NULL, HOIST_STR(""), graph->nodes[i].name);
            const hoist_status status = read_kelf(r, i);
            hoist_diag_pop(r->diag, &frame);
            hoist_diag_pop(r->diag, &outer);
            HOIST_TRY(status);
        }
    }
    return HOIST_OK;
}

// Subgraphs --------------------------------------------------------------------------------------

// The list of a kelf's subgraphs; 0: there is none.
static hoist_json_index graphs_of(const neff_kelf *kelf)
{
    const hoist_json_index graphs = neff_tape_find(&kelf->text.json, 0, "graphs");
    return neff_tape_is(&kelf->text.json, graphs, HOIST_JSON_ARRAY) ? graphs : 0;
}

// {"definition": "sg00/def.json", "name": "sg00"}
static hoist_status read_item(neff_reader *r, hoist_json_index item, neff_subgraph *subgraph)
{
    const hoist_json *const json = &r->module->kelfs[subgraph->kelf].text.json;
    hoist_str definition;
    HOIST_TRY(neff_tape_str(json, item, "name", r->arena, &subgraph->name));
    HOIST_TRY(neff_tape_str(json, item, "definition", r->arena, &definition));
    HOIST_TRY(
        neff_member_resolve(r->module, r->arena, HOIST_STR(""), definition, &subgraph->def.member));
    neff_member *const member =
        subgraph->def.member != NEFF_NONE ? &r->module->members[subgraph->def.member] : NULL;
    subgraph->folder = folder_of(member ? member->name : definition);
    if (subgraph->name.size == 0 && subgraph->folder.size > 0) { // "sg00" of "sg00/"
        subgraph->name = hoist_str_slice(subgraph->folder, 0, subgraph->folder.size - 1);
    }
    if (!member || member->role == NEFF_ROLE_DEF) {
        // A definition that is missing, or that another subgraph has: each core has its own. With
        // one definition for all, a small kelf could have a large def.json read any number of
        // times.
        const neff_kelf *const kelf = &r->module->kelfs[subgraph->kelf];
        const hoist_json_index value = neff_tape_find(json, item, "definition");
        const hoist_loc loc = neff_token_loc(r, json, value ? value : item);
        neff_enter(r->module, r->diag, kelf->text.member);
        if (subgraph->def.member != NEFF_NONE) {
            neff_report(r->diag, NEFF_024a, loc,
                        "definition '%.*s' is that of another subgraph, expected one of its own",
                        HOIST_STR_ARGS(definition));
        } else if (definition.size) {
            neff_report(r->diag, NEFF_024a, loc, "definition '%.*s' is not in the archive",
                        HOIST_STR_ARGS(definition));
        } else {
            neff_report(r->diag, NEFF_024a, loc,
                        "the subgraph has no definition, expected the path of its def.json");
        }
        subgraph->def.member = NEFF_NONE; // the subgraph stays, without content
    } else {
        member->role = NEFF_ROLE_DEF;
    }
    return HOIST_OK;
}

// The list has at most as many items as its text has bytes; neff_make_subgraphs has counted them.
static hoist_status read_items(neff_reader *r, uint32_t kelf)
{
    neff_module *const module = r->module;
    const hoist_json *const json = &module->kelfs[kelf].text.json;
    const hoist_json_index graphs = graphs_of(&module->kelfs[kelf]);
    hoist_json_index item = graphs + 1;
    for (uint32_t i = 0; graphs && i < hoist_json_size(json, graphs); i++) {
        neff_subgraph *const subgraph = &module->subgraphs[module->subgraph_count++];
        subgraph->kelf = kelf;
        hoist_map_init(&subgraph->var_names, module->base.alloc);
        hoist_map_init(&subgraph->queue_names, module->base.alloc);
        hoist_map_init(&subgraph->instance_names, module->base.alloc);
        // What an engine without a file looks like, in case that reading stops before it.
        for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
            subgraph->engines[e] = (neff_engine){
                .id = (neff_engine_id)e, .text = {.member = NEFF_NONE}, .instr = NEFF_NONE};
        }
        HOIST_TRY(read_item(r, item, subgraph));
        item = hoist_json_next(json, item);
    }
    return HOIST_OK;
}

// All subgraphs of all kelfs in one table, in the order of nodes and of their lists.
hoist_status neff_make_subgraphs(neff_reader *r)
{
    neff_module *const module = r->module;
    size_t count = 0;
    for (uint32_t i = 0; i < module->kelf_count; i++) {
        const hoist_json_index graphs = graphs_of(&module->kelfs[i]);
        count += graphs ? hoist_json_size(&module->kelfs[i].text.json, graphs) : 0;
    }
    module->subgraphs = hoist_arena_array(r->arena, count, sizeof(module->subgraphs[0]));
    HOIST_TRY_MEMORY(module->subgraphs);
    for (uint32_t i = 0; i < module->kelf_count; i++) {
        HOIST_TRY(read_items(r, i));
    }
    return HOIST_OK;
}
