// lower/lower_rules.h - what cannot be lowered, and why: RUN-001 ... (lower_rules.inc).
#ifndef HOIST_SRC_LOWER_LOWER_RULES_H
#define HOIST_SRC_LOWER_LOWER_RULES_H

#include "base/diag.h"

// RUN_001 and so on.
typedef enum hoist_lower_rule_id {
#define RUN_RULE(number, ...) RUN_##number,
#include "lower/lower_rules.inc"
    RUN_RULE_COUNT,
} hoist_lower_rule_id;

// The row of `rule`. Static.
const hoist_rule *hoist_lower_rule(hoist_lower_rule_id rule);

#endif // HOIST_SRC_LOWER_LOWER_RULES_H
