// testing/neff_programs.h - random NEFFs whose descriptor blocks need waits, and have exactly
// these: an order of blocks is chosen first, which is the oracle, and every wait that it needs is
// put in. The same options give the same bytes.
//
// Up to five engines, each with a queue set of 1, 2 or 16 rings, copy windows of `input` (256
// bytes) and of temporary variables, at last to `output` (256 bytes). Blocks signal a semaphore of
// their own, or of a set with one ring all the same, which then counts. Some engines trigger from
// within a function.
#ifndef HOIST_SRC_TESTING_NEFF_PROGRAMS_H
#define HOIST_SRC_TESTING_NEFF_PROGRAMS_H

#include "base/buffer.h"

enum { NEFF_PROGRAM_BYTES = 256 };

typedef struct neff_program_options {
    uint64_t seed;
    size_t leave_out;    // number, from 1, of the wait to leave out; 0: none
    size_t leave_signal; // number, from 1, of the signal that never comes; 0: none
} neff_program_options;

typedef struct neff_program_file {
    hoist_buffer bytes; // owned: hoist_buffer_deinit
    size_t waits;       // of an engine for another one's block
    size_t signals;     // waits for a semaphore that one block alone signals
    uint8_t input[NEFF_PROGRAM_BYTES];
    uint8_t output[NEFF_PROGRAM_BYTES]; // when it is the input
    // The blocks that the wait that was left out orders, "pe/dma/3" by engine and index.
    char first[24];
    char second[24];
    bool is_only_race; // no other pair of blocks is without order then
} neff_program_file;

// Aborts when memory runs out.
void neff_program_generate(const neff_program_options *options, neff_program_file *out_file);

#endif // HOIST_SRC_TESTING_NEFF_PROGRAMS_H
