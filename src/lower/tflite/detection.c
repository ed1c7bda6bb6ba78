// TFLite_Detection_PostProcess: one step that keeps the best boxes, whose rows go to a buffer of
// their own, and a move to each of the operator's four outputs.
#include "formats/tflite/detection.h"

#include <inttypes.h>

#include "base/span.h"
#include "lower/quant_plain.h"
#include "lower/tflite/state.h"

enum { COLUMNS = 6 }; // of a row: a box, its class and its score

// A tensor that this operator alone uses. NULL is no view: HOIST_NO_REF in `of`.
static hoist_lower_view scratch(tflite_lower_job *j, const char *what, const hoist_shape *shape)
{
    hoist_lower_view view = hoist_lower_view_dense(HOIST_NO_REF, HOIST_DTYPE_F32, shape);
    const hoist_str name = hoist_lower_numbered(j->c, hoist_str_from(what), &j->c->constants);
    if (name.data) {
        view.of = hoist_builder_buffer(
            j->c->b,
            &(hoist_prog_buffer){.name = name,
                                 .loc = j->layers.loc,
                                 .space = j->layers.space,
                                 .size = (uint64_t)hoist_shape_count(shape) * sizeof(float),
                                 .alignment = 1,
                                 .window_of = HOIST_NO_REF,
                                 .lifetime = HOIST_LIFETIME_CALL,
                                 .layout = HOIST_NO_REF});
    }
    return view;
}

// The operator's input in `rank` dimensions, without the first one of [1, ...], as float32. False:
// this was reported.
static bool read_input(tflite_lower_job *j, const tflite_lower_op *op, uint32_t index,
                       hoist_lower_view *out_view)
{
    const tflite_lower_value *x = tflite_lower_input(j, op, index);
    float scale = 0;
    if (!x) {
        return false;
    }
    const hoist_shape *shape = &x->view.shape;
    hoist_shape rows = *shape;
    if (shape->rank == 3 && shape->dim[0] == 1) {
        rows = (hoist_shape){.rank = 2, .dim = {shape->dim[1], shape->dim[2]}};
    }
    if (rows.rank != 2 || !hoist_lower_view_reshape(&x->view, &rows, out_view)) {
        tflite_lower_misfit(j, RUN_030, op, "input %" PRIu32 " is no list of rows", index);
        return false;
    }
    if (x->view.dtype == HOIST_DTYPE_F32) {
        return true;
    }
    const hoist_quant_unary layer = {*out_view, scratch(j, "numbers", &rows)};
    if (!tflite_lower_scale(j, op, x, &scale)) {
        return false;
    }
    const hoist_status status = hoist_quant_dequantize(&j->layers, &layer, scale);
    *out_view = layer.y;
    tflite_lower_end(j, op, status);
    return status == HOIST_OK;
}

static bool fits_int32(int64_t number)
{
    return number >= INT32_MIN && number <= INT32_MAX;
}

// False: this was reported.
static bool read_options(tflite_lower_job *j, const tflite_lower_op *op,
                         tflite_detection_options *o)
{
    const char *fault = tflite_detection_read(j->module, op->row, o);
    if (fault) {
        tflite_lower_misfit(j, RUN_030, op, "%s%s%s", *fault ? "its option '" : "its options are",
                            *fault ? fault : " no FlexBuffer", *fault ? "' is no number" : "");
        return false;
    }
    if (!fits_int32(o->max_detections) || !fits_int32(o->max_classes_per_detection) ||
        !fits_int32(o->detections_per_class) || !fits_int32(o->num_classes)) {
        tflite_lower_misfit(j, RUN_030, op, "an option is beyond 32 bits");
        return false;
    }
    return true;
}

// The attributes of the step; TFLite keeps no more of a class than of all.
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

// Columns of the rows to output `index`; false: this was reported.
static bool write_output(tflite_lower_job *j, const tflite_lower_op *op, uint32_t index,
                         const hoist_lower_view *rows, hoist_lower_range columns)
{
    const tflite_lower_value *y = tflite_lower_output(j, op, index);
    if (!y) {
        return false;
    }
    const hoist_quant_unary copy = {hoist_lower_view_part(rows, 1, columns), y->view};
    const hoist_status status = hoist_quant_copy(&j->layers, &copy);
    tflite_lower_end(j, op, status);
    return status == HOIST_OK;
}

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
    if (!read_input(j, op, TFLITE_DETECTION_BOXES, &layer.boxes) ||
        !read_input(j, op, TFLITE_DETECTION_SCORES, &layer.scores) ||
        !read_input(j, op, TFLITE_DETECTION_ANCHORS, &layer.anchors)) {
        return;
    }
    const int64_t count = layer.most * layer.each; // of 32-bit numbers
    const hoist_shape shape = {.rank = 2, .dim = {count + 1, COLUMNS}};
    const bool is_sized = layer.most > 0 && layer.each > 0 && count <= INT16_MAX * INT64_C(1024);
    layer.y = is_sized ? scratch(j, "detections", &shape) : layer.boxes;
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
        if (!write_output(j, op, i, is_number ? &number : &kept, columns[i])) {
            return;
        }
    }
}
