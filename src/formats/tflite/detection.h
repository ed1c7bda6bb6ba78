// formats/tflite/detection.h - the options of TFLite_Detection_PostProcess, the custom operator at
// the end of SSD models: boxes of a head to the best of them.
#ifndef HOIST_SRC_FORMATS_TFLITE_DETECTION_H
#define HOIST_SRC_FORMATS_TFLITE_DETECTION_H

#include "formats/tflite/module.h"

// What its inputs and outputs are.
enum {
    TFLITE_DETECTION_BOXES = 0, // [1, B, 4 or more]
    TFLITE_DETECTION_SCORES,    // [1, B, classes]
    TFLITE_DETECTION_ANCHORS,   // [B, 4]
    TFLITE_DETECTION_INPUTS,
    TFLITE_DETECTION_OUTPUTS = 4, // boxes, classes, scores, their number
};

typedef struct tflite_detection_options {
    int64_t max_detections;            // boxes that are kept of an image
    int64_t max_classes_per_detection; // classes that are kept of a box
    int64_t detections_per_class;      // 100 where it is not in the file
    int64_t num_classes;               // without the background
    bool use_regular_nms;              // false where it is not in the file
    double nms_score_threshold;        // of a score; a probability
    double nms_iou_threshold; // overlap, as intersection over union, above which a box is dropped
    // Divisors of the box encoding (SSD): centre by y_scale and x_scale, size by h_scale and
    // w_scale.
    double y_scale, x_scale, h_scale, w_scale;
} tflite_detection_options;

// Whether an operator is of this kind; the code may be NULL.
bool tflite_is_detection(const tflite_operator_code *code);

// Reads the FlexBuffer of the operator. NULL, or the name of the first option that is missing or no
// number; "" where there is no FlexBuffer.
const char *tflite_detection_read(const tflite_module *module, const tflite_operator *op,
                                  tflite_detection_options *out_options);

#endif // HOIST_SRC_FORMATS_TFLITE_DETECTION_H
