// What recovered layers, and the heuristics and scales after them, are called.
#include "base/assert.h"
#include "formats/darwinn/recover_scales.h"

const char *dwn_layer_kind_name(dwn_layer_kind kind)
{
    static const char *const names[DWN_KIND_COUNT] = {
#define DWN_KIND(kind, name) name,
#include "formats/darwinn/recover_kinds.inc"
    };
    HOIST_ASSERT(kind < DWN_KIND_COUNT);
    return names[kind];
}

const dwn_heuristic_row dwn_heuristics[DWN_GUESS_COUNT] = {
#define DWN_GUESS(heuristic, ...) {__VA_ARGS__},
#include "formats/darwinn/recover_guesses.inc"
};

// Scales -----------------------------------------------------------------------------------------

// clang-format off
const dwn_scale_source_row dwn_scale_sources[DWN_SCALE_SOURCES] = {
    [DWN_SCALE_NONE]    = {'-', "unknown", "something before the layer is not understood"},
    [DWN_SCALE_STORED]  = {'O', "stored",  "the file has it, as that of an output"},
    [DWN_SCALE_SOFTMAX] = {'X', "softmax", "a softmax or logistic states the scale of its input, and always makes 1/256"},
    [DWN_SCALE_CLAMPS]  = {'K', "clamps",  "it follows from clamps of the instruction that cut off at a fixed number"},
    [DWN_SCALE_SHARED]  = {'S', "shared",  "the layer, or one that reads it, keeps the scale of what it reads"},
    [DWN_SCALE_FACTORS] = {'F', "factors", "it follows from factors of an addition or multiplication and the scales of what goes in"},
    [DWN_SCALE_FREE]    = {'C', "chosen",  "nothing determines it, and others do as well; it gives the multiplier of the file"},
};
// clang-format on

const char *dwn_activation_name(dwn_activation activation)
{
    static const char *const names[] = {
        [DWN_ACTIVATION_NONE] = "none",           [DWN_ACTIVATION_RELU] = "relu",
        [DWN_ACTIVATION_RELU_1] = "relu_n1_to_1", [DWN_ACTIVATION_RELU_6] = "relu6",
        [DWN_ACTIVATION_OTHER] = "other",
    };
    return names[activation];
}
