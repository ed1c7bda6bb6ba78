// All-reduces among the ranks and barriers of a rank's cores and engines (neff reference section
// 5.2). In goes a record of threads.c with its place, out come collective steps, whose groups have
// numbers in the program; members of a group are those of ranks.c.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/neff/header.h"
#include "lower/neff/state.h"

// What meets under one number, besides members: the kind is in the upper bits of the key.
enum { MEET_RANKS = 1, MEET_CORES, MEET_ENGINES };

static uint64_t key_of(unsigned what, uint64_t number)
{
    return (uint64_t)what << 60 | number;
}

// The number of a group, new when no rank met under it yet; HOIST_NO_REF when out of memory. Ranks
// that have equal members and key get the same number, however each of them found the group.
static uint32_t group_number(neff_lower_job *j, const neff_lower_group *group)
{
    const size_t bytes = group->members ? group->member_count * sizeof(uint32_t) : 0;
    const hoist_str front =
        hoist_lower_format(&j->c, "%016" PRIx64 "%08" PRIx32, group->key, group->member_count);
    char *key = hoist_lower_array(&j->c, front.size + bytes, 1);
    size_t number = 0;
    if (!key || !front.data) {
        return HOIST_NO_REF;
    }
    memcpy(key, front.data, front.size);
    if (bytes > 0) {
        memcpy(key + front.size, group->members, bytes);
    }
    const hoist_status status = hoist_map_add(
        &j->group_numbers, (hoist_str){key, front.size + bytes}, j->group_count, &number);
    if (status == HOIST_BUSY) { // known already
        return (uint32_t)number;
    }
    if (status != HOIST_OK) {
        j->c.status = HOIST_NO_MEMORY;
        return HOIST_NO_REF;
    }
    return hoist_lower_add(&j->c, (void **)&j->groups, &j->group_count, &j->group_capacity, group,
                           sizeof *group)
               ? (uint32_t)(j->group_count - 1)
               : HOIST_NO_REF;
}

// All-reduce -------------------------------------------------------------------------------------

// False: the ALU op does not reduce.
static bool reduction_of(uint8_t op, hoist_reduce_op *out_op)
{
    static const struct {
        uint8_t code;
        hoist_reduce_op op;
    } ops[] = {
        {4, HOIST_REDUCE_ADD}, {6, HOIST_REDUCE_MUL}, {8, HOIST_REDUCE_MAX}, {9, HOIST_REDUCE_MIN}};
    for (size_t i = 0; i < HOIST_COUNT_OF(ops); i++) {
        if (ops[i].code == op) {
            *out_op = ops[i].op;
            return true;
        }
    }
    return false;
}

// False: refused. Limits keep byte counts within 63 bits.
static bool is_supported(neff_lower_job *j, const neff_lower_place *place, const neff_collective *c,
                         hoist_reduce_op *out_op)
{
    if (c->kind != NEFF_COLLECTIVE_ALL_REDUCE) {
        neff_lower_refuse(j, RUN_015, place, "a collective of kind %u, expected %d (%s)", c->kind,
                          NEFF_COLLECTIVE_ALL_REDUCE,
                          neff_collective_name(NEFF_COLLECTIVE_ALL_REDUCE));
    } else if (!reduction_of(c->op, out_op)) {
        const char *name = neff_alu_name(c->op);
        neff_lower_refuse(j, RUN_015, place,
                          "an all-reduce with %s (%u), expected ADD, MULT, MAX or MIN",
                          name ? name : "an unknown operation", c->op);
    } else if (!neff_dtype_of_isa(c->dtype)) {
        neff_lower_refuse(j, RUN_015, place,
                          "an all-reduce of elements of type code %u, expected 1 to 15", c->dtype);
        // 8: the largest element.
    } else if (c->elements == 0 || c->elements > INT64_MAX / 8 || c->input_offset > INT64_MAX ||
               c->output_offset > INT64_MAX) {
        neff_lower_refuse(j, RUN_015, place,
                          "an all-reduce of %" PRIu64 " elements, from %" PRIu64 " to %" PRIu64,
                          c->elements, c->input_offset, c->output_offset);
    } else {
        return true;
    }
    return false;
}

