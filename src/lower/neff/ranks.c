// Which ranks there are, and which of them meet in a collective (neff reference section 5.2). In go
// the options, the files and replica_groups of def.json, out come the number of ranks and the
// members of groups; collectives.c asks for them.
#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/neff/tape.h"
#include "lower/neff/state.h"

// -1: no integer.
static int64_t number_at(const hoist_json *json, hoist_json_index at)
{
    int64_t value = 0;
    return hoist_json_i64(json, at, &value) ? value : -1;
}

// The largest integer in lists of lists, up to `depth` more levels; -1: none.
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

// 0: absent, or no list, which rule 71a reports where it is used.
static hoist_json_index groups_of(const neff_subgraph *s)
{
    const hoist_json *json = &s->def.json;
    const hoist_json_index groups = json->count > 0 ? neff_tape_find(json, 0, "replica_groups") : 0;
    return neff_tape_is(json, groups, HOIST_JSON_ARRAY) ? groups : 0;
}

static void refuse_size(neff_lower_job *j, const neff_subgraph *s, hoist_json_index at)
{
    const neff_lower_core core = {.file = j->files, .subgraph = s};
    const hoist_bytes text = j->files->module->members[s->def.member].bytes;
    const hoist_str said = hoist_json_text(&s->def.json, at); // the value as written
    neff_cursor cursor = {0};
    neff_lower_place place = {.core = &core, .member = s->def.member};
    place.loc = hoist_loc_pos(neff_place(&cursor, text, s->def.json.tokens[at].start));
    place.loc.source = neff_lower_source(j, core.file, s->def.member);
    neff_lower_refuse(j, RUN_023, &place, "'#rank_world_size' is %.*s, expected a number of ranks",
                      HOIST_STR_ARGS(said));
}

// Ranks that the only file states: the world size or the largest rank of a group, whichever needs
// more; at least 1.
static int64_t said(neff_lower_job *j, const neff_module *module)
{
    int64_t count = 1;
    for (uint32_t i = 0; i < module->subgraph_count; i++) {
        const hoist_json *json = &module->subgraphs[i].def.json;
        const hoist_json_index size =
            json->count > 0 ? neff_tape_find(json, 0, "#rank_world_size") : 0;
        const int64_t world = size ? number_at(json, size) : 1;
        if (world < 1) {
            refuse_size(j, &module->subgraphs[i], size);
        }
        const hoist_json_index groups = groups_of(&module->subgraphs[i]);
        const int64_t named = groups ? largest(json, groups, 2) : -1;
        count = world > count ? world : count;
        count = named >= count ? named + (named < INT64_MAX) : count; // without wrapping
    }
    return count;
}

// By the files, else --ranks, else what the file states. 0: refused.
uint32_t neff_lower_rank_count(neff_lower_job *j)
{
    const neff_lower_core core = {.file = j->files};
    const neff_lower_place place = {.core = &core, .member = NEFF_NONE};
    const bool several = j->file_count > 1;
    const uint32_t asked = j->c.options->ranks;
    if (several && asked && asked != j->file_count) {
        neff_lower_refuse(j, RUN_023, &place, "%" PRIu32 " %s asked for, there are %zu files",
                          asked, asked == 1 ? "rank is" : "ranks are", j->file_count);
        return 0;
    }
    const int64_t count = several ? (int64_t)j->file_count
                          : asked ? (int64_t)asked
                                  : said(j, j->files[0].module);
    if (count > NEFF_LOWER_MAX_RANKS) {
        neff_lower_exceed(j, RUN_023, &place, "%" PRId64 " ranks, expected at most %d", count,
                          NEFF_LOWER_MAX_RANKS);
        return 0;
    }
    return (uint32_t)count;
}

// Groups -----------------------------------------------------------------------------------------

// Lists are short and read for each rank once.
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

