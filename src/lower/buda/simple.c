// Binary, unary, reduce and plain matmul ops, and relu: buda-ops reference sections 4.2 and 5. For
// ops (op.c) and sub-ops (fused.c) alike; code.c adds the steps. Attributes are those of the op or
// sub-op; missing ones have the reference's defaults.
#include "base/span.h"
#include "lower/buda/state.h"
#include "ops/compute_declared.h"

// Ops that are one compute step.
// clang-format off
// 0 where an op is no single step: those have functions below or in op.c.
static const hoist_compute_op rows[HOIST_OP_COUNT] = {
    [HOIST_OP_ADD]               = HOIST_GOLDEN_ADD,
    [HOIST_OP_SUBTRACT]          = HOIST_GOLDEN_SUBTRACT,
    [HOIST_OP_MULTIPLY]          = HOIST_GOLDEN_MULTIPLY,
    [HOIST_OP_MAXIMUM]           = HOIST_GOLDEN_MAXIMUM,
    [HOIST_OP_MATMUL]            = HOIST_GOLDEN_MATMUL,
    [HOIST_OP_EXP]               = HOIST_GOLDEN_EXP,
    [HOIST_OP_LOG]               = HOIST_GOLDEN_LOG,
    [HOIST_OP_SQRT]              = HOIST_GOLDEN_SQRT,
    [HOIST_OP_GELU]              = HOIST_GOLDEN_GELU,
    [HOIST_OP_GELU_DERIVATIVE]   = HOIST_GOLDEN_GELU_DERIVATIVE,
    [HOIST_OP_RECIPROCAL]        = HOIST_GOLDEN_RECIPROCAL,
    [HOIST_OP_SIGMOID]           = HOIST_GOLDEN_SIGMOID,
    [HOIST_OP_TANH]              = HOIST_GOLDEN_TANH,
    [HOIST_OP_ABS]               = HOIST_GOLDEN_ABS,
    [HOIST_OP_SINE]              = HOIST_GOLDEN_SINE,
    [HOIST_OP_COSINE]            = HOIST_GOLDEN_COSINE,
    [HOIST_OP_DROPOUT]           = HOIST_GOLDEN_DROPOUT,
    [HOIST_OP_SQUARE]            = HOIST_GOLDEN_SQUARE,
    [HOIST_OP_POWER]             = HOIST_GOLDEN_POWER,
    [HOIST_OP_LRELU]             = HOIST_GOLDEN_LRELU,
};

// By the words of `vector`: r, c, rc, z. z means all of the tile here.
static const hoist_tile_part parts[] = {HOIST_TILE_ROWS, HOIST_TILE_COLUMNS, HOIST_TILE_ALL, HOIST_TILE_ALL};
// By the words of `dim`: r, c, rc, z.
static const hoist_tile_axis axes[] = {HOIST_AXIS_ROW, HOIST_AXIS_COLUMN, HOIST_AXIS_BOTH, HOIST_AXIS_Z};
// clang-format on

// Index of the word of attribute `which`, `absent` when it is not there or unknown.
static size_t word_of(const buda_attributes *attributes, hoist_attr which, size_t absent)
{
    const buda_attribute *attribute = buda_attr_find(attributes, which);
    return attribute && attribute->word >= 0 ? (size_t)attribute->word : absent;
}

// `word` 2 is rc, the default.
buda_lower_value buda_lower_unary(buda_lower_code *c, const buda_lower_simple *simple, hoist_op op,
                                  buda_lower_value input)
{
    const buda_attributes *attributes = simple->attributes;
    const buda_attribute *slope = buda_attr_find(attributes, HOIST_ATTR_SLOPE);
    hoist_compute_attrs attrs = {0};
    const size_t word = word_of(attributes, HOIST_ATTR_VECTOR, 2);
    attrs.value[HOIST_UNARY_VECTOR].integer =
        simple->whole_tiles || word >= HOIST_COUNT_OF(parts) ? HOIST_TILE_ALL : parts[word];
    switch (op) {
    case HOIST_OP_LRELU:
        // The default of section 1.6.
        attrs.value[HOIST_LRELU_SLOPE].number = slope ? (float)slope->number : 0.01F;
        break;
    case HOIST_OP_POWER:
        attrs.value[HOIST_POWER_EXPONENT].integer = buda_attr_int(attributes, HOIST_ATTR_EXP, 0);
        break;
    case HOIST_OP_DROPOUT:
        attrs.value[HOIST_DROPOUT_P].number = (float)buda_attr_float(attributes, HOIST_ATTR_P);
        // The reference draws from its own generator and has no seed per op; declared numerics
        // have.
        if (buda_lower_numerics(c->l) == HOIST_NUMERICS_DECLARED) {
            attrs.value[HOIST_DECLARED_SEED].integer =
                (uint32_t)buda_attr_int(attributes, HOIST_ATTR_SEED, 0);
            return buda_lower_compute1(c, HOIST_DECLARED_DROPOUT, &attrs, input);
        }
        break;
    default:
        break;
    }
    return buda_lower_compute1(c, rows[op], &attrs, input);
}

