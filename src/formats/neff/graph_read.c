// neff.json: an NNVM-style graph whose kelf nodes name kelf members, each a list of subgraphs
// (neff reference 3.1 and 3.2). Shapes of the graph itself are judged in check_graph.c; here only
// what keeps the rest from being read.
#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/graph.h"
#include "formats/neff/neff.h"
#include "formats/neff/tape.h"
#include "formats/neff/text.h"

hoist_json_index neff_graph_root(const hoist_json *json)
{
    if (neff_tape_find(json, 0, "nodes")) {
        return 0;
    }
    const hoist_json_index graphs = neff_tape_find(json, 0, "graphs");
    if (neff_tape_is(json, graphs, HOIST_JSON_ARRAY) && hoist_json_size(json, graphs) > 0) {
        return hoist_json_first(json, graphs);
    }
    return neff_tape_is(json, graphs, HOIST_JSON_OBJECT) ? graphs : 0;
}

hoist_json_index neff_graph_list(const hoist_json *json, hoist_json_index root, const char *name)
{
    // A pair: the kind of list in words, and the list.
    const hoist_json_index attrs = neff_tape_find(json, root, "attrs");
    const hoist_json_index pair = attrs ? neff_tape_find(json, attrs, name) : 0;
    if (!neff_tape_is(json, pair, HOIST_JSON_ARRAY) || hoist_json_size(json, pair) != 2) {
        return 0;
    }
    const hoist_json_index list = hoist_json_next(json, hoist_json_first(json, pair));
    return neff_tape_is(json, list, HOIST_JSON_ARRAY) ? list : 0;
}

// Nodes ------------------------------------------------------------------------------------------

static hoist_status read_node(neff_reader *r, hoist_json_index at, neff_node *node)
{
    const hoist_json *const json = &r->module->graph.text.json;
    hoist_str function;
    const hoist_json_index attrs = neff_tape_find(json, at, "attrs");
    node->at = json->tokens[at].start;
    HOIST_TRY(neff_tape_str(json, at, "name", r->arena, &node->name));
    HOIST_TRY(neff_tape_str(json, at, "op", r->arena, &node->op));
    node->is_null = hoist_str_equal_c(node->op, "null");
    if (attrs) {
        HOIST_TRY(neff_tape_str(json, attrs, "func_name", r->arena, &function));
        HOIST_TRY(neff_tape_str(json, attrs, "kelf", r->arena, &node->kelf));
        node->is_kelf =
            hoist_str_equal_c(node->op, "tvm_op") && hoist_str_equal_c(function, "__kelf");
    }
    node->is_kelf = node->is_kelf || hoist_str_equal_c(node->op, "__kelf");
    return HOIST_OK;
}

static hoist_status read_nodes(neff_reader *r, hoist_json_index root)
{
    neff_graph *const graph = &r->module->graph;
    const hoist_json *const json = &graph->text.json;
    const hoist_json_index nodes = neff_tape_find(json, root, "nodes");
    if (!neff_tape_is(json, nodes, HOIST_JSON_ARRAY)) {
        return HOIST_OK;
    }
    const uint32_t count = hoist_json_size(json, nodes);
    graph->nodes = hoist_arena_array(r->arena, count, sizeof(graph->nodes[0]));
    if (!graph->nodes) {
        return HOIST_NO_MEMORY;
    }
    graph->node_count = count;
    hoist_json_index at = nodes + 1;
    for (uint32_t i = 0; i < count; i++) {
        HOIST_TRY(read_node(r, at, &graph->nodes[i]));
        at = hoist_json_next(json, at);
    }
    return HOIST_OK;
}

// Entries ----------------------------------------------------------------------------------------

