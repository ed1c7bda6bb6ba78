// Reading the tree of yaml.c: entries by key, and YAML's words for null and booleans.
#include "base/span.h"
#include "codec/yaml.h"

// Linear; records look their keys up by rows (codec/record.h), not here.
const hoist_yaml_node *hoist_yaml_find(const hoist_yaml_node *map, const char *key)
{
    if (!map || map->kind != HOIST_YAML_MAP) {
        return NULL;
    }
    const hoist_yaml_node *entry = map->first;
    while (entry && !hoist_str_equal_c(entry->key->text, key)) {
        entry = entry->next;
    }
    return entry;
}

// The first item of `entry` or of a later entry with its key; a list's item has no such entries.
static void settle(hoist_yaml_items *it)
{
    while (it->entry && !it->item) {
        it->entry = it->entry->key ? it->entry->key->first : NULL;
        it->item = it->entry && it->entry->kind == it->kind ? it->entry->first : NULL;
    }
}

hoist_yaml_items hoist_yaml_items_begin(const hoist_yaml_node *entry, hoist_yaml_kind kind)
{
    hoist_yaml_items it = {entry, entry->kind == kind ? entry->first : NULL, kind};
    settle(&it);
    return it;
}

void hoist_yaml_items_next(hoist_yaml_items *it)
{
    it->item = it->item->next;
    settle(it);
}

size_t hoist_yaml_items_count(const hoist_yaml_node *entry, hoist_yaml_kind kind)
{
    size_t count = 0;
    for (hoist_yaml_items it = hoist_yaml_items_begin(entry, kind); it.item;
         hoist_yaml_items_next(&it)) {
        count++;
    }
    return count;
}

bool hoist_yaml_is_null(const hoist_yaml_node *node)
{
    // YAML 1.1, null type.
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    bool found = false;
    for (size_t i = 0; i < HOIST_COUNT_OF(words) && node->plain; i++) {
        found = found || hoist_str_equal_c(node->text, words[i]);
    }
    return found;
}

// `text` is `word` (lower case) in lower, Capitalised or UPPER form.
// "yEs" is a string: small counts the letters after the first that are lower case, all or none
// of them.
static bool yaml_is_word(hoist_str text, const char *word)
{
    const hoist_str lower = hoist_str_from(word);
    if (!hoist_str_equal_nocase(text, lower)) {
        return false;
    }
    size_t small = 0;
    for (size_t i = 1; i < text.size; i++) {
        small += text.data[i] == lower.data[i];
    }
    return small + 1 == text.size || (small == 0 && text.data[0] != lower.data[0]);
}

bool hoist_yaml_to_bool(hoist_str text, bool *out_value)
{
    static const struct {
        const char *word;
        bool value;
    } words[] = {{"y", true},  {"n", false},   {"yes", true},  {"no", false},
                 {"on", true}, {"off", false}, {"true", true}, {"false", false}};
    *out_value = false;
    for (size_t i = 0; i < HOIST_COUNT_OF(words); i++) {
        if (yaml_is_word(text, words[i].word)) {
            *out_value = words[i].value;
            return true;
        }
    }
    return false;
}
