// formats/ark/rules.h - the rules of ARK files: ARK-SYN, ARK-M01 ... (rules.inc).
#ifndef HOIST_SRC_FORMATS_ARK_RULES_H
#define HOIST_SRC_FORMATS_ARK_RULES_H

#include "base/diag.h"

// ARK_SYN, ARK_M37a and so on.
typedef enum ark_rule {
#define ARK_RULE(number, ...) ARK_##number,
#include "formats/ark/rules.inc"
    ARK_RULE_COUNT,
} ark_rule;

extern const hoist_rule_set hoist_ark_rules;

// The row of a rule, for codecs that report by the caller's rules.
#define ark_rule_row(rule) (&hoist_ark_rules.rules[rule])

// Reports a finding of `rule` at a place of the file at hand; the object path comes from the diag's
// frames.
#define ark_report(diag, rule, pos, ...)                                                           \
    hoist_report((diag), &hoist_ark_rules.rules[rule], hoist_loc_pos(pos), __VA_ARGS__)

#endif // HOIST_SRC_FORMATS_ARK_RULES_H
