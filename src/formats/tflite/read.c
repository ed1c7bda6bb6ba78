// Files as modules, and modules as files. codec/flatbuffer.h reads and writes them by the rows of
// schema.c; a file that was read is written with its changes after the bytes that it had.
#include "formats/tflite/tflite.h"

hoist_status tflite_read(hoist_bytes bytes, const hoist_read_options *options, hoist_diag *diag,
                         hoist_module **out_module)
{
    *out_module = NULL;
    if (!options->keep) {      // the caller promises that the bytes outlive the module
        return HOIST_INTERNAL; // strings and data are slices of the bytes
    }
    tflite_module *const m = tflite_module_create(options->alloc, bytes);
    if (!m) {
        return HOIST_NO_MEMORY;
    }
    m->base.deadline = options->deadline;
    // Vectors may share tables, so that a small file can describe a huge tree: max_tables bounds
    // it.
    const hoist_fb_options limits = {.max_tables = options->max_nodes,
                                     .deadline = options->deadline};
    void *model = NULL;
    const hoist_status status =
        hoist_fb_read(bytes, &tflite_model_type, &limits, &m->arena, diag, &model);
    if (status != HOIST_OK) {
        tflite_destroy(&m->base);
        return status;
    }
    m->model = model;
    *out_module = &m->base;
    return HOIST_OK;
}

// A module that was read is patched: changed tables are appended, all other bytes are kept. One
// that was made is written from nothing.
hoist_status tflite_write(const hoist_module *module, hoist_buffer *out)
{
    const tflite_module *const m = tflite_of(module);
    return m->file.size ? hoist_fb_rewrite(m->file, &tflite_model_type, m->model, NULL, out)
                        : hoist_fb_write(&tflite_model_type, m->model, TFLITE_IDENTIFIER, out);
}
