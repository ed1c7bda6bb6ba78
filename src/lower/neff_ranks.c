// Which ranks there are, and which of them meet in a collective (neff reference section 5.2).
#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/neff/tape.h"
#include "lower/neff_lower.h"

static int64_t number_at(const hoist_json *json, hoist_json_index at)
{
    int64_t value = 0;
    return hoist_json_i64(json, at, &value) ? value : -1;
}

// The largest number in lists of lists.
static int64_t largest(const hoist_json *json, hoist_json_index list, int depth)
{
    int64_t most = -1;
    const uint32_t count = hoist_json_size(json, list);
    hoist_json_index at = count > 0 ? hoist_json_first(json, list) : 0;
    for (uint32_t i = 0; i < count; i++, at = hoist_json_next(json, at)) {
        const bool is_list = hoist_json_kind_of(json, at) == HOIST_JSON_ARRAY;
        const int64_t value = !is_list    ? number_at(json, at)
                              : depth > 0 ? largest(json, at, depth - 1)
                                          : -1;
        most = value > most ? value : most;
    }
    return most;
}

static hoist_json_index groups_of(const neff_subgraph *s)
{
    const hoist_json *json = &s->def.json;
    const hoist_json_index groups = json->count > 0 ? neff_tape_find(json, 0, "replica_groups") : 0;
    return neff_tape_is(json, groups, HOIST_JSON_ARRAY) ? groups : 0;
}

// What the only file says.
static int64_t said(const neff_module *module)
{
    int64_t count = 1;
    for (uint32_t i = 0; i < module->subgraph_count; i++) {
        const hoist_json *json = &module->subgraphs[i].def.json;
        const hoist_json_index size =
            json->count > 0 ? neff_tape_find(json, 0, "#rank_world_size") : 0;
        const int64_t world = size ? number_at(json, size) : 0;
        const hoist_json_index groups = groups_of(&module->subgraphs[i]);
        const int64_t named = groups ? largest(json, groups, 2) : -1;
        count = world > count ? world : count;
        count = named >= count ? named + (named < INT64_MAX) : count;
    }
    return count;
}

uint32_t hoist_neff_rank_count(hoist_neff_job *j)
{
    const hoist_neff_core core = {.file = j->files};
    const hoist_neff_place place = {.core = &core, .member = NEFF_NONE};
    const bool several = j->file_count > 1;
    const uint32_t asked = j->options->ranks;
    if (several && asked && asked != j->file_count) {
        hoist_neff_refuse(j, RUN_023, &place,
                          "%" PRIu32 " ranks are asked for, there are %zu files", asked,
                          j->file_count);
        return 0;
    }
    const int64_t count = several ? (int64_t)j->file_count
                          : asked ? (int64_t)asked
                                  : said(j->files[0].module);
    if (count > HOIST_NEFF_MAX_RANKS) {
        hoist_neff_refuse(j, RUN_023, &place, "%" PRId64 " ranks, wanted at most %d", count,
                          HOIST_NEFF_MAX_RANKS);
        return 0;
    }
    return (uint32_t)count;
}

// Groups -----------------------------------------------------------------------------------------

static bool holds(const hoist_json *json, hoist_json_index list, int64_t rank)
{
    const uint32_t count = hoist_json_size(json, list);
    hoist_json_index at = count > 0 ? hoist_json_first(json, list) : 0;
    for (uint32_t i = 0; i < count; i++, at = hoist_json_next(json, at)) {
        if (number_at(json, at) == rank) {
            return true;
        }
    }
    return false;
}

static hoist_json_index item(const hoist_json *json, hoist_json_index list, uint32_t index)
{
    hoist_json_index at = hoist_json_first(json, list);
    for (uint32_t i = 0; i < index; i++) {
        at = hoist_json_next(json, at);
    }
    return at;
}

