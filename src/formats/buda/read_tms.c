// Tensor manipulations: buda-netlist reference section 1.7.
//
//     input_1_tms: [broadcast: {r: 2}, hslice: 4, transpose, pad: [1, 1, 0.0], tile_broadcast: r]
#include <inttypes.h>

#include "base/span.h"
#include "formats/buda/read.h"

static void read_axis(buda_reader *r, const buda_field *field, const hoist_yaml_node *entry,
                      buda_tm_axis *axis)
{
    const hoist_str key = buda_key(entry);
    const bool known =
        key.size == 1 && (key.data[0] == 'r' || key.data[0] == 'c' || key.data[0] == 'z');
    axis->axis = known ? key.data[0] : '?';
    axis->factor.pos = entry->pos;
    if (!known) {
        buda_report(r->diag, field->rule, buda_key_pos(entry),
                    "broadcast has the axis '%.*s', wanted r, c or z", HOIST_STR_ARGS(key));
    }
    buda_check_duplicate(r, entry);
    (void)buda_read_integer(r, field, "broadcast", entry, &axis->factor.value);
}

static void read_axes(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                      buda_tm *tm)
{
    char shown[BUDA_SHOWN_SIZE];
    if (node->kind != HOIST_YAML_MAP || node->count == 0) {
        buda_report(r->diag, field->rule, node->pos, "broadcast is %s, wanted {r|c|z: factor}",
                    buda_shown(node, shown));
        return;
    }
    if (node->count > 1) {
        buda_report(r->diag, BUDA_096, node->pos,
                    "broadcast has %" PRIu32 " axes, wanted one; write one broadcast per axis",
                    node->count);
    }
    buda_tm_axis *const axes = buda_reader_array(r, node->count, sizeof(*axes));
    size_t count = 0;
    for (const hoist_yaml_node *e = node->first; e && axes; e = e->next) {
        read_axis(r, field, e, &axes[count++]);
    }
    tm->axes = axes;
    tm->axis_count = count;
}

static void read_pad(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                     buda_tm *tm)
{
    // Zero tiles of padding are possible, zero of everything else is not.
    buda_field tiles = *field;
    tiles.min = 0;
    char shown[BUDA_SHOWN_SIZE];
    if (node->kind != HOIST_YAML_LIST || node->count != 3) {
        buda_report(r->diag, field->rule, node->pos, "pad is %s, wanted [rt, ct, value]",
                    buda_shown(node, shown));
        return;
    }
    tm->pad.pos = node->pos;
    const hoist_yaml_node *const ct = node->first->next;
    (void)buda_read_integer(r, &tiles, "pad", node->first, &tm->pad.r);
    (void)buda_read_integer(r, &tiles, "pad", ct, &tm->pad.c);
    tm->pad_value.pos = ct->next->pos;
    (void)buda_read_number(r, field->rule, "pad", ct->next, &tm->pad_value.value);
}

static void read_tile_axis(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                           buda_tm *tm)
{
    char shown[BUDA_SHOWN_SIZE];
    tm->tile_axis.pos = node->pos;
    tm->tile_axis.text = node->kind == HOIST_YAML_SCALAR ? node->text : (hoist_str){"", 0};
    if (!hoist_str_equal_c(tm->tile_axis.text, "r") &&
        !hoist_str_equal_c(tm->tile_axis.text, "c") &&
        !hoist_str_equal_c(tm->tile_axis.text, "rc")) {
        buda_report(r->diag, field->rule, node->pos, "tile_broadcast is %s, wanted r, c or rc",
                    buda_shown(node, shown));
    }
}

static void read_argument(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                          buda_tm *tm)
{
    char shown[BUDA_SHOWN_SIZE];
    switch (buda_tm_get(tm->kind)->form) {
    case BUDA_TM_FORM_NONE:
        if (!hoist_yaml_is_null(node)) {
            buda_report(r->diag, field->rule, node->pos, "%s takes no argument, and has %s",
                        buda_tm_get(tm->kind)->name, buda_shown(node, shown));
        }
        break;
    case BUDA_TM_FORM_AXES:
        read_axes(r, field, node, tm);
        break;
    case BUDA_TM_FORM_FACTOR:
        tm->factor.pos = node->pos;
        (void)buda_read_integer(r, field, buda_tm_get(tm->kind)->name, node, &tm->factor.value);
        break;
    case BUDA_TM_FORM_PAD:
        read_pad(r, field, node, tm);
        break;
    case BUDA_TM_FORM_AXIS:
        read_tile_axis(r, field, node, tm);
        break;
    }
}

// A bare word: only transpose can stand without an argument.
static void read_bare(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                      buda_tm *tm)
{
    tm->text = node->text;
    tm->kind = buda_tm_find(node->text);
    if (tm->kind == BUDA_TM_NONE || buda_tm_get(tm->kind)->form != BUDA_TM_FORM_NONE) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, field->rule, node->pos, "%s holds %s, wanted a TM and its argument",
                    field->key, buda_shown(node, shown));
    }
}

static void read_tm(buda_reader *r, const buda_field *field, const hoist_yaml_node *node,
                    buda_tm *tm)
{
    *tm = (buda_tm){.kind = BUDA_TM_NONE, .text = {"", 0}, .pos = node->pos};
    if (node->kind == HOIST_YAML_SCALAR) {
        read_bare(r, field, node, tm);
        return;
    }
    if (node->kind != HOIST_YAML_MAP || node->count != 1) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, field->rule, node->pos, "%s holds %s, wanted a map with one TM",
                    field->key, buda_shown(node, shown));
        return;
    }
    tm->text = buda_key(node->first);
    tm->kind = buda_tm_find(tm->text);
    if (tm->kind == BUDA_TM_NONE) {
        buda_report(r->diag, field->rule, buda_key_pos(node->first), "there is no TM '%.*s'",
                    HOIST_STR_ARGS(tm->text));
        return;
    }
    read_argument(r, field, node->first, tm);
}

void buda_read_tms(buda_reader *r, const buda_field *field, const hoist_yaml_node *entry,
                   buda_tms *out_tms)
{
    *out_tms = (buda_tms){.pos = entry->pos};
    if (entry->kind == HOIST_YAML_MAP) {
        buda_report(r->diag, field->rule, entry->pos, "%s is a map, wanted a list", field->key);
    }
    const size_t count = buda_items_count(entry, HOIST_YAML_LIST);
    buda_tm *const items = buda_reader_array(r, count, sizeof(*items));
    buda_items it = buda_items_begin(entry, HOIST_YAML_LIST);
    for (size_t i = 0; items && i < count; i++, buda_items_next(&it)) {
        read_tm(r, field, it.item, &items[i]);
    }
    out_tms->items = items;
    out_tms->count = items ? count : 0;
}
