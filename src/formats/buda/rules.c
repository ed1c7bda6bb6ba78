#include "formats/buda/rules.h"

// clang-format off
static const hoist_rule rules[BUDA_RULE_COUNT] = {
#define BUDA_RULE(number, level, strict, text, why, from)                                          \
    [BUDA_##number] = {.id = "BUDA-" #number, .severity = HOIST_##level, .strict_error = (strict),  \
                       .judged = true, .title = text, .detail = why, .source = from},
#include "formats/buda/rules.inc"
#undef BUDA_RULE
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
