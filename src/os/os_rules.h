// os/os_rules.h - the rows of hoist_os_rules, for the sources of os/.
#ifndef HOIST_SRC_OS_OS_RULES_H
#define HOIST_SRC_OS_OS_RULES_H

#include "hoist/base.h"

typedef enum hoist_os_rule {
#define OS_RULE(number, name, ...) HOIST_OS_##name,
#include "os/os_rules.inc"
    HOIST_OS_RULE_COUNT,
} hoist_os_rule;

// Reports that `rule` was broken for the reason `error`, an errno: "<what>: <text of the errno>".
// Returns HOIST_NOT_FOUND when the errno says that a file or folder is absent, else HOIST_IO.
hoist_status hoist_os_fail(hoist_diag *diag, hoist_os_rule rule, const char *what, int error);

#endif // HOIST_SRC_OS_OS_RULES_H
