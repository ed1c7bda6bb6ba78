// Recovered layers as steps of a program, and packages that are refused: RUN-032, RUN-033.
#include <string.h>

#include "base/span.h"
#include "formats/darwinn/darwinn.h"
#include "lower/darwinn/bench_testing.h"
#include "lower/darwinn/job_testing.h"
#include "program/verify.h"

// clang-format off
#define LAYER(n, h, w, c, z) {.name = (n), .extent = {h, w, c}, .zero = (z)}
#define SIGNED(n, h, w, c, z) {.name = (n), .extent = {h, w, c}, .zero = (z), .type = DWN_SIGNED_FIXED_POINT8}
#define VECTOR_IN {LAYER("x", 1, 1, 8, 3)}
#define VECTOR_OUT(z) {LAYER("y", 1, 1, 4, z)}
#define IMAGE(n, c, z) {LAYER(n, 64, 64, c, z)}
// 1 x 1 x 8 to 4
#define DENSE_AT(in, out, at) {.reduction = 2, .input_zero = (in), .output_zero = (out), .low = -1, .high = 100, .a_base = 500, .b_base = (at), .a = {{2, 1}}}
#define DENSE(in, out) DENSE_AT(in, out, 0)
// 64 x 64 x 4 to as much, 3 x 3, with padding of 1: 36 words of parameters
#define WINDOW(in, out, at) {.tiles = 0xffff, .reduction = 9, .rest = 256, .input_zero = (in), .output_zero = (out), .low = -1, .high = 100, \
                             .a_base = (at), .b_base = 3000, .a = {{3, 1}, {3, 18}, {16, 1}, {16, 18}}}

// Where the image is laid out, 18 + 1 words after the window's first pixel.
#define LAYOUT {.mode = 0x1c30, .code = 0x0038, .multiplier = 1, .high = __builtin_inff(), .b_base = 1000}
// 16 x 16 pixels on each tile.
#define LAID {.tiles = 0xffff, .mode = 0x1c30, .code = 0x0038, .multiplier = 1, .high = __builtin_inff(), .rest = 256, .a = {{256, 0}}}
#define SUM(k) {.tiles = 0xffff, .rest = 256, .mode = 0x00b0, .code = 0x0048, .constant = (k), .output_zero = 9, .low = -9, .high = 246, .a = {{2, 0}, {2, 100}}}
#define DIAGONALS(a, b) {(a), (a) << 16, (a), (a) << 16, (b), (b) << 16, (b), (b) << 16}
#define GATHER(z) {.reduction = 2, .multiplier = 1, .full_rows = 8, .last_rows = 8, .input_zero = (z), .output_zero = (z), .low = -1, .high = 100, .a = {{2, 1}}}

typedef struct steps_row {
    const char *name;
    darwinn_job_plan plan;
    const char *steps; // of the function of layers
} steps_row;