// The elements of an operand as a view; offsets are bytes from the variable's start.
static hoist_ref operand(neff_lower_job *j, const neff_lower_place *place, uint32_t var_id,
                         uint64_t offset, const neff_collective *c)
{
    const neff_dtype_row *dtype = neff_dtype_of_isa(c->dtype);
    const uint32_t var = neff_var_by_id(place->core->subgraph, var_id);
    const hoist_ref buffer = var == NEFF_NONE ? HOIST_NO_REF : place->core->vars[var];
    if (buffer == HOIST_NO_REF) {
        neff_lower_refuse(j, RUN_024, place, "variable %" PRIu32 " has no memory", var_id);
        return HOIST_NO_REF;
    }
    const hoist_prog_layout layout = {.kind = HOIST_LAYOUT_STRIDED,
                                      .shape = {1, {(int64_t)c->elements}},
                                      .stride = {dtype->bytes}};
    return hoist_builder_view(j->c.b,
                              &(hoist_prog_view){.base = HOIST_VIEW_BUFFER,
                                                 .of = buffer,
                                                 .dtype = dtype->dtype,
                                                 .layout = hoist_builder_layout(j->c.b, &layout),
                                                 .offset = (int64_t)offset,
                                                 .reg = HOIST_NO_REF});
}

// Keeps the collective for comparison with those of other ranks: the n-th of each rank on a group
// meets the n-th of the others.
static void note_meeting(neff_lower_job *j, const neff_lower_place *place, uint32_t group,
                         const neff_collective *c)
{
    neff_lower_meeting new = {
        .group = group, .rank = place->core->rank, .what = *c, .place = *place};
    neff_lower_group *of = &j->groups[group];
    if (of->counted_rank != new.rank) { // ranks are lowered one after the other
        of->counted_rank = new.rank;
        of->counted = 0;
    }
    new.number = of->counted++;
    (void)hoist_lower_add(&j->c, (void **)&j->meetings, &j->meeting_count, &j->meeting_capacity,
                          &new, sizeof new);
}

// A group of one copies: bytes stay as they are, without a detour through fp32 (5.2).
static void copy_alone(neff_lower_job *j, const neff_lower_place *place, hoist_ref from,
                       hoist_ref to)
{
    const hoist_move_source source = {.view = from, .scale = 1};
    const hoist_prog_move move = {.destination = to, .sources = &source, .source_count = 1};
    neff_lower_step(j, place, "ALL_REDUCE",
                    (hoist_prog_step){.kind = HOIST_STEP_MOVE, .as.move = &move});
}

// Position among the members, which are ascending.
static uint32_t rank_in(const uint32_t *members, uint32_t count, uint32_t rank)
{
    uint32_t at = 0;
    while (at < count && members[at] != rank) {
        at++;
    }
    return at;
}

void neff_lower_collective(neff_lower_job *j, const neff_lower_place *place,
                           const neff_record *record)
{
    const neff_collective c = neff_collective_of(record);
    hoist_reduce_op op = HOIST_REDUCE_ADD;
    neff_lower_team team;
    // Members only when the rest can be run.
    if (!is_supported(j, place, &c, &op) || !neff_lower_members(j, place, c.group_id, &team)) {
        return;
    }
    const hoist_ref from = operand(j, place, c.input, c.input_offset, &c);
    const hoist_ref to = operand(j, place, c.output, c.output_offset, &c);
    if (!hoist_lower_goes_on(&j->c)) {
        return;
    }
    if (team.count == 1) { // nothing to meet
        copy_alone(j, place, from, to);
        return;
    }
    // The key keeps the groups of different cores apart: core n of each rank meets core n.
    const neff_lower_group group = {.members = team.members,
                                    .member_count = team.count,
                                    .key = key_of(MEET_RANKS, place->core->number)};
    const uint32_t number = group_number(j, &group);
    if (number == HOIST_NO_REF) {
        return;
    }
    note_meeting(j, place, number, &c);
    const hoist_prog_collective step = {.kind = HOIST_COLLECTIVE_ALL_REDUCE,
                                        .op = op,
                                        .group = number,
                                        .members = team.count,
                                        .rank =
                                            rank_in(team.members, team.count, place->core->rank),
                                        .source = from,
                                        .destination = to};
    neff_lower_step(j, place, "ALL_REDUCE",
                    (hoist_prog_step){.kind = HOIST_STEP_COLLECTIVE, .as.collective = &step});
}

// Those that meet --------------------------------------------------------------------------------

static int by_meeting(const void *a, const void *b)
{
    const neff_lower_meeting *x = a;
    const neff_lower_meeting *y = b;
    int order = hoist_order_u64(x->group, y->group);
    order = order ? order : hoist_order_u64(x->number, y->number);
    return order ? order : hoist_order_u64(x->rank, y->rank);
}

