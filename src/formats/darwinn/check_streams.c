// Instruction chunks: rules 32 to 38, 83, 84 and 88. Reading (stream.c) has parsed the chunks and
// noted their faults; here each fault gets its rule and the byte of the file where its word is.
#include "base/span.h"
#include "formats/darwinn/check.h"

enum { SENTENCE = 256 };

// The rule of each fault.
static const dwn_rule rules[DWN_FAULT_COUNT] = {
#define DWN_FAULT(code, rule, ...) DWN_##rule,
#include "formats/darwinn/faults.inc"
};

void dwn_report_fault(hoist_diag *diag, const dwn_fault *fault, hoist_loc loc)
{
    char text[SENTENCE];
    dwn_fault_text(fault, text, sizeof(text));
    dwn_report(diag, rules[fault->code], loc, "%s", text);
}

hoist_status dwn_check_streams(dwn_check *c)
{
    for (uint32_t i = 0; i < c->image->chunk_count; i++) {
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, "instruction_bitstreams", i);
        const dwn_stream *const stream = &c->image->chunks[i].stream;
        for (size_t k = 0; k < stream->fault_count; k++) {
            const dwn_fault *const fault = &stream->faults[k];
            const hoist_loc place =
                stream->bytes.data
                    ? dwn_place_in_file(c->module,
                                        stream->bytes.data + (size_t)fault->word * DWN_WORD_SIZE)
                    : DWN_PLACE(c, bitstream, &c->image->rows->instruction_bitstreams.items[i],
                                bitstream);
            dwn_report_fault(c->diag, fault, place);
        }
        hoist_diag_pop(c->diag, &frame);
    }
    return HOIST_OK;
}
