#include <string.h>

#include "formats/neff/pattern.h"
#include "testing/test.h"

static neff_access access_of(int64_t offset, uint32_t dims, const int64_t *sizes,
                             const int64_t *steps)
{
    return (neff_access){offset, dims, sizes, steps};
}

// Extents and counts -----------------------------------------------------------------------------

static const struct {
    const char *name;
    int64_t offset;
    uint32_t dims;
    int64_t sizes[4];
    int64_t steps[4];
    int64_t low;
    int64_t high;
    bool exact;
    uint64_t bytes; // 0: more than 64 bits hold
    uint64_t entries;
} extents[] = {
    {"A1 strided gather", 1, 2, {2, 3}, {1, 4}, 1, 11, true, 6, 3},
    {"A2 reversed rows", 8, 2, {4, 3}, {1, -4}, 0, 12, true, 12, 3},
    {"A3 broadcast", 2, 2, {2, 3}, {1, 0}, 2, 4, true, 6, 3},
    {"A8 partitions", 64, 2, {4, 2}, {1, 262144}, 64, 262212, true, 8, 2},
    {"one byte", -3, 1, {1}, {INT64_MAX}, -3, -2, true, 1, 1},
    {"entries of 64 KiB", 0, 1, {65537}, {1}, 0, 65537, true, 65537, 2},
    {"the last byte of 64 bits",
     0,
     1,
     {INT64_MAX},
     {1},
     0,
     INT64_MAX,
     true,
     INT64_MAX,
     UINT64_C(1) << 47},
    {"a product that overflows",
     0,
     2,
     {2, INT64_MAX},
     {1, 2},
     0,
     INT64_MAX,
     false,
     UINT64_C(2) * INT64_MAX,
     INT64_MAX},
    {"one that overflows downwards", 5, 2, {1, 3}, {1, INT64_MIN}, INT64_MIN + 5, 6, false, 3, 3},
    {"terms that overflow together",
     0,
     2,
     {INT64_MAX, 2},
     {1, INT64_MAX},
     0,
     INT64_MAX,
     false,
     UINT64_C(2) * INT64_MAX,
     UINT64_C(1) << 48},
    {"an offset that overflows", INT64_MAX, 1, {2}, {1}, INT64_MAX, INT64_MAX, false, 2, 1},
    {"a negative one", INT64_MIN, 2, {1, 2}, {1, -1}, INT64_MIN, INT64_MIN + 1, false, 2, 2},
    {"uncountable bytes",
     0,
     3,
     {1 << 30, INT64_C(1) << 40, 1},
     {0, 0, 0},
     0,
     1,
     true,
     0,
     UINT64_C(1) << 54},
    {"uncountable entries", 0, 3, {1, INT64_MAX, 4}, {0, 0, 0}, 0, 1, true, 0, UINT64_MAX},
};

HOIST_TEST_TABLE(extents_and_counts, extents)
{
    const neff_access a = access_of(row->offset, row->dims, row->sizes, row->steps);
    const neff_extent extent = neff_access_extent(&a);
    uint64_t bytes = 0;
    HOIST_EXPECT_EQ(t, extent.low, row->low);
    HOIST_EXPECT_EQ(t, extent.high, row->high);
    HOIST_EXPECT_EQ(t, extent.exact, row->exact);
    HOIST_EXPECT_EQ(t, neff_access_bytes(&a, &bytes), row->bytes != 0);
    HOIST_EXPECT_EQ(t, bytes, row->bytes);
    HOIST_EXPECT_EQ(t, neff_access_entries(&a), row->entries);
    const bool within = row->exact && row->low >= 0;
    HOIST_EXPECT_EQ(t, neff_access_within(&a, row->high), within);
    HOIST_EXPECT(t, !neff_access_within(&a, row->high - 1));
}

// Patterns of descriptors ------------------------------------------------------------------------

