// What a process has of the data step that it is at, from its beginning to its end.
#include "runtime/lane.h"

#include "base/assert.h"

uint32_t hoist_lane_steps(const hoist_lane *lane)
{
    return lane->open->work.kind == HOIST_WORK_GROUP && !lane->opaque
               ? lane->open->work.group->count
               : 1;
}

void hoist_lane_end_step(hoist_session *session, size_t process)
{
    HOIST_ASSERT(hoist_process_set_has(&session->busy, process));
    hoist_process_set_remove(&session->busy, process);
    if (session->profiler) {
        const hoist_lane *lane = &session->lanes[process];
        // A clock costs as much as an event: the end of the last piece was read already.
        hoist_profiler_end_step(session->profiler, lane->open->profiled, hoist_lane_steps(lane),
                                lane->open->ended > 0 ? lane->open->ended : hoist_now());
    }
}

void hoist_lane_give_back(hoist_session *session, hoist_lane *lane)
{
    hoist_open_steps_give(&session->open_steps, lane->open);
    lane->open = NULL;
}
