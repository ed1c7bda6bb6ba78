// Functions of the vector unit in the numerics `device` (device.c): which of them are known to the
// bit, and one step for each, on the register. In: values and sources by device_source.c. Out: the
// register (for device_matrix.c, device_product.c, device_fused.c) or the packed result of an op.
#include "lower/buda/device.h"
#include "tensor/float_bits.h"

static hoist_compute_op function_of(hoist_op op)
{
    // clang-format off
    static const hoist_compute_op functions[HOIST_OP_COUNT] = {
        [HOIST_OP_ABS]             = HOIST_DEVICE_ABS,
        [HOIST_OP_EXP]             = HOIST_DEVICE_EXP,
        [HOIST_OP_GELU]            = HOIST_DEVICE_GELU,
        [HOIST_OP_GELU_DERIVATIVE] = HOIST_DEVICE_GELU_DERIVATIVE,
        [HOIST_OP_LOG]             = HOIST_DEVICE_LOG,
        [HOIST_OP_LRELU]           = HOIST_DEVICE_LRELU,
        [HOIST_OP_POWER]           = HOIST_DEVICE_POWER,
        [HOIST_OP_RECIPROCAL]      = HOIST_DEVICE_RECIPROCAL,
        [HOIST_OP_SIGMOID]         = HOIST_DEVICE_SIGMOID,
        [HOIST_OP_SQRT]            = HOIST_DEVICE_SQRT,
        [HOIST_OP_SQUARE]          = HOIST_DEVICE_SQUARE,
        [HOIST_OP_TANH]            = HOIST_DEVICE_TANH,
    };
    // clang-format on
    return functions[op] ? functions[op] : HOIST_COMPUTE_COUNT;
}

// The whole op has one kind of functions, its sub-ops too.
static bool has_approximate(const buda_device *d)
{
    return buda_attr_bool(&d->c->view.op->attributes, HOIST_ATTR_APPROXIMATE_MODE);
}

const char *buda_device_unknown_function(const buda_device *d, hoist_op op)
{
    const buda_attributes *attributes = d->attributes;
    const bool is_approximate = has_approximate(d);
    const int64_t exponent = buda_attr_int(attributes, HOIST_ATTR_EXP, 0);
    if (op == HOIST_OP_SINE || op == HOIST_OP_COSINE) {
        return "stochastic rounding in the kernel of this function";
    }
    if (op == HOIST_OP_DROPOUT) {
        return "random numbers of a core";
    }
    if (op == HOIST_OP_POWER && (exponent < 0 || exponent > UINT16_MAX)) {
        return "an exponent outside 0 to 65535";
    }
    if (buda_attr_is(attributes, HOIST_ATTR_VECTOR, "z")) {
        return "vector z";
    }
    return hoist_device_has_function(d->arch, function_of(op), is_approximate) ? NULL
           : is_approximate ? "the approximate kernel of this function"
                            : "the kernel of this function on this core";
}

buda_lower_value buda_device_applied(const buda_device *d, hoist_op op, buda_lower_value from)
{
    const buda_attributes *attributes = d->attributes;
    const buda_attribute *slope = buda_attr_find(attributes, HOIST_ATTR_SLOPE);
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_DEVICE_ARCH].integer = d->arch;
    attrs.value[HOIST_DEVICE_DEST].integer = d->dest;
    attrs.value[HOIST_DEVICE_VECTOR].integer =
        buda_attr_is(attributes, HOIST_ATTR_VECTOR, "r")   ? HOIST_TILE_ROWS
        : buda_attr_is(attributes, HOIST_ATTR_VECTOR, "c") ? HOIST_TILE_COLUMNS
                                                           : HOIST_TILE_ALL;
    attrs.value[HOIST_DEVICE_APPROXIMATE].integer = has_approximate(d);
    if (op == HOIST_OP_POWER) {
        attrs.value[HOIST_DEVICE_PARAMETER].integer = buda_attr_int(attributes, HOIST_ATTR_EXP, 0);
    } else if (op == HOIST_OP_LRELU) {
        attrs.value[HOIST_DEVICE_PARAMETER].integer =
            hoist_f32_to_bits(slope ? (float)slope->number : 0.01F) >> 16;
    }
    return buda_lower_compute1(d->c, function_of(op), &attrs, from);
}

buda_lower_value buda_device_unary(const buda_device *d, const buda_lower_value *inputs)
{
    const buda_op *op = d->c->view.op;
    const char *unknown = buda_device_unknown_function(d, op->op);
    hoist_device_source source[1] = {HOIST_DEVICE_SOURCE_BF16};
    if (unknown) {
        return buda_device_refuse(d, op->type.pos, unknown);
    }
    if (!buda_device_sources(d, 1, source)) {
        return buda_lower_none();
    }
    return buda_device_packed(
        d, buda_device_applied(d, op->op, buda_device_moved(d, source[0], inputs[0])),
        d->c->view.out_df, &op->attributes);
}

buda_lower_value buda_device_greater(const buda_device *d, buda_lower_value a, buda_lower_value b)
{
    const buda_lower_value both[] = {a, b};
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_DEVICE_ARCH].integer = d->arch;
    attrs.value[HOIST_DEVICE_DEST].integer = d->dest;
    return buda_lower_compute(d->c, HOIST_DEVICE_MAXIMUM, &attrs, both, 2);
}

buda_lower_value buda_device_maximum(const buda_device *d, const buda_lower_value *inputs)
{
    hoist_device_source source[2] = {HOIST_DEVICE_SOURCE_BF16};
    if (!buda_device_sources(d, 2, source)) {
        return buda_lower_none();
    }
    const buda_lower_value a = buda_device_moved(d, source[0], inputs[0]);
    const buda_lower_value b = buda_device_moved(d, source[1], inputs[1]);
    return buda_device_packed(d, buda_device_greater(d, a, b), d->c->view.out_df,
                              &d->c->view.op->attributes);
}
