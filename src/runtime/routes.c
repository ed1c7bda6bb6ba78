// Fifos and groups of collectives by home: all code that each thread can come to is looked at, with
// the functions that it calls or posts.
#include "runtime/routes.h"

#include "base/alloc.h"
#include "program/uses.h"

#define NO_HOME UINT32_MAX

// The homes of one side of a fifo.
typedef struct side {
    uint32_t home; // NO_HOME: none yet
    bool many;
} side;

// Who uses a fifo: each side should have one home.
typedef struct ends {
    side writer;
    side reader;
    side other; // sets pointers, zeroes, allocates
} ends;

typedef struct survey {
    const hoist_program *program;
    hoist_routes *routes;
    ends *fifos;       // by fifo
    uint32_t *users;   // by buffer: fifos and windows that have its bytes
    uint32_t *visited; // by function: 1 + the last thread that came to it
    hoist_ref *stack;  // functions to look at
    size_t depth;
    uint32_t thread;
    uint32_t home; // of it
} survey;

// Notes one more home of a side; several are only remembered as many.
static void add(side *s, uint32_t home)
{
    s->many = s->many || (s->home != NO_HOME && s->home != home);
    s->home = home;
}

// A step that reads or writes a slot is at that side of the fifo.
static void add_view(void *self, hoist_step_use use)
{
    survey *s = self;
    const hoist_prog_view *view = &s->program->views[use.view];
    if (view->base == HOIST_VIEW_READ_SLOT) {
        add(&s->fifos[view->of].reader, s->home);
    } else if (view->base == HOIST_VIEW_WRITE_SLOT) {
        add(&s->fifos[view->of].writer, s->home);
    }
}

// Puts the functions of a call on the stack, each once for a thread.
static void add_target(survey *s, const hoist_prog_target *target)
{
    // Without a function it is one of a table, chosen at run time: all of them count.
    const bool one = target->function != HOIST_NO_REF;
    for (uint32_t i = 0; i < (one ? 1 : target->table_count); i++) {
        const hoist_ref function = one ? target->function : target->table[i];
        if (s->visited[function] != s->thread + 1) {
            s->visited[function] = s->thread + 1;
            s->stack[s->depth++] = function;
        }
    }
}

// Notes that a home has members in a group. The last ones are looked at first: steps repeat them.
static hoist_status add_meeting(survey *s, uint32_t group)
{
    hoist_routes *r = s->routes;
    for (size_t i = r->meeting_count; i-- > 0;) {
        if (r->meetings[i].group == group && r->meetings[i].home == s->home) {
            return HOIST_OK;
        }
    }
    if (!hoist_grow(r->alloc, (void **)&r->meetings, &r->meeting_capacity, r->meeting_count + 1,
                    sizeof *r->meetings)) {
        return HOIST_NO_MEMORY;
    }
    r->meetings[r->meeting_count++] = (hoist_meeting){group, s->home};
    return HOIST_OK;
}

// What one step says of fifos, functions and groups.
static hoist_status add_step(survey *s, const hoist_prog_step *step)
{
    hoist_step_uses(s->program, step, add_view, s);
    switch (step->kind) {
    case HOIST_STEP_CALL:
    case HOIST_STEP_POST:
        add_target(s, &step->as.call.target);
        return HOIST_OK;
    case HOIST_STEP_RESERVE:
    case HOIST_STEP_PUSH:
        add(&s->fifos[step->as.fifo.fifo].writer, s->home);
        return HOIST_OK;
    case HOIST_STEP_AWAIT:
    case HOIST_STEP_ADVANCE:
    case HOIST_STEP_POP:
        add(&s->fifos[step->as.fifo.fifo].reader, s->home);
        return HOIST_OK;
    case HOIST_STEP_SET_POINTER:
    case HOIST_STEP_ALLOCATE:
    case HOIST_STEP_FREE:
    case HOIST_STEP_ZERO:
        add(&s->fifos[step->as.fifo.fifo].other, s->home);
        return HOIST_OK;
    case HOIST_STEP_COLLECTIVE:
        return add_meeting(s, step->as.collective->group);
    default:
        return HOIST_OK;
    }
}

static hoist_status add_code(survey *s, const hoist_prog_code *code)
{
    for (uint32_t i = 0; i < code->step_count; i++) {
        HOIST_TRY(add_step(s, &code->steps[i]));
    }
    return HOIST_OK;
}

// All code that a thread can come to, with the thread's home.
static hoist_status add_thread(survey *s, uint32_t thread)
{
    const hoist_program *p = s->program;
    s->thread = thread;
    s->home = p->threads[thread].home;
    HOIST_TRY(add_code(s, &p->threads[thread].code));
    while (s->depth > 0) {
        HOIST_TRY(add_code(s, &p->functions[s->stack[--s->depth]].code));
    }
    return HOIST_OK;
}

// Whether all who use the fifo are of the home of the first of them; it stays in that process.
static bool is_in_one_home(const ends *e)
{
    const uint32_t home = e->writer.home != NO_HOME   ? e->writer.home
                          : e->reader.home != NO_HOME ? e->reader.home
                                                      : e->other.home;
    return !e->writer.many && !e->reader.many && !e->other.many &&
           (e->reader.home == NO_HOME || e->reader.home == home) &&
           (e->other.home == NO_HOME || e->other.home == home);
}

