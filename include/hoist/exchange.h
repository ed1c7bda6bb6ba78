// hoist/exchange.h - arrays from and to NumPy's .npy files.
#ifndef HOIST_EXCHANGE_H
#define HOIST_EXCHANGE_H

#include "hoist/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HOIST_ARRAY_MAX_RANK = 32, // NumPy's
};

// A dense array: elements in C order, little-endian on every host.
typedef struct hoist_array {
    hoist_dtype dtype; // whole bytes per element, no block float
    uint32_t rank;
    int64_t shape[HOIST_ARRAY_MAX_RANK]; // none is negative
    hoist_bytes data;                    // borrowed from the file, or from `owned`
    uint8_t *owned;                      // owned: `data` when they had to be copied; else NULL
} hoist_array;

// Frees what the array owns. `alloc` is the allocator it was read with.
HOIST_API void hoist_array_deinit(hoist_array *array, hoist_allocator alloc);

// Bytes of one element; 0 when `dtype` has no whole bytes (NONE, block floats).
HOIST_API size_t hoist_array_element_size(hoist_dtype dtype);

// Bytes of all elements; true when that does not fit 63 bits (then 0).
HOIST_API bool hoist_array_size(const hoist_array *array, uint64_t *out_size);

// Makes the elements dense that `array->data` has as they are stored: big-endian, or in Fortran
// order (first index fastest). What is dense already stays as it is; else they are copied, with
// memory from `alloc`: hoist_array_deinit. HOIST_OK, HOIST_INVALID (the data are not as many as
// type and shape say) or HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_from_stored(hoist_array *array,
                                                               bool is_big_endian, bool is_fortran,
                                                               hoist_allocator alloc);

// The elements as float32, rounded to nearest even where they do not fit; `out` has room for all of
// them. HOIST_OK, or HOIST_UNSUPPORTED: bit patterns, which have no value.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_floats(const hoist_array *array, float *out);

// Reads a .npy file that should hold one array: bytes behind it are a warning (NPY-015). The data
// are borrowed from `file` where they are little-endian and in C order; else they are a copy from
// `alloc`. hoist_array_deinit in both cases.
//
// Returns HOIST_OK, HOIST_INVALID, HOIST_TRUNCATED (the file ends too early), HOIST_UNSUPPORTED (an
// element type without a counterpart) or HOIST_NO_MEMORY; the first finding tells where and why.
HOIST_API HOIST_NODISCARD hoist_status hoist_npy_read(hoist_bytes file, hoist_allocator alloc,
                                                      hoist_diag *diag, hoist_array *out_array);

// Writes `array` to the file `path`, which is created or replaced: version 1.0, C order,
// little-endian. Until it is complete it has a temporary name in the same folder, so that `path` is
// the old file, or absent, or the complete new one; a link is followed. Returns HOIST_OK,
// HOIST_NOT_FOUND (no such folder), HOIST_IO, HOIST_UNSUPPORTED (the type has no NumPy code) or
// HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_npy_save(const hoist_array *array, const char *path,
                                                      hoist_allocator alloc, hoist_diag *diag);

// The bytes that a .npy file of `array` begins with; its data follow. For those who write it where
// no path leads. `alloc` is for scratch. Returns HOIST_OK, HOIST_UNSUPPORTED (the type has no NumPy
// code) or HOIST_NO_MEMORY.
enum { HOIST_NPY_MAX_HEADER = 1024 };
HOIST_API HOIST_NODISCARD hoist_status hoist_npy_begin(const hoist_array *array,
                                                       hoist_allocator alloc, hoist_diag *diag,
                                                       uint8_t out_header[HOIST_NPY_MAX_HEADER],
                                                       size_t *out_size);

// Arrays with names that become one file. Thread-compatible.
typedef struct hoist_array_set hoist_array_set;

// An empty set, which hoist_array_set_destroy() frees. HOIST_OK, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_create(hoist_allocator alloc,
                                                              hoist_array_set **out_set);
HOIST_API void hoist_array_set_destroy(hoist_array_set *set); // NULL is allowed

// Adds a copy of the array. Names are any bytes. HOIST_OK, HOIST_BUSY (there is one of that name),
// HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_add(hoist_array_set *set, hoist_str name,
                                                           const hoist_array *array);
// Adds a text about the arrays, which files that can hold such keep. Keys differ from each other.
// HOIST_OK, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_note(hoist_array_set *set, const char *key,
                                                            hoist_str text);
// The same with the SHA-256 of bytes, as digits. Also HOIST_UNSUPPORTED: there is no such hash.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_digest(hoist_array_set *set, const char *key,
                                                              hoist_bytes bytes);
// The same with a tree as JSON: a sink for the members of its outer map, which is ended by
// hoist_array_set_end_tree(). One at a time. The statuses are the sink's.
HOIST_API hoist_tree_sink *hoist_array_set_begin_tree(hoist_array_set *set, const char *key);
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_end_tree(hoist_array_set *set);

// The set as a file of NumPy's: a ZIP archive of a .npy file of each array, not compressed, without
// the notes; names lose what could lead elsewhere. Or as a safetensors file, with the notes as its
// metadata. The same set gives the same bytes. `*out_bytes` is freed with
// hoist_array_set_free_bytes. HOIST_OK, HOIST_UNSUPPORTED with a finding (the file has no code for
// a type), HOIST_LIMIT (of .npz: 4 GiB or 65,535 arrays), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_npz(const hoist_array_set *set,
                                                           hoist_diag *diag,
                                                           hoist_mut_bytes *out_bytes);
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_safetensors(const hoist_array_set *set,
                                                                   hoist_diag *diag,
                                                                   hoist_mut_bytes *out_bytes);
HOIST_API void hoist_array_set_free_bytes(const hoist_array_set *set, hoist_mut_bytes bytes);

#ifdef __cplusplus
}
#endif

#endif // HOIST_EXCHANGE_H
