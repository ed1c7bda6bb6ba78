// NumPy's codes of element types ('<f4'), a table that is searched both ways. exchange/ uses it for
// .npy headers.
#include "tensor/npy_code.h"

#include "base/span.h"

// clang-format off
static const struct {
    const char *code;
    hoist_dtype dtype;
} types[] = {
    {"f4", HOIST_DTYPE_F32}, {"f2", HOIST_DTYPE_F16},      {"f8", HOIST_DTYPE_F64},
    {"i1", HOIST_DTYPE_I8},  {"i2", HOIST_DTYPE_I16},      {"i4", HOIST_DTYPE_I32},
    {"i8", HOIST_DTYPE_I64}, {"u1", HOIST_DTYPE_U8},       {"u2", HOIST_DTYPE_U16},
    {"u4", HOIST_DTYPE_U32}, {"u8", HOIST_DTYPE_U64},      {"b1", HOIST_DTYPE_BOOL},
    {"V1", HOIST_DTYPE_TT_RAW8}, {"V2", HOIST_DTYPE_TT_RAW16},
};

static const struct {
    char kind;
    const char *name;
} refused_kinds[] = {
    {'O', "Python objects"}, {'c', "complex numbers"}, {'S', "byte strings"}, {'a', "byte strings"},
    {'U', "text"},           {'M', "dates"},           {'m', "durations"},    {'f', "floats of this size"},
    {'V', "bit patterns of this size"},
};
// clang-format on

const char *hoist_npy_code(hoist_dtype dtype)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(types); i++) {
        if (types[i].dtype == dtype) {
            return types[i].code;
        }
    }
    return NULL;
}

hoist_dtype hoist_npy_dtype(hoist_str descr, bool *out_big_endian)
{
    const char order = descr.size ? descr.data[0] : '|';
    const hoist_str code = hoist_str_slice(descr, 1, descr.size);
    for (size_t i = 0; i < HOIST_COUNT_OF(types); i++) {
        const bool has_order = types[i].code[1] != '1' && types[i].code[0] != 'V';
        if (hoist_str_equal_c(code, types[i].code) && (order != '|' || !has_order)) {
            // The bytes of a bit pattern stay as they are, whatever order it claims.
            *out_big_endian = order == '>' && has_order;
            return types[i].dtype;
        }
    }
    *out_big_endian = false;
    return HOIST_DTYPE_NONE;
}

const char *hoist_npy_refused(hoist_str descr)
{
    const hoist_str code = hoist_str_slice(descr, 1, descr.size);
    size_t digits = 1;
    while (digits < code.size && code.data[digits] >= '0' && code.data[digits] <= '9') {
        digits++;
    }
    const bool is_type =
        code.size && (digits == code.size || code.data[0] == 'M' || code.data[0] == 'm');
    for (size_t i = 0; i < HOIST_COUNT_OF(refused_kinds) && is_type; i++) {
        if (refused_kinds[i].kind == code.data[0]) {
            return refused_kinds[i].name;
        }
    }
    return NULL;
}
