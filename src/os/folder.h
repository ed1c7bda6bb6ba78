// os/folder.h - the files below a folder: written and read without following a link or leaving it.
//
// Paths are relative, with "/" between folders; empty parts and "." are skipped. Findings name the
// path; the diag's file is the caller's business.
#ifndef HOIST_SRC_OS_FOLDER_H
#define HOIST_SRC_OS_FOLDER_H

#include "base/arena.h"
#include "os/file.h"
#include "os/temporary.h"

// A folder in an output folder while the files of an output are moved to their places: those that
// are still in it are missing there. No output has a file of this name, nor one of temporary form.
#define HOIST_FOLDER_INCOMPLETE ".hoist-incomplete"

typedef struct hoist_folder {
    int fd; // owned; -1: closed
} hoist_folder;

// Opens the folder `path`. HOIST_OK, HOIST_NOT_FOUND or HOIST_IO; `*folder` is valid in any case.
HOIST_NODISCARD hoist_status hoist_folder_open(hoist_folder *folder, const char *path,
                                               hoist_diag *diag);
void hoist_folder_close(hoist_folder *folder);

typedef struct hoist_folder_write_options {
    hoist_bytes head; // comes before the bytes: what says what they are
    bool executable;
    bool replace;            // a file (or link) of that name is removed first; else it is refused
    hoist_temporaries *list; // NULL, or entered while files and folders are created
} hoist_folder_write_options;

// Creates the file `path` and the folders above it. Of a file that could not be written completely
// nothing stays. HOIST_OK; HOIST_INVALID: the path leaves the folder, has a NUL or a name that is
// kept for unfinished output; HOIST_NOT_FOUND, HOIST_IO: the system refuses, or something else (a
// file where a folder is expected) has the name.
HOIST_NODISCARD hoist_status hoist_folder_write(const hoist_folder *folder, hoist_str path,
                                                hoist_bytes bytes,
                                                const hoist_folder_write_options *options,
                                                hoist_diag *diag);

// Whether the file `path` could be written: HOIST_OK, or what hoist_folder_write() would give for
// what is in the folder, with the same report. Nothing is created.
HOIST_NODISCARD hoist_status hoist_folder_check(const hoist_folder *folder, hoist_str path,
                                                bool replace, hoist_diag *diag);

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
// bytes (0: any). Links and devices are refused, temporary entries (os/temporary.h) left out, and a
// folder whose output is incomplete (os/folder_output.h) is HOIST_INVALID. HOIST_OK, HOIST_INVALID,
// HOIST_IO, HOIST_NOT_FOUND, HOIST_LIMIT (also: more than 64 folders deep, or 1,000,000 files), or
// HOIST_NO_MEMORY. `*out_files` is freed with hoist_folder_files_free() in any case.
HOIST_NODISCARD hoist_status hoist_folder_read(const hoist_folder *folder, size_t limit,
                                               hoist_allocator alloc, hoist_diag *diag,
                                               hoist_folder_files *out_files);
void hoist_folder_files_free(hoist_folder_files *files);

#endif // HOIST_SRC_OS_FOLDER_H
