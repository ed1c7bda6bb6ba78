// formats/tflite/custom_numbers.h - the options of custom operators that are numbers by name: a row
// for each member of the operator's FlexBuffer.
#ifndef HOIST_SRC_FORMATS_TFLITE_CUSTOM_NUMBERS_H
#define HOIST_SRC_FORMATS_TFLITE_CUSTOM_NUMBERS_H

#include "formats/tflite/module.h"

typedef struct tflite_custom_number {
    const char *name;
    size_t at;        // of the member in the struct of the options: double or int64_t
    bool is_real;     // double; an integer in the file is taken, too
    bool is_optional; // the member keeps its number where it is not in the file
} tflite_custom_number;

// Whether an operator is the custom one of this name; the code may be NULL.
bool tflite_is_custom(const tflite_operator_code *code, const char *name);

// Reads the members of `rows` into the struct. NULL, or the name of the first one that is missing
// or no such number; "" where the operator has no FlexBuffer.
const char *tflite_custom_numbers_read(const tflite_module *module, const tflite_operator *op,
                                       const tflite_custom_number *rows, size_t count,
                                       void *out_options);

#endif // HOIST_SRC_FORMATS_TFLITE_CUSTOM_NUMBERS_H
