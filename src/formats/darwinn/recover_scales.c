// Scales of all values of a recovered model (darwinn reference sections 16.5 and 16.7). In: the
// layers, and the scales that the executable stores for its inputs and outputs; out: a scale for
// each layer with its source. Known scales are propagated along layers until nothing changes (a
// fixed point, with a limit of sweeps); then one scale is chosen and propagated again.
#include "formats/darwinn/recover_scales.h"

#include <math.h>

enum { WINDOW = 256 }; // layers after a value that may read it; more than recovery looks back

typedef struct solver {
    const dwn_recovery *recovery;
    const dwn_executable *executable;
    hoist_arena *arena;
    float *inputs; // of the model
    dwn_layer_scales *layers;
    uint32_t tries; // that are left for scales that are chosen
    bool is_signed;
    bool changed;
} solver;

// Signedness -------------------------------------------------------------------------------------

// int8 models have the zero point 128 for all weights.
static bool has_signed_weights(const dwn_recovered *layer)
{
    enum { SIGNED_ZERO = 128 };
    bool is_signed = layer->weight_zeros || layer->weight_zero == SIGNED_ZERO;
    for (uint32_t i = 0; layer->weight_zeros && i < layer->rows; i++) {
        is_signed = is_signed && layer->weight_zeros[i] == SIGNED_ZERO;
    }
    return is_signed;
}

bool dwn_is_signed_model(const dwn_recovery *r, const dwn_executable *executable)
{
    bool has_weights = false;
    for (uint32_t i = 0; i < r->count; i++) {
        has_weights = has_weights || r->layers[i].weights;
        if (r->layers[i].weights && !has_signed_weights(&r->layers[i])) {
            return false;
        }
    }
    const bool has_input = executable->input_layers.count > 0;
    // Without weights the first input decides.
    return has_weights ||
           (has_input && executable->input_layers.items[0].data_type == DWN_SIGNED_FIXED_POINT8);
}

// TFLite rounds the product of the scales to float32 in uint8 models and in dense layers with one
// scale; elsewhere it goes on in double.
dwn_rounding dwn_rounding_of(const dwn_recovered *layer, bool is_signed)
{
    const bool is_dense = layer->kind == DWN_KIND_DENSE;
    const bool rounds = !is_signed || (is_dense && !dwn_has_row_scales(layer));
    return rounds ? DWN_ROUNDS_PRODUCT : DWN_ROUNDS_NOTHING;
}

// Either array is stored only for weights with a scale for each channel.
bool dwn_has_row_scales(const dwn_recovered *layer)
{
    return layer->multipliers || layer->weight_zeros;
}

// Values -----------------------------------------------------------------------------------------

// 0: not known so far.
static float scale_of(const solver *s, uint32_t value)
{
    return value & DWN_MODEL_INPUT ? s->inputs[value & ~DWN_MODEL_INPUT] : s->layers[value].scale;
}

// Sets a scale that is not known yet.
static void learn(solver *s, uint32_t value, double scale, dwn_scale_source source)
{
    const float found = (float)scale;
    // The first that is found stays.
    if (!(value & DWN_MODEL_INPUT) && s->layers[value].scale == 0 && isfinite(found) && found > 0) {
        s->layers[value].scale = found;
        s->layers[value].source = source;
        s->changed = true;
    }
}

// The same of a scale that is known to a few steps of float32: of those around it the nearest that
// gives the layer's clamps bit for bit.
static void learn_near(solver *s, uint32_t value, double scale)
{
    enum { AROUND = 32 }; // steps; factors of additions have 15 bits, and so leave more
    const float middle = (float)scale;
    if (value & DWN_MODEL_INPUT || s->layers[value].scale != 0) {
        return; // it is known
    }
    const dwn_recovered *layer = &s->recovery->layers[value];
    const dwn_clamps clamps = {layer->low, layer->high};
    const float found = dwn_scale_near(middle, AROUND, clamps, layer->output_zero);
    learn(s, value, (double)found, DWN_SCALE_FACTORS);
}

