// TFLite_Detection_PostProcess: one step that keeps the best boxes, whose rows go to a buffer of
// their own, and a move to each of the operator's four outputs.
#include "formats/tflite/detection.h"

#include <inttypes.h>

#include "base/span.h"
#include "lower/quant_plain.h"
#include "lower/tflite/state.h"

enum { COLUMNS = 6 }; // of a row: a box, its class and its score

static bool fits_int32(int64_t number)
{
    return number >= INT32_MIN && number <= INT32_MAX;
}

// False: this was reported.
static bool read_options(tflite_lower_job *j, const tflite_lower_op *op,
                         tflite_detection_options *o)
{
    if (!tflite_lower_host_options(j, op, tflite_detection_read(j->module, op->row, o))) {
        return false;
    }
    if (!fits_int32(o->max_detections) || !fits_int32(o->max_classes_per_detection) ||
        !fits_int32(o->detections_per_class) || !fits_int32(o->num_classes)) {
        return tflite_lower_misfit(j, RUN_030, op, "an option is beyond 32 bits");
    }
    return true;
}

// The attributes of the step. TFLite keeps no more boxes of a class than of all.
static hoist_plain_detections layer_of(const tflite_detection_options *o)
{
    const int64_t per_class =
        o->detections_per_class < o->max_detections ? o->detections_per_class : o->max_detections;
    return (hoist_plain_detections){
        .most = o->max_detections,
        .each = o->max_classes_per_detection,
        .classes = o->num_classes,
        .per_class = per_class,
        .is_regular = o->use_regular_nms,
        .least_score = (float)o->nms_score_threshold,
        .most_overlap = (float)o->nms_iou_threshold,
        .scales = {(float)o->y_scale, (float)o->x_scale, (float)o->h_scale, (float)o->w_scale}};
}

// Rows of the outputs; 0: none, or more than a tensor here may have. Both factors are bounded
// first, so that the product does not wrap.
static int64_t rows_of(const tflite_detection_options *o)
{
    const int64_t most = o->max_detections;
    const int64_t each = o->max_classes_per_detection;
    const bool fits = most > 0 && most <= INT16_MAX && each > 0 && each <= INT16_MAX;
    return fits && most * each <= INT16_MAX * INT64_C(1024) ? most * each : 0;
}

// Boxes, classes and scores of all kept detections, and their number.
bool tflite_lower_detection_shape(const tflite_module *module, const tflite_operator *op,
                                  uint32_t output, hoist_shape *out_shape)
{
    tflite_detection_options o;
    if (output >= TFLITE_DETECTION_OUTPUTS || tflite_detection_read(module, op, &o) ||
        rows_of(&o) == 0) {
        return false;
    }
    const hoist_shape shapes[TFLITE_DETECTION_OUTPUTS] = {
        {.rank = 3, .dim = {1, rows_of(&o), 4}},
        {.rank = 2, .dim = {1, rows_of(&o)}},
        {.rank = 2, .dim = {1, rows_of(&o)}},
        {.rank = 1, .dim = {1}},
    };
    *out_shape = shapes[output];
    return true;
}

// The step's result has a row for each detection and one more, whose first column is their number.
void tflite_lower_detection(tflite_lower_job *j, const tflite_lower_op *op)
{
    static const hoist_lower_range columns[] = {{0, 1, 4}, {4, 1, 1}, {5, 1, 1}, {0, 1, 1}};
    tflite_detection_options o;
    if (tflite_count(op->row->inputs) != TFLITE_DETECTION_INPUTS ||
        tflite_count(op->row->outputs) != TFLITE_DETECTION_OUTPUTS) {
        tflite_lower_misfit(j, RUN_030, op, "expected 3 inputs and 4 outputs");
        return;
    }
    if (!read_options(j, op, &o)) {
        return;
    }
    hoist_plain_detections layer = layer_of(&o);
    const tflite_lower_value *boxes = tflite_lower_input(j, op, TFLITE_DETECTION_BOXES);
    const tflite_lower_value *anchors = tflite_lower_input(j, op, TFLITE_DETECTION_ANCHORS);
    if (boxes && anchors && boxes->view.dtype != anchors->view.dtype) {
        tflite_lower_misfit(j, RUN_030, op, "boxes and anchors are of different types");
        return;
    }
    const tflite_lower_host_form form = {.rank = 2, .factor = 1};
    if (!tflite_lower_host_input(j, op, TFLITE_DETECTION_BOXES, form, &layer.boxes) ||
        !tflite_lower_host_input(j, op, TFLITE_DETECTION_SCORES, form, &layer.scores) ||
        !tflite_lower_host_input(j, op, TFLITE_DETECTION_ANCHORS, form, &layer.anchors)) {
        return;
    }
    const int64_t count = rows_of(&o);
    const hoist_shape shape = {.rank = 2, .dim = {count + 1, COLUMNS}};
    layer.y = count > 0 ? tflite_lower_scratch(j, "detections", HOIST_DTYPE_F32, &shape)
                        : layer.boxes; // the row refuses it
    const hoist_status status = hoist_plain_add_detections(&j->layers, &layer);
    tflite_lower_end(j, op, status);
    if (status != HOIST_OK) {
        return;
    }
    const hoist_lower_view kept =
        hoist_lower_view_part(&layer.y, 0, (hoist_lower_range){0, 1, count});
    const hoist_lower_view number =
        hoist_lower_view_part(&layer.y, 0, (hoist_lower_range){count, 1, 1});
    for (uint32_t i = 0; i < TFLITE_DETECTION_OUTPUTS; i++) {
        const bool is_number = i + 1 == TFLITE_DETECTION_OUTPUTS;
        const hoist_lower_view part =
            hoist_lower_view_part(is_number ? &number : &kept, 1, columns[i]);
        if (!tflite_lower_host_output(j, op, i, &part)) {
            return;
        }
    }
}
