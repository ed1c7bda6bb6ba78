// codec/gzip.h - gzip files (RFC 1952): framing and trailers are ours, inflating is zlib's raw
// inflate. Everything is verified: header flags, CRC32, length and what is after.
//
// Findings go by the caller's rules, since each format numbers these facts itself; they are located
// by byte offset from the start of `packed` plus `base_offset`.
#ifndef HOIST_SRC_CODEC_GZIP_H
#define HOIST_SRC_CODEC_GZIP_H

#include "hoist/base.h"

#include "base/buffer.h"

// Any may be NULL: not reported.
typedef struct hoist_gzip_rules {
    const hoist_rule *broken;   // header, deflate stream, CRC32, length, truncation
    const hoist_rule *trailing; // bytes after the last member and zeros
    const hoist_rule *limit;    // expands beyond max_bytes or max_ratio
} hoist_gzip_rules;

typedef struct hoist_gzip_options {
    hoist_gzip_rules rules;
    uint64_t base_offset;     // of `packed` in the file, for places
    uint64_t max_bytes;       // of the result; 0: not limited
    uint32_t max_ratio;       // result bytes per packed byte, above 1 MiB of result; 0: not limited
    hoist_deadline *deadline; // NULL: none
} hoist_gzip_options;

// True when `bytes` begin with the two magic bytes.
bool hoist_gzip_is(hoist_bytes bytes);

// Inflates all members of `packed`, which follow each other directly; any number of zero bytes
// may follow the last. What is after these is not read, be it another member: others do not
// either. `*out_bytes` is owned by the caller: hoist_free(alloc, data, size). Bytes whose CRC32
// or length is wrong are still given, with HOIST_OK and an error finding; of a stream that is
// broken or truncated, what was inflated so far is given with HOIST_INVALID or HOIST_TRUNCATED
// (empty when there is none). HOIST_LIMIT, HOIST_CANCELLED, HOIST_NO_MEMORY: nothing is given.
HOIST_NODISCARD hoist_status hoist_gzip_read(hoist_bytes packed, const hoist_gzip_options *options,
                                             hoist_allocator alloc, hoist_diag *diag,
                                             hoist_mut_bytes *out_bytes);

// Appends `bytes` as one member without name or time (FLG 0, MTIME 0, OS 3): the same bytes give
// the same file with the same zlib. `bytes` must not lie in `out`. `level`: 0 (stored) to 9.
// `deadline` may be NULL. HOIST_OK, HOIST_NO_MEMORY, or as the deadline ends.
HOIST_NODISCARD hoist_status hoist_gzip_write(hoist_bytes bytes, int level,
                                              hoist_deadline *deadline, hoist_buffer *out);

// The CRC-32 of gzip and zip.
uint32_t hoist_crc32(hoist_bytes bytes);

#endif // HOIST_SRC_CODEC_GZIP_H
