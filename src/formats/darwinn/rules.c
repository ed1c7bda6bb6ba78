// The table of the rules of Edge TPU packages, from rules.inc, and reporting by a rule.
#include "formats/darwinn/rules.h"

#include "base/rules.h"

const hoist_rule dwn_rule_table[DWN_RULE_COUNT] = {
#define DWN_RULE(number, ...) HOIST_RULE("DWN-" #number, __VA_ARGS__),
#include "formats/darwinn/rules.inc"
};

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
