// Every netlist of the corpus that runs in the reference: it lowers to a program without an error
// of its own, and all its programs, one after the other, come to their end under the machine,
// without data. The conditions are those of the corpus' expect.tsv: what the host pushes before the
// first program, and what it gives to params.
#include <stdlib.h>
#include <string.h>

#include "hoist/load.h"

#include "machine/schedule.h"
#include "program/verify.h"
#include "testing/test.h"

enum { MAX_PARAMETERS = 64 };

// A line of expect.tsv.
typedef struct expected {
    char *path;
    char *arch;
    char *check;
    char *run;
    char *pushes;
} expected;

typedef struct netlist {
    hoist_test *t;
    const char *text;
    int64_t inputs; // the largest input_count
    int64_t loops;  // program_loop_count, or 1
    const hoist_program *program;
    hoist_machine *machine;
} netlist;

// The largest number behind `key`; `absent` when it is nowhere.
static int64_t largest(const char *text, const char *key, int64_t absent)
{
    int64_t found = absent;
    bool any = false;
    while ((text = strstr(text, key)) != NULL) {
        text += strlen(key);
        const int64_t value = strtoll(text + strspn(text, ": "), NULL, 10);
        found = !any || value > found ? value : found;
        any = true;
    }
    return found;
}

static int64_t parameter_value(const netlist *n, hoist_str name)
{
    if (hoist_str_contains(name, "batch_size")) {
        return n->inputs;
    }
    if (hoist_str_contains(name, "lptr") || hoist_str_contains(name, "gptr") ||
        hoist_str_contains(name, "zero")) {
        return 0;
    }
    return hoist_str_equal_c(name, "$p_loop_count") ? n->loops : 1;
}

// Entries that the host pushes to a queue before the first program.
static int64_t push_count(const netlist *n, const hoist_prog_fifo *fifo, const char *pushes)
{
    const int64_t slots = fifo->slots;
    const int64_t wanted =
        strcmp(pushes, "default") == 0 ? n->inputs * n->loops : strtoll(pushes, NULL, 10);
    return wanted < slots ? wanted : slots;
}

static void push_all(const netlist *n, const char *pushes)
{
    for (hoist_ref f = 0; f < n->program->fifo_count; f++) {
        const hoist_prog_fifo *fifo = &n->program->fifos[f];
        if (!fifo->host_push || fifo->kind == HOIST_FIFO_RAM) {
            continue;
        }
        const int64_t count = push_count(n, fifo, pushes);
        for (int64_t i = 0; i < count; i++) {
            uint32_t slot = 0;
            HOIST_EXPECT(n->t, hoist_machine_host_push_begin(n->machine, f, &slot));
            hoist_machine_host_push_end(n->machine, f);
        }
    }
}

// Runs all programs; false when one does not come to its end.
static bool run_programs(const netlist *n, hoist_schedule schedule)
{
    for (hoist_ref e = 0; e < n->program->entry_count; e++) {
        const hoist_prog_entry *entry = &n->program->entries[e];
        int64_t parameters[MAX_PARAMETERS];
        for (uint32_t i = 0; i < entry->parameter_count && i < MAX_PARAMETERS; i++) {
            parameters[i] = parameter_value(n, entry->parameters[i].name);
        }
        hoist_outcome outcome = HOIST_OUTCOME_DONE;
        HOIST_EXPECT(n->t, entry->parameter_count <= MAX_PARAMETERS);
        HOIST_EXPECT_EQ(n->t, hoist_machine_start(n->machine, e, parameters), HOIST_OK);
        HOIST_EXPECT_EQ(n->t,
                        hoist_schedule_run(n->machine, schedule, NULL, NULL, n->t->diag, &outcome),
                        HOIST_OK);
        if (outcome != HOIST_OUTCOME_DONE) {
            return false;
        }
    }
    return true;
}

// Runs all programs on a fresh machine under `schedule`.
static bool run_under(netlist *n, const char *pushes, hoist_schedule schedule)
{
    const hoist_machine_options options = {.alloc = hoist_allocator_system(),
                                           .max_steps = 100000000};
    HOIST_EXPECT_EQ(n->t, hoist_machine_create(n->program, &options, &n->machine), HOIST_OK);
    push_all(n, pushes);
    const bool good = run_programs(n, schedule);
    hoist_machine_destroy(n->machine);
    return good;
}

