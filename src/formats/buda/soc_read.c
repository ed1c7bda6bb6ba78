// Reads a SoC descriptor: buda-netlist reference section 7.3.
//
//     arch_name: WORMHOLE_B0
//     grid: {x_size: 10, y_size: 12}
//     dram: [[0-0, 0-1, 0-11], ...]        one list of nodes, or one node, per channel
//     eth: [9-0, ...]                      by channel number
//     functional_workers: [1-1, 2-1, ...]  lists of cores may be nested, one per row
//
// What is absent is taken from the default of the arch. Of lists of cores hoist needs the counts
// alone.
// Out: a buda_soc in the arena, which replaces the default of soc.c for one command.
#include <string.h>

#include "base/span.h"
#include "formats/buda/soc_internal.h"
#include "formats/buda/words.h"

enum {
    MAX_GRID = 256,         // NoC columns and rows
    MAX_LIST_DEPTH = 8,     // of nested lists of cores
    A0_DEST_ALIGN = 131072, // dst_size_alignment of the chip whose DEST counts four times
};

// Cores ------------------------------------------------------------------------------------------

// A core on the NoC, written "x-y".
typedef struct core {
    int16_t x;
    int16_t y;
} core;

// Both numbers below the grid; grid was read before (soc_keys).
static bool core_of(hoist_str text, const buda_soc *soc, core *out_core)
{
    const char *dash = text.size ? memchr(text.data, '-', text.size) : NULL;
    if (!dash) {
        return false;
    }
    const size_t at = (size_t)(dash - text.data);
    int64_t x = 0;
    int64_t y = 0;
    if (!hoist_str_to_i64(hoist_str_slice(text, 0, at), false, &x) ||
        !hoist_str_to_i64(hoist_str_slice(text, at + 1, text.size), false, &y) || x < 0 ||
        x >= soc->noc_x || y < 0 || y >= soc->noc_y) {
        return false;
    }
    *out_core = (core){(int16_t)x, (int16_t)y};
    return true;
}

// Scalars below `node`, lists of lists included. Depth is bounded, and what lies deeper is not
// counted and not read.
static size_t count_scalars(const hoist_yaml_node *node, size_t depth)
{
    if (node->kind != HOIST_YAML_LIST) {
        return 1;
    }
    size_t count = 0;
    for (const hoist_yaml_node *item = node->first; item && depth > 0; item = item->next) {
        count += count_scalars(item, depth - 1);
    }
    return count;
}

// As many as count_scalars() counted at most; `cores` has that many.
static void read_cores(buda_soc_reader *r, const hoist_yaml_node *node, size_t depth, core *cores,
                       size_t *count)
{
    if (node->kind == HOIST_YAML_LIST) {
        for (const hoist_yaml_node *item = node->first; item && depth > 0; item = item->next) {
            read_cores(r, item, depth - 1, cores, count);
        }
    } else if (node->kind == HOIST_YAML_SCALAR && core_of(node->text, r->soc, &cores[*count])) {
        ++*count;
        // Maps as well: they count as one scalar.
    } else {
        buda_soc_report(r, SOC_005, node->pos, "'%.*s' is not a core, expected x-y below %d-%d",
                        HOIST_STR_ARGS(node->text), r->soc->noc_x, r->soc->noc_y);
    }
}

// All cores of a list, flattened; wrong ones are reported and left out. SOC-007 for a list that no
// NoC could hold.
static hoist_status read_core_list(buda_soc_reader *r, const hoist_yaml_node *node,
                                   const core **out_cores, size_t *out_count)
{
    *out_cores = NULL;
    *out_count = 0;
    const size_t most = count_scalars(node, MAX_LIST_DEPTH);
    if (most > (size_t)MAX_GRID * MAX_GRID) {
        buda_soc_report(r, SOC_007, node->pos,
                        "the list has %zu cores, expected at most the %d of the largest NoC", most,
                        MAX_GRID * MAX_GRID);
        return HOIST_OK;
    }
    core *cores = hoist_arena_array(r->arena, most, sizeof(cores[0]));
    HOIST_TRY_MEMORY(cores);
    read_cores(r, node, MAX_LIST_DEPTH, cores, out_count);
    *out_cores = cores;
    return HOIST_OK;
}

