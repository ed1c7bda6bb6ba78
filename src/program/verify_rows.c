// Fifos, units, semaphores and entries (PRG-011 to 015, 037): sizes of parts, layouts of entries,
// push tables, bounds of counts.
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "program/verifier.h"

// One finding is enough for all parts: they are cut by one formula.
static void check_parts(hoist_verifier *v, const hoist_prog_fifo *fifo)
{
    uint64_t bytes = 0;
    if (fifo->slots == 0 || fifo->part_count == 0) {
        (void)hoist_verifier_fail(v, HOIST_PRG_011,
                                  "%" PRIu32 " slots over %" PRIu32 " parts, expected 1 or more",
                                  fifo->slots, fifo->part_count);
        return;
    }
    // Both are the file's.
    const bool wraps = hoist_ckd_mul(&bytes, fifo->slot_bytes, fifo->slots) ||
                       hoist_ckd_add(&bytes, bytes, fifo->header);
    if (wraps) {
        (void)hoist_verifier_fail(v, HOIST_PRG_011,
                                  "header and %" PRIu32 " slots of %" PRIu64
                                  " bytes need more than 2^64",
                                  fifo->slots, fifo->slot_bytes);
        return;
    }
    for (uint32_t i = 0; i < fifo->part_count; i++) {
        const hoist_prog_buffer *part = &v->program->buffers[fifo->parts[i]];
        const uint64_t first = v->program->buffers[fifo->parts[0]].size;
        // Larger is allowed: allocations are rounded up.
        if (part->size < bytes) {
            (void)hoist_verifier_fail(v, HOIST_PRG_011,
                                      "part '%.*s' has %" PRIu64 " bytes, header and %" PRIu32
                                      " slots of %" PRIu64 " need %" PRIu64,
                                      HOIST_STR_ARGS(part->name), part->size, fifo->slots,
                                      fifo->slot_bytes, bytes);
            return;
        }
        if (part->size != first) {
            (void)hoist_verifier_fail(v, HOIST_PRG_011,
                                      "part '%.*s' has %" PRIu64 " bytes, the first one %" PRIu64,
                                      HOIST_STR_ARGS(part->name), part->size, first);
            return;
        }
    }
}

// Of a tiled fifo the size of a slot is the device's formula, checked by the lowering; here
// only the number of parts.
static void check_entry_layout(hoist_verifier *v, const hoist_prog_fifo *fifo)
{
    const hoist_measured_layout *layout = hoist_verifier_layout(v, fifo->layout);
    if (!layout->ok) {
        return;
    }
    if (layout->tiled) {
        if (fifo->part_count != layout->parts) {
            (void)hoist_verifier_fail(v, HOIST_PRG_012,
                                      "%" PRIu32 " parts, the grid of an entry has %" PRIu64,
                                      fifo->part_count, layout->parts);
        }
        if (fifo->tile_alignment != 32 && fifo->tile_alignment != 64) {
            (void)hoist_verifier_fail(v, HOIST_PRG_012,
                                      "tile_alignment is %" PRIu32 ", expected 32 or 64",
                                      fifo->tile_alignment);
        }
        return;
    }
    const int64_t bytes = (hoist_dtype_get(fifo->dtype)->bits + 7) / 8;
    int64_t end = 0;
    if (fifo->part_count > 1) {
        (void)hoist_verifier_fail(
            v, HOIST_PRG_012, "%" PRIu32 " parts, a strided entry lies in one", fifo->part_count);
    }
    if (hoist_ckd_add_i64(&end, layout->high, bytes)) {
        end = INT64_MAX;
    }
    if (layout->low < 0 || (layout->elements && (uint64_t)end > fifo->slot_bytes)) {
        (void)hoist_verifier_fail(v, HOIST_PRG_012,
                                  "an entry covers bytes %" PRId64 " to %" PRId64
                                  " of one part, a slot "
                                  "has %" PRIu64,
                                  layout->low, end, fifo->slot_bytes);
    }
}

