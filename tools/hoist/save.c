// What a command writes to a file of the user's choice.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/span.h"
#include "tool.h"

static hoist_status write_file(const char *path, hoist_bytes bytes, hoist_diag *diag)
{
    hoist_output file;
    HOIST_TRY(hoist_output_create(&file, path, diag));
    hoist_output_add(&file, bytes);
    return hoist_output_close(&file, diag);
}

// Under another name first, so that nobody finds half a file.
static hoist_status replace_file(tool *t, hoist_diag *diag, const char *path, hoist_bytes bytes)
{
    hoist_buffer part;
    hoist_buffer_init(&part, t->alloc);
    hoist_buffer_format(&part, "%s.part", path);
    hoist_buffer_char(&part, '\0');
    hoist_status status =
        part.failed ? HOIST_NO_MEMORY : write_file((const char *)part.data, bytes, diag);
    if (status == HOIST_OK && rename((const char *)part.data, path) != 0) {
        tool_complain(t, "%s: %s", path, strerror(errno));
        status = HOIST_IO;
    }
    if (status != HOIST_OK && part.data) {
        (void)unlink((const char *)part.data);
    }
    hoist_buffer_deinit(&part);
    return status;
}

bool tool_spares_input(tool *t, const char *path, const char *input)
{
    struct stat there;
    struct stat read;
    const bool is_same = strcmp(path, "-") != 0 && strcmp(input, "-") != 0 &&
                         stat(path, &there) == 0 && stat(input, &read) == 0 &&
                         S_ISREG(there.st_mode) && there.st_dev == read.st_dev &&
                         there.st_ino == read.st_ino;
    if (is_same) {
        tool_complain(t, "the output '%s' is the file that is read: wanted another name", path);
    }
    return !is_same;
}

bool tool_may_replace(tool *t, const char *path)
{
    struct stat about;
    if (!tool_given(t, OPT_FORCE) && lstat(path, &about) == 0 && S_ISREG(about.st_mode)) {
        tool_complain(t, "%s: is there already; --force replaces it", path);
        return false;
    }
    return true;
}

hoist_status tool_save(tool *t, hoist_diag *diag, const char *path, hoist_bytes bytes)
{
    if (strcmp(path, "-") == 0) {
        return tool_put(t, bytes);
    }
    struct stat about;
    hoist_diag_source(diag, hoist_str_from(path), HOIST_STR(""));
    if (lstat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
        return write_file(path, bytes, diag);
    }
    return replace_file(t, diag, path, bytes);
}
