// PosenetDecoderOp: a step that finds where poses begin, one that decodes them, whose rows go to a
// buffer of their own, a move to each output, and of models that have masks a step for these.
#include "formats/tflite/pose.h"

#include <inttypes.h>

#include "lower/quant_plain.h"
#include "lower/tflite/state.h"

// Models of BodyPix have a fourth map (long offsets) and a fifth output.
static bool has_masks(const tflite_operator *row)
{
    return tflite_count(row->inputs) == TFLITE_POSE_INPUTS &&
           tflite_count(row->outputs) == TFLITE_POSE_OUTPUTS;
}

bool tflite_lower_pose_shape(const tflite_module *module, const tflite_operator *op,
                             uint32_t output, hoist_shape *out_shape)
{
    tflite_pose_options o;
    if (output >= TFLITE_POSE_OUTPUTS || tflite_pose_read(module, op, &o) || o.max_detections < 1 ||
        o.max_detections > HOIST_POSES_LIMIT) {
        return false;
    }
    const int64_t most = o.max_detections;
    const hoist_shape shapes[] = {
        [TFLITE_POSE_POINTS] = {.rank = 4, .dim = {1, most, HOIST_POSE_KEYPOINTS, 2}},
        [TFLITE_POSE_KEYPOINT_SCORES] = {.rank = 3, .dim = {1, most, HOIST_POSE_KEYPOINTS}},
        [TFLITE_POSE_SCORES] = {.rank = 2, .dim = {1, most}},
        [TFLITE_POSE_COUNT] = {.rank = 1, .dim = {1}},
        [TFLITE_POSE_MASKS] = {.rank = 4,
                               .dim = {1, most, TFLITE_POSE_MASK_SIZE, TFLITE_POSE_MASK_SIZE}},
    };
    *out_shape = shapes[output];
    return true;
}

// Heat maps as they are, offsets divided by the stride: from pixels to places of the map. False:
// this was reported.
static bool read_inputs(tflite_lower_job *j, const tflite_lower_op *op, int64_t stride,
                        hoist_plain_poses *layer)
{
    const tflite_lower_host_form odds = {.rank = 3, .factor = 1};
    const tflite_lower_host_form offsets = {.rank = 3, .factor = (float)(1.0 / (double)stride)};
    return tflite_lower_host_input(j, op, TFLITE_POSE_HEATMAPS, odds, &layer->scores) &&
           tflite_lower_host_input(j, op, TFLITE_POSE_SHORTS, offsets, &layer->shorts) &&
           tflite_lower_host_input(j, op, TFLITE_POSE_MIDS, offsets, &layer->mids);
}

// Some columns of the poses' rows to an output; the number of poses is in a row after the last.
// False: this was reported.
static bool write_output(tflite_lower_job *j, const tflite_lower_op *op, uint32_t index,
                         const hoist_plain_poses *layer)
{
    static const hoist_lower_range columns[] = {
        [TFLITE_POSE_POINTS] = {0, 1, 2 * HOIST_POSE_KEYPOINTS},
        [TFLITE_POSE_KEYPOINT_SCORES] = {2 * HOIST_POSE_KEYPOINTS, 1, HOIST_POSE_KEYPOINTS},
        [TFLITE_POSE_SCORES] = {HOIST_POSE_COLUMNS - 1, 1, 1},
        [TFLITE_POSE_COUNT] = {0, 1, 1},
    };
    const hoist_lower_range rows = index == TFLITE_POSE_COUNT
                                       ? (hoist_lower_range){layer->most, 1, 1}
                                       : (hoist_lower_range){0, 1, layer->most};
    const hoist_lower_view part = hoist_lower_view_part(&layer->y, 0, rows);
    const hoist_lower_view from = hoist_lower_view_part(&part, 1, columns[index]);
    return tflite_lower_host_output(j, op, index, &from);
}

// Masks have 33 rows and columns, as Coral's decoder has them, whatever the maps have.
static void write_masks(tflite_lower_job *j, const tflite_lower_op *op,
                        const hoist_plain_poses *layer)
{
    const tflite_lower_host_form offsets = {.rank = 3,
                                            .factor = (float)(1.0 / (double)layer->stride)};
    const hoist_shape shape = {.rank = 2,
                               .dim = {layer->most, TFLITE_POSE_MASK_SIZE * TFLITE_POSE_MASK_SIZE}};
    const tflite_lower_value *masks = tflite_lower_output(j, op, TFLITE_POSE_MASKS);
    hoist_plain_pose_masks step = {.poses = layer->y, .stride = layer->stride};
    if (!masks || !tflite_lower_host_input(j, op, TFLITE_POSE_LONGS, offsets, &step.longs)) {
        return;
    }
    if (!hoist_lower_view_reshape(&masks->view, &shape, &step.y)) {
        tflite_lower_misfit(j, RUN_030, op,
                            "output %d is not of %" PRId64 " masks of 33 rows and columns",
                            TFLITE_POSE_MASKS, layer->most);
        return;
    }
    tflite_lower_end(j, op, hoist_plain_add_pose_masks(&j->layers, &step));
}

// Options within the limits of the row; false: this was reported. The stride is a divisor.
static bool read_options(tflite_lower_job *j, const tflite_lower_op *op, tflite_pose_options *o)
{
    if (!tflite_lower_host_options(j, op, tflite_pose_read(j->module, op->row, o))) {
        return false;
    }
    if (o->max_detections < 1 || o->max_detections > HOIST_POSES_LIMIT) {
        return tflite_lower_misfit(j, RUN_030, op, "%" PRId64 " poses, expected 1 to %d",
                                   o->max_detections, HOIST_POSES_LIMIT);
    }
    if (o->stride < 1 || o->stride > INT16_MAX) {
        return tflite_lower_misfit(j, RUN_030, op, "a stride of %" PRId64 ", expected 1 to %d",
                                   o->stride, INT16_MAX);
    }
    return true;
}

// Roots are candidates of poses, places whose score is a local maximum; each pose is decoded from
// one.
void tflite_lower_pose(tflite_lower_job *j, const tflite_lower_op *op)
{
    tflite_pose_options o;
    if (!has_masks(op->row) && (tflite_count(op->row->inputs) != TFLITE_POSE_LONGS ||
                                tflite_count(op->row->outputs) != TFLITE_POSE_MASKS)) {
        tflite_lower_misfit(j, RUN_030, op, "expected 3 inputs and 4 outputs, or 4 and 5");
        return;
    }
    if (!read_options(j, op, &o)) {
        return;
    }
    hoist_plain_poses layer = {.most = o.max_detections,
                               .stride = o.stride,
                               .score = (float)o.score_threshold,
                               .radius = (float)o.nms_radius};
    if (!read_inputs(j, op, o.stride, &layer)) {
        return;
    }
    // At most each place of each map.
    const hoist_shape roots = {.rank = 1, .dim = {hoist_shape_count(&layer.scores.shape)}};
    const hoist_shape rows = {.rank = 2, .dim = {layer.most + 1, HOIST_POSE_COLUMNS}};
    layer.roots = tflite_lower_scratch(j, "roots", HOIST_DTYPE_I32, &roots);
    layer.y = tflite_lower_scratch(j, "poses", HOIST_DTYPE_F32, &rows);
    const hoist_status status = hoist_plain_add_poses(&j->layers, &layer);
    tflite_lower_end(j, op, status);
    bool good = status == HOIST_OK;
    for (uint32_t i = 0; i <= TFLITE_POSE_COUNT && good; i++) {
        good = write_output(j, op, i, &layer);
    }
    if (good && has_masks(op->row)) {
        write_masks(j, op, &layer);
    }
}
