// hoist run: compares the elements of an output with those expected: largest differences, elements
// beyond the tolerance, Pearson correlation. Pure functions of float arrays; run_expect.c has the
// files.
#include <math.h>
#include <string.h>

#include "run.h"

// Elements of a block float that share an exponent, along a row.
enum { BLOCK = 16 };

// Elements that tests of netlists correlate at a time.
enum { SLICE = 1024 };

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// Of the block of `at`: blocks begin at multiples of BLOCK in a row, and the last of a row may
// be shorter.
static double largest_of_block(const float *expected, size_t at, size_t count, size_t columns)
{
    const size_t column = at % columns;
    const size_t begin = at - column % BLOCK;
    size_t size = columns - (column - column % BLOCK);
    size = size < BLOCK ? size : BLOCK;
    double largest = 0;
    for (size_t i = begin; i < begin + size && i < count; i++) {
        largest = larger(largest, isfinite(expected[i]) ? fabs((double)expected[i]) : 0);
    }
    return largest;
}

typedef struct comparing {
    run_pair pair;
    const hoist_dtype_info *info;
    bool by_block; // one step of the block is allowed
    bool exact;
    bool by_test; // as tests of netlists compare
    double atol, rtol;
} comparing;

static bool same_bits(float a, float b)
{
    uint32_t x = 0;
    uint32_t y = 0;
    memcpy(&x, &a, sizeof(x));
    memcpy(&y, &b, sizeof(y));
    return x == y;
}

// Whether element `at` is as expected; its difference for the maxima, 0 where it has none.
static bool is_close(const comparing *c, size_t at, double *out_difference)
{
    const float found = c->pair.found[at];
    const float expected = c->pair.expected[at];
    *out_difference = 0;
    // Infinities of one sign have the same bits and are equal here. 0 and -0 are not, but their
    // difference is 0.
    if (same_bits(found, expected) || (isnan(found) && isnan(expected) && !c->exact)) {
        return true;
    }
    if (!isfinite(found) || !isfinite(expected)) {
        // One is finite and the other not, or both are NaN or infinities that differ: never
        // close.
        return !c->exact && found == expected;
    }
    *out_difference = fabs((double)found - (double)expected);
    if (c->exact) {
        return false;
    }
    const double size = fabs((double)expected);
    double allowed = c->atol + c->rtol * (c->by_test ? larger(size, fabs((double)found)) : size);
    if (c->by_block) {
        // Values of a block share its exponent, so all of them are rounded to this step; a
        // small value next to a large one may be a full step off.
        // The weight of the last bit of a block whose largest element this is.
        const double largest =
            largest_of_block(c->pair.expected, at, c->pair.count, c->pair.columns);
        int exponent = 0;
        (void)frexp(largest, &exponent); // largest is in [2^(exponent - 1), 2^exponent)
        allowed = largest == 0 ? 0 : ldexp(1, exponent - c->info->mantissa_bits);
    }
    return *out_difference <= allowed;
}

// Pearson's correlation. False when a side is constant, empty or not finite.
// Two passes, in double: the usual one-pass formula loses all digits where the mean is large. A
// constant side gives 0 / 0, which is not finite.
static bool correlate(const comparing *c, double *out_pcc)
{
    double mean_found = 0;
    double mean_expected = 0;
    for (size_t i = 0; i < c->pair.count; i++) {
        mean_found += (double)c->pair.found[i] / (double)c->pair.count;
        mean_expected += (double)c->pair.expected[i] / (double)c->pair.count;
    }
    double both = 0;
    double found = 0;
    double expected = 0;
    for (size_t i = 0; i < c->pair.count; i++) {
        const double f = (double)c->pair.found[i] - mean_found;
        const double e = (double)c->pair.expected[i] - mean_expected;
        both += f * e;
        found += f * f;
        expected += e * e;
    }
    *out_pcc = both / sqrt(found) / sqrt(expected);
    return isfinite(*out_pcc);
}

// The least correlation of SLICE elements each, of those that have one.
// A tensor that is right on the whole and wrong in one part passes a single correlation; the
// tests of netlists therefore look at SLICE elements each.
static bool correlate_slices(const comparing *c, double *out_pcc)
{
    bool known = false;
    for (size_t at = 0; at < c->pair.count; at += SLICE) {
        comparing slice = *c;
        double pcc = 0;
        slice.pair.found += at;
        slice.pair.expected += at;
        slice.pair.count = c->pair.count - at < SLICE ? c->pair.count - at : SLICE;
        if (correlate(&slice, &pcc)) {
            *out_pcc = !known || pcc < *out_pcc ? pcc : *out_pcc;
            known = true;
        }
    }
    return known;
}

// All elements are counted also after the first one that differs: the report has their number
// and the largest difference.
static void measure(const comparing *c, run_comparison *result)
{
    for (size_t i = 0; i < c->pair.count; i++) {
        double difference = 0;
        result->differing += !is_close(c, i, &difference);
        if (difference > result->max_abs) {
            result->max_abs = difference;
            result->max_at = i;
        }
        const double size = fabs((double)c->pair.expected[i]);
        result->max_rel = larger(result->max_rel, size > 0 ? difference / size : 0);
    }
}

void run_compare_floats(const run_pair *pair, const run_limits *limits, run_comparison *out_result)
{
    *out_result = (run_comparison){.same_shape = true, .elements = pair->count};
    comparing c = {.pair = *pair,
                   .info = hoist_dtype_get(pair->declared),
                   .exact = limits->exact,
                   .by_test = pair->by_test};
    const bool asked = limits->atol >= 0 || limits->rtol >= 0;
    // What the type allows where the user does not say.
    // A little more than one rounding step of the type, by the bits of its mantissa: float32
    // (23), float16 and tf32 (10), bfloat16 (7) and less.
    const hoist_dtype_info *const info = c.info;
    if (info->kind == HOIST_CLASS_FLOAT && info->mantissa_bits > 10) {
        c.atol = 1e-6;
        c.rtol = 1e-5;
    } else if (info->kind == HOIST_CLASS_FLOAT) {
        c.atol = c.rtol = info->mantissa_bits > 7 ? 1e-3 : 1e-2;
    } else if (info->kind != HOIST_CLASS_BLOCK && info->bits == 8) {
        c.atol = 1; // a step of a quantised integer
    }
    // One of the two alone makes the other 0, as in numpy.isclose() with both given.
    if (asked) {
        c.atol = limits->atol >= 0 ? limits->atol : 0;
        c.rtol = limits->rtol >= 0 ? limits->rtol : 0;
    }
    c.by_block = !asked && c.info->kind == HOIST_CLASS_BLOCK;
    measure(&c, out_result);
    out_result->pcc_known =
        pair->by_test ? correlate_slices(&c, &out_result->pcc) : correlate(&c, &out_result->pcc);
    const bool by_pcc = limits->pcc >= 0 && out_result->pcc_known;
    // --pcc alone is about the correlation only; without a correlation (a constant side) the
    // elements decide.
    const bool by_elements = asked || limits->exact || !by_pcc;
    const double differing = (double)out_result->differing;
    const double most = pair->by_test ? (1 - pair->share) * (double)pair->count : 0;
    out_result->passed =
        (!by_elements || differing <= most) && (!by_pcc || out_result->pcc >= limits->pcc);
}
