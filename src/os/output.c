#include "os/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/span.h"
#include "os/os_rules.h"

void hoist_output_init(hoist_output *out, int fd)
{
    out->fd = fd;
    out->error = 0;
    out->used = 0;
}

hoist_status hoist_output_create(hoist_output *out, const char *path, hoist_diag *diag)
{
    hoist_output_init(out, open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666));
    if (out->fd < 0) {
        out->error = errno;
        return hoist_os_fail(diag, HOIST_OS_OPEN, "cannot be written", out->error);
    }
    return HOIST_OK;
}

// Writes all of `bytes`, over short writes and interruptions.
static void write_all(hoist_output *out, hoist_bytes bytes)
{
    while (bytes.size && !out->error) {
        const ssize_t written = write(out->fd, bytes.data, bytes.size);
        if (written >= 0) {
            bytes.data += written;
            bytes.size -= (size_t)written;
        } else if (errno != EINTR) {
            out->error = errno;
        }
    }
}

hoist_status hoist_output_flush(hoist_output *out)
{
    write_all(out, (hoist_bytes){out->buffer, out->used});
    out->used = 0;
    return out->error ? HOIST_IO : HOIST_OK;
}

void hoist_output_add(hoist_output *out, hoist_bytes bytes)
{
    if (out->error || bytes.size == 0) {
        return;
    }
    if (bytes.size > sizeof(out->buffer) - out->used) {
        (void)hoist_output_flush(out);
    }
    if (bytes.size >= sizeof(out->buffer)) {
        write_all(out, bytes);
        return;
    }
    memcpy(out->buffer + out->used, bytes.data, bytes.size);
    out->used += bytes.size;
}

void hoist_output_str(hoist_output *out, hoist_str text)
{
    hoist_output_add(out, (hoist_bytes){(const uint8_t *)text.data, text.size});
}

void hoist_output_c(hoist_output *out, const char *text)
{
    hoist_output_str(out, hoist_str_from(text));
}

void hoist_output_vformat(hoist_output *out, const char *format, va_list args)
{
    char text[4096];
    const int size = vsnprintf(text, sizeof(text), format, args);
    if (size > 0) {
        const size_t kept = (size_t)size < sizeof(text) ? (size_t)size : sizeof(text) - 1;
        hoist_output_str(out, (hoist_str){text, kept});
    }
}

void hoist_output_format(hoist_output *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_output_vformat(out, format, args);
    va_end(args);
}

hoist_status hoist_output_close(hoist_output *out, hoist_diag *diag)
{
    if (out->fd < 0) {
        return out->error ? HOIST_IO : HOIST_OK;
    }
    (void)hoist_output_flush(out);
    // Not repeated after EINTR: on Linux the descriptor is gone by then.
    if (close(out->fd) != 0 && errno != EINTR && !out->error) {
        out->error = errno;
    }
    out->fd = -1;
    if (out->error && !hoist_output_closed_pipe(out)) {
        (void)hoist_os_fail(diag, HOIST_OS_WRITE, "cannot be written", out->error);
    }
    return out->error ? HOIST_IO : HOIST_OK;
}

int hoist_output_error(const hoist_output *out)
{
    return out->error;
}

bool hoist_output_closed_pipe(const hoist_output *out)
{
    return out->error == EPIPE;
}
