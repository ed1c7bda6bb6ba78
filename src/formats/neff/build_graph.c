// neff.json and the kelf of a file that is built (neff reference 3.1, 3.2): in go entries that the
// caller gave, or the variables of the first subgraph, out come trees. The graph has a null node
// for each input, nodes for CPU ops, and the kelf's node last:
//
//     [null "x"] --> [kelf "sg_coreV10"] --> heads
#include <stdio.h>

#include "base/buffer.h"
#include "base/options.h"
#include "base/span.h"
#include "formats/neff/build.h"

// The kelf without subgraphs; build_def.c adds them to kelf_graphs.
void neff_build_kelf(hoist_neff *neff)
{
    neff_maker *const m = &neff->maker;
    neff->kelf = neff_make_map(m, NULL, NULL);
    neff->kelf_graphs = neff_make_list(m);
    neff_put(m, neff->kelf, "graphs", neff->kelf_graphs);
    neff_put_text(m, neff->kelf, "version", "0.5");
    neff_put_text(m, neff->kelf, "target", neff->options.target ? neff->options.target : "*");
}

// Entries ----------------------------------------------------------------------------------------

// Each entry that was given has a map: name, dtype, shape; `attrs` for inputs and ops, which marks
// them as nodes, none for outputs; and `op` for ops.
hoist_status hoist_neff_add_entry(hoist_neff *neff, const hoist_neff_entry *entry)
{
    hoist_neff_entry own;
    HOIST_TRY(hoist_options_read(entry, &own, sizeof(own)));
    if (!own.name) {
        return HOIST_INVALID;
    }
    neff_maker *const m = neff_build_begin(neff);
    neff_made *const map = neff_make_map(m, NULL, NULL);
    neff_put_text(m, map, "name", own.name);
    // Bytes, where no type is given.
    neff_put_text(m, map, "dtype", own.dtype ? own.dtype : "uint8");
    neff_put_ints(m, map, "shape", own.shape);
    neff_put_text(m, map, "op", own.cpu_op);
    if (!own.is_output) {
        neff_made *const attrs = neff_make_map(m, NULL, NULL);
        neff_put_keys(m, attrs, own.keys);
        neff_put(m, map, "attrs", attrs);
    }
    neff_made_add(m, neff->entries, HOIST_STR(""), map);
    return m->status;
}

static neff_made *child(const neff_made *map, const char *key)
{
    return neff_made_find(map, hoist_str_from(key));
}

// A copy of a value for a second place: a value has one parent, by which it is linked.
static neff_made *again(neff_maker *m, const neff_made *value)
{
    neff_made *const copy = neff_make_list(m);
    if (copy) {
        *copy = *value;
        copy->next = NULL;
    }
    return copy;
}

static void put_again(neff_maker *m, neff_made *map, const char *key, const neff_made *value)
{
    if (m->status == HOIST_OK) {
        neff_put(m, map, key, again(m, value));
    }
}

// Elements of a variable that declares its dtype but no shape; 0: their number is no integer, or
// the dtype is unknown.
static int64_t elements_of(const neff_made *dtype, int64_t bytes)
{
    const int at = dtype && dtype->kind == HOIST_TREE_STR
                       ? hoist_rec_word_find(&neff_dtype_words, dtype->text)
                       : -1;
    const int64_t size = at < 0 ? 0 : neff_dtypes[at].bytes;
    return size && bytes % size == 0 ? bytes / size : 0;
}

// An entry for an input or output of the subgraph: bytes, where it declares no dtype that fits.
// Rule 25 compares the sizes, so they have to agree.
static void add_variable(neff_maker *m, neff_made *list, const neff_made *var)
{
    const neff_made *const type = child(var, "type"); // make_variable has written it
    const bool is_input = type->kind == HOIST_TREE_STR && hoist_str_equal_c(type->text, "input");
    const bool is_output = type->kind == HOIST_TREE_STR && hoist_str_equal_c(type->text, "output");
    if (!is_input && !is_output) {
        return;
    }
    const neff_made *const dtype = child(var, "dtype");
    const neff_made *const shape = child(var, "shape");
    const neff_made *const size = child(var, "size");
    neff_made *const map = neff_make_map(m, NULL, NULL);
    neff_put_text(m, map, "name", var->key.data);
    if (dtype && shape) {
        put_again(m, map, "dtype", dtype);
        put_again(m, map, "shape", shape);
    } else {
        const int64_t bytes = size && size->kind == HOIST_TREE_INT ? size->integer : 0;
        const int64_t elements = elements_of(dtype, bytes);
        if (dtype && elements) {
            put_again(m, map, "dtype", dtype);
        } else {
            neff_put_text(m, map, "dtype", "uint8");
        }
        neff_put_ints(m, map, "shape", (hoist_neff_ints){elements ? &elements : &bytes, 1});
    }
    if (is_input) { // marks an input
        neff_put(m, map, "attrs", neff_make_map(m, NULL, NULL));
    }
    neff_made_add(m, list, HOIST_STR(""), map);
}

