// Tables that grow by half: engine files have hundreds of megabytes, and what is left over in a
// table that doubles would be as much as all that a module needs. engine_read.c and engine_desc.c
// add rows at the end; nothing is ever removed but from the end.
#include "formats/neff/engine_rows.h"

#include "base/alloc.h"
#include "base/checked.h"

enum { LEAST_ROWS = 16 };

// The order of neff_engine.capacities.
static const size_t row_sizes[NEFF_ROWS_COUNT] = {
    [NEFF_ROWS_BLOCKS] = sizeof(neff_block),      [NEFF_ROWS_DESCS] = sizeof(neff_desc),
    [NEFF_ROWS_SOURCES] = sizeof(neff_source),    [NEFF_ROWS_NUMBERS] = sizeof(int64_t),
    [NEFF_ROWS_EXTRAS] = sizeof(neff_desc_extra), [NEFF_ROWS_FUNCTIONS] = sizeof(hoist_str),
};

// Resizes a table to `capacity` rows; the new place, NULL when out of memory.
static void *resize(hoist_allocator alloc, neff_engine *engine, neff_rows which, void *rows,
                    size_t capacity)
{
    size_t bytes = 0;
    if (hoist_ckd_size_mul(&bytes, capacity, row_sizes[which])) {
        return NULL;
    }
    // The old size is what the allocator counts.
    void *moved = hoist_resize(alloc, rows, engine->capacities[which] * row_sizes[which], bytes);
    if (moved) {
        engine->capacities[which] = capacity;
    }
    return moved;
}

// Makes space for `need` rows; the table's place, NULL when out of memory. Rows move: callers keep
// indices, never pointers.
static inline void *reserve(hoist_allocator alloc, neff_engine *engine, neff_rows which, void *rows,
                            size_t need)
{
    const size_t capacity = engine->capacities[which];
    if (need <= capacity) {
        return rows;
    }
    // Cannot wrap: capacity rows fit in memory.
    const size_t grown = capacity + capacity / 2 + LEAST_ROWS;
    return resize(alloc, engine, which, rows, need > grown ? need : grown);
}

// Adds a copy of `row` to the rows of one kind: neff_engine has a member NAMEs and NAME_count each.
#define ADDS(name, type, which)                                                                    \
    bool neff_add_##name(hoist_allocator alloc, neff_engine *engine, const type *row)              \
    {                                                                                              \
        void *rows = reserve(alloc, engine, which, engine->name##s, engine->name##_count + 1);     \
        if (rows) {                                                                                \
            engine->name##s = rows;                                                                \
            engine->name##s[engine->name##_count++] = *row;                                        \
        }                                                                                          \
        return rows;                                                                               \
    }
ADDS(block, neff_block, NEFF_ROWS_BLOCKS)
ADDS(desc, neff_desc, NEFF_ROWS_DESCS)
ADDS(source, neff_source, NEFF_ROWS_SOURCES)
ADDS(extra, neff_desc_extra, NEFF_ROWS_EXTRAS)
ADDS(function, hoist_str, NEFF_ROWS_FUNCTIONS)

int64_t *neff_add_numbers(hoist_allocator alloc, neff_engine *engine, size_t count)
{
    // One more than needed, so that an empty list has a place, too.
    void *rows = reserve(alloc, engine, NEFF_ROWS_NUMBERS, engine->numbers,
                         engine->number_count + count + 1);
    if (!rows) {
        return NULL;
    }
    engine->numbers = rows;
    engine->number_count += count;
    return engine->numbers + engine->number_count - count;
}

neff_row_counts neff_rows_mark(const neff_engine *engine)
{
    return (neff_row_counts){engine->desc_count, engine->source_count, engine->number_count,
                             engine->extra_count};
}

// Only the counts go back; what was added is overwritten by the next rows.
void neff_rows_back(neff_engine *engine, neff_row_counts counts)
{
    engine->desc_count = counts.descs;
    engine->source_count = counts.sources;
    engine->number_count = counts.numbers;
    engine->extra_count = counts.extras;
}

void neff_rows_clear(neff_engine *engine)
{
    neff_rows_back(engine, (neff_row_counts){0});
    engine->block_count = 0;
    engine->function_count = 0;
}

// Gives a table the size of its rows; when that fails it stays as it is.
static void *shrunk(hoist_allocator alloc, neff_engine *engine, neff_rows which, void *rows,
                    size_t count)
{
    if (count == engine->capacities[which]) {
        return rows;
    }
    if (count == 0) {
        hoist_free(alloc, rows, engine->capacities[which] * row_sizes[which]);
        engine->capacities[which] = 0;
        return NULL;
    }
    void *moved = resize(alloc, engine, which, rows, count); // a failed resize loses nothing
    return moved ? moved : rows;
}

void neff_rows_shrink(hoist_allocator alloc, neff_engine *engine)
{
    neff_engine *e = engine;
    e->blocks = shrunk(alloc, e, NEFF_ROWS_BLOCKS, e->blocks, e->block_count);
    e->descs = shrunk(alloc, e, NEFF_ROWS_DESCS, e->descs, e->desc_count);
    e->sources = shrunk(alloc, e, NEFF_ROWS_SOURCES, e->sources, e->source_count);
    e->numbers = shrunk(alloc, e, NEFF_ROWS_NUMBERS, e->numbers, e->number_count);
    e->extras = shrunk(alloc, e, NEFF_ROWS_EXTRAS, e->extras, e->extra_count);
    e->functions = shrunk(alloc, e, NEFF_ROWS_FUNCTIONS, e->functions, e->function_count);
}

void neff_rows_free(hoist_allocator alloc, neff_engine *engine)
{
    // Tables of no rows are freed by shrinking them.
    neff_rows_clear(engine);
    neff_rows_shrink(alloc, engine);
}
