// hoist recover, writing: arrays as a folder of .npy files, a .npz or a .safetensors file, by the
// ending of --output. Floats that NumPy lacks become float32 unless --raw-bits is given.
#include <stdio.h>

#include "base/checked.h"
#include "base/diag.h"
#include "base/span.h"
#include "recover.h"

// Files ------------------------------------------------------------------------------------------

// The name of the array's file: that of the array, with its number where that is too long or
// another array has it.
// hoist_map_add() gives HOIST_BUSY for a name that is there already.
static hoist_status choose_file(recover *r, hoist_str name, const char **out_file)
{
    hoist_buffer file;
    hoist_buffer_init(&file, r->t->alloc);
    tool_file_name(name, r->arrays + 1, &file);
    const hoist_str kept = hoist_arena_str(&r->arena, hoist_buffer_text(&file));
    hoist_status status =
        file.failed || !kept.data ? HOIST_NO_MEMORY : hoist_map_add(&r->files, kept, 0, NULL);
    if (status == HOIST_BUSY) {
        tool_file_number(0, r->arrays + 1, &file);
        status = HOIST_OK;
    }
    const hoist_str chosen = hoist_buffer_text(&file);
    const hoist_str whole =
        hoist_arena_format(&r->arena, "%.*s.npy", (int)chosen.size, chosen.data);
    *out_file = whole.data;
    status = status == HOIST_OK && (file.failed || !whole.data) ? HOIST_NO_MEMORY : status;
    hoist_buffer_deinit(&file);
    return status;
}

// Begins the folder, and names it in what writing may report.
// With the first array, so that a file without arrays makes no folder before recover_end().
static hoist_status open_folder(recover *r)
{
    if (hoist_folder_output_begun(&r->folder)) {
        return HOIST_OK;
    }
    hoist_diag_source(r->input.diag, hoist_str_from(r->path), HOIST_STR(""));
    return hoist_folder_output_begin(&r->folder, r->path, tool_given(r->t, OPT_FORCE),
                                     r->t->temporaries, r->input.diag);
}

// Into the folder, or into the one file.
// The header of a .npy is made here and written before the elements, which are not copied.
static hoist_status put(recover *r, const hoist_array *array, hoist_str name)
{
    if (r->kind != RECOVER_FOLDER) {
        return hoist_array_set_add(r->set, name, array);
    }
    uint8_t header[HOIST_NPY_MAX_HEADER];
    size_t size = 0;
    HOIST_TRY(hoist_npy_begin(array, r->t->alloc, r->input.diag, header, &size));
    const hoist_folder_write_options options = {.head = {header, size}};
    HOIST_TRY(tool_spares_inputs_in(r->t, r->path, name));
    return hoist_folder_output_write(&r->folder, name, array->data, &options, r->input.diag);
}

// True for floats that NumPy has not got, and half precision, which goes with them.
// The others are those whose bits NumPy can hold only as unsigned integers.
static bool is_widened(const recover *r, hoist_dtype dtype)
{
    return tool_bits_dtype(dtype) != dtype && !tool_given(r->t, OPT_RAW_BITS);
}

// Writes the elements as float32, which has all values of smaller floats.
static hoist_status write_floats(recover *r, const hoist_array *array, hoist_str name)
{
    const uint64_t count = array->data.size / hoist_array_element_size(array->dtype);
    // hoist_array_floats() gives the machine's own order, files are little-endian.
    const bool is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    uint64_t size = 0;
    if (hoist_ckd_mul(&size, count, sizeof(float)) || size > SIZE_MAX) {
        return HOIST_LIMIT;
    }
    float *const floats = size ? hoist_alloc(r->t->alloc, (size_t)size) : NULL;
    if (size && !floats) {
        return HOIST_NO_MEMORY;
    }
    hoist_array wide = *array;
    wide.dtype = HOIST_DTYPE_F32;
    wide.data = (hoist_bytes){(const uint8_t *)floats, (size_t)size};
    wide.owned = NULL;
    hoist_status status = size ? hoist_array_floats(array, floats) : HOIST_OK;
    if (status == HOIST_OK) {
        status = hoist_array_from_stored(&wide, is_big_endian, false, r->t->alloc);
    }
    if (status == HOIST_OK) {
        status = put(r, &wide, name);
    }
    hoist_array_deinit(&wide, r->t->alloc);
    hoist_free(r->t->alloc, floats, (size_t)size);
    return status;
}