// All inputs and the output have one scale: whichever is known first is that of all.
static void share(solver *s, uint32_t index)
{
    const dwn_recovered *layer = &s->recovery->layers[index];
    for (uint32_t i = 0; i < layer->input_count; i++) {
        learn(s, index, (double)scale_of(s, layer->inputs[i]), DWN_SCALE_SHARED);
    }
    for (uint32_t i = 0; i < layer->input_count; i++) {
        learn(s, layer->inputs[i], (double)s->layers[index].scale, DWN_SCALE_SHARED);
    }
}

// M is the scale of what is read over that of the output, for each element of a window: of a mean
// of all pixels, which may have a scale of its own.
static void learn_pool(solver *s, uint32_t index)
{
    const dwn_recovered *layer = &s->recovery->layers[index];
    const double m = (double)layer->multiplier * layer->kernel[0] * layer->kernel[1];
    if (fabs(m - 1) <= DWN_SAME_SCALE) {
        share(s, index);
        return;
    }
    learn(s, index, (double)scale_of(s, layer->inputs[0]) / m, DWN_SCALE_FACTORS);
    learn(s, layer->inputs[0], (double)s->layers[index].scale * m, DWN_SCALE_FACTORS);
}

// k * M is the scale of an operand over that of the sum (16.7).
static void learn_sum(solver *s, uint32_t index)
{
    const dwn_recovered *layer = &s->recovery->layers[index];
    const uint32_t larger = fabs((double)layer->factors[1]) > fabs((double)layer->factors[0]);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t operand = i == 0 ? larger : 1 - larger; // the larger factor is more exact
        const double ratio = (double)layer->factors[operand] * (double)layer->multiplier;
        learn_near(s, index, (double)scale_of(s, layer->inputs[operand]) / ratio);
    }
    for (uint32_t i = 0; i < 2; i++) {
        const double ratio = (double)layer->factors[i] * (double)layer->multiplier;
        learn_near(s, layer->inputs[i], (double)s->layers[index].scale * ratio);
    }
}

// M is the product of the scales of the factors over that of the product.
static void learn_product(solver *s, uint32_t index)
{
    const dwn_recovered *layer = &s->recovery->layers[index];
    const double m = (double)layer->multiplier;
    const double a = (double)scale_of(s, layer->inputs[0]);
    const double b = (double)scale_of(s, layer->inputs[1]);
    const double y = (double)s->layers[index].scale;
    learn(s, index, a * b / m, DWN_SCALE_FACTORS); // these have to be exact
    if (layer->inputs[0] == layer->inputs[1]) {
        learn(s, layer->inputs[0], sqrt(y * m), DWN_SCALE_FACTORS);
        return;
    }
    if (b > 0) {
        learn(s, layer->inputs[0], y * m / b, DWN_SCALE_FACTORS);
    }
    if (a > 0) {
        learn(s, layer->inputs[1], y * m / a, DWN_SCALE_FACTORS);
    }
}

// The result of a softmax has the scale 1/256 by TFLite's rule.
static void learn_softmax(solver *s, uint32_t index)
{
    const dwn_recovered *layer = &s->recovery->layers[index];
    learn(s, index, 0x1p-8, DWN_SCALE_SOFTMAX);
    learn(s, layer->inputs[0], (double)layer->scale, DWN_SCALE_SOFTMAX);
}

// M is the scale of what is read over that of the output.
static void learn_quantize(solver *s, uint32_t index)
{
    const dwn_recovered *layer = &s->recovery->layers[index];
    const uint32_t input = layer->inputs[0];
    const float m = layer->multiplier;
    const float out = s->layers[index].scale;
    const float in = scale_of(s, input);
    if (out == 0 && in > 0) {
        learn_near(s, index, (double)in / (double)m);
    } else if (in == 0 && out > 0 && !(input & DWN_MODEL_INPUT)) {
        const dwn_recovered *made = &s->recovery->layers[input];
        const dwn_clamps clamps = {made->low, made->high};
        const float scale = dwn_scale_before(m, out, clamps, made->output_zero);
        learn(s, input, (double)scale, DWN_SCALE_FACTORS);
    }
}

