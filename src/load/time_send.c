// Estimates as tree events: ranges, what takes the time, rows, what has no time, and what all of it
// rests on. In: an estimate. Out: members of the map that is open. Neighbours: time.c,
// time_compare.c (two estimates).
#include <stdio.h>

#include "base/alloc.h"
#include "base/name_list.h"
#include "base/span.h"
#include "base/tree.h"
#include "cost/tensix.h"
#include "load/time.h"

enum { MOST_ROWS = 80 }; // rows for people: those that take longest

// A change of audience lasts until the next one: every function leaves it at FOR_ALL.
static void send_for(hoist_tree_sink *sink, hoist_tree_audience audience)
{
    sink->audience = audience;
}

// Totals --------------------------------------------------------------------------------------

static void send_total(hoist_tree_sink *sink, const char *key, const hoist_forecast *forecast,
                       const double *seconds)
{
    hoist_tree_map(sink, key);
    hoist_send_range(sink, forecast, seconds);
    hoist_tree_end(sink);
}

// The same as a table for people and as maps for programs.
static void send_totals(const hoist_estimate *e, hoist_tree_sink *sink)
{
    const hoist_forecast *const forecast = &e->forecast;
    // The first run does more than later ones.
    const bool differs = forecast->first[forecast->lead] > forecast->total[forecast->lead];
    send_for(sink, HOIST_TREE_FOR_PROGRAMS);
    send_total(sink, "total", forecast, forecast->total);
    send_total(sink, "first_run", forecast, forecast->first);
    send_for(sink, HOIST_TREE_FOR_PEOPLE);
    hoist_tree_list(sink, "time");
    for (int i = 0; i < (differs ? 2 : 1); i++) {
        hoist_tree_map(sink, "");
        hoist_tree_c(sink, "run", !differs ? "each" : i == 0 ? "first" : "next");
        hoist_send_range(sink, forecast, differs && i == 0 ? forecast->first : forecast->total);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    send_for(sink, HOIST_TREE_FOR_ALL);
}

static void send_share(hoist_tree_sink *sink, double part, double all)
{
    hoist_tree_maybe_float(sink, "share_percent", all > 0, all > 0 ? 100 * part / all : 0,
                           HOIST_UNIT_PERCENT);
}

// Share of the total; queues are at work at the same time, and their sum, which may be more than
// the total, has no share.
static void send_share_of_total(hoist_tree_sink *sink, const hoist_forecast *forecast, double part)
{
    const double all = forecast->total[forecast->lead];
    send_share(sink, part, part <= all * (1 + 1e-9) ? all : 0);
}

// Seconds of all steps by what takes them: computing, transfers, memory and so on.
static void send_bounds(const hoist_estimate *e, hoist_tree_sink *sink)
{
    const hoist_forecast *const forecast = &e->forecast;
    double sums[HOIST_BOUND_COUNT][HOIST_CASE_COUNT] = {{0}};
    double all = 0;
    int most = 0;
    for (size_t i = 0; i < forecast->count; i++) {
        for (int k = 0; k < HOIST_BOUND_COUNT; k++) {
            for (int c = 0; c < HOIST_CASE_COUNT; c++) {
                sums[k][c] += forecast->rows[i].seconds[c][k];
            }
            all += forecast->rows[i].seconds[forecast->lead][k];
        }
    }
    for (int k = 0; k < HOIST_BOUND_COUNT; k++) { // of equal ones the first
        most = sums[k][forecast->lead] > sums[most][forecast->lead] ? k : most;
    }
    hoist_tree_maybe_c(sink, "bound", all > 0 ? hoist_bound_name((hoist_bound)most) : NULL);
    hoist_tree_list(sink, "bounds");
    for (int k = 0; k < HOIST_BOUND_COUNT; k++) {
        if (sums[k][forecast->lead] > 0) {
            hoist_tree_map(sink, "");
            hoist_tree_c(sink, "bound", hoist_bound_name((hoist_bound)k));
            hoist_send_range(sink, forecast, sums[k]);
            send_share(sink, sums[k][forecast->lead], all);
            hoist_tree_end(sink);
        }
    }
    hoist_tree_end(sink);
}

// Devices -------------------------------------------------------------------------------------

// How long a resource was at work that does one step at a time; queues are added up.
static void send_devices(const hoist_estimate *e, hoist_tree_sink *sink)
{
    const hoist_forecast *const forecast = &e->forecast;
    hoist_tree_list(sink, "devices");
    for (int r = 0; r < HOIST_RESOURCE_COUNT; r++) {
        double seconds = 0;
        hoist_str name = {NULL, 0};
        for (size_t i = 0; i < forecast->count; i++) {
            const hoist_time_row *const row = &forecast->rows[i];
            const double own = hoist_time_row_seconds(row, forecast->lead);
            if ((int)row->resource == r && own > 0) {
                // The link is named as the caller chose it.
                name = r == HOIST_RESOURCE_LINK ? hoist_str_from(e->model.link) : row->device;
                seconds += own;
            }
        }
        if (name.data) { // something of that resource has a time
            hoist_tree_map(sink, "");
            hoist_tree_str(sink, "device", name);
            hoist_tree_float(sink, "busy_seconds", seconds, HOIST_UNIT_SECONDS);
            send_share_of_total(sink, forecast, seconds);
            hoist_tree_end(sink);
        }
    }
    hoist_tree_end(sink);
}

// Threads and units that have steps with a time, in the program's order.
static void send_processes(const hoist_estimate *e, hoist_tree_sink *sink)
{
    const hoist_forecast *const forecast = &e->forecast;
    hoist_tree_list(sink, "processes");
    for (size_t i = 0; i < forecast->process_count; i++) {
        const hoist_time_process *const process = &forecast->processes[i];
        if (process->seconds[forecast->lead] > 0) {
            hoist_tree_map(sink, "");
            hoist_tree_str(sink, "process", process->name);
            hoist_tree_uint(sink, "steps", process->steps, HOIST_UNIT_NONE);
            hoist_tree_uint(sink, "bytes", process->bytes, HOIST_UNIT_BYTES);
            hoist_tree_float(sink, "busy_seconds", process->seconds[forecast->lead],
                             HOIST_UNIT_SECONDS);
            send_share_of_total(sink, forecast, process->seconds[forecast->lead]);
            hoist_tree_end(sink);
        }
    }
    hoist_tree_end(sink);
}

// Rows ----------------------------------------------------------------------------------------

// Where the row is, and its amounts.
static void send_place(const hoist_estimate_row *row, hoist_tree_sink *sink)
{
    hoist_tree_maybe_str(sink, "function", row->function);
    hoist_tree_maybe_str(sink, "device", row->device);
    hoist_tree_uint(sink, "steps", row->steps, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "untimed_steps", row->untimed_steps, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "bytes", row->bytes, HOIST_UNIT_BYTES);
    hoist_tree_uint(sink, "operations", row->operations, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "cycles", row->cycles, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "end_seconds", row->end, HOIST_UNIT_SECONDS);
    hoist_tree_float(sink, "waited_seconds", row->waited, HOIST_UNIT_SECONDS);
}

// A row: for all, or in a list for all, for programs only. Of bounds people get the one time there
// is, and the process, of which there are many; in narrow windows one time, too. `own`: its
// seconds.
static void send_row(const hoist_estimate *e, const hoist_estimate_row *row, double own,
                     hoist_tree_audience shown, hoist_tree_sink *sink)
{
    const hoist_forecast *const forecast = &e->forecast;
    const bool is_short = e->narrow || forecast->is_bound;
    send_for(sink, shown);
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "name", row->name);
    // Every row of a drawing is wide: the process is a column only where there is one time.
    send_for(sink, forecast->is_bound ? shown : HOIST_TREE_FOR_PROGRAMS);
    hoist_tree_str(sink, "process", row->process);
    send_for(sink, HOIST_TREE_FOR_PROGRAMS);
    send_place(row, sink);
    // Narrow windows leave the begin out, too.
    send_for(sink, e->narrow ? HOIST_TREE_FOR_PROGRAMS : shown);
    hoist_tree_float(sink, "begin_seconds", row->begin, HOIST_UNIT_SECONDS);
    send_for(sink, is_short ? HOIST_TREE_FOR_PROGRAMS : shown);
    hoist_send_range(sink, forecast, row->seconds);
    // One time in place of the range, under the key of the case that leads.
    if (is_short && shown == HOIST_TREE_FOR_ALL) {
        send_for(sink, HOIST_TREE_FOR_PEOPLE);
        hoist_tree_float(sink, hoist_case_keys[forecast->lead], own, HOIST_UNIT_SECONDS);
    }
    send_for(sink, shown);
    hoist_tree_maybe_str(sink, "bound", row->bound);
    hoist_tree_end(sink);
}

