// formats/darwinn/read.h - what the reading functions share.
#ifndef HOIST_SRC_FORMATS_DARWINN_READ_H
#define HOIST_SRC_FORMATS_DARWINN_READ_H

#include "formats/darwinn/module.h"
#include "formats/darwinn/rules.h"

typedef struct dwn_reader {
    dwn_module *module;
    hoist_diag *diag;   // may be NULL
    hoist_arena *arena; // the module's
} dwn_reader;

// A package, and all that is nested in it. Rules 10, 11, 15 to 18. `depth` counts the bundles it is
// in. HOIST_OK, whatever was found; HOIST_LIMIT, HOIST_NO_MEMORY. read_package.c
HOIST_NODISCARD hoist_status dwn_read_package(dwn_reader *r, hoist_bytes bytes, unsigned depth,
                                              dwn_contents *contents);
// The chunks of an executable, whose rows are there. HOIST_OK, HOIST_NO_MEMORY. read_chunks.c
HOIST_NODISCARD hoist_status dwn_read_chunks(dwn_reader *r, dwn_image *image);
// The map of custom_options and the packages in it. Rules 5 to 8. HOIST_INVALID: there is no map
// or no package; HOIST_LIMIT, HOIST_NO_MEMORY. read_custom.c
HOIST_NODISCARD hoist_status dwn_read_custom(dwn_reader *r);
// Whether bytes end as the FlexBuffer of custom_options does (1.2). read_custom.c
bool dwn_is_custom(hoist_bytes bytes);

#endif // HOIST_SRC_FORMATS_DARWINN_READ_H
