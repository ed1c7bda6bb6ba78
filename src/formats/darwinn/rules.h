// formats/darwinn/rules.h - the rules of DarwiNN packages: DWN-001 ... (rules.inc).
#ifndef HOIST_SRC_FORMATS_DARWINN_RULES_H
#define HOIST_SRC_FORMATS_DARWINN_RULES_H

#include "base/diag.h"

// DWN_026a and so on.
typedef enum dwn_rule {
#define DWN_RULE(number, ...) DWN_##number,
#include "formats/darwinn/rules.inc"
    DWN_RULE_COUNT,
} dwn_rule;

extern const hoist_rule dwn_rule_table[DWN_RULE_COUNT];
extern const hoist_rule_set hoist_darwinn_rules;

// Reports a finding of `rule`; the object path comes from the diag's frames.
void dwn_report(hoist_diag *diag, dwn_rule rule, hoist_loc loc, const char *format, ...)
    HOIST_PRINTF(4, 5);
// The same, and returns `status`.
hoist_status dwn_fail(hoist_diag *diag, hoist_status status, dwn_rule rule, hoist_loc loc,
                      const char *format, ...) HOIST_PRINTF(5, 6);

#endif // HOIST_SRC_FORMATS_DARWINN_RULES_H
