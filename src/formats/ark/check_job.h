// formats/ark/check_job.h - the checks of communication (check_messages.c, check_sent.c) and of the
// files of a job together (check_job.c and its neighbours), for their sources.
//
// Events that break a rule of one file alone are not resolved (messages.h), and the rules of a job
// leave them out: each fault is reported once.
#ifndef HOIST_SRC_FORMATS_ARK_CHECK_JOB_H
#define HOIST_SRC_FORMATS_ARK_CHECK_JOB_H

#include "formats/ark/messages.h"
#include "formats/ark/overlap.h"
#include "formats/ark/places.h"

typedef struct ark_job_check {
    const ark_job *job;
    const hoist_file *files; // of the job; NULL: of one file alone
    hoist_arena *arena;
    hoist_diag *diag;
} ark_job_check;

// M76 of a rank. HOIST_OK, HOIST_NO_MEMORY, or that the deadline is over; so all below.
HOIST_NODISCARD hoist_status ark_check_sent(ark_job_check *c, const ark_rank *rank);

// The rules of a job, X01 to X10, and of plans that need other files, P15 and P17; as
// hoist_format.check_job: HOIST_NOT_FOUND where X01 was found.
HOIST_NODISCARD hoist_status ark_check_job(const hoist_file *files, size_t count,
                                           const hoist_check_options *options, hoist_diag *diag);
// X02, X04 to X07, X09: tags and messages, pair by pair. check_pairs.c
HOIST_NODISCARD hoist_status ark_check_pairs(ark_job_check *c);
// P15. check_models.c
HOIST_NODISCARD hoist_status ark_check_models(ark_job_check *c);
// X03, X10, P17. check_deadlock.c
HOIST_NODISCARD hoist_status ark_check_deadlock(ark_job_check *c);

// The file and object path of findings about an event; on the caller's stack.
typedef struct ark_event_place {
    hoist_source before;
    ark_place place;
} ark_event_place;
void ark_event_enter(const ark_job_check *c, const ark_rank *rank, uint32_t event,
                     ark_event_place *out_place);
void ark_event_leave(const ark_job_check *c, const ark_event_place *place);
const ark_step *ark_event_step(const ark_rank *rank, uint32_t event);
// "recv (Recv)"
hoist_str ark_event_title(const ark_job_check *c, const ark_rank *rank, uint32_t event);
// The name of the rank's file.
hoist_str ark_rank_file(const ark_job_check *c, const ark_rank *rank);

#endif // HOIST_SRC_FORMATS_ARK_CHECK_JOB_H
