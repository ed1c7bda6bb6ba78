// formats/tflite/module.h - the typed model of a TensorFlow Lite file (DarwiNN reference section
// 1.1; schema.h has the tables).
//
// The bytes of the file stay alive as long as the module (hoist_read_options.keep): strings,
// vectors and data are slices of them. Fields that no row knows stay in the bytes, and are written
// again.
#ifndef HOIST_SRC_FORMATS_TFLITE_MODULE_H
#define HOIST_SRC_FORMATS_TFLITE_MODULE_H

#include "base/arena.h"
#include "codec/flexbuffer.h"
#include "formats/format.h"
#include "formats/tflite/schema.h"

// The name of the operator that the Edge TPU's compiler puts in place of what it compiled.
#define TFLITE_EDGETPU_NAME "edgetpu-custom-op"

// A file that was read, or a model that recovery or a test has built. Index spaces: operators name
// kinds by index of model->operator_codes and tensors by index of their subgraph; tensors name
// buffers by index of model->buffers. Reading checks none of them.
typedef struct tflite_module {
    hoist_module base; // allocator and deadline; first, so that pointers convert
    hoist_arena arena;
    hoist_bytes file;    // borrowed; empty in a module that was made
    tflite_model *model; // arena
} tflite_module;

static inline const tflite_module *tflite_of(const hoist_module *module)
{
    return (const tflite_module *)module; // the base is the first member
}

// A module without a model; NULL: out of memory. tflite_destroy() frees it.
tflite_module *tflite_module_create(hoist_allocator alloc, hoist_bytes file);
void tflite_destroy(hoist_module *module); // NULL is allowed

// Byte of the file where `member` (its offset in the C struct) of an object of `type` is stored, or
// else where its table is; no place in a module that was made.
hoist_loc tflite_place(const tflite_module *module, const hoist_fb_type *type, const void *object,
                       size_t member);

// The kind of an operator; NULL: its index is beyond the model's kinds.
const tflite_operator_code *tflite_code_of(const tflite_model *model, const tflite_operator *op);
// The operator's number: the larger of both that are stored.
int32_t tflite_code_number(const tflite_operator_code *code);
// What an operator is called: the builtin's name, a custom one's own, "operator 250", "custom" or
// "unknown" (NULL); never empty. Numbers are written into `buffer`.
hoist_str tflite_code_name(const tflite_operator_code *code, char buffer[32]);
bool tflite_is_edgetpu(const tflite_operator_code *code);

// The data of a buffer, be they in the FlatBuffer or after it; empty when there are none, when the
// index is beyond the buffers, or when they are not all in the file.
hoist_bytes tflite_buffer_data(const tflite_module *module, uint32_t index);
// The options of a custom operator, the same.
hoist_bytes tflite_custom_options(const tflite_module *module, const tflite_operator *op);
// Whether `offset` and `size`, which a table has for data after the FlatBuffer, are in the file.
bool tflite_in_file(const tflite_module *module, uint64_t offset, uint64_t size);

// Items of an int32 vector.
static inline uint32_t tflite_count(hoist_bytes ints)
{
    return (uint32_t)hoist_fb_count(ints, sizeof(int32_t));
}
// The tensor that item `index` of a list of tensors names; NULL: none (-1), or beyond the tensors.
const tflite_tensor *tflite_tensor_at(const tflite_subgraph *graph, hoist_bytes list,
                                      uint32_t index);
// The same; NULL also where the list has no such item.
static inline const tflite_tensor *tflite_tensor_in(const tflite_subgraph *graph, hoist_bytes list,
                                                    uint32_t index)
{
    return index < tflite_count(list) ? tflite_tensor_at(graph, list, index) : NULL;
}

// Elements of a tensor by its shape; false when an extent is negative or the product is above
// INT64_MAX (then 0).
bool tflite_elements(const tflite_tensor *tensor, int64_t *out_count);
// Its one scale and zero point, as they are stored; false: it has none, or one of each channel.
bool tflite_quantity(const tflite_tensor *tensor, float *out_scale, int64_t *out_zero);
// Bytes of its dense data; false when the shape or the type does not say.
bool tflite_bytes(const tflite_tensor *tensor, uint64_t *out_bytes);

extern const hoist_format hoist_tflite_format;

#endif // HOIST_SRC_FORMATS_TFLITE_MODULE_H
