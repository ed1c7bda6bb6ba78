// formats/darwinn/schema.h - the tables of DarwiNN executables as C structs (darwinn reference
// section 2), and their rows.
//
// Members are named as the schema names its fields; schema.inc says what each means. Integers are
// as stored, whatever they are.
#ifndef HOIST_SRC_FORMATS_DARWINN_SCHEMA_H
#define HOIST_SRC_FORMATS_DARWINN_SCHEMA_H

#include "codec/flatbuffer.h"

typedef enum dwn_data_type {
    DWN_FIXED_POINT8 = 0,
    DWN_FIXED_POINT16 = 1,
    DWN_SIGNED_FIXED_POINT32 = 2,
    DWN_BFLOAT = 3,
    DWN_HALF = 4,
    DWN_SINGLE = 5,
    DWN_SIGNED_FIXED_POINT8 = 8,
    DWN_SIGNED_FIXED_POINT16 = 9,
} dwn_data_type;

typedef enum dwn_executable_type {
    DWN_STAND_ALONE = 0,
    DWN_PARAMETER_CACHING,
    DWN_EXECUTION_ONLY,
} dwn_executable_type;

typedef enum dwn_layer_type {
    DWN_LAYER_NONE = 0,
    DWN_LAYER_OUTPUT,
    DWN_LAYER_INPUT
} dwn_layer_type;

enum { DWN_RANGE_SIZE = 8 }; // bytes of a Range: start and end, inclusive, int32_t

typedef struct dwn_fence_hint {
    hoist_fb_table head;
} dwn_fence_hint;

typedef struct dwn_input_layer {
    hoist_fb_table head;
} dwn_input_layer;

// dwn_package and so on, and their rows, dwn_package_rows.
// clang-format off
#define OBJECT(object) typedef struct dwn_##object { hoist_fb_table head;
#define FIELD(object, member, slot, kind, ...) HOIST_FB_C_##kind member;
#define CHILD(object, member, slot, type, ...) dwn_##type *member;
#define CHILDREN(object, member, slot, type, ...) HOIST_FB_LIST(dwn_##type) member;
#define END(object, title) } dwn_##object; extern const hoist_fb_type dwn_##object##_rows;
#include "formats/darwinn/schema.inc"
// clang-format on

extern const hoist_fb_word dwn_data_types[];
extern const hoist_fb_word dwn_executable_types[];

#endif // HOIST_SRC_FORMATS_DARWINN_SCHEMA_H
