// formats/tflite/schema.h - the tables of a TensorFlow Lite file as C structs, and their rows.
//
// Members have the schema's names; the rows (schema.inc) say what each means. Strings and vectors
// are slices of the file. A table that is absent is NULL; an absent scalar has the schema's
// default.
//
// Facts: TensorFlow Lite's public schema (version 3d); DarwiNN reference section 1.1.
#ifndef HOIST_SRC_FORMATS_TFLITE_SCHEMA_H
#define HOIST_SRC_FORMATS_TFLITE_SCHEMA_H

#include "hoist/tensor.h"

#include "codec/flatbuffer.h"

#define TFLITE_IDENTIFIER "TFL3"
enum { TFLITE_SCHEMA_VERSION = 3 };

// Element types ----------------------------------------------------------------------------------

// From types.inc: TFLITE_FLOAT32 and so on, the numbers of the schema's enum TensorType.
typedef enum tflite_type {
#define TFLITE_TYPE(number, name, dtype, bits, least, most) TFLITE_##name = (number),
#include "formats/tflite/types.inc"
#undef TFLITE_TYPE
    TFLITE_TYPE_COUNT,
} tflite_type;

// What readers, checks and lowering need of an element type; a row of types.inc.
typedef struct tflite_type_row {
    const char *name;
    hoist_dtype dtype;  // NONE: hoist has no such type
    uint8_t bits;       // of an element; 0: not fixed
    int32_t least_zero; // of zero points
    int32_t most_zero;
} tflite_type_row;

// The row of a type; NULL: there is none of that number.
const tflite_type_row *tflite_type_get(int64_t type);

// Operators --------------------------------------------------------------------------------------

// From operators.inc: TFLITE_OP_ADD and so on, the numbers of the schema's enum BuiltinOperator.
typedef enum tflite_operator_number {
#define TFLITE_OPERATOR(number, name, options, fewest, most, outputs) TFLITE_OP_##name = (number),
#include "formats/tflite/operators.inc"
#undef TFLITE_OPERATOR
    TFLITE_OP_COUNT,
} tflite_operator_number;

// In a row of operators.inc: as many as the operator has, or not checked.
enum { TFLITE_MANY = UINT8_MAX };

// Operands of a builtin operator as its kernel requires them; a row of operators.inc.
typedef struct tflite_operator_row {
    const char *name; // "CONV_2D"
    uint8_t options;  // variant of the union; 0: not checked
    uint8_t fewest;   // inputs
    uint8_t most;     // TFLITE_MANY: any number
    uint8_t outputs;  // the same
} tflite_operator_row;

// The row of a builtin operator; NULL: there is none of that number.
const tflite_operator_row *tflite_operator_get(int64_t number);

// Tables -----------------------------------------------------------------------------------------

// Each table becomes a struct that begins with hoist_fb_table (where it is stored and which fields
// are present), a list type tflite_NAME_list and the rows tflite_NAME_type.
// clang-format off
#define OBJECT(object) typedef struct tflite_##object { hoist_fb_table table;
#define FIELD(object, member, slot, kind, ...) HOIST_FB_C_##kind member;
#define CHILD(object, member, slot, type, ...) tflite_##type *member;
#define CHILDREN(object, member, slot, type, ...) tflite_##type##_list member;
#define END(object, title) } tflite_##object; \
    typedef HOIST_FB_LIST(tflite_##object) tflite_##object##_list; \
    extern const hoist_fb_type tflite_##object##_type;
#include "formats/tflite/schema.inc"
// clang-format on

// Words of enums: names and numbers.
extern const hoist_fb_word tflite_type_words[];
extern const hoist_fb_word tflite_operator_words[];

#endif // HOIST_SRC_FORMATS_TFLITE_SCHEMA_H
