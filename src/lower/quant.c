// Views of quantised tensors, and steps over them.
#include "lower/quant.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/reader.h"
#include "base/span.h"
#include "lower/quant_steps.h"

void hoist_quant_init(hoist_quant_layers *layers, hoist_builder *b, hoist_arena *arena,
                      hoist_map *names, hoist_ref space)
{
    *layers = (hoist_quant_layers){.b = b,
                                   .arena = arena,
                                   .names = names,
                                   .space = space,
                                   .loc = hoist_loc_none(),
                                   .label = HOIST_STR(""),
                                   .zeros = HOIST_NO_REF};
}

// Views -----------------------------------------------------------------------------------------

static int64_t size_of(hoist_dtype dtype)
{
    return (hoist_dtype_get(dtype)->bits + 7) / 8;
}

hoist_quant_view hoist_quant_dense(hoist_ref buffer, hoist_dtype dtype, const hoist_shape *shape)
{
    HOIST_ASSERT(shape->rank >= 0 && shape->rank <= HOIST_MAX_RANK);
    hoist_quant_view view = {
        .base = HOIST_VIEW_BUFFER, .of = buffer, .dtype = dtype, .shape = *shape};
    int64_t step = size_of(dtype);
    for (int i = shape->rank - 1; i >= 0; i--) {
        view.stride[i] = step;
        step *= shape->dim[i];
    }
    return view;
}

bool hoist_quant_is_dense(const hoist_quant_view *view)
{
    const hoist_quant_view dense = hoist_quant_dense(view->of, view->dtype, &view->shape);
    for (int i = 0; i < view->shape.rank; i++) {
        if (view->shape.dim[i] != 1 && view->stride[i] != dense.stride[i]) {
            return false;
        }
    }
    return true;
}

bool hoist_quant_reshape(const hoist_quant_view *view, const hoist_shape *shape,
                         hoist_quant_view *out_view)
{
    hoist_shape whole; // as far as its elements can be counted
    *out_view = *view;
    if (hoist_shape_init(shape->dim, (size_t)shape->rank, &whole) != HOIST_OK ||
        hoist_shape_count(&whole) != hoist_shape_count(&view->shape) ||
        !hoist_quant_is_dense(view)) {
        return false;
    }
    const hoist_quant_view dense = hoist_quant_dense(view->of, view->dtype, shape);
    out_view->shape = *shape;
    memcpy(out_view->stride, dense.stride, sizeof out_view->stride);
    return true;
}

bool hoist_quant_broadcast(const hoist_quant_view *view, const hoist_shape *shape,
                           hoist_quant_view *out_view)
{
    const int lead = shape->rank - view->shape.rank;
    *out_view = *view;
    if (lead < 0) {
        return false;
    }
    out_view->shape = *shape;
    for (int i = 0; i < shape->rank; i++) {
        const int64_t extent = i < lead ? 1 : view->shape.dim[i - lead];
        if (extent != 1 && extent != shape->dim[i]) {
            return false;
        }
        out_view->stride[i] = extent == shape->dim[i] && i >= lead ? view->stride[i - lead] : 0;
    }
    return true;
}

hoist_quant_view hoist_quant_part(const hoist_quant_view *view, int axis, hoist_quant_range range)
{
    HOIST_ASSERT(axis >= 0 && axis < view->shape.rank);
    hoist_quant_view part = *view;
    part.offset += range.begin * view->stride[axis];
    part.stride[axis] = view->stride[axis] * range.step;
    part.shape.dim[axis] = range.count;
    return part;
}

hoist_quant_view hoist_quant_permute(const hoist_quant_view *view, const int axes[HOIST_MAX_RANK])
{
    hoist_quant_view result = *view;
    for (int i = 0; i < view->shape.rank; i++) {
        HOIST_ASSERT(axes[i] >= 0 && axes[i] < view->shape.rank);
        result.shape.dim[i] = view->shape.dim[axes[i]];
        result.stride[i] = view->stride[axes[i]];
    }
    return result;
}

