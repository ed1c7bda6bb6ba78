#include "exchange/exchange_rules.h"

#include "base/diag.h"

// clang-format off
static const hoist_rule rules[HOIST_EXCHANGE_RULE_COUNT] = {
#define RAW_RULE(number, level, text, why, from)                                                   \
    [HOIST_RAW_##number] = {.id = "RAW-" #number, .severity = HOIST_##level, .judged = true,        \
                            .title = (text), .detail = (why), .source = (from)},
#include "exchange/exchange_rules.inc"
#undef RAW_RULE
};
// clang-format on

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
