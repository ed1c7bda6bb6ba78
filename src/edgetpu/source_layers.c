// The recovered layers of all packages of a compiled model in one list, whose inputs count from its
// first layer. In: an opened file; out: layers and gaps of hoist_edgetpu_source_pair.
#include <string.h>

#include "base/checked.h"
#include "edgetpu/source.h"

// Capacity for `needed` items; lists double, and the arena keeps the old copy. False: out of
// memory, or more than 32 bits can count.
static bool reserve(hoist_arena *arena, void **items, uint32_t count, uint32_t *capacity,
                    size_t needed, size_t size)
{
    if (needed <= *capacity) {
        return true;
    }
    size_t larger_count = 0;
    if (hoist_ckd_mul(&larger_count, needed, (size_t)2) || larger_count > UINT32_MAX) {
        return false;
    }
    void *const larger = hoist_arena_array(arena, larger_count, size);
    if (!larger) {
        return false;
    }
    if (count > 0) {
        memcpy(larger, *items, count * size);
    }
    *items = larger;
    *capacity = (uint32_t)larger_count;
    return true;
}

// Copies a layer's inputs, counted from the first layer of all packages; inputs of the model stay
// marked as such. False: out of memory.
static bool move_inputs(hoist_edgetpu_source_pair *s, dwn_recovered *layer)
{
    uint32_t *inputs = hoist_arena_array(s->arena, layer->input_count, sizeof(*inputs));
    for (uint32_t i = 0; inputs && i < layer->input_count; i++) {
        const bool is_input = layer->inputs[i] & DWN_MODEL_INPUT;
        inputs[i] = layer->inputs[i] + (is_input ? 0 : s->layer_count);
    }
    layer->inputs = inputs;
    return inputs != NULL;
}

// Appends the layers and gaps of one package.
static hoist_status add_package(hoist_edgetpu_source_pair *s, const dwn_recovery *recovery)
{
    void *layers = s->layers;
    void *gaps = s->gaps;
    if (!reserve(s->arena, &layers, s->layer_count, &s->layer_capacity,
                 (size_t)s->layer_count + recovery->count, sizeof(*s->layers)) ||
        !reserve(s->arena, &gaps, s->gap_count, &s->gap_capacity,
                 (size_t)s->gap_count + recovery->gap_count, sizeof(*s->gaps))) {
        return HOIST_NO_MEMORY;
    }
    s->layers = layers;
    s->gaps = gaps;
    for (uint32_t i = 0; i < recovery->count; i++) {
        s->layers[s->layer_count + i] = recovery->layers[i];
        if (!move_inputs(s, &s->layers[s->layer_count + i])) {
            return HOIST_NO_MEMORY;
        }
    }
    for (uint32_t i = 0; i < recovery->gap_count; i++) {
        s->gaps[s->gap_count++] = recovery->gaps[i];
    }
    s->layer_count += recovery->count;
    return HOIST_OK;
}

// Packages without an executable to run add nothing.
static hoist_status add_module(hoist_edgetpu_source_pair *s, const dwn_module *module)
{
    for (uint32_t i = 0; i < module->package_count; i++) {
        dwn_recovery recovery;
        const hoist_status status = dwn_recover(&module->packages[i], s->arena, &recovery);
        if (status == HOIST_OK) {
            HOIST_TRY(add_package(s, &recovery));
        } else if (status != HOIST_UNSUPPORTED) {
            return status;
        }
    }
    return HOIST_OK;
}

// Pipelines are several packages, which the compiler makes of one model: their layers are one list.
hoist_status hoist_edgetpu_source_collect(hoist_edgetpu_source_pair *s, const hoist_file *compiled)
{
    for (size_t i = 0; i <= compiled->nested_count; i++) {
        const hoist_module *module = hoist_file_module(compiled, i);
        if (module && module->format == &hoist_darwinn_format) {
            HOIST_TRY(add_module(s, dwn_of(module)));
        }
    }
    return HOIST_OK;
}
