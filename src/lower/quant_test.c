// Quantised layers with both ways of scaling: the same calls, the steps of two profiles.
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "lower/quant.h"
#include "program/text.h"
#include "program/verify.h"
#include "testing/test.h"

// A program under construction: buffers a and b of 16 bytes, w of 36, y of 16.
typedef struct bench {
    hoist_builder *b;
    hoist_map names;
    hoist_quant_layers layers;
    hoist_ref a, w, y;
} bench;

static hoist_ref buffer(bench *n, const char *name, uint64_t size, hoist_ref space)
{
    return hoist_builder_buffer(n->b, &(hoist_prog_buffer){.name = hoist_str_from(name),
                                                           .space = space,
                                                           .size = size,
                                                           .alignment = 1,
                                                           .window_of = HOIST_NO_REF,
                                                           .contents = HOIST_CONTENTS_ZERO,
                                                           .lifetime = HOIST_LIFETIME_RUN,
                                                           .layout = HOIST_NO_REF});
}

static void begin(hoist_test *t, bench *n, hoist_requantization how)
{
    HOIST_EXPECT_EQ(t, hoist_builder_create(hoist_allocator_system(), HOIST_STR("test"), &n->b),
                    HOIST_OK);
    hoist_map_init(&n->names, hoist_allocator_system());
    const hoist_ref space =
        hoist_builder_space(n->b, &(hoist_prog_space){.name = HOIST_STR("m"), .alignment = 1});
    hoist_quant_init(&n->layers, n->b, &t->arena, &n->names, space);
    n->layers.requantization = how;
    n->a = buffer(n, "a", 16, space);
    n->w = buffer(n, "w", 36, space);
    n->y = buffer(n, "y", 16, space);
    (void)hoist_builder_begin_function(n->b, &(hoist_prog_function){.name = HOIST_STR("f")});
}

// The text of the step in braces; the program passes the verifier.
static hoist_str end(hoist_test *t, bench *n)
{
    hoist_program *program = NULL;
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_builder_end_code(n->b);
    HOIST_EXPECT_EQ(t, hoist_builder_finish(n->b, &program), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_program_print(program, &text), HOIST_OK);
    hoist_buffer_char(&text, '\0');
    const char *from = strstr(hoist_buffer_text(&text).data, "compute ");
    const hoist_str step = {from ? from : "", from ? strcspn(from, "\n") : 0};
    const hoist_str kept = hoist_arena_str(&t->arena, step);
    hoist_buffer_deinit(&text);
    hoist_map_deinit(&n->names);
    hoist_program_destroy(program);
    return kept;
}

static hoist_quant_view view(hoist_ref of, hoist_shape shape, int64_t zero)
{
    hoist_quant_view v = hoist_quant_dense(of, HOIST_DTYPE_U8, &shape);
    v.zero = zero;
    return v;
}

static const hoist_shape image = {.rank = 4, .dim = {1, 4, 4, 1}};
static const hoist_shape filter = {.rank = 4, .dim = {1, 3, 3, 1}};
static const hoist_shape rows = {.rank = 2, .dim = {4, 4}};
static const double half = 0.5;

static hoist_quant_products products(const bench *n, hoist_shape x, hoist_shape w)
{
    return (hoist_quant_products){.x = view(n->a, x, 1),
                                  .weights = view(n->w, w, 2),
                                  .y = view(n->y, x, 3),
                                  .window = {.stride_h = 1,
                                             .stride_w = 1,
                                             .pad_top = 1,
                                             .pad_left = 1,
                                             .dilation_h = 1,
                                             .dilation_w = 1},
                                  .scales = {&half, 1},
                                  .limits = {-2.25, 126.00001}};
}

static hoist_quant_pair pair_of(const bench *n)
{
    return (hoist_quant_pair){
        view(n->a, rows, 1), view(n->w, rows, 2), view(n->y, rows, 3), {-2.25, 126.00001}};
}

