// 8-bit convolutions, depthwise and dense layers of three networks against XNNPACK's, which TFLite
// gives them to. Both work on one thread and on bytes with the same zero points and limits, in
// turn. Weights are packed before on both sides; both scale their sums to bytes, XNNPACK in
// float32. Argument: the highest CPU level to use (default: the machine's).
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xnnpack.h>

#include "base/reader.h"
#include "base/span.h"
#include "bench/bench.h"
#include "kernels/quant.h"

enum { ZERO_IN = 3, ZERO_WEIGHT = 121, ZERO_OUT = 120, ROUNDS = 15, MOST_LAYERS = 80 };

static const double least_seconds = 0.001; // of one measurement
static const double wanted = 1.0;          // times XNNPACK's speed, for the sum of a network

// Padding is that of TFLite's SAME. Dense layers are convolutions of one pixel.
typedef struct layer {
    int64_t h, w, channels, outputs, kernel, stride;
    bool is_depthwise;
} layer;

typedef struct network {
    const char *name;
    layer layers[MOST_LAYERS];
    size_t count;
} network;

// Networks --------------------------------------------------------------------------------------

static int64_t strided(int64_t extent, int64_t stride)
{
    return (extent + stride - 1) / stride;
}

// Appends a layer that goes on with the result of the last one.
static void add(network *n, bool is_depthwise, int64_t outputs, int64_t kernel, int64_t stride)
{
    const layer *last = &n->layers[n->count - 1];
    n->layers[n->count++] = (layer){.h = strided(last->h, last->stride),
                                    .w = strided(last->w, last->stride),
                                    .channels = last->outputs,
                                    .outputs = is_depthwise ? last->outputs : outputs,
                                    .kernel = kernel,
                                    .stride = stride,
                                    .is_depthwise = is_depthwise};
}

static void begin(network *n, const char *name, int64_t h, int64_t w, int64_t outputs)
{
    *n = (network){.name = name, .count = 1};
    n->layers[0] =
        (layer){.h = h, .w = w, .channels = 3, .outputs = outputs, .kernel = 3, .stride = 2};
}

static void add_separable(network *n, int64_t outputs, int64_t stride)
{
    add(n, true, 0, 3, stride);
    add(n, false, outputs, 1, 1);
}

static void add_dense(network *n, int64_t outputs)
{
    const int64_t channels = n->layers[n->count - 1].outputs;
    n->layers[n->count++] =
        (layer){.h = 1, .w = 1, .channels = channels, .outputs = outputs, .kernel = 1, .stride = 1};
}

static void make_v1(network *n)
{
    static const int64_t blocks[][2] = {{64, 1},  {128, 2},  {128, 1}, {256, 2}, {256, 1},
                                        {512, 2}, {512, 1},  {512, 1}, {512, 1}, {512, 1},
                                        {512, 1}, {1024, 2}, {1024, 1}};
    begin(n, "MobileNet v1 1.0 224", 224, 224, 32);
    for (size_t i = 0; i < HOIST_COUNT_OF(blocks); i++) {
        add_separable(n, blocks[i][0], blocks[i][1]);
    }
    add_dense(n, 1001);
}

static void make_v2(network *n)
{
    // Outputs, times, stride of the first; channels inside are six times those before.
    static const int64_t blocks[][3] = {{24, 2, 2}, {32, 3, 2},  {64, 4, 2},
                                        {96, 3, 1}, {160, 3, 2}, {320, 1, 1}};
    begin(n, "MobileNet v2 1.0 224", 224, 224, 32);
    add_separable(n, 16, 1);
    for (size_t i = 0; i < HOIST_COUNT_OF(blocks); i++) {
        for (int64_t k = 0; k < blocks[i][1]; k++) {
            add(n, false, 6 * n->layers[n->count - 1].outputs, 1, 1);
            add_separable(n, blocks[i][0], k ? 1 : blocks[i][2]);
        }
    }
    add(n, false, 1280, 1, 1);
    add_dense(n, 1001);
}

static void make_posenet(network *n)
{
    static const int64_t blocks[][2] = {{48, 1},  {96, 2},  {96, 1},  {192, 2}, {192, 1},
                                        {384, 2}, {384, 1}, {384, 1}, {384, 1}, {384, 1},
                                        {384, 1}, {384, 1}, {384, 1}};
    static const int64_t heads[] = {17, 34, 32, 32};
    begin(n, "PoseNet 353x481", 353, 481, 24);
    for (size_t i = 0; i < HOIST_COUNT_OF(blocks); i++) {
        add_separable(n, blocks[i][0], blocks[i][1]);
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(heads); i++) {
        layer head = n->layers[n->count - 1];
        head.channels = 384;
        head.outputs = heads[i];
        n->layers[n->count++] = head;
    }
}

// Both sides -------------------------------------------------------------------------------------

typedef struct job {
    const hoist_quant_kernels *kernels;
    hoist_quant_conv conv;
    xnn_operator_t peer;
    uint8_t *x, *weights, *bias, *scale, *y, *prepared; // owned
    size_t repeat;
} job;

