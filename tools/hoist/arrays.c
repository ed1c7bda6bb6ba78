// Arrays as files: their names and types.
#include "base/span.h"
#include "tool.h"

void tool_file_name(hoist_str name, hoist_buffer *out)
{
    for (size_t i = 0; i < name.size; i++) {
        const uint8_t c = (uint8_t)name.data[i];
        hoist_buffer_format(out, c == '/' || c == '%' || c < ' ' || c == 0x7f ? "%%%02X" : "%c", c);
    }
}

hoist_dtype tool_bits_dtype(hoist_dtype dtype)
{
    static const hoist_dtype unsigned_of[] = {
        [1] = HOIST_DTYPE_U8, [2] = HOIST_DTYPE_U16, [4] = HOIST_DTYPE_U32};
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    const bool is_small = info->kind == HOIST_CLASS_FLOAT && info->bits <= 16;
    const bool has_code = info->kind != HOIST_CLASS_RAW && dtype != HOIST_DTYPE_TF32 && !is_small;
    return has_code ? dtype : unsigned_of[hoist_array_element_size(dtype)];
}
