// Formats of the numerics `device` (device.c): the source that each format is unpacked to, the
// register that sums are in, formats that the packer makes of it; and the steps that all parts use:
// a move to the register, packing. In: formats, acc_df, intermed_df and fidelity of an op. Out: a
// buda_device, attributes, steps. Steps between both are those of device_vector.c, device_matrix.c,
// device_product.c and device_fused.c.
#include <stdio.h>

#include "base/span.h"
#include "lower/buda/device.h"
#include "tensor/float_bits.h"
#include "tensor/tt_element.h"

buda_lower_value buda_device_refuse(const buda_device *d, hoist_pos pos, const char *what)
{
    const buda_op *op = d->c->view.op;
    buda_lower_refuse(d->c->l, RUN_045, buda_has(pos) ? pos : op->name.pos,
                      "op '%.*s' (%.*s) needs %s, which numerics 'device' does not have",
                      HOIST_STR_ARGS(d->c->label), HOIST_STR_ARGS(op->type.text), what);
    return buda_lower_none();
}

// Formats -----------------------------------------------------------------------------------------

static const char *name_of(buda_df df)
{
    return df == BUDA_DF_NONE ? "none" : buda_formats[df].name;
}

static char family_of(buda_df df)
{
    return df == BUDA_DF_NONE ? 0 : buda_formats[df].family;
}

// The last family of the inputs; 0: all are Float32.
// The vendor's compiler lets the last input decide.
static char input_family(const buda_device *d)
{
    char family = 0;
    for (size_t i = 0; i < d->c->view.input_count; i++) {
        family = family_of(d->inputs[i]) ? family_of(d->inputs[i]) : family;
    }
    return family;
}

// What a Float32 becomes where it is not a Tf32.
// Tf32 if DEST has 32 bits and no input has 5-bit exponents; else the 16-bit format of the inputs'
// family, or of what is stored later.
static hoist_device_source single_of(const buda_device *d)
{
    const buda_op_view *view = &d->c->view;
    const char inputs = input_family(d);
    char family = inputs ? inputs : family_of(view->intermed_df);
    if (!inputs && view->intermed_df == BUDA_FLOAT32) {
        family = view->out_df == BUDA_FLOAT32 ? 'A' : family_of(view->out_df);
    }
    const bool has_words = view->acc_df == BUDA_FLOAT32 && inputs != 'A';
    return has_words       ? HOIST_DEVICE_SOURCE_TF32
           : family == 'A' ? HOIST_DEVICE_SOURCE_F16
                           : HOIST_DEVICE_SOURCE_BF16;
}

// False: the format is not one whose unpacking is known. The simulator has neither block floats
// with 5 bits of exponent nor Bfp2_b in matmuls; tt-isa-documentation has both, of Wormhole
// (FloatBitPatterns.md, MVMUL.md).
bool buda_device_source_of(const buda_device *d, buda_df df, hoist_device_source *out)
{
    const bool is_published = d->arch == HOIST_DEVICE_WORMHOLE_B0;
    switch (df) {
    case BUDA_FLOAT32:
        *out = d->single;
        return true;
    case BUDA_FLOAT16:
        *out = HOIST_DEVICE_SOURCE_F16;
        return true;
    case BUDA_FLOAT16_B:
    case BUDA_BFP8_B:
    case BUDA_BFP4_B:
        *out = HOIST_DEVICE_SOURCE_BF16;
        return true;
    case BUDA_BFP2_B:
        *out = HOIST_DEVICE_SOURCE_BF16;
        return is_published || d->c->view.family != HOIST_FAMILY_MATMUL;
    case BUDA_BFP8:
    case BUDA_BFP4:
    case BUDA_BFP2:
        *out = HOIST_DEVICE_SOURCE_F16;
        return is_published;
    default:
        return false;
    }
}

bool buda_device_source_at(const buda_device *d, size_t i, hoist_device_source *out)
{
    char what[96];
    if (!buda_device_source_of(d, d->inputs[i], &out[i])) {
        (void)snprintf(what, sizeof what, "input %zu of format %s", i, name_of(d->inputs[i]));
        (void)buda_device_refuse(d, buda_input_pos(d->c->view.op, i), what);
        return false;
    }
    if ((out[i] == HOIST_DEVICE_SOURCE_F16) != (out[0] == HOIST_DEVICE_SOURCE_F16)) {
        (void)buda_device_refuse(d, buda_input_pos(d->c->view.op, i),
                                 "sources of both exponent widths");
        return false;
    }
    return true;
}

bool buda_device_sources(const buda_device *d, size_t count, hoist_device_source *out)
{
    bool has = true;
    for (size_t i = 0; i < count && has; i++) {
        has = buda_device_source_at(d, i, out);
    }
    return has;
}

// A type in memory that the packer makes of the register, as the vendor configures it. Of 16-bit
// sums whose first input is a Float32 it is not: block floats are made of other numbers then.
bool buda_device_packs(const buda_device *d, buda_df df)
{
    const bool other =
        d->inputs[0] == BUDA_FLOAT32 && d->dest != HOIST_DEVICE_DEST_F32 && buda_formats[df].bfp;
    return !other && hoist_device_packs(d->arch, d->dest, buda_formats[df].dtype);
}

