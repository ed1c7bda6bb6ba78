// Generated NEFFs of well-synchronised blocks: no order that their waits permit is wrong and all
// give the bytes of the sequential oracle; without any one wait there is a race of the two blocks
// that it orders, without a signal a deadlock.
//
//     neff_programs_test [PROGRAMS]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hoist/load.h"
#include "hoist/runtime.h"

#include "base/diag.h"
#include "base/span.h"
#include "machine/order.h"
#include "testing/neff_programs.h"
#include "testing/test.h"

static size_t programs = 100;

static hoist_program *lower(hoist_test *t, const neff_program_options *options,
                            neff_program_file *file)
{
    const hoist_open_options open = {.struct_size = sizeof open, .format = "neff"};
    hoist_job *job = NULL;
    hoist_program *program = NULL;
    neff_program_generate(options, file);
    HOIST_EXPECT_EQ(
        t, hoist_job_open_bytes(hoist_buffer_bytes(&file->bytes), "a.neff", &open, t->diag, &job),
        HOIST_OK);
    if (job) {
        HOIST_EXPECT_EQ(t, hoist_job_lower(job, NULL, t->diag, &program), HOIST_OK);
    }
    hoist_job_close(job);
    return program;
}

static hoist_ref run_entry(const hoist_program *program)
{
    hoist_ref entry = 0;
    while (entry < program->entry_count &&
           !hoist_str_equal_c(program->entries[entry].name, "run")) {
        entry++;
    }
    return entry;
}

static hoist_verdict judge(hoist_test *t, const hoist_program *program, hoist_diag *diag)
{
    const hoist_order_options options = {.alloc = hoist_allocator_system()};
    hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
    HOIST_EXPECT_EQ(
        t, hoist_program_check_order(program, run_entry(program), &options, diag, &verdict),
        HOIST_OK);
    return verdict;
}

// Data -------------------------------------------------------------------------------------------

static void expect_data(hoist_test *t, const hoist_program *program, const neff_program_file *file,
                        const hoist_session_options *options)
{
    hoist_session *session = NULL;
    uint8_t found[NEFF_PROGRAM_BYTES] = {0};
    const hoist_bytes in = {file->input, sizeof file->input};
    const hoist_mut_bytes out = {found, sizeof found};
    HOIST_EXPECT_EQ(t, hoist_session_open(program, options, t->diag, &session), HOIST_OK);
    if (!session) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_session_write(session, "input", 0, HOIST_DTYPE_U8, in), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "run", NULL, 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(session, 60), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_read(session, "output", 0, HOIST_DTYPE_U8, out), HOIST_OK);
    HOIST_EXPECT(t, memcmp(found, file->output, sizeof found) == 0);
    hoist_session_close(session);
}

static void expect_data_everywhere(hoist_test *t, const hoist_program *program,
                                   const neff_program_file *file, uint64_t seed)
{
    const hoist_session_options modes[] = {
        {.struct_size = sizeof modes[0], .sequential = true},
        {.struct_size = sizeof modes[0], .threads = 1},
        {.struct_size = sizeof modes[0], .threads = 2},
        {.struct_size = sizeof modes[0], .threads = 4},
        {.struct_size = sizeof modes[0], .schedule = HOIST_RUN_IN_ORDER},
        {.struct_size = sizeof modes[0], .schedule = HOIST_RUN_RANDOM, .seed = seed},
        {.struct_size = sizeof modes[0], .schedule = HOIST_RUN_ADVERSARIAL},
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(modes); i++) {
        expect_data(t, program, file, &modes[i]);
    }
}

HOIST_TEST(synchronised_programs_are_clean)
{
    for (size_t i = 1; i <= HOIST_TEST_ROUNDS(programs); i++) {
        const neff_program_options options = {.seed = i};
        neff_program_file file;
        hoist_test_row(t, hoist_arena_format(&t->arena, "seed %zu", i).data);
        hoist_program *const program = lower(t, &options, &file);
        if (program) {
            HOIST_EXPECT_EQ(t, judge(t, program, t->diag), HOIST_VERDICT_CLEAN);
            expect_data_everywhere(t, program, &file, i);
        }
        hoist_program_destroy(program);
        hoist_buffer_deinit(&file.bytes);
    }
}

