// The table of the rules NEFF-001 ... (rules.inc), and findings by them. Every file of this folder
// reports through neff_report().
#include "formats/neff/rules.h"

#include <stdio.h>

#include "base/rules.h"
#include "base/span.h"

static const hoist_rule rules[] = {
#define NEFF_RULE(number, ...) HOIST_RULE("NEFF-" #number, __VA_ARGS__),
#include "formats/neff/rules.inc"
};

const hoist_rule_set hoist_neff_rules = {"neff", "AWS Neuron executable files (NEFF)", rules,
                                         NEFF_RULE_COUNT};

// True when only third parties who read the runtime's binaries have described the fact: its source
// in rules.inc ends in "; re".
static bool is_only_described(const hoist_rule *rule)
{
    return hoist_str_ends_with(hoist_str_from(rule->source), "; re");
}

void neff_vreport(hoist_diag *diag, neff_rule rule, hoist_loc loc, const char *format, va_list args)
{
    char text[1024]; // a longer one is reported as it is
    va_list again;   // the arguments are needed twice
    va_copy(again, args);
    const int size = vsnprintf(text, sizeof(text), format, again);
    va_end(again);
    if (is_only_described(&rules[rule]) && size > 0 && (size_t)size < sizeof(text)) {
        hoist_report(diag, &rules[rule], loc, "%s, as described", text);
    } else {
        hoist_vreport(diag, &rules[rule], loc, format, args);
    }
}

void neff_report(hoist_diag *diag, neff_rule rule, hoist_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    neff_vreport(diag, rule, loc, format, args);
    va_end(args);
}