static hoist_status add_conv(bench *n)
{
    const hoist_quant_products p = products(n, image, filter);
    return hoist_quant_conv(&n->layers, &p);
}

static hoist_status add_depthwise(bench *n)
{
    const hoist_quant_products p = products(n, image, filter);
    return hoist_quant_depthwise(&n->layers, &p);
}

static hoist_status add_dense(bench *n)
{
    const hoist_quant_products p = products(n, rows, rows);
    return hoist_quant_matrix(&n->layers, &p);
}

static hoist_status add_product(bench *n)
{
    const hoist_quant_pair p = pair_of(n);
    return hoist_quant_multiply(&n->layers, &p, half);
}

static hoist_status add_weighted(bench *n)
{
    const hoist_quant_weighted w = {pair_of(n), .k1 = 7, .k2 = -9, .constant = 11, .factor = half};
    return hoist_quant_add_weighted(&n->layers, &w);
}

// clang-format off
static const struct {
    const char *name;
    hoist_requantization how;
    hoist_status (*add)(bench *n);
    const char *step;
} layers[] = {
    {"conv, whole", HOIST_REQUANTIZE_INTEGER, add_conv,
     "compute tflite.conv(stride_h 1, stride_w 1, pad_top 1, pad_left 1, dilation_h 1, dilation_w 1, zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[1, 4, 4, 1], w u8[1, 3, 3, 1], constant/1 i32[1] by [0], constant/0 i32[1, 2]] to [y u8[1, 4, 4, 1]]"},
    {"conv, float", HOIST_REQUANTIZE_FLOAT, add_conv,
     "compute edgetpu.conv(stride_h 1, stride_w 1, pad_top 1, pad_left 1, dilation_h 1, dilation_w 1, zero_in 1, zero_weight 2, zero_out 3, low -2.25, high 126.00001) from [a u8[1, 4, 4, 1], w u8[1, 3, 3, 1], constant/1 i32[1] by [0], constant/0 f32[1]] to [y u8[1, 4, 4, 1]]"},
    {"depthwise, whole", HOIST_REQUANTIZE_INTEGER, add_depthwise,
     "compute tflite.depthwise(stride_h 1, stride_w 1, pad_top 1, pad_left 1, dilation_h 1, dilation_w 1, zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[1, 4, 4, 1], w u8[1, 3, 3, 1], constant/1 i32[1] by [0], constant/0 i32[1, 2]] to [y u8[1, 4, 4, 1]]"},
    {"depthwise, float", HOIST_REQUANTIZE_FLOAT, add_depthwise,
     "compute edgetpu.depthwise(stride_h 1, stride_w 1, pad_top 1, pad_left 1, dilation_h 1, dilation_w 1, zero_in 1, zero_weight 2, zero_out 3, low -2.25, high 126.00001) from [a u8[1, 4, 4, 1], w u8[1, 3, 3, 1], constant/1 i32[1] by [0], constant/0 f32[1]] to [y u8[1, 4, 4, 1]]"},
    {"dense, whole", HOIST_REQUANTIZE_INTEGER, add_dense,
     "compute tflite.dense(zero_in 1, zero_weight 2, zero_out 3, low 1, high 129) from [a u8[4, 4], w u8[4, 4], constant/1 i32[4] by [0], constant/0 i32[1, 2]] to [y u8[4, 4]]"},
    {"dense, float", HOIST_REQUANTIZE_FLOAT, add_dense,
     "compute edgetpu.dense(zero_in 1, zero_weight 2, zero_out 3, low -2.25, high 126.00001) from [a u8[4, 4], w u8[4, 4], constant/1 i32[4] by [0], constant/0 f32[1]] to [y u8[4, 4]]"},
    {"multiply, whole", HOIST_REQUANTIZE_INTEGER, add_product,
     "compute tflite.multiply(zero_a 1, zero_b 2, zero_out 3, low 1, high 129, multiplier 1073741824, shift 0) from [a u8[4, 4], w u8[4, 4]] to [y u8[4, 4]]"},
    {"multiply, float", HOIST_REQUANTIZE_FLOAT, add_product,
     "compute edgetpu.multiply(zero_a 1, zero_b 2, zero_out 3, low -2.25, high 126.00001, multiplier 0.5) from [a u8[4, 4], w u8[4, 4]] to [y u8[4, 4]]"},
    {"weighted, whole", HOIST_REQUANTIZE_INTEGER, add_weighted,
     "compute tflite.weighted_sum(k1 7, k2 -9, constant 11, zero_out 3, low 1, high 129, multiplier 1073741824, shift 0) from [a u8[4, 4], w u8[4, 4]] to [y u8[4, 4]]"},
    {"weighted, float", HOIST_REQUANTIZE_FLOAT, add_weighted,
     "compute edgetpu.weighted_sum(k1 7, k2 -9, constant 11, zero_out 3, low -2.25, high 126.00001, multiplier 0.5) from [a u8[4, 4], w u8[4, 4]] to [y u8[4, 4]]"},
};
// clang-format on

