// Elements of ARK tensors with bounds of their errors (ark_eval_numbers.h), from sections 5 and 7
// of the ark reference alone: nothing here is shared with tensor/, kernels/ or lower/.
#include "testing/ark_eval_numbers.h"

#include <math.h>
#include <string.h>

// Element types ----------------------------------------------------------------------------------

// Of floats: bits of the fraction, the exponent of the least normal number, the greatest number. Of
// integers: their range.
typedef struct type_row {
    size_t size;
    int fraction;
    int least_exponent;
    double greatest;
    int64_t low, high;
} type_row;

// clang-format off
static const type_row types[ARK_DTYPE_COUNT] = {
    [ARK_FP32]   = {4, 23, -126, 0x1.fffffep127, 0, 0},
    [ARK_FP16]   = {2, 10,  -14, 65504,          0, 0},
    [ARK_BF16]   = {2,  7, -126, 0x1.fep127,     0, 0},
    [ARK_INT32]  = {4,  0,    0, 0, INT32_MIN, INT32_MAX},
    [ARK_UINT32] = {4,  0,    0, 0, 0,         UINT32_MAX},
    [ARK_INT8]   = {1,  0,    0, 0, INT8_MIN,  INT8_MAX},
    [ARK_UINT8]  = {1,  0,    0, 0, 0,         UINT8_MAX},
    [ARK_BYTE]   = {1,  0,    0, 0, INT8_MIN,  INT8_MAX}, // a char (section 5.8)
};
// clang-format on

size_t ark_eval_size(ark_dtype dtype)
{
    return types[dtype].size;
}

bool ark_eval_is_float(ark_dtype dtype)
{
    return types[dtype].fraction > 0;
}

// To nearest, ties to even, with subnormals; beyond the greatest number infinity.
static double rounded(ark_dtype dtype, double x)
{
    const type_row *const row = &types[dtype];
    if (!isfinite(x) || x == 0) {
        return x;
    }
    int exponent = ilogb(x);
    exponent = exponent < row->least_exponent ? row->least_exponent : exponent;
    const int last = exponent - row->fraction;
    const double near = ldexp(nearbyint(ldexp(x, -last)), last);
    return fabs(near) > row->greatest ? copysign(INFINITY, x) : near;
}

// The low bits of an integer, as one of the type.
static int64_t wrapped(ark_dtype dtype, uint64_t x)
{
    const type_row *const row = &types[dtype];
    const uint64_t values = (uint64_t)(row->high - row->low) + 1;
    const uint64_t low = x & (values - 1);
    return low > (uint64_t)row->high ? (int64_t)low - (int64_t)values : (int64_t)low;
}

// Bits -------------------------------------------------------------------------------------------

static uint32_t bits_at(ark_dtype dtype, const uint8_t *bytes)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < types[dtype].size; i++) {
        bits |= (uint32_t)bytes[i] << (8 * i);
    }
    return bits;
}

static double float_of(ark_dtype dtype, uint32_t bits)
{
    const type_row *const row = &types[dtype];
    const unsigned width = (unsigned)(8 * row->size);
    const uint32_t fraction = bits & ((1U << row->fraction) - 1);
    const uint32_t top = (1U << (width - 1 - (unsigned)row->fraction)) - 1;
    const uint32_t exponent = (bits >> row->fraction) & top;
    const double sign = (bits >> (width - 1)) & 1 ? -1 : 1;
    if (exponent == top) {
        return fraction ? NAN : sign * INFINITY;
    }
    const double digits = (exponent ? 1U << row->fraction : 0) + (double)fraction;
    const int last = row->least_exponent - row->fraction + (exponent ? (int)exponent - 1 : 0);
    return sign * ldexp(digits, last);
}

static uint32_t bits_of(ark_dtype dtype, double x)
{
    const type_row *const row = &types[dtype];
    const unsigned width = (unsigned)(8 * row->size);
    const uint32_t top = (1U << (width - 1 - (unsigned)row->fraction)) - 1;
    const uint32_t sign = signbit(x) ? 1U << (width - 1) : 0;
    if (isnan(x)) {
        return (top << row->fraction) | 1U << (row->fraction - 1);
    }
    if (isinf(x)) {
        return sign | top << row->fraction;
    }
    if (x == 0) {
        return sign;
    }
    int exponent = ilogb(x);
    const bool normal = exponent >= row->least_exponent;
    exponent = normal ? exponent : row->least_exponent;
    const uint32_t digits = (uint32_t)ldexp(fabs(x), row->fraction - exponent);
    const uint32_t biased = normal ? (uint32_t)(exponent - row->least_exponent + 1) : 0;
    return sign | biased << row->fraction | (digits & ((1U << row->fraction) - 1));
}

