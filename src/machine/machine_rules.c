#include "machine/machine_rules.h"

// clang-format off
static const hoist_rule rules[HOIST_MACHINE_RULE_COUNT] = {
#define PRG_RULE(number, name, text, why, from)                                                    \
    [HOIST_MACHINE_##name] = {.id = "PRG-" #number, .severity = HOIST_ERROR, .judged = true,        \
                              .title = (text), .detail = (why), .source = (from)},
#include "machine/machine_rules.inc"
#undef PRG_RULE
};
// clang-format on

const hoist_rule_set hoist_machine_rules = {"order", "Order of programs", rules,
                                            HOIST_MACHINE_RULE_COUNT};

const hoist_rule *hoist_machine_rule_of(hoist_machine_rule rule)
{
    return &rules[rule];
}
