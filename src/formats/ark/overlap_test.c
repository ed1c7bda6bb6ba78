// Overlap of tensors against marks of all their bytes: chosen ones, then random ones.
#include "formats/ark/overlap.h"
#include "testing/test.h"

enum { MAX_BYTES = 4096 };

// A tensor of elements of `size` bytes.
static ark_value make(int rank, const int64_t *shape, const int64_t *dims, const int64_t *offsets,
                      int64_t size)
{
    ark_value v = {.valid = true, .rank = rank, .count = 1};
    int64_t stride = size;
    for (int k = rank - 1; k >= 0; k--) {
        v.shape[k] = shape[k];
        v.dims[k] = dims[k];
        v.offsets[k] = offsets[k];
        v.stride[k] = stride;
        v.offset += (uint64_t)(offsets[k] * stride);
        v.end += (uint64_t)((offsets[k] + shape[k] - 1) * stride);
        v.count *= (uint64_t)shape[k];
        stride *= dims[k];
    }
    v.end += (uint64_t)size;
    return v;
}

static void mark(const ark_value *v, uint8_t *marks, uint8_t bit)
{
    for (uint64_t i = 0; i < v->count; i++) {
        uint64_t rest = i;
        uint64_t at = v->offset;
        for (int k = v->rank - 1; k >= 0; k--) {
            at += rest % (uint64_t)v->shape[k] * (uint64_t)v->stride[k];
            rest /= (uint64_t)v->shape[k];
        }
        for (int64_t b = 0; b < v->stride[v->rank - 1]; b++) {
            marks[at + (uint64_t)b] |= bit;
        }
    }
}

static void compare(hoist_test *t, const ark_value *a, const ark_value *b)
{
    uint8_t marks[MAX_BYTES] = {0};
    mark(a, marks, 1);
    mark(b, marks, 2);
    bool both = false;
    bool same = true;
    for (size_t i = 0; i < MAX_BYTES; i++) {
        both = both || marks[i] == 3;
        same = same && (marks[i] == 0 || marks[i] == 3);
    }
    HOIST_EXPECT_EQ(t, ark_values_overlap(a, b), both ? ARK_OVERLAP : ARK_APART);
    HOIST_EXPECT_EQ(t, ark_values_overlap(b, a), both ? ARK_OVERLAP : ARK_APART);
    HOIST_EXPECT_EQ(t, ark_values_coincide(a, b), same);
}

// splitmix64, below `end`.
static int64_t draw(uint64_t *state, int64_t end)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return (int64_t)((z ^ (z >> 31)) % (uint64_t)end);
}

static ark_value random_value(uint64_t *state)
{
    static const int64_t sizes[] = {1, 2, 4};
    int64_t shape[ARK_MAX_RANK];
    int64_t dims[ARK_MAX_RANK];
    int64_t offsets[ARK_MAX_RANK];
    const int rank = 1 + (int)draw(state, ARK_MAX_RANK);
    for (int k = 0; k < rank; k++) {
        dims[k] = 1 + draw(state, 5);
        shape[k] = 1 + draw(state, dims[k]);
        offsets[k] = draw(state, dims[k] - shape[k] + 1);
    }
    return make(rank, shape, dims, offsets, sizes[draw(state, 3)]);
}

HOIST_TEST(random_tensors)
{
    uint64_t state = 1;
    for (int i = 0; i < HOIST_TEST_ROUNDS(3000); i++) {
        const ark_value a = random_value(&state);
        const ark_value b = random_value(&state);
        compare(t, &a, &b);
    }
}

HOIST_TEST(other_buffers)
{
    const int64_t n[] = {4};
    const int64_t at[] = {0};
    const ark_value a = make(1, n, n, at, 4);
    ark_value b = a;
    HOIST_EXPECT_EQ(t, ark_values_overlap(&a, &b), ARK_OVERLAP);
    b.memory = 1;
    HOIST_EXPECT_EQ(t, ark_values_overlap(&a, &b), ARK_APART);
}

// Columns that interleave: as boxes of one array, and in more pieces than are compared.
HOIST_TEST(many_pieces)
{
    const int64_t columns[] = {INT64_C(1) << 40, 1};
    const int64_t array[] = {INT64_C(1) << 40, 2};
    const int64_t left[] = {0, 0};
    const int64_t right[] = {0, 1};
    const ark_value a = make(2, columns, array, left, 4);
    const ark_value b = make(2, columns, array, right, 4);
    HOIST_EXPECT_EQ(t, ark_values_overlap(&a, &b), ARK_APART);
    const int64_t bytes[] = {INT64_C(1) << 40, 4};
    const int64_t wide[] = {INT64_C(1) << 40, 8};
    const int64_t at[] = {0, 4};
    const ark_value c = make(2, bytes, wide, at, 1);
    HOIST_EXPECT_EQ(t, ark_values_overlap(&a, &c), ARK_OVERLAP_UNKNOWN);
    HOIST_EXPECT_EQ(t, ark_values_overlap(&b, &c), ARK_OVERLAP);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(random_tensors), HOIST_TEST_ROW(other_buffers),
                HOIST_TEST_ROW(many_pieces))