hoist_status neff_graph_rows(const neff_graph *graph, hoist_arena *arena, uint32_t **out_rows)
{
    *out_rows = NULL;
    const hoist_json *const json = &graph->text.json;
    const hoist_json_index root = neff_graph_root(json);
    const hoist_json_index list = neff_tape_find(json, root, "node_row_ptr");
    const hoist_json_index dtypes = neff_graph_list(json, root, "dltype");
    const hoist_json_index shapes = neff_graph_list(json, root, "shape");
    if (!neff_tape_is(json, list, HOIST_JSON_ARRAY) || !dtypes || !shapes ||
        hoist_json_size(json, list) != graph->node_count + 1) {
        return HOIST_OK;
    }
    uint32_t *const rows = hoist_arena_array(arena, (size_t)graph->node_count + 1, sizeof(*rows));
    if (!rows) {
        return HOIST_NO_MEMORY;
    }
    // What the lists hold bounds the table of entries, however large a number the file gives.
    const uint32_t most = hoist_json_size(json, dtypes) < hoist_json_size(json, shapes)
                              ? hoist_json_size(json, dtypes)
                              : hoist_json_size(json, shapes);
    hoist_json_index at = list + 1;
    for (uint32_t i = 0; i <= graph->node_count; i++) {
        uint64_t row = 0;
        if (!hoist_json_u64(json, at, &row) || row > most || (i > 0 && row < rows[i - 1]) ||
            (i == 0 && row != 0)) {
            return HOIST_OK;
        }
        rows[i] = (uint32_t)row;
        at = hoist_json_next(json, at);
    }
    *out_rows = rows;
    return HOIST_OK;
}

// Splits `text` at its commas; spaces around the names do not count.
static hoist_status split_names(neff_reader *r, hoist_str text, neff_strs *out_names)
{
    uint32_t count = text.size > 0;
    for (size_t i = 0; i < text.size; i++) {
        count += text.data[i] == ',';
    }
    hoist_str *const names = hoist_arena_array(r->arena, count, sizeof(*names));
    if (!names) {
        return HOIST_NO_MEMORY;
    }
    size_t start = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t end = start;
        while (end < text.size && text.data[end] != ',') {
            end++;
        }
        hoist_str name = hoist_str_slice(text, start, end - start);
        while (name.size && name.data[0] == ' ') {
            name = hoist_str_slice(name, 1, name.size);
        }
        while (name.size && name.data[name.size - 1] == ' ') {
            name.size--;
        }
        names[i] = name;
        start = end + 1;
    }
    *out_names = (neff_strs){names, count};
    return HOIST_OK;
}

static hoist_status list_names(neff_reader *r, hoist_json_index list, neff_strs *out_names)
{
    const hoist_json *const json = &r->module->graph.text.json;
    const uint32_t count = hoist_json_size(json, list);
    hoist_str *const names = hoist_arena_array(r->arena, count, sizeof(*names));
    if (!names) {
        return HOIST_NO_MEMORY;
    }
    hoist_json_index at = list + 1;
    for (uint32_t i = 0; i < count; i++) {
        if (hoist_json_kind_of(json, at) == HOIST_JSON_STRING) {
            names[i] = hoist_json_string(json, at, r->arena);
            if (!names[i].data) {
                return HOIST_NO_MEMORY;
            }
        }
        at = hoist_json_next(json, at);
    }
    *out_names = (neff_strs){names, count};
    return HOIST_OK;
}

// Names of a node's outputs: writers spell the key and the value in two ways each.
static hoist_status output_names(neff_reader *r, const neff_node *node, neff_strs *out_names)
{
    *out_names = (neff_strs){0};
    const hoist_json *const json = &r->module->graph.text.json;
    const hoist_json_index at = neff_tape_at(json, node->at);
    const hoist_json_index attrs = neff_tape_find(json, at, "attrs");
    hoist_json_index names = attrs ? neff_tape_find(json, attrs, "output_names") : 0;
    names = names || !attrs ? names : neff_tape_find(json, attrs, "output");
    if (neff_tape_is(json, names, HOIST_JSON_ARRAY)) {
        return list_names(r, names, out_names);
    }
    if (neff_tape_is(json, names, HOIST_JSON_STRING)) {
        const hoist_str text = hoist_json_string(json, names, r->arena);
        return text.data ? split_names(r, text, out_names) : HOIST_NO_MEMORY;
    }
    return HOIST_OK;
}

