// Layers without requantization (quant_plain.h): operators of one type, element by element,
// products, gathers. In: views of integers or float32. Out: one step by quant.c each.
#include "lower/quant_plain.h"

#include <math.h>

#include "base/reader.h"
#include "lower/quant_steps.h"

// Attributes of rows are integers or float32 (ops/compute.h).
#define INTEGER(x) ((hoist_compute_value){.integer = (x)})
#define REAL(x) ((hoist_compute_value){.number = (float)(x)})

// Element by element ----------------------------------------------------------------------------

hoist_status hoist_plain_pair(hoist_quant_layers *layers, hoist_compute_op op,
                              const hoist_quant_pair *pair)
{
    hoist_quant_step step = {.op = op};
    hoist_lower_view views[2];
    const hoist_compute_def *def = hoist_compute_get(op);
    HOIST_TRY(hoist_quant_put_pair(layers, pair, views, &step));
    // Rows with limits have them at fixed places; comparisons and choices have none.
    if (def->attr_count > HOIST_PLAIN_HIGH) {
        const bool is_real = def->attrs[HOIST_PLAIN_LOW].kind == HOIST_COMPUTE_FLOAT;
        const hoist_quant_limits l = pair->limits;
        step.attrs.value[HOIST_PLAIN_LOW] =
            is_real ? REAL(l.low) : INTEGER(hoist_quant_rounded(l.low));
        step.attrs.value[HOIST_PLAIN_HIGH] =
            is_real ? REAL(l.high) : INTEGER(hoist_quant_rounded(l.high));
    }
    return hoist_quant_compute(layers, &step);
}

hoist_status hoist_plain_unary(hoist_quant_layers *layers, hoist_compute_op op,
                               const hoist_quant_unary *layer)
{
    const hoist_quant_step step = {.op = op, .operands = {&layer->x, &layer->y}};
    return hoist_quant_compute(layers, &step);
}

// Layers of float32 -----------------------------------------------------------------------------

static hoist_lower_view real_zeros(hoist_quant_layers *layers, int64_t count)
{
    return hoist_quant_zeros(layers, HOIST_DTYPE_F32, count); // of the same bits
}

// The common end of products in float32: no zero points or scales, limits from attribute `low` on.
static hoist_status add_products(hoist_quant_layers *layers, const hoist_quant_products *layer,
                                 const hoist_quant_step *begun, size_t low)
{
    hoist_quant_step step = *begun;
    const hoist_shape *y = &layer->y.shape;
    const int64_t channels = y->rank > 0 ? y->dim[y->rank - 1] : 1;
    const hoist_lower_view bias = layer->bias ? *layer->bias : real_zeros(layers, channels);
    step.attrs.value[low] = REAL(layer->limits.low);
    step.attrs.value[low + 1] = REAL(layer->limits.high);
    step.operands[0] = &layer->x;
    step.operands[1] = &layer->weights;
    step.operands[2] = &bias;
    step.operands[3] = &layer->y;
    return hoist_quant_compute(layers, &step);
}

hoist_status hoist_plain_windows(hoist_quant_layers *layers, hoist_compute_op op,
                                 const hoist_quant_products *layer)
{
    hoist_quant_step step = {.op = op};
    hoist_quant_put_window(&step, &layer->window);
    return add_products(layers, layer, &step, HOIST_CONV_F32_LOW);
}

hoist_status hoist_plain_dense(hoist_quant_layers *layers, const hoist_quant_products *layer)
{
    hoist_quant_step step = {.op = HOIST_TFLITE_DENSE_F32};
    return add_products(layers, layer, &step, HOIST_PLAIN_LOW);
}

// x + 0 with limits: the row of sums is the one that clamps.
hoist_status hoist_plain_clamp(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                               hoist_quant_limits limits)
{
    const hoist_quant_pair pair = {layer->x, real_zeros(layers, 1), layer->y, limits};
    return hoist_plain_pair(layers, HOIST_TFLITE_ADD_F32, &pair);
}

