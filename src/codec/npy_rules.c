#include "codec/npy_rules.h"

#include "base/diag.h"

// clang-format off
static const hoist_rule rules[HOIST_NPY_RULE_COUNT] = {
#define NPY_RULE(number, level, text, why, from)                                                   \
    [HOIST_NPY_##number] = {.id = "NPY-" #number, .severity = HOIST_##level, .judged = true,        \
                            .title = (text), .detail = (why), .source = (from)},
#include "codec/npy_rules.inc"
#undef NPY_RULE
};
// clang-format on

const hoist_rule_set hoist_npy_rules = {"npy", ".npy files", rules, HOIST_NPY_RULE_COUNT};

hoist_status hoist_npy_fail(hoist_diag *diag, hoist_status status, hoist_npy_rule rule,
                            uint64_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_vreport(diag, &rules[rule], hoist_loc_byte(offset), format, args);
    va_end(args);
    return status;
}
