#include "formats/tflite/rules.h"

// clang-format off
static const hoist_rule rules[TFL_RULE_COUNT] = {
#define TFL_RULE(number, level, text, why, from)                                                   \
    [TFL_##number] = {.id = "TFL-" #number, .severity = HOIST_##level, .judged = true,             \
                      .title = (text), .detail = (why), .source = (from)},
#include "formats/tflite/rules.inc"
#undef TFL_RULE
};
// clang-format on

const hoist_rule_set hoist_tflite_rules = {"tflite", "TensorFlow Lite models", rules,
                                           TFL_RULE_COUNT};

void tflite_report(hoist_diag *diag, tfl_rule rule, hoist_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_vreport(diag, &rules[rule], loc, format, args);
    va_end(args);
}
