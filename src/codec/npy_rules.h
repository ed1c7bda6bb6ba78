// codec/npy_rules.h - the rules of .npy files: NPY-001 ...
#ifndef HOIST_SRC_CODEC_NPY_RULES_H
#define HOIST_SRC_CODEC_NPY_RULES_H

#include "base/diag.h"

typedef enum hoist_npy_rule {
#define NPY_RULE(number, ...) HOIST_NPY_##number,
#include "codec/npy_rules.inc"
    HOIST_NPY_RULE_COUNT,
} hoist_npy_rule;

extern const hoist_rule_set hoist_npy_rules;

// Reports that `rule` was broken at the byte `offset` of the file and returns `status`.
#define hoist_npy_fail(diag, status, rule, offset, ...)                                            \
    hoist_fail((diag), (status), &hoist_npy_rules.rules[rule], hoist_loc_byte(offset), __VA_ARGS__)

#endif // HOIST_SRC_CODEC_NPY_RULES_H
