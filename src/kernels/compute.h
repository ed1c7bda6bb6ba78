// kernels/compute.h - the kernels behind ops/compute.h.
//
// A call is cut into independent units of work; any thread may do any of them, in any order, with
// the same bits. Tensors of the golden profile are float32 tiles of 32 rows of 32 (4,096 bytes),
// found through a table, so that every layout and TM that moves whole tiles costs nothing. The
// other profiles work on views of any strides.
#ifndef HOIST_SRC_KERNELS_COMPUTE_H
#define HOIST_SRC_KERNELS_COMPUTE_H

#include <float.h>

#include "ops/compute.h"
#include "os/cpu.h"
#include "tensor/view.h"

_Static_assert(FLT_EVAL_METHOD == 0, "each float operation rounds to its own type");

#define HOIST_TILE_DIM 32
#define HOIST_TILE_FLOATS 1024

// A tensor of tiles. Tile (z, row, col) is tile number n = (z * rows + row) * cols + col; it is
// at base + tiles[n] * 1,024 floats. HOIST_TILE_ZERO: a tile of zeros (inputs only).
#define HOIST_TILE_ZERO UINT32_MAX
typedef struct hoist_tiles {
    float *base;           // borrowed, aligned to 64
    const uint32_t *tiles; // borrowed; NULL: tile n is at n
    hoist_tile_shape shape;
} hoist_tiles;

// Where and why a kernel stopped, or would have.
typedef struct hoist_compute_fault {
    const char *what; // static: "square root of a negative number"
    uint64_t z;       // place in the tensor, elements
    uint64_t row;
    uint64_t col;
    double value;     // of the element there
    uint64_t count;   // elements of this kind, of a call that goes on; else any number
    unsigned operand; // the input that the element is of, 1 for the first; 0: the kernel gives none
    bool has_expected;
    double expected; // the only value that the element may have
} hoist_compute_fault;

// Rows and columns of a product of matrices that are complete.
typedef struct hoist_compute_product {
    uint64_t batch;      // of all dimensions before the last two as one
    int64_t row, column; // of the batch: the first
    int64_t rows, columns;
    uint8_t *first;                // its first element
    int64_t row_step, column_step; // bytes
} hoist_compute_product;

// Who goes on with parts of a product as they become complete, while they are in the caches.
typedef struct hoist_compute_finish {
    void (*run)(void *self, const hoist_compute_product *done); // and may change its elements
    void *self;
    bool is_stored; // in the output; else elements are in memory of the kernel while `run` has them
} hoist_compute_finish;

typedef struct hoist_compute_call {
    hoist_compute_op op;
    hoist_compute_attrs attrs;
    hoist_tiles inputs[HOIST_COMPUTE_MAX_INPUTS]; // rows on tiles
    hoist_tiles output;
    const hoist_view *views; // rows on views: the inputs, then the output; else NULL
    size_t input_count;
    bool goes_on;            // where the profile stops and IEEE 754 has a value: with that
    const uint8_t *prepared; // hoist_compute_prepare(), or NULL
    hoist_mut_bytes scratch; // of who runs it, aligned to 64: hoist_compute_scratch_size()
    // Of rows of HOIST_PARTS_PRODUCT; NULL: nobody. A product that is not stored takes all of the
    // scratch memory that it asks for.
    const hoist_compute_finish *finish;
} hoist_compute_call;

// The kernels of one CPU level. Immutable, static; any thread.
typedef struct hoist_compute_kernels hoist_compute_kernels;

// The best kernels built in for a CPU of `level`; never NULL. The caller vouches that the machine
// has the level.
const hoist_compute_kernels *hoist_compute_kernels_at(hoist_cpu_level level);

// The instructions by which rows of the profile fast are done; NULL: none, the bits are those of
// ark.
const char *hoist_compute_fast(const hoist_compute_kernels *kernels);

// Some kernels want their weights in another order. Bytes of that form of the operands of `call`
// from input 1 on; 0: none is needed. `call` fits its row; the elements of input 0 and the output
// are not looked at. The form goes with every call that has the same attributes, the same types,
// shapes and strides, and the same elements from input 1 on.
size_t hoist_compute_prepared_size(const hoist_compute_kernels *kernels,
                                   const hoist_compute_call *call);
// Fills `prepared`, of that size and aligned to 64. False: the operands cannot be prepared (a run
// will say why), and calls go without.
bool hoist_compute_prepare(const hoist_compute_kernels *kernels, const hoist_compute_call *call,
                           uint8_t *prepared);

// The most memory that a kernel works in, in bytes.
#define HOIST_COMPUTE_MAX_SCRATCH ((size_t)5 << 20)

// Bytes of memory that whoever runs units of `call` should give in `scratch`, at most
// HOIST_COMPUTE_MAX_SCRATCH: each thread its own, with any contents. With less, or none, the bits
// are the same, but slower. 0: none is needed. `call` fits its row; no elements are looked at.
size_t hoist_compute_scratch_size(const hoist_compute_kernels *kernels,
                                  const hoist_compute_call *call);

// Units of work of `call`: 1 or more. `call` must fit its row (hoist_compute_fits()).
size_t hoist_compute_work(const hoist_compute_call *call);

// Does units [begin, end). An output may be an input of a tilewise row when both have the same
// tiles. HOIST_OK, with `out_fault->what` where a call that goes on would have stopped, the first
// place and the number of them; HOIST_INVALID with `*out_fault`: the arithmetic of the profile
// stops here (the other units' results are then of no use), or an operand that only a run can check
// is wrong: a sparse_matmul encoding or embedding index that leads outside, scales of tflite and
// edgetpu.
HOIST_NODISCARD hoist_status hoist_compute_run(const hoist_compute_kernels *kernels,
                                               const hoist_compute_call *call, size_t begin,
                                               size_t end, hoist_compute_fault *out_fault);

// Parts of a call that are evenly spaced in every operand: elements, or rows that are reduced to
// one element each (hoist_compute_parts).
#define HOIST_COMPUTE_LINE_OPERANDS 3 // at most two inputs, and the output
typedef struct hoist_compute_line {
    uint8_t *at[HOIST_COMPUTE_LINE_OPERANDS];  // of the first part: inputs, then the output
    int64_t step[HOIST_COMPUTE_LINE_OPERANDS]; // bytes from a part to the next
    size_t count;                              // parts
} hoist_compute_line;

// A call with its kernel chosen, for lines that differ in `at` and `count` alone: small parts of a
// step then cost their arithmetic and a call, and no search for kernels and loops.
typedef struct hoist_compute_form {
    void (*run)(const struct hoist_compute_form *form, const hoist_compute_line *line);
    _Alignas(8) uint8_t state[64]; // of `run`
} hoist_compute_form;

// The form of `call` for lines of these steps. False: its row has none, or not of these steps. The
// bits are those of hoist_compute_run(), and nothing can fail. The shapes, types and strides of
// `call->views` are looked at, no memory.
bool hoist_compute_form_of(const hoist_compute_kernels *kernels, const hoist_compute_call *call,
                           const int64_t *step, hoist_compute_form *out_form);

// True when this machine and C library give the bits of the golden profile (fused multiply-add, and
// glibc for the transcendental functions).
bool hoist_compute_is_exact(void);

#endif // HOIST_SRC_KERNELS_COMPUTE_H
