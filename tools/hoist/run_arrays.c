// hoist run: arrays named on the command line, NAME[:DTYPE]=@FILE.
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "os/file.h"
#include "run.h"

bool run_split(const char *text, run_binding *out_binding)
{
    *out_binding = (run_binding){0};
    const char *sign = strchr(text, '=');
    if (!sign || sign == text || !sign[1]) {
        return false;
    }
    out_binding->name = (hoist_str){text, (size_t)(sign - text)};
    out_binding->source = sign + 1;
    const char *colon = memrchr(text, ':', out_binding->name.size);
    if (colon && colon != text) {
        const hoist_str dtype = {colon + 1, (size_t)(sign - colon - 1)};
        out_binding->dtype = hoist_dtype_find(dtype);
        if (out_binding->dtype != HOIST_DTYPE_NONE) {
            out_binding->name.size = (size_t)(colon - text);
        }
    }
    return true;
}

uint64_t run_entry_elements(const hoist_port *port)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < port->rank; i++) {
        count *= (uint64_t)port->shape[i];
    }
    return count;
}

// Reads `bits`, integers or bit patterns as wide as `named`, as elements of `named`.
static bool rename_bits(hoist_array *array, hoist_dtype named)
{
    const hoist_dtype_class kind = hoist_dtype_get(array->dtype)->kind;
    const bool bits = kind == HOIST_CLASS_RAW || kind == HOIST_CLASS_UNSIGNED;
    if (array->dtype == named) {
        return true;
    }
    if (!bits || hoist_array_element_size(array->dtype) != hoist_array_element_size(named)) {
        return false;
    }
    array->dtype = named;
    return true;
}

bool run_is_npy(const char *path, hoist_bytes bytes)
{
    static const uint8_t magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    return hoist_str_ends_with(hoist_str_from(path), ".npy") ||
           (bytes.size >= sizeof(magic) && memcmp(bytes.data, magic, sizeof(magic)) == 0);
}

static hoist_status read_elements(run *r, const char *path, hoist_dtype named, hoist_dtype dense,
                                  run_array_file *f)
{
    tool *t = r->t;
    HOIST_TRY(hoist_file_read(path, 0, t->alloc, r->file->diag, &f->file));
    const hoist_bytes bytes = {f->file.data, f->file.size};
    f->is_npy = run_is_npy(path, bytes);
    if (f->is_npy) {
        HOIST_TRY(hoist_npy_read(bytes, t->alloc, r->file->diag, &f->array));
        if (named != HOIST_DTYPE_NONE && !rename_bits(&f->array, named)) {
            tool_complain(t, "%s: elements of type %s cannot be read as %s", path,
                          hoist_dtype_get(f->array.dtype)->name, hoist_dtype_get(named)->name);
            return HOIST_INVALID;
        }
        return HOIST_OK;
    }
    f->array = (hoist_array){.dtype = named != HOIST_DTYPE_NONE ? named : dense, .data = bytes};
    return HOIST_OK;
}

hoist_status run_read_array(run *r, const char *path, hoist_dtype named, hoist_dtype dense,
                            run_array_file *out_file)
{
    *out_file = (run_array_file){0};
    hoist_diag *diag = r->file->diag;
    hoist_diag_source(diag, hoist_str_from(path), HOIST_STR(""));
    const hoist_status status = read_elements(r, path, named, dense, out_file);
    hoist_diag_source(diag, hoist_str_from(r->file->path), HOIST_STR(""));
    return status;
}
