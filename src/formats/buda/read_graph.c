// The section graphs: buda-netlist reference section 1.5.
//
//     graphs:
//       fwd:
//         target_device: 0
//         input_count: 4
//         mm: {type: matmul, ...}
#include "base/span.h"
#include "formats/buda/read.h"

// The op type that the map names last: grid_loc may come before `type`, and an ethernet op may
// omit or extend it.
static hoist_op peek_type(const hoist_yaml_node *map)
{
    hoist_op op = HOIST_OP_NONE;
    const bool is_map = map->kind == HOIST_YAML_MAP;
    for (const hoist_yaml_node *e = is_map ? map->first : NULL; e; e = e->next) {
        if (e->kind == HOIST_YAML_SCALAR && hoist_str_equal_c(buda_key(e), "type")) {
            op = hoist_op_find(e->text);
        }
    }
    return op;
}

// input_<N>_tms and the like; anything else without a row is an unknown key (rule 6).
static bool read_op_key(buda_reader *r, const hoist_rec_node *node, void *object)
{
    return buda_read_input_key(r, node->yaml, &((buda_op *)object)->input_keys);
}

// After the keys: the type is known now, and what is missing is reported next.
static void settle_op(buda_reader *r, const hoist_rec_node *node, void *object)
{
    (void)node;
    buda_op *const op = object;
    op->op = buda_read_op_type(r, &op->type);
}

// buf_size_mb is advised for every op, grid_loc required except over ethernet.
static bool op_needs(const void *object, const hoist_rec_field *field)
{
    return field->need == BUDA_ADVISED ||
           ((const buda_op *)object)->op != HOIST_OP_ETHERNET_DATACOPY;
}

const hoist_rec_hooks buda_op_hooks = {
    .other = read_op_key, .settle = settle_op, .needed = op_needs};

// The array of ops has its final size before the first is read: pointers to ops stay valid.
static void begin_graph(buda_reader *r, const hoist_rec_node *node, void *object)
{
    size_t count = 0;
    const bool map = hoist_rec_is_map(node);
    for (const hoist_yaml_node *e = map ? node->yaml->first : NULL; e; e = e->next) {
        count += hoist_rec_find(&buda_graph_table, buda_key(e), 0) < 0;
    }
    ((buda_graph *)object)->ops = hoist_rec_array(r, count, sizeof(buda_op));
}

// Every key of a graph that the table of graphs does not know is an op.
static bool read_op(buda_reader *r, const hoist_rec_node *node, void *object)
{
    buda_graph *const graph = object;
    buda_op *const op = &graph->ops[graph->op_count++];
    // The path of findings: graphs/fwd/ops/mm.
    hoist_frame ops;
    hoist_frame frame;
    op->name = buda_key_name(node->yaml);
    // Until settle_op() has the reported type: read_grid_loc() asks for it.
    op->op = peek_type(node->yaml);
    hoist_diag_push(r->diag, &ops, NULL, HOIST_STR(""), HOIST_STR("ops"));
    hoist_diag_push(r->diag, &frame, NULL, HOIST_STR(""), op->name.text);
    (void)hoist_rec_read(r, &buda_op_table, node, op);
    hoist_diag_pop(r->diag, &frame);
    hoist_diag_pop(r->diag, &ops);
    return true;
}

const hoist_rec_hooks buda_graph_hooks = {.begin = begin_graph, .other = read_op};

// `graphs` may occur twice; all entries are in the list.
void buda_read_graphs(buda_reader *r, const hoist_yaml_node *entry)
{
    hoist_buda_module *const m = buda_reader_module(r);
    const hoist_rec_node node = hoist_rec_yaml(entry);
    const hoist_rec_list list = hoist_rec_read_records(r, &buda_graph_table, &node, true, "graphs");
    m->graphs_pos = buda_key_pos(entry);
    m->graphs = list.items;
    m->graph_count = list.count;
}
