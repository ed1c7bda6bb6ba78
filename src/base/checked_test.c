#include "base/checked.h"
#include "testing/test.h"

typedef enum operation { ADD, MUL, ALIGN } operation;

// clang-format off
static const struct {
    const char *name;
    operation op;
    uint64_t a;
    uint64_t b;
    bool overflows;
    uint64_t wanted;
} unsigned_cases[] = {
    {"0 + 0",             ADD, 0, 0, false, 0},
    {"max + 0",           ADD, UINT64_MAX, 0, false, UINT64_MAX},
    {"max - 1 + 1",       ADD, UINT64_MAX - 1, 1, false, UINT64_MAX},
    {"max + 1",           ADD, UINT64_MAX, 1, true, 0},
    {"1 + max",           ADD, 1, UINT64_MAX, true, 0},
    {"half + half",       ADD, UINT64_C(1) << 63, UINT64_C(1) << 63, true, 0},
    {"0 * max",           MUL, 0, UINT64_MAX, false, 0},
    {"1 * max",           MUL, 1, UINT64_MAX, false, UINT64_MAX},
    {"2^32 * 2^31",       MUL, UINT64_C(1) << 32, UINT64_C(1) << 31, false, UINT64_C(1) << 63},
    {"2^32 * 2^32",       MUL, UINT64_C(1) << 32, UINT64_C(1) << 32, true, 0},
    {"3 * max/2",         MUL, 3, UINT64_MAX / 2, true, 0},
    {"align 0",           ALIGN, 0, 32, false, 0},
    {"align 1",           ALIGN, 1, 32, false, 32},
    {"align 32",          ALIGN, 32, 32, false, 32},
    {"align 33",          ALIGN, 33, 32, false, 64},
    {"align to 1",        ALIGN, 33, 1, false, 33},
    {"align to 3",        ALIGN, 10, 3, false, 12},
    {"align max to 1",    ALIGN, UINT64_MAX, 1, false, UINT64_MAX},
    {"align max to 16",   ALIGN, UINT64_MAX, 16, true, 0},
    {"align max-15",      ALIGN, UINT64_MAX - 15, 16, false, UINT64_MAX - 15},
};
// clang-format on

HOIST_TEST_TABLE(of_offsets, unsigned_cases)
{
    static bool (*const operations[])(uint64_t *, uint64_t, uint64_t) = {
        [ADD] = hoist_ckd_add, [MUL] = hoist_ckd_mul, [ALIGN] = hoist_ckd_align};
    uint64_t got = 77;
    HOIST_EXPECT_EQ(t, operations[row->op](&got, row->a, row->b), row->overflows);
    HOIST_EXPECT_EQ(t, got, row->wanted);
}

static const struct {
    const char *name;
    operation op;
    int64_t a;
    int64_t b;
    bool overflows;
    int64_t wanted;
} signed_cases[] = {
    {"max + 1", ADD, INT64_MAX, 1, true, 0},
    {"min + -1", ADD, INT64_MIN, -1, true, 0},
    {"max + min", ADD, INT64_MAX, INT64_MIN, false, -1},
    {"min + 0", ADD, INT64_MIN, 0, false, INT64_MIN},
    {"min * -1", MUL, INT64_MIN, -1, true, 0},
    {"-1 * min", MUL, -1, INT64_MIN, true, 0},
    {"min * 1", MUL, INT64_MIN, 1, false, INT64_MIN},
    {"2^32 * -2^31", MUL, INT64_C(1) << 32, -(INT64_C(1) << 31), false, INT64_MIN},
    {"2^32 * 2^31", MUL, INT64_C(1) << 32, INT64_C(1) << 31, true, 0},
    {"-3 * -4", MUL, -3, -4, false, 12},
};

HOIST_TEST_TABLE(of_counts, signed_cases)
{
    int64_t got = 77;
    const bool overflows = row->op == ADD ? hoist_ckd_add_i64(&got, row->a, row->b)
                                          : hoist_ckd_mul_i64(&got, row->a, row->b);
    HOIST_EXPECT_EQ(t, overflows, row->overflows);
    HOIST_EXPECT_EQ(t, got, row->wanted);
}

HOIST_TEST(of_memory)
{
    size_t got = 77;
    HOIST_EXPECT(t, !hoist_ckd_size_mul(&got, SIZE_MAX, 1));
    HOIST_EXPECT_EQ(t, got, SIZE_MAX);
    HOIST_EXPECT(t, hoist_ckd_size_mul(&got, SIZE_MAX / 2 + 1, 2));
    HOIST_EXPECT_EQ(t, got, 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(of_offsets), HOIST_TEST_ROW(of_counts), HOIST_TEST_ROW(of_memory))
