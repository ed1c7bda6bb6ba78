// Rules 11 and 22 to 25: neff.json as a graph, the kelfs, and how many subgraphs there are (neff
// reference 3.1 and 3.2). In go the tape of neff.json and the nodes and entries of graph_read.c,
// out come findings at the values that are wrong.
#include <inttypes.h>

#include "base/checked.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/graph.h"
#include "formats/neff/tape.h"

enum { LNC_SIZE_AT = 552 }; // of lnc_size in the header; see header.c

typedef struct graph_check {
    neff_check *c;
    const neff_graph *graph;
    const hoist_json *json;
    hoist_json_index root; // the object that has `nodes`
    neff_cursor cursor;
    const uint32_t *rows; // node_row_ptr; NULL: not as it should be
} graph_check;

static hoist_loc graph_loc(graph_check *g, hoist_json_index at)
{
    return neff_tape_loc(&g->cursor, g->json, at);
}

// Frames give the object path of findings: nodes/NAME.
static void push(hoist_diag *diag, hoist_frame *frame, hoist_str path)
{
    hoist_diag_push(diag, frame, NULL, HOIST_STR(""), path);
}

// Rule 22: what has to be there -------------------------------------------------------------------

// The lists and attributes that the loader asks for. Those of a wrong kind count as absent for the
// checks below.
static void check_keys(graph_check *g)
{
    static const char *const lists[] = {"nodes", "arg_nodes", "heads", "node_row_ptr"};
    static const char *const attrs[] = {"dltype", "shape"};
    for (size_t i = 0; i < HOIST_COUNT_OF(lists); i++) {
        const hoist_json_index value = neff_tape_find(g->json, g->root, lists[i]);
        if (!value) {
            neff_report(g->c->diag, NEFF_022, graph_loc(g, g->root), "the graph has no '%s'",
                        lists[i]);
        } else if (!neff_tape_is(g->json, value, HOIST_JSON_ARRAY)) {
            neff_report(g->c->diag, NEFF_022, graph_loc(g, value), "'%s' is no list", lists[i]);
        }
    }
    // 0: each attribute is missing.
    const hoist_json_index object = neff_tape_find(g->json, g->root, "attrs");
    for (size_t i = 0; i < HOIST_COUNT_OF(attrs); i++) {
        const hoist_json_index value = object ? neff_tape_find(g->json, object, attrs[i]) : 0;
        if (!value) {
            neff_report(g->c->diag, NEFF_022, graph_loc(g, object ? object : g->root),
                        "the graph has no 'attrs.%s'", attrs[i]);
        } else if (!neff_graph_list(g->json, g->root, attrs[i])) {
            neff_report(g->c->diag, NEFF_022, graph_loc(g, value),
                        "'attrs.%s' is no pair of a word and a list", attrs[i]);
        }
    }
}

// Items of the list that is the value of `key`; 0, with `*out_first` 0, when it is no list.
// A list's first item is the token after it, also when it is empty: callers look at the count
// first.
static uint32_t items_of(const graph_check *g, const char *key, hoist_json_index *out_first)
{
    const hoist_json_index list = neff_tape_find(g->json, g->root, key);
    const bool is_list = neff_tape_is(g->json, list, HOIST_JSON_ARRAY);
    *out_first = is_list ? list + 1 : 0;
    return is_list ? hoist_json_size(g->json, list) : 0;
}

