// formats/darwinn/recover_operation.h - the tensor operations of a program, decoded and in groups,
// and what they say by themselves: windows, order, which parameters they get.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_OPERATION_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_OPERATION_H

#include "formats/darwinn/recover.h"
#include "formats/darwinn/scalar_hints.h"
#include "formats/darwinn/stream_bits.h"
#include "formats/darwinn/stream_tensor.h"

// Opcodes of tensor operations.
enum { DWN_OP_MAX = 0x02, DWN_OP_SUM = 0x03, DWN_OP_RESIZE = 0x05 };

// Which parameters an operation gets, by the instructions that move them. recover_supply.c
typedef enum dwn_supply_source {
    DWN_SUPPLY_NONE = 0, // none is seen to
    DWN_SUPPLY_CACHED,   // of the caching executable
    DWN_SUPPLY_STREAMED, // of the main one
    DWN_SUPPLY_MIXED,    // of both, or only some of its tiles have them
} dwn_supply_source;

typedef struct dwn_supply {
    dwn_supply_source source;
    bool is_resident;     // its own tiles keep them
    uint64_t first, last; // bytes where the first and the last run of them begin
} dwn_supply;

// Addresses of the tiles' memory that were copied from or to.
enum { DWN_COPIES = 8 };
typedef struct dwn_copies {
    uint16_t at[DWN_COPIES];
    uint32_t count;
} dwn_copies;

// The table that an operation's results go through.
typedef enum dwn_table {
    DWN_TABLE_NONE = 0,
    DWN_TABLE_UNKNOWN,
    DWN_TABLE_LOGISTIC,
} dwn_table;

// Where upsampling takes pixels from, along rows and columns.
typedef struct dwn_resize {
    uint32_t start[2], step[2]; // in 256ths of a pixel
    uint32_t pitch[2];          // bytes from one row, or pixel, to the next
} dwn_resize;

// A tensor operation, decoded (16.1).
typedef struct dwn_operation {
    dwn_words at;
    uint32_t fence; // fences of tiles that come before it
    uint8_t opcode;
    uint16_t tiles;
    uint16_t mode;
    uint16_t code;                  // "w12" of 16.3
    uint32_t multiplier, high, low; // bits of float32
    uint8_t input_zero, weight_zero, output_zero;
    bool has_multipliers, has_bias, has_weight_zeros;
    uint32_t full_rows, last_rows; // of an output group
    int32_t constant;
    int32_t c_base;
    uint64_t steps;                    // product of the master counts; UINT64_MAX: does not fit
    uint64_t reduction;                // of those that are reductions
    uint64_t late;                     // of these, those outside of a loop that is none
    uint16_t master[DWN_MASTER_LOOPS]; // counts, the innermost first
    uint8_t reductions;                // bit k: master loop k is one
    uint32_t
        window[2]; // counts of the second and the first loop, where they are reductions; else 1
    dwn_traversal a, b;
    bool is_elsewhere; // its input is in another memory
    dwn_resize resize; // of upsampling
    bool has_factors;  // two constants were stored before it
    int32_t factors[2];
    bool has_rows_sent,
        has_columns_sent; // tiles sent data to those above or below, or left and right
    dwn_copies copies;    // after the operation before that is more than a movement
    bool is_channelwise;  // its weights are the identity: each channel is computed alone
    bool is_times_one;    // each word is multiplied by the first word of an identity
    dwn_table table;
    dwn_layer_kind kind; // by 16.3; SOFTMAX: it begins one
    dwn_supply supply;
    bool is_misplaced;               // no instruction puts weights where it reads them
    bool has_spare;                  // bits that no field has, and that no known program sets
    uint32_t numbers;                // of a softmax of the scalar core: how many there are; else 0
    uint32_t rows;                   // and how many times
    float scale;                     // and that of its input
    struct dwn_selection *selection; // scratch; NULL: it is none. recover_selection.h
} dwn_operation;

// Where tiles have the identity among their weights.
typedef struct dwn_identity {
    uint16_t at; // as the base of C
    uint16_t tiles;
} dwn_identity;

