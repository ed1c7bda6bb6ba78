// Where a tensor is in its buffer: Shape, Strides, Offsets and PaddedShape of the file become
// extents and distances in bytes (ark reference section 4). The file's "Strides" are the dimensions
// of the array that the tensor is a part of. Reports ARK-M20 to M24 and M29.
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "formats/ark/graph_internal.h"
#include "formats/ark/places.h"
#include "formats/ark/rules.h"

// Neither key, or an entry less: false. With Pads the extent is rounded up to a multiple. Shape 5
// with Pads 4 has PaddedShape 8.
bool ark_padded_at(const ark_tensor *row, size_t dim, int64_t *out_padded)
{
    *out_padded = 0;
    if (row->padded.pos.line) {
        *out_padded = dim < row->padded.count ? row->padded.items[dim].value : 0;
        return dim < row->padded.count;
    }
    if (dim >= row->shape.count || dim >= row->pads.count) {
        return false;
    }
    const int64_t extent = row->shape.items[dim].value;
    const int64_t pad = row->pads.items[dim].value;
    if (extent < 1 || pad < 1) {
        return false;
    }
    const int64_t rest = extent % pad;
    return !hoist_ckd_add_i64(out_padded, extent, rest ? pad - rest : 0);
}

// The location of the item, or that of its list where items have none.
static hoist_pos item_pos(const hoist_rec_ints *list, size_t dim)
{
    return list->items[dim].pos.line ? list->items[dim].pos : list->pos;
}

// `rank` is the length of Shape, which the other lists have, too.
static bool check_length(const hoist_rec_ints *list, const char *key, size_t rank, hoist_diag *diag)
{
    if (list->count == rank) {
        return true;
    }
    ark_report(diag, ARK_M21, list->pos, "%s has %zu entries, expected %zu, as many as Shape", key,
               list->count, rank);
    return false;
}

// Shape determines how long the others have to be.
static bool check_lengths(const ark_tensor *row, hoist_diag *diag)
{
    const size_t rank = row->shape.count;
    if (rank < 1 || rank > ARK_MAX_RANK) {
        ark_report(diag, ARK_M21, row->shape.pos, "Shape has %zu dimensions, expected 1 to %d",
                   rank, ARK_MAX_RANK);
        return false;
    }
    // All of them, so that each wrong one is reported.
    bool right = check_length(&row->strides, "Strides", rank, diag);
    right &= check_length(&row->offsets, "Offsets", rank, diag);
    right &= row->padded.pos.line ? check_length(&row->padded, "PaddedShape", rank, diag)
                                  : check_length(&row->pads, "Pads", rank, diag);
    return right;
}

// Pads alone: PaddedShape is compared with Shape in check_bounds().
static bool check_pad(const ark_tensor *row, size_t k, hoist_diag *diag)
{
    if (row->padded.pos.line || row->pads.items[k].value == 1) {
        return true;
    }
    const int64_t pad = row->pads.items[k].value;
    int64_t padded = 0;
    if (pad < 1) {
        ark_report(diag, ARK_M29a, item_pos(&row->pads, k),
                   "Pads of dimension %zu is %" PRId64 ", expected 1 or more", k, pad);
        return false;
    }
    if (ark_padded_at(row, k, &padded)) {
        ark_report(diag, ARK_M29b, item_pos(&row->pads, k),
                   "Pads of dimension %zu is %" PRId64 ": PaddedShape becomes %" PRId64, k, pad,
                   padded);
    }
    return true;
}

// Extents and offsets by themselves; false keeps the other checks from them.
static bool check_extent(const ark_tensor *row, size_t k, hoist_diag *diag)
{
    const int64_t extent = row->shape.items[k].value;
    const int64_t offset = row->offsets.items[k].value;
    if (extent < 1) {
        ark_report(diag, ARK_M22, item_pos(&row->shape, k),
                   "Shape of dimension %zu is %" PRId64 ", expected 1 or more", k, extent);
    }
    if (offset < 0) {
        ark_report(diag, ARK_M22, item_pos(&row->offsets, k),
                   "Offsets of dimension %zu is %" PRId64 ", expected 0 or more", k, offset);
    }
    return extent >= 1 && offset >= 0;
}

