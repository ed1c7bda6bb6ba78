// Two recovered layers, constant by constant. A table says where each constant is in dwn_recovered
// and how many elements it has, another which constants each kind of layer has. In: two layers
// (recover.h); out: an item for each constant that differs, with the first element and the largest
// distance. edgetpu/source.c and edgetpu/compiled.c send them.
#include "formats/darwinn/compare.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/assert.h"
#include "base/span.h"

typedef enum constant_type {
    TYPE_KIND,
    TYPE_U8,
    TYPE_U32,
    TYPE_U64,
    TYPE_I32,
    TYPE_F32,
} constant_type;

// How many elements there are.
typedef enum constant_extent { ONE, ROWS, WEIGHTS } constant_extent;

typedef struct constant_row {
    const char *name;
    constant_type type;
    size_t value; // offset in dwn_recovered; ABSENT: 0
    constant_extent extent;
    size_t array; // offset of the pointer to elements; where that is NULL all are `value`
} constant_row;

// No array: all elements of such a constant have one value.
#define ABSENT SIZE_MAX
// A constant that is one number, and one that may be an array of rows or weights.
#define ROW(constant, name, type, member)                                                          \
    [DWN_CONSTANT_##constant] = {name, TYPE_##type, offsetof(dwn_recovered, member), ONE, ABSENT}
#define LIST(constant, name, type, at, extent, member)                                             \
    [DWN_CONSTANT_##constant] = {name, TYPE_##type, at, extent, offsetof(dwn_recovered, member)}

static const constant_row rows[DWN_CONSTANT_COUNT] = {
    ROW(KIND, "kind", KIND, kind),
    ROW(INPUT_HEIGHT, "input_height", U32, input.h),
    ROW(INPUT_WIDTH, "input_width", U32, input.w),
    ROW(INPUT_CHANNELS, "input_channels", U32, input.c),
    ROW(OUTPUT_HEIGHT, "output_height", U32, output.h),
    ROW(OUTPUT_WIDTH, "output_width", U32, output.w),
    ROW(OUTPUT_CHANNELS, "output_channels", U32, output.c),
    ROW(KERNEL_HEIGHT, "kernel_height", U32, kernel[0]),
    ROW(KERNEL_WIDTH, "kernel_width", U32, kernel[1]),
    ROW(STRIDE_HEIGHT, "stride_height", U32, stride[0]),
    ROW(STRIDE_WIDTH, "stride_width", U32, stride[1]),
    ROW(DILATION_HEIGHT, "dilation_height", U32, dilation[0]),
    ROW(DILATION_WIDTH, "dilation_width", U32, dilation[1]),
    ROW(PADDING_TOP, "padding_top", U32, padding[0]),
    ROW(PADDING_LEFT, "padding_left", U32, padding[1]),
    ROW(LOW, "low", F32, low),
    ROW(HIGH, "high", F32, high),
    ROW(INPUT_ZERO, "input_zero_point", U8, input_zero),
    ROW(SECOND_ZERO, "second_zero_point", U8, second_zero),
    ROW(OUTPUT_ZERO, "output_zero_point", U8, output_zero),
    ROW(FIRST_FACTOR, "first_factor", I32, factors[0]),
    ROW(SECOND_FACTOR, "second_factor", I32, factors[1]),
    ROW(SUM, "constant", I32, constant),
    ROW(SCALE, "input_scale", F32, scale),
    ROW(IN_ROWS, "joined_in_rows", U8, is_in_rows),
    ROW(ORDER, "axes", U8, order),
    ROW(FIRST_CHANNEL, "first_channel", U32, first),
    ROW(ROWS, "weight_rows", U32, rows),
    ROW(WEIGHT_COUNT, "weight_count", U64, weight_count),
    LIST(MULTIPLIER, "multiplier", F32, offsetof(dwn_recovered, multiplier), ROWS, multipliers),
    LIST(WEIGHT_ZERO, "weight_zero_point", U8, offsetof(dwn_recovered, weight_zero), ROWS,
         weight_zeros),
    LIST(BIAS, "bias", I32, ABSENT, ROWS, bias),
    LIST(WEIGHTS, "weights", U8, ABSENT, WEIGHTS, weights),
};

const char *dwn_constant_name(dwn_constant constant)
{
    HOIST_ASSERT(constant < DWN_CONSTANT_COUNT);
    return rows[constant].name;
}

// What kinds have --------------------------------------------------------------------------------

// Groups of constants that kinds share; kernels of a dense layer are its input.
#define BIT(constant) DWN_CONSTANT_BIT(DWN_CONSTANT_##constant)
#define ZEROS (BIT(INPUT_ZERO) | BIT(OUTPUT_ZERO))
#define ALWAYS                                                                                     \
    (BIT(KIND) | BIT(INPUT_HEIGHT) | BIT(INPUT_WIDTH) | BIT(INPUT_CHANNELS) | BIT(OUTPUT_HEIGHT) | \
     BIT(OUTPUT_WIDTH) | BIT(OUTPUT_CHANNELS) | ZEROS)
#define WINDOW (BIT(KERNEL_HEIGHT) | BIT(KERNEL_WIDTH) | BIT(STRIDE_HEIGHT) | BIT(STRIDE_WIDTH))
#define PLACE (BIT(DILATION_HEIGHT) | BIT(DILATION_WIDTH) | BIT(PADDING_TOP) | BIT(PADDING_LEFT))
#define SCALING (BIT(MULTIPLIER) | BIT(LOW) | BIT(HIGH))
#define PARAMETERS                                                                                 \
    (BIT(ROWS) | BIT(WEIGHT_COUNT) | BIT(WEIGHT_ZERO) | BIT(BIAS) | BIT(WEIGHTS) | SCALING)
#define FACTORS (BIT(FIRST_FACTOR) | BIT(SECOND_FACTOR) | BIT(SUM) | BIT(SECOND_ZERO))

static const uint64_t constants_of[DWN_KIND_COUNT] = {
    [DWN_KIND_UNKNOWN] = ALWAYS | PARAMETERS,
    [DWN_KIND_CONVOLUTION] = ALWAYS | WINDOW | PLACE | PARAMETERS,
    [DWN_KIND_DEPTHWISE] = ALWAYS | WINDOW | PLACE | PARAMETERS,
    [DWN_KIND_DENSE] = ALWAYS | PARAMETERS,
    [DWN_KIND_AVERAGE_POOL] = ALWAYS | WINDOW | SCALING,
    [DWN_KIND_ADD] = ALWAYS | SCALING | FACTORS,
    [DWN_KIND_MULTIPLY] = ALWAYS | SCALING | BIT(SECOND_ZERO),
    [DWN_KIND_SOFTMAX] = ALWAYS | BIT(SCALE),
    [DWN_KIND_UPSAMPLE] = ALWAYS,
    [DWN_KIND_NEAREST] = ALWAYS,
    [DWN_KIND_GATHER] = ALWAYS,
    [DWN_KIND_CONCATENATION] = ALWAYS | BIT(IN_ROWS),
    [DWN_KIND_TRANSPOSE] = ALWAYS | BIT(ORDER),
    [DWN_KIND_SLICE] = ALWAYS | BIT(FIRST_CHANNEL),
    [DWN_KIND_PAD] = ALWAYS | PLACE,
    [DWN_KIND_QUANTIZE] = ALWAYS | SCALING,
    [DWN_KIND_MAX_POOL] =
        ALWAYS | WINDOW | BIT(PADDING_TOP) | BIT(PADDING_LEFT) | BIT(LOW) | BIT(HIGH),
    [DWN_KIND_LOGISTIC] = ALWAYS | BIT(MULTIPLIER),
    [DWN_KIND_MOVE] = ALWAYS,
};

uint64_t dwn_constants_of(dwn_layer_kind kind)
{
    HOIST_ASSERT(kind < DWN_KIND_COUNT);
    return constants_of[kind];
}

// Values -----------------------------------------------------------------------------------------

static dwn_number number_at(constant_type type, const void *p, uint64_t *out_bits)
// The number of that type at `p`, and its bits, by which equality is decided: NaN equals itself,
// and 0.0 is not -0.0.
{
    dwn_number n = {.word = NULL};
    uint32_t word = 0;
    float number = 0;
    *out_bits = 0;
    switch (type) {
    case TYPE_KIND:
        *out_bits = *(const dwn_layer_kind *)p;
        n.word = dwn_layer_kind_name(*(const dwn_layer_kind *)p);
        break;
    case TYPE_U8:
        *out_bits = *(const uint8_t *)p;
        n.number = *(const uint8_t *)p;
        break;
    case TYPE_U32:
        *out_bits = *(const uint32_t *)p;
        n.number = *(const uint32_t *)p;
        break;
    case TYPE_U64:
        *out_bits = *(const uint64_t *)p;
        n.number = (double)*out_bits;
        break;
    case TYPE_I32:
        n.number = *(const int32_t *)p;
        memcpy(&word, p, sizeof(word));
        *out_bits = word;
        break;
    case TYPE_F32:
        memcpy(&number, p, sizeof(number));
        memcpy(&word, p, sizeof(word));
        *out_bits = word;
        n.number = (double)number;
        n.is_float = true;
        break;
    }
    return n;
}

static const size_t sizes[] = {
    // of an element
    [TYPE_KIND] = sizeof(dwn_layer_kind), [TYPE_U8] = sizeof(uint8_t),
    [TYPE_U32] = sizeof(uint32_t),        [TYPE_U64] = sizeof(uint64_t),
    [TYPE_I32] = sizeof(int32_t),         [TYPE_F32] = sizeof(float),
};

// The elements of a constant of a layer; NULL: all are one value.
static const uint8_t *array_of(const dwn_recovered *layer, const constant_row *row)
{
    const uint8_t *array = NULL;
    if (row->array != ABSENT) {
        memcpy(&array, (const uint8_t *)layer + row->array, sizeof(array));
    }
    return array;
}

// Element `index`, or the one value of all.
static dwn_number element(const dwn_recovered *layer, const constant_row *row, uint64_t index,
                          uint64_t *out_bits)
{
    static const uint64_t zero = 0;
    const uint8_t *array = array_of(layer, row);
    if (array) {
        return number_at(row->type, array + index * sizes[row->type], out_bits);
    }
    const uint8_t *const base = (const uint8_t *)layer;
    return number_at(row->type, row->value == ABSENT ? (const void *)&zero : base + row->value,
                     out_bits);
}

// Elements to compare: those of an array that either layer has; 0: arrays of different lengths,
// whose counts are constants of their own.
static uint64_t count_of(const dwn_recovered *old, const dwn_recovered *now,
                         const constant_row *row)
{
    if (!array_of(old, row) && !array_of(now, row)) {
        return row->value == ABSENT ? 0 : 1; // there is no value for all elements, or one
    }
    if (old->rows != now->rows || old->weight_count != now->weight_count) {
        return 0;
    }
    return row->extent == ROWS ? old->rows : old->weight_count;
}

// The fast way: most arrays are equal.
static bool is_same_array(const dwn_recovered *old, const dwn_recovered *now,
                          const constant_row *row, uint64_t count)
{
    const uint8_t *a = array_of(old, row);
    const uint8_t *b = array_of(now, row);
    return a && b && memcmp(a, b, (size_t)count * sizes[row->type]) == 0;
}

// The first difference and the largest, of all elements that differ.
static hoist_status compare_row(const dwn_recovered *old, const dwn_recovered *now,
                                dwn_constant constant, const dwn_layer_sink *sink,
                                uint64_t *compared)
{
    const constant_row *row = &rows[constant];
    dwn_layer_difference d = {.constant = constant, .count = count_of(old, now, row)};
    *compared += d.count;
    if (is_same_array(old, now, row, d.count)) {
        return HOIST_OK;
    }
    for (uint64_t i = 0; i < d.count; i++) {
        uint64_t bits[2];
        const dwn_number a = element(old, row, i, &bits[0]);
        const dwn_number b = element(now, row, i, &bits[1]);
        if (bits[0] == bits[1]) {
            continue;
        }
        if (d.elements++ == 0) {
            d.first = i;
            d.old = a;
            d.now = b;
        }
        const double far = a.word ? 0 : fabs(a.number - b.number);
        d.largest = far <= d.largest ? d.largest : far; // NaN is taken
    }
    return d.elements ? sink->difference(sink->self, &d) : HOIST_OK;
}

// In the order of the enum, so that differences of geometry come first.
hoist_status dwn_layer_compare(const dwn_recovered *old, const dwn_recovered *now,
                               uint64_t constants, const dwn_layer_sink *sink,
                               uint64_t *out_compared)
{
    *out_compared = 0;
    for (int i = 0; i < DWN_CONSTANT_COUNT; i++) {
        if (constants >> i & 1) {
            HOIST_TRY(compare_row(old, now, (dwn_constant)i, sink, out_compared));
        }
    }
    return HOIST_OK;
}
