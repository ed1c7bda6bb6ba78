// formats/neff/def_check.h - what the checks of a def.json share.
#ifndef HOIST_SRC_FORMATS_NEFF_DEF_CHECK_H
#define HOIST_SRC_FORMATS_NEFF_DEF_CHECK_H

#include "base/diag.h"
#include "formats/neff/neff.h"
#include "formats/neff/tape.h"

typedef struct neff_def_check {
    neff_check *c;
    const neff_subgraph *subgraph;
    const hoist_json *json; // of def.json; not empty
    neff_cursor cursor;
} neff_def_check;

// The frames of "var/input".
typedef struct neff_def_path {
    hoist_frame outer;
    hoist_frame inner;
} neff_def_path;

// Calls `check` for each subgraph whose def.json was read, with its member entered.
HOIST_NODISCARD hoist_status neff_check_each_def(neff_check *c,
                                                 hoist_status (*check)(neff_def_check *d));
void neff_def_push(neff_def_check *d, neff_def_path *path, const char *what, hoist_str name);
void neff_def_pop(neff_def_check *d, const neff_def_path *path);

// The value of a key at the top, or the document.
hoist_loc neff_def_loc(neff_def_check *d, const char *key);
// The value of a key of a variable or queue set, or the object itself.
static inline hoist_loc neff_def_at(neff_def_check *d, uint32_t at, const char *key)
{
    return neff_key_loc(&d->cursor, d->json, at, key);
}
// True when the key is there, with a value of whatever kind: a wrong one was reported by reading.
static inline bool neff_def_there(const neff_def_check *d, uint32_t at, const char *key)
{
    return neff_key_there(d->json, at, key);
}

#endif // HOIST_SRC_FORMATS_NEFF_DEF_CHECK_H
