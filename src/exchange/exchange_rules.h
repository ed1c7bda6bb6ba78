// exchange/exchange_rules.h - the rules of files of bare elements and of several arrays.
#ifndef HOIST_SRC_EXCHANGE_EXCHANGE_RULES_H
#define HOIST_SRC_EXCHANGE_EXCHANGE_RULES_H

#include "hoist/base.h"

typedef enum hoist_exchange_rule {
#define RAW_RULE(number, ...) HOIST_RAW_##number,
#include "exchange/exchange_rules.inc"
    HOIST_EXCHANGE_RULE_COUNT,
} hoist_exchange_rule;

extern const hoist_rule_set hoist_exchange_rules;

// Reports that `rule` was broken at the byte `offset` of the file and returns `status`.
hoist_status hoist_exchange_fail(hoist_diag *diag, hoist_status status, hoist_exchange_rule rule,
                                 uint64_t offset, const char *format, ...) HOIST_PRINTF(5, 6);

#endif // HOIST_SRC_EXCHANGE_EXCHANGE_RULES_H