// Rows and columns are padded to complete tiles, as the host pads them.
static void check_push_table(hoist_verifier *v, const hoist_prog_fifo *fifo)
{
    const hoist_measured_layout *layout = hoist_verifier_layout(v, fifo->layout);
    const int64_t *dim = fifo->push_shape.dim;
    const bool shaped = fifo->push_shape.rank == 3 && dim[0] > 0 && dim[1] > 0 && dim[2] > 0;
    uint64_t tiles = 0;
    if (!layout->ok) {
        return;
    }
    const hoist_tiling *tiling = &v->program->layouts[fifo->layout].tiling;
    if (!fifo->host_push || !layout->tiled || !shaped ||
        fifo->push_tile_count != layout->elements) {
        (void)hoist_verifier_fail(v, HOIST_PRG_013,
                                  "the table has %" PRIu32
                                  " tiles; expected a tiled fifo that the host "
                                  "pushes, a push_shape of 3 dimensions, and %" PRIu64 " tiles",
                                  fifo->push_tile_count, layout->tiled ? layout->elements : 0);
        return;
    }
    const uint64_t down = ((uint64_t)dim[1] + tiling->tile_height - 1) / tiling->tile_height;
    const uint64_t across = ((uint64_t)dim[2] + tiling->tile_width - 1) / tiling->tile_width;
    const bool wraps =
        hoist_ckd_mul(&tiles, down, across) || hoist_ckd_mul(&tiles, tiles, (uint64_t)dim[0]);
    if (wraps) {
        (void)hoist_verifier_fail(v, HOIST_PRG_013, "the tiles of push_shape cannot be counted");
        return;
    }
    for (uint32_t i = 0; i < fifo->push_tile_count; i++) {
        const uint32_t tile = fifo->push_tiles[i];
        // HOIST_NO_REF is a tile of zeros.
        if (tile != HOIST_NO_REF && tile >= tiles) {
            (void)hoist_verifier_fail(v, HOIST_PRG_013,
                                      "item %" PRIu32 " is tile %" PRIu32 " of %" PRIu64, i, tile,
                                      tiles);
            return;
        }
    }
}

// The push table is looked at only where there is one.
static void check_fifos(hoist_verifier *v)
{
    for (uint32_t i = 0; hoist_verifier_at(v, HOIST_NAMES_FIFO, i); i++) {
        const hoist_prog_fifo *fifo = &v->program->fifos[i];
        check_parts(v, fifo);
        check_entry_layout(v, fifo);
        if (fifo->push_tile_count) {
            check_push_table(v, fifo);
        }
    }
}

// Nothing else can be wrong with a unit.
static void check_units(hoist_verifier *v)
{
    for (uint32_t i = 0; hoist_verifier_at(v, HOIST_NAMES_UNIT, i); i++) {
        if (v->program->units[i].depth == 0) {
            (void)hoist_verifier_fail(v, HOIST_PRG_014, "the depth is 0, expected 1 or more");
        }
    }
}

// Counters are never negative.
static void check_semaphores(hoist_verifier *v)
{
    for (uint32_t i = 0; hoist_verifier_at(v, HOIST_NAMES_SEMAPHORE, i); i++) {
        const hoist_prog_semaphore *s = &v->program->semaphores[i];
        if (s->initial < 0 || s->maximum < 0 || (s->maximum && s->initial > s->maximum)) {
            (void)hoist_verifier_fail(v, HOIST_PRG_015,
                                      "initial is %" PRId64 " and maximum %" PRId64, s->initial,
                                      s->maximum);
        }
    }
}

// `starts`: by thread, 1 + the entry that starts it.
// Marks instead of a set that is emptied: the array is zeroed once for all entries.
static void check_entry(hoist_verifier *v, const hoist_prog_entry *entry, uint32_t *starts,
                        uint32_t mark)
{
    if (entry->thread_count == 0) {
        (void)hoist_verifier_fail(v, HOIST_PRG_037, "the entry starts no thread");
    }
    for (uint32_t i = 0; i < entry->thread_count; i++) {
        uint32_t *start = &starts[entry->threads[i]];
        if (*start == mark) {
            (void)hoist_verifier_fail(v, HOIST_PRG_037, "thread '%.*s' is started twice",
                                      HOIST_STR_ARGS(v->program->threads[entry->threads[i]].name));
        }
        *start = mark;
    }
    for (uint32_t i = 0; i < entry->parameter_count; i++) {
        const hoist_prog_entry_parameter *p = &entry->parameters[i];
        if (starts[p->thread] != mark) {
            (void)hoist_verifier_fail(
                v, HOIST_PRG_037, "parameter '%.*s' is for a thread that the entry does not start",
                HOIST_STR_ARGS(p->name));
        }
    }
}

// An entry may start any thread; two entries may start the same.
static void check_entries(hoist_verifier *v)
{
    uint32_t *starts = hoist_verifier_array(v, v->program->thread_count, sizeof *starts);
    for (uint32_t i = 0; starts && hoist_verifier_at(v, HOIST_NAMES_ENTRY, i); i++) {
        check_entry(v, &v->program->entries[i], starts, i + 1);
    }
}

// Spaces and buffers are verify_memory.c's.
void hoist_verify_rows(hoist_verifier *v)
{
    check_fifos(v);
    check_units(v);
    check_semaphores(v);
    check_entries(v);
}
