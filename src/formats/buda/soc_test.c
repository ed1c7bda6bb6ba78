// The defaults of archs, and the readers of SoC and cluster descriptors with bad inputs for every
// rule.
#include <string.h>

#include "base/buffer.h"
#include "formats/buda/soc.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name;
    buda_arch arch;
    int rows, columns, channels, ethernet, alignment, dest_scale;
    uint64_t dram_bytes, l1_bytes, first_top, last_top;
} archs[] = {
    {"grayskull_120_arch",  BUDA_GRAYSKULL,   10, 12, 8, 0,  32, 1, 0x40000000,  1048576,
     0x4202000, 0x4202000},
    {"wormhole_80_arch",    BUDA_WORMHOLE,    10, 8,  6, 16, 32, 4, 0x80000000,  1499136,
     0x30d0000, 0x30d0000},
    {"wormhole_b0_80_arch", BUDA_WORMHOLE_B0, 10, 8,  6, 16, 32, 1, 0x80000000,  1499136,
     0x30d0000, 0x30d0000},
    {"blackhole_10x14",     BUDA_BLACKHOLE,   10, 14, 8, 14, 64, 1, 0x100000000, 1499136,
     0x31e4000, 0x5936000},
};
// clang-format on

HOIST_TEST_TABLE(archs_have_a_default, archs)
{
    const buda_soc *soc = buda_soc_of(row->arch);
    HOIST_EXPECT_STR(t, hoist_str_from(soc->name), row->name);
    HOIST_EXPECT_EQ(t, soc->row_count, row->rows);
    HOIST_EXPECT_EQ(t, soc->column_count, row->columns);
    HOIST_EXPECT_EQ(t, soc->dram_count, row->channels);
    HOIST_EXPECT_EQ(t, soc->ethernet_count, row->ethernet);
    HOIST_EXPECT_EQ(t, soc->alignment, row->alignment);
    HOIST_EXPECT_EQ(t, soc->dest_scale, row->dest_scale);
    HOIST_EXPECT_EQ(t, soc->dram_bytes, row->dram_bytes);
    HOIST_EXPECT_EQ(t, soc->worker_l1_bytes, row->l1_bytes);
    HOIST_EXPECT_EQ(t, soc->reserved_tops[0], row->first_top);
    HOIST_EXPECT_EQ(t, soc->reserved_tops[soc->dram_count - 1], row->last_top);
}

HOIST_TEST(an_unknown_arch_has_no_default)
{
    HOIST_EXPECT(t, buda_soc_of(BUDA_ARCH_NONE) == NULL);
}

// Descriptors as text ----------------------------------------------------------------------------

#define HEAD "arch_name: WORMHOLE_B0\ngrid: {x_size: 10, y_size: 12}\n"
#define DRAM "dram: [[0-0, 0-1], 5-0]\n"
#define WORKERS "functional_workers: [[1-1, 2-1], [1-2, 2-2]]\n"

