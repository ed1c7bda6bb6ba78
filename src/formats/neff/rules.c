// The table of the rules NEFF-001 ... (rules.inc), and findings by them.
#include "formats/neff/rules.h"

#include "base/rules.h"

static const hoist_rule rules[] = {
#define NEFF_RULE(number, ...) HOIST_RULE("NEFF-" #number, __VA_ARGS__),
#include "formats/neff/rules.inc"
};

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
