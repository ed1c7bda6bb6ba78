// hoist run: arrays named on the command line, NAME[:DTYPE]=@FILE.
#include <string.h>

#include "base/span.h"
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

hoist_status run_read_array(run *r, const char *path, hoist_dtype named, hoist_dtype dense,
                            array_file *out_file)
{
    const hoist_dtype otherwise = named != HOIST_DTYPE_NONE ? named : dense;
    HOIST_TRY(array_file_read(r->t, r->file, path, otherwise, out_file));
    if (out_file->is_npy && named != HOIST_DTYPE_NONE && !rename_bits(&out_file->array, named)) {
        tool_complain(r->t, "%s: elements of type %s cannot be read as %s", path,
                      hoist_dtype_get(out_file->array.dtype)->name, hoist_dtype_get(named)->name);
        return HOIST_INVALID;
    }
    return HOIST_OK;
}
