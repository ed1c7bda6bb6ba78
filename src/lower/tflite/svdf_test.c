// SVDF as steps, and what of it is refused.
#include <string.h>

#include "base/span.h"
#include "formats/tflite/options.h"
#include "lower/tflite/job_testing.h"
#include "program/verify.h"

enum { STATE = 4 };

// The last input is the state, no input of the model but a variable.
static const tflite_model *model_of(hoist_test *t, const char *tensors,
                                    const tflite_svdf_options *options, bool is_variable)
{
    tflite_model *model = tflite_job_model(t, TFLITE_OP_SVDF, tensors, options);
    tflite_subgraph *graph = model->subgraphs.items;
    const hoist_bytes inputs = graph->operators.items[0].inputs;
    if (is_variable && tflite_count(inputs) > STATE) {
        graph->tensors.items[hoist_fb_i32(inputs, STATE)].is_variable = true;
        graph->inputs.size -= sizeof(int32_t);
    }
    return model;
}

static const tflite_svdf_options plain = {.rank = 2};
static const tflite_svdf_options relu = {.rank = 1,
                                         .fused_activation_function = TFLITE_ACTIVATION_RELU};
static const tflite_svdf_options curved = {.rank = 2,
                                           .fused_activation_function = TFLITE_ACTIVATION_TANH};
static const tflite_svdf_options none = {.rank = 0};
static const tflite_svdf_options uneven = {.rank = 3};

// Of 2 batches, 3 inputs, 4 filters, 5 times.
#define WHOLE(x, bias, state, y)                                                                   \
    "i8 " x " 0.5 3, i8 4x3 0.5 0 = 1, i16 4x5 0.25 0 = 1, " bias ", i16 " state                   \
    " 0.125 0 > i8 " y " 0.0625 -7"
#define REAL(x, features, times, bias, state, y)                                                   \
    "f32 " x ", f32 " features " = 1, f32 " times " = 1, " bias ", f32 " state " > f32 " y

// clang-format off
static const struct {
    const char *name;
    const tflite_svdf_options *options;
    const char *tensors;
    const char *steps;
} runs[] = {
    {"integers", &plain, WHOLE("2x3", "i32 2 = 1", "2x20", "2x2"),
     "compute tflite.dense_i16(zero 3, multiplier 1073741824, shift 2) from [t0 i8[2, 3], t1 i8[4, 3], constant/0 i32[4] by [0], constant/0 i16[2, 4] by [0, 0]] to [t4 i16[2, 4] by [40, 10] + 8]\n"
     "compute tflite.dense_i16_i8(zero -7, multiplier 1073741824, shift 0) from [t4 i16[2, 2, 10], t2 i16[2, 10], t3 i32[2]] to [t5 i8[2, 2]]\n"
     "move copy from [t4 i16[2, 4, 4] by [40, 10, 2] + 2] to times/1 i16[2, 4, 4]\n"
     "move copy from [times/1 i16[2, 4, 4]] to t4 i16[2, 4, 4] by [40, 10, 2]\n"
     "move copy from [constant/2 i16[2, 4] by [0, 0]] to t4 i16[2, 4] by [40, 10] + 8"},
    {"float32 without a bias", &relu, REAL("1x3", "4x3", "4x1", "none", "1x4", "1x4"),
     "compute tflite.dense_f32(low -inf, high inf) from [t0 f32[1, 3], t1 f32[4, 3], constant/0 f32[4] by [0]] to [t3 f32[1, 4]]\n"
     "compute tflite.conv_f32(stride_h 1, stride_w 1, pad_top 0, pad_left 0, dilation_h 1, dilation_w 1, low 0, high inf) from [t3 f32[1, 1, 1, 4], t2 f32[4, 1, 1, 1], constant/0 f32[4] by [0]] to [t4 f32[1, 1, 1, 4]]\n"
     "move copy from [constant/1 f32[1, 4] by [0, 0]] to t3 f32[1, 4]"},
};

