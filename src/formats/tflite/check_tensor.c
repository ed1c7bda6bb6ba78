// The checks of a tensor by itself: its shape (TFL-012, 013), its type (014), the size of its data
// (008, 011) and how it is quantised (015 to 018).
#include <inttypes.h>
#include <math.h>

#include "base/span.h"
#include "formats/tflite/check.h"

// The first negative extent, or a product that no count of elements can hold.
static void check_shape(tflite_checker *c, const tflite_tensor *tensor)
{
    int64_t count = 0;
    uint32_t bad = 0;
    const uint32_t rank = tflite_count(tensor->shape);
    while (bad < rank && hoist_fb_i32(tensor->shape, bad) >= 0) {
        bad++;
    }
    if (bad < rank) {
        tflite_report(c->diag, TFL_012, TFLITE_PLACE(c, tensor, tensor, shape),
                      "extent %" PRIu32 " is %" PRId32 ", expected 0 or more", bad,
                      hoist_fb_i32(tensor->shape, bad));
    } else if (!tflite_elements(tensor, &count)) {
        tflite_report(c->diag, TFL_012, TFLITE_PLACE(c, tensor, tensor, shape),
                      "the product of %" PRIu32 " extents does not fit 63 bits", rank);
    }
}

// A signature of no extents says nothing, which is what converters of old write.
static void check_signature(tflite_checker *c, const tflite_tensor *tensor)
{
    const uint32_t rank = tflite_count(tensor->shape);
    const uint32_t signed_rank = tflite_count(tensor->shape_signature);
    const hoist_loc place = TFLITE_PLACE(c, tensor, tensor, shape_signature);
    if (signed_rank == 0) {
        return;
    }
    if (signed_rank != rank) {
        tflite_report(c->diag, TFL_013, place,
                      "shape_signature has %" PRIu32 " extents, the shape %" PRIu32, signed_rank,
                      rank);
        return;
    }
    for (uint32_t i = 0; i < rank; i++) {
        const int32_t extent = hoist_fb_i32(tensor->shape, i);
        const int32_t known = hoist_fb_i32(tensor->shape_signature, i);
        if (known != -1 && known != extent) {
            tflite_report(c->diag, TFL_013, place,
                          "extent %" PRIu32 " of shape_signature is %" PRId32
                          ", expected -1 or the shape's %" PRId32,
                          i, known, extent);
            return;
        }
    }
}

// Of dense constants the size is known by shape and type. Sparse data, strings and types without a
// row have sizes of their own, and a buffer without bytes may be an activation's.
static void check_data(tflite_checker *c, const tflite_tensor *tensor)
{
    uint64_t expected = 0;
    const hoist_loc place = TFLITE_PLACE(c, tensor, tensor, buffer);
    if (tensor->buffer >= c->model->buffers.count) {
        // 0 means that there are no data, even where there are no buffers.
        if (tensor->buffer > 0) {
            tflite_report(c->diag, TFL_008, place,
                          "the tensor has buffer %" PRIu32 ", the model has %" PRIu32,
                          tensor->buffer, c->model->buffers.count);
        }
        return;
    }
    const size_t size = tflite_buffer_data(c->module, tensor->buffer).size;
    // Buffer 0 is shared by all tensors without data (TFL-004).
    const bool dense = !tensor->sparsity && tensor->buffer > 0 && size > 0;
    if (dense && tflite_bytes(tensor, &expected) && expected != size) {
        tflite_report(c->diag, TFL_011, place,
                      "buffer %" PRIu32 " has %zu bytes, expected %" PRIu64 " by shape and type",
                      tensor->buffer, size, expected);
    }
}

