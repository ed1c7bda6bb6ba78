// The rule set of FlexBuffers, FX-001 ..., from flexbuffer_rules.inc, and how a fault is counted
// and reported for flexbuffer.c and flexbuffer_visit.c.
#include "codec/flexbuffer_rules.h"

#include "base/checked.h"
#include "base/diag.h"
#include "base/rules.h"

static const hoist_rule rules[] = {
#define FX_RULE(number, ...) HOIST_RULE("FX-" #number, __VA_ARGS__),
#include "codec/flexbuffer_rules.inc"
};

const hoist_rule_set hoist_flex_rules = {"flexbuffers", "FlexBuffers", rules, FX_RULE_COUNT};

hoist_status hoist_flex_fault(hoist_flex *in, hoist_status status, hoist_flex_rule rule,
                              uint64_t at, const char *format, ...)
{
    uint64_t place = 0;
    if (hoist_ckd_add(&place, in->base_offset, at)) {
        place = UINT64_MAX;
    }
    in->faults++;
    va_list args;
    va_start(args, format);
    hoist_vreport(in->diag, &rules[rule], hoist_loc_byte(place), format, args);
    va_end(args);
    return status;
}
