// load/guess.h - what a file of no known format may be, for the message that refuses it.
#ifndef HOIST_SRC_LOAD_GUESS_H
#define HOIST_SRC_LOAD_GUESS_H

#include "base/diag.h"

// Reports that no format takes `bytes`: what they look like and by what, what to do, and which
// formats there are. HOIST_INVALID, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_load_refuse_bytes(hoist_bytes bytes, hoist_diag *diag,
                                                     hoist_allocator alloc);

// Reports that `bytes`, which a format took by the file's name and could not read, look like
// something that no format has; nothing when they do not.
void hoist_load_doubt_bytes(hoist_bytes bytes, hoist_diag *diag);

#endif // HOIST_SRC_LOAD_GUESS_H
