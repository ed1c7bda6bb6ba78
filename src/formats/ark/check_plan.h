// formats/ark/check_plan.h - the parts of the check of plans (check.h: ark_check_plan), for their
// sources.
#ifndef HOIST_SRC_FORMATS_ARK_CHECK_PLAN_H
#define HOIST_SRC_FORMATS_ARK_CHECK_PLAN_H

#include <inttypes.h>
#include <stdio.h>

#include "base/map.h"
#include "formats/ark/check.h"
#include "formats/ark/places.h"
#include "formats/ark/plan_order.h"

typedef struct ark_plan_check {
    const ark_graph *graph;
    const ark_module *plan;
    hoist_arena *arena;
    hoist_diag *diag;
    hoist_map tasks; // by the text of their Id: the first of each
} ark_plan_check;

// An Id as a key of `tasks`, in `text`.
enum { ARK_ID_TEXT = 24 };
static inline hoist_str ark_id_text(int64_t id, char text[ARK_ID_TEXT])
{
    const int size = snprintf(text, ARK_ID_TEXT, "%" PRId64, id);
    return (hoist_str){text, (size_t)size};
}
// The task of that Id; NULL: there is none (P04). check_groups.c
const ark_task *ark_plan_find_task(const ark_plan_check *c, int64_t id);

// The configuration of each operator: P03, P11, P12, P14. check_config.c
void ark_check_configs(const ark_plan_check *c);
// Groups and their ranges: P05 to P08; whether the ranges of tasks are valid. check_groups.c
bool ark_check_groups(const ark_plan_check *c);
// Groups that run at the same time: P13. HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT, or that the
// deadline is over. check_races.c
HOIST_NODISCARD hoist_status ark_check_races(const ark_plan_check *c);

#endif // HOIST_SRC_FORMATS_ARK_CHECK_PLAN_H
