// The checks of the options of an operator: that they are of its kind (TFL-029), that strides and
// the like are positive (TFL-030), and that each number is one that the schema names (TFL-035,
// 036), by the rows of options.c.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/span.h"
#include "formats/tflite/check.h"
#include "formats/tflite/options.h"

// Options that have to be 1 or more.
typedef struct positive_row {
    uint8_t kind; // tflite_options_kind
    uint16_t at;  // of the int32 in the C struct
    const char *name;
} positive_row;

// clang-format off
#define ROW(options, fields, member)                                                               \
    {TFLITE_OPTIONS_##options, offsetof(tflite_##fields##_options, member), #member}
// Row by row the options by which a kernel divides or steps.
static const positive_row positives[] = {
    ROW(Conv2D, conv2d, stride_w),
    ROW(Conv2D, conv2d, stride_h),
    ROW(Conv2D, conv2d, dilation_w_factor),
    ROW(Conv2D, conv2d, dilation_h_factor),
    ROW(DepthwiseConv2D, depthwise_conv2d, stride_w),
    ROW(DepthwiseConv2D, depthwise_conv2d, stride_h),
    ROW(DepthwiseConv2D, depthwise_conv2d, dilation_w_factor),
    ROW(DepthwiseConv2D, depthwise_conv2d, dilation_h_factor),
    ROW(Conv3D, conv3d, stride_d),
    ROW(Conv3D, conv3d, stride_w),
    ROW(Conv3D, conv3d, stride_h),
    ROW(Conv3D, conv3d, dilation_d_factor),
    ROW(Conv3D, conv3d, dilation_w_factor),
    ROW(Conv3D, conv3d, dilation_h_factor),
    ROW(TransposeConv, transpose_conv, stride_w),
    ROW(TransposeConv, transpose_conv, stride_h),
    ROW(Pool2D, pool2d, stride_w),
    ROW(Pool2D, pool2d, stride_h),
    ROW(Pool2D, pool2d, filter_width),
    ROW(Pool2D, pool2d, filter_height),
};
#undef ROW
// clang-format on

// A value by its row, in the table's C struct: `member` need not be aligned for its type.
static void check_value(tflite_checker *c, const hoist_fb_field *field, const void *member,
                        hoist_loc place)
{
    if (field->kind == HOIST_FB_F32) {
        float number = 0;
        memcpy(&number, member, sizeof number);
        if (!isfinite(number)) {
            tflite_report(c->diag, TFL_036, place, "%s is %g", field->name, (double)number);
        }
    } else if (field->kind == HOIST_FB_I8 && field->words) {
        int8_t number = 0;
        memcpy(&number, member, sizeof number);
        if (!hoist_fb_word_name(field->words, number)) {
            tflite_report(c->diag, TFL_035, place, "%s is %d", field->name, number);
        }
    }
}

// A variant without rows (StableHLO, or newer than the schema) is not checked.
static void check_values(tflite_checker *c, const hoist_fb_union *options)
{
    const hoist_fb_type *const type = hoist_fb_variant_type(tflite_options_variants, options->type);
    for (size_t i = 0; type && i < type->count; i++) {
        const hoist_fb_field *const field = &type->fields[i];
        check_value(c, field, (const uint8_t *)options->value + field->at,
                    tflite_place(c->module, type, options->value, field->at));
    }
}

// 1 stands for options of other kinds, which have no such member.
static void check_positives(tflite_checker *c, const hoist_fb_union *options, hoist_loc place)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(positives); i++) {
        int32_t value = 1;
        if (positives[i].kind == options->type) {
            memcpy(&value, (const uint8_t *)options->value + positives[i].at, sizeof(value));
        }
        if (value < 1) {
            tflite_report(c->diag, TFL_030, place, "%s is %" PRId32 ", expected 1 or more",
                          positives[i].name, value);
        }
    }
}

// Options of another kind are not looked into: their fields have other meanings.
void tflite_check_options(tflite_checker *c, const tflite_operator *op,
                          const tflite_operator_row *row)
{
    const hoist_fb_union *const options = &op->builtin_options;
    const hoist_loc place = TFLITE_PLACE(c, operator, op, builtin_options);
    if (row->options && options->type && options->type != row->options) {
        const char *const got = hoist_fb_word_name(tflite_options_words, options->type);
        tflite_report(c->diag, TFL_029, place, "%s has %s, expected %s", row->name,
                      got ? got : "options of an unknown kind",
                      hoist_fb_word_name(tflite_options_words, row->options));
    } else if (options->value) {
        check_positives(c, options, place);
        check_values(c, options);
    }
}