static const steps_row rows[] = {
    {"dense", {.inputs = VECTOR_IN, .outputs = VECTOR_OUT(5), .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1},
     "dense/0: compute tflite.dense(zero_in 3, zero_weight 0, zero_out 5, low 4, high 105) from [param(input/0) u8[1, 8], "
     "constant/0 u8[4, 8], constant/2 i32[4] by [0], constant/1 i32[1, 2]] to [param(output/1) u8[1, 4]]"},
    {"weights of signed numbers", {.inputs = {SIGNED("x", 1, 1, 8, 131)}, .outputs = {SIGNED("y", 1, 1, 4, 133)},
      .sketches = {{.reduction = 2, .input_zero = 131, .weight_zero = 128, .output_zero = 133, .low = -133, .high = 122, .a = {{2, 1}}}},
      .cached = 128, .fill = 129},
     "inputs: compute tflite.requantize(zero_in 128, zero_out 0, multiplier 1073741824, shift 1) from [param(input/0) u8[1, 1,"
     " 1, 8]] to [edgetpu/0 i8[1, 1, 1, 8]]\n"
     "dense/0: compute tflite.dense(zero_in 3, zero_weight 0, zero_out 5, low -128, high 127) from [edgetpu/0 i8[1, 8], "
     "constant/0 i8[4, 8], constant/2 i32[4] by [0], constant/1 i32[1, 2]] to [edgetpu/1 i8[1, 4]]\n"
     "dense/0: compute tflite.requantize(zero_in 0, zero_out 128, multiplier 1073741824, shift 1) from [edgetpu/1 i8[1, 1, 1, "
     "4]] to [param(output/1) u8[1, 1, 1, 4]]"},
    {"arrays for each channel", {.inputs = VECTOR_IN, .outputs = VECTOR_OUT(5), .sketches = {{.has_multipliers = true, .has_bias = true, .has_weight_zeros = true, .multiplier = 1,
      .reduction = 2, .input_zero = 3, .output_zero = 5, .low = -1, .high = 100, .a = {{2, 1}}}}, .cached = 320, .fill = 1},
     "dense/0: compute tflite.dense(zero_in 3, zero_weight 1, zero_out 5, low 4, high 105) from [param(input/0) u8[1, 8], "
     "constant/0 u8[4, 8], constant/1 i32[4], constant/2 i32[4, 2]] to [param(output/1) u8[1, 4]]"},
    {"convolution", {.inputs = IMAGE("x", 4, 0), .outputs = IMAGE("y", 4, 5), .sketches = {LAYOUT, WINDOW(0, 5, 981)}, .cached = 192, .fill = 1},
     "convolution/0: compute tflite.conv(stride_h 1, stride_w 1, pad_top 1, pad_left 1, dilation_h 1, dilation_w 1, zero_in 0,"
     " zero_weight 0, zero_out 5, low 4, high 105) from [param(input/0) u8[1, 64, 64, 4], constant/0 u8[4, 3, 3, 4], "
     "constant/2 i32[4] by [0], constant/1 i32[1, 2]] to [param(output/1) u8[1, 64, 64, 4]]"},
    {"pool", {.inputs = IMAGE("x", 4, 3), .outputs = {LAYER("y", 16, 16, 4, 3)},
      .sketches = {LAID, {.tiles = 0xffff, .copied = 1, .mode = 0x1870, .multiplier = 0.0625f, .weight_zero = 3, .output_zero = 3, .low = -3, .high = 252, .reduction = 16, .rest = 16, .a = {{4, 0}, {4, 0}, {16, 1}}}}},
     "\"average pool/0\": compute tflite.average_pool(kernel_h 4, kernel_w 4, stride_h 4, stride_w 4, pad_top 0, pad_left 0, "
     "low 0, high 255) from [param(input/0) u8[1, 64, 64, 4]] to [param(output/1) u8[1, 16, 16, 4]]"},
    {"pool of signed numbers", {.inputs = {SIGNED("x", 64, 64, 4, 131)}, .outputs = {SIGNED("y", 16, 16, 4, 131)},
      .sketches = {LAID, {.tiles = 0xffff, .copied = 1, .mode = 0x1870, .multiplier = 0.0625f, .weight_zero = 131, .output_zero = 131, .low = -131, .high = 124, .reduction = 16, .rest = 16, .a = {{4, 0}, {4, 0}, {16, 1}}}}},
     "inputs: compute tflite.requantize(zero_in 128, zero_out 0, multiplier 1073741824, shift 1) from [param(input/0) u8[1, 64,"
     " 64, 4]] to [edgetpu/0 i8[1, 64, 64, 4]]\n"
     "\"average pool/0\": compute tflite.average_pool(kernel_h 4, kernel_w 4, stride_h 4, stride_w 4, pad_top 0, pad_left 0, "
     "low -128, high 127) from [edgetpu/0 i8[1, 64, 64, 4]] to [edgetpu/1 i8[1, 16, 16, 4]]\n"
     "\"average pool/0\": compute tflite.requantize(zero_in 0, zero_out 128, multiplier 1073741824, shift 1) from [edgetpu/1 "
     "i8[1, 16, 16, 4]] to [param(output/1) u8[1, 16, 16, 4]]"},
    {"multiplication", {.inputs = IMAGE("x", 4, 3), .outputs = IMAGE("y", 4, 0), .sketches = {{.tiles = 0xffff, .rest = 1024, .mode = 0x1c30, .multiplier = 0.25f, .input_zero = 3, .weight_zero = 3, .high = 255}}},
     "multiply/0: compute tflite.multiply(zero_a 3, zero_b 3, zero_out 0, low 0, high 255, multiplier 1073741824, shift -1) "
     "from [param(input/0) u8[1, 64, 64, 4], param(input/0) u8[1, 64, 64, 4]] to [param(output/1) u8[1, 64, 64, 4]]"},
    {"addition", {.inputs = IMAGE("x", 4, 0), .outputs = IMAGE("y", 4, 9), .sketches = {LAYOUT, WINDOW(0, 5, 981), WINDOW(0, 6, 981), SUM(-(5 * 10 + 6 * 20))},
      .constants = DIAGONALS(10, 20), .cached = 384, .fill = 1},
     "convolution/0: compute tflite.conv(stride_h 1, stride_w 1, pad_top 1, pad_left 1, dilation_h 1, dilation_w 1, zero_in 0,"
     " zero_weight 0, zero_out 5, low 4, high 105) from [param(input/0) u8[1, 64, 64, 4], constant/0 u8[4, 3, 3, 4], "
     "constant/2 i32[4] by [0], constant/1 i32[1, 2]] to [edgetpu/0 u8[1, 64, 64, 4]]\n"
     "convolution/1: compute tflite.conv(stride_h 1, stride_w 1, pad_top 1, pad_left 1, dilation_h 1, dilation_w 1, zero_in 0,"
     " zero_weight 0, zero_out 6, low 5, high 106) from [param(input/0) u8[1, 64, 64, 4], constant/3 u8[4, 3, 3, 4], "
     "constant/2 i32[4] by [0], constant/4 i32[1, 2]] to [edgetpu/4 u8[1, 64, 64, 4]]\n"
     "add/2: compute tflite.weighted_sum(k1 10, k2 20, constant -170, zero_out 9, low 0, high 255, multiplier 1073741824, "
     "shift 0) from [edgetpu/0 u8[1, 64, 64, 4], edgetpu/4 u8[1, 64, 64, 4]] to [param(output/1) u8[1, 64, 64, 4]]"},
    {"gather", {.inputs = VECTOR_IN, .outputs = {LAYER("y", 1, 1, 8, 3)}, .sketches = {GATHER(3)}, .cached = 128, .one_hot = 8},
     "gather/0: move copy from [param(input/0) u8[1, 1, 1, 8]] to param(output/1) u8[8]"},
    {"concatenation", {.inputs = VECTOR_IN, .outputs = {LAYER("y", 1, 1, 8, 5)}, .sketches = {DENSE(3, 5), DENSE_AT(3, 5, 1), GATHER(5)}, .cached = 384, .fill = 1, .one_hot = 8},
     "dense/0: compute tflite.dense(zero_in 3, zero_weight 0, zero_out 5, low 4, high 105) from [param(input/0) u8[1, 8], "
     "constant/0 u8[4, 8], constant/2 i32[4] by [0], constant/1 i32[1, 2]] to [edgetpu/0 u8[1, 4]]\n"
     "dense/1: compute tflite.dense(zero_in 3, zero_weight 0, zero_out 5, low 4, high 105) from [param(input/0) u8[1, 8], "
     "constant/3 u8[4, 8], constant/2 i32[4] by [0], constant/4 i32[1, 2]] to [edgetpu/4 u8[1, 4]]\n"
     "concatenation/2: move copy from [edgetpu/0 u8[1, 1, 1, 4]] to param(output/1) u8[4]\n"
     "concatenation/2: move copy from [edgetpu/4 u8[1, 1, 1, 4]] to param(output/1) u8[4] + 4"},
};
// clang-format on

