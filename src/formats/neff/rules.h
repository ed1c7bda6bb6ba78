// formats/neff/rules.h - the rules of NEFFs: NEFF-001 ... (rules.inc).
#ifndef HOIST_SRC_FORMATS_NEFF_RULES_H
#define HOIST_SRC_FORMATS_NEFF_RULES_H

#include "base/diag.h"

// NEFF_036a and so on.
typedef enum neff_rule {
#define NEFF_RULE(number, ...) NEFF_##number,
#include "formats/neff/rules.inc"
    NEFF_RULE_COUNT,
} neff_rule;

extern const hoist_rule_set hoist_neff_rules;

// The row of a rule, for codecs that report by the caller's rules.
#define neff_rule_row(rule) (&hoist_neff_rules.rules[rule])

// Reports a finding of `rule` in the member that was entered (neff_enter); the object path comes
// from the diag's frames.
void neff_report(hoist_diag *diag, neff_rule rule, hoist_loc loc, const char *format, ...)
    HOIST_PRINTF(4, 5);
// The same. Both add ", as described" where the rule rests on third-party notes alone.
void neff_vreport(hoist_diag *diag, neff_rule rule, hoist_loc loc, const char *format, va_list args)
    HOIST_PRINTF(4, 0);

#endif // HOIST_SRC_FORMATS_NEFF_RULES_H
