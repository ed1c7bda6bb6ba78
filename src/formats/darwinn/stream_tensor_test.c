// Loop nests: the worked example of darwinn reference section 16.1, products, wrapping.
#include "formats/darwinn/stream_tensor.h"
#include "testing/test.h"

typedef struct tensor {
    uint8_t bytes[DWN_MAX_WORDS * DWN_WORD_SIZE];
} tensor;

static hoist_bytes bytes_of(const tensor *x)
{
    return (hoist_bytes){x->bytes, sizeof(x->bytes)};
}

static void set(tensor *x, size_t row, size_t index, int64_t bits)
{
    dwn_field_store(&dwn_tensor_rows[row], (hoist_mut_bytes){x->bytes, sizeof(x->bytes)}, index,
                    (uint32_t)bits);
}

// Counts and strides as increments: what is added when the loops inside have wrapped.
static void set_loops(tensor *x, dwn_traversal_id id, const int64_t (*loops)[2], size_t count)
{
    int64_t wrapped = 0;
    for (size_t k = 0; k < count; k++) {
        set(x, dwn_traversals[id].count, k, loops[k][0] - 1);
        set(x, dwn_traversals[id].increment, k, loops[k][1] - wrapped);
        wrapped += (loops[k][0] - 1) * loops[k][1];
    }
    for (size_t k = count; k < DWN_LOOPS; k++) { // as compilers do: their stride is 0
        set(x, dwn_traversals[id].increment, k, -wrapped);
    }
}

// MobileNet 0.25, word 335: depthwise 3x3 on 64x64x8, tiles of 16x16 pixels with a halo.
static tensor depthwise(void)
{
    static const int64_t a[][2] = {{3, 2}, {3, 36}, {16, 2}, {16, 36}, {2, 1}};
    static const int64_t b[][2] = {{256, 2}, {2, 1}};
    static const int64_t c[][2] = {{9, 4}, {256, 0}, {2, 36}};
    tensor x = {{0}};
    set(&x, DWN_TENSOR_MODE, 0, 0x1878);
    set(&x, DWN_TENSOR_MASTER, 0, 9 - 1);
    set(&x, DWN_TENSOR_MASTER, 1, 256 - 1);
    set(&x, DWN_TENSOR_MASTER, 2, 2 - 1);
    set(&x, DWN_TENSOR_REDUCTION, 0, 1);
    set(&x, DWN_TENSOR_FULL_ROWS, 0, 4 - 1);
    set_loops(&x, DWN_TRAVERSAL_A, a, HOIST_COUNT_OF(a));
    set_loops(&x, DWN_TRAVERSAL_B, b, HOIST_COUNT_OF(b));
    set_loops(&x, DWN_TRAVERSAL_C, c, HOIST_COUNT_OF(c));
    set_loops(&x, DWN_TRAVERSAL_D, c, HOIST_COUNT_OF(c));
    return x;
}

HOIST_TEST(strides_follow_from_increments)
{
    static const int64_t want[][2] = {{3, 2}, {3, 36}, {16, 2}, {16, 36}, {2, 1}, {1, 0}, {1, 0}};
    tensor x = depthwise();
    set(&x, DWN_TENSOR_A_BASE, 0, 0xffff);
    set(&x, DWN_TENSOR_A_FLAGS, 3, 2);
    const dwn_traversal a = dwn_traversal_of(bytes_of(&x), DWN_TRAVERSAL_A);
    HOIST_EXPECT_EQ(t, a.base, 0xffff);
    HOIST_EXPECT_EQ(t, dwn_traversal_used(&a), 5);
    for (size_t k = 0; k < 5; k++) {
        HOIST_EXPECT_EQ(t, a.loops[k].count, want[k][0]);
        HOIST_EXPECT_EQ(t, a.loops[k].stride, want[k][1]);
        HOIST_EXPECT_EQ(t, a.loops[k].flags, k == 3 ? 2 : 0);
    }
    HOIST_EXPECT_EQ(t, a.loops[1].increment, 36 - 2 * 2);
    HOIST_EXPECT_EQ(t, dwn_master_used(bytes_of(&x)), 3);
    const tensor empty = {{0}};
    const dwn_traversal none = dwn_traversal_of(bytes_of(&empty), DWN_TRAVERSAL_D);
    HOIST_EXPECT_EQ(t, dwn_traversal_used(&none), 0);
    HOIST_EXPECT_EQ(t, dwn_master_used(bytes_of(&empty)), 0);
}

// Early compilers use eight loops: MobileNet v2, word 411, on two groups of channels.
HOIST_TEST(eight_loops_are_read)
{
    static const int64_t a[][2] = {{4, 1},  {1, 4},    {1, 112},  {1, 4},
                                   {28, 4}, {28, 112}, {1, 3136}, {2, 0}};
    static const uint32_t master[] = {4, 1, 1, 1, 28, 28, 1, 2};
    tensor x = {{0}};
    for (size_t k = 0; k < DWN_MASTER_LOOPS; k++) {
        set(&x, DWN_TENSOR_MASTER, k, master[k] - 1);
    }
    set_loops(&x, DWN_TRAVERSAL_A, a, DWN_LOOPS);
    HOIST_EXPECT_EQ(t, dwn_master_used(bytes_of(&x)), 8);
    HOIST_EXPECT_EQ(t, dwn_master_product(bytes_of(&x), DWN_MASTER_ALL), 4 * 28 * 28 * 2);
    HOIST_EXPECT_EQ(t, dwn_traversal_product(bytes_of(&x), DWN_TRAVERSAL_A), 4 * 28 * 28 * 2);
    const dwn_traversal read = dwn_traversal_of(bytes_of(&x), DWN_TRAVERSAL_A);
    HOIST_EXPECT_EQ(t, dwn_traversal_used(&read), 8);
    HOIST_EXPECT_EQ(t, read.loops[7].count, 2);
    HOIST_EXPECT_EQ(t, read.loops[7].stride, 0);
    HOIST_EXPECT_EQ(t, read.loops[7].flags, 0);
}

