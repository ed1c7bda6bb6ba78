// Two estimates next to each other: totals, and steps by their names. In: both. Out: members of the
// map that is open. Neighbours: time_send.c has one estimate, time_tally.c steps by their names.
#include <math.h>

#include "base/alloc.h"
#include "base/span.h"
#include "base/tree.h"
#include "load/time.h"

// Copies without a time are in no comparison.
static hoist_status add_rows(hoist_time_tally *tally, const hoist_estimate *e, int side,
                             hoist_case lead)
{
    for (size_t i = 0; i < e->forecast.count; i++) {
        const hoist_time_row *const row = &e->forecast.rows[i];
        const double seconds = hoist_time_row_seconds(row, lead);
        if (seconds > 0) {
            HOIST_TRY(hoist_time_tally_add(tally, row->name, side, row->steps, seconds));
        }
    }
    return HOIST_OK;
}

// People get one decimal, programs all of it; no percentage of nothing.
static void send_change(hoist_tree_sink *sink, double mine, double other)
{
    // Of the typical or the low case.
    const double change = mine > 0 ? 100 * (other - mine) / mine : 0;
    sink->audience = HOIST_TREE_FOR_PROGRAMS;
    hoist_tree_maybe_float(sink, "change_percent", mine > 0, change, HOIST_UNIT_NONE);
    sink->audience = HOIST_TREE_FOR_PEOPLE;
    hoist_tree_maybe_float(sink, "change_percent", mine > 0, round(change * 10) / 10,
                           HOIST_UNIT_NONE);
    sink->audience = HOIST_TREE_FOR_ALL;
}

// A step that only one of them has is no change of 100 percent.
static void send_row(hoist_tree_sink *sink, const hoist_time_tally_row *row)
{
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "name", row->name);
    hoist_tree_maybe_float(sink, "seconds", row->has[0], row->seconds[0], HOIST_UNIT_SECONDS);
    hoist_tree_maybe_float(sink, "other_seconds", row->has[1], row->seconds[1], HOIST_UNIT_SECONDS);
    if (row->has[0] && row->has[1]) {
        send_change(sink, row->seconds[0], row->seconds[1]);
    } else {
        hoist_tree_null(sink, "change_percent");
    }
    hoist_tree_end(sink);
}

hoist_status hoist_estimate_compare(const hoist_estimate *e, const hoist_estimate *other,
                                    hoist_tree_sink *sink)
{
    // Both by the same case: where one of them has bounds only, the low one, which both have.
    const bool bounds = e->forecast.is_bound || other->forecast.is_bound;
    const hoist_case lead = bounds ? HOIST_CASE_LOW : HOIST_CASE_TYPICAL;
    hoist_time_tally tally;
    hoist_time_tally_init(&tally, e->job->alloc);
    hoist_status status = add_rows(&tally, e, 0, lead);
    status = status == HOIST_OK ? add_rows(&tally, other, 1, lead) : status;
    hoist_tree_map(sink, "compared");
    hoist_tree_str(sink, "file", other->job->name);
    hoist_send_range(sink, &other->forecast, other->forecast.total);
    send_change(sink, e->forecast.total[lead], other->forecast.total[lead]);
    hoist_tree_list(sink, "rows");
    for (size_t i = 0; i < tally.count && status == HOIST_OK; i++) {
        send_row(sink, &tally.rows[i]);
    }
    hoist_tree_end(sink);
    hoist_tree_end(sink);
    hoist_time_tally_deinit(&tally);
    return status == HOIST_OK ? sink->status : status;
}
