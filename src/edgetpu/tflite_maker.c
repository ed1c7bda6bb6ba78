// Tensors and operators that are added to a TFLite model in an arena. In: drafts of tensors and
// steps; out: the lists of the model, which are copied first and then double. recover_tflite.c is
// the user, by way of tflite_layers.c.
#include "edgetpu/tflite_maker.h"

#include <string.h>

#include "base/assert.h"
#include "base/reader.h"
#include "base/span.h"

// All memory of the maker comes from here, so that `failed` is set in one place.
void *hoist_edgetpu_maker_alloc(hoist_edgetpu_maker *m, size_t size)
{
    void *const memory = m->failed ? NULL : hoist_arena_array(m->arena, 1, size);
    m->failed = m->failed || !memory;
    return memory;
}

// Space for one more item of `size` bytes in a list of `count`: lists double where their count is a
// power of two, so no capacity is stored. The arena keeps old copies. NULL when memory has run out.
static void *grow(hoist_edgetpu_maker *m, void *items, uint32_t count, size_t size)
{
    if (m->failed || (count & (count - 1)) != 0) {
        return m->failed ? NULL : items;
    }
    void *const more = hoist_arena_array(m->arena, count ? 2 * (size_t)count : 1, size);
    m->failed = !more;
    if (more && count > 0) {
        memcpy(more, items, count * size);
    }
    return more;
}

// A copy of a list with the capacity that grow() expects at its count.
static void *own(hoist_edgetpu_maker *m, const void *items, uint32_t count, size_t size)
{
    size_t capacity = 1;
    while (capacity < count) {
        capacity *= 2;
    }
    void *const copy = m->failed ? NULL : hoist_arena_array(m->arena, capacity, size);
    m->failed = m->failed || !copy;
    if (copy && count > 0) {
        memcpy(copy, items, count * size);
    }
    return copy;
}

// Buffers and kinds of operators are copied; the caller's model is changed, the source it came from
// is not.
void hoist_edgetpu_maker_init(hoist_edgetpu_maker *m, hoist_arena *arena, tflite_model *model)
{
    *m = (hoist_edgetpu_maker){.arena = arena, .model = model};
    model->buffers.items =
        own(m, model->buffers.items, model->buffers.count, sizeof(tflite_buffer));
    model->operator_codes.items = own(m, model->operator_codes.items, model->operator_codes.count,
                                      sizeof(tflite_operator_code));
}

// Operators are listed anew: compiled ones are left out, layers are put in their place.
void hoist_edgetpu_maker_open(hoist_edgetpu_maker *m, tflite_subgraph *graph)
{
    m->graph = graph;
    graph->tensors.items =
        own(m, graph->tensors.items, graph->tensors.count, sizeof(tflite_tensor));
    m->operators = NULL;
    m->operator_count = 0;
}

void hoist_edgetpu_maker_close(hoist_edgetpu_maker *m)
{
    HOIST_ASSERT(m->graph && (m->failed || m->operators || m->operator_count == 0));
    m->graph->operators.items = m->operators;
    m->graph->operators.count = m->operators ? m->operator_count : 0; // they may be lost
}

void hoist_edgetpu_maker_keep(hoist_edgetpu_maker *m, const tflite_operator *op)
{
    m->operators = grow(m, m->operators, m->operator_count, sizeof(*m->operators));
    if (!m->failed) {
        m->operators[m->operator_count++] = *op;
    }
}

// Data -------------------------------------------------------------------------------------------

hoist_bytes hoist_edgetpu_maker_ints(hoist_edgetpu_maker *m, const int32_t *items, size_t count)
{
    HOIST_ASSERT(items || count == 0);
    uint8_t *const data = hoist_edgetpu_maker_alloc(m, count * sizeof(*items));
    for (size_t i = 0; data && i < count; i++) {
        hoist_store_u32le(data + i * sizeof(*items), (uint32_t)items[i]);
    }
    return (hoist_bytes){data, data ? count * sizeof(*items) : 0};
}