static void *make_bytes(int64_t count)
{
    // XNNPACK reads up to 16 bytes beyond what it is given.
    uint8_t *bytes = aligned_alloc(64, ((size_t)count + 64 + 63) / 64 * 64);
    uint32_t state = 1;
    if (!bytes) {
        (void)fprintf(stderr, "xnnpack_bench: no memory\n");
        exit(2);
    }
    for (int64_t i = 0; i < count; i++) {
        state = state * 1664525U + 1013904223U;
        bytes[i] = (uint8_t)(state >> 24);
    }
    return bytes;
}

static void set_strides(int64_t stride[4], int64_t h, int64_t w, int64_t channels)
{
    stride[3] = 1;
    stride[2] = channels;
    stride[1] = stride[2] * w;
    stride[0] = stride[1] * h;
}

static int64_t pad_of(int64_t extent, const layer *l)
{
    const int64_t over = (strided(extent, l->stride) - 1) * l->stride + l->kernel - extent;
    return over > 0 ? over : 0;
}

static hoist_quant_conv conv_of(const layer *l)
{
    const int64_t oh = strided(l->h, l->stride);
    const int64_t ow = strided(l->w, l->stride);
    hoist_quant_conv conv = {
        .is_depthwise = l->is_depthwise,
        .n = 1,
        .h = l->h,
        .w = l->w,
        .c = l->channels,
        .o = l->outputs,
        .kh = l->kernel,
        .kw = l->kernel,
        .i = l->is_depthwise ? 1 : l->channels,
        .oh = oh,
        .ow = ow,
        .stride_h = l->stride,
        .stride_w = l->stride,
        .pad_top = pad_of(l->h, l) / 2,
        .pad_left = pad_of(l->w, l) / 2,
        .dilation_h = 1,
        .dilation_w = 1,
        .zero_in = ZERO_IN,
        .zero_weight = ZERO_WEIGHT,
        .scale = {.count = 1, .stride = {8, 4}, .zero_out = ZERO_OUT, .low = 0, .high = UINT8_MAX},
        .bias_stride = 4};
    set_strides(conv.x_stride, l->h, l->w, l->channels);
    set_strides(conv.weight_stride, l->kernel, l->kernel,
                l->is_depthwise ? l->outputs : l->channels);
    set_strides(conv.y_stride, oh, ow, l->outputs);
    return conv;
}

static void make_ours(job *j, const layer *l)
{
    const hoist_quant_conv c = conv_of(l);
    j->x = make_bytes(c.h * c.w * c.c);
    j->weights = make_bytes(c.kh * c.kw * c.i * c.o);
    j->bias = make_bytes(c.o * 4);
    j->scale = make_bytes(8);
    j->y = make_bytes(c.oh * c.ow * c.o);
    hoist_store_u32le(j->scale, 1518500250); // 2^30.5: results spread over the range
    hoist_store_u32le(j->scale + 4, (uint32_t)-8);
    j->conv = c;
    j->conv.x = j->x;
    j->conv.weights = j->weights;
    j->conv.bias = j->bias;
    j->conv.scale.numbers = j->scale;
    j->conv.y = j->y;
    j->prepared = make_bytes((int64_t)j->kernels->prepared_size(&j->conv));
    j->kernels->prepare(&j->conv, j->prepared);
}

static bool make_peer(job *j, const layer *l)
{
    const float factor = 0x1.6a09e6p-9F; // that of j->scale
    const int32_t *bias = (const int32_t *)(const void *)j->bias;
    const uint32_t down = (uint32_t)pad_of(l->h, l);
    const uint32_t across = (uint32_t)pad_of(l->w, l);
    const uint32_t kernel = (uint32_t)l->kernel;
    const uint32_t stride = (uint32_t)l->stride;
    const size_t channels = (size_t)l->channels;
    const size_t outputs = (size_t)l->outputs;
    if (l->h == 1 && l->w == 1) {
        return xnn_create_fully_connected_nc_qu8(channels, outputs, channels, outputs, ZERO_IN, 1,
                                                 ZERO_WEIGHT, factor, j->weights, bias, ZERO_OUT, 1,
                                                 0, UINT8_MAX, 0, &j->peer) == xnn_status_success &&
               xnn_setup_fully_connected_nc_qu8(j->peer, 1, j->x, j->y, NULL) == xnn_status_success;
    }
    const uint32_t groups = l->is_depthwise ? (uint32_t)channels : 1;
    return xnn_create_convolution2d_nhwc_qu8(
               down / 2, across - across / 2, down - down / 2, across / 2, kernel, kernel, stride,
               stride, 1, 1, groups, channels / groups, outputs / groups, channels, outputs,
               ZERO_IN, 1, ZERO_WEIGHT, factor, j->weights, bias, ZERO_OUT, 1, 0, UINT8_MAX,
               l->is_depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0,
               &j->peer) == xnn_status_success &&
           xnn_setup_convolution2d_nhwc_qu8(j->peer, 1, (size_t)l->h, (size_t)l->w, j->x, j->y,
                                            NULL) == xnn_status_success;
}

