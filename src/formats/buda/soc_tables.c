// size: table
//
// The public SoC descriptors as data: buda-netlist reference sections 7.1, 7.2 and 7.4.
#include "formats/buda/soc_tables.h"

#include "base/span.h"

// clang-format off

// Worker columns (physical x) and rows (physical y), ascending.
static const int16_t gs_columns[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const int16_t wh_columns[] = {1, 2, 3, 4, 6, 7, 8, 9};
static const int16_t bh_columns[] = {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16};
static const int16_t translated_columns[] = {18, 19, 20, 21, 22, 23, 24, 25};
static const int16_t wh_rows[] = {1, 2, 3, 4, 5, 7, 8, 9, 10, 11};
static const int16_t wh_rows_9[] = {1, 2, 3, 4, 5, 7, 8, 9, 10};
static const int16_t bh_rows[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const int16_t translated_rows[] = {18, 19, 20, 21, 22, 23, 24, 25, 26, 27};

// DRAM nodes, one row per channel.
static const buda_core gs_nodes[8][1] = {
    {{1, 0}}, {{1, 6}}, {{4, 0}}, {{4, 6}}, {{7, 0}}, {{7, 6}}, {{10, 0}}, {{10, 6}},
};
static const buda_core wh_nodes[6][3] = {
    {{0, 0}, {0, 1}, {0, 11}}, {{0, 5}, {0, 6}, {0, 7}},  {{5, 0}, {5, 1}, {5, 11}},
    {{5, 2}, {5, 9}, {5, 10}}, {{5, 3}, {5, 4}, {5, 8}}, {{5, 5}, {5, 6}, {5, 7}},
};
static const buda_core bh_nodes[8][3] = {
    {{0, 0}, {0, 1}, {0, 11}}, {{0, 2}, {0, 10}, {0, 3}},
    {{0, 9}, {0, 4}, {0, 8}},  {{0, 5}, {0, 7}, {0, 6}},
    {{9, 0}, {9, 1}, {9, 11}}, {{9, 2}, {9, 10}, {9, 3}},
    {{9, 9}, {9, 4}, {9, 8}},  {{9, 5}, {9, 7}, {9, 6}},
};

enum {
    GS_TOP = 0x4202000,
    WH_TOP = 0x30d0000,     // channels 0, 1, 2, 5
    WH_TOP_FAR = 0x67a0000, // channels 3, 4
    BH_TOP = 0x31e4000,     // channels 0, 4
    BH_TOP_FAR = 0x5936000,
};

static const buda_dram_channel gs_dram[] = {
    {gs_nodes[0], 1, GS_TOP}, {gs_nodes[1], 1, GS_TOP}, {gs_nodes[2], 1, GS_TOP},
    {gs_nodes[3], 1, GS_TOP}, {gs_nodes[4], 1, GS_TOP}, {gs_nodes[5], 1, GS_TOP},
    {gs_nodes[6], 1, GS_TOP}, {gs_nodes[7], 1, GS_TOP},
};
static const buda_dram_channel wh_dram[] = {
    {wh_nodes[0], 3, WH_TOP},     {wh_nodes[1], 3, WH_TOP},     {wh_nodes[2], 3, WH_TOP},
    {wh_nodes[3], 3, WH_TOP_FAR}, {wh_nodes[4], 3, WH_TOP_FAR}, {wh_nodes[5], 3, WH_TOP},
};
static const buda_dram_channel bh_dram[] = {
    {bh_nodes[0], 3, BH_TOP}, {bh_nodes[1], 3, BH_TOP_FAR}, {bh_nodes[2], 3, BH_TOP_FAR},
    {bh_nodes[3], 3, BH_TOP_FAR}, {bh_nodes[4], 3, BH_TOP}, {bh_nodes[5], 3, BH_TOP_FAR},
    {bh_nodes[6], 3, BH_TOP_FAR}, {bh_nodes[7], 3, BH_TOP_FAR},
};
// The reduced blackhole has wormhole's DRAM; its reserved tops are not known.
static const buda_dram_channel bh_small_dram[] = {
    {wh_nodes[0], 3, 0}, {wh_nodes[1], 3, 0}, {wh_nodes[2], 3, 0},
    {wh_nodes[3], 3, 0}, {wh_nodes[4], 3, 0}, {wh_nodes[5], 3, 0},
};

// Ethernet cores by channel number.
static const buda_core wh_ethernet[] = {
    {9, 0}, {1, 0}, {8, 0}, {2, 0}, {7, 0}, {3, 0}, {6, 0}, {4, 0},
    {9, 6}, {1, 6}, {8, 6}, {2, 6}, {7, 6}, {3, 6}, {6, 6}, {4, 6},
};
static const buda_core translated_ethernet[] = {
    {25, 16}, {18, 16}, {24, 16}, {19, 16}, {23, 16}, {20, 16}, {22, 16}, {21, 16},
    {25, 17}, {18, 17}, {24, 17}, {19, 17}, {23, 17}, {20, 17}, {22, 17}, {21, 17},
};
static const buda_core bh_ethernet[] = {
    {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1},
    {10, 1}, {11, 1}, {12, 1}, {13, 1}, {14, 1}, {15, 1}, {16, 1},
};

#define LIST(array) (array), (int)HOIST_COUNT_OF(array)
#define GIB ((uint64_t)1 << 30)

// Facts that the descriptors of a family have in common.
#define GRAYSKULL                                                                                  \
    .arch = BUDA_GRAYSKULL, .noc_x = 13, .noc_y = 12, .columns = LIST(gs_columns),                 \
    .rows = LIST(wh_rows), .dram = LIST(gs_dram), .dram_bytes = GIB, .arc = {0, 2},                \
    .pcie = {0, 4}, .worker_l1_bytes = 1048576, .alignment = 32, .host_channels = 1,               \
    .dst_size_alignment = 32768, .dest_scale = 1
#define WORMHOLE_CHIP                                                                              \
    .dram = LIST(wh_dram), .dram_bytes = 2 * GIB, .arc = {0, 10}, .pcie = {0, 3},                  \
    .worker_l1_bytes = 1499136, .ethernet_l1_bytes = 262144, .alignment = 32, .host_channels = 4
#define WORMHOLE_A0 .arch = BUDA_WORMHOLE, .dst_size_alignment = 131072, .dest_scale = 4
#define WORMHOLE_B0 .arch = BUDA_WORMHOLE_B0, .dst_size_alignment = 32768, .dest_scale = 1
#define GRID_8X10                                                                                  \
    .noc_x = 10, .noc_y = 12, .columns = LIST(wh_columns), .rows = LIST(wh_rows),                  \
    .ethernet = LIST(wh_ethernet)
#define GRID_8X9                                                                                   \
    .noc_x = 10, .noc_y = 12, .columns = LIST(wh_columns), .rows = LIST(wh_rows_9),                \
    .ethernet = LIST(wh_ethernet)
#define GRID_TRANSLATED                                                                            \
    .noc_x = 32, .noc_y = 32, .columns = LIST(translated_columns), .rows = LIST(translated_rows),  \
    .ethernet = LIST(translated_ethernet)
#define BLACKHOLE                                                                                  \
    .arch = BUDA_BLACKHOLE, .worker_l1_bytes = 1499136,                                            \
    .ethernet_l1_bytes = 262144, .alignment = 64, .host_channels = 4,                              \
    .dst_size_alignment = 32768, .dest_scale = 1
#define BLACKHOLE_10X14                                                                            \
    BLACKHOLE, .noc_x = 17, .noc_y = 12, .columns = LIST(bh_columns), .rows = LIST(bh_rows),       \
    .dram = LIST(bh_dram), .dram_bytes = 4 * GIB, .arc = {8, 0}, .pcie = {11, 0}
#define BLACKHOLE_8X10                                                                             \
    BLACKHOLE, GRID_8X10, .dram = LIST(bh_small_dram), .dram_bytes = 2 * GIB, .arc = {0, 10},      \
    .pcie = {0, 3}

const buda_soc buda_socs[] = {
    {.name = "grayskull_120_arch",         GRAYSKULL},
    {.name = "grayskull_10x12",            GRAYSKULL},
    {.name = "wormhole_80_arch",           WORMHOLE_A0, WORMHOLE_CHIP, GRID_8X10},
    {.name = "wormhole_8x10",              WORMHOLE_A0, WORMHOLE_CHIP, GRID_8X10},
    {.name = "wormhole_80_harvested",      WORMHOLE_A0, WORMHOLE_CHIP, GRID_TRANSLATED},
    {.name = "wormhole_8x10_harvested",    WORMHOLE_A0, WORMHOLE_CHIP, GRID_TRANSLATED},
    {.name = "wormhole_b0_80_arch",        WORMHOLE_B0, WORMHOLE_CHIP, GRID_8X10},
    {.name = "wormhole_b0_8x10",           WORMHOLE_B0, WORMHOLE_CHIP, GRID_8X10},
    {.name = "wormhole_b0_9x8_harvested",  WORMHOLE_B0, WORMHOLE_CHIP, GRID_8X9},
    {.name = "wormhole_b0_80_harvested",   WORMHOLE_B0, WORMHOLE_CHIP, GRID_TRANSLATED},
    {.name = "wormhole_b0_8x10_harvested", WORMHOLE_B0, WORMHOLE_CHIP, GRID_TRANSLATED},
    {.name = "blackhole_10x14",            BLACKHOLE_10X14, .ethernet = LIST(bh_ethernet)},
    {.name = "blackhole_10x14_no_eth",     BLACKHOLE_10X14},
    {.name = "blackhole_80_arch",          BLACKHOLE_8X10},
    {.name = "blackhole_8x10",             BLACKHOLE_8X10},
};
// clang-format on

const size_t buda_soc_rows = HOIST_COUNT_OF(buda_socs);
