// formats/neff/engine_rows.h - the growing tables of an engine: rows are added at the end while its
// file is read, and given back all at once.
#ifndef HOIST_SRC_FORMATS_NEFF_ENGINE_ROWS_H
#define HOIST_SRC_FORMATS_NEFF_ENGINE_ROWS_H

#include "formats/neff/module.h"

// Indices of neff_engine.capacities.
typedef enum neff_rows {
    NEFF_ROWS_BLOCKS = 0,
    NEFF_ROWS_DESCS,
    NEFF_ROWS_SOURCES,
    NEFF_ROWS_NUMBERS,
    NEFF_ROWS_EXTRAS,
    NEFF_ROWS_FUNCTIONS,
    NEFF_ROWS_COUNT,
} neff_rows;

// How many rows the tables have, to go back to.
typedef struct neff_row_counts {
    size_t descs;
    size_t sources;
    size_t numbers;
    size_t extras;
} neff_row_counts;

neff_row_counts neff_rows_mark(const neff_engine *engine);
// Drops the rows added since.
void neff_rows_back(neff_engine *engine, neff_row_counts counts);
// Drops the rows of all tables; their memory is kept.
void neff_rows_clear(neff_engine *engine);

// Copies the row to the end of its table; false when out of memory.
bool neff_add_block(hoist_allocator alloc, neff_engine *engine, const neff_block *block);
bool neff_add_desc(hoist_allocator alloc, neff_engine *engine, const neff_desc *desc);
bool neff_add_source(hoist_allocator alloc, neff_engine *engine, const neff_source *source);
bool neff_add_extra(hoist_allocator alloc, neff_engine *engine, const neff_desc_extra *extra);
bool neff_add_function(hoist_allocator alloc, neff_engine *engine, const hoist_str *name);
// Space for `count` (not 0) more numbers at the end, which are counted; NULL when out of memory.
int64_t *neff_add_numbers(hoist_allocator alloc, neff_engine *engine, size_t count);

// Gives back what the tables were grown too far.
void neff_rows_shrink(hoist_allocator alloc, neff_engine *engine);
void neff_rows_free(hoist_allocator alloc, neff_engine *engine);

#endif // HOIST_SRC_FORMATS_NEFF_ENGINE_ROWS_H
