// DMA hints: rules 49 to 57 and 59, one hint at a time and their order; check_transfers.c checks
// all transfers of a run together. Buffers of hints are found in the list of check_places.c.
#include "formats/darwinn/check_hints.h"

#include <inttypes.h>

#include "base/span.h"
#include "formats/darwinn/check.h"

enum { INTERRUPTS = 4 }; // SCALAR_CORE_INT_0 to 3

// Rule 55: the hint is for a buffer that exists (`size` is not -1) and an element of the batch.
static bool check_target(const dwn_check *c, const dwn_hint *hint, int64_t size, hoist_loc place)
{
    if (size < 0) {
        const char *const desc = dwn_desc_name(hint->desc);
        dwn_report(c->diag, DWN_055, place, "there is no %s '%.*s'", desc ? desc : "buffer",
                   HOIST_STR_ARGS(hint->name));
        return false;
    }
    const int32_t batches = dwn_check_batch(c);
    if (hint->batch < 0 || hint->batch >= batches) {
        dwn_report(c->diag, DWN_055, place, "the batch is %" PRId32 ", expected 0 to %" PRId32,
                   hint->batch, batches - 1);
    }
    return true;
}

// Rules 53 and 54. Inputs may be read to the end of their last page, which the driver has mapped.
static void check_range(const dwn_check *c, const dwn_hint *hint, int64_t size, hoist_loc place)
{
    const int64_t end = hint->offset + hint->size; // both are int32, so the sum fits
    const bool sound = hint->offset >= 0 && hint->size >= 0;
    if (sound && end <= size) {
        return;
    }
    const bool is_input = hint->desc == DWN_DESC_INPUT;
    const int64_t pages = (size + DWN_PAGE - 1) / DWN_PAGE * DWN_PAGE;
    const dwn_rule rule = !is_input ? DWN_053 : sound && end <= pages ? DWN_054b : DWN_054a;
    dwn_report(c->diag, rule, place, "bytes %" PRId64 " to %" PRId64 " of a buffer of %" PRId64,
               hint->offset, end, size);
}

// One transfer by itself; its buffer is found in the map of check_places.c.
static void check_transfer(const dwn_check *c, const dwn_hint *hint, const dwn_stored_hint *stored,
                           hoist_loc place)
{
    const int64_t size = dwn_check_size(c, dwn_check_find(c, hint->desc, hint->name));
    if (check_target(c, hint, size, place)) {
        check_range(c, hint, size, place);
        // 56.
        const bool is_output = hint->desc == DWN_DESC_OUTPUT;
        if (hint->desc != DWN_DESC_SCRATCH &&
            hint->direction != (is_output ? DWN_OUTFEED : DWN_INFEED)) {
            dwn_report(c->diag, DWN_056, DWN_PLACE(c, stored_hint, stored, direction),
                       "the direction of %s is %s", dwn_desc_name(hint->desc),
                       hint->direction == DWN_OUTFEED ? "OUTFEED" : "INFEED");
        }
    }
}

// A hint of each kind has one number that can be out of range.
static void check_hint(const dwn_check *c, const dwn_hint *hint, const dwn_stored_hint *stored)
{
    const hoist_loc place = DWN_PLACE(c, stored_hint, stored, any_hint);
    if (hint->kind == DWN_HINT_DMA) {
        check_transfer(c, hint, stored, place);
    } else if (hint->kind == DWN_HINT_NONE) {
        dwn_report(c->diag, DWN_050, place, "the hint is of type %u", stored->any_hint.type);
    } else if (hint->kind == DWN_HINT_INSTRUCTION &&
               (hint->index < 0 || (uint32_t)hint->index >= c->image->chunk_count)) {
        dwn_report(c->diag, DWN_051, place, "chunk %" PRId32 " of %" PRIu32, hint->index,
                   c->image->chunk_count);
    } else if (hint->kind == DWN_HINT_INTERRUPT && (hint->index < 0 || hint->index >= INTERRUPTS)) {
        dwn_report(c->diag, DWN_050, place, "there is no interrupt %" PRId32, hint->index);
    }
}

// Rule 52: the driver sends each chunk once.
static hoist_status check_chunks(dwn_check *c, const dwn_hint *hints, size_t count)
{
    uint32_t *const sent = hoist_arena_array(&c->arena, c->image->chunk_count, sizeof(*sent));
    if (!sent) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        if (hints[i].kind == DWN_HINT_INSTRUCTION && hints[i].index >= 0 &&
            (uint32_t)hints[i].index < c->image->chunk_count) {
            sent[hints[i].index]++;
        }
    }
    for (uint32_t i = 0; i < c->image->chunk_count; i++) {
        if (sent[i] != 1) {
            dwn_report(c->diag, DWN_052, DWN_PLACE(c, executable, c->image->rows, dma_hints),
                       "chunk %" PRIu32 " is hinted %" PRIu32 " times", i, sent[i]);
        }
    }
    return HOIST_OK;
}

// Rules 57 and 59: a deterministic list ends with an interrupt, or the driver never learns that the
// run is over; scratch that the chip wrote is read after a fence, or too early.
static void check_order(const dwn_check *c, const dwn_hint *hints, size_t count)
{
    const dwn_hints *const stored = c->image->rows->dma_hints;
    if (stored->fully_deterministic && (!count || hints[count - 1].kind != DWN_HINT_INTERRUPT)) {
        dwn_report(c->diag, DWN_057, DWN_PLACE(c, hints, stored, fully_deterministic),
                   "the last of %zu hints is no interrupt", count);
    }
    bool fenced = false;
    bool written = false;
    for (size_t i = 0; i < count; i++) {
        const bool is_scratch = hints[i].kind == DWN_HINT_DMA && hints[i].desc == DWN_DESC_SCRATCH;
        if (is_scratch && hints[i].direction == DWN_INFEED && written && !fenced) {
            dwn_report(c->diag, DWN_059,
                       DWN_PLACE(c, stored_hint, &stored->hints.items[i], any_hint),
                       "hint %zu reads scratch that was written without a fence since", i);
        }
        const bool writes = is_scratch && hints[i].direction == DWN_OUTFEED;
        written = written || writes; // since the last write
        fenced = hints[i].kind == DWN_HINT_FENCE || (fenced && !writes);
    }
}

// Without hints (49) there is no order to check.
hoist_status dwn_check_hints(dwn_check *c)
{
    const dwn_executable *const e = c->image->rows;
    dwn_hint *hints = NULL;
    size_t count = 0;
    if (!e->dma_hints) {
        dwn_report(c->diag, DWN_049, DWN_PLACE(c, executable, e, dma_hints),
                   "there are no dma_hints");
        return HOIST_OK;
    }
    HOIST_TRY(dwn_hints_of(e, &c->arena, &hints, &count));
    for (size_t i = 0; i < count; i++) {
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, "dma_hints/hints", (uint32_t)i);
        check_hint(c, &hints[i], &e->dma_hints->hints.items[i]);
        hoist_diag_pop(c->diag, &frame);
    }
    HOIST_TRY(check_chunks(c, hints, count));
    check_order(c, hints, count);
    return dwn_check_transfers(c, hints, count);
}
