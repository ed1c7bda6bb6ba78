// What recovered layers, and the heuristics and scales after them, are called.
#include "base/assert.h"
#include "formats/darwinn/recover_scales.h"

const char *dwn_layer_kind_name(dwn_layer_kind kind)
{
    static const char *const names[DWN_KIND_COUNT] = {
        [DWN_KIND_UNKNOWN] = "unknown",
        [DWN_KIND_CONVOLUTION] = "convolution",
        [DWN_KIND_DEPTHWISE] = "depthwise",
        [DWN_KIND_DENSE] = "dense",
        [DWN_KIND_AVERAGE_POOL] = "average pool",
        [DWN_KIND_ADD] = "add",
        [DWN_KIND_MULTIPLY] = "multiply",
        [DWN_KIND_SOFTMAX] = "softmax",
        [DWN_KIND_UPSAMPLE] = "bilinear upsampling",
        [DWN_KIND_NEAREST] = "nearest upsampling",
        [DWN_KIND_GATHER] = "gather",
        [DWN_KIND_CONCATENATION] = "concatenation",
        [DWN_KIND_PAD] = "pad",
        [DWN_KIND_QUANTIZE] = "quantize",
        [DWN_KIND_LOGISTIC] = "logistic",
        [DWN_KIND_MAX_POOL] = "max pool",
        [DWN_KIND_MOVE] = "data movement",
    };
    HOIST_ASSERT(kind < DWN_KIND_COUNT);
    return names[kind];
}

// clang-format off
const dwn_heuristic_row dwn_heuristics[DWN_GUESS_COUNT] = {
    [DWN_GUESS_STRIP]      = {'t', "strips by signature", "16.2",
                              "operations with the constants of a layer that is not complete yet go on with it"},
    [DWN_GUESS_SQUARE]     = {'q', "square window", "16.4", "a window in one loop is as high as it is wide"},
    [DWN_GUESS_STRIDE]     = {'d', "stride by pixels", "16.4", "the stride is the least that gives the number of pixels"},
    [DWN_GUESS_SAME]       = {'p', "same padding", "16.4",
                              "the padding is that of TFLite's SAME, as no address gives it"},
    [DWN_GUESS_EXTENT]     = {'e', "same extents", "16.4", "the output is the input over the stride, rounded up"},
    [DWN_GUESS_LAST]       = {'l', "last value", "16.6", "the input is what was made last"},
    [DWN_GUESS_ADDRESS]    = {'a', "address", "16.6", "the input is what another layer read at that address"},
    [DWN_GUESS_SIZE]       = {'n', "size", "16.6", "the input is the most recent value of that size"},
    [DWN_GUESS_JOINED]     = {'j', "joined values", "16.6", "the input is the last values of that size together"},
    [DWN_GUESS_ZERO_POINT] = {'z', "zero point", "16.6", "the input is the most recent value of that zero point that fits"},
    [DWN_GUESS_CONSTANT]   = {'k', "constant of the addition", "16.6",
                              "the operands are those whose zero points give the constant"},
    [DWN_GUESS_SOFTMAX]    = {'s', "softmax by its ends", "16.7", "all from the maximum to the last product is one softmax"},
    [DWN_GUESS_ONE_HOT]    = {'h', "one-hot weights", "16.4", "weights with one 1 in each row only move data"},
    [DWN_GUESS_ROWS]       = {'r', "padding rows", "16.6", "last rows that are all zero points are no channels"},
    [DWN_GUESS_PASS]       = {'u', "unknown operation passed", "16.3", "an operation that is not known passes its input through"},
    [DWN_GUESS_OUTPUT]     = {'o', "output by size and zero point", "16.9",
                              "the last layer of that size and zero point makes the model's output"},
    [DWN_GUESS_PARTS]      = {'m', "output in parts", "16.9",
                              "the last layers that none reads make the model's output, channel after channel"},
    [DWN_GUESS_CENTERS]    = {'c', "pixel centers", "16.7", "upsampling counts from the centers of pixels"},
    [DWN_GUESS_ORDER]      = {'w', "order of writing", "16.1",
                              "the output has its usual order, though no known file writes one like that"},
    [DWN_GUESS_SIGNED]     = {'i', "signed by zero points", "16.7",
                              "the model is one of int8, as every zero point of weights is 128"},
    [DWN_GUESS_IN_PLACE]   = {'x', "joined in place", "16.6",
                              "values whose pixels lie next to each other are one where a layer reads them so"},
    [DWN_GUESS_AFTER]      = {'b', "padding after the windows", "16.4",
                              "how much padding is below or right of all windows is unknown; none reads it"},
};
// clang-format on

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