static void destroy(job *j)
{
    if (j->peer) {
        (void)xnn_delete_operator(j->peer);
    }
    free(j->x);
    free(j->weights);
    free(j->bias);
    free(j->scale);
    free(j->y);
    free(j->prepared);
}

// Measuring --------------------------------------------------------------------------------------

static void run_ours(void *self)
{
    const job *j = self;
    const size_t units = hoist_quant_conv_units(&j->conv);
    for (size_t i = 0; i < j->repeat; i++) {
        (j->conv.is_depthwise ? j->kernels->depthwise : j->kernels->conv)(&j->conv, j->prepared, 0,
                                                                          units);
    }
}

static void run_theirs(void *self)
{
    const job *j = self;
    for (size_t i = 0; i < j->repeat; i++) {
        (void)xnn_run_operator(j->peer, NULL);
    }
}

// Steps between results of the same elements, which differ where one rounds in float32.
static int64_t largest_difference(job *j)
{
    const size_t count = (size_t)(j->conv.oh * j->conv.ow * j->conv.o);
    uint8_t *ours = make_bytes((int64_t)count);
    int64_t largest = 0;
    j->repeat = 1;
    run_ours(j);
    memcpy(ours, j->y, count);
    run_theirs(j);
    for (size_t i = 0; i < count; i++) {
        const int64_t difference = llabs((int64_t)ours[i] - j->y[i]);
        largest = difference > largest ? difference : largest;
    }
    free(ours);
    return largest;
}

// Least seconds of both, run in turn.
static void measure(job *j, double seconds[2])
{
    seconds[0] = seconds[1] = 1e9;
    const double once = hoist_bench_seconds(run_ours, j, 1);
    j->repeat = once < least_seconds ? (size_t)(least_seconds / (once + 1e-9)) + 1 : 1;
    for (int i = 0; i < ROUNDS; i++) {
        const double ours = hoist_bench_seconds(run_ours, j, 1) / (double)j->repeat;
        const double theirs = hoist_bench_seconds(run_theirs, j, 1) / (double)j->repeat;
        seconds[0] = ours < seconds[0] ? ours : seconds[0];
        seconds[1] = theirs < seconds[1] ? theirs : seconds[1];
    }
}

// A row of the table; seconds are added. False: XNNPACK does not do the layer, or does another one.
static bool compare(const layer *l, hoist_cpu_level level, double total[2])
{
    job j = {.kernels = hoist_quant_kernels_at(level)};
    double seconds[2];
    make_ours(&j, l);
    if (!make_peer(&j, l)) {
        (void)fprintf(stderr, "xnnpack_bench: XNNPACK refuses a layer\n");
        destroy(&j);
        return false;
    }
    const int64_t steps = largest_difference(&j);
    measure(&j, seconds);
    printf("  %-9s %4ldx%-4ld %5ld to %5ld, %ldx%ld /%ld: %5.2fx; %8.1f us against %8.1f us, %ld "
           "steps\n",
           l->is_depthwise    ? "depthwise"
           : l->h * l->w == 1 ? "dense"
                              : "conv",
           (long)l->h, (long)l->w, (long)l->channels, (long)l->outputs, (long)l->kernel,
           (long)l->kernel, (long)l->stride, seconds[1] / seconds[0], seconds[0] * 1e6,
           seconds[1] * 1e6, (long)steps);
    total[0] += seconds[0];
    total[1] += seconds[1];
    destroy(&j);
    if (steps > 1) {
        (void)fprintf(stderr, "xnnpack_bench: results are %ld steps apart\n", (long)steps);
    }
    return steps <= 1;
}

int main(int argc, char **argv)
{
    hoist_cpu_level level = hoist_cpu_detect();
    static void (*const makers[])(network *) = {make_v1, make_v2, make_posenet};
    bool is_good = xnn_initialize(NULL) == xnn_status_success;
    if (!is_good || (argc > 1 && !hoist_cpu_level_find(hoist_str_from(argv[1]), &level))) {
        (void)fprintf(stderr, "xnnpack_bench: no XNNPACK here, or no such CPU level\n");
        return 2;
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(makers); i++) {
        static network n;
        double total[2] = {0, 0};
        makers[i](&n);
        printf("%s, 8-bit layers, one thread, %s\n", n.name, hoist_cpu_level_name(level));
        for (size_t k = 0; k < n.count; k++) {
            is_good = compare(&n.layers[k], level, total) && is_good;
        }
        const double ratio = total[1] / total[0];
        printf("%s vs XNNPACK: %.2fx (want >= %.1f); %.2f ms against %.2f ms\n", n.name, ratio,
               wanted, total[0] * 1e3, total[1] * 1e3);
        is_good = ratio >= wanted && is_good;
    }
    return is_good ? 0 : 1;
}