// M is the scale of what is read.
static void learn_logistic(solver *s, uint32_t index)
{
    const dwn_recovered *layer = &s->recovery->layers[index];
    learn(s, index, 0x1p-8, DWN_SCALE_SOFTMAX);
    learn(s, layer->inputs[0], (double)layer->multiplier, DWN_SCALE_SOFTMAX);
}

// What a layer says of the scales of its inputs and its output.
// Each kind has one equation; convolutions have none, since the scales of their weights are free.
static void learn_from(solver *s, uint32_t index)
{
    switch (s->recovery->layers[index].kind) {
    case DWN_KIND_AVERAGE_POOL:
        learn_pool(s, index);
        break;
    case DWN_KIND_MAX_POOL:
    case DWN_KIND_UPSAMPLE:
    case DWN_KIND_NEAREST:
    case DWN_KIND_GATHER:
    case DWN_KIND_CONCATENATION:
    case DWN_KIND_PAD:
    case DWN_KIND_TRANSPOSE:
    case DWN_KIND_SLICE:
        share(s, index);
        break;
    case DWN_KIND_ADD:
        learn_sum(s, index);
        break;
    case DWN_KIND_MULTIPLY:
        learn_product(s, index);
        break;
    case DWN_KIND_SOFTMAX:
        learn_softmax(s, index);
        break;
    case DWN_KIND_QUANTIZE:
        learn_quantize(s, index);
        break;
    case DWN_KIND_LOGISTIC:
        learn_logistic(s, index);
        break;
    case DWN_KIND_CONVOLUTION: // the scale of its weights is free
    case DWN_KIND_DEPTHWISE:
    case DWN_KIND_DENSE:
    case DWN_KIND_UNKNOWN:
    case DWN_KIND_MOVE:
    case DWN_KIND_COUNT:
        break;
    }
}

// Goes over layers back and forth until nothing new is learnt.
static void sweep(solver *s, uint32_t from, uint32_t to)
{
    enum { SWEEPS = 8 }; // each follows chains to their end
    s->changed = true;
    for (int i = 0; i < SWEEPS && s->changed; i++) {
        s->changed = false;
        for (uint32_t k = to; k > from; k--) { // backwards first: outputs are stored
            learn_from(s, k - 1);
        }
        for (uint32_t k = from; k < to; k++) {
            learn_from(s, k);
        }
    }
}

// Weights ----------------------------------------------------------------------------------------

// The scales of weights that give the multipliers of the file, when input and output are known.
// False: out of memory.
static bool set_weights(solver *s, uint32_t index)
{
    const dwn_recovered *layer = &s->recovery->layers[index];
    dwn_layer_scales *own = &s->layers[index];
    const float in = scale_of(s, layer->inputs[0]);
    const uint32_t count = dwn_has_row_scales(layer) ? layer->rows : 1;
    if (!layer->weights || in == 0 || own->scale == 0) {
        return true;
    }
    const dwn_ends ends = {in, own->scale, dwn_rounding_of(layer, s->is_signed)};
    float *weights = hoist_arena_array(s->arena, count, sizeof(*weights));
    for (uint32_t i = 0; weights && i < count; i++) {
        const float multiplier = layer->multipliers ? layer->multipliers[i] : layer->multiplier;
        bool is_exact = false;
        weights[i] = dwn_weight_scale(multiplier, &ends, own->source == DWN_SCALE_FREE, &is_exact);
        own->exact += is_exact;
    }
    own->asked = count;
    own->weights = weights;
    own->weight_count = count;
    return weights != NULL;
}

