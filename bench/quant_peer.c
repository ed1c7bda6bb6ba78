// 8-bit layers for quant_torch.py: a shared object that it loads, so that both sides run in one
// process. Threads are OpenMP's, as PyTorch's are.
#include "bench/quant_peer.h"

#include <omp.h>
#include <stdlib.h>

#include "base/reader.h"
#include "base/span.h"
#include "kernels/quant.h"

struct bench_job {
    const hoist_quant_kernels *kernels;
    hoist_quant_conv conv;
    uint8_t *x; // all owned
    uint8_t *weights;
    uint8_t *bias;
    uint8_t *scale;
    uint8_t *y;
    uint8_t *prepared;
};

static uint8_t *make_bytes(int64_t count)
{
    uint8_t *bytes = aligned_alloc(64, ((size_t)count + 63) / 64 * 64);
    uint32_t state = 1;
    for (int64_t i = 0; bytes && i < count; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(state >> 24);
    }
    return bytes;
}

// One multiplier for all channels: results spread over the range of u8.
static uint8_t *make_scale(void)
{
    uint8_t *scale = make_bytes(8);
    if (scale) {
        hoist_store_u32le(scale, 1518500250);
        hoist_store_u32le(scale + 4, (uint32_t)-8);
    }
    return scale;
}

static void set_strides(int64_t stride[4], int64_t edge, int64_t channels)
{
    stride[3] = 1;
    stride[2] = channels;
    stride[1] = stride[2] * edge;
    stride[0] = stride[1] * edge;
}

static hoist_quant_conv conv_of(const bench_layer *l)
{
    const int64_t out = (l->edge + l->stride - 1) / l->stride;
    const int64_t over = (out - 1) * l->stride + l->kernel - l->edge;
    const int64_t pad = over > 0 ? over / 2 : 0;
    hoist_quant_conv conv = {
        .is_depthwise = l->is_depthwise != 0,
        .n = 1,
        .h = l->edge,
        .w = l->edge,
        .c = l->channels,
        .o = l->outputs,
        .kh = l->kernel,
        .kw = l->kernel,
        .i = l->is_depthwise ? 1 : l->channels,
        .oh = out,
        .ow = out,
        .stride_h = l->stride,
        .stride_w = l->stride,
        .pad_top = pad,
        .pad_left = pad,
        .dilation_h = 1,
        .dilation_w = 1,
        .zero_in = 3,
        .zero_weight = 121,
        .scale = {.count = 1, .stride = {8, 4}, .zero_out = 120, .low = 0, .high = 255},
        .bias_stride = 4,
    };
    set_strides(conv.x_stride, l->edge, l->channels);
    set_strides(conv.weight_stride, l->kernel, l->is_depthwise ? l->outputs : l->channels);
    set_strides(conv.y_stride, out, l->outputs);
    return conv;
}

// Reads the memory of `job` as that of its convolution.
static void set_memory(bench_job *job)
{
    job->conv.x = job->x;
    job->conv.weights = job->weights;
    job->conv.bias = job->bias;
    job->conv.scale.numbers = job->scale;
    job->conv.y = job->y;
}

bench_job *bench_create(const char *level_name, const bench_layer *layer)
{
    hoist_cpu_level level = HOIST_CPU_BASELINE;
    bench_job *job = calloc(1, sizeof *job);
    if (!job || !hoist_cpu_level_find(hoist_str_from(level_name), &level)) {
        free(job);
        return NULL;
    }
    const hoist_quant_conv c = conv_of(layer);
    job->kernels = hoist_quant_kernels_at(level);
    job->conv = c;
    job->x = make_bytes(c.h * c.w * c.c);
    job->weights = make_bytes(c.kh * c.kw * c.i * c.o);
    job->bias = make_bytes(c.o * 4);
    job->scale = make_scale();
    job->y = make_bytes(c.oh * c.ow * c.o);
    job->prepared = make_bytes((int64_t)job->kernels->prepared_size(&c));
    if (!job->x || !job->weights || !job->bias || !job->scale || !job->y || !job->prepared) {
        bench_destroy(job);
        return NULL;
    }
    set_memory(job);
    job->kernels->prepare(&job->conv, job->prepared);
    return job;
}

static void run_part(const bench_job *job, size_t part, size_t parts)
{
    const size_t units = hoist_quant_conv_units(&job->conv);
    (job->conv.is_depthwise ? job->kernels->depthwise : job->kernels->conv)(
        &job->conv, job->prepared, units * part / parts, units * (part + 1) / parts);
}

void bench_run(bench_job *const *jobs, int count, int threads, int repeat)
{
    for (int i = 0; i < repeat * count; i++) {
        if (threads == 1) {
            run_part(jobs[i % count], 0, 1);
            continue;
        }
#pragma omp parallel num_threads(threads)
        run_part(jobs[i % count], (size_t)omp_get_thread_num(), (size_t)omp_get_num_threads());
    }
}

void bench_destroy(bench_job *job)
{
    if (job) {
        free(job->x);
        free(job->weights);
        free(job->bias);
        free(job->scale);
        free(job->y);
        free(job->prepared);
        free(job);
    }
}
