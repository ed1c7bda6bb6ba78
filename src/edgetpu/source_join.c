// Inputs that a concatenation of the source brings to the scale of its output. On the chip each is
// a layer of its own, which is no operator of the source. In: an operator that was matched with its
// layer; out: the producers of its inputs before such layers, and the differences between these and
// the operator's tensors.
#include <inttypes.h>

#include "base/span.h"
#include "edgetpu/source.h"

// The input has another scale or zero point than the concatenation's output.
static bool is_scaled(const hoist_edgetpu_source_pair *s, const hoist_edgetpu_source_operator *op,
                      uint32_t index)
{
    const tflite_tensor *input = hoist_edgetpu_source_tensor(s, op->op->inputs, index);
    const tflite_tensor *output = hoist_edgetpu_source_tensor(s, op->op->outputs, 0);
    return op->expected.layer.kind == DWN_KIND_CONCATENATION && input && output &&
           !hoist_edgetpu_source_is_same_quantity(input, output);
}

// A layer that several concatenations read belongs to the first one that was matched.
uint32_t hoist_edgetpu_source_scaling(const hoist_edgetpu_source_pair *s,
                                      const hoist_edgetpu_source_operator *op,
                                      const dwn_recovered *layer, uint32_t index)
{
    const uint32_t from = index < layer->input_count ? layer->inputs[index] : DWN_NONE;
    const uint32_t own = (uint32_t)(op - s->operators);
    const bool is_layer = from < s->layer_count && s->layers[from].kind == DWN_KIND_QUANTIZE &&
                          s->layers[from].input_count == 1 &&
                          (s->owners[from] == DWN_NONE || s->owners[from] == own);
    return is_layer && is_scaled(s, op, index) ? from : DWN_NONE;
}

uint32_t hoist_edgetpu_source_from(const hoist_edgetpu_source_pair *s,
                                   const hoist_edgetpu_source_operator *op,
                                   const dwn_recovered *layer, uint32_t index)
{
    const uint32_t scaling = hoist_edgetpu_source_scaling(s, op, layer, index);
    return scaling == DWN_NONE ? layer->inputs[index] : s->layers[scaling].inputs[0];
}

// So that they are not reported as layers without an operator.
void hoist_edgetpu_source_own_scalings(hoist_edgetpu_source_pair *s, uint32_t index)
{
    const hoist_edgetpu_source_operator *op = &s->operators[index];
    const dwn_recovered *layer = &s->layers[op->layer];
    for (uint32_t i = 0; i < layer->input_count; i++) {
        const uint32_t scaling = hoist_edgetpu_source_scaling(s, op, layer, i);
        if (scaling != DWN_NONE) {
            s->owners[scaling] = index;
        }
    }
}

// A scaling that is missing is a difference of the operator, one that is there a layer to compare.
hoist_status hoist_edgetpu_source_compare_scalings(const hoist_edgetpu_source_pair *s,
                                                   hoist_edgetpu_difference_sender *sender,
                                                   hoist_edgetpu_source_operator *op)
{
    const dwn_recovered *layer = &s->layers[op->layer];
    for (uint32_t i = 0; i < layer->input_count; i++) {
        hoist_edgetpu_expected expected;
        if (!is_scaled(s, op, i)) {
            continue;
        }
        const uint32_t scaling = hoist_edgetpu_source_scaling(s, op, layer, i);
        if (scaling == DWN_NONE) {
            const hoist_str path =
                hoist_arena_format(s->arena, "operators/%" PRIu32 "/inputs/%" PRIu32,
                                   (uint32_t)(op - s->operators), i);
            HOIST_TRY(hoist_edgetpu_difference_of_one(sender, path, true,
                                                      HOIST_STR("another scale or zero point")));
            continue;
        }
        hoist_edgetpu_source_expect_scaling(s, op, i, &expected);
        const dwn_recovered *const layers[2] = {&expected.layer, &s->layers[scaling]};
        HOIST_TRY(hoist_edgetpu_difference_of_layers(sender, scaling, layers, expected.constants,
                                                     &op->compared));
    }
    return HOIST_OK;
}
