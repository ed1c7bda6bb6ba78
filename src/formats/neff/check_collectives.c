// Rules 71a to 71c: what collective records name (neff reference sections 5.2 and 9).
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/neff/check_streams.h"
#include "formats/neff/tape.h"

enum { INCREMENT_AT_COMPLETION = 0x13 };

// Number of groups of def.json.
static uint32_t count_groups(const neff_subgraph *subgraph)
{
    const hoist_json *json = &subgraph->def.json;
    const hoist_json_index groups = neff_tape_find(json, 0, "replica_groups");
    return neff_tape_is(json, groups, HOIST_JSON_ARRAY) ? hoist_json_size(json, groups) : 0;
}

// 71c: the operand must hold the elements. `bytes` of an element.
static void check_size(const neff_stream_check *s, uint32_t i, const neff_var *var,
                       const neff_collective *collective, uint64_t offset)
{
    const neff_dtype_row *dtype = neff_dtype_of_isa(collective->dtype);
    uint64_t end = 0;
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

// 71b: what the loader wants of it.
static void check_habit(const neff_stream_check *s, uint32_t i, const neff_collective *collective)
{
    const uint8_t update = s->stream.bytes.data[(size_t)i * NEFF_RECORD_SIZE + 6];
    const char *op = neff_alu_name(collective->op);
    if (update != INCREMENT_AT_COMPLETION) {
        neff_report_record(s, NEFF_071b, i,
                           "the update mode is 0x%02x, wanted 0x13: increment at completion",
                           update);
    }
    if (collective->kind == NEFF_COLLECTIVE_ALL_REDUCE && collective->op != NEFF_ALU_ADD &&
        collective->op != NEFF_ALU_MULT && collective->op != NEFF_ALU_MAX &&
        collective->op != NEFF_ALU_MIN) {
        neff_report_record(s, NEFF_071b, i,
                           "op %u (%s) does not reduce, wanted ADD, MULT, MAX or MIN",
                           collective->op, op ? op : "unknown");
    }
}

static void check_collective(const neff_stream_check *s, uint32_t i, uint32_t groups)
{
    const neff_record record = neff_stream_at(&s->stream, i);
    const neff_collective collective = neff_collective_of(&record);
    check_var(s, i, "input", collective.input, collective.input_offset);
    check_var(s, i, "output", collective.output, collective.output_offset);
    if (collective.group_id >= groups) {
        neff_report_record(s, NEFF_071a, i,
                           "the group is %u, but 'replica_groups' has %" PRIu32 " %s",
                           collective.group_id, groups, hoist_plural(groups, "item", "items"));
    }
    check_habit(s, i, &collective);
}

// 71a: the second record of a COLLECTIVE2.
static void check_extension(const neff_stream_check *s, uint32_t i)
{
    const bool is_last = i + 1 == s->stream.record_count;
    if (is_last || neff_stream_at(&s->stream, i + 1).opcode != NEFF_EXTENSION) {
        neff_report_record(s, NEFF_071a, i,
                           "no PSEUDO_EXTENSION follows, wanted one as next record");
    }
}

void neff_check_collectives(neff_stream_check *s)
{
    const uint32_t groups = count_groups(s->subgraph);
    for (uint32_t i = 0; i < s->stream.record_count; i++) {
        const neff_opcode *row = neff_record_opcode(s, i);
        if (row && row->form == NEFF_FORM_COLLECTIVE) {
            check_collective(s, i, groups);
        } else if (row && row->code == NEFF_COLLECTIVE2) {
            check_extension(s, i);
        }
    }
}
