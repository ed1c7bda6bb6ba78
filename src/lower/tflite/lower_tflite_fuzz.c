// A model of one operator through the writer, the reader and the lowering of TFLite models. The
// input is the operator, its options and its tensors; constants are what is left of it. What has no
// errors and is lowered passes the verifier, prints and reads back as the same, and comes to its
// end without data.
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/reader.h"
#include "base/span.h"
#include "formats/tflite/options.h"
#include "formats/tflite/tflite.h"
#include "lower/lower_fuzz_testing.h"
#include "lower/tflite/lower.h"

static const fuzz_way in_order = {.max_steps = 10000};

enum { FUZZ_MEMORY = 256 << 20, MAX_TENSORS = 6, MAX_RANK = 5, MAX_ITEMS = 64 };

// The operators that have a meaning here, and some that have none.
static const uint8_t ops[] = {
    TFLITE_OP_ADD,
    TFLITE_OP_AVERAGE_POOL_2D,
    TFLITE_OP_CONCATENATION,
    TFLITE_OP_CONV_2D,
    TFLITE_OP_DEPTHWISE_CONV_2D,
    TFLITE_OP_DEQUANTIZE,
    TFLITE_OP_FULLY_CONNECTED,
    TFLITE_OP_LOGISTIC,
    TFLITE_OP_MAX_POOL_2D,
    TFLITE_OP_MUL,
    TFLITE_OP_RELU,
    TFLITE_OP_RELU_N1_TO_1,
    TFLITE_OP_RELU6,
    TFLITE_OP_RESHAPE,
    TFLITE_OP_RESIZE_BILINEAR,
    TFLITE_OP_SOFTMAX,
    TFLITE_OP_TANH,
    TFLITE_OP_PAD,
    TFLITE_OP_TRANSPOSE,
    TFLITE_OP_MEAN,
    TFLITE_OP_SUB,
    TFLITE_OP_SQUEEZE,
    TFLITE_OP_STRIDED_SLICE,
    TFLITE_OP_SPLIT,
    TFLITE_OP_PADV2,
    TFLITE_OP_SLICE,
    TFLITE_OP_EXPAND_DIMS,
    TFLITE_OP_PACK,
    TFLITE_OP_UNPACK,
    TFLITE_OP_SPLIT_V,
    TFLITE_OP_QUANTIZE,
    TFLITE_OP_CUSTOM,
    TFLITE_OP_ARG_MAX,
    TFLITE_OP_ARG_MIN,
    TFLITE_OP_CAST,
    TFLITE_OP_DIV,
    TFLITE_OP_FLOOR_DIV,
    TFLITE_OP_GATHER,
    TFLITE_OP_GATHER_ND,
    TFLITE_OP_HARD_SWISH,
    TFLITE_OP_MAXIMUM,
    TFLITE_OP_MINIMUM,
    TFLITE_OP_RESIZE_NEAREST_NEIGHBOR,
    TFLITE_OP_SQRT,
    TFLITE_OP_SPACE_TO_DEPTH,
};

static const int8_t types[] = {TFLITE_INT8,  TFLITE_UINT8,   TFLITE_INT16,  TFLITE_INT32,
                               TFLITE_INT64, TFLITE_FLOAT32, TFLITE_STRING, TFLITE_BOOL};
static const float scales[] = {0.5F, 0.25F, 1.0F, 0.00390625F, 0.0078125F, 0.3F, 1e-20F, 1e20F};

typedef struct maker {
    hoist_reader r; // the input
    hoist_arena arena;
    tflite_buffer buffers[MAX_TENSORS + 1];
    uint32_t buffer_count;
    tflite_tensor tensors[MAX_TENSORS];
    tflite_quantization quantizations[MAX_TENSORS];
    uint32_t count;
    union {
        uint64_t alignment;
        uint8_t bytes[256]; // more than any options
    } options;
} maker;

