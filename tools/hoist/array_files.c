// Arrays named on the command line: a .npy file (by its name or its first bytes), an image, a text
// of numbers (array_text.c), or dense elements of a given type. Findings go to the diagnostics of
// the file that the command works on. The options of run are read by run_arrays.c on top of this.
#include "array_files.h"

#include <string.h>

#include "hoist/exchange.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/magic.h"
#include "base/span.h"
#include "os/file.h"
#include "parse.h"

// By the name as well as by the bytes: a .npy that lost its first bytes has to fail as a .npy,
// not to run as elements that happen to fit.
static bool is_npy(const char *path, hoist_bytes bytes)
{
    static const uint8_t magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    return hoist_str_ends_with(hoist_str_from(path), ".npy") ||
           (bytes.size >= sizeof(magic) && memcmp(bytes.data, magic, sizeof(magic)) == 0);
}

// A file of another kind may have as many bytes as the elements that are expected.
// An archive or a picture that is as long as the expected elements would run and give numbers
// without meaning.
static hoist_status refuse_kind(tool *t, const char *path, hoist_bytes bytes)
{
    const char *kind = hoist_magic_find(bytes);
    if (!kind) {
        return HOIST_OK;
    }
    tool_complain(t,
                  "%s: this is %s, expected a .npy file or elements alone; @raw:%s takes its bytes "
                  "as elements",
                  path, kind, path);
    return HOIST_INVALID;
}

// The kind of a file is decided once, in this order: .npy, image, text, elements. `raw:` skips
// all of it. What was read so far is in `f`, whatever the status, for array_file_deinit().
static hoist_status read_elements(tool *t, const tool_input *input, const char *path,
                                  hoist_dtype dense, bool takes_images, array_file *f)
{
    const bool is_raw = tool_after_raw(path) != path;
    HOIST_TRY(hoist_file_map(tool_after_raw(path), 0, t->alloc, input->diag, &f->file));
    const hoist_bytes given = f->file.bytes;
    // An empty file has no mapping; the readers below expect a pointer nevertheless.
    const hoist_bytes bytes = {given.data ? given.data : (const uint8_t *)"", given.size};
    f->is_npy = !is_raw && is_npy(path, bytes);
    if (f->is_npy) {
        return hoist_npy_read(bytes, t->alloc, input->diag, &f->array);
    }
    f->is_image = !is_raw && takes_images && hoist_image_is(bytes);
    if (f->is_image) {
        return hoist_image_read(bytes, t->deadline, t->alloc, input->diag, &f->array);
    }
    f->is_text = !is_raw && array_text_is(path);
    if (f->is_text) {
        return array_text_read(t, path, bytes, dense, &f->array);
    }
    if (!is_raw) {
        HOIST_TRY(refuse_kind(t, path, bytes));
    }
    f->array = (hoist_array){.dtype = dense, .data = bytes};
    return HOIST_OK;
}

hoist_status array_file_read(tool *t, const tool_input *input, const char *path, hoist_dtype dense,
                             bool takes_images, array_file *out_file)
{
    *out_file = (array_file){0};
    if (!tool_reads(t, tool_after_raw(path))) {
        return HOIST_NO_MEMORY;
    }
    // Findings about the array name the array's file; those after it are of the model again.
    hoist_diag_source(input->diag, hoist_str_from(tool_after_raw(path)), HOIST_STR(""));
    const hoist_status status = read_elements(t, input, path, dense, takes_images, out_file);
    hoist_diag_source(input->diag, hoist_str_from(input->path), HOIST_STR(""));
    return status;
}

void array_file_deinit(array_file *file, hoist_allocator alloc)
{
    hoist_array_deinit(&file->array, alloc);
    hoist_file_unmap(&file->file);
}

// Several ----------------------------------------------------------------------------------------

bool array_files_init(array_files *files, const tool *t, tool_option_id option)
{
    size_t at = 0;
    *files = (array_files){.alloc = t->alloc};
    // One more than are given, because an allocation of no bytes may be NULL without being a
    // failure.
    while (tool_next_value(t, option, &at)) {
        files->room++;
    }
    files->items = hoist_alloc_zero(t->alloc, files->room + 1, sizeof(*files->items));
    files->names = hoist_alloc_zero(t->alloc, files->room + 1, sizeof(*files->names));
    return files->items && files->names;
}

void array_files_deinit(array_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        array_file_deinit(&files->items[i], files->alloc);
        hoist_free(files->alloc, files->names[i], strlen(files->names[i]) + 1);
    }
    hoist_free(files->alloc, files->items, (files->room + 1) * sizeof(*files->items));
    hoist_free(files->alloc, files->names, (files->room + 1) * sizeof(*files->names));
}

tool_exit array_files_add(array_files *files, tool *t, const tool_input *input, hoist_str name,
                          const char *path)
{
    char *const copy = hoist_alloc_zero(files->alloc, name.size + 1, 1);
    if (!copy) {
        return TOOL_LIMIT;
    }
    memcpy(copy, name.data, name.size);
    files->names[files->count] = copy;
    array_file *const file = &files->items[files->count++];
    return path ? tool_report(t, array_file_read(t, input, path, HOIST_DTYPE_NONE, false, file),
                              input)
                : TOOL_OK;
}
