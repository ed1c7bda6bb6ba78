// testing/ark_generator_state.h - what the files of the generator of ARK models share: the ranks
// that are being made.
#ifndef HOIST_SRC_TESTING_ARK_GENERATOR_STATE_H
#define HOIST_SRC_TESTING_ARK_GENERATOR_STATE_H

#include "base/arena.h"
#include "testing/ark_generator.h"

enum {
    GEN_DIMS = 4,
    GEN_TAGS = 16,
    GEN_OPERANDS = 5,
    GEN_OPS = 160, // of a rank
    GEN_BUFFERS = 200,
    GEN_TENSORS = 800,
};

typedef struct gen_tags {
    int64_t pairs[GEN_TAGS][2];
    size_t count;
} gen_tags;

typedef struct gen_buffer {
    ark_gen_memory memory; // size: grows with tensors
    int64_t rank;          // -1, or that of the rank that it represents
    bool is_local;
    bool is_fixed;    // nothing writes it, and no view is made of it: its content matters
    bool is_external; // D4
    gen_tags sends, receives;
} gen_buffer;

typedef struct gen_tensor {
    int64_t id;
    ark_dtype dtype;
    size_t rank;
    int64_t shape[GEN_DIMS], dims[GEN_DIMS], offsets[GEN_DIMS], padded[GEN_DIMS];
    gen_buffer *buffer;
} gen_tensor;

typedef struct gen_op {
    ark_op_type type;
    bool is_virtual;
    const gen_tensor *reads[GEN_OPERANDS];
    const gen_tensor *writes[GEN_OPERANDS];
    const gen_tensor *result; // NULL: none
    size_t read_count, write_count;
    hoist_str args;
    bool before[GEN_OPS]; // producers
} gen_op;

// Which earlier operators an operator names as producers.
typedef enum gen_edges {
    GEN_EDGES_MEMORY = 0, // all that touch its buffers
    GEN_EDGES_FLOW,       // those that write what it reads
    GEN_EDGES_CHAIN,      // the one before, which is all
    GEN_EDGES_COUNT,
} gen_edges;

typedef struct gen_rank {
    size_t number;
    int64_t next_tensor, next_buffer; // ids
    gen_edges edges;
    gen_op ops[GEN_OPS];
    size_t op_count;
    gen_buffer buffers[GEN_BUFFERS];
    size_t buffer_count;
    gen_tensor tensors[GEN_TENSORS]; // all
    size_t tensor_count;
    const gen_tensor *pool[GEN_TENSORS]; // that operators may read
    size_t pool_count;
} gen_rank;

typedef struct gen {
    hoist_arena *arena;
    uint64_t random;
    gen_rank *ranks;
    size_t rank_count;
    int64_t next_tag;
    uint32_t next_flag;
    bool is_d4;
    ark_gen_job *job;
} gen;

// ark_generator.c
uint64_t gen_number(gen *g, uint64_t below);
bool gen_chance(gen *g, unsigned percent);
// Copies of texts and the like; abort when memory runs out.
hoist_str gen_format(gen *g, const char *format, ...) HOIST_PRINTF(2, 3);

gen_buffer *gen_new_buffer(gen_rank *r, int64_t rank, ark_dtype dtype);
// A tensor that is all of its buffer, or of which `gen_place` has set dims, offsets and padding.
gen_tensor *gen_new_tensor(gen_rank *r, ark_dtype dtype, size_t rank, const int64_t *shape,
                           gen_buffer *buffer);
void gen_add_to_pool(gen_rank *r, const gen_tensor *tensor);
gen_op *gen_new_op(gen *g, gen_rank *r, ark_op_type type);
void gen_read(gen_op *op, const gen_tensor *tensor);
void gen_write(gen_op *op, const gen_tensor *tensor);
// Ends an operator: its result, its producers. The result is in the pool where `is_known`.
const gen_tensor *gen_end(gen *g, gen_rank *r, gen_op *op, bool is_known);
size_t gen_bytes_of(const gen_tensor *tensor); // e * product of dims

// ark_generator_shapes.c: operands.
ark_dtype gen_dtype(gen *g);
ark_dtype gen_float(gen *g);
bool gen_is_float(ark_dtype dtype);
size_t gen_size(ark_dtype dtype);
size_t gen_shape(gen *g, size_t least_rank, int64_t *shape);
// A shape that is broadcast to `shape`, with a dimension of 1 nowhere where `kept` is set.
size_t gen_narrow(gen *g, size_t rank, const int64_t *shape, bool *kept, int64_t *out);
// A tensor to read: one of the pool, a view, or a new input. `padding`: it may have some.
const gen_tensor *gen_input(gen *g, gen_rank *r, ark_dtype dtype, size_t rank, const int64_t *shape,
                            bool padding);
// Any tensor of the pool of that type, or a new one.
const gen_tensor *gen_any(gen *g, gen_rank *r, ark_dtype dtype);
// A tensor to write: new memory, that of an input, or a view of other memory.
const gen_tensor *gen_output(gen *g, gen_rank *r, ark_dtype dtype, size_t rank,
                             const int64_t *shape, const gen_tensor *in_place);
// The same without padding, and not in place.
const gen_tensor *gen_exact_output(gen *g, gen_rank *r, ark_dtype dtype, size_t rank,
                                   const int64_t *shape);

// ark_generator_ops.c: an operator of any type, with its operands.
void gen_add_local(gen *g, gen_rank *r);
// ark_generator_ranks.c: an exchange among all ranks.
void gen_add_exchange(gen *g);
// ark_generator_text.c
hoist_str gen_text(gen *g, const gen_rank *r);

#endif // HOIST_SRC_TESTING_ARK_GENERATOR_STATE_H
