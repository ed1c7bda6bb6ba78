// NEFFs through the public headers alone: which file a finding is in, opaque steps and callbacks,
// inputs that nobody has written.
#include <stdio.h>
#include <string.h>

#include "hoist/hoist.h"

#include "base/span.h"
#include "testing/test.h"

#define COPY "PSEUDO_DMA_TRIGGER q block_id=0;\nEVENT_SEMAPHORE $S[1]>=1;\n"
#define END "PSEUDO_INST EXIT;\n"

static hoist_status add_variable(hoist_neff *neff, const char *name, const char *type)
{
    const hoist_neff_variable v = {
        .struct_size = sizeof v, .name = name, .type = type, .size = 16, .dtype = "float32"};
    return hoist_neff_add_variable(neff, 0, &v);
}

// x is copied to y; `text` is the stream of the engine that releases it.
static hoist_status fill(hoist_neff *neff, const char *text, hoist_diag *diag)
{
    const hoist_neff_ints sizes = {(const int64_t[]){16}, 1};
    const hoist_neff_ints steps = {(const int64_t[]){1}, 1};
    const hoist_neff_pattern x = {.variable = "x", .sizes = sizes, .steps = steps};
    const hoist_neff_pattern y = {.variable = "y", .sizes = sizes, .steps = steps};
    const hoist_neff_desc desc = {.struct_size = sizeof desc, .from = &x, .from_count = 1, .to = y};
    const hoist_neff_queue_set queue = {.struct_size = sizeof queue,
                                        .name = "q",
                                        .type = "data",
                                        .owner = "act",
                                        .has_semaphore = true,
                                        .semaphore = 1};
    const hoist_neff_block block = {
        .struct_size = sizeof block, .queue = "q", .desc = &desc, .desc_count = 1};
    HOIST_TRY(hoist_neff_add_subgraph(neff, NULL));
    HOIST_TRY(add_variable(neff, "x", "input"));
    HOIST_TRY(add_variable(neff, "y", "output"));
    HOIST_TRY(hoist_neff_add_queue_set(neff, 0, &queue));
    HOIST_TRY(hoist_neff_add_block(neff, 0, HOIST_NEFF_ACT, &block));
    return hoist_neff_add_code(neff, 0, HOIST_NEFF_ACT, text, diag);
}

// A job of one file.
static hoist_job *open_file(hoist_test *t, const char *name, const char *text)
{
    hoist_neff *neff = NULL;
    hoist_job *job = NULL;
    hoist_bytes bytes;
    HOIST_EXPECT_EQ(t, hoist_neff_create(NULL, &neff), HOIST_OK);
    HOIST_EXPECT_EQ(t, fill(neff, text, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_neff_finish(neff, t->diag, &bytes), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, name, NULL, t->diag, &job), HOIST_OK);
    hoist_neff_destroy(neff);
    return job;
}

static hoist_program *lower_as(hoist_test *t, hoist_job *job, hoist_unknown on_unknown)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .on_unknown = on_unknown};
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_lower(job, &options, t->diag, &program), HOIST_OK);
    return program;
}

static hoist_status write_ones(hoist_session *session, const char *name)
{
    static const float ones[4] = {1, 1, 1, 1};
    return hoist_session_write(session, name, 0, HOIST_DTYPE_F32,
                               (hoist_bytes){(const uint8_t *)ones, sizeof ones});
}

static hoist_status run(hoist_session *session)
{
    HOIST_TRY(hoist_session_run(session, "run", NULL, 0));
    return hoist_session_wait_idle(session, 10);
}

// The only error of `diag`; NULL and a failed test when there is another number of them.
static const hoist_finding *only_error(hoist_test *t, const hoist_diag *diag)
{
    const hoist_finding *found = NULL;
    HOIST_EXPECT_EQ(t, hoist_diag_count(diag, HOIST_ERROR), 1);
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *f = hoist_diag_at(diag, i);
        found = f->severity == HOIST_ERROR ? f : found;
    }
    return hoist_diag_count(diag, HOIST_ERROR) == 1 ? found : NULL;
}

// Files of findings -----------------------------------------------------------------------------

static const char good[] = COPY END;
static const char dead[] = "EVENT_SEMAPHORE $S[9]>=2;\n" END;
static const char later_dead[] = "EVENT_SEMAPHORE $S[9]++@complete;\n"
                                 "EVENT_SEMAPHORE $S[9]>=2;\n" END;

// A run of the first and second file as two ranks.
static const struct {
    const char *name;
    const char *texts[2];
    const char *file; // of the finding
    const char *object;
} pairs[] = {
    {"the first waits for ever", {dead, good}, "a.neff", "record 0"},
    {"the second waits for ever", {good, dead}, "b.neff", "record 0"},
    {"the second, in its second record", {good, later_dead}, "b.neff", "record 1"},
};

