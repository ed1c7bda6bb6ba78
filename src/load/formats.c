// The table of formats, the only place in load/ that names one, and sniffing by bids. In: a file's
// first bytes and its name, or a format's name. Out: the format; what it can do is in its row and
// in its hoist_format.
#include "load/formats.h"

#include "hoist/load.h"

#include "base/assert.h"
#include "base/checked.h"
#include "base/span.h"
#include "edgetpu/edgetpu.h"
#include "formats/ark/module.h"
#include "formats/buda/module.h"
#include "formats/darwinn/module.h"
#include "formats/neff/module.h"
#include "formats/program/module.h"
#include "formats/tflite/module.h"
#include "formats/tti/module.h"
#include "load/load_rules.h"
#include "lower/ark/lower.h"
#include "lower/buda/lower.h"
#include "lower/darwinn/lower.h"
#include "lower/neff/lower.h"
#include "lower/program/lower.h"
#include "lower/tflite/lower.h"
#include "os/file.h"
#include "program/run_rules.h"
#include "program/verify.h"

// Bytes of the file that formats see when they bid for it; the contract of `sniff` in format.h.
enum { SNIFF_BYTES = 64 * 1024 };

// In the order of listings; of equal bids the first wins.
static const hoist_format_row formats[] = {
    {.format = &hoist_buda_format,
     .lower = buda_lower,
     .counts_commands = true,
     .numerics = 1U << HOIST_NUMERICS_DECLARED | 1U << HOIST_NUMERICS_DEVICE},
    {.format = &hoist_neff_format,
     .lower = neff_lower,
     .several = true,
     .checks_orders = true,
     .rule = neff_lower_rule},
    {.format = &hoist_tflite_format,
     .family = &hoist_edgetpu_family,
     .lower = tflite_lower,
     .several = true,
     .device = "cpu"},
    {.format = &hoist_darwinn_format,
     .family = &hoist_edgetpu_family,
     .lower = darwinn_lower,
     .several = true,
     .device = ""},
    // Streams in files of their own: shown and disassembled, never run.
    {.format = &hoist_darwinn_stream_format},
    {.format = &hoist_ark_format,
     .lower = ark_lower,
     .numerics = 1U << HOIST_NUMERICS_FAST,
     .several = true,
     .checks_orders = true,
     .device = "cpu",
     .rule = ark_lower_rule},
    {.format = &hoist_program_format, .lower = program_lower, .checks_orders = true},
    // Jobs of images are of the netlist in them; the row alone is for those that have none.
    {.format = &hoist_tti_format},
};

// Rules that belong to no format: listed after those of formats.
static const hoist_rule_set *const own_rule_sets[] = {
    &hoist_load_rules, &hoist_os_rules, &hoist_lower_rules, &hoist_program_rules, &hoist_run_rules};

size_t hoist_format_count(void)
{
    return HOIST_COUNT_OF(formats);
}

const char *hoist_format_name(size_t index)
{
    return index < HOIST_COUNT_OF(formats) ? formats[index].format->name : NULL;
}

// Number of rule sets that a format brings; its list ends with NULL.
static size_t format_set_count(const hoist_format *format)
{
    size_t count = 0;
    while (format->rule_sets[count]) {
        count++;
    }
    return count;
}

// For `hoist rules` and the documents: every set that a finding can be of.
size_t hoist_rule_set_count(void)
{
    size_t count = HOIST_COUNT_OF(own_rule_sets);
    for (size_t i = 0; i < HOIST_COUNT_OF(formats); i++) {
        count += format_set_count(formats[i].format);
    }
    return count;
}

const hoist_rule_set *hoist_rule_set_at(size_t index)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(formats); i++) { // formats first, as counted above
        const size_t count = format_set_count(formats[i].format);
        if (index < count) {
            return formats[i].format->rule_sets[index];
        }
        index -= count;
    }
    return index < HOIST_COUNT_OF(own_rule_sets) ? own_rule_sets[index] : NULL;
}

const hoist_rule_set *hoist_rule_set_of_lowering(void)
{
    return &hoist_lower_rules;
}

// Formats come from this table, so one that is not in it is a defect of ours.
const hoist_format_row *hoist_format_row_of(const hoist_format *format)
{
    size_t i = 0;
    while (formats[i].format != format) {
        i++;
        HOIST_ASSERT(i < HOIST_COUNT_OF(formats));
    }
    return &formats[i];
}

const hoist_format *hoist_format_find(hoist_str name) // NULL: this build has no format of that name
{
    for (size_t i = 0; i < HOIST_COUNT_OF(formats); i++) {
        if (hoist_str_equal_c(name, formats[i].format->name)) {
            return formats[i].format;
        }
    }
    return NULL;
}

// A bid of 0 is none; the highest one wins (format.h has the scale).
const hoist_format *hoist_format_sniff(hoist_bytes bytes, hoist_str name)
{
    const hoist_bytes head = {bytes.data, bytes.size < SNIFF_BYTES ? bytes.size : SNIFF_BYTES};
    const hoist_format *best = NULL;
    int best_bid = 0;
    for (size_t i = 0; i < HOIST_COUNT_OF(formats); i++) {
        const int bid = formats[i].format->sniff(head, name);
        if (bid > best_bid) {
            best = formats[i].format;
            best_bid = bid;
        }
    }
    return best;
}

const hoist_format *hoist_format_choose(const char *format, hoist_bytes bytes, hoist_str name)
{
    // A name that was given is not doubted: the user knows the file.
    if (format) {
        return hoist_format_find(hoist_str_from(format));
    }
    // An empty file would be taken by its name alone.
    return bytes.size ? hoist_format_sniff(bytes, name) : NULL;
}

// The name of the format that a file would be opened as; NULL: of none.
const char *hoist_format_of(hoist_bytes bytes, const char *name)
{
    const hoist_format *const format = hoist_format_choose(NULL, bytes, hoist_str_from(name));
    return format ? format->name : NULL;
}

// Large containers state a limit of their own; texts that expand have the default.
size_t hoist_format_max_bytes(const hoist_format *format)
{
    return format->max_bytes ? format->max_bytes : HOIST_DEFAULT_MAX_BYTES;
}

// What opening may take at most, for callers that reserve memory before they open.
size_t hoist_open_memory(hoist_bytes bytes, const char *name, const char *format)
{
    // What a file of no known format may take until it is refused.
    static const hoist_memory_need unknown = {.base = (size_t)56 << 20, .factor = 2};
    const hoist_format *const chosen = hoist_format_choose(format, bytes, hoist_str_from(name));
    const hoist_memory_need need = chosen ? chosen->memory : unknown;
    uint64_t total = 0;
    // Saturates: more than there can be.
    const bool overflow = hoist_ckd_mul(&total, bytes.size, need.factor) ||
                          hoist_ckd_add(&total, total, need.base) || total > SIZE_MAX;
    return overflow ? SIZE_MAX : (size_t)total;
}