// One scale counts for all elements; several belong to the indices of quantized_dimension.
static void check_scale_count(tflite_checker *c, const tflite_tensor *tensor,
                              const tflite_quantization *q, size_t scales)
{
    const uint32_t rank = tflite_count(tensor->shape);
    const int32_t dimension = q->quantized_dimension;
    const hoist_loc place = TFLITE_PLACE(c, quantization, q, quantized_dimension);
    if (scales == 1) {
        return;
    }
    if (dimension < 0 || (uint32_t)dimension >= rank) {
        tflite_report(c->diag, TFL_016, place,
                      "%zu scales belong to dimension %" PRId32 " of a tensor of %" PRIu32, scales,
                      dimension, rank);
        return;
    }
    const int32_t extent = hoist_fb_i32(tensor->shape, (size_t)dimension);
    if (extent < 0 || (size_t)extent != scales) {
        tflite_report(c->diag, TFL_016, place,
                      "there are %zu scales for dimension %" PRId32 ", whose extent is %" PRId32,
                      scales, dimension, extent);
    }
}

// The first bad scale and the first bad zero point: one damaged vector gives two findings at most.
static void check_values(tflite_checker *c, const tflite_tensor *tensor,
                         const tflite_quantization *q)
{
    const tflite_type_row *const type = tflite_type_get(tensor->type);
    for (size_t i = 0; i < hoist_fb_count(q->scale, sizeof(float)); i++) {
        const float scale = hoist_fb_f32(q->scale, i);
        if (!isfinite(scale) || scale <= 0) {
            tflite_report(c->diag, TFL_017, TFLITE_PLACE(c, quantization, q, scale),
                          "scale %zu is %g, expected a finite number above 0", i, (double)scale);
            break;
        }
    }
    // Types without a range of zero points (least == most) have none that is checked.
    for (size_t i = 0; type && type->least_zero < type->most_zero &&
                       i < hoist_fb_count(q->zero_point, sizeof(int64_t));
         i++) {
        const int64_t zero = hoist_fb_i64(q->zero_point, i);
        if (zero < type->least_zero || zero > type->most_zero) {
            tflite_report(c->diag, TFL_018, TFLITE_PLACE(c, quantization, q, zero_point),
                          "zero point %zu is %" PRId64 ", %s holds %" PRId32 " to %" PRId32, i,
                          zero, type->name, type->least_zero, type->most_zero);
            break;
        }
    }
}

// Without scales nothing is quantised. A technique of its own (details) has a meaning that no rule
// knows.
static void check_quantization(tflite_checker *c, const tflite_tensor *tensor)
{
    const tflite_quantization *const q = tensor->quantization;
    const size_t scales = q ? hoist_fb_count(q->scale, sizeof(float)) : 0;
    if (scales == 0 || q->details.type != 0) {
        return;
    }
    const size_t zeros = hoist_fb_count(q->zero_point, sizeof(int64_t));
    if (zeros != scales) {
        tflite_report(c->diag, TFL_015, TFLITE_PLACE(c, quantization, q, zero_point),
                      "there are %zu %s and %zu zero points", scales,
                      hoist_plural(scales, "scale", "scales"), zeros);
    }
    check_scale_count(c, tensor, q, scales);
    check_values(c, tensor, q);
}

// The deadline is looked at for each tensor: a file of a few MB can list millions of them that
// share one table. Every tensor is checked alone; what operators do with it is check_flow.c.
void tflite_check_tensors(tflite_checker *c, const tflite_subgraph *graph)
{
    for (uint32_t i = 0;
         i < graph->tensors.count && hoist_deadline_look(c->module->base.deadline) == HOIST_OK;
         i++) {
        const tflite_tensor *const tensor = &graph->tensors.items[i];
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, "tensors", i);
        if (!tflite_type_get(tensor->type)) {
            tflite_report(c->diag, TFL_014, TFLITE_PLACE(c, tensor, tensor, type),
                          "no element type has the number %d", tensor->type);
        }
        check_shape(c, tensor);
        check_signature(c, tensor);
        check_data(c, tensor);
        check_quantization(c, tensor);
        hoist_diag_pop(c->diag, &frame);
    }
}
