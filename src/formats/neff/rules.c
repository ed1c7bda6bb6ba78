#include "formats/neff/rules.h"

// clang-format off
static const hoist_rule rules[NEFF_RULE_COUNT] = {
#define ROW(number, level, is_strict, is_judged, text, why, from)                                  \
    [NEFF_##number] = {.id = "NEFF-" #number, .severity = HOIST_##level,                            \
                       .strict_error = (is_strict), .judged = (is_judged), .title = (text),         \
                       .detail = (why), .source = (from)},
#define NEFF_RULE(number, level, strict, text, why, from)                                          \
    ROW(number, level, strict, true, text, why, from)
#define NEFF_RULE_UNJUDGED(number, level, strict, text, why, from)                                 \
    ROW(number, level, strict, false, text, why, from)
#include "formats/neff/rules.inc"
#undef NEFF_RULE
#undef ROW
};
// clang-format on

const hoist_rule_set hoist_neff_rules = {"neff", "AWS Neuron executable files (NEFF)", rules,
                                         NEFF_RULE_COUNT};

const hoist_rule *neff_rule_row(neff_rule rule)
{
    return &rules[rule];
}

void neff_report(hoist_diag *diag, neff_rule rule, hoist_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_vreport(diag, &rules[rule], loc, format, args);
    va_end(args);
}
