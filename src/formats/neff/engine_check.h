// formats/neff/engine_check.h - what the checks of an engine's blocks and descriptors share: what
// is checked, and findings at places of its text.
//
// Rows hold no places but those of whole objects, so a finding reads its block or descriptor again;
// the last one read is kept.
#ifndef HOIST_SRC_FORMATS_NEFF_ENGINE_CHECK_H
#define HOIST_SRC_FORMATS_NEFF_ENGINE_CHECK_H

#include "base/diag.h"
#include "formats/neff/neff.h"

typedef struct neff_engine_check {
    neff_check *c;
    const neff_subgraph *subgraph;
    const neff_engine *engine;
    neff_cursor cursor;  // of the engine's text
    hoist_json fragment; // owned: the object that begins at `fragment_at`; count 0: none
    uint32_t fragment_at;
    bool no_memory;    // a finding could not be placed
    uint64_t var_size; // bit of `size` in neff_var.present
} neff_engine_check;

// A place in `dma`.
typedef struct neff_engine_spot {
    uint32_t block;  // index into neff_engine.blocks
    uint32_t desc;   // index into neff_engine.descs; NEFF_NONE: the block itself
    uint32_t source; // of from_arr; NEFF_NONE: the descriptor itself
    const char *key; // of that object; NULL, or one that is not there: the object itself
    uint32_t item;   // of the list at `key`; NEFF_NONE: all of it
    bool mild;       // a warning even under --strict
} neff_engine_spot;

// Calls `check` for each engine that has blocks, with its member entered. HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status neff_check_each_engine(neff_check *c,
                                                    hoist_status (*check)(neff_engine_check *e));

static inline neff_engine_spot neff_block_spot(uint32_t block, const char *key)
{
    return (neff_engine_spot){block, NEFF_NONE, NEFF_NONE, key, NEFF_NONE, false};
}

// Reports a finding under the path dma/3/desc/0/from_arr/2/from_sizes. engine_check.c
void neff_engine_report(neff_engine_check *e, neff_rule rule, neff_engine_spot spot,
                        const char *format, ...) HOIST_PRINTF(4, 5);
// True when the object of the spot is one and has no such key, with a value of whatever kind:
// reading has reported a wrong one, and what is no object. engine_check.c
bool neff_engine_lacks(neff_engine_check *e, neff_engine_spot spot);
// The string at the key of the spot; empty when there is none. Borrowed from the text or in the
// arena of the checks. engine_check.c
hoist_str neff_engine_text(neff_engine_check *e, neff_engine_spot spot);
// Items of the list at the key of the spot; 0 when there is none. engine_check.c
uint32_t neff_engine_items(neff_engine_check *e, neff_engine_spot spot);

#endif // HOIST_SRC_FORMATS_NEFF_ENGINE_CHECK_H