// Whether the factors of a sum or product are those of the scales.
static void count_exact(solver *s, uint32_t index)
{
    const dwn_recovered *layer = &s->recovery->layers[index];
    dwn_layer_scales *own = &s->layers[index];
    const bool is_sum = layer->kind == DWN_KIND_ADD;
    if ((!is_sum && layer->kind != DWN_KIND_MULTIPLY) || own->scale == 0) {
        return;
    }
    const float a = scale_of(s, layer->inputs[0]);
    const float b = scale_of(s, layer->inputs[1]);
    own->asked = is_sum ? 2 : 1;
    if (!is_sum) {
        own->exact = dwn_is_exact(layer->multiplier, a, b, own->scale, DWN_ROUNDS_NOTHING);
        return;
    }
    for (uint32_t i = 0; i < 2; i++) {
        const double ratio = (double)(i ? b : a) / (double)own->scale;
        const double factor = ratio / (double)layer->multiplier;
        own->exact += rint(factor) == (double)layer->factors[i];
    }
}

// Choosing ---------------------------------------------------------------------------------------

// A scale that nothing determines: that of the input, or near it one that gives the multiplier
// exactly. What follows from it is learnt at once, so that fewer are chosen.
static void choose(solver *s, uint32_t index)
{
    const dwn_recovered *layer = &s->recovery->layers[index];
    const float in = scale_of(s, layer->inputs[0]);
    float scale = in;
    if (layer->kind == DWN_KIND_UNKNOWN || in == 0) {
        return;
    }
    if (layer->weights && !layer->multipliers) {
        const dwn_clamps clamps = {layer->low, layer->high};
        const dwn_ends ends = {in, 0, dwn_rounding_of(layer, s->is_signed)};
        scale = dwn_free_scale(layer->multiplier, &ends, clamps, layer->output_zero, &s->tries);
        scale = scale == 0 && s->tries == 0 ? in : scale; // then it need not be exact
    }
    learn(s, index, (double)scale, DWN_SCALE_FREE);
    const uint32_t end = s->recovery->count - index > WINDOW ? index + WINDOW : s->recovery->count;
    sweep(s, index, end); // only layers near it may read it
}

// Agreeing --------------------------------------------------------------------------------------

// Whether a layer whose scale follows from factors has the same factors and clamps with that one.
static bool has_factors_of(const solver *s, uint32_t index, float scale)
{
    const dwn_recovered *layer = &s->recovery->layers[index];
    const dwn_clamps clamps = dwn_clamps_of(s->layers[index].activation, scale, layer->output_zero);
    bool is_so = s->layers[index].source == DWN_SCALE_FACTORS && clamps.low == layer->low &&
                 clamps.high == layer->high;
    if (layer->kind == DWN_KIND_MULTIPLY) {
        return is_so &&
               dwn_multiplier_of(scale_of(s, layer->inputs[0]), scale_of(s, layer->inputs[1]),
                                 scale) == layer->multiplier;
    }
    for (uint32_t i = 0; i < 2 && layer->kind == DWN_KIND_ADD; i++) {
        const double ratio = (double)scale_of(s, layer->inputs[i]) / (double)scale;
        is_so = is_so && rint(ratio / (double)layer->multiplier) == (double)layer->factors[i];
    }
    return is_so && layer->kind == DWN_KIND_ADD;
}

// Whether all values that are joined may have that scale.
static bool may_share(const solver *s, const dwn_recovered *join, float scale)
{
    for (uint32_t i = 0; i < join->input_count; i++) {
        const uint32_t input = join->inputs[i];
        if (scale_of(s, input) != scale &&
            (input & DWN_MODEL_INPUT || !has_factors_of(s, input, scale))) {
            return false;
        }
    }
    return true;
}

