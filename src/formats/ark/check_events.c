// Events in findings (check_job.h): the file, the place and the title of an operator of a rank.
// Findings of a job may be in any of its files, so the file is entered together with the object
// path, and left with it.
#include "formats/ark/check_job.h"

hoist_str ark_rank_file(const ark_job_check *c, const ark_rank *rank)
{
    return c->files[rank->file].name;
}

const ark_step *ark_event_step(const ark_rank *rank, uint32_t event)
{
    return &rank->graph->steps[rank->events[event].step];
}

hoist_str ark_event_title(const ark_job_check *c, const ark_rank *rank, uint32_t event)
{
    return ark_step_title(ark_event_step(rank, event), c->arena);
}

void ark_event_enter(const ark_job_check *c, const ark_rank *rank, uint32_t event,
                     ark_event_place *out_place)
{
    out_place->before = hoist_diag_enter(c->diag, ark_rank_file(c, rank));
    ark_enter_step(c->diag, rank->graph, ark_event_step(rank, event), &out_place->place);
}

void ark_event_leave(const ark_job_check *c, const ark_event_place *place)
{
    ark_leave(c->diag, &place->place);
    hoist_diag_leave(c->diag, place->before);
}