// Cores of which only their form counts: no netlist names them.
static hoist_status read_other_cores(buda_soc_reader *r, const hoist_yaml_node *value)
{
    const core *cores = NULL;
    size_t count = 0;
    return read_core_list(r, value, &cores, &count);
}

// Keys -------------------------------------------------------------------------------------------

// Comes first: everything that the file does not say is the arch's. A wrong one leaves zeros, and
// the descriptor fails in the end.
static hoist_status read_arch(buda_soc_reader *r, const hoist_yaml_node *value)
{
    const bool scalar = value->kind == HOIST_YAML_SCALAR;
    const int arch = scalar ? hoist_rec_word_find(&buda_arch_words, value->text) : BUDA_ARCH_NONE;
    if (arch == BUDA_ARCH_NONE) {
        buda_soc_report(r, SOC_006, value->pos, "unknown architecture '%.*s'",
                        HOIST_STR_ARGS(value->text));
        return HOIST_OK;
    }
    *r->soc = *buda_soc_of((buda_arch)arch); // a copy: later keys overwrite members
    r->soc->name = "descriptor file";
    return HOIST_OK;
}

// Of the NoC, not of workers: its nodes include DRAM, ethernet and others.
static hoist_status read_grid(buda_soc_reader *r, const hoist_yaml_node *value)
{
    const hoist_yaml_node *x = hoist_yaml_find(value, "x_size");
    const hoist_yaml_node *y = hoist_yaml_find(value, "y_size");
    int64_t columns = 0;
    int64_t rows = 0;
    if (!x || !y) {
        buda_soc_report(r, SOC_004, value->pos,
                        "the grid has no x_size and y_size, expected a map of both");
        return HOIST_OK;
    }
    if (buda_soc_number(r, x, 1, MAX_GRID, &columns) && buda_soc_number(r, y, 1, MAX_GRID, &rows)) {
        r->soc->noc_x = (int)columns;
        r->soc->noc_y = (int)rows;
    }
    return HOIST_OK;
}

// Several nodes of one channel are one channel (a list each).
static hoist_status read_dram(buda_soc_reader *r, const hoist_yaml_node *value)
{
    if (value->kind != HOIST_YAML_LIST || value->count == 0 || value->count > MAX_GRID) {
        buda_soc_report(r, SOC_004, value->pos,
                        "dram is no list of channels, expected 1 to %d of them", MAX_GRID);
        return HOIST_OK;
    }
    for (const hoist_yaml_node *item = value->first; item; item = item->next) {
        HOIST_TRY(read_other_cores(r, item));
    }
    // The reserved tops were computed for the arch's own channels.
    // A zeroed table means "unknown": rule 79d is then not checked.
    if ((int)value->count != r->soc->dram_count) {
        r->soc->dram_count = (int)value->count;
        r->soc->reserved_tops = hoist_arena_array(r->arena, value->count, sizeof(uint64_t));
    }
    return r->soc->reserved_tops ? HOIST_OK : HOIST_NO_MEMORY;
}

static hoist_status read_ethernet(buda_soc_reader *r, const hoist_yaml_node *value)
{
    const core *cores = NULL;
    size_t count = 0;
    HOIST_TRY(read_core_list(r, value, &cores, &count));
    r->soc->ethernet_count = (int)count;
    return HOIST_OK;
}

// Rows or columns in which there is a worker.
static int count_used(const bool used[MAX_GRID])
{
    int count = 0;
    for (int i = 0; i < MAX_GRID; i++) {
        count += used[i];
    }
    return count;
}