HOIST_TEST(soc_is_read)
{
    static const char text[] = HEAD DRAM WORKERS "eth: [9-0, 1-0]\narc: [0-10]\npcie: 0-3\n"
                                                 "harvested_workers: []\nrouter_only: [0-2]\n"
                                                 "worker_l1_size: 1000\ndram_bank_size: 0x1000\n"
                                                 "eth_l1_size: 0\n"
                                                 "features: {math: {dst_size_alignment: 131072}}\n";
    const buda_soc *soc = NULL;
    const hoist_bytes bytes = {(const uint8_t *)text, sizeof(text) - 1};
    HOIST_EXPECT_EQ(t, buda_soc_read(bytes, &t->arena, t->diag, &soc), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(t, soc->arch, BUDA_WORMHOLE_B0);
    HOIST_EXPECT_EQ(t, soc->row_count, 2);
    HOIST_EXPECT_EQ(t, soc->column_count, 2);
    HOIST_EXPECT_EQ(t, soc->dram_count, 2);
    HOIST_EXPECT_EQ(t, soc->reserved_tops[1], 0);
    HOIST_EXPECT_EQ(t, soc->ethernet_count, 2);
    HOIST_EXPECT_EQ(t, soc->worker_l1_bytes, 1000);
    HOIST_EXPECT_EQ(t, soc->dram_bytes, 4096);
    HOIST_EXPECT_EQ(t, soc->dest_scale, 4);
    HOIST_EXPECT_EQ(t, soc->alignment, 32);
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *rule;
    uint32_t line, column;
} bad_socs[] = {
    {"not YAML",            "a: [",                                              "YAML-001", 0, 0 },
    {"empty",               "",                                                  "SOC-001",  1, 1 },
    {"a list",              "- 1\n",                                             "SOC-001",  1, 1 },
    {"no arch",             "grid: {x_size: 10, y_size: 12}\n" DRAM WORKERS,     "SOC-002",  1, 1 },
    {"no grid",             "arch_name: grayskull\n",                            "SOC-002",  1, 1 },
    {"no workers",          HEAD DRAM,                                           "SOC-002",  1, 1 },
    {"unknown arch",        "arch_name: TPU\n",                                  "SOC-006",  1, 12},
    {"arch is a list",      "arch_name: [grayskull]\n",                          "SOC-006",  1, 12},
    {"unknown key",         HEAD DRAM WORKERS "colour: red\n",                   "SOC-003",  5, 1 },
    {"grid without y",      "arch_name: grayskull\ngrid: {x_size: 10}\n",        "SOC-004",  2, 7 },
    {"grid is a scalar",    "arch_name: grayskull\ngrid: 10\n",                  "SOC-004",  2, 7 },
    {"grid of 0",           "arch_name: grayskull\ngrid: {x_size: 0, y_size: 1}\n", "SOC-007", 2, 16},
    {"grid too large",      "arch_name: grayskull\ngrid: {x_size: 257, y_size: 1}\n", "SOC-007", 2, 16},
    {"grid is text",        "arch_name: grayskull\ngrid: {x_size: a, y_size: 1}\n", "SOC-004", 2, 16},
    {"dram is empty",       HEAD "dram: []\n" WORKERS,                           "SOC-004",  3, 7 },
    {"dram is a scalar",    HEAD "dram: 0-0\n" WORKERS,                          "SOC-004",  3, 7 },
    {"core without dash",   HEAD "dram: [[00]]\n" WORKERS,                       "SOC-005",  3, 9 },
    {"core outside",        HEAD DRAM "functional_workers: [10-1]\n",            "SOC-005",  4, 22},
    {"core is a map",       HEAD DRAM "functional_workers: [{a: b}]\n",          "SOC-005",  4, 22},
    {"core with three",     HEAD DRAM "functional_workers: [1-1-1]\n",           "SOC-005",  4, 22},
    {"core is negative",    HEAD DRAM "functional_workers: [-1-1]\n",            "SOC-005",  4, 22},
    {"worker twice",        HEAD DRAM "functional_workers: [1-1, 1-1]\n",        "SOC-009",  4, 21},
    {"a hole",              HEAD DRAM "functional_workers: [1-1, 2-2]\n",        "SOC-008",  4, 21},
    {"L1 of 0",             HEAD DRAM WORKERS "worker_l1_size: 0\n",             "SOC-007",  5, 17},
    {"L1 is text",          HEAD DRAM WORKERS "worker_l1_size: big\n",           "SOC-004",  5, 17},
    {"bank is a list",      HEAD DRAM WORKERS "dram_bank_size: [1]\n",           "SOC-004",  5, 17},
    {"ethernet negative",   HEAD DRAM WORKERS "eth_l1_size: -1\n",               "SOC-007",  5, 14},
    {"features is a list",  HEAD DRAM WORKERS "features: []\n",                  "SOC-004",  5, 11},
    {"alignment of 0",      HEAD DRAM WORKERS "features: {math: {dst_size_alignment: 0}}\n",
                                                                                 "SOC-007",  5, 39},
};
// clang-format on

static void expect_place(hoist_test *t, const char *rule, uint32_t line, uint32_t column)
{
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *finding = hoist_diag_at(t->diag, i);
        if (hoist_str_equal_c(hoist_str_from(finding->rule->id), rule)) {
            HOIST_EXPECT_EQ(t, finding->loc.pos.line, line);
            HOIST_EXPECT_EQ(t, finding->loc.pos.column, column);
            return;
        }
    }
}

