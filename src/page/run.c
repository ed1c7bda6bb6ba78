// The estimated run of a file, in a page. In: rows of an estimate (load/time.h). Out: the document
// "run" (docs/json.md, hoist.view/1): what events are, each kind once, and of each event its kind,
// when it begins and how long it takes, all as integers, of which a run may have a million; and the
// plan of its memory.
#include "page/run.h"

#include <stddef.h>

#include "hoist/load.h"
#include "hoist/program.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/span.h"
#include "base/tree.h"
#include "load/time.h"

// A second has so many ticks, as long as runs are shorter than a quarter of an hour.
static const double FINE = 1e12;
static const double COARSE = 1e9;
static const double FINE_SECONDS = 1000;

enum { MOST_PLANNED = 20000 }; // rows of a run whose memory can be looked at step by step

// The members of a row that a kind of event has: keys of hoist.time/1.
typedef enum run_value { RUN_TEXT, RUN_COUNT, RUN_SECONDS } run_value;

typedef struct run_field {
    const char *key;
    run_value value;
    size_t offset; // in hoist_estimate_row
} run_field;

static const run_field fields[] = {
    {"name", RUN_TEXT, offsetof(hoist_estimate_row, name)},
    {"process", RUN_TEXT, offsetof(hoist_estimate_row, process)},
    {"function", RUN_TEXT, offsetof(hoist_estimate_row, function)},
    {"device", RUN_TEXT, offsetof(hoist_estimate_row, device)},
    {"bound", RUN_TEXT, offsetof(hoist_estimate_row, bound)},
    {"steps", RUN_COUNT, offsetof(hoist_estimate_row, steps)},
    {"untimed_steps", RUN_COUNT, offsetof(hoist_estimate_row, untimed_steps)},
    {"bytes", RUN_COUNT, offsetof(hoist_estimate_row, bytes)},
    {"operations", RUN_COUNT, offsetof(hoist_estimate_row, operations)},
    {"cycles", RUN_COUNT, offsetof(hoist_estimate_row, cycles)},
    {"low_seconds", RUN_SECONDS, offsetof(hoist_estimate_row, seconds[HOIST_CASE_LOW])},
    {"typical_seconds", RUN_SECONDS, offsetof(hoist_estimate_row, seconds[HOIST_CASE_TYPICAL])},
    {"high_seconds", RUN_SECONDS, offsetof(hoist_estimate_row, seconds[HOIST_CASE_HIGH])},
};
enum { FIELDS = HOIST_COUNT_OF(fields) };

typedef struct run_event {
    size_t kind;
    int64_t begin, length; // ticks
} run_event;

// Texts of rows by number, from 1; 0 is none.
typedef struct run_words {
    hoist_map numbers;
    hoist_str *items; // owned
    size_t count;
    size_t capacity;
    size_t last[FIELDS]; // number that each field had last
} run_words;

typedef struct run {
    hoist_arena arena;
    double ticks; // of a second
    run_words words;
    hoist_map kinds;   // by their values
    int64_t **values;  // owned; arena: of each kind, a value for each field
    run_event *events; // owned; those of `rows` that are shown
    size_t kind_capacity, event_count, event_capacity;
} run;

// Chooses the tick by the length of the run, and begins with empty tables.
static void init(run *r, const hoist_forecast *forecast, hoist_allocator alloc)
{
    double end = 0;
    for (size_t i = 0; i < forecast->count; i++) {
        end = forecast->rows[i].end > end ? forecast->rows[i].end : end;
    }
    *r = (run){.ticks = end < FINE_SECONDS ? FINE : COARSE};
    hoist_arena_init(&r->arena, alloc);
    hoist_map_init(&r->words.numbers, alloc);
    hoist_map_init(&r->kinds, alloc);
}

static void deinit(run *r)
{
    const hoist_allocator alloc = r->arena.alloc;
    hoist_free(alloc, r->words.items, r->words.capacity * sizeof(*r->words.items));
    hoist_free(alloc, r->values, r->kind_capacity * sizeof(*r->values));
    hoist_free(alloc, r->events, r->event_capacity * sizeof(*r->events));
    hoist_map_deinit(&r->words.numbers);
    hoist_map_deinit(&r->kinds);
    hoist_arena_deinit(&r->arena);
}

// Times that no integer holds have none: -1.
static int64_t ticks_of(const run *r, double seconds)
{
    const double ticks = seconds * r->ticks + 0.5;
    return ticks >= 0 && ticks < 9e15 ? (int64_t)ticks : -1;
}

