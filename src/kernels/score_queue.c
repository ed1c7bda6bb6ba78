// A heap of numbers (score_queue.h). A number rises past those of lower scores; the hole that the
// first one leaves sinks to the end, past the right one of two that are equal, and the last number
// rises from there (Floyd's variant of heapsort).
#include "kernels/score_queue.h"

#include "base/assert.h"
#include "base/reader.h"

int32_t hoist_score_queue_at(const hoist_score_queue *q, int64_t place)
{
    return (int32_t)hoist_load_u32le(q->items + place * q->stride);
}

void hoist_score_queue_put(hoist_score_queue *q, int64_t place, int32_t number)
{
    hoist_store_u32le(q->items + place * q->stride, (uint32_t)number);
}

// The score of the number at a place.
static float score_at(const hoist_score_queue *q, int64_t place)
{
    return q->score(q->of, hoist_score_queue_at(q, place));
}

// Puts a number where it belongs between `place` and the root.
static void rise(hoist_score_queue *q, int64_t place, int32_t number)
{
    const float score = q->score(q->of, number);
    while (place > 0 && score_at(q, (place - 1) / 2) < score) {
        hoist_score_queue_put(q, place, hoist_score_queue_at(q, (place - 1) / 2));
        place = (place - 1) / 2;
    }
    hoist_score_queue_put(q, place, number);
}

void hoist_score_queue_push(hoist_score_queue *q, int32_t number)
{
    rise(q, q->count++, number);
}

int32_t hoist_score_queue_pop(hoist_score_queue *q)
{
    HOIST_ASSERT(q->count > 0);
    const int32_t first = hoist_score_queue_at(q, 0);
    const int32_t last = hoist_score_queue_at(q, --q->count);
    int64_t hole = 0;
    // With one child only, that is the left one.
    for (int64_t right = 2; right <= q->count; right = 2 * hole + 2) {
        const bool is_left = right == q->count || score_at(q, right) < score_at(q, right - 1);
        const int64_t child = is_left ? right - 1 : right;
        hoist_score_queue_put(q, hole, hoist_score_queue_at(q, child));
        hole = child;
    }
    rise(q, hole, last);
    return first;
}
