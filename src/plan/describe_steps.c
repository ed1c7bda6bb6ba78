// The steps of a program as its plan has them (describer.h): functions and threads with what their
// calls take, groups with their blocks, and all steps in order. Input: groups.c and calls.c. Keys
// of the document are those of docs/man; nothing is decided here.
#include <stdio.h>

#include "base/alloc.h"
#include "plan/describer.h"
#include "program/fields.h"

// Codes -------------------------------------------------------------------------------------------

// Codes are numbered: functions first, then threads.
static bool is_function(const hoist_describer *d, uint32_t number)
{
    return number < d->program->function_count;
}

// Bytes of buffers of calls that live at each step, as differences: a code begins where the one
// before it ends. The buffers of all calls of a function, and the most that live at a step of it.
typedef struct liveness {
    uint64_t all;
    uint64_t most;
} liveness;

// A running sum: steps that begin a life add, those that end one subtract after it.
static liveness live_in(const hoist_describer *d, uint32_t function, const uint64_t *begins,
                        const uint64_t *ends)
{
    liveness l = {0, 0};
    uint64_t live = 0;
    for (uint32_t i = 0; i < d->program->functions[function].code.step_count; i++) {
        live += begins[i];
        l.all += begins[i];
        l.most = live > l.most ? live : l.most;
        live -= ends[i];
    }
    return l;
}

// One pass over buffers for all functions, as differences.
static void note_lives(const hoist_describer *d, const uint64_t *first_of, uint64_t *begins,
                       uint64_t *ends)
{
    for (uint32_t i = 0; i < d->program->buffer_count; i++) {
        const hoist_call_life *life = &d->calls.life[i];
        if (life->function != HOIST_NO_REF) {
            const uint64_t size = d->program->buffers[i].size;
            begins[first_of[life->function] + life->first] += size;
            ends[first_of[life->function] + life->last] += size;
        }
    }
}

// Threads have no memory of calls: those keys are null there.
static void send_code(const hoist_describer *d, uint32_t number, const liveness *live)
{
    const bool called = is_function(d, number);
    size_t groups = 0;
    for (size_t i = 0; i < d->groups.count; i++) {
        groups += d->groups.groups[i].code == number;
    }
    hoist_tree_map(d->sink, "");
    hoist_tree_str(d->sink, "code", hoist_prog_code_name(d->program, number));
    hoist_tree_c(d->sink, "kind", called ? "function" : "thread");
    hoist_tree_maybe_uint(d->sink, "rank", !called,
                          called ? 0
                                 : d->program->threads[number - d->program->function_count].home,
                          HOIST_UNIT_NONE);
    hoist_describe_count(d, "steps", hoist_prog_code_at(d->program, number)->step_count);
    hoist_describe_count(d, "groups", groups);
    hoist_tree_maybe_uint(d->sink, "buffers_bytes", called, live->all, HOIST_UNIT_BYTES);
    hoist_tree_maybe_uint(d->sink, "live_bytes", called, live->most, HOIST_UNIT_BYTES);
    hoist_tree_maybe_uint(d->sink, "call_bytes", called, called ? d->calls.bytes[number] : 0,
                          HOIST_UNIT_BYTES);
    hoist_tree_maybe_uint(d->sink, "with_calls_bytes", called,
                          called ? d->calls.with_all[number] : 0, HOIST_UNIT_BYTES);
    hoist_tree_end(d->sink);
}

static void send_all_codes(const hoist_describer *d, uint64_t *first_of, uint64_t *begins,
                           uint64_t *ends)
{
    static const liveness none; // of threads
    uint64_t at = 0;
    for (uint32_t i = 0; i < d->program->function_count; i++) {
        // All codes share two arrays; each function's part begins where the one before ends.
        first_of[i] = at;
        at += d->program->functions[i].code.step_count;
    }
    note_lives(d, first_of, begins, ends);
    hoist_tree_list(d->sink, "codes");
    for (uint32_t i = 0; i < hoist_prog_code_count(d->program); i++) {
        const bool called = is_function(d, i);
        const liveness live =
            called ? live_in(d, i, &begins[first_of[i]], &ends[first_of[i]]) : none;
        send_code(d, i, &live);
    }
    hoist_tree_end(d->sink);
}

// Temporary arrays as long as all functions together.
static hoist_status send_codes(const hoist_describer *d)
{
    size_t steps = 1;
    for (uint32_t i = 0; i < d->program->function_count; i++) {
        steps += d->program->functions[i].code.step_count; // in memory
    }
    const size_t functions = (size_t)d->program->function_count + 1;
    uint64_t *first_of = hoist_alloc_zero(d->alloc, functions, sizeof *first_of);
    uint64_t *begins = hoist_alloc_zero(d->alloc, steps, sizeof *begins);
    uint64_t *ends = hoist_alloc_zero(d->alloc, steps, sizeof *ends);
    const bool complete = first_of && begins && ends;
    if (complete) {
        send_all_codes(d, first_of, begins, ends);
    }
    hoist_free(d->alloc, first_of, functions * sizeof *first_of);
    hoist_free(d->alloc, begins, steps * sizeof *begins);
    hoist_free(d->alloc, ends, steps * sizeof *ends);
    return complete ? HOIST_OK : HOIST_NO_MEMORY;
}

