// Rules X03, X10 and P17: ranks that wait for each other in a circle (ark reference section 8.7).
// In: the places where ranks stay (progress.h). A rank that waits for a message that none sends, or
// for a rank that is at its end, is no circle: X04 and X08 are about these.
#include <inttypes.h>

#include "base/buffer.h"
#include "base/span.h"
#include "formats/ark/check_job.h"
#include "formats/ark/progress.h"
#include "formats/ark/rules.h"

enum { MAX_NAMED = 8 }; // ranks in a message

// A rank of a circle; ARK_NONE: there is none. Each rank waits for one other, so all ways are
// walked once. The marks tell the walks apart: a walk that meets its own mark has closed a circle,
// and one that meets another's leads where that one led.
static hoist_status find_circle(const ark_job_check *c, const ark_stop *stops, uint32_t *out_rank)
{
    const uint32_t count = c->job->rank_count;
    uint32_t *const walk = hoist_arena_array(c->arena, count, sizeof *walk); // 1, 2 ... by rank
    *out_rank = ARK_NONE;
    HOIST_TRY_MEMORY(walk);
    for (uint32_t first = 0; first < count && *out_rank == ARK_NONE; first++) {
        uint32_t rank = first;
        // A rank at its end, or one seen before, ends the walk.
        while (rank != ARK_NONE && stops[rank].event != ARK_NONE && !walk[rank]) {
            walk[rank] = first + 1;
            rank = stops[rank].waits;
        }
        const bool circle =
            rank != ARK_NONE && stops[rank].event != ARK_NONE && walk[rank] == first + 1;
        *out_rank = circle ? rank : ARK_NONE;
    }
    return HOIST_OK;
}

// "rank 0 at recv (Recv) for tag 3 of rank 1"
static void name_stop(const ark_job_check *c, uint32_t index, const ark_stop *stop,
                      hoist_buffer *text)
{
    const ark_rank *const rank = &c->job->ranks[index];
    hoist_buffer_format(text, "rank %" PRId64 " at %.*s", rank->number,
                        HOIST_STR_ARGS(ark_event_title(c, rank, stop->event)));
    if (stop->receipt != ARK_NONE) {
        const ark_peer *const from = &c->job->receipts[stop->receipt].from;
        hoist_buffer_format(text, " for tag %" PRId64 " from rank %" PRId64, from->tag,
                            from->number);
    } else if (stop->put != ARK_NONE) {
        const ark_peer *const to = &c->job->puts[stop->put].to;
        hoist_buffer_format(text, " of tag %" PRId64 " to rank %" PRId64, to->tag, to->number);
    } else {
        hoist_buffer_format(text, " for rank %" PRId64, c->job->ranks[stop->waits].number);
    }
}

// Reports a circle at its rank of the lowest number. `rank` is any of it. Ranks are named in the
// order of waiting: "rank 0 at recv (Recv) for tag 3 from rank 1, rank 1 at ...".
static hoist_status report_circle(const ark_job_check *c, ark_rule rule, const char *what,
                                  const ark_stop *stops, uint32_t rank)
{
    uint32_t first = rank;
    for (uint32_t r = stops[rank].waits; r != rank; r = stops[r].waits) {
        first = r < first ? r : first;
    }
    hoist_buffer text;
    // A buffer, since titles may be long.
    hoist_buffer_init(&text, c->arena->alloc);
    uint32_t named = 0;
    uint32_t r = first;
    do {
        if (named < MAX_NAMED) {
            hoist_buffer_c(&text, named ? ", " : "");
            name_stop(c, r, &stops[r], &text);
        }
        named++;
        r = stops[r].waits;
    } while (r != first);
    if (named > MAX_NAMED) {
        hoist_buffer_format(&text, " and %" PRIu32 " %s", named - MAX_NAMED,
                            hoist_plural(named - MAX_NAMED, "other", "others"));
    }
    const ark_rank *const row = &c->job->ranks[first];
    ark_event_place place;
    ark_event_enter(c, row, stops[first].event, &place);
    ark_report(c->diag, rule, ark_event_step(row, stops[first].event)->op->pos, "%s: %.*s", what,
               HOIST_STR_ARGS(hoist_buffer_text(&text)));
    ark_event_leave(c, &place);
    const bool complete = !text.failed;
    hoist_buffer_deinit(&text);
    return complete ? HOIST_OK : HOIST_NO_MEMORY;
}

// Whether all ranks get to their ends.
static bool ends(const ark_job *job, const ark_stop *stops)
{
    bool all = true;
    for (uint32_t r = 0; r < job->rank_count; r++) {
        all = all && stops[r].event == ARK_NONE;
    }
    return all;
}

// Whether all ranks get to their ends where processors work at the same time. Lanes are what a
// plan may execute at once (plan_order.h). False without a plan among the files: a model has one
// order only.
static hoist_status end_by_lanes(const ark_job_check *c, bool *out_ends)
{
    const ark_job *const job = c->job;
    bool plans = false;
    *out_ends = false;
    ark_lanes *const lanes = hoist_arena_array(c->arena, job->rank_count, sizeof *lanes);
    HOIST_TRY_MEMORY(lanes);
    for (uint32_t r = 0; r < job->rank_count; r++) {
        plans = plans || job->ranks[r].graph->module->is_plan;
        HOIST_TRY(ark_lanes_find(&job->ranks[r], c->arena, &lanes[r]));
    }
    return plans ? ark_job_execute_lanes(job, lanes, c->arena, out_ends) : HOIST_OK;
}

// X03, or P17 where only one order of a plan's groups does not end.
static hoist_status report_deadlock(const ark_job_check *c, const ark_stop *stops, uint32_t rank)
{
    bool ends = false;
    HOIST_TRY(end_by_lanes(c, &ends));
    return ends ? report_circle(c, ARK_P17,
                                "each rank waits for the next one when its groups are executed "
                                "one after the other",
                                stops, rank)
                : report_circle(c, ARK_X03, "each rank waits for the next one, forever", stops,
                                rank);
}

// X10 is looked for only where all ranks end: a job that hangs with sends that never wait hangs
// with sends that do.
hoist_status ark_check_deadlock(ark_job_check *c)
{
    // Some file or tag is missing, and its own rule has reported it.
    if (!c->job->complete) {
        return HOIST_OK;
    }
    const ark_stop *stops = NULL;
    uint32_t rank = ARK_NONE;
    HOIST_TRY(ark_job_execute(c->job, false, c->arena, &stops));
    HOIST_TRY(find_circle(c, stops, &rank));
    if (rank != ARK_NONE) {
        HOIST_TRY(report_deadlock(c, stops, rank));
    }
    if (!ends(c->job, stops)) {
        return HOIST_OK;
    }
    HOIST_TRY(ark_job_execute(c->job, true, c->arena, &stops));
    HOIST_TRY(find_circle(c, stops, &rank));
    if (rank != ARK_NONE) {
        HOIST_TRY(report_circle(
            c, ARK_X10, "each rank would wait for the next one if a Send waited for its receiver",
            stops, rank));
    }
    return HOIST_OK;
}