ark_eval_number ark_eval_load(ark_dtype dtype, const uint8_t *bytes)
{
    const uint32_t bits = bits_at(dtype, bytes);
    return ark_eval_is_float(dtype) ? (ark_eval_number){.real = float_of(dtype, bits), .bits = bits}
                                    : (ark_eval_number){.integer = wrapped(dtype, bits)};
}

void ark_eval_store(ark_dtype dtype, ark_eval_number number, uint8_t *bytes)
{
    const bool is_copy = isnan(number.real) && number.error == 0;
    const uint32_t bits = !ark_eval_is_float(dtype) ? (uint32_t)number.integer
                          : is_copy                 ? number.bits
                                                    : bits_of(dtype, number.real);
    for (size_t i = 0; i < types[dtype].size; i++) {
        bytes[i] = (uint8_t)(bits >> (8 * i));
    }
}

// Errors -----------------------------------------------------------------------------------------

static ark_eval_number unknown(void)
{
    return (ark_eval_number){.error = INFINITY};
}

static ark_eval_number integer(ark_dtype dtype, uint64_t x)
{
    return (ark_eval_number){.integer = wrapped(dtype, x)};
}

// The bound of an operand's value.
static double spread(ark_eval_number x)
{
    return x.error == ARK_EVAL_OPEN_BITS ? 0 : x.error;
}

static bool either_unknown(ark_eval_number x, ark_eval_number y)
{
    return isinf(x.error) || isinf(y.error);
}

// An element of which `x` is the value before rounding, up to `error`.
static ark_eval_number stored(ark_dtype dtype, double x, double error)
{
    ark_eval_number out = {.real = rounded(dtype, x)};
    if (error == 0) {
        out.error = isnan(x) ? ARK_EVAL_OPEN_BITS : 0;
        return out;
    }
    if (!isfinite(x) || !isfinite(error)) {
        return unknown();
    }
    const double low = rounded(dtype, x - error);
    const double high = rounded(dtype, x + error);
    if (low == high) {
        out.error = out.real == 0 ? ARK_EVAL_OPEN_BITS : 0;
    } else if (isfinite(low) && isfinite(high)) {
        out.error = fmax(out.real - low, high - out.real);
    } else {
        out.error = INFINITY;
    }
    return out;
}

// The same of an operator whose operands have open bits, perhaps: the sign of a zero among them.
static ark_eval_number stored_of(ark_dtype dtype, double x, double error, ark_eval_number a,
                                 ark_eval_number b)
{
    ark_eval_number out = stored(dtype, x, error);
    if (out.error == 0 && (a.error > 0 || b.error > 0)) {
        out.error = ARK_EVAL_OPEN_BITS;
    }
    return out;
}

// A unit in the last place of a float32 near x.
static double float_unit(double x)
{
    const int exponent = isfinite(x) && x != 0 ? ilogb(x) : -126;
    return ldexp(1, (exponent < -126 ? -126 : exponent) - 23);
}

// Elements one by one ----------------------------------------------------------------------------

// Of integers to the nearest even one; out of range it saturates, as a cast does (section 5.8).
ark_eval_number ark_eval_constant(ark_dtype dtype, double value)
{
    const type_row *const row = &types[dtype];
    if (ark_eval_is_float(dtype)) {
        return stored(dtype, value, 0);
    }
    return (ark_eval_number){
        .integer = (int64_t)fmin(fmax(nearbyint(value), (double)row->low), (double)row->high)};
}

static ark_eval_number integer_binary(ark_op_type type, ark_dtype dtype, int64_t x, int64_t y)
{
    switch (type) {
    case ARK_ADD:
        return integer(dtype, (uint64_t)x + (uint64_t)y);
    case ARK_SUB:
        return integer(dtype, (uint64_t)x - (uint64_t)y);
    case ARK_MUL:
        return integer(dtype, (uint64_t)x * (uint64_t)y);
    default: // a division by zero is undefined
        return y ? integer(dtype, (uint64_t)(x / y)) : unknown();
    }
}

static ark_eval_number divided(ark_dtype dtype, ark_eval_number x, ark_eval_number y)
{
    const double quotient = x.real / y.real;
    const double ey = spread(y);
    if (fabs(y.real) <= 2 * ey || (y.real == 0 && y.error > 0)) {
        return unknown();
    }
    const double error =
        spread(x) + ey > 0 ? (spread(x) + fabs(quotient) * ey) / (fabs(y.real) - ey) : 0;
    return stored_of(dtype, quotient, error, x, y);
}

