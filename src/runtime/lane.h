// runtime/lane.h - a process at a data step. The caller of each function holds the session's lock.
#ifndef HOIST_SRC_RUNTIME_LANE_H
#define HOIST_SRC_RUNTIME_LANE_H

#include "runtime/session.h"

// Data steps that its work is: those of a group, or one.
uint32_t hoist_lane_steps(const hoist_lane *lane);
// The process is no longer at its data step, whether that was done or not.
void hoist_lane_end_step(hoist_session *session, size_t process);
// The memory of a step that has ended is for the next one of any process.
void hoist_lane_give_back(hoist_session *session, hoist_lane *lane);

#endif // HOIST_SRC_RUNTIME_LANE_H
