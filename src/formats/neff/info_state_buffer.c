// What DMA writes in the state buffer (neff reference 4.1.1).
#include "base/span.h"
#include "formats/neff/footprint.h"
#include "formats/neff/info.h"

// Words of 64 bytes that are marked before the summary gives up counting.
static const uint64_t BUDGET = (uint64_t)1 << 28;

// Takes what marking the runs costs off the budget; false: it is used up.
static bool afford(uint64_t *budget, const neff_runs *runs)
{
    enum { WORD = 64 };
    uint64_t cost = (uint64_t)runs->run / WORD + 1;
    for (uint32_t i = 0; i < runs->dims; i++) {
        cost = neff_product(cost, (uint64_t)runs->counts[i]);
    }
    const bool enough = cost <= *budget;
    *budget -= enough ? cost : *budget;
    return enough;
}

static hoist_status add_engine(neff_footprint *set, const neff_subgraph *s,
                               const neff_engine *engine, uint64_t *budget)
{
    for (size_t i = 0; i < engine->desc_count; i++) {
        const neff_pattern *const to = &engine->descs[i].to;
        neff_runs runs;
        if (to->var == NEFF_NONE || s->vars[to->var].type != NEFF_VAR_STATE_BUFFER ||
            !neff_window_runs(engine, to, &runs)) {
            continue;
        }
        if (!afford(budget, &runs)) {
            return HOIST_LIMIT;
        }
        HOIST_TRY(neff_footprint_add(set, &runs));
    }
    return HOIST_OK;
}

static uint64_t count_bytes(const neff_footprint *set, uint32_t *out_partitions)
{
    const uint32_t words = (uint32_t)(NEFF_PARTITION_STRIDE / 64);
    uint64_t bytes = 0;
    *out_partitions = 0;
    for (uint32_t p = 0; p < NEFF_PARTITIONS && set->high > set->low; p++) {
        const uint64_t before = bytes;
        for (uint32_t i = 0; i < words; i++) {
            bytes += (uint64_t)__builtin_popcountll(set->words[p * words + i]);
        }
        *out_partitions += bytes > before;
    }
    return bytes;
}

static void send(const neff_info_writer *w, const neff_footprint *set, bool whole)
{
    uint32_t partitions = 0;
    const uint64_t bytes = count_bytes(set, &partitions);
    const uint32_t room = neff_generations[w->generation].partition_bytes;
    const bool used = bytes || !whole;
    w->sink->audience = used ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_map(w->sink, "state_buffer");
    if (room) {
        neff_info_bytes(w->sink, "partition_bytes", room);
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
    uint64_t budget = BUDGET;
    hoist_status status = neff_footprint_init(&set, w->module->base.alloc);
    for (int e = 0; e < NEFF_ENGINE_COUNT && status == HOIST_OK; e++) {
        status = add_engine(&set, subgraph, &subgraph->engines[e], &budget);
    }
    if (status == HOIST_OK || status == HOIST_LIMIT) {
        send(w, &set, status == HOIST_OK);
        status = HOIST_OK;
    }
    neff_footprint_deinit(&set);
    return status;
}
