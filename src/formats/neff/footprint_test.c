// Sets of bytes: patterns against a set, also against every byte tried one by one.
#include "base/alloc.h"
#include "formats/neff/footprint.h"
#include "testing/test.h"

enum { MAX_DIMS = 3 };

typedef struct shape {
    int64_t offset;
    uint8_t dims;
    int64_t sizes[MAX_DIMS];
    int64_t steps[MAX_DIMS];
} shape;

// clang-format off
static const struct {
    const char *name;
    shape put;
    shape ask;
    bool inside;     // both are patterns in the window
    uint32_t common; // NEFF_NONE: none
} cases[] = {
    {"same byte",         {7, 1, {1}, {1}},               {7, 1, {1}, {1}},               true,  7},
    {"neighbours",        {7, 1, {1}, {1}},               {8, 1, {1}, {1}},               true,  NEFF_NONE},
    {"across words",      {60, 1, {8}, {1}},              {67, 1, {4}, {1}},              true,  67},
    {"behind a word",     {60, 1, {8}, {1}},              {68, 1, {4}, {1}},              true,  NEFF_NONE},
    {"columns apart",     {0, 2, {4, 128}, {1, 262144}},  {4, 2, {4, 128}, {1, 262144}},  true,  NEFF_NONE},
    {"columns meet",      {0, 2, {4, 128}, {1, 262144}},  {3 + 262144, 1, {9}, {1}},      true,  262147},
    {"other partitions",  {0, 2, {4, 64}, {1, 262144}},   {16777216, 2, {4, 64}, {1, 262144}}, true, NEFF_NONE},
    {"partitions meet",   {0, 2, {4, 64}, {1, 262144}},   {16515074, 2, {4, 64}, {1, 262144}}, true, 16515074},
    {"rows of columns",   {0, 3, {4, 8, 128}, {1, 16, 262144}}, {1310772, 3, {4, 8, 2}, {1, 16, 262144}}, true, NEFF_NONE},
    {"rows meet",         {0, 3, {4, 8, 128}, {1, 16, 262144}}, {1310771, 1, {1}, {1}},   true,  1310771},
    {"over the end of a partition", {262140, 1, {8}, {1}}, {262147, 1, {1}, {1}},         true,  262147},
    {"not in the one before", {262140, 1, {8}, {1}},      {3, 1, {1}, {1}},               true,  NEFF_NONE},
    {"over several",      {10, 1, {600000}, {1}},         {600009, 1, {2}, {1}},          true,  600009},
    {"beside several",    {10, 1, {600000}, {1}},         {5, 1, {5}, {1}},               true,  NEFF_NONE},
    {"odd and even",      {0, 1, {100}, {2}},             {1, 1, {100}, {2}},             true,  NEFF_NONE},
    {"by 2 and by 3",     {1, 1, {100}, {2}},             {0, 1, {100}, {3}},             true,  3},
    {"backwards",         {99, 1, {100}, {-1}},           {0, 1, {1}, {1}},               true,  0},
    {"in place",          {5, 2, {2, 1000000}, {1, 0}},   {6, 1, {1}, {1}},               true,  6},
    {"another column of all", {0x37ff8, 2, {8, 128}, {1, 262144}}, {0, 3, {8, 100, 128}, {1, 16, 262144}}, true, NEFF_NONE},
    {"the column of all", {0x37ff8, 2, {8, 128}, {1, 262144}}, {0x37ff0, 3, {4, 4, 2}, {1, 6, 262144}}, true, 0x37ff8},
    {"across partitions", {0x3fff8, 1, {16}, {1}},        {0x80003, 1, {3}, {-262144}},   true,  0x40003},
    {"last byte",         {0x1ffffff, 1, {1}, {1}},       {0x1fffff0, 1, {16}, {1}},      true,  0x1ffffff},
    {"behind the window", {0x2000000, 1, {1}, {1}},       {0, 1, {1}, {1}},               false, 0},
    {"before it",         {3, 1, {5}, {-1}},              {0, 1, {1}, {1}},               false, 0},
    {"overflow",          {0, 1, {INT64_MAX}, {INT64_MAX}}, {0, 1, {1}, {1}},             false, 0},
    {"no dimension",      {0, 0, {0}, {0}},               {0, 1, {1}, {1}},               false, 0},
    {"size 0",            {0, 1, {0}, {1}},               {0, 1, {1}, {1}},               false, 0},
};
// clang-format on