// Without entries of the caller the first subgraph states them: both cores have the same tensors.
static const neff_made *entries_of(hoist_neff *neff)
{
    neff_maker *const m = &neff->maker;
    if (neff->entries->count || neff->subgraph_count == 0) {
        return neff->entries;
    }
    neff_made *const list = neff_make_list(m);
    const neff_made *var = neff->subgraphs[0]->vars->first;
    for (; var && m->status == HOIST_OK; var = var->next) {
        add_variable(m, list, var);
    }
    return list;
}

// Nodes ------------------------------------------------------------------------------------------

// The lists of the graph while it is made; each is a member of the root in the end.
typedef struct graph_lists {
    neff_made *nodes, *arg_nodes, *heads, *row_ptr;
    neff_made *shapes, *ids, *dtypes;
    neff_made *kelf_inputs;  // [node, output, version] of each input
    hoist_buffer outputs;    // names with commas, the one form of output_names
    neff_made *output_names; // the other form: a list
    int64_t node_count;      // so far
    int64_t entry_count;
    int64_t input_count;
    int64_t output_count;
} graph_lists;

// A number of a list: made as a member first, since only these have functions.
static void add_int(neff_maker *m, neff_made *list, int64_t value)
{
    neff_made *const map = neff_make_map(m, NULL, NULL);
    neff_put_int(m, map, "", value);
    if (m->status == HOIST_OK) {
        neff_made_add(m, list, HOIST_STR(""), map->first);
    }
}

// [node, output, 0]: the version is 0 in all known files.
static void add_triple(neff_maker *m, neff_made *list, int64_t node, int64_t output)
{
    neff_made *const map = neff_make_map(m, NULL, NULL);
    neff_put_ints(m, map, "", (hoist_neff_ints){(const int64_t[]){node, output, 0}, 3});
    if (m->status == HOIST_OK) {
        neff_made_add(m, list, HOIST_STR(""), map->first);
    }
}

// Shape, dtype and storage of an entry; each entry has a storage of its own.
static void add_data(neff_maker *m, graph_lists *g, const neff_made *entry)
{
    if (m->status == HOIST_OK) {
        neff_made_add(m, g->shapes, HOIST_STR(""), again(m, child(entry, "shape")));
        neff_made_add(m, g->dtypes, HOIST_STR(""), again(m, child(entry, "dtype")));
        add_int(m, g->ids, g->entry_count++);
    }
}

// A null node, or one of a CPU op, with one output.
static void add_node(neff_maker *m, graph_lists *g, const neff_made *entry)
{
    const neff_made *const op = child(entry, "op");
    neff_made *const node = neff_make_map(m, NULL, NULL);
    neff_put_text(m, node, "op", op ? op->text.data : "null");
    put_again(m, node, "name", child(entry, "name"));
    put_again(m, node, "attrs", child(entry, "attrs"));
    neff_put(m, node, "inputs", neff_make_list(m)); // ops of the CPU are not connected
    neff_made_add(m, g->nodes, HOIST_STR(""), node);
    add_int(m, g->row_ptr, g->entry_count); // its first entry
    if (!op) {
        add_int(m, g->arg_nodes, g->node_count);
        add_triple(m, g->kelf_inputs, g->node_count, 0);
        g->input_count++;
    }
    g->node_count++;
    add_data(m, g, entry);
}

// An output of the kelf's node, which has the number node_count when it is added.
static void add_output(neff_maker *m, graph_lists *g, const neff_made *entry)
{
    const neff_made *const name = child(entry, "name");
    add_triple(m, g->heads, g->node_count, g->output_count);
    if (m->status == HOIST_OK) {
        hoist_buffer_c(&g->outputs, g->output_count ? "," : "");
        hoist_buffer_str(&g->outputs, name->text);
        neff_made_add(m, g->output_names, HOIST_STR(""), again(m, name));
    }
    g->output_count++;
    add_data(m, g, entry);
}

// All attributes are texts, numbers included (3.2).
static void put_count(neff_maker *m, neff_made *attrs, const char *key, int64_t count)
{
    char text[24];
    (void)snprintf(text, sizeof(text), "%lld", (long long)count);
    neff_put_text(m, attrs, key, text);
}

