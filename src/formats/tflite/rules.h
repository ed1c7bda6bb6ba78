// formats/tflite/rules.h - the rules of TensorFlow Lite files: TFL-001 ... (rules.inc).
#ifndef HOIST_SRC_FORMATS_TFLITE_RULES_H
#define HOIST_SRC_FORMATS_TFLITE_RULES_H

#include "base/diag.h"

typedef enum tfl_rule {
#define TFL_RULE(number, ...) TFL_##number,
#include "formats/tflite/rules.inc"
    TFL_RULE_COUNT,
} tfl_rule;

extern const hoist_rule_set hoist_tflite_rules;

// Reports a finding of `rule` at `loc`; the object path comes from the diag's frames.
// Messages say what was found and what is expected; the rule's row has title and detail.
#define tflite_report(diag, rule, loc, ...)                                                        \
    hoist_report((diag), &hoist_tflite_rules.rules[rule], (loc), __VA_ARGS__)

#endif // HOIST_SRC_FORMATS_TFLITE_RULES_H
