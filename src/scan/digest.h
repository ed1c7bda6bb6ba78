// scan/digest.h - the digests of a file: of its bytes, and of its content.
#ifndef HOIST_SRC_SCAN_DIGEST_H
#define HOIST_SRC_SCAN_DIGEST_H

#include "hoist/load.h"

#include "codec/hash.h"

// SHA-256 in hexadecimal, or "".
typedef struct hoist_scan_digest {
    char text[HOIST_HASH_TEXT_SIZE];
} hoist_scan_digest;

// The digest of bytes. Statuses as of hoist_hash().
HOIST_NODISCARD hoist_status hoist_scan_container(hoist_bytes bytes, hoist_deadline *deadline,
                                                  hoist_scan_digest *out_digest);
// The digest of a module's content (report/content.h): of the file's own for index 0, else of
// what is nested there, as hoist_job_module() has it. "" where there is none: what is nested
// cannot be read, or the job cannot be shown. HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT, or as the
// deadline ends.
HOIST_NODISCARD hoist_status hoist_scan_content(const hoist_job *job, size_t index,
                                                hoist_deadline *deadline, hoist_allocator alloc,
                                                hoist_scan_digest *out_digest);

#endif // HOIST_SRC_SCAN_DIGEST_H
