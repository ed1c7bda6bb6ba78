// What DMA writes in the state buffer (neff reference 4.1.1): in go the destinations of all
// descriptors, out come the partitions and bytes that are written, and the highest byte within a
// partition, which has to be below the size of a partition. footprint.c has the set.
#include "formats/neff/footprint.h"
#include "formats/neff/info.h"

// Adds what an engine's descriptors write. HOIST_LIMIT: the patterns have too many runs.
static hoist_status add_engine(neff_footprint *set, const neff_subgraph *s,
                               const neff_engine *engine)
{
    for (size_t i = 0; i < engine->desc_count; i++) {
        const neff_pattern *const to = &engine->descs[i].to;
        neff_runs runs;
        if (to->var == NEFF_NONE || s->vars[to->var].type != NEFF_VAR_STATE_BUFFER ||
            !neff_window_runs(engine, to, &runs)) {
            continue;
        }
        HOIST_TRY(neff_footprint_add(set, &runs));
    }
    return HOIST_OK;
}

// Bytes written, each once, and in how many partitions.
static uint64_t count_bytes(const neff_footprint *set, uint32_t *out_partitions)
{
    uint64_t bytes = 0;
    *out_partitions = 0;
    for (uint32_t p = 0; p < NEFF_PARTITIONS; p++) {
        const uint32_t count = neff_footprint_count(set, p);
        bytes += count;
        *out_partitions += count > 0;
    }
    return bytes;
}

// `whole` is false when the limit was reached: numbers of a part would be wrong.
static void send(const neff_info_writer *w, const neff_footprint *set, bool whole)
{
    uint32_t partitions = 0;
    const uint64_t bytes = count_bytes(set, &partitions);
    const uint32_t space = neff_generations[w->generation].partition_bytes; // 0: not public
    const bool used = bytes || !whole; // most small files never touch it
    w->sink->audience = used ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_map(w->sink, "state_buffer");
    if (space) {
        neff_info_bytes(w->sink, "partition_bytes", space);
    } else {
        hoist_tree_unknown(w->sink, "partition_bytes", HOIST_UNIT_BYTES);
    }
    if (whole) {
        neff_info_count(w->sink, "partitions_written", partitions);
        neff_info_bytes(w->sink, "written_bytes", bytes);
        neff_info_bytes(w->sink, "highest_in_partition_bytes", bytes ? set->inner_high : 0);
    } else {
        hoist_tree_null(w->sink, "partitions_written");
        hoist_tree_unknown(w->sink, "written_bytes", HOIST_UNIT_BYTES);
        hoist_tree_unknown(w->sink, "highest_in_partition_bytes", HOIST_UNIT_BYTES);
    }
    neff_info_end(w->sink);
}

hoist_status neff_info_state_buffer(const neff_info_writer *w, const neff_subgraph *subgraph)
{
    neff_footprint set = {0};
    hoist_status status = neff_footprint_init(&set, w->module->base.alloc);
    for (int e = 0; e < NEFF_ENGINE_COUNT && status == HOIST_OK; e++) {
        status = add_engine(&set, subgraph, &subgraph->engines[e]);
    }
    // A limit is no failure of the summary: the numbers are unknown.
    if (status == HOIST_OK || status == HOIST_LIMIT) {
        send(w, &set, status == HOIST_OK);
        status = HOIST_OK;
    }
    neff_footprint_deinit(&set);
    return status;
}
