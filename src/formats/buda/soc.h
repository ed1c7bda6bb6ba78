// formats/buda/soc.h - device facts: worker grids, DRAM channels, capacities, ethernet, and the
// SoC and cluster descriptors. Data: buda-netlist reference sections 7.1 to 7.4.
#ifndef HOIST_SRC_FORMATS_BUDA_SOC_H
#define HOIST_SRC_FORMATS_BUDA_SOC_H

#include "formats/buda/module.h"

// Bytes of one channel of host memory.
#define BUDA_HOST_CHANNEL_BYTES ((uint64_t)1 << 30)

typedef struct buda_soc {
    const char *name; // descriptor name: "grayskull_120_arch"
    buda_arch arch;
    int noc_x;     // columns of the NoC, whose nodes are workers, DRAM, ethernet and others
    int noc_y;     // its rows
    int row_count; // of workers
    int column_count;
    const uint64_t *reserved_tops; // by DRAM channel: first address free for queues (section 7.4);
                                   // 0: unknown. Static or arena
    int dram_count;
    uint64_t dram_bytes; // capacity of a channel
    int ethernet_count;
    uint64_t worker_l1_bytes;
    int alignment;  // of queue addresses, bytes; also the size of a queue header
    int dest_scale; // 4 on wormhole (a0), else 1: rule 37
} buda_soc;

// The default of an arch (first row of section 7.2 for it); NULL for BUDA_ARCH_NONE.
const buda_soc *buda_soc_of(buda_arch arch);

// The rules of SoC and cluster descriptors: SOC-001 ... (soc_rules.inc).
extern const hoist_rule_set hoist_soc_rules;

// Reads a SoC descriptor (YAML) into `arena`; what it leaves out is its arch's. Findings in `diag`
// (rules SOC- and YAML-), which names the file. HOIST_OK; HOIST_INVALID with an error finding,
// HOIST_LIMIT, HOIST_NO_MEMORY: `*out_soc` is NULL.
HOIST_NODISCARD hoist_status buda_soc_read(hoist_bytes text, hoist_arena *arena, hoist_diag *diag,
                                           const buda_soc **out_soc);

// An ethernet cable between two chips; it works in both directions.
typedef struct buda_link {
    int64_t chip[2];
    int64_t channel[2];
} buda_link;

typedef struct buda_cluster {
    const int64_t *chips; // ids; arena
    size_t chip_count;
    const buda_link *links; // arena
    size_t link_count;
    const int64_t *mmio; // chips with MMIO; arena
    size_t mmio_count;
} buda_cluster;

bool buda_cluster_has_chip(const buda_cluster *cluster, int64_t id);

// Reads a cluster descriptor (YAML); statuses and findings as for buda_soc_read.
HOIST_NODISCARD hoist_status buda_cluster_read(hoist_bytes text, hoist_arena *arena,
                                               hoist_diag *diag, const buda_cluster **out_cluster);

#endif // HOIST_SRC_FORMATS_BUDA_SOC_H