// Data of a FlatBuffer are little-endian bytes, whatever the host's order.
static hoist_bytes floats(hoist_edgetpu_maker *m, const float *items, size_t count)
{
    HOIST_ASSERT(items || count == 0);
    uint8_t *const data = hoist_edgetpu_maker_alloc(m, count * sizeof(*items));
    for (size_t i = 0; data && i < count; i++) {
        uint32_t bits = 0;
        memcpy(&bits, &items[i], sizeof(bits));
        hoist_store_u32le(data + i * sizeof(*items), bits);
    }
    return (hoist_bytes){data, data ? count * sizeof(*items) : 0};
}

static hoist_bytes longs(hoist_edgetpu_maker *m, int64_t item, size_t count)
{
    uint8_t *const data = hoist_edgetpu_maker_alloc(m, count * sizeof(item));
    for (size_t i = 0; data && i < count; i++) {
        hoist_store_u64le(data + i * sizeof(item), (uint64_t)item);
    }
    return (hoist_bytes){data, data ? count * sizeof(item) : 0};
}

// Index 0 is the empty buffer (TFL-004), which tensors without data refer to.
static uint32_t add_buffer(hoist_edgetpu_maker *m, hoist_bytes data)
{
    // NULL is no data; a constant of no elements has a buffer without bytes.
    if (!data.data) {
        return 0;
    }
    tflite_model *const model = m->model;
    model->buffers.items =
        grow(m, model->buffers.items, model->buffers.count, sizeof(tflite_buffer));
    if (m->failed) {
        return 0;
    }
    model->buffers.items[model->buffers.count] = (tflite_buffer){.data = data};
    return model->buffers.count++;
}

// Tensors ----------------------------------------------------------------------------------------

static tflite_quantization *quantization_of(hoist_edgetpu_maker *m,
                                            const hoist_edgetpu_draft *draft)
{
    tflite_quantization *const q = hoist_edgetpu_maker_alloc(m, sizeof(*q));
    if (q) {
        q->scale = floats(m, draft->scales, draft->scale_count);
        q->zero_point = longs(m, draft->zero, draft->scale_count);
        q->quantized_dimension = draft->axis;
    }
    return q;
}

// A constant gets a buffer of its own.
uint32_t hoist_edgetpu_maker_tensor(hoist_edgetpu_maker *m, const hoist_edgetpu_draft *draft)
{
    tflite_subgraph *const graph = m->graph;
    const tflite_tensor tensor = {
        .shape = hoist_edgetpu_maker_ints(m, draft->shape.dim, draft->shape.rank),
        .type = (int8_t)draft->type,
        .buffer = add_buffer(m, draft->data),
        .name = draft->name,
        .quantization = draft->scales ? quantization_of(m, draft) : NULL,
    };
    graph->tensors.items =
        grow(m, graph->tensors.items, graph->tensors.count, sizeof(tflite_tensor));
    if (m->failed) {
        return 0;
    }
    graph->tensors.items[graph->tensors.count] = tensor;
    return graph->tensors.count++;
}

hoist_edgetpu_shape hoist_edgetpu_maker_shape(const hoist_edgetpu_maker *m, uint32_t tensor)
{
    HOIST_ASSERT(tensor < m->graph->tensors.count);
    const tflite_tensor *const t = &m->graph->tensors.items[tensor];
    hoist_edgetpu_shape shape = {.rank = tflite_count(t->shape)};
    if (shape.rank > HOIST_COUNT_OF(shape.dim)) {
        return (hoist_edgetpu_shape){.rank = 0};
    }
    for (uint32_t i = 0; i < shape.rank; i++) {
        shape.dim[i] = hoist_fb_i32(t->shape, i);
    }
    return shape;
}

bool hoist_edgetpu_same_shape(const hoist_edgetpu_shape *a, const hoist_edgetpu_shape *b)
{
    return a->rank == b->rank && memcmp(a->dim, b->dim, a->rank * sizeof(a->dim[0])) == 0;
}

// Operators --------------------------------------------------------------------------------------