// Joined values have one scale, as nothing scales them. Of factors it follows to a few steps of
// float32 only: of those around the one that all of them have the same factors with.
static void agree(solver *s, uint32_t index)
{
    enum { AROUND = 8 };
    const dwn_recovered *join = &s->recovery->layers[index];
    float scale = s->layers[index].scale;
    if (join->kind != DWN_KIND_CONCATENATION || scale == 0) {
        return;
    }
    bool is_found = may_share(s, join, scale);
    for (uint32_t i = 0; i < join->input_count && !is_found; i++) {
        float low = scale_of(s, join->inputs[i]);
        float high = low;
        for (int k = 0; k < AROUND && low > 0 && !is_found; k++) {
            is_found = may_share(s, join, low) || may_share(s, join, high);
            scale = is_found ? (may_share(s, join, low) ? low : high) : scale;
            low = nextafterf(low, 0);
            high = nextafterf(high, INFINITY);
        }
    }
    s->layers[index].scale = scale;
    for (uint32_t i = 0; i < join->input_count && is_found; i++) {
        if (!(join->inputs[i] & DWN_MODEL_INPUT)) {
            s->layers[join->inputs[i]].scale = scale;
        }
    }
}

// What each layer says of itself.
static void begin(solver *s)
{
    for (uint32_t i = 0; i < s->recovery->count; i++) {
        const dwn_recovered *layer = &s->recovery->layers[i];
        const dwn_clamps clamps = {layer->low, layer->high};
        s->layers[i].activation = dwn_activation_of(clamps, layer->output_zero);
        if (layer->output_layer != DWN_NONE) { // of an output: the file has it
            const dwn_layer *stored = &s->executable->output_layers.items[layer->output_layer];
            const float scale = stored->numerics ? stored->numerics->dequantization_factor : 0;
            learn(s, i, (double)scale, DWN_SCALE_STORED);
        }
        if (layer->weights || layer->kind == DWN_KIND_ADD || layer->kind == DWN_KIND_MULTIPLY) {
            const float scale =
                dwn_scale_of_clamps(s->layers[i].activation, clamps, layer->output_zero);
            learn(s, i, (double)scale, DWN_SCALE_CLAMPS);
        }
    }
}

static bool prepare(solver *s)
{
    const uint32_t inputs = s->executable->input_layers.count;
    s->inputs = hoist_arena_array(s->arena, inputs, sizeof(*s->inputs));
    s->layers = hoist_arena_array(s->arena, s->recovery->count, sizeof(*s->layers));
    if (!s->inputs || !s->layers) {
        return false;
    }
    // Scales of hostile files may be infinite or NaN; those are not known.
    for (uint32_t i = 0; i < inputs; i++) {
        const dwn_numerics *numerics = s->executable->input_layers.items[i].numerics;
        const float scale = numerics ? numerics->dequantization_factor : 0;
        s->inputs[i] = isfinite(scale) && scale > 0 ? scale : 0;
    }
    return true;
}

hoist_status dwn_scales_of(const dwn_recovery *recovery, const dwn_executable *executable,
                           hoist_arena *arena, dwn_scales *out_scales)
{
    enum { MOST_TRIES = 256 * DWN_TRIES }; // about a second
    solver s = {
        .recovery = recovery, .executable = executable, .arena = arena, .tries = MOST_TRIES};
    *out_scales = (dwn_scales){0};
    if (!prepare(&s)) {
        return HOIST_NO_MEMORY;
    }
    s.is_signed = dwn_is_signed_model(recovery, executable);
    begin(&s);
    sweep(&s, 0, recovery->count);
    // In order: a scale that is chosen early determines those after it.
    for (uint32_t i = 0; i < recovery->count; i++) {
        if (s.layers[i].scale == 0) {
            choose(&s, i);
        }
    }
    for (uint32_t i = 0; i < recovery->count; i++) {
        agree(&s, i);
    }
    for (uint32_t i = 0; i < recovery->count; i++) {
        out_scales->free += s.layers[i].source == DWN_SCALE_FREE;
        if (!set_weights(&s, i)) {
            return HOIST_NO_MEMORY;
        }
        count_exact(&s, i);
    }
    out_scales->is_signed = s.is_signed;
    out_scales->layers = s.layers;
    return HOIST_OK;
}
