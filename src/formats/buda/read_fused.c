// The section fused_ops: buda-netlist reference section 1.10.
//
//     fused_ops:
//       0:
//         inputs: 3
//         intermediates: 1
//         schedules:
//           - - mul0: {type: multiply, inputs: [input0, input1], ..., output: dest}
//             - add0: {type: add, inputs: [dest, input2], ..., output: output}

#include "base/span.h"
#include "formats/buda/read.h"

// Keys of inputs, as those of ops.
static bool read_sub_op_key(buda_reader *r, const hoist_rec_node *node, void *object)
{
    return buda_read_input_key(r, node->yaml, &((buda_sub_op *)object)->input_keys);
}

// After the keys, because `type` may come last.
static void settle_sub_op(buda_reader *r, const hoist_rec_node *node, void *object)
{
    (void)node;
    buda_sub_op *const op = object;
    op->op = buda_read_op_type(r, &op->type);
}

const hoist_rec_hooks buda_sub_op_hooks = {.other = read_sub_op_key, .settle = settle_sub_op};

// An item of a schedule is a map with one sub-op; more are read one after the other. `- mul0:
// {...}`.
static void read_step(buda_reader *r, const hoist_yaml_node *node, buda_schedule *schedule)
{
    char shown[BUDA_SHOWN_SIZE];
    if (node->kind != HOIST_YAML_MAP || node->count != 1) {
        buda_report(r->diag, BUDA_006, node->pos, "a schedule holds %s, expected one name: sub-op",
                    buda_shown(node, shown));
    }
    if (node->kind != HOIST_YAML_MAP) {
        return;
    }
    // Frames give findings the path fused_ops/0/schedules/.../ops/mul0.
    hoist_frame ops;
    hoist_frame frame;
    hoist_diag_push(r->diag, &ops, NULL, HOIST_STR(""), HOIST_STR("ops"));
    for (const hoist_yaml_node *e = node->first; e && r->status == HOIST_OK; e = e->next) {
        buda_sub_op *const op = &schedule->ops[schedule->count++];
        const hoist_rec_node sub_op = hoist_rec_yaml(e);
        op->name = buda_key_name(e);
        hoist_diag_push(r->diag, &frame, NULL, HOIST_STR(""), op->name.text);
        (void)hoist_rec_read(r, &buda_sub_op_table, &sub_op, op);
        hoist_diag_pop(r->diag, &frame);
    }
    hoist_diag_pop(r->diag, &ops);
}

// Counts first: read_step() fills an array of exactly the sub-ops that all items have.
static void read_schedule(buda_reader *r, const hoist_yaml_node *node, buda_schedule *schedule)
{
    schedule->pos = node->pos;
    if (node->kind != HOIST_YAML_LIST) {
        buda_report_kind(r, BUDA_006, "a schedule", node, "a list of sub-ops");
        return;
    }
    size_t count = 0;
    for (const hoist_yaml_node *n = node->first; n; n = n->next) {
        // Items that are no maps are reported in read_step()
        count += n->kind == HOIST_YAML_MAP ? n->count : 0;
    }
    schedule->ops = hoist_rec_array(r, count, sizeof(schedule->ops[0]));
    for (const hoist_yaml_node *n = node->first; n && r->status == HOIST_OK; n = n->next) {
        read_step(r, n, schedule);
    }
}

// The items may be of several equal keys; wrong ones give an empty schedule, so that indices hold.
static void read_schedules(buda_reader *r, const hoist_yaml_node *entry, buda_fused *fused)
{
    if (entry->kind != HOIST_YAML_LIST) {
        buda_report_kind(r, BUDA_006, "schedules", entry, "a list of lists");
    }
    const size_t count = hoist_yaml_items_count(entry, HOIST_YAML_LIST);
    fused->schedules = hoist_rec_array(r, count, sizeof(fused->schedules[0]));
    fused->schedule_count = 0;
    hoist_yaml_items it = hoist_yaml_items_begin(entry, HOIST_YAML_LIST);
    while (fused->schedules && fused->schedule_count < count && r->status == HOIST_OK) {
        read_schedule(r, it.item, &fused->schedules[fused->schedule_count++]);
        hoist_yaml_items_next(&it);
    }
}

// A definition's name that occurs again is a duplicate key only; rule 86 is about sub-ops.
static void begin_fused(buda_reader *r, const hoist_rec_node *node, void *object)
{
    (void)object;
    buda_check_duplicate(r, node->yaml);
}

// Called for keys without a row.
static bool read_fused_key(buda_reader *r, const hoist_rec_node *node, void *object)
{
    buda_fused *const fused = object;
    if (!hoist_str_equal_c(buda_key(node->yaml), "schedules")) {
        return false; // ignored at this level, and kept
    }
    buda_check_duplicate(r, node->yaml);
    if (!fused->schedules) { // the first entry has read those of equal keys, too
        read_schedules(r, node->yaml, fused);
    }
    return true;
}

// `schedules` is required, but has no row that could say so.
static void end_fused(buda_reader *r, const hoist_rec_node *node, void *object)
{
    const buda_fused *const fused = object;
    (void)node;
    if (!fused->schedules) {
        buda_report(r->diag, BUDA_006, fused->name.pos, "schedules is missing, %s needs it",
                    buda_fused_table.what);
    }
}

const hoist_rec_hooks buda_fused_hooks = {
    .begin = begin_fused, .other = read_fused_key, .end = end_fused};

// A list would be read as a map without names: reported here, since hoist_rec_read_records() takes
// both.
void buda_read_fused_ops(buda_reader *r, const hoist_yaml_node *entry)
{
    hoist_buda_module *const m = buda_reader_module(r);
    const hoist_rec_node node = hoist_rec_yaml(entry);
    if (entry->kind == HOIST_YAML_LIST) {
        buda_report(r->diag, BUDA_006, entry->pos, "fused_ops is a list, expected a map");
    }
    const hoist_rec_list list =
        hoist_rec_read_records(r, &buda_fused_table, &node, true, "fused_ops");
    m->fused_pos = buda_key_pos(entry);
    m->fused = list.items;
    m->fused_count = list.count;
}