// Groups and order --------------------------------------------------------------------------------

// "ark.add" of a compute step, of others the keyword of the text form.
static void send_row(const hoist_describer *d, const char *key, const hoist_prog_step *step)
{
    if (step->kind != HOIST_STEP_COMPUTE) {
        hoist_tree_c(d->sink, key, hoist_step_record(step->kind)->keyword);
        return;
    }
    const hoist_compute_def *def = hoist_compute_get(step->as.compute->op);
    char name[64];
    (void)snprintf(name, sizeof name, "%s.%s", hoist_profile_name(def->profile), def->name);
    hoist_tree_c(d->sink, key, name);
}

// Extents stay on one line of text.
static void send_extents(const hoist_describer *d, const char *key, const uint64_t *extents,
                         int count)
{
    hoist_tree_short_list(d->sink, key);
    for (int i = 0; i < count; i++) {
        hoist_describe_count(d, "", extents[i]);
    }
    hoist_tree_end(d->sink);
}

static void send_group(const hoist_describer *d, size_t index)
{
    const hoist_group *g = &d->groups.groups[index];
    hoist_tree_map(d->sink, "");
    hoist_describe_count(d, "group", index);
    hoist_tree_str(d->sink, "code", hoist_prog_code_name(d->program, g->code));
    hoist_describe_count(d, "first_step", g->first);
    hoist_tree_short_list(d->sink, "rows");
    for (uint32_t i = 0; i < g->count; i++) {
        send_row(d, "", &g->steps[i]);
    }
    hoist_tree_end(d->sink);
    send_extents(d, "parts", g->extent, g->lead);
    send_extents(d, "parts_of_a_block", g->most, g->lead);
    hoist_describe_count(d, "blocks", g->blocks);
    hoist_tree_short_list(d->sink, "never_stored");
    for (uint32_t i = 0; i < g->local_count; i++) {
        const hoist_ref buffer = d->groups.locals[g->local_first + i].buffer;
        hoist_tree_str(d->sink, "", d->program->buffers[buffer].name);
    }
    hoist_tree_end(d->sink);
    hoist_describe_bytes(d, "block_bytes", g->scratch);
    hoist_tree_end(d->sink);
}

static void send_groups(const hoist_describer *d)
{
    hoist_tree_list(d->sink, "groups");
    for (size_t i = 0; i < d->groups.count; i++) {
        send_group(d, i);
    }
    hoist_tree_end(d->sink);
}

// The steps of a code in the order in which it is done; steps of a group are marked with its
// number. `*group` is the first group that may still come.
static void send_steps(const hoist_describer *d, uint32_t number, size_t *group)
{
    const hoist_prog_code *code = hoist_prog_code_at(d->program, number);
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_prog_step *step = &code->steps[i];
        const hoist_group *g = NULL;
        for (; *group < d->groups.count; (*group)++) {
            g = &d->groups.groups[*group];
            if (g->code != number || i < g->first + g->count) {
                break;
            }
        }
        // Inside: between the first and the last step of the group at hand.
        const bool inside = *group < d->groups.count && g->code == number && i >= g->first;
        hoist_tree_map(d->sink, "");
        hoist_tree_str(d->sink, "code", hoist_prog_code_name(d->program, number));
        hoist_describe_count(d, "step", i);
        hoist_tree_maybe_str(d->sink, "label",
                             step->label.size ? step->label : (hoist_str){NULL, 0});
        send_row(d, "row", step);
        hoist_tree_maybe_uint(d->sink, "group", inside, *group, HOIST_UNIT_NONE);
        hoist_tree_end(d->sink);
    }
}

// Groups of a code that lie behind its last step are passed over, so that the next code finds its
// own.
static void send_order(const hoist_describer *d)
{
    size_t group = 0;
    hoist_tree_list(d->sink, "order");
    for (uint32_t i = 0; i < hoist_prog_code_count(d->program); i++) {
        send_steps(d, i, &group);
        while (group < d->groups.count && d->groups.groups[group].code == i) {
            group++;
        }
    }
    hoist_tree_end(d->sink);
}

hoist_status hoist_describe_steps(const hoist_describer *d)
{
    HOIST_TRY(send_codes(d));
    send_groups(d);
    send_order(d);
    return HOIST_OK;
}
