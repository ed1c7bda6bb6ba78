// formats/buda/check_test_config.c - test-config and performance-check: rules 4b, 901, 902. The
// tables of test_sections.c have the keys of each map (buda-netlist reference section 3).
// In: the two trees that the reader kept. Both steer test programs and no device, so nothing here
// depends on the architecture.
#include <inttypes.h>

#include "base/span.h"
#include "formats/buda/check.h"
#include "formats/buda/read.h"
#include "formats/buda/test_sections.h"

// Passed to the checker of the row's kind.
// A value being checked.
typedef struct value_check {
    const buda_check *check;
    const buda_test_key *row;
    hoist_str name; // of the key, for messages
    const hoist_yaml_node *node;
} value_check;

// Maps hold maps: the checkers below call back.
static void check_map(const buda_check *c, const buda_test_table *table,
                      const hoist_yaml_node *node);

// Rule 902: the value; rule 901 is about keys.
static void report_kind(const value_check *v, const char *expected)
{
    char shown[BUDA_SHOWN_SIZE];
    buda_report(v->check->diag, BUDA_902, v->node->pos, "%.*s is %s, expected %s",
                HOIST_STR_ARGS(v->name), buda_shown(v->node, shown), expected);
}

// As double, for integers and floats alike: all ranges are far below 2^53.
static void check_range_of(const value_check *v, double value)
{
    if (value < v->row->min || value > v->row->max) {
        buda_report(v->check->diag, BUDA_902, v->node->pos, "%.*s is %g, expected %g to %g",
                    HOIST_STR_ARGS(v->name), value, v->row->min, v->row->max);
    }
}

// For keys whose values are free.
static void check_any(const value_check *v)
{
    (void)v;
}

static void check_text(const value_check *v)
{
    if (v->node->kind != HOIST_YAML_SCALAR) {
        report_kind(v, "a text");
    }
}

// `0x` and leading-0 octal as well, as everywhere in a netlist.
static void check_integer(const value_check *v)
{
    int64_t value = 0;
    if (v->node->kind != HOIST_YAML_SCALAR || !hoist_str_to_i64(v->node->text, true, &value)) {
        report_kind(v, "an integer");
        return;
    }
    check_range_of(v, (double)value);
}

static void check_number(const value_check *v)
{
    double value = 0.0;
    if (v->node->kind != HOIST_YAML_SCALAR || !hoist_str_to_f64(v->node->text, &value)) {
        report_kind(v, "a number");
        return;
    }
    check_range_of(v, value);
}

// Checks each item of a list.
// The same row and key for each item: its range is that of the items.
static void check_items(const value_check *v, const char *expected,
                        void (*check_item)(const value_check *v))
{
    value_check item = *v;
    if (v->node->kind != HOIST_YAML_LIST) {
        report_kind(v, expected);
        return;
    }
    for (item.node = v->node->first; item.node; item.node = item.node->next) {
        check_item(&item);
    }
}

static void check_texts(const value_check *v)
{
    check_items(v, "a list of names", check_text);
}

static void check_integers(const value_check *v)
{
    check_items(v, "a list of integers", check_integer);
}

// Spellings are compared without case, as the vendor does for stimulus types (section 3.3).
static void check_word(const value_check *v)
{
    hoist_buffer list;
    for (const char *const *word = v->row->words; *word; word++) {
        if (v->node->kind == HOIST_YAML_SCALAR &&
            hoist_str_equal_nocase(v->node->text, hoist_str_from(*word))) {
            return;
        }
    }
    hoist_buffer_init(&list, v->check->scratch->alloc);
    for (const char *const *word = v->row->words; *word; word++) {
        hoist_buffer_format(&list, "%s%s", word == v->row->words ? "one of " : ", ", *word);
    }
    hoist_buffer_char(&list, '\0');
    // Out of memory costs the list of words, not the finding.
    report_kind(v, list.failed ? "a known word" : (const char *)list.data);
    hoist_buffer_deinit(&list);
}

// `[1, 16]`: rows or columns of a tile that are compared, from 1, both included.
static void check_tile_range(const value_check *v)
{
    enum { TILE = 32 };
    int64_t first = 0;
    int64_t last = 0;
    const hoist_yaml_node *const node = v->node;
    if (node->kind != HOIST_YAML_LIST || node->count != 2 ||
        node->first->kind != HOIST_YAML_SCALAR || node->first->next->kind != HOIST_YAML_SCALAR ||
        !hoist_str_to_i64(node->first->text, true, &first) ||
        !hoist_str_to_i64(node->first->next->text, true, &last)) {
        report_kind(v, "[first, last]");
    } else if (first < 1 || last < first || last > TILE) {
        buda_report(v->check->diag, BUDA_902, node->pos,
                    "%.*s is [%" PRId64 ", %" PRId64 "], expected first and last from 1 to %d",
                    HOIST_STR_ARGS(v->name), first, last, TILE);
    }
}