// node_row_ptr, NNVM's running sum of outputs: each item follows from 0 without falling, one for
// every node and one for the end, which is the number of types and of shapes. The first wrong item
// ends the check, since all after it would differ.
static void check_rows(graph_check *g)
{
    hoist_diag *const diag = g->c->diag;
    hoist_json_index at = 0;
    const uint32_t count = items_of(g, "node_row_ptr", &at);
    if (!at) {
        return;
    }
    if (count != g->graph->node_count + 1) {
        neff_report(diag, NEFF_022, graph_loc(g, neff_tape_find(g->json, g->root, "node_row_ptr")),
                    "'node_row_ptr' has %" PRIu32 " %s, %" PRIu32 " %s need %" PRIu64, count,
                    hoist_plural(count, "item", "items"), g->graph->node_count,
                    hoist_plural(g->graph->node_count, "node", "nodes"),
                    (uint64_t)g->graph->node_count + 1);
        return;
    }
    uint64_t before = 0; // the lowest that the next item may be
    for (uint32_t i = 0; i < count; i++) {
        uint64_t row = 0;
        if (!hoist_json_u64(g->json, at, &row) || row < before || (i == 0 && row != 0)) {
            neff_report(diag, NEFF_022, graph_loc(g, at),
                        "item %" PRIu32 " of 'node_row_ptr' is %.*s, expected %s%" PRIu64, i,
                        HOIST_STR_ARGS(hoist_json_text(g->json, at)),
                        i == 0 ? "" : "an integer from ", before);
            return;
        }
        before = row;
        // Stays at the last, for the findings below.
        at = i + 1 < count ? hoist_json_next(g->json, at) : at;
    }
    static const char *const attrs[] = {"dltype", "shape"};
    for (size_t i = 0; i < HOIST_COUNT_OF(attrs); i++) {
        const hoist_json_index list = neff_graph_list(g->json, g->root, attrs[i]);
        if (list && hoist_json_size(g->json, list) != before) {
            neff_report(diag, NEFF_022, graph_loc(g, at),
                        "'node_row_ptr' ends with %" PRIu64 ", 'attrs.%s' has %" PRIu32 " items",
                        before, attrs[i], hoist_json_size(g->json, list));
        }
    }
}

// Rule 22: indices --------------------------------------------------------------------------------

// The number of a node that exists.
static bool is_node(const graph_check *g, hoist_json_index at, uint64_t *out_node)
{
    return hoist_json_u64(g->json, at, out_node) && *out_node < g->graph->node_count;
}

// A reference [node, output, version] in `what`. The version is a number that nothing depends on.
static void check_reference(graph_check *g, hoist_json_index at, const char *what)
{
    uint64_t node = 0;
    uint64_t output = 0;
    if (hoist_json_kind_of(g->json, at) != HOIST_JSON_ARRAY || hoist_json_size(g->json, at) < 2) {
        neff_report(g->c->diag, NEFF_022, graph_loc(g, at),
                    "%s is %.*s, expected [node, output, version]", what,
                    HOIST_STR_ARGS(hoist_json_text(g->json, at)));
        return;
    }
    const hoist_json_index first = hoist_json_first(g->json, at);
    const hoist_json_index second = hoist_json_next(g->json, first);
    if (!is_node(g, first, &node)) {
        neff_report(g->c->diag, NEFF_022, graph_loc(g, first),
                    "%s names node %.*s, expected one of the %" PRIu32, what,
                    HOIST_STR_ARGS(hoist_json_text(g->json, first)), g->graph->node_count);
        return;
    }
    // Without row pointers outputs are unknown.
    const uint32_t outputs = g->rows ? g->rows[node + 1] - g->rows[node] : UINT32_MAX;
    if (!hoist_json_u64(g->json, second, &output) || output >= outputs) {
        neff_report(g->c->diag, NEFF_022, graph_loc(g, second),
                    "%s names output %.*s of node %" PRIu64 ", which has no such output", what,
                    HOIST_STR_ARGS(hoist_json_text(g->json, second)), node);
    }
}

// arg_nodes are plain indices, heads and inputs are references.
static void check_references(graph_check *g)
{
    hoist_json_index at = 0;
    const uint32_t args = items_of(g, "arg_nodes", &at);
    for (uint32_t i = 0; i < args; i++) {
        uint64_t node = 0;
        if (!is_node(g, at, &node)) {
            neff_report(g->c->diag, NEFF_022, graph_loc(g, at),
                        "'arg_nodes' names node %.*s, expected one of the %" PRIu32,
                        HOIST_STR_ARGS(hoist_json_text(g->json, at)), g->graph->node_count);
        }
        at = hoist_json_next(g->json, at);
    }
    const uint32_t heads = items_of(g, "heads", &at);
    for (uint32_t i = 0; i < heads; i++) {
        check_reference(g, at, "'heads'");
        at = hoist_json_next(g->json, at);
    }
}