// The number of a text, a new one when it comes for the first time.
static hoist_status number_of(run *r, hoist_str text, int64_t *out_number)
{
    run_words *const words = &r->words;
    const size_t next = words->count + 1;
    size_t there = 0;
    const hoist_status status = hoist_map_add(&words->numbers, text, next, &there);
    if (status != HOIST_OK) {
        *out_number = (int64_t)there;
        return status == HOIST_BUSY ? HOIST_OK : status;
    }
    *out_number = (int64_t)next;
    if (!hoist_grow(r->arena.alloc, (void **)&words->items, &words->capacity, next,
                    sizeof(*words->items))) {
        return HOIST_NO_MEMORY;
    }
    words->items[words->count++] = text;
    return HOIST_OK;
}

// Of a text of field `i`. Most rows have the text of the one before, in the same place.
static hoist_status number_text(run *r, size_t i, hoist_str text, int64_t *out_number)
{
    const size_t last = r->words.last[i];
    if (!text.data) {
        *out_number = 0;
        return HOIST_OK;
    }
    // The same address and length: no map is needed to know that it is the same text.
    if (last && r->words.items[last - 1].data == text.data &&
        r->words.items[last - 1].size == text.size) {
        *out_number = (int64_t)last;
        return HOIST_OK;
    }
    HOIST_TRY(number_of(r, text, out_number));
    r->words.last[i] = (size_t)*out_number;
    return HOIST_OK;
}

// The values of a row in the order of `fields`; their bytes are the key of its kind.
static hoist_status read_values(run *r, const hoist_estimate_row *row, int64_t values[FIELDS])
{
    for (size_t i = 0; i < FIELDS; i++) {
        const void *const at = (const char *)row + fields[i].offset;
        if (fields[i].value == RUN_TEXT) {
            HOIST_TRY(number_text(r, i, *(const hoist_str *)at, &values[i]));
        } else if (fields[i].value == RUN_COUNT) {
            const uint64_t count = *(const uint64_t *)at;
            // JSON of a page has signed numbers.
            values[i] = count < INT64_MAX ? (int64_t)count : INT64_MAX;
        } else {
            values[i] = ticks_of(r, *(const double *)at);
        }
    }
    return HOIST_OK;
}

// The number of the kind that has these values, which is kept when it is new.
static hoist_status find_kind(run *r, const hoist_estimate_row *row, size_t *out_kind)
{
    int64_t values[FIELDS];
    HOIST_TRY(read_values(r, row, values));
    const hoist_str key = {(const char *)values, sizeof values};
    if (hoist_map_find(&r->kinds, key, out_kind)) {
        return HOIST_OK;
    }
    const size_t number = r->kinds.count;
    const hoist_str kept = hoist_arena_str(&r->arena, key);
    if (!kept.data || !hoist_grow(r->arena.alloc, (void **)&r->values, &r->kind_capacity,
                                  number + 1, sizeof(*r->values))) {
        return HOIST_NO_MEMORY;
    }
    r->values[number] = hoist_arena_array(&r->arena, FIELDS, sizeof(int64_t));
    if (!r->values[number]) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < FIELDS; i++) {
        r->values[number][i] = values[i];
    }
    *out_kind = number;
    return hoist_map_add(&r->kinds, kept, number, NULL);
}

// Takes the rows that are drawn as events, in the order of the estimate.
static hoist_status read_rows(run *r, const hoist_estimate *e)
{
    for (size_t i = 0; i < e->forecast.count; i++) {
        const hoist_estimate_row row = hoist_estimate_row_at(e, i);
        if (!hoist_estimate_row_is_drawn(&row)) {
            continue;
        }
        if (!hoist_grow(r->arena.alloc, (void **)&r->events, &r->event_capacity, r->event_count + 1,
                        sizeof(*r->events))) {
            return HOIST_NO_MEMORY;
        }
        run_event *const event = &r->events[r->event_count++];
        event->begin = ticks_of(r, row.begin);
        // Both ends are rounded alike, so that what follows without a gap has none here, too.
        event->length = ticks_of(r, row.end) - event->begin;
        HOIST_TRY(find_kind(r, &row, &event->kind));
    }
    return HOIST_OK;
}

// Events ----------------------------------------------------------------------------------------

