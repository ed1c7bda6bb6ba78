// The rules of runs (RUN-101 and up), for runtime/.
#include "program/run_rules.h"

#include "base/rules.h"

static const hoist_rule rules[] = {
#define RUN_RULE(number, name, ...) HOIST_RULE("RUN-" #number, __VA_ARGS__),
#include "program/run_rules.inc"
};

const hoist_rule_set hoist_run_rules = {"runtime", "running programs", rules,
                                        HOIST_RUNTIME_RULE_COUNT};
