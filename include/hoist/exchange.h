// hoist/exchange.h - arrays from and to NumPy's .npy files, sets of named arrays as .npz and
// safetensors files, and arrays from images.
//
// One thread at a time uses an array or a set. `diag` may be NULL in every call: then the status is
// all that a caller learns.
#ifndef HOIST_EXCHANGE_H
#define HOIST_EXCHANGE_H

#include "hoist/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HOIST_ARRAY_MAX_RANK = 32, // dimensions of an array at most; NumPy's limit
};

// A dense array: elements in C order (last index fastest), little-endian on every host.
typedef struct hoist_array {
    hoist_dtype dtype; // one with an integral number of bytes per element: not NONE, no block float
    uint32_t rank;     // dimensions, 0 (one element) ... HOIST_ARRAY_MAX_RANK
    int64_t shape[HOIST_ARRAY_MAX_RANK]; // extents in elements, outermost first; none is negative
    hoist_bytes data;                    // the elements; borrowed from the file, or from `owned`
    uint8_t *owned;                      // owned: `data` when they had to be copied; else NULL
} hoist_array;

// Frees the copy that the array owns, if it has one, and zeroes the array. `alloc` is the allocator
// that the array was read with.
HOIST_API void hoist_array_deinit(hoist_array *array, hoist_allocator alloc);

// Size of one element in bytes; 0 when `dtype` has none of its own (NONE, block floats).
HOIST_API size_t hoist_array_element_size(hoist_dtype dtype);

// Size of all elements in bytes, from type and shape. Returns true when it does not fit 63 bits,
// and then gives 0; `array->data` is not read.
HOIST_API bool hoist_array_size(const hoist_array *array, uint64_t *out_size);

// Makes an array dense whose `data` are as a file stores them: big-endian, or in Fortran order
// (first index fastest). Dense data stay as they are; else the array gets a copy in memory from
// `alloc`, to be freed with hoist_array_deinit(). HOIST_OK, HOIST_INVALID (the data are not as many
// bytes as type and shape give, or the type has no whole bytes) or HOIST_NO_MEMORY; the array is
// unchanged then.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_from_stored(hoist_array *array,
                                                               bool is_big_endian, bool is_fortran,
                                                               hoist_allocator alloc);

// Converts the elements to float32, rounded to nearest, ties to even, where float32 has fewer bits.
// `out` has the capacity for all elements. HOIST_OK, or HOIST_UNSUPPORTED: bit patterns, which have
// no value, or a type without whole bytes.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_floats(const hoist_array *array, float *out);

// Reads a .npy file that should hold one array: bytes after it are a warning (NPY-015), bit
// patterns as elements are reported (NPY-017). The data are borrowed from `file` where they are
// little-endian and in C order; else they are a copy from `alloc`. Call hoist_array_deinit() in
// both cases.
//
// HOIST_OK, HOIST_INVALID, HOIST_TRUNCATED (the file ends too early), HOIST_UNSUPPORTED (an element
// type without a counterpart) or HOIST_NO_MEMORY; the first finding has location and reason.
HOIST_API HOIST_NODISCARD hoist_status hoist_npy_read(hoist_bytes file, hoist_allocator alloc,
                                                      hoist_diag *diag, hoist_array *out_array);

// Writes `array` to the file `path`, which is created or replaced: version 1.0, C order,
// little-endian. Until it is complete it has a temporary name in the same folder, so that `path` is
// the old file, or absent, or the complete new one; a link is followed. `alloc` is for scratch
// memory. HOIST_OK, HOIST_NOT_FOUND (no such folder), HOIST_IO, HOIST_UNSUPPORTED (the type has no
// NumPy code) or HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_npy_save(const hoist_array *array, const char *path,
                                                      hoist_allocator alloc, hoist_diag *diag);

// Capacity in bytes that hoist_npy_begin() needs.
enum { HOIST_NPY_MAX_HEADER = 1024 };
// Writes the bytes that a .npy file of `array` begins with, for callers that write to something
// else than a path; `array->data` follow them in the file. `*out_size` is their number.
// `alloc` is for scratch memory. HOIST_OK, HOIST_UNSUPPORTED (the type has no NumPy code) or
// HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_npy_begin(const hoist_array *array,
                                                       hoist_allocator alloc, hoist_diag *diag,
                                                       uint8_t out_header[HOIST_NPY_MAX_HEADER],
                                                       size_t *out_size);

// Whether a file begins as a PNG or a JPEG image does.
HOIST_API bool hoist_image_is(hoist_bytes file);
// Reads a PNG or JPEG image as an array [height, width, 3] of HOIST_DTYPE_U8: red, green, blue, top
// line first. Gray is three times the same, transparent pixels lie over black, samples of 16 bits
// are reduced to 8; notes about rotation are not followed. Images have at most 2^26 pixels. libpng
// and libjpeg are loaded for the call; their scratch memory is not from `alloc`. `deadline` may be
// NULL. Free with hoist_array_deinit. HOIST_OK, HOIST_INVALID (no such image, or a damaged one),
// HOIST_LIMIT (too many pixels), HOIST_UNSUPPORTED (the library is not there), each with a finding;
// HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_image_read(hoist_bytes file, hoist_deadline *deadline,
                                                        hoist_allocator alloc, hoist_diag *diag,
                                                        hoist_array *out_image);
