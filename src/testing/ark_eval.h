// testing/ark_eval.h - a slow evaluator of ARK jobs, for comparison with what the library runs: a
// second reading of the ark reference (sections 4, 5, 6.4, 7 and 8), which shares nothing with
// lower/ark, program or runtime.
//
// In: the models of all ranks, as read, without errors. Memory is an array of bytes for each local
// buffer, zeros at first. Operators are executed one after the other in the order of the file; each
// reads all of its operands, computes in float64, rounds once where the reference stores, and
// writes. Ranks go on in turns; one that waits for a message or for the others at a DeviceSync is
// left until these have come. Out: the memory of all ranks, each element with the bound of its
// error.
#ifndef HOIST_SRC_TESTING_ARK_EVAL_H
#define HOIST_SRC_TESTING_ARK_EVAL_H

#include "testing/ark_eval_numbers.h"

// A local buffer.
typedef struct ark_eval_memory {
    int64_t id;
    size_t size; // bytes
    uint8_t *bytes;
    double *errors;           // of each byte: that of the element of which it is a part
    uint8_t *types;           // of each byte: the ark_dtype that was stored there
    const ark_buffer *buffer; // an occurrence, with its tags
} ark_eval_memory;

typedef struct ark_eval_rank {
    const ark_module *module;
    ark_eval_memory *memories;
    size_t memory_count;
    const ark_op **ops; // in the order of the file
    size_t op_count;
    size_t next;    // operator
    uint32_t syncs; // DeviceSyncs that are over
    bool at_sync;
} ark_eval_rank;

typedef struct ark_eval_message ark_eval_message;

typedef struct ark_eval {
    hoist_arena *arena; // of everything
    ark_eval_rank *ranks;
    size_t rank_count;
    ark_eval_message *first; // in the order of sending
    ark_eval_message **last;
} ark_eval;

// Modules by their rank. Aborts when memory runs out.
void ark_eval_init(ark_eval *eval, hoist_arena *arena, const ark_module *const *modules,
                   size_t count);

// The local buffer `id` of a rank; NULL: it has none.
ark_eval_memory *ark_eval_find(const ark_eval *eval, size_t rank, int64_t id);

// Sets bytes of a buffer, as elements of one type, before the run.
void ark_eval_fill(ark_eval_memory *memory, ark_dtype dtype, hoist_bytes bytes);

// Runs one iteration. NULL; else why it came to no end: an operator or a message that the reference
// does not define.
const char *ark_eval_run(ark_eval *eval);

// Compares a buffer with the bytes that the library has there. The first byte of an element that
// differs, or SIZE_MAX; `*out_open` counts the bytes of which nothing is known.
size_t ark_eval_differs(const ark_eval_memory *memory, hoist_bytes found, size_t *out_open);

#endif // HOIST_SRC_TESTING_ARK_EVAL_H
