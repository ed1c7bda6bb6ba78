// formats/neff/pattern.h - arithmetic on access patterns (neff reference 4.5.1).
//
// A pattern enumerates bytes: offset + i0 * steps[0] + i1 * steps[1] + ... with each i below its
// size, the first one fastest. Sizes are 1 or more, steps have any sign. Sizes and steps come from
// files and can be anything that 64 bits hold; nothing here overflows.
#ifndef HOIST_SRC_FORMATS_NEFF_PATTERN_H
#define HOIST_SRC_FORMATS_NEFF_PATTERN_H

#include "formats/neff/module.h"

enum { NEFF_MAX_DIMS = 8 };

// The window of the state buffer (4.1.1): descriptor offsets are partition * stride + byte.
#define NEFF_PARTITION_STRIDE INT64_C(0x40000)
#define NEFF_STATE_BUFFER_SIZE INT64_C(0x2000000)

typedef struct neff_access {
    int64_t offset;       // bytes from the start of the variable
    uint32_t dims;        // 1 ... NEFF_MAX_DIMS; 0: no pattern, nothing below takes one
    const int64_t *sizes; // borrowed; each 1 or more
    const int64_t *steps; // borrowed
} neff_access;

// The pattern of a side; dims 0 when sizes or steps are absent, of different or too great length,
// or a size is below 1. Borrows from the engine.
neff_access neff_access_of(const neff_engine *engine, const neff_pattern *pattern);

// Bytes that are enumerated, each time that they are; false: they do not fit in 64 bits.
bool neff_access_bytes(const neff_access *access, uint64_t *out_bytes);
// Ring entries that a side takes (4.5.6) [inferred]: one for each run of at most 64 KiB;
// UINT64_MAX when there are more than 64 bits hold.
uint64_t neff_access_entries(const neff_access *access);

// The bytes lie in [low, high) of the variable.
typedef struct neff_extent {
    int64_t low;
    int64_t high;
    bool exact; // else one of them is beyond 64 bits, and has a value near the limit instead
} neff_extent;
neff_extent neff_access_extent(const neff_access *access);
// True when all bytes are in [0, size).
bool neff_access_within(const neff_access *access, int64_t size);
// True when both enumerate the same bytes in the same order for sure: they are written alike.
bool neff_access_equal(const neff_access *a, const neff_access *b);

// The bytes of a pattern as a set: runs of `run` bytes at low + i0 * steps[0] + ...
typedef struct neff_runs {
    int64_t low; // 0 or more
    int64_t run; // bytes, 1 or more
    uint32_t dims;
    int64_t counts[NEFF_MAX_DIMS]; // 2 or more
    int64_t steps[NEFF_MAX_DIMS];  // ascending, above `run`
} neff_runs;
// The set of a pattern that begins at 0 or more; false: it does not, or 64 bits do not hold it.
bool neff_access_runs(const neff_access *access, neff_runs *out_runs);

typedef enum neff_overlap {
    NEFF_APART = 0,
    NEFF_OVERLAP,
    NEFF_MAY_OVERLAP, // not found out: the patterns are entangled too much
} neff_overlap;
// Whether two patterns of one variable have a byte in common. Exact for patterns of equal steps and
// for one against a range of bytes; for others when little has to be tried.
neff_overlap neff_access_overlap(const neff_access *a, const neff_access *b);

#endif // HOIST_SRC_FORMATS_NEFF_PATTERN_H