hoist_status hoist_plain_softmax(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                                 float beta)
{
    hoist_quant_step step = {.op = HOIST_TFLITE_SOFTMAX_F32, .operands = {&layer->x, &layer->y}};
    step.attrs.value[HOIST_SOFTMAX_F32_BETA] = REAL(beta);
    return hoist_quant_compute(layers, &step);
}

// A number as a rank-0 tensor, to be broadcast; false: there is no memory.
static bool real_constant(hoist_quant_layers *layers, float number, hoist_lower_view *out_view)
{
    const hoist_shape one = {.rank = 0};
    const union {
        float number;
        uint32_t bits;
    } value = {number};
    uint8_t *bytes = hoist_lower_array(layers->c, 1, sizeof value);
    if (!bytes) {
        return false;
    }
    hoist_store_u32le(bytes, value.bits);
    const hoist_ref constant = hoist_quant_constant(layers, (hoist_bytes){bytes, sizeof value});
    *out_view = hoist_lower_view_dense(constant, HOIST_DTYPE_F32, &one);
    return true;
}

hoist_status hoist_plain_leaky(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                               float slope)
{
    hoist_quant_pair pair = {.a = layer->x, .y = layer->y};
    return real_constant(layers, slope, &pair.b)
               ? hoist_plain_pair(layers, HOIST_TFLITE_PRELU_F32, &pair)
               : HOIST_NO_MEMORY;
}

hoist_status hoist_plain_number(hoist_quant_layers *layers, hoist_compute_op op, float number,
                                const hoist_quant_unary *layer)
{
    hoist_quant_pair pair = {
        .b = layer->x, .y = layer->y, .limits = {-(double)INFINITY, (double)INFINITY}};
    return real_constant(layers, number, &pair.a) ? hoist_plain_pair(layers, op, &pair)
                                                  : HOIST_NO_MEMORY;
}

// Hard swish ------------------------------------------------------------------------------------

// A factor as m * 2^(shift - 15), from attribute `at` on, rounded to 15 bits as TFLite's HardSwish
// preparation does (DownScaleInt32ToInt16Multiplier).
static hoist_status put_short(hoist_quant_layers *layers, float factor, hoist_compute_value *at)
{
    hoist_multiplier m;
    HOIST_TRY(hoist_quant_factor(layers, (double)factor, &m));
    const int64_t rounded = ((int64_t)m.multiplier + (1 << 15)) >> 16;
    at[0] = INTEGER(rounded < INT16_MAX ? rounded : INT16_MAX);
    at[1] = INTEGER(m.shift);
    return HOIST_OK;
}

hoist_status hoist_plain_swish(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                               float scale_in, float scale_out)
{
    // The input in steps of scale / 128, the ramp x + 3 in steps of 3 / 2^15 (reference_ops
    // HardSwish).
    const float fine = 1.0F / 128 * scale_in;
    const float ramp = 3.0F / 32768;
    hoist_quant_step step = {.op = HOIST_TFLITE_HARD_SWISH, .operands = {&layer->x, &layer->y}};
    hoist_compute_value *value = step.attrs.value;
    value[HOIST_SWISH_ZERO_IN] = INTEGER(layer->x.zero);
    value[HOIST_SWISH_ZERO_OUT] = INTEGER(layer->y.zero);
    HOIST_TRY(put_short(layers, fine / scale_out, &value[HOIST_SWISH_MULTIPLIER]));
    HOIST_TRY(put_short(layers, fine / ramp, &value[HOIST_SWISH_RAMP]));
    return hoist_quant_compute(layers, &step);
}

// Lookups ---------------------------------------------------------------------------------------

// The product of extents `from` to before `to`; it divides the count of a shape, so it does not
// wrap.
static int64_t count_between(const hoist_shape *shape, int from, int to)
{
    int64_t count = 1;
    for (int i = from; i < to; i++) {
        count *= shape->dim[i];
    }
    return count;
}

// The view in another shape; refused where it has other elements.
static hoist_status reshape(hoist_quant_layers *layers, const hoist_lower_view *view,
                            const hoist_shape *shape, hoist_lower_view *out_view)
{
    return hoist_lower_view_reshape(view, shape, out_view)
               ? HOIST_OK
               : hoist_quant_refuse(layers, "the shapes are not what it makes of its input");
}