// DIR/NAME.npy, or NAME in the one file. safetensors files have small floats as they are.
// One of three ways: as stored, widened to float32, or bits under an unsigned type.
static hoist_status write_array(recover *r, const hoist_recovered *from, hoist_str name)
{
    // By bytes of an element: of an array of unknown type nothing but the width is known.
    static const hoist_dtype unknown[] = {
        [1] = HOIST_DTYPE_U8, [2] = HOIST_DTYPE_U16, [4] = HOIST_DTYPE_U32, [8] = HOIST_DTYPE_U64};
    hoist_array array = {.dtype = from->dtype ? from->dtype : unknown[from->element_size],
                         .rank = from->rank,
                         .data = from->bytes};
    for (uint32_t i = 0; i < from->rank; i++) {
        array.shape[i] = from->shape[i];
    }
    // To little-endian and C order, copied only where the file has another one.
    HOIST_TRY(hoist_array_from_stored(&array, from->is_big_endian, from->is_fortran, r->t->alloc));
    hoist_status status = HOIST_OK;
    if (r->kind == RECOVER_SAFETENSORS && !tool_given(r->t, OPT_RAW_BITS)) {
        status = hoist_array_set_add(r->set, name, &array);
    } else if (is_widened(r, array.dtype)) {
        status = write_floats(r, &array, name);
    } else {
        array.dtype = tool_bits_dtype(array.dtype);
        status = put(r, &array, name);
    }
    hoist_array_deinit(&array, r->t->alloc);
    return status;
}

// One file ---------------------------------------------------------------------------------------

// What is there stays, unless it is to be replaced.
// Before the first array is read, not at the end: the recovery of a large model takes a while.
static hoist_status begin_set(recover *r)
{
    if (r->set) {
        return HOIST_OK;
    }
    if (!tool_may_replace(r->t, r->path)) {
        return HOIST_IO;
    }
    return hoist_array_set_create(r->t->alloc, &r->set);
}

static hoist_status write_set(recover *r)
{
    hoist_mut_bytes file = {NULL, 0};
    HOIST_TRY(begin_set(r));
    if (r->kind == RECOVER_NPZ) {
        HOIST_TRY(hoist_array_set_npz(r->set, r->input.diag, &file));
    } else {
        uint64_t gaps = 0;
        const char *const path = r->input.path;
        const char *const format = hoist_job_format(r->input.job);
        HOIST_TRY(
            hoist_array_set_note(r->set, "generator", HOIST_STR("hoist " HOIST_VERSION_TEXT)));
        HOIST_TRY(hoist_array_set_note(r->set, "source", hoist_str_from(path)));
        HOIST_TRY(hoist_array_set_digest(r->set, "source_sha256", r->input.view.bytes));
        HOIST_TRY(hoist_array_set_note(r->set, "source_format", hoist_str_from(format)));
        // Layers as JSON in the file's metadata, so that weights and their meaning stay
        // together. They were sent once already, with their findings; here the diag is NULL.
        hoist_tree_sink *const sink = hoist_array_set_begin_tree(r->set, "recovered");
        const hoist_status status = hoist_job_layers(r->input.job, NULL, sink, &gaps);
        const hoist_status ended = hoist_array_set_end_tree(r->set);
        HOIST_TRY(status);
        // The tree is ended whatever the status was, since the set has it open.
        HOIST_TRY(ended);
        HOIST_TRY(hoist_array_set_safetensors(r->set, r->input.diag, &file));
    }
    const hoist_status status =
        tool_save(r->t, r->input.diag, r->path, (hoist_bytes){file.data, file.size});
    hoist_array_set_free_bytes(r->set, file);
    return status;
}

// What the command needs -------------------------------------------------------------------------

// --list wins over --output.
void recover_init(recover *r, tool *t)
{
    *r = (recover){.t = t};
    hoist_folder_output_init(&r->folder, t->alloc);
    r->path = tool_given(t, OPT_LIST) ? NULL : t->values[OPT_RECOVER_DIR];
    const hoist_str text = hoist_str_from(r->path ? r->path : "");
    r->kind = hoist_str_ends_with(text, ".npz")           ? RECOVER_NPZ
              : hoist_str_ends_with(text, ".safetensors") ? RECOVER_SAFETENSORS
                                                          : RECOVER_FOLDER;
    hoist_arena_init(&r->arena, t->alloc);
    hoist_map_init(&r->files, t->alloc);
}

void recover_deinit(recover *r)
{
    hoist_array_set_destroy(r->set);
    hoist_folder_output_drop(&r->folder);
    hoist_map_deinit(&r->files);
    hoist_arena_deinit(&r->arena);
}

hoist_status recover_write(recover *r, const hoist_recovered *array, const char **out_file)
{
    *out_file = NULL;
    if (r->kind != RECOVER_FOLDER) {
        // The name, or where another array has it, the name and "~" and the array's number.
        HOIST_TRY(begin_set(r));
        const hoist_status status = write_array(r, array, array->names[0]);
        if (status != HOIST_BUSY) {
            return status;
        }
        const hoist_str name =
            hoist_arena_format(&r->arena, "%.*s~%llu", HOIST_STR_ARGS(array->names[0]),
                               (unsigned long long)r->arrays + 1);
        return name.data ? write_array(r, array, name) : HOIST_NO_MEMORY;
    }
    HOIST_TRY(open_folder(r));
    HOIST_TRY(choose_file(r, array->names[0], out_file));
    return write_array(r, array, hoist_str_from(*out_file));
}

hoist_status recover_end(recover *r)
{
    if (r->kind != RECOVER_FOLDER) {
        return write_set(r);
    }
    HOIST_TRY(open_folder(r)); // also for none
    return hoist_folder_output_finish(&r->folder, r->input.diag);
}