HOIST_TEST_TABLE(each_layer_is_a_step_of_its_profile, layers)
{
    bench n;
    begin(t, &n, row->how);
    HOIST_EXPECT_EQ(t, row->add(&n), HOIST_OK);
    HOIST_EXPECT_STR(t, end(t, &n), row->step);
    HOIST_EXPECT_RULE(t, NULL);
}

// Factors that do not fit ------------------------------------------------------------------------

static hoist_status add_conv_of(bench *n, double factor)
{
    hoist_quant_products p = products(n, image, filter);
    p.scales.factors = &factor;
    return hoist_quant_conv(&n->layers, &p);
}

static hoist_status add_softmax_of(bench *n, double factor)
{
    hoist_quant_unary u = {view(n->a, rows, 1), view(n->y, rows, 0)};
    return hoist_quant_softmax(&n->layers, &u, factor);
}

// clang-format off
static const struct {
    const char *name;
    hoist_requantization how;
    hoist_status (*add)(bench *n, double factor);
    double factor;
} factors[] = {
    {"conv, whole, negative",     HOIST_REQUANTIZE_INTEGER, add_conv_of,    -0.5},
    {"conv, whole, no number",    HOIST_REQUANTIZE_INTEGER, add_conv_of,    __builtin_nan("")},
    {"conv, float, negative",     HOIST_REQUANTIZE_FLOAT,   add_conv_of,    -0.5},
    {"conv, float, no number",    HOIST_REQUANTIZE_FLOAT,   add_conv_of,    __builtin_nan("")},
    {"conv, float, infinite",     HOIST_REQUANTIZE_FLOAT,   add_conv_of,    __builtin_inf()},
    {"conv, float, 2^30",         HOIST_REQUANTIZE_FLOAT,   add_conv_of,    0x1p30},
    {"softmax, no number",        HOIST_REQUANTIZE_INTEGER, add_softmax_of, __builtin_nan("")},
    {"softmax, infinite",         HOIST_REQUANTIZE_INTEGER, add_softmax_of, __builtin_inf()},
    {"softmax, less than all",    HOIST_REQUANTIZE_INTEGER, add_softmax_of, -__builtin_inf()},
    {"softmax, negative",         HOIST_REQUANTIZE_INTEGER, add_softmax_of, -0x1p10},
};
// clang-format on

HOIST_TEST_TABLE(factors_that_do_not_fit, factors)
{
    bench n;
    begin(t, &n, row->how);
    HOIST_EXPECT_EQ(t, row->add(&n, row->factor), HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, strstr(n.layers.why, "the ratio of scales is"));
    (void)end(t, &n);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_layer_is_a_step_of_its_profile),
                HOIST_TEST_ROW(factors_that_do_not_fit))
