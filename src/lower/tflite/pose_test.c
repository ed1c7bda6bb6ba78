// PosenetDecoderOp as steps, of bytes and of float32, with masks and without, and what of it is
// refused.
#include "base/span.h"
#include "lower/tflite/job_testing.h"
#include "program/verify.h"

#define MAPS "u8 1x3x4x17 0.25 7, u8 1x3x4x34 0.5 8, u8 1x3x4x64 2 9"
#define REAL_MAPS "f32 1x3x4x17, f32 1x3x4x34, f32 1x3x4x64"
#define POSES " > f32 1x2x17x2, f32 1x2x17, f32 1x2, f32 1"
#define LONGS ", u8 1x33x33x34 1 10"

static tflite_model *model_of(hoist_test *t, const char *tensors, hoist_bytes options)
{
    tflite_model *model = tflite_job_model(t, TFLITE_OP_CUSTOM, tensors, NULL);
    model->operator_codes.items[0].custom_code = HOIST_STR("PosenetDecoderOp");
    model->subgraphs.items[0].operators.items[0].custom_options = options;
    return model;
}

// clang-format off
static const char steps[] =
    "compute tflite.dequantize(scale 0.25, zero 7) from [t0 u8[3, 4, 17]] to [numbers/0 f32[3, 4, 17]]\n"
    "compute tflite.dequantize(scale 0.03125, zero 8) from [t1 u8[3, 4, 34]] to [numbers/1 f32[3, 4, 34]]\n"
    "compute tflite.dequantize(scale 0.125, zero 9) from [t2 u8[3, 4, 64]] to [numbers/2 f32[3, 4, 64]]\n"
    "compute tflite.pose_roots_f32(score 0.25) from [numbers/0 f32[3, 4, 17]] to [roots/3 i32[204]]\n"
    "compute tflite.poses_f32(most 2, score 0.25, stride 16, radius 1e01) from [roots/3 i32[204], numbers/0 f32[3, 4, 17], numbers/1 f32[3, 4, 34], numbers/2 f32[3, 4, 64]] to [poses/4 f32[3, 52]]\n"
    "move copy from [poses/4 f32[2, 34] by [208, 4]] to t3 f32[1, 2, 17, 2]\n"
    "move copy from [poses/4 f32[2, 17] by [208, 4] + 136] to t4 f32[1, 2, 17]\n"
    "move copy from [poses/4 f32[2, 1] by [208, 4] + 204] to t5 f32[1, 2]\n"
    "move copy from [poses/4 f32[1, 1] by [208, 4] + 416] to t6 f32[1]";
// clang-format on

HOIST_TEST(of_bytes)
{
    hoist_program *program = NULL;
    const tflite_model *model =
        model_of(t, MAPS POSES, tflite_test_pose(&t->arena, 2, 16, NULL, NULL));
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, NULL, &program), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    HOIST_EXPECT_STR(t, tflite_job_steps(t, program), steps);
    hoist_program_destroy(program);
}

// Scores as they are, offsets in places.
HOIST_TEST(of_float32)
{
    const hoist_str text = tflite_job_text(
        t, model_of(t, REAL_MAPS POSES, tflite_test_pose(&t->arena, 2, 16, NULL, NULL)), NULL);
    HOIST_EXPECT(t, hoist_str_contains(text, "tflite.pose_roots_f32(score 0.25) from [t0 f32"));
    HOIST_EXPECT(t, hoist_str_contains(text, "by [0, 0, 0], t1 f32[3, 4, 34]] to [numbers/0 f32"));
    HOIST_EXPECT(t, hoist_str_contains(text, "by [0, 0, 0], t2 f32[3, 4, 64]] to [numbers/2 f32"));
}