// `inputs` of one node; absent or of another kind is allowed, as some writers leave it out.
static void check_inputs(graph_check *g, hoist_json_index node)
{
    const hoist_json_index list = neff_tape_find(g->json, node, "inputs");
    if (!neff_tape_is(g->json, list, HOIST_JSON_ARRAY)) {
        return;
    }
    hoist_json_index at = list + 1;
    for (uint32_t i = 0; i < hoist_json_size(g->json, list); i++) {
        check_reference(g, at, "'inputs'");
        at = hoist_json_next(g->json, at);
    }
}

// Nodes -------------------------------------------------------------------------------------------

// Rules 22 and 23 of each node, and whether the graph has a program at all.
static void check_nodes(graph_check *g)
{
    bool kelf = false;
    hoist_frame outer;
    push(g->c->diag, &outer, HOIST_STR("nodes"));
    for (uint32_t i = 0; i < g->graph->node_count; i++) {
        const neff_node *const node = &g->graph->nodes[i];
        hoist_frame frame;
        push(g->c->diag, &frame, node->name);
        check_inputs(g, neff_tape_at(g->json, node->at));
        // Nodes of other ops ran on the CPU of older systems, with a library of the file: never
        // executed here.
        if (!node->is_kelf && !node->is_null) {
            neff_report(g->c->diag, NEFF_023b, neff_key_loc(&g->cursor, g->json, node->at, "op"),
                        "node '%.*s' has op '%.*s', which runs on no engine; expected 'null' or a "
                        "kelf",
                        HOIST_STR_ARGS(node->name), HOIST_STR_ARGS(node->op));
        }
        kelf = kelf || node->is_kelf;
        hoist_diag_pop(g->c->diag, &frame);
    }
    hoist_diag_pop(g->c->diag, &outer);
    if (!kelf) {
        const hoist_json_index nodes = neff_tape_find(g->json, g->root, "nodes");
        neff_report(g->c->diag, NEFF_023a, graph_loc(g, nodes),
                    "none of the %" PRIu32 " %s is a kelf, expected one that names the program",
                    g->graph->node_count, hoist_plural(g->graph->node_count, "node", "nodes"));
    }
}

// Rule 25 -----------------------------------------------------------------------------------------

// Bytes of an entry; true when they do not fit 63 bits or an extent is no extent. An extent of 0
// makes 0 bytes, however large the others are.
static bool entry_bytes(const neff_entry *entry, uint64_t *out_bytes)
{
    *out_bytes = neff_dtypes[entry->dtype].bytes; // the caller knows the type
    bool wrong = false;
    bool empty = false;
    for (uint32_t i = 0; i < entry->shape.count; i++) {
        // Two passes: a later 0 makes a product of earlier extents that overflows harmless.
        empty = empty || entry->shape.items[i] == 0;
        wrong = wrong || entry->shape.items[i] < 0;
    }
    for (uint32_t i = 0; i < entry->shape.count && !wrong && !empty; i++) {
        wrong = hoist_ckd_mul(out_bytes, *out_bytes, (uint64_t)entry->shape.items[i]) ||
                *out_bytes > INT64_MAX;
    }
    *out_bytes = empty ? 0 : *out_bytes;
    return wrong;
}

