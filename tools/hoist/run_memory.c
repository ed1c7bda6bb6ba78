// hoist run: which queues of a program have memory images, and the names of their files. The rows
// of the program's fifos and buffers in, r->memory out; run_memory_dump.c writes the images,
// run_memory_load.c reads them.
#include "run_memory.h"

#include <inttypes.h>

#include "base/diag.h"
#include "base/span.h"

void run_memory_source(const run *r, const char *file)
{
    hoist_diag_source(r->file->diag, hoist_str_from(file ? file : r->file->path), HOIST_STR(""));
}

// A queue's first buffer tells: all of its buffers are windows or none is.
static bool is_window(const hoist_program *p, const hoist_prog_fifo *fifo)
{
    return p->buffers[fifo->parts[0]].window_of != HOIST_NO_REF;
}

// True for what is in no memory of the device: results on their way from chip to chip.
static bool is_link(const hoist_program *p, const hoist_prog_fifo *fifo)
{
    return !p->buffers[fifo->parts[0]].placed && !fifo->host_push && !fifo->host_pop;
}

// Why the queue has no images; NULL: it has.
// The text is shown as "no memory image of 'q': REASON", so it is static and compared by
// address.
static const char *reason_of(const hoist_program *p, const hoist_prog_fifo *fifo,
                             run_memory_queue *queue)
{
    const char *reason = NULL;
    if (fifo->dynamic) {
        return "programs allocate and deallocate it, so that its memory is also that of others";
    }
    for (uint32_t i = 0; i < fifo->part_count; i++) {
        if (!p->buffers[fifo->parts[i]].placed) {
            return "its buffers have no addresses";
        }
    }
    if (hoist_queue_image_measure(&queue->image, &queue->size, &reason) != HOIST_OK) {
        return reason ? reason : "its sizes are not those of a device's queue";
    }
    // The lowering and the format's own formula have to agree, or bytes would land in wrong
    // places.
    const bool fits = fifo->header == queue->size.header &&
                      fifo->slot_bytes == queue->size.entry.buffer_bytes &&
                      fifo->part_count == queue->size.entry.tiling.buffers;
    return fits ? NULL : "its buffers are not cut as those of a device are";
}

// The description comes from the program alone: nothing here knows netlists.
static run_memory_queue queue_of(const hoist_program *p, hoist_ref ref)
{
    const hoist_prog_fifo *fifo = &p->fifos[ref];
    const hoist_prog_layout *layout = &p->layouts[fifo->layout];
    run_memory_queue queue = {
        .fifo = ref,
        .image = {.entry = {.tiling = layout->tiling,
                            .dtype = fifo->dtype,
                            .alignment = fifo->tile_alignment,
                            .flat = layout->flat},
                  .slots = fifo->slots,
                  .is_ram = fifo->kind == HOIST_FIFO_RAM},
        .is_alias = is_window(p, fifo),
    };
    queue.reason = queue.is_alias ? NULL : reason_of(p, fifo, &queue);
    // No images of an alias: the ram that owns the bytes has them.
    queue.count = queue.is_alias || queue.reason ? 0 : fifo->part_count;
    return queue;
}

// "QUEUE/dram0.0x00100000.bin", as documented in docs/formats/buda-memory.md.
static const char *file_of(run *r, hoist_ref fifo, uint32_t part)
{
    const hoist_program *p = r->program;
    const hoist_prog_buffer *buffer = &p->buffers[p->fifos[fifo].parts[part]];
    const hoist_str space = p->spaces[buffer->space].name;
    const hoist_str place =
        hoist_arena_format(&r->arena, "%.*s.0x%08" PRIx64, HOIST_STR_ARGS(space), buffer->address);
    hoist_buffer path;
    hoist_buffer_init(&path, r->t->alloc);
    tool_file_name(p->fifos[fifo].name, (uint64_t)fifo + 1, &path);
    hoist_buffer_char(&path, '/');
    tool_file_name(place, (uint64_t)part + 1, &path);
    hoist_buffer_c(&path, ".bin");
    const char *kept = path.failed || !place.data
                           ? NULL
                           : hoist_arena_str(&r->arena, hoist_buffer_text(&path)).data;
    hoist_buffer_deinit(&path);
    return kept;
}

// Notes which rams are written through others, too.
static void note_aliases(const hoist_program *p, run_memory *memory)
{
    for (size_t i = 0; i < memory->queue_count; i++) {
        const hoist_ref own = p->fifos[memory->queues[i].fifo].parts[0];
        const hoist_ref root = hoist_prog_root(p, own, NULL);
        for (size_t k = 0; memory->queues[i].is_alias && k < memory->queue_count; k++) {
            run_memory_queue *other = &memory->queues[k];
            // Its slots then may hold data that no step has written to the ram itself.
            other->has_aliases |= p->fifos[other->fifo].parts[0] == root;
        }
    }
}

// `first` and `count` of a queue are a range of memory->images, in the order of its buffers.
static bool list_images(run *r, run_memory *memory)
{
    size_t count = 0;
    for (size_t i = 0; i < memory->queue_count; i++) {
        memory->queues[i].first = count;
        count += memory->queues[i].count;
    }
    memory->images = hoist_arena_array(&r->arena, count + 1, sizeof(memory->images[0]));
    for (size_t i = 0; memory->images && i < memory->queue_count; i++) {
        for (uint32_t part = 0; part < memory->queues[i].count; part++) {
            run_memory_image *image = &memory->images[memory->image_count++];
            *image =
                (run_memory_image){.queue = i, .file = file_of(r, memory->queues[i].fifo, part)};
            if (!image->file) {
                return false;
            }
        }
    }
    return memory->images != NULL;
}

// The message about an empty list comes at each call, the list is made once.
tool_exit run_list_memory(run *r, const char *option)
{
    const hoist_program *p = r->program;
    // Once for both options: they share the list.
    if (!r->memory) {
        run_memory *memory = hoist_arena_array(&r->arena, 1, sizeof(*memory));
        run_memory_queue *queues =
            hoist_arena_array(&r->arena, (size_t)p->fifo_count + 1, sizeof(*queues));
        if (!memory || !queues) {
            return TOOL_LIMIT;
        }
        memory->queues = queues;
        hoist_folder_output_init(&memory->dump, r->t->alloc);
        r->memory = memory;
        for (hoist_ref i = 0; i < p->fifo_count; i++) {
            // Only tiled layouts are those of a device's DRAM.
            if (p->layouts[p->fifos[i].layout].kind == HOIST_LAYOUT_TILED &&
                !is_link(p, &p->fifos[i])) {
                queues[memory->queue_count++] = queue_of(p, i);
            }
        }
        note_aliases(p, memory);
        if (!list_images(r, memory)) {
            return TOOL_LIMIT;
        }
    }
    if (r->memory->image_count == 0) {
        tool_complain(r->t,
                      "%s: --%s is for the queues of netlists, and it has none with a known "
                      "layout in memory",
                      r->file->path, option);
        return TOOL_UNSUPPORTED;
    }
    return TOOL_OK;
}

void run_close_memory(run *r)
{
    if (r->memory) {
        hoist_folder_output_drop(&r->memory->dump);
    }
}
