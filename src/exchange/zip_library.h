// exchange/zip_library.h - libarchive's reader of ZIP archives, loaded while it is used: linked, it
// and what it needs would take most of the time in which the command starts.
#ifndef HOIST_SRC_EXCHANGE_ZIP_LIBRARY_H
#define HOIST_SRC_EXCHANGE_ZIP_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct archive;
struct archive_entry;

// Its functions, as <archive.h> and <archive_entry.h> describe them.
typedef struct hoist_zip_library {
    void *handle; // owned
    struct archive *(*read_new)(void);
    int (*support_zip)(struct archive *archive);
    int (*open_memory)(struct archive *archive, const void *bytes, size_t size);
    int (*next_header)(struct archive *archive, struct archive_entry **out_entry);
    const char *(*pathname)(struct archive_entry *entry);
    int (*size_is_set)(struct archive_entry *entry);
    int64_t (*size)(struct archive_entry *entry);
    ptrdiff_t (*read_data)(struct archive *archive, void *bytes, size_t size);
    const char *(*error_string)(struct archive *archive);
    int (*read_free)(struct archive *archive);
} hoist_zip_library;

// Loads the library; unload with hoist_zip_unload(). False: it is not there; `*out_reason` is a
// sentence part, static or good until the next call in this thread.
bool hoist_zip_load(hoist_zip_library *out_zip, const char **out_reason);
void hoist_zip_unload(hoist_zip_library *zip);

#endif // HOIST_SRC_EXCHANGE_ZIP_LIBRARY_H