// The item of replica_groups with that number, which exists; 0: out of memory. The items are listed
// once for a file: finding one on the tape means passing those before it.
static hoist_json_index item(neff_lower_job *j, const neff_lower_core *core,
                             hoist_json_index groups, uint32_t index)
{
    const hoist_json *json = &core->subgraph->def.json;
    neff_lower_part *part = &core->file->parts[core->number];
    const uint32_t count = hoist_json_size(json, groups);
    uint32_t *items =
        part->group_items ? NULL : hoist_lower_array(&j->c, (size_t)count + 1, sizeof *items);
    hoist_json_index at = hoist_json_first(json, groups);
    for (uint32_t i = 0; items && i < count; i++, at = hoist_json_next(json, at)) {
        items[i] = at;
    }
    part->group_items = items ? items : part->group_items;
    return part->group_items ? part->group_items[index] : 0;
}

// The list among those of `list` that has the rank, or is empty and so for all; 0: none.
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

// Notes for each rank the group that it is in, by numbers from 1; false when one of them was in
// another group.
static bool note_group(const hoist_json *json, hoist_json_index list, uint32_t number,
                       uint32_t *groups, uint32_t ranks)
{
    const uint32_t count = hoist_json_size(json, list);
    hoist_json_index at = count > 0 ? hoist_json_first(json, list) : 0;
    for (uint32_t i = 0; i < count; i++, at = hoist_json_next(json, at)) {
        const int64_t rank = number_at(json, at);
        if (rank < 0 || rank >= (int64_t)ranks) { // reported where the group is used
            continue;
        }
        if (groups[rank] && groups[rank] != number) {
            return false;
        }
        groups[rank] = number;
    }
    return true;
}

// Groups of one list share no rank.
static bool are_disjoint(neff_lower_job *j, const hoist_json *json, hoist_json_index list)
{
    uint32_t *groups = hoist_lower_array(&j->c, j->c.rank_count, sizeof *groups);
    const uint32_t count = hoist_json_size(json, list);
    hoist_json_index at = count > 0 ? hoist_json_first(json, list) : 0;
    bool disjoint = groups != NULL;
    for (uint32_t i = 0; disjoint && i < count; i++, at = hoist_json_next(json, at)) {
        disjoint = hoist_json_kind_of(json, at) != HOIST_JSON_ARRAY ||
                   note_group(json, at, i + 1, groups, j->c.rank_count);
    }
    return disjoint;
}

// The group of the core's rank, whichever it is, when group_id names one that lacks the rank; 0:
// none, or groups share ranks, so that more than one may be meant.
static hoist_json_index own_group(neff_lower_job *j, const neff_lower_core *core,
                                  hoist_json_index groups)
{
    const hoist_json *json = &core->subgraph->def.json;
    neff_lower_part *part = &core->file->parts[core->number];
    neff_lower_core *own = &j->cores[core->number];
    if (part->groups == NEFF_LOWER_UNKNOWN) {
        part->groups = are_disjoint(j, json, groups) ? NEFF_LOWER_DISJOINT : NEFF_LOWER_SHARING;
    }
    if (!own->knows_group) {
        own->group = part->groups == NEFF_LOWER_DISJOINT ? find_list(json, groups, core->rank) : 0;
        own->knows_group = true;
    }
    return own->group;
}

// The list of ranks that the core's rank uses for `group_id`; 0: none. Depth 3: the list of
// group_id that has the rank. Depth 2: the list itself, or the one that has the rank when groups
// are disjoint. An empty list is for all.
static hoist_json_index choose(neff_lower_job *j, const neff_lower_core *core, uint32_t group_id)
{
    const hoist_json *json = &core->subgraph->def.json;
    const hoist_json_index groups = groups_of(core->subgraph);
    const uint32_t rank = core->rank;
    if (!groups || group_id >= hoist_json_size(json, groups)) {
        return 0;
    }
    const hoist_json_index own = item(j, core, groups, group_id);
    if (!own || hoist_json_kind_of(json, own) != HOIST_JSON_ARRAY) {
        return 0;
    }
    // An item whose first member is a list holds lists; rule 71a reports mixed ones.
    const bool deep = hoist_json_size(json, own) > 0 &&
                      hoist_json_kind_of(json, hoist_json_first(json, own)) == HOIST_JSON_ARRAY;
    if (deep) {
        return find_list(json, own, rank);
    }
    if (hoist_json_size(json, own) == 0 || holds(json, own, rank)) {
        return own;
    }
    return own_group(j, core, groups);
}

