// hoist run: --load-memory. The files of a folder in, checked as images of the program's queues,
// and the inputs that they fill out, as arrays of float32 (exchange/queue_image.c).
#include "base/alloc.h"
#include "base/checked.h"
#include "base/map.h"
#include "base/name_list.h"
#include "base/span.h"
#include "run_memory.h"

// "DIR/FILE" in the run's arena; NULL: memory ran out.
static const char *path_of(run *r, const char *file)
{
    return hoist_arena_format(&r->arena, "%s/%s", r->t->values[OPT_LOAD_MEMORY], file).data;
}

// A file that is no image is refused, not skipped: a misspelled one would leave its queue
// empty.
static tool_exit refuse_name(run *r, hoist_str file)
{
    hoist_name_list there;
    hoist_name_list_init(&there, hoist_allocator_system());
    for (size_t i = 0; i < r->memory->image_count; i++) {
        hoist_name_list_add(&there, hoist_str_from(r->memory->images[i].file));
    }
    tool_complain(r->t, "%s/%.*s: no memory image of %s has that name; there are: %s",
                  r->t->values[OPT_LOAD_MEMORY], HOIST_STR_ARGS(file), r->file->path,
                  hoist_name_list_text(&there));
    hoist_name_list_deinit(&there);
    return TOOL_USAGE;
}

// Finds the image that each file is.
// Paths relative to the folder are the names of images; a map, because there may be thousands.
static tool_exit match_files(run *r, const hoist_folder_files *files, hoist_map *names)
{
    run_memory *memory = r->memory;
    for (size_t i = 0; i < memory->image_count; i++) {
        if (hoist_map_add(names, hoist_str_from(memory->images[i].file), i, NULL) != HOIST_OK) {
            return TOOL_LIMIT;
        }
    }
    for (size_t i = 0; i < files->count; i++) {
        const hoist_folder_file *file = &files->items[i];
        size_t at = 0;
        if (!hoist_map_find(names, file->path, &at)) {
            return refuse_name(r, file->path);
        }
        const char *path = path_of(r, memory->images[at].file);
        // No output of this command may replace an image that it reads.
        if (!path || !tool_reads(r->t, path)) {
            return TOOL_LIMIT;
        }
        memory->images[at].loaded = file->view.bytes;
        memory->images[at].is_loaded = true;
    }
    if (files->count == 0) {
        tool_complain(r->t, "%s has no memory images", r->t->values[OPT_LOAD_MEMORY]);
    }
    return files->count ? TOOL_OK : TOOL_USAGE;
}

// Checks one image, and that its pointers are those of the images before it.
// The pointers of the first buffer are the queue's; all others have to agree with them.
static hoist_status check_image(run *r, const run_memory_queue *queue, size_t part,
                                hoist_queue_pointers *pointers)
{
    const run_memory_image *image = &r->memory->images[queue->first + part];
    hoist_queue_pointers own;
    HOIST_TRY(hoist_queue_image_check(&queue->image, &queue->size, image->loaded, r->t->deadline,
                                      r->file->diag, &own));
    if (part == 0) {
        *pointers = own;
    }
    return hoist_queue_image_agree(*pointers, own, r->file->diag);
}

// All images of a queue of which one is loaded, and their pointers. Findings about an image name
// its file.
static tool_exit check_queue(run *r, const run_memory_queue *queue,
                             hoist_queue_pointers *out_pointers)
{
    for (size_t part = 0; part < queue->count; part++) {
        const run_memory_image *image = &r->memory->images[queue->first + part];
        const char *path = path_of(r, image->file);
        if (!path) {
            return TOOL_LIMIT;
        }
        // Half of a queue's buffers would give entries with holes.
        if (!image->is_loaded) {
            tool_complain(r->t, "%s is missing: '%.*s' has %zu memory images, one for each buffer",
                          path, HOIST_STR_ARGS(r->program->fifos[queue->fifo].name), queue->count);
            return TOOL_USAGE;
        }
        run_memory_source(r, path);
        const hoist_status status = check_image(r, queue, part, out_pointers);
        run_memory_source(r, NULL);
        const tool_exit code = tool_report(r->t, status, r->file);
        if (code != TOOL_OK) {
            return code;
        }
    }
    return TOOL_OK;
}

// Inputs ------------------------------------------------------------------------------------------

// NULL: the host does not fill this queue. The number of a fifo is that of its port.
static run_input *find_input(run *r, const run_memory_queue *queue)
{
    for (size_t i = 0; i < r->input_count; i++) {
        if (r->inputs[i].index == queue->fifo) {
            return &r->inputs[i];
        }
    }
    return NULL;
}

// Slots up to the last one that any buffer holds tiles in.
// A queue that wrapped has its slots in memory order; entries are slots here.
static uint32_t count_entries(const run *r, const run_memory_queue *queue)
{
    uint32_t most = 0;
    for (size_t part = 0; part < queue->count; part++) {
        const hoist_bytes bytes = r->memory->images[queue->first + part].loaded;
        const uint32_t count = hoist_queue_image_count(&queue->image, &queue->size, bytes.data);
        most = count > most ? count : most;
    }
    return most;
}

// Memory for all entries, as float32.
static hoist_status take_memory(run *r, run_input *input, size_t entry_size)
{
    size_t size = 0;
    // Both come from the file's own sizes.
    if (hoist_ckd_mul(&size, entry_size, (size_t)input->entries)) {
        return HOIST_LIMIT;
    }
    uint8_t *floats = hoist_alloc(r->t->alloc, size);
    if (!floats) {
        return HOIST_NO_MEMORY;
    }
    input->converted = (hoist_mut_bytes){floats, size};
    input->elements = (hoist_bytes){floats, size};
    input->dtype = HOIST_DTYPE_F32;
    input->entry_size = entry_size;
    return HOIST_OK;
}

