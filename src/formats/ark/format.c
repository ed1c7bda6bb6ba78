// The row of ARK's files in the table of formats (formats/format.h), and how they are recognised:
// JSON objects that have the keys of a model or a plan.
#include <string.h>

#include "base/span.h"
#include "formats/ark/ark.h"
#include "formats/ark/check.h"
#include "formats/ark/check_job.h"
#include "formats/ark/rules.h"

// A key in the text, with its quotation marks: words in other texts rarely have them.
static bool has_key(hoist_str text, const char *key)
{
    return text.size && memmem(text.data, text.size, key, strlen(key));
}

static bool has_any_key(hoist_str text, const char *const *keys)
{
    while (*keys && !has_key(text, *keys)) {
        keys++;
    }
    return *keys != NULL;
}

// A model begins with "Rank", "WorldSize", "Nodes", a plan has "ProcessorGroups" far after its
// begin; the order of keys is free, so any of them within the first bytes counts. One key alone is
// believed where the file's name agrees. Returns how sure it is, up to 100: 95 with keys of two
// kinds, 70 with those of one, 5 with one key and the name, else 0.
static int sniff(hoist_bytes head, hoist_str file_name)
{
    static const char *const plan_keys[] = {"\"TaskInfos\"", "\"ProcessorGroups\"", NULL};
    static const char *const lone_keys[] = {
        "\"Rank\"",        "\"WorldSize\"", "\"Nodes\"", "\"ProducerNodeIds\"",
        "\"ReadTensors\"", "\"IsVirtual\"", NULL};
    const hoist_str text = {(const char *)head.data, head.size};
    size_t at = 0;
    while (at < text.size && strchr(" \t\r\n", text.data[at])) {
        at++;
    }
    if (at == text.size || text.data[at] != '{') { // no JSON object
        return 0;
    }
    const bool world = has_key(text, "\"WorldSize\"");
    const bool model = has_key(text, "\"Nodes\"") && has_key(text, "\"ProducerNodeIds\"");
    const bool ops = has_key(text, "\"ReadTensors\"") && has_key(text, "\"IsVirtual\"");
    const bool plan = has_any_key(text, plan_keys);
    if ((model || plan) && (world || ops)) {
        return 95;
    }
    const bool rank = has_key(text, "\"Rank\"") && (world || has_key(text, "\"Nodes\""));
    if (model || plan || ops || rank) {
        return 70;
    }
    return hoist_str_ends_with(file_name, ".json") && has_any_key(text, lone_keys) ? 5 : 0;
}

static const hoist_rule_set *const rule_sets[] = {&hoist_ark_rules, NULL};

// ARK writes edges in the order of addresses in its heap. So two files with the same edges in
// another order do not differ.
static const hoist_diff_rule diff_rules[] = {
    {"Nodes/*/ProducerNodeIds", ""},
    {"Nodes/*/ConsumerNodeIds", ""},
    {NULL, NULL},
};

const hoist_format hoist_ark_format = {
    .name = "ark",
    .title = "microsoft/ark model or plan",
    .rule_sets = rule_sets,
    .keeps_bytes = true,
    // With the orders of a job, which every check looks at: up to 500,000 steps of 256 bytes.
    .memory = {.base = (size_t)144 << 20, .factor = 48},
    .sniff = sniff,
    .read = ark_read,
    .destroy = ark_destroy,
    .check = ark_check,
    .check_job = ark_check_job,
    .visit = ark_visit,
    .info = ark_info,
    .picture = ark_picture,
    .write = ark_write,
    .diff_rules = diff_rules,
    .shows_broken = true,
    .dialects = ark_written_dialects,
    .convert = ark_convert,
    .plan = ark_plan,

};
