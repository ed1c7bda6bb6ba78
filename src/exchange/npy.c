// NumPy's .npy files: codec/npy_header.h has the header, this file the data and writing.
#include "exchange/npy.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/diag.h"
#include "base/span.h"
#include "codec/npy_header.h"
#include "codec/npy_rules.h"
#include "tensor/npy_code.h"

_Static_assert((int)HOIST_ARRAY_MAX_RANK == (int)HOIST_NPY_MAX_RANK, "shapes are copied whole");

// Type and byte order of the elements. HOIST_INVALID: `descr` is no type; HOIST_UNSUPPORTED: one
// without a counterpart, such as complex numbers, which the finding names.
static hoist_status npy_type(const hoist_npy_header *header, hoist_diag *diag,
                             hoist_dtype *out_dtype, bool *out_big_endian)
{
    *out_dtype = hoist_npy_dtype(header->descr, out_big_endian);
    if (*out_dtype != HOIST_DTYPE_NONE) {
        return HOIST_OK;
    }
    const char *const meaning = hoist_npy_refused(header->descr);
    if (!meaning) {
        return hoist_npy_fail(diag, HOIST_INVALID, HOIST_NPY_009, header->descr_at,
                              "descr '%.*s' is no type, expected one like '<f4'",
                              HOIST_STR_ARGS(header->descr));
    }
    return hoist_npy_fail(diag, HOIST_UNSUPPORTED, HOIST_NPY_010, header->descr_at,
                          "descr '%.*s' means %s, expected plain numbers",
                          HOIST_STR_ARGS(header->descr), meaning);
}

// `*offset` moves at the end only: it stays on failure.
hoist_status hoist_npy_read_next(hoist_bytes file, uint64_t *offset, hoist_allocator alloc,
                                 hoist_diag *diag, hoist_array *out_array)
{
    *out_array = (hoist_array){0};
    hoist_npy_header header;
    HOIST_TRY(hoist_npy_header_read(file, *offset, diag, &header));
    hoist_array array = {.rank = header.rank};
    bool is_big_endian = false;
    memcpy(array.shape, header.shape, sizeof(array.shape));
    HOIST_TRY(npy_type(&header, diag, &array.dtype, &is_big_endian));
    uint64_t size = 0;
    if (hoist_array_size(&array, &size)) {
        return hoist_npy_fail(diag, HOIST_INVALID, HOIST_NPY_013, *offset,
                              "the size of the array does not fit 63 bits");
    }
    // Not negative: hoist_npy_header_read() found the start of the data within the file.
    const uint64_t left = file.size - header.data_offset;
    if (size > left) {
        return hoist_npy_fail(diag, HOIST_TRUNCATED, HOIST_NPY_014, header.data_offset,
                              "the data have %llu %s, the shape needs %llu",
                              (unsigned long long)left, hoist_plural(left, "byte", "bytes"),
                              (unsigned long long)size);
    }
    array.data = (hoist_bytes){file.data + header.data_offset, (size_t)size};
    HOIST_TRY(hoist_array_from_stored(&array, is_big_endian, header.is_fortran, alloc));
    // Bit patterns are read all the same: the user may name their type.
    if (hoist_dtype_get(array.dtype)->kind == HOIST_CLASS_RAW) {
        hoist_report(diag, &hoist_npy_rules.rules[HOIST_NPY_017], hoist_loc_byte(*offset),
                     "the elements are bit patterns of type %s, name their type with ':bf16' or "
                     "the like",
                     hoist_npy_code(array.dtype));
    }
    *offset = header.data_offset + size;
    *out_array = array;
    return HOIST_OK;
}

hoist_status hoist_npy_read(hoist_bytes file, hoist_allocator alloc, hoist_diag *diag,
                            hoist_array *out_array)
{
    uint64_t end = 0;
    HOIST_TRY(hoist_npy_read_next(file, &end, alloc, diag, out_array));
    // A note, no error: np.save on an open file appends arrays.
    if (end < file.size) {
        hoist_report(diag, &hoist_npy_rules.rules[HOIST_NPY_015], hoist_loc_byte(end),
                     "%llu %s the array and will not be read",
                     (unsigned long long)(file.size - end),
                     hoist_plural(file.size - end, "byte follows", "bytes follow"));
    }
    return HOIST_OK;
}

