// Tensor manipulations: buda-netlist reference section 1.7.
//
//     input_1_tms: [broadcast: {r: 2}, hslice: 4, transpose, pad: [1, 1, 0.0], tile_broadcast: r]
#include <inttypes.h>

#include "base/span.h"
#include "formats/buda/read.h"

// `{r: 2}`. An unknown axis becomes '?', which scales nothing (shape.c).
static void read_axis(buda_reader *r, const hoist_rec_field *field, const hoist_yaml_node *entry,
                      buda_tm_axis *axis)
{
    const hoist_str key = buda_key(entry);
    const bool known =
        key.size == 1 && (key.data[0] == 'r' || key.data[0] == 'c' || key.data[0] == 'z');
    axis->axis = known ? key.data[0] : '?';
    axis->factor.pos = entry->pos;
    if (!known) {
        buda_report(r->diag, field->wrong, buda_key_pos(entry),
                    "broadcast has the axis '%.*s', expected r, c or z", HOIST_STR_ARGS(key));
    }
    buda_check_duplicate(r, entry);
    (void)buda_read_integer(r, field, "broadcast", entry, &axis->factor.value);
}

// More than one axis is an error (rule 96) but read: the shape is still that of all factors.
static void read_axes(buda_reader *r, const hoist_rec_field *field, const hoist_yaml_node *node,
                      buda_tm *tm)
{
    if (node->kind != HOIST_YAML_MAP || node->count == 0) {
        buda_report_kind(r, field->wrong, "broadcast", node, "{r|c|z: factor}");
        return;
    }
    if (node->count > 1) {
        buda_report(r->diag, BUDA_096, node->pos,
                    "broadcast has %" PRIu32 " axes, expected one; write one broadcast per axis",
                    node->count);
    }
    buda_tm_axis *const axes = hoist_rec_array(r, node->count, sizeof(*axes));
    size_t count = 0;
    for (const hoist_yaml_node *e = node->first; e && axes; e = e->next) {
        read_axis(r, field, e, &axes[count++]);
    }
    tm->axes = axes;
    tm->axis_count = count;
}

// All three arguments are needed: `pad: [1, 1]` has no value to fill with.
static void read_pad(buda_reader *r, const hoist_rec_field *field, const hoist_yaml_node *node,
                     buda_tm *tm)
{
    // Zero tiles of padding are possible, zero of everything else is not.
    hoist_rec_field tiles = *field;
    tiles.min = 0;
    if (node->kind != HOIST_YAML_LIST || node->count != 3) {
        buda_report_kind(r, field->wrong, "pad", node, "[rt, ct, value]");
        return;
    }
    tm->pad.pos = node->pos;
    const hoist_yaml_node *const ct = node->first->next;
    const hoist_rec_node padded = hoist_rec_yaml(ct->next);
    const hoist_rec_field value = {
        .key = "pad", .kind = HOIST_REC_FLOAT, .places = true, .wrong = field->wrong};
    (void)buda_read_integer(r, &tiles, "pad", node->first, &tm->pad.r);
    (void)buda_read_integer(r, &tiles, "pad", ct, &tm->pad.c);
    (void)hoist_rec_read_field(r, &value, &padded, &tm->pad_value);
}

// The axes of the elements inside a tile, not of tiles: the letters r, c and both.
static void read_tile_axis(buda_reader *r, const hoist_rec_field *field,
                           const hoist_yaml_node *node, buda_tm *tm)
{
    tm->tile_axis.pos = node->pos;
    tm->tile_axis.text = node->kind == HOIST_YAML_SCALAR ? node->text : HOIST_STR("");
    if (!hoist_str_equal_c(tm->tile_axis.text, "r") &&
        !hoist_str_equal_c(tm->tile_axis.text, "c") &&
        !hoist_str_equal_c(tm->tile_axis.text, "rc")) {
        buda_report_kind(r, field->wrong, "tile_broadcast", node, "r, c or rc");
    }
}

// By the form of the TM's argument (words.c).
static void read_argument(buda_reader *r, const hoist_rec_field *field, const hoist_yaml_node *node,
                          buda_tm *tm)
{
    char shown[BUDA_SHOWN_SIZE];
    switch (buda_tm_get(tm->kind)->form) {
    case BUDA_TM_FORM_NONE:
        // `transpose:` with null is the word as a map key.
        if (!hoist_yaml_is_null(node)) {
            buda_report(r->diag, field->wrong, node->pos, "%s takes no argument, and has %s",
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

// A bare word: only transpose has no argument.
static void read_bare(buda_reader *r, const hoist_rec_field *field, const hoist_yaml_node *node,
                      buda_tm *tm)
{
    tm->text = node->text;
    tm->kind = buda_tm_find(node->text);
    if (tm->kind == BUDA_TM_NONE || buda_tm_get(tm->kind)->form != BUDA_TM_FORM_NONE) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, field->wrong, node->pos, "%s holds %s, expected a TM and its argument",
                    field->key, buda_shown(node, shown));
    }
}

// One item of a list of TMs. What is refused is BUDA_TM_NONE with its text: checks skip it.
static bool read_tm(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *value,
                    void *slot)
{
    buda_tm *const tm = slot;
    const hoist_yaml_node *const node = value->yaml;
    *tm = (buda_tm){.kind = BUDA_TM_NONE, .text = {"", 0}, .pos = node->pos};
    if (node->kind == HOIST_YAML_SCALAR) {
        read_bare(r, field, node, tm);
        return true;
    }
    if (node->kind != HOIST_YAML_MAP || node->count != 1) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, field->wrong, node->pos, "%s holds %s, expected a map with one TM",
                    field->key, buda_shown(node, shown));
        return true;
    }
    tm->text = buda_key(node->first);
    tm->kind = buda_tm_find(tm->text);
    if (tm->kind == BUDA_TM_NONE) {
        buda_report(r->diag, field->wrong, buda_key_pos(node->first), "there is no TM '%.*s'",
                    HOIST_STR_ARGS(tm->text));
    } else {
        read_argument(r, field, node->first, tm);
    }
    return true;
}

// Lists of equal keys add up; a scalar such as `None` is an empty list that has a location.
bool buda_read_tms(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                   void *slot)
{
    hoist_rec_read_list(r, field, node, sizeof(buda_tm), read_tm, slot);
    return true;
}
