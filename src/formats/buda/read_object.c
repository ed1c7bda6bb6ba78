// Objects of netlists: maps whose keys a table knows.
#include <inttypes.h>

#include "base/span.h"
#include "formats/buda/read.h"

// Input numbers are small: no op has more inputs than the table of ops says, splice has 8.
enum { MAX_INPUT = 255 };

void buda_keep_extra(buda_reader *r, const hoist_yaml_node *entry, buda_extra ***tail)
{
    buda_extra *const extra = buda_reader_array(r, 1, sizeof(*extra));
    if (extra) {
        extra->node = entry;
        **tail = extra;
        *tail = &extra->next;
    }
}

void buda_read_unknown(buda_reader *r, const buda_table *table, const hoist_yaml_node *entry,
                       buda_extra ***tail)
{
    buda_report(r->diag, table->rule, buda_key_pos(entry), "%s has no key '%.*s'", table->what,
                HOIST_STR_ARGS(buda_key(entry)));
    buda_keep_extra(r, entry, tail);
}

void buda_check_duplicate(buda_reader *r, const hoist_yaml_node *entry)
{
    if (entry->duplicate) {
        buda_report(r->diag, BUDA_004b, buda_key_pos(entry), "key '%.*s' occurs again in this map",
                    HOIST_STR_ARGS(buda_key(entry)));
    }
}

static bool is_needed(const buda_field *field, const void *object,
                      bool (*needed)(const void *object, buda_need need))
{
    switch (field->need) {
    case BUDA_OPTIONAL:
        return false;
    case BUDA_REQUIRED:
    case BUDA_ADVISED:
        return true;
    case BUDA_UNLESS_ETH:
    case BUDA_WITH_DRAM:
    case BUDA_WITH_HOST:
        return needed && needed(object, field->need);
    }
    return false;
}

static void report_absent(buda_reader *r, const buda_table *table, const buda_field *field,
                          hoist_pos pos)
{
    if (field->need == BUDA_ADVISED) {
        buda_report(r->diag, table->advised_rule, pos, "%s is missing, %" PRId64 " is taken",
                    field->key, field->fallback);
    } else {
        buda_report(r->diag, table->rule, pos, "%s is missing, %s needs it", field->key,
                    table->what);
    }
}

void buda_report_missing(buda_reader *r, const buda_table *table, const void *object, hoist_pos pos,
                         bool (*needed)(const void *object, buda_need need))
{
    // Where memory ended the reading, what is missing may only not have been read.
    for (size_t i = 0; i < table->count && r->status == HOIST_OK; i++) {
        const buda_field *const field = &table->fields[i];
        const void *const slot = buda_slot_const(object, field);
        if (!buda_has(buda_slot_pos(field, slot)) && is_needed(field, object, needed)) {
            report_absent(r, table, field, pos);
        }
    }
}

void buda_read_object(buda_reader *r, const buda_table *table, const hoist_yaml_node *node,
                      void *object, buda_extra **extra)
{
    buda_fill_defaults(table, object);
    if (node->kind != HOIST_YAML_MAP) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, table->rule, node->pos, "%s is %s, wanted a map", table->what,
                    buda_shown(node, shown));
        return;
    }
    buda_extra *dropped = NULL;
    buda_extra **tail = extra ? extra : &dropped;
    r->status = r->status == HOIST_OK ? hoist_deadline_look(r->module->base.deadline) : r->status;
    for (const hoist_yaml_node *e = node->first; e && r->status == HOIST_OK; e = e->next) {
        const buda_field *const field = buda_field_find(table, buda_key(e));
        buda_check_duplicate(r, e);
        if (field) {
            buda_read_field(r, field, e, object);
        } else {
            buda_read_unknown(r, table, e, &tail);
        }
    }
}

hoist_op buda_read_op_type(buda_reader *r, const buda_name *type)
{
    const hoist_op op = hoist_op_find(type->text);
    if (op == HOIST_OP_NONE && type->text.size) {
        buda_report(r->diag, BUDA_006, type->pos, "there is no op type '%.*s'",
                    HOIST_STR_ARGS(type->text));
    }
    return op;
}

// Splits input_<N>_<word>; NULL when the key has another form. A number too large for any op stays
// above MAX_INPUT.
static const buda_field *input_field(hoist_str key, int *out_input)
{
    static const char prefix[] = "input_";
    *out_input = 0;
    size_t i = sizeof(prefix) - 1;
    const size_t digits = i;
    if (!hoist_str_starts_with(key, prefix)) {
        return NULL;
    }
    for (; i < key.size && key.data[i] >= '0' && key.data[i] <= '9'; i++) {
        *out_input = *out_input > MAX_INPUT ? *out_input : *out_input * 10 + (key.data[i] - '0');
    }
    if (i == digits || i >= key.size || key.data[i] != '_') {
        return NULL;
    }
    return buda_field_find(&buda_input_keys_table, hoist_str_slice(key, i + 1, key.size));
}

// The keys of input number `input` in `list`, which ascends; added when absent.
static buda_input_keys *input_keys_of(buda_reader *r, buda_input_keys **list, int input)
{
    while (*list && (*list)->input < input) {
        list = &(*list)->next;
    }
    if (*list && (*list)->input == input) {
        return *list;
    }
    buda_input_keys *const keys = buda_reader_array(r, 1, sizeof(*keys));
    if (keys) {
        keys->input = input;
        keys->next = *list;
        *list = keys;
    }
    return keys;
}

bool buda_read_input_key(buda_reader *r, const hoist_yaml_node *entry, buda_input_keys **list)
{
    int input = 0;
    const buda_field *const field = input_field(buda_key(entry), &input);
    if (!field || input > MAX_INPUT) {
        return false;
    }
    buda_input_keys *const keys = input_keys_of(r, list, input);
    if (keys) {
        buda_read_field(r, field, entry, keys);
    }
    return true;
}
