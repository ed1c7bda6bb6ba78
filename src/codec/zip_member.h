// codec/zip_member.h - one member of a ZIP archive by its name, also of an archive that is appended
// to another file. exchange/npz_read.c reads complete archives, with libarchive.
#ifndef HOIST_SRC_CODEC_ZIP_MEMBER_H
#define HOIST_SRC_CODEC_ZIP_MEMBER_H

#include "hoist/base.h"

#include "base/buffer.h"

// Appends the bytes of the member `name` to `out`: of several the first in the directory. Members
// are stored or deflated, and sums are checked. HOIST_OK; HOIST_NOT_FOUND: there is no archive at
// the end of `file`, or no such member in it; HOIST_INVALID: it is damaged; HOIST_UNSUPPORTED: it
// is encrypted or packed otherwise; HOIST_LIMIT: it has more than `most` bytes; HOIST_NO_MEMORY.
// On failure `out` is as before.
HOIST_NODISCARD hoist_status hoist_zip_member(hoist_bytes file, hoist_str name, size_t most,
                                              hoist_buffer *out);

#endif // HOIST_SRC_CODEC_ZIP_MEMBER_H
