// Buffers of a queue, one per core of its grid: rules 9, 18 and 94 of the buda-netlist reference,
// In: the module's queues. Findings at the list that does not fit, else at the item.
// sections 5.1 and 5.7.
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/buda/check_structure.h"
#include "formats/buda/frames.h"

enum {
    MAX_PORT = 2, // section 1.4
};

// Buffers of the queue's grid; false when the grid is not known (rules 5 and 7).
static bool buffer_count(const buda_queue *queue, uint64_t *out_count)
{
    *out_count = 0;
    return buda_has(queue->grid_size.pos) && queue->grid_size.r > 0 && queue->grid_size.c > 0 &&
           !hoist_ckd_mul(out_count, (uint64_t)queue->grid_size.r, (uint64_t)queue->grid_size.c);
}

// The list of the location that holds; it is the number of items that counts, not their values
// (check_memory.c).
static void check_places(hoist_diag *diag, const buda_queue *queue)
{
    const bool on_host = queue->loc.value == BUDA_LOC_HOST;
    const buda_places *places = on_host ? &queue->host : &queue->dram;
    uint64_t expected = 0;
    if (!buda_has(queue->loc.pos) || queue->loc.value < 0 || !buda_has(places->pos) ||
        !buffer_count(queue, &expected) || places->count == expected) {
        return;
    }
    buda_report(diag, BUDA_009, places->pos,
                "queue '%.*s' has %zu %s %s, its grid [%" PRId64 ", %" PRId64 "] needs %" PRIu64,
                HOIST_STR_ARGS(queue->name.text), places->count, on_host ? "host" : "dram",
                hoist_plural(places->count, "item", "items"), queue->grid_size.r,
                queue->grid_size.c, expected);
}

// One finding per queue: the first address that does not fit, and how many more.
static void check_alignment(hoist_diag *diag, const buda_queue *queue)
{
    const int alignment = buda_soc_of(BUDA_BLACKHOLE)->alignment;
    const buda_int *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < queue->dram.count; i++) {
        const buda_int *address = &queue->dram.items[i].address;
        if (buda_has(address->pos) && address->value % alignment != 0) {
            first = first ? first : address;
            count++;
        }
    }
    if (!first) {
        return;
    }
    buda_report(diag, BUDA_018, first->pos,
                "queue '%.*s' has DRAM address 0x%" PRIx64
                " (%zu of %zu addresses), expected a multiple of %d on blackhole",
                HOIST_STR_ARGS(queue->name.text), (uint64_t)first->value, count, queue->dram.count,
                alignment);
}

// `key` is read_ports or write_ports: the same rule for both.
static void check_ports(hoist_diag *diag, const buda_queue *queue, const char *key,
                        const buda_ints *ports)
{
    uint64_t expected = 0;
    if (!buda_has(ports->pos)) {
        return;
    }
    if (buffer_count(queue, &expected) && ports->count != expected) {
        buda_report(diag, BUDA_094, ports->pos,
                    "%s of queue '%.*s' has %zu %s, its grid has %" PRIu64 " %s", key,
                    HOIST_STR_ARGS(queue->name.text), ports->count,
                    hoist_plural(ports->count, "value", "values"), expected,
                    hoist_plural(expected, "buffer", "buffers"));
    }
    for (size_t i = 0; i < ports->count; i++) {
        const buda_int *port = &ports->items[i];
        if (port->value < 0 || port->value > MAX_PORT) {
            buda_report(diag, BUDA_094, port->pos,
                        "%s of queue '%.*s' has %" PRId64 ", expected 0 to %d", key,
                        HOIST_STR_ARGS(queue->name.text), port->value, MAX_PORT);
        }
    }
}

// Queues of the module and not of the net: a list of devices shares the same list of places.
void buda_check_buffers(const buda_structure *s)
{
    const hoist_buda_module *module = s->check->module;
    hoist_diag *diag = s->check->diag;
    for (size_t i = 0; i < module->queue_count; i++) {
        const buda_queue *queue = &module->queues[i];
        buda_frames frames;
        buda_enter_queue(diag, &frames, queue);
        check_places(diag, queue);
        if (s->check->arch == BUDA_BLACKHOLE) {
            check_alignment(diag, queue);
        }
        check_ports(diag, queue, "read_ports", &queue->read_ports);
        check_ports(diag, queue, "write_ports", &queue->write_ports);
        buda_leave(diag, &frames);
    }
}