hoist_ref hoist_quant_ref(hoist_builder *b, const hoist_quant_view *view)
{
    HOIST_ASSERT(view->shape.rank <= HOIST_MAX_RANK);
    hoist_prog_layout layout = {.kind = HOIST_LAYOUT_STRIDED, .shape = view->shape};
    for (int i = 0; i < view->shape.rank; i++) {
        layout.stride[i] = view->stride[i];
    }
    return hoist_builder_view(b, &(hoist_prog_view){.base = view->base,
                                                    .of = view->of,
                                                    .dtype = view->dtype,
                                                    .layout = hoist_builder_layout(b, &layout),
                                                    .offset = view->offset,
                                                    .reg = view->step ? 0 : HOIST_NO_REF,
                                                    .reg_factor = view->step});
}

// Numbers ---------------------------------------------------------------------------------------

hoist_status hoist_quant_refuse(hoist_quant_layers *layers, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(layers->why, sizeof layers->why, format, args);
    va_end(args);
    return HOIST_UNSUPPORTED;
}

hoist_status hoist_quant_factor(hoist_quant_layers *layers, double factor,
                                hoist_multiplier *out_multiplier)
{
    return hoist_quantize_multiplier(factor, out_multiplier) == HOIST_OK
               ? HOIST_OK
               : hoist_quant_refuse(
                     layers, "the ratio of scales is %g, wanted 0 or more and below 2^30", factor);
}

int64_t hoist_quant_rounded(double number)
{
    const double most = 0x1p40; // beyond any number of 32 bits
    return number >= -most && number <= most ? (int64_t)rint(number)
           : number < 0                      ? -(int64_t)most
                                             : (int64_t)most;
}

// Whole numbers of at most 32 bits.
static bool is_counted(hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    return info->bits <= 32 &&
           (info->kind == HOIST_CLASS_SIGNED || info->kind == HOIST_CLASS_UNSIGNED);
}

hoist_quant_limits hoist_quant_all(const hoist_quant_view *view)
{
    if (!is_counted(view->dtype)) {
        return (hoist_quant_limits){0, 0};
    }
    return (hoist_quant_limits){(double)(hoist_quant_least(view->dtype) - view->zero),
                                (double)(hoist_quant_greatest(view->dtype) - view->zero)};
}

// Constants -------------------------------------------------------------------------------------

// A name that no buffer has; empty when out of memory.
static hoist_str new_name(hoist_quant_layers *layers)
{
    for (;;) {
        const hoist_str name =
            hoist_arena_format(layers->arena, "constant/%" PRIu32, layers->constants++);
        const hoist_status status =
            name.data ? hoist_map_add(layers->names, name, 0, NULL) : HOIST_NO_MEMORY;
        if (status == HOIST_OK || status == HOIST_NO_MEMORY) {
            return status == HOIST_OK ? name : HOIST_STR("");
        }
    }
}

