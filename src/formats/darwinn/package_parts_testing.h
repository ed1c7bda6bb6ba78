// formats/darwinn/package_parts_testing.h - folders in memory, for tests of unpacking and packing.
#ifndef HOIST_SRC_FORMATS_DARWINN_PACKAGE_PARTS_TESTING_H
#define HOIST_SRC_FORMATS_DARWINN_PACKAGE_PARTS_TESTING_H

#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_parts.h"

typedef struct dwn_folder {
    hoist_arena arena; // of paths and bytes
    hoist_part *parts; // arena
    size_t count;
    size_t capacity;
    hoist_pack_hints hints; // how it is packed
} dwn_folder;

// In the allocator's memory until dwn_folder_deinit().
void dwn_folder_init(dwn_folder *folder, hoist_allocator alloc);
void dwn_folder_deinit(dwn_folder *folder);
// A copy of the part, as the function of a hoist_part_sink.
hoist_status dwn_folder_take(void *self, const hoist_part *part);
// NULL: there is none.
hoist_part *dwn_folder_find(const dwn_folder *folder, const char *path);
// Unpacks bytes, read as custom_options or as a bare package, as they look.
hoist_status dwn_folder_unpack(dwn_folder *folder, hoist_bytes bytes, bool members_only);
// Packs it; the bytes are the arena's.
hoist_status dwn_folder_pack(dwn_folder *folder, hoist_diag *diag, hoist_bytes *out_bytes);

#endif // HOIST_SRC_FORMATS_DARWINN_PACKAGE_PARTS_TESTING_H
