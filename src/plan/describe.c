// The plan by which a session executes a program, as tree events (hoist_program_plan): groups,
// order, places of buffers and queues, and memory. All of it is what groups.c, locals.c, calls.c,
// pages.c and lanes.c decide for sessions, too; nothing is decided here. describe_steps.c and
// describe_memory.c send it.
#include "base/alloc.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "plan/describer.h"
#include "program/run_rules.h"
#include "program/verify.h"

// All ---------------------------------------------------------------------------------------------

// Inverts the lists of locals: from groups' buffers to each buffer's group.
static void note_locals(hoist_describer *d)
{
    for (uint32_t i = 0; i < d->program->buffer_count; i++) {
        d->group_of[i] = HOIST_NO_REF;
        d->local_of[i] = HOIST_NO_REF;
    }
    for (size_t i = 0; i < d->groups.count; i++) {
        const hoist_group *g = &d->groups.groups[i];
        for (uint32_t k = g->local_first; k < g->local_first + g->local_count; k++) {
            d->group_of[d->groups.locals[k].buffer] = (uint32_t)i;
            d->local_of[d->groups.locals[k].buffer] = k;
        }
    }
}

// Every part of every fifo, by the buffer with memory of its own.
static void note_queues(hoist_describer *d)
{
    for (uint32_t i = 0; i < d->program->fifo_count; i++) {
        const hoist_prog_fifo *row = &d->program->fifos[i];
        for (uint32_t k = 0; k < row->part_count; k++) {
            d->is_queue[hoist_prog_root(d->program, row->parts[k], NULL)] = true;
        }
    }
}

// Memory comes first: it is all that `--memory` asks for.
static hoist_status send(hoist_describer *d, bool memory_only)
{
    note_locals(d);
    note_queues(d);
    HOIST_TRY(hoist_describe_memory(d));
    if (!memory_only) {
        HOIST_TRY(hoist_describe_steps(d));
        hoist_describe_places(d);
    }
    return d->sink->status;
}

// In the order of dependence: calls need groups, pages need both, lanes need calls.
static hoist_status plan_memory(hoist_describer *d, hoist_diag *diag, hoist_deadline *deadline)
{
    HOIST_TRY(hoist_call_plan_build(d->program, &d->groups, d->alloc, &d->calls));
    const hoist_page_plan_options pages = {.alloc = d->alloc,
                                           .is_read = d->is_read,
                                           .groups = &d->groups,
                                           .home = HOIST_NO_REF,
                                           .deadline = deadline};
    const hoist_status status = hoist_page_plan_build(d->program, &pages, &d->pages);
    const hoist_page_refusal *refused = &d->pages.refused;
    // The refusal is a session's: reported under the rule that `run` would report.
    if (status == HOIST_UNSUPPORTED) {
        hoist_report(diag, hoist_runtime_rule_row(HOIST_RUNTIME_STEP), refused->loc, "'%.*s': %s",
                     HOIST_STR_ARGS(refused->name), refused->why);
    }
    HOIST_TRY(status);
    return hoist_lane_plan_build(d->program, &d->calls, d->alloc, &d->lanes);
}

// Without fusion the plan of groups stays empty, and all else follows from that.
static hoist_status plan_and_send(hoist_describer *d, const hoist_program_plan_options *options,
                                  hoist_diag *diag)
{
    const size_t rows = (size_t)d->program->buffer_count + 1;
    const hoist_group_options groups = {
        .alloc = d->alloc, .is_read = d->is_read, .deadline = options->deadline};
    d->group_of = hoist_alloc_zero(d->alloc, rows, sizeof *d->group_of);
    d->local_of = hoist_alloc_zero(d->alloc, rows, sizeof *d->local_of);
    d->is_queue = hoist_alloc_zero(d->alloc, rows, sizeof *d->is_queue);
    if (!d->group_of || !d->local_of || !d->is_queue) {
        return HOIST_NO_MEMORY;
    }
    if (!options->no_fusion) {
        HOIST_TRY(hoist_group_plan_build(d->program, &groups, &d->groups));
    }
    HOIST_TRY(plan_memory(d, diag, options->deadline));
    return send(d, options->memory_only);
}

// Also after a failure at any point: parts that were not built are empty.
static void deinit(hoist_describer *d)
{
    const size_t rows = (size_t)d->program->buffer_count + 1;
    hoist_free(d->alloc, d->group_of, rows * sizeof *d->group_of);
    hoist_free(d->alloc, d->local_of, rows * sizeof *d->local_of);
    hoist_free(d->alloc, d->is_queue, rows * sizeof *d->is_queue);
    hoist_free(d->alloc, d->is_read, ((size_t)d->program->port_count + 1) * sizeof *d->is_read);
    hoist_group_plan_deinit(&d->groups);
    if (d->calls.offset) {
        hoist_call_plan_deinit(&d->calls);
    }
    hoist_page_plan_deinit(&d->pages);
    hoist_lane_plan_deinit(&d->lanes);
}

hoist_status hoist_program_plan(const hoist_program *program,
                                const hoist_program_plan_options *options, hoist_diag *diag,
                                hoist_tree_sink *sink)
{
    hoist_program_plan_options given;
    HOIST_TRY(hoist_options_read(options, &given, sizeof given));
    const hoist_allocator alloc = given.alloc.resize ? given.alloc : hoist_allocator_system();
    hoist_describer d = {.program = program,
                         .alloc = alloc,
                         .sink = sink,
                         .groups = {.alloc = alloc},
                         .pages = {.alloc = alloc,
                                   .program = program,
                                   .stays = {.alloc = alloc},
                                   .reuse = {.alloc = alloc}},
                         .lanes = {.alloc = alloc}};
    sink->deadline = given.deadline;
    // Plans assume a program without faults; one with findings has no plan.
    hoist_status status = hoist_program_verify_fully(program, diag, alloc);
    if (status == HOIST_OK && given.reads) {
        status = hoist_group_choose_reads(program, given.reads, given.read_count, diag, alloc,
                                          &d.is_read);
    }
    status = status == HOIST_OK ? plan_and_send(&d, &given, diag) : status;
    deinit(&d);
    return status;
}
