// SVDF: each input gives a number to each filter by a dense layer; a variable keeps those of the
// last times, oldest first, and an output is the sum of those of its filters, with a weight for
// each time. In: the operands. Out: steps of lower/quant_plain.h, and a move of the times by one.
#include <inttypes.h>
#include <math.h>

#include "lower/quant_plain.h"
#include "lower/tflite/state.h"

enum { INPUT, FEATURES, TIMES, BIAS, STATE, INPUTS };

// One operator; values are borrowed from the job.
typedef struct svdf {
    tflite_lower_job *j;
    const tflite_lower_op *op;
    const tflite_lower_value *x, *features, *times, *state, *y;
    const tflite_lower_value *bias; // NULL: none
    hoist_lower_view kept;          // [batch, filters, times]
    hoist_lower_view newest;        // [batch, filters]
    int64_t filters, units, count;  // `count` times
    int64_t each;                   // numbers of a unit: of its filters, at all times
    int8_t activation;
} svdf;

static bool is_real(const svdf *s)
{
    return s->x->view.dtype == HOIST_DTYPE_F32;
    // True when a step was added.
}

static bool end(const svdf *s, hoist_status status)
{
    tflite_lower_end(s->j, s->op, status);
    return status == HOIST_OK;
}

static bool is_matrix(const tflite_lower_value *v, int64_t rows, int64_t columns)
{
    const hoist_shape *shape = &v->view.shape;
    return shape->rank == 2 && shape->dim[0] == rows && shape->dim[1] == columns;
}

// Fills the operands and the counts that follow from their shapes; false: they do not belong
// together, which was reported.
static bool fill(svdf *s, int32_t rank)
{
    const tflite_lower_op *op = s->op;
    const bool has_bias = tflite_lower_has_input(op, BIAS);
    s->x = tflite_lower_input(s->j, op, INPUT);
    s->features = tflite_lower_input(s->j, op, FEATURES);
    s->times = tflite_lower_input(s->j, op, TIMES);
    s->state = tflite_lower_input(s->j, op, STATE);
    s->bias = has_bias ? tflite_lower_input(s->j, op, BIAS) : NULL;
    s->y = tflite_lower_output(s->j, op, 0);
    if (!s->x || !s->features || !s->times || !s->state || !s->y || (has_bias && !s->bias)) {
        return false;
    }
    if (!s->state->tensor->is_variable) {
        return tflite_lower_misfit(s->j, RUN_030, op, "input %d is no variable", STATE);
    }
    const hoist_shape *x = &s->x->view.shape;
    const hoist_shape *times = &s->times->view.shape;
    s->filters = times->dim[0];
    s->count = times->dim[1];
    s->units = rank > 0 ? s->filters / rank : 0; // filters of a unit are summed up
    s->each = rank * s->count;
    if (x->rank != 2 || times->rank != 2 || rank < 1 || s->filters % rank != 0 || s->units < 1 ||
        s->count < 1 || !is_matrix(s->features, s->filters, x->dim[1]) ||
        !is_matrix(s->y, x->dim[0], s->units) ||
        !is_matrix(s->state, x->dim[0], s->filters * s->count)) {
        return tflite_lower_misfit(s->j, RUN_030, op,
                                   "the shapes are not those of filters of rank %" PRId32, rank);
    }
    const hoist_shape kept = {.rank = 3, .dim = {x->dim[0], s->filters, s->count}};
    (void)hoist_lower_view_reshape(&s->state->view, &kept, &s->kept); // it is dense
    s->kept.zero = 0; // TFLite takes no zero point of states
    s->newest = hoist_lower_view_at(&s->kept, 2, s->count - 1);
    return true;
}

// scale a * scale b / scale c, rounded to float32 after each operation, as the kernel computes it;
// false: one has no scale, which was reported.
static bool factor_of(const svdf *s, const tflite_lower_value *a, const tflite_lower_value *b,
                      const tflite_lower_value *c, double *out_factor)
{
    float scales[3] = {0};
    const tflite_lower_value *const values[] = {a, b, c};
    for (size_t i = 0; i < 3; i++) {
        if (!tflite_lower_scale(s->j, s->op, values[i], &scales[i])) {
            return false;
        }
    }
    const float product = scales[0] * scales[1];
    *out_factor = (double)(product / scales[2]);
    return true;
}

