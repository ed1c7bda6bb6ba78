// Findings in netlists, at a line and column: lower/context.h reports them, and an error keeps the
// program from being made.
#include "lower/buda/state.h"

void buda_lower_refuse(buda_lower_job *l, hoist_lower_rule_id rule, hoist_pos pos,
                       const char *format, ...)
{
    const hoist_lower_place place = {.loc = hoist_loc_pos(pos)};
    va_list args;
    va_start(args, format);
    hoist_lower_vrefuse(&l->c, hoist_lower_rule(rule), &place, format, args);
    va_end(args);
}