static uint8_t *reserve(maker *m, size_t size)
{
    uint8_t *bytes = hoist_arena_array(&m->arena, size + 1, 1);
    fuzz_require(bytes != NULL);
    return bytes;
}

// Scalars of one kind of options: a small number each, or a float of the table. NULL: it has none.
static void *options_of(maker *m, uint8_t kind)
{
    const hoist_fb_variant *variant = tflite_options_variants;
    while (variant->type && variant->value != kind) {
        variant++;
    }
    for (size_t i = 0; variant->type && i < variant->type->count; i++) {
        const hoist_fb_field *field = &variant->type->fields[i];
        const uint8_t byte = hoist_read_u8(&m->r);
        uint8_t wide[sizeof(int64_t)];
        hoist_store_u64le(wide, (uint64_t)(int64_t)(int8_t)byte);
        if (field->kind == HOIST_FB_BOOL) {
            wide[0] = byte & 1;
        } else if (field->kind == HOIST_FB_F32) {
            memcpy(wide, &scales[byte % HOIST_COUNT_OF(scales)], sizeof(float));
        }
        if (field->kind < HOIST_FB_SCALARS) { // vectors stay empty
            memcpy(m->options.bytes + field->at, wide, hoist_fb_scalar_size(field->kind));
        }
    }
    return variant->type ? &m->options : NULL;
}

// An extent is a byte; from 250 on it is so many times 16 million.
static hoist_bytes shape_of(maker *m)
{
    const size_t rank = hoist_read_u8(&m->r) % (MAX_RANK + 1);
    uint8_t *bytes = reserve(m, rank * sizeof(int32_t));
    for (size_t i = 0; i < rank; i++) {
        const uint32_t extent = hoist_read_u8(&m->r);
        hoist_store_u32le(bytes + i * sizeof(int32_t), extent < 250 ? extent : extent << 24);
    }
    return (hoist_bytes){bytes, rank * sizeof(int32_t)};
}

// `count` scales, from the table, and zero points of a byte.
static void quantize(maker *m, tflite_quantization *q, size_t count)
{
    uint8_t *scale_bytes = reserve(m, count * sizeof(float));
    uint8_t *zero_bytes = reserve(m, count * sizeof(int64_t));
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        memcpy(&bits, &scales[hoist_read_u8(&m->r) % HOIST_COUNT_OF(scales)], sizeof bits);
        hoist_store_u32le(scale_bytes + i * sizeof bits, bits);
        hoist_store_u64le(zero_bytes + i * sizeof(int64_t),
                          (uint64_t)(int64_t)(int8_t)hoist_read_u8(&m->r));
    }
    q->scale = (hoist_bytes){scale_bytes, count * sizeof(float)};
    q->zero_point = (hoist_bytes){zero_bytes, count * sizeof(int64_t)};
    q->quantized_dimension = (int32_t)(count > 1 ? hoist_read_u8(&m->r) % MAX_RANK : 0);
}

// Constants are as long as the shape says, where that is not much: bytes, or small int32.
static void fill(maker *m, tflite_tensor *tensor, bool is_small)
{
    uint64_t size = 0;
    if (!tflite_bytes(tensor, &size) || size > MAX_ITEMS * sizeof(int64_t)) {
        return;
    }
    uint8_t *bytes = reserve(m, size);
    const size_t step = is_small ? sizeof(int32_t) : 1;
    for (size_t i = 0; i + step <= size; i += step) {
        const uint32_t number = (uint32_t)(int32_t)(int8_t)hoist_read_u8(&m->r);
        bytes[i] = (uint8_t)number;
        if (is_small) {
            hoist_store_u32le(bytes + i, number);
        }
    }
    tensor->buffer = m->buffer_count;
    m->buffers[m->buffer_count++].data = (hoist_bytes){bytes, size};
}