// What goes over the op's own memory has its intermed_df and is unpacked again, so that both
// directions have to be known.
bool buda_device_spill_source(const buda_device *d, hoist_device_source first,
                              hoist_device_source *out)
{
    const buda_df df = d->c->view.intermed_df;
    char what[64];
    if (df != BUDA_DF_NONE && buda_device_packs(d, df) && buda_device_source_of(d, df, out) &&
        (*out == HOIST_DEVICE_SOURCE_F16) == (first == HOIST_DEVICE_SOURCE_F16)) {
        return true;
    }
    (void)snprintf(what, sizeof what, "an intermed_df of %s", name_of(df));
    (void)buda_device_refuse(d, d->c->view.op->name.pos, what);
    return false;
}

// Everything that follows from formats alone is worked out before the family is looked at.
buda_device buda_device_of(buda_lower_code *c)
{
    buda_device d = {.c = c,
                     .arch = c->l->net.arch == BUDA_BLACKHOLE ? HOIST_DEVICE_BLACKHOLE
                                                              : HOIST_DEVICE_WORMHOLE_B0,
                     .attributes = &c->view.op->attributes};
    for (size_t i = 0; i < c->view.input_count; i++) {
        d.inputs[i] = buda_lower_input_label(c->l, c->node, i);
    }
    d.single = single_of(&d);
    hoist_device_source first = HOIST_DEVICE_SOURCE_BF16;
    const bool is_short = c->view.input_count > 0 &&
                          buda_device_source_of(&d, d.inputs[0], &first) &&
                          first == HOIST_DEVICE_SOURCE_F16;
    // By acc_df and by the exponent width of input 0.
    d.dest = c->view.acc_df == BUDA_FLOAT32 ? HOIST_DEVICE_DEST_F32
             : is_short                     ? HOIST_DEVICE_DEST_F16
                                            : HOIST_DEVICE_DEST_BF16;
    return d;
}

// Steps -------------------------------------------------------------------------------------------

// Fidelity: how many phases a product has; HiFi2_B takes every second one.
hoist_compute_attrs buda_device_attrs(const buda_device *d, const hoist_device_source *source)
{
    static const uint8_t phases[] = {[BUDA_LOFI] = 1,    [BUDA_HIFI2] = 2, [BUDA_HIFI2_A] = 2,
                                     [BUDA_HIFI2_B] = 2, [BUDA_HIFI3] = 3, [BUDA_HIFI4] = 4};
    const int64_t fidelity = d->c->view.op->math_fidelity.value;
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_DEVICE_ARCH].integer = d->arch;
    attrs.value[HOIST_DEVICE_DEST].integer = d->dest;
    attrs.value[HOIST_DEVICE_A].integer = source[0];
    attrs.value[HOIST_DEVICE_B].integer = source[1];
    attrs.value[HOIST_DEVICE_PHASES].integer = phases[fidelity];
    attrs.value[HOIST_DEVICE_PHASE_STEP].integer = fidelity == BUDA_HIFI2_B ? 2 : 1;
    return attrs;
}

buda_lower_value buda_device_packed(const buda_device *d, buda_lower_value from, buda_df df,
                                    const buda_attributes *relu)
{
    char what[96];
    if (df == BUDA_DF_NONE || !buda_device_packs(d, df)) {
        (void)snprintf(what, sizeof what, "a result of format %s, acc_df %s and inputs of %s",
                       name_of(df), name_of(d->c->view.acc_df), name_of(d->inputs[0]));
        return buda_device_refuse(d, d->c->view.op->name.pos, what);
    }
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_DEVICE_ARCH].integer = d->arch;
    attrs.value[HOIST_DEVICE_DEST].integer = d->dest;
    attrs.value[HOIST_DEVICE_DTYPE].dtype = buda_formats[df].dtype;
    if (relu && buda_attr_bool(relu, HOIST_ATTR_RELU_EN)) {
        // The packer compares in 16 bits, without the sign.
        const uint32_t bits =
            hoist_f32_to_bits((float)buda_attr_float(relu, HOIST_ATTR_RELU_THRESHOLD));
        const bool is_half = family_of(df) == 'A' && d->dest != HOIST_DEVICE_DEST_F32;
        attrs.value[HOIST_DEVICE_THRESHOLD].integer =
            hoist_tt_encode(is_half ? HOIST_DTYPE_TT_F16 : HOIST_DTYPE_BF16, bits) & 0x7fff;
        attrs.value[HOIST_DEVICE_RELU].integer = buda_attr_is(relu, HOIST_ATTR_RELU_MODE, "max")
                                                     ? HOIST_DEVICE_RELU_MAX
                                                     : HOIST_DEVICE_RELU_MIN;
    }
    return buda_lower_compute1(d->c, HOIST_DEVICE_PACK, &attrs, from);
}

buda_lower_value buda_device_moved(const buda_device *d, hoist_device_source source,
                                   buda_lower_value input)
{
    hoist_compute_attrs attrs = {0}; // no phases: nothing is multiplied
    attrs.value[HOIST_DEVICE_ARCH].integer = d->arch;
    attrs.value[HOIST_DEVICE_DEST].integer = d->dest;
    attrs.value[HOIST_DEVICE_A].integer = source;
    return buda_lower_compute1(d->c, HOIST_DEVICE_COPY, &attrs, input);
}
