// formats/neff/neff_fuzz_testing.h - for fuzz targets that make up the members of a file without
// its container.
#ifndef HOIST_SRC_FORMATS_NEFF_NEFF_FUZZ_TESTING_H
#define HOIST_SRC_FORMATS_NEFF_NEFF_FUZZ_TESTING_H

#include "formats/neff/neff.h"

typedef struct neff_fuzz_member {
    const char *name;
    hoist_bytes bytes;
} neff_fuzz_member;

#define NEFF_FUZZ_TEXT(name, literal)                                                              \
    {                                                                                              \
        (name),                                                                                    \
        {                                                                                          \
            (const uint8_t *)(literal), sizeof(literal) - 1                                        \
        }                                                                                          \
    }

// neff.json and kelf of a file with one subgraph, sg00, which takes 16 float32 and gives 64 uint8.
extern const neff_fuzz_member neff_fuzz_graph;
extern const neff_fuzz_member neff_fuzz_kelf;

// Gives the module its members, whose names and bytes stay the caller's. HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status neff_fuzz_add_members(neff_module *module,
                                                   const neff_fuzz_member *members, size_t count);
// Checks the module by each of the parts, for `target` (NULL: that of the file).
typedef hoist_status neff_fuzz_part(neff_check *check);
void neff_fuzz_check(neff_module *module, hoist_diag *diag, const char *target,
                     neff_fuzz_part *const *parts, size_t count);

#endif // HOIST_SRC_FORMATS_NEFF_NEFF_FUZZ_TESTING_H
