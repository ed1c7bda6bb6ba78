// A net with everything that the options of a command add to it: --arch (net_arch.c), --soc
// (soc_read.c), --cluster (cluster_read.c). check.c, info.c and netlist_picture.c begin here.
#include <inttypes.h>

#include "base/span.h"
#include "formats/buda/net.h"
#include "formats/buda/soc_internal.h"

hoist_status buda_fail_limit(const hoist_check_options *options, hoist_diag *diag,
                             const buda_limit *limit)
{
    if (options && options->limit_rule) {
        hoist_report(diag, options->limit_rule, hoist_loc_none(),
                     "%s are more than the limit of %" PRIu64, limit->what, limit->most);
    }
    return HOIST_LIMIT;
}

// Errors in the text of a descriptor leave the net without it, after the finding; memory and
// limits end the command.
static hoist_status forgive(hoist_status status)
{
    return status == HOIST_INVALID || status == HOIST_TRUNCATED ? HOIST_OK : status;
}

// --soc replaces the facts of the architecture, from worker grid to DRAM size; another arch than
// the netlist's is a warning.
static hoist_status read_soc(const hoist_check_options *options, hoist_diag *diag, buda_net *net)
{
    const buda_soc *soc = NULL;
    hoist_diag_source(diag, options->soc_name, HOIST_STR(""));
    HOIST_TRY(forgive(buda_soc_read(options->soc, &net->arena, diag, &soc)));
    if (!soc) {
        return HOIST_OK;
    }
    net->soc = soc;
    if (net->arch != BUDA_ARCH_NONE && soc->arch != net->arch) {
        // A reader for its report only: the mismatch concerns two files and no key of either.
        buda_soc_reader r = {.diag = diag};
        buda_soc_report(&r, SOC_013, (hoist_pos){1, 1},
                        "the descriptor is of '%s', the netlist is checked for '%s'",
                        buda_arch_name(soc->arch), buda_arch_name(net->arch));
    }
    return HOIST_OK;
}

// The descriptors' findings are under their own file names; the caller restores the source of the
// diag.
static hoist_status read_descriptors(const hoist_check_options *options, hoist_diag *diag,
                                     buda_net *net, const buda_cluster **out_cluster)
{
    if (options->soc.size > 0) {
        HOIST_TRY(read_soc(options, diag, net));
    }
    if (options->cluster.size > 0) {
        hoist_diag_source(diag, options->cluster_name, HOIST_STR(""));
        HOIST_TRY(forgive(buda_cluster_read(options->cluster, &net->arena, diag, out_cluster)));
    }
    return HOIST_OK;
}

hoist_status buda_net_open(const hoist_buda_module *module, const hoist_check_options *options,
                           hoist_diag *diag, buda_net *out_net, const buda_cluster **out_cluster)
{
    *out_cluster = NULL;
    const buda_arch arch = buda_choose_arch(module, options, diag);
    const hoist_status built = buda_net_build(module, arch, out_net);
    if (built == HOIST_LIMIT) {
        return buda_fail_limit(options, diag, &out_net->limit);
    }
    if (built != HOIST_OK || !options) {
        return built;
    }
    // The netlist's name comes back after the descriptors, or its findings would be reported in
    // their files.
    const hoist_str file = hoist_diag_file(diag);
    const hoist_str member = hoist_diag_member(diag);
    const hoist_status status = read_descriptors(options, diag, out_net, out_cluster);
    hoist_diag_source(diag, file, member);
    if (status != HOIST_OK) {
        buda_net_deinit(out_net);
    }
    return status;
}
