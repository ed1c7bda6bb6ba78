// Numbers by falling score, and the order of equal ones: that of std::priority_queue of GNU's C++
// library 12, written down by a program that used it.
#include "base/reader.h"
#include "kernels/score_queue.h"
#include "testing/test.h"

enum { MOST = 16, GAP = 8 };

static float score_of(const void *of, int32_t number)
{
    return ((const float *)of)[number];
}

static const struct {
    const char *name;
    int32_t count;
    float scores[MOST];
    int32_t order[MOST];
} queues[] = {
    {"one", 1, {1}, {0}},
    {"rising", 4, {1, 2, 3, 4}, {3, 2, 1, 0}},
    {"falling", 5, {5, 4, 3, 2, 1}, {0, 1, 2, 3, 4}},
    {"two that are equal", 2, {1, 1}, {0, 1}},
    {"three that are equal", 3, {1, 1, 1}, {0, 1, 2}},
    {"all are equal", 8, {1, 1, 1, 1, 1, 1, 1, 1}, {0, 2, 6, 5, 7, 4, 1, 3}},
    {"some are equal", 10, {2, 3, 2, 3, 1, 3, 2, 1, 3, 2}, {1, 5, 3, 8, 6, 2, 9, 0, 7, 4}},
};

HOIST_TEST_TABLE(orders, queues)
{
    uint8_t memory[MOST * GAP];
    hoist_score_queue q = {.items = memory, .stride = GAP, .score = score_of, .of = row->scores};
    for (int32_t i = 0; i < row->count; i++) {
        hoist_score_queue_push(&q, i);
    }
    for (int32_t i = 0; i < row->count; i++) {
        HOIST_EXPECT_EQ(t, q.count, row->count - i);
        HOIST_EXPECT_EQ(t, hoist_score_queue_pop(&q), row->order[i]);
    }
    HOIST_EXPECT_EQ(t, q.count, 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(orders))