// "ALL_REDUCE by ADD of 8 elements of fp32".
static hoist_str in_words(neff_lower_job *j, const neff_collective *c)
{
    const char *const kind = neff_collective_name(c->kind);
    const char *const op = neff_alu_name(c->op);
    const neff_dtype_row *const dtype = neff_dtype_of_isa(c->dtype);
    return hoist_lower_format(&j->c, "%s by %s of %" PRIu64 " %s of %s",
                              kind ? kind : "a collective", op ? op : "an unknown op", c->elements,
                              hoist_plural(c->elements, "element", "elements"),
                              dtype ? dtype->mnemonic : "an unknown dtype");
}

static void compare_two(neff_lower_job *j, const neff_lower_meeting *a, const neff_lower_meeting *b)
{
    const neff_collective *x = &a->what;
    const neff_collective *y = &b->what;
    if (x->kind == y->kind && x->op == y->op && x->dtype == y->dtype &&
        x->elements == y->elements) {
        return;
    }
    const hoist_str does = in_words(j, y);
    const hoist_str expected = in_words(j, x);
    const neff_lower_file *file = a->place.core->file;
    // "b.neff!sg00/act.bin:+0x40"
    const hoist_str at = hoist_lower_name(
        &j->c, file->name, "!%.*s:+0x%" PRIx64,
        HOIST_STR_ARGS(file->module->members[a->place.member].name), a->place.loc.offset);
    neff_lower_find(
        j, NEFF_071d, &b->place,
        "rank %" PRIu32 " meets rank %" PRIu32 " with %.*s, expected what that has at %.*s: %.*s",
        b->rank, a->rank, HOIST_STR_ARGS(does), HOIST_STR_ARGS(at), HOIST_STR_ARGS(expected));
}

// After all ranks are lowered: neighbours in the order of group and number meet. The first rank's
// is what the others are compared with.
void neff_lower_compare_meetings(neff_lower_job *j)
{
    if (j->meeting_count > 0) { // no NULL for qsort
        qsort(j->meetings, j->meeting_count, sizeof *j->meetings, by_meeting);
    }
    size_t first = 0;
    for (size_t i = 1; i < j->meeting_count; i++) {
        const neff_lower_meeting *a = &j->meetings[first];
        const neff_lower_meeting *b = &j->meetings[i];
        if (a->group == b->group && a->number == b->number) {
            compare_two(j, a, b);
        } else {
            first = i;
        }
    }
}

// Barriers ---------------------------------------------------------------------------------------

// A barrier of one is no step.
static void barrier(neff_lower_job *j, const neff_lower_place *place, uint64_t key,
                    uint32_t members, uint32_t rank)
{
    // Members have no list here: the key says who they are, so that it alone is compared.
    const neff_lower_group group = {.member_count = members, .key = key};
    const hoist_prog_collective step = {.kind = HOIST_COLLECTIVE_BARRIER,
                                        .group = group_number(j, &group),
                                        .members = members,
                                        .rank = rank,
                                        .source = HOIST_NO_REF,
                                        .destination = HOIST_NO_REF};
    if (members > 1) {
        neff_lower_step(j, place, "BARRIER",
                        (hoist_prog_step){.kind = HOIST_STEP_COLLECTIVE, .as.collective = &step});
    }
}

// The same engine of every core of a logical core meets [inferred], under the id of the barrier. A
// logical core of one core has no other core to wait for; subgraphs beyond lnc_size are further
// logical cores.
void neff_lower_core_barrier(neff_lower_job *j, const neff_lower_place *place,
                             const neff_record *record)
{
    const neff_lower_core *core = place->core;
    // Cores of a logical core.
    const uint32_t together = neff_header_lnc(&core->file->module->header);
    const uint32_t rank = core->number % together;
    const uint32_t first = core->number - rank;
    const uint32_t there = j->core_count - first; // the last one may be incomplete
    const uint8_t *b = record->bytes + 0x0c;
    const uint32_t id = // id, little-endian
        (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    barrier(j, place,
            key_of(MEET_CORES, (uint64_t)core->rank << 48 | (uint64_t)first << 40 |
                                   (uint64_t)place->engine->id << 32 | id),
            together < there ? together : there, rank);
}

// The engines of a core meet: those that do anything [inferred]. turns.c has checked that they come
// to as many barriers.
void neff_lower_sync_barrier(neff_lower_job *j, const neff_lower_place *place)
{
    const neff_lower_core *core = place->core;
    uint32_t members = 0;
    uint32_t rank = 0;
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        const bool meets = core->part->streams[e].works;
        rank += meets && e < (int)place->engine->id;
        members += meets;
    }
    barrier(j, place, key_of(MEET_ENGINES, (uint64_t)core->rank << 32 | core->number), members,
            rank);
}
