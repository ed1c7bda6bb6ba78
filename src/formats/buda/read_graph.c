// The section graphs: buda-netlist reference section 1.5.
//
//     graphs:
//       fwd:
//         target_device: 0
//         input_count: 4
//         mm: {type: matmul, ...}
#include "base/span.h"
#include "formats/buda/read.h"

static bool op_needs(const void *object, buda_need need)
{
    const buda_op *const op = object;
    return need == BUDA_UNLESS_ETH && op->op != HOIST_OP_ETHERNET_DATACOPY;
}

// The op type that the map names last: rules of other keys depend on it.
static hoist_op peek_type(const hoist_yaml_node *map)
{
    hoist_op op = HOIST_OP_NONE;
    for (const hoist_yaml_node *e = map->first; e; e = e->next) {
        if (e->kind == HOIST_YAML_SCALAR && hoist_str_equal_c(buda_key(e), "type")) {
            op = hoist_op_find(e->text);
        }
    }
    return op;
}

static void read_op_key(buda_reader *r, const hoist_yaml_node *entry, buda_op *op,
                        buda_extra ***tail)
{
    const buda_field *const field = buda_field_find(&buda_op_table, buda_key(entry));
    buda_check_duplicate(r, entry);
    if (field && field->need == BUDA_UNLESS_ETH && !op_needs(op, field->need) &&
        (entry->kind != HOIST_YAML_LIST || entry->count != 2)) {
        return; // may have any length there
    }
    if (field) {
        buda_read_field(r, field, entry, op);
    } else if (!buda_read_input_key(r, entry, &op->input_keys)) {
        buda_read_unknown(r, &buda_op_table, entry, tail);
    }
}

static void read_op(buda_reader *r, const hoist_yaml_node *entry, buda_op *op)
{
    op->name = buda_key_name(entry);
    buda_fill_defaults(&buda_op_table, op);
    if (entry->kind != HOIST_YAML_MAP) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, BUDA_006, entry->pos, "an op is %s, wanted a map",
                    buda_shown(entry, shown));
        return;
    }
    op->op = peek_type(entry);
    buda_extra **tail = &op->extra;
    for (const hoist_yaml_node *e = entry->first; e && r->status == HOIST_OK; e = e->next) {
        read_op_key(r, e, op, &tail);
    }
    op->op = buda_read_op_type(r, &op->type);
    buda_report_missing(r, &buda_op_table, op, op->name.pos, op_needs);
}

// Every key of a graph that the table of graphs does not know is an op.
static void read_member(buda_reader *r, const hoist_yaml_node *entry, buda_graph *graph)
{
    const buda_field *const field = buda_field_find(&buda_graph_table, buda_key(entry));
    if (field) {
        buda_check_duplicate(r, entry);
        buda_read_field(r, field, entry, graph);
        return;
    }
    hoist_frame ops;
    hoist_frame frame;
    hoist_diag_push(r->diag, &ops, NULL, (hoist_str){"", 0}, HOIST_STR("ops"));
    hoist_diag_push(r->diag, &frame, NULL, (hoist_str){"", 0}, buda_key(entry));
    read_op(r, entry, &graph->ops[graph->op_count++]);
    hoist_diag_pop(r->diag, &frame);
    hoist_diag_pop(r->diag, &ops);
}

static void read_graph(buda_reader *r, const hoist_yaml_node *entry, buda_graph *graph)
{
    graph->name = buda_key_name(entry);
    buda_fill_defaults(&buda_graph_table, graph);
    if (entry->kind != HOIST_YAML_MAP) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, BUDA_006, entry->pos, "a graph is %s, wanted a map",
                    buda_shown(entry, shown));
        return;
    }
    size_t count = 0;
    for (const hoist_yaml_node *e = entry->first; e; e = e->next) {
        count += buda_field_find(&buda_graph_table, buda_key(e)) ? 0 : 1;
    }
    graph->ops = buda_reader_array(r, count, sizeof(graph->ops[0]));
    for (const hoist_yaml_node *e = entry->first; e && r->status == HOIST_OK; e = e->next) {
        read_member(r, e, graph);
    }
    buda_report_missing(r, &buda_graph_table, graph, graph->name.pos, NULL);
}

void buda_read_graphs(buda_reader *r, const hoist_yaml_node *entry)
{
    hoist_buda_module *const m = r->module;
    m->graphs_pos = buda_key_pos(entry);
    const size_t count = buda_items_count(entry, HOIST_YAML_MAP);
    m->graphs = buda_reader_array(r, count, sizeof(m->graphs[0]));
    hoist_frame section;
    hoist_frame frame;
    hoist_diag_push(r->diag, &section, NULL, (hoist_str){"", 0}, HOIST_STR("graphs"));
    buda_items it = buda_items_begin(entry, HOIST_YAML_MAP);
    while (m->graphs && m->graph_count < count && r->status == HOIST_OK) {
        hoist_diag_push(r->diag, &frame, NULL, (hoist_str){"", 0}, buda_key(it.item));
        read_graph(r, it.item, &m->graphs[m->graph_count++]);
        hoist_diag_pop(r->diag, &frame);
        buda_items_next(&it);
    }
    hoist_diag_pop(r->diag, &section);
}
