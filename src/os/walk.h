// os/walk.h - the regular files below a path, one after the other, with memory for one path only.
#ifndef HOIST_SRC_OS_WALK_H
#define HOIST_SRC_OS_WALK_H

#include "base/buffer.h"

// A regular file that was met.
typedef struct hoist_walk_file {
    const char *path; // NUL-terminated; borrowed during the call
    uint64_t size;
    int64_t mtime; // nanoseconds since 1970
    uint64_t device, inode;
    bool is_named; // it is the path of the walk itself, which may be a link
} hoist_walk_file;

typedef struct hoist_walk {
    hoist_allocator alloc;
    void *self;
    // A status other than HOIST_OK ends the walk.
    hoist_status (*file)(void *self, const hoist_walk_file *file);
    void (*failed)(void *self, const char *path, int error); // an errno
    uint64_t links;                                          // met and not followed
    uint64_t special;                                        // sockets, FIFOs, devices
} hoist_walk;

// Walks the folder `path`, or meets the one file that it is; a link is followed here and nowhere
// else. In no order. HOIST_OK, also after failures; HOIST_NO_MEMORY; or what `file` returned.
HOIST_NODISCARD hoist_status hoist_walk_run(hoist_walk *walk, const char *path);

// Opens a file that was met, for reading. A link is not followed unless `follow`, and what is no
// regular file any more is not opened, nor waited for. 0, and `*out_fd` is the caller's to close
// with hoist_regular_close(); or an errno.
int hoist_regular_open(const char *path, bool follow, int *out_fd);
// Reads the first bytes, at most `size`; the position stays. 0 or an errno.
int hoist_regular_head(int fd, uint8_t *bytes, size_t size, size_t *out_size);
void hoist_regular_close(int fd);
// Device and inode of a file, by which it is known under all its names. False: there is none.
bool hoist_file_identity(const char *path, uint64_t *out_device, uint64_t *out_inode);

#endif // HOIST_SRC_OS_WALK_H