HOIST_TEST(parameters_have_a_signed_base)
{
    tensor x = {{0}};
    set(&x, DWN_TENSOR_C_BASE, 0, 0xfffc);
    HOIST_EXPECT_EQ(t, dwn_traversal_of(bytes_of(&x), DWN_TRAVERSAL_C).base, -4);
    HOIST_EXPECT_EQ(t, dwn_traversal_of(bytes_of(&x), DWN_TRAVERSAL_D).base, 0);
}

static const struct {
    const char *name;
    dwn_traversal_id id;
    uint64_t found;
    uint64_t expected;
} products[] = {
    // clang-format off
    {"input",      DWN_TRAVERSAL_A, 4608, 4608},
    {"output",     DWN_TRAVERSAL_B, 512,  512},
    {"parameters", DWN_TRAVERSAL_C, 4608, 4608},
    {"operand",    DWN_TRAVERSAL_D, 4608, 4608},
    // clang-format on
};

HOIST_TEST_TABLE(counts_agree_with_the_master_loops, products)
{
    const tensor x = depthwise();
    HOIST_EXPECT_EQ(t, dwn_traversal_product(bytes_of(&x), row->id), row->found);
    HOIST_EXPECT_EQ(t, dwn_traversal_expected(bytes_of(&x), row->id), row->expected);
    HOIST_EXPECT(t, dwn_traversal_is_bound(bytes_of(&x), DWN_OP_TENSOR, row->id));
    HOIST_EXPECT(t, dwn_traversals[row->id].name && dwn_traversals[row->id].title);
}

HOIST_TEST(rows_of_a_group_are_stored_by_four)
{
    tensor x = depthwise();
    set(&x, DWN_TENSOR_FULL_ROWS, 0, 63);
    HOIST_EXPECT_EQ(t, dwn_traversal_expected(bytes_of(&x), DWN_TRAVERSAL_B), 512 * 16);
    set(&x, DWN_TENSOR_FULL_ROWS, 0, 4); // five
    HOIST_EXPECT_EQ(t, dwn_traversal_expected(bytes_of(&x), DWN_TRAVERSAL_B), 512 * 2);
}

static const struct {
    const char *name;
    uint32_t mode;
    uint32_t high;
    uint8_t opcode;
    bool a;
    bool b;
} bounds[] = {
    // clang-format off
    {"with parameters",  0x1878, 0x437f0000, 0x01, true,  true},
    {"moves data",       0x0030, 0x7f800000, 0x01, true,  false},
    {"average pool",     0x1870, 0x437f0000, 0x01, true,  false},
    {"addition",         0x00b0, 0x437f0000, 0x01, false, false},
    {"maximum",          0x0030, 0x7f800000, 0x02, false, false},
    {"upsampling",       0x18b0, 0x437f0000, 0x05, false, false},
    // clang-format on
};

HOIST_TEST_TABLE(only_what_is_known_is_asked, bounds)
{
    tensor x = {{0}};
    set(&x, DWN_TENSOR_MODE, 0, row->mode);
    set(&x, DWN_TENSOR_HIGH, 0, row->high);
    HOIST_EXPECT_EQ(t, dwn_traversal_is_bound(bytes_of(&x), row->opcode, DWN_TRAVERSAL_A), row->a);
    HOIST_EXPECT_EQ(t, dwn_traversal_is_bound(bytes_of(&x), row->opcode, DWN_TRAVERSAL_B), row->b);
    HOIST_EXPECT_EQ(t, dwn_traversal_is_bound(bytes_of(&x), row->opcode, DWN_TRAVERSAL_D), row->a);
}

HOIST_TEST(huge_counts_do_no_harm)
{
    tensor x;
    for (size_t i = 0; i < sizeof(x.bytes); i++) {
        x.bytes[i] = 0xff;
    }
    HOIST_EXPECT(t, dwn_traversal_product(bytes_of(&x), DWN_TRAVERSAL_A) == UINT64_MAX);
    HOIST_EXPECT(t, dwn_traversal_expected(bytes_of(&x), DWN_TRAVERSAL_A) == UINT64_MAX);
    HOIST_EXPECT_EQ(t, dwn_traversal_expected(bytes_of(&x), DWN_TRAVERSAL_B), 16);
    const dwn_traversal a = dwn_traversal_of(bytes_of(&x), DWN_TRAVERSAL_A);
    HOIST_EXPECT_EQ(t, dwn_traversal_used(&a), DWN_LOOPS);
    HOIST_EXPECT_EQ(t, a.loops[6].count, 0x40000);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(strides_follow_from_increments),
                HOIST_TEST_ROW(eight_loops_are_read), HOIST_TEST_ROW(parameters_have_a_signed_base),
                HOIST_TEST_ROW(counts_agree_with_the_master_loops),
                HOIST_TEST_ROW(rows_of_a_group_are_stored_by_four),
                HOIST_TEST_ROW(only_what_is_known_is_asked), HOIST_TEST_ROW(huge_counts_do_no_harm))