// An engine whose numbers are those of one shape.
static bool runs_of(const shape *s, neff_runs *out_runs)
{
    int64_t numbers[2 * MAX_DIMS];
    for (int i = 0; i < MAX_DIMS; i++) {
        numbers[i] = s->sizes[i];
        numbers[MAX_DIMS + i] = s->steps[i];
    }
    const neff_engine engine = {.numbers = numbers, .number_count = HOIST_COUNT_OF(numbers)};
    const neff_pattern pattern = {.offset = s->offset,
                                  .sizes = 0,
                                  .steps = MAX_DIMS,
                                  .size_count = s->dims,
                                  .step_count = s->dims,
                                  .present = NEFF_HAS_SIZES | NEFF_HAS_STEPS};
    return neff_window_runs(&engine, &pattern, out_runs);
}

HOIST_TEST_TABLE(patterns_meet, cases)
{
    neff_runs put;
    neff_runs ask;
    neff_footprint set;
    uint32_t byte = 0;
    HOIST_EXPECT_EQ(t, runs_of(&row->put, &put) && runs_of(&row->ask, &ask), row->inside);
    if (!row->inside) {
        return;
    }
    HOIST_EXPECT_EQ(t, neff_footprint_init(&set, hoist_allocator_system()), HOIST_OK);
    HOIST_EXPECT_EQ(t, neff_footprint_meets(&set, &ask, &byte), HOIST_OK);
    HOIST_EXPECT_EQ(t, byte, NEFF_NONE);
    HOIST_EXPECT_EQ(t, neff_footprint_add(&set, &put), HOIST_OK);
    HOIST_EXPECT_EQ(t, neff_footprint_meets(&set, &ask, &byte), HOIST_OK);
    HOIST_EXPECT_EQ(t, byte, row->common);
    neff_footprint_deinit(&set);
}

// Random shapes lie in SPAN bytes of the window from BASE on, over the end of a page and of a
// partition.
enum { SMALL = 512, SPAN = 2 * SMALL };
static const int64_t BASE = NEFF_PARTITION_STRIDE - SMALL / 2;

static shape random_shape(uint64_t *state)
{
    shape s = {.offset = BASE + SMALL / 2 + (int64_t)(hoist_test_random(state) % (SMALL / 2))};
    s.dims = (uint8_t)(1 + hoist_test_random(state) % MAX_DIMS);
    for (int i = 0; i < s.dims; i++) {
        s.sizes[i] = (int64_t)(1 + hoist_test_random(state) % 5);
        s.steps[i] = (int64_t)(hoist_test_random(state) % 41) - 20;
    }
    return s;
}

// Marks every byte that the shape touches.
static void mark(const shape *s, bool *bytes)
{
    int64_t count = 1;
    for (int i = 0; i < s->dims; i++) {
        count *= s->sizes[i];
    }
    for (int64_t k = 0; k < count; k++) {
        int64_t at = s->offset - BASE;
        int64_t rest = k;
        for (int i = 0; i < s->dims; i++) {
            at += rest % s->sizes[i] * s->steps[i];
            rest /= s->sizes[i];
        }
        bytes[at] = true;
    }
}

