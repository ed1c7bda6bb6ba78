// The table of the rules ARK-SYN, ARK-M01 ... (rules.inc).
#include "formats/ark/rules.h"

#include "base/rules.h"

static const hoist_rule rules[] = {
#define ARK_RULE(number, ...) HOIST_RULE("ARK-" #number, __VA_ARGS__),
#include "formats/ark/rules.inc"
};

const hoist_rule_set hoist_ark_rules = {"ark", "ARK models and plans", rules, ARK_RULE_COUNT};
