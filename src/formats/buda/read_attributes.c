// Attributes of ops and sub-ops: buda-netlist reference section 1.6; the table is ops/attr_table.c.
// Out: buda_attribute, one for each known key; check_attribute.c checks that they fit the op.

#include "base/span.h"
#include "formats/buda/read.h"

// The number in the keys input0 ... input7 of splice.
enum { SPLICE_INPUTS = 8 };

// One value while it is read; `out` is partly filled.
typedef struct attribute_reader {
    buda_reader *r;
    const hoist_attr_def *def;
    const hoist_yaml_node *entry;
    buda_attribute *out;
} attribute_reader;

// Every wrong kind is rule 85, whatever the attribute.
static void report_kind(const attribute_reader *a, const char *expected)
{
    char shown[BUDA_SHOWN_SIZE];
    buda_report(a->r->diag, BUDA_085, a->entry->pos, "%.*s is %s, expected %s",
                HOIST_STR_ARGS(a->out->key), buda_shown(a->entry, shown), expected);
}

// As double, because integer and float attributes share the columns `min` and `max`; attribute
// integers are far below 2^53.
static void check_range(const attribute_reader *a, double value)
{
    if (value < a->def->min || value > a->def->max) {
        buda_report(a->r->diag, BUDA_085, a->entry->pos, "%.*s is %g, expected %g to %g",
                    HOIST_STR_ARGS(a->out->key), value, a->def->min, a->def->max);
    }
}

// yaml-cpp's integers: `true` allows 0x and leading-0 octal.
static void read_int(const attribute_reader *a)
{
    if (a->entry->kind != HOIST_YAML_SCALAR ||
        !hoist_str_to_i64(a->entry->text, true, &a->out->integer)) {
        report_kind(a, "an integer");
        return;
    }
    check_range(a, (double)a->out->integer);
}

static void read_float(const attribute_reader *a)
{
    if (a->entry->kind != HOIST_YAML_SCALAR || !hoist_str_to_f64(a->entry->text, &a->out->number)) {
        report_kind(a, "a number");
        return;
    }
    check_range(a, a->out->number);
}

static void read_bool(const attribute_reader *a)
{
    if (a->entry->kind != HOIST_YAML_SCALAR ||
        !hoist_yaml_to_bool(a->entry->text, &a->out->boolean)) {
        report_kind(a, "true or false");
    }
}

// `vector: rc`. The word's index, or -1 with a finding that lists the row's words.
static void read_word(const attribute_reader *a)
{
    const bool scalar = a->entry->kind == HOIST_YAML_SCALAR;
    a->out->word = scalar ? hoist_attr_word(a->def, a->entry->text) : -1;
    if (a->out->word >= 0) {
        return;
    }
    // The list is built for the message only; it grows with the row, not with the file.
    hoist_buffer list;
    hoist_buffer_init(&list, a->r->arena->alloc);
    for (int i = 0; a->def->words[i]; i++) {
        hoist_buffer_format(&list, "%s%s", i ? ", " : "one of ", a->def->words[i]);
    }
    hoist_buffer_char(&list, '\0');
    if (list.failed) {
        a->r->status = HOIST_NO_MEMORY;
    } else {
        report_kind(a, (const char *)list.data);
    }
    hoist_buffer_deinit(&list);
}

// fused_op_id, and others that name something: the text is in `out->text` already.
static void read_name(const attribute_reader *a)
{
    if (a->entry->kind != HOIST_YAML_SCALAR) {
        report_kind(a, "a name");
    }
}

// Items that are no integers are reported and stay 0, so that the list keeps its length.
static void read_ints(const attribute_reader *a)
{
    static const hoist_rec_field item = {
        .key = "attributes", .wrong = BUDA_085, .min = INT32_MIN, .max = INT32_MAX};
    buda_ints *const ints = &a->out->ints;
    ints->pos = a->entry->pos;
    if (a->entry->kind != HOIST_YAML_LIST) {
        report_kind(a, "a list of integers");
        return;
    }
    // `count` is that of nodes in the tree, hence bounded by the size of the file.
    buda_int *const items = hoist_rec_array(a->r, a->entry->count, sizeof(*items));
    for (const hoist_yaml_node *n = a->entry->first; n && items; n = n->next) {
        items[ints->count].pos = n->pos;
        (void)buda_read_integer(a->r, &item, a->def->name, n, &items[ints->count].value);
        ints->count++;
    }
    ints->items = items;
}

// {input_0: 4, input_2: 1}; a map per key of the same name, one after the other.
static void read_input_map(const attribute_reader *a)
{
    static const hoist_rec_field item = {
        .key = "attributes", .wrong = BUDA_085, .min = INT32_MIN, .max = INT32_MAX};
    // Equal keys add up: `kernel_broadcast: {input_0: 4}` twice is one map of two entries.
    const size_t count = hoist_yaml_items_count(a->entry, HOIST_YAML_MAP);
    if (a->entry->kind != HOIST_YAML_MAP) {
        report_kind(a, "a map of input_N: tiles");
    }
    buda_name *const names = hoist_rec_array(a->r, count, sizeof(*names));
    buda_int *const values = hoist_rec_array(a->r, count, sizeof(*values));
    if (!names || !values) {
        return;
    }
    hoist_yaml_items it = hoist_yaml_items_begin(a->entry, HOIST_YAML_MAP);
    for (size_t i = 0; i < count; i++, hoist_yaml_items_next(&it)) {
        names[i] = buda_key_name(it.item);
        values[i].pos = it.item->pos;
        (void)buda_read_integer(a->r, &item, a->def->name, it.item, &values[i].value);
    }
    a->out->inputs = (buda_names){.items = names, .count = count, .pos = a->entry->pos};
    a->out->values = (buda_ints){.items = values, .count = count, .pos = a->entry->pos};
}

