// load/load_rules.h - what opening itself finds, before a format has the file.
#ifndef HOIST_SRC_LOAD_LOAD_RULES_H
#define HOIST_SRC_LOAD_LOAD_RULES_H

#include "base/diag.h"

typedef enum load_rule {
    LOAD_001,
    LOAD_002,
    LOAD_003,
    LOAD_004,
    LOAD_005,
    LOAD_006,
    LOAD_RULE_COUNT
} load_rule;

extern const hoist_rule_set hoist_load_rules;
const hoist_rule *hoist_load_rule(load_rule rule);

#endif // HOIST_SRC_LOAD_LOAD_RULES_H
