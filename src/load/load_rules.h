// load/load_rules.h - what opening itself finds, before a format has the file.
#ifndef HOIST_SRC_LOAD_LOAD_RULES_H
#define HOIST_SRC_LOAD_LOAD_RULES_H

#include "base/diag.h"

typedef enum load_rule {
#define LOAD_RULE(number, ...) LOAD_##number,
#include "load/load_rules.inc"
    LOAD_RULE_COUNT,
} load_rule;

extern const hoist_rule_set hoist_load_rules;
#define hoist_load_rule(rule) (&hoist_load_rules.rules[rule])

#endif // HOIST_SRC_LOAD_LOAD_RULES_H
