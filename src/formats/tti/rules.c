// The table of the rules TTI-001 ... (rules.inc).
#include "formats/tti/rules.h"

#include "base/rules.h"

static const hoist_rule rules[] = {
#define TTI_RULE(number, ...) HOIST_RULE("TTI-" #number, __VA_ARGS__),
#include "formats/tti/rules.inc"
};

const hoist_rule_set hoist_tti_rules = {"tti", "PyBuda device images (TTI)", rules, TTI_RULE_COUNT};
