// Random programs without a race, with a clock: steps that touch the same bytes, one of them to
// write, never overlap in time, and those of a process follow each other. The generator puts in
// every wait that this needs, so a step that began before what it waits for would be seen.
#include "base/alloc.h"
#include "base/span.h"
#include "cost/clock.h"
#include "testing/program_generator.h"
#include "testing/test.h"

enum { PROGRAMS = 300, MOST = 4096 };

typedef struct touch {
    size_t span;
    hoist_place place;
    bool is_write;
} touch;

typedef struct recorder {
    hoist_test *t;
    const hoist_program *program;
    hoist_clock_span spans[MOST];
    size_t count;
    touch touches[4 * MOST];
    size_t touch_count;
} recorder;

static void note(recorder *r, const hoist_machine *machine, size_t process, hoist_ref view,
                 bool is_write)
{
    if (r->touch_count == HOIST_COUNT_OF(r->touches)) {
        hoist_test_fail(r->t, __FILE__, __LINE__, "more accesses than the %zu that are kept",
                        r->touch_count);
        return;
    }
    r->touches[r->touch_count++] =
        (touch){r->count, hoist_machine_resolve(machine, process, view), is_write};
}

// Durations that differ from step to step, as the places of a file do: some steps take none.
static hoist_clock_need need_of(void *self, const hoist_machine *machine, size_t process,
                                const hoist_prog_step *step)
{
    recorder *const r = self;
    if (step->kind == HOIST_STEP_MOVE) {
        note(r, machine, process, step->as.move->destination, true);
        for (uint32_t i = 0; i < step->as.move->source_count; i++) {
            note(r, machine, process, step->as.move->sources[i].view, false);
        }
    } else if (step->kind == HOIST_STEP_COMPUTE) {
        for (uint32_t i = 0; i < step->as.compute->output_count; i++) {
            note(r, machine, process, step->as.compute->outputs[i], true);
        }
        for (uint32_t i = 0; i < step->as.compute->input_count; i++) {
            note(r, machine, process, step->as.compute->inputs[i], false);
        }
    }
    return (hoist_clock_need){(double)((r->count * 7 + process * 3) % 11),
                              r->count % 3 ? HOIST_CLOCK_RESOURCES : 0};
}

static hoist_status keep(void *self, const hoist_clock_span *span)
{
    recorder *const r = self;
    if (r->count == MOST) {
        return HOIST_LIMIT;
    }
    r->spans[r->count++] = *span;
    return HOIST_OK;
}

static bool overlap(const hoist_clock_span *a, const hoist_clock_span *b)
{
    return a->begin < b->end && b->begin < a->end;
}

// Buffers by their roots: windows of one share its bytes.
static bool conflict(const recorder *r, const touch *a, const touch *b)
{
    const hoist_place *const p = &a->place;
    const hoist_place *const q = &b->place;
    if (!(a->is_write || b->is_write) || a->span == b->span || p->fifo != q->fifo) {
        return false;
    }
    if (p->buffer == HOIST_NO_REF || q->buffer == HOIST_NO_REF) {
        return p->buffer == q->buffer && p->slot == q->slot;
    }
    uint64_t first = 0;
    uint64_t second = 0;
    return hoist_prog_root(r->program, p->buffer, &first) ==
               hoist_prog_root(r->program, q->buffer, &second) &&
           first + (uint64_t)p->offset == second + (uint64_t)q->offset && p->call == q->call;
}

static void check(recorder *r)
{
    for (size_t i = 0; i < r->touch_count; i++) {
        for (size_t k = i + 1; k < r->touch_count; k++) {
            const bool bad = conflict(r, &r->touches[i], &r->touches[k]) &&
                             overlap(&r->spans[r->touches[i].span], &r->spans[r->touches[k].span]);
            HOIST_EXPECT(r->t, !bad);
        }
    }
    for (size_t i = 0; i < r->count; i++) {
        HOIST_EXPECT(r->t, r->spans[i].ready <= r->spans[i].begin);
        for (size_t k = i + 1; k < r->count; k++) {
            HOIST_EXPECT(r->t, r->spans[i].process != r->spans[k].process ||
                                   r->spans[i].end <= r->spans[k].begin);
        }
    }
}

static void run(hoist_test *t, uint64_t seed)
{
    static recorder r;
    const hoist_program_options options = {.seed = seed};
    const hoist_machine_options with = {.alloc = hoist_allocator_system()};
    hoist_generated made;
    hoist_machine *machine = NULL;
    hoist_outcome outcome = HOIST_OUTCOME_LIMIT;
    HOIST_EXPECT_EQ(t, hoist_program_generate(with.alloc, &options, &made), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_machine_create(made.program, &with, &machine), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, NULL), HOIST_OK);
    r = (recorder){.t = t, .program = made.program};
    hoist_clock clock = {.alloc = with.alloc, .need = need_of, .span = keep, .self = &r};
    HOIST_EXPECT_EQ(t, hoist_clock_run(&clock, machine, t->diag, &outcome), HOIST_OK);
    HOIST_EXPECT_EQ(t, outcome, HOIST_OUTCOME_DONE);
    check(&r);
    hoist_machine_destroy(machine);
    hoist_program_destroy(made.program);
}

HOIST_TEST(clock_orders)
{
    const size_t rounds = HOIST_TEST_ROUNDS(PROGRAMS);
    for (size_t i = 0; i < rounds; i++) {
        run(t, i);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(clock_orders))
