// The options of TFLite_Detection_PostProcess (detection.h): a FlexBuffer in, numbers by name out.
#include "formats/tflite/detection.h"

#include <stddef.h>

#include "base/span.h"
#include "codec/flexbuffer.h"

bool tflite_is_detection(const tflite_operator_code *code)
{
    return code && tflite_code_number(code) == TFLITE_OP_CUSTOM &&
           hoist_str_equal_c(code->custom_code, "TFLite_Detection_PostProcess");
}

typedef struct option {
    const char *name;
    size_t at;
    bool is_real;
    bool is_optional;
} option;

#define AT(member) offsetof(tflite_detection_options, member)

static const option options[] = {
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

// A number of either kind; false: it is none.
static bool read_number(const option *o, const hoist_flex_value *value, void *to)
{
    int64_t whole = 0;
    double real = 0;
    const bool is_whole = hoist_flex_i64(value, &whole);
    const bool is_real = !is_whole && hoist_flex_f64(value, &real);
    if (o->is_real) {
        *(double *)to = is_whole ? (double)whole : real;
        return is_whole || is_real;
    }
    *(int64_t *)to = whole;
    return is_whole;
}

// False: it is there, and no truth.
static bool read_truth(const hoist_flex_value *map, const char *name, bool *out_truth)
{
    hoist_flex_value value;
    int64_t number = 0;
    *out_truth = false;
    if (hoist_flex_find(map, name, &value) != HOIST_OK || hoist_flex_bool(&value, out_truth)) {
        return true;
    }
    const bool is_number = hoist_flex_i64(&value, &number);
    *out_truth = number != 0;
    return is_number;
}

const char *tflite_detection_read(const tflite_module *module, const tflite_operator *op,
                                  tflite_detection_options *out_options)
{
    hoist_flex in = {.bytes = tflite_custom_options(module, op)};
    hoist_flex_value root;
    hoist_flex_value value;
    *out_options = (tflite_detection_options){.detections_per_class = 100};
    if (hoist_flex_root(&in, &root) != HOIST_OK) {
        return "";
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(options); i++) {
        const option *o = &options[i];
        const bool is_there = hoist_flex_find(&root, o->name, &value) == HOIST_OK;
        if (is_there ? !read_number(o, &value, (char *)out_options + o->at) : !o->is_optional) {
            return o->name;
        }
    }
    return read_truth(&root, "use_regular_nms", &out_options->use_regular_nms) ? NULL
                                                                               : "use_regular_nms";
}
