// formats/neff/desc_check.h - what the checks of a descriptor share.
#ifndef HOIST_SRC_FORMATS_NEFF_DESC_CHECK_H
#define HOIST_SRC_FORMATS_NEFF_DESC_CHECK_H

#include "formats/neff/engine_check.h"
#include "formats/neff/pattern.h"

enum { NEFF_MAX_SOURCES = 16 };

// Who writes what in a subgraph, found out when it is first asked for.
typedef struct neff_writers {
    bool *written; // by variable; arena; NULL: not known yet
    bool unseen;   // there are transfers whose destination is not in the file
} neff_writers;

typedef struct neff_desc_check {
    neff_engine_check *e;
    neff_writers writers;
    const neff_desc *desc;
    neff_engine_spot spot; // of the descriptor; no key
    neff_access to;        // dims 0: not a pattern, which was reported
    neff_access from[NEFF_MAX_SOURCES];
    uint32_t source_count; // at most NEFF_MAX_SOURCES
} neff_desc_check;

// Sums, minima and maxima of the DMA engine's compute part, with sources in from_arr.
static inline bool neff_op_computes(int op)
{
    return op == NEFF_OP_FMA || op == NEFF_OP_ADD || op == NEFF_OP_MIN || op == NEFF_OP_MAX;
}

static inline neff_engine_spot neff_desc_spot(const neff_desc_check *d, const char *key)
{
    neff_engine_spot spot = d->spot;
    spot.key = key;
    return spot;
}

static inline const neff_pattern *neff_desc_source(const neff_desc_check *d, uint32_t i)
{
    return &d->e->engine->sources[d->desc->sources + i].from;
}

// Rules 58 to 61: the keys that few descriptors have. check_extras.c
void neff_check_extras(neff_desc_check *d);
// Rule 63: what is read and written. HOIST_NO_MEMORY. check_effects.c
HOIST_NODISCARD hoist_status neff_check_effects(neff_desc_check *d);

#endif // HOIST_SRC_FORMATS_NEFF_DESC_CHECK_H
