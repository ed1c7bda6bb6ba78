// formats/tflite/pose.h - the options of PosenetDecoderOp, the custom operator of Coral at the end
// of PoseNet and BodyPix: maps of keypoints to poses (google-coral/libcoral,
// coral/pose_estimation).
#ifndef HOIST_SRC_FORMATS_TFLITE_POSE_H
#define HOIST_SRC_FORMATS_TFLITE_POSE_H

#include "formats/tflite/module.h"

// What its inputs and outputs are; the last of each are in a file together, or not.
enum {
    TFLITE_POSE_HEATMAPS = 0, // [1, H, W, 17], as odds
    TFLITE_POSE_SHORTS,       // [1, H, W, 34], pixels
    TFLITE_POSE_MIDS,         // [1, H, W, 64], pixels
    TFLITE_POSE_LONGS,        // [1, 33, 33, 34], pixels
    TFLITE_POSE_INPUTS,
    TFLITE_POSE_POINTS = 0,      // [1, poses, 17, 2]: y and x, pixels
    TFLITE_POSE_KEYPOINT_SCORES, // [1, poses, 17]
    TFLITE_POSE_SCORES,          // [1, poses]
    TFLITE_POSE_COUNT,           // [1]
    TFLITE_POSE_MASKS,           // [1, poses, 33, 33]
    TFLITE_POSE_OUTPUTS,
    TFLITE_POSE_MASK_SIZE = 33,
};

typedef struct tflite_pose_options {
    int64_t max_detections; // poses that are kept of an image
    double score_threshold; // of poses, and of keypoints that they begin at; a probability
    int64_t stride;         // pixels between two places of the maps
    double nms_radius;      // pixels
} tflite_pose_options;

// Whether an operator is of this kind; the code may be NULL.
bool tflite_is_pose(const tflite_operator_code *code);

// Reads the FlexBuffer of the operator; as tflite_custom_numbers_read() (custom_numbers.h).
const char *tflite_pose_read(const tflite_module *module, const tflite_operator *op,
                             tflite_pose_options *out_options);

#endif // HOIST_SRC_FORMATS_TFLITE_POSE_H