// Entries of one node, which are graph->entries[first ... end-1].
static hoist_status name_entries(neff_reader *r, uint32_t node, uint32_t first, uint32_t end)
{
    neff_graph *const graph = &r->module->graph;
    neff_strs names = {0};
    if (!graph->nodes[node].is_null) {
        HOIST_TRY(output_names(r, &graph->nodes[node], &names));
    }
    for (uint32_t i = first; i < end; i++) {
        neff_entry *const entry = &graph->entries[i];
        entry->node = node;
        entry->output = i - first;
        entry->name = graph->nodes[node].name;
        if (entry->output < names.count) {
            entry->name = names.items[entry->output];
        }
    }
    return HOIST_OK;
}

static hoist_status read_shape(neff_reader *r, hoist_json_index list, neff_ints *out_shape)
{
    const hoist_json *const json = &r->module->graph.text.json;
    if (!neff_tape_is(json, list, HOIST_JSON_ARRAY)) {
        return HOIST_OK;
    }
    const uint32_t count = hoist_json_size(json, list);
    int64_t *const items = hoist_arena_array(r->arena, count, sizeof(*items));
    if (!items) {
        return HOIST_NO_MEMORY;
    }
    hoist_json_index at = list + 1;
    for (uint32_t i = 0; i < count; i++) {
        if (!hoist_json_i64(json, at, &items[i])) {
            items[i] = -1; // judged as a negative extent
        }
        at = hoist_json_next(json, at);
    }
    *out_shape = (neff_ints){items, count};
    return HOIST_OK;
}

static hoist_status type_entries(neff_reader *r, hoist_json_index root)
{
    neff_graph *const graph = &r->module->graph;
    const hoist_json *const json = &graph->text.json;
    hoist_json_index dtype = neff_graph_list(json, root, "dltype") + 1;
    hoist_json_index shape = neff_graph_list(json, root, "shape") + 1;
    for (uint32_t i = 0; i < graph->entry_count; i++) {
        hoist_str word = HOIST_STR("");
        if (hoist_json_kind_of(json, dtype) == HOIST_JSON_STRING) {
            word = hoist_json_string(json, dtype, r->arena);
        }
        if (!word.data) {
            return HOIST_NO_MEMORY;
        }
        graph->entries[i].dtype = neff_word_find(&neff_dtype_words, word);
        HOIST_TRY(read_shape(r, shape, &graph->entries[i].shape));
        dtype = hoist_json_next(json, dtype);
        shape = hoist_json_next(json, shape);
    }
    return HOIST_OK;
}

static void mark_inputs(neff_graph *graph, hoist_json_index root, const uint32_t *rows)
{
    const hoist_json *const json = &graph->text.json;
    const hoist_json_index list = neff_tape_find(json, root, "arg_nodes");
    if (!neff_tape_is(json, list, HOIST_JSON_ARRAY)) {
        return;
    }
    hoist_json_index at = list + 1;
    for (uint32_t i = 0; i < hoist_json_size(json, list); i++) {
        uint64_t node = 0;
        const bool valid = hoist_json_u64(json, at, &node) && node < graph->node_count;
        // A node that is listed again is marked already.
        for (uint32_t k = valid ? rows[node] : 0;
             valid && k < rows[node + 1] && !graph->entries[k].is_input; k++) {
            graph->entries[k].is_input = true;
        }
        at = hoist_json_next(json, at);
    }
}

static void mark_outputs(neff_graph *graph, hoist_json_index root, const uint32_t *rows)
{
    const hoist_json *const json = &graph->text.json;
    const hoist_json_index list = neff_tape_find(json, root, "heads");
    if (!neff_tape_is(json, list, HOIST_JSON_ARRAY)) {
        return;
    }
    hoist_json_index at = list + 1;
    for (uint32_t i = 0; i < hoist_json_size(json, list); i++) {
        uint64_t node = 0;
        uint64_t output = 0;
        if (hoist_json_kind_of(json, at) == HOIST_JSON_ARRAY && hoist_json_size(json, at) >= 2 &&
            hoist_json_u64(json, at + 1, &node) && node < graph->node_count &&
            hoist_json_u64(json, hoist_json_next(json, at + 1), &output) &&
            output < rows[node + 1] - rows[node]) {
            graph->entries[rows[node] + output].is_output = true;
        }
        at = hoist_json_next(json, at);
    }
}