// Seconds from which a row is for people, too: MOST_ROWS have as many, or all that have some. One
// pass with an insertion into a short list.
static double find_least(const hoist_forecast *forecast)
{
    double most[MOST_ROWS] = {0}; // downwards
    for (size_t i = 0; i < forecast->count; i++) {
        const double own = hoist_time_row_seconds(&forecast->rows[i], forecast->lead);
        size_t at = MOST_ROWS;
        for (; at > 0 && most[at - 1] < own; at--) {
            if (at < MOST_ROWS) {
                most[at] = most[at - 1];
            }
        }
        if (at < MOST_ROWS) {
            most[at] = own;
        }
    }
    return most[MOST_ROWS - 1];
}

// In the program's order.
static hoist_status send_rows(const hoist_estimate *e, hoist_tree_sink *sink)
{
    const hoist_forecast *const forecast = &e->forecast;
    const double least = find_least(forecast);
    size_t shown = 0;
    size_t timed = 0;
    hoist_tree_list(sink, "rows");
    for (size_t i = 0; i < forecast->count && sink->status == HOIST_OK; i++) {
        const double own = hoist_time_row_seconds(&forecast->rows[i], forecast->lead);
        // Rows of equal time could be more than MOST_ROWS: the first ones count.
        const bool shows = own > 0 && own >= least && shown < MOST_ROWS;
        timed += own > 0;
        shown += shows;
        const hoist_estimate_row row = hoist_estimate_row_at(e, i);
        send_row(e, &row, own, shows ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS, sink);
    }
    send_for(sink, HOIST_TREE_FOR_ALL);
    hoist_tree_end(sink);
    send_for(sink, HOIST_TREE_FOR_PEOPLE);
    // How many more rows have a time, so that the list is not taken for all of it.
    if (timed > shown) {
        hoist_tree_uint(sink, "other rows, which take less", timed - shown, HOIST_UNIT_NONE);
    }
    send_for(sink, HOIST_TREE_FOR_ALL);
    return HOIST_OK;
}

