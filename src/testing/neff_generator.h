// testing/neff_generator.h - random NEFFs from a seed, for property tests and benches: the same
// options give the same bytes on every machine with the same zlib. Files are made through
// hoist/neff.h; odd containers are put together again from what it made.
//
// Every file is valid (its check finds no error) unless a mutation is asked for, which names the
// clause that it must raise. What a file varies over are cells (neff_cells.inc), each draw
// independent of the others as far as the format lets it.
//
// Functions abort when memory runs out.
#ifndef HOIST_SRC_TESTING_NEFF_GENERATOR_H
#define HOIST_SRC_TESTING_NEFF_GENERATOR_H

#include "base/buffer.h"

typedef enum neff_cell {
#define CELL(id, area, value) id,
#define RANGE(id, cells, area, value) id, id##_LAST = (id) + (cells)-1,
#include "testing/neff_cells.inc"
#undef CELL
#undef RANGE
    NEFF_CELL_COUNT,
} neff_cell;

// Area and value of a cell, with its number when it is one of a range: "streams: wait mode 3".
void neff_cell_name(neff_cell cell, char *out, size_t size);

typedef enum neff_file_size {
    NEFF_FILE_SMALL = 0, // below 64 KiB
    NEFF_FILE_MEDIUM,    // about 4 MiB
    NEFF_FILE_LARGE,     // 500 MB
} neff_file_size;

// A way to break a valid file.
typedef struct neff_mutation neff_mutation;
size_t neff_mutation_count(void);
const neff_mutation *neff_mutation_at(size_t index);
// The clause that it raises: "NEFF-036a"; and what it does, in words.
const char *neff_mutation_clause(const neff_mutation *mutation);
const char *neff_mutation_name(const neff_mutation *mutation);

typedef struct neff_file_options {
    uint64_t seed;
    neff_file_size size;
    const neff_mutation *mutation; // NULL: none
} neff_file_options;

typedef struct neff_file {
    hoist_buffer bytes;          // owned: neff_file_deinit
    bool cells[NEFF_CELL_COUNT]; // that it reaches
    // The archive is as hoist packs its members without a manifest.
    bool canonical;
    const char *arch;      // --target for its check; NULL: none
    uint64_t max_expanded; // limit to open it with; 0: the usual one
} neff_file;

void neff_file_generate(const neff_file_options *options, neff_file *out_file);
void neff_file_deinit(neff_file *file);

#endif // HOIST_SRC_TESTING_NEFF_GENERATOR_H
