// Rules 71a to 71c: what collective records name (neff reference sections 5.2 and 9). In goes the
// index of a stream, out come findings at its COLLECTIVE and COLLECTIVE2 records. Rule 71d, which
// needs the other ranks, is lowering's.
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/neff/check_streams.h"
#include "formats/neff/tape.h"

enum { INCREMENT_AT_COMPLETION = 0x13 }; // the loader takes no other update mode

// What is wrong with an item of replica_groups: [[0, 1], [2, 3]] or [0, 1] or [] are right.
typedef enum group_fault {
    GROUP_GOOD = 0,
    GROUP_NO_LIST, // a number or text in place of a list
    GROUP_DEEP,    // more than two lists around a rank
    GROUP_MIXED,   // ranks next to lists of ranks
    GROUP_NO_RANK,
} group_fault;
static const char *const fault_texts[] = {
    [GROUP_NO_LIST] = "is no list",
    [GROUP_DEEP] = "has its ranks in more than two lists",
    [GROUP_MIXED] = "has ranks next to lists",
    [GROUP_NO_RANK] = "names something that is no rank",
};

typedef struct groups {
    uint32_t count;        // of the items of replica_groups
    const uint8_t *faults; // group_fault of each that a record can name
} groups;

// What is wrong with a list of ranks, or where `deep` of lists of them. Recursion ends at the
// second list.
static group_fault fault_of(const hoist_json *json, hoist_json_index list, bool deep)
{
    if (hoist_json_kind_of(json, list) != HOIST_JSON_ARRAY) {
        return GROUP_NO_LIST;
    }
    const uint32_t count = hoist_json_size(json, list);
    hoist_json_index item = list + 1;
    uint32_t lists = 0;
    group_fault fault = GROUP_GOOD;
    for (uint32_t i = 0; i < count && !fault; i++, item = hoist_json_next(json, item)) {
        int64_t rank = -1;
        if (hoist_json_kind_of(json, item) == HOIST_JSON_ARRAY) {
            lists++;
            fault = deep ? fault_of(json, item, false) : GROUP_DEEP;
            // Ranks are integers of 0 or more.
        } else if (!hoist_json_i64(json, item, &rank) || rank < 0) {
            fault = GROUP_NO_RANK;
        }
    }
    return fault || lists == 0 || lists == count ? fault : GROUP_MIXED;
}

// All items at once, since finding one means passing those before it. HOIST_NO_MEMORY.
static hoist_status read_groups(const neff_stream_check *s, groups *out_groups)
{
    const hoist_json *json = &s->subgraph->def.json;
    const hoist_json_index list = neff_tape_find(json, 0, "replica_groups");
    const bool there = neff_tape_is(json, list, HOIST_JSON_ARRAY);
    const uint32_t count = there ? hoist_json_size(json, list) : 0;
    const uint32_t named = count <= UINT16_MAX ? count : UINT16_MAX + 1; // group_id has 16 bits
    uint8_t *const faults = hoist_arena_alloc(&s->c->arena, named);
    HOIST_TRY_MEMORY(faults);
    hoist_json_index item = list + 1;
    for (uint32_t i = 0; i < named; i++, item = hoist_json_next(json, item)) {
        faults[i] = (uint8_t)fault_of(json, item, true);
    }
    *out_groups = (groups){count, faults};
    return HOIST_OK;
}

// Rule 71c: the operand must hold the elements. The count is each rank's own share.
static void check_size(const neff_stream_check *s, uint32_t i, const neff_var *var,
                       const neff_collective *collective, uint64_t offset)
{
    const neff_dtype_row *dtype = neff_dtype_of_isa(collective->dtype);
    uint64_t end = 0;
    // An unknown type has no size.
    if (!dtype || !neff_has(&neff_var_table, var->present, "size") || var->size < 0) {
        return;
    }
    if (hoist_ckd_mul(&end, collective->elements, dtype->bytes) ||
        hoist_ckd_add(&end, end, offset) || end > (uint64_t)var->size) {
        neff_report_record(s, NEFF_071c, i,
                           "%" PRIu64 " elements of %s from byte %" PRIu64
                           " on do not fit into the %" PRId64 " bytes of '%.*s'",
                           collective->elements, dtype->mnemonic, offset, var->size,
                           HOIST_STR_ARGS(var->name));
    }
}