// What instructions gave to the operations after them. recover_given.c
enum { DWN_IDENTITIES = 8 };
typedef struct dwn_given {
    uint32_t stored; // words of an identity that were stored in a row, from `base` on
    uint32_t base;
    uint16_t tiles;    // that stored them
    uint16_t logistic; // that loaded the table of the logistic function last
    uint32_t count;
    dwn_identity places[DWN_IDENTITIES];
} dwn_given;
// The bytes of a table in the instruction that loads it, and those of the logistic function.
enum { DWN_TABLE_AT = 8, DWN_TABLE_WORDS = 50 };
extern const uint32_t dwn_logistic_table[DWN_TABLE_WORDS];
// Notes an instruction.
void dwn_given_note(dwn_given *given, uint8_t opcode, hoist_bytes instruction);
// Sets `table` and `is_channelwise` of an operation that was decoded from the instruction.
void dwn_given_to(const dwn_given *given, hoist_bytes instruction, dwn_operation *op);

// Words that the innermost loop has in the last step of another one: those of a last group of
// channels, which has fewer.
typedef struct dwn_cut {
    uint32_t loop;
    uint32_t words; // 0: all
} dwn_cut;

// Words that a mesh operation writes into the memory of tiles.
typedef struct dwn_fill {
    uint32_t operation; // the tensor operation before which it comes
    uint16_t tiles;
    uint8_t channel;   // of the mesh
    bool is_sent;      // from tile to tile: no number of its own
    bool is_passed_on; // and goes on to the next tile
    uint32_t fence;    // fences of tiles that come before it
    uint32_t value;    // of each word
    int32_t base;
    dwn_loop loops[DWN_MESH_LOOPS]; // the innermost first
    dwn_cut cut;
} dwn_fill;

// Words that a mesh operation sends to the tiles next to some, out of their memory.
enum { DWN_WAITS = 4 };
typedef struct dwn_send {
    uint32_t operation; // the tensor operation before which it comes
    uint16_t tiles;
    uint8_t channel;
    uint32_t waits;      // how many things it waits for
    bool is_passing_own; // it sends what the same instruction writes, so that comes first
    uint32_t fill;       // and that is this fill
    uint16_t sent;       // tiles that have, while it is followed
    uint32_t fence;      // fences of tiles that come before it
    int32_t base;
    dwn_loop loops[DWN_MESH_LOOPS]; // the innermost first
    dwn_cut cut;
} dwn_send;

// A copy of what tiles have at an address to the memory of weights, or on its way to the host.
typedef struct dwn_copy {
    uint32_t operation; // the tensor operation before which it comes
    uint16_t tiles;
    uint32_t fills, copies_in; // that come before it
    int32_t base;
    dwn_loop loops[DWN_MESH_LOOPS]; // the innermost first
    uint16_t to;                    // where it goes in the other memory
} dwn_copy;

// A copy into the memory that operations read, of what the ring brought, or of what the tile itself
// copied out.
typedef struct dwn_copy_in {
    uint32_t operation; // the tensor operation before which it comes
    uint32_t sends;     // that come before it
    uint16_t tiles;
    uint32_t copy; // what was copied out for it, of all tiles one; DWN_NONE: that is unknown
    bool is_own;   // of each tile its own
    dwn_traversal to;
} dwn_copy_in;

// What a tile sends to the ring when it is drained for the host.
typedef struct dwn_drain {
    dwn_words at;
    dwn_words sent; // the descriptor
    bool is_after;  // it comes before
    uint32_t tile;
    uint32_t copy;      // that brought it there; DWN_NONE: that is unknown
    uint32_t output;    // of the model; DWN_NONE: none
    uint32_t values[2]; // at its first and last word; DWN_NONE: unknown
    bool is_selected;   // one of these has bytes of several words
} dwn_drain;

// Tensor operations of one layer on different tiles (16.2).
typedef struct dwn_group {
    uint32_t first, count; // operations
    uint32_t widest;       // of them, that with most steps: represents them
    uint16_t tiles;
    uint64_t produced; // sum of tiles * steps that are no reductions; saturates
} dwn_group;

typedef struct dwn_operations {
    dwn_operation *items; // arena
    uint32_t count;
    dwn_group *groups; // arena
    uint32_t group_count;
    dwn_fill *fills; // arena: into the memory that operations read
    uint32_t fill_count;
    dwn_send *sends; // arena
    uint32_t send_count;
    uint32_t fence_count; // of tiles, so far
    dwn_copy *copies;     // arena
    uint32_t copy_count;
    dwn_copy_in *copies_in; // arena
    uint32_t copy_in_count;
    dwn_drain *drains; // arena
    uint32_t drain_count;
} dwn_operations;