hoist_ref hoist_quant_constant(hoist_quant_layers *layers, hoist_bytes bytes)
{
    HOIST_ASSERT(bytes.data || bytes.size == 0);
    const hoist_str name = new_name(layers);
    if (!name.size) {
        return HOIST_NO_REF;
    }
    return hoist_builder_buffer(layers->b, &(hoist_prog_buffer){.name = name,
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

hoist_quant_view hoist_quant_zeros(hoist_quant_layers *layers, int64_t count)
{
    static const uint8_t zeros[sizeof(int32_t)] = {0};
    if (layers->zeros == HOIST_NO_REF) {
        layers->zeros = hoist_quant_constant(layers, (hoist_bytes){zeros, sizeof zeros});
    }
    const hoist_shape shape = {.rank = 1, .dim = {count}};
    hoist_quant_view view = hoist_quant_dense(layers->zeros, HOIST_DTYPE_I32, &shape);
    view.stride[0] = 0;
    return view;
}

// Steps -----------------------------------------------------------------------------------------

// What became of the builder; a reference that is missing otherwise is for want of memory.
static hoist_status status_of(const hoist_quant_layers *layers, bool complete)
{
    const hoist_status status = hoist_builder_status(layers->b);
    return status != HOIST_OK ? status : complete ? HOIST_OK : HOIST_NO_MEMORY;
}

static hoist_status judge(hoist_quant_layers *layers, const hoist_quant_step *step)
{
    const hoist_compute_def *def = hoist_compute_get(step->op);
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    HOIST_ASSERT((size_t)def->max_inputs + 1 <= HOIST_COUNT_OF(operands));
    for (size_t i = 0; i < (size_t)def->max_inputs + 1; i++) {
        const hoist_quant_view *view = step->operands[i];
        HOIST_ASSERT(view);
        operands[i] = (hoist_compute_operand){view->dtype, view->shape};
    }
    for (uint8_t i = 0; i < def->attr_count; i++) {
        const hoist_compute_attr_def *attr = &def->attrs[i];
        const int64_t value = step->attrs.value[i].integer;
        if (attr->kind == HOIST_COMPUTE_INT && (value < attr->min || value > attr->max)) {
            return hoist_quant_refuse(layers, "%s is %" PRId64 ", wanted %" PRId64 " to %" PRId64,
                                      attr->name, value, attr->min, attr->max);
        }
    }
    return hoist_compute_fits(step->op, &step->attrs, operands, layers->why) == HOIST_FIT_OK
               ? HOIST_OK
               : HOIST_UNSUPPORTED;
}

hoist_status hoist_quant_compute(hoist_quant_layers *layers, const hoist_quant_step *step)
{
    const size_t inputs = hoist_compute_get(step->op)->max_inputs;
    hoist_ref views[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    bool complete = true;
    HOIST_TRY(status_of(layers, true));
    HOIST_TRY(judge(layers, step));
    for (size_t i = 0; i <= inputs; i++) {
        complete = complete && step->operands[i]->of != HOIST_NO_REF;
        views[i] = complete ? hoist_quant_ref(layers->b, step->operands[i]) : HOIST_NO_REF;
    }
    HOIST_TRY(status_of(layers, complete));
    const hoist_prog_compute compute = {.op = step->op,
                                        .attrs = step->attrs,
                                        .inputs = views,
                                        .input_count = (uint32_t)inputs,
                                        .outputs = views + inputs,
                                        .output_count = 1};
    (void)hoist_builder_step(layers->b, &(hoist_prog_step){.kind = HOIST_STEP_COMPUTE,
                                                           .loc = layers->loc,
                                                           .label = layers->label,
                                                           .as.compute = &compute});
    return hoist_builder_status(layers->b);
}

hoist_status hoist_quant_copy(hoist_quant_layers *layers, const hoist_quant_unary *layer)
{
    const hoist_quant_view *x = &layer->x;
    const hoist_quant_view *y = &layer->y;
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
    const hoist_move_source source = {.view = hoist_quant_ref(layers->b, x), .scale = 1};
    const hoist_prog_move move = {.op = HOIST_MOVE_COPY,
                                  .destination = hoist_quant_ref(layers->b, y),
                                  .sources = &source,
                                  .source_count = 1};
    (void)hoist_builder_step(layers->b, &(hoist_prog_step){.kind = HOIST_STEP_MOVE,
                                                           .loc = layers->loc,
                                                           .label = layers->label,
                                                           .as.move = &move});
    return hoist_builder_status(layers->b);
}

hoist_status hoist_quant_fill(hoist_quant_layers *layers, const hoist_quant_view *y)
{
    const size_t size = (size_t)size_of(y->dtype);
    uint8_t *bytes = hoist_arena_array(layers->arena, 1, sizeof(uint64_t));
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
    layer.x =
        hoist_quant_dense(hoist_quant_constant(layers, (hoist_bytes){bytes, size}), y->dtype, &one);
    (void)hoist_quant_broadcast(&layer.x, &y->shape, &layer.x); // one element always can be
    return hoist_quant_copy(layers, &layer);
}
