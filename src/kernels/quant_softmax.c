// Softmax over the innermost dimension on integers, as it is defined (TFLite kernels reference,
// section 4.7): the greatest is subtracted, exponentials and one reciprocal per row are fixed-point
// numbers (fixed_point.h). softmax_single is what the interpreter's own kernels do: a table of
// exponentials in float32.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/reader.h"
#include "kernels/compute_table.h"
#include "kernels/elements.h"
#include "kernels/quant_scale.h"
#include "ops/compute_quant.h"

extern const hoist_compute_group hoist_quant_softmax_group;

#define EXP_BITS 5  // arguments of the exponential are Q5
#define SUM_BITS 12 // the sum of exponentials is Q12

enum { DIFFERENCES = 256 }; // of bytes

// Exponentials of the differences that came so far: long rows have most of them more than once.
typedef struct exponentials {
    bool is_known[DIFFERENCES];
    bool counts[DIFFERENCES]; // false: so far below the greatest that it counts as nothing
    int32_t value[DIFFERENCES];
} exponentials;

// One row of the call.
typedef struct softmax_row {
    const hoist_compute_call *call;
    exponentials *known;
    uint64_t begin;  // its first element
    uint64_t length; // elements
    int32_t most;    // the greatest of x
} softmax_row;

// The innermost dimension; a scalar is a row of one.
static uint64_t row_length(const hoist_compute_call *call)
{
    const hoist_shape *shape = &call->views[0].shape;
    return shape->rank ? (uint64_t)shape->dim[shape->rank - 1] : 1;
}

static size_t work(const hoist_compute_call *call)
{
    return (size_t)((uint64_t)hoist_shape_count(&call->views[0].shape) / row_length(call));
}

enum { PIECE = 1024 }; // elements

// Numbers of a row from `first` on, at most PIECE. Returns how many.
static size_t read_piece(const softmax_row *row, uint64_t first, int32_t out[PIECE])
{
    const hoist_view *x = &row->call->views[0];
    const size_t count = row->length - first < PIECE ? (size_t)(row->length - first) : PIECE;
    uint8_t bytes[PIECE];
    hoist_elements_read(x, row->begin + first, count, bytes);
    for (size_t i = 0; i < count; i++) {
        out[i] = x->dtype == HOIST_DTYPE_I8 ? (int8_t)bytes[i] : bytes[i];
    }
    return count;
}

// Writes numbers, of one byte or of two, from element `first` on.
static void write_piece(const hoist_view *y, uint64_t first, const int32_t *numbers, size_t count)
{
    const size_t size = hoist_dtype_get(y->dtype)->bits / 8;
    uint8_t bytes[2 * PIECE];
    for (size_t i = 0; i < count; i++) {
        uint8_t both[2]; // of which a byte's is the first
        hoist_store_u16le(both, (uint16_t)numbers[i]);
        memcpy(bytes + i * size, both, size);
    }
    hoist_elements_write(y, first, count, bytes);
}

// e^(difference * scale) in Q0; false: it counts as nothing.
static bool exponential_of(const hoist_compute_call *call, int32_t difference, int32_t *out)
{
    const hoist_compute_value *attrs = call->attrs.value;
    const int shift = (int)attrs[HOIST_SOFTMAX_SHIFT].integer;
    const int32_t multiplier = (int32_t)attrs[HOIST_SOFTMAX_MULTIPLIER].integer;
    // An argument below -31 of Q5 counts as nothing.
    const int32_t least = -(int32_t)((INT64_C(31) << (31 - EXP_BITS)) >> shift);
    if (difference < least) {
        return false;
    }
    const int32_t wide = (int32_t)(difference * (INT64_C(1) << shift));
    *out = hoist_fixed_exp(hoist_fixed_multiply(wide, multiplier), EXP_BITS);
    return true;
}

// The same of x - most.
static bool exponential(const softmax_row *row, int32_t x, int32_t *out)
{
    exponentials *known = row->known;
    const int32_t below = row->most - x;
    if (!known->is_known[below]) {
        known->counts[below] = exponential_of(row->call, -below, &known->value[below]);
        known->is_known[below] = true;
    }
    *out = known->value[below];
    return known->counts[below];
}

// Zeros above the highest bit; 32 of 0.
static int leading_zeros(uint32_t x)
{
    int count = 0;
    for (uint32_t bit = UINT32_C(1) << 31; bit && !(x & bit); bit >>= 1) {
        count++;
    }
    return count;
}

