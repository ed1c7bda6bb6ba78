// formats/darwinn/recover_transpose.h - an output of the model whose numbers are those of values in
// another order.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_TRANSPOSE_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_TRANSPOSE_H

#include "formats/darwinn/recover_copied.h"
#include "formats/darwinn/recover_trace.h"

// Makes a layer of an output of the model that tiles copy out, if selections wrote it and each of
// its bytes is one of a value, or of several whose channels are joined, in the order of their axes
// exchanged. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_transpose_output(dwn_walk *w, uint32_t output,
                                                  const dwn_copied *from, bool *out_is_made);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_TRANSPOSE_H