// By the kind of the attribute; unknown attributes never get here.
static void (*const readers[])(const attribute_reader *a) = {
    [HOIST_ATTR_KIND_INT] = read_int,
    [HOIST_ATTR_KIND_FLOAT] = read_float,
    [HOIST_ATTR_KIND_BOOL] = read_bool,
    [HOIST_ATTR_KIND_WORD] = read_word,
    [HOIST_ATTR_KIND_NAME] = read_name,
    [HOIST_ATTR_KIND_INTS] = read_ints,
    [HOIST_ATTR_KIND_INPUT_MAP] = read_input_map,
};

// The number at the end of input<N>; -1 when it is none of splice's.
static int splice_input(hoist_str key)
{
    // Only keys that hoist_attr_find() took for HOIST_ATTR_INPUT come here, so `key` is not empty.
    const char last = key.data[key.size - 1];
    return last >= '0' && last < '0' + SPLICE_INPUTS ? last - '0' : -1;
}

// Unknown attributes stay in the list, with their node, for writing.
static void read_attribute(buda_reader *r, const hoist_yaml_node *entry, hoist_attr attr,
                           buda_attribute *out)
{
    const hoist_attr_def *const def = hoist_attr_get(attr);
    *out = (buda_attribute){.attr = attr,
                            .key = buda_key(entry),
                            .key_pos = buda_key_pos(entry),
                            .pos = entry->pos,
                            .word = -1,
                            .node = entry};
    if (entry->kind == HOIST_YAML_SCALAR) {
        out->text = entry->text;
    }
    if (attr == HOIST_ATTR_NONE) {
        buda_report(r->diag, BUDA_085, out->key_pos, "there is no attribute '%.*s'",
                    HOIST_STR_ARGS(out->key));
        return;
    }
    out->input = attr == HOIST_ATTR_INPUT ? splice_input(out->key) : 0;
    readers[def->kind](&(attribute_reader){r, def, entry, out});
}

// Index into `first_of`: attributes by number, the inputs of splice (one attribute, eight keys)
// after them.
static size_t attribute_slot(const buda_attribute *attribute)
{
    return attribute->attr == HOIST_ATTR_INPUT ? (size_t)HOIST_ATTR_COUNT + (size_t)attribute->input
                                               : (size_t)attribute->attr;
}

// The list that is filled, and where each attribute already is in it.
typedef struct attribute_list {
    buda_attribute *items;
    size_t count;
    size_t first_of[HOIST_ATTR_COUNT + SPLICE_INPUTS]; // index + 1; 0: not seen
} attribute_list;

// A known attribute that occurs again replaces the earlier value; the maps of inputs have collected
// it already (section 1.1).
static void add_attribute(buda_reader *r, const hoist_yaml_node *entry, attribute_list *list)
{
    const hoist_attr attr = hoist_attr_find(buda_key(entry));
    const bool collects = hoist_attr_get(attr)->kind == HOIST_ATTR_KIND_INPUT_MAP;
    buda_check_duplicate(r, entry);
    // The map that the first entry read has this entry's items already.
    if (collects && entry->duplicate) {
        return;
    }
    buda_attribute *const item = &list->items[list->count];
    read_attribute(r, entry, attr, item);
    if (attr == HOIST_ATTR_NONE || collects) {
        list->count++;
        return;
    }
    // In place of the earlier one, so that the order of the file's first mention stays.
    size_t *const first = &list->first_of[attribute_slot(item)];
    if (*first) {
        list->items[*first - 1] = *item;
    } else {
        list->count++;
        *first = list->count;
    }
}

// An empty map is refused (rule 85), as by the vendor's parser, but read on.
bool buda_read_attributes(buda_reader *r, const hoist_rec_field *field, const hoist_rec_node *node,
                          void *slot)
{
    const hoist_yaml_node *const entry = node->yaml;
    buda_attributes *const out_attributes = slot;
    *out_attributes = (buda_attributes){.pos = entry->pos};
    const size_t count = hoist_yaml_items_count(entry, HOIST_YAML_MAP);
    if (count == 0) {
        hoist_rec_expected(r, field->wrong, field->key, node, "a map with entries");
    }
    // One more: a replaced value is read after the others first.
    attribute_list list = {.items = hoist_rec_array(r, count + 1, sizeof(list.items[0]))};
    if (!list.items) {
        return true;
    }
    for (hoist_yaml_items it = hoist_yaml_items_begin(entry, HOIST_YAML_MAP); it.item;
         hoist_yaml_items_next(&it)) {
        add_attribute(r, it.item, &list);
    }
    out_attributes->items = list.items;
    out_attributes->count = list.count;
    return true;
}
