// Files and streams into memory: read (pipes, unknown sizes) or mapped (regular files).
#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/diag.h"
#include "base/span.h"
#include "os/os_rules.h"

enum {
    FILE_PROBE = 4096,         // bytes read after a full buffer, to see whether more comes
    FILE_FIRST_BUFFER = 65536, // of a stream
    FILE_MAP_FROM = 1 << 20,   // bytes; below, reading is as quick and nothing can change any more
};

// What has been read so far.
typedef struct file_buffer {
    hoist_allocator alloc;
    uint8_t *data; // owned
    size_t size;
    size_t capacity;
    size_t limit;
} file_buffer;

// read(2) that is not stopped by signals. Returns the bytes read, 0 at the end, -1 with errno.
static ssize_t file_read_some(int fd, void *to, size_t size)
{
    ssize_t got = 0;
    do {
        got = read(fd, to, size);
    } while (got < 0 && errno == EINTR);
    return got;
}

static hoist_status file_resize(file_buffer *b, size_t capacity)
{
    if (capacity == b->capacity) {
        return HOIST_OK;
    }
    if (capacity == 0) {
        hoist_free(b->alloc, b->data, b->capacity);
        b->data = NULL;
    } else {
        uint8_t *data = hoist_resize(b->alloc, b->data, b->capacity, capacity);
        if (!data) {
            return HOIST_NO_MEMORY;
        }
        b->data = data;
    }
    b->capacity = capacity;
    return HOIST_OK;
}

hoist_status hoist_file_too_large(size_t limit, hoist_diag *diag)
{
    const hoist_rule *rule = &hoist_os_rules.rules[HOIST_OS_LIMIT];
    return hoist_fail(diag, HOIST_LIMIT, rule, hoist_loc_none(),
                      "the file is larger than the limit of %zu %s", limit,
                      hoist_plural(limit, "byte", "bytes"));
}

// Makes space for `more` bytes after a full buffer; doubles, but never beyond the limit.
static hoist_status file_grow(file_buffer *b, size_t more, hoist_diag *diag)
{
    if (more > b->limit - b->size) {
        return hoist_file_too_large(b->limit, diag);
    }
    size_t wanted = b->capacity > b->limit / 2 ? b->limit : b->capacity * 2;
    wanted = wanted < FILE_FIRST_BUFFER ? FILE_FIRST_BUFFER : wanted;
    wanted = wanted > b->limit ? b->limit : wanted;
    return file_resize(b, wanted < b->size + more ? b->size + more : wanted);
}

static hoist_status file_read_all(int fd, file_buffer *b, hoist_diag *diag)
{
    uint8_t probe[FILE_PROBE];
    for (;;) {
        const bool full = b->size == b->capacity;
        const ssize_t got = full ? file_read_some(fd, probe, sizeof(probe))
                                 : file_read_some(fd, b->data + b->size, b->capacity - b->size);
        if (got < 0) {
            return hoist_os_fail(diag, HOIST_OS_READ, "cannot be read", errno);
        }
        if (got == 0) {
            return file_resize(b, b->size);
        }
        if (full) {
            HOIST_TRY(file_grow(b, (size_t)got, diag));
            HOIST_ASSERT(b->data);
            memcpy(b->data + b->size, probe, (size_t)got);
        }
        b->size += (size_t)got;
    }
}

hoist_status hoist_file_read_fd(int fd, size_t limit, hoist_allocator alloc, hoist_diag *diag,
                                hoist_mut_bytes *out_bytes)
{
    *out_bytes = (hoist_mut_bytes){NULL, 0};
    struct stat st;
    if (fstat(fd, &st) != 0) {
        return hoist_os_fail(diag, HOIST_OS_READ, "cannot be read", errno);
    }
    if (S_ISDIR(st.st_mode)) {
        return hoist_os_fail(diag, HOIST_OS_DIRECTORY, "expected a file", EISDIR);
    }
    file_buffer b = {.alloc = alloc, .limit = limit ? limit : SIZE_MAX};
    if (S_ISREG(st.st_mode)) {
        if ((uintmax_t)st.st_size > b.limit) {
            return hoist_file_too_large(b.limit, diag);
        }
        HOIST_TRY(file_resize(&b, (size_t)st.st_size));
    }
    const hoist_status status = file_read_all(fd, &b, diag);
    if (status != HOIST_OK) {
        hoist_free(alloc, b.data, b.capacity);
        return status;
    }
    *out_bytes = (hoist_mut_bytes){b.data, b.size};
    return HOIST_OK;
}

hoist_status hoist_file_read(const char *path, size_t limit, hoist_allocator alloc,
                             hoist_diag *diag, hoist_mut_bytes *out_bytes)
{
    *out_bytes = (hoist_mut_bytes){NULL, 0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        return hoist_os_fail(diag, HOIST_OS_OPEN, "cannot be opened", errno);
    }
    const hoist_status status = hoist_file_read_fd(fd, limit, alloc, diag, out_bytes);
    (void)close(fd); // nothing was written: its result says nothing
    return status;
}

// Maps the file of `fd` when it is a regular file, long enough, and not read from yet.
static bool file_try_map(int fd, hoist_file_view *out_view)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < FILE_MAP_FROM ||
        (uintmax_t)st.st_size > SIZE_MAX || lseek(fd, 0, SEEK_CUR) != 0) {
        return false;
    }
    const size_t size = (size_t)st.st_size;
    void *const data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) {
        return false;
    }
    *out_view = (hoist_file_view){.bytes = {data, size}, .mapped = true};
    return true;
}

hoist_status hoist_file_map_fd(int fd, size_t limit, hoist_allocator alloc, hoist_diag *diag,
                               hoist_file_view *out_view)
{
    *out_view = (hoist_file_view){.alloc = alloc};
    if (file_try_map(fd, out_view)) {
        return HOIST_OK;
    }
    hoist_mut_bytes bytes;
    HOIST_TRY(hoist_file_read_fd(fd, limit, alloc, diag, &bytes));
    out_view->bytes = (hoist_bytes){bytes.data, bytes.size};
    return HOIST_OK;
}

hoist_status hoist_file_map(const char *path, size_t limit, hoist_allocator alloc, hoist_diag *diag,
                            hoist_file_view *out_view)
{
    *out_view = (hoist_file_view){.alloc = alloc};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        return hoist_os_fail(diag, HOIST_OS_OPEN, "cannot be opened", errno);
    }
    const hoist_status status = hoist_file_map_fd(fd, limit, alloc, diag, out_view);
    (void)close(fd); // nothing was written: its result says nothing
    return status;
}

void hoist_file_unmap(hoist_file_view *view)
{
    // What was allocated is ours to write, though the view is not.
    uint8_t *const data = (uint8_t *)(uintptr_t)view->bytes.data;
    if (view->mapped) {
        (void)munmap(data, view->bytes.size);
    } else {
        hoist_free(view->alloc, data, view->bytes.size);
    }
    *view = (hoist_file_view){.alloc = view->alloc};
}
