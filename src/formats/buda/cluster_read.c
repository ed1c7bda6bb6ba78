// Reads a cluster descriptor (--cluster): buda-netlist reference section 7.3. Out: chips, links and
// chips with MMIO; findings SOC-... at keys of the file. soc_keys.c has the walk over the keys.
//
//     chips: {0: [0, 0, 0, 0], 1: [1, 0, 0, 0]}   id: [x, y, rack, shelf]
//     ethernet_connections:
//       - [{chip: 0, chan: 0}, {chip: 1, chan: 0}]
//     chips_with_mmio: [0]
//
// Links hold in both directions; descriptors exist that write each link from both of its ends.
#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/buda/soc_internal.h"

enum {
    MAX_CHIPS = 4096, // bounds the linear searches below
    MAX_CHANNEL = 15, // the largest chip has 16 ethernet cores
};

// Linear, as clusters of netlists have a few dozen chips; MAX_CHIPS bounds the rest.
bool buda_cluster_has_chip(const buda_cluster *cluster, int64_t id)
{
    for (size_t i = 0; i < cluster->chip_count; i++) {
        if (cluster->chips[i] == id) {
            return true;
        }
    }
    return false;
}

// First of the keys: links and MMIO refer to chips.
static hoist_status read_chips(buda_soc_reader *r, const hoist_yaml_node *value)
{
    if (value->kind != HOIST_YAML_MAP || value->count == 0 || value->count > MAX_CHIPS) {
        buda_soc_report(r, SOC_004, value->pos,
                        "chips is no map of chips, expected 1 to %d of them", MAX_CHIPS);
        return HOIST_OK;
    }
    // `count` is that of entries, at most MAX_CHIPS.
    int64_t *chips = hoist_arena_array(r->arena, value->count, sizeof(chips[0]));
    HOIST_TRY_MEMORY(chips);
    r->cluster->chips = chips;
    for (const hoist_yaml_node *entry = value->first; entry; entry = entry->next) {
        int64_t id = 0;
        if (!buda_soc_number(r, entry->key, 0, INT32_MAX, &id)) {
            continue; // the number is reported; the other chips are read on
        }
        chips[r->cluster->chip_count++] = id;
        if (entry->kind != HOIST_YAML_LIST || entry->count != 4) {
            buda_soc_report(r, SOC_004, entry->pos,
                            "chip %" PRId64 " needs four coordinates: x, y, rack, shelf", id);
        }
    }
    return HOIST_OK;
}

// The location is the reference's, not that of `chips`.
static void expect_chip(buda_soc_reader *r, const hoist_yaml_node *node, int64_t id)
{
    if (!buda_cluster_has_chip(r->cluster, id)) {
        buda_soc_report(r, SOC_011, node->pos, "chip %" PRId64 " is not in chips", id);
    }
}

// `{chip: 0, chan: 4}`. False: no end, and a finding.
static bool read_end(buda_soc_reader *r, const hoist_yaml_node *node, int64_t *out_chip,
                     int64_t *out_channel)
{
    const hoist_yaml_node *chip = hoist_yaml_find(node, "chip");
    const hoist_yaml_node *channel = hoist_yaml_find(node, "chan");
    if (!chip || !channel) {
        buda_soc_report(r, SOC_010, node->pos,
                        "an end of a connection has no chip or no chan, expected both");
        return false;
    }
    if (!buda_soc_number(r, chip, 0, INT32_MAX, out_chip) ||
        !buda_soc_number(r, channel, 0, MAX_CHANNEL, out_channel)) {
        return false;
    }
    expect_chip(r, chip, *out_chip); // a link to an unknown chip is kept: it links nothing
    return true;
}

// Wrong items are left out of the list, since half a link has no meaning.
static bool read_link(buda_soc_reader *r, const hoist_yaml_node *node, buda_link *out_link)
{
    if (node->kind != HOIST_YAML_LIST || node->count != 2) {
        buda_soc_report(
            r, SOC_010, node->pos,
            "a connection is no list of two ends, expected [{chip, chan}, {chip, chan}]");
        return false;
    }
    return read_end(r, node->first, &out_link->chip[0], &out_link->channel[0]) &&
           read_end(r, node->first->next, &out_link->chip[1], &out_link->channel[1]);
}

// One direction of a link, for sorting.
typedef struct link_end {
    int64_t chip;
    int64_t channel;
    int64_t other_chip;
    int64_t other_channel;
    hoist_pos pos;
} link_end;