// The tensor operations of a program, in its order, in groups. HOIST_OK, HOIST_NO_MEMORY.
// recover_group.c
HOIST_NODISCARD hoist_status dwn_operations_of(const dwn_chunk *chunks, uint32_t chunk_count,
                                               hoist_arena *arena, dwn_operations *out_operations);
bool dwn_is_tensor(uint8_t opcode);
// Whether both are the same layer, on whatever tiles: opcode, kind and constants. recover_group.c
bool dwn_is_same_layer(const dwn_operation *a, const dwn_operation *b);
// Whether a softmax of the scalar core begins at an instruction; then it is `*out_operation`, and
// what comes behind it begins at `*out_next`. recover_scalar.c
bool dwn_scalar_softmax(const dwn_stream *stream, size_t index, uint32_t chunk,
                        dwn_operation *out_operation, size_t *out_next);
// How many fills come before an operation and what is before that. recover_mesh.c
uint32_t dwn_fills_before(const dwn_operations *all, uint32_t operation);
// Notes what a mesh operation sends and writes, or what is copied.
void dwn_note_mesh(dwn_operations *out_operations, uint8_t opcode, hoist_bytes instruction);
void dwn_note_copy(dwn_operations *out_operations, hoist_bytes instruction);
// A transfer over the ring, back from the tiles that get it: a copy into their memory, what they
// consume, what a tile produces, a copy out of its memory. Each begins at the address of the next.
typedef struct dwn_ring {
    uint32_t stage; // how many of these came
    uint32_t address;
    uint16_t tiles;
} dwn_ring;
// Notes an instruction of the tiles' DMA, before its copy is noted.
void dwn_note_ring(dwn_operations *out_operations, dwn_ring *ring, uint8_t opcode,
                   hoist_bytes instruction);
// What tiles send to the ring, and what it is drained of, before it is known which is which.
typedef struct dwn_drains {
    uint32_t pending; // drains for which no tile has sent yet
    uint32_t ready;   // what tiles have sent, one instruction after the other, and is not drained
    size_t first;     // the first of these
} dwn_drains;
// Notes what a tile sends when the ring is drained: of an instruction. recover_mesh.c
void dwn_note_drain(dwn_operations *out_operations, const dwn_stream *stream, size_t index,
                    uint32_t chunk, dwn_drains *drains);
// What an operation does, by the table of 16.3. recover_kind.c
dwn_layer_kind dwn_operation_kind(const dwn_operation *operation);

// Geometry ---------------------------------------------------------------------------------------

enum {
    DWN_MAX_EXTENT = 1 << 20,
    DWN_GRID = 4, // tiles are 4 x 4
    DWN_MAX_STRIDE = 4,
};

// Extents and windows of a layer with a window, or of a dense one.
typedef struct dwn_geometry {
    dwn_layer_kind kind; // CONVOLUTION, DEPTHWISE or DENSE
    dwn_extent output;
    uint32_t kernel[2]; // height, width
    uint32_t stride[2];
    uint32_t dilation[2];
    uint32_t padding[2];
    bool has_window;  // pitch and dilation are known
    bool is_read;     // the padding, by addresses
    bool is_padded;   // and that has more of it than the window, as tiles agree
    bool is_traced;   // all tiles read the words that window, strides and padding say
    bool is_sure;     // no other value can be what is read, or addresses say that it is this
    uint64_t other;   // outputs of all strips if another value were read, at the least
    int64_t pitch;    // words from one row of pixels to the next, in a tile
    uint64_t groups;  // of output channels
    uint64_t inner;   // words of channels that come before the taps of a window
    uint64_t pixels;  // of the widest part
    uint32_t part[2]; // its rows and columns; 0: the loops over the input do not show them
    bool is_counted;  // the output is what tiles count, and not the input over the stride
    bool is_whole;    // that is one of 4 x 4 tiles; else a strip
    bool is_beyond;   // the last block of a dense layer's loops reaches beyond its input
    uint32_t heuristics;
} dwn_geometry;

// Of a / b, rounded up.
static inline uint32_t dwn_divided(uint32_t a, uint32_t b)
{
    return a / b + (a % b != 0);
}
enum { DWN_WORD_CHANNELS = 4 }; // that a word of the tiles' memory has
static inline uint32_t dwn_words_of(uint32_t channels)
{
    return dwn_divided(channels, DWN_WORD_CHANNELS);
}