// The entries, when node_row_ptr is as it should be.
static hoist_status read_entries(neff_reader *r, hoist_json_index root)
{
    neff_graph *const graph = &r->module->graph;
    uint32_t *rows = NULL;
    HOIST_TRY(neff_graph_rows(graph, r->arena, &rows));
    if (!rows) {
        return HOIST_OK;
    }
    const uint32_t count = rows[graph->node_count];
    graph->entries = hoist_arena_array(r->arena, count, sizeof(graph->entries[0]));
    if (!graph->entries) {
        return HOIST_NO_MEMORY;
    }
    graph->entry_count = count;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        HOIST_TRY(name_entries(r, i, rows[i], rows[i + 1]));
    }
    HOIST_TRY(type_entries(r, root));
    mark_inputs(graph, root, rows);
    mark_outputs(graph, root, rows);
    return HOIST_OK;
}

// Kelfs ------------------------------------------------------------------------------------------

hoist_status neff_member_resolve(const neff_module *module, hoist_arena *arena, hoist_str folder,
                                 hoist_str name, uint32_t *out_member)
{
    *out_member = NEFF_NONE;
    const size_t dot = hoist_str_starts_with(name, "./") ? 2 : 0;
    const hoist_str rest = hoist_str_slice(name, dot, name.size);
    const size_t slash = folder.size > 0 && !hoist_str_ends_with(folder, "/");
    char *const path = hoist_arena_alloc(arena, folder.size + slash + rest.size);
    if (!path) {
        return HOIST_NO_MEMORY;
    }
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

// The kelf that `node` names, unless another node has named it before: then they share it.
static hoist_status read_kelf(neff_reader *r, uint32_t node)
{
    neff_module *const module = r->module;
    const neff_node *const n = &module->graph.nodes[node];
    const hoist_json *const graph = &module->graph.text.json;
    uint32_t member = NEFF_NONE;
    HOIST_TRY(neff_member_resolve(module, r->arena, HOIST_STR(""), n->kelf, &member));
    if (member == NEFF_NONE) {
        neff_enter(module, r->diag, module->graph.text.member);
        neff_report(r->diag, NEFF_023a, neff_token_loc(r, graph, neff_tape_at(graph, n->at)),
                    n->kelf.size ? "kelf node '%.*s' names '%.*s', which is not in the archive"
                                 : "kelf node '%.*s' names no kelf%.*s",
                    HOIST_STR_ARGS(n->name), HOIST_STR_ARGS(n->kelf));
        return HOIST_OK;
    }
    if (module->members[member].role == NEFF_ROLE_KELF) {
        return HOIST_OK;
    }
    neff_kelf *const kelf = &module->kelfs[module->kelf_count++];
    kelf->node = node;
    HOIST_TRY(neff_text_try(r, member, NEFF_ROLE_KELF, &kelf->text));
    HOIST_TRY(neff_tape_str(&kelf->text.json, 0, "version", r->arena, &kelf->version));
    HOIST_TRY(neff_tape_str(&kelf->text.json, 0, "target", r->arena, &kelf->target));
    kelf->generation = neff_generation_of_spelling(kelf->target);
    return HOIST_OK;
}

static hoist_status read_kelfs(neff_reader *r)
{
    neff_module *const module = r->module;
    const neff_graph *const graph = &module->graph;
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        count += graph->nodes[i].is_kelf;
    }
    module->kelfs = hoist_arena_array(r->arena, count, sizeof(module->kelfs[0]));
    if (!module->kelfs) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (graph->nodes[i].is_kelf) {
            hoist_frame outer;
            hoist_frame frame;
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

// A definition that is missing, or that another subgraph has: each is a core's own.
static void report_definition(neff_reader *r, const neff_subgraph *subgraph, hoist_json_index item,
                              hoist_str definition)
{
    const neff_kelf *const kelf = &r->module->kelfs[subgraph->kelf];
    const hoist_json *const json = &kelf->text.json;
    const hoist_json_index value = neff_tape_find(json, item, "definition");
    const hoist_loc loc = neff_token_loc(r, json, value ? value : item);
    neff_enter(r->module, r->diag, kelf->text.member);
    if (subgraph->def.member != NEFF_NONE) {
        neff_report(r->diag, NEFF_024a, loc,
                    "definition '%.*s' is that of another subgraph, wanted one of its own",
                    HOIST_STR_ARGS(definition));
    } else if (definition.size) {
        neff_report(r->diag, NEFF_024a, loc, "definition '%.*s' is not in the archive",
                    HOIST_STR_ARGS(definition));
    } else {
        neff_report(r->diag, NEFF_024a, loc,
                    "the subgraph has no definition, wanted the path of its def.json");
    }
}

static hoist_status read_item(neff_reader *r, hoist_json_index item, neff_subgraph *subgraph)
{
    const hoist_json *const json = &r->module->kelfs[subgraph->kelf].text.json;
    hoist_str definition;
    subgraph->kelf_at = json->tokens[item].start;
    HOIST_TRY(neff_tape_str(json, item, "name", r->arena, &subgraph->name));
    HOIST_TRY(neff_tape_str(json, item, "definition", r->arena, &definition));
    HOIST_TRY(
        neff_member_resolve(r->module, r->arena, HOIST_STR(""), definition, &subgraph->def.member));
    neff_member *const member =
        subgraph->def.member != NEFF_NONE ? &r->module->members[subgraph->def.member] : NULL;
    subgraph->folder = folder_of(member ? member->name : definition);
    if (subgraph->name.size == 0 && subgraph->folder.size > 0) {
        subgraph->name = hoist_str_slice(subgraph->folder, 0, subgraph->folder.size - 1);
    }
    if (!member || member->role == NEFF_ROLE_DEF) {
        report_definition(r, subgraph, item, definition);
        subgraph->def.member = NEFF_NONE;
    } else {
        member->role = NEFF_ROLE_DEF;
    }
    return HOIST_OK;
}

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
        for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
            subgraph->engines[e] = (neff_engine){
                .id = (neff_engine_id)e, .text = {.member = NEFF_NONE}, .instr = NEFF_NONE};
        }
        HOIST_TRY(read_item(r, item, subgraph));
        item = hoist_json_next(json, item);
    }
    return HOIST_OK;
}

