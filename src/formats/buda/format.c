// The row of netlists in the table of formats (formats/format.h), and how a netlist is recognised:
// by its sections, since the files have no magic number. The functions of the row are in read.c,
// check.c, visit.c, write.c, info.c, netlist_picture.c and net_arch.c.
#include <string.h>

#include "base/span.h"
#include "formats/buda/buda.h"
#include "formats/buda/check.h"
#include "formats/buda/rules.h"
#include "formats/buda/soc.h"
#include "formats/buda/stimulus.h"

// A netlist says what it is by its sections: each counts when a line starts with it.
// Keys at the start of a line; indented ones belong to other maps.
static const char *const section_keys[] = {"devices", "queues", "graphs", "programs", "fused_ops"};

// "queues:" or "queues :", both seen in netlists.
static bool is_section(hoist_str line)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(section_keys); i++) {
        const size_t size = hoist_str_from(section_keys[i]).size;
        if (hoist_str_starts_with(line, section_keys[i]) && line.size > size &&
            (line.data[size] == ':' || line.data[size] == ' ')) {
            return true;
        }
    }
    return false;
}

// `text` is the head of the file only, so long files cost no more.
static size_t count_sections(hoist_str text)
{
    size_t count = 0;
    size_t start = 0;
    for (size_t i = 0; i <= text.size; i++) {
        if (i == text.size || text.data[i] == '\n') {
            count += is_section(hoist_str_slice(text, start, i - start)) ? 1 : 0;
            start = i + 1;
        }
    }
    return count;
}

// Bids of format.h: two sections are as good as sure, one may be any YAML, a name alone is a
// guess.
int buda_sniff(hoist_bytes head, hoist_str file_name)
{
    const hoist_str text = {(const char *)head.data, head.size};
    if (text.size && memchr(text.data, '\0', text.size)) { // a binary file
        return 0;
    }
    const size_t sections = count_sections(text);
    if (sections) {
        return sections > 1 ? 90 : 60;
    }
    const bool yaml =
        hoist_str_ends_with(file_name, ".yaml") || hoist_str_ends_with(file_name, ".yml");
    return yaml ? 10 : 0;
}

static hoist_status read_netlist(hoist_bytes bytes, const hoist_read_options *options,
                                 hoist_diag *diag, hoist_module **out_module)
{
    // Findings of reading alone, by severity: the diag may hold those of other files.
    size_t before[HOIST_ERROR + 1];
    for (int i = HOIST_NOTE; i <= HOIST_ERROR; i++) {
        before[i] = hoist_diag_count(diag, (hoist_severity)i);
    }
    HOIST_TRY(buda_read(bytes, options, diag, out_module));
    hoist_buda_module *const netlist = (hoist_buda_module *)*out_module;
    netlist->base.format = &hoist_buda_format;
    for (int i = HOIST_NOTE; i <= HOIST_ERROR; i++) {
        netlist->read_counts[i] = hoist_diag_count(diag, (hoist_severity)i) - before[i];
    }
    return HOIST_OK;
}

static const hoist_rule_set *const rule_sets[] = {&hoist_buda_rules, &hoist_soc_rules,
                                                  &hoist_yaml_rules, NULL};

const hoist_format hoist_buda_format = {
    .name = "buda",
    .title = "Tenstorrent BUDA netlist",
    .rule_sets = rule_sets,
    // The base makes 64 MiB with the process itself. The factor is of the bytes of the text, whose
    // tree, module, net and program take up to 35 times as much in netlists of many short rows.
    .memory = {.base = (size_t)56 << 20, .factor = 48},
    .sniff = buda_sniff,
    .read = read_netlist,
    .destroy = buda_module_destroy,
    .target = buda_target,
    .check = buda_check_module,
    .verdicts = buda_verdicts,
    .visit = buda_visit,
    .write = buda_write,
    .info = buda_info,
    .picture = buda_picture,
    .test_input = buda_test_input,
    .test_limits = buda_test_limits,
};
