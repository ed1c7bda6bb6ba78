// testing/neff_gen.h - what the parts of the NEFF generator share: neff_generator.c (the order of
// things, header, JSON, graph), neff_gen_vars.c, neff_gen_queues.c, neff_gen_descs.c,
// neff_gen_streams.c, neff_gen_container.c and neff_mutations.c.
#ifndef HOIST_SRC_TESTING_NEFF_GEN_H
#define HOIST_SRC_TESTING_NEFF_GEN_H

#include "hoist/neff.h"

#include "base/arena.h"
#include "testing/neff_generator.h"

enum {
    GEN_DTYPES = 15,
    GEN_GRAPH_DTYPES = 11,
    GEN_FEATURES = 22,
    GEN_MOST_ENTRIES = 8, // inputs, outputs
};

typedef struct neff_gen_dtype {
    const char *name;
    int64_t bytes;
} neff_gen_dtype;
extern const neff_gen_dtype neff_gen_dtypes[GEN_DTYPES];

typedef struct neff_gen {
    uint64_t random;
    hoist_arena arena;
    neff_file *file;
    const neff_mutation *mutation;
    neff_file_size size;
    hoist_neff *neff;
    hoist_neff_options options;
    int generation; // 0: any
    size_t subgraphs;
    size_t subgraph; // at work
    int64_t id_step; // of var_ids
    int64_t vars;    // so far in the subgraph
    int64_t inputs;
    int64_t outputs;
    int64_t io_sizes[2 * GEN_MOST_ENTRIES]; // of inputs, then outputs; bytes
    size_t sides;                           // of descriptors, in the file
    size_t worlds;     // 1, 2, 3: 1, 2, 4 ranks; 0: nothing has asked for ranks
    size_t blocks;     // in the subgraph
    int64_t semaphore; // next free one
    // Of the subgraph at work:
    hoist_buffer code[HOIST_NEFF_ENGINE_COUNT];      // main programs
    hoist_buffer functions[HOIST_NEFF_ENGINE_COUNT]; // and what follows
    const char *instance;                            // last one of a queue set
} neff_gen;

// Below `count` (at least 1); true `percent` of the time.
size_t gen_pick(neff_gen *g, size_t count);
bool gen_chance(neff_gen *g, size_t percent);
// The cell (neff_cell, or one counted on from it) is reached.
void gen_mark(neff_gen *g, size_t cell);
// One of `count` cells from `first` on, which is then reached: its number, from 0.
size_t gen_draw(neff_gen *g, size_t first, size_t count);
// The same, but the first one `percent` of the time: what makes other things impossible is rare.
size_t gen_draw_first(neff_gen *g, size_t first, size_t count, size_t percent);
const char *gen_text(neff_gen *g, const char *format, ...) HOIST_PRINTF(2, 3);
hoist_neff_ints gen_ints(neff_gen *g, const int64_t *items, size_t count);
uint8_t *gen_bytes(neff_gen *g, size_t size); // random
// Aborts when the status is not HOIST_OK: the generator's own mistake.
_Noreturn void gen_fail(hoist_status status);
static inline void gen_do(hoist_status status)
{
    if (status != HOIST_OK) {
        gen_fail(status);
    }
}
// Comment and unknown keys, now and then, for an object at `level` of gen_levels.
hoist_neff_keys gen_keys(neff_gen *g, size_t level);
enum {
    LEVEL_GRAPH,
    LEVEL_NODE,
    LEVEL_KELF,
    LEVEL_DEF,
    LEVEL_VAR,
    LEVEL_QUEUE,
    LEVEL_ENGINE,
    LEVEL_BLOCK,
    LEVEL_DESC,
    LEVEL_SOURCE
};
// Path of a member of the subgraph at work.
const char *gen_path(neff_gen *g, const char *name);

// neff_gen_vars.c: a variable of the subgraph at work; returns its var_id.
int64_t gen_variable(neff_gen *g, hoist_neff_variable var);
void gen_variables(neff_gen *g);
void gen_constants(neff_gen *g);
// neff_gen_queues.c: queue sets, their blocks and triggers.
void gen_queue_sets(neff_gen *g);
// True when a small file has as many descriptors as it may.
bool gen_is_full(const neff_gen *g);
// neff_gen_descs.c: up to 5 descriptors from `from` to `to`, variables of 64 KiB.
enum { GEN_DESC_VAR_SIZE = 1 << 16 };
hoist_neff_desc *gen_descs(neff_gen *g, const char *from, const char *to, size_t count);
// The same with `to` in place of `old`, which they write: as many entries of a ring.
hoist_neff_desc *gen_again(neff_gen *g, const hoist_neff_desc *descs, size_t count, const char *old,
                           const char *to);
// A plain copy of `size` bytes.
hoist_neff_desc *gen_copy(neff_gen *g, const char *from, const char *to, int64_t offset,
                          int64_t size);
// neff_gen_streams.c: functions, collectives, records of all kinds; then the streams are closed.
void gen_streams(neff_gen *g);
void gen_close_streams(neff_gen *g);
// neff_gen_container.c: sets data_size and hash of the file; little-endian numbers;
void gen_seal(neff_gen *g);
void gen_put_u64(uint8_t *at, uint64_t value);
// the file of what was built, in another container now and then.
void gen_container(neff_gen *g, hoist_bytes built);
// neff_mutate.c: what the mutation changes before the file is begun, within its first subgraph
// before streams are closed, in its finished members, and in its bytes.
void gen_mutate_options(neff_gen *g);
void gen_mutate_content(neff_gen *g);
void gen_mutate_members(neff_gen *g);
void gen_mutate_bytes(neff_gen *g);

// A way to break a valid file: what is not NULL or 0 is done. Blocks and descriptors may name
// the variables `mut_a` and `mut_b` of 64 bytes, the pointer `mut_p` and the queue set `mut_q`,
// whose owner is sp.
struct neff_mutation {
    const char *clause;
    const char *name;
    const char *target;     // spelling in the kelf; NULL: as drawn, or "*" for generation 1
    const char *arch;       // --target
    size_t subgraphs;       // 0: as drawn
    bool plain;             // of what is drawn only that which runs, and needs no waits
    uint64_t max_expanded;  // of the archive, when it is opened; 0: the usual limit
    uint32_t pkg_version;   // 0: as drawn; else the container is the builder's own, too
    uint64_t version_major; // of the header
    uint64_t feature_bits;
    hoist_neff_variable var;
    hoist_neff_queue_set queue;
    size_t queue_count;        // as often, numbered; 0: once
    hoist_neff_desc desc[2];   // each in a block of its own on mut_q, unless `block` says other
    const char *desc_queue[2]; // or this
    hoist_neff_block block;    // for each descriptor
    hoist_neff_engine engine;  // of blocks and code
    bool has_engine;           // else sp
    const char *code;
    const char *record; // 64 bytes, of which these come first
    size_t record_size;
    const char *member; // is changed in the end:
    const char *find;   // every such text; NULL: all of it
    const char *put;    // NULL: the member is dropped
    hoist_neff_key key; // of `member`
    uint64_t poke_at;   // in the header, little-endian
    size_t poke_size;
    uint64_t poke;
    void (*bytes)(neff_gen *g); // the file
    size_t cell;                // + 1
};

// True when nothing is to be drawn that does not run.
static inline bool gen_is_plain(const neff_gen *g)
{
    return g->mutation && g->mutation->plain;
}

#endif // HOIST_SRC_TESTING_NEFF_GEN_H
