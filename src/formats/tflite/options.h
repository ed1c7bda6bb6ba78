// formats/tflite/options.h - the options of builtin operators: the tables of the union of options
// as C structs, and their rows. Options that have the same fields share a struct; tables without
// any are tflite_no_options. Kernels take the schema's defaults where the table is absent.
//
// Facts: TensorFlow Lite's public schema; kernels reference section 6.
#ifndef HOIST_SRC_FORMATS_TFLITE_OPTIONS_H
#define HOIST_SRC_FORMATS_TFLITE_OPTIONS_H

#include "formats/tflite/schema.h"

// Variants of the union: TFLITE_OPTIONS_Conv2D and so on.
typedef enum tflite_options_kind {
    TFLITE_OPTIONS_None = 0,
#define TFLITE_OPTIONS(number, name, fields) TFLITE_OPTIONS_##name = (number),
#include "formats/tflite/options.inc"
#undef TFLITE_OPTIONS
    TFLITE_OPTIONS_COUNT,
} tflite_options_kind;

typedef enum tflite_padding { TFLITE_PADDING_SAME = 0, TFLITE_PADDING_VALID } tflite_padding;

typedef enum tflite_activation {
    TFLITE_ACTIVATION_NONE = 0,
    TFLITE_ACTIVATION_RELU,
    TFLITE_ACTIVATION_RELU_N1_TO_1,
    TFLITE_ACTIVATION_RELU6,
    TFLITE_ACTIVATION_TANH,
    TFLITE_ACTIVATION_SIGN_BIT,
} tflite_activation;

typedef struct tflite_no_options {
    hoist_fb_table table;
} tflite_no_options;

// clang-format off
#define OBJECT(object) typedef struct tflite_##object##_options { hoist_fb_table table;
#define FIELD(object, member, slot, kind, ...) HOIST_FB_C_##kind member;
#define END(object) } tflite_##object##_options;
#include "formats/tflite/options_fields.inc"
// clang-format on

extern const hoist_fb_variant tflite_options_variants[];
// "Conv2DOptions" and its number.
extern const hoist_fb_word tflite_options_words[];

#endif // HOIST_SRC_FORMATS_TFLITE_OPTIONS_H
