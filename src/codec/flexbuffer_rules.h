// codec/flexbuffer_rules.h - the rules of FlexBuffers: FX-001 ...
#ifndef HOIST_SRC_CODEC_FLEXBUFFER_RULES_H
#define HOIST_SRC_CODEC_FLEXBUFFER_RULES_H

#include "codec/flexbuffer.h"

typedef enum hoist_flex_rule {
#define FX_RULE(number, ...) FX_##number,
#include "codec/flexbuffer_rules.inc"
    FX_RULE_COUNT,
} hoist_flex_rule;

// Reports that `rule` is broken at the byte `at` of the buffer, counts the fault, and returns
// `status`.
hoist_status hoist_flex_fault(hoist_flex *in, hoist_status status, hoist_flex_rule rule,
                              uint64_t at, const char *format, ...) HOIST_PRINTF(5, 6);

#endif // HOIST_SRC_CODEC_FLEXBUFFER_RULES_H
