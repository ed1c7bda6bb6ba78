// Writing safetensors files. Layout: 8 bytes, little-endian, how long the header is; the header,
// JSON, with blanks at its end so that the data begin at a multiple of 8; the data, dense and
// little-endian, in C order, one array after the other. Facts: the format's README
// (huggingface/safetensors).
#include "base/reader.h"
#include "base/span.h"
#include "exchange/array_set.h"
#include "exchange/exchange_rules.h"

enum { LENGTH = 8 };

const char *hoist_safetensors_code(hoist_dtype dtype)
{
    static const char *const codes[HOIST_DTYPE_COUNT] = {
        [HOIST_DTYPE_F64] = "F64",        [HOIST_DTYPE_F32] = "F32",
        [HOIST_DTYPE_F16] = "F16",        [HOIST_DTYPE_BF16] = "BF16",
        [HOIST_DTYPE_F8E5M2] = "F8_E5M2", [HOIST_DTYPE_F8E4M3FN] = "F8_E4M3",
        [HOIST_DTYPE_I8] = "I8",          [HOIST_DTYPE_I16] = "I16",
        [HOIST_DTYPE_I32] = "I32",        [HOIST_DTYPE_I64] = "I64",
        [HOIST_DTYPE_U8] = "U8",          [HOIST_DTYPE_U16] = "U16",
        [HOIST_DTYPE_U32] = "U32",        [HOIST_DTYPE_U64] = "U64",
        [HOIST_DTYPE_BOOL] = "BOOL",
    };
    return codes[dtype];
}

// The arrays in the order of the data: those of larger elements first, so that all are aligned.
// Calls `each` with what it adds to, and with where the array's data begin.
static void in_order(const hoist_array_set *set, hoist_buffer *out,
                     void (*each)(const hoist_set_item *item, uint64_t at, hoist_buffer *out))
{
    uint64_t at = 0;
    for (size_t element = sizeof(uint64_t); element > 0; element /= 2) {
        // Elements have 8, 4, 2 or 1 bytes; each step is aligned because those before it are
        // multiples of more.
        for (size_t i = 0; i < set->count; i++) {
            const hoist_set_item *item = &set->items[i];
            if (hoist_array_element_size(item->array.dtype) == element) {
                each(item, at, out);
                at += item->array.data.size;
            }
        }
    }
}

static void write_entry(const hoist_set_item *item, uint64_t at, hoist_buffer *out)
{
    // A comma unless the object has just been opened: notes may come first or not at all.
    const bool is_first = !out->failed && out->data[out->size - 1] == '{';
    hoist_buffer_c(out, is_first ? "" : ",");
    const uint64_t end = at + item->array.data.size;
    hoist_json_write_string(out, item->name);
    hoist_buffer_format(out, ":{\"dtype\":\"%s\",\"shape\":[",
                        hoist_safetensors_code(item->array.dtype));
    for (uint32_t i = 0; i < item->array.rank; i++) {
        hoist_buffer_format(out, i ? ",%lld" : "%lld", (long long)item->array.shape[i]);
    }
    hoist_buffer_format(out, "],\"data_offsets\":[%llu,%llu]}", (unsigned long long)at,
                        (unsigned long long)end);
}

static void write_data(const hoist_set_item *item, uint64_t at, hoist_buffer *out)
{
    (void)at;
    hoist_buffer_add(out, item->array.data);
}

static void write_file(const hoist_array_set *set, hoist_buffer *out)
{
    static const uint8_t no_length[LENGTH] = {0}; // put in at the end, when it is known
    hoist_buffer_add(out, (hoist_bytes){no_length, sizeof(no_length)});
    hoist_buffer_char(out, '{');
    if (set->note_count > 0) {
        // The format has strings there and nothing else.
        hoist_buffer_c(out, "\"__metadata__\":{");
        for (size_t i = 0; i < set->note_count; i++) {
            hoist_buffer_c(out, i ? "," : "");
            hoist_json_write_string(out, set->notes[i].key);
            hoist_buffer_char(out, ':');
            hoist_json_write_string(out, set->notes[i].text);
        }
        hoist_buffer_char(out, '}');
    }
    in_order(set, out, write_entry);
    hoist_buffer_char(out, '}');
    // As many blanks as make header and length a multiple of 8.
    while (!out->failed && out->size % LENGTH != 0) {
        hoist_buffer_char(out, ' ');
    }
    if (!out->failed) {
        hoist_store_u64le(out->data, out->size - LENGTH);
    }
    in_order(set, out, write_data);
}

hoist_status hoist_array_set_safetensors(const hoist_array_set *set, hoist_diag *diag,
                                         hoist_mut_bytes *out_bytes)
{
    *out_bytes = (hoist_mut_bytes){NULL, 0};
    // Before anything is written: write_entry() relies on a code.
    for (size_t i = 0; i < set->count; i++) {
        if (!hoist_safetensors_code(set->items[i].array.dtype)) {
            return hoist_exchange_fail(diag, HOIST_UNSUPPORTED, HOIST_RAW_002, 0,
                                       "'%.*s': element type %s has no code in safetensors files",
                                       HOIST_STR_ARGS(set->items[i].name),
                                       hoist_dtype_get(set->items[i].array.dtype)->name);
        }
    }
    hoist_buffer out;
    hoist_buffer_init(&out, set->alloc);
    write_file(set, &out);
    return hoist_array_set_take(&out, HOIST_OK, out_bytes);
}
