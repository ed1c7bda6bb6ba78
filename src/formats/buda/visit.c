// The document of a netlist (`hoist dump`): the walk of walk.c, sent as tree events. In: a module.
// Out: events, with positions where the caller asks for them; keys that no table knows are sent
// under `extra`. write.c sends the same walk as a netlist.
#include "codec/yaml_writer.h"
#include "formats/buda/buda.h"
#include "formats/buda/walk.h"

// A tree that no table describes. The recursion is bounded by the depth that the reader allows.
// write.c has its own, which keeps the text of the scalars.
static void send_node(const hoist_rec_walk *walk, const hoist_yaml_node *node)
{
    hoist_tree_event event = hoist_yaml_scalar_event(node);
    event.pos = walk->positions ? node->pos : (hoist_pos){0, 0};
    if (node->kind == HOIST_YAML_SCALAR) {
        hoist_tree_send(walk->sink, &event);
        return;
    }
    event.kind = node->kind == HOIST_YAML_MAP ? HOIST_TREE_MAP : HOIST_TREE_LIST;
    event.inline_hint = node->flow;
    hoist_tree_send(walk->sink, &event);
    for (const hoist_yaml_node *n = node->first; n; n = n->next) {
        send_node(walk, n);
    }
    hoist_tree_end(walk->sink);
}

static void send_tree(const hoist_rec_walk *walk, const hoist_rec_node *node)
{
    send_node(walk, node->yaml);
}

// `key` names the document inside a larger one (hoist.dump).
hoist_status buda_visit(const hoist_module *module, const hoist_dump_options *options,
                        hoist_tree_sink *sink)
{
    const hoist_rec_walk walk = {.own = buda_kinds,
                                 .senders = buda_senders,
                                 .sink = sink,
                                 .positions = options && options->positions,
                                 // Keys without a row in a map `extra`, next to the known ones.
                                 .extra_apart = true,
                                 .tree = send_tree};
    hoist_tree_map(sink, options ? options->key : NULL);
    buda_walk_sections(&walk, (const hoist_buda_module *)module);
    const hoist_status status =
        options && options->tail ? options->tail(options->tail_self, sink) : HOIST_OK;
    hoist_tree_end(sink);
    return status == HOIST_OK ? sink->status : status;
}
