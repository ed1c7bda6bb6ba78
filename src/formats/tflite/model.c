// The module's life, and what its tables say about each other: the kind of an operator, the tensors
// of a list, the data of a buffer, elements and bytes of a tensor. All indices and extents are
// those of the file and may be anything.
#include <stdio.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/tflite/tflite.h"

// `file` stays the caller's until tflite_destroy(): all slices of the module point into it.
tflite_module *tflite_module_create(hoist_allocator alloc, hoist_bytes file)
{
    tflite_module *const m = hoist_alloc_zero(alloc, 1, sizeof(*m));
    if (m) {
        m->base.alloc = alloc;
        m->file = file;
        hoist_arena_init(&m->arena, alloc);
    }
    return m;
}

void tflite_destroy(hoist_module *module)
{
    if (!module) {
        return;
    }
    tflite_module *const m = (tflite_module *)module; // the base is the first member
    const hoist_allocator alloc = module->alloc;
    hoist_arena_deinit(&m->arena);
    hoist_free(alloc, m, sizeof(*m));
}

hoist_loc tflite_place(const tflite_module *module, const hoist_fb_type *type, const void *object,
                       size_t member)
{
    const uint32_t at = hoist_fb_member_place(module->file, type, object, member);
    return at ? hoist_loc_byte(at) : hoist_loc_none();
}

// NULL is no error here: check_operator.c reports the index (TFL-005), all others pass over it.
const tflite_operator_code *tflite_code_of(const tflite_model *model, const tflite_operator *op)
{
    return op->opcode_index < model->operator_codes.count
               ? &model->operator_codes.items[op->opcode_index]
               : NULL;
}

// TFLite's GetBuiltinCode() (schema_utils.cc): old writers fill the deprecated byte alone, new ones
// fill both, with 127 in the byte for all numbers above.
int32_t tflite_code_number(const tflite_operator_code *code)
{
    return code->builtin_code > code->deprecated_builtin_code ? code->builtin_code
                                                              : code->deprecated_builtin_code;
}

hoist_str tflite_code_name(const tflite_operator_code *code, char buffer[32])
{
    if (!code) {
        return HOIST_STR("unknown");
    }
    const int32_t number = tflite_code_number(code);
    // A custom operator without a name is TFL-024; here it gets a word that is not empty.
    if (number == TFLITE_OP_CUSTOM) {
        return code->custom_code.size ? code->custom_code : HOIST_STR("custom");
    }
    const tflite_operator_row *const row = tflite_operator_get(number);
    if (row) {
        return hoist_str_from(row->name);
    }
    (void)snprintf(buffer, 32, "operator %d", (int)number);
    return hoist_str_from(buffer);
}

// By name alone: old writers leave builtin_code 0, which the number accounts for.
bool tflite_is_edgetpu(const tflite_operator_code *code)
{
    return code && tflite_code_number(code) == TFLITE_OP_CUSTOM &&
           hoist_str_equal_c(code->custom_code, TFLITE_EDGETPU_NAME);
}

bool tflite_in_file(const tflite_module *module, uint64_t offset, uint64_t size)
{
    uint64_t end = 0;
    // 64-bit numbers of the file: their sum may wrap.
    return !hoist_ckd_add(&end, offset, size) && end <= module->file.size;
}

// Offsets of 0 and 1 mean that there are no data after the FlatBuffer: 1 is the placeholder of a
// writer that knows the offset only when the FlatBuffer is complete.
static hoist_bytes data_of(const tflite_module *module, hoist_bytes inside, uint64_t offset,
                           uint64_t size)
{
    if (offset <= 1) {
        return inside;
    }
    return tflite_in_file(module, offset, size)
               ? (hoist_bytes){module->file.data + offset, (size_t)size}
               : (hoist_bytes){NULL, 0};
}

hoist_bytes tflite_buffer_data(const tflite_module *module, uint32_t index)
{
    if (index >= module->model->buffers.count) {
        return (hoist_bytes){NULL, 0};
    }
    const tflite_buffer *const buffer = &module->model->buffers.items[index];
    return data_of(module, buffer->data, buffer->offset, buffer->size);
}

hoist_bytes tflite_custom_options(const tflite_module *module, const tflite_operator *op)
{
    return data_of(module, op->custom_options, op->large_custom_options_offset,
                   op->large_custom_options_size);
}

// -1 leaves an optional operand out; all other numbers outside the subgraph are TFL-006, reported
// by check_operator.c. Other readers treat both as absent.
const tflite_tensor *tflite_tensor_at(const tflite_subgraph *graph, hoist_bytes list,
                                      uint32_t index)
{
    HOIST_ASSERT(index < tflite_count(list));
    const int32_t tensor = hoist_fb_i32(list, index);
    return tensor >= 0 && (uint32_t)tensor < graph->tensors.count ? &graph->tensors.items[tensor]
                                                                  : NULL;
}

// A shape without extents is a scalar: one element.
bool tflite_elements(const tflite_tensor *tensor, int64_t *out_count)
{
    int64_t count = 1;
    bool right = true;
    for (uint32_t i = 0; i < tflite_count(tensor->shape); i++) {
        const int32_t extent = hoist_fb_i32(tensor->shape, i);
        right = right && extent >= 0 && !hoist_ckd_mul_i64(&count, count, extent);
    }
    *out_count = right ? count : 0;
    return right;
}

// Elements of less than a byte are packed without gaps; the last byte may be filled in part.
bool tflite_bytes(const tflite_tensor *tensor, uint64_t *out_bytes)
{
    int64_t count = 0;
    uint64_t bits = 0;
    const tflite_type_row *const type = tflite_type_get(tensor->type);
    *out_bytes = 0;
    if (!type || !type->bits || !tflite_elements(tensor, &count) ||
        hoist_ckd_mul(&bits, (uint64_t)count, type->bits) || hoist_ckd_add(&bits, bits, 7)) {
        return false;
    }
    *out_bytes = bits / 8;
    return true;
}

// Scales per channel are refused like missing ones: callers ask for the one pair of an activation.
bool tflite_quantity(const tflite_tensor *tensor, float *out_scale, int64_t *out_zero)
{
    const tflite_quantization *const q = tensor->quantization;
    if (!q || q->details.type != 0 || q->scale.size != sizeof(float) ||
        q->zero_point.size != sizeof(int64_t)) {
        return false;
    }
    *out_scale = hoist_fb_f32(q->scale, 0);
    *out_zero = hoist_fb_i64(q->zero_point, 0);
    return true;
}