// [A, M, B]: dimensions before the axis, the axis, those after it, so that the row knows three
// only.
static hoist_shape around(const hoist_shape *shape, int axis)
{
    return (hoist_shape){.rank = 3,
                         .dim = {count_between(shape, 0, axis), shape->dim[axis],
                                 count_between(shape, axis + 1, shape->rank)}};
}

hoist_status hoist_plain_places(hoist_quant_layers *layers, hoist_compute_op op,
                                const hoist_quant_unary *layer, int axis)
{
    hoist_lower_view x;
    hoist_lower_view y;
    const hoist_shape inner = around(&layer->x.shape, axis);
    const hoist_shape outer = {.rank = 2, .dim = {inner.dim[0], inner.dim[2]}};
    const hoist_quant_step step = {.op = op, .operands = {&x, &y}};
    HOIST_TRY(reshape(layers, &layer->x, &inner, &x));
    HOIST_TRY(reshape(layers, &layer->y, &outer, &y));
    return hoist_quant_compute(layers, &step);
}

// [A, M, B] and [K] to [A, K, B], whatever the ranks are.
hoist_status hoist_plain_gather(hoist_quant_layers *layers, const hoist_plain_lookup *layer,
                                int axis)
{
    hoist_lower_view x;
    hoist_lower_view indices;
    hoist_lower_view y;
    const hoist_shape from = around(&layer->x.shape, axis);
    const int64_t count = hoist_shape_count(&layer->indices.shape);
    const hoist_shape line = {.rank = 1, .dim = {count}};
    const hoist_shape to = {.rank = 3, .dim = {from.dim[0], count, from.dim[2]}};
    const hoist_quant_step step = {.op = HOIST_TFLITE_GATHER, .operands = {&x, &indices, &y}};
    HOIST_TRY(reshape(layers, &layer->x, &from, &x));
    HOIST_TRY(reshape(layers, &layer->indices, &line, &indices));
    HOIST_TRY(reshape(layers, &layer->y, &to, &y));
    return hoist_quant_compute(layers, &step);
}

// The row takes four leading axes of x; missing ones are extents of 1 in front.
hoist_status hoist_plain_gather_nd(hoist_quant_layers *layers, const hoist_plain_lookup *layer)
{
    hoist_lower_view x;
    hoist_lower_view indices;
    hoist_lower_view y;
    const hoist_shape *shape = &layer->x.shape;
    const hoist_shape *list = &layer->indices.shape;
    const int64_t depth = list->rank > 0 ? list->dim[list->rank - 1] : 0;
    const int most =
        shape->rank < HOIST_GATHER_MAX_INDICES ? shape->rank : HOIST_GATHER_MAX_INDICES;
    if (depth < 1 || depth > most) {
        return hoist_quant_refuse(layers,
                                  "rows of %lld indices into %d dimensions, expected 1 to %d",
                                  (long long)depth, shape->rank, most);
    }
    const int64_t rows = count_between(list, 0, list->rank - 1);
    const int64_t each = count_between(shape, (int)depth, shape->rank);
    hoist_shape from = {.rank = 5, .dim = {1, 1, 1, 1, each}};
    for (int i = 0; i < (int)depth; i++) {
        from.dim[HOIST_GATHER_MAX_INDICES - (int)depth + i] = shape->dim[i];
    }
    const hoist_shape pairs = {.rank = 2, .dim = {rows, depth}};
    const hoist_shape to = {.rank = 2, .dim = {rows, each}};
    const hoist_quant_step step = {.op = HOIST_TFLITE_GATHER_ND, .operands = {&x, &indices, &y}};
    HOIST_TRY(reshape(layers, &layer->x, &from, &x));
    HOIST_TRY(reshape(layers, &layer->indices, &pairs, &indices));
    HOIST_TRY(reshape(layers, &layer->y, &to, &y));
    return hoist_quant_compute(layers, &step);
}

