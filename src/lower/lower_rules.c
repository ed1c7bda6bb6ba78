// The set of rules RUN-..., from lower_rules.inc: reasons why a file cannot be lowered, whatever
// its format.
#include "lower/lower_rules.h"

#include "base/rules.h"
#include "lower/lower.h"

static const hoist_rule rules[] = {
#define RUN_RULE(number, ...) HOIST_RULE("RUN-" #number, __VA_ARGS__, "ours"),
#include "lower/lower_rules.inc"
};

const hoist_rule_set hoist_lower_rules = {"run", "Lowering to a program", rules, RUN_RULE_COUNT};

const hoist_rule *hoist_lower_rule(hoist_lower_rule_id rule)
{
    return &rules[rule];
}
