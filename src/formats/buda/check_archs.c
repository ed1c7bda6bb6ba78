// Checks a netlist for every architecture that it lists, where the caller chose none: each by
// itself (check.c), with a verdict. The netlist is then one for the first of them that has no
// error, and its findings are those of that one; with options->all_archs those of all.
// buda_check_module() is the `check` of the format (format.c); net_arch.c chooses for the other
// commands.
#include "base/span.h"
#include "formats/buda/buda.h"
#include "formats/buda/check.h"

// One architecture and what was found for it.
typedef struct checked_arch {
    buda_arch arch;
    hoist_diag *diag; // owned
} checked_arch;

// As if the user had asked for `one`: same options, own diag, whose findings are kept apart until
// one is chosen.
static hoist_status check_for(hoist_buda_module *netlist, const hoist_check_options *options,
                              hoist_diag *diag, checked_arch *one)
{
    hoist_check_options own = options ? *options : (hoist_check_options){0};
    own.arch = hoist_str_from(buda_arch_name(one->arch));
    // With the limits of the caller's diag, as its findings end there.
    HOIST_TRY(hoist_diag_create_like(netlist->base.alloc, diag, &one->diag));
    HOIST_TRY(buda_check_arch(netlist, &own, one->diag));
    // A finding was lost for lack of memory: the verdict would be wrong.
    return hoist_diag_incomplete(one->diag) ? HOIST_NO_MEMORY : HOIST_OK;
}

// The findings of reading are those of every architecture.
static hoist_arch_verdict verdict_of(const hoist_buda_module *netlist, const checked_arch *one)
{
    size_t counts[HOIST_ERROR + 1];
    for (int i = HOIST_NOTE; i <= HOIST_ERROR; i++) {
        counts[i] = netlist->read_counts[i] + hoist_diag_count(one->diag, (hoist_severity)i);
    }
    return (hoist_arch_verdict){buda_arch_name(one->arch), counts[HOIST_ERROR],
                                counts[HOIST_WARNING], counts[HOIST_NOTE]};
}

// Errors of reading are the same for all and decide nothing. With errors everywhere the first
// listed one is it.
static size_t first_without_error(const checked_arch *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (hoist_diag_count(all[i].diag, HOIST_ERROR) == 0) {
            return i;
        }
    }
    return 0;
}

// Notes the verdicts in the module, where buda_verdicts() and later commands find them, then
// passes the findings on.
static void give_out(hoist_buda_module *netlist, const hoist_check_options *options,
                     const checked_arch *all, size_t count, hoist_diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        netlist->verdicts[i] = verdict_of(netlist, &all[i]);
    }
    netlist->verdict_count = count;
    const size_t chosen = first_without_error(all, count);
    netlist->checked_for = all[chosen].arch;
    if (options && options->all_archs) {
        for (size_t i = 0; i < count; i++) {
            // Each finding with "for ARCH", since one place may have several.
            hoist_diag_add_all(diag, all[i].diag, "for", buda_arch_name(all[i].arch));
        }
        return;
    }
    const bool clean = hoist_diag_count(all[chosen].diag, HOIST_ERROR) == 0;
    // A note, since the user may have expected another of the listed ones.
    buda_report(diag, BUDA_003d, netlist->arch.items[0].pos,
                "the findings are those for '%s', the first of %zu architectures%s",
                buda_arch_name(all[chosen].arch), count,
                clean && chosen ? " for which the file has no error" : "");
    hoist_diag_add_all(diag, all[chosen].diag, NULL, NULL);
}

// The verdict table of the module is written once per check and read-only for all other commands.
hoist_status buda_check_module(hoist_module *module, const hoist_check_options *options,
                               hoist_diag *diag)
{
    hoist_buda_module *const netlist = (hoist_buda_module *)module;
    buda_arch archs[BUDA_ARCH_COUNT];
    const size_t count = buda_listed_archs(netlist, options, archs);
    // One architecture, or one that was asked for: nothing to choose from.
    if (count < 2) {
        return buda_check_arch(netlist, options, diag);
    }
    checked_arch all[BUDA_ARCH_COUNT] = {{BUDA_ARCH_NONE, NULL}};
    hoist_status status = HOIST_OK;
    size_t done = 0;
    for (; status == HOIST_OK && done < count; done++) {
        all[done].arch = archs[done];
        status = check_for(netlist, options, diag, &all[done]);
    }
    if (status == HOIST_OK) {
        give_out(netlist, options, all, count, diag);
    } else { // the reason that cut the check short is among the findings
        hoist_diag_add_all(diag, all[done - 1].diag, NULL, NULL);
    }
    for (size_t i = 0; i < done; i++) {
        hoist_diag_destroy(all[i].diag);
    }
    return status;
}

// Zero verdicts when the netlist has one architecture only.
const hoist_arch_verdict *buda_verdicts(const hoist_module *module, size_t *out_count)
{
    const hoist_buda_module *const netlist = (const hoist_buda_module *)module;
    *out_count = netlist->verdict_count;
    return netlist->verdicts;
}
