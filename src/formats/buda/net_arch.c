// The architecture that a netlist is checked for: buda-netlist reference section 1.3. In: the list
// devices.arch and the caller's options. Out: one of them, with findings BUDA-003c to 003e.
#include <stdio.h>

#include "base/span.h"
#include "formats/buda/buda.h"
#include "formats/buda/net.h"
#include "formats/buda/words.h"

// A user's spelling to an arch: any case, "wormhole_b" included; BUDA_ARCH_NONE when unknown or
// without device facts.
static buda_arch arch_find(hoist_str name)
{
    const int value = hoist_rec_word_find(&buda_arch_words, name);
    const buda_arch_alias *alias = value < 0 ? buda_arch_alias_find(name) : NULL;
    return (buda_arch)(alias ? alias->arch : value);
}

// An arch that the file lists; its spelling was checked by the reader.
static buda_arch arch_at(const buda_words *list, size_t index)
{
    const int value = list->items[index].value;
    return value >= 0 && value < BUDA_ARCH_COUNT ? (buda_arch)value : BUDA_ARCH_NONE;
}

// Names of architectures that a message has, and characters of one.
enum { MOST_LISTED = 8, MOST_NAME = 16 };

// `arch: grayskull`: the string wins over what was asked for (section 1.3), with a finding if they
// differ.
static buda_arch choose_single(const buda_words *list, hoist_str asked, hoist_diag *diag)
{
    const buda_arch arch = arch_at(list, 0);
    if (asked.size > 0 && arch != BUDA_ARCH_NONE && arch_find(asked) != arch) {
        buda_report(diag, BUDA_003e, list->items[0].pos,
                    "architecture '%.*s' was asked for, the file is for '%s' only",
                    HOIST_STR_ARGS(asked), buda_arch_name(arch));
    }
    return arch;
}

// `arch: [grayskull, wormhole_b0]`: the one that was asked for has to be in the list.
static buda_arch choose_listed(const hoist_buda_module *module, hoist_str asked, hoist_diag *diag)
{
    const buda_words *const list = &module->arch;
    const buda_arch arch = arch_find(asked);
    for (size_t i = 0; arch != BUDA_ARCH_NONE && i < list->count; i++) {
        if (arch_at(list, i) == arch) {
            return arch;
        }
    }
    // Bounded text: a list may have a million words, and each word is one of the table's, hence
    // short.
    char names[MOST_LISTED * (MOST_NAME + sizeof("'', "))] = "";
    size_t length = 0;
    for (size_t i = 0; i < list->count && i < MOST_LISTED; i++) {
        const char *const name = buda_arch_name(arch_at(list, i)); // NULL: an unknown word
        const int more = name ? snprintf(names + length, sizeof(names) - length, "%s'%.*s'",
                                         length ? ", " : "", MOST_NAME, name)
                              : 0;
        length += more > 0 ? (size_t)more : 0;
    }
    buda_report(diag, BUDA_003c, list->pos,
                "architecture '%.*s' was asked for, the file does not list it; there are: %s%s",
                HOIST_STR_ARGS(asked), length ? names : "none that is known",
                list->count > MOST_LISTED ? " and others" : "");
    return BUDA_ARCH_NONE;
}

// --arch, else the fallback that the tool takes from ARCH_NAME; empty when there is neither.
static hoist_str asked_for(const hoist_check_options *options)
{
    if (!options) {
        return (hoist_str){NULL, 0};
    }
    return options->arch.size > 0 ? options->arch : options->arch_fallback;
}

size_t buda_listed_archs(const hoist_buda_module *module, const hoist_check_options *options,
                         buda_arch out_archs[BUDA_ARCH_COUNT])
{
    const buda_words *const list = &module->arch;
    bool seen[BUDA_ARCH_COUNT] = {false};
    size_t count = 0;
    // A duplicate in the list would make the same findings twice.
    for (size_t i = 0; !list->scalar && asked_for(options).size == 0 && i < list->count; i++) {
        const buda_arch arch = arch_at(list, i);
        if (arch != BUDA_ARCH_NONE && !seen[arch]) {
            seen[arch] = true;
            out_archs[count++] = arch;
        }
    }
    return count;
}

buda_arch buda_choose_arch(const hoist_buda_module *module, const hoist_check_options *options,
                           hoist_diag *diag)
{
    const buda_words *list = &module->arch;
    if (list->count == 0) {
        return BUDA_ARCH_NONE;
    }
    const hoist_str asked = asked_for(options);
    if (list->scalar) {
        return choose_single(list, asked, diag);
    }
    if (asked.size > 0) {
        return choose_listed(module, asked, diag);
    }
    // A check for all that are listed chose one of them; later commands on the same job keep to
    // it.
    if (module->verdict_count) {
        return module->checked_for;
    }
    const buda_arch arch = arch_at(list, 0);
    if (list->count > 1 && arch != BUDA_ARCH_NONE) {
        buda_report(diag, BUDA_003d, list->items[0].pos,
                    "the file is checked for '%s', the first of %zu architectures",
                    buda_arch_name(arch), list->count);
    }
    return arch;
}

// The words of `source` are shown by `info` and are part of its JSON document.
hoist_target buda_target(const hoist_module *module, const hoist_check_options *options)
{
    const hoist_buda_module *netlist = (const hoist_buda_module *)module;
    const buda_arch arch = buda_choose_arch(netlist, options, NULL);
    if (arch == BUDA_ARCH_NONE) {
        return (hoist_target){NULL, NULL};
    }
    hoist_target target = {buda_arch_name(arch), "file"};
    if (!netlist->arch.scalar) {
        const bool asked = options && options->arch.size > 0;
        const bool environment = options && options->arch_fallback.size > 0;
        const bool later = netlist->verdict_count && arch != arch_at(&netlist->arch, 0);
        target.source = asked                     ? "option"
                        : environment             ? "environment"
                        : later                   ? "first clean"
                        : netlist->arch.count > 1 ? "first listed"
                                                  : "file";
    }
    return target;
}