HOIST_TEST_TABLE(bad_socs_are_reported, bad_socs)
{
    const buda_soc *soc = NULL;
    const hoist_bytes bytes =
        hoist_test_exact(t, (hoist_bytes){(const uint8_t *)row->text, strlen(row->text)});
    const hoist_status status = buda_soc_read(bytes, &t->arena, t->diag, &soc);
    HOIST_EXPECT_RULE(t, row->rule);
    const bool refused = hoist_diag_count(t->diag, HOIST_ERROR) > 0;
    HOIST_EXPECT_EQ(t, status, refused ? HOIST_INVALID : HOIST_OK);
    HOIST_EXPECT_EQ(t, soc == NULL, refused);
    if (row->line) {
        expect_place(t, row->rule, row->line, row->column);
    }
}

HOIST_TEST(more_cores_than_a_noc_has)
{
    enum { MOST = 256 * 256 };
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, HEAD DRAM "functional_workers: [1-1");
    for (size_t i = 0; i < MOST; i++) {
        hoist_buffer_c(&text, ", 1-1");
    }
    hoist_buffer_c(&text, "]\n");
    const buda_soc *soc = NULL;
    HOIST_EXPECT_EQ(t, buda_soc_read(hoist_buffer_bytes(&text), &t->arena, t->diag, &soc),
                    HOIST_INVALID);
    expect_place(t, "SOC-007", 4, 21);
    hoist_buffer_deinit(&text);
}

#define CHIPS "chips: {0: [0, 0, 0, 0], 1: [1, 0, 0, 0]}\n"

HOIST_TEST(cluster_is_read)
{
    // Each link from both of its ends, as some public descriptors have it.
    static const char text[] =
        CHIPS "ethernet_connections:\n"
              "  - [{chip: 0, chan: 8}, {chip: 1, chan: 0}]\n"
              "  - [{chip: 1, chan: 0}, {chip: 0, chan: 8}]\n"
              "chips_with_mmio: [0]\nharvesting: {0: {noc_translation: false}}\n";
    const buda_cluster *cluster = NULL;
    const hoist_bytes bytes = {(const uint8_t *)text, sizeof(text) - 1};
    HOIST_EXPECT_EQ(t, buda_cluster_read(bytes, &t->arena, t->diag, &cluster), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(t, cluster->chip_count, 2);
    HOIST_EXPECT_EQ(t, cluster->chips[1], 1);
    HOIST_EXPECT_EQ(t, cluster->link_count, 2);
    HOIST_EXPECT_EQ(t, cluster->links[0].channel[0], 8);
    HOIST_EXPECT_EQ(t, cluster->links[1].chip[0], 1);
    HOIST_EXPECT_EQ(t, cluster->mmio_count, 1);
}

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *rule;
    uint32_t line, column;
} bad_clusters[] = {
    {"a scalar",           "cluster\n",                                        "SOC-001", 1, 1 },
    {"no chips",           "chips_with_mmio: []\n",                            "SOC-002", 1, 1 },
    {"unknown key",        CHIPS "wires: 2\n",                                 "SOC-003", 2, 1 },
    {"chips is a list",    "chips: [0, 1]\n",                                  "SOC-004", 1, 8 },
    {"chips is empty",     "chips: {}\n",                                      "SOC-004", 1, 8 },
    {"chip is text",       "chips: {a: [0, 0, 0, 0]}\n",                       "SOC-004", 1, 9 },
    {"chip is negative",   "chips: {-1: [0, 0, 0, 0]}\n",                      "SOC-007", 1, 9 },
    {"three coordinates",  "chips: {0: [0, 0, 0]}\n",                          "SOC-004", 1, 12},
    {"links is a map",     CHIPS "ethernet_connections: {}\n",                 "SOC-004", 2, 23},
    {"one end",            CHIPS "ethernet_connections: [[{chip: 0, chan: 0}]]\n", "SOC-010", 2, 24},
    {"end is a scalar",    CHIPS "ethernet_connections: [[0, 1]]\n",           "SOC-010", 2, 25},
    {"end without chan",   CHIPS "ethernet_connections: [[{chip: 0}, {chip: 1, chan: 0}]]\n",
                                                                               "SOC-010", 2, 25},
    {"channel 16",         CHIPS "ethernet_connections: [[{chip: 0, chan: 16}, {chip: 1, chan: 0}]]\n",
                                                                               "SOC-007", 2, 41},
    {"chip not listed",    CHIPS "ethernet_connections: [[{chip: 2, chan: 1}, {chip: 1, chan: 0}]]\n",
                                                                               "SOC-011", 2, 32},
    {"two other ends",     CHIPS "ethernet_connections:\n  - [{chip: 0, chan: 1}, {chip: 1, chan: 0}]\n"
                           "  - [{chip: 0, chan: 1}, {chip: 1, chan: 2}]\n",   "SOC-012", 4, 5 },
    {"mmio is a map",      CHIPS "chips_with_mmio: {0: 0}\n",                  "SOC-004", 2, 18},
    {"mmio not listed",    CHIPS "chips_with_mmio: [7]\n",                     "SOC-011", 2, 19},
    {"mmio is a list",     CHIPS "chips_with_mmio: [[0]]\n",                   "SOC-004", 2, 19},
};
// clang-format on