ark_eval_number ark_eval_binary(ark_op_type type, ark_dtype dtype, ark_eval_number x,
                                ark_eval_number y)
{
    const double ex = spread(x);
    const double ey = spread(y);
    if (either_unknown(x, y)) {
        return unknown();
    }
    if (!ark_eval_is_float(dtype)) {
        return integer_binary(type, dtype, x.integer, y.integer);
    }
    switch (type) {
    case ARK_ADD:
        return stored_of(dtype, x.real + y.real, ex + ey, x, y);
    case ARK_SUB:
        return stored_of(dtype, x.real - y.real, ex + ey, x, y);
    case ARK_MUL: {
        const bool is_exact = ex == 0 && ey == 0; // else 0 * infinity would count as an error
        const double error = is_exact ? 0 : fabs(x.real) * ey + fabs(y.real) * ex + ex * ey;
        return stored_of(dtype, x.real * y.real, error, x, y);
    }
    default:
        return divided(dtype, x, y);
    }
}

// Gelu by its tanh approximation; (1 + tanh u) / 2 is 1 / (1 + exp(-2 u)), also where tanh u is
// almost -1.
static double gelu(double x)
{
    return x / (1 + exp(-2 * 0.7978845608 * (x + 0.044715 * x * x * x)));
}

static double function(ark_op_type type, double x)
{
    switch (type) {
    case ARK_EXP:
        return exp(x);
    case ARK_SQRT:
        return sqrt(x);
    case ARK_RSQRT:
        return 1 / sqrt(x);
    case ARK_SIGMOID:
        return 1 / (1 + exp(-x));
    default:
        return gelu(x);
    }
}

static ark_eval_number relu(ark_dtype dtype, ark_eval_number x)
{
    if (!ark_eval_is_float(dtype)) {
        return x.integer > 0 ? x : integer(dtype, 0);
    }
    if (isnan(x.real) || x.real + x.error < 0) {
        return (ark_eval_number){.real = 0};
    }
    // Of -0 the sign is open.
    const bool is_negative_zero = x.real == 0 && signbit(x.real);
    return (ark_eval_number){.real = fmax(x.real, 0.0),
                             .error =
                                 is_negative_zero ? fmax(x.error, ARK_EVAL_OPEN_BITS) : x.error};
}

ark_eval_number ark_eval_unary(ark_op_type type, ark_dtype dtype, ark_eval_number x)
{
    // Functions are computed in float32 or wider, within 2 units; a square root exactly. The tail
    // of Gelu has the errors of the constants in float32, too.
    static const double greatest_slope = 1.13;
    if (isinf(x.error)) {
        return unknown();
    }
    if (type == ARK_RELU) {
        return relu(dtype, x);
    }
    const double y = function(type, x.real);
    double error = type == ARK_SQRT || !isfinite(y) ? 0 : 2 * float_unit(y);
    if (type == ARK_GELU && isfinite(y)) {
        error += greatest_slope * spread(x) + fabs(y) * 0x1p-23 * x.real * x.real;
    } else if (spread(x) > 0) {
        const double low = function(type, x.real - spread(x));
        const double high = function(type, x.real + spread(x));
        error += fmax(fabs(y - low), fabs(y - high));
    }
    if (type == ARK_RSQRT && x.real == 0 && x.error > 0) {
        return unknown(); // the sign of the infinity
    }
    return stored_of(dtype, y, isnan(error) ? INFINITY : error, x, x);
}

// Casts ------------------------------------------------------------------------------------------

// Half floats go to 32-bit integers to the nearest even one; all others are cut off. What is out of
// range saturates; narrow integers wrap.
static int64_t integer_of(ark_dtype from, ark_dtype to, double x)
{
    const bool is_narrow = types[to].size == 1;
    const type_row *const row = &types[is_narrow ? ARK_INT32 : to];
    const double near = from == ARK_FP32 || is_narrow ? trunc(x) : nearbyint(x);
    if (isnan(x)) {
        return 0;
    }
    const int64_t value = near < (double)row->low    ? row->low
                          : near > (double)row->high ? row->high
                                                     : (int64_t)near;
    return wrapped(to, (uint64_t)value);
}

