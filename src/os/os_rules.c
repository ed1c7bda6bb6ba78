#include "os/os_rules.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "os/file.h"

// clang-format off
static const hoist_rule rules[HOIST_OS_RULE_COUNT] = {
    [HOIST_OS_OPEN] = {
        .id = "OS-001", .severity = HOIST_ERROR, .judged = true, .title = "the file can be opened",
        .detail = "Check the name and the permissions.", .source = "open(2)"},
    [HOIST_OS_DIRECTORY] = {
        .id = "OS-002", .severity = HOIST_ERROR, .judged = true, .title = "the file is no directory",
        .detail = "Name a file inside it.", .source = "stat(2)"},
    [HOIST_OS_READ] = {
        .id = "OS-003", .severity = HOIST_ERROR, .judged = true,
        .title = "the file can be read to its end",
        .detail = "The device or the other end of the pipe failed.", .source = "read(2)"},
    [HOIST_OS_LIMIT] = {
        .id = "OS-004", .severity = HOIST_ERROR, .judged = true,
        .title = "the file is no larger than the limit",
        .detail = "Raise the limit if the file is meant.", .source = "ours"},
    [HOIST_OS_WRITE] = {
        .id = "OS-005", .severity = HOIST_ERROR, .judged = true,
        .title = "what is written arrives",
        .detail = "The output is not complete. Look at the space left on the device.",
        .source = "write(2), close(2)"},
};
// clang-format on

const hoist_rule_set hoist_os_rules = {"os", "files and streams", rules, HOIST_OS_RULE_COUNT};

hoist_status hoist_os_fail(hoist_diag *diag, hoist_os_rule rule, const char *what, int error)
{
    const bool absent = error == ENOENT || error == ENOTDIR;
    return hoist_fail(diag, absent ? HOIST_NOT_FOUND : HOIST_IO, &rules[rule], hoist_loc_none(),
                      "%s: %s", what, strerror(error));
}