// Makes an image, [height, width, channels] of HOIST_DTYPE_U8, of other extents, in pixels of 1 or
// more, by a triangle filter: linear between the pixels where it grows, a mean weighted by distance
// where it shrinks. The sides are scaled each on its own; samples are rounded to nearest. The
// deadline may be NULL. Free `*out_image` with hoist_array_deinit. HOIST_OK, HOIST_INVALID (no
// image, or an extent below 1), HOIST_LIMIT, HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_image_resize(const hoist_array *image, int64_t height,
                                                          int64_t width, hoist_deadline *deadline,
                                                          hoist_allocator alloc,
                                                          hoist_array *out_image);

// Named arrays of one file, which is read or will be written; and notes about them.
typedef struct hoist_array_set hoist_array_set; // owned by the caller: hoist_array_set_destroy

// Creates an empty set. Free with hoist_array_set_destroy. HOIST_OK, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_create(hoist_allocator alloc,
                                                              hoist_array_set **out_set);
// Frees a set with its arrays and notes. NULL is allowed.
HOIST_API void hoist_array_set_destroy(hoist_array_set *set);

// Reads the arrays of an .npz file (NumPy's: a ZIP archive of .npy files) or a safetensors file;
// the first bytes decide which it is. `file` stays until the set is destroyed, because arrays may
// borrow from it. ZIP archives are read with libarchive, which is loaded for the call. `deadline`
// may be NULL. Free `*out_set` with hoist_array_set_destroy. HOIST_OK, HOIST_INVALID,
// HOIST_TRUNCATED, HOIST_UNSUPPORTED (an element type without a counterpart; libarchive is not
// there) or HOIST_LIMIT (more bytes than a file of this size can hold), each with a finding;
// HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_read(hoist_bytes file,
                                                            hoist_deadline *deadline,
                                                            hoist_allocator alloc, hoist_diag *diag,
                                                            hoist_array_set **out_set);
// The number of arrays in a set.
HOIST_API size_t hoist_array_set_count(const hoist_array_set *set);
// The name and the data of array `index`, below the count, in the order of adding or of the file;
// both are borrowed from the set.
HOIST_API hoist_str hoist_array_set_at(const hoist_array_set *set, size_t index,
                                       hoist_array *out_array);

// Adds a copy of the array under a copy of the name, which may be any bytes. HOIST_OK, HOIST_BUSY
// (the set has an array of that name), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_add(hoist_array_set *set, hoist_str name,
                                                           const hoist_array *array);
// Adds a note about the arrays: a key and a text, which are copied. Only safetensors files keep
// notes. The caller gives each key once. HOIST_OK, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_note(hoist_array_set *set, const char *key,
                                                            hoist_str text);
// Adds a note whose text is the SHA-256 of `bytes` in lower-case hexadecimal. HOIST_OK,
// HOIST_NO_MEMORY, HOIST_UNSUPPORTED (libcrypto has no such hash).
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_digest(hoist_array_set *set, const char *key,
                                                              hoist_bytes bytes);
// Begins a note whose text is a tree as JSON. Returns a sink for the members of its outer map,
// borrowed from the set until hoist_array_set_end_tree(), which must be called; one tree at a time.
// `key` is borrowed until then, too. Events for people are left out.
HOIST_API hoist_tree_sink *hoist_array_set_begin_tree(hoist_array_set *set, const char *key);
// Ends the tree and adds its note. HOIST_OK, HOIST_NO_MEMORY, or the first failure of the sink; no
// note is added then.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_end_tree(hoist_array_set *set);

// Makes an .npz file of the set, as NumPy reads it: a ZIP archive of a .npy file of each array, not
// compressed, without the notes. Names are cut after 4,096 bytes, and '_' replaces their control
// characters, '\', ':', and a '/' or '.' at the beginning of a component. The same set gives the
// same bytes. `*out_bytes` is freed with hoist_array_set_free_bytes. HOIST_OK, HOIST_UNSUPPORTED
// with a finding (NumPy has no code for a type), HOIST_LIMIT with a finding (4 GiB or 65,535
// arrays), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_npz(const hoist_array_set *set,
                                                           hoist_diag *diag,
                                                           hoist_mut_bytes *out_bytes);
// Makes a safetensors file of the set, with the notes as its metadata. The same set gives the same
// bytes. `*out_bytes` is freed with hoist_array_set_free_bytes. HOIST_OK, HOIST_UNSUPPORTED with a
// finding (safetensors has no code for a type), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_array_set_safetensors(const hoist_array_set *set,
                                                                   hoist_diag *diag,
                                                                   hoist_mut_bytes *out_bytes);
// Frees the bytes of a file that was made of `set`, which still exists.
HOIST_API void hoist_array_set_free_bytes(const hoist_array_set *set, hoist_mut_bytes bytes);

#ifdef __cplusplus
}
#endif

#endif // HOIST_EXCHANGE_H