static hoist_status make_subgraphs(neff_reader *r)
{
    neff_module *const module = r->module;
    size_t count = 0;
    for (uint32_t i = 0; i < module->kelf_count; i++) {
        const hoist_json_index graphs = graphs_of(&module->kelfs[i]);
        count += graphs ? hoist_json_size(&module->kelfs[i].text.json, graphs) : 0;
    }
    module->subgraphs = hoist_arena_array(r->arena, count, sizeof(module->subgraphs[0]));
    if (!module->subgraphs) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < module->kelf_count; i++) {
        HOIST_TRY(read_items(r, i));
    }
    return HOIST_OK;
}

hoist_status neff_read_graph(neff_reader *r)
{
    neff_module *const module = r->module;
    uint32_t member = neff_member_find(module, HOIST_STR("neff.json"));
    if (member == NEFF_NONE) {
        member = neff_member_find(module, HOIST_STR("kelp.json"));
    }
    if (member == NEFF_NONE) {
        neff_enter(module, r->diag, NEFF_NONE);
        neff_report(r->diag, NEFF_021a, hoist_loc_none(),
                    "the archive has no 'neff.json', wanted the graph that names the rest");
        return HOIST_OK;
    }
    HOIST_TRY(neff_text_try(r, member, NEFF_ROLE_GRAPH, &module->graph.text));
    if (module->graph.text.json.count == 0) {
        return HOIST_OK;
    }
    neff_enter(module, r->diag, member);
    const hoist_json_index root = neff_graph_root(&module->graph.text.json);
    HOIST_TRY(read_nodes(r, root));
    HOIST_TRY(read_entries(r, root));
    HOIST_TRY(read_kelfs(r));
    return make_subgraphs(r);
}

void neff_graph_deinit(neff_module *module)
{
    for (uint32_t i = 0; i < module->subgraph_count; i++) {
        neff_subgraph_deinit(module, &module->subgraphs[i]);
    }
    for (uint32_t i = 0; i < module->kelf_count; i++) {
        neff_text_free(&module->kelfs[i].text);
    }
    neff_text_free(&module->graph.text);
}
