// hoist run: --dump-memory. After the run, the slots and pointers of each queue in, the bytes of
// its buffers as a device has them out, one file for each (exchange/queue_image.c).
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "run_memory.h"
#include "runtime/pointers.h"

// Names the queues that have no images, once for each reason.
// Reasons are static texts: equal pointers mean the same reason.
static void note_missing(const run *r)
{
    const run_memory *memory = r->memory;
    for (size_t i = 0; i < memory->queue_count; i++) {
        const run_memory_queue *queue = &memory->queues[i];
        bool is_first = queue->reason != NULL;
        size_t others = 0;
        for (size_t k = 0; queue->reason && k < memory->queue_count; k++) {
            const bool same = k != i && memory->queues[k].reason == queue->reason;
            is_first = is_first && !(same && k < i);
            others += same;
        }
        if (is_first) {
            char rest[64] = "";
            if (others) {
                (void)snprintf(rest, sizeof(rest), " and %zu %s", others,
                               hoist_plural(others, "other", "others"));
            }
            tool_complain(r->t, "%s: no memory image of '%s'%s: %s", r->file->path,
                          r->outputs[queue->fifo].name, rest, queue->reason);
        }
    }
}

tool_exit run_open_memory(run *r)
{
    const char *folder = r->t->values[OPT_DUMP_MEMORY];
    const char *output = r->t->values[OPT_OUTPUT_DIR];
    if (!folder) {
        return TOOL_OK;
    }
    const tool_exit listed = run_list_memory(r, "dump-memory");
    if (listed != TOOL_OK) {
        return listed;
    }
    // Two folder outputs of one name would each complete the other's folder.
    if (output && strcmp(folder, output) == 0) {
        tool_complain(r->t, "--output and --dump-memory are both '%s': expected two folders",
                      folder);
        return TOOL_USAGE;
    }
    hoist_status status = HOIST_OK;
    for (size_t i = 0; status == HOIST_OK && i < r->memory->image_count; i++) {
        status = tool_spares_inputs_in(r->t, folder, hoist_str_from(r->memory->images[i].file));
    }
    if (status != HOIST_OK) {
        return status == HOIST_BUSY ? TOOL_USAGE : TOOL_LIMIT;
    }
    if (!tool_given(r->t, OPT_QUIET)) {
        note_missing(r);
    }
    run_memory_source(r, folder);
    status =
        // `true`: files of an earlier dump are replaced.
        hoist_folder_output_begin(&r->memory->dump, folder, true, r->t->temporaries, r->file->diag);
    run_memory_source(r, NULL);
    return tool_report(r->t, status, r->file);
}

// What a queue is written with.
typedef struct dump {
    const run_memory_queue *queue;
    uint8_t *bytes; // owned: of all images, one after the other
    size_t size;
    float *tensor; // owned: an entry
    size_t elements;
    bool *written; // owned: per slot
} dump;

// All images of one queue are made together, as an entry is spread over its buffers; queues
// follow one another, so that one queue's bytes are in memory at a time.
static bool begin_dump(run *r, const run_memory_queue *queue, dump *d)
{
    *d = (dump){.queue = queue, .elements = queue->size.entry.tiling.elements};
    d->bytes = hoist_alloc_zero(r->t->alloc, queue->count, queue->size.bytes);
    d->size = d->bytes ? queue->count * queue->size.bytes : 0;
    d->tensor = hoist_alloc_zero(r->t->alloc, d->elements, sizeof(float));
    d->written = hoist_alloc_zero(r->t->alloc, queue->image.slots, sizeof(bool));
    return d->bytes && d->tensor && d->written;
}

static void end_dump(run *r, dump *d)
{
    const hoist_allocator alloc = r->t->alloc;
    hoist_free(alloc, d->bytes, d->size);
    hoist_free(alloc, d->tensor, d->tensor ? d->elements * sizeof(float) : 0);
    hoist_free(alloc, d->written, d->written ? d->queue->image.slots * sizeof(bool) : 0);
}

static hoist_status fill_images(run *r, dump *d)
{
    const run_memory_queue *queue = d->queue;
    const size_t size = queue->size.bytes;
    const hoist_mut_bytes entry = {(uint8_t *)d->tensor, d->elements * sizeof(float)};
    hoist_fifo_pointers now;
    HOIST_TRY(hoist_session_pointers(r->session, queue->fifo, &now, d->written));
    for (size_t b = 0; b < queue->count; b++) {
        // Every buffer of the grid begins with the same pointers.
        const hoist_queue_pointers pointers = {now.read, now.write};
        hoist_queue_image_begin(&queue->image, &queue->size, pointers, d->bytes + b * size);
    }
    for (uint32_t slot = 0; slot < queue->image.slots; slot++) {
        HOIST_TRY(hoist_deadline_look(r->t->deadline));
        // A slot that was never written stays zero, as the image was allocated.
        if (!d->written[slot] && !queue->has_aliases) {
            continue;
        }
        HOIST_TRY(hoist_session_read(r->session, r->outputs[queue->fifo].name, slot,
                                     HOIST_DTYPE_F32, entry));
        for (size_t b = 0; b < queue->count; b++) {
            hoist_queue_image_put(&queue->image, &queue->size, b, slot, d->tensor,
                                  d->bytes + b * size);
        }
    }
    return HOIST_OK;
}

// end_dump() frees a dump that was begun in part, too.
static hoist_status dump_queue(run *r, const run_memory_queue *queue)
{
    dump d;
    hoist_status status = begin_dump(r, queue, &d) ? fill_images(r, &d) : HOIST_NO_MEMORY;
    for (size_t b = 0; status == HOIST_OK && b < queue->count; b++) {
        const hoist_folder_write_options options = {0};
        const char *file = r->memory->images[queue->first + b].file;
        const hoist_bytes bytes = {d.bytes + b * queue->size.bytes, queue->size.bytes};
        status = hoist_folder_output_write(&r->memory->dump, hoist_str_from(file), bytes, &options,
                                           r->file->diag);
    }
    end_dump(r, &d);
    return status;
}

tool_exit run_write_memory(run *r)
{
    const char *folder = r->t->values[OPT_DUMP_MEMORY];
    if (!folder) {
        return TOOL_OK;
    }
    hoist_status status = HOIST_OK;
    run_memory_source(r, folder);
    for (size_t i = 0; status == HOIST_OK && i < r->memory->queue_count; i++) {
        if (r->memory->queues[i].count > 0) {
            status = dump_queue(r, &r->memory->queues[i]);
        }
    }
    if (status == HOIST_OK) {
        status = hoist_folder_output_finish(&r->memory->dump, r->file->diag);
    }
    run_memory_source(r, NULL);
    return tool_report(r->t, status, r->file);
}
