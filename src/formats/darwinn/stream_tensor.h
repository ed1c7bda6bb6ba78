// formats/darwinn/stream_tensor.h - the loop nests of a tensor operation (darwinn reference section
// 16.1): eight master loops, and four traversals of memory, which run over the same steps.
#ifndef HOIST_SRC_FORMATS_DARWINN_STREAM_TENSOR_H
#define HOIST_SRC_FORMATS_DARWINN_STREAM_TENSOR_H

#include "base/checked.h"
#include "formats/darwinn/stream_rows.h"

enum { DWN_LOOPS = 8, DWN_MASTER_LOOPS = 8, DWN_MASTER_ALL = 0xff };
enum { DWN_FLAG_LOOPS = 7 };        // whose flags are known
enum { DWN_MODE_PARAMETERS = 0x8 }; // bit of the mode: weights come from the parameters

typedef enum dwn_traversal_id {
    DWN_TRAVERSAL_A = 0, // input
    DWN_TRAVERSAL_B,     // output
    DWN_TRAVERSAL_C,     // parameters
    DWN_TRAVERSAL_D,     // second operand, or partial sums
    DWN_TRAVERSAL_COUNT,
} dwn_traversal_id;

typedef struct dwn_traversal_row { // of a traversal; the fields are indices of dwn_tensor_rows
    const char *name;              // "a"
    const char *title;
    uint8_t base; // DWN_TENSOR_FIELDS: it has none that is known
    uint8_t increment;
    uint8_t count;
    uint8_t flags;
} dwn_traversal_row;

extern const dwn_traversal_row dwn_traversals[DWN_TRAVERSAL_COUNT];

// One loop of a nest; the innermost comes first in arrays.
typedef struct dwn_loop {
    uint32_t count;    // steps, 1 or more
    int64_t stride;    // by the increment rule; unit as of the traversal's base
    int32_t increment; // as stored
    uint8_t flags;     // 2 bits, meaning unknown; 0 of the last loop, which has none
} dwn_loop;

typedef struct dwn_traversal {
    int32_t base;              // 0 where none is known
    dwn_loop loops[DWN_LOOPS]; // the innermost first
} dwn_traversal;

// The strides of loops, the innermost first, of their counts and increments. The increment of loop
// k is added when loops 0 to k-1 have just wrapped, so stride k = increment k + the sum over j < k
// of (count j - 1) * stride j. Hostile numbers make strides that wrap around 64 bits.
void dwn_loops_set_strides(dwn_loop *loops, size_t count);

// A traversal of a tensor operation of 17 words.
dwn_traversal dwn_traversal_of(hoist_bytes instruction, dwn_traversal_id id);
// Loops up to the last that does anything: its count is not 1, or its stride or flags are not 0.
size_t dwn_traversal_used(const dwn_traversal *traversal);

// Master loops up to the last with a count that is not 1.
size_t dwn_master_used(hoist_bytes instruction);

// a * b; UINT64_MAX where it does not fit.
static inline uint64_t dwn_times(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    return hoist_ckd_mul(&product, a, b) ? UINT64_MAX : product;
}
// a + b, likewise.
static inline uint64_t dwn_plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
// Products of counts; UINT64_MAX where one does not fit. Of the master loops those whose bit in
// `loops` is set.
uint64_t dwn_master_product(hoist_bytes instruction, uint32_t loops);
uint64_t dwn_traversal_product(hoist_bytes instruction, dwn_traversal_id id);
// What the product of a traversal's counts has to be (16.1): the master loops' product; of the
// output the product of the loops that are no reduction, times ceil(full rows / 4).
uint64_t dwn_traversal_expected(hoist_bytes instruction, dwn_traversal_id id);
// Whether that is known to hold for the traversal of this operation: for all four of those with
// parameters, for A, C and D of pools and of those that move data.
bool dwn_traversal_is_bound(hoist_bytes instruction, uint8_t opcode, dwn_traversal_id id);
// The first loop of C or D, of an operation with parameters, that neither stands still nor goes on
// where the loops inside it have ended, as all are known to; DWN_LOOPS: there is none. A loop of
// one step has no stride that matters.
size_t dwn_traversal_jumps(hoist_bytes instruction, dwn_traversal_id id);

#endif // HOIST_SRC_FORMATS_DARWINN_STREAM_TENSOR_H