// With requantisation in float32.
// clang-format off
static const steps_row float_rows[] = {
    {"pool", {.inputs = IMAGE("x", 4, 3), .outputs = {LAYER("y", 16, 16, 4, 3)},
      .sketches = {LAID, {.tiles = 0xffff, .copied = 1, .mode = 0x1870, .multiplier = 0.0625f, .weight_zero = 3, .output_zero = 3, .low = -3, .high = 252, .reduction = 16, .rest = 16, .a = {{4, 0}, {4, 0}, {16, 1}}}}},
     "\"average pool/0\": compute edgetpu.depthwise(stride_h 4, stride_w 4, pad_top 0, pad_left 0, dilation_h 1, dilation_w 1, "
     "zero_in 3, zero_weight 0, zero_out 3, low -3, high 252) from [param(input/0) u8[1, 64, 64, 4], constant/0 u8[1, 4, 4, 4] "
     "by [0, 0, 0, 0], constant/2 i32[4] by [0], constant/1 f32[1]] to [param(output/1) u8[1, 16, 16, 4]]"},
    {"pool of signed numbers", {.inputs = {SIGNED("x", 64, 64, 4, 131)}, .outputs = {SIGNED("y", 16, 16, 4, 131)},
      .sketches = {LAID, {.tiles = 0xffff, .copied = 1, .mode = 0x1870, .multiplier = 0.0625f, .weight_zero = 131, .output_zero = 131, .low = -131, .high = 124, .reduction = 16, .rest = 16, .a = {{4, 0}, {4, 0}, {16, 1}}}}},
     "inputs: compute tflite.requantize(zero_in 128, zero_out 0, multiplier 1073741824, shift 1) from [param(input/0) u8[1, 64,"
     " 64, 4]] to [edgetpu/0 i8[1, 64, 64, 4]]\n"
     "\"average pool/0\": compute edgetpu.depthwise(stride_h 4, stride_w 4, pad_top 0, pad_left 0, dilation_h 1, dilation_w 1, "
     "zero_in 3, zero_weight 0, zero_out 3, low -131, high 124) from [edgetpu/0 i8[1, 64, 64, 4], constant/0 i8[1, 4, 4, 4] "
     "by [0, 0, 0, 0], constant/2 i32[4] by [0], constant/1 f32[1]] to [edgetpu/1 i8[1, 16, 16, 4]]\n"
     "\"average pool/0\": compute tflite.requantize(zero_in 0, zero_out 128, multiplier 1073741824, shift 1) from [edgetpu/1 "
     "i8[1, 16, 16, 4]] to [param(output/1) u8[1, 16, 16, 4]]"},
};
// clang-format on

// With a layer that recovery does not vouch for.
// clang-format off
static const steps_row doubted_rows[] = {
    {"upsampling", {.inputs = {LAYER("x", 8, 8, 4, 3)}, .outputs = {LAYER("y", 16, 16, 4, 3)}, .sketches = {{.opcode = DWN_OP_RESIZE, .mode = 0x18b0, .multiplier = 0x1p-14f}}},
     "\"bilinear upsampling/0\": compute tflite.resize_bilinear(align_corners 0, half_pixel_centers 1) from [param(input/0) "
     "u8[1, 8, 8, 4]] to [param(output/1) u8[1, 16, 16, 4]]"},
};
// clang-format on