HOIST_TEST_TABLE(findings_of_runs_are_in_their_files, pairs)
{
    hoist_diag *fresh = NULL;
    hoist_session *session = NULL;
    hoist_job *job = open_file(t, "a.neff", row->texts[0]);
    hoist_job *other = open_file(t, "b.neff", row->texts[1]);
    HOIST_EXPECT_EQ(t, hoist_job_add(job, other, t->diag), HOIST_OK);
    hoist_program *program = lower_as(t, job, HOIST_UNKNOWN_STOP);
    hoist_job_close(job);
    hoist_job *later = open_file(t, "later.neff", good);
    HOIST_EXPECT_EQ(t, hoist_session_open(program, NULL, t->diag, &session), HOIST_OK);
    HOIST_EXPECT_EQ(t, write_ones(session, "rank0/x"), HOIST_OK);
    HOIST_EXPECT_EQ(t, write_ones(session, "rank1/x"), HOIST_OK);
    HOIST_EXPECT_EQ(t, run(session), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &fresh), HOIST_OK);
    hoist_session_report(session, fresh);
    const hoist_finding *f = only_error(t, fresh);
    if (f) {
        HOIST_EXPECT_STR(t, f->file, row->file);
        HOIST_EXPECT_STR(t, f->member, "sg00/act.bin");
        HOIST_EXPECT_STR(t, f->object, row->object);
        HOIST_EXPECT_EQ(t, f->loc.source, 0);
    }
    hoist_diag_destroy(fresh);
    hoist_session_close(session);
    hoist_job_close(later);
    hoist_program_destroy(program);
}

HOIST_TEST(jobs_of_several_files_are_not_added)
{
    hoist_job *job = open_file(t, "a.neff", good);
    hoist_job *two = open_file(t, "b.neff", good);
    hoist_job *second = open_file(t, "c.neff", good);
    HOIST_EXPECT_EQ(t, hoist_job_add(two, second, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_job_add(job, two, t->diag), HOIST_INVALID);
    const hoist_finding *f = only_error(t, t->diag);
    if (f) {
        HOIST_EXPECT_STR(t, f->file, "b.neff");
        HOIST_EXPECT_STR(t, f->message, "a job of 2 files is added to a job, expected one file");
    }
    hoist_job_close(two);
    hoist_job_close(job);
}

// The two ways to look at one instruction name it alike.
HOIST_TEST(check_and_run_name_one_object)
{
    hoist_job *job = open_file(t, "a.neff", dead);
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, "NEFF-072a");
    const hoist_finding *f = hoist_diag_at(t->diag, hoist_diag_kept(t->diag) - 1);
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        f = hoist_diag_at(t->diag, i)->severity == HOIST_ERROR ? hoist_diag_at(t->diag, i) : f;
    }
    HOIST_EXPECT_STR(t, f->file, "a.neff");
    HOIST_EXPECT_STR(t, f->object, "record 0");
    hoist_job_close(job);
}

// What these find is in no file that the diag has seen.
HOIST_TEST(calls_without_a_file_name_none)
{
    static const uint8_t array[] = "\x93NUMPY\x01\x00\x05\x00{'a'}";
    const hoist_part part = {.path = HOIST_STR("../x")};
    hoist_job *job = open_file(t, "a.neff", good);
    hoist_neff *neff = NULL;
    hoist_mut_bytes packed = {NULL, 0};
    hoist_array out;
    HOIST_EXPECT_EQ(t, hoist_job_check(job, NULL), HOIST_OK);
    const size_t before = hoist_diag_kept(t->diag);
    HOIST_EXPECT_EQ(t,
                    hoist_npy_read((hoist_bytes){array, sizeof array - 1}, hoist_allocator_system(),
                                   t->diag, &out),
                    HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_neff_create(NULL, &neff), HOIST_OK);
    HOIST_EXPECT_EQ(t, fill(neff, "FOO;\n", t->diag), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, hoist_pack(&part, 1, NULL, t->diag, &packed), HOIST_INVALID);
    HOIST_EXPECT(t, hoist_diag_kept(t->diag) > before + 2);
    for (size_t i = before; i < hoist_diag_kept(t->diag); i++) {
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, i)->file, "");
    }
    hoist_neff_destroy(neff);
    hoist_job_close(job);
}

// Opaque steps ----------------------------------------------------------------------------------

#define COMPUTE COPY "ACTIVATE {0c: 01 02};\n" END

typedef struct callee {
    hoist_status answer;
    int calls;
} callee;

static hoist_status called(void *self, const hoist_opaque_step *step)
{
    callee *c = self;
    c->calls += hoist_str_equal_c(step->name, "ACTIVATE") && step->write_count == 2 &&
                hoist_str_equal_c(step->file, "a.neff") &&
                hoist_str_equal_c(step->member, "sg00/act.bin") && step->loc.offset == 128 &&
                step->loc.source == 0;
    return c->answer;
}

