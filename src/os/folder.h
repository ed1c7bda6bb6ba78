// os/folder.h - the files below a folder: written and read without following a link or leaving it.
//
// Paths are relative, with "/" between folders; empty parts and "." are skipped. Findings name the
// path; the diag's file is the caller's business.
#ifndef HOIST_SRC_OS_FOLDER_H
#define HOIST_SRC_OS_FOLDER_H

#include "base/arena.h"
#include "os/file.h"

typedef struct hoist_folder {
    int fd; // owned; -1: closed
} hoist_folder;

// Opens the folder `path`; hoist_folder_create() makes it first when it is absent (the one above
// must be there). HOIST_OK, HOIST_NOT_FOUND or HOIST_IO; `*folder` is valid in any case.
HOIST_NODISCARD hoist_status hoist_folder_open(hoist_folder *folder, const char *path,
                                               hoist_diag *diag);
HOIST_NODISCARD hoist_status hoist_folder_create(hoist_folder *folder, const char *path,
                                                 hoist_diag *diag);
void hoist_folder_close(hoist_folder *folder);

typedef struct hoist_folder_write_options {
    hoist_bytes head; // comes before the bytes: what says what they are
    bool executable;
    bool replace; // a file (or link) of that name is removed first; else it is refused
} hoist_folder_write_options;

// Creates the file `path` and the folders above it. Of a file that could not be written whole
// nothing stays. HOIST_OK; HOIST_INVALID: the path leaves the folder or has a NUL; HOIST_NOT_FOUND,
// HOIST_IO: the system refuses, or something else (a file where a folder is wanted) has the name.
HOIST_NODISCARD hoist_status hoist_folder_write(const hoist_folder *folder, hoist_str path,
                                                hoist_bytes bytes,
                                                const hoist_folder_write_options *options,
                                                hoist_diag *diag);

typedef struct hoist_folder_file {
    hoist_str path;
    hoist_file_view view;
    bool executable;
} hoist_folder_file;

typedef struct hoist_folder_files {
    hoist_folder_file *items; // owned; in ascending order of the paths' bytes
    size_t count;
    size_t capacity;
    hoist_allocator alloc;
    hoist_arena arena; // of the paths
} hoist_folder_files;

// Takes all files below the folder into memory, as hoist_file_map() does; each may have `limit`
// bytes (0: any). Links and devices are refused. HOIST_OK, HOIST_INVALID, HOIST_IO,
// HOIST_NOT_FOUND, HOIST_LIMIT (also: more than 64 folders deep, or 1,000,000 files), or
// HOIST_NO_MEMORY. `*out_files` is freed with hoist_folder_files_free() in any case.
HOIST_NODISCARD hoist_status hoist_folder_read(const hoist_folder *folder, size_t limit,
                                               hoist_allocator alloc, hoist_diag *diag,
                                               hoist_folder_files *out_files);
void hoist_folder_files_free(hoist_folder_files *files);

#endif // HOIST_SRC_OS_FOLDER_H
