// The rule set LOAD-001 ..., from load_rules.inc: faults that are found before a format has the
// file. All sources of load/ report by it (load_rules.h).
#include "load/load_rules.h"

#include "base/rules.h"

static const hoist_rule rules[] = {
#define LOAD_RULE(number, ...) HOIST_RULE("LOAD-" #number, __VA_ARGS__, "ours"),
#include "load/load_rules.inc"
};

const hoist_rule_set hoist_load_rules = {"load", "Opening files", rules, LOAD_RULE_COUNT};