// Shapes are those of the options where the file has none.
HOIST_TEST(with_masks)
{
    const hoist_str text =
        tflite_job_text(t,
                        model_of(t, MAPS LONGS " > f32 -, f32 -, f32 -, f32 -, f32 -",
                                 tflite_test_pose(&t->arena, 2, 16, NULL, NULL)),
                        NULL);
    HOIST_EXPECT(t, hoist_str_contains(text, "to t4 f32[1, 2, 17, 2]"));
    HOIST_EXPECT(t, hoist_str_contains(text, "to t5 f32[1, 2, 17]"));
    HOIST_EXPECT(t, hoist_str_contains(text, "to t6 f32[1, 2]"));
    HOIST_EXPECT(t, hoist_str_contains(text, "to t7 f32[1]"));
    HOIST_EXPECT(t, hoist_str_contains(text, "tflite.pose_masks_f32(stride 16)"));
    HOIST_EXPECT(t, hoist_str_contains(text, "to [t8 f32[2, 1089]"));
}

static const struct {
    const char *name;
    const char *tensors;
    int64_t most, stride;
    const char *without;
    const char *message;
} refused[] = {
    {"an output fewer", MAPS " > f32 1x2x17x2, f32 1x2x17, f32 1x2", 2, 16, NULL,
     "expected 3 inputs and 4 outputs, or 4 and 5"},
    {"masks without offsets", MAPS POSES ", f32 1x2x33x33", 2, 16, NULL,
     "expected 3 inputs and 4 outputs, or 4 and 5"},
    {"an option fewer", MAPS POSES, 2, 16, "stride", "its option 'stride' is no number"},
    {"no poses", MAPS POSES, 0, 16, NULL, "0 poses, expected 1 to 1024"},
    {"too many poses", MAPS POSES, 1025, 16, NULL, "1025 poses, expected 1 to 1024"},
    {"no stride", MAPS POSES, 2, 0, NULL, "a stride of 0, expected 1 to 32767"},
    {"a long stride", MAPS POSES, 2, 32768, NULL, "a stride of 32768, expected 1 to 32767"},
    {"other outputs", MAPS POSES, 3, 16, NULL, "x has 102 elements, y has 68"},
    {"two images", "u8 2x3x4x17 1 0, u8 1x3x4x34 1 0, u8 1x3x4x64 1 0" POSES, 2, 16, NULL,
     "input 0 has 4 dimensions, expected 1 and 3 others"},
    {"no scale", "u8 1x3x4x17, u8 1x3x4x34 1 0, u8 1x3x4x64 1 0" POSES, 2, 16, NULL,
     "tensor 0 ('t0') has 0 scales, expected 1"},
    {"a keypoint more", "u8 1x3x4x18 1 0, u8 1x3x4x34 1 0, u8 1x3x4x64 1 0" POSES, 2, 16, NULL,
     "poses_f32 expects 17 scores, 34 short and 64 middle offsets"},
    {"maps of other sizes", "u8 1x3x4x17 1 0, u8 1x3x5x34 1 0, u8 1x3x4x64 1 0" POSES, 2, 16, NULL,
     "dimension 1 of shorts is 5, expected 4 (W)"},
    {"masks of another size", MAPS ", u8 1x3x4x34 1 0" POSES ", f32 1x2x3x4", 2, 16, NULL,
     "output 4 is not of 2 masks of 33 rows and columns"},
    {"offsets of more places", MAPS ", u8 1x33x34x34 1 0" POSES ", f32 1x2x33x33", 2, 16, NULL,
     "pose_masks_f32 expects masks that all places are in"},
};

HOIST_TEST_TABLE(what_is_refused, refused)
{
    hoist_program *program = NULL;
    const hoist_bytes options =
        tflite_test_pose(&t->arena, row->most, row->stride, row->without, NULL);
    const tflite_model *model = model_of(t, row->tensors, options);
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, NULL, &program), HOIST_UNSUPPORTED);
    if (!hoist_str_contains(hoist_test_findings(t), row->message)) {
        HOIST_EXPECT_STR(t, hoist_test_findings(t), row->message);
    }
    HOIST_EXPECT(t, !program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(of_bytes), HOIST_TEST_ROW(of_float32), HOIST_TEST_ROW(with_masks),
                HOIST_TEST_ROW(what_is_refused))