// Puts two random shapes into a set, one after the other, and takes them over: its bytes are those
// of the shapes, and a third one meets it where they have a byte in common.
HOIST_TEST(sets_are_those_of_single_bytes)
{
    uint64_t state = 4;
    for (int round = 0; round < HOIST_TEST_ROUNDS(2000); round++) {
        bool put[SPAN] = {false};
        bool asked[SPAN] = {false};
        neff_runs runs;
        neff_footprint all;
        neff_footprint own;
        HOIST_EXPECT_EQ(t, neff_footprint_init(&all, hoist_allocator_system()), HOIST_OK);
        HOIST_EXPECT_EQ(t, neff_footprint_init(&own, hoist_allocator_system()), HOIST_OK);
        for (int i = 0; i < 2; i++) {
            const shape s = random_shape(&state);
            mark(&s, put);
            HOIST_EXPECT(t, runs_of(&s, &runs));
            HOIST_EXPECT_EQ(t, neff_footprint_add(&own, &runs), HOIST_OK);
            neff_footprint_take(&all, &own);
        }
        const shape ask = random_shape(&state);
        mark(&ask, asked);
        uint32_t count = 0;
        bool meets = false;
        for (int i = 0; i < SPAN; i++) {
            count += put[i];
            meets = meets || (put[i] && asked[i]);
        }
        uint32_t byte = 0;
        HOIST_EXPECT(t, runs_of(&ask, &runs));
        HOIST_EXPECT_EQ(t, neff_footprint_meets(&own, &runs, &byte), HOIST_OK);
        HOIST_EXPECT_EQ(t, byte, NEFF_NONE);
        HOIST_EXPECT_EQ(t, neff_footprint_meets(&all, &runs, &byte), HOIST_OK);
        HOIST_EXPECT_EQ(t, byte != NEFF_NONE, meets);
        HOIST_EXPECT(t, !meets || (put[byte - BASE] && asked[byte - BASE]));
        HOIST_EXPECT_EQ(t, neff_footprint_count(&all, 0) + neff_footprint_count(&all, 1), count);
        neff_footprint_deinit(&all);
        neff_footprint_deinit(&own);
    }
}

HOIST_TEST(long_runs_cost_more)
{
    neff_footprint set;
    HOIST_EXPECT_EQ(t, neff_footprint_init(&set, hoist_allocator_system()), HOIST_OK);
    set.budget = 520;
    HOIST_EXPECT_EQ(t, neff_footprint_range(&set, 0, (uint32_t)NEFF_PARTITION_STRIDE), HOIST_OK);
    HOIST_EXPECT_EQ(t, set.budget, 520 - 513);
    HOIST_EXPECT_EQ(t, neff_footprint_range(&set, 0, (uint32_t)NEFF_PARTITION_STRIDE), HOIST_LIMIT);
    HOIST_EXPECT_EQ(t, neff_footprint_count(&set, 0), (uint32_t)NEFF_PARTITION_STRIDE);
    HOIST_EXPECT_EQ(t, neff_footprint_count(&set, 1), 0);
    neff_footprint_deinit(&set);
}

HOIST_TEST(a_page_that_cannot_be_had)
{
    hoist_budget budget = {.parent = hoist_allocator_system(),
                           .limit = NEFF_PAGE_COUNT * sizeof(uint64_t *)};
    neff_footprint set;
    HOIST_EXPECT_EQ(t, neff_footprint_init(&set, hoist_budget_allocator(&budget)), HOIST_OK);
    HOIST_EXPECT_EQ(t, neff_footprint_range(&set, 5, 3), HOIST_NO_MEMORY);
    neff_footprint_deinit(&set);
    HOIST_EXPECT_EQ(t, budget.used, 0);
}

HOIST_TEST(walking_has_a_budget)
{
    neff_runs runs;
    neff_footprint set;
    uint32_t byte = 0;
    HOIST_EXPECT(t, runs_of(&(shape){0, 1, {9}, {2}}, &runs));
    HOIST_EXPECT_EQ(t, neff_footprint_init(&set, hoist_allocator_system()), HOIST_OK);
    set.budget = 10;
    HOIST_EXPECT_EQ(t, neff_footprint_add(&set, &runs), HOIST_OK);
    HOIST_EXPECT_EQ(t, neff_footprint_meets(&set, &runs, &byte), HOIST_OK); // the first one meets
    HOIST_EXPECT_EQ(t, neff_footprint_add(&set, &runs), HOIST_LIMIT);
    HOIST_EXPECT_EQ(t, neff_footprint_meets(&set, &runs, &byte), HOIST_LIMIT);
    // The rest of its partitions is not walked.
    HOIST_EXPECT(t, runs_of(&(shape){400, 1, {9}, {2}}, &runs));
    HOIST_EXPECT_EQ(t, neff_footprint_meets(&set, &runs, &byte), HOIST_OK);
    HOIST_EXPECT_EQ(t, byte, NEFF_NONE);
    neff_footprint_deinit(&set);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(patterns_meet), HOIST_TEST_ROW(sets_are_those_of_single_bytes),
                HOIST_TEST_ROW(walking_has_a_budget), HOIST_TEST_ROW(long_runs_cost_more),
                HOIST_TEST_ROW(a_page_that_cannot_be_had))