hoist_status hoist_plain_nearest(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                                 hoist_quant_corners corners)
{
    hoist_quant_step step = {.op = HOIST_TFLITE_RESIZE_NEAREST, .operands = {&layer->x, &layer->y}};
    step.attrs.value[HOIST_RESIZE_ALIGN_CORNERS] = INTEGER(corners.aligned);
    step.attrs.value[HOIST_RESIZE_HALF_PIXEL] = INTEGER(corners.half_pixel);
    return hoist_quant_compute(layers, &step);
}

hoist_status hoist_plain_add_detections(hoist_quant_layers *layers,
                                        const hoist_plain_detections *layer)
{
    hoist_quant_step step = {
        .op = HOIST_TFLITE_DETECTIONS_F32,
        .operands = {&layer->boxes, &layer->scores, &layer->anchors, &layer->y}};
    hoist_compute_value *value = step.attrs.value;
    value[HOIST_DETECTIONS_MOST] = INTEGER(layer->most);
    value[HOIST_DETECTIONS_EACH] = INTEGER(layer->each);
    value[HOIST_DETECTIONS_CLASSES] = INTEGER(layer->classes);
    value[HOIST_DETECTIONS_PER_CLASS] = INTEGER(layer->per_class);
    value[HOIST_DETECTIONS_REGULAR] = INTEGER(layer->is_regular);
    value[HOIST_DETECTIONS_SCORE] = REAL(layer->least_score);
    value[HOIST_DETECTIONS_OVERLAP] = REAL(layer->most_overlap);
    for (size_t i = 0; i < 4; i++) { // y, x, h, w, one attribute after the other
        value[HOIST_DETECTIONS_Y_SCALE + i] = REAL(layer->scales[i]);
    }
    return hoist_quant_compute(layers, &step);
}

// Two steps: roots are collected and sorted first, so that the second has them in order of score.
hoist_status hoist_plain_add_poses(hoist_quant_layers *layers, const hoist_plain_poses *layer)
{
    hoist_quant_step roots = {.op = HOIST_TFLITE_POSE_ROOTS_F32,
                              .operands = {&layer->scores, &layer->roots}};
    hoist_quant_step step = {
        .op = HOIST_TFLITE_POSES_F32,
        .operands = {&layer->roots, &layer->scores, &layer->shorts, &layer->mids, &layer->y}};
    hoist_compute_value *value = step.attrs.value;
    roots.attrs.value[HOIST_POSE_ROOTS_SCORE] = REAL(layer->score);
    value[HOIST_POSES_MOST] = INTEGER(layer->most);
    value[HOIST_POSES_SCORE] = REAL(layer->score);
    value[HOIST_POSES_STRIDE] = INTEGER(layer->stride);
    value[HOIST_POSES_RADIUS] = REAL(layer->radius);
    HOIST_TRY(hoist_quant_compute(layers, &roots));
    return hoist_quant_compute(layers, &step);
}

hoist_status hoist_plain_add_pose_masks(hoist_quant_layers *layers,
                                        const hoist_plain_pose_masks *layer)
{
    hoist_quant_step step = {.op = HOIST_TFLITE_POSE_MASKS_F32,
                             .operands = {&layer->poses, &layer->longs, &layer->y}};
    step.attrs.value[HOIST_POSE_MASKS_STRIDE] = INTEGER(layer->stride);
    return hoist_quant_compute(layers, &step);
}

// LSTM cells ------------------------------------------------------------------------------------

hoist_status hoist_plain_add_short_dense(hoist_quant_layers *layers,
                                         const hoist_plain_short_dense *layer)
{
    const hoist_lower_view bias =
        layer->bias ? *layer->bias
                    : hoist_quant_zeros(layers, HOIST_DTYPE_I32, layer->weights.shape.dim[0]);
    // Zeros have one buffer of four bytes, whatever their type.
    hoist_lower_view a = layer->a ? *layer->a : hoist_quant_zeros(layers, HOIST_DTYPE_I32, 1);
    if (!layer->a) {
        a.dtype = HOIST_DTYPE_I16; // of the same bits
        (void)hoist_lower_view_broadcast(&a, &layer->y.shape, &a);
    }
    hoist_quant_step step = {.op = HOIST_TFLITE_DENSE_I16,
                             .operands = {&layer->x, &layer->weights, &bias, &a, &layer->y}};
    hoist_multiplier m;
    HOIST_TRY(hoist_quant_factor(layers, layer->factor, &m));
    step.attrs.value[HOIST_SHORT_ZERO] = INTEGER(layer->x.zero);
    step.attrs.value[HOIST_SHORT_MULTIPLIER] = INTEGER(m.multiplier);
    step.attrs.value[HOIST_SHORT_SHIFT] = INTEGER(m.shift);
    return hoist_quant_compute(layers, &step);
}

