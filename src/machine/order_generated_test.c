// Generated programs: clean as they are, the same data under every schedule, and bad without any
// one of their waits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/order.h"
#include "testing/program_generator.h"
#include "testing/test.h"

// The quick tier; the long one runs all.
static size_t programs = 300;

#define SCHEDULES 20

// A tiny runtime ------------------------------------------------------------------------------

// Bytes of each root buffer, one after the other.
typedef struct memory {
    const hoist_program *program;
    uint8_t bytes[4096];
} memory;

static size_t start_of(const hoist_program *p, hoist_ref buffer)
{
    size_t at = 0;
    for (hoist_ref i = 0; i < buffer; i++) {
        at += p->buffers[i].window_of == HOIST_NO_REF ? (size_t)p->buffers[i].size : 0;
    }
    return at;
}

static void memory_init(memory *m, const hoist_program *program)
{
    memset(m, 0, sizeof *m);
    m->program = program;
    for (hoist_ref i = 0; i < program->buffer_count; i++) {
        const hoist_prog_buffer *b = &program->buffers[i];
        if (b->window_of == HOIST_NO_REF && b->bytes.size > 0) {
            memcpy(m->bytes + start_of(program, i), b->bytes.data, b->bytes.size);
        }
    }
}

// The float32 that a view means, and how many.
static uint8_t *bytes_of(memory *m, const hoist_machine *machine, size_t process, hoist_ref view,
                         size_t *out_count)
{
    const hoist_program *p = m->program;
    const hoist_place place = hoist_machine_resolve(machine, process, view);
    *out_count = (size_t)p->layouts[place.layout].shape.dim[0];
    hoist_ref buffer = place.buffer;
    size_t at = (size_t)place.offset;
    if (place.fifo != HOIST_NO_REF) {
        buffer = p->fifos[place.fifo].parts[0];
        at += place.slot * (size_t)p->fifos[place.fifo].slot_bytes;
    } else if (p->buffers[buffer].window_of != HOIST_NO_REF) {
        at += (size_t)p->buffers[buffer].window_offset;
        buffer = p->buffers[buffer].window_of;
    }
    return m->bytes + start_of(p, buffer) + at;
}

static float compute(hoist_compute_op op, float a, float b)
{
    switch (op) {
    case HOIST_IEEE_ADD:
        return a + b;
    case HOIST_IEEE_SUBTRACT:
        return a - b;
    default:
        return a > b ? a : b;
    }
}

static hoist_status data_step(void *self, hoist_machine *machine, size_t process,
                              const hoist_prog_step *step)
{
    memory *m = self;
    size_t count = 0;
    if (step->kind == HOIST_STEP_MOVE) {
        const uint8_t *from = bytes_of(m, machine, process, step->as.move->sources[0].view, &count);
        memmove(bytes_of(m, machine, process, step->as.move->destination, &count), from, 4 * count);
        return HOIST_OK;
    }
    const hoist_prog_compute *c = step->as.compute;
    const uint8_t *a = bytes_of(m, machine, process, c->inputs[0], &count);
    const uint8_t *b = bytes_of(m, machine, process, c->inputs[1], &count);
    uint8_t *to = bytes_of(m, machine, process, c->outputs[0], &count);
    for (size_t i = 0; i < count; i++) {
        float x = 0;
        float y = 0;
        memcpy(&x, a + 4 * i, 4);
        memcpy(&y, b + 4 * i, 4);
        const float result = compute(c->op, x, y);
        memcpy(to + 4 * i, &result, 4);
    }
    return HOIST_OK;
}

static void run(hoist_test *t, const hoist_program *program, hoist_schedule schedule, memory *m)
{
    hoist_machine *machine = NULL;
    hoist_outcome outcome = HOIST_OUTCOME_LIMIT;
    memory_init(m, program);
    const hoist_machine_options options = {.alloc = hoist_allocator_system(), .max_steps = 100000};
    HOIST_EXPECT_EQ(t, hoist_machine_create(program, &options, &machine), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_machine_start(machine, 0, NULL), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_schedule_run(machine, schedule, data_step, m, t->diag, &outcome),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, outcome, HOIST_OUTCOME_DONE);
    hoist_machine_destroy(machine);
}

static hoist_verdict verdict_of(hoist_test *t, const hoist_program *program, hoist_diag *diag)
{
    hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
    const hoist_order_options options = {.alloc = hoist_allocator_system()};
    HOIST_EXPECT_EQ(t, hoist_program_check_order(program, 0, &options, diag, &verdict), HOIST_OK);
    return verdict;
}

static hoist_generated generate(hoist_test *t, uint64_t seed, size_t leave_out)
{
    hoist_generated generated;
    const hoist_program_options options = {.seed = seed, .leave_out = leave_out};
    HOIST_EXPECT_EQ(t, hoist_program_generate(hoist_allocator_system(), &options, &generated),
                    HOIST_OK);
    return generated;
}

static void name_row(hoist_test *t, size_t seed)
{
    static char name[32];
    (void)snprintf(name, sizeof name, "seed %zu", seed);
    t->row = name;
}

HOIST_TEST(programs_are_clean_and_confluent)
{
    static memory first;
    static memory other;
    for (size_t seed = 0; seed < HOIST_TEST_ROUNDS(programs) && t->failures == 0; seed++) {
        name_row(t, seed);
        hoist_generated g = generate(t, seed, 0);
        HOIST_EXPECT_EQ(t, verdict_of(t, g.program, t->diag), HOIST_VERDICT_CLEAN);
        run(t, g.program, (hoist_schedule){HOIST_SCHEDULE_IN_ORDER, 0}, &first);
        for (uint64_t k = 1; k < SCHEDULES; k++) {
            const hoist_schedule_kind kind =
                k == 1 ? HOIST_SCHEDULE_ADVERSARIAL : HOIST_SCHEDULE_RANDOM;
            run(t, g.program, (hoist_schedule){kind, k}, &other);
            HOIST_EXPECT(t, memcmp(first.bytes, other.bytes, sizeof first.bytes) == 0);
        }
        hoist_program_destroy(g.program);
    }
    HOIST_EXPECT_RULE(t, NULL);
}

HOIST_TEST(every_wait_is_missed)
{
    size_t tried = 0;
    size_t found = 0;
    for (size_t seed = 0; seed < HOIST_TEST_ROUNDS(programs) && seed < 1000; seed++) {
        name_row(t, seed);
        const hoist_generated whole = generate(t, seed, 0);
        hoist_program_destroy(whole.program);
        if (whole.waits == 0) {
            continue;
        }
        hoist_diag *diag = NULL;
        HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &diag), HOIST_OK);
        const hoist_generated broken = generate(t, seed, 1 + seed * 7 % whole.waits);
        tried++;
        found += verdict_of(t, broken.program, diag) == HOIST_VERDICT_BAD;
        hoist_program_destroy(broken.program);
        hoist_diag_destroy(diag);
    }
    t->row = NULL;
    printf("without a wait: %zu programs, %zu found\n", tried, found);
    HOIST_EXPECT(t, tried > 0);
    HOIST_EXPECT(t, found * 100 >= tried * 99);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        programs = (size_t)strtoul(argv[1], NULL, 10);
    }
    const struct CMUnitTest tests[] = {HOIST_TEST_ROW(programs_are_clean_and_confluent),
                                       HOIST_TEST_ROW(every_wait_is_missed)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return hoist_test_exit_status(failed, HOIST_COUNT_OF(tests));
}
