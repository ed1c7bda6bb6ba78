// Every netlist of the corpus that runs in the reference: it lowers to a program without an error
// of its own, and all its programs, one after the other, come to their end under the machine,
// without data. The conditions are those of the corpus' expect.tsv: what the host pushes before the
// first program, and what it gives to params.
#include <stdlib.h>
#include <string.h>

#include "machine/schedule.h"
#include "netlists.h"
#include "program/verify.h"

enum { MAX_PARAMETERS = 64 };

// Entries that the host pushes to a queue before the first program.
static int64_t push_count(const netlist *n, const hoist_prog_fifo *fifo, const char *pushes)
{
    const int64_t slots = fifo->slots;
    const int64_t wanted =
        strcmp(pushes, "default") == 0 ? n->inputs * n->loops : strtoll(pushes, NULL, 10);
    return wanted < slots ? wanted : slots;
}

static void push_all(const netlist *n, hoist_machine *machine)
{
    for (hoist_ref f = 0; f < n->program->fifo_count; f++) {
        const hoist_prog_fifo *fifo = &n->program->fifos[f];
        if (!fifo->host_push || fifo->kind == HOIST_FIFO_RAM) {
            continue;
        }
        const int64_t count = push_count(n, fifo, n->row->pushes);
        for (int64_t i = 0; i < count; i++) {
            uint32_t slot = 0;
            HOIST_EXPECT(n->t, hoist_machine_host_push_begin(machine, f, &slot));
            hoist_machine_host_push_end(machine, f);
        }
    }
}

// Runs all programs; false when one does not come to its end.
static bool run_programs(const netlist *n, hoist_machine *machine, hoist_schedule schedule)
{
    for (hoist_ref e = 0; e < n->program->entry_count; e++) {
        const hoist_prog_entry *entry = &n->program->entries[e];
        int64_t parameters[MAX_PARAMETERS];
        for (uint32_t i = 0; i < entry->parameter_count && i < MAX_PARAMETERS; i++) {
            parameters[i] = netlist_parameter(n, entry->parameters[i].name);
        }
        hoist_outcome outcome = HOIST_OUTCOME_DONE;
        HOIST_EXPECT(n->t, entry->parameter_count <= MAX_PARAMETERS);
        HOIST_EXPECT_EQ(n->t, hoist_machine_start(machine, e, parameters), HOIST_OK);
        HOIST_EXPECT_EQ(n->t,
                        hoist_schedule_run(machine, schedule, NULL, NULL, n->t->diag, &outcome),
                        HOIST_OK);
        if (outcome != HOIST_OUTCOME_DONE) {
            return false;
        }
    }
    return true;
}

// Runs all programs on a fresh machine under `schedule`.
static bool run_under(const netlist *n, hoist_schedule schedule)
{
    const hoist_machine_options options = {.alloc = hoist_allocator_system(),
                                           .max_steps = 100000000};
    hoist_machine *machine = NULL;
    HOIST_EXPECT_EQ(n->t, hoist_machine_create(n->program, &options, &machine), HOIST_OK);
    push_all(n, machine);
    const bool good = run_programs(n, machine, schedule);
    hoist_machine_destroy(machine);
    return good;
}

static void run_netlist(const netlist *n)
{
    static const hoist_schedule schedules[] = {
        {HOIST_SCHEDULE_IN_ORDER, 0}, {HOIST_SCHEDULE_RANDOM, 1}, {HOIST_SCHEDULE_ADVERSARIAL, 0}};
    const size_t errors = hoist_diag_count(n->t->diag, HOIST_ERROR);
    HOIST_EXPECT_EQ(n->t, hoist_program_verify(n->program, n->t->diag), HOIST_OK);
    bool good = hoist_diag_count(n->t->diag, HOIST_ERROR) == errors;
    for (size_t i = 0; i < HOIST_COUNT_OF(schedules) && good; i++) {
        good = !netlist_runs(n) || run_under(n, schedules[i]);
    }
    if (!good) {
        const hoist_str all = hoist_test_findings(n->t);
        hoist_test_fail(n->t, __FILE__, __LINE__, "it does not run\n%.*s", HOIST_STR_ARGS(all));
    }
}

HOIST_TEST(clean_netlists_run_to_their_end)
{
    netlists_each(t, "buda", run_netlist);
}

HOIST_TEST(large_netlists_run_to_their_end)
{
    netlists_each(t, "buda-large", run_netlist);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(clean_netlists_run_to_their_end),
                HOIST_TEST_ROW(large_netlists_run_to_their_end))
