// Lives in shared memory (lives.h). In: a program. Out: a row for each buffer that shares its bytes
// with others over time. Nothing is decided here: groups.c, calls.c and pages.c do, as for
// sessions. Neighbour: describe_memory.c sends the same among all other places.
#include "plan/lives.h"

#include "base/span.h"
#include "plan/calls.h"
#include "plan/pages.h"

typedef struct finder {
    const hoist_program *program;
    hoist_arena *arena;
    hoist_deadline *deadline;
    hoist_group_plan groups;
    hoist_call_plan calls;
    hoist_page_plan pages;
    hoist_plan_lives *out;
} finder;

// A buffer is in memory of a call, of a thread, or has its own and no row.
static void add_life(finder *f, uint32_t buffer)
{
    const hoist_call_life *const call = &f->calls.life[buffer];
    if (f->calls.offset[buffer] != UINT64_MAX && call->function != HOIST_NO_REF) {
        f->out->lives[f->out->count++] = (hoist_plan_life){.buffer = buffer,
                                                           .code = call->function,
                                                           .offset = f->calls.offset[buffer],
                                                           .first = call->first,
                                                           .last = call->last};
    } else if (f->pages.reuse.offset[buffer] != UINT64_MAX) {
        const hoist_reuse_life *const life = &f->pages.reuse.life[buffer];
        const uint32_t end = f->program->threads[life->thread].code.step_count - 1;
        f->out->lives[f->out->count++] =
            (hoist_plan_life){.buffer = buffer,
                              .code = f->program->function_count + life->thread,
                              .offset = f->pages.reuse.offset[buffer],
                              .first = life->first,
                              // "to the end of the run" becomes the last step.
                              .last = life->last < end ? life->last : end};
    }
}

// Windows are inside their base, and buffers that no step stores have no memory.
static hoist_status list(finder *f)
{
    const uint32_t buffers = f->program->buffer_count;
    bool *const is_local = hoist_arena_array(f->arena, (size_t)buffers + 1, sizeof *is_local);
    f->out->lives = hoist_arena_array(f->arena, (size_t)buffers + 1, sizeof *f->out->lives);
    HOIST_TRY_MEMORY(is_local && f->out->lives);
    for (size_t i = 0; i < f->groups.local_count; i++) {
        is_local[f->groups.locals[i].buffer] = true;
    }
    for (uint32_t i = 0; i < buffers; i++) {
        if (hoist_prog_root(f->program, i, NULL) == i && !is_local[i]) {
            add_life(f, i);
        }
    }
    return HOIST_OK;
}

// As a session would plan it in which the caller reads the results: a picture shows what runs.
static hoist_status plan(finder *f)
{
    const hoist_program *const program = f->program;
    const hoist_allocator alloc = f->arena->alloc;
    bool *const is_read = hoist_arena_array(f->arena, (size_t)program->port_count + 1, 1);
    HOIST_TRY_MEMORY(is_read);
    for (uint32_t i = 0; i < program->port_count; i++) {
        is_read[i] = program->ports[i].result; // ports that are no results need not survive the run
    }
    const hoist_group_options groups = {
        .alloc = alloc, .is_read = is_read, .deadline = f->deadline};
    const hoist_page_plan_options pages = {.alloc = alloc,
                                           .is_read = is_read,
                                           .groups = &f->groups,
                                           .home = HOIST_NO_REF,
                                           .deadline = f->deadline};
    HOIST_TRY(hoist_group_plan_build(program, &groups, &f->groups));
    HOIST_TRY(hoist_call_plan_build(program, &f->groups, alloc, &f->calls));
    HOIST_TRY(hoist_page_plan_build(program, &pages, &f->pages));
    return list(f);
}

// Plans are temporary; rows are in the caller's arena.
hoist_status hoist_plan_lives_find(const hoist_program *program, hoist_deadline *deadline,
                                   hoist_arena *arena, hoist_plan_lives *out_lives)
{
    const hoist_allocator alloc = arena->alloc;
    *out_lives = (hoist_plan_lives){.count = 0};
    finder f = {.program = program,
                .arena = arena,
                .deadline = deadline,
                .groups = {.alloc = alloc},
                .pages = {.alloc = alloc,
                          .program = program,
                          .stays = {.alloc = alloc},
                          .reuse = {.alloc = alloc}},
                .out = out_lives};
    const hoist_status status = plan(&f);
    hoist_group_plan_deinit(&f.groups);
    if (f.calls.offset) {
        hoist_call_plan_deinit(&f.calls);
    }
    hoist_page_plan_deinit(&f.pages);
    return status;
}
