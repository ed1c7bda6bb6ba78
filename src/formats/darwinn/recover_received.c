// Which input of the model the host sends, and when. In: the transfers of the scalar core; out: the
// input that is laid out by operations, of several that have as many pixels: the one whose
// descriptor is sent between the operations before and after these, and that was not laid out yet.
// [observed in one model with three inputs; of one with a single input nothing has to be known]
#include "base/span.h"
#include "formats/darwinn/recover_work.h"

enum { INPUTS = 16 }; // that are distinguished; bounds time

// The input that a transfer is of; DWN_NONE: nothing says which.
static uint32_t input_of(const dwn_executable *executable, const dwn_transfer *transfer)
{
    for (uint32_t i = 0; i < executable->input_layers.count && transfer->is_known; i++) {
        if (transfer->desc == DWN_DESC_INPUT &&
            hoist_str_equal(executable->input_layers.items[i].name, transfer->name)) {
            return i;
        }
    }
    return DWN_NONE;
}

// Scratch memory that comes back is no input.
static bool is_receipt(const dwn_transfer *transfer)
{
    return transfer->tag == DWN_TAG_INPUT &&
           !(transfer->is_known && transfer->desc == DWN_DESC_SCRATCH);
}

hoist_status dwn_set_receipts(dwn_walk *w, const dwn_program_run *run)
{
    const uint32_t inputs = w->executable->input_layers.count;
    const size_t most = inputs > 1 && inputs <= INPUTS ? run->transfer_count : 0;
    dwn_receipt *receipts = hoist_arena_array(w->scratch, most, sizeof(*receipts));
    if (!receipts) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < most; i++) {
        const dwn_transfer *transfer = &run->transfers[i];
        if (is_receipt(transfer)) {
            receipts[w->receipt_count++] = (dwn_receipt){{transfer->chunk, transfer->word, 1},
                                                         input_of(w->executable, transfer)};
        }
    }
    w->receipts = receipts;
    return HOIST_OK;
}

// Earlier in the program: chunks, then words.
static bool is_before(const dwn_words *a, const dwn_words *b)
{
    return a->chunk < b->chunk || (a->chunk == b->chunk && a->word < b->word);
}

uint32_t dwn_received(const dwn_walk *w, const dwn_period *during)
{
    const dwn_operations *all = &w->operations;
    const dwn_group *end = &all->groups[during->last];
    const uint32_t begin = all->groups[during->first].first;
    const uint32_t next = end->first + end->count;
    uint32_t found = DWN_NONE;
    for (uint32_t i = 0; i < w->receipt_count; i++) {
        const dwn_receipt *receipt = &w->receipts[i];
        if ((begin > 0 && is_before(&receipt->at, &all->items[begin - 1].at)) ||
            (next < all->count && is_before(&all->items[next].at, &receipt->at)) ||
            (receipt->input != DWN_NONE && (during->done >> receipt->input & 1))) {
            continue;
        }
        if (receipt->input == DWN_NONE || (found != DWN_NONE && found != receipt->input)) {
            return DWN_NONE;
        }
        found = receipt->input;
    }
    return found;
}
