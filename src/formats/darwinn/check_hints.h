// formats/darwinn/check_hints.h - what the checks of hints share.
#ifndef HOIST_SRC_FORMATS_DARWINN_CHECK_HINTS_H
#define HOIST_SRC_FORMATS_DARWINN_CHECK_HINTS_H

#include "formats/darwinn/check.h"
#include "formats/darwinn/hints.h"

// All hints of an image together: 58, 60 and 81. check_transfers.c
HOIST_NODISCARD hoist_status dwn_check_transfers(dwn_check *c, const dwn_hint *hints, size_t count);

#endif // HOIST_SRC_FORMATS_DARWINN_CHECK_HINTS_H
