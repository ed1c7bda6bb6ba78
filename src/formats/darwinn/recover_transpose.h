// formats/darwinn/recover_transpose.h - an output of the model whose numbers are those of values in
// another order.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_TRANSPOSE_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_TRANSPOSE_H

#include "formats/darwinn/recover_copied.h"
#include "formats/darwinn/recover_trace.h"

// Looks at what tiles copy out and drain for an output of the model, where the walk's trace is
// before that: whether each of its bytes is one of a value, or of several whose channels are
// joined, in the order of their axes or, where selections wrote it, with these exchanged. HOIST_OK,
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_read_ordered(dwn_walk *w, uint32_t output);
// Makes layers of what was found. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_take_ordered(dwn_walk *w, uint32_t output, bool *out_is_made);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_TRANSPOSE_H
