// codec/tar_pax.h - what is before a member's header and overrides it: PAX records, and
// the long names of GNU.
#ifndef HOIST_SRC_CODEC_TAR_PAX_H
#define HOIST_SRC_CODEC_TAR_PAX_H

#include "hoist/base.h"

#include "base/buffer.h"

typedef struct hoist_tar_extra_number {
    bool given;
    int64_t value;
} hoist_tar_extra_number;

// Texts are borrowed from the archive; data NULL: not given.
typedef struct hoist_tar_extra {
    hoist_str name;
    hoist_str link;
    hoist_str user;
    hoist_str group;
    hoist_tar_extra_number size;
    hoist_tar_extra_number uid;
    hoist_tar_extra_number gid;
    hoist_tar_extra_number mtime; // a fraction is rounded down
} hoist_tar_extra;

// Adds what the records of an `x` or `g` header say to `extra`; an empty value takes back what was
// said before, unknown keys are passed over. `at` is the records' offset for places. The first
// record that is not well-formed ends it; a bad number leaves that number alone. Both are reported.
void hoist_tar_pax_read(hoist_bytes records, uint64_t at, const hoist_rule *broken,
                        hoist_diag *diag, hoist_tar_extra *extra);

// Appends a record; failure is `out`'s.
void hoist_tar_pax_text(hoist_buffer *out, const char *key, hoist_str value);
void hoist_tar_pax_number(hoist_buffer *out, const char *key, int64_t value);

#endif // HOIST_SRC_CODEC_TAR_PAX_H