// The list among those of `list` that has the rank, or stands for all; 0: none.
static hoist_json_index find_list(const hoist_json *json, hoist_json_index list, int64_t rank)
{
    const uint32_t count = hoist_json_size(json, list);
    hoist_json_index at = count > 0 ? hoist_json_first(json, list) : 0;
    for (uint32_t i = 0; i < count; i++, at = hoist_json_next(json, at)) {
        if (hoist_json_kind_of(json, at) == HOIST_JSON_ARRAY &&
            (hoist_json_size(json, at) == 0 || holds(json, at, rank))) {
            return at;
        }
    }
    return 0;
}

// Groups of one list share no rank.
static bool are_disjoint(const hoist_json *json, hoist_json_index list, uint32_t ranks)
{
    for (uint32_t rank = 0; rank < ranks; rank++) {
        const uint32_t count = hoist_json_size(json, list);
        uint32_t found = 0;
        for (uint32_t i = 0; i < count; i++) {
            found += holds(json, item(json, list, i), rank);
        }
        if (found > 1) {
            return false;
        }
    }
    return true;
}

// The list of ranks that `rank` uses for `group_id`; 0: none.
static hoist_json_index choose(const hoist_json *json, hoist_json_index groups, uint32_t group_id,
                               uint32_t rank, uint32_t ranks)
{
    if (!groups || group_id >= hoist_json_size(json, groups)) {
        return 0;
    }
    const hoist_json_index own = item(json, groups, group_id);
    if (hoist_json_kind_of(json, own) != HOIST_JSON_ARRAY) {
        return 0;
    }
    const bool deep = hoist_json_size(json, own) > 0 &&
                      hoist_json_kind_of(json, hoist_json_first(json, own)) == HOIST_JSON_ARRAY;
    if (deep) {
        return find_list(json, own, rank);
    }
    if (hoist_json_size(json, own) == 0 || holds(json, own, rank)) {
        return own;
    }
    return are_disjoint(json, groups, ranks) ? find_list(json, groups, rank) : 0;
}

static int ascending(const void *a, const void *b)
{
    return hoist_order_u64(*(const uint32_t *)a, *(const uint32_t *)b);
}

static bool read_members(hoist_neff_job *j, const hoist_neff_place *place, const hoist_json *json,
                         hoist_json_index list, uint32_t *members)
{
    const uint32_t count = hoist_json_size(json, list);
    hoist_json_index at = hoist_json_first(json, list);
    for (uint32_t i = 0; i < count; i++, at = hoist_json_next(json, at)) {
        const int64_t rank = number_at(json, at);
        if (rank < 0 || rank >= (int64_t)j->rank_count) {
            hoist_neff_refuse(j, RUN_023, place,
                              "the group names rank %" PRId64 ", there %s %" PRIu32, rank,
                              j->rank_count == 1 ? "is" : "are", j->rank_count);
            return false;
        }
        members[i] = (uint32_t)rank;
    }
    qsort(members, count, sizeof *members, ascending);
    return true;
}

bool hoist_neff_members(hoist_neff_job *j, const hoist_neff_place *place, uint32_t group_id,
                        const uint32_t **out_members, uint32_t *out_count)
{
    const neff_subgraph *s = place->core->subgraph;
    const hoist_json *json = &s->def.json;
    const uint32_t rank = place->core->rank;
    const hoist_json_index list = choose(json, groups_of(s), group_id, rank, j->rank_count);
    if (!list) {
        hoist_neff_find(j, NEFF_071a, place,
                        "rank %" PRIu32 " is in no group for group_id %" PRIu32, rank, group_id);
        return false;
    }
    const uint32_t named = hoist_json_size(json, list);
    const uint32_t count = named > 0 ? named : j->rank_count;
    uint32_t *members = hoist_neff_array(j, count, sizeof *members);
    for (uint32_t i = 0; members && named == 0 && i < count; i++) {
        members[i] = i;
    }
    if (!members || (named > 0 && !read_members(j, place, json, list, members))) {
        return false;
    }
    for (uint32_t i = 1; i < count; i++) {
        if (members[i] == members[i - 1]) {
            hoist_neff_find(j, NEFF_071a, place, "group %" PRIu32 " names rank %" PRIu32 " twice",
                            group_id, members[i]);
            return false;
        }
    }
    *out_members = members;
    *out_count = count;
    return true;
}
