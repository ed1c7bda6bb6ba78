// kernels/score_queue.h - numbers by falling score: a binary heap in memory of the caller.
//
// Numbers of equal scores come in the order that std::priority_queue of GNU's C++ library gives
// them, because the decoders of others are built with it.
#ifndef HOIST_SRC_KERNELS_SCORE_QUEUE_H
#define HOIST_SRC_KERNELS_SCORE_QUEUE_H

#include "hoist/base.h"

// The score of a number, never NaN.
typedef float hoist_score_fn(const void *of, int32_t number);

typedef struct hoist_score_queue {
    uint8_t *items; // borrowed; int32, little endian
    int64_t stride; // bytes from one to the next
    int64_t count;
    hoist_score_fn *score;
    const void *of; // passed to `score`
} hoist_score_queue;

// The number at a place of the memory, and puts one there.
int32_t hoist_score_queue_at(const hoist_score_queue *q, int64_t place);
void hoist_score_queue_put(hoist_score_queue *q, int64_t place, int32_t number);

// Adds a number; the memory has space for it.
void hoist_score_queue_push(hoist_score_queue *q, int32_t number);
// Takes the number of the greatest score out of a queue that is not empty. The place at the new
// count is free then.
int32_t hoist_score_queue_pop(hoist_score_queue *q);

#endif // HOIST_SRC_KERNELS_SCORE_QUEUE_H
