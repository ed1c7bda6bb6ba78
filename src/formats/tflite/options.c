// size: table
// The rows of the options of builtin operators.
#include "formats/tflite/options.h"

#include "base/span.h"

// Words of the schema's enums, in the order of their numbers; TFL-035 is a number without a word.
static const hoist_fb_word padding_words[] = {{"SAME", 0}, {"VALID", 1}, {NULL, 0}};
static const hoist_fb_word activation_words[] = {
    {"NONE", TFLITE_ACTIVATION_NONE},
    {"RELU", TFLITE_ACTIVATION_RELU},
    {"RELU_N1_TO_1", TFLITE_ACTIVATION_RELU_N1_TO_1},
    {"RELU6", TFLITE_ACTIVATION_RELU6},
    {"TANH", TFLITE_ACTIVATION_TANH},
    {"SIGN_BIT", TFLITE_ACTIVATION_SIGN_BIT},
    {NULL, 0},
};
static const hoist_fb_word weights_words[] = {{"DEFAULT", 0}, {"SHUFFLED4x16INT8", 1}, {NULL, 0}};
static const hoist_fb_word mirror_words[] = {{"REFLECT", 0}, {"SYMMETRIC", 1}, {NULL, 0}};
static const hoist_fb_word cell_words[] = {{"FULL", 0}, {"BASIC", 1}, {NULL, 0}};
static const hoist_fb_word combiner_words[] = {{"SUM", 0}, {"MEAN", 1}, {"SQRTN", 2}, {NULL, 0}};
static const hoist_fb_word projection_words[] = {
    {"UNKNOWN", 0}, {"SPARSE", 1}, {"DENSE", 2}, {NULL, 0}};

// clang-format off
#define OBJECT(object) static const hoist_fb_field object##_fields[] = {
#define FIELD(object, member, number, what, ...)                                                   \
    HOIST_FB_ROW(tflite_##object##_options, member, number, what, __VA_ARGS__)
#define END(object) }; enum { object##_count = HOIST_COUNT_OF(object##_fields) };
#include "formats/tflite/options_fields.inc"

// Options without fields (row `no` of options.inc) share one empty list of rows.
#define no_fields NULL
enum { no_count = 0 };

#define TFLITE_OPTIONS(number, name, fields)                                                       \
    [TFLITE_OPTIONS_##name] = {#name "Options", fields##_fields, fields##_count,                   \
                               sizeof(tflite_##fields##_options)},
static const hoist_fb_type types[TFLITE_OPTIONS_COUNT] = {
#include "formats/tflite/options.inc"
};
#undef TFLITE_OPTIONS

#define TFLITE_OPTIONS(number, name, fields) {TFLITE_OPTIONS_##name, &types[TFLITE_OPTIONS_##name]},
const hoist_fb_variant tflite_options_variants[] = {
#include "formats/tflite/options.inc"
    {0, NULL}};
#undef TFLITE_OPTIONS

#define TFLITE_OPTIONS(number, name, fields) {#name "Options", TFLITE_OPTIONS_##name},
const hoist_fb_word tflite_options_words[] = {
#include "formats/tflite/options.inc"
    {NULL, 0}};
#undef TFLITE_OPTIONS
// clang-format on
