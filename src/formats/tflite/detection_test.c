// The options of TFLite_Detection_PostProcess: all of them, each one left out, each one a text.
#include "formats/tflite/detection.h"
#include "formats/tflite/tflite_testing.h"

static const char *read_options(hoist_bytes bytes, tflite_detection_options *out_options)
{
    const tflite_module module = {.file = {NULL, 0}};
    const tflite_operator op = {.custom_options = bytes};
    return tflite_detection_read(&module, &op, out_options);
}

HOIST_TEST(options_are_read)
{
    tflite_detection_options o;
    HOIST_EXPECT(t, !read_options(tflite_test_detection(&t->arena, 3, NULL, NULL), &o));
    HOIST_EXPECT_EQ(t, o.max_detections, 3);
    HOIST_EXPECT_EQ(t, o.max_classes_per_detection, 1);
    HOIST_EXPECT_EQ(t, o.detections_per_class, 7);
    HOIST_EXPECT_EQ(t, o.num_classes, 2);
    HOIST_EXPECT(t, o.use_regular_nms);
    HOIST_EXPECT(t, o.nms_score_threshold == 0.25 && o.nms_iou_threshold == 0.5);
    HOIST_EXPECT(t, o.y_scale == 10 && o.x_scale == 10 && o.h_scale == 5 && o.w_scale == 5);
}

static const struct {
    const char *name;
    bool is_optional;
} names[] = {
    {"max_detections", false},
    {"max_classes_per_detection", false},
    {"detections_per_class", true},
    {"num_classes", false},
    {"use_regular_nms", true},
    {"nms_score_threshold", false},
    {"nms_iou_threshold", false},
    {"y_scale", false},
    {"x_scale", false},
    {"h_scale", false},
    {"w_scale", false},
};

HOIST_TEST_TABLE(options_that_are_missing_or_no_number, names)
{
    tflite_detection_options o;
    const char *missing = read_options(tflite_test_detection(&t->arena, 3, row->name, NULL), &o);
    const char *text = read_options(tflite_test_detection(&t->arena, 3, NULL, row->name), &o);
    HOIST_EXPECT_STR(t, hoist_str_from(missing ? missing : "none"),
                     row->is_optional ? "none" : row->name);
    HOIST_EXPECT_STR(t, hoist_str_from(text ? text : "none"), row->name);
}

HOIST_TEST(what_is_not_in_the_file)
{
    tflite_detection_options o;
    HOIST_EXPECT(
        t, !read_options(tflite_test_detection(&t->arena, 3, "detections_per_class", NULL), &o));
    HOIST_EXPECT_EQ(t, o.detections_per_class, 100);
    HOIST_EXPECT(t,
                 !read_options(tflite_test_detection(&t->arena, 3, "use_regular_nms", NULL), &o));
    HOIST_EXPECT(t, !o.use_regular_nms);
    HOIST_EXPECT_STR(t, hoist_str_from(read_options((hoist_bytes){NULL, 0}, &o)), "");
}

static const struct {
    const char *name;
    int32_t number;
    const char *custom_code;
    bool is_detection;
} codes[] = {
    {"the operator", TFLITE_OP_CUSTOM, "TFLite_Detection_PostProcess", true},
    {"another custom one", TFLITE_OP_CUSTOM, "TFLite_Detection", false},
    {"a builtin one of its name", TFLITE_OP_ADD, "TFLite_Detection_PostProcess", false},
};

HOIST_TEST_TABLE(operators, codes)
{
    const tflite_operator_code code = {.builtin_code = row->number,
                                       .custom_code = hoist_str_from(row->custom_code)};
    HOIST_EXPECT_EQ(t, tflite_is_detection(&code), row->is_detection);
    HOIST_EXPECT(t, !tflite_is_detection(NULL));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(options_are_read),
                HOIST_TEST_ROW(options_that_are_missing_or_no_number),
                HOIST_TEST_ROW(what_is_not_in_the_file), HOIST_TEST_ROW(operators))
