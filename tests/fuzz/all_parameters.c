// Addresses and constants: linking, recovery, exchange, what a device is sent.
#include <string.h>

#include "all_steps.h"
#include "base/arena.h"
#include "base/span.h"
#include "testing/fuzz.h"

// Linking is for formats with addresses, and for buffers that there are.
static bool came_or_refused(hoist_status status)
{
    return status != HOIST_UNSUPPORTED && status != HOIST_INVALID && status != HOIST_NOT_FOUND &&
           fuzz_came(status);
}

static void link_as(const all_file *file, const hoist_link_options *options)
{
    hoist_mut_bytes bytes;
    hoist_link_result result;
    all_file again;
    if (!came_or_refused(hoist_job_link(file->job, options, file->diag, &bytes, &result))) {
        return;
    }
    const hoist_bytes linked = {bytes.data, bytes.size};
    const bool opens = all_open(linked, hoist_job_format(file->job), file->alloc, &again);
    fuzz_require(opens || hoist_diag_count(again.diag, HOIST_ERROR) == 0 || !file->is_sound);
    all_close(&again);
    hoist_job_free_text(file->job, bytes);
}

void all_link(const all_file *file)
{
    static const hoist_link_address addresses[] = {{.buffer = "parameters", .address = 0x123456780},
                                                   {.buffer = "scratch", .address = 0x1000}};
    const hoist_link_options link = {
        .struct_size = sizeof(link), .addresses = addresses, .address_count = 2};
    const hoist_link_options undo = {.struct_size = sizeof(undo), .undo = true};
    hoist_stream *stream = NULL;
    link_as(file, &link);
    link_as(file, &undo);
    const hoist_status status = hoist_job_stream(file->job, NULL, file->diag, &stream);
    fuzz_require(came_or_refused(status) == (stream != NULL));
    hoist_stream_destroy(stream);
}

// Recovery ---------------------------------------------------------------------------------------

// The last array that has elements, to be put back where it came from.
typedef struct last_array {
    hoist_arena arena;
    hoist_new_parameters item;
    int64_t shape[HOIST_RECOVERED_MAX_RANK];
    uint64_t sum; // of all bytes, so that each of them is read
} last_array;

static hoist_status take_array(void *self, const hoist_recovered *array)
{
    last_array *const last = self;
    uint64_t elements = 1;
    for (uint32_t i = 0; i < array->rank; i++) {
        fuzz_require(array->shape[i] >= 0);
        elements *= (uint64_t)array->shape[i];
    }
    fuzz_require(array->rank <= HOIST_RECOVERED_MAX_RANK && array->name_count > 0);
    fuzz_require(elements * array->element_size == array->bytes.size);
    for (size_t i = 0; i < array->bytes.size; i++) {
        last->sum += array->bytes.data[i];
    }
    const hoist_str name = hoist_arena_str(&last->arena, array->names[0]);
    uint8_t *const bytes = hoist_arena_alloc(&last->arena, array->bytes.size);
    if (!name.data || !bytes) {
        return HOIST_NO_MEMORY;
    }
    if (array->bytes.size) {
        memcpy(bytes, array->bytes.data, array->bytes.size);
    }
    if (array->rank > 0) {
        memcpy(last->shape, array->shape, array->rank * sizeof(last->shape[0]));
    }
    last->item = (hoist_new_parameters){.name = name.data,
                                        .dtype = array->dtype,
                                        .rank = array->rank,
                                        .shape = last->shape,
                                        .bytes = {bytes, array->bytes.size}};
    return HOIST_OK;
}

static hoist_status take_missing(void *self, const hoist_unrecovered *missing)
{
    (void)self;
    fuzz_require(missing->reason.size > 0);
    return HOIST_OK;
}

// What goes in as it came out changes nothing.
static void exchange(const all_file *file, const hoist_new_parameters *item)
{
    hoist_mut_bytes bytes;
    all_file again;
    if (!came_or_refused(hoist_job_exchange(file->job, item, 1, file->diag, &bytes))) {
        return;
    }
    const hoist_bytes exchanged = {bytes.data, bytes.size};
    if (all_open(exchanged, hoist_job_format(file->job), file->alloc, &again)) {
        all_require_same(file, &again);
    }
    all_close(&again);
    hoist_job_free_text(file->job, bytes);
}

// As a model without compiled operators, which is one that opens.
static void recover_model(const all_file *file)
{
    hoist_mut_bytes bytes;
    all_file model;
    if (!came_or_refused(hoist_job_recover_model(file->job, file->diag, &bytes))) {
        return;
    }
    const hoist_bytes written = {bytes.data, bytes.size};
    const bool opens = all_open(written, "tflite", file->alloc, &model);
    fuzz_require(opens || hoist_diag_count(model.diag, HOIST_ERROR) == 0);
    if (opens && file->is_sound) {
        fuzz_require(model.is_sound);
        (void)fuzz_came(hoist_job_check(model.job, model.diag));
    }
    all_close(&model);
    hoist_job_free_text(file->job, bytes);
}

void all_recover(const all_file *file)
{
    last_array last = {.sum = 0};
    hoist_arena_init(&last.arena, file->alloc);
    const hoist_recovery_sink sink = {&last, take_array, take_missing};
    if (came_or_refused(hoist_job_recover(file->job, file->diag, &sink)) && last.item.name) {
        exchange(file, &last.item);
    }
    hoist_arena_deinit(&last.arena);
    recover_model(file);
}
