// ZIP archives of a scan (contents.c), by libarchive (exchange/zip_library.h). Members are unpacked
// one at a time, into memory that is limited.
#include <stdio.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/span.h"
#include "exchange/zip_library.h"
#include "scan/contents_internal.h"

enum { PART = 1 << 20 }; // bytes between two looks at the deadline

// Unpacks a member of which the size may be unknown or wrong. HOIST_INVALID: it is damaged.
static hoist_status unpack(const hoist_scan_reader *r, const hoist_zip_library *zip,
                           struct archive *archive, hoist_buffer *out)
{
    uint8_t *const part = hoist_alloc(r->alloc, PART);
    hoist_status status = part ? HOIST_OK : HOIST_NO_MEMORY;
    ptrdiff_t got = 1; // not 0, so that the loop begins
    while (status == HOIST_OK && got > 0) {
        got = zip->read_data(archive, part, PART);
        // The buffer's allocator has the limit: a member without end fails at it.
        if (got > 0) {
            hoist_buffer_add(out, (hoist_bytes){part, (size_t)got});
        }
        status = got < 0 ? HOIST_INVALID : hoist_deadline_look(r->deadline);
        status = out->failed ? HOIST_NO_MEMORY : status;
    }
    hoist_free(r->alloc, part, part ? PART : 0);
    return status;
}

static hoist_status read_entry(hoist_scan_reader *r, const hoist_zip_library *zip,
                               struct archive *archive, hoist_str name, unsigned depth,
                               hoist_scan_member *read)
{
    hoist_buffer bytes;
    hoist_buffer_init(&bytes, r->alloc);
    hoist_status status = unpack(r, zip, archive, &bytes);
    if (status == HOIST_OK) {
        status = read(r, hoist_buffer_bytes(&bytes), name, depth + 1);
    }
    hoist_buffer_deinit(&bytes);
    // A damaged member does not end the archive.
    return status == HOIST_INVALID ? HOIST_OK : status;
}

static hoist_status read_entries(hoist_scan_reader *r, const hoist_zip_library *zip,
                                 struct archive *archive, hoist_str member, unsigned depth,
                                 hoist_scan_member *read)
{
    for (size_t i = 0;; i++) {
        struct archive_entry *entry = NULL;
        HOIST_TRY(hoist_deadline_look(r->deadline));
        if (zip->next_header(archive, &entry) != 0) {
            return HOIST_OK; // the end, or damage: what was before counts
        }
        const char *const path = zip->pathname(entry);
        char number[32]; // of a name that the locale cannot show
        (void)snprintf(number, sizeof(number), "entry %zu", i);
        const hoist_str name = hoist_scan_join(r, member, hoist_str_from(path ? path : number));
        if (!name.data) {
            return HOIST_NO_MEMORY;
        }
        HOIST_TRY(read_entry(r, zip, archive, name, depth, read));
    }
}

hoist_status hoist_scan_read_zip(hoist_scan_reader *r, hoist_bytes bytes, hoist_str member,
                                 unsigned depth, hoist_scan_member *read)
{
    const char *reason = NULL;
    hoist_zip_library zip;
    if (!hoist_zip_load(&zip, &reason)) {
        return HOIST_OK; // without libarchive it is a file of no format
    }
    struct archive *const archive = zip.read_new();
    hoist_status status = archive ? HOIST_OK : HOIST_NO_MEMORY;
    if (archive && zip.support_zip(archive) == 0 && // what libarchive does not take is no archive
        zip.open_memory(archive, bytes.data, bytes.size) == 0) {
        status = read_entries(r, &zip, archive, member, depth, read);
    }
    if (archive) {
        (void)zip.read_free(archive);
    }
    hoist_zip_unload(&zip);
    return status;
}