HOIST_TEST_TABLE(bad_clusters_are_reported, bad_clusters)
{
    const buda_cluster *cluster = NULL;
    const hoist_bytes bytes =
        hoist_test_exact(t, (hoist_bytes){(const uint8_t *)row->text, strlen(row->text)});
    const hoist_status status = buda_cluster_read(bytes, &t->arena, t->diag, &cluster);
    HOIST_EXPECT_RULE(t, row->rule);
    HOIST_EXPECT_EQ(t, status,
                    hoist_diag_count(t->diag, HOIST_ERROR) > 0 ? HOIST_INVALID : HOIST_OK);
    expect_place(t, row->rule, row->line, row->column);
}

// A descriptor, and how many bytes of its arena are in use before it is read: with more and more
// of them the arena's requests fall on every piece.
typedef struct filled_text {
    hoist_bytes text;
    size_t fill;
} filled_text;

static hoist_status read_soc(hoist_allocator alloc, const void *self)
{
    const filled_text *in = self;
    const buda_soc *soc = NULL;
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    const hoist_status status = hoist_arena_alloc(&arena, in->fill)
                                    ? buda_soc_read(in->text, &arena, NULL, &soc)
                                    : HOIST_NO_MEMORY;
    hoist_arena_deinit(&arena);
    return status == HOIST_OK && !soc ? HOIST_INTERNAL : status;
}

static hoist_status read_cluster(hoist_allocator alloc, const void *self)
{
    const filled_text *in = self;
    const buda_cluster *cluster = NULL;
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    const hoist_status status = hoist_arena_alloc(&arena, in->fill)
                                    ? buda_cluster_read(in->text, &arena, NULL, &cluster)
                                    : HOIST_NO_MEMORY;
    hoist_arena_deinit(&arena);
    return status == HOIST_OK && !cluster ? HOIST_INTERNAL : status;
}

HOIST_TEST(memory_may_run_out)
{
    static const char soc[] = HEAD DRAM WORKERS;
    static const char cluster[] = CHIPS
        "ethernet_connections: [[{chip: 0, chan: 1}, {chip: 1, chan: 0}]]\nchips_with_mmio: [0]\n";
    for (size_t fill = 1; fill < 4096; fill += 48) {
        const filled_text a = {{(const uint8_t *)soc, sizeof(soc) - 1}, fill};
        const filled_text b = {{(const uint8_t *)cluster, sizeof(cluster) - 1}, fill};
        hoist_test_starve(t, read_soc, &a);
        hoist_test_starve(t, read_cluster, &b);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(archs_have_a_default),
                HOIST_TEST_ROW(an_unknown_arch_has_no_default), HOIST_TEST_ROW(soc_is_read),
                HOIST_TEST_ROW(bad_socs_are_reported), HOIST_TEST_ROW(more_cores_than_a_noc_has),
                HOIST_TEST_ROW(cluster_is_read), HOIST_TEST_ROW(bad_clusters_are_reported),
                HOIST_TEST_ROW(memory_may_run_out))
