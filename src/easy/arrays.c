// Arrays of files in one call: a .npy file by its path, and all that a job's file holds.
#include <string.h>

#include "hoist/easy.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/span.h"
#include "os/file.h"

// Makes the array the owner of its data, which are those of a file that goes away. HOIST_NO_MEMORY:
// the array is as it was.
static hoist_status own_data(hoist_array *array, hoist_allocator alloc)
{
    if (array->owned || array->data.size == 0) { // empty data need no memory
        return HOIST_OK;
    }
    uint8_t *const copy = hoist_alloc(alloc, array->data.size);
    if (!copy) {
        return HOIST_NO_MEMORY;
    }
    memcpy(copy, array->data.data, array->data.size);
    array->owned = copy;
    array->data.data = copy;
    return HOIST_OK;
}

hoist_status hoist_npy_open(const char *path, hoist_allocator alloc, hoist_diag *diag,
                            hoist_array *out_array)
{
    hoist_mut_bytes file = {NULL, 0};
    *out_array = (hoist_array){.dtype = HOIST_DTYPE_NONE};
    const hoist_source before = hoist_diag_enter(diag, hoist_str_from(path));
    hoist_status status = hoist_file_read(path, 0, alloc, diag, &file);
    if (status == HOIST_OK) {
        // An empty file has no memory; parsers get an address all the same.
        const hoist_bytes bytes = {file.data ? file.data : (const uint8_t *)"", file.size};
        status = hoist_npy_read(bytes, alloc, diag, out_array);
        status = status == HOIST_OK ? own_data(out_array, alloc) : status;
    }
    hoist_diag_leave(diag, before);
    hoist_free(alloc, file.data, file.size);
    if (status != HOIST_OK) {
        // Borrowed data went with the file: the array must not keep their address.
        out_array->data = out_array->owned ? out_array->data : (hoist_bytes){NULL, 0};
        hoist_array_deinit(out_array, alloc);
    }
    return status;
}

// All of a file -----------------------------------------------------------------------------------

typedef struct taker {
    hoist_array_set *set; // owned until all arrays are in it
    hoist_allocator alloc;
} taker;

// The type of elements that is known, else that of their bits, by size: 1, 2, 4 or 8 bytes.
static hoist_dtype dtype_of(const hoist_recovered *array)
{
    static const hoist_dtype bits[] = {
        [1] = HOIST_DTYPE_U8, [2] = HOIST_DTYPE_U16, [4] = HOIST_DTYPE_U32, [8] = HOIST_DTYPE_U64};
    return array->dtype ? array->dtype : bits[array->element_size];
}

// Adds the array under its first name; where that is taken, with the member of the file before it:
// "rank0.neff:weights".
static hoist_status add(const taker *t, const hoist_recovered *from, const hoist_array *array)
{
    hoist_buffer name;
    hoist_status status = hoist_array_set_add(t->set, from->names[0], array);
    if (status != HOIST_BUSY) {
        return status;
    }
    hoist_buffer_init(&name, t->alloc);
    hoist_buffer_str(&name, from->member);
    hoist_buffer_char(&name, ':');
    hoist_buffer_str(&name, from->names[0]);
    status = name.failed ? HOIST_NO_MEMORY
                         : hoist_array_set_add(t->set, hoist_buffer_text(&name), array);
    hoist_buffer_deinit(&name);
    return status == HOIST_BUSY ? HOIST_OK : status; // the same once more
}

// Arrays of files may be big-endian or in Fortran order: the set has neither.
static hoist_status take_array(void *self, const hoist_recovered *from)
{
    const taker *const t = self;
    hoist_array array = {.dtype = dtype_of(from), .rank = from->rank, .data = from->bytes};
    memcpy(array.shape, from->shape, from->rank * sizeof(from->shape[0]));
    HOIST_TRY(hoist_array_from_stored(&array, from->is_big_endian, from->is_fortran, t->alloc));
    const hoist_status status = add(t, from, &array);
    hoist_array_deinit(&array, t->alloc); // the set has a copy
    return status;
}

// Bytes that were not recovered are no failure: the set has what there is.
static hoist_status pass_missing(void *self, const hoist_unrecovered *missing)
{
    (void)self;
    (void)missing;
    return HOIST_OK;
}

hoist_status hoist_job_arrays(const hoist_job *job, hoist_allocator alloc, hoist_diag *diag,
                              hoist_array_set **out_arrays)
{
    taker t = {.alloc = alloc};
    // Each array goes to the set as it is found; on failure the set goes, with all of them.
    const hoist_recovery_sink sink = {&t, take_array, pass_missing};
    *out_arrays = NULL;
    HOIST_TRY(hoist_array_set_create(alloc, &t.set));
    const hoist_status status = hoist_job_recover(job, diag, &sink);
    if (status != HOIST_OK) {
        hoist_array_set_destroy(t.set);
        return status;
    }
    *out_arrays = t.set;
    return HOIST_OK;
}
