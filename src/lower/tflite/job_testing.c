#include "lower/tflite/job_testing.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/reader.h"
#include "base/span.h"
#include "program/text.h"
#include "program/verify.h"

enum { MAX_TENSORS = 24, MAX_NUMBERS = 64 };

static void *make(hoist_test *t, size_t count, size_t size)
{
    void *items = hoist_arena_array(&t->arena, count, size);
    if (!items) {
        abort();
    }
    return items;
}

static char *copy_of(hoist_test *t, const char *text)
{
    char *copy = make(t, strlen(text) + 1, 1);
    memcpy(copy, text, strlen(text) + 1);
    return copy;
}

static int8_t type_of(const char *word)
{
    static const struct {
        const char *word;
        int8_t type;
    } types[] = {{"i8", TFLITE_INT8},    {"u8", TFLITE_UINT8},   {"i16", TFLITE_INT16},
                 {"i32", TFLITE_INT32},  {"i64", TFLITE_INT64},  {"f32", TFLITE_FLOAT32},
                 {"str", TFLITE_STRING}, {"f16", TFLITE_FLOAT16}};
    for (size_t i = 0; i < HOIST_COUNT_OF(types); i++) {
        if (strcmp(types[i].word, word) == 0) {
            return types[i].type;
        }
    }
    abort();
}

// "1x4x4x2@3": extents, and the dimension of scales.
static hoist_bytes shape_of(hoist_test *t, char *word, int32_t *out_dimension)
{
    int32_t dims[MAX_NUMBERS];
    size_t count = 0;
    char *at = strchr(word, '@');
    *out_dimension = at ? atoi(at + 1) : 0;
    if (at) {
        *at = '\0';
    }
    while (*word && *word != '-') {
        dims[count++] = (int32_t)strtol(word, &word, 10);
        word += *word == 'x';
    }
    return tflite_test_ints(&t->arena, count, dims);
}

// "0.5/0.25" and a zero point for all of them.
static tflite_quantization *quantization_of(hoist_test *t, char *scales, const char *zero)
{
    float list[MAX_NUMBERS];
    int64_t zeros[MAX_NUMBERS];
    size_t count = 0;
    while (*scales) {
        zeros[count] = zero ? atoi(zero) : 0;
        list[count++] = strtof(scales, &scales);
        scales += *scales == '/';
    }
    tflite_quantization *q = make(t, 1, sizeof *q);
    q->scale = tflite_test_floats(&t->arena, count, list);
    q->zero_point = tflite_test_longs(&t->arena, count, zeros);
    return q;
}

static size_t size_of(int8_t type)
{
    return type == TFLITE_INT64                             ? 8
           : type == TFLITE_INT32 || type == TFLITE_FLOAT32 ? 4
           : type == TFLITE_INT16 || type == TFLITE_FLOAT16 ? 2
                                                            : 1;
}

static hoist_bytes data_of(hoist_test *t, int8_t type, char **rest)
{
    const size_t size = size_of(type);
    uint8_t *bytes = make(t, MAX_NUMBERS, sizeof(uint64_t));
    size_t count = 0;
    const char *word = NULL;
    while ((word = strtok_r(NULL, " ", rest))) {
        uint8_t wide[sizeof(uint64_t)];
        hoist_store_u64le(wide, (uint64_t)strtoll(word, NULL, 10));
        memcpy(bytes + count++ * size, wide, size);
    }
    return (hoist_bytes){bytes, count * size};
}

// One tensor of the list; its data, if it has any.
static tflite_tensor tensor_of(hoist_test *t, char *text, uint32_t number, hoist_bytes *out_data)
{
    char *rest = NULL;
    tflite_tensor tensor = {.name = hoist_arena_format(&t->arena, "t%u", number)};
    int32_t dimension = 0;
    tensor.type = type_of(strtok_r(text, " ", &rest));
    tensor.shape = shape_of(t, strtok_r(NULL, " ", &rest), &dimension);
    char *word = strtok_r(NULL, " ", &rest);
    if (word && *word != '=') {
        const char *zero = strtok_r(NULL, " ", &rest);
        tensor.quantization = quantization_of(t, word, zero);
        tensor.quantization->quantized_dimension = dimension;
        word = strtok_r(NULL, " ", &rest);
    }
    *out_data = word ? data_of(t, tensor.type, &rest) : (hoist_bytes){NULL, 0};
    return tensor;
}

