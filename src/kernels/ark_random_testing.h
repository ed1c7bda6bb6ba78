// kernels/ark_random_testing.h - tensors of random numbers of every type of the profile ark, and
// calls compared with their definition at every CPU level, for tests.
#ifndef HOIST_SRC_KERNELS_ARK_RANDOM_TESTING_H
#define HOIST_SRC_KERNELS_ARK_RANDOM_TESTING_H

#include "kernels/ark_definition_testing.h"
#include "kernels/ark_testing.h"

static const hoist_dtype ark_types[] = {HOIST_DTYPE_F32, HOIST_DTYPE_F16, HOIST_DTYPE_BF16,
                                        HOIST_DTYPE_I32, HOIST_DTYPE_U32, HOIST_DTYPE_I8,
                                        HOIST_DTYPE_U8};
enum { ARK_TYPES = HOIST_COUNT_OF(ark_types), ARK_FLOATS = 3 }; // floats first

static inline uint32_t ark_next(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

// Numbers of any bits, and many of those that functions and casts take apart.
static inline void ark_fill_any(ark_tensor *x, hoist_dtype dtype, uint32_t *state)
{
    static const double special[] = {0,    -0.0, 1,     -1,     INFINITY, -INFINITY,  NAN,
                                     -NAN, 88,   -104,  1e-40,  65520,    2147483648, -2147483648.0,
                                     0.5,  2.5,  -0.75, 0x1p32, 16777217, 300.75,     -300.75};
    ark_begin(x, dtype, ARK_MOST);
    for (size_t i = 0; i < x->count; i++) {
        const uint32_t kind = ark_next(state) % 4;
        const double number = kind == 0 ? special[ark_next(state) % HOIST_COUNT_OF(special)]
                                        : ((double)ark_next(state) - 0x1p23) * 0x1p-18;
        const uint32_t any = ark_next(state) << 12 ^ ark_next(state);
        ark_set(x, i, kind == 1 ? any : ark_bits(dtype, number));
    }
}

// The call at a level, its units in pieces.
static inline void ark_run_pieces(hoist_test *t, const hoist_compute_call *call,
                                  const hoist_compute_kernels *kernels, uint32_t *state)
{
    const size_t units = hoist_compute_work(call);
    for (size_t at = 0; at < units;) {
        hoist_compute_fault fault;
        const size_t piece = 1 + ark_next(state) % 4;
        const size_t end = at + piece < units ? at + piece : units;
        HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, call, at, end, &fault), HOIST_OK);
        at = end;
    }
}

// The call as a line by its form, where its parts are those of one dimension: whether it did. There
// is a form for rows that are reduced, and for elements without gaps or one that stands for all.
static inline bool ark_run_form(hoist_test *t, const hoist_compute_call *call,
                                const hoist_compute_kernels *kernels)
{
    const hoist_view *views = call->views;
    const int rank = views[0].shape.rank;
    hoist_compute_form form;
    hoist_compute_line line = {.count = (size_t)(rank > 0 ? views[0].shape.dim[0] : 0)};
    bool expected = call->op != HOIST_ARK_ROPE;
    if (hoist_compute_lead(call->op, &call->attrs, rank) != 1) {
        return false;
    }
    for (size_t i = 0; i <= call->input_count; i++) {
        const int64_t size = (int64_t)hoist_dtype_get(views[i].dtype)->bits / 8;
        line.at[i] = views[i].memory.data + views[i].offset;
        line.step[i] = views[i].stride[0];
        expected = expected && (rank > 1 || line.step[i] == size ||
                                (line.step[i] == 0 && i < call->input_count));
    }
    // Of sums along another dimension than the last a part has several elements.
    if (hoist_compute_get(call->op)->parts == HOIST_PARTS_AXIS && rank != 2) {
        return false;
    }
    HOIST_EXPECT_EQ(t, hoist_compute_form_of(kernels, call, line.step, &form), expected);
    if (expected) {
        form.run(&form, &line);
    }
    return expected;
}

typedef void ark_definition(const hoist_compute_call *call);

// Every level gives `y`, the tensor of the output, the bytes that the definition gives it.
static inline void ark_expect_defined(hoist_test *t, const hoist_compute_call *call,
                                      ark_definition *define, ark_tensor *y, uint32_t *state)
{
    static uint8_t before[sizeof y->bytes];
    static uint8_t expected[sizeof y->bytes];
    memcpy(before, y->bytes, sizeof before);
    define(call);
    memcpy(expected, y->bytes, sizeof before);
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        memcpy(y->bytes, before, sizeof before);
        ark_run_pieces(t, call, hoist_compute_kernels_at(level), state);
        HOIST_EXPECT(t, memcmp(y->bytes, expected, sizeof before) == 0);
        memcpy(y->bytes, before, sizeof before);
        if (ark_run_form(t, call, hoist_compute_kernels_at(level))) {
            HOIST_EXPECT(t, memcmp(y->bytes, expected, sizeof before) == 0);
        }
    }
}

#endif // HOIST_SRC_KERNELS_ARK_RANDOM_TESTING_H
