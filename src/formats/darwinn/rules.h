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
#define dwn_report(diag, rule, loc, ...)                                                           \
    hoist_report((diag), &hoist_darwinn_rules.rules[rule], (loc), __VA_ARGS__)
// The same, and returns `status`.
#define dwn_fail(diag, status, rule, loc, ...)                                                     \
    hoist_fail((diag), (status), &hoist_darwinn_rules.rules[rule], (loc), __VA_ARGS__)

#endif // HOIST_SRC_FORMATS_DARWINN_RULES_H
