// The family of TFLite models and Edge TPU packages for formats/format.h, and which of its
// comparisons two files have: a source with what was compiled of it, or two compiled files.
#include "edgetpu/edgetpu.h"

#include "formats/darwinn/module.h"
#include "formats/tflite/module.h"

// The file is a package, or a model in which packages are nested.
static bool is_compiled(const hoist_file *file)
{
    bool found = false;
    for (size_t i = 0; i <= file->nested_count && !found; i++) {
        const hoist_module *const module = hoist_file_module(file, i);
        found = module && module->format == &hoist_darwinn_format;
    }
    return found;
}

// A model without packages. One whose packages could not be opened has none either.
static bool is_source(const hoist_file *file)
{
    return file->module->format == &hoist_tflite_format && file->nested_count == 0;
}

// Two plain models are compared as fields.
static hoist_comparison comparison(const hoist_file *old, const hoist_file *now)
{
    if ((is_source(old) && is_compiled(now)) || (is_compiled(old) && is_source(now))) {
        return HOIST_COMPARISON_SOURCE;
    }
    return is_compiled(old) && is_compiled(now) ? HOIST_COMPARISON_COMPILED
                                                : HOIST_COMPARISON_FIELDS;
}

// The callee gets the source first, whatever the order of the files.
static hoist_status compare(const hoist_file *old, const hoist_file *now, hoist_tree_sink *sink,
                            size_t *out_count)
{
    if (is_source(old)) {
        return hoist_edgetpu_source_compare(old, now, true, sink, out_count);
    }
    return is_source(now) ? hoist_edgetpu_source_compare(now, old, false, sink, out_count)
                          : hoist_edgetpu_compiled_compare(old, now, sink, out_count);
}

static hoist_status match(const hoist_file *old, const hoist_file *now, hoist_layer_match_call take,
                          void *self)
{
    return is_source(old) ? hoist_edgetpu_source_each(old, now, true, take, self)
                          : hoist_edgetpu_source_each(now, old, false, take, self);
}

// load finds the family through formats/format.h; no format names it.
const hoist_family hoist_edgetpu_family = {
    .comparison = comparison,
    .compare = compare,
    .match = match,
    .recover_as = hoist_edgetpu_recover,
};
