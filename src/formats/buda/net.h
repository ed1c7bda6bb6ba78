// formats/buda/net.h - what follows from a netlist: names resolved, list-form devices expanded,
// sizes and addresses worked out for the chosen architecture.
//
// Built from a module by buda_net_build; everything lives in the net's own arena and points into
// the module, which must outlive it. Names that do not resolve are simply absent here
// (BUDA_NO_INDEX); check_structure.c reports them.
//
// Facts: buda-netlist reference sections 1.9 (several devices), 2.7 (temporal epochs), 4.1, 4.2.
#ifndef HOIST_SRC_FORMATS_BUDA_NET_H
#define HOIST_SRC_FORMATS_BUDA_NET_H

#include "base/map.h"
#include "formats/buda/module.h"
#include "formats/buda/soc.h"

#define BUDA_NO_INDEX ((size_t)-1) // "none" in every index of the net

// A queue on one device. A list-form queue `q` gives one of these per device, named `q.d`.
typedef struct buda_net_queue {
    const buda_queue *queue;
    hoist_str name; // with the suffix
    int64_t device;
    size_t producer;   // index into ops, BUDA_NO_INDEX for HOST or unresolved
    bool host_fed;     // input is HOST, or contains "net2net"
    size_t *consumers; // indices into ops, in file order, an op once per use; arena
    size_t consumer_count;
    uint64_t entry_bytes;  // of one buffer: t*m*n*rt*ct*tile_size (section 4.2)
    uint64_t buffer_bytes; // header + entries*entry_bytes
    uint64_t host_shift;   // added to host addresses of later copies (section 1.9)
    bool sizes_known;      // false: a dimension or format is missing, or the product overflows
} buda_net_queue;

typedef enum buda_source_kind {
    BUDA_SOURCE_NONE, // unresolved, or an input beyond those of the op
    BUDA_SOURCE_QUEUE,
    BUDA_SOURCE_OP
} buda_source_kind;

typedef struct buda_source {
    buda_source_kind kind;
    size_t index; // into queues or ops
} buda_source;

typedef struct buda_net_op {
    const buda_op *op;
    hoist_str name;      // with the suffix
    size_t graph;        // index into graphs
    buda_source *inputs; // one per op->inputs item; arena
    size_t *out_queues;  // queues this op feeds; arena
    size_t out_queue_count;
    size_t *out_ops; // ops that read it, one per use; arena
    size_t out_op_count;
} buda_net_op;

typedef struct buda_net_graph {
    const buda_graph *graph;
    hoist_str name; // with the suffix
    int64_t device;
    size_t first_op; // ops[first_op .. first_op+op_count)
    size_t op_count;
    size_t temporal; // temporal epoch id, dense from 0 (section 2.7) Equal ids run together: graphs
                     // of one epoch are on different devices.
} buda_net_graph;

// A built-in limit. The finding reads "WHAT are more than the limit of MOST".
typedef struct buda_limit {
    const char *what; // static, a plural; NULL: no limit
    uint64_t most;
} buda_limit;

typedef struct buda_net {
    const hoist_buda_module *module; // borrowed
    hoist_arena arena;
    buda_arch arch;
    const buda_soc *soc; // facts of `arch` (or of --soc); grayskull's for BUDA_ARCH_NONE
    buda_net_queue *queues;
    size_t queue_count;
    buda_net_graph *graphs;
    size_t graph_count;
    buda_net_op *ops;
    size_t op_count;
    hoist_map queue_names; // name (with suffix) -> index into queues; first of duplicates
    hoist_map op_names;    // name (with suffix) -> index into ops
    hoist_map graph_names; // name (with suffix) -> index into graphs
    buda_limit limit;      // the one that stopped buda_net_build
} buda_net;

// Which architecture holds (section 1.3): options->arch, else the module's single string, else
// arch_fallback, else that for which it was checked last, else the first listed. Sends BUDA-003c
// and the notes when `diag` is not NULL. Returns BUDA_ARCH_NONE when nothing fits.
buda_arch buda_choose_arch(const hoist_buda_module *module, const hoist_check_options *options,
                           hoist_diag *diag);
// The known architectures that the module lists, each once, in its order, where it has a list and
// the options choose none of them; else 0 are.
size_t buda_listed_archs(const hoist_buda_module *module, const hoist_check_options *options,
                         buda_arch out_archs[BUDA_ARCH_COUNT]);

// Builds the net for `arch` (BUDA_ARCH_NONE builds with grayskull's sizes). HOIST_OK,
// HOIST_NO_MEMORY, HOIST_LIMIT (`out_net->limit` is the one).
HOIST_NODISCARD hoist_status buda_net_build(const hoist_buda_module *module, buda_arch arch,
                                            buda_net *out_net);
void buda_net_deinit(buda_net *net);

// Reports that `limit` was hit under the rule that `options` (may be NULL) has for it; returns
// HOIST_LIMIT.
// Written under `options->limit_rule`, because the limit belongs to the command: check, info and
// graph have their own.
hoist_status buda_fail_limit(const hoist_check_options *options, hoist_diag *diag,
                             const buda_limit *limit);

// Chooses the architecture, builds the net for it and reads the descriptors that `options` (may be
// NULL) holds; they live in the net's arena. `*out_cluster` is NULL when none was given. A
// descriptor with errors is reported in `diag`, under its own file name, and then not used.
// Statuses as for buda_net_build; on failure there is no net.
HOIST_NODISCARD hoist_status buda_net_open(const hoist_buda_module *module,
                                           const hoist_check_options *options, hoist_diag *diag,
                                           buda_net *out_net, const buda_cluster **out_cluster);

// Bytes of one tile (section 4.2), header and rounding as `arch` has them when `with_header`.
uint64_t buda_tile_bytes(buda_df df, int64_t h, int64_t w, bool with_header, buda_arch arch);
// Rows and columns of the workers that `op` takes from grid_loc on: grid_size, with grid_transpose
// exchanged (section 1.5).
buda_pair buda_op_cores(const buda_op *op);
// tile_dim of a queue or op, 32x32 when absent.
buda_pair buda_tile_dim(buda_pair tile_dim);

#endif // HOIST_SRC_FORMATS_BUDA_NET_H