// Rule 71a of one operand, then 71c.
static void check_var(const neff_stream_check *s, uint32_t i, const char *what, uint32_t var_id,
                      uint64_t offset)
{
    const neff_record record = neff_stream_at(&s->stream, i);
    const neff_collective collective = neff_collective_of(&record);
    const uint32_t var = neff_var_by_id(s->subgraph, var_id);
    if (var == NEFF_NONE) {
        neff_report_record(s, NEFF_071a, i, "the %s is variable %" PRIu32 ", which is not declared",
                           what, var_id);
    } else {
        check_size(s, i, &s->subgraph->vars[var], &collective, offset);
    }
}

// Rules 71a to 71c of one record; kinds other than all-reduce have no op to check.
static void check_collective(const neff_stream_check *s, uint32_t i, const groups *all)
{
    const neff_record record = neff_stream_at(&s->stream, i);
    const neff_collective collective = neff_collective_of(&record);
    check_var(s, i, "input", collective.input, collective.input_offset);
    check_var(s, i, "output", collective.output, collective.output_offset);
    if (collective.group_id >= all->count) {
        neff_report_record(
            s, NEFF_071a, i, "the group is %u, but 'replica_groups' has %" PRIu32 " %s",
            collective.group_id, all->count, hoist_plural(all->count, "item", "items"));
    } else if (all->faults[collective.group_id]) {
        neff_report_record(s, NEFF_071a, i,
                           "group %u of 'replica_groups' %s, expected a list of ranks, or of lists "
                           "of them",
                           collective.group_id, fault_texts[all->faults[collective.group_id]]);
    }
    // 71b: what the loader requires of it.
    // The byte of the update mode.
    const uint8_t update = s->stream.bytes.data[(size_t)i * NEFF_RECORD_SIZE + 6];
    const char *op = neff_alu_name(collective.op);
    if (update != INCREMENT_AT_COMPLETION) {
        neff_report_record(s, NEFF_071b, i,
                           "the update mode is 0x%02x, expected 0x13: increment at completion",
                           update);
    }
    if (collective.kind == NEFF_COLLECTIVE_ALL_REDUCE && collective.op != NEFF_ALU_ADD &&
        collective.op != NEFF_ALU_MULT && collective.op != NEFF_ALU_MAX &&
        collective.op != NEFF_ALU_MIN) {
        neff_report_record(s, NEFF_071b, i,
                           "op %u (%s) does not reduce, expected ADD, MULT, MAX or MIN",
                           collective.op, op ? op : "unknown");
    }
}

hoist_status neff_check_collectives(neff_stream_check *s)
{
    groups all = {0};
    bool read = false;
    for (uint32_t i = 0; i < s->stream.record_count; i++) {
        const neff_opcode *row = neff_record_opcode(s, i);
        if (row && row->form == NEFF_FORM_COLLECTIVE) {
            // Once per stream, when it has collectives.
            HOIST_TRY(read ? HOIST_OK : read_groups(s, &all));
            read = true;
            check_collective(s, i, &all);
        } else if (row && row->code == NEFF_COLLECTIVE2) {
            // Rule 71a: a COLLECTIVE2 is two records, of which the second is an EXTENSION.
            const bool is_last = i + 1 == s->stream.record_count;
            if (is_last || neff_stream_at(&s->stream, i + 1).opcode != NEFF_EXTENSION) {
                neff_report_record(s, NEFF_071a, i,
                                   "no PSEUDO_EXTENSION follows, expected one as next record");
            }
        }
    }
    return HOIST_OK;
}