static void compare_steps(hoist_test *t, const steps_row *row, hoist_requantization how,
                          hoist_unknown on_unknown)
{
    const hoist_lower_options options = {.struct_size = sizeof options,
                                         .driver = HOIST_DRIVER_NONE,
                                         .requantization = how,
                                         .on_unknown = on_unknown};
    hoist_program *program = NULL;
    const hoist_bytes package = darwinn_job_package(t, &row->plan);
    HOIST_EXPECT_EQ(t, darwinn_job_lower(t, package, &options, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
        HOIST_EXPECT_STR(t, darwinn_job_steps(t, program, "edgetpu/layers"), row->steps);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_TABLE(functions, rows)
{
    compare_steps(t, row, HOIST_REQUANTIZE_DOUBLE, HOIST_UNKNOWN_STOP);
}

HOIST_TEST_TABLE(float_functions, float_rows)
{
    compare_steps(t, row, HOIST_REQUANTIZE_FLOAT, HOIST_UNKNOWN_STOP);
}

HOIST_TEST_TABLE(doubted_functions, doubted_rows)
{
    hoist_program *program = NULL;
    const hoist_bytes package = darwinn_job_package(t, &row->plan);
    HOIST_EXPECT_EQ(t, darwinn_job_lower(t, package, NULL, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "RUN-032");
    compare_steps(t, row, HOIST_REQUANTIZE_DOUBLE, HOIST_UNKNOWN_SKIP);
}

// Refusals --------------------------------------------------------------------------------------

// clang-format off
typedef struct refused_row {
    const char *name;
    darwinn_job_plan plan;
    const char *rule;
    const char *message; // part of it
} refused_row;

static const refused_row refused[] = {
    {"an unknown operation", {.inputs = VECTOR_IN, .outputs = VECTOR_OUT(5), .sketches = {{.mode = 0x1000}}},
     "RUN-032", "the kind of the operation is unknown (chunk 0, words 1 to 17)"},
    {"parameters that no layer has", {.inputs = VECTOR_IN, .outputs = VECTOR_OUT(5), .sketches = {DENSE(3, 5)}, .cached = 192, .fill = 1},
     "RUN-032", "(cached parameters, bytes 128 to 191)"},
    {"an output that no layer makes", {.inputs = VECTOR_IN, .outputs = VECTOR_OUT(6), .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1},
     "RUN-032", "no layer was found that makes the output layer 'y'"},
    {"a softmax without a scale", {.inputs = VECTOR_IN, .outputs = {LAYER("y", 1, 1, 8, 0)},
      .sketches = {{.opcode = DWN_OP_MAX}, {.opcode = DWN_OP_SUM}, {.mode = 0x00f0, .multiplier = 0x1p-23f}}},
     "RUN-033", "layer 0 (softmax): the scale of its input was not found"},
    {"a pool to another scale", {.inputs = IMAGE("x", 4, 3), .outputs = {LAYER("y", 16, 16, 4, 3)},
      .sketches = {LAID, {.tiles = 0xffff, .copied = 1, .mode = 0x1870, .multiplier = 0.125f, .weight_zero = 3, .output_zero = 3, .low = -3, .high = 252, .reduction = 16, .rest = 16, .a = {{4, 0}, {4, 0}, {16, 1}}}}},
     "RUN-033", "layer 0 (average pool): it takes numbers of scale 2 and zero point 3 to those of scale 1 and zero point 3"},
    {"factors that are no numbers", {.inputs = VECTOR_IN, .outputs = VECTOR_OUT(5), .sketches = {{.multiplier = __builtin_nanf(""), .reduction = 2, .input_zero = 3, .output_zero = 5, .a = {{2, 1}}}},
      .cached = 128, .fill = 1},
     "RUN-033", "layer 0 (dense): the ratio of scales is nan, expected 0 or more and below 2^30"},
    {"limits beyond the type", {.inputs = VECTOR_IN, .outputs = VECTOR_OUT(5), .sketches = {{.reduction = 2, .input_zero = 3, .output_zero = 5, .low = -6, .high = 100, .a = {{2, 1}}}},
      .cached = 128, .fill = 1},
     "RUN-033", "layer 0 (dense): low"},
    {"an empty batch", {.inputs = VECTOR_IN, .outputs = VECTOR_OUT(5), .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1, .batch = -1},
     "RUN-033", "the batch size is -1, expected 1 to 4096"},
    {"numbers of 16 bits", {.inputs = VECTOR_IN, .outputs = {{.name = "y", .extent = {1, 1, 4}, .zero = 5, .type = DWN_FIXED_POINT16}},
      .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1},
     "RUN-033", "the output layer 'y' has elements of type FIXED_POINT16 (1), layers are computed on 8-bit numbers"},
    {"a shape of fewer elements", {.inputs = {{.name = "x", .extent = {1, 1, 8}, .zero = 3, .ranges = {0, 6}, .rank = 1}}, .outputs = VECTOR_OUT(5), .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1},
     "RUN-033", "the input layer 'x' has 1 x 1 x 8 elements, and a shape of 7"},
    {"a shape of nine dimensions", {.inputs = {{.name = "x", .extent = {1, 1, 8}, .zero = 3, .ranges = {0, 7}, .rank = 9}}, .outputs = VECTOR_OUT(5), .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1},
     "RUN-033", "the input layer 'x' is of no type or size that can be held"},
    {"layers that are executed differently often", {.inputs = {{.name = "x", .extent = {1, 1, 8}, .zero = 3, .executions = 2}}, .outputs = VECTOR_OUT(5),
      .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1},
     "RUN-033", "layer 'y' is executed 1 times for an inference, expected all as often"},
};
// clang-format on

HOIST_TEST_TABLE(refusals, refused)
{
    hoist_program *program = NULL;
    const hoist_bytes package = darwinn_job_package(t, &row->plan);
    HOIST_EXPECT_EQ(t, darwinn_job_lower(t, package, NULL, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, row->rule);
    HOIST_EXPECT(t, hoist_diag_kept(t->diag) > 0 &&
                        hoist_str_contains(hoist_diag_at(t->diag, 0)->message, row->message));
    HOIST_EXPECT(t, program == NULL);
}

// Numbers of another shape than the output layer's: its signed ones cannot be flipped into it.
HOIST_TEST(an_output_of_another_shape)
{
    // clang-format off
    static const darwinn_job_plan plan = {.inputs = {SIGNED("x", 1, 1, 8, 131)}, .outputs = {SIGNED("y", 1, 1, 4, 133)},
      .sketches = {{.reduction = 2, .input_zero = 131, .weight_zero = 128, .output_zero = 133, .low = -133, .high = 122, .a = {{2, 1}}}},
      .cached = 128, .fill = 129};
    // clang-format on
    darwinn_bench bench;
    darwinn_lower_model model;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    const hoist_bytes package = darwinn_job_package(t, &plan);
    HOIST_EXPECT_EQ(t, darwinn_bench_open_any(&bench, package, "model", &model), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_recover(model.contents, &bench.c.arena, &model.recovery), HOIST_OK);
    HOIST_EXPECT_EQ(t,
                    dwn_count_cycles(&model.contents->images[model.roles.main], &model.recovery,
                                     &bench.c.arena, &model.cycles),
                    HOIST_OK);
    dwn_executable wider = *model.main;
    dwn_layer output = wider.output_layers.items[0];
    output.z_dim = 5;
    wider.output_layers.items = &output;
    model.main = &wider;
    HOIST_EXPECT_EQ(t, darwinn_lower_layers(&model), HOIST_NO_REF);
    HOIST_EXPECT(t, bench.c.errors && bench.c.status == HOIST_OK);
    HOIST_EXPECT_RULE(t, "RUN-033");
    darwinn_bench_end(&bench);
}

HOIST_TEST(tensors_of_requests_have_a_limit)
{
    darwinn_bench bench;
    darwinn_lower_model model;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    const hoist_bytes package = darwinn_job_package(t, &refused[0].plan);
    HOIST_EXPECT_EQ(t, darwinn_bench_open_any(&bench, package, "model", &model), HOIST_OK);
    dwn_executable many = *model.main;
    many.input_layers.count = 1048576; // none of which anybody looks at
    model.main = &many;
    darwinn_lower_plain_run(&model, &(darwinn_lower_request){.elements = 4});
    HOIST_EXPECT(t, bench.c.errors && bench.c.status == HOIST_OK);
    HOIST_EXPECT_RULE(t, "RUN-008");
    darwinn_bench_end(&bench);
}

// Links without number: a name of 64 MiB is enough.
HOIST_TEST(links_have_a_limit)
{
    static const dwn_link long_name = {.name = {"", (size_t)DWN_MAX_NAMES + 1}};
    darwinn_bench bench;
    darwinn_lower_model model;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    const hoist_bytes package = darwinn_job_package(t, &refused[0].plan);
    HOIST_EXPECT_EQ(t, darwinn_bench_open_any(&bench, package, "model", &model), HOIST_OK);
    dwn_chunk *const chunk = &model.contents->images[model.roles.main].chunks[0];
    chunk->links = &long_name;
    chunk->link_count = 1;
    HOIST_EXPECT(t,
                 !darwinn_lower_prepare(&bench.chip, bench.modules[0], HOIST_STR("model"), &model));
    HOIST_EXPECT(t, bench.c.errors && bench.c.status == HOIST_OK);
    HOIST_EXPECT_RULE(t, "RUN-008");
    darwinn_bench_end(&bench);
}

// clang-format off
static const struct {
    const char *name;
    uint32_t packages, chips;
    const char *findings;
} contents_of_files[] = {
    {"one package of one chip", 1, 0, ""},
    {"one of several chips",    1, 1, "+0x0: error: the package has executables of several chips, expected those of one [RUN-033]\n"},
    {"no package",              0, 0, "+0x0: error: the file has 0 packages, expected 1 [RUN-033]\n"},
    {"two packages",            2, 0, "+0x0: error: the file has 2 packages, expected 1 [RUN-033]\n"},
};
// clang-format on

HOIST_TEST_TABLE(one_package_is_run, contents_of_files)
{
    darwinn_bench bench;
    darwinn_lower_model model;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    const hoist_bytes package = darwinn_job_package(t, &refused[0].plan);
    HOIST_EXPECT_EQ(t, darwinn_bench_open_any(&bench, package, "model", &model), HOIST_OK);
    dwn_module module = *bench.modules[0];
    dwn_contents contents = module.packages[0];
    contents.chip_count = row->chips;
    module.packages = &contents;
    module.package_count = row->packages;
    (void)darwinn_lower_prepare(&bench.chip, &module, HOIST_STR("model"), &model);
    const hoist_str findings = hoist_test_findings(t);
    if (row->findings[0]) {
        HOIST_EXPECT_STR(t, findings, row->findings);
    } else {
        HOIST_EXPECT(t, !hoist_str_contains(findings, "packages, expected") &&
                            !hoist_str_contains(findings, "several chips"));
    }
    darwinn_bench_end(&bench);
}

// Requests --------------------------------------------------------------------------------------

// clang-format off
#define SIGNED_PLAN {.inputs = {SIGNED("x", 1, 1, 8, 3)}, .outputs = {SIGNED("y", 1, 1, 4, 5)}, .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1}
#define FLIP(from, to, in, out) "edgetpu: compute tflite.requantize(zero_in " #in ", zero_out " #out ", multiplier 1073741824, shift 1) from [" from "] to [" to "]"

typedef struct request_row {
    const char *name;
    darwinn_job_plan plan;
    hoist_lower_options options;
    const char *steps; // of the function of the request
    const char *ports; // "name type rank first-dimension" of each
} request_row;

static const request_row requests[] = {
    {"unsigned tensors as they are", {.inputs = VECTOR_IN, .outputs = VECTOR_OUT(5), .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1},
     {.driver = HOIST_DRIVER_NONE}, "edgetpu: call edgetpu/layers with [x u8[1, 1, 1, 8], y u8[1, 1, 1, 4]]", "x u8 4 1 y u8 4 1 "},
    {"signed ones beside them", SIGNED_PLAN, {.driver = HOIST_DRIVER_NONE},
     FLIP("x i8[1, 1, 1, 8]", "edgetpu/5 u8[1, 1, 1, 8]", 0, 128) "\n"
     "edgetpu: call edgetpu/layers with [edgetpu/5 u8[1, 1, 1, 8], edgetpu/6 u8[1, 1, 1, 4]]\n"
     FLIP("edgetpu/6 u8[1, 1, 1, 4]", "y i8[1, 1, 1, 4]", 128, 0), "x i8 4 1 y i8 4 1 "},
    {"a batch", {.inputs = VECTOR_IN, .outputs = VECTOR_OUT(5), .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1},
     {.driver = HOIST_DRIVER_NONE, .batch = 2},
     "edgetpu: call edgetpu/layers with [x u8[1, 1, 1, 8], y u8[1, 1, 1, 4]]\n"
     "edgetpu: call edgetpu/layers with [x u8[1, 1, 1, 8] + 8, y u8[1, 1, 1, 4] + 4]", "x u8 4 2 y u8 4 2 "},
    {"two executions", {.inputs = {{.name = "x", .extent = {1, 1, 8}, .zero = 3, .executions = 2}},
      .outputs = {{.name = "y", .extent = {1, 1, 4}, .zero = 5, .executions = 2}}, .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1},
     {.driver = HOIST_DRIVER_NONE},
     "edgetpu: call edgetpu/layers with [x u8[1, 1, 1, 8], y u8[1, 1, 1, 4]]\n"
     "edgetpu: call edgetpu/layers with [x u8[1, 1, 1, 8] + 8, y u8[1, 1, 1, 4] + 4]", "x u8 4 2 y u8 4 2 "},
    {"a state", {.inputs = VECTOR_IN, .outputs = {LAYER("x_variable_output", 1, 1, 8, 3)}, .sketches = {GATHER(3)}, .cached = 128, .one_hot = 8},
     {.driver = HOIST_DRIVER_NONE},
     "edgetpu: call edgetpu/layers with [x u8[1, 1, 1, 8], edgetpu/1 u8[1, 1, 1, 8]]\n"
     "edgetpu: move copy from [edgetpu/1 u8[1, 1, 1, 8]] to x u8[1, 1, 1, 8]", ""},
    {"a shape of its own", {.inputs = {{.name = "x", .extent = {1, 1, 8}, .zero = 3, .ranges = {0, 1, 2, 5}, .rank = 2}}, .outputs = VECTOR_OUT(5), .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1},
     {.driver = HOIST_DRIVER_NONE}, "edgetpu: call edgetpu/layers with [x u8[1, 1, 1, 8], y u8[1, 1, 1, 4]]", "x u8 2 2 y u8 4 1 "},
    {"a shape of a batch", {.inputs = {{.name = "x", .extent = {1, 1, 8}, .zero = 3, .ranges = {0, 7}, .rank = 1}}, .outputs = VECTOR_OUT(5), .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1},
     {.driver = HOIST_DRIVER_NONE, .batch = 3},
     "edgetpu: call edgetpu/layers with [x u8[1, 1, 1, 8], y u8[1, 1, 1, 4]]\n"
     "edgetpu: call edgetpu/layers with [x u8[1, 1, 1, 8] + 8, y u8[1, 1, 1, 4] + 4]\n"
     "edgetpu: call edgetpu/layers with [x u8[1, 1, 1, 8] + 16, y u8[1, 1, 1, 4] + 8]", "x u8 1 24 y u8 4 3 "},
    {"a shape of eight dimensions", {.inputs = {{.name = "x", .extent = {1, 1, 8}, .zero = 3, .ranges = {0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 5, 5}, .rank = 8}}, .outputs = VECTOR_OUT(5), .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1},
     {.driver = HOIST_DRIVER_NONE}, "edgetpu: call edgetpu/layers with [x u8[1, 1, 1, 8], y u8[1, 1, 1, 4]]", "x u8 8 1 y u8 4 1 "},
    {"two layers of one name", {.inputs = VECTOR_IN, .outputs = {LAYER("x", 1, 1, 4, 5)}, .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1},
     {.driver = HOIST_DRIVER_NONE}, "edgetpu: call edgetpu/layers with [x u8[1, 1, 1, 8], output/0 u8[1, 1, 1, 4]]", "x u8 4 1 output/0 u8 4 1 "},
};
// clang-format on

static hoist_str ports_of(hoist_test *t, const hoist_program *program)
{
    hoist_str all = HOIST_STR("");
    for (uint32_t i = 0; program && i < program->buffer_count; i++) {
        const hoist_prog_buffer *row = &program->buffers[i];
        if (row->output || row->contents == HOIST_CONTENTS_CALLER) {
            const hoist_shape *shape = &program->layouts[row->layout].shape;
            all = hoist_arena_format(&t->arena, "%.*s%.*s %s %d %d ", HOIST_STR_ARGS(all),
                                     HOIST_STR_ARGS(row->name), hoist_dtype_get(row->dtype)->name,
                                     shape->rank, (int)shape->dim[0]);
        }
    }
    return all;
}

HOIST_TEST_TABLE(requests_of_packages, requests)
{
    hoist_lower_options options = row->options;
    hoist_program *program = NULL;
    options.struct_size = sizeof options;
    const hoist_bytes package = darwinn_job_package(t, &row->plan);
    HOIST_EXPECT_EQ(t, darwinn_job_lower(t, package, &options, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
        HOIST_EXPECT_STR(t, darwinn_job_steps(t, program, "request"), row->steps);
        HOIST_EXPECT_STR(t, ports_of(t, program), row->ports);
    }
    hoist_program_destroy(program);
}

// What is not understood ------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    hoist_unknown on_unknown;
    darwinn_job_plan plan;
    const char *steps; // parts of the function of layers, in order, between bars
} unknown[] = {
    {"an operation in between is skipped", HOIST_UNKNOWN_SKIP,
     {.inputs = VECTOR_IN, .outputs = VECTOR_OUT(5), .sketches = {{.mode = 0x1000, .multiplier = 1, .input_zero = 3, .output_zero = 3}, DENSE(3, 5)},
      .cached = 128, .fill = 1},
     "unknown/0: opaque TENSOR record |reads [param(input/0) u8[1, 1, 1, 8]] writes [edgetpu/0 u8[1, 1, 1, 8]] skip\n|dense/1: compute"},
    {"the rest is poison", HOIST_UNKNOWN_POISON,
     {.inputs = VECTOR_IN, .outputs = {LAYER("y", 1, 1, 4, 5), LAYER("z", 1, 1, 3, 9)}, .sketches = {DENSE(3, 5), DENSE(3, 6), DENSE(7, 7)},
      .cached = 384, .fill = 1},
     "dense/0: compute|dense/1: compute|unknown: opaque TENSOR record |reads [edgetpu/3 u8[1, 1, 1, 4]] writes [param(output/2) u8[1, 1, 1, 3]]"},
};
// clang-format on

// All of `parts`, which are between bars, in order.
static void expect_parts(hoist_test *t, const char *text, const char *parts)
{
    while (*parts) {
        const size_t size = strcspn(parts, "|");
        const hoist_str part = hoist_arena_str(&t->arena, (hoist_str){parts, size});
        text = text ? strstr(text, part.data) : NULL;
        HOIST_EXPECT(t, text != NULL);
        parts += size + (parts[size] == '|');
    }
}

HOIST_TEST_TABLE(what_is_not_understood, unknown)
{
    const hoist_lower_options options = {
        .struct_size = sizeof options, .driver = HOIST_DRIVER_NONE, .on_unknown = row->on_unknown};
    hoist_program *program = NULL;
    const hoist_bytes package = darwinn_job_package(t, &row->plan);
    HOIST_EXPECT_EQ(t, darwinn_job_lower(t, package, &options, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
        const char *steps = darwinn_job_steps(t, program, "edgetpu/layers").data;
        expect_parts(t, steps, row->steps);
        HOIST_EXPECT_RULE(t, "RUN-041");
    }
    hoist_program_destroy(program);
}

// Several packages ------------------------------------------------------------------------------

// clang-format off
static const darwinn_job_plan vector_plan = {.inputs = VECTOR_IN, .outputs = VECTOR_OUT(5), .sketches = {DENSE(3, 5)}, .cached = 128, .fill = 1};
// clang-format on

// Two packages as one program.
static hoist_status lower_two(hoist_test *t, const char *const names[2],
                              const hoist_bytes packages[2], hoist_driver driver,
                              hoist_program **out_program)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .driver = driver};
    dwn_module *modules[2] = {NULL, NULL};
    hoist_file files[2];
    for (size_t i = 0; i < 2; i++) {
        HOIST_EXPECT_EQ(t, dwn_test_read(t, packages[i], &modules[i]), HOIST_OK);
        files[i] = (hoist_file){.module = &modules[i]->base, .name = hoist_str_from(names[i])};
    }
    const hoist_status status = darwinn_lower(files, 2, NULL, &options, t->diag, out_program);
    for (size_t i = 0; i < 2; i++) {
        dwn_destroy(&modules[i]->base);
    }
    return status;
}

// Of layers that round as TFLite does: the device itself has no other multipliers.
static const struct {
    const char *name;
    hoist_requantization how;
    bool notes, is_reported;
} multiplier_rows[] = {
    {"twice", HOIST_REQUANTIZE_DOUBLE, true, true},
    {"once", HOIST_REQUANTIZE_SINGLE, true, true},
    {"as the device", HOIST_REQUANTIZE_FLOAT, true, false},
    {"without the note", HOIST_REQUANTIZE_DOUBLE, false, false},
};

HOIST_TEST_TABLE(multipliers_are_counted, multiplier_rows)
{
    const hoist_lower_options options = {.struct_size = sizeof options,
                                         .driver = HOIST_DRIVER_NONE,
                                         .requantization = row->how,
                                         .notes_multipliers = row->notes};
    hoist_program *program = NULL;
    const hoist_bytes package = darwinn_job_package(t, &vector_plan);
    HOIST_EXPECT_EQ(t, darwinn_job_lower(t, package, &options, &program), HOIST_OK);
    HOIST_EXPECT_EQ(
        t,
        hoist_str_contains(hoist_test_findings(t), "multipliers of 4 channels have 24 bits") &&
            hoist_str_contains(hoist_test_findings(t), "[RUN-044]"),
        row->is_reported);
    hoist_program_destroy(program);
}

static hoist_str entries_of(hoist_test *t, const hoist_program *program)
{
    hoist_str entries = HOIST_STR("");
    for (uint32_t k = 0; program && k < program->entry_count; k++) {
        entries = hoist_arena_format(&t->arena, "%.*s%.*s ", HOIST_STR_ARGS(entries),
                                     HOIST_STR_ARGS(program->entries[k].name));
    }
    return entries;
}

// clang-format off
static const struct {
    const char *name;
    bool caches[2]; // its parameters are kept on the chip
    hoist_driver driver;
    const char *entries;
} kept[] = {
    {"no parameters",    {false, false},     HOIST_DRIVER_USB,  "run a b "},
    {"of the first one", {true, false},   HOIST_DRIVER_USB,  "run "},
    {"of the other one", {false, true},   HOIST_DRIVER_PCIE, "run "},
    {"of both",          {true, true}, HOIST_DRIVER_USB,  "run "},
    {"without a driver", {true, true}, HOIST_DRIVER_NONE, "run a b "},
};
// clang-format on

// An entry of a package alone would find what another one has left on the chip.
HOIST_TEST_TABLE(kept_parameters_are_of_one_entry, kept)
{
    static const char *const names[] = {"a.bin", "b.bin"};
    const bool driven = row->driver != HOIST_DRIVER_NONE;
    hoist_bytes packages[2];
    hoist_program *program = NULL;
    for (size_t i = 0; i < 2; i++) {
        darwinn_job_plan plan = vector_plan;
        plan.is_alone = !row->caches[i];
        packages[i] = driven ? darwinn_driven_package(t, &plan) : darwinn_job_package(t, &plan);
    }
    HOIST_EXPECT_EQ(t, lower_two(t, names, packages, row->driver, &program), HOIST_OK);
    HOIST_EXPECT_STR(t, entries_of(t, program), row->entries);
    HOIST_EXPECT_RULE(t, NULL);
    hoist_program_destroy(program);
}

HOIST_TEST(packages_are_loaded_together)
{
    static const struct {
        const char *files[2];
        const char *entries;
        const char *ports;
    } rows_of_names[] = {
        {{"a/one.bin", "two.tar.bin"},
         "run one two.tar ",
         "one/x u8 4 1 one/y u8 4 1 two.tar/x u8 4 1 two.tar/y u8 4 1 "},
        {{"a/one", "b\\one.bin"},
         "run one one-2 ",
         "one/x u8 4 1 one/y u8 4 1 one-2/x u8 4 1 one-2/y u8 4 1 "},
        {{"run.bin", ""},
         "run run-2 model ",
         "run-2/x u8 4 1 run-2/y u8 4 1 model/x u8 4 1 model/y u8 4 1 "},
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(rows_of_names); i++) {
        hoist_program *program = NULL;
        const hoist_bytes package = darwinn_job_package(t, &vector_plan);
        const hoist_bytes packages[] = {package, package};
        HOIST_EXPECT_EQ(t,
                        lower_two(t, rows_of_names[i].files, packages, HOIST_DRIVER_NONE, &program),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
        HOIST_EXPECT_STR(t, entries_of(t, program), rows_of_names[i].entries);
        HOIST_EXPECT_STR(t, ports_of(t, program), rows_of_names[i].ports);
        hoist_program_destroy(program);
    }
}

// Memory ----------------------------------------------------------------------------------------

static hoist_status lower_starved(hoist_allocator alloc, const void *self)
{
    static const hoist_lower_options options = {.struct_size = sizeof options,
                                                .driver = HOIST_DRIVER_NONE,
                                                .on_unknown = HOIST_UNKNOWN_SKIP,
                                                .batch = 2};
    const hoist_bytes *package = self;
    const hoist_read_options read = {.alloc = alloc, .keep = true};
    hoist_module *modules[2] = {NULL, NULL};
    hoist_program *program = NULL;
    hoist_status status = dwn_read(*package, &read, NULL, &modules[0]);
    status = status == HOIST_OK ? dwn_read(*package, &read, NULL, &modules[1]) : status;
    const hoist_file files[2] = {{.module = modules[0], .name = HOIST_STR("a.bin")},
                                 {.module = modules[1], .name = HOIST_STR("a.bin")}};
    if (status == HOIST_OK) {
        status = darwinn_lower(files, 2, NULL, &options, NULL, &program);
    }
    hoist_program_destroy(program);
    dwn_destroy(modules[0]);
    dwn_destroy(modules[1]);
    return status;
}

// Signed numbers, an addition, and an output that no operation makes.
HOIST_TEST(memory_runs_out)
{
    // clang-format off
    static const darwinn_job_plan plan = {.inputs = {SIGNED("x", 64, 64, 1, 0)}, .outputs = {SIGNED("y", 64, 64, 4, 9), LAYER("z", 1, 1, 1, 77)},
        .sketches = {LAYOUT, WINDOW(0, 5, 981), WINDOW(0, 6, 981), SUM(-(5 * 10 + 6 * 20))}, .constants = DIAGONALS(10, 20), .cached = 384, .fill = 1};
    // clang-format on
    const hoist_bytes package = darwinn_job_package(t, &plan);
    hoist_test_starve(t, lower_starved, &package);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(functions), HOIST_TEST_ROW(float_functions),
                HOIST_TEST_ROW(doubted_functions), HOIST_TEST_ROW(refusals),
                HOIST_TEST_ROW(one_package_is_run), HOIST_TEST_ROW(an_output_of_another_shape),
                HOIST_TEST_ROW(links_have_a_limit),
                HOIST_TEST_ROW(tensors_of_requests_have_a_limit),
                HOIST_TEST_ROW(requests_of_packages), HOIST_TEST_ROW(what_is_not_understood),
                HOIST_TEST_ROW(packages_are_loaded_together),
                HOIST_TEST_ROW(multipliers_are_counted),
                HOIST_TEST_ROW(kept_parameters_are_of_one_entry), HOIST_TEST_ROW(memory_runs_out))
