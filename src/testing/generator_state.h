// testing/generator_state.h - what the parts of the netlist generator share: netlist_generator.c
// (graphs and programs), generator_ops.c and generator_queues.c.
//
// Functions here abort when memory runs out. Texts and nodes live in the generator's arena.
#ifndef HOIST_SRC_TESTING_GENERATOR_STATE_H
#define HOIST_SRC_TESTING_GENERATOR_STATE_H

#include "testing/netlist_generator.h"

enum {
    GEN_ROWS = 10, // the part of the worker grid that all architectures have
    GEN_COLUMNS = 8,
    GEN_DEVICES = 2,
    GEN_CHANNELS = 8,
    GEN_INPUTS = 3,
};

// Slices, tile rows, tile columns.
typedef struct gen_shape {
    size_t z, r, c;
} gen_shape;

// How a shape is cut: a grid of cores, each with t slices of m x n ublocks of rt x ct tiles.
typedef struct gen_block {
    size_t rows, columns, t, m, n, rt, ct;
} gen_block;

// Something an op can read: an op of the same graph, or a queue of the program.
typedef struct gen_source {
    hoist_str name;
    gen_shape shape;
    const char *df;
    hoist_text_node *node;
    size_t readers;
    bool sealed; // nothing may read it
    // Of queues:
    bool is_queue;
    bool is_ram;
    bool is_gradient; // a ram that a gradient op writes
    bool is_dynamic;
    size_t entries;
    // Of ops:
    gen_block block;
    size_t m_k;
    struct gen_source *next;
} gen_source;

typedef struct gen_sources {
    gen_source *first;
    size_t count;
} gen_sources;

// A queue that a graph uses, with a setting of its own in the execute.
typedef struct gen_use {
    gen_source *queue;
    struct gen_use *next;
} gen_use;

typedef struct gen_arch {
    const char *name;
    size_t channels;
    size_t alignment;  // of addresses and tiles in bytes
    size_t header;     // of a queue in bytes
    bool float32;      // DEST may hold Float32
    bool stacks_in_l1; // l1_acc
} gen_arch;

// The formats of one exponent width.
typedef struct gen_formats {
    bool wide_exponent; // 8 bits: also fits Float32 in DEST and l1_acc
    const char *wide;   // 16 bits
    const char *narrow; // 8 bits
    const char *tiny;   // 4 bits, for parameters
} gen_formats;

typedef struct generator {
    hoist_arena *arena;
    uint64_t random;
    const gen_arch *arch;
    const gen_formats *formats;
    size_t devices;
    size_t input_count;
    hoist_text_node *queues;
    hoist_text_node *graphs;
    hoist_text_node *fused; // NULL until the first fused op; then part of `root`
    hoist_text_node *root;
    uint64_t dram[GEN_DEVICES][GEN_CHANNELS]; // next free address
    uint64_t host;
    size_t channel; // of the next buffer
    size_t queue_count;
    size_t op_count;
    // The program and the graph at work:
    size_t device;
    size_t turns;               // how often the program executes each graph, at most
    gen_sources program_queues; // `queue` type, of complete graphs or fed by the host
    gen_sources ops;
    gen_use *uses;
    hoist_text_node *graph;
    bool taken[GEN_ROWS][GEN_COLUMNS];
} generator;

// generator_queues.c: below `count` (at least 1); true `percent` of the time.
size_t gen_pick(generator *g, size_t count);
bool gen_chance(generator *g, size_t percent);
// A random factor of `n`, at most `most`.
size_t gen_factor(generator *g, size_t n, size_t most);
gen_block gen_cut(generator *g, gen_shape shape, size_t most_cells, size_t most_dest);
gen_shape gen_shape_of(generator *g);
hoist_str gen_text(generator *g, const char *format, ...) HOIST_PRINTF(2, 3);

// A random one of those not sealed; NULL when there is none.
gen_source *gen_any(generator *g, const gen_sources *sources);
gen_source *gen_add_source(generator *g, gen_sources *sources, hoist_str name, gen_shape shape);
// The graph at work uses the queue.
void gen_use_queue(generator *g, gen_source *queue);

// New queues of the program's device: filled by the host, a parameter in a ram, filled by an op.
gen_source *gen_host_queue(generator *g, gen_shape shape);
gen_source *gen_parameter(generator *g, gen_shape shape);
gen_source *gen_output(generator *g, gen_source *op);
// The ram that a gradient op adds to; it has the op's own block.
void gen_gradient_ram(generator *g, gen_source *op);

// generator_ops.c: one more op in the graph at work; false when its worker grid is full.
bool gen_op(generator *g);

#endif // HOIST_SRC_TESTING_GENERATOR_STATE_H