static void write_row(const softmax_row *row, int64_t sum)
{
    const hoist_view *y = &row->call->views[1];
    const int32_t least = (int32_t)hoist_quant_least(y->dtype);
    const int32_t greatest = (int32_t)hoist_quant_greatest(y->dtype);
    const int zeros = leading_zeros((uint32_t)sum);
    // The sum as 1 + a in Q0: shifted up until its highest bit is at the top, which is taken off.
    const uint32_t above_one = ((uint32_t)sum << zeros) - (UINT32_C(1) << 31);
    const int32_t reciprocal = hoist_fixed_reciprocal((int32_t)above_one);
    // What the shift has multiplied the sum with, and the steps of the output.
    const int exponent = SUM_BITS - zeros + 31 - hoist_dtype_get(y->dtype)->bits;
    HOIST_ASSERT(exponent >= 0 && exponent < 36); // the sum is 2^19, of the greatest, to 2^31
    int32_t numbers[PIECE];
    size_t count = 0;
    for (uint64_t first = 0; first < row->length; first += count) {
        count = read_piece(row, first, numbers);
        for (size_t i = 0; i < count; i++) {
            int32_t e = 0;
            int32_t result = least;
            if (exponential(row, numbers[i], &e)) {
                const int32_t share = hoist_fixed_multiply(reciprocal, e);
                const int32_t x = exponent < 32 ? hoist_fixed_divide(share, exponent) : 0;
                result = hoist_quant_place(x, least, least, greatest);
            }
            numbers[i] = result;
        }
        write_piece(y, row->begin + first, numbers, count);
    }
}

// The greatest number of a row, piece by piece.
static void find_greatest(softmax_row *row)
{
    int32_t numbers[PIECE];
    size_t count = 0;
    row->most = INT32_MIN;
    for (uint64_t first = 0; first < row->length; first += count) {
        count = read_piece(row, first, numbers);
        for (size_t i = 0; i < count; i++) {
            row->most = numbers[i] > row->most ? numbers[i] : row->most;
        }
    }
}

// Where the exponentials sum to 512 or more, 2^28 in Q12, each share is less than half of a step
// and rounds to nothing. The public kernel of the reference stops there; those that interpreters
// run give the same zeros. From 4096 on the sum has no place in 32 bits, and the greatest that has
// gives these zeros, too.
static void run_row(softmax_row *row)
{
    int32_t numbers[PIECE];
    int64_t sum = 0;
    size_t count = 0;
    find_greatest(row);
    for (uint64_t first = 0; first < row->length; first += count) {
        count = read_piece(row, first, numbers);
        for (size_t i = 0; i < count; i++) {
            int32_t e = 0;
            sum += exponential(row, numbers[i], &e) ? hoist_fixed_divide(e, SUM_BITS) : 0;
        }
    }
    write_row(row, sum < INT32_MAX ? sum : INT32_MAX);
}

static void softmax(const hoist_compute_call *call, size_t begin, size_t end)
{
    // Rows share what they find: a difference means the same in all of them.
    exponentials known = {.is_known = {false}};
    softmax_row row = {.call = call, .known = &known, .length = row_length(call)};
    for (size_t unit = begin; unit < end; unit++) {
        row.begin = (uint64_t)unit * row.length;
        run_row(&row);
    }
}

// In float32 --------------------------------------------------------------------------------------

// The nearest step of the output; the interpreter's own kernel rounds bytes by truncation.
static int32_t nearest_step(float share, int32_t least)
{
    return least == 0 ? (int32_t)(share + 0.5F) : (int32_t)roundf(share) + least;
}

// `table`: e^(-scale * i).
static void run_single_row(softmax_row *row, const float table[DIFFERENCES])
{
    const hoist_view *y = &row->call->views[1];
    const int32_t least = (int32_t)hoist_quant_least(y->dtype);
    const int32_t greatest = (int32_t)hoist_quant_greatest(y->dtype);
    int32_t numbers[PIECE];
    float sum = 0;
    size_t count = 0;
    find_greatest(row);
    for (uint64_t first = 0; first < row->length; first += count) {
        count = read_piece(row, first, numbers);
        for (size_t i = 0; i < count; i++) {
            sum += table[row->most - numbers[i]];
        }
    }
    const float scale = row->call->attrs.value[HOIST_SOFTMAX_SINGLE_OUT].number;
    const float inverse = 1.0F / (sum * scale);
    for (uint64_t first = 0; first < row->length; first += count) {
        count = read_piece(row, first, numbers);
        for (size_t i = 0; i < count; i++) {
            const int32_t x = nearest_step(table[row->most - numbers[i]] * inverse, least);
            numbers[i] = x > greatest ? greatest : x; // shares are not below 0
        }
        write_piece(y, row->begin + first, numbers, count);
    }
}

static void softmax_single(const hoist_compute_call *call, size_t begin, size_t end)
{
    const float scale = -call->attrs.value[HOIST_SOFTMAX_SINGLE_SCALE].number;
    softmax_row row = {.call = call, .length = row_length(call)};
    float table[DIFFERENCES];
    for (int i = 0; i < DIFFERENCES; i++) {
        // In float32 before the exponential, as the interpreter has it.
        const float exponent = scale * (float)i;
        table[i] = (float)exp((double)exponent);
    }
    for (size_t unit = begin; unit < end; unit++) {
        row.begin = (uint64_t)unit * row.length;
        run_single_row(&row, table);
    }
}

enum { FIRST = HOIST_TFLITE_SOFTMAX };

static const hoist_compute_row group_rows[] = {
    [HOIST_TFLITE_SOFTMAX - FIRST] = {.work = work, .fill = softmax},
    [HOIST_TFLITE_SOFTMAX_SINGLE - FIRST] = {.work = work, .fill = softmax_single},
};
const hoist_compute_group hoist_quant_softmax_group = {FIRST, HOIST_COUNT_OF(group_rows),
                                                       group_rows};
