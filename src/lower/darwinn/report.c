// Findings in packages (model.h), and memory of the chip. Findings have the object path of the
// operator, the package and the executable.
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/darwinn/layer.h"
#include "lower/darwinn/model.h"

// Reporting -------------------------------------------------------------------------------------

// `loc` is in the file: of the package itself, or of the model that contains it.
HOIST_PRINTF(4, 0)
static void report(darwinn_lower_model *model, hoist_lower_rule_id rule, hoist_loc loc,
                   const char *format, va_list args)
{
    const hoist_payload *payload = model->module->payload; // NULL: a file of its own
    const hoist_lower_place place = {
        .loc = loc,
        .path = {payload ? payload->path : HOIST_STR(""),
                 model->module->is_custom ? HOIST_STR("packages/0") : HOIST_STR(""),
                 model->main
                     ? hoist_lower_format(model->c, "executables/%" PRIu32, model->roles.main)
                     : HOIST_STR("")}};
    hoist_lower_vrefuse(model->c, hoist_lower_rule(rule), &place, format, args);
}

bool darwinn_lower_refuse_at(darwinn_lower_model *model, hoist_lower_rule_id rule, hoist_loc loc,
                             const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(model, rule, loc, format, args);
    va_end(args);
    return false;
}

// At the executable, or at the package before one is chosen.
bool darwinn_lower_refuse(darwinn_lower_model *model, hoist_lower_rule_id rule, const char *format,
                          ...)
{
    const hoist_loc loc =
        model->main
            ? DWN_FIELD_PLACE(model->module, model->contents->images[model->roles.main].bytes,
                              executable, model->main, version)
            : hoist_loc_byte(model->module->base_offset);
    va_list args;
    va_start(args, format);
    report(model, rule, loc, format, args);
    va_end(args);
    return false;
}

// dwn_program_execute() tells only that a limit was passed; the numbers are counted here.
void darwinn_lower_refuse_program(darwinn_lower_model *model, const dwn_image *image,
                                  const char *role)
{
    size_t links = 0;
    uint64_t bytes = 0;
    if (!dwn_links_count(image->chunks, image->chunk_count, &links)) {
        darwinn_lower_refuse(model, RUN_008,
                             "the %s executable has more than %d links, or more than %d bytes of "
                             "their names",
                             role, (int)DWN_MAX_LINKS, (int)DWN_MAX_NAMES);
        return;
    }
    for (uint32_t i = 0; i < image->chunk_count; i++) {
        bytes += image->chunks[i].stream.bytes.size;
    }
    darwinn_lower_refuse(model, RUN_008,
                         "the %s executable has %" PRIu32 " chunks of %" PRIu64
                         " bytes in all, at most %d are run",
                         role, image->chunk_count, bytes, (int)DWN_MAX_PROGRAM);
}

// Memory ----------------------------------------------------------------------------------------

// Named after the model with a number: "edgetpu/12".
hoist_ref darwinn_lower_memory(darwinn_lower_model *model, const hoist_lower_view *view)
{
    hoist_lower_context *c = model->c;
    uint64_t next = c->names.count; // about the first that is free
    const int64_t bytes = hoist_shape_count(&view->shape) * hoist_dtype_get(view->dtype)->bits / 8;
    const hoist_str name = hoist_lower_numbered(c, model->name, &next);
    if (!name.data) {
        return HOIST_NO_REF;
    }
    return hoist_builder_buffer(
        c->b, &(hoist_prog_buffer){.name = name,
                                   .space = model->chip->memory,
                                   .size = (uint64_t)bytes,
                                   .alignment = 1,
                                   .window_of = HOIST_NO_REF,
                                   .typed = true,
                                   .dtype = view->dtype,
                                   .layout = hoist_lower_view_layout(c->b, view)});
}

// -1 for a product that overflows, or for extents below 0.
int64_t darwinn_lower_elements(const dwn_layer *layer)
{
    int64_t elements = dwn_layer_elements(layer);
    return elements < 0 ||
                   hoist_ckd_mul_i64(&elements, elements, layer->execution_count_per_inference)
               ? -1
               : elements;
}
