// testing/ark_generator.h - random ARK models from a seed, for comparison of their runs with
// ark_eval.h: the same seed gives the same texts on every machine.
//
// A job has one to four ranks. Their operators are of all types, with views, offsets and padding,
// several tensors in one buffer, broadcasts and outputs that lie over inputs; ranks exchange
// messages, packets, puts and all-reduces. Models are valid: a check finds no error in them. Edges
// are those of memory, of the flow of data alone, or a chain.
//
// Functions abort when memory runs out.
#ifndef HOIST_SRC_TESTING_ARK_GENERATOR_H
#define HOIST_SRC_TESTING_ARK_GENERATOR_H

#include "formats/ark/module.h"

enum { ARK_GEN_MAX_RANKS = 4 };

// What a buffer holds before the run.
typedef enum ark_gen_content {
    ARK_GEN_NUMBERS = 0, // small numbers, in part special ones
    ARK_GEN_DIVISORS,    // of integers: none is 0
    ARK_GEN_INDEXES,     // from -limit to limit - 1
} ark_gen_content;

// A local buffer.
typedef struct ark_gen_memory {
    int64_t id;
    size_t size; // bytes
    ark_dtype dtype;
    ark_gen_content content;
    int64_t limit;
} ark_gen_memory;

typedef struct ark_gen_file {
    hoist_str text; // JSON
    const ark_gen_memory *memories;
    size_t memory_count;
} ark_gen_file;

typedef struct ark_gen_job {
    ark_gen_file files[ARK_GEN_MAX_RANKS];
    size_t count;
    bool has_type[ARK_OP_TYPE_COUNT];
    bool has_dtype[ARK_DTYPE_COUNT];
    bool has_rank[4]; // dimensions - 1
} ark_gen_job;

// Everything is in `arena`.
void ark_gen_make(uint64_t seed, hoist_arena *arena, ark_gen_job *out_job);

// The bytes of a buffer before the run, in `arena`.
hoist_bytes ark_gen_bytes(const ark_gen_memory *memory, uint64_t seed, hoist_arena *arena);

#endif // HOIST_SRC_TESTING_ARK_GENERATOR_H
