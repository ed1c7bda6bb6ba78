// scan/contents_internal.h - reading one file, for the sources of contents.h.
#ifndef HOIST_SRC_SCAN_CONTENTS_INTERNAL_H
#define HOIST_SRC_SCAN_CONTENTS_INTERNAL_H

#include "scan/contents.h"

typedef struct hoist_scan_reader {
    hoist_scan_found *found;
    const char *path;
    hoist_allocator alloc; // of work, limited
    size_t memory;         // its limit
    hoist_deadline *deadline;
} hoist_scan_reader;

// Adds what `bytes`, the member `member` of the file, are or hold; `depth` archives are around
// them.
typedef hoist_status hoist_scan_member(hoist_scan_reader *r, hoist_bytes bytes, hoist_str member,
                                       unsigned depth);
// The name of a member of an archive that is itself one; {NULL, 0}: out of memory. entry.c
hoist_str hoist_scan_join(hoist_scan_reader *r, hoist_str archive, hoist_str name);
// Adds the entries of a file of `format`: its own, and those of what is nested. entry.c
HOIST_NODISCARD hoist_status hoist_scan_add(hoist_scan_reader *r, hoist_bytes bytes,
                                            hoist_str member, const char *format);
// Reads the members of a ZIP archive, each by `read`; without libarchive there are none. zip.c
HOIST_NODISCARD hoist_status hoist_scan_read_zip(hoist_scan_reader *r, hoist_bytes bytes,
                                                 hoist_str member, unsigned depth,
                                                 hoist_scan_member *read);

#endif // HOIST_SRC_SCAN_CONTENTS_INTERNAL_H
