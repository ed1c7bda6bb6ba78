#include "base/span.h"
#include "codec/yaml_writer.h"
#include "formats/buda/buda.h"
#include "formats/buda/walk.h"

static void send_scalar(const buda_walk *walk, const hoist_yaml_node *node, hoist_tree_event *event)
{
    event->kind = node->plain ? hoist_yaml_plain_kind(node->text) : HOIST_TREE_STR;
    event->str = node->text;
    event->boolean = hoist_str_equal_nocase(node->text, HOIST_STR("true"));
    if (event->kind == HOIST_TREE_INT) {
        (void)hoist_str_to_i64(node->text, true, &event->integer);
    } else if (event->kind == HOIST_TREE_FLOAT) {
        (void)hoist_str_to_f64(node->text, &event->number);
    }
    hoist_tree_send(walk->sink, event);
}

// A tree that no table describes. The recursion is bounded by the depth that the reader allows.
static void send_tree(const buda_walk *walk, const hoist_yaml_node *node)
{
    hoist_tree_event event = {.key = node->key ? node->key->text : (hoist_str){"", 0},
                              .pos = walk->positions ? node->pos : (hoist_pos){0, 0}};
    if (node->kind == HOIST_YAML_SCALAR) {
        send_scalar(walk, node, &event);
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
