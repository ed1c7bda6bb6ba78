// easy/easy_rules.h - the rules of whole tasks.
#ifndef HOIST_SRC_EASY_EASY_RULES_H
#define HOIST_SRC_EASY_EASY_RULES_H

#include "hoist/base.h"

typedef enum hoist_easy_rule {
#define EASY_RULE(number, ...) HOIST_EASY_##number,
#include "easy/easy_rules.inc"
    HOIST_EASY_RULE_COUNT,
} hoist_easy_rule;

extern const hoist_rule_set hoist_easy_rules;

#endif // HOIST_SRC_EASY_EASY_RULES_H
