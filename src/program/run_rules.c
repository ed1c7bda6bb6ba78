#include "program/run_rules.h"

// clang-format off
static const hoist_rule rules[HOIST_RUNTIME_RULE_COUNT] = {
#define RUN_RULE(number, name, text, why, from)                                                \
    [HOIST_RUNTIME_##name] = {.id = "RUN-" #number, .severity = HOIST_ERROR, .judged = true,        \
                              .title = (text), .detail = (why), .source = (from)},
#include "program/run_rules.inc"
#undef RUN_RULE
};
// clang-format on

const hoist_rule_set hoist_run_rules = {"runtime", "running programs", rules,
                                        HOIST_RUNTIME_RULE_COUNT};

const hoist_rule *hoist_runtime_rule_row(hoist_runtime_rule rule)
{
    return &rules[rule];
}
