// LSTM and UNIDIRECTIONAL_SEQUENCE_LSTM as steps, and what of them is refused.
#include <string.h>

#include "base/span.h"
#include "formats/tflite/options.h"
#include "lower/tflite/job_testing.h"
#include "program/verify.h"

// Of 2 inputs, 3 cells.
#define WEIGHTS4 "f32 3x2, f32 3x2, f32 3x2, f32 3x2, "
#define RECURRENT4 "f32 3x3, f32 3x3, f32 3x3, f32 3x3, "
#define BIASES4 "f32 3, f32 3, f32 3, f32 3, "
#define NO_PEEPHOLES "none, none, none, "
#define NO_PROJECTION "none, none, "
#define STATES "f32 1x3, f32 1x3"
#define PLAIN WEIGHTS4 RECURRENT4 NO_PEEPHOLES BIASES4 NO_PROJECTION STATES

enum { FIRST_STATE = 18 };

// States are the last two of 20 inputs; they are no inputs of the model, but variables.
static tflite_model *model_of(hoist_test *t, int32_t op, const char *tensors, const void *options,
                              bool is_variable)
{
    tflite_model *model = tflite_job_model(t, op, tensors, options);
    tflite_subgraph *graph = model->subgraphs.items;
    const hoist_bytes inputs = graph->operators.items[0].inputs;
    for (uint32_t i = FIRST_STATE; is_variable && i < 20 && i < tflite_count(inputs); i++) {
        graph->tensors.items[hoist_fb_i32(inputs, i)].is_variable = true;
        graph->inputs.size -= sizeof(int32_t);
    }
    return model;
}

static hoist_str text_of(hoist_test *t, const char *tensors,
                         const tflite_unidirectional_lstm_options *options)
{
    return tflite_job_text(
        t, model_of(t, TFLITE_OP_UNIDIRECTIONAL_SEQUENCE_LSTM, tensors, options, true), NULL);
}

static size_t count_of(hoist_str text, const char *word)
{
    size_t count = 0;
    const size_t size = strlen(word);
    for (size_t i = 0; i + size <= text.size; i++) {
        count += memcmp(text.data + i, word, size) == 0;
    }
    return count;
}

// Of each gate one layer of all inputs and one of each time; two curves of a cell.
HOIST_TEST(a_sequence)
{
    const tflite_unidirectional_lstm_options options = {.fused_activation_function =
                                                            TFLITE_ACTIVATION_TANH};
    const hoist_str text = text_of(t, "f32 1x5x2, " PLAIN " > f32 1x5x3", &options);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.dense_f32("), 4 + 4 * 5);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.logistic_f32"), 3 * 5);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.tanh_f32"), 2 * 5);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.multiply_f32("), 3 * 5);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.add_f32("), 5 * 5);
}

// A relu is a limit, the limit of the cell another one.
HOIST_TEST(limits)
{
    const tflite_unidirectional_lstm_options options = {
        .fused_activation_function = TFLITE_ACTIVATION_RELU6, .cell_clip = 2.5F};
    const hoist_str text = text_of(t, "f32 1x5x2, " PLAIN " > f32 1x5x3", &options);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.tanh_f32"), 0);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.add_f32(low 0, high 6)"), 2 * 5);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.add_f32(low -2.5, high 2.5)"), 5);
}

// The input gate is 1 less the forget gate; peepholes are of two gates then.
HOIST_TEST(no_input_gate)
{
    const tflite_unidirectional_lstm_options options = {.fused_activation_function =
                                                            TFLITE_ACTIVATION_TANH};
    const hoist_str text = text_of(
        t,
        "f32 1x5x2, none, f32 3x2, f32 3x2, f32 3x2, none, f32 3x3, f32 3x3, f32 3x3, none, "
        "f32 3, f32 3, none, f32 3, f32 3, f32 3, " NO_PROJECTION STATES " > f32 1x5x3",
        &options);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.dense_f32("), 3 + 3 * 5);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.subtract_f32("), 5);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.multiply_f32("), (3 + 2) * 5);
}