// The texts, then a list for each field that has its value of all kinds.
static void send_kinds(const run *r, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "words");
    for (size_t i = 0; i < r->words.count; i++) {
        hoist_tree_str(sink, "", r->words.items[i]);
    }
    hoist_tree_end(sink);
    hoist_tree_map(sink, "kinds");
    for (size_t i = 0; i < FIELDS; i++) {
        hoist_tree_short_list(sink, fields[i].key);
        for (size_t k = 0; k < r->kinds.count; k++) {
            hoist_tree_int(sink, "", r->values[k][i]);
        }
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

// Kind, ticks since the event before has begun, and length: short numbers.
static void send_events(const run *r, hoist_tree_sink *sink)
{
    int64_t before = 0;
    hoist_tree_short_list(sink, "events");
    for (size_t i = 0; i < r->event_count; i++) {
        const run_event *const event = &r->events[i];
        hoist_tree_int(sink, "", (int64_t)event->kind);
        hoist_tree_int(sink, "", event->begin - before);
        hoist_tree_int(sink, "", event->length);
        before = event->begin;
    }
    hoist_tree_end(sink);
}

// The members of a run; nothing is sent until all rows are read.
static hoist_status send_run(const hoist_estimate *e, hoist_page *page)
{
    hoist_tree_sink *const sink = &page->sink;
    run r;
    init(&r, &e->forecast, page->alloc);
    const hoist_status status = read_rows(&r, e);
    if (status == HOIST_OK) {
        hoist_tree_maybe_str(sink, "device", hoist_estimate_device(e));
        hoist_tree_maybe_str(sink, "host", hoist_estimate_link(e));
        hoist_tree_float(sink, "ticks_per_second", r.ticks, HOIST_UNIT_NONE);
        send_kinds(&r, sink);
        send_events(&r, sink);
    }
    deinit(&r);
    return status;
}

// The messages about a file that has no estimate.
static void send_reasons(const hoist_diag *diag, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "why_not");
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        if (hoist_diag_at(diag, i)->severity == HOIST_ERROR) {
            hoist_tree_str(sink, "", hoist_diag_at(diag, i)->message);
        }
    }
    hoist_tree_end(sink);
}

// A file without an estimate has a page all the same; time and memory that run out end it.
static bool is_refused(hoist_status status, hoist_deadline *deadline)
{
    return status != HOIST_OK && status != HOIST_NO_MEMORY && status != HOIST_CANCELLED &&
           hoist_deadline_look(deadline) == HOIST_OK;
}

// Names of the views that a run reads where nobody asks for others.
static const char **list_reads(const hoist_program *program, hoist_arena *arena, size_t *out_count)
{
    const size_t ports = hoist_program_port_count(program);
    const char **const names = hoist_arena_array(arena, ports + 1, sizeof(*names));
    *out_count = 0;
    for (size_t i = 0; names && i < ports; i++) {
        const hoist_port port = hoist_program_port(program, i);
        if (port.is_view && port.result) {
            // The plan takes C strings.
            names[(*out_count)++] = hoist_arena_str(arena, port.name).data;
        }
    }
    return arena->failed ? NULL : names;
}

// Sends the plan's own members into the map that is open.
static hoist_status plan(const hoist_program *program, hoist_page *page, hoist_diag *diag)
{
    hoist_arena arena;
    hoist_arena_init(&arena, page->alloc);
    hoist_program_plan_options options = {
        .struct_size = sizeof options, .alloc = page->alloc, .deadline = page->deadline};
    options.reads = list_reads(program, &arena, &options.read_count);
    const hoist_status status =
        options.reads ? hoist_program_plan(program, &options, diag, &page->sink) : HOIST_NO_MEMORY;
    hoist_arena_deinit(&arena);
    return status;
}

// The plan as `hoist dump --plan` has it; no members where the program has none.
static hoist_status send_plan(hoist_job *job, hoist_page *page, hoist_diag *diag)
{
    hoist_program *program = NULL;
    hoist_status status = hoist_job_lower(job, NULL, diag, &program);
    hoist_tree_map(&page->sink, "plan");
    // The map is there in any case, empty where the file has no program.
    status = status == HOIST_OK ? plan(program, page, diag) : status;
    hoist_tree_end(&page->sink);
    hoist_program_destroy(program);
    return is_refused(status, page->deadline) ? HOIST_OK : status;
}

// Sends the run of a file that has one, and of one that is not too long its memory.
static hoist_status estimate(hoist_job *job, hoist_page *page, hoist_diag *diag)
{
    const hoist_time_options options = {.struct_size = sizeof options};
    hoist_estimate e;
    hoist_status status = hoist_job_estimate(job, &options, diag, &e);
    if (status == HOIST_OK) {
        status = send_run(&e, page);
        if (status == HOIST_OK && e.forecast.count <= MOST_PLANNED) {
            status = send_plan(job, page, diag);
        }
    } else if (is_refused(status, page->deadline)) {
        status = HOIST_OK;
        send_reasons(diag, &page->sink);
    }
    hoist_estimate_end(&e);
    return hoist_diag_incomplete(diag) ? HOIST_NO_MEMORY : status;
}

hoist_status page_run_send(hoist_job *job, hoist_page *page)
{
    hoist_diag *diag = NULL;
    HOIST_TRY(hoist_diag_create(page->alloc, NULL, &diag));
    hoist_tree_map(&page->sink, "");
    const hoist_status status = estimate(job, page, diag);
    hoist_tree_end(&page->sink);
    hoist_diag_destroy(diag);
    return status;
}
