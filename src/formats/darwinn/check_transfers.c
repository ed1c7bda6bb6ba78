// All transfers of a run at once: the stored hints against those that the scalar core sends (58,
// scalar_hints.h), and whether every byte of inputs, outputs and parameters is transferred (60,
// 81). check_hints.c has the rules of single hints.
#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/darwinn/check_hints.h"

enum { SENTENCE = 640 }; // hints have names of layers

// The hint's own place, or that of the list where it has one too few.
static hoist_loc hint_place(const dwn_check *c, size_t index)
{
    const dwn_hints *const stored = c->image->rows->dma_hints;
    return index < stored->hints.count
               ? DWN_PLACE(c, stored_hint, &stored->hints.items[index], any_hint)
               : DWN_PLACE(c, executable, c->image->rows, dma_hints);
}

// Rule 58. Hints that are not fully deterministic are a prefix of what the core sends.
static void check_run(const dwn_check *c, const dwn_program_run *run, const dwn_hint *hints,
                      size_t count)
{
    const bool is_prefix = !c->image->rows->dma_hints->fully_deterministic;
    size_t at = 0;
    if (dwn_hints_agree(run, hints, count, is_prefix, &at)) {
        return;
    }
    char there[SENTENCE] = "nothing";
    char sent[SENTENCE] = "nothing";
    if (at < count) {
        dwn_hint_text(&hints[at], there, sizeof(there));
    }
    if (at < run->hint_count) {
        dwn_hint_text(&run->hints[at], sent, sizeof(sent));
    }
    dwn_report(c->diag, DWN_058, hint_place(c, at), "hint %zu is %s, the scalar core sends %s", at,
               there, sent);
}

// What a hint transfers of a buffer.
typedef struct part {
    uint32_t place; // of dwn_check_find()
    int32_t batch;
    int64_t offset;
    int64_t size;
} part;

typedef struct part_list {
    part *items; // by place, batch and offset
    size_t count;
} part_list;

// Parts of one element of a buffer; by_offset() orders them inside.
static int by_place(const part *a, const part *b)
{
    const int order = hoist_order_u64(a->place, b->place);
    return order ? order : hoist_order_i64(a->batch, b->batch);
}

static int by_offset(const void *a, const void *b)
{
    const part *const x = a;
    const part *const y = b;
    const int order = by_place(x, y);
    return order ? order : hoist_order_i64(x->offset, y->offset);
}

// Hints of buffers that do not exist are rule 55, and left out here.
static hoist_status list_parts(dwn_check *c, const dwn_hint *hints, size_t count, part_list *list)
{
    *list = (part_list){hoist_arena_array(&c->arena, count, sizeof(*list->items)), 0};
    if (!list->items) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const dwn_hint *const hint = &hints[i];
        const uint32_t place =
            hint->kind == DWN_HINT_DMA ? dwn_check_find(c, hint->desc, hint->name) : DWN_NONE;
        if (place != DWN_NONE) {
            list->items[list->count++] = (part){place, hint->batch, hint->offset, hint->size};
        }
    }
    if (list->count > 1) {
        qsort(list->items, list->count, sizeof(*list->items), by_offset);
    }
    return HOIST_OK;
}

static bool place_is_before(const void *one, const void *key)
{
    return by_place(one, key) < 0;
}

// Bytes from the start of an element without a gap: from its first part as far as each begins
// before the end of those before it.
static int64_t covered(const part_list *list, uint32_t place, int32_t batch)
{
    const part key = {.place = place, .batch = batch};
    size_t at =
        hoist_order_first(list->items, list->count, sizeof *list->items, place_is_before, &key);
    int64_t end = 0;
    for (; at < list->count && by_place(&list->items[at], &key) == 0; at++) {
        const part *const item = &list->items[at];
        if (item->offset > end) {
            break;
        }
        end = item->offset + item->size > end ? item->offset + item->size : end;
    }
    return end;
}

// Rule 60: every byte of each element is transferred, of each layer that its name finds (62). A
// layer without bytes needs no hint, so no more elements are looked at than there are hints.
static void check_layer(const dwn_check *c, uint32_t place, const part_list *list)
{
    const dwn_layer *const layer = dwn_check_layer(c, place);
    const int16_t desc = c->places.items[place].desc;
    const int64_t expected = dwn_layer_actual(layer);
    int64_t found = expected;
    if (dwn_check_find(c, desc, layer->name) != place) {
        return;
    }
    for (int32_t b = 0; expected > 0 && found >= expected && b < dwn_check_batch(c); b++) {
        found = covered(list, place, b);
    }
    if (found < expected) {
        dwn_report(c->diag, DWN_060, DWN_PLACE(c, layer, layer, size_bytes),
                   "hints cover %" PRId64 " of %" PRId64 " bytes of %s '%.*s'", found, expected,
                   dwn_desc_name(desc), HOIST_STR_ARGS(layer->name));
    }
}

// Rules 60 and 81: parameters are sent completely, by an EXECUTION_ONLY executable in every run.
static void check_parameters(const dwn_check *c, const part_list *list)
{
    const dwn_executable *const e = c->image->rows;
    const uint32_t place = dwn_check_find(c, DWN_DESC_PARAMETER, HOIST_STR(""));
    const int64_t found = covered(list, place, 0);
    if (found < (int64_t)e->parameters.size) {
        dwn_report(c->diag, e->type == DWN_EXECUTION_ONLY ? DWN_081 : DWN_060,
                   DWN_PLACE(c, executable, e, parameters),
                   "hints cover %" PRId64 " of %zu bytes of the parameters", found,
                   e->parameters.size);
    }
}

// The core is run in any case; coverage is checked where hints are the complete list.
hoist_status dwn_check_transfers(dwn_check *c, const dwn_hint *hints, size_t count)
{
    if (c->image->chunk_count) {
        dwn_program_run run;
        HOIST_TRY(dwn_program_execute(c->image->chunks, c->image->chunk_count, &c->arena, &run));
        check_run(c, &run, hints, count);
    }
    if (!c->image->rows->dma_hints->fully_deterministic) {
        return HOIST_OK; // other transfers may follow those of the hints
    }
    part_list list;
    HOIST_TRY(list_parts(c, hints, count, &list));
    for (uint32_t i = 0; i < c->places.count; i++) {
        if (dwn_check_layer(c, i)) {
            check_layer(c, i, &list);
        }
    }
    check_parameters(c, &list);
    return HOIST_OK;
}