static const struct {
    const char *name;
    uint8_t present;
    uint8_t sizes;
    uint8_t steps;
    int64_t first; // of the sizes
    uint32_t dims;
} patterns[] = {
    {"sizes and steps", NEFF_HAS_SIZES | NEFF_HAS_STEPS, 2, 2, 1, 2},
    {"eight dimensions", NEFF_HAS_SIZES | NEFF_HAS_STEPS, 8, 8, 1, 8},
    {"nine", NEFF_HAS_SIZES | NEFF_HAS_STEPS, 9, 9, 1, 0},
    {"none", NEFF_HAS_SIZES | NEFF_HAS_STEPS, 0, 0, 1, 0},
    {"no steps", NEFF_HAS_SIZES, 2, 2, 1, 0},
    {"no sizes", NEFF_HAS_STEPS, 2, 2, 1, 0},
    {"different lengths", NEFF_HAS_SIZES | NEFF_HAS_STEPS, 2, 3, 1, 0},
    {"a size of 0", NEFF_HAS_SIZES | NEFF_HAS_STEPS, 2, 2, 0, 0},
    {"a size below 0", NEFF_HAS_SIZES | NEFF_HAS_STEPS, 2, 2, -1, 0},
};

HOIST_TEST_TABLE(access_of_a_pattern, patterns)
{
    int64_t numbers[24];
    for (size_t i = 0; i < HOIST_COUNT_OF(numbers); i++) {
        numbers[i] = (int64_t)i;
    }
    numbers[3] = row->first;
    const neff_engine engine = {.numbers = numbers, .number_count = HOIST_COUNT_OF(numbers)};
    const neff_pattern pattern = {.sizes = 3,
                                  .steps = 12,
                                  .size_count = row->sizes,
                                  .step_count = row->steps,
                                  .present = row->present,
                                  .offset = 7};
    const neff_access a = neff_access_of(&engine, &pattern);
    HOIST_EXPECT_EQ(t, a.dims, row->dims);
    HOIST_EXPECT_EQ(t, a.offset, 7);
    if (row->dims) {
        HOIST_EXPECT_EQ(t, a.sizes[1], 4);
        HOIST_EXPECT_EQ(t, a.steps[1], 13);
    }
}

// Sets against enumeration -----------------------------------------------------------------------

enum { ROOM = 512 };

typedef struct pattern_case {
    int64_t sizes[3];
    int64_t steps[3];
    neff_access access;
    bool bytes[ROOM]; // that it has
    size_t count;
} pattern_case;

static void enumerate(pattern_case *p, int64_t *out_low, int64_t *out_high)
{
    const neff_access *a = &p->access;
    int64_t index[3] = {0};
    *out_low = INT64_MAX;
    *out_high = INT64_MIN;
    p->count = 0;
    memset(p->bytes, 0, sizeof(p->bytes));
    for (uint32_t d = 0; d < a->dims;) {
        int64_t at = a->offset;
        for (uint32_t i = 0; i < a->dims; i++) {
            at += index[i] * a->steps[i];
        }
        *out_low = at < *out_low ? at : *out_low;
        *out_high = at + 1 > *out_high ? at + 1 : *out_high;
        p->count++;
        if (at >= 0 && at < ROOM) {
            p->bytes[at] = true;
        }
        for (d = 0; d < a->dims && ++index[d] == a->sizes[d]; d++) {
            index[d] = 0;
        }
    }
}

static void draw(uint64_t *state, pattern_case *p)
{
    static const int64_t usual[] = {0, 1, 2, 3, 4, 6, 8, 16, 24, 32, -1, -2, -8, 7, 5};
    p->access = (neff_access){
        .dims = 1 + (uint32_t)(hoist_test_random(state) % 3), .sizes = p->sizes, .steps = p->steps};
    for (uint32_t i = 0; i < p->access.dims; i++) {
        p->sizes[i] = 1 + (int64_t)(hoist_test_random(state) % 6);
        p->steps[i] = usual[hoist_test_random(state) % HOIST_COUNT_OF(usual)];
    }
    const neff_extent extent = neff_access_extent(&p->access);
    p->access.offset = -extent.low + (int64_t)(hoist_test_random(state) % 24);
}