// Entries between the pointers, which count modulo twice the slots.
static uint32_t count_waiting(const run_memory_queue *queue, hoist_queue_pointers pointers)
{
    const uint32_t ring = 2 * queue->image.slots;
    return (pointers.write + ring - pointers.read) % ring;
}

// Every buffer has tiles of every entry; each one puts its own into the tensor.
// The entries of slot `first` and those after it.
static hoist_status unpack(run *r, const run_memory_queue *queue, run_input *input, uint32_t first)
{
    const size_t elements = queue->size.entry.tiling.elements;
    HOIST_TRY(take_memory(r, input, elements * sizeof(float)));
    float *tensor = (float *)(void *)input->converted.data;
    for (uint32_t i = 0; i < input->entries; i++, tensor += elements) {
        const uint32_t slot = (first + i) % queue->image.slots;
        HOIST_TRY(hoist_deadline_look(r->t->deadline));
        for (size_t part = 0; part < queue->count; part++) {
            const hoist_bytes bytes = r->memory->images[queue->first + part].loaded;
            hoist_queue_image_get(&queue->image, &queue->size, part, slot, bytes.data, tensor);
        }
    }
    return HOIST_OK;
}

// Binds the input to its images. TOOL_USAGE: it has another source, too, or the images are empty.
static tool_exit fill_input(run *r, const run_memory_queue *queue, run_input *input,
                            hoist_queue_pointers pointers)
{
    const bool resumes = tool_given(r->t, OPT_RESUME) && !queue->image.is_ram;
    const char *folder = r->t->values[OPT_LOAD_MEMORY];
    if (resumes && pointers.read == pointers.write) {
        return TOOL_OK;
    }
    if (input->source != RUN_SOURCE_NONE) {
        tool_complain(r->t, "input '%s' is given twice: by --input and by %s/%s", input->name,
                      folder, r->memory->images[queue->first].file);
        return TOOL_USAGE;
    }
    // Entries are transformed when they are pushed; an image has the result, which cannot be
    // undone.
    if (r->program->fifos[queue->fifo].push_tiles) {
        tool_complain(r->t,
                      "%s/%s: '%s' has input_tms: the entries in its memory are not those that a "
                      "host pushes; give it with --input",
                      folder, r->memory->images[queue->first].file, input->name);
        return TOOL_UNSUPPORTED;
    }
    input->entries = resumes ? count_waiting(queue, pointers) : count_entries(r, queue);
    if (input->entries == 0) {
        tool_complain(r->t, "%s/%s: no slot of '%s' holds tiles, nothing was written to it", folder,
                      r->memory->images[queue->first].file, input->name);
        return TOOL_USAGE;
    }
    input->source = RUN_SOURCE_ARRAY;
    input->spec = path_of(r, r->memory->images[queue->first].file);
    const uint32_t first = resumes ? pointers.read % queue->image.slots : 0;
    return input->spec ? tool_report(r->t, unpack(r, queue, input, first), r->file) : TOOL_LIMIT;
}

// The images of a queue are all there or the queue is left to other options.
static bool is_any_loaded(const run *r, const run_memory_queue *queue)
{
    bool any = false;
    for (size_t part = 0; part < queue->count; part++) {
        any |= r->memory->images[queue->first + part].is_loaded;
    }
    return any;
}

// Images of queues that ops fill are checked only: a run makes their content.
static tool_exit fill_inputs(run *r)
{
    tool_exit code = TOOL_OK;
    for (size_t i = 0; code == TOOL_OK && i < r->memory->queue_count; i++) {
        const run_memory_queue *queue = &r->memory->queues[i];
        if (!is_any_loaded(r, queue)) {
            continue;
        }
        run_input *input = find_input(r, queue);
        hoist_queue_pointers pointers = {0};
        code = check_queue(r, queue, &pointers);
        code = code == TOOL_OK && input ? fill_input(r, queue, input, pointers) : code;
    }
    return code;
}

static tool_exit load_files(run *r, const hoist_folder_files *files)
{
    hoist_map names;
    hoist_map_init(&names, r->t->alloc);
    tool_exit code = match_files(r, files, &names);
    code = code == TOOL_OK ? fill_inputs(r) : code;
    hoist_map_deinit(&names);
    return code;
}

// Reads all files of the folder, and uses them.
static tool_exit read_folder(run *r, const hoist_folder *folder, const char *path)
{
    hoist_folder_files files;
    run_memory_source(r, path);
    const hoist_status status = hoist_folder_read(folder, 0, r->t->alloc, r->file->diag, &files);
    run_memory_source(r, NULL);
    tool_exit code = tool_report(r->t, status, r->file);
    code = code == TOOL_OK ? load_files(r, &files) : code;
    hoist_folder_files_free(&files);
    return code;
}

// TOOL_OK without --load-memory.
tool_exit run_load_memory(run *r)
{
    const char *path = r->t->values[OPT_LOAD_MEMORY];
    if (!path && tool_given(r->t, OPT_RESUME)) {
        tool_complain(r->t, "--resume is for --load-memory");
        return TOOL_USAGE;
    }
    const tool_exit listed = path ? run_list_memory(r, "load-memory") : TOOL_OK;
    if (!path || listed != TOOL_OK) {
        return listed;
    }
    hoist_folder folder;
    run_memory_source(r, path);
    const hoist_status status = hoist_folder_open(&folder, path, r->file->diag);
    run_memory_source(r, NULL);
    tool_exit code = tool_report(r->t, status, r->file);
    code = code == TOOL_OK ? read_folder(r, &folder, path) : code;
    hoist_folder_close(&folder);
    return code;
}
