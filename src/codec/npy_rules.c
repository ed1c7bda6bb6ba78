// The rule set of .npy files, NPY-001 ..., from npy_rules.inc. npy_header.c and exchange/npy.c
// report by these rows.
#include "codec/npy_rules.h"

#include "base/diag.h"
#include "base/rules.h"

static const hoist_rule rules[] = {
#define NPY_RULE(number, ...) HOIST_RULE("NPY-" #number, __VA_ARGS__),
#include "codec/npy_rules.inc"
};

const hoist_rule_set hoist_npy_rules = {"npy", ".npy files", rules, HOIST_NPY_RULE_COUNT};
