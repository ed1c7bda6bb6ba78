#include "lower/lower_rules.h"

#include "lower/lower.h"

#define RUN_RULE(number, level, text, more)                                                        \
    [RUN_##number] = {.id = "RUN-" #number,                                                        \
                      .severity = HOIST_##level,                                                   \
                      .judged = true,                                                              \
                      .title = (text),                                                             \
                      .detail = (more),                                                            \
                      .source = "ours"},
static const hoist_rule rules[RUN_RULE_COUNT] = {
#include "lower/lower_rules.inc"
};
#undef RUN_RULE

const hoist_rule_set hoist_lower_rules = {"run", "Lowering to a program", rules, RUN_RULE_COUNT};

const hoist_rule *hoist_lower_rule(hoist_lower_rule_id rule)
{
    return &rules[rule];
}