// Versions by which runtimes choose kernels: what TFLite's converter gives these operators, of
// uint8 and of int8.
// clang-format off
static const struct {
    uint8_t of_uint8, of_int8;
} versions[TFLITE_OP_COUNT] = {
    [TFLITE_OP_ADD]               = {1, 2},
    [TFLITE_OP_AVERAGE_POOL_2D]   = {1, 2},
    [TFLITE_OP_CONCATENATION]     = {1, 2},
    [TFLITE_OP_CONV_2D]           = {1, 3},
    [TFLITE_OP_DEPTHWISE_CONV_2D] = {2, 3}, // 2: dilation
    [TFLITE_OP_FULLY_CONNECTED]   = {1, 4},
    [TFLITE_OP_LOGISTIC]          = {1, 2},
    [TFLITE_OP_MAX_POOL_2D]       = {1, 2},
    [TFLITE_OP_MEAN]              = {1, 2},
    [TFLITE_OP_MUL]               = {1, 2},
    [TFLITE_OP_PAD]               = {1, 2},
    [TFLITE_OP_QUANTIZE]          = {1, 1},
    [TFLITE_OP_RESHAPE]           = {1, 1},
    [TFLITE_OP_RESIZE_BILINEAR]   = {3, 3}, // 3: centers of pixels
    [TFLITE_OP_RESIZE_NEAREST_NEIGHBOR] = {1, 2},
    [TFLITE_OP_SLICE]             = {1, 2},
    [TFLITE_OP_SOFTMAX]           = {1, 2},
    [TFLITE_OP_TRANSPOSE]         = {1, 2},
};
// clang-format on

// The index of a kind, which is added at its first use; 0 when memory has run out.
static uint32_t code_of(hoist_edgetpu_maker *m, tflite_operator_number number)
{
    HOIST_ASSERT(number < TFLITE_OP_COUNT && versions[number].of_uint8 > 0);
    const bool is_signed = m->type == TFLITE_INT8;
    const int32_t version = is_signed ? versions[number].of_int8 : versions[number].of_uint8;
    tflite_model *const model = m->model;
    for (uint32_t i = 0; i < model->operator_codes.count && !m->failed; i++) {
        const tflite_operator_code *const code = &model->operator_codes.items[i];
        // Kinds of other versions stay apart.
        if (tflite_code_number(code) == (int32_t)number && code->version == version) {
            return i;
        }
    }
    model->operator_codes.items = grow(m, model->operator_codes.items, model->operator_codes.count,
                                       sizeof(tflite_operator_code));
    if (m->failed) {
        return 0;
    }
    model->operator_codes.items[model->operator_codes.count] =
        (tflite_operator_code){.deprecated_builtin_code = (int8_t)number,
                               .version = version,
                               .builtin_code = (int32_t)number};
    return model->operator_codes.count++;
}

// One output each, as all operators of recovered layers have.
void hoist_edgetpu_maker_step(hoist_edgetpu_maker *m, const hoist_edgetpu_step *step)
{
    HOIST_ASSERT(tflite_operator_get(step->number));
    const uint8_t options = tflite_operator_get(step->number)->options;
    const int32_t output = (int32_t)step->output;
    tflite_operator op = {
        .opcode_index = code_of(m, step->number),
        .inputs = hoist_edgetpu_maker_ints(m, step->inputs, step->input_count),
        .outputs = hoist_edgetpu_maker_ints(m, &output, 1),
        .debug_metadata_index = -1,
    };
    if (step->options) {
        op.builtin_options = (hoist_fb_union){options, step->options, 0};
    }
    hoist_edgetpu_maker_keep(m, &op);
}

// Removes the kinds and renumbers those of all operators. Indices that were beyond the list before
// stay so.
void hoist_edgetpu_maker_drop_compiled(hoist_edgetpu_maker *m)
{
    tflite_model *const model = m->model;
    const uint32_t count = model->operator_codes.count;
    uint32_t *const places = hoist_edgetpu_maker_alloc(m, count * sizeof(*places));
    uint32_t kept = 0;
    for (uint32_t i = 0; places && i < count; i++) {
        places[i] = kept;
        if (!tflite_is_edgetpu(&model->operator_codes.items[i])) {
            model->operator_codes.items[kept++] = model->operator_codes.items[i];
        }
    }
    for (uint32_t g = 0; places && g < model->subgraphs.count; g++) {
        tflite_subgraph *const graph = &model->subgraphs.items[g];
        for (uint32_t i = 0; i < graph->operators.count; i++) {
            const uint32_t old = graph->operators.items[i].opcode_index;
            graph->operators.items[i].opcode_index = old < count ? places[old] : old;
            HOIST_ASSERT(old >= count || places[old] <= kept);
        }
    }
    model->operator_codes.count = places ? kept : count;
}