// Compares an entry with the variables that users bind under its name, in every subgraph: both
// cores of a logical core see the same tensors. One finding for each entry.
static void check_entry_size(graph_check *g, const neff_entry *entry, hoist_json_index shape)
{
    uint64_t bytes = 0;
    if (entry_bytes(entry, &bytes)) {
        neff_report(g->c->diag, NEFF_025, graph_loc(g, shape),
                    "the shape of '%.*s' is %.*s, expected extents whose bytes fit 63 bits",
                    HOIST_STR_ARGS(entry->name), HOIST_STR_ARGS(hoist_json_text(g->json, shape)));
        return;
    }
    const neff_module *const module = g->c->module;
    for (uint32_t i = 0; i < module->subgraph_count; i++) {
        const neff_subgraph *const subgraph = &module->subgraphs[i];
        size_t index = 0;
        // An inner entry has no variable.
        if (!hoist_map_find(&subgraph->var_names, entry->name, &index)) {
            continue;
        }
        const neff_var *const var = &subgraph->vars[index];
        if ((var->type == NEFF_VAR_INPUT || var->type == NEFF_VAR_OUTPUT) &&
            // Without a size rule 26 has spoken.
            neff_has(&neff_var_table, var->present, "size") && (uint64_t)var->size != bytes) {
            neff_report(g->c->diag, NEFF_025, graph_loc(g, shape),
                        "'%.*s' has %" PRIu64 " %s of %s, its variable in '%.*s' %" PRId64,
                        HOIST_STR_ARGS(entry->name), bytes, hoist_plural(bytes, "byte", "bytes"),
                        neff_dtypes[entry->dtype].name, HOIST_STR_ARGS(subgraph->name), var->size);
            return;
        }
    }
}

// Rule 25. Entries exist only where the lists are complete (neff_graph_rows), so both walks stay in
// them.
static void check_entries(graph_check *g)
{
    hoist_json_index dtype = neff_graph_list(g->json, g->root, "dltype") + 1;
    hoist_json_index shape = neff_graph_list(g->json, g->root, "shape") + 1;
    for (uint32_t i = 0; i < g->graph->entry_count; i++) {
        const neff_entry *const entry = &g->graph->entries[i];
        // The loader knows fewer types here than in descriptors; the size is checked for all that
        // we know.
        if (entry->dtype < 0 || !neff_dtypes[entry->dtype].in_graph) {
            neff_report(g->c->diag, NEFF_025, graph_loc(g, dtype),
                        "the type of '%.*s' is %.*s, which the loader does not know; it takes 1 "
                        "byte for an element",
                        HOIST_STR_ARGS(entry->name),
                        HOIST_STR_ARGS(hoist_json_text(g->json, dtype)));
        }
        if (entry->dtype >= 0) {
            check_entry_size(g, entry, shape);
        }
        dtype = hoist_json_next(g->json, dtype);
        shape = hoist_json_next(g->json, shape);
    }
}

// Findings of this function are in neff.json.
static hoist_status check_graph(neff_check *c)
{
    const neff_graph *const graph = &c->module->graph;
    if (graph->text.json.count == 0) { // missing or no JSON: reported by reading
        return HOIST_OK;
    }
    graph_check g = {.c = c, .graph = graph, .json = &graph->text.json};
    uint32_t *rows = NULL;
    neff_enter(c->module, c->diag, graph->text.member);
    HOIST_TRY(neff_graph_rows(graph, &c->arena, &rows)); // scratch: the module's are gone
    g.root = neff_graph_root(g.json);
    g.rows = rows;
    check_keys(&g);
    if (!neff_tape_is(g.json, neff_tape_find(g.json, g.root, "nodes"), HOIST_JSON_ARRAY)) {
        return HOIST_OK; // nothing to refer to
    }
    check_rows(&g);
    check_references(&g);
    check_nodes(&g);
    check_entries(&g);
    return HOIST_OK;
}

// Rule 24 -----------------------------------------------------------------------------------------

// Rules 24a and 24c. An empty target is generation 2, "*" is never another one than asked for.
static void check_target(neff_check *c, const neff_kelf *kelf, hoist_loc loc)
{
    if (kelf->generation < 0) {
        neff_report(c->diag, NEFF_024a, loc,
                    "target '%.*s' is not known, expected tonga, sunda, cayman, mariana, their "
                    "versions v1 to v4, or *",
                    HOIST_STR_ARGS(kelf->target));
    } else if (c->target_given && kelf->generation != NEFF_ANY_GENERATION &&
               kelf->generation != c->generation) {
        neff_report(c->diag, NEFF_024c, loc, "target '%.*s' is %s, asked for is %s",
                    HOIST_STR_ARGS(kelf->target), neff_generations[kelf->generation].target,
                    neff_generations[c->generation].target);
        // --target was given but names nothing: reported in each kelf, since that is where one
        // would be.
    } else if (!c->target_given && c->options && c->options->arch.size > 0) {
        neff_report(c->diag, NEFF_024c, loc,
                    "'%.*s' is no target, expected inf1, trn1, inf2, trn2 "
                    "or trn3",
                    HOIST_STR_ARGS(c->options->arch));
    }
}

