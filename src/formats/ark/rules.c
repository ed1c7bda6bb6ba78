// The table of the rules ARK-SYN, ARK-M01 ... (rules.inc), and findings by them.
#include "formats/ark/rules.h"

#include "base/rules.h"

static const hoist_rule rules[] = {
#define ARK_RULE(number, ...) HOIST_RULE("ARK-" #number, __VA_ARGS__),
#include "formats/ark/rules.inc"
};

const hoist_rule_set hoist_ark_rules = {"ark", "ARK models and plans", rules, ARK_RULE_COUNT};

const hoist_rule *ark_rule_row(ark_rule rule)
{
    return &rules[rule];
}

void ark_report(hoist_diag *diag, ark_rule rule, hoist_pos pos, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_vreport(diag, &rules[rule], hoist_loc_pos(pos), format, args);
    va_end(args);
}
