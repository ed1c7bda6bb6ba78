#include "os/os_rules.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "os/file.h"

// clang-format off
static const hoist_rule rules[HOIST_OS_RULE_COUNT] = {
#define OS_RULE(number, name, text, why, from)                                                     \
    [HOIST_OS_##name] = {.id = "OS-" #number, .severity = HOIST_ERROR, .judged = true,              \
                         .title = (text), .detail = (why), .source = (from)},
#include "os/os_rules.inc"
#undef OS_RULE
};
// clang-format on

const hoist_rule_set hoist_os_rules = {"os", "files and streams", rules, HOIST_OS_RULE_COUNT};

hoist_status hoist_os_fail(hoist_diag *diag, hoist_os_rule rule, const char *what, int error)
{
    const bool absent = error == ENOENT || error == ENOTDIR;
    return hoist_fail(diag, absent ? HOIST_NOT_FOUND : HOIST_IO, &rules[rule], hoist_loc_none(),
                      "%s: %s", what, strerror(error));
}
