// Loads libarchive for npz_read.c. A build without its headers has none, because nothing proves
// then that its functions are those of zip_library.h.
#include "exchange/zip_library.h"

#ifdef HOIST_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#include <string.h>

#include "base/span.h"
#include "os/library.h"

// The type of a function is that of its member.
#define SAME(function, member)                                                                     \
    _Static_assert(sizeof(&(function) == ((hoist_zip_library *)0)->member), "as <archive.h> has "  \
                                                                            "it")
SAME(archive_read_new, read_new);
SAME(archive_read_support_format_zip_seekable, support_zip);
SAME(archive_read_open_memory, open_memory);
SAME(archive_read_next_header, next_header);
SAME(archive_entry_pathname, pathname);
SAME(archive_entry_size_is_set, size_is_set);
SAME(archive_entry_size, size);
SAME(archive_read_data, read_data);
SAME(archive_error_string, error_string);
SAME(archive_read_free, read_free);

static const struct {
    const char *name;
    size_t offset; // in hoist_zip_library
} symbols[] = {
    {"archive_read_new", offsetof(hoist_zip_library, read_new)},
    {"archive_read_support_format_zip_seekable", offsetof(hoist_zip_library, support_zip)},
    {"archive_read_open_memory", offsetof(hoist_zip_library, open_memory)},
    {"archive_read_next_header", offsetof(hoist_zip_library, next_header)},
    {"archive_entry_pathname", offsetof(hoist_zip_library, pathname)},
    {"archive_entry_size_is_set", offsetof(hoist_zip_library, size_is_set)},
    {"archive_entry_size", offsetof(hoist_zip_library, size)},
    {"archive_read_data", offsetof(hoist_zip_library, read_data)},
    {"archive_error_string", offsetof(hoist_zip_library, error_string)},
    {"archive_read_free", offsetof(hoist_zip_library, read_free)},
};

bool hoist_zip_load(hoist_zip_library *out_zip, const char **out_reason)
{
    *out_zip = (hoist_zip_library){.handle = hoist_library_open("libarchive.so.13", out_reason)};
    for (size_t i = 0; out_zip->handle && i < HOIST_COUNT_OF(symbols); i++) {
        // By bytes, since C has no cast from an object pointer to a function pointer.
        void *const function = hoist_library_find(out_zip->handle, symbols[i].name);
        memcpy((char *)out_zip + symbols[i].offset, &function, sizeof(function));
        if (!function) {
            *out_reason = "libarchive.so.13 lacks a function";
            hoist_zip_unload(out_zip); // sets `handle` to NULL, which ends the loop
        }
    }
    return out_zip->handle != NULL;
}

void hoist_zip_unload(hoist_zip_library *zip)
{
    hoist_library_close(zip->handle);
    zip->handle = NULL;
}
#else
bool hoist_zip_load(hoist_zip_library *out_zip, const char **out_reason)
{
    *out_zip = (hoist_zip_library){0};
    *out_reason = "hoist was built without it";
    return false;
}

void hoist_zip_unload(hoist_zip_library *zip)
{
    (void)zip;
}
#endif
