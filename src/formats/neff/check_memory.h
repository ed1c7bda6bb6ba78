// formats/neff/check_memory.h - parts of neff_check_def: what is in memory, and where.
#ifndef HOIST_SRC_FORMATS_NEFF_CHECK_MEMORY_H
#define HOIST_SRC_FORMATS_NEFF_CHECK_MEMORY_H

#include "formats/neff/def_check.h"
#include "formats/neff/footprint.h"

// Rule 31: constants of `file` variables. HOIST_OK, HOIST_NO_MEMORY. check_constants.c
HOIST_NODISCARD hoist_status neff_check_constants(neff_def_check *d);
// Rule 32: `virtual` variables and the scratchpad. check_scratchpad.c
HOIST_NODISCARD hoist_status neff_check_scratchpad(neff_def_check *d);
// Rule 44: bytes of the state buffer that are the runtime's. HOIST_LIMIT, with a finding, when the
// patterns have too many runs. check_window.c
HOIST_NODISCARD hoist_status neff_check_reservations(neff_def_check *d);
// Rules 39c and 39e, of blocks on pinned queue sets. As neff_check_reservations. check_window.c
HOIST_NODISCARD hoist_status neff_check_pinned(neff_def_check *d);

#endif // HOIST_SRC_FORMATS_NEFF_CHECK_MEMORY_H
