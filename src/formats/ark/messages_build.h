// formats/ark/messages_build.h - the parts of building an ark_job (messages.h), for its sources
// only: events and the tags of their operators (messages_events.c), then the pairs of puts and
// receipts (messages_pairs.c).
#ifndef HOIST_SRC_FORMATS_ARK_MESSAGES_BUILD_H
#define HOIST_SRC_FORMATS_ARK_MESSAGES_BUILD_H

#include "formats/ark/messages.h"

// A job whose rows may still be changed. It becomes the job when all is filled in.
typedef struct ark_job_work {
    hoist_arena *arena;
    hoist_deadline *deadline;
    int64_t world;
    ark_rank *ranks;
    uint32_t rank_count;
    ark_event *events; // of all ranks (each rank has a range of them)
    size_t event_count;
    ark_put *puts;
    size_t put_count;
    ark_receipt *receipts;
    size_t receipt_count;
    uint32_t key_count;
} ark_job_work;

// The index of the rank of that number; ARK_NONE: there is none.
uint32_t ark_ranks_find(const ark_rank *ranks, uint32_t count, int64_t number);

// The order of a rank's tags, for qsort; and the first that is not before `row`, NULL: none.
int ark_tag_compare(const void *a, const void *b);
const ark_tag_row *ark_rank_tag_from(const ark_rank *rank, const ark_tag_row *row);

// Fills in tags and events of all ranks, and puts and receipts without their pairs.
HOIST_NODISCARD hoist_status ark_job_find_events(ark_job_work *w);
// Fills in keys, pairs, places in memory and deliveries.
HOIST_NODISCARD hoist_status ark_job_find_pairs(ark_job_work *w);

#endif // HOIST_SRC_FORMATS_ARK_MESSAGES_BUILD_H
