// Layers are computed at once for each element, when its first output is transferred. This checks
// that nothing is missing by then: all inputs before it, and every byte of both sides transferred.
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/order.h"
#include "base/span.h"
#include "lower/darwinn/drive.h"

// What is transferred of an element of a layer.
typedef struct piece {
    uint32_t twin;
    uint32_t element;
    uint64_t begin;
    uint64_t end;
} piece;

// By layer, element and offset, as covered() reads them.
static int by_place(const void *a, const void *b)
{
    const piece *x = a;
    const piece *y = b;
    if (x->twin != y->twin) {
        return x->twin < y->twin ? -1 : 1;
    }
    if (x->element != y->element) {
        return x->element < y->element ? -1 : 1;
    }
    return hoist_order_u64(x->begin, y->begin);
}

static bool is_layer(const darwinn_lower_item *item)
{
    return item->kind == DARWINN_LOWER_TRANSFER &&
           (item->desc == DWN_DESC_INPUT || item->desc == DWN_DESC_OUTPUT);
}

// Bytes from the start of an element without a gap, by the pieces at `*at`, which moves on to those
// of the next. Pieces are sorted by offset, so one that begins beyond the end leaves a gap.
static uint64_t covered(const piece *pieces, size_t count, uint32_t twin, uint32_t element,
                        size_t *at)
{
    uint64_t end = 0;
    for (; *at < count && pieces[*at].twin == twin && pieces[*at].element == element; ++*at) {
        const piece *const p = &pieces[*at];
        end = p->begin <= end && p->end > end ? p->end : end;
    }
    return end;
}

// Overlapping transfers are fine; the reach is up to the last element, not to the end of padding.
static bool check_cover(darwinn_lower_walk *walk, const darwinn_lower_border *borders,
                        const piece *pieces, size_t count)
{
    const uint32_t inputs = walk->rows->input_layers.count;
    const uint32_t layers = inputs + walk->rows->output_layers.count;
    size_t at = 0;
    for (uint32_t i = 0; i < layers; i++) {
        for (uint32_t e = 0; e < walk->batch; e++) {
            const uint64_t end = covered(pieces, count, i, e, &at);
            if (end < (uint64_t)borders[i].reach) {
                return darwinn_lower_refuse(
                    walk->model, RUN_039,
                    "%s layer '%.*s', element %" PRIu32 " of the batch: of %" PRId64
                    " bytes %" PRIu64 " are transferred",
                    i < inputs ? "input" : "output", HOIST_STR_ARGS(borders[i].layer->name), e,
                    borders[i].reach, end);
            }
        }
    }
    return true;
}

// No input of an element after an output of it: the layers' function would have run without it.
static bool check_order(darwinn_lower_walk *walk, const darwinn_lower_border *borders, bool *gives)
{
    for (uint32_t i = 0; i < walk->count; i++) {
        const darwinn_lower_item *const item = &walk->items[i];
        if (!is_layer(item)) {
            continue;
        }
        if (item->desc == DWN_DESC_OUTPUT) {
            gives[item->index] = true;
        } else if (gives[item->index]) {
            return darwinn_lower_refuse_at(walk->model, RUN_039, item->loc,
                                           "input layer '%.*s', element %" PRIu32
                                           " of the batch, is transferred after an output",
                                           HOIST_STR_ARGS(borders[item->twin].layer->name),
                                           item->index);
        }
    }
    return true;
}

// False: it was reported, or memory has run out.
bool darwinn_lower_walk_check(darwinn_lower_walk *walk, const darwinn_lower_border *borders)
{
    const hoist_allocator alloc = walk->model->c->arena.alloc;
    const size_t capacity = (size_t)walk->count + 1;
    piece *const pieces = hoist_alloc_zero(alloc, capacity, sizeof *pieces);
    bool *const gives = hoist_alloc_zero(alloc, walk->batch, sizeof *gives);
    size_t count = 0;
    bool is_good = pieces && gives;
    if (!is_good) {
        hoist_lower_fail(walk->model->c, HOIST_NO_MEMORY);
    }
    for (uint32_t i = 0; is_good && i < walk->count; i++) {
        const darwinn_lower_item *const item = &walk->items[i];
        if (is_layer(item)) {
            pieces[count++] =
                (piece){item->twin, item->index, item->offset, item->offset + item->size};
        }
    }
    if (is_good) {
        qsort(pieces, count, sizeof *pieces, by_place);
        is_good = check_order(walk, borders, gives) && check_cover(walk, borders, pieces, count);
    }
    hoist_free(alloc, pieces, capacity * sizeof *pieces);
    hoist_free(alloc, gives, walk->batch * sizeof *gives);
    return is_good;
}