// Section 7.2: logical rows and columns are the distinct y and x; netlists use these numbers, so
// only how many there are matters.
static hoist_status read_workers(buda_soc_reader *r, const hoist_yaml_node *value)
{
    buda_soc *const soc = r->soc;
    const core *cores = NULL;
    size_t count = 0;
    bool columns[MAX_GRID] = {false};
    bool rows[MAX_GRID] = {false};
    HOIST_TRY(read_core_list(r, value, &cores, &count));
    bool *seen = hoist_arena_array(r->arena, (size_t)MAX_GRID * MAX_GRID, sizeof(bool));
    HOIST_TRY_MEMORY(seen);
    for (size_t i = 0; i < count; i++) {
        const size_t at = (size_t)cores[i].y * MAX_GRID + (size_t)cores[i].x;
        if (seen[at]) {
            buda_soc_report(r, SOC_009, value->pos, "worker %d-%d is listed twice", cores[i].x,
                            cores[i].y);
        }
        seen[at] = true;
        columns[cores[i].x] = true;
        rows[cores[i].y] = true;
    }
    soc->column_count = count_used(columns);
    soc->row_count = count_used(rows);
    // Workers that do not fill the product of rows and columns have no logical coordinates for
    // some cells.
    if (!r->failed && count != (size_t)soc->column_count * (size_t)soc->row_count) {
        buda_soc_report(r, SOC_008, value->pos, "%zu %s in %d %s and %d %s, which hold %d", count,
                        hoist_plural(count, "worker is", "workers are"), soc->row_count,
                        hoist_plural((uint64_t)soc->row_count, "row", "rows"), soc->column_count,
                        hoist_plural((uint64_t)soc->column_count, "column", "columns"),
                        soc->row_count * soc->column_count);
    }
    return HOIST_OK;
}

// A number of bytes into the key's member of the descriptor. 2^48 is more than any memory of a
// chip, and products with it do not overflow where they are used.
static hoist_status read_size(buda_soc_reader *r, const hoist_yaml_node *value)
{
    int64_t size = 0;
    if (buda_soc_number(r, value, r->key->min, (int64_t)1 << 48, &size) && r->key->at) {
        *(uint64_t *)(void *)((char *)r->soc + r->key->at) = (uint64_t)size;
    }
    return HOIST_OK;
}

// dst_size_alignment is the one feature that a rule depends on (37).
static hoist_status read_features(buda_soc_reader *r, const hoist_yaml_node *value)
{
    if (value->kind != HOIST_YAML_MAP) {
        buda_soc_report(r, SOC_004, value->pos, "features is no map, expected one");
        return HOIST_OK;
    }
    const hoist_yaml_node *math = hoist_yaml_find(value, "math");
    const hoist_yaml_node *node = math ? hoist_yaml_find(math, "dst_size_alignment") : NULL;
    int64_t alignment = 0;
    if (node && buda_soc_number(r, node, 1, INT32_MAX, &alignment)) {
        r->soc->dest_scale = alignment == A0_DEST_ALIGN ? 4 : 1;
    }
    return HOIST_OK;
}

// In the order of reading: the arch gives the defaults, the grid bounds the cores. Required keys
// are those without which a rule would use another chip's numbers.
static const buda_soc_key soc_keys[] = {
    {"arch_name", true, .read = read_arch},
    {"grid", true, .read = read_grid},
    {"arc", false, .read = read_other_cores},
    {"pcie", false, .read = read_other_cores},
    {"dram", true, .read = read_dram},
    {"eth", false, .read = read_ethernet},
    {"functional_workers", true, .read = read_workers},
    {"harvested_workers", false, .read = read_other_cores},
    {"router_only", false, .read = read_other_cores},
    {"worker_l1_size", false, .read = read_size, .at = offsetof(buda_soc, worker_l1_bytes),
     .min = 1},
    {"dram_bank_size", false, .read = read_size, .at = offsetof(buda_soc, dram_bytes), .min = 1},
    {"eth_l1_size", false, .read = read_size, .min = 0},
    {"features", false, .read = read_features},
    {"physical", false, .read = NULL}, // the grid before translation
};

// The descriptor is given out only if all its keys were read without an error.
hoist_status buda_soc_read(hoist_bytes text, hoist_arena *arena, hoist_diag *diag,
                           const buda_soc **out_soc)
{
    *out_soc = NULL;
    buda_soc_reader r = {.arena = arena, .diag = diag};
    r.soc = hoist_arena_alloc(arena, sizeof(*r.soc));
    HOIST_TRY_MEMORY(r.soc);
    HOIST_TRY(buda_soc_read_keys(&r, text, soc_keys, HOIST_COUNT_OF(soc_keys)));
    *out_soc = r.soc;
    return HOIST_OK;
}
