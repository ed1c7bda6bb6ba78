// The rule set of files of bare elements and of several arrays.
#include "exchange/exchange_rules.h"

#include "base/diag.h"
#include "base/rules.h"

static const hoist_rule rules[] = {
#define RAW_RULE(number, ...) HOIST_RULE("RAW-" #number, __VA_ARGS__),
#include "exchange/exchange_rules.inc"
};

const hoist_rule_set hoist_exchange_rules = {"exchange", "array files", rules,
                                             HOIST_EXCHANGE_RULE_COUNT};

hoist_status hoist_exchange_fail(hoist_diag *diag, hoist_status status, hoist_exchange_rule rule,
                                 uint64_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_vreport(diag, &rules[rule], hoist_loc_byte(offset), format, args);
    va_end(args);
    return status;
}