// Fewer outputs than cells, of one time.
HOIST_TEST(a_projection)
{
    const tflite_lstm_options options = {.fused_activation_function = TFLITE_ACTIVATION_TANH,
                                         .proj_clip = 0.5F};
    const hoist_str text = tflite_job_text(
        t,
        model_of(t, TFLITE_OP_LSTM,
                 "f32 4x2, " WEIGHTS4 "f32 3x1, f32 3x1, f32 3x1, f32 3x1, " NO_PEEPHOLES BIASES4
                 "f32 1x3, f32 1, f32 4x1, f32 4x3 > f32 4x1",
                 &options, true),
        NULL);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.dense_f32("), 4 + 4 + 1);
    HOIST_EXPECT(t, hoist_str_contains(text, "tflite.dense_f32(low -0.5, high 0.5)"));
}

#define SHORT_GATES                                                                                \
    "i8 3x2 0.5 0, i8 3x2 0.5 0, i8 3x2 0.5 0, i8 3x2 0.5 0, i8 3x3 0.25 0, i8 3x3 0.25 0, "       \
    "i8 3x3 0.25 0, i8 3x3 0.25 0, " NO_PEEPHOLES "i32 3, i32 3, i32 3, i32 3, "
#define SHORT_STATES "i8 1x3 0.125 4, i16 1x3 0.00048828125 0"

// Integers, whose file has the scale of the output's product.
static tflite_model *short_model(hoist_test *t, const char *tensors, float scale)
{
    tflite_model *model = model_of(t, TFLITE_OP_UNIDIRECTIONAL_SEQUENCE_LSTM, tensors, NULL, true);
    tflite_subgraph *graph = model->subgraphs.items;
    const int32_t last = (int32_t)graph->tensors.count;
    tflite_tensor *product = &graph->tensors.items[graph->tensors.count++];
    *product = graph->tensors.items[last - 1];
    product->name = HOIST_STR("product");
    product->quantization = hoist_arena_array(&t->arena, 1, sizeof *product->quantization);
    if (!product->quantization) {
        return model;
    }
    product->quantization->scale = tflite_test_floats(&t->arena, 1, &scale);
    product->quantization->zero_point = tflite_test_longs(&t->arena, 1, (int64_t[]){-7});
    graph->operators.items[0].intermediates =
        tflite_test_ints(&t->arena, 5, (int32_t[]){last, last, last, last, last});
    return model;
}

HOIST_TEST(of_integers)
{
    const hoist_str text =
        tflite_job_text(t,
                        short_model(t,
                                    "i8 1x5x2 0.25 3, " SHORT_GATES NO_PROJECTION SHORT_STATES
                                    " > i8 1x5x3 0.125 4",
                                    0x1p-7F),
                        NULL);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.dense_i16("), 4 + 4 * 5);
    HOIST_EXPECT(t, hoist_str_contains(text, "dense_i16(zero 3, multiplier 1073741824, shift 10)"));
    HOIST_EXPECT(t, hoist_str_contains(text, "dense_i16(zero 4, multiplier 1073741824, shift 8)"));
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.logistic_i16"), 3 * 5);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.tanh_i16(bits 3)"), 5);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.tanh_i16(bits 4)"), 5);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.multiply_i16(shift 15)"), 5);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.multiply_i16(shift 19)"), 5);
    HOIST_EXPECT_EQ(t, count_of(text, "tflite.add_i16(low -32768, high 32767)"), 5);
    HOIST_EXPECT_EQ(t, count_of(text, "multiply_i16_i8(zero -7, multiplier 1073741824, shift -22)"),
                    5);
    HOIST_EXPECT_EQ(t, count_of(text, "lifetime session contents pattern data 04"), 1);
}

static const struct {
    const char *name;
    const char *tensors;
    bool is_variable;
    const char *message;
} refused[] = {
    {"too few inputs", "f32 1x5x2, " WEIGHTS4 "f32 3x3 > f32 1x5x3", false,
     "expected 20 to 24 inputs and 1 output"},
    {"a normalised gate", "f32 1x5x2, " PLAIN ", none, f32 3 > f32 1x5x3", true,
     "input 21 normalises a gate, which cannot be run"},
    {"a state that is no variable", "f32 1x5x2, " PLAIN " > f32 1x5x3", false,
     "input 18 is no variable"},
    {"an input of one dimension", "f32 2, " PLAIN " > f32 1x5x3", true,
     "input 0 is not of float32 or int8 in 2 or 3 dimensions"},
    {"other outputs", "f32 1x5x2, " PLAIN " > f32 1x5x2", true,
     "the output is not 3 numbers of the input's type for each row of the input"},
    {"many times", "f32 1x4097x2, " PLAIN " > f32 1x4097x3", true,
     "4097 times, expected at most 4096"},
    {"weights of other inputs", "f32 1x5x3, " PLAIN " > f32 1x5x3", true,
     "input 1 is not of 3 rows of 3"},
    {"no projection of fewer outputs",
     "f32 1x5x2, " WEIGHTS4
     "f32 3x2, f32 3x2, f32 3x2, f32 3x2, " NO_PEEPHOLES BIASES4 NO_PROJECTION
     "f32 1x2, f32 1x3 > f32 1x5x2",
     true, "input 16 is left out, and cells are not as many as outputs"},
    {"no bias",
     "f32 1x5x2, " WEIGHTS4 RECURRENT4 NO_PEEPHOLES
     "f32 3, none, f32 3, f32 3, " NO_PROJECTION STATES " > f32 1x5x3",
     true, "input 13 is left out"},
    {"a bias of integers",
     "f32 1x5x2, " WEIGHTS4 RECURRENT4 NO_PEEPHOLES
     "i32 3, f32 3, f32 3, f32 3, " NO_PROJECTION STATES " > f32 1x5x3",
     true, "input 12 is of i32, expected f32"},
    {"a bias of fewer numbers",
     "f32 1x5x2, " WEIGHTS4 RECURRENT4 NO_PEEPHOLES
     "f32 2, f32 3, f32 3, f32 3, " NO_PROJECTION STATES " > f32 1x5x3",
     true, "input 12 is not of 3 numbers"},
    {"integers without a scale of the product",
     "i8 1x5x2 0.25 3, " SHORT_GATES NO_PROJECTION SHORT_STATES " > i8 1x5x3 0.125 4", true,
     "it has no scale for the product of its output"},
    {"integers of another cell",
     "i8 1x5x2 0.25 3, " SHORT_GATES NO_PROJECTION
     "i8 1x3 0.125 4, i16 1x3 0.0005 0 > i8 1x5x3 0.125 4",
     true, "input 19 has no scale of 2^-15 to 2^-9"},
};

HOIST_TEST_TABLE(what_is_refused, refused)
{
    hoist_program *program = NULL;
    const tflite_model *model =
        model_of(t, TFLITE_OP_UNIDIRECTIONAL_SEQUENCE_LSTM, row->tensors, NULL, row->is_variable);
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, NULL, &program), HOIST_UNSUPPORTED);
    if (!hoist_str_contains(hoist_test_findings(t), row->message)) {
        HOIST_EXPECT_STR(t, hoist_test_findings(t), row->message);
    }
    HOIST_EXPECT(t, !program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(a_sequence), HOIST_TEST_ROW(limits), HOIST_TEST_ROW(no_input_gate),
                HOIST_TEST_ROW(a_projection), HOIST_TEST_ROW(of_integers),
                HOIST_TEST_ROW(what_is_refused))