// NumPy leaves space for the first extent to grow to 21 digits without moving the data.
static size_t npy_growth(const hoist_array *array)
{
    size_t digits = 0;
    for (int64_t n = array->rank ? array->shape[0] : 0; n > 0; n /= 10) {
        digits++;
    }
    return array->rank ? 21 - (digits ? digits : 1) : 0;
}

hoist_status hoist_npy_header_write(const hoist_array *array, hoist_diag *diag, hoist_buffer *out)
{
    enum { PREFIX = 10, ALIGNMENT = 64 };
    const char *code = hoist_npy_code(array->dtype);
    if (!code) {
        return hoist_npy_fail(diag, HOIST_UNSUPPORTED, HOIST_NPY_016, 0,
                              "element type %s has no NumPy code",
                              hoist_dtype_get(array->dtype)->name);
    }
    // '|' is for elements without a byte order: of one byte, and bit patterns.
    const bool has_order = code[1] != '1' && code[0] != 'V';
    hoist_buffer text;
    hoist_buffer_init(&text, out->alloc);
    hoist_buffer_format(&text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                        has_order ? '<' : '|', code);
    for (uint32_t i = 0; i < array->rank; i++) {
        hoist_buffer_format(&text, "%s%lld", i ? ", " : "", (long long)array->shape[i]);
    }
    // Python writes a tuple of one with a comma.
    hoist_buffer_c(&text, array->rank == 1 ? ",), }" : "), }");
    hoist_buffer_fill(&text, ' ', npy_growth(array));
    // Padding is 1 to 64 spaces, never none: as NumPy does it.
    hoist_buffer_fill(&text, ' ', ALIGNMENT - (PREFIX + text.size + 1) % ALIGNMENT);
    hoist_buffer_char(&text, '\n');
    // 32 extents of 19 digits keep the header far below the 65,535 bytes of version 1.
    HOIST_ASSERT(text.size <= UINT16_MAX);
    hoist_buffer_add(out, (hoist_bytes){(const uint8_t *)"\x93NUMPY\x01\x00", 8});
    hoist_buffer_char(out, (char)(text.size & 0xff)); // version 1 has 16 bits, little-endian
    hoist_buffer_char(out, (char)(text.size >> 8));
    hoist_buffer_add(out, hoist_buffer_bytes(&text));
    out->failed = out->failed || text.failed;
    hoist_buffer_deinit(&text);
    return HOIST_OK;
}

// The header alone, for writers that have the data piece by piece (hoist/exchange.h).
hoist_status hoist_npy_begin(const hoist_array *array, hoist_allocator alloc, hoist_diag *diag,
                             uint8_t out_header[HOIST_NPY_MAX_HEADER], size_t *out_size)
{
    hoist_buffer header;
    hoist_buffer_init(&header, alloc);
    hoist_status status = hoist_npy_header_write(array, diag, &header);
    if (status == HOIST_OK && header.failed) {
        status = HOIST_NO_MEMORY;
    }
    *out_size = status == HOIST_OK ? header.size : 0;
    // 32 extents of 19 digits, what is around them, and space to grow.
    HOIST_ASSERT(*out_size <= HOIST_NPY_MAX_HEADER);
    if (*out_size) {
        memcpy(out_header, header.data, header.size);
    }
    hoist_buffer_deinit(&header);
    return status;
}

hoist_status hoist_npy_write(const hoist_array *array, hoist_allocator alloc, hoist_diag *diag,
                             hoist_output *out)
{
    uint8_t header[HOIST_NPY_MAX_HEADER];
    size_t size = 0;
    HOIST_TRY(hoist_npy_begin(array, alloc, diag, header, &size));
    hoist_output_add(out, (hoist_bytes){header, size});
    hoist_output_add(out, array->data);
    return HOIST_OK;
}

hoist_status hoist_npy_save(const hoist_array *array, const char *path, hoist_allocator alloc,
                            hoist_diag *diag)
{
    if (!hoist_npy_code(array->dtype)) { // before a file is begun
        return hoist_npy_fail(diag, HOIST_UNSUPPORTED, HOIST_NPY_016, 0,
                              "element type %s has no NumPy code",
                              hoist_dtype_get(array->dtype)->name);
    }
    hoist_output out;
    HOIST_TRY(hoist_output_create(&out, path, NULL, diag));
    const hoist_status status = hoist_npy_write(array, alloc, diag, &out);
    if (status != HOIST_OK) {
        hoist_output_drop(&out); // no file is left behind
        return status;
    }
    return hoist_output_close(&out, diag);
}
