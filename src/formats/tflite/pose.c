// The options of PosenetDecoderOp (pose.h).
#include "formats/tflite/pose.h"

#include <stddef.h>

#include "base/span.h"
#include "formats/tflite/custom_numbers.h"

bool tflite_is_pose(const tflite_operator_code *code)
{
    return tflite_is_custom(code, "PosenetDecoderOp");
}

#define AT(member) offsetof(tflite_pose_options, member)

// {name, member, is a double, may be absent}; the decoder has no defaults.
static const tflite_custom_number numbers[] = {
    {"max_detections", AT(max_detections), false, false},
    {"score_threshold", AT(score_threshold), true, false},
    {"stride", AT(stride), false, false},
    {"nms_radius", AT(nms_radius), true, false},
};

const char *tflite_pose_read(const tflite_module *module, const tflite_operator *op,
                             tflite_pose_options *out_options)
{
    *out_options = (tflite_pose_options){.stride = 0};
    return tflite_custom_numbers_read(module, op, numbers, HOIST_COUNT_OF(numbers), out_options);
}