ark_eval_number ark_eval_cast(ark_dtype from, ark_dtype to, ark_eval_number x)
{
    if (isinf(x.error)) {
        return unknown();
    }
    if (from == to) {
        return x;
    }
    if (!ark_eval_is_float(from)) {
        return ark_eval_is_float(to) ? stored(to, (double)x.integer, 0)
                                     : integer(to, (uint64_t)x.integer);
    }
    if (ark_eval_is_float(to)) {
        return stored_of(to, x.real, spread(x), x, x);
    }
    // Beyond 32 bits the result depends on what is done first: nothing is defined for it.
    if (types[to].size == 1 && !isnan(x.real) && !(fabs(x.real) + x.error < 0x1p31)) {
        return unknown();
    }
    const int64_t value = integer_of(from, to, x.real);
    return value == integer_of(from, to, x.real - spread(x)) &&
                   value == integer_of(from, to, x.real + spread(x))
               ? (ark_eval_number){.integer = value}
               : unknown();
}

// Folds ------------------------------------------------------------------------------------------

void ark_eval_add(ark_eval_fold *fold, ark_eval_number x)
{
    fold->count++;
    fold->integer += (uint64_t)x.integer;
    fold->sum += x.real;
    fold->error += spread(x);
    fold->size += isfinite(x.real) ? fabs(x.real) : 0;
}

void ark_eval_add_product(ark_eval_fold *fold, ark_eval_number x, ark_eval_number y)
{
    const double ex = spread(x);
    const double ey = spread(y);
    const double product = x.real * y.real;
    fold->count++;
    fold->sum += product;
    fold->error += ex == 0 && ey == 0 ? 0 : fabs(x.real) * ey + fabs(y.real) * ex + ex * ey;
    fold->size += isfinite(product) ? fabs(product) : 0;
}

// The bound of a sum in float32, in whatever order.
static double fold_error(const ark_eval_fold *fold)
{
    const bool overflows = fold->size > 0x1p126;
    const bool is_exact = fold->size == 0 || !isfinite(fold->sum);
    const double own = is_exact ? 0 : (double)(fold->count + 1) * (0x1p-24 * fold->size + 0x1p-149);
    return overflows || isnan(fold->error) ? INFINITY : fold->error + own;
}

ark_eval_number ark_eval_sum(const ark_eval_fold *fold)
{
    if (!ark_eval_is_float(fold->dtype)) {
        return isinf(fold->error) ? unknown() : integer(fold->dtype, fold->integer);
    }
    ark_eval_number out = stored(fold->dtype, fold->sum, fold_error(fold));
    out.error = out.real == 0 ? fmax(out.error, ARK_EVAL_OPEN_BITS) : out.error;
    return out;
}

ark_eval_number ark_eval_mean(const ark_eval_fold *fold)
{
    if (!ark_eval_is_float(fold->dtype)) {
        const ark_eval_number sum = ark_eval_sum(fold);
        return isinf(sum.error) ? sum : integer(fold->dtype, (uint64_t)(sum.integer / fold->count));
    }
    const double n = rounded(fold->dtype, (double)fold->count);
    const double mean = fold->sum / n;
    const double error = fold_error(fold) / n + (isfinite(mean) ? float_unit(mean) : 0);
    ark_eval_number out = stored(fold->dtype, mean, error);
    out.error = out.real == 0 ? fmax(out.error, ARK_EVAL_OPEN_BITS) : out.error;
    return out;
}

ark_eval_number ark_eval_lowest(ark_dtype dtype)
{
    return ark_eval_is_float(dtype) ? (ark_eval_number){.real = -types[dtype].greatest}
                                    : (ark_eval_number){.integer = types[dtype].low};
}

ark_eval_number ark_eval_greater(ark_dtype dtype, ark_eval_number x, ark_eval_number y)
{
    if (either_unknown(x, y)) {
        return unknown();
    }
    if (!ark_eval_is_float(dtype)) {
        return x.integer > y.integer ? x : y;
    }
    ark_eval_number out = {.real = fmax(x.real, y.real), .error = fmax(x.error, y.error)};
    out.error = out.real == 0 ? fmax(out.error, ARK_EVAL_OPEN_BITS) : out.error;
    return out;
}

// Comparison -------------------------------------------------------------------------------------

bool ark_eval_allows(ark_dtype dtype, ark_eval_number expected, const uint8_t *bytes)
{
    uint8_t own[4];
    if (isinf(expected.error)) {
        return true;
    }
    ark_eval_store(dtype, expected, own);
    if (memcmp(own, bytes, types[dtype].size) == 0) {
        return true;
    }
    const double found = ark_eval_load(dtype, bytes).real;
    return ark_eval_is_float(dtype) && expected.error > 0 &&
           ((isnan(found) && isnan(expected.real)) ||
            fabs(found - expected.real) <= expected.error);
}
