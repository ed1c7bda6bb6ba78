// The rule set of JSON, JSON-001 ..., from json_rules.inc. json.c and json_keys.c report by these
// rows.
#include "base/rules.h"
#include "codec/json_parser.h"

static const hoist_rule rules[] = {
#define JSON_RULE(number, name, ...) HOIST_RULE("JSON-" #number, ERROR, __VA_ARGS__),
#include "codec/json_rules.inc"
};

const hoist_rule_set hoist_json_rules = {"json", "JSON text", rules, JSON_RULE_COUNT};
