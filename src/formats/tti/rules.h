// formats/tti/rules.h - the rules of TTI archives: TTI-001 ... (rules.inc).
#ifndef HOIST_SRC_FORMATS_TTI_RULES_H
#define HOIST_SRC_FORMATS_TTI_RULES_H

#include "base/diag.h"

// TTI_001 and so on.
typedef enum tti_rule {
#define TTI_RULE(number, ...) TTI_##number,
#include "formats/tti/rules.inc"
    TTI_RULE_COUNT,
} tti_rule;

extern const hoist_rule_set hoist_tti_rules;

// The row of a rule, for codecs that report by the caller's rules.
#define tti_rule_row(rule) (&hoist_tti_rules.rules[rule])

#endif // HOIST_SRC_FORMATS_TTI_RULES_H
