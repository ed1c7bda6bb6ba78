// formats/neff/engine_read.h - what the reader of engines shares among its parts.
#ifndef HOIST_SRC_FORMATS_NEFF_ENGINE_READ_H
#define HOIST_SRC_FORMATS_NEFF_ENGINE_READ_H

#include "formats/neff/engine_rows.h"
#include "formats/neff/text.h"

enum { NEFF_DESC_ROWS = 32 }; // of neff_desc_table at most

// Where the reader is, for object paths; NEFF_NONE: not inside one.
typedef struct neff_engine_place {
    uint32_t block;
    uint32_t desc;
    uint32_t source;
} neff_engine_place;

// Rows that are more than a slot.
typedef struct neff_engine_keys {
    int queue; // of neff_block_table
    int instance;
    int function;
    int desc;
    int from; // of neff_desc_table
    int from_arr;
    int scale; // of neff_extra_table
} neff_engine_keys;

// The function at hand in the blocks of a queue set.
typedef struct neff_engine_section {
    hoist_json_index dma; // array of the block that began it; of another one: main
    uint32_t function;    // NEFF_NONE: main
} neff_engine_section;

typedef struct neff_engine_reader {
    neff_reader *r;
    const neff_subgraph *subgraph;
    neff_engine *engine;
    hoist_allocator alloc;
    const hoist_json *json;        // of the block at hand
    hoist_json_index dma;          // the array whose items are read; 0: none yet
    neff_engine_section *sections; // owned; by queue set
    hoist_map function_names;      // to index
    neff_engine_place place;
    neff_engine_keys keys;
    neff_block no_block; // rows of which no key is there
    neff_desc no_desc;
    neff_source no_source;
    neff_desc_extra no_extra;
    uint32_t source_rows;          // bit i: row i of neff_desc_table has its slot in a neff_source
    uint8_t words[NEFF_DESC_ROWS]; // by row of neff_desc_table: the word that was met last
} neff_engine_reader;

// Reports the value `at` of a field, which is of another kind. engine_report.c
void neff_engine_wrong(neff_engine_reader *e, const hoist_rec_field *field, hoist_json_index at);
// Reports a value that is not `expected`, under the name `key`, by `rule`. engine_report.c
void neff_engine_wanted(neff_engine_reader *e, uint16_t rule, hoist_json_index at, const char *key,
                        const char *expected);

// Reports the required keys of a block that are not in `seen`. engine_report.c
void neff_engine_missing(neff_engine_reader *e, hoist_json_index block, uint64_t seen);

// Sets `keys`, `source_rows` and the rows of which no key is there. engine_desc.c
void neff_desc_defaults(neff_engine_reader *e);
// Adds the row of the descriptor `at` and all that belongs to it. HOIST_NO_MEMORY. engine_desc.c
HOIST_NODISCARD hoist_status neff_read_desc(neff_engine_reader *e, hoist_json_index at);

#endif // HOIST_SRC_FORMATS_NEFF_ENGINE_READ_H
