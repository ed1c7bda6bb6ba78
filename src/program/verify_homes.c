// The home of memory that steps touch (PRG-045): of a thread its own, of a function one, which is
// that of all threads that run it. Functions are looked at from those that call none upwards, so
// that each knows what its calls touch.
#include <inttypes.h>

#include "base/span.h"
#include "program/uses.h"
#include "program/verifier.h"

#define NO_HOME UINT64_MAX // wider than any home

typedef struct homes {
    hoist_verifier *v;
    uint64_t *functions; // by index: what each touches, with all that it calls
    uint64_t here;       // of the code at hand; NO_HOME: of a function that has touched nothing yet
} homes;

// The space that a view is in; HOIST_NO_REF: of a parameter, or a slot, which is of no home.
// Fifos are what connects homes, so their slots are of none.
static hoist_ref space_of(const hoist_program *p, const hoist_prog_view *view)
{
    switch (view->base) {
    case HOIST_VIEW_BUFFER:
        return p->buffers[view->of].space;
    case HOIST_VIEW_SPACE:
        return view->of;
    case HOIST_VIEW_READ_SLOT:
    case HOIST_VIEW_WRITE_SLOT:
    case HOIST_VIEW_PARAMETER:
        break;
    }
    return HOIST_NO_REF;
}

// `what` is what is touched: a space, or what a function touches. The first step of a function
// chooses its home.
// One finding for each step that is elsewhere; the home stays the first one's.
static void touch(homes *h, uint64_t home, const char *what, hoist_str name)
{
    if (h->here == NO_HOME) {
        h->here = home;
    } else if (home != NO_HOME && home != h->here) {
        (void)hoist_verifier_fail(
            h->v, HOIST_PRG_045, "%s '%.*s' is of home %" PRIu64 ", the %s of home %" PRIu64, what,
            HOIST_STR_ARGS(name), home, h->v->function ? "steps above are" : "thread is", h->here);
    }
}

static void touch_view(void *self, hoist_step_use use)
{
    homes *h = self;
    const hoist_program *p = h->v->program;
    const hoist_ref space = space_of(p, &p->views[use.view]);
    if (space != HOIST_NO_REF) {
        touch(h, p->spaces[space].home, "space", p->spaces[space].name);
    }
}

// h->functions of a callee is known: callees come first.
static void touch_target(homes *h, const hoist_prog_target *target)
{
    const bool one = target->function != HOIST_NO_REF;
    for (uint32_t i = 0; i < (one ? 1 : target->table_count); i++) {
        const hoist_ref function = one ? target->function : target->table[i];
        touch(h, h->functions[function], "memory of function",
              h->v->program->functions[function].name);
    }
}

// The views of a step, then the memory of what it calls.
static void check_code(homes *h, hoist_str name, const hoist_prog_code *code)
{
    hoist_verifier *v = h->v;
    v->name = name;
    v->code = code;
    for (uint32_t i = 0; i < code->step_count; i++) {
        const hoist_prog_step *step = &code->steps[i];
        v->step = i;
        v->loc = step->loc;
        hoist_step_uses(v->program, step, touch_view, h);
        if (step->kind == HOIST_STEP_CALL || step->kind == HOIST_STEP_POST) {
            touch_target(h, &step->as.call.target);
        }
    }
    v->step = HOIST_NO_REF;
}

// One home of all memory is the usual case, in which there is nothing to look at.
static bool are_many(const hoist_program *p)
{
    bool many = false;
    for (uint32_t i = 0; i < p->space_count; i++) {
        many |= p->spaces[i].home != p->spaces[0].home;
    }
    for (uint32_t i = 0; p->space_count && i < p->thread_count; i++) {
        many |= p->threads[i].home != p->spaces[0].home;
    }
    return many;
}

void hoist_verify_homes(hoist_verifier *v)
{
    const hoist_program *p = v->program;
    homes h = {.v = v};
    h.functions =
        are_many(p) ? hoist_verifier_array(v, p->function_count, sizeof *h.functions) : NULL;
    // One home only, or no memory, which the verifier remembers.
    if (!h.functions) {
        return;
    }
    v->table = HOIST_NAMES_FUNCTION;
    for (uint32_t i = 0; i < p->function_count; i++) {
        const hoist_ref function = v->callees_first[i];
        v->function = &p->functions[function];
        h.here = NO_HOME;
        check_code(&h, v->function->name, &v->function->code);
        h.functions[function] = h.here;
    }
    v->function = NULL;
    v->table = HOIST_NAMES_THREAD;
    for (uint32_t i = 0; i < p->thread_count; i++) {
        h.here = p->threads[i].home;
        check_code(&h, p->threads[i].name, &p->threads[i].code);
    }
}
