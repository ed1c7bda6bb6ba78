// neff.json: an NNVM-style graph whose kelf nodes name kelf members, each a list of subgraphs (neff
// reference 3.1 and 3.2). In goes the member, out come nodes and entries (what flows between nodes,
// with name, type and shape). Shapes of the graph itself are checked in check_graph.c; here only
// what keeps the rest from being read. kelf_read.c is next.
#include "base/span.h"
#include "formats/neff/graph.h"
#include "formats/neff/neff.h"
#include "formats/neff/tape.h"
#include "formats/neff/text.h"

hoist_json_index neff_graph_root(const hoist_json *json)
{
    if (neff_tape_find(json, 0, "nodes")) { // 0 is the root's index
        return 0;
    }
    const hoist_json_index graphs = neff_tape_find(json, 0, "graphs");
    // The wrapped form: {"graphs": [{"nodes": ...}], "version": ...}.
    if (neff_tape_is(json, graphs, HOIST_JSON_ARRAY) && hoist_json_size(json, graphs) > 0) {
        return hoist_json_first(json, graphs);
    }
    return neff_tape_is(json, graphs, HOIST_JSON_OBJECT) ? graphs : 0;
}

hoist_json_index neff_graph_list(const hoist_json *json, hoist_json_index root, const char *name)
{
    // A pair: the kind of list in words, and the list: ["list_str", ["float32", "float32"]].
    const hoist_json_index attrs = neff_tape_find(json, root, "attrs");
    const hoist_json_index pair = attrs ? neff_tape_find(json, attrs, name) : 0;
    if (!neff_tape_is(json, pair, HOIST_JSON_ARRAY) || hoist_json_size(json, pair) != 2) {
        return 0;
    }
    const hoist_json_index list = hoist_json_next(json, hoist_json_first(json, pair));
    return neff_tape_is(json, list, HOIST_JSON_ARRAY) ? list : 0;
}

// Nodes ------------------------------------------------------------------------------------------

// A node that is no object has no name and no op, and is neither null nor kelf.
static hoist_status read_node(neff_reader *r, hoist_json_index at, neff_node *node)
{
    const hoist_json *const json = &r->module->graph.text.json;
    hoist_str function;
    const hoist_json_index attrs = neff_tape_find(json, at, "attrs");
    node->at = json->tokens[at].start; // its place, for findings and look-ups later
    HOIST_TRY(neff_tape_str(json, at, "name", r->arena, &node->name));
    HOIST_TRY(neff_tape_str(json, at, "op", r->arena, &node->op));
    node->is_null = hoist_str_equal_c(node->op, "null");
    if (attrs) {
        HOIST_TRY(neff_tape_str(json, attrs, "func_name", r->arena, &function));
        HOIST_TRY(neff_tape_str(json, attrs, "kelf", r->arena, &node->kelf));
        node->is_kelf = // two spellings of one thing
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
    HOIST_TRY_MEMORY(graph->nodes);
    graph->node_count = count;
    hoist_json_index at = nodes + 1; // the first item follows its array
    for (uint32_t i = 0; i < count; i++) {
        HOIST_TRY(read_node(r, at, &graph->nodes[i]));
        at = hoist_json_next(json, at);
    }
    return HOIST_OK;
}

// Entries ----------------------------------------------------------------------------------------

// NNVM's node_row_ptr: entry j of node n has the number rows[n] + j.
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
    HOIST_TRY_MEMORY(rows);
    // The lists bound the table of entries, however large a number the file gives: 4 bytes of text
    // cannot ask for gigabytes.
    const uint32_t most = hoist_json_size(json, dtypes) < hoist_json_size(json, shapes)
                              ? hoist_json_size(json, dtypes)
                              : hoist_json_size(json, shapes);
    hoist_json_index at = list + 1;
    for (uint32_t i = 0; i <= graph->node_count; i++) {
        uint64_t row = 0;
        // It is a running sum.
        if (!hoist_json_u64(json, at, &row) || row > most || (i > 0 && row < rows[i - 1]) ||
            (i == 0 && row != 0)) {
            return HOIST_OK; // check_graph.c reports it
        }
        rows[i] = (uint32_t)row;
        at = hoist_json_next(json, at);
    }
    *out_rows = rows;
    return HOIST_OK;
}

