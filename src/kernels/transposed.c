// Convolutions that are defined on their input: each element adds its products to a window of the
// output (ops/compute_quant.h, ops/compute_plain.h). Computed from the output back, one element
// after the other; quant_reference.c has the scaling of integers, quant_wide.c that of wide sums.
#include "base/reader.h"
#include "kernels/compute_table.h"
#include "kernels/fixed_point.h"
#include "kernels/quant.h"
#include "ops/compute_quant.h"
#include "tensor/float_bits.h"

extern const hoist_compute_group hoist_transposed_group;

// One axis: output `at` gets tap k of input (at + pad - k * dilation) / stride, where that is one.
typedef struct axis {
    int64_t taps, stride, pad, dilation;
    int64_t extent; // of the input
} axis;

static int64_t integer(const hoist_compute_call *call, size_t index)
{
    return call->attrs.value[index].integer;
}

// Dimension 1 is rows, 2 columns.
static axis axis_of(const hoist_compute_call *call, int dimension)
{
    const size_t next = (size_t)dimension - 1; // attributes of columns are behind those of rows
    return (axis){.taps = call->views[1].shape.dim[dimension],
                  .stride = integer(call, HOIST_CONV_STRIDE_H + next),
                  .pad = integer(call, HOIST_CONV_PAD_TOP + next),
                  .dilation = integer(call, HOIST_CONV_DILATION_H + next),
                  .extent = call->views[0].shape.dim[dimension]};
}

// The input that output `at` gets tap `k` of; -1: none.
static int64_t source_of(const axis *a, int64_t at, int64_t k)
{
    // Only every stride-th one is where an input is.
    const int64_t from = at + a->pad - k * a->dilation;
    return from >= 0 && from % a->stride == 0 && from / a->stride < a->extent ? from / a->stride
                                                                              : -1;
}

// What is added up for one element of the output.
typedef struct sum {
    int32_t whole;
    int64_t wide;
    float real;
} sum;

// The products of all channels of one input position with the weights of one tap.
typedef void add_fn(const hoist_compute_call *call, const uint8_t *x, const uint8_t *weights,
                    sum *total);

// Of 8-bit numbers, in 32 bits.
static void add_whole(const hoist_compute_call *call, const uint8_t *x, const uint8_t *weights,
                      sum *total)
{
    const hoist_view *from = &call->views[0];
    const bool is_signed = from->dtype == HOIST_DTYPE_I8;
    const int32_t zero_in = (int32_t)integer(call, HOIST_CONV_ZERO_IN);
    const int32_t zero_weight = (int32_t)integer(call, HOIST_CONV_ZERO_WEIGHT);
    for (int64_t i = 0; i < from->shape.dim[3]; i++) {
        const uint8_t a = x[i * from->stride[3]];
        const uint8_t b = weights[i * call->views[1].stride[3]];
        total->whole +=
            ((is_signed ? (int8_t)a : a) - zero_in) * ((is_signed ? (int8_t)b : b) - zero_weight);
    }
}

// Of 16-bit numbers, in 64 bits.
static void add_wide(const hoist_compute_call *call, const uint8_t *x, const uint8_t *weights,
                     sum *total)
{
    const hoist_view *from = &call->views[0];
    const int64_t zero_in = integer(call, HOIST_CONV_ZERO_IN);
    const int64_t zero_weight = integer(call, HOIST_CONV_ZERO_WEIGHT);
    for (int64_t i = 0; i < from->shape.dim[3]; i++) {
        const int16_t a = (int16_t)hoist_load_u16le(x + i * from->stride[3]);
        const int8_t b = (int8_t)weights[i * call->views[1].stride[3]];
        total->wide += (a - zero_in) * (b - zero_weight);
    }
}

static float float_at(const uint8_t *bytes)
{
    return hoist_f32_from_bits(hoist_load_u32le(bytes));
}

// Of float32, in the order of channels.
static void add_real(const hoist_compute_call *call, const uint8_t *x, const uint8_t *weights,
                     sum *total)
{
    const hoist_view *from = &call->views[0];
    for (int64_t i = 0; i < from->shape.dim[3]; i++) {
        total->real +=
            float_at(x + i * from->stride[3]) * float_at(weights + i * call->views[1].stride[3]);
    }
}

static uint8_t *start_of(const hoist_view *view)
{
    return view->memory.data + view->offset;
}

// Where an element of the output is.
typedef struct position {
    int64_t image, oy, ox, o;
} position;

