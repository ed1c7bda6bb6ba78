// runtime/runtime_rules.h - the rows of hoist_runtime_rules, for the sources of runtime/.
#ifndef HOIST_SRC_RUNTIME_RUNTIME_RULES_H
#define HOIST_SRC_RUNTIME_RUNTIME_RULES_H

#include "base/diag.h"

typedef enum hoist_runtime_rule {
#define RUNTIME_RULE(number, name, text, why, from) HOIST_RUNTIME_##name,
#include "runtime/runtime_rules.inc"
#undef RUNTIME_RULE
    HOIST_RUNTIME_RULE_COUNT,
} hoist_runtime_rule;

// RUN-101...: what stops a run.
extern const hoist_rule_set hoist_runtime_rules;

const hoist_rule *hoist_runtime_rule_row(hoist_runtime_rule rule);

#endif // HOIST_SRC_RUNTIME_RUNTIME_RULES_H
