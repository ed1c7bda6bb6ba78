#include "formats/buda/rules.h"

// clang-format off
static const hoist_rule rules[BUDA_RULE_COUNT] = {
#define ROW(number, level, is_strict, is_judged, text, why, from)                                  \
    [BUDA_##number] = {.id = "BUDA-" #number, .severity = HOIST_##level,                            \
                       .strict_error = (is_strict), .judged = (is_judged), .title = (text),         \
                       .detail = (why), .source = (from)},
#define BUDA_RULE(number, level, strict, text, why, from)                                          \
    ROW(number, level, strict, true, text, why, from)
#define BUDA_RULE_UNJUDGED(number, level, strict, text, why, from)                                 \
    ROW(number, level, strict, false, text, why, from)
#include "formats/buda/rules.inc"
#undef BUDA_RULE
#undef ROW
};
// clang-format on

const hoist_rule_set hoist_buda_rules = {"buda", "Tenstorrent BUDA netlists", rules,
                                         BUDA_RULE_COUNT};

void buda_report(hoist_diag *diag, buda_rule rule, hoist_pos pos, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_vreport(diag, &rules[rule], hoist_loc_pos(pos), format, args);
    va_end(args);
}
