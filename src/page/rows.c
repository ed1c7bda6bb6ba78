// The events of an estimate (hoist_job_time()) as rows (rows.h). In: events. Out: timing_rows,
// whose texts are in their arena.
#include "page/rows.h"

#include <stddef.h>

#include "base/alloc.h"
#include "base/span.h"

const timing_field timing_fields[TIMING_FIELDS] = {
    {{"name", sizeof "name" - 1}, TIMING_TEXT, offsetof(timing_row, name)},
    {{"process", sizeof "process" - 1}, TIMING_TEXT, offsetof(timing_row, process)},
    {{"function", sizeof "function" - 1}, TIMING_TEXT, offsetof(timing_row, function)},
    {{"device", sizeof "device" - 1}, TIMING_TEXT, offsetof(timing_row, device)},
    {{"bound", sizeof "bound" - 1}, TIMING_TEXT, offsetof(timing_row, bound)},
    {{"steps", sizeof "steps" - 1}, TIMING_COUNT, offsetof(timing_row, steps)},
    {{"untimed_steps", sizeof "untimed_steps" - 1},
     TIMING_COUNT,
     offsetof(timing_row, untimed_steps)},
    {{"bytes", sizeof "bytes" - 1}, TIMING_COUNT, offsetof(timing_row, bytes)},
    {{"operations", sizeof "operations" - 1}, TIMING_COUNT, offsetof(timing_row, operations)},
    {{"cycles", sizeof "cycles" - 1}, TIMING_COUNT, offsetof(timing_row, cycles)},
    {{"end_seconds", sizeof "end_seconds" - 1}, TIMING_SECONDS, offsetof(timing_row, end)},
    {{"begin_seconds", sizeof "begin_seconds" - 1}, TIMING_SECONDS, offsetof(timing_row, begin)},
    {{"low_seconds", sizeof "low_seconds" - 1}, TIMING_SECONDS, offsetof(timing_row, low)},
    {{"typical_seconds", sizeof "typical_seconds" - 1},
     TIMING_SECONDS,
     offsetof(timing_row, typical)},
    {{"high_seconds", sizeof "high_seconds" - 1}, TIMING_SECONDS, offsetof(timing_row, high)},
};

static hoist_status keep_text(timing_rows *rows, const hoist_tree_event *event, hoist_str *out)
{
    *out = event->kind == HOIST_TREE_STR ? hoist_arena_str(&rows->arena, event->str)
                                         : (hoist_str){NULL, 0};
    return event->kind == HOIST_TREE_STR && !out->data ? HOIST_NO_MEMORY : HOIST_OK;
}

// Rows have their members in one order, so the search begins where the one before ended.
static hoist_status keep_member(timing_rows *rows, const hoist_tree_event *event)
{
    timing_row *const row = &rows->rows[rows->count - 1];
    for (size_t k = 0; k < TIMING_FIELDS; k++) {
        const size_t i = (rows->next_field + k) % TIMING_FIELDS;
        void *const at = (char *)row + timing_fields[i].offset;
        if (!hoist_str_equal(event->key, timing_fields[i].key)) {
            continue;
        }
        rows->next_field = i + 1;
        if (timing_fields[i].kind == TIMING_TEXT) {
            return keep_text(rows, event, at);
        }
        if (timing_fields[i].kind == TIMING_COUNT) {
            *(uint64_t *)at = event->uinteger;
        } else {
            *(double *)at = event->kind == HOIST_TREE_FLOAT ? event->number : -1;
        }
        return HOIST_OK;
    }
    return HOIST_OK;
}

static hoist_status begin(timing_rows *rows, const hoist_tree_event *event)
{
    if (rows->depth == 0) {
        rows->in_rows = hoist_str_equal_c(event->key, "rows");
    } else if (rows->depth == 1 && rows->in_rows) {
        if (!hoist_grow(rows->arena.alloc, (void **)&rows->rows, &rows->capacity, rows->count + 1,
                        sizeof(*rows->rows))) {
            return HOIST_NO_MEMORY;
        }
        rows->rows[rows->count++] = (timing_row){.low = -1};
    }
    rows->depth++;
    return HOIST_OK;
}

static hoist_status take(void *self, const hoist_tree_event *event)
{
    timing_rows *const rows = self;
    const bool opens = event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST;
    const bool closes = event->kind == HOIST_TREE_END;
    if (rows->skipped || event->audience == HOIST_TREE_FOR_PEOPLE) {
        rows->skipped += opens;
        rows->skipped -= closes && rows->skipped;
        return HOIST_OK;
    }
    if (opens) {
        return begin(rows, event);
    }
    if (closes) {
        rows->depth--;
        return HOIST_OK;
    }
    if (rows->depth == 2 && rows->in_rows) {
        return keep_member(rows, event);
    }
    if (rows->depth == 0 && hoist_str_equal_c(event->key, "device")) {
        return keep_text(rows, event, &rows->device);
    }
    return rows->depth == 0 && hoist_str_equal_c(event->key, "host")
               ? keep_text(rows, event, &rows->host)
               : HOIST_OK;
}

void timing_rows_init(timing_rows *rows, hoist_allocator alloc)
{
    *rows = (timing_rows){.sink = {.self = rows, .event = take}};
    hoist_arena_init(&rows->arena, alloc);
}

void timing_rows_deinit(timing_rows *rows)
{
    hoist_free(rows->arena.alloc, rows->rows, rows->capacity * sizeof(*rows->rows));
    hoist_arena_deinit(&rows->arena);
}