static const struct {
    const char *name;
    hoist_unknown lowered, session;
    bool has_callback;
    hoist_status answer;
    hoist_status wanted;
    int calls;
} policies[] = {
    {"skip, executed", HOIST_UNKNOWN_SKIP, HOIST_UNKNOWN_STOP, true, HOIST_OK, HOIST_OK, 1},
    {"skip, declined", HOIST_UNKNOWN_SKIP, HOIST_UNKNOWN_STOP, true, HOIST_UNSUPPORTED, HOIST_OK,
     1},
    {"skip, fails", HOIST_UNKNOWN_SKIP, HOIST_UNKNOWN_STOP, true, HOIST_IO, HOIST_IO, 1},
    {"skip, nobody", HOIST_UNKNOWN_SKIP, HOIST_UNKNOWN_STOP, false, HOIST_OK, HOIST_OK, 0},
    {"skip, nobody, poison", HOIST_UNKNOWN_SKIP, HOIST_UNKNOWN_POISON, false, HOIST_OK, HOIST_OK,
     0},
    {"poison, executed", HOIST_UNKNOWN_POISON, HOIST_UNKNOWN_STOP, true, HOIST_OK, HOIST_OK, 1},
    {"poison, declined", HOIST_UNKNOWN_POISON, HOIST_UNKNOWN_STOP, true, HOIST_UNSUPPORTED,
     HOIST_UNSUPPORTED, 1},
    {"poison, nobody", HOIST_UNKNOWN_POISON, HOIST_UNKNOWN_STOP, false, HOIST_OK, HOIST_UNSUPPORTED,
     0},
    {"poison, nobody, skip", HOIST_UNKNOWN_POISON, HOIST_UNKNOWN_SKIP, false, HOIST_OK, HOIST_OK,
     0},
};

HOIST_TEST_TABLE(callbacks_see_what_was_not_refused, policies)
{
    callee c = {.answer = row->answer};
    const hoist_session_options options = {.struct_size = sizeof options,
                                           .on_unknown = row->session,
                                           .on_opaque = row->has_callback ? called : NULL,
                                           .on_opaque_self = &c};
    hoist_session *session = NULL;
    hoist_job *job = open_file(t, "a.neff", COMPUTE);
    hoist_program *program = lower_as(t, job, row->lowered);
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    HOIST_EXPECT_EQ(t, write_ones(session, "x"), HOIST_OK);
    HOIST_EXPECT_EQ(t, run(session), row->wanted);
    HOIST_EXPECT_EQ(t, c.calls, row->calls);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), row->wanted != HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_str_contains(hoist_test_findings(t), "step 'ACTIVATE' of 'act'"),
                    row->wanted != HOIST_OK);
    hoist_session_close(session);
    hoist_program_destroy(program);
    hoist_job_close(job);
}

// Inputs ----------------------------------------------------------------------------------------

HOIST_TEST(inputs_are_written_before_a_run)
{
    hoist_session *session = NULL;
    hoist_job *job = open_file(t, "a.neff", good);
    hoist_program *program = lower_as(t, job, HOIST_UNKNOWN_STOP);
    HOIST_EXPECT_EQ(t, hoist_session_open(program, NULL, t->diag, &session), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_run(session, "run", NULL, 0), HOIST_NOT_FOUND);
    hoist_session_report(session, t->diag);
    HOIST_EXPECT_RULE(t, "RUN-108");
    const hoist_finding *f = only_error(t, t->diag);
    if (f) {
        HOIST_EXPECT_STR(t, f->file, "a.neff");
        HOIST_EXPECT_STR(t, f->member, "sg00/def.json");
        HOIST_EXPECT_STR(t, f->message, "input 'x' was never written, expected its 16 bytes");
    }
    // Then it is there for this run and the next.
    HOIST_EXPECT_EQ(t, write_ones(session, "x"), HOIST_OK);
    for (int i = 0; i < 2; i++) {
        float y[4] = {0};
        HOIST_EXPECT_EQ(t, run(session), HOIST_OK);
        HOIST_EXPECT_EQ(t,
                        hoist_session_read(session, "y", 0, HOIST_DTYPE_F32,
                                           (hoist_mut_bytes){(uint8_t *)y, sizeof y}),
                        HOIST_OK);
        HOIST_EXPECT(t, y[3] == 1);
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
    hoist_job_close(job);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(findings_of_runs_are_in_their_files),
                HOIST_TEST_ROW(jobs_of_several_files_are_not_added),
                HOIST_TEST_ROW(check_and_run_name_one_object),
                HOIST_TEST_ROW(calls_without_a_file_name_none),
                HOIST_TEST_ROW(callbacks_see_what_was_not_refused),
                HOIST_TEST_ROW(inputs_are_written_before_a_run))
