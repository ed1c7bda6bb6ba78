// Options of custom operators (custom_numbers.h): a FlexBuffer in, numbers by name out.
#include "formats/tflite/custom_numbers.h"

#include "base/span.h"
#include "codec/flexbuffer.h"

// The code is NULL for an operator whose index is beyond the model's kinds (TFL-005).
bool tflite_is_custom(const tflite_operator_code *code, const char *name)
{
    return code && tflite_code_number(code) == TFLITE_OP_CUSTOM &&
           hoist_str_equal_c(code->custom_code, name);
}

// Writes a double or an int64_t to `to`, by the row. False: the value is no number, or a float
// where an integer is expected.
static bool read_number(const tflite_custom_number *row, const hoist_flex_value *value, void *to)
{
    int64_t whole = 0;
    double real = 0;
    const bool is_whole = hoist_flex_i64(value, &whole);
    const bool is_real = !is_whole && hoist_flex_f64(value, &real);
    if (row->is_real) {
        *(double *)to = is_whole ? (double)whole : real;
        return is_whole || is_real;
    }
    *(int64_t *)to = whole;
    return is_whole;
}

// The first member that is wrong ends the reading: the caller names it in its refusal.
const char *tflite_custom_numbers_read(const tflite_module *module, const tflite_operator *op,
                                       const tflite_custom_number *rows, size_t count,
                                       void *out_options)
{
    // Custom options of other writers may be any bytes: FlexBuffers are checked as they are read.
    hoist_flex in = {.bytes = tflite_custom_options(module, op)};
    hoist_flex_value root;
    hoist_flex_value value;
    if (hoist_flex_root(&in, &root) != HOIST_OK) {
        return "";
    }
    for (size_t i = 0; i < count; i++) {
        const tflite_custom_number *row = &rows[i];
        // Absent members keep the caller's number.
        const bool is_there = hoist_flex_find(&root, row->name, &value) == HOIST_OK;
        if (is_there ? !read_number(row, &value, (char *)out_options + row->at)
                     : !row->is_optional) {
            return row->name;
        }
    }
    return NULL;
}
