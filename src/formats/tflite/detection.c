// The options of TFLite_Detection_PostProcess (detection.h).
#include "formats/tflite/detection.h"

#include <stddef.h>

#include "base/span.h"
#include "codec/flexbuffer.h"
#include "formats/tflite/custom_numbers.h"

bool tflite_is_detection(const tflite_operator_code *code)
{
    return tflite_is_custom(code, "TFLite_Detection_PostProcess");
}

// Of the member that a row fills, in the struct of the options.
#define AT(member) offsetof(tflite_detection_options, member)

// In the order in which faults are reported; {name, member, is a double, may be absent}.
static const tflite_custom_number numbers[] = {
    {"max_detections", AT(max_detections), false, false},
    {"max_classes_per_detection", AT(max_classes_per_detection), false, false},
    {"detections_per_class", AT(detections_per_class), false, true},
    {"num_classes", AT(num_classes), false, false},
    {"nms_score_threshold", AT(nms_score_threshold), true, false},
    {"nms_iou_threshold", AT(nms_iou_threshold), true, false},
    {"y_scale", AT(y_scale), true, false},
    {"x_scale", AT(x_scale), true, false},
    {"h_scale", AT(h_scale), true, false},
    {"w_scale", AT(w_scale), true, false},
};

// A truth value, which converters also write as an integer. Absent is false. Returns false when the
// member has another type.
static bool read_truth(hoist_bytes options, const char *name, bool *out_truth)
{
    hoist_flex in = {.bytes = options};
    hoist_flex_value root;
    hoist_flex_value value;
    int64_t number = 0;
    *out_truth = false;
    if (hoist_flex_root(&in, &root) != HOIST_OK ||
        hoist_flex_find(&root, name, &value) != HOIST_OK || hoist_flex_bool(&value, out_truth)) {
        return true;
    }
    const bool is_number = hoist_flex_i64(&value, &number);
    *out_truth = number != 0;
    return is_number;
}

const char *tflite_detection_read(const tflite_module *module, const tflite_operator *op,
                                  tflite_detection_options *out_options)
{
    static const char truth[] = "use_regular_nms";
    // The default of TFLite's kernel.
    *out_options = (tflite_detection_options){.detections_per_class = 100};
    const char *fault =
        tflite_custom_numbers_read(module, op, numbers, HOIST_COUNT_OF(numbers), out_options);
    if (fault) {
        return fault;
    }
    return read_truth(tflite_custom_options(module, op), truth, &out_options->use_regular_nms)
               ? NULL
               : truth;
}