// Used by SVDF: each unit has its own row of weights and times.
hoist_status hoist_plain_add_short_rows(hoist_quant_layers *layers,
                                        const hoist_plain_short_rows *layer)
{
    const hoist_lower_view bias =
        layer->bias ? *layer->bias
                    : hoist_quant_zeros(layers, HOIST_DTYPE_I32, layer->weights.shape.dim[0]);
    hoist_quant_step step = {.op = HOIST_TFLITE_DENSE_I16_I8,
                             .operands = {&layer->x, &layer->weights, &bias, &layer->y}};
    hoist_multiplier m;
    HOIST_TRY(hoist_quant_factor(layers, layer->factor, &m));
    step.attrs.value[HOIST_SHORT_ZERO] = INTEGER(layer->y.zero);
    step.attrs.value[HOIST_SHORT_MULTIPLIER] = INTEGER(m.multiplier);
    step.attrs.value[HOIST_SHORT_SHIFT] = INTEGER(m.shift);
    return hoist_quant_compute(layers, &step);
}

// Limits of LSTM cells are steps of i16; infinite ones are its range.
static int64_t within_short(double number)
{
    const int64_t rounded = hoist_quant_rounded(number);
    return rounded < INT16_MIN ? INT16_MIN : rounded > INT16_MAX ? INT16_MAX : rounded;
}

hoist_status hoist_plain_short_sum(hoist_quant_layers *layers, const hoist_quant_pair *pair)
{
    hoist_quant_step step = {.op = HOIST_TFLITE_ADD_I16,
                             .operands = {&pair->a, &pair->b, &pair->y}};
    step.attrs.value[HOIST_SHORT_LOW] = INTEGER(within_short(pair->limits.low));
    step.attrs.value[HOIST_SHORT_HIGH] = INTEGER(within_short(pair->limits.high));
    return hoist_quant_compute(layers, &step);
}

hoist_status hoist_plain_short_product(hoist_quant_layers *layers, const hoist_quant_pair *pair,
                                       int shift)
{
    hoist_quant_step step = {.op = HOIST_TFLITE_MULTIPLY_I16,
                             .operands = {&pair->a, &pair->b, &pair->y}};
    step.attrs.value[HOIST_SHORT_DIVIDE] = INTEGER(shift);
    return hoist_quant_compute(layers, &step);
}

// Of the output gate and the cell's activation: Q0.15 * Q0.15 to int8.
hoist_status hoist_plain_short_output(hoist_quant_layers *layers, const hoist_quant_pair *pair,
                                      double factor)
{
    hoist_quant_step step = {.op = HOIST_TFLITE_MULTIPLY_I16_I8,
                             .operands = {&pair->a, &pair->b, &pair->y}};
    hoist_multiplier m;
    HOIST_TRY(hoist_quant_factor(layers, factor, &m));
    step.attrs.value[HOIST_SHORT_ZERO] = INTEGER(pair->y.zero);
    step.attrs.value[HOIST_SHORT_MULTIPLIER] = INTEGER(m.multiplier);
    step.attrs.value[HOIST_SHORT_SHIFT] = INTEGER(m.shift);
    return hoist_quant_compute(layers, &step);
}

hoist_status hoist_plain_short_tanh(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                                    int bits)
{
    hoist_quant_step step = {.op = HOIST_TFLITE_TANH_I16, .operands = {&layer->x, &layer->y}};
    step.attrs.value[HOIST_SHORT_BITS] = INTEGER(bits);
    return hoist_quant_compute(layers, &step);
}
