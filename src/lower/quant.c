// Steps over quantised tensors, below quant_layers.c and quant_plain.c: multipliers of float
// factors, constants, operands that fit a row of ops/compute_quant.h. In: views (views.h) and
// numbers. Out: steps of the function that is being built, or the reason in `why`.
#include "lower/quant.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/reader.h"
#include "base/span.h"
#include "lower/quant_steps.h"

// `space` is where constants are put. Every layer has the place and label that the caller sets
// before.
void hoist_quant_init(hoist_quant_layers *layers, hoist_lower_context *c, hoist_ref space)
{
    *layers = (hoist_quant_layers){.c = c,
                                   .space = space,
                                   .loc = hoist_loc_none(),
                                   .label = HOIST_STR(""),
                                   .zeros = HOIST_NO_REF};
}

// Numbers ---------------------------------------------------------------------------------------

// Keeps the sentence that the caller reports as RUN_030 or RUN_033.
hoist_status hoist_quant_refuse(hoist_quant_layers *layers, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(layers->why, sizeof layers->why, format, args);
    va_end(args);
    return HOIST_UNSUPPORTED;
}

// The range is that of gemmlowp's representation: a mantissa of 31 bits and an exponent that shifts
// an int32.
hoist_status hoist_quant_factor(hoist_quant_layers *layers, double factor,
                                hoist_multiplier *out_multiplier)
{
    return hoist_quantize_multiplier(factor, out_multiplier) == HOIST_OK
               ? HOIST_OK
               : hoist_quant_refuse(layers,
                                    "the ratio of scales is %g, expected 0 or more and below 2^30",
                                    factor);
}

// Values beyond 32 bits stay beyond 32 bits, so that the row of the step refuses them.
int64_t hoist_quant_rounded(double number)
{
    const double most = 0x1p40; // beyond any number of 32 bits
    return number >= -most && number <= most ? (int64_t)rint(number)
           : number < 0                      ? -(int64_t)most
                                             : (int64_t)most;
}

// Integers of at most 32 bits, which have a zero point and limits.
static bool is_counted(hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    return info->bits <= 32 &&
           (info->kind == HOIST_CLASS_SIGNED || info->kind == HOIST_CLASS_UNSIGNED);
}

hoist_quant_limits hoist_quant_all(const hoist_lower_view *view)
{
    if (!is_counted(view->dtype)) {
        return (hoist_quant_limits){0, 0};
    }
    return (hoist_quant_limits){(double)(hoist_quant_least(view->dtype) - view->zero),
                                (double)(hoist_quant_greatest(view->dtype) - view->zero)};
}

// Constants -------------------------------------------------------------------------------------

// Constants are numbered in one sequence of the program: "constant/0".
hoist_ref hoist_quant_constant(hoist_quant_layers *layers, hoist_bytes bytes)
{
    HOIST_ASSERT(bytes.data || bytes.size == 0);
    const hoist_str name =
        hoist_lower_numbered(layers->c, HOIST_STR("constant"), &layers->c->constants);
    if (!name.data) {
        return HOIST_NO_REF;
    }
    return hoist_builder_buffer(layers->c->b,
                                &(hoist_prog_buffer){.name = name,
                                                     .loc = layers->loc,
                                                     .space = layers->space,
                                                     .size = bytes.size,
                                                     .alignment = 1,
                                                     .window_of = HOIST_NO_REF,
                                                     .contents = HOIST_CONTENTS_BYTES,
                                                     .bytes = bytes,
                                                     .lifetime = HOIST_LIFETIME_CONSTANT,
                                                     .layout = HOIST_NO_REF});
}

// A view with stride 0 over one element: zeros of any length are four (or eight) bytes.
hoist_lower_view hoist_quant_zeros(hoist_quant_layers *layers, hoist_dtype dtype, int64_t count)
{
    static const uint8_t zeros[sizeof(int64_t)] = {0};
    const size_t size = hoist_dtype_get(dtype)->bits / 8U;
    const bool is_wide = size > sizeof(int32_t); // zeros of 64 bits are not shared
    hoist_ref of = is_wide ? HOIST_NO_REF : layers->zeros;
    if (of == HOIST_NO_REF) {
        of = hoist_quant_constant(layers, (hoist_bytes){zeros, size});
    }
    layers->zeros = is_wide ? layers->zeros : of;
    const hoist_shape shape = {.rank = 1, .dim = {count}};
    hoist_lower_view view = hoist_lower_view_dense(of, dtype, &shape);
    view.stride[0] = 0;
    return view;
}

// Steps -----------------------------------------------------------------------------------------

// The builder's status. Where it is HOIST_OK but a reference is missing, a name could not be made:
// HOIST_NO_MEMORY.
static hoist_status status_of(const hoist_quant_layers *layers, bool complete)
{
    const hoist_status status = hoist_builder_status(layers->c->b);
    return status != HOIST_OK ? status : complete ? HOIST_OK : HOIST_NO_MEMORY;
}

