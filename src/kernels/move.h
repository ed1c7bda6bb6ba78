// kernels/move.h - moves: bytes and elements from views to views (ops of the program's move step).
#ifndef HOIST_SRC_KERNELS_MOVE_H
#define HOIST_SRC_KERNELS_MOVE_H

#include "kernels/compute.h"

typedef enum hoist_move_kernel {
    HOIST_KERNEL_COPY = 0,
    HOIST_KERNEL_CAST, // through float32 even where the types are equal
    HOIST_KERNEL_FMA,  // sum of scale * source in float32, products and sums rounded apart
    HOIST_KERNEL_ADD,
    HOIST_KERNEL_MIN,
    HOIST_KERNEL_MAX,
    HOIST_KERNEL_MOVE_COUNT,
} hoist_move_kernel;

#define HOIST_MOVE_MAX_VIEWS 16

// Strided views, elements in linear order even where shapes differ. Types that differ are converted
// through float32 (tensor/convert.h: nearest even, integers saturate, NaN gives 0; a NaN keeps its
// sign and payload, and is quiet in types narrower than float32). The result is as if the sources
// were read completely first; where elements of the destination share bytes, the last one wins.
//
// Folds take the sources in their order. MIN and MAX: NaN when an operand is, the first of equals.
// A result that is NaN is the positive quiet one without payload: which of two goes on would be the
// compiler's choice.
typedef struct hoist_view_move {
    hoist_move_kernel op;
    hoist_view destination;
    const hoist_view *sources;
    const float *scales; // FMA
    size_t source_count;
    hoist_dtype arithmetic; // MIN, MAX: I32 or U32, the type of all views; else float32
    bool has_start;
    double start;
    size_t transpose_rank; // 0: none
    const uint8_t *transpose_axes;
    const int32_t *table; // NULL, or one source element per destination element, -1: fill
    float fill;
} hoist_view_move;

// The kernels of one CPU level. Immutable, static; any thread.
typedef struct hoist_move_kernels hoist_move_kernels;

// As hoist_compute_kernels_at().
const hoist_move_kernels *hoist_move_kernels_at(hoist_cpu_level level);

#define HOIST_MOVE_MAX_LOOPS 16

// A loop over elements of all views of a move.
typedef struct hoist_move_loop {
    size_t count;
    int64_t stride[1 + HOIST_MOVE_MAX_VIEWS]; // bytes: of the destination, then of the sources
} hoist_move_loop;

typedef enum hoist_move_way {
    HOIST_MOVE_NOTHING = 0,
    HOIST_MOVE_FLAT,     // one block of bytes
    HOIST_MOVE_BLOCKS,   // of copies, tiles of blocks that are whole on both sides
    HOIST_MOVE_TILES,    // of elements, which all views have as the same loops
    HOIST_MOVE_LINES,    // elements in linear order, some at a time
    HOIST_MOVE_BUFFERED, // through memory that holds the whole result
} hoist_move_way;

// A move made ready: cut into units that any thread may do in any order with the same bits.
typedef struct hoist_move_plan {
    hoist_view_move move; // what it points to is borrowed
    hoist_move_way way;
    size_t units; // 1 or more
    size_t unit;  // bytes (FLAT), tiles or elements of a unit
    uint64_t count;
    hoist_view views[1 + HOIST_MOVE_MAX_VIEWS]; // destination, sources; transposed, loops joined
    size_t loop_count;
    hoist_move_loop loops[HOIST_MOVE_MAX_LOOPS]; // outermost first; BLOCKS, TILES: at least 3
    uint8_t *base[1 + HOIST_MOVE_MAX_VIEWS];     // of the first element
    size_t block;                                // bytes: BLOCKS, FLAT
    bool turned;                                 // BLOCKS, TILES: source and destination go along
                                                 // the last loop but one and the last
    bool has_rows;                               // TILES: converted from where they are
    bool streams;                                // past the caches
    size_t tile[3];                              // of the last loops: planes, rows, columns
    uint64_t tiles;
} hoist_move_plan;

// HOIST_OK, HOIST_INVALID (element counts differ, an item of the table leads outside, axes that are
// not those of the source).
HOIST_NODISCARD hoist_status hoist_move_prepare(const hoist_view_move *move,
                                                hoist_move_plan *out_plan);

// Lets the result go past the caches where its tiles write enough side by side, which is what
// hoist_move_prepare() does with large ones. The bits are the same.
void hoist_move_stream(hoist_move_plan *plan);

// Asked now and then by moves whose time no memory bounds: those of one unit that write the same
// bytes again and again.
typedef struct hoist_move_stop {
    bool (*is_wanted)(void *self);
    void *self;
    uint64_t done; // elements, when the move was stopped; 0 at its begin
} hoist_move_stop;

// Does units [begin, end). HOIST_OK, HOIST_NO_MEMORY (of `alloc`: only BUFFERED asks for any), or
// HOIST_CANCELLED: `stop`, which may be NULL, was requested; another call with it goes on.
HOIST_NODISCARD hoist_status hoist_move_run(const hoist_move_kernels *kernels,
                                            const hoist_move_plan *plan, size_t begin, size_t end,
                                            hoist_allocator alloc, hoist_move_stop *stop);

// Both for the whole move.
HOIST_NODISCARD hoist_status hoist_move_views(const hoist_move_kernels *kernels,
                                              const hoist_view_move *move, hoist_allocator alloc);

// Tiles: destination tile n (logical order) is tile table[n] of the sources joined, -1: `fill` in
// every element; NULL: tile n of the only source. No tile of the destination is one of a source.
typedef struct hoist_tile_move {
    hoist_tiles destination;
    const hoist_tiles *sources;
    size_t source_count;
    const int32_t *table;
    float fill;
} hoist_tile_move;

// Moves destination tiles [begin, end).
void hoist_move_tiles(const hoist_tile_move *move, size_t begin, size_t end);

#endif // HOIST_SRC_KERNELS_MOVE_H
