// Rule 32: `virtual` variables are slices of a scratchpad, one for each area of memory (neff
// reference 4.1). They overlap on purpose: values that are not needed at the same time share
// memory, as registers do. In go the variables, out come findings and one note per area;
// scratchpads.c finds the same areas for `info`.
#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/neff/check_memory.h"

typedef struct slice {
    int32_t fabric;
    hoist_str buffer; // backing_buf
    int64_t start;
    int64_t end;
    bool shares; // bytes with another
} slice;

// The slice of a variable; false when it has none, which is reported here or was by reading.
static bool check_slice(neff_def_check *d, const neff_var *var, slice *out_slice)
{
    const neff_rule rule = var->size > 0 ? NEFF_032a : NEFF_032b; // empty slices do no harm
    const hoist_loc loc = neff_def_at(d, var->at, "backing_variable_off");
    *out_slice = (slice){var->fabric, var->backing_buf, var->backing_variable_off, 0, false};
    if (!neff_def_there(d, var->at, "backing_variable_off")) {
        neff_report(d->c->diag, rule, loc, "a virtual variable without 'backing_variable_off'");
        return false;
    }
    if (!neff_has(&neff_var_table, var->present, "backing_variable_off") || var->size < 0) {
        return false;
    }
    if (var->backing_variable_off < 0) {
        neff_report(d->c->diag, rule, loc,
                    "'backing_variable_off' is %" PRId64 ", expected 0 or more bytes",
                    var->backing_variable_off);
        return false;
    }
    // Both are 0 or more here.
    if (__builtin_add_overflow(var->backing_variable_off, var->size, &out_slice->end)) {
        neff_report(d->c->diag, rule, loc,
                    "'backing_variable_off' is %" PRId64 ", with 'size' %" PRId64
                    " the slice ends beyond 63 bits",
                    var->backing_variable_off, var->size);
        return false;
    }
    return var->fabric >= 0; // an unknown area is rule 30's
}

// Slices can share bytes only when both fabric_path and backing_buf agree.
static int compare_areas(const slice *a, const slice *b)
{
    const int fabrics = hoist_order_i64(a->fabric, b->fabric);
    return fabrics ? fabrics : hoist_str_compare(a->buffer, b->buffer);
}

static int compare_slices(const void *left, const void *right)
{
    const slice *const a = left;
    const slice *const b = right;
    const int areas = compare_areas(a, b);
    const int starts = areas ? areas : hoist_order_i64(a->start, b->start);
    return starts ? starts : hoist_order_i64(a->end, b->end);
}

// Marks the slices that share bytes with another; gives how many there are and, in `*out_extent`,
// where the last one ends. The slices are those of one area, sorted by start and end. Two sweeps,
// one each way: forwards a slice meets the furthest end before it, backwards the nearest start
// after it.
static uint32_t mark_shared(slice *slices, uint32_t count, int64_t *out_extent)
{
    int64_t end = 0; // of those before
    for (uint32_t i = 0; i < count; i++) {
        slices[i].shares = slices[i].start < end && slices[i].end > slices[i].start;
        end = slices[i].end > end ? slices[i].end : end;
    }
    *out_extent = end;
    uint32_t shared = 0;
    int64_t next = INT64_MAX; // start of the one after; what overlaps any later one overlaps it
    for (uint32_t i = count; i > 0; i--) {
        slice *const s = &slices[i - 1];
        if (s->end > s->start) { // an empty slice shares nothing
            s->shares = s->shares || next < s->end;
            next = s->start;
        }
        shared += s->shares;
    }
    return shared;
}

// The note of rule 32c: no fault, but what a memory planner asks for.
static void report_area(neff_def_check *d, slice *slices, uint32_t count)
{
    int64_t extent = 0;
    const uint32_t shared = mark_shared(slices, count, &extent);
    const bool main_area = slices[0].fabric == NEFF_FABRIC_MAIN;
    neff_report(d->c->diag, NEFF_032c, neff_def_loc(d, "var"),
                "the scratchpad of area '%s%s%.*s' has %" PRId64 " %s: %" PRIu32
                " %s, of which %" PRIu32 " %s bytes with others",
                main_area ? "main" : "alt", slices[0].buffer.size ? "/" : "",
                HOIST_STR_ARGS(slices[0].buffer), extent,
                hoist_plural((uint64_t)extent, "byte", "bytes"), count,
                hoist_plural(count, "virtual variable", "virtual variables"), shared,
                hoist_plural(shared, "shares", "share"));
}

hoist_status neff_check_scratchpad(neff_def_check *d)
{
    const neff_subgraph *const s = d->subgraph;
    uint32_t count = 0;
    slice *const slices = hoist_arena_array(&d->c->arena, s->var_count, sizeof(*slices));
    HOIST_TRY_MEMORY(slices);
    for (uint32_t i = 0; i < s->var_count; i++) {
        if (s->vars[i].type == NEFF_VAR_VIRTUAL) {
            neff_def_path path;
            neff_def_push(d, &path, "var", s->vars[i].name);
            count += check_slice(d, &s->vars[i], &slices[count]);
            neff_def_pop(d, &path);
        }
    }
    qsort(slices, count, sizeof(*slices), compare_slices);
    // Runs of equal areas, which sorting has put together.
    for (uint32_t first = 0; first < count;) {
        uint32_t end = first + 1;
        while (end < count && compare_areas(&slices[first], &slices[end]) == 0) {
            end++;
        }
        report_area(d, &slices[first], end - first);
        first = end;
    }
    return HOIST_OK;
}
