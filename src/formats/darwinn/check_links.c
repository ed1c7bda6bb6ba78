// Field offsets: rules 39 to 48. link_check.c finds the faults of all chunks of an executable
// against its buffers (check_places.c); here each gets its rule, its object path and the byte of
// the file.
#include <inttypes.h>

#include "base/span.h"
#include "formats/darwinn/check.h"

enum { SENTENCE = 256 }; // of a finding

// The rule of each fault, from the same rows as their sentences.
static const dwn_rule rules[DWN_LINK_CODES] = {
#define DWN_LINK_FAULT(code, rule, ...) DWN_##rule,
#include "formats/darwinn/link_faults.inc"
};

// Unused layers have no link: their place is that of the list of chunks.
static void report(const dwn_check *c, const dwn_link_fault *fault)
{
    const dwn_executable *const e = c->image->rows;
    char text[SENTENCE];
    dwn_link_fault_text(fault, text, sizeof(text));
    if (fault->code == DWN_LINK_UNUSED) {
        const hoist_str name = c->places.items[fault->link].name;
        dwn_report(c->diag, DWN_048, DWN_PLACE(c, executable, e, instruction_bitstreams),
                   "the %s layer '%.*s' has no field offset",
                   dwn_desc_name(c->places.items[fault->link].desc), HOIST_STR_ARGS(name));
        return;
    }
    const dwn_bitstream *const chunk = &e->instruction_bitstreams.items[fault->chunk];
    hoist_frame frame;
    hoist_frame inner;
    hoist_diag_push_item(c->diag, &frame, "instruction_bitstreams", fault->chunk);
    hoist_diag_push_item(c->diag, &inner, "field_offsets", fault->link);
    dwn_report(c->diag, rules[fault->code],
               DWN_PLACE(c, field_offset, &chunk->field_offsets.items[fault->link], offset_bit),
               "%s", text);
    hoist_diag_pop(c->diag, &inner);
    hoist_diag_pop(c->diag, &frame);
}

hoist_status dwn_check_links(dwn_check *c)
{
    dwn_link_faults faults = {NULL, 0};
    HOIST_TRY(
        dwn_link_check(c->image->chunks, c->image->chunk_count, &c->places, &c->arena, &faults));
    for (size_t i = 0; i < faults.count; i++) {
        report(c, &faults.items[i]);
    }
    return HOIST_OK;
}
