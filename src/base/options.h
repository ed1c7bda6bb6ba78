// base/options.h - options structs of callers that were built against other versions of the
// headers (hoist/base.h has the rules).
#ifndef HOIST_SRC_BASE_OPTIONS_H
#define HOIST_SRC_BASE_OPTIONS_H

#include "hoist/base.h"

// The largest struct_size that is believed.
#define HOIST_OPTIONS_MAX 4096

// Copies `options` (NULL: nothing is asked for), whose first field is `size_t struct_size`, to
// `out_options`, the `own_size` bytes of the same struct as this library knows it. What the
// caller's struct lacks is zero; struct_size is then `own_size`. HOIST_OK; HOIST_INVALID for a
// struct_size that cannot be one; HOIST_UNSUPPORTED when a field that this library does not know is
// set.
// `*out_options` is zero but for struct_size on failure.
HOIST_NODISCARD hoist_status hoist_options_read(const void *options, void *out_options,
                                                size_t own_size);

#endif // HOIST_SRC_BASE_OPTIONS_H