static void add_tensor(maker *m)
{
    const uint8_t choice = hoist_read_u8(&m->r);
    tflite_tensor *tensor = &m->tensors[m->count];
    tensor->type = types[choice % HOIST_COUNT_OF(types)];
    tensor->shape = shape_of(m);
    if (choice & 0x40) {
        quantize(m, &m->quantizations[m->count], 1 + (choice >> 4) % 4);
        tensor->quantization = &m->quantizations[m->count];
    }
    if (choice & 0x80) {
        fill(m, tensor, tensor->type == TFLITE_INT32);
    }
    m->count++;
}

// Tensors first .. first + count - 1; without those that have data, when they are to be ports.
static hoist_bytes numbers(maker *m, uint32_t first, uint32_t count, bool ports)
{
    uint8_t *bytes = reserve(m, count * sizeof(int32_t));
    size_t size = 0;
    for (uint32_t i = first; i < first + count; i++) {
        if (!ports || m->tensors[i].buffer == 0) {
            hoist_store_u32le(bytes + size, i);
            size += sizeof(int32_t);
        }
    }
    return (hoist_bytes){bytes, size};
}

static hoist_status write_model(maker *m, hoist_buffer *out)
{
    const size_t which = hoist_read_u8(&m->r) % HOIST_COUNT_OF(ops);
    const uint8_t counts = hoist_read_u8(&m->r);
    const uint32_t inputs = 1 + counts % 4;
    const uint32_t outputs = 1 + counts / 4 % 2;
    const uint8_t kind = tflite_operator_get(ops[which])->options;
    void *options = options_of(m, kind);
    for (uint32_t i = 0; i < inputs + outputs; i++) {
        add_tensor(m);
    }
    tflite_operator op = {.inputs = numbers(m, 0, inputs, false),
                          .outputs = numbers(m, inputs, outputs, false)};
    if (options) {
        op.builtin_options = (hoist_fb_union){kind, options, 0};
    }
    tflite_operator_code code = {.deprecated_builtin_code = (int8_t)ops[which],
                                 .custom_code = HOIST_STR("custom"),
                                 .version = 1,
                                 .builtin_code = ops[which]};
    tflite_subgraph graph = {.tensors = {m->tensors, m->count},
                             .inputs = numbers(m, 0, inputs, true),
                             .outputs = numbers(m, inputs, outputs, false),
                             .operators = {&op, 1}};
    m->buffer_count += m->buffer_count == 0;
    const tflite_model model = {.version = TFLITE_SCHEMA_VERSION,
                                .operator_codes = {&code, 1},
                                .subgraphs = {&graph, 1},
                                .buffers = {m->buffers, m->buffer_count}};
    return hoist_fb_write(&tflite_model_type, &model, TFLITE_IDENTIFIER, out);
}

static void fuzz_file(hoist_bytes file, hoist_allocator alloc, hoist_diag *diag)
{
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    const hoist_lower_options lowering = {.struct_size = sizeof lowering};
    hoist_module *module = NULL;
    if (fuzz_came(tflite_read(file, &options, diag, &module)) &&
        fuzz_came(tflite_check(module, NULL, diag)) && hoist_diag_count(diag, HOIST_ERROR) == 0) {
        fuzz_lower(tflite_lower, module, &lowering, &in_order, diag);
    }
    tflite_destroy(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    maker m;
    hoist_buffer out;
    hoist_diag *diag = NULL;
    memset(&m, 0, sizeof m);
    m.r = hoist_reader_init((hoist_bytes){data, size});
    m.buffer_count = 1;
    hoist_arena_init(&m.arena, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    if (write_model(&m, &out) == HOIST_OK) {
        fuzz_file(hoist_buffer_bytes(&out), hoist_budget_allocator(&budget), diag);
    }
    hoist_diag_destroy(diag);
    hoist_buffer_deinit(&out);
    hoist_arena_deinit(&m.arena);
    fuzz_require(budget.used == 0);
    return 0;
}