static void run_netlist(netlist *n, const expected *row)
{
    static const hoist_schedule schedules[] = {
        {HOIST_SCHEDULE_IN_ORDER, 0}, {HOIST_SCHEDULE_RANDOM, 1}, {HOIST_SCHEDULE_ADVERSARIAL, 0}};
    const size_t errors = hoist_diag_count(n->t->diag, HOIST_ERROR);
    HOIST_EXPECT_EQ(n->t, hoist_program_verify(n->program, n->t->diag), HOIST_OK);
    bool good = hoist_diag_count(n->t->diag, HOIST_ERROR) == errors;
    for (size_t i = 0; i < HOIST_COUNT_OF(schedules) && good; i++) {
        good = strcmp(row->run, "runs") != 0 || run_under(n, row->pushes, schedules[i]);
    }
    if (!good) {
        const hoist_str all = hoist_test_findings(n->t);
        hoist_test_fail(n->t, __FILE__, __LINE__, "it does not run\n%.*s", HOIST_STR_ARGS(all));
    }
}

static void lower_netlist(hoist_test *t, const char *folder, const expected *row)
{
    const char *path = hoist_arena_format(&t->arena, "%s/%s", folder, row->path).data;
    const hoist_bytes file = hoist_test_file(t, path);
    netlist n = {.t = t};
    n.text = hoist_arena_str(&t->arena, (hoist_str){(const char *)file.data, file.size}).data;
    n.inputs = largest(n.text, "input_count", 1);
    n.loops = largest(n.text, "program_loop_count", 1);
    const hoist_open_options options = {.struct_size = sizeof options,
                                        .arch = *row->arch == '-' ? NULL : row->arch};
    hoist_job *job = NULL;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open(path, &options, t->diag, &job), HOIST_OK);
    const hoist_status status = job ? hoist_job_lower(job, NULL, t->diag, &program) : HOIST_INVALID;
    hoist_job_close(job);
    if (status == HOIST_OK) {
        n.program = program;
        run_netlist(&n, row);
    } else {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "lowering gives %s\n%.*s", hoist_status_name(status),
                        HOIST_STR_ARGS(all));
    }
    hoist_program_destroy(program);
}

// The cells of a line, in place; false for comments and the header.
static bool read_row(char *line, expected *out)
{
    char **cells[] = {&out->path, &out->arch, &out->check, &out->run, &out->pushes};
    char *save = NULL;
    char *cell = strtok_r(line, "\t", &save);
    for (size_t i = 0; i < HOIST_COUNT_OF(cells); i++) {
        if (!cell || *cell == '#' || strcmp(cell, "path") == 0) {
            return false;
        }
        *cells[i] = cell;
        cell = strtok_r(NULL, "\t", &save);
    }
    return true;
}

static void run_corpus(hoist_test *t, const char *name)
{
    const char *folder = hoist_test_corpus(t, name);
    if (!folder) {
        hoist_test_skip(t, "no corpus");
        return;
    }
    const hoist_bytes file =
        hoist_test_file(t, hoist_arena_format(&t->arena, "%s/expect.tsv", folder).data);
    char *text = hoist_arena_alloc(&t->arena, file.size + 1);
    memcpy(text, file.data, file.size);
    size_t count = 0;
    char *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        expected row;
        if (read_row(line, &row) && strcmp(row.check, "clean") == 0) {
            hoist_test_row(t, row.path);
            lower_netlist(t, folder, &row);
            count++;
        }
    }
    HOIST_EXPECT(t, count > 0);
}

HOIST_TEST(clean_netlists_run_to_their_end)
{
    run_corpus(t, "buda");
}

HOIST_TEST(large_netlists_run_to_their_end)
{
    run_corpus(t, "buda-large");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(clean_netlists_run_to_their_end),
                HOIST_TEST_ROW(large_netlists_run_to_their_end))