// Without a wait, without a signal ---------------------------------------------------------------

// True when the message names the function of a block, which is one for each ring.
static bool names(hoist_str message, const char *block)
{
    char alone[40];
    char ring[40];
    (void)snprintf(alone, sizeof alone, "functions/%s/", block);
    (void)snprintf(ring, sizeof ring, "functions/%s.", block);
    return hoist_str_contains(message, alone) || hoist_str_contains(message, ring);
}

static bool names_both(const hoist_diag *diag, const char *rule, const neff_program_file *file)
{
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *const f = hoist_diag_at(diag, i);
        const bool any = file->first[0] == '\0';
        if (strcmp(f->rule->id, rule) == 0 &&
            (any || (names(f->message, file->first) && names(f->message, file->second)))) {
            return true;
        }
    }
    return false;
}

// What is found of a program that lacks something.
typedef struct verdicts {
    size_t tried;
    size_t bad;
    size_t only;  // one pair of blocks is without order
    size_t named; // of these: both are named
} verdicts;

static void try_without(hoist_test *t, const neff_program_options *options, const char *rule,
                        verdicts *v)
{
    neff_program_file file;
    hoist_diag *diag = NULL;
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &diag), HOIST_OK);
    hoist_program *const program = lower(t, options, &file);
    const bool bad = program && judge(t, program, diag) == HOIST_VERDICT_BAD;
    v->tried++;
    v->bad += bad ? 1 : 0;
    v->only += file.is_only_race ? 1 : 0;
    v->named += file.is_only_race && bad && names_both(diag, rule, &file) ? 1 : 0;
    hoist_program_destroy(program);
    hoist_buffer_deinit(&file.bytes);
    hoist_diag_destroy(diag);
}

static neff_program_file counts_of(uint64_t seed)
{
    neff_program_file file;
    neff_program_generate(&(neff_program_options){.seed = seed}, &file);
    hoist_buffer_deinit(&file.bytes);
    return file;
}

// Each program without one of its waits. Where others are without order, too, a race that is
// reported may be one of theirs.
HOIST_TEST(a_wait_left_out_is_a_race)
{
    verdicts v = {0};
    for (size_t i = 1; i <= HOIST_TEST_ROUNDS(programs); i++) {
        const size_t waits = counts_of(i).waits;
        if (waits) {
            const neff_program_options options = {.seed = i, .leave_out = 1 + i % waits};
            hoist_test_row(t, hoist_arena_format(&t->arena, "seed %zu", i).data);
            try_without(t, &options, "NEFF-075a", &v);
        }
    }
    if (v.bad * 100 < v.tried * 99 || v.named * 100 < v.only * 99 || v.only * 4 < v.tried) {
        hoist_test_fail(t, __FILE__, __LINE__, "%zu of %zu are bad, %zu of %zu pairs named", v.bad,
                        v.tried, v.named, v.only);
    }
}

HOIST_TEST(a_signal_left_out_is_a_deadlock)
{
    verdicts v = {0};
    for (size_t i = 1; i <= HOIST_TEST_ROUNDS(programs); i++) {
        const size_t signals = counts_of(i).signals;
        if (signals) {
            const neff_program_options options = {.seed = i, .leave_signal = 1 + i % signals};
            hoist_test_row(t, hoist_arena_format(&t->arena, "seed %zu", i).data);
            try_without(t, &options, "NEFF-072a", &v);
        }
    }
    HOIST_EXPECT_EQ(t, v.bad, v.tried);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {HOIST_TEST_ROW(synchronised_programs_are_clean),
                                       HOIST_TEST_ROW(a_wait_left_out_is_a_race),
                                       HOIST_TEST_ROW(a_signal_left_out_is_a_deadlock)};
    programs = count > 1 ? strtoul(arguments[1], NULL, 10) : programs;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return hoist_test_exit_status(failed, HOIST_COUNT_OF(tests));
}
