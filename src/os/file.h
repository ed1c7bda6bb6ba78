// os/file.h - complete files and streams into memory.
#ifndef HOIST_SRC_OS_FILE_H
#define HOIST_SRC_OS_FILE_H

#include "hoist/base.h"

// Rules OS-001 ... of everything in os/ that reports.
extern const hoist_rule_set hoist_os_rules;

// Reads the file `path` to its end: a regular file, FIFO or device, no directory. A FIFO is waited
// for until a process writes to it. Files whose size is not known, or grows meanwhile, are read as
// they come; others take one allocation of exactly their size.
//
// `limit` is the largest size in bytes; 0: none. The reason of a failure goes to `diag`. On success
// `*out_bytes` is owned by the caller, hoist_free(alloc, data, size); an empty file gives {NULL,
// 0}.
//
// Returns HOIST_OK, HOIST_NOT_FOUND (no such file), HOIST_IO (cannot be opened or read, a
// directory), HOIST_LIMIT or HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_file_read(const char *path, size_t limit, hoist_allocator alloc,
                                             hoist_diag *diag, hoist_mut_bytes *out_bytes);

// The same from an open descriptor, from its position; it stays open. For standard input.
HOIST_NODISCARD hoist_status hoist_file_read_fd(int fd, size_t limit, hoist_allocator alloc,
                                                hoist_diag *diag, hoist_mut_bytes *out_bytes);

// A file as memory.
typedef struct hoist_file_view {
    hoist_bytes bytes;     // empty: {NULL, 0}
    bool mapped;           // by the system; else allocated
    hoist_allocator alloc; // of what is not mapped
} hoist_file_view;

// Like hoist_file_read(), but a regular file of 1 MiB or more is mapped, whatever its size: that
// takes no memory from `alloc`, and pages that are not used are never read. Such a file must not
// change while it is mapped: when it shrinks, touching what is gone raises SIGBUS. Free with
// hoist_file_unmap().
HOIST_NODISCARD hoist_status hoist_file_map(const char *path, size_t limit, hoist_allocator alloc,
                                            hoist_diag *diag, hoist_file_view *out_view);
// The same from an open descriptor, from its position; it stays open.
HOIST_NODISCARD hoist_status hoist_file_map_fd(int fd, size_t limit, hoist_allocator alloc,
                                               hoist_diag *diag, hoist_file_view *out_view);
void hoist_file_unmap(hoist_file_view *view); // an empty one is allowed

// Reports that a file has more than `limit` bytes; returns HOIST_LIMIT.
hoist_status hoist_file_too_large(size_t limit, hoist_diag *diag);

#endif // HOIST_SRC_OS_FILE_H