// Ends of one channel side by side, in the order of the file, so that the later one is reported.
static int compare_ends(const void *left, const void *right)
{
    const link_end *a = left;
    const link_end *b = right;
    int order = hoist_order_i64(a->chip, b->chip);
    order = order ? order : hoist_order_i64(a->channel, b->channel);
    order = order ? order : hoist_order_u64(a->pos.line, b->pos.line);
    return order ? order : hoist_order_u64(a->pos.column, b->pos.column);
}

// A channel may occur again only with the same other end. The same link written from both ends
// gives equal pairs, which is no contradiction.
// Neighbours suffice: equal channels are one run after the sort.
static void check_ends(buda_soc_reader *r, link_end *ends, size_t count)
{
    qsort(ends, count, sizeof(ends[0]), compare_ends);
    for (size_t i = 1; i < count; i++) {
        const link_end *a = &ends[i - 1];
        const link_end *b = &ends[i];
        if (a->chip == b->chip && a->channel == b->channel &&
            (a->other_chip != b->other_chip || a->other_channel != b->other_channel)) {
            buda_soc_report(r, SOC_012, b->pos,
                            "channel %" PRId64 " of chip %" PRId64 " is joined to chip %" PRId64
                            " and to chip %" PRId64,
                            b->channel, b->chip, a->other_chip, b->other_chip);
        }
    }
}

static hoist_status read_links(buda_soc_reader *r, const hoist_yaml_node *value)
{
    // 65,536 links: every channel of every chip.
    if (value->kind != HOIST_YAML_LIST || value->count > MAX_CHIPS * (MAX_CHANNEL + 1)) {
        buda_soc_report(r, SOC_004, value->pos,
                        "ethernet_connections is no list, expected a list of connections");
        return HOIST_OK;
    }
    buda_link *links = hoist_arena_array(r->arena, value->count, sizeof(links[0]));
    // Two ends for each link.
    link_end *ends = hoist_arena_array(r->arena, value->count, 2 * sizeof(ends[0]));
    HOIST_TRY_MEMORY(links && ends);
    size_t count = 0;
    for (const hoist_yaml_node *item = value->first; item; item = item->next) {
        buda_link *link = &links[count];
        if (!read_link(r, item, link)) {
            continue;
        }
        // Both directions: a channel may be used up as the far end of another link.
        for (size_t i = 0; i < 2; i++) {
            ends[2 * count + i] = (link_end){link->chip[i], link->channel[i], link->chip[1 - i],
                                             link->channel[1 - i], item->pos};
        }
        count++;
    }
    check_ends(r, ends, 2 * count);
    r->cluster->links = links;
    r->cluster->link_count = count;
    return HOIST_OK;
}

// Without the key no chip has MMIO and rule 78a reports every op-fed host queue.
static hoist_status read_mmio(buda_soc_reader *r, const hoist_yaml_node *value)
{
    if (value->kind != HOIST_YAML_LIST || value->count > MAX_CHIPS) {
        buda_soc_report(r, SOC_004, value->pos,
                        "chips_with_mmio is no list, expected a list of chips");
        return HOIST_OK;
    }
    int64_t *mmio = hoist_arena_array(r->arena, value->count, sizeof(mmio[0]));
    HOIST_TRY_MEMORY(mmio);
    r->cluster->mmio = mmio;
    for (const hoist_yaml_node *item = value->first; item; item = item->next) {
        int64_t id = 0;
        if (buda_soc_number(r, item, 0, INT32_MAX, &id)) {
            expect_chip(r, item, id);
            mmio[r->cluster->mmio_count++] = id;
        }
    }
    return HOIST_OK;
}

// Order of reading; `harvesting` is known and has no meaning for netlists.
static const buda_soc_key cluster_keys[] = {
    {"chips", true, .read = read_chips},
    {"ethernet_connections", false, .read = read_links},
    {"chips_with_mmio", false, .read = read_mmio},
    {"harvesting", false, .read = NULL},
};

// Only a descriptor without errors is given out (buda_soc_read_keys()).
hoist_status buda_cluster_read(hoist_bytes text, hoist_arena *arena, hoist_diag *diag,
                               const buda_cluster **out_cluster)
{
    *out_cluster = NULL;
    buda_soc_reader r = {.arena = arena, .diag = diag};
    r.cluster = hoist_arena_alloc(arena, sizeof(*r.cluster));
    HOIST_TRY_MEMORY(r.cluster);
    HOIST_TRY(buda_soc_read_keys(&r, text, cluster_keys, HOIST_COUNT_OF(cluster_keys)));
    *out_cluster = r.cluster;
    return HOIST_OK;
}
