// Custom operators that the host computes: a row for each with its lowering (detection.c, pose.c)
// and the shapes that its options give its outputs.
#include "base/span.h"
#include "formats/tflite/detection.h"
#include "formats/tflite/pose.h"
#include "lower/tflite/state.h"

// The host's own operators know their name, how they are lowered, and shapes of outputs that files
// leave out.
typedef struct host_kind {
    bool (*is_kind)(const tflite_operator_code *code);
    tflite_lower_fn *lower;
    tflite_lower_shape_fn *shape;
} host_kind;

static const host_kind kinds[] = {
    {tflite_is_detection, tflite_lower_detection, tflite_lower_detection_shape},
    {tflite_is_pose, tflite_lower_pose, tflite_lower_pose_shape},
};

static const host_kind *kind_of(const tflite_operator_code *code)
{
    const host_kind *kind = NULL;
    for (size_t i = 0; i < HOIST_COUNT_OF(kinds) && !kind; i++) {
        kind = kinds[i].is_kind(code) ? &kinds[i] : NULL;
    }
    return kind;
}

tflite_lower_fn *tflite_lower_host(const tflite_operator_code *code)
{
    const host_kind *kind = kind_of(code);
    return kind ? kind->lower : NULL;
}

// The converter leaves shapes of their outputs empty, as they depend on options.
void tflite_lower_host_shapes(tflite_lower_job *j)
{
    for (uint32_t i = 0; i < j->graph->operators.count; i++) {
        const tflite_operator *row = &j->graph->operators.items[i];
        const host_kind *kind = kind_of(tflite_code_of(j->module->model, row));
        for (uint32_t k = 0; kind && k < tflite_count(row->outputs); k++) {
            const int32_t tensor = hoist_fb_i32(row->outputs, k);
            hoist_shape shape;
            if (tensor >= 0 && (uint32_t)tensor < j->graph->tensors.count &&
                kind->shape(j->module, row, k, &shape)) {
                j->values[tensor].given = shape;
            }
        }
    }
}