// The kelf's node comes last, so that its outputs are the last entries and its number is known.
static void add_kelf_node(hoist_neff *neff, graph_lists *g, const neff_made *entries)
{
    neff_maker *const m = &neff->maker;
    neff_made *const node = neff_make_map(m, NULL, NULL);
    neff_made *const attrs = neff_make_map(m, NULL, NULL);
    add_int(m, g->row_ptr, g->entry_count);
    for (const neff_made *e = entries->first; e && m->status == HOIST_OK; e = e->next) {
        if (!child(e, "attrs")) {
            add_output(m, g, e);
        }
    }
    add_int(m, g->row_ptr, g->entry_count); // the end of the running sum
    neff_put_text(m, node, "op", "tvm_op");
    neff_put_text(m, node, "name", "sg_coreV10");
    neff_put_text(m, attrs, "func_name", "__kelf");
    neff_put_text(m, attrs, "kelf", "kelf-0.json");
    put_count(m, attrs, "num_inputs", g->input_count);
    put_count(m, attrs, "num_outputs", g->output_count);
    // Writers differ in the key and in its value (3.2): options choose, for tests of readers.
    const char *const key = neff->options.output_key ? "output" : "output_names";
    hoist_buffer_char(&g->outputs, '\0'); // hoist_buffer_text() is used as a C string
    if (g->outputs.failed) {
        m->status = HOIST_NO_MEMORY;
    } else if (neff->options.output_list) {
        neff_put(m, attrs, key, g->output_names);
    } else {
        neff_put_text(m, attrs, key, hoist_buffer_text(&g->outputs).data);
    }
    neff_put(m, node, "attrs", attrs);
    neff_put(m, node, "inputs", g->kelf_inputs);
    neff_made_add(m, g->nodes, HOIST_STR(""), node);
}

// A typed attribute of the graph: "shape": ["list_shape", values].
static void put_typed(neff_maker *m, neff_made *attrs, const char *key, const char *type,
                      neff_made *values)
{
    neff_put_names(m, attrs, key, (hoist_neff_names){&type, 1});
    if (m->status == HOIST_OK) {
        neff_made_add(m, child(attrs, key), HOIST_STR(""), values);
    }
}

// The graph as one of several, as newer compilers write it: {"graphs": [graph], "version": "0.5",
// "target_arch": "*"}.
static neff_made *wrap(neff_maker *m, neff_made *graph, const char *target)
{
    neff_made *const root = neff_make_map(m, NULL, NULL);
    neff_made *const graphs = neff_make_list(m);
    neff_made_add(m, graphs, HOIST_STR(""), graph);
    neff_put(m, root, "graphs", graphs);
    neff_put_text(m, root, "version", "0.5");
    neff_put_text(m, root, "target_arch", target ? target : "*");
    return root;
}

// Called for each finish: entries and variables may have been added since the last.
neff_made *neff_build_graph(hoist_neff *neff)
{
    neff_maker *const m = &neff->maker;
    const neff_made *const entries = entries_of(neff);
    graph_lists g = {.nodes = neff_make_list(m),
                     .arg_nodes = neff_make_list(m),
                     .heads = neff_make_list(m),
                     .row_ptr = neff_make_list(m),
                     .shapes = neff_make_list(m),
                     .ids = neff_make_list(m),
                     .dtypes = neff_make_list(m),
                     .kelf_inputs = neff_make_list(m),
                     .output_names = neff_make_list(m)};
    neff_made *root = neff_make_map(m, NULL, NULL);
    if (m->status != HOIST_OK) {
        return NULL;
    }
    hoist_buffer_init(&g.outputs, neff->alloc);
    // Nodes first, outputs with the kelf's node.
    for (const neff_made *e = entries->first; e && m->status == HOIST_OK; e = e->next) {
        if (child(e, "attrs")) {
            add_node(m, &g, e);
        }
    }
    add_kelf_node(neff, &g, entries);
    neff_made *const attrs = neff_make_map(m, NULL, NULL);
    neff_put(m, root, "nodes", g.nodes);
    neff_put(m, root, "arg_nodes", g.arg_nodes);
    neff_put(m, root, "heads", g.heads);
    neff_put(m, root, "node_row_ptr", g.row_ptr);
    put_typed(m, attrs, "shape", "list_shape", g.shapes);
    put_typed(m, attrs, "storage_id", "list_int", g.ids);
    put_typed(m, attrs, "dltype", "list_str", g.dtypes);
    neff_put(m, root, "attrs", attrs);
    if (neff->options.wrapped) {
        root = wrap(m, root, neff->options.target);
    }
    // Keys that the caller gave for the top level: copies, as the tree may be made again.
    for (const neff_made *key = neff->graph_keys->first; key && m->status == HOIST_OK;
         key = key->next) {
        neff_made *const there = neff_made_find(root, key->key);
        neff_made *const copy = again(m, key);
        if (m->status == HOIST_OK && there) {
            copy->next = there->next;
            *there = *copy;
        } else if (m->status == HOIST_OK) {
            neff_made_add(m, root, key->key, copy);
        }
    }
    hoist_buffer_deinit(&g.outputs);
    return root;
}