// How a group reads a tensor of that extent (16.4), all but the padding. False: it does not.
// recover_count.c
bool dwn_geometry_of(const dwn_operations *all, const dwn_group *group, dwn_extent input,
                     dwn_geometry *out_geometry);
// The same with the rows and columns that its tiles count; NULL: they are unknown.
// recover_geometry.c
bool dwn_counted_geometry(const dwn_operations *all, const dwn_group *group, dwn_extent input,
                          const uint32_t *counted, dwn_geometry *out_geometry);
// The window of an operation alone, all but strides that its loops do not show and the extents.
bool dwn_window_of(const dwn_operation *op, dwn_extent input, dwn_geometry *out_geometry);
// Rows and columns that the tiles of a group make together of a value. False: their loops do not
// show them, or tiles do not agree. recover_count.c
bool dwn_count_pixels(const dwn_operations *all, const dwn_group *group, dwn_extent input,
                      uint32_t out_pixels[2]);
// Padding by the distance of the bases of producer and consumer: false when there is no window or
// the distance is no padding of it. A window of one has none.
bool dwn_padding_of(dwn_geometry *geometry, dwn_extent input, int32_t produced, int32_t consumed);
// Padding by TFLite's rule SAME, on top and left.
typedef struct dwn_sides {
    uint32_t top, left;
} dwn_sides;
dwn_sides dwn_padding_same(const dwn_geometry *geometry, dwn_extent input);
// Whether tiles of other rows or columns read the value where they should with that padding: of
// parts that a group writes and another reads. recover_tiles.c
// A value may be moved in two groups: `rest` has rows after those of the first; NULL: it has none.
bool dwn_tiles_agree(const dwn_operations *all, const dwn_group *written, const dwn_group *rest,
                     const dwn_group *read, const dwn_geometry *geometry, dwn_extent input);
// Output rows of a group whose tiles have different channels; UINT64_MAX: too many.
uint64_t dwn_dense_rows(const dwn_operations *all, const dwn_group *group);
// The part of a group on tile 0, else its first.
const dwn_operation *dwn_first_part(const dwn_operations *all, const dwn_group *group);
// Product of the counts of the input's loops that do not stand still; UINT64_MAX: does not fit.
uint64_t dwn_words_read(const dwn_operation *op);

// Whether the operation writes pixel after pixel, of `words` words each or with space between them,
// and channel after channel of a pixel. recover_order.c
bool dwn_writes_in_order(const dwn_operation *op, uint32_t words);
// Words from one pixel of an output to the next, of `words` words each.
int64_t dwn_pitch_of(const dwn_operation *op, uint32_t words);

// Loops ------------------------------------------------------------------------------------------

// Rows of a group of channels, and of the last one, which has fewer; 0: there are no groups.
typedef struct dwn_channel_rows {
    uint32_t full, last;
} dwn_channel_rows;
// The step of a loop nest that comes to an address. False: none does. recover_loops.c
bool dwn_find_step(const dwn_traversal *to, dwn_channel_rows r, int64_t address,
                   uint64_t *out_step);
// The address at a step of loops. recover_loops.c
int64_t dwn_address_at(int32_t base, const dwn_loop *loops, size_t count, uint64_t step);
// Whether loops of a mesh operation come to an address. recover_loops.c
bool dwn_mesh_has(int32_t base, const dwn_loop loops[DWN_MESH_LOOPS], int64_t address);

// Supplies ---------------------------------------------------------------------------------------

// Sets the supply of each operation of the main executable; `caching` is NULL where there is none.
// HOIST_OK, HOIST_NO_MEMORY. recover_supply.c
HOIST_NODISCARD hoist_status dwn_supply_operations(const dwn_image *main, const dwn_image *caching,
                                                   hoist_arena *arena, dwn_operations *operations);
// That of all operations of a group together.
dwn_supply dwn_group_supply(const dwn_operations *all, const dwn_group *group);
void dwn_supply_add(dwn_supply *supply, const dwn_supply *more);
// Whether it is this piece: it begins where the piece does, and ends in it.
bool dwn_supply_is(const dwn_supply *supply, const dwn_piece *piece);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_OPERATION_H