// The newest number of each filter: x * features^T, into the last column of the state.
static bool add_features(const svdf *s)
{
    static const hoist_quant_limits all = {-(double)INFINITY, (double)INFINITY};
    double factor = 0;
    if (is_real(s)) {
        const hoist_quant_products layer = {
            .x = s->x->view, .weights = s->features->view, .y = s->newest, .limits = all};
        return end(s, hoist_plain_dense(&s->j->layers, &layer));
    }
    if (!factor_of(s, s->x, s->features, s->state, &factor)) {
        return false;
    }
    const hoist_plain_short_dense layer = {
        .x = s->x->view, .weights = s->features->view, .y = s->newest, .factor = factor};
    return end(s, hoist_plain_add_short_dense(&s->j->layers, &layer));
}

// Float32: sums over rank * times are a grouped 1x1 convolution, whose groups are the units. That
// row has a bias and an activation, unlike sums along an axis.
static bool add_real_sums(const svdf *s)
{
    const int64_t batch = s->x->view.shape.dim[0];
    const hoist_shape from = {.rank = 4, .dim = {batch, 1, 1, s->units * s->each}};
    const hoist_shape weights = {.rank = 4, .dim = {s->units, 1, 1, s->each}};
    const hoist_shape to = {.rank = 4, .dim = {batch, 1, 1, s->units}};
    hoist_quant_products layer = {
        .window = {.stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1},
        .bias = s->bias ? &s->bias->view : NULL};
    tflite_lower_reals range;
    if (!tflite_lower_range(s->j, s->op, s->activation, &range)) {
        return false;
    }
    layer.limits = (hoist_quant_limits){(double)range.from, (double)range.to};
    if (!hoist_lower_view_reshape(&s->kept, &from, &layer.x) ||
        !hoist_lower_view_reshape(&s->times->view, &weights, &layer.weights) ||
        !hoist_lower_view_reshape(&s->y->view, &to, &layer.y)) {
        return tflite_lower_misfit(s->j, RUN_030, s->op, "the shapes are not those of its units");
    }
    return end(s, hoist_plain_windows(&s->j->layers, HOIST_TFLITE_CONV_F32, &layer));
}

// Integers: a row of the matrix by the row of weights for each unit. They are clamped to their
// type, whatever the activation says, as in the kernel.
static bool add_sums(const svdf *s)
{
    const int64_t batch = s->x->view.shape.dim[0];
    const hoist_shape from = {.rank = 3, .dim = {batch, s->units, s->each}};
    const hoist_shape weights = {.rank = 2, .dim = {s->units, s->each}};
    hoist_plain_short_rows layer = {.y = s->y->view, .bias = s->bias ? &s->bias->view : NULL};
    if (!factor_of(s, s->state, s->times, s->y, &layer.factor)) {
        return false;
    }
    if (!hoist_lower_view_reshape(&s->kept, &from, &layer.x) ||
        !hoist_lower_view_reshape(&s->times->view, &weights, &layer.weights)) {
        return tflite_lower_misfit(s->j, RUN_030, s->op, "the shapes are not those of its units");
    }
    return end(s, hoist_plain_add_short_rows(&s->j->layers, &layer));
}

// Shifts the state by one time, for the next run: source and target overlap, so the numbers go
// through a tensor of their own. The last column becomes 0.
static bool move_times(const svdf *s)
{
    const hoist_lower_range later = {1, 1, s->count - 1};
    const hoist_lower_range earlier = {0, 1, s->count - 1};
    hoist_quant_unary layer = {hoist_lower_view_part(&s->kept, 2, later), s->kept};
    bool good = true;
    if (s->count > 1) {
        layer.y = tflite_lower_scratch(s->j, "times", s->kept.dtype, &layer.x.shape);
        good = end(s, hoist_quant_copy(&s->j->layers, &layer));
        layer = (hoist_quant_unary){layer.y, hoist_lower_view_part(&s->kept, 2, earlier)};
        good = good && end(s, hoist_quant_copy(&s->j->layers, &layer));
    }
    return good && end(s, hoist_quant_fill(&s->j->layers, &s->newest));
}

// The order is the kernel's (svdf.cc): features, sums, and only then the shift.
void tflite_lower_svdf(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_svdf_options *o = op->options;
    svdf s = {.j = j, .op = op, .activation = o->fused_activation_function};
    if (tflite_count(op->row->inputs) != INPUTS || !tflite_lower_has_input(op, STATE)) {
        tflite_lower_misfit(j, RUN_030, op, "expected %d inputs, the last one a variable", INPUTS);
        return;
    }
    if (fill(&s, o->rank) && add_features(&s) && (is_real(&s) ? add_real_sums(&s) : add_sums(&s))) {
        (void)move_times(&s);
    }
}
