// Names and types of arrays that are written as files: from the name in the model to a file name
// that leads nowhere else, and from an element type to the one that .npy can store. For
// run_outputs.c and recover_write.c.
#include <inttypes.h>

#include "base/span.h"
#include "base/utf8.h"
#include "tool.h"

// Bytes of a file's name that is not too long, without its ending and what keeps long ones apart.
enum { MAX_NAME = 255 - 4 - 16 };

// Percent encoding, as in URLs: "a/b" becomes "a%2Fb". '%' itself is encoded, too, so no two
// names of a model give the same file, and "%~", which tool_file_number() appends, is never
// part of one.
void tool_file_name(hoist_str name, uint64_t number, hoist_buffer *out)
{
    const size_t start = out->size;
    for (size_t i = 0; i < name.size;) {
        const char c = name.data[i];
        const size_t size = c == '/' || c == '%' ? 0 : hoist_utf8_shown_size(name, i);
        if (size) {
            hoist_buffer_str(out, hoist_str_slice(name, i, size));
        } else {
            hoist_buffer_format(out, "%%%02X", (unsigned)(uint8_t)c);
        }
        i += size ? size : 1;
    }
    if (out->size - start > MAX_NAME) {
        tool_file_number(start, number, out);
    }
}

void tool_file_number(size_t start, uint64_t number, hoist_buffer *out)
{
    if (!out->failed) {
        // Not in the middle of a character: hoist_str_cut() keeps UTF-8 complete.
        const hoist_str whole = hoist_str_slice(hoist_buffer_text(out), start, out->size);
        out->size = start + hoist_str_cut(whole, MAX_NAME);
    }
    hoist_buffer_format(out, "%%~%" PRIu64, number);
}

hoist_dtype tool_bits_dtype(hoist_dtype dtype)
{
    // By bytes of an element. NumPy has a code for float16, but a file of float16 next to files
    // of bfloat16 as integers would be read in two ways; all small floats are bits here.
    static const hoist_dtype unsigned_of[] = {
        [1] = HOIST_DTYPE_U8, [2] = HOIST_DTYPE_U16, [4] = HOIST_DTYPE_U32};
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    const bool is_small = info->kind == HOIST_CLASS_FLOAT && info->bits <= 16;
    const bool has_code = info->kind != HOIST_CLASS_RAW && dtype != HOIST_DTYPE_TF32 && !is_small;
    return has_code ? dtype : unsigned_of[hoist_array_element_size(dtype)];
}