static const struct {
    const char *name;
    const tflite_svdf_options *options;
    const char *tensors;
    bool is_constant;
    const char *says;
} refusals[] = {
    {"a state that is no variable", &plain, WHOLE("2x3", "none", "2x20", "2x2"), true, "input 4 is no variable"},
    {"four inputs", &plain, "i8 2x3 0.5 3, i8 4x3 0.5 0 = 1, i16 4x5 0.25 0 = 1, i16 2x20 0.5 0 > i8 2x2 0.5 0", false, "expected 5 inputs, the last one a variable"},
    {"no state", &plain, "i8 2x3 0.5 3, i8 4x3 0.5 0 = 1, i16 4x5 0.25 0 = 1, none, none > i8 2x2 0.5 0", true, "expected 5 inputs, the last one a variable"},
    {"no rank", &none, WHOLE("2x3", "none", "2x20", "2x2"), false, "the shapes are not those of filters of rank 0"},
    {"a rank that does not divide", &uneven, WHOLE("2x3", "none", "2x20", "2x1"), false, "the shapes are not those of filters of rank 3"},
    {"a state of other times", &plain, WHOLE("2x3", "none", "2x16", "2x2"), false, "the shapes are not those of filters of rank 2"},
    {"an output of filters", &plain, WHOLE("2x3", "none", "2x20", "2x4"), false, "the shapes are not those of filters of rank 2"},
    {"other inputs", &plain, WHOLE("2x4", "none", "2x20", "2x2"), false, "the shapes are not those of filters of rank 2"},
    {"an input of 3 dimensions", &plain, WHOLE("1x2x3", "none", "2x20", "2x2"), false, "the shapes are not those of filters of rank 2"},
    {"times of 1 dimension", &plain, "i8 2x3 0.5 3, i8 4x3 0.5 0 = 1, i16 20 0.25 0 = 1, none, i16 2x20 0.5 0 > i8 2x2 0.5 0", false, "the shapes are not those of filters of rank 2"},
    {"a bias of filters", &plain, WHOLE("2x3", "i32 4 = 1", "2x20", "2x2"), false, "dimension 0 of bias is 4, expected 2"},
    {"bytes of times, as TFLite Micro has them", &plain, "i8 2x3 0.5 3, i8 4x3 0.5 0 = 1, i8 4x5 0.25 0 = 1, none, i8 2x20 0.5 0 > i8 2x2 0.5 0", false, "y is i8, expected i16"},
    {"float32 with bytes of weights", &plain, "f32 2x3, i8 4x3 0.5 0 = 1, f32 4x5 = 1, none, f32 2x20 > f32 2x2", false, "weights is i8, expected f32"},
    {"a curve of float32", &curved, REAL("2x3", "4x3", "4x5", "none", "2x20", "2x2"), false, "activation 4, expected none or a relu"},
    {"no scale", &plain, "i8 2x3, i8 4x3 0.5 0 = 1, i16 4x5 0.25 0 = 1, none, i16 2x20 0.5 0 > i8 2x2 0.5 0", false, "tensor 0 ('t0') has 0 scales, expected 1"},
};
// clang-format on

HOIST_TEST_TABLE(each_becomes_steps, runs)
{
    hoist_program *program = NULL;
    const tflite_model *model = model_of(t, row->tensors, row->options, true);
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, NULL, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_STR(t, tflite_job_steps(t, program), row->steps);
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    }
    HOIST_EXPECT_RULE(t, NULL);
    hoist_program_destroy(program);
}

HOIST_TEST_TABLE(what_is_refused, refusals)
{
    hoist_program *program = NULL;
    const tflite_model *model = model_of(t, row->tensors, row->options, !row->is_constant);
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, NULL, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "RUN-030");
    const hoist_finding *finding = hoist_diag_at(t->diag, 0);
    HOIST_EXPECT(t, finding && strstr(finding->message.data, row->says));
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_becomes_steps), HOIST_TEST_ROW(what_is_refused))
