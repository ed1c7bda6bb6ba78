// The rule set of whole tasks.
#include "easy/easy_rules.h"

#include "base/rules.h"

static const hoist_rule rules[] = {
#define EASY_RULE(number, ...) HOIST_RULE("EASY-" #number, __VA_ARGS__),
#include "easy/easy_rules.inc"
};

const hoist_rule_set hoist_easy_rules = {"easy", "whole tasks", rules, HOIST_EASY_RULE_COUNT};
