// codec/hash.h - digests through libcrypto.
#ifndef HOIST_SRC_CODEC_HASH_H
#define HOIST_SRC_CODEC_HASH_H

#include "base/tree.h"

typedef enum hoist_hash_kind {
    HOIST_HASH_MD5 = 0,
    HOIST_HASH_SHA256,
} hoist_hash_kind;

#define HOIST_HASH_MAX_SIZE 32

// Bytes of a digest: 16, 32.
size_t hoist_hash_size(hoist_hash_kind kind);

// Digest of `bytes`; bytes of `out` beyond hoist_hash_size() are set to zero. HOIST_OK,
// HOIST_NO_MEMORY, HOIST_UNSUPPORTED (libcrypto was built or configured without this hash), or as
// `deadline` ends, which may be NULL.
HOIST_NODISCARD hoist_status hoist_hash(hoist_hash_kind kind, hoist_bytes bytes,
                                        hoist_deadline *deadline, uint8_t out[HOIST_HASH_MAX_SIZE]);

// The digest in lower-case hexadecimal, NUL-terminated; as hoist_hash().
#define HOIST_HASH_TEXT_SIZE (2 * HOIST_HASH_MAX_SIZE + 1)
HOIST_NODISCARD hoist_status hoist_hash_text(hoist_hash_kind kind, hoist_bytes bytes,
                                             hoist_deadline *deadline,
                                             char out[HOIST_HASH_TEXT_SIZE]);

// Sends bytes that are too many to show, or no text: a map of "bytes", how many they are, and
// "sha256". HOIST_OK or as of hoist_hash(); the sink keeps its own status.
HOIST_NODISCARD hoist_status hoist_tree_digest(hoist_tree_sink *sink, hoist_str key,
                                               hoist_bytes bytes);

#endif // HOIST_SRC_CODEC_HASH_H