// test-args: numbers and flags under any name.
static void check_argument(const value_check *v)
{
    int64_t value = 0;
    bool flag = false;
    if (v->node->kind != HOIST_YAML_SCALAR || (!hoist_str_to_i64(v->node->text, true, &value) &&
                                               !hoist_yaml_to_bool(v->node->text, &flag))) {
        report_kind(v, "an integer, true or false");
    }
}

// A map, or nothing at all: `overrides:` with null is an empty map.
static bool is_map(const value_check *v)
{
    const bool empty = v->node->kind == HOIST_YAML_SCALAR && hoist_yaml_is_null(v->node);
    if (v->node->kind != HOIST_YAML_MAP && !empty) {
        report_kind(v, "a map");
    }
    return v->node->kind == HOIST_YAML_MAP;
}

static void check_inner_map(const value_check *v)
{
    if (is_map(v)) {
        check_map(v->check, v->row->table, v->node);
    }
}

// A map whose keys are names of the file (queues, regular expressions) and whose values are maps
// of one table.
static void check_maps(const value_check *v)
{
    // A row without key accepts every key.
    const buda_test_key row = {.kind = BUDA_TEST_MAP, .table = v->row->table};
    if (!is_map(v)) {
        return;
    }
    const buda_test_table any = {v->row->key, &row, 1};
    check_map(v->check, &any, v->node);
}

// By kind, one row each.
static void (*const checkers[BUDA_TEST_KIND_COUNT])(const value_check *v) = {
    [BUDA_TEST_ANY] = check_any,           [BUDA_TEST_TEXT] = check_text,
    [BUDA_TEST_TEXTS] = check_texts,       [BUDA_TEST_INTEGER] = check_integer,
    [BUDA_TEST_INTEGERS] = check_integers, [BUDA_TEST_NUMBER] = check_number,
    [BUDA_TEST_WORD] = check_word,         [BUDA_TEST_RANGE] = check_tile_range,
    [BUDA_TEST_ARGUMENT] = check_argument, [BUDA_TEST_MAP] = check_inner_map,
    [BUDA_TEST_MAPS] = check_maps,
};

// The recursion is bounded by the depth that the YAML reader allows, and each map is walked once.
static void check_map(const buda_check *c, const buda_test_table *table,
                      const hoist_yaml_node *node)
{
    for (const hoist_yaml_node *e = node->first; e; e = e->next) {
        hoist_frame frame;
        hoist_diag_push(c->diag, &frame, NULL, (hoist_str){"", 0}, buda_key(e));
        const hoist_str key = buda_key(e);
        const buda_test_key *const row = buda_test_key_find(table, key);
        // Each of equal keys is checked; which one holds does not matter here.
        if (e->duplicate) {
            buda_report(c->diag, BUDA_004b, buda_key_pos(e), "key '%.*s' occurs again in this map",
                        HOIST_STR_ARGS(key));
        }
        if (!row) {
            buda_report(c->diag, BUDA_901, buda_key_pos(e),
                        "%s has no key '%.*s', test programs refuse it or never read it",
                        table->what, HOIST_STR_ARGS(key));
        } else {
            checkers[row->kind](&(value_check){c, row, key, e});
        }
        hoist_diag_pop(c->diag, &frame);
    }
}

// The section as a value of a table of one row, so that its kind is reported like any other.
static void check_section(const buda_check *c, const buda_test_table *table,
                          const hoist_yaml_node *section)
{
    const buda_test_key row = {.key = table->what, .kind = BUDA_TEST_MAP, .table = table};
    hoist_frame frame;
    if (section) {
        hoist_diag_push(c->diag, &frame, NULL, (hoist_str){"", 0}, buda_key(section));
        checkers[row.kind](&(value_check){c, &row, buda_key(section), section});
        hoist_diag_pop(c->diag, &frame);
    }
}

hoist_status buda_check_test_sections(const buda_check *c)
{
    check_section(c, &buda_test_config_table, c->module->test_config);
    check_section(c, &buda_performance_check_table, c->module->performance_check);
    return HOIST_OK;
}
