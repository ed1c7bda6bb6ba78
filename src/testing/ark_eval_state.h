// testing/ark_eval_state.h - what the files of the evaluator share: tensors as blocks of elements.
#ifndef HOIST_SRC_TESTING_ARK_EVAL_STATE_H
#define HOIST_SRC_TESTING_ARK_EVAL_STATE_H

#include "testing/ark_eval.h"

enum { ARK_EVAL_DIMS = 4 };

// All elements of a tensor, or a result, in C order of its four dimensions (section 4: ones are put
// before those that it has).
typedef struct ark_eval_block {
    ark_dtype dtype;
    size_t rank; // dimensions that the tensor has
    int64_t shape[ARK_EVAL_DIMS];
    size_t count;
    ark_eval_number *items;
} ark_eval_block;

// A message: the elements that were sent, where they belong, and when.
struct ark_eval_message {
    ark_eval_message *next;
    size_t source, destination;
    int64_t tag;
    bool is_put; // no operator of the destination receives it
    bool is_over;
    uint32_t syncs;  // that the source had passed
    size_t position; // of the operator, in the source
    ark_eval_block data;
    const ark_tensor *target; // geometry in the destination's buffer; NULL: the receiver's
};

// ark_eval.c: memory.
void *ark_eval_array(ark_eval *eval, size_t count, size_t size);
ark_eval_block ark_eval_block_of(ark_eval *eval, const ark_tensor *tensor);
// All elements of a tensor of a rank's memory.
ark_eval_block ark_eval_read(ark_eval *eval, const ark_tensor *tensor,
                             const ark_eval_memory *memory);
void ark_eval_write(const ark_eval_block *block, const ark_tensor *tensor, ark_eval_memory *memory);
// Nothing is known of a tensor's elements any more.
void ark_eval_forget(const ark_tensor *tensor, ark_eval_memory *memory);
ark_eval_memory *ark_eval_memory_of(const ark_eval *eval, size_t rank, const ark_tensor *tensor);

// The element at a position, of a block that is broadcast to it.
static inline size_t ark_eval_index(const ark_eval_block *block, const int64_t *at)
{
    size_t index = 0;
    for (size_t k = 0; k < ARK_EVAL_DIMS; k++) {
        const int64_t extent = block->shape[k];
        index = index * (size_t)extent + (size_t)(extent == 1 ? 0 : at[k]);
    }
    return index;
}
// Goes on to the next position in C order; false: that was the last.
bool ark_eval_step(const int64_t *shape, int64_t *at);

// ark_eval_ops.c: computes what a local operator writes; false: it is none, or not defined.
bool ark_eval_compute(ark_eval *eval, size_t rank, const ark_op *op);
const ark_arg *ark_eval_arg(const ark_op *op, const char *name);

// ark_eval_messages.c: an operator of section 8.
typedef enum ark_eval_progress {
    ARK_EVAL_DONE = 0,
    ARK_EVAL_WAITS,
    ARK_EVAL_FAILS
} ark_eval_progress;
ark_eval_progress ark_eval_communicate(ark_eval *eval, size_t rank, const ark_op *op);
// Delivers the puts to a rank that is past `syncs` DeviceSyncs; all that are left for UINT32_MAX.
void ark_eval_deliver(ark_eval *eval, size_t rank, uint32_t syncs);

#endif // HOIST_SRC_TESTING_ARK_EVAL_STATE_H
