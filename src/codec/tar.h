// codec/tar.h - tar archives in memory: GNU, PAX, ustar and V7; members are slices of the archive.
//
// Findings go by the caller's rules, since each format numbers these facts itself; they are located
// by byte offset in the archive plus `base_offset`.
#ifndef HOIST_SRC_CODEC_TAR_H
#define HOIST_SRC_CODEC_TAR_H

#include "hoist/base.h"

#include "base/arena.h"
#include "base/buffer.h"

typedef enum hoist_tar_dialect {
    HOIST_TAR_V7 = 0, // no magic
    HOIST_TAR_USTAR,
    HOIST_TAR_PAX, // ustar with an extended record
    HOIST_TAR_GNU,
} hoist_tar_dialect;

typedef enum hoist_tar_type {
    HOIST_TAR_FILE = 0, // '0', NUL, '7'
    HOIST_TAR_FOLDER,   // '5', and files whose names end in a slash, as before there were types
    HOIST_TAR_LINK,     // '1' hard, '2' symbolic: `link` is the target
    HOIST_TAR_OTHER,    // devices, FIFOs, sparse files and what is unknown
} hoist_tar_type;

typedef struct hoist_tar_member {
    hoist_str name; // as stored, long names put together; may hold any byte; archive or arena
    hoist_str link;
    hoist_tar_type type;
    char flag; // the type byte as stored
    hoist_tar_dialect dialect;
    uint64_t header_at; // of the first header block that belongs to it, in the archive
    uint64_t data_at;
    hoist_bytes data; // slice of the archive; what is there when it is cut off; none of '1' to '6'
    uint32_t mode;
    int64_t uid;
    int64_t gid;
    int64_t mtime; // seconds since 1970
    hoist_str user;
    hoist_str group;
} hoist_tar_member;

// Any may be NULL: not reported.
typedef struct hoist_tar_rules {
    const hoist_rule *broken; // checksum, a bad number, a member beyond the end, a bad PAX record
    const hoist_rule *end;    // end blocks missing (fewer than two)
    const hoist_rule *limit;  // more than max_members
} hoist_tar_rules;

typedef struct hoist_tar_options {
    hoist_tar_rules rules;
    uint64_t base_offset;     // of the archive in the file, for places of findings
    uint32_t max_members;     // 0: 1,000,000
    hoist_deadline *deadline; // NULL: none
} hoist_tar_options;

typedef struct hoist_tar {
    const hoist_tar_member *members; // arena, in archive order
    size_t count;
    uint32_t end_blocks;  // zero blocks found at the end: 0, 1, 2 (or more)
    uint64_t content_end; // offset after the last member's padding
} hoist_tar;

// True when `bytes` begin with a header block whose checksum is right (any dialect).
bool hoist_tar_is(hoist_bytes bytes);

// Reads the archive. Of PAX records path, linkpath, size, uid, gid, mtime, uname and gname count;
// others are passed over. Goes on after an error where the next header can be found: after a wrong
// checksum or an unknown size that is the next block that is a valid header. HOIST_OK (errors
// may have been reported), HOIST_INVALID (there is no member and no end block: not an archive),
// HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_tar_read(hoist_bytes archive, const hoist_tar_options *options,
                                            hoist_arena *arena, hoist_diag *diag,
                                            hoist_tar *out_tar);

// Appends a member in its dialect's form: header blocks (PAX or GNU records when name, link or a
// number do not fit; what a dialect cannot hold makes the member PAX), data, padding. `flag` is
// written as it is; `type` and the offsets are not looked at. What hoist_tar_read() gave is
// written back byte for byte when it was written by this function. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_tar_write(const hoist_tar_member *member, hoist_buffer *out);
// Appends two zero blocks and zeros up to a multiple of `record` bytes (512 or more; tar's own
// habit is 10,240), counted from `start`, where the archive begins in `out`.
HOIST_NODISCARD hoist_status hoist_tar_end(size_t start, size_t record, hoist_buffer *out);

#endif // HOIST_SRC_CODEC_TAR_H
