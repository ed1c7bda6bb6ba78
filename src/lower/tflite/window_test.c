// Windows of convolutions and pools: how far they begin before the image, and which outputs they
// have, against windows that are laid one after the other (kernels reference, section 3).
#include <string.h>

#include "base/span.h"
#include "lower/tflite/job_testing.h"

// One dimension of an image.
typedef struct axis {
    int in;
    int kernel;
    int stride;
    int dilation;
    int8_t padding;
} axis;

static int effective_of(const axis *a)
{
    return (a->kernel - 1) * a->dilation + 1;
}

// Of VALID the windows that lie inside, of SAME those that begin inside.
static int outputs_of(const axis *a)
{
    int count = 0;
    for (int begin = 0; begin < a->in; begin += a->stride) {
        const bool lies_inside = begin + effective_of(a) <= a->in;
        count += lies_inside || a->padding == TFLITE_PADDING_SAME;
    }
    return count;
}

// Of what the last window lacks after the image, half is put in front of it, rounded down.
static int before_of(const axis *a)
{
    const int last = (outputs_of(a) - 1) * a->stride;
    int lacking = 0;
    for (int i = 0; i < effective_of(a); i++) {
        lacking += last + i >= a->in;
    }
    return lacking / 2;
}

typedef struct window {
    axis down, across;
} window;

static hoist_status lower_conv(hoist_test *t, const window *w, int rows, int columns,
                               hoist_program **out_program)
{
    const tflite_conv2d_options options = {.padding = w->down.padding,
                                           .stride_h = w->down.stride,
                                           .stride_w = w->across.stride,
                                           .dilation_h_factor = w->down.dilation,
                                           .dilation_w_factor = w->across.dilation};
    const char *tensors =
        hoist_arena_format(
            &t->arena, "i8 1x%dx%dx2 0.5 0, i8 3x%dx%dx2 0.5 0 = 1 > i8 1x%dx%dx3 0.5 0",
            w->down.in, w->across.in, w->down.kernel, w->across.kernel, rows, columns)
            .data;
    hoist_test_row(t, tensors);
    return tflite_job_lower(t, tflite_job_model(t, TFLITE_OP_CONV_2D, tensors, &options), NULL,
                            out_program);
}

static hoist_status lower_depthwise(hoist_test *t, const window *w, int rows, int columns,
                                    hoist_program **out_program)
{
    const tflite_depthwise_conv2d_options options = {.padding = w->down.padding,
                                                     .stride_h = w->down.stride,
                                                     .stride_w = w->across.stride,
                                                     .depth_multiplier = 1,
                                                     .dilation_h_factor = w->down.dilation,
                                                     .dilation_w_factor = w->across.dilation};
    const char *tensors =
        hoist_arena_format(
            &t->arena, "i8 1x%dx%dx2 0.5 0, i8 1x%dx%dx2 0.5 0 = 1 > i8 1x%dx%dx2 0.5 0",
            w->down.in, w->across.in, w->down.kernel, w->across.kernel, rows, columns)
            .data;
    hoist_test_row(t, tensors);
    return tflite_job_lower(t, tflite_job_model(t, TFLITE_OP_DEPTHWISE_CONV_2D, tensors, &options),
                            NULL, out_program);
}

static hoist_status lower_pool(hoist_test *t, const window *w, int rows, int columns,
                               hoist_program **out_program)
{
    const tflite_pool2d_options options = {.padding = w->down.padding,
                                           .stride_h = w->down.stride,
                                           .stride_w = w->across.stride,
                                           .filter_height = w->down.kernel,
                                           .filter_width = w->across.kernel};
    const char *tensors = hoist_arena_format(&t->arena, "i8 1x%dx%dx2 0.5 0 > i8 1x%dx%dx2 0.5 0",
                                             w->down.in, w->across.in, rows, columns)
                              .data;
    hoist_test_row(t, tensors);
    return tflite_job_lower(t, tflite_job_model(t, TFLITE_OP_MAX_POOL_2D, tensors, &options), NULL,
                            out_program);
}

typedef hoist_status lower_window(hoist_test *t, const window *w, int rows, int columns,
                                  hoist_program **out_program);

static void expect_window(hoist_test *t, lower_window *lower, const window *w)
{
    const int rows = outputs_of(&w->down);
    const int columns = outputs_of(&w->across);
    hoist_program *program = NULL;
    if (rows > 0 && columns > 0) {
        HOIST_EXPECT_EQ(t, lower(t, w, rows, columns, &program), HOIST_OK);
        HOIST_EXPECT_RULE(t, NULL);
        const hoist_str pads = hoist_arena_format(&t->arena, "pad_top %d, pad_left %d",
                                                  before_of(&w->down), before_of(&w->across));
        HOIST_EXPECT(t, program && hoist_str_contains(tflite_job_steps(t, program), pads.data));
        hoist_program_destroy(program);
    }
}

static void expect_refusals(hoist_test *t, lower_window *lower, const window *w)
{
    const int rows = outputs_of(&w->down);
    const int columns = outputs_of(&w->across);
    const int wrong[][2] = {
        {rows + 1, columns}, {rows - 1, columns}, {rows, columns + 1}, {rows, columns - 1}};
    for (size_t i = 0; i < HOIST_COUNT_OF(wrong); i++) {
        hoist_program *program = NULL;
        if (wrong[i][0] > 0 && wrong[i][1] > 0) {
            HOIST_EXPECT_EQ(t, lower(t, w, wrong[i][0], wrong[i][1], &program), HOIST_UNSUPPORTED);
            HOIST_EXPECT_RULE(t, "RUN-030");
            hoist_program_destroy(program);
        }
    }
}

// Of rows all sizes are tried; columns have other ones, so that the two do not take each other's.
static void expect_all(hoist_test *t, lower_window *lower, int most_dilation)
{
    int number = 0;
    for (int in = 1; in <= 6; in++) {
        for (int kernel = 1; kernel <= 3; kernel++) {
            for (int stride = 1; stride <= 3; stride++, number++) {
                const int8_t padding = number % 3 ? TFLITE_PADDING_SAME : TFLITE_PADDING_VALID;
                const int dilation = 1 + number % most_dilation;
                const window w = {.down = {in, kernel, stride, dilation, padding},
                                  .across = {9 - in, 4 - kernel, 4 - stride,
                                             most_dilation + 1 - dilation, padding}};
                expect_window(t, lower, &w);
                if (number % 4 == 0) {
                    expect_refusals(t, lower, &w);
                }
            }
        }
    }
}

HOIST_TEST(windows_of_convolutions)
{
    expect_all(t, lower_conv, 2);
}

HOIST_TEST(windows_of_each_channel)
{
    expect_all(t, lower_depthwise, 2);
}

HOIST_TEST(windows_of_pools)
{
    expect_all(t, lower_pool, 1);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(windows_of_convolutions), HOIST_TEST_ROW(windows_of_each_channel),
                HOIST_TEST_ROW(windows_of_pools))