// Splits `text` at its commas; spaces around the names do not count: "a, b". An empty text has no
// names, one comma makes two.
static hoist_status split_names(neff_reader *r, hoist_str text, neff_strs *out_names)
{
    uint32_t count = text.size > 0; // a text without commas is one name
    for (size_t i = 0; i < text.size; i++) {
        count += text.data[i] == ',';
    }
    hoist_str *const names = hoist_arena_array(r->arena, count, sizeof(*names));
    HOIST_TRY_MEMORY(names);
    size_t start = 0;
    for (uint32_t i = 0; i < count; i++) {
        // Slices of `text`, which is in the arena or in the JSON text: nothing is copied.
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

// As split_names, for a list. An item that is no string leaves an empty name, so that positions
// stay.
static hoist_status list_names(neff_reader *r, hoist_json_index list, neff_strs *out_names)
{
    const hoist_json *const json = &r->module->graph.text.json;
    const uint32_t count = hoist_json_size(json, list);
    hoist_str *const names = hoist_arena_array(r->arena, count, sizeof(*names));
    HOIST_TRY_MEMORY(names);
    hoist_json_index at = list + 1;
    for (uint32_t i = 0; i < count; i++) {
        if (hoist_json_kind_of(json, at) == HOIST_JSON_STRING) {
            names[i] = hoist_json_string(json, at, r->arena);
            HOIST_TRY_MEMORY(names[i].data);
        }
        at = hoist_json_next(json, at);
    }
    *out_names = (neff_strs){names, count};
    return HOIST_OK;
}

// Names of a node's outputs: writers spell the key (`output_names`, `output`) and the value (a
// list, or one text with commas) in two ways each. None: an empty list.
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

// Entries of one node, which are graph->entries[first ... end-1]. An output without a name of its
// own has the node's.
static hoist_status name_entries(neff_reader *r, uint32_t node, uint32_t first, uint32_t end)
{
    neff_graph *const graph = &r->module->graph;
    neff_strs names = {0};
    if (!graph->nodes[node].is_null) { // a null node is an input: one entry, its own name
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

// The list of extents; nothing when it is no list.
static hoist_status read_shape(neff_reader *r, hoist_json_index list, neff_ints *out_shape)
{
    const hoist_json *const json = &r->module->graph.text.json;
    if (!neff_tape_is(json, list, HOIST_JSON_ARRAY)) {
        return HOIST_OK;
    }
    const uint32_t count = hoist_json_size(json, list);
    int64_t *const items = hoist_arena_array(r->arena, count, sizeof(*items));
    HOIST_TRY_MEMORY(items);
    hoist_json_index at = list + 1;
    for (uint32_t i = 0; i < count; i++) {
        if (!hoist_json_i64(json, at, &items[i])) {
            items[i] = -1; // check_graph.c reports it as a negative extent
        }
        at = hoist_json_next(json, at);
    }
    *out_shape = (neff_ints){items, count};
    return HOIST_OK;
}

// Types and shapes of all entries. Both lists are there and long enough: neff_graph_rows has made
// sure.
static hoist_status type_entries(neff_reader *r, hoist_json_index root)
{
    neff_graph *const graph = &r->module->graph;
    const hoist_json *const json = &graph->text.json;
    hoist_json_index dtype = neff_graph_list(json, root, "dltype") + 1;
    hoist_json_index shape = neff_graph_list(json, root, "shape") + 1;
    for (uint32_t i = 0; i < graph->entry_count; i++) {
        hoist_str word = HOIST_STR(""); // no string: an unknown type
        if (hoist_json_kind_of(json, dtype) == HOIST_JSON_STRING) {
            word = hoist_json_string(json, dtype, r->arena);
        }
        HOIST_TRY_MEMORY(word.data);
        graph->entries[i].dtype = hoist_rec_word_find(&neff_dtype_words, word);
        HOIST_TRY(read_shape(r, shape, &graph->entries[i].shape));
        dtype = hoist_json_next(json, dtype);
        shape = hoist_json_next(json, shape);
    }
    return HOIST_OK;
}

// arg_nodes: indices of nodes whose entries the caller fills. Wrong indices are passed over here
// and reported by rule 22.
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
        // A node that is listed again is marked already: a long list of one node costs no more for
        // that.
        for (uint32_t k = valid ? rows[node] : 0;
             valid && k < rows[node + 1] && !graph->entries[k].is_input; k++) {
            graph->entries[k].is_input = true;
        }
        at = hoist_json_next(json, at);
    }
}

// heads: triples of node, output and version, of which the last means nothing here.
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

// The entries, when node_row_ptr is as it should be; else none, which check_graph.c reports.
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
    HOIST_TRY_MEMORY(graph->entries);
    graph->entry_count = count;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        HOIST_TRY(name_entries(r, i, rows[i], rows[i + 1]));
    }
    HOIST_TRY(type_entries(r, root));
    mark_inputs(graph, root, rows);
    mark_outputs(graph, root, rows);
    return HOIST_OK;
}

hoist_status neff_read_graph(neff_reader *r)
{
    neff_module *const module = r->module;
    // Old archives have the predecessor's name.
    uint32_t member = neff_member_find(module, HOIST_STR("neff.json"));
    if (member == NEFF_NONE) {
        member = neff_member_find(module, HOIST_STR("kelp.json"));
    }
    if (member == NEFF_NONE) {
        neff_enter(module, r->diag, NEFF_NONE);
        neff_report(r->diag, NEFF_021a, hoist_loc_none(),
                    "the archive has no 'neff.json', expected the graph that names the rest");
        return HOIST_OK;
    }
    HOIST_TRY(neff_text_try(r, member, NEFF_ROLE_GRAPH, &module->graph.text));
    if (module->graph.text.json.count == 0) { // no JSON: it was reported
        return HOIST_OK;
    }
    neff_enter(module, r->diag, member);
    const hoist_json_index root = neff_graph_root(&module->graph.text.json);
    HOIST_TRY(read_nodes(r, root));
    HOIST_TRY(read_entries(r, root));
    HOIST_TRY(neff_read_kelfs(r));
    return neff_make_subgraphs(r);
}

// Nodes and entries are in the arena; only tapes and engines have memory of their own.
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
