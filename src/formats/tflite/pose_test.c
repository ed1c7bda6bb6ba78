// The options of PosenetDecoderOp: all of them, each one left out, each one a text.
#include "formats/tflite/pose.h"
#include "formats/tflite/tflite_testing.h"

static const char *read_options(hoist_bytes bytes, tflite_pose_options *out_options)
{
    const tflite_module module = {.file = {NULL, 0}};
    const tflite_operator op = {.custom_options = bytes};
    const char *fault = tflite_pose_read(&module, &op, out_options);
    return fault ? fault : "none";
}

HOIST_TEST(options_are_read)
{
    tflite_pose_options o;
    HOIST_EXPECT_STR(
        t, hoist_str_from(read_options(tflite_test_pose(&t->arena, 20, 16, NULL, NULL), &o)),
        "none");
    HOIST_EXPECT_EQ(t, o.max_detections, 20);
    HOIST_EXPECT_EQ(t, o.stride, 16);
    HOIST_EXPECT(t, o.score_threshold == 0.25 && o.nms_radius == 10);
    HOIST_EXPECT_STR(t, hoist_str_from(read_options((hoist_bytes){NULL, 0}, &o)), "");
}

static const struct {
    const char *name;
} names[] = {{"max_detections"}, {"score_threshold"}, {"stride"}, {"nms_radius"}};

HOIST_TEST_TABLE(options_that_are_missing_or_no_number, names)
{
    tflite_pose_options o;
    const hoist_bytes missing = tflite_test_pose(&t->arena, 20, 16, row->name, NULL);
    const hoist_bytes text = tflite_test_pose(&t->arena, 20, 16, NULL, row->name);
    HOIST_EXPECT_STR(t, hoist_str_from(read_options(missing, &o)), row->name);
    HOIST_EXPECT_STR(t, hoist_str_from(read_options(text, &o)), row->name);
}

HOIST_TEST(the_operator)
{
    const tflite_operator_code code = {.builtin_code = TFLITE_OP_CUSTOM,
                                       .custom_code = HOIST_STR("PosenetDecoderOp")};
    const tflite_operator_code other = {.builtin_code = TFLITE_OP_CUSTOM,
                                        .custom_code = HOIST_STR("PosenetDecoder")};
    HOIST_EXPECT(t, tflite_is_pose(&code) && !tflite_is_pose(&other) && !tflite_is_pose(NULL));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(options_are_read),
                HOIST_TEST_ROW(options_that_are_missing_or_no_number), HOIST_TEST_ROW(the_operator))
