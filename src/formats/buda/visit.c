#include "base/span.h"
#include "codec/yaml_writer.h"
#include "formats/buda/buda.h"
#include "formats/buda/walk.h"

// A tree that no table describes. The recursion is bounded by the depth that the reader allows.
static void send_tree(const buda_walk *walk, const hoist_yaml_node *node)
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
        send_tree(walk, n);
    }
    hoist_tree_end(walk->sink);
}

hoist_status buda_visit(const hoist_module *module, const hoist_dump_options *options,
                        hoist_tree_sink *sink)
{
    const buda_walk walk = {.sink = sink,
                            .key = options ? options->key : NULL,
                            .positions = options && options->positions,
                            .extra_apart = true,
                            .tree = send_tree};
    buda_walk_module(&walk, (const hoist_buda_module *)module);
    return sink->status;
}