// {"graphs": [...], "version": "0.5", "target": "*"}
static void check_kelf(neff_check *c, const neff_kelf *kelf)
{
    const hoist_json *const json = &kelf->text.json;
    neff_cursor cursor = {0};
    if (json->count == 0) {
        return;
    }
    neff_enter(c->module, c->diag, kelf->text.member);
    const hoist_json_index graphs = neff_tape_find(json, 0, "graphs");
    if (!neff_tape_is(json, graphs, HOIST_JSON_ARRAY) || hoist_json_size(json, graphs) == 0) {
        // At the wrong value, or at the object that lacks it.
        neff_report(c->diag, NEFF_024a,
                    neff_key_loc(&cursor, json, json->tokens[0].start, "graphs"),
                    "the kelf has no graphs, expected a list of one or more");
    }
    const uint32_t start = json->tokens[0].start;
    if (!hoist_str_contains(kelf->version, ".")) { // a missing version is an empty text
        neff_report(c->diag, NEFF_024b, neff_key_loc(&cursor, json, start, "version"),
                    "version '%.*s' has no '.', expected MAJOR.MINOR",
                    HOIST_STR_ARGS(kelf->version));
    }
    const hoist_json_index target = neff_tape_find(json, 0, "target");
    // Reading took another kind as an empty target, so generation alone does not show it.
    if (target && !neff_tape_is(json, target, HOIST_JSON_STRING)) {
        neff_report(c->diag, NEFF_024a, neff_tape_loc(&cursor, json, target),
                    "'target' is %.*s, expected a string",
                    HOIST_STR_ARGS(hoist_json_text(json, target)));
    } else {
        check_target(c, kelf, neff_key_loc(&cursor, json, start, "target"));
    }
}

// Rule 11 -----------------------------------------------------------------------------------------

// Rule 11. Generation 1 ran several subgraphs in series on cores of its own, so more are fine
// there.
static void check_subgraphs(neff_check *c)
{
    const uint32_t lnc = c->module->header.lnc_size;
    const uint32_t expected = lnc ? lnc : 1;
    const uint32_t count = c->module->subgraph_count;
    const hoist_loc loc = hoist_loc_byte(LNC_SIZE_AT);
    neff_enter(c->module, c->diag, NEFF_NONE);
    if (lnc == 0) {
        neff_report(c->diag, NEFF_011c, loc, "lnc_size is 0, 1 is taken");
    }
    if (lnc > 2) {
        neff_report(c->diag, NEFF_011a, loc, "lnc_size is %" PRIu32 ", expected 1 or 2", lnc);
    } else if (count > 0 && count < expected) { // none at all: other rules report it
        neff_report(c->diag, NEFF_011a, loc,
                    "lnc_size is %" PRIu32 ", the file has %" PRIu32 " %s, expected one for each "
                    "physical core",
                    expected, count, hoist_plural(count, "subgraph", "subgraphs"));
    } else if (count > expected && c->generation != NEFF_GEN1) {
        neff_report(c->diag, NEFF_011b, loc,
                    "lnc_size is %" PRIu32 ", the file has %" PRIu32 " subgraphs, expected one for "
                    "each physical core",
                    expected, count);
    }
}

hoist_status neff_check_graph(neff_check *c)
{
    // The header's rule comes first, since findings are in the order of the file.
    check_subgraphs(c);
    HOIST_TRY(check_graph(c));
    for (uint32_t i = 0; i < c->module->kelf_count; i++) {
        check_kelf(c, &c->module->kelfs[i]);
    }
    return HOIST_OK;
}