// Fifos and windows that have a buffer's bytes.
static void count_users(survey *s)
{
    const hoist_program *p = s->program;
    for (uint32_t i = 0; i < p->fifo_count; i++) {
        for (uint32_t k = 0; k < p->fifos[i].part_count; k++) {
            s->users[p->fifos[i].parts[k]]++;
        }
    }
    for (uint32_t i = 0; i < p->buffer_count; i++) {
        if (p->buffers[i].window_of != HOIST_NO_REF) {
            s->users[p->buffers[i].window_of]++;
        }
    }
}

// Whether no other fifo, window or caller has the bytes of its slots.
static bool has_own_memory(const survey *s, hoist_ref fifo)
{
    const hoist_prog_fifo *row = &s->program->fifos[fifo];
    const hoist_prog_buffer *memory = &s->program->buffers[row->parts[0]];
    return row->part_count == 1 && s->users[row->parts[0]] == 1 &&
           memory->window_of == HOIST_NO_REF && !memory->output &&
           memory->contents != HOIST_CONTENTS_CALLER;
}

// What can be held on both sides: slots that fill and empty in order, for nobody else.
static bool is_plain(const survey *s, hoist_ref fifo)
{
    const hoist_prog_fifo *row = &s->program->fifos[fifo];
    return row->kind == HOIST_FIFO_QUEUE && row->policy == HOIST_FIFO_STRICT && !row->dynamic &&
           !row->host_push && !row->host_pop && has_own_memory(s, fifo);
}

// Decides about one fifo: in one home, a route, or refused.
static hoist_status add_route(survey *s, hoist_ref fifo)
{
    hoist_routes *r = s->routes;
    const ends *e = &s->fifos[fifo];
    if (is_in_one_home(e)) {
        return HOIST_OK;
    }
    if (e->writer.many || e->reader.many || e->other.home != NO_HOME || !is_plain(s, fifo)) {
        r->refused = fifo;
        return HOIST_UNSUPPORTED;
    }
    if (!hoist_grow(r->alloc, (void **)&r->fifos, &r->fifo_capacity, r->fifo_count + 1,
                    sizeof *r->fifos)) {
        return HOIST_NO_MEMORY;
    }
    r->fifos[r->fifo_count++] = (hoist_route){fifo, e->writer.home, e->reader.home};
    return HOIST_OK;
}

// The survey: first who uses what, then the routes.
static hoist_status find(survey *s)
{
    const hoist_program *p = s->program;
    for (uint32_t i = 0; i < p->fifo_count; i++) {
        s->fifos[i] = (ends){{NO_HOME, false}, {NO_HOME, false}, {NO_HOME, false}};
    }
    count_users(s);
    for (uint32_t i = 0; i < p->thread_count; i++) {
        HOIST_TRY(add_thread(s, i));
    }
    for (uint32_t i = 0; i < p->fifo_count; i++) {
        HOIST_TRY(add_route(s, i));
    }
    return HOIST_OK;
}

uint32_t hoist_routes_homes(const hoist_program *program)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < program->thread_count; i++) {
        most = program->threads[i].home > most ? program->threads[i].home : most;
    }
    return most + 1;
}

hoist_status hoist_routes_init(hoist_routes *out_routes, const hoist_program *program,
                               hoist_allocator alloc)
{
    *out_routes = (hoist_routes){.alloc = alloc, .refused = HOIST_NO_REF};
    const size_t fifos = (size_t)program->fifo_count + 1;
    const size_t functions = (size_t)program->function_count + 1;
    const size_t buffers = (size_t)program->buffer_count + 1;
    survey s = {.program = program, .routes = out_routes};
    s.fifos = hoist_alloc_zero(alloc, fifos, sizeof *s.fifos);
    s.users = hoist_alloc_zero(alloc, buffers, sizeof *s.users);
    s.visited = hoist_alloc_zero(alloc, functions, sizeof *s.visited);
    s.stack = hoist_alloc_zero(alloc, functions, sizeof *s.stack);
    const bool memory = s.fifos && s.users && s.visited && s.stack;
    const hoist_status status = memory ? find(&s) : HOIST_NO_MEMORY;
    hoist_free(alloc, s.fifos, fifos * sizeof *s.fifos);
    hoist_free(alloc, s.users, buffers * sizeof *s.users);
    hoist_free(alloc, s.visited, functions * sizeof *s.visited);
    hoist_free(alloc, s.stack, functions * sizeof *s.stack);
    return status;
}

void hoist_routes_deinit(hoist_routes *routes)
{
    hoist_free(routes->alloc, routes->fifos, routes->fifo_capacity * sizeof *routes->fifos);
    hoist_free(routes->alloc, routes->meetings,
               routes->meeting_capacity * sizeof *routes->meetings);
}

bool hoist_routes_meets(const hoist_routes *routes, uint32_t group, uint32_t home)
{
    for (size_t i = 0; i < routes->meeting_count; i++) {
        if (routes->meetings[i].group == group && routes->meetings[i].home != home) {
            return true;
        }
    }
    return false;
}
