// Reading NumPy's .npz files: a ZIP archive of .npy files. libarchive (zip_library.h) finds the
// entries and unpacks them, npy.c reads them. The archive is hostile: sizes are limited by what the
// file can hold before memory is taken, and the deadline is looked at for each part of an entry.
#include <locale.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "exchange/array_set.h"
#include "exchange/exchange_rules.h"
#include "exchange/zip_library.h"

// Values of libarchive, which this file does not include: zip_library.h declares what it needs.
enum {
    ARCHIVE_DONE = 1,   // ARCHIVE_EOF
    MOST_PACKED = 1032, // bytes that deflate makes of one
    END_SIZE = 22,      // bytes of the end of an archive
    PART = 1 << 20,     // bytes that are unpacked between two looks at the deadline
};

typedef struct npz_reader {
    hoist_zip_library zip;
    struct archive *archive; // owned
    hoist_array_set *set;
    hoist_deadline *deadline;
    hoist_diag *diag;
    uint64_t left; // bytes that entries may still have
} npz_reader;

static hoist_status fail_archive(const npz_reader *r)
{
    const char *const reason = r->zip.error_string(r->archive);
    return hoist_exchange_fail(r->diag, HOIST_INVALID, HOIST_RAW_005, 0,
                               "the archive is damaged: %s",
                               reason ? reason : "no reason is given");
}

// Unpacks the entry that was found, which declares `file.size` bytes: exactly as many, or a
// finding.
static hoist_status unpack(const npz_reader *r, hoist_str name, hoist_mut_bytes file)
{
    ptrdiff_t count = 0;
    for (size_t at = 0; at < file.size; at += (size_t)count) {
        HOIST_TRY(hoist_deadline_look(r->deadline));
        const size_t part = file.size - at < PART ? file.size - at : PART;
        count = r->zip.read_data(r->archive, file.data + at, part);
        if (count < 0) {
            return fail_archive(r);
        }
        if (count == 0) {
            return hoist_exchange_fail(r->diag, HOIST_TRUNCATED, HOIST_RAW_005, 0,
                                       "'%.*s' has %zu bytes, expected %zu as its entry declares",
                                       HOIST_STR_ARGS(name), at, file.size);
        }
    }
    // The CRC is compared when the end is seen, so that the end has to be asked for.
    uint8_t more = 0;
    count = r->zip.read_data(r->archive, &more, 1);
    return count < 0 ? fail_archive(r)
           : count == 0
               ? HOIST_OK
               : hoist_exchange_fail(r->diag, HOIST_INVALID, HOIST_RAW_005, 0,
                                     "'%.*s' has more than %zu bytes, as its entry declares",
                                     HOIST_STR_ARGS(name), file.size);
}

// Adds the array of an entry that was unpacked to item->file. What the set does not take stays the
// caller's.
static hoist_status add_array(const npz_reader *r, hoist_str entry, hoist_set_item *item)
{
    const hoist_str path = hoist_diag_file(r->diag);
    const hoist_str member = hoist_diag_member(r->diag);
    // Findings in the entry name it as the member of the archive, at offsets within it.
    hoist_diag_source(r->diag, path, entry);
    const hoist_bytes file = {item->file.data, item->file.size};
    const hoist_status status = hoist_npy_read(file, r->set->alloc, r->diag, &item->array);
    hoist_diag_source(r->diag, path, member);
    HOIST_TRY(status);
    // NumPy's name of the array.
    item->name = hoist_str_slice(entry, 0, entry.size - (sizeof(".npy") - 1));
    const hoist_status added = hoist_array_set_keep(r->set, item);
    return added != HOIST_BUSY
               ? added
               : hoist_exchange_fail(r->diag, HOIST_INVALID, HOIST_RAW_008, 0,
                                     "two arrays are called '%.*s'", HOIST_STR_ARGS(item->name));
}