// The order of reduction is that of ranks, whatever order the file has (5.2).
static int ascending(const void *a, const void *b)
{
    return hoist_order_u64(*(const uint32_t *)a, *(const uint32_t *)b);
}

static bool read_members(neff_lower_job *j, const neff_lower_place *place, const hoist_json *json,
                         hoist_json_index list, uint32_t *members)
{
    const uint32_t count = hoist_json_size(json, list);
    hoist_json_index at = hoist_json_first(json, list);
    for (uint32_t i = 0; i < count; i++, at = hoist_json_next(json, at)) {
        const int64_t rank = number_at(json, at);
        if (rank < 0 || rank >= (int64_t)j->c.rank_count) {
            neff_lower_refuse(j, RUN_023, place,
                              "the group names rank %" PRId64 ", expected 0 to %" PRIu32
                              ": there %s %" PRIu32 " %s",
                              rank, j->c.rank_count - 1, j->c.rank_count == 1 ? "is" : "are",
                              j->c.rank_count, hoist_plural(j->c.rank_count, "rank", "ranks"));
            return false;
        }
        members[i] = (uint32_t)rank;
    }
    qsort(members, count, sizeof *members, ascending);
    return true;
}

// Made once: [[]] is the usual group.
static const uint32_t *everyone(neff_lower_job *j)
{
    uint32_t *all = j->everyone ? NULL : hoist_lower_array(&j->c, j->c.rank_count, sizeof *all);
    for (uint32_t i = 0; all && i < j->c.rank_count; i++) {
        all[i] = i;
    }
    j->everyone = all ? all : j->everyone;
    return j->everyone;
}

// Finds the members anew; neff_lower_members keeps them.
static bool find_team(neff_lower_job *j, const neff_lower_place *place, uint32_t group_id,
                      neff_lower_team *out)
{
    const hoist_json *json = &place->core->subgraph->def.json;
    const uint32_t rank = place->core->rank;
    const hoist_json_index list = choose(j, place->core, group_id);
    const uint32_t named = list ? hoist_json_size(json, list) : 0;
    if (!list) {
        neff_lower_find(j, NEFF_071a, place,
                        "rank %" PRIu32 " is in no group for group_id %" PRIu32, rank, group_id);
        return false;
    }
    if (named == 0) {
        *out = (neff_lower_team){everyone(j), j->c.rank_count};
        return out->members != NULL;
    }
    uint32_t *members = hoist_lower_array(&j->c, named, sizeof *members);
    if (!members || !read_members(j, place, json, list, members)) {
        return false;
    }
    for (uint32_t i = 1; i < named; i++) {
        if (members[i] == members[i - 1]) {
            neff_lower_find(j, NEFF_071a, place, "group %" PRIu32 " names rank %" PRIu32 " twice",
                            group_id, members[i]);
            return false;
        }
    }
    *out = (neff_lower_team){members, named};
    return true;
}

// Found once for a rank, core and group_id: streams have the same group thousands of times.
bool neff_lower_members(neff_lower_job *j, const neff_lower_place *place, uint32_t group_id,
                        neff_lower_team *out_team)
{
    size_t number = 0;
    const hoist_str key = // rank at hand: the map is emptied between ranks
        hoist_lower_format(&j->c, "%" PRIu32 ".%" PRIu32, place->core->number, group_id);
    if (key.data && hoist_map_find(&j->team_numbers, key, &number)) {
        *out_team = j->teams[number];
        return true;
    }
    if (!key.data || !find_team(j, place, group_id, out_team)) {
        return false;
    }
    if (hoist_map_add(&j->team_numbers, key, j->team_count, NULL) != HOIST_OK) {
        j->c.status = HOIST_NO_MEMORY;
        return false;
    }
    return hoist_lower_add(&j->c, (void **)&j->teams, &j->team_count, &j->team_capacity, out_team,
                           sizeof *out_team);
}
