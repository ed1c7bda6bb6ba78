// report/fingerprint.h - names of findings that stay the same while a file changes elsewhere: by
// which systems know a finding again from run to run, and a baseline the findings that are known.
#ifndef HOIST_SRC_REPORT_FINGERPRINT_H
#define HOIST_SRC_REPORT_FINGERPRINT_H

#include "base/arena.h"
#include "base/map.h"

// Of 128 bits in hexadecimal, and the number of the finding among equal ones: "0123...:1".
typedef struct hoist_fingerprint {
    char text[2 * 16 + 1 + 20 + 1];
} hoist_fingerprint;

// Findings of one run, which count equal ones.
typedef struct hoist_fingerprints {
    hoist_arena arena; // texts of the map
    hoist_map seen;    // to places in `counts`
    size_t *counts;    // owned
    size_t capacity;
} hoist_fingerprints;

void hoist_fingerprints_init(hoist_fingerprints *all, hoist_allocator alloc);
void hoist_fingerprints_deinit(hoist_fingerprints *all);

// The fingerprint of the next finding: from its rule, file, member, object and message without the
// places in it, but not from its own place. HOIST_OK, HOIST_NO_MEMORY, HOIST_UNSUPPORTED
// (libcrypto has no SHA-256).
HOIST_NODISCARD hoist_status hoist_fingerprint_next(hoist_fingerprints *all,
                                                    const hoist_finding *finding,
                                                    hoist_fingerprint *out_fingerprint);

#endif // HOIST_SRC_REPORT_FINGERPRINT_H
