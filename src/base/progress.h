// base/progress.h - how far long work is, for those who watch its deadline (hoist/progress.h).
//
// Whatever looks at a deadline may also count: a call begins a stage, the functions below it add
// what they have done, and the next look reports it. A deadline has one stage at a time; a stage
// that begins within another one, or in another thread meanwhile, does not count. NULL deadlines
// and those that nobody watches are allowed everywhere, and cost a branch.
#ifndef HOIST_SRC_BASE_PROGRESS_H
#define HOIST_SRC_BASE_PROGRESS_H

#include "hoist/progress.h"

// Begins a stage. True: it is the caller's, for hoist_stage_end() and hoist_stage_set().
bool hoist_stage_begin(hoist_deadline *deadline, hoist_stage stage, uint64_t total);
// Ends a stage. `is_own`: as hoist_stage_begin() said; any thread.
void hoist_stage_end(hoist_deadline *deadline, bool is_own);
// Goes over from `from` to `to` and its own counts, when this thread has begun `from`, which has
// not counted anything yet.
void hoist_stage_turn(hoist_deadline *deadline, hoist_stage from, hoist_stage to, uint64_t total);
// `more` will be added; before any of it is. Only where this thread has begun `stage`.
void hoist_stage_expect(hoist_deadline *deadline, hoist_stage stage, uint64_t more);
// `more` is done. Only where this thread has begun `stage`.
void hoist_stage_add(hoist_deadline *deadline, hoist_stage stage, uint64_t more);
// As much is done of a stage that is the caller's: any thread, one at a time.
void hoist_stage_set(hoist_deadline *deadline, uint64_t done);

// For tests: every look reports.
void hoist_deadline_report_all(hoist_deadline *deadline);

#endif // HOIST_SRC_BASE_PROGRESS_H