// dim z sums groups of z slices; the other dims reduce within a slice.
static buda_lower_value reduce(buda_lower_code *c, const buda_attributes *attributes,
                               buda_lower_value input)
{
    hoist_compute_attrs attrs = {0};
    const size_t word = word_of(attributes, HOIST_ATTR_DIM, HOIST_COUNT_OF(axes));
    if (word >= HOIST_COUNT_OF(axes)) {
        buda_lower_refuse(c->l, RUN_002, c->view.op->name.pos, "op '%.*s' reduces without dim",
                          HOIST_STR_ARGS(c->label));
        return buda_lower_none();
    }
    attrs.value[HOIST_REDUCE_DIM].integer = axes[word];
    attrs.value[HOIST_REDUCE_GROUP].integer =
        axes[word] == HOIST_AXIS_Z ? buda_attr_int(attributes, HOIST_ATTR_Z, 0) : 0;
    return buda_lower_compute1(c, HOIST_GOLDEN_REDUCE, &attrs, input);
}

static buda_lower_value add_scalar(buda_lower_code *c, buda_lower_value a, float value)
{
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_ADD_SCALAR_VALUE].number = value;
    return buda_lower_compute1(c, HOIST_GOLDEN_ADD_SCALAR, &attrs, a);
}

// The order of roundings differs: dequantization shifts first, quantization scales first.
buda_lower_value buda_lower_scaled(buda_lower_code *c, buda_lower_value a, buda_lower_value scale,
                                   float zero_point, bool dequantize)
{
    if (dequantize) {
        a = add_scalar(c, a, -zero_point);
        return buda_lower_compute2(c, HOIST_GOLDEN_MULTIPLY, a, scale);
    }
    a = buda_lower_compute2(c, HOIST_GOLDEN_MULTIPLY, a, scale);
    return add_scalar(c, a, zero_point);
}

// Of ops and sub-ops alike; max_inputs UINT8_MAX is "any number".
static bool has_inputs(buda_lower_code *c, const buda_lower_simple *simple, size_t count)
{
    const hoist_op_def *def = hoist_op_get(simple->op);
    if (count >= def->min_inputs && (def->max_inputs == UINT8_MAX || count <= def->max_inputs)) {
        return true;
    }
    buda_lower_refuse(c->l, RUN_003, simple->pos, "%s of op '%.*s' has %zu inputs, expected %u%s",
                      def->name, HOIST_STR_ARGS(c->label), count, (unsigned)def->min_inputs,
                      def->max_inputs == def->min_inputs ? "" : " or more");
    return false;
}

// Kinds that sub-ops may have, too; the others are op.c's.
buda_lower_value buda_lower_simple_op(buda_lower_code *c, const buda_lower_simple *simple,
                                      const buda_lower_value *inputs, size_t count)
{
    if (!has_inputs(c, simple, count)) {
        return buda_lower_none();
    }
    switch (hoist_op_get(simple->op)->family) {
    case HOIST_FAMILY_BINARY:
        if (buda_op_is_quantization(simple->op)) {
            return buda_lower_scaled(c, inputs[0], inputs[1], simple->zero_point,
                                     simple->op == HOIST_OP_DEQUANTIZATION);
        }
        return buda_lower_compute(c, rows[simple->op], NULL, inputs, 2);
    case HOIST_FAMILY_MATMUL:
        return buda_lower_matmul(c, simple->attributes, inputs, count);
    case HOIST_FAMILY_UNARY: // nop, datacopy: the value itself
        return inputs[0];
    case HOIST_FAMILY_SFPU:
        return buda_lower_unary(c, simple, simple->op, inputs[0]);
    case HOIST_FAMILY_REDUCE:
        return reduce(c, simple->attributes, inputs[0]);
    default:
        buda_lower_refuse(c->l, RUN_001, simple->pos, "op '%.*s' has a %s, which is not run here",
                          HOIST_STR_ARGS(c->label), hoist_op_get(simple->op)->name);
        return buda_lower_none();
    }
}

// Mode max clips from above, min and none from below.
buda_lower_value buda_lower_relu(buda_lower_code *c, const buda_attributes *attributes,
                                 buda_lower_value from)
{
    if (!buda_attr_bool(attributes, HOIST_ATTR_RELU_EN)) {
        return from;
    }
    const bool upper = buda_attr_is(attributes, HOIST_ATTR_RELU_MODE, "max");
    hoist_compute_attrs attrs = {0};
    attrs.value[HOIST_RELU_THRESHOLD].number =
        (float)buda_attr_float(attributes, HOIST_ATTR_RELU_THRESHOLD);
    return buda_lower_compute1(c, upper ? HOIST_GOLDEN_RELU_MAX : HOIST_GOLDEN_RELU_MIN, &attrs,
                               from);
}
