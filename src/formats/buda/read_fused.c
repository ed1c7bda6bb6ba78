// The section fused_ops: buda-netlist reference section 1.10.
//
//     fused_ops:
//       0:
//         inputs: 3
//         intermediates: 1
//         schedules:
//           - - mul0: {type: multiply, inputs: [input0, input1], ..., output: dest}
//             - add0: {type: add, inputs: [dest, input2], ..., output: output}
#include <inttypes.h>

#include "base/span.h"
#include "formats/buda/read.h"

static void read_sub_op(buda_reader *r, const hoist_yaml_node *entry, buda_sub_op *op)
{
    op->name = buda_key_name(entry);
    buda_fill_defaults(&buda_sub_op_table, op);
    if (entry->kind != HOIST_YAML_MAP) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, BUDA_006, entry->pos, "a sub-op is %s, wanted a map",
                    buda_shown(entry, shown));
        return;
    }
    buda_extra **tail = &op->extra;
    for (const hoist_yaml_node *e = entry->first; e && r->status == HOIST_OK; e = e->next) {
        const buda_field *const field = buda_field_find(&buda_sub_op_table, buda_key(e));
        buda_check_duplicate(r, e);
        if (field) {
            buda_read_field(r, field, e, op);
        } else if (!buda_read_input_key(r, e, &op->input_keys)) {
            buda_read_unknown(r, &buda_sub_op_table, e, &tail);
        }
    }
    op->op = buda_read_op_type(r, &op->type);
    buda_report_missing(r, &buda_sub_op_table, op, op->name.pos, NULL);
}

// An item of a schedule is a map with one sub-op; more are read one after the other.
static void read_step(buda_reader *r, const hoist_yaml_node *node, buda_schedule *schedule)
{
    char shown[BUDA_SHOWN_SIZE];
    if (node->kind != HOIST_YAML_MAP || node->count != 1) {
        buda_report(r->diag, BUDA_006, node->pos, "a schedule holds %s, wanted one name: sub-op",
                    buda_shown(node, shown));
    }
    if (node->kind != HOIST_YAML_MAP) {
        return;
    }
    hoist_frame ops;
    hoist_frame frame;
    hoist_diag_push(r->diag, &ops, NULL, (hoist_str){"", 0}, HOIST_STR("ops"));
    for (const hoist_yaml_node *e = node->first; e && r->status == HOIST_OK; e = e->next) {
        hoist_diag_push(r->diag, &frame, NULL, (hoist_str){"", 0}, buda_key(e));
        read_sub_op(r, e, &schedule->ops[schedule->count++]);
        hoist_diag_pop(r->diag, &frame);
    }
    hoist_diag_pop(r->diag, &ops);
}

static void read_schedule(buda_reader *r, const hoist_yaml_node *node, buda_schedule *schedule)
{
    char shown[BUDA_SHOWN_SIZE];
    schedule->pos = node->pos;
    if (node->kind != HOIST_YAML_LIST) {
        buda_report(r->diag, BUDA_006, node->pos, "a schedule is %s, wanted a list of sub-ops",
                    buda_shown(node, shown));
        return;
    }
    size_t count = 0;
    for (const hoist_yaml_node *n = node->first; n; n = n->next) {
        count += n->kind == HOIST_YAML_MAP ? n->count : 0;
    }
    schedule->ops = buda_reader_array(r, count, sizeof(schedule->ops[0]));
    for (const hoist_yaml_node *n = node->first; n && r->status == HOIST_OK; n = n->next) {
        read_step(r, n, schedule);
    }
}

static void read_schedules(buda_reader *r, const hoist_yaml_node *entry, buda_fused *fused)
{
    char shown[BUDA_SHOWN_SIZE];
    if (entry->kind != HOIST_YAML_LIST) {
        buda_report(r->diag, BUDA_006, entry->pos, "schedules is %s, wanted a list of lists",
                    buda_shown(entry, shown));
    }
    const size_t count = buda_items_count(entry, HOIST_YAML_LIST);
    fused->schedules = buda_reader_array(r, count, sizeof(fused->schedules[0]));
    fused->schedule_count = 0;
    buda_items it = buda_items_begin(entry, HOIST_YAML_LIST);
    while (fused->schedules && fused->schedule_count < count && r->status == HOIST_OK) {
        read_schedule(r, it.item, &fused->schedules[fused->schedule_count++]);
        buda_items_next(&it);
    }
}

static void read_fused(buda_reader *r, const hoist_yaml_node *entry, buda_fused *fused)
{
    static const char schedules[] = "schedules";
    fused->name = buda_key_name(entry);
    buda_fill_defaults(&buda_fused_table, fused);
    if (entry->kind != HOIST_YAML_MAP) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, BUDA_006, entry->pos, "a fused op is %s, wanted a map",
                    buda_shown(entry, shown));
        return;
    }
    buda_extra **tail = &fused->extra;
    bool scheduled = false;
    for (const hoist_yaml_node *e = entry->first; e && r->status == HOIST_OK; e = e->next) {
        const buda_field *const field = buda_field_find(&buda_fused_table, buda_key(e));
        buda_check_duplicate(r, e);
        if (field) {
            buda_read_field(r, field, e, fused);
        } else if (!hoist_str_equal_c(buda_key(e), schedules)) {
            buda_keep_extra(r, e, &tail); // other keys are ignored at this level
        } else if (!scheduled) {
            scheduled = true;
            read_schedules(r, e, fused);
        }
    }
    buda_report_missing(r, &buda_fused_table, fused, fused->name.pos, NULL);
    if (!scheduled && r->status == HOIST_OK) {
        buda_report(r->diag, BUDA_006, fused->name.pos, "schedules is missing, %s needs it",
                    buda_fused_table.what);
    }
}

void buda_read_fused_ops(buda_reader *r, const hoist_yaml_node *entry)
{
    hoist_buda_module *const m = r->module;
    m->fused_pos = buda_key_pos(entry);
    if (entry->kind == HOIST_YAML_LIST) {
        buda_report(r->diag, BUDA_006, entry->pos, "fused_ops is a list, wanted a map");
    }
    const size_t count = buda_items_count(entry, HOIST_YAML_MAP);
    m->fused = buda_reader_array(r, count, sizeof(m->fused[0]));
    hoist_frame section;
    hoist_frame frame;
    hoist_diag_push(r->diag, &section, NULL, (hoist_str){"", 0}, HOIST_STR("fused_ops"));
    buda_items it = buda_items_begin(entry, HOIST_YAML_MAP);
    while (m->fused && m->fused_count < count && r->status == HOIST_OK) {
        buda_check_duplicate(r, it.item);
        hoist_diag_push(r->diag, &frame, NULL, (hoist_str){"", 0}, buda_key(it.item));
        read_fused(r, it.item, &m->fused[m->fused_count++]);
        hoist_diag_pop(r->diag, &frame);
        buda_items_next(&it);
    }
    hoist_diag_pop(r->diag, &section);
}
