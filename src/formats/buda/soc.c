// size: table
//
// What an arch has unless a descriptor (--soc, soc_read.c) says otherwise: the first public SoC
// descriptor of each in buda-netlist reference section 7.2, and section 7.4.
// In: an architecture. Out: a row that lives for the whole process.
#include "formats/buda/soc.h"

#include "base/span.h"

// First address free for queues, by kind of channel; computed in section 7.4 from the workers
// mapped to each channel.
enum {
    GS_TOP = 0x4202000,
    WH_TOP = 0x30d0000,     // channels 0, 1, 2, 5
    WH_TOP_FAR = 0x67a0000, // channels 3, 4
    BH_TOP = 0x31e4000,     // channels 0, 4
    BH_TOP_FAR = 0x5936000,
};

// clang-format off
// By DRAM channel, in its order.
static const uint64_t gs_tops[] = {GS_TOP, GS_TOP, GS_TOP, GS_TOP, GS_TOP, GS_TOP, GS_TOP, GS_TOP};
static const uint64_t wh_tops[] = {WH_TOP, WH_TOP, WH_TOP, WH_TOP_FAR, WH_TOP_FAR, WH_TOP};
static const uint64_t bh_tops[] = {BH_TOP, BH_TOP_FAR, BH_TOP_FAR, BH_TOP_FAR,
                                   BH_TOP, BH_TOP_FAR, BH_TOP_FAR, BH_TOP_FAR};

#define TOPS(array) .reserved_tops = (array), .dram_count = (int)HOIST_COUNT_OF(array)
#define GIB ((uint64_t)1 << 30)
#define WORMHOLE                                                                                   \
    .noc_x = 10, .noc_y = 12, .row_count = 10, .column_count = 8, TOPS(wh_tops),                   \
    .dram_bytes = 2 * GIB, .ethernet_count = 16, .worker_l1_bytes = 1499136, .alignment = 32

// One row per architecture; order has no meaning.
static const buda_soc socs[] = {
    {.name = "grayskull_120_arch", .arch = BUDA_GRAYSKULL, .noc_x = 13, .noc_y = 12,
     .row_count = 10, .column_count = 12, TOPS(gs_tops), .dram_bytes = GIB,
     .worker_l1_bytes = 1048576, .alignment = 32, .dest_scale = 1},
    {.name = "wormhole_80_arch", .arch = BUDA_WORMHOLE, WORMHOLE, .dest_scale = 4},
    {.name = "wormhole_b0_80_arch", .arch = BUDA_WORMHOLE_B0, WORMHOLE, .dest_scale = 1},
    {.name = "blackhole_10x14", .arch = BUDA_BLACKHOLE, .noc_x = 17, .noc_y = 12,
     .row_count = 10, .column_count = 14, TOPS(bh_tops), .dram_bytes = 4 * GIB,
     .ethernet_count = 14, .worker_l1_bytes = 1499136, .alignment = 64, .dest_scale = 1},
};
// clang-format on

// NULL for BUDA_ARCH_NONE, which has no row.
const buda_soc *buda_soc_of(buda_arch arch)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(socs); i++) {
        if (socs[i].arch == arch) {
            return &socs[i];
        }
    }
    return NULL;
}
