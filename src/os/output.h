// os/output.h - buffered writing to a file descriptor that remembers its first failure.
//
// After a failure everything further is dropped; ask once at the end. Not thread-safe.
#ifndef HOIST_SRC_OS_OUTPUT_H
#define HOIST_SRC_OS_OUTPUT_H

#include "hoist/base.h"

typedef struct hoist_output {
    int fd;    // borrowed until hoist_output_close; -1 afterwards
    int error; // errno of the first failure, 0 while all is well
    size_t used;
    uint8_t buffer[8192];
} hoist_output;

void hoist_output_init(hoist_output *out, int fd);
// Creates or empties the file `path`. Returns HOIST_OK, HOIST_NOT_FOUND (no such folder) or
// HOIST_IO, and reports why; what is written after a failure is dropped.
HOIST_NODISCARD hoist_status hoist_output_create(hoist_output *out, const char *path,
                                                 hoist_diag *diag);
void hoist_output_add(hoist_output *out, hoist_bytes bytes);
void hoist_output_str(hoist_output *out, hoist_str text);
void hoist_output_c(hoist_output *out, const char *text);
void hoist_output_format(hoist_output *out, const char *format, ...) HOIST_PRINTF(2, 3);
// Formats at most 4,095 bytes; the rest is cut.
void hoist_output_vformat(hoist_output *out, const char *format, va_list args) HOIST_PRINTF(2, 0);

// Writes what is buffered. HOIST_OK or HOIST_IO.
hoist_status hoist_output_flush(hoist_output *out);
// Flushes, closes the descriptor, and reports the first failure unless it is a closed pipe.
// HOIST_OK or HOIST_IO; a second call returns the same and does nothing else.
HOIST_NODISCARD hoist_status hoist_output_close(hoist_output *out, hoist_diag *diag);
// errno of the first failure, or 0.
int hoist_output_error(const hoist_output *out);
// True when the first failure was EPIPE: the reader has gone away.
bool hoist_output_closed_pipe(const hoist_output *out);

#endif // HOIST_SRC_OS_OUTPUT_H
