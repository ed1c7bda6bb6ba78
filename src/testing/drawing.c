#include "testing/drawing.h"

#include "picture/draw.h"

hoist_status hoist_drawing_text(const hoist_format *format, const hoist_module *module,
                                const hoist_check_options *options, hoist_diag *diag, size_t width,
                                hoist_buffer *out)
{
    hoist_picture picture;
    hoist_picture_init(&picture, module->alloc);
    hoist_status status = format->picture(module, options, diag, &picture);
    if (status == HOIST_OK) {
        status = hoist_picture_text(&picture, width, out);
    }
    hoist_picture_deinit(&picture);
    return status;
}

hoist_status hoist_drawing_tree(const hoist_format *format, const hoist_module *module,
                                const hoist_check_options *options, hoist_diag *diag,
                                hoist_tree_sink *sink)
{
    hoist_picture picture;
    hoist_picture_init(&picture, module->alloc);
    hoist_status status = format->picture(module, options, diag, &picture);
    if (status == HOIST_OK) {
        status = hoist_picture_tree(&picture, sink);
    }
    hoist_picture_deinit(&picture);
    return status;
}
