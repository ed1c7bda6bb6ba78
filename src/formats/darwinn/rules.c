#include "formats/darwinn/rules.h"

// clang-format off
const hoist_rule dwn_rule_table[DWN_RULE_COUNT] = {
#define ROW(number, level, is_strict, is_judged, text, why, from)                                  \
    [DWN_##number] = {.id = "DWN-" #number, .severity = HOIST_##level,                              \
                      .strict_error = (is_strict), .judged = (is_judged), .title = (text),          \
                      .detail = (why), .source = (from)},
#define DWN_RULE(number, level, strict, text, why, from)                                           \
    ROW(number, level, strict, true, text, why, from)
#define DWN_RULE_UNJUDGED(number, level, strict, text, why, from)                                  \
    ROW(number, level, strict, false, text, why, from)
#include "formats/darwinn/rules.inc"
#undef DWN_RULE
#undef ROW
};
// clang-format on

const hoist_rule_set hoist_darwinn_rules = {"darwinn", "Edge TPU packages (DarwiNN)",
                                            dwn_rule_table, DWN_RULE_COUNT};

void dwn_report(hoist_diag *diag, dwn_rule rule, hoist_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_vreport(diag, &dwn_rule_table[rule], loc, format, args);
    va_end(args);
}

hoist_status dwn_fail(hoist_diag *diag, hoist_status status, dwn_rule rule, hoist_loc loc,
                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_vreport(diag, &dwn_rule_table[rule], loc, format, args);
    va_end(args);
    return status;
}