// What has no time ----------------------------------------------------------------------------

// By name, each once: hundreds of steps may have one name.
static hoist_status count_untimed(const hoist_estimate *e, hoist_time_tally *tally)
{
    const hoist_forecast *const forecast = &e->forecast;
    for (size_t i = 0; i < forecast->count; i++) {
        const hoist_time_row *const row = &forecast->rows[i];
        if (row->untimed) {
            HOIST_TRY(hoist_time_tally_add(tally, row->name, 0, row->untimed, 0));
        }
    }
    for (uint32_t i = 0; i < e->program->left_out_count; i++) { // known to lowering alone
        HOIST_TRY(hoist_time_tally_add(tally, e->program->left_out[i], 0, 0, 0));
    }
    return HOIST_OK;
}

// One line for people: how many there are, and some of their names (report by base/name_list).
static hoist_status send_names(const hoist_estimate *e, const hoist_time_tally *tally,
                               hoist_tree_sink *sink)
{
    hoist_name_list list;
    hoist_name_list_init(&list, e->job->alloc);
    for (size_t i = 0; i < tally->count; i++) {
        hoist_name_list_add(&list, tally->rows[i].name);
    }
    const char *const text = hoist_name_list_text(&list);
    const bool complete = !list.text.failed;
    send_for(sink, HOIST_TREE_FOR_PEOPLE);
    if (complete) {
        hoist_tree_c(
            sink, hoist_estimate_has_host(e) ? "host operators, without a time" : "without a time",
            text);
    }
    send_for(sink, HOIST_TREE_FOR_ALL);
    hoist_name_list_deinit(&list);
    return complete ? HOIST_OK : HOIST_NO_MEMORY;
}