static bool runs_have(const neff_runs *runs, uint32_t dims, int64_t at)
{
    if (dims == 0) {
        return at >= runs->low && at < runs->low + runs->run;
    }
    for (int64_t i = 0; i < runs->counts[dims - 1]; i++) {
        if (runs_have(runs, dims - 1, at - i * runs->steps[dims - 1])) {
            return true;
        }
    }
    return false;
}

static void expect_set(hoist_test *t, pattern_case *p)
{
    int64_t low = 0;
    int64_t high = 0;
    uint64_t bytes = 0;
    neff_runs runs;
    enumerate(p, &low, &high);
    const neff_extent extent = neff_access_extent(&p->access);
    HOIST_EXPECT_EQ(t, extent.low, low);
    HOIST_EXPECT_EQ(t, extent.high, high);
    HOIST_EXPECT(t, neff_access_bytes(&p->access, &bytes) && bytes == p->count);
    HOIST_EXPECT(t, neff_access_runs(&p->access, &runs));
    for (int64_t i = 0; i < ROOM; i++) {
        HOIST_EXPECT_EQ(t, runs_have(&runs, runs.dims, i), p->bytes[i]);
    }
    for (uint32_t i = 0; i < runs.dims; i++) {
        HOIST_EXPECT(t, runs.counts[i] > 1);
        HOIST_EXPECT(t, runs.steps[i] > (i ? runs.steps[i - 1] : runs.run));
    }
}

HOIST_TEST(sets_and_overlaps_are_those_of_enumeration)
{
    uint64_t state = 1;
    size_t found[2] = {0};
    for (size_t round = 0; round < HOIST_TEST_ROUNDS(4000); round++) {
        static pattern_case a;
        static pattern_case b;
        draw(&state, &a);
        draw(&state, &b);
        expect_set(t, &a);
        expect_set(t, &b);
        bool meet = false;
        for (size_t i = 0; i < ROOM; i++) {
            meet = meet || (a.bytes[i] && b.bytes[i]);
        }
        found[meet]++;
        HOIST_EXPECT_EQ(t, neff_access_overlap(&a.access, &b.access),
                        meet ? NEFF_OVERLAP : NEFF_APART);
    }
    HOIST_EXPECT(t, found[0] > 0 && found[1] > 0);
}

// Overlaps of large patterns ---------------------------------------------------------------------

static const struct {
    const char *name;
    int64_t offsets[2];
    uint32_t dims[2];
    int64_t sizes[2][3];
    int64_t steps[2][3];
    neff_overlap overlap;
} overlaps[] = {
    {"ranges side by side", {0, 8}, {1, 1}, {{8}, {8}}, {{1}, {1}}, NEFF_APART},
    {"ranges with a common byte", {0, 7}, {1, 1}, {{8}, {8}}, {{1}, {1}}, NEFF_OVERLAP},
    {"columns of partitions side by side",
     {0, 512},
     {2, 2},
     {{512, 128}, {512, 128}},
     {{1, 262144}, {1, 262144}},
     NEFF_APART},
    {"columns with a common byte",
     {0, 511 + INT64_C(262144) * 5},
     {2, 2},
     {{512, 128}, {512, 4}},
     {{1, 262144}, {1, 262144}},
     NEFF_OVERLAP},
    {"columns of other partitions",
     {0, INT64_C(262144) * 64},
     {2, 2},
     {{512, 64}, {512, 64}},
     {{1, 262144}, {1, 262144}},
     NEFF_APART},
    {"every other row", {0, 4}, {2, 2}, {{4, 100000}, {4, 100000}}, {{1, 8}, {1, 8}}, NEFF_APART},
    {"a range between rows", {0, 4}, {2, 1}, {{4, 100000}, {4}}, {{1, 8}, {1}}, NEFF_APART},
    {"a range across rows", {0, 804}, {2, 1}, {{4, 100000}, {5}}, {{1, 8}, {1}}, NEFF_OVERLAP},
    {"a broadcast", {3, 3}, {2, 1}, {{1, INT64_MAX}, {1}}, {{1, 0}, {1}}, NEFF_OVERLAP},
    {"entangled steps that never meet",
     {0, 1},
     {2, 2},
     {{1, 1 << 20}, {1, 1 << 20}},
     {{1, 6}, {1, 10}},
     NEFF_MAY_OVERLAP},
    {"before the variable and behind its start",
     {-8, 0},
     {1, 1},
     {{16}, {16}},
     {{1}, {1}},
     NEFF_MAY_OVERLAP},
    {"before the variable, and apart", {-8, 8}, {1, 1}, {{16}, {8}}, {{1}, {1}}, NEFF_APART},
    {"beyond 64 bits", {0, 8}, {2, 1}, {{1, 3}, {8}}, {{1, INT64_MAX}, {1}}, NEFF_MAY_OVERLAP},
};

