// Layers of an executable: rules 31, 61 to 68 and 72. The layout of outputs is checked by
// check_layout.c, once the layer is known to have no negative extent.
#include <inttypes.h>
#include <math.h>

#include "base/map.h"
#include "base/span.h"
#include "formats/darwinn/check.h"

// Rule 31. False: a count is negative, so nothing may be computed with the extents.
static bool check_signs(const dwn_check *c, const dwn_layer *layer)
{
    const struct {
        const char *name;
        int32_t value;
        hoist_loc place;
    } numbers[] = {
        {"size_bytes", layer->size_bytes, DWN_PLACE(c, layer, layer, size_bytes)},
        {"y_dim", layer->y_dim, DWN_PLACE(c, layer, layer, y_dim)},
        {"x_dim", layer->x_dim, DWN_PLACE(c, layer, layer, x_dim)},
        {"z_dim", layer->z_dim, DWN_PLACE(c, layer, layer, z_dim)},
    };
    bool sound = true;
    for (size_t i = 0; i < HOIST_COUNT_OF(numbers); i++) {
        if (numbers[i].value < 0) {
            dwn_report(c->diag, DWN_031, numbers[i].place, "%s is %" PRId32, numbers[i].name,
                       numbers[i].value);
            sound = false;
        }
    }
    return sound;
}

// The bytes that the compiler gives a layer: channels of outputs in words of 4 bytes, all in 8
// (reference 5).
static int64_t rounded_size(const dwn_layer *layer, bool is_output, int64_t element)
{
    const int64_t pixels = (int64_t)layer->y_dim * layer->x_dim;
    const int64_t channels = layer->z_dim * element;
    const int64_t bytes = is_output ? pixels * ((channels + 3) / 4 * 4) : pixels * channels;
    return (bytes + 7) / 8 * 8;
}

// Rules 63, 64 and 72; extents are not negative.
static void check_size(const dwn_check *c, const dwn_layer *layer, bool is_output)
{
    const dwn_type_row *const type = dwn_type_of(layer->data_type);
    const int64_t elements = dwn_layer_elements(layer);
    const int64_t pixels = (int64_t)layer->y_dim * layer->x_dim;
    if (layer->shape && (elements < 0 || elements != dwn_layer_plain(layer))) {
        dwn_report(c->diag, DWN_072, DWN_PLACE(c, layer, layer, shape),
                   "the shape has %" PRId64 " elements, y_dim * x_dim * z_dim is %" PRId32
                   " * %" PRId32 " * %" PRId32,
                   elements, layer->y_dim, layer->x_dim, layer->z_dim);
    }
    if (!type || elements < 0 || elements > INT64_MAX / 8) { // the second bound: products below fit
        return;
    }
    const int64_t actual = elements * type->size;
    if (layer->size_bytes < actual) {
        dwn_report(c->diag, DWN_063, DWN_PLACE(c, layer, layer, size_bytes),
                   "size_bytes is %" PRId32 ", the elements have %" PRId64 " bytes",
                   layer->size_bytes, actual);
    } else if (pixels < INT32_MAX &&
               layer->size_bytes != rounded_size(layer, is_output, type->size)) {
        dwn_report(c->diag, DWN_064, DWN_PLACE(c, layer, layer, size_bytes),
                   "size_bytes is %" PRId32 ", the compiler writes %" PRId64, layer->size_bytes,
                   rounded_size(layer, is_output, type->size));
    }
}

// Rules 65 to 68.
static void check_numbers(const dwn_check *c, const dwn_layer *layer)
{
    if (!dwn_type_of(layer->data_type)) {
        dwn_report(c->diag, DWN_065, DWN_PLACE(c, layer, layer, data_type), "data_type is %d",
                   layer->data_type);
    }
    // An absent one is rule 66 alone.
    const float scale = layer->numerics ? layer->numerics->dequantization_factor : 1;
    if (!layer->numerics) {
        dwn_report(c->diag, DWN_066, DWN_PLACE(c, layer, layer, numerics), "there are no numerics");
    } else if (!isfinite(scale) || scale <= 0) {
        dwn_report(c->diag, DWN_067, DWN_PLACE(c, numerics, layer->numerics, dequantization_factor),
                   "dequantization_factor is %g", (double)scale);
    }
    if (layer->execution_count_per_inference < 1) {
        dwn_report(c->diag, DWN_068, DWN_PLACE(c, layer, layer, execution_count_per_inference),
                   "execution_count_per_inference is %" PRId32,
                   layer->execution_count_per_inference);
    }
}

// Rule 61, then the layout of outputs whose extents are sound.
static hoist_status check_kind(dwn_check *c, const dwn_layer *layer, bool is_output, bool sound)
{
    const uint8_t expected = is_output ? DWN_LAYER_OUTPUT : DWN_LAYER_INPUT;
    if (layer->any_layer.type != expected) {
        dwn_report(c->diag, is_output ? DWN_061a : DWN_061b, DWN_PLACE(c, layer, layer, any_layer),
                   "any_layer is of type %u, expected %s", layer->any_layer.type,
                   is_output ? "OutputLayer" : "InputLayer");
        return HOIST_OK;
    }
    return is_output && sound ? dwn_check_layout(c, layer, layer->any_layer.value) : HOIST_OK;
}

// Names are unique in one direction: an input and an output may share one.
static hoist_status check_layer(dwn_check *c, const dwn_layer *layer, bool is_output,
                                hoist_map *names)
{
    const bool sound = check_signs(c, layer);
    if (sound) {
        check_size(c, layer, is_output);
    }
    check_numbers(c, layer);
    // Absent names count as "".
    const hoist_str name = layer->name.data ? layer->name : HOIST_STR("");
    const hoist_status status = hoist_map_add(names, name, 0, NULL);
    if (status == HOIST_BUSY) {
        dwn_report(c->diag, DWN_062, DWN_PLACE(c, layer, layer, name),
                   "there is a layer '%.*s' before it", HOIST_STR_ARGS(name));
    }
    return status == HOIST_NO_MEMORY ? status : check_kind(c, layer, is_output, sound);
}

static hoist_status check_list(dwn_check *c, const dwn_layer *layers, uint32_t count,
                               bool is_output)
{
    hoist_map names;
    hoist_map_init(&names, c->arena.alloc);
    hoist_status status = HOIST_OK;
    for (uint32_t i = 0; i < count && status == HOIST_OK; i++) {
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, is_output ? "output_layers" : "input_layers", i);
        status = check_layer(c, &layers[i], is_output, &names);
        hoist_diag_pop(c->diag, &frame);
    }
    hoist_map_deinit(&names);
    return status;
}

hoist_status dwn_check_layers(dwn_check *c)
{
    const dwn_executable *const e = c->image->rows;
    HOIST_TRY(check_list(c, e->input_layers.items, e->input_layers.count, false));
    return check_list(c, e->output_layers.items, e->output_layers.count, true);
}
