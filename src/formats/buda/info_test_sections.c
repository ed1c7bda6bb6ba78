// The summary of test-config and performance-check, as tree events: buda-netlist reference
// section 3. Both are for test programs; nothing here is checked.
// In: trees that may have any shape, so every access checks the kind of node; what is malformed is
// left out.
#include "base/span.h"
#include "codec/yaml_writer.h"
#include "formats/buda/info.h"
#include "formats/buda/test_sections.h"

// The value of `key` in a map; NULL when there is none, or no map.
static const hoist_yaml_node *find(const hoist_yaml_node *map, const char *key)
{
    return map && map->kind == HOIST_YAML_MAP ? hoist_yaml_find(map, key) : NULL;
}

// The first entry or item of a node of that kind; NULL for any other node.
static const hoist_yaml_node *first_of(const hoist_yaml_node *node, hoist_yaml_kind kind)
{
    return node && node->kind == kind ? node->first : NULL;
}

// Keys of the document are our own; the values are the file's.
static void send_text(hoist_tree_sink *sink, const char *shown, const hoist_yaml_node *node)
{
    if (node && node->kind == HOIST_YAML_SCALAR) {
        hoist_tree_str(sink, shown, node->text);
    }
}

// A single value under the name `shown`, a number where it is one.
static void send_value(hoist_tree_sink *sink, const char *shown, const hoist_yaml_node *node)
{
    if (node && node->kind == HOIST_YAML_SCALAR) {
        hoist_tree_event event = hoist_yaml_scalar_event(node);
        event.key = hoist_str_from(shown);
        hoist_tree_send(sink, &event);
    }
}

// The single values of a map but its type: {uniform_lower_bound: -1, uniform_upper_bound: 1}. For
// stimulus bounds and test-args, whose keys differ from type to type.
static void send_values(hoist_tree_sink *sink, const char *shown, const hoist_yaml_node *map)
{
    const hoist_yaml_node *entry = first_of(map, HOIST_YAML_MAP);
    if (!entry) {
        return;
    }
    hoist_tree_short_map(sink, shown);
    for (; entry; entry = entry->next) {
        if (entry->kind == HOIST_YAML_SCALAR && !hoist_str_equal_c(entry->key->text, "type")) {
            const hoist_tree_event event = hoist_yaml_scalar_event(entry);
            hoist_tree_send(sink, &event);
        }
    }
    hoist_tree_end(sink);
}

// Items that are lists or maps have an empty text.
static void send_names(hoist_tree_sink *sink, const char *shown, const hoist_yaml_node *list)
{
    const hoist_yaml_node *item = first_of(list, HOIST_YAML_LIST);
    if (!item) {
        return;
    }
    hoist_tree_short_list(sink, shown);
    for (; item; item = item->next) {
        hoist_tree_str(sink, "", item->text);
    }
    hoist_tree_end(sink);
}

// The number of overrides; their contents are in `dump`.
static void send_count(hoist_tree_sink *sink, const char *shown, const hoist_yaml_node *map)
{
    if (map && map->kind == HOIST_YAML_MAP) {
        hoist_tree_uint(sink, shown, map->count, HOIST_UNIT_NONE);
    }
}

// Absent keys are left out, since the default is the test program's and not the file's.
static void send_test_config(hoist_tree_sink *sink, const hoist_yaml_node *section)
{
    static const char *const tolerances[] = {"atol", "rtol", "check_pct", "check_pcc"};
    const hoist_yaml_node *const comparison = find(section, "comparison-config");
    const hoist_yaml_node *const stimulus = find(section, "stimulus-config");
    const hoist_yaml_node *const io = find(section, "io-config");
    hoist_tree_map(sink, "test_config");
    send_text(sink, "comparison", find(comparison, "type"));
    for (size_t i = 0; i < HOIST_COUNT_OF(tolerances); i++) {
        send_value(sink, tolerances[i], find(comparison, tolerances[i]));
    }
    send_count(sink, "comparison_overrides", find(comparison, "overrides"));
    send_text(sink, "stimulus", find(stimulus, "type"));
    send_values(sink, "stimulus_values", stimulus);
    send_count(sink, "stimulus_overrides", find(stimulus, "overrides"));
    send_values(sink, "arguments", find(section, "test-args"));
    send_names(sink, "inputs", find(io, "inputs"));
    send_names(sink, "outputs", find(io, "outputs"));
    hoist_tree_end(sink);
}

// "expected", "rtol" and "min_bound" are the keys of the measure's table.
static void send_measure(hoist_tree_sink *sink, const hoist_yaml_node *config,
                         const hoist_yaml_node *measure)
{
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "name", config->key->text);
    send_text(sink, "program", find(config, "program-name"));
    send_text(sink, "graph", find(config, "graph-name"));
    hoist_tree_str(sink, "measure", measure->key->text);
    for (size_t i = 0; i < buda_measure_table.count; i++) { // by the rows of test_sections.c
        const char *const key = buda_measure_table.keys[i].key;
        send_value(sink, key, find(measure, key));
    }
    hoist_tree_end(sink);
}

// One row per measure of each item. An item has several measures, and keys that are none: the
// table of a row decides.
static void send_performance_check(hoist_tree_sink *sink, const hoist_yaml_node *section)
{
    const hoist_yaml_node *config = first_of(section, HOIST_YAML_MAP);
    hoist_tree_list(sink, "performance_check");
    for (; config; config = config->next) {
        const hoist_yaml_node *entry = first_of(config, HOIST_YAML_MAP);
        for (; entry; entry = entry->next) {
            const buda_test_key *const row =
                buda_test_key_find(&buda_performance_table, entry->key->text);
            if (row && row->table == &buda_measure_table) {
                send_measure(sink, config, entry);
            }
        }
    }
    hoist_tree_end(sink);
}

// Absent sections send nothing at all.
void buda_send_test_sections(const hoist_buda_module *module, hoist_tree_sink *sink)
{
    if (module->test_config) {
        send_test_config(sink, module->test_config);
    }
    if (module->performance_check) {
        send_performance_check(sink, module->performance_check);
    }
}
