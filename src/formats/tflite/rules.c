// The table of the rules of TensorFlow Lite models, from rules.inc.
#include "formats/tflite/rules.h"
// Members: number of the rule, then those of hoist_rule (base/rules.h).

#include "base/rules.h"

static const hoist_rule rules[] = {
#define TFL_RULE(number, ...) HOIST_RULE("TFL-" #number, __VA_ARGS__),
#include "formats/tflite/rules.inc"
};

const hoist_rule_set hoist_tflite_rules = {"tflite", "TensorFlow Lite models", rules,
                                           TFL_RULE_COUNT};