// The file's Strides are the dimensions of the array: the tensor with its padding lies within it.
static bool check_bounds(const ark_tensor *row, size_t k, hoist_diag *diag)
{
    const int64_t extent = row->shape.items[k].value;
    const int64_t offset = row->offsets.items[k].value;
    const int64_t dim = row->strides.items[k].value;
    int64_t padded = 0;
    int64_t end = 0;
    if (!ark_padded_at(row, k, &padded) || padded < extent) {
        ark_report(diag, ARK_M23,
                   row->padded.pos.line ? item_pos(&row->padded, k) : item_pos(&row->pads, k),
                   "PaddedShape of dimension %zu is %" PRId64
                   ", expected at least its Shape, %" PRId64,
                   k, padded, extent);
        return false;
    }
    if (hoist_ckd_add_i64(&end, offset, padded) || end > dim) {
        ark_report(diag, ARK_M23, item_pos(&row->strides, k),
                   "Strides of dimension %zu is %" PRId64
                   ", expected at least Offsets + PaddedShape, %" PRId64 " + %" PRId64,
                   k, dim, offset, padded);
        return false;
    }
    return true;
}

// From the last dimension on: how many bytes the array has from one index to the next. The last
// dimension is contiguous: its distance is the size of an element. For example, with Shape [4,6],
// Strides [8,12] and Offsets [2,3] of FP32, element (1,2) is at byte 4 * ((2 + 1) * 12 + 3 + 2) =
// 164.
static bool place(const ark_tensor *row, hoist_diag *diag, ark_value *value)
{
    int64_t step = hoist_dtype_get(value->dtype)->bits / 8;
    const int64_t size = step;
    value->count = 1;
    value->end = (uint64_t)size; // after element 0, without offsets
    for (int k = value->rank - 1; k >= 0; k--) {
        value->shape[k] = row->shape.items[k].value;
        value->dims[k] = row->strides.items[k].value;
        value->offsets[k] = row->offsets.items[k].value;
        (void)ark_padded_at(row, (size_t)k, &value->padded[k]);
        value->stride[k] = step;
        if (hoist_ckd_mul_i64(&step, step, value->dims[k])) {
            ark_report(diag, ARK_M24, row->strides.pos,
                       "an array %s of %" PRId64 "-byte elements has 2^63 bytes or more",
                       ark_ints_shown(&row->strides).text, size);
            return false;
        }
        // Offsets and extents lie in the dimension, so these stay below the array's size.
        value->count *= (uint64_t)value->shape[k];
        value->offset += (uint64_t)(value->offsets[k] * value->stride[k]);
        value->end += (uint64_t)((value->offsets[k] + value->shape[k] - 1) * value->stride[k]);
    }
    return true;
}

// Lists of wrong lengths end the checks, since dimensions cannot be told apart. All dimensions are
// looked at, so each wrong one is reported.
bool ark_geometry(const ark_tensor *row, hoist_diag *diag, ark_value *value)
{
    const bool padded = row->padded.pos.line || row->pads.pos.line;
    if (!row->dtype.pos.line || !row->shape.pos.line || !row->strides.pos.line ||
        !row->offsets.pos.line || !padded) {
        return false; // the reader reported it
    }
    bool right = true;
    if (row->dtype.value < 0) {
        ark_report(diag, ARK_M20, row->dtype.pos, "'%.*s' is no DataType",
                   HOIST_STR_ARGS(row->dtype.text));
        right = false;
    }
    if (!check_lengths(row, diag)) {
        return false;
    }
    for (size_t k = 0; k < row->shape.count; k++) {
        const bool pad = check_pad(row, k, diag);
        right &= check_extent(row, k, diag) && pad && check_bounds(row, k, diag);
    }
    value->dtype = ark_dtype_of(row->dtype.value);
    value->rank = (int)row->shape.count;
    return right && place(row, diag, value);
}

// Padding and gaps count: the whole of the array is memory.
uint64_t ark_array_size(const ark_value *value)
{
    return (uint64_t)(value->stride[0] * value->dims[0]);
}
