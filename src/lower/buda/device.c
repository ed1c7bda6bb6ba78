// Ops in the numerics `device` (hoist/lower.h): what the vendor's compiler makes of an op's formats
// and fidelity, as steps of ops/compute_device.h. In: values of inputs as function.c has moved
// them, which are of their declared formats. Out: the value in out_df. The entries: properties
// that no op may have, then the part (device.h) that lowers each family. An op that is not known to
// the bit is refused (RUN-045). Facts: docs/formats/buda-device.md.
#include "lower/buda/device.h"

// Once per netlist; the location is the file's.
bool buda_lower_has_device(buda_lower_job *l)
{
    const bool is_known = l->net.arch == BUDA_WORMHOLE_B0 || l->net.arch == BUDA_BLACKHOLE;
    if (!is_known) {
        buda_lower_refuse(
            l, RUN_045, (hoist_pos){0},
            "the device is a %s, whose arithmetic is not public: expected wormhole_b0 "
            "or blackhole",
            buda_arch_name(l->net.arch));
    }
    return is_known;
}

// True when smaller tiles are no matter: each element is computed by itself, wherever it is.
static bool is_element_wise(const buda_op_view *view)
{
    const buda_attributes *attributes = &view->op->attributes;
    return view->family == HOIST_FAMILY_BINARY || view->family == HOIST_FAMILY_UNARY ||
           (view->family == HOIST_FAMILY_SFPU &&
            !buda_attr_is(attributes, HOIST_ATTR_VECTOR, "r") &&
            !buda_attr_is(attributes, HOIST_ATTR_VECTOR, "c"));
}

// Of a smaller tile the other elements have no place in the register, and none in another tile.
static bool has_known_tiles(const buda_op_view *view)
{
    const buda_pair own = buda_tile_dim(view->op->tile_dim);
    bool is_known = buda_tile_is(own, 32, 32) || is_element_wise(view);
    for (size_t i = 0; i < view->input_count; i++) {
        buda_pair tile = buda_tile_dim((buda_pair){0});
        is_known = is_known && buda_source_tile(view, i, &tile) && buda_tile_is(tile, own.r, own.c);
    }
    return is_known;
}

// What no op of these numerics may have; NULL: nothing.
static const char *unknown_in(const buda_device *d)
{
    const buda_op_view *view = &d->c->view;
    const buda_attributes *attributes = &view->op->attributes;
    if (buda_attr_bool(attributes, HOIST_ATTR_SRND_FPU_EN) ||
        (buda_attr_find(attributes, HOIST_ATTR_STOCH_RND_MODE) &&
         !buda_attr_is(attributes, HOIST_ATTR_STOCH_RND_MODE, "none"))) {
        return "stochastic rounding";
    }
    if (view->gradient) {
        return "a sum over executes";
    }
    // math_fidelity below 0 is an unknown word.
    return !has_known_tiles(view)              ? "tiles that are not 32x32"
           : view->op->math_fidelity.value < 0 ? "a math_fidelity that is not written"
                                               : NULL;
}

// A core of the Ethernet has streams only: they carry the tiles as they are.
static buda_lower_value carried(const buda_device *d, const buda_lower_value *inputs)
{
    const buda_op_view *view = &d->c->view;
    return view->input_count == 1 && d->inputs[0] == view->out_df
               ? inputs[0]
               : buda_device_refuse(d, view->op->type.pos,
                                    "another format on the way to another chip");
}

static buda_lower_value computed(const buda_device *d, const buda_lower_value *inputs)
{
    const buda_op_view *view = &d->c->view;
    const size_t count = view->input_count;
    const size_t expected = view->family == HOIST_FAMILY_BINARY ? 2 : 1;
    if (view->family == HOIST_FAMILY_MATMUL) {
        return buda_device_matmul(d, inputs);
    }
    if (view->family == HOIST_FAMILY_SPLICE) {
        return buda_device_splice(d, inputs);
    }
    if (view->family == HOIST_FAMILY_REDUCE) {
        return count == 1 ? buda_device_reduce(d, inputs)
                          : buda_device_refuse(d, (hoist_pos){0}, "another number of inputs");
    }
    if (view->family != HOIST_FAMILY_BINARY && view->family != HOIST_FAMILY_UNARY &&
        view->family != HOIST_FAMILY_SFPU) {
        return buda_device_refuse(d, view->op->type.pos, "a kernel that is not known to the bit");
    }
    if (count != expected) {
        return buda_device_refuse(d, (hoist_pos){0}, "another number of inputs");
    }
    const buda_lower_value result =
        view->family == HOIST_FAMILY_BINARY  ? buda_device_binary(d, inputs)
        : view->family == HOIST_FAMILY_UNARY ? buda_device_copy(d, inputs)
                                             : buda_device_unary(d, inputs);
    return result.view == HOIST_NO_REF
               ? result
               : buda_lower_zeroed(d->c, result, buda_tile_dim(view->op->tile_dim));
}

buda_lower_value buda_lower_device(buda_lower_code *c, const buda_lower_value *inputs)
{
    buda_device d = buda_device_of(c);
    if (c->view.family == HOIST_FAMILY_ETHERNET) {
        return carried(&d, inputs);
    }
    const char *unknown = unknown_in(&d);
    return unknown ? buda_device_refuse(&d, c->view.op->name.pos, unknown) : computed(&d, inputs);
}

bool buda_lower_device_has(buda_lower_code *c)
{
    const buda_device d = buda_device_of(c);
    const char *unknown = unknown_in(&d);
    if (unknown) {
        (void)buda_device_refuse(&d, c->view.op->name.pos, unknown);
    }
    return !unknown;
}
