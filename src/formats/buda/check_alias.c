// Queues that share storage: rule 19, whose clauses are in section 4.3 of the buda-netlist
// reference.
// In: queues of the module and the index of names. One finding per clause, at the key `alias`.
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/buda/check_structure.h"
#include "formats/buda/frames.h"

// The grids need not be compared: equal lists of buffers in the same order are the same bytes.
static bool same_places(const buda_places *a, const buda_places *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++) {
        // A bare address is on channel 0.
        same = a->items[i].channel.value == b->items[i].channel.value &&
               a->items[i].address.value == b->items[i].address.value;
    }
    return same;
}

// Elements of one entry; false when a dimension is missing or wrong, or the product too large.
// Tiles of different sizes may share storage, as long as the elements of all entries are as many.
static bool entry_elements(const buda_queue *queue, int64_t *out_count)
{
    const buda_pair tile = buda_tile_dim(queue->tile_dim);
    const int64_t factors[] = {
        queue->grid_size.r, queue->grid_size.c, queue->t.value, queue->mblock.r, queue->mblock.c,
        queue->ublock.r,    queue->ublock.c,    tile.r,         tile.c,
    };
    int64_t product = 1;
    for (size_t i = 0; i < HOIST_COUNT_OF(factors); i++) {
        // A number below 1 is a finding of rule 5 or 7 already.
        if (factors[i] < 1 || hoist_ckd_mul_i64(&product, product, factors[i])) {
            return false;
        }
    }
    *out_count = product;
    return true;
}

// Both clauses about sizes: elements times entries agree, and the larger count of entries is a
// multiple of the smaller.
static void check_sizes(hoist_diag *diag, const buda_queue *queue, const buda_queue *target)
{
    const int64_t mine = queue->entries.value;
    const int64_t other = target->entries.value;
    int64_t my_elements = 0;
    int64_t other_elements = 0;
    int64_t my_total = 0;
    int64_t other_total = 0;
    // What cannot be computed is reported by other rules; no second finding here.
    if (mine < 1 || other < 1 || !entry_elements(queue, &my_elements) ||
        !entry_elements(target, &other_elements) ||
        hoist_ckd_mul_i64(&my_total, my_elements, mine) ||
        hoist_ckd_mul_i64(&other_total, other_elements, other)) {
        return;
    }
    if (my_total != other_total) {
        buda_report(diag, BUDA_019, queue->alias.pos,
                    "queue '%.*s' has %" PRId64 " %s in %" PRId64
                    " %s, its alias '%.*s' has %" PRId64 " in %" PRId64,
                    HOIST_STR_ARGS(queue->name.text), my_total,
                    hoist_plural((uint64_t)my_total, "element", "elements"), mine,
                    hoist_plural((uint64_t)mine, "entry", "entries"),
                    HOIST_STR_ARGS(target->name.text), other_total, other);
    }
    if ((mine > other ? mine % other : other % mine) != 0) {
        buda_report(diag, BUDA_019, queue->alias.pos,
                    "queue '%.*s' has %" PRId64 " %s, its alias '%.*s' has %" PRId64
                    ", expected one a multiple of the other",
                    HOIST_STR_ARGS(queue->name.text), mine,
                    hoist_plural((uint64_t)mine, "entry", "entries"),
                    HOIST_STR_ARGS(target->name.text), other);
    }
}

// An unknown type has been reported by the reader; only a certain `queue` is wrong.
static void check_ram(hoist_diag *diag, const buda_queue *queue, const buda_queue *which)
{
    if (which->type.value == BUDA_QUEUE && buda_has(which->type.pos)) {
        buda_report(diag, BUDA_019, queue->alias.pos,
                    "'%.*s', one of two aliases, is of type queue, expected ram",
                    HOIST_STR_ARGS(which->name.text));
    }
}

// A chain of aliases would have no base with the most entries (section 2.8).
static void check_pair(hoist_diag *diag, const buda_queue *queue, const buda_queue *target)
{
    if (buda_has(target->alias.pos)) {
        buda_report(diag, BUDA_019, queue->alias.pos,
                    "queue '%.*s' is an alias of '%.*s', which is itself an alias",
                    HOIST_STR_ARGS(queue->name.text), HOIST_STR_ARGS(target->name.text));
    }
    check_ram(diag, queue, queue);
    check_ram(diag, queue, target);
    // loc decides which list counts; the other one is not read (check_idle_places() in
    // read_queue.c).
    const bool on_host = queue->loc.value == BUDA_LOC_HOST;
    if (queue->loc.value != target->loc.value ||
        !same_places(on_host ? &queue->host : &queue->dram,
                     on_host ? &target->host : &target->dram)) {
        buda_report(
            diag, BUDA_019, queue->alias.pos,
            "queue '%.*s' and its alias '%.*s' have different buffers, expected the same list",
            HOIST_STR_ARGS(queue->name.text), HOIST_STR_ARGS(target->name.text));
    }
    check_sizes(diag, queue, target);
}

// By names as the file writes them, so that copies for several devices are not checked again.
void buda_check_aliases(const buda_structure *s)
{
    const hoist_buda_module *module = s->check->module;
    hoist_diag *diag = s->check->diag;
    for (size_t i = 0; i < module->queue_count; i++) {
        const buda_queue *queue = &module->queues[i];
        size_t index = 0;
        if (!buda_has(queue->alias.pos)) {
            continue;
        }
        buda_frames frames;
        buda_enter_queue(diag, &frames, queue);
        // Before the lookup, which would find the queue itself and compare it with itself.
        if (hoist_str_equal(queue->alias.text, queue->name.text)) {
            buda_report(diag, BUDA_019, queue->alias.pos, "queue '%.*s' is an alias of itself",
                        HOIST_STR_ARGS(queue->name.text));
        } else if (!hoist_map_find(&s->queues, queue->alias.text, &index)) {
            buda_report(diag, BUDA_019, queue->alias.pos,
                        "queue '%.*s' is an alias of '%.*s', which is no queue",
                        HOIST_STR_ARGS(queue->name.text), HOIST_STR_ARGS(queue->alias.text));
        } else {
            check_pair(diag, queue, &module->queues[index]);
        }
        buda_leave(diag, &frames);
    }
}
