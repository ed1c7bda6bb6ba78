// Rows of an estimate as events of a trace (report/trace.h). In: rows (timing.c). Out: one process,
// whose threads are those of the program and its units; where rows of one overlap, as those of ops
// with cores of their own, each name has a thread. Users: cmd_trace.c, run_trace.c.
#include "base/map.h"
#include "base/span.h"
#include "base/tree.h"
#include "load/time.h"
#include "timing.h"

typedef struct threads {
    hoist_arena arena;     // names
    hoist_map overlapping; // processes of which rows overlap
    hoist_map
        numbers; // names of threads to their numbers, from 1, in the order in which they begin
} threads;

// Processes of which a row begins before another one has ended.
// Rows come in the order of their begins, so one look at the latest end of each process finds
// any overlap.
static hoist_status find_overlapping(const hoist_estimate *e, threads *all)
{
    hoist_map known; // process to its first row
    hoist_map_init(&known, e->forecast.arena.alloc);
    hoist_status status = HOIST_OK;
    double *const ends = hoist_arena_array(&all->arena, e->forecast.count + 1, sizeof *ends);
    for (size_t i = 0; ends && i < e->forecast.count && status == HOIST_OK; i++) {
        const hoist_estimate_row row = hoist_estimate_row_at(e, i);
        size_t existing = i;
        if (!hoist_estimate_row_is_drawn(&row)) {
            continue;
        }
        status = hoist_map_add(&known, row.process, i, &existing);
        // HOIST_BUSY: the process is known, by its first row, whose index is the slot of its
        // end.
        const size_t process = status == HOIST_BUSY ? existing : i;
        if (status == HOIST_BUSY && row.begin < ends[process]) {
            status = hoist_map_add(&all->overlapping, row.process, 0, NULL);
        }
        status = status == HOIST_BUSY ? HOIST_OK : status;
        ends[process] = row.end > ends[process] ? row.end : ends[process];
    }
    hoist_map_deinit(&known);
    return ends ? status : HOIST_NO_MEMORY;
}

// The name of a row's thread; data NULL: no memory.
// A viewer nests events of one thread, so rows that overlap without nesting need threads of
// their own: one for each name.
static hoist_str thread_of(threads *all, const hoist_estimate_row *row)
{
    size_t none = 0;
    return hoist_map_find(&all->overlapping, row->process, &none)
               ? hoist_arena_format(&all->arena, "%.*s: %.*s", HOIST_STR_ARGS(row->process),
                                    HOIST_STR_ARGS(row->name))
               : row->process;
}

// `numbers`: by row, 0 of those that are not drawn. A trace gives names to numbers, not to
// events.
static hoist_status name_threads(const hoist_estimate *e, uint32_t process, threads *all,
                                 size_t *numbers, hoist_trace *trace)
{
    for (size_t i = 0; i < e->forecast.count; i++) {
        const hoist_estimate_row row = hoist_estimate_row_at(e, i);
        if (!hoist_estimate_row_is_drawn(&row)) {
            continue;
        }
        const hoist_str name = thread_of(all, &row);
        if (!name.data) {
            return HOIST_NO_MEMORY;
        }
        size_t existing = 0;
        const size_t next = all->numbers.count + 1;
        const hoist_status status = hoist_map_add(&all->numbers, name, next, &existing);
        if (status == HOIST_OK) {
            hoist_trace_name_thread(trace, process, (uint32_t)next, name);
        } else if (status != HOIST_BUSY) {
            return status;
        }
        numbers[i] = status == HOIST_OK ? next : existing;
    }
    return HOIST_OK;
}

// Seconds below 0 are unknown: best, typical and worst case each stand alone.
static void send_arguments(const hoist_estimate_row *row, hoist_trace *trace)
{
    hoist_trace_text(trace, "function", row->function);
    hoist_trace_text(trace, "device", row->device);
    hoist_trace_amount(trace, "steps", row->steps);
    hoist_trace_amount(trace, "untimed_steps", row->untimed_steps);
    hoist_trace_amount(trace, "bytes", row->bytes);
    hoist_trace_amount(trace, "operations", row->operations);
    hoist_trace_amount(trace, "cycles", row->cycles);
    for (int i = 0; i < HOIST_CASE_COUNT; i++) {
        if (row->seconds[i] >= 0) {
            hoist_tree_float(trace->sink, hoist_case_keys[i], row->seconds[i], HOIST_UNIT_SECONDS);
        }
    }
}

static hoist_trace_event event_of(const hoist_estimate_row *row, uint32_t process, size_t thread)
{
    return (hoist_trace_event){.process = process,
                               .thread = (uint32_t)thread,
                               .name = row->name,
                               // What bounds the row (compute, memory, link): the viewer colors
                               // by it.
                               .category = row->bound.data ? row->bound.data : "untimed",
                               .begin = row->begin,
                               .seconds = row->end - row->begin};
}

static hoist_status send_rows(const hoist_estimate *e, uint32_t process, threads *all,
                              hoist_trace *trace)
{
    size_t *const numbers = hoist_arena_array(&all->arena, e->forecast.count + 1, sizeof *numbers);
    if (!numbers) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(find_overlapping(e, all));
    HOIST_TRY(name_threads(e, process, all, numbers, trace));
    for (size_t i = 0; i < e->forecast.count && trace->sink->status == HOIST_OK; i++) {
        if (numbers[i]) {
            const hoist_estimate_row row = hoist_estimate_row_at(e, i);
            const hoist_trace_event event = event_of(&row, process, numbers[i]);
            hoist_trace_begin(trace, &event);
            send_arguments(&row, trace);
            hoist_trace_end(trace);
        }
    }
    return HOIST_OK;
}

hoist_status timing_send_events(const hoist_estimate *e, uint32_t process, hoist_trace *trace)
{
    threads all;
    hoist_arena_init(&all.arena, e->forecast.arena.alloc);
    hoist_map_init(&all.overlapping, e->forecast.arena.alloc);
    hoist_map_init(&all.numbers, e->forecast.arena.alloc);
    hoist_trace_name_process(trace, process, HOIST_STR("threads and units, estimated"));
    const hoist_status status = send_rows(e, process, &all, trace);
    hoist_map_deinit(&all.numbers);
    hoist_map_deinit(&all.overlapping);
    hoist_arena_deinit(&all.arena);
    return status;
}