static hoist_status read_entry(npz_reader *r, hoist_str name, struct archive_entry *entry)
{
    if (!hoist_str_ends_with(name, ".npy")) {
        return hoist_exchange_fail(r->diag, HOIST_INVALID, HOIST_RAW_005, 0,
                                   "the entry '%.*s' is no .npy file", HOIST_STR_ARGS(name));
    }
    // The size in the directory limits memory before a byte is unpacked.
    const int64_t size = r->zip.size(entry);
    if (!r->zip.size_is_set(entry) || size < 0) {
        return hoist_exchange_fail(r->diag, HOIST_INVALID, HOIST_RAW_005, 0,
                                   "the archive does not contain the size of '%.*s'",
                                   HOIST_STR_ARGS(name));
    }
    if ((uint64_t)size > r->left) {
        return hoist_exchange_fail(
            r->diag, HOIST_LIMIT, HOIST_RAW_006, 0,
            "'%.*s' declares %lld bytes, and the file has space for %llu more",
            HOIST_STR_ARGS(name), (long long)size, (unsigned long long)r->left);
    }
    r->left -= (uint64_t)size;
    const hoist_allocator alloc = r->set->alloc;
    hoist_set_item item = {.file = {hoist_alloc(alloc, (size_t)size), (size_t)size}};
    if (!item.file.data && size) {
        return HOIST_NO_MEMORY;
    }
    // The array borrows from item.file, or has a copy: the set owns both.
    hoist_status status = unpack(r, name, item.file);
    status = status == HOIST_OK ? add_array(r, name, &item) : status;
    if (status != HOIST_OK) {
        hoist_array_deinit(&item.array, alloc);
        hoist_free(alloc, item.file.data, item.file.size);
    }
    return status;
}

static hoist_status read_entries(npz_reader *r)
{
    for (;;) {
        struct archive_entry *entry = NULL;
        const int found = r->zip.next_header(r->archive, &entry);
        HOIST_TRY(hoist_deadline_look(r->deadline));
        if (found == ARCHIVE_DONE) {
            return HOIST_OK;
        }
        // A name that cannot be converted is a warning there, and no name.
        if (found != 0 || !r->zip.pathname(entry)) {
            return fail_archive(r);
        }
        const hoist_str name = hoist_str_from(r->zip.pathname(entry));
        if (!hoist_str_ends_with(name, "/")) { // folders hold nothing of their own
            HOIST_TRY(read_entry(r, name, entry));
        }
    }
}

static hoist_status read_archive(npz_reader *r, hoist_bytes file)
{
    r->archive = r->zip.read_new();
    if (!r->archive) {
        return HOIST_NO_MEMORY;
    }
    // The seekable reader goes by the directory at the end, as NumPy does, not by local headers.
    const bool opened = r->zip.support_zip(r->archive) == 0 &&
                        r->zip.open_memory(r->archive, file.data, file.size) == 0;
    const hoist_status status = opened ? read_entries(r) : fail_archive(r);
    (void)r->zip.read_free(r->archive);
    return status;
}

hoist_status hoist_npz_read(hoist_bytes file, hoist_deadline *deadline, hoist_diag *diag,
                            hoist_array_set *set)
{
    npz_reader r = {.set = set, .deadline = deadline, .diag = diag};
    // All entries together: an archive may name the same packed bytes many times.
    r.left = file.size > UINT64_MAX / MOST_PACKED ? UINT64_MAX : (uint64_t)file.size * MOST_PACKED;
    // An archive without entries, which libarchive takes for no archive, is its end and nothing
    // else.
    // The third byte of the signature, which the caller has checked: an end of archive has 5 there.
    if (file.data[2] == 5) {
        return file.size >= END_SIZE
                   ? HOIST_OK
                   : hoist_exchange_fail(diag, HOIST_TRUNCATED, HOIST_RAW_005, 0,
                                         "the end of the archive has %zu bytes, expected %d",
                                         file.size, (int)END_SIZE);
    }
    const char *reason = NULL;
    if (!hoist_zip_load(&r.zip, &reason)) {
        return hoist_exchange_fail(diag, HOIST_UNSUPPORTED, HOIST_RAW_007, 0,
                                   "libarchive is needed to read this file: %s", reason);
    }
    // libarchive converts names to the character set of the thread's locale.
    // Without the locale names that are not ASCII are refused: fail_archive() reports it.
    const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    const locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
    const hoist_status status = read_archive(&r, file);
    if (utf8) {
        (void)uselocale(before);
        freelocale(utf8);
    }
    hoist_zip_unload(&r.zip);
    return status;
}
