// formats/darwinn/write_testing.h - for tests: packages from executables (darwinn reference
// sections 1.3 and 13).
#ifndef HOIST_SRC_FORMATS_DARWINN_WRITE_TESTING_H
#define HOIST_SRC_FORMATS_DARWINN_WRITE_TESTING_H

#include "formats/darwinn/module.h"

// Appends a package of `executables`, in that order, with the other fields of `package`. Fields
// without a row are not in it (hoist_fb_is_known()). HOIST_OK, HOIST_LIMIT (2 GiB or more),
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_make_package(const dwn_package *package,
                                              const dwn_executable *const *executables,
                                              size_t count, hoist_buffer *out);
// Appends the map of custom_options that holds `packages`, the first in key 4 and others in key 7,
// written as the compiler writes it. HOIST_OK, HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_make_custom(const dwn_custom *custom, const hoist_bytes *packages,
                                             size_t count, hoist_buffer *out);

#endif // HOIST_SRC_FORMATS_DARWINN_WRITE_TESTING_H
