// codec/npy_rules.h - the rules of .npy files: NPY-001 ...
#ifndef HOIST_SRC_CODEC_NPY_RULES_H
#define HOIST_SRC_CODEC_NPY_RULES_H

#include "hoist/base.h"

typedef enum hoist_npy_rule {
#define NPY_RULE(number, ...) HOIST_NPY_##number,
#include "codec/npy_rules.inc"
    HOIST_NPY_RULE_COUNT,
} hoist_npy_rule;

extern const hoist_rule_set hoist_npy_rules;

// Reports that `rule` was broken at the byte `offset` of the file and returns `status`.
hoist_status hoist_npy_fail(hoist_diag *diag, hoist_status status, hoist_npy_rule rule,
                            uint64_t offset, const char *format, ...) HOIST_PRINTF(5, 6);

#endif // HOIST_SRC_CODEC_NPY_RULES_H
