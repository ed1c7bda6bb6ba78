// What one estimate and two of them have in common: ranges, and steps by their names. In: seconds,
// names. Out: events, rows of a tally. Users: time_send.c, time_compare.c.
#include "base/alloc.h"
#include "base/span.h"
#include "base/tree.h"
#include "load/time.h"

const char *const hoist_case_keys[HOIST_CASE_COUNT] = {"low_seconds", "typical_seconds",
                                                       "high_seconds"};

void hoist_send_range(hoist_tree_sink *sink, const hoist_forecast *forecast, const double *seconds)
{
    const int known = hoist_forecast_known(forecast);
    for (int i = 0; i < HOIST_CASE_COUNT; i++) {
        // Null where the case is not known.
        hoist_tree_maybe_float(sink, hoist_case_keys[i], i < known, seconds[i], HOIST_UNIT_SECONDS);
    }
}

void hoist_time_tally_init(hoist_time_tally *tally, hoist_allocator alloc)
{
    *tally = (hoist_time_tally){.alloc = alloc};
    hoist_map_init(&tally->known, alloc);
}

void hoist_time_tally_deinit(hoist_time_tally *tally)
{
    hoist_map_deinit(&tally->known);
    hoist_free(tally->alloc, tally->rows, tally->capacity * sizeof *tally->rows);
}

// A name keeps the place at which it came first; `side` 1 may add to rows of side 0.
hoist_status hoist_time_tally_add(hoist_time_tally *tally, hoist_str name, int side, uint64_t steps,
                                  double seconds)
{
    size_t at = tally->count;
    const hoist_status status = hoist_map_add(&tally->known, name, tally->count, &at);
    if (status == HOIST_OK) {
        at = tally->count;
        if (!hoist_grow(tally->alloc, (void **)&tally->rows, &tally->capacity, tally->count + 1,
                        sizeof *tally->rows)) {
            return HOIST_NO_MEMORY;
        }
        tally->rows[tally->count++] = (hoist_time_tally_row){.name = name};
    } else if (status != HOIST_BUSY) {
        return status;
    }
    hoist_time_tally_row *const row = &tally->rows[at];
    row->steps += steps;
    row->seconds[side] += seconds;
    row->has[side] = true;
    return HOIST_OK;
}
