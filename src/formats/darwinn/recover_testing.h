// formats/darwinn/recover_testing.h - tensor operations and models made for tests of recovery.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_TESTING_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_TESTING_H

#include "formats/darwinn/recover_work.h"
#include "formats/darwinn/stream_testing.h"

// A tensor operation in the making; what is 0 is that of a multiply-accumulate operation on tile 0
// with M = 0.5, clamps 0 and 255, and 4 rows. An upper clamp of 0 is written -0.
typedef struct dwn_sketch {
    uint8_t opcode;
    uint16_t tiles;
    uint16_t mode;
    uint16_t code;
    float multiplier;
    float high, low;
    uint8_t input_zero, weight_zero, output_zero;
    bool has_multipliers, has_bias, has_weight_zeros;
    uint32_t full_rows, last_rows;
    int32_t constant;
    uint32_t reduction; // count of master loop 0
    uint32_t rest;      // of master loop 1
    uint32_t late;      // of master loop 2, a reduction, too
    uint8_t mask;       // loops that are reductions; 0: those
    int32_t a_base, b_base, c_base;
    uint32_t copied; // 1 + where its tiles copy from what it has in place of weights; 0: nothing
    uint8_t table;
    int64_t a[DWN_LOOPS][2]; // counts and strides, the innermost first; count 0: no more
    int64_t b[DWN_LOOPS][2]; // the same; none: one loop over all that is written
} dwn_sketch;

// Adds the operation to a chunk.
void dwn_make_operation(dwn_maker *m, const dwn_sketch *sketch);
// Adds a mesh operation that stores a constant.
void dwn_make_constant(dwn_maker *m, uint32_t value);
// Words that tiles store: a number for each, or what others send.
typedef struct dwn_stored {
    uint16_t tiles;
    bool is_sent;
    uint32_t value;
    uint32_t base;
    int64_t loops[DWN_MESH_LOOPS - 1][2]; // over words: counts and strides, the innermost first;
                                          // count 0: no more
} dwn_stored;
void dwn_make_fill(dwn_maker *m, const dwn_stored *stored);
// Adds a copy into the memory of weights.
void dwn_make_copy(dwn_maker *m, uint16_t tiles, uint32_t from, uint32_t to);
// Words that tiles send to those next to them.
typedef struct dwn_sending {
    uint16_t tiles;
    uint8_t channel; // of the mesh, from 0 to 3
    uint32_t base;
    int64_t loops[DWN_MESH_LOOPS][2]; // counts and strides, the innermost first; count 0: no more
    bool is_passed_on;                // what they get there goes on
    uint32_t waits;                   // things that it waits for, at most DWN_WAITS
    dwn_cut cut;
    uint32_t got; // what sends gets as many words there, too; 0: nothing
} dwn_sending;
void dwn_make_sending(dwn_maker *m, const dwn_sending *sending);
// Words that tiles get from those next to them, by the same channel.
void dwn_make_getting(dwn_maker *m, const dwn_sending *getting);
// Adds a copy of words out of the tiles.
void dwn_make_copy_of(dwn_maker *m, const dwn_sending *copied);
// Adds a copy of words into the tiles, from an address of the ring: of values, or of parameters.
void dwn_make_copy_in(dwn_maker *m, uint32_t from, const dwn_sending *copied,
                      bool is_of_parameters);
// Adds what loads the table of the logistic function, or another one.
void dwn_make_table(dwn_maker *m, uint16_t tiles, bool is_other);
// The same, by a channel of the mesh from 0 to 3.
void dwn_make_fill_on(dwn_maker *m, uint8_t channel, const dwn_stored *stored);
// Adds what takes parameters to the operation before it: a feed from the host, or tile 15, which
// has them of the caching program.
void dwn_make_supply(dwn_maker *m, bool is_streamed, uint32_t offset);
// Adds what puts the parameters from that byte on into tile 15, to a caching program.
void dwn_make_run(dwn_maker *m, uint32_t offset);
// Operations that share `size` bytes of parameters: each that has some gets as many, in order.
typedef struct dwn_shared {
    const dwn_sketch *sketches;
    size_t count;
    uint32_t size;
    bool is_streamed;
} dwn_shared;
// Adds one of them, and what takes its share to it.
void dwn_make_shared(dwn_maker *m, const dwn_shared *shared, size_t index);
// Adds what puts all shares into tile 15, to a caching program.
void dwn_make_runs(dwn_maker *m, const dwn_shared *shared);
// The same operation, decoded.
dwn_operation dwn_test_operation(hoist_test *t, const dwn_sketch *sketch);

// A model of one chunk: its input and output, and what it holds. Everything is borrowed.
typedef struct dwn_model {
    dwn_layer input;
    dwn_layer output;
    dwn_numerics numerics[2];
    dwn_executable executables[2];
    dwn_image images[2];
    dwn_chunk chunk;
    dwn_chunk runs;
    dwn_contents contents;
} dwn_model;

// `cached` are the parameters of an executable that is run before.
void dwn_test_model(hoist_test *t, dwn_model *model, hoist_bytes chunk, hoist_bytes cached);
// Gives it that caching program.
void dwn_test_runs(hoist_test *t, dwn_model *model, hoist_bytes chunk);
void dwn_test_border(dwn_layer *layer, dwn_numerics *numerics, dwn_extent extent, uint8_t zero);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_TESTING_H
