// os/output.h - buffered writing to a file descriptor that remembers its first failure.
//
// After a failure everything further is dropped; ask once at the end. Not thread-safe.
#ifndef HOIST_SRC_OS_OUTPUT_H
#define HOIST_SRC_OS_OUTPUT_H

#include "os/temporary.h"

typedef struct hoist_output hoist_output;

// Who wants to know of every write to the descriptor, because there is something else, too, where
// it leads to: called around each, with what was to be written.
typedef struct hoist_output_watch {
    void *self; // borrowed
    void (*before)(void *self, const hoist_output *out);
    void (*after)(void *self, const hoist_output *out, hoist_bytes bytes);
} hoist_output_watch;

struct hoist_output {
    int fd;    // borrowed until hoist_output_close; -1 afterwards
    int error; // errno of the first failure, 0 while all is well
    // Of a file that does not have its name yet:
    hoist_temporary temporary;
    char name[NAME_MAX + 1];         // in the folder of `temporary`
    mode_t mode;                     // st_mode of the file that it replaces; 0: none
    const hoist_output_watch *watch; // borrowed; NULL after hoist_output_init(): none
    size_t used;
    uint8_t buffer[8192];
};

void hoist_output_init(hoist_output *out, int fd);
// Begins the file `path`, which has the old content, or is absent, until hoist_output_close() has
// succeeded: it is written under a temporary name in the same folder (os/temporary.h) and renamed.
// `list` (may be NULL) are the temporary files that a signal handler removes.
//
// A link is followed: it stays, and the file that it leads to is replaced or created. A file that
// is replaced gives its permissions to the new one, which is another inode, so other names of the
// old one (hard links) keep the old content; one that may not be written is refused. What is there
// and no regular file (a device, a FIFO, of which the reader is waited for) is opened and written
// as it is.
//
// Returns HOIST_OK, HOIST_NOT_FOUND (no such folder) or HOIST_IO, and reports why; what is written
// after a failure is dropped.
HOIST_NODISCARD hoist_status hoist_output_create(hoist_output *out, const char *path,
                                                 hoist_temporaries *list, hoist_diag *diag);
void hoist_output_add(hoist_output *out, hoist_bytes bytes);
void hoist_output_str(hoist_output *out, hoist_str text);
void hoist_output_c(hoist_output *out, const char *text);
void hoist_output_format(hoist_output *out, const char *format, ...) HOIST_PRINTF(2, 3);
// Formats at most 4,095 bytes; the rest is cut.
void hoist_output_vformat(hoist_output *out, const char *format, va_list args) HOIST_PRINTF(2, 0);

// Writes what is buffered. HOIST_OK or HOIST_IO.
hoist_status hoist_output_flush(hoist_output *out);
// Flushes, closes the descriptor, and reports the first failure unless it is a closed pipe. A file
// that was created is synchronised with its device and gets its name, or after a failure is
// removed. HOIST_OK or HOIST_IO; a second call returns the same and does nothing else.
HOIST_NODISCARD hoist_status hoist_output_close(hoist_output *out, hoist_diag *diag);
// Closes without flushing; a file that was created is removed, and the old one stays. After
// hoist_output_close() it does nothing.
void hoist_output_drop(hoist_output *out);
// errno of the first failure, or 0.
int hoist_output_error(const hoist_output *out);
// True when the first failure was EPIPE: the reader has gone away.
bool hoist_output_closed_pipe(const hoist_output *out);

#endif // HOIST_SRC_OS_OUTPUT_H
