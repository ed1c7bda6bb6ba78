// program/run_rules.h - the rows of hoist_run_rules, for runtime/.
#ifndef HOIST_SRC_PROGRAM_RUN_RULES_H
#define HOIST_SRC_PROGRAM_RUN_RULES_H

#include "base/diag.h"

typedef enum hoist_runtime_rule {
#define RUN_RULE(number, name, ...) HOIST_RUNTIME_##name,
#include "program/run_rules.inc"
    HOIST_RUNTIME_RULE_COUNT,
} hoist_runtime_rule;

// RUN-101...: what stops a run.
extern const hoist_rule_set hoist_run_rules;

#define hoist_runtime_rule_row(rule) (&hoist_run_rules.rules[rule])

#endif // HOIST_SRC_PROGRAM_RUN_RULES_H