HOIST_TEST_TABLE(overlaps_of_large_patterns, overlaps)
{
    const neff_access a = access_of(row->offsets[0], row->dims[0], row->sizes[0], row->steps[0]);
    const neff_access b = access_of(row->offsets[1], row->dims[1], row->sizes[1], row->steps[1]);
    HOIST_EXPECT_EQ(t, neff_access_overlap(&a, &b), row->overlap);
    HOIST_EXPECT_EQ(t, neff_access_overlap(&b, &a), row->overlap);
    HOIST_EXPECT(t, neff_access_equal(&a, &a) && !neff_access_equal(&a, &b));
}

// Numbers near the limits of 64 bits --------------------------------------------------------------

static int64_t extreme(uint64_t *state, bool positive)
{
    const uint64_t random = hoist_test_random(state);
    const int64_t base = random % 3 == 0 ? INT64_MAX : (int64_t)1 << (random / 3 % 63);
    const int64_t near = base - (int64_t)(hoist_test_random(state) % 3);
    return positive ? (near < 1 ? 1 : near) : random % 5 == 0 ? -near : near;
}

// Nothing overflows, which the sanitizer would report, and overlaps have no order.
HOIST_TEST(numbers_near_the_limits)
{
    uint64_t state = 7;
    for (size_t round = 0; round < HOIST_TEST_ROUNDS(20000); round++) {
        int64_t sizes[2][3];
        int64_t steps[2][3];
        neff_access access[2];
        for (size_t side = 0; side < 2; side++) {
            for (size_t i = 0; i < 3; i++) {
                sizes[side][i] = extreme(&state, true);
                steps[side][i] = extreme(&state, false);
            }
            const uint32_t dims = 1 + (uint32_t)(hoist_test_random(&state) % 3);
            const int64_t offset =
                round % 3 ? extreme(&state, false) % 1000 : extreme(&state, false);
            access[side] = access_of(offset, dims, sizes[side], steps[side]);
            uint64_t bytes = 0;
            neff_runs runs;
            const bool counted = neff_access_bytes(&access[side], &bytes);
            HOIST_EXPECT(t, !counted || bytes >= neff_access_entries(&access[side]));
            const bool within = neff_access_within(&access[side], INT64_MAX);
            HOIST_EXPECT_EQ(t, neff_access_runs(&access[side], &runs), within);
        }
        const neff_overlap overlap = neff_access_overlap(&access[0], &access[1]);
        HOIST_EXPECT_EQ(t, neff_access_overlap(&access[1], &access[0]), overlap);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(extents_and_counts), HOIST_TEST_ROW(access_of_a_pattern),
                HOIST_TEST_ROW(sets_and_overlaps_are_those_of_enumeration),
                HOIST_TEST_ROW(overlaps_of_large_patterns), HOIST_TEST_ROW(numbers_near_the_limits))
