// The rule set OS-001 ..., from os_rules.inc, and how an errno is reported by it.
#include "os/os_rules.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/rules.h"
#include "os/file.h"

static const hoist_rule rules[] = {
#define OS_RULE(number, name, ...) HOIST_RULE("OS-" #number, ERROR, __VA_ARGS__),
#include "os/os_rules.inc"
};

const hoist_rule_set hoist_os_rules = {"os", "files and streams", rules, HOIST_OS_RULE_COUNT};

hoist_status hoist_os_fail(hoist_diag *diag, hoist_os_rule rule, const char *what, int error)
{
    const bool absent = error == ENOENT || error == ENOTDIR;
    return hoist_fail(diag, absent ? HOIST_NOT_FOUND : HOIST_IO, &rules[rule], hoist_loc_none(),
                      "%s: %s", what, strerror(error));
}
