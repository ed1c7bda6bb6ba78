// TFLite_Detection_PostProcess as steps, of float32 and of bytes, and what of it is refused.
#include "base/span.h"
#include "lower/tflite/job_testing.h"
#include "program/verify.h"

#define HEAD "f32 1x5x4, f32 1x5x3, f32 5x4 > f32 1x2x4, f32 1x2, f32 1x2, f32 1"

static tflite_model *model_of(hoist_test *t, const char *tensors, hoist_bytes options)
{
    tflite_model *model = tflite_job_model(t, TFLITE_OP_CUSTOM, tensors, NULL);
    model->operator_codes.items[0].custom_code = HOIST_STR("TFLite_Detection_PostProcess");
    model->subgraphs.items[0].operators.items[0].custom_options = options;
    return model;
}

// clang-format off
static const char steps[] =
    "compute tflite.detections_f32(most 2, each 1, classes 2, per_class 2, regular 1, score 0.25, overlap 0.5, y_scale 1e01, x_scale 1e01, h_scale 5, w_scale 5) from [t0 f32[5, 4], t1 f32[5, 3], t2 f32[5, 4]] to [detections/0 f32[3, 6]]\n"
    "move copy from [detections/0 f32[2, 4] by [24, 4]] to t3 f32[1, 2, 4]\n"
    "move copy from [detections/0 f32[2, 1] by [24, 4] + 16] to t4 f32[1, 2]\n"
    "move copy from [detections/0 f32[2, 1] by [24, 4] + 20] to t5 f32[1, 2]\n"
    "move copy from [detections/0 f32[1, 1] by [24, 4] + 48] to t6 f32[1]";
// clang-format on

HOIST_TEST(a_step_and_four_moves)
{
    hoist_program *program = NULL;
    const tflite_model *model = model_of(t, HEAD, tflite_test_detection(&t->arena, 2, NULL, NULL));
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, NULL, &program), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    HOIST_EXPECT_STR(t, tflite_job_steps(t, program), steps);
    hoist_program_destroy(program);
}

HOIST_TEST(bytes_are_dequantised)
{
    const hoist_str text = tflite_job_text(
        t,
        model_of(t,
                 "u8 1x5x4 0.5 1, u8 1x5x3 0.25 0, u8 5x4 0.125 3 > f32 1x2x4, f32 1x2, f32 1x2, "
                 "f32 1",
                 tflite_test_detection(&t->arena, 2, NULL, NULL)),
        NULL);
    HOIST_EXPECT(t, hoist_str_contains(text, "tflite.dequantize(scale 0.5, zero 1)"));
    HOIST_EXPECT(t, hoist_str_contains(text, "tflite.dequantize(scale 0.25, zero 0)"));
    HOIST_EXPECT(t, hoist_str_contains(text, "tflite.dequantize(scale 0.125, zero 3)"));
}

static const struct {
    const char *name;
    const char *tensors;
    int64_t most;
    const char *without;
    const char *message;
} refused[] = {
    {"an output fewer", "f32 1x5x4, f32 1x5x3, f32 5x4 > f32 1x2x4, f32 1x2, f32 1x2", 2, NULL,
     "expected 3 inputs and 4 outputs"},
    {"an input fewer", "f32 1x5x4, f32 1x5x3 > f32 1x2x4, f32 1x2, f32 1x2, f32 1", 2, NULL,
     "expected 3 inputs and 4 outputs"},
    {"an option fewer", HEAD, 2, "num_classes", "its option 'num_classes' is no number"},
    {"a number beyond any", HEAD, INT64_C(1) << 40, NULL, "an option is beyond 32 bits"},
    {"no box", HEAD, 0, NULL, "most is 0, expected 1 to 32767"},
    {"too many boxes", HEAD, 1 << 30, NULL, "most is 1073741824, expected 1 to 32767"},
    {"other outputs", HEAD, 3, NULL, "x has 12 elements, y has 8"},
    {"two images", "f32 2x5x4, f32 1x5x3, f32 5x4 > f32 1x2x4, f32 1x2, f32 1x2, f32 1", 2, NULL,
     "input 0 has 3 dimensions, expected 1 and 2 others"},
    {"other classes", "f32 1x5x4, f32 1x5x4, f32 5x4 > f32 1x2x4, f32 1x2, f32 1x2, f32 1", 2, NULL,
     "detections_f32 expects scores of its classes, and of the background or not"},
    {"anchors of floats",
     "u8 1x5x4 0.5 0, u8 1x5x3 0.5 0, f32 5x4 > f32 1x2x4, f32 1x2, f32 1x2, f32 1", 2, NULL,
     "boxes and anchors are of different types"},
    {"no scale", "u8 1x5x4, u8 1x5x3 0.5 0, u8 5x4 0.5 0 > f32 1x2x4, f32 1x2, f32 1x2, f32 1", 2,
     NULL, "tensor 0 ('t0') has 0 scales, expected 1"},
};

HOIST_TEST_TABLE(what_is_refused, refused)
{
    hoist_program *program = NULL;
    const tflite_model *model =
        model_of(t, row->tensors, tflite_test_detection(&t->arena, row->most, row->without, NULL));
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, NULL, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), row->message));
    HOIST_EXPECT(t, !program);
}

// Of outputs that have no shape in the file it is that of the options.
HOIST_TEST(shapes_that_are_left_out)
{
    const hoist_str text =
        tflite_job_text(t,
                        model_of(t, "f32 1x5x4, f32 1x5x3, f32 5x4 > f32 -, f32 -, f32 -, f32 -",
                                 tflite_test_detection(&t->arena, 7, NULL, NULL)),
                        NULL);
    HOIST_EXPECT(t, hoist_str_contains(text, "to t3 f32[1, 7, 4]"));
    HOIST_EXPECT(t, hoist_str_contains(text, "to t5 f32[1, 7]"));
    HOIST_EXPECT(t, hoist_str_contains(text, "to t6 f32[1]"));
}

HOIST_TEST(no_options)
{
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    tflite_job_lower(t, model_of(t, HEAD, (hoist_bytes){NULL, 0}), NULL, &program),
                    HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), "its options are no FlexBuffer"));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(a_step_and_four_moves), HOIST_TEST_ROW(bytes_are_dequantised),
                HOIST_TEST_ROW(shapes_that_are_left_out), HOIST_TEST_ROW(what_is_refused),
                HOIST_TEST_ROW(no_options))
