// machine/machine_rules.h - the rules of order, PRG-101 to PRG-104.
#ifndef HOIST_SRC_MACHINE_MACHINE_RULES_H
#define HOIST_SRC_MACHINE_MACHINE_RULES_H

#include "hoist/base.h"

typedef enum hoist_machine_rule {
#define PRG_RULE(number, name, text, why, from) HOIST_MACHINE_##name,
#include "machine/machine_rules.inc"
#undef PRG_RULE
    HOIST_MACHINE_RULE_COUNT,
} hoist_machine_rule;

extern const hoist_rule_set hoist_machine_rules;
const hoist_rule *hoist_machine_rule_of(hoist_machine_rule rule);

#endif // HOIST_SRC_MACHINE_MACHINE_RULES_H
