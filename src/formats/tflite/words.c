// Element types and builtin operators: a row of each, and their names, all from types.inc and
// operators.inc.
#include "formats/tflite/options.h"
#include "formats/tflite/schema.h"

// clang-format off
#define TFLITE_TYPE(number, name, dtype, bits, least, most)                                        \
    [TFLITE_##name] = {#name, HOIST_DTYPE_##dtype, bits, least, most},
// Indexed by number; designated, so that a number that the schema leaves out is an empty row.
static const tflite_type_row types[TFLITE_TYPE_COUNT] = {
#include "formats/tflite/types.inc"
};
#undef TFLITE_TYPE

#define TFLITE_TYPE(number, name, dtype, bits, least, most) {#name, TFLITE_##name},
const hoist_fb_word tflite_type_words[] = {
#include "formats/tflite/types.inc"
    {NULL, 0}};
#undef TFLITE_TYPE

#define MANY TFLITE_MANY
#define TFLITE_OPERATOR(number, name, options, fewest, most, outputs)                              \
    [TFLITE_OP_##name] = {#name, TFLITE_OPTIONS_##options, fewest, most, outputs},
static const tflite_operator_row operators[TFLITE_OP_COUNT] = {
#include "formats/tflite/operators.inc"
};
#undef TFLITE_OPERATOR
#undef MANY

#define TFLITE_OPERATOR(number, name, options, fewest, most, outputs) {#name, TFLITE_OP_##name},
const hoist_fb_word tflite_operator_words[] = {
#include "formats/tflite/operators.inc"
    {NULL, 0}};
#undef TFLITE_OPERATOR
// clang-format on

// Numbers come from the file, so both functions check the range before they index a table.
const tflite_type_row *tflite_type_get(int64_t type)
{
    return type >= 0 && type < TFLITE_TYPE_COUNT ? &types[type] : NULL;
}

const tflite_operator_row *tflite_operator_get(int64_t number)
{
    return number >= 0 && number < TFLITE_OP_COUNT ? &operators[number] : NULL;
}