// The last tap first, so that positions of the input rise.
static sum sum_at(const hoist_compute_call *call, const position *at, add_fn *add)
{
    const hoist_view *x = &call->views[0];
    const hoist_view *w = &call->views[1];
    const axis down = axis_of(call, 1);
    const axis across = axis_of(call, 2);
    sum total = {0};
    for (int64_t ky = down.taps - 1; ky >= 0; ky--) {
        // Most taps have no input where the stride is large.
        const int64_t iy = source_of(&down, at->oy, ky);
        for (int64_t kx = across.taps - 1; iy >= 0 && kx >= 0; kx--) {
            const int64_t ix = source_of(&across, at->ox, kx);
            if (ix >= 0) {
                add(call,
                    start_of(x) + at->image * x->stride[0] + iy * x->stride[1] + ix * x->stride[2],
                    start_of(w) + at->o * w->stride[0] + ky * w->stride[1] + kx * w->stride[2],
                    &total);
            }
        }
    }
    return total;
}

// The bias of an output channel.
static const uint8_t *bias_at(const hoist_compute_call *call, int64_t o)
{
    return start_of(&call->views[2]) + o * call->views[2].stride[0];
}

// The first byte of an output.
static uint8_t *output_at(const hoist_view *y, const position *at)
{
    return start_of(y) + at->image * y->stride[0] + at->oy * y->stride[1] + at->ox * y->stride[2] +
           at->o * y->stride[3];
}

// Scaled and clamped as other convolutions are.
static void put_whole(const hoist_compute_call *call, const hoist_quant_scale *scale,
                      const position *at)
{
    const int32_t bias = (int32_t)hoist_load_u32le(bias_at(call, at->o));
    const int32_t total = hoist_fixed_add(sum_at(call, at, add_whole).whole, bias);
    *output_at(&call->views[4], at) = (uint8_t)hoist_quant_scale_sum(scale, at->o, total);
}

// The bias is added modulo 2^64.
static void put_wide(const hoist_compute_call *call, const hoist_quant_scale *scale,
                     const position *at)
{
    const uint64_t bias = hoist_load_u64le(bias_at(call, at->o));
    const int64_t total = (int64_t)((uint64_t)sum_at(call, at, add_wide).wide + bias);
    const int32_t y = hoist_quant_scale_wide_sum(scale, at->o, total);
    hoist_store_u16le(output_at(&call->views[4], at), (uint16_t)y);
}

// NaN stays what it is.
static void put_real(const hoist_compute_call *call, const hoist_quant_scale *scale,
                     const position *at)
{
    (void)scale;
    const float low = call->attrs.value[HOIST_CONV_F32_LOW].number;
    const float high = call->attrs.value[HOIST_CONV_F32_HIGH].number;
    const float x = sum_at(call, at, add_real).real + float_at(bias_at(call, at->o));
    hoist_store_u32le(output_at(&call->views[3], at), hoist_f32_to_bits(x < low    ? low
                                                                        : x > high ? high
                                                                                   : x));
}

static size_t row_work(const hoist_compute_call *call)
{
    const hoist_shape *y = &call->views[call->input_count].shape;
    return (size_t)(y->dim[0] * y->dim[1]);
}

// Writes an element of the output.
typedef void put_fn(const hoist_compute_call *call, const hoist_quant_scale *scale,
                    const position *at);

// By the type of the sums.
static put_fn *put_of(hoist_compute_op op)
{
    return op == HOIST_TFLITE_TRANSPOSE_CONV       ? put_whole
           : op == HOIST_TFLITE_TRANSPOSE_CONV_I16 ? put_wide
                                                   : put_real;
}

static hoist_status transposed(const hoist_compute_call *call, size_t begin, size_t end,
                               hoist_compute_fault *out_fault)
{
    put_fn *const put = put_of(call->op);
    const hoist_shape *y = &call->views[call->input_count].shape;
    hoist_quant_scale scale = {.count = 0};
    // Scales are an operand, and of integers only.
    if (put != put_real) {
        scale = hoist_quant_scale_of(call, &call->views[3], HOIST_CONV_ZERO_OUT);
        if (!(put == put_wide ? hoist_quant_scale_is_good_wide(&scale, out_fault)
                              : hoist_quant_scale_is_good(&scale, out_fault))) {
            return HOIST_INVALID;
        }
    }
    for (size_t unit = begin; unit < end; unit++) {
        position at = {.image = (int64_t)unit / y->dim[1], .oy = (int64_t)unit % y->dim[1]};
        for (at.ox = 0; at.ox < y->dim[2]; at.ox++) {
            for (at.o = 0; at.o < y->dim[3]; at.o++) {
                put(call, &scale, &at);
            }
        }
    }
    return HOIST_OK;
}

enum { FIRST = HOIST_TFLITE_TRANSPOSE_CONV };

static const hoist_compute_row group_rows[] = {
    [HOIST_TFLITE_TRANSPOSE_CONV - FIRST] = {.work = row_work, .run = transposed},
    [HOIST_TFLITE_TRANSPOSE_CONV_I16 - FIRST] = {.work = row_work, .run = transposed},
    [HOIST_TFLITE_TRANSPOSE_CONV_F32 - FIRST] = {.work = row_work, .run = transposed},
};
const hoist_compute_group hoist_transposed_group = {FIRST, HOIST_COUNT_OF(group_rows), group_rows};
