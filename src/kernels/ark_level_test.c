// Rows of the profile ark that go element by element, at every CPU level, against their definition,
// bit for bit: every type and pair of types, random shapes, strides of 0, backwards and with gaps,
// starts that are not aligned, in place, units in pieces.
#include "kernels/ark_elements.h"
#include "kernels/ark_random_testing.h"

static ark_tensor a, b, y;

static const struct {
    const char *name;
    hoist_compute_op op;
    size_t inputs;
    size_t types; // the first of `ark_types`
} rows[] = {
    {"add", HOIST_ARK_ADD, 2, ARK_TYPES},           {"subtract", HOIST_ARK_SUBTRACT, 2, ARK_TYPES},
    {"multiply", HOIST_ARK_MULTIPLY, 2, ARK_TYPES}, {"divide", HOIST_ARK_DIVIDE, 2, ARK_TYPES},
    {"exp", HOIST_ARK_EXP, 1, ARK_FLOATS},          {"sqrt", HOIST_ARK_SQRT, 1, ARK_FLOATS},
    {"rsqrt", HOIST_ARK_RSQRT, 1, ARK_FLOATS},      {"gelu", HOIST_ARK_GELU, 1, ARK_FLOATS},
    {"relu", HOIST_ARK_RELU, 1, ARK_TYPES},         {"sigmoid", HOIST_ARK_SIGMOID, 1, ARK_FLOATS},
    {"rope", HOIST_ARK_ROPE, 2, ARK_FLOATS},
};

// A shape of up to four dimensions and at most 5,000 elements; rows of pairs for rope.
static hoist_shape random_shape(hoist_compute_op op, uint32_t *state)
{
    static const int64_t dims[] = {1, 2, 3, 5, 16, 17, 33, 700};
    hoist_shape shape = {.rank = (int)(ark_next(state) % 5)};
    shape.rank += shape.rank == 0 && op == HOIST_ARK_ROPE;
    int64_t count = 1;
    for (int i = shape.rank - 1; i >= 0; i--) {
        const int64_t dim = dims[ark_next(state) % HOIST_COUNT_OF(dims)];
        shape.dim[i] = count * dim <= 5000 ? dim : 1;
        shape.dim[i] *= i == shape.rank - 1 && op == HOIST_ARK_ROPE ? 2 : 1;
        count *= shape.dim[i];
    }
    return shape;
}

// A view of the shape: with or without gaps, dimensions backwards, those of inputs stretched, now
// and then none adjacent, or from a byte on that no element is aligned to.
static hoist_view random_view(hoist_test *t, ark_tensor *x, const hoist_shape *shape, bool is_input,
                              uint32_t *state)
{
    int64_t strides[HOIST_MAX_RANK] = {0};
    int64_t offset = ark_next(state) % 5;
    int64_t step = ark_next(state) % 8 == 0 ? 2 : 1;
    const uint32_t gaps = ark_next(state) % 2;
    const bool turns = ark_next(state) % 4 == 0;
    for (int i = shape->rank - 1; i >= 0; i--) {
        const bool stretched = is_input && ark_next(state) % 4 == 0;
        const bool is_back = turns && ark_next(state) % 2 == 0;
        strides[i] = stretched ? 0 : is_back ? -step : step;
        offset += strides[i] < 0 ? step * (shape->dim[i] - 1) : 0;
        step *= stretched ? 1 : shape->dim[i];
        step += gaps ? ark_next(state) % 3 : 0;
    }
    hoist_view view = ark_view(t, x, shape, offset, strides);
    view.offset += ark_next(state) % 4 == 0;
    return view;
}

static void expect_same(hoist_test *t, hoist_compute_op op, size_t inputs, uint32_t *state)
{
    const hoist_shape shape = random_shape(op, state);
    hoist_view views[3];
    const hoist_view to = random_view(t, &y, &shape, false, state);
    views[0] = random_view(t, &a, &shape, true, state);
    views[1] = random_view(t, &b, &shape, true, state);
    if (ark_next(state) % 4 == 0 && a.dtype == y.dtype) {
        views[ark_next(state) % inputs] = to;
    }
    views[inputs] = to;
    const hoist_compute_call call = {.op = op, .views = views, .input_count = inputs};
    ark_expect_defined(t, &call, ark_define, &y, state);
}

HOIST_TEST_TABLE(as_defined, rows)
{
    for (size_t n = 0; n < row->types; n++) {
        uint32_t state = (uint32_t)row->op;
        ark_fill_any(&a, ark_types[n], &state);
        ark_fill_any(&b, ark_types[n], &state);
        ark_fill_any(&y, ark_types[n], &state);
        for (int i = 0; i < HOIST_TEST_ROUNDS(60); i++) {
            expect_same(t, row->op, row->inputs, &state);
        }
    }
}

HOIST_TEST(casts_as_defined)
{
    uint32_t state = 1;
    for (size_t from = 0; from < ARK_TYPES; from++) {
        for (size_t to = 0; to < ARK_TYPES; to++) {
            ark_fill_any(&a, ark_types[from], &state);
            ark_fill_any(&y, ark_types[to], &state);
            for (int i = 0; i < HOIST_TEST_ROUNDS(18); i++) {
                expect_same(t, HOIST_ARK_CAST, 1, &state);
            }
        }
    }
}

// All numbers of 16 bits, in two ways: as floats and as what integers of 32 bits round to.
HOIST_TEST(casts_of_all_16_bits)
{
    const hoist_shape shape = {1, {ARK_MOST}};
    uint32_t state = 1;
    for (size_t from = 1; from < ARK_TYPES; from++) {
        for (size_t to = 0; to < ARK_TYPES; to++) {
            ark_begin(&a, ark_types[from], ARK_MOST);
            ark_begin(&y, ark_types[to], ARK_MOST);
            for (size_t i = 0; i < ARK_MOST; i++) {
                const uint32_t bits = (uint32_t)i;
                ark_set(&a, i, a.size < 4 ? bits : bits << (bits % 17) ^ bits >> 9);
            }
            const hoist_view views[] = {ark_view(t, &a, &shape, 0, NULL),
                                        ark_view(t, &y, &shape, 0, NULL)};
            const hoist_compute_call call = {
                .op = HOIST_ARK_CAST, .views = views, .input_count = 1};
            ark_expect_defined(t, &call, ark_define, &y, &state);
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(as_defined), HOIST_TEST_ROW(casts_as_defined),
                HOIST_TEST_ROW(casts_of_all_16_bits))