// Names of steps without a time: people get one line, programs a list, which may be empty.
static hoist_status send_untimed(const hoist_estimate *e, hoist_tree_sink *sink)
{
    hoist_time_tally tally;
    hoist_time_tally_init(&tally, e->job->alloc);
    hoist_status status = count_untimed(e, &tally);
    if (status == HOIST_OK && tally.count) {
        status = send_names(e, &tally, sink);
    }
    send_for(sink, HOIST_TREE_FOR_PROGRAMS);
    hoist_tree_list(sink, "untimed");
    for (size_t i = 0; i < tally.count && status == HOIST_OK; i++) {
        hoist_tree_map(sink, "");
        hoist_tree_str(sink, "name", tally.rows[i].name);
        hoist_tree_uint(sink, "steps", tally.rows[i].steps, HOIST_UNIT_NONE);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    send_for(sink, HOIST_TREE_FOR_ALL);
    hoist_time_tally_deinit(&tally);
    return status;
}

// Assumptions ---------------------------------------------------------------------------------

// True for a rate of a device of the job by which some step has its time: only those are
// assumptions of this estimate.
static bool is_used(const hoist_estimate *e, const hoist_rate *rate)
{
    static const hoist_bound bounds[HOIST_RATE_KIND_COUNT] = {
        [HOIST_RATE_REQUEST] = HOIST_BOUND_REQUEST,    [HOIST_RATE_LINK] = HOIST_BOUND_TRANSFER,
        [HOIST_RATE_STREAM] = HOIST_BOUND_PARAMETERS,  [HOIST_RATE_CLOCK] = HOIST_BOUND_COMPUTE,
        [HOIST_RATE_OPERATIONS] = HOIST_BOUND_COMPUTE, [HOIST_RATE_NETWORK] = HOIST_BOUND_NETWORK,
        [HOIST_RATE_MEMORY] = HOIST_BOUND_MEMORY,      [HOIST_RATE_QUEUE] = HOIST_BOUND_TRANSFER,
    };
    const hoist_forecast *const forecast = &e->forecast;
    const hoist_str devices[] = {
        // the job's, and that of its works
        e->model.device, e->program->work_count ? e->program->works[0].device : e->model.device};
    bool found = false;
    for (size_t i = 0; i < HOIST_COUNT_OF(devices) && !found; i++) {
        found = hoist_cost_rate(&e->model, devices[i], rate->kind) == rate;
    }
    // A CPU's times are the longer of two; a value that the caller gave takes the place of a row.
    const double given = rate->kind == HOIST_RATE_MEMORY ? e->model.memory : e->model.operations;
    const bool on_cpu = hoist_str_equal_c(e->model.device, "cpu");
    bool used = on_cpu && given <= 0;
    found = found && (used || !on_cpu);
    for (size_t i = 0; i < forecast->count && found && !used; i++) {
        // A row of the forecast has seconds by what bound its steps.
        used = forecast->rows[i].seconds[forecast->lead][bounds[rate->kind]] > 0;
    }
    return found && used;
}

// A value with its unit, in words where events have no such unit. 0 is not known, but for requests,
// which may cost nothing.
static void send_value(hoist_tree_sink *sink, const char *key, const hoist_rate *rate, double value)
{
    static const hoist_tree_unit units[HOIST_RATE_KIND_COUNT] = {
        [HOIST_RATE_REQUEST] = HOIST_UNIT_SECONDS, [HOIST_RATE_LINK] = HOIST_UNIT_RATE,
        [HOIST_RATE_STREAM] = HOIST_UNIT_RATE,     [HOIST_RATE_CLOCK] = HOIST_UNIT_NONE,
        [HOIST_RATE_OPERATIONS] = HOIST_UNIT_NONE, [HOIST_RATE_NETWORK] = HOIST_UNIT_RATE,
        [HOIST_RATE_MEMORY] = HOIST_UNIT_RATE,     [HOIST_RATE_QUEUE] = HOIST_UNIT_RATE,
    };
    char words[40];
    const bool is_known = value > 0 || rate->kind == HOIST_RATE_REQUEST;
    const bool in_words = units[rate->kind] == HOIST_UNIT_NONE && is_known;
    send_for(sink, in_words ? HOIST_TREE_FOR_PROGRAMS : HOIST_TREE_FOR_ALL);
    hoist_tree_maybe_float(sink, key, is_known, value, units[rate->kind]);
    send_for(sink, in_words ? HOIST_TREE_FOR_PEOPLE : HOIST_TREE_FOR_ALL);
    if (in_words) {
        const bool is_clock = rate->kind == HOIST_RATE_CLOCK;
        (void)snprintf(words, sizeof words, "%g %s", is_clock ? value / 1e6 : value,
                       is_clock ? "MHz" : "/cycle");
        hoist_tree_c(sink, key, words);
    }
    send_for(sink, HOIST_TREE_FOR_ALL);
}

// Of a rate, at_best is the highest: the time is then the lowest.
static const char *const case_keys[HOIST_CASE_COUNT] = {"at_best", "typical", "at_worst"};

// One rate with its three cases and the document or measurement that it is from.
static void send_rate(hoist_tree_sink *sink, const hoist_rate *rate)
{
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "rate", hoist_rate_name(rate->kind));
    send_for(sink, HOIST_TREE_FOR_PROGRAMS);
    hoist_tree_c(sink, "device", rate->device);
    hoist_tree_maybe_c(sink, "by", rate->by);
    hoist_tree_c(sink, "unit", hoist_rate_unit(rate->kind));
    send_for(sink, HOIST_TREE_FOR_ALL);
    for (int i = 0; i < HOIST_CASE_COUNT; i++) {
        send_value(sink, case_keys[i], rate, rate->value[i]);
    }
    hoist_tree_c(sink, "source", rate->source);
    hoist_tree_end(sink);
}

