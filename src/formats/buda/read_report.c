// How the reader of netlists reports: nodes in words, keys that occur again, unknown and missing
// ones. At the bottom of the reader: used by all read_*.c, uses none of them.
#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "formats/buda/read.h"

const char *buda_shown(const hoist_yaml_node *node, char text[BUDA_SHOWN_SIZE])
{
    if (node->kind == HOIST_YAML_LIST) {
        return node->count ? "a list" : "an empty list";
    }
    if (node->kind == HOIST_YAML_MAP) {
        return node->count ? "a map" : "an empty map";
    }
    // Covers null: YAML's `~` keeps its text, an absent value has none.
    if (node->text.size == 0) {
        return "empty";
    }
    // Characters of a hostile scalar in a message.
    const size_t size = hoist_str_cut(node->text, 64);
    (void)snprintf(text, BUDA_SHOWN_SIZE, "'%.*s%s'", (int)size, node->text.data,
                   size < node->text.size ? "..." : "");
    return text;
}

hoist_str buda_shown_node(const hoist_rec_node *node, char text[BUDA_SHOWN_SIZE])
{
    return hoist_str_from(buda_shown(node->yaml, text));
}

// The variant for records, which know rules by number only.
void buda_report_node(buda_reader *r, uint16_t rule, const hoist_rec_node *node, const char *format,
                      ...)
{
    va_list args;
    va_start(args, format);
    hoist_vreport(r->diag, &hoist_buda_rules.rules[rule], hoist_loc_pos(node->yaml->pos), format,
                  args);
    va_end(args);
}

// "WHAT is 'abc', expected ...", in the wording that records use.
void buda_report_kind(buda_reader *r, buda_rule rule, const char *what, const hoist_yaml_node *node,
                      const char *expected)
{
    const hoist_rec_node value = hoist_rec_yaml(node);
    hoist_rec_expected(r, (uint16_t)rule, what, &value, expected);
}

// The flag is the YAML reader's, so that all maps of the file are checked alike.
void buda_check_duplicate(buda_reader *r, const hoist_yaml_node *entry)
{
    if (entry->duplicate) {
        buda_report(r->diag, BUDA_004b, buda_key_pos(entry), "key '%.*s' occurs again in this map",
                    HOIST_STR_ARGS(buda_key(entry)));
    }
}

void buda_report_twice(buda_reader *r, const hoist_rec_node *node)
{
    buda_check_duplicate(r, node->yaml);
}

void buda_report_unknown(buda_reader *r, const hoist_rec_table *table, const hoist_rec_node *node)
{
    buda_report(r->diag, table->rule, buda_key_pos(node->yaml), "%s has no key '%.*s'", table->what,
                HOIST_STR_ARGS(buda_key(node->yaml)));
}

// A key that a value with its own location lacks is reported there, all others at the name.
void buda_report_missing(buda_reader *r, const hoist_rec_table *table, const hoist_rec_field *field,
                         const hoist_rec_node *node)
{
    const bool inner = table->place_at != HOIST_REC_NONE;
    // A pad is a value inside an op; a queue has its name before it.
    const hoist_pos pos = inner ? node->yaml->pos : buda_key_pos(node->yaml);
    if (field->need == BUDA_ADVISED) {
        buda_report(r->diag, table->other_rule, pos, "%s is missing, %" PRId64 " is taken",
                    field->key, field->fallback);
    } else {
        buda_report(r->diag, table->rule, pos, "%s is missing, %s needs it", field->key,
                    table->what);
    }
}

// For numbers that are not whole fields: factors, addresses, halves of pairs.
bool buda_read_integer(buda_reader *r, const hoist_rec_field *field, const char *what,
                       const hoist_yaml_node *node, int64_t *out_value)
{
    const hoist_rec_node value = hoist_rec_yaml(node);
    return hoist_rec_integer(r, field, what, &value, out_value);
}

// An empty name has been reported as missing or of a wrong kind.
hoist_op buda_read_op_type(buda_reader *r, const buda_name *type)
{
    const hoist_op op = hoist_op_find(type->text);
    if (op == HOIST_OP_NONE && type->text.size) {
        buda_report(r->diag, BUDA_006, type->pos, "there is no op type '%.*s'",
                    HOIST_STR_ARGS(type->text));
    }
    return op;
}