// The same rule that the verifier applies, so that no program is built which it would refuse.
static hoist_status check_operands(hoist_quant_layers *layers, const hoist_quant_step *step)
{
    const hoist_compute_def *def = hoist_compute_get(step->op);
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    HOIST_ASSERT((size_t)def->inputs + 1 <= HOIST_COUNT_OF(operands));
    for (size_t i = 0; i < (size_t)def->inputs + 1; i++) {
        const hoist_lower_view *view = step->operands[i];
        HOIST_ASSERT(view);
        operands[i] = (hoist_compute_operand){view->dtype, view->shape};
    }
    return hoist_compute_fits(step->op, &step->attrs, operands, layers->why) == HOIST_FIT_OK
               ? HOIST_OK
               : HOIST_UNSUPPORTED;
}

// The only way to a compute step; operands are inputs, then the one output.
hoist_status hoist_quant_compute(hoist_quant_layers *layers, const hoist_quant_step *step)
{
    const size_t inputs = hoist_compute_get(step->op)->inputs;
    hoist_ref views[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    bool complete = true;
    HOIST_TRY(status_of(layers, true));
    HOIST_TRY(check_operands(layers, step));
    for (size_t i = 0; i <= inputs; i++) {
        complete = complete && step->operands[i]->of != HOIST_NO_REF;
        views[i] = complete ? hoist_lower_view_ref(layers->c->b, step->operands[i]) : HOIST_NO_REF;
    }
    HOIST_TRY(status_of(layers, complete));
    const hoist_prog_compute compute = {.op = step->op,
                                        .attrs = step->attrs,
                                        .inputs = views,
                                        .input_count = (uint32_t)inputs,
                                        .outputs = views + inputs,
                                        .output_count = 1};
    (void)hoist_builder_step(layers->c->b, &(hoist_prog_step){.kind = HOIST_STEP_COMPUTE,
                                                              .loc = layers->loc,
                                                              .label = layers->label,
                                                              .as.compute = &compute});
    return hoist_builder_status(layers->c->b);
}

// Elements in C order on both sides: shapes may differ, counts and types may not.
hoist_status hoist_quant_copy(hoist_quant_layers *layers, const hoist_quant_unary *layer)
{
    const hoist_lower_view *x = &layer->x;
    const hoist_lower_view *y = &layer->y;
    const int64_t count = hoist_shape_count(&x->shape);
    if (x->dtype != y->dtype) {
        return hoist_quant_refuse(layers, "x is %s, y is %s", hoist_dtype_get(x->dtype)->name,
                                  hoist_dtype_get(y->dtype)->name);
    }
    if (count != hoist_shape_count(&y->shape)) {
        return hoist_quant_refuse(layers, "x has %" PRId64 " elements, y has %" PRId64, count,
                                  hoist_shape_count(&y->shape));
    }
    HOIST_TRY(status_of(layers, x->of != HOIST_NO_REF && y->of != HOIST_NO_REF));
    const hoist_move_source source = {.view = hoist_lower_view_ref(layers->c->b, x), .scale = 1};
    const hoist_prog_move move = {.op = HOIST_MOVE_COPY,
                                  .destination = hoist_lower_view_ref(layers->c->b, y),
                                  .sources = &source,
                                  .source_count = 1};
    (void)hoist_builder_step(layers->c->b, &(hoist_prog_step){.kind = HOIST_STEP_MOVE,
                                                              .loc = layers->loc,
                                                              .label = layers->label,
                                                              .as.move = &move});
    return hoist_builder_status(layers->c->b);
}

// One element with a stride of 0 is moved to all of y; the zero point has to be a number of y's
// type.
hoist_status hoist_quant_fill(hoist_quant_layers *layers, const hoist_lower_view *y)
{
    const size_t size = (size_t)(hoist_dtype_get(y->dtype)->bits + 7) / 8;
    uint8_t *bytes = hoist_lower_array(layers->c, 1, sizeof(uint64_t));
    if (!bytes) {
        return HOIST_NO_MEMORY;
    }
    if (y->zero != 0 && (!is_counted(y->dtype) || y->zero < hoist_quant_least(y->dtype) ||
                         y->zero > hoist_quant_greatest(y->dtype))) {
        return hoist_quant_refuse(layers, "the zero point of y is %" PRId64 ", and y is %s",
                                  y->zero, hoist_dtype_get(y->dtype)->name);
    }
    hoist_store_u64le(bytes, (uint64_t)y->zero);
    const hoist_shape one = {.rank = 0};
    hoist_quant_unary layer = {.y = *y};
    layer.x = hoist_lower_view_dense(hoist_quant_constant(layers, (hoist_bytes){bytes, size}),
                                     y->dtype, &one);
    (void)hoist_lower_view_broadcast(&layer.x, &y->shape, &layer.x); // one element always can be
    return hoist_quant_copy(layers, &layer);
}
