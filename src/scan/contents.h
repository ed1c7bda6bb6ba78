// scan/contents.h - what is in one file: entries for it, for members of archives, for what is
// nested.
#ifndef HOIST_SRC_SCAN_CONTENTS_H
#define HOIST_SRC_SCAN_CONTENTS_H

#include "base/arena.h"
#include "scan/scan.h"

// A caching token and the entry that has it.
typedef struct hoist_scan_token {
    uint64_t token;
    size_t entry;
} hoist_scan_token;

// All that one file has. Entries refer to its arena.
typedef struct hoist_scan_found {
    hoist_allocator alloc;
    hoist_arena arena;
    hoist_scan_entry *entries; // owned
    size_t count;
    size_t capacity;
    hoist_scan_token *tokens; // owned
    size_t token_count;
    size_t token_capacity;
    bool is_limited; // something took more memory than there is
    int error;       // errno: the file cannot be read
} hoist_scan_found;

void hoist_scan_found_init(hoist_scan_found *found, hoist_allocator alloc);
void hoist_scan_found_deinit(hoist_scan_found *found);

// Reads the file `path`, unless it has become something else than a regular file, or, but where
// it may be one (`follow`), a link. Work on it takes at most `memory` bytes. HOIST_OK, whatever was
// found; HOIST_NO_MEMORY: `found` could not grow; HOIST_LIMIT and HOIST_CANCELLED as the deadline
// ends.
HOIST_NODISCARD hoist_status hoist_scan_read(const char *path, bool follow, size_t memory,
                                             hoist_deadline *deadline, hoist_scan_found *found);

#endif // HOIST_SRC_SCAN_CONTENTS_H
