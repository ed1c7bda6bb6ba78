// formats/buda/rules.h - the rules of netlists: BUDA-001 ... (rules.inc).
#ifndef HOIST_SRC_FORMATS_BUDA_RULES_H
#define HOIST_SRC_FORMATS_BUDA_RULES_H

#include "base/diag.h"

// BUDA_004a and so on.
typedef enum buda_rule {
#define BUDA_RULE(number, ...) BUDA_##number,
#include "formats/buda/rules.inc"
    BUDA_RULE_COUNT,
} buda_rule;

extern const hoist_rule_set hoist_buda_rules;

// Reports a finding of `rule` at `pos`; the object path comes from the diag's frames.
#define buda_report(diag, rule, pos, ...)                                                          \
    hoist_report((diag), &hoist_buda_rules.rules[rule], hoist_loc_pos(pos), __VA_ARGS__)

#endif // HOIST_SRC_FORMATS_BUDA_RULES_H
