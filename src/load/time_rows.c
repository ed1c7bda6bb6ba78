// Rows of an estimate, for its report (time_send.c) and for who draws them. In: rows of the
// forecast (cost/forecast.h). Out: what hoist.time/1 has of each.
#include "base/span.h"
#include "load/time.h"

// Chips of ops on cores of their own (BUDA) are no device behind a link.
bool hoist_estimate_has_host(const hoist_estimate *e)
{
    return e->program->work_count > 0 && !hoist_program_has_cores(e->program);
}

static hoist_str text_or_none(hoist_str text) // trees send no data as null
{
    return text.size ? text : (hoist_str){NULL, 0};
}

hoist_str hoist_estimate_device(const hoist_estimate *e)
{
    return text_or_none(hoist_estimate_has_host(e) ? e->program->works[0].device : e->model.device);
}

hoist_str hoist_estimate_link(const hoist_estimate *e)
{
    return hoist_estimate_has_host(e) ? hoist_str_from(e->model.link) : (hoist_str){NULL, 0};
}

// A transfer's device is the link, not the end that asked for it.
static hoist_str device_of(const hoist_estimate *e, const hoist_time_row *row)
{
    const bool is_link = row->resource == HOIST_RESOURCE_LINK && row->device.size > 0;
    return is_link ? hoist_str_from(e->model.link) : text_or_none(row->device);
}

// A row that waits longer than it works is bound by waiting.
static hoist_str bound_of(const hoist_time_row *row, hoist_case lead)
{
    const hoist_bound bound = hoist_time_row_bound(row, lead);
    return row->waited > hoist_time_row_seconds(row, lead) ? HOIST_STR("waiting")
           : bound < HOIST_BOUND_COUNT                     ? hoist_str_from(hoist_bound_name(bound))
                                                           : (hoist_str){NULL, 0};
}

// Bounds have the low case only.
int hoist_forecast_known(const hoist_forecast *forecast)
{
    return !forecast->is_timed ? 0 : forecast->is_bound ? 1 : HOIST_CASE_COUNT;
}

hoist_estimate_row hoist_estimate_row_at(const hoist_estimate *e, size_t i)
{
    const hoist_forecast *const forecast = &e->forecast;
    const hoist_time_row *const row = &forecast->rows[i];
    hoist_estimate_row r = {.name = row->name,
                            .process = forecast->processes[row->process].name,
                            .function = text_or_none(row->function),
                            .device = device_of(e, row),
                            .bound = bound_of(row, forecast->lead),
                            .steps = row->steps,
                            .untimed_steps = row->untimed,
                            .bytes = row->bytes,
                            .operations = row->operations,
                            .cycles = row->cycles,
                            .begin = row->begin,
                            .end = row->end,
                            .waited = row->waited};
    for (int c = 0; c < HOIST_CASE_COUNT; c++) { // -1: not known
        r.seconds[c] =
            c < hoist_forecast_known(forecast) ? hoist_time_row_seconds(row, (hoist_case)c) : -1;
    }
    return r;
}