// Adds the tensors of a list; their numbers, and those of them that are no constants.
static void add_tensors(hoist_test *t, tflite_model *model, char *list, hoist_bytes *out_numbers,
                        hoist_bytes *out_ports)
{
    tflite_subgraph *graph = model->subgraphs.items;
    int32_t numbers[MAX_TENSORS];
    int32_t ports[MAX_TENSORS];
    size_t count = 0;
    size_t port_count = 0;
    char *rest = NULL;
    for (char *one = strtok_r(list, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        hoist_bytes data;
        one += strspn(one, " ");
        if (strncmp(one, "none", 4) == 0) {
            numbers[count++] = -1;
            continue;
        }
        const uint32_t number = graph->tensors.count++;
        tflite_tensor *tensor = &graph->tensors.items[number];
        *tensor = tensor_of(t, one, number, &data);
        numbers[count++] = (int32_t)number;
        if (data.size) {
            tensor->buffer = model->buffers.count++;
            model->buffers.items[tensor->buffer].data = data;
        } else {
            ports[port_count++] = (int32_t)number;
        }
    }
    *out_numbers = tflite_test_ints(&t->arena, count, numbers);
    *out_ports = tflite_test_ints(&t->arena, port_count, ports);
}

tflite_model *tflite_job_model(hoist_test *t, int32_t op, const char *tensors, const void *options)
{
    char *inputs = copy_of(t, tensors);
    char *outputs = strchr(inputs, '>');
    *outputs++ = '\0';
    tflite_model *model = make(t, 1, sizeof *model);
    model->version = TFLITE_SCHEMA_VERSION;
    model->buffers.items = make(t, MAX_TENSORS + 1, sizeof(tflite_buffer));
    model->buffers.count = 1;
    model->subgraphs.items = make(t, 1, sizeof(tflite_subgraph));
    model->subgraphs.count = 1;
    tflite_subgraph *graph = model->subgraphs.items;
    graph->tensors.items = make(t, MAX_TENSORS, sizeof(tflite_tensor));
    graph->operators.items = make(t, 1, sizeof(tflite_operator));
    graph->operators.count = 1;
    add_tensors(t, model, inputs, &graph->operators.items[0].inputs, &graph->inputs);
    add_tensors(t, model, outputs, &graph->operators.items[0].outputs, &graph->outputs);
    model->operator_codes.items = make(t, 1, sizeof(tflite_operator_code));
    model->operator_codes.count = 1;
    model->operator_codes.items[0] =
        (tflite_operator_code){.deprecated_builtin_code = (int8_t)(op < 127 ? op : 127),
                               .version = 1,
                               .builtin_code = op,
                               .custom_code = hoist_str_from(op == TFLITE_OP_CUSTOM ? "mine" : "")};
    const tflite_operator_row *kind = tflite_operator_get(op);
    if (options && kind) {
        void *own = NULL; // written by the rows, which only read it
        memcpy(&own, &options, sizeof own);
        graph->operators.items[0].builtin_options = (hoist_fb_union){kind->options, own, 0};
    }
    return model;
}

hoist_status tflite_job_lower(hoist_test *t, const tflite_model *model,
                              const hoist_lower_options *options, hoist_program **out_program)
{
    static const hoist_lower_options usual = {.struct_size = sizeof usual};
    const hoist_bytes bytes = tflite_test_write(t, model);
    tflite_module *module = tflite_test_open(t, bytes);
    const hoist_file file = {.module = &module->base, .name = HOIST_STR("a.tflite")};
    const hoist_status status =
        tflite_lower(&file, 1, NULL, options ? options : &usual, t->diag, out_program);
    tflite_destroy(&module->base);
    return status;
}

hoist_str tflite_job_steps(hoist_test *t, const hoist_program *program)
{
    hoist_buffer text;
    hoist_buffer out;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_program_print(program, &text), HOIST_OK);
    hoist_buffer_char(&text, '\0');
    const char *at = strstr(hoist_buffer_text(&text).data, "function graph {\n");
    const char *end = at ? strstr(at, "\n}") : NULL;
    for (at = at ? strchr(at, '\n') + 1 : NULL; at && at < end; at = strchr(at, '\n') + 1) {
        const char *line = at + strspn(at, " ");
        const char *step = strstr(line, ": ") + 2; // all have labels
        hoist_buffer_format(&out, "%s%.*s", out.size ? "\n" : "", (int)strcspn(step, "\n"), step);
    }
    const hoist_str steps = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&text);
    hoist_buffer_deinit(&out);
    return steps;
}

hoist_str tflite_job_text(hoist_test *t, const tflite_model *model,
                          const hoist_lower_options *options)
{
    hoist_program *program = NULL;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, options, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_print(program, &out), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    }
    hoist_buffer_char(&out, '\0');
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    hoist_program_destroy(program);
    return text;
}