// The model of ops (cost/tensix.c), which has a row for each kind: one line in place of all.
static void send_op_model(const hoist_estimate *e, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "rate", "op cycles");
    send_for(sink, HOIST_TREE_FOR_PROGRAMS);
    hoist_tree_str(sink, "device", e->program->works[0].device);
    hoist_tree_null(sink, "by");
    hoist_tree_c(sink, "unit", "cycles");
    send_for(sink, HOIST_TREE_FOR_ALL);
    for (int i = 0; i < HOIST_CASE_COUNT; i++) {
        hoist_tree_null(sink, case_keys[i]);
    }
    hoist_tree_c(sink, "source", hoist_tensix_source);
    hoist_tree_end(sink);
}

// Sentences that hold for this estimate, so that a reader knows what the numbers are.
static void send_notes(const hoist_estimate *e, hoist_tree_sink *sink)
{
    const hoist_cost_model *const model = &e->model;
    const bool on_cpu = hoist_str_equal_c(model->device, "cpu");
    const struct {
        bool holds;
        const char *text;
    } notes[] = {
        // Holds for every estimate: nothing is adjusted to a file.
        {true, "rates are the same for all files, and none is fitted; control takes no time"},
        {e->forecast.once, "a second run does not end without the host: times are of the first"},
        {e->forecast.is_bound, "only bounds are public: a run takes at least this long"},
        {hoist_estimate_has_host(e),
         "cycles are steps of the busiest tile; copies between tiles and fences are not counted"},
        {hoist_estimate_has_host(e), "copies on the host are part of the round trip"},
        {e->forecast.overlaps,
         "at best, transfers and computing take place at the same time; else one after the other"},
        {hoist_program_has_cores(e->program),
         "cycles of an op are the vendor's model; at best and at worst, nine of ten of its "
         "measurements of the kind"},
        {hoist_program_has_cores(e->program),
         "an op begins when its inputs are complete and its cores are done with the input before; "
         "memory and network are bounds, at their peak"},
        {on_cpu,
         "each step takes as long as the slower of computing and memory (roofline); kernels "
         "take longer"},
        {on_cpu && model->operations > 0, "operations per second are those that the caller gave"},
        {on_cpu && model->memory > 0, "the memory's rate is the one that the caller gave"},
    };
    hoist_tree_list(sink, "notes");
    for (size_t i = 0; i < HOIST_COUNT_OF(notes); i++) {
        if (notes[i].holds) {
            hoist_tree_map(sink, "");
            hoist_tree_c(sink, "note", notes[i].text);
            hoist_tree_end(sink);
        }
    }
    hoist_tree_end(sink);
}

// Keys of hoist.time/1; people do not see those that mean nothing for the device.
static void send_head(const hoist_estimate *e, hoist_tree_sink *sink)
{
    const bool has_link = hoist_estimate_has_host(e);
    const bool on_cpu = hoist_str_equal_c(e->model.device, "cpu");
    hoist_tree_maybe_str(sink, "device", hoist_estimate_device(e));
    send_for(sink, has_link ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS);
    hoist_tree_maybe_str(sink, "host", hoist_estimate_link(e));
    send_for(sink, on_cpu ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS);
    hoist_tree_maybe_uint(sink, "cores", on_cpu, e->model.cores, HOIST_UNIT_NONE);
    hoist_tree_maybe_c(sink, "cpu_level", on_cpu ? e->model.level : NULL);
    send_for(sink, HOIST_TREE_FOR_ALL);
}

// The order is that of the schema; people read from the answer down to what it rests on.
hoist_status hoist_estimate_send(const hoist_estimate *e, hoist_tree_sink *sink)
{
    send_head(e, sink);
    send_totals(e, sink);
    HOIST_TRY(send_untimed(e, sink));
    send_bounds(e, sink);
    send_devices(e, sink);
    send_processes(e, sink);
    HOIST_TRY(send_rows(e, sink));
    hoist_tree_list(sink, "assumptions");
    // In the order of the table of rates (cost/rates.c).
    for (size_t i = 0; hoist_rate_at(i); i++) {
        if (is_used(e, hoist_rate_at(i))) {
            send_rate(sink, hoist_rate_at(i));
        }
    }
    if (hoist_program_has_cores(e->program)) {
        send_op_model(e, sink);
    }
    hoist_tree_end(sink);
    send_notes(e, sink);
    return sink->status;
}
