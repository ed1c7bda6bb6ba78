// The rules of SoC and cluster descriptors (soc_rules.inc), and the walk over the keys of a
// descriptor that soc_read.c and cluster_read.c share.
// In: text. Keys are read in the order of the table and not of the file: later ones need what
// earlier ones gave.
#include <inttypes.h>

#include "base/rules.h"
#include "base/span.h"
#include "formats/buda/soc_internal.h"

// All of one section of the reference.
static const hoist_rule soc_rules[] = {
#define SOC_RULE(number, ...) HOIST_RULE("SOC-" #number, __VA_ARGS__, "section 7.3"),
#include "formats/buda/soc_rules.inc"
};

const hoist_rule_set hoist_soc_rules = {"buda-soc", "Tenstorrent SoC and cluster descriptors",
                                        soc_rules, SOC_RULE_COUNT};

// Errors are remembered: the reader goes on to report more, and fails in the end.
void buda_soc_report(buda_soc_reader *r, buda_soc_rule rule, hoist_pos pos, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_vreport(r->diag, &soc_rules[rule], hoist_loc_pos(pos), format, args);
    va_end(args);
    if (soc_rules[rule].severity == HOIST_ERROR) {
        r->failed = true;
    }
}

// 0 in `*out_value` when it is no number.
bool buda_soc_number(buda_soc_reader *r, const hoist_yaml_node *node, int64_t min, int64_t max,
                     int64_t *out_value)
{
    *out_value = 0;
    if (node->kind != HOIST_YAML_SCALAR || !hoist_str_to_i64(node->text, true, out_value)) {
        buda_soc_report(r, SOC_004, node->pos, "the value is no number, expected one");
        return false;
    }
    if (*out_value < min || *out_value > max) {
        buda_soc_report(r, SOC_007, node->pos,
                        "%" PRId64 " is out of range, expected %" PRId64 " to %" PRId64, *out_value,
                        min, max);
        return false;
    }
    return true;
}

// Per entry of the file; known keys are few, so a linear search does.
static void report_unknown(buda_soc_reader *r, const hoist_yaml_node *entry,
                           const buda_soc_key *keys, size_t key_count)
{
    for (size_t i = 0; i < key_count; i++) {
        if (hoist_str_equal_c(entry->key->text, keys[i].name)) {
            return;
        }
    }
    buda_soc_report(r, SOC_003, entry->key->pos, "unknown key '%.*s' is ignored",
                    HOIST_STR_ARGS(entry->key->text));
}

// Of duplicate keys the first is read; the YAML reader has warned of the other.
static hoist_status read_key(buda_soc_reader *r, const hoist_yaml_node *root,
                             const buda_soc_key *key)
{
    const hoist_yaml_node *value = hoist_yaml_find(root, key->name);
    if (!value && key->required) {
        buda_soc_report(r, SOC_002, root->pos, "key '%s' is missing", key->name);
    }
    if (!value || !key->read) { // NULL: known, and without meaning here
        return HOIST_OK;
    }
    // The key is the object path of findings about its value.
    hoist_frame frame;
    hoist_diag_push(r->diag, &frame, NULL, HOIST_STR(""), hoist_str_from(key->name));
    r->key = key;
    const hoist_status status = key->read(r, value);
    hoist_diag_pop(r->diag, &frame);
    return status;
}

// Without limits: descriptors are a few kilobytes, and the YAML reader has limits of its own.
hoist_status buda_soc_read_keys(buda_soc_reader *r, hoist_bytes text, const buda_soc_key *keys,
                                size_t key_count)
{
    const hoist_yaml_node *root = NULL;
    HOIST_TRY(hoist_yaml_read(text, NULL, true, r->arena, r->diag, &root));
    if (!root || root->kind != HOIST_YAML_MAP) {
        buda_soc_report(r, SOC_001, root ? root->pos : (hoist_pos){1, 1},
                        "the descriptor is not a map");
        return HOIST_INVALID;
    }
    for (const hoist_yaml_node *entry = root->first; entry; entry = entry->next) {
        report_unknown(r, entry, keys, key_count);
    }
    for (size_t i = 0; i < key_count; i++) {
        HOIST_TRY(read_key(r, root, &keys[i]));
    }
    return r->failed ? HOIST_INVALID : HOIST_OK;
}
