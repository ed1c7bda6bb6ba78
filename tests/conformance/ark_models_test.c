// Random ARK jobs (testing/ark_generator.h), run by the library and by a slow evaluator of the
// reference (testing/ark_eval.h): every byte of every buffer is one that the evaluator allows. The
// default plan of a model gives the bits of the model, every worker count and schedule the same;
// what is written reads back as the same, in each dialect.
//
//     ark_models_test [MODELS [FIRST_SEED]]
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hoist/load.h"
#include "hoist/runtime.h"

#include "base/diag.h"
#include "base/span.h"
#include "formats/ark/ark.h"
#include "testing/ark_eval.h"
#include "testing/ark_generator.h"
#include "testing/test.h"

static size_t models = 60;
static size_t first_seed = 1;

// A seed with all that is made of it.
typedef struct trial {
    hoist_test *t;
    uint64_t seed;
    hoist_arena arena;
    hoist_diag *diag;
    ark_gen_job job;
} trial;

// Bytes after a run, by rank and number of the buffer.
typedef struct memory {
    uint8_t *bytes[ARK_GEN_MAX_RANKS][256];
    size_t sizes[ARK_GEN_MAX_RANKS][256];
} memory;

static void complain(trial *r, const char *what)
{
    const hoist_finding *error = NULL;
    for (size_t i = 0; i < hoist_diag_kept(r->diag) && !error; i++) {
        const hoist_finding *const f = hoist_diag_at(r->diag, i);
        error = f->severity == HOIST_ERROR ? f : NULL;
    }
    hoist_test_fail(r->t, __FILE__, __LINE__, "seed %" PRIu64 ": %s%s%s %.*s at %.*s", r->seed,
                    what, error ? ": " : "", error ? error->rule->id : "",
                    HOIST_STR_ARGS(error ? error->message : HOIST_STR("")),
                    HOIST_STR_ARGS(error ? error->object : HOIST_STR("")));
}

// Jobs -------------------------------------------------------------------------------------------

// The files of all ranks as a job; NULL: they cannot be opened.
static hoist_job *open_job(trial *r, const hoist_str *texts)
{
    const hoist_open_options options = {.struct_size = sizeof options, .format = "ark"};
    hoist_job *first = NULL;
    for (size_t i = 0; i < r->job.count; i++) {
        hoist_job *job = NULL;
        const hoist_bytes bytes = {(const uint8_t *)texts[i].data, texts[i].size};
        if (hoist_job_open_bytes(bytes, "model.json", &options, r->diag, &job) != HOIST_OK) {
            complain(r, "not opened");
            hoist_job_close(first);
            return NULL;
        }
        if (!first) {
            first = job;
        } else if (hoist_job_add(first, job, r->diag) != HOIST_OK) {
            complain(r, "not added");
            hoist_job_close(job);
        }
    }
    return first;
}

static hoist_program *lower(trial *r, const hoist_str *texts)
{
    hoist_program *program = NULL;
    hoist_job *const job = open_job(r, texts);
    if (job && hoist_job_lower(job, NULL, r->diag, &program) != HOIST_OK) {
        complain(r, "not lowered");
    }
    hoist_job_close(job);
    return program;
}

// Another text of a file: of a dialect, or its plan (NULL). Data NULL: there is none.
static hoist_str rewritten(trial *r, hoist_str text, const char *dialect)
{
    const hoist_open_options options = {.struct_size = sizeof options, .format = "ark"};
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    hoist_job *job = NULL;
    hoist_mut_bytes out = {NULL, 0};
    hoist_str copy = {NULL, 0};
    if (hoist_job_open_bytes(bytes, "model.json", &options, r->diag, &job) == HOIST_OK) {
        const hoist_status status = dialect ? hoist_job_convert(job, dialect, r->diag, &out)
                                            : hoist_job_plan(job, NULL, r->diag, &out);
        if (status == HOIST_OK) {
            copy = hoist_arena_str(&r->arena, (hoist_str){(const char *)out.data, out.size});
            hoist_job_free_text(job, out);
        }
    }
    if (!copy.data) {
        complain(r, dialect ? "not converted" : "not planned");
    }
    hoist_job_close(job);
    return copy;
}

// Runs -------------------------------------------------------------------------------------------

static hoist_str port_name(trial *r, size_t rank, const ark_gen_memory *m)
{
    return r->job.count > 1 ? hoist_arena_format(&r->arena, "rank%zu/buffer:%" PRId64, rank, m->id)
                            : hoist_arena_format(&r->arena, "buffer:%" PRId64, m->id);
}

// The port of a buffer; false: the file has no operator that needs it.
static bool find_port(trial *r, const hoist_program *program, size_t rank, const ark_gen_memory *m,
                      hoist_port *out_port)
{
    size_t index = 0;
    const bool found = hoist_program_find_port(program, port_name(r, rank, m), &index);
    if (found) {
        *out_port = hoist_program_port(program, index);
    }
    return found;
}

static size_t port_bytes(const hoist_port *port)
{
    return (size_t)port->shape[0] *
           (port->dtype == HOIST_DTYPE_F32 || port->dtype == HOIST_DTYPE_I32 ||
                    port->dtype == HOIST_DTYPE_U32
                ? 4
            : port->dtype == HOIST_DTYPE_F16 || port->dtype == HOIST_DTYPE_BF16 ? 2
                                                                                : 1);
}

static void transfer(trial *r, const hoist_program *program, hoist_session *session, memory *out)
{
    for (size_t rank = 0; rank < r->job.count; rank++) {
        const ark_gen_file *const file = &r->job.files[rank];
        for (size_t i = 0; i < file->memory_count; i++) {
            hoist_port port;
            if (!find_port(r, program, rank, &file->memories[i], &port)) {
                continue;
            }
            const size_t size = port_bytes(&port);
            if (out) {
                out->sizes[rank][i] = size;
                out->bytes[rank][i] = hoist_arena_alloc(&r->arena, size);
                HOIST_EXPECT_EQ(
                    r->t,
                    hoist_session_read(session, port_name(r, rank, &file->memories[i]).data, 0,
                                       port.dtype, (hoist_mut_bytes){out->bytes[rank][i], size}),
                    HOIST_OK);
            } else {
                hoist_bytes bytes = ark_gen_bytes(&file->memories[i], r->seed, &r->arena);
                bytes.size = size;
                HOIST_EXPECT_EQ(r->t,
                                hoist_session_write(session,
                                                    port_name(r, rank, &file->memories[i]).data, 0,
                                                    port.dtype, bytes),
                                HOIST_OK);
            }
        }
    }
}

static bool run(trial *r, const hoist_str *texts, const hoist_session_options *options, memory *out)
{
    hoist_session *session = NULL;
    hoist_program *const program = lower(r, texts);
    bool is_done = false;
    memset(out, 0, sizeof *out);
    if (program && hoist_session_open(program, options, r->diag, &session) == HOIST_OK) {
        transfer(r, program, session, NULL);
        is_done = hoist_session_run(session, "run", NULL, 0) == HOIST_OK &&
                  hoist_session_wait_idle(session, 60) == HOIST_OK;
        hoist_session_report(session, r->diag);
        transfer(r, program, session, out);
    }
    if (!is_done) {
        complain(r, "not run");
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
    return is_done;
}

static hoist_session_options options_of(uint64_t seed)
{
    hoist_session_options options = {.struct_size = sizeof options, .sequential = true};
    options.seed = seed;
    switch (seed % 8) {
    case 0:
        options.sequential = false;
        options.threads = 2;
        break;
    case 1:
        options.schedule = HOIST_RUN_RANDOM;
        break;
    case 2:
        options.schedule = HOIST_RUN_ADVERSARIAL;
        break;
    default:
        break;
    }
    return options;
}

// Comparison -------------------------------------------------------------------------------------

static size_t bytes_seen;
static size_t bytes_open;

static void compare(trial *r, const ark_eval *eval, const memory *found)
{
    for (size_t rank = 0; rank < r->job.count; rank++) {
        const ark_gen_file *const file = &r->job.files[rank];
        for (size_t i = 0; i < file->memory_count; i++) {
            const ark_eval_memory *const m = ark_eval_find(eval, rank, file->memories[i].id);
            size_t open = 0;
            if (!m || m->size != found->sizes[rank][i]) {
                HOIST_EXPECT(r->t, !m && !found->sizes[rank][i]);
                continue;
            }
            const size_t at =
                ark_eval_differs(m, (hoist_bytes){found->bytes[rank][i], m->size}, &open);
            bytes_seen += m->size;
            bytes_open += open;
            if (at != SIZE_MAX) {
                const ark_dtype dtype = (ark_dtype)m->types[at];
                ark_eval_number e = ark_eval_load(dtype, m->bytes + at);
                const ark_eval_number f = ark_eval_load(dtype, found->bytes[rank][i] + at);
                hoist_test_fail(
                    r->t, __FILE__, __LINE__,
                    "seed %" PRIu64 ", rank %zu: buffer %" PRId64 " at byte %zu, %s: %.9g (%" PRId64
                    "), expected %.9g (%" PRId64 ") within %.3g",
                    r->seed, rank, m->id, at, hoist_rec_word_name(&ark_dtypes, (int)dtype), f.real,
                    f.integer, e.real, e.integer, m->errors[at]);
            }
        }
    }
}

static void fill(trial *r, ark_eval *eval)
{
    for (size_t rank = 0; rank < r->job.count; rank++) {
        const ark_gen_file *const file = &r->job.files[rank];
        for (size_t i = 0; i < file->memory_count; i++) {
            ark_eval_memory *const m = ark_eval_find(eval, rank, file->memories[i].id);
            if (m) {
                hoist_bytes bytes = ark_gen_bytes(&file->memories[i], r->seed, &r->arena);
                bytes.size = m->size;
                ark_eval_fill(m, file->memories[i].dtype, bytes);
            }
        }
    }
}

static void evaluate(trial *r, const hoist_str *texts, const memory *found)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *modules[ARK_GEN_MAX_RANKS] = {NULL};
    const ark_module *typed[ARK_GEN_MAX_RANKS] = {NULL};
    bool is_read = true;
    for (size_t i = 0; i < r->job.count; i++) {
        const hoist_bytes bytes = {(const uint8_t *)texts[i].data, texts[i].size};
        is_read = ark_read(bytes, &options, r->diag, &modules[i]) == HOIST_OK && is_read;
        typed[i] = ark_module_of(modules[i]);
    }
    HOIST_EXPECT(r->t, is_read);
    if (is_read) {
        ark_eval eval;
        ark_eval_init(&eval, &r->arena, typed, r->job.count);
        fill(r, &eval);
        const char *const why = ark_eval_run(&eval);
        if (why) {
            complain(r, why);
        } else {
            compare(r, &eval, found);
        }
    }
    for (size_t i = 0; i < r->job.count; i++) {
        ark_destroy(modules[i]);
    }
}

// A plan has no operators without computation, so some memory may be smaller, or missing.
static void compare_plan(trial *r, const memory *model, const hoist_session_options *options)
{
    hoist_str plans[ARK_GEN_MAX_RANKS] = {{0}};
    memory found;
    for (size_t i = 0; i < r->job.count; i++) {
        plans[i] = rewritten(r, r->job.files[i].text, NULL);
        if (!plans[i].data) {
            return;
        }
    }
    if (!run(r, plans, options, &found)) {
        return;
    }
    for (size_t rank = 0; rank < r->job.count; rank++) {
        for (size_t i = 0; i < r->job.files[rank].memory_count; i++) {
            const size_t size = found.sizes[rank][i];
            if (size > model->sizes[rank][i] ||
                (size && memcmp(found.bytes[rank][i], model->bytes[rank][i], size) != 0)) {
                hoist_test_fail(r->t, __FILE__, __LINE__,
                                "seed %" PRIu64 ", rank %zu: buffer %" PRId64
                                " of the plan is not that of the model",
                                r->seed, rank, r->job.files[rank].memories[i].id);
            }
        }
    }
}

// The text of a file in D3 is that of the same file after it was written in another dialect.
static void compare_dialects(trial *r)
{
    static const char *const dialects[] = {"d1", "d2", "d3"};
    for (size_t i = 0; i < r->job.count; i++) {
        const hoist_str own = rewritten(r, r->job.files[i].text, "d3");
        for (size_t k = 0; own.data && k < HOIST_COUNT_OF(dialects); k++) {
            const hoist_str other = rewritten(r, r->job.files[i].text, dialects[k]);
            const hoist_str back = other.data ? rewritten(r, other, "d3") : other;
            if (back.data && !hoist_str_equal(back, own)) {
                hoist_test_fail(r->t, __FILE__, __LINE__,
                                "seed %" PRIu64 ", rank %zu: other after %s", r->seed, i,
                                dialects[k]);
            }
        }
    }
}

static void compare_writing(trial *r)
{
    const hoist_str *text = &r->job.files[0].text;
    hoist_mut_bytes once;
    hoist_mut_bytes twice;
    hoist_job *const job = open_job(r, (const hoist_str[]){*text, *text, *text, *text});
    if (job && hoist_job_write(job, &once) == HOIST_OK) {
        const hoist_str written = {(const char *)once.data, once.size};
        hoist_job *const again =
            open_job(r, (const hoist_str[]){written, written, written, written});
        if (again && hoist_job_write(again, &twice) == HOIST_OK) {
            HOIST_EXPECT(r->t,
                         once.size == twice.size && memcmp(once.data, twice.data, once.size) == 0);
            hoist_job_free_text(again, twice);
        }
        hoist_job_close(again);
        hoist_job_free_text(job, once);
    }
    hoist_job_close(job);
}

// Seeds ------------------------------------------------------------------------------------------

static bool has_type[ARK_OP_TYPE_COUNT];
static bool has_dtype[ARK_DTYPE_COUNT];
static bool has_rank[4];

static void note(const ark_gen_job *job)
{
    for (size_t i = 0; i < ARK_OP_TYPE_COUNT; i++) {
        has_type[i] = has_type[i] || job->has_type[i];
    }
    for (size_t i = 0; i < ARK_DTYPE_COUNT; i++) {
        has_dtype[i] = has_dtype[i] || job->has_dtype[i];
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(has_rank); i++) {
        has_rank[i] = has_rank[i] || job->has_rank[i];
    }
}

static void check_trial(trial *r)
{
    hoist_str texts[ARK_GEN_MAX_RANKS] = {{0}};
    memory found;
    const hoist_session_options options = options_of(r->seed);
    const char *const dialect = r->seed % 4 == 0 ? "d1" : r->seed % 4 == 1 ? "d2" : NULL;
    for (size_t i = 0; i < r->job.count; i++) {
        texts[i] = dialect ? rewritten(r, r->job.files[i].text, dialect) : r->job.files[i].text;
        if (!texts[i].data) {
            return;
        }
    }
    if (run(r, texts, &options, &found)) {
        evaluate(r, texts, &found);
        compare_plan(r, &found, &options);
    }
    compare_dialects(r);
    compare_writing(r);
}

HOIST_TEST(models_run_as_the_reference_says)
{
    for (size_t i = 0; i < HOIST_TEST_ROUNDS(models); i++) {
        trial r = {.t = t, .seed = first_seed + i};
        hoist_arena_init(&r.arena, hoist_allocator_system());
        HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), NULL, &r.diag), HOIST_OK);
        ark_gen_make(r.seed, &r.arena, &r.job);
        note(&r.job);
        check_trial(&r);
        hoist_diag_destroy(r.diag);
        hoist_arena_deinit(&r.arena);
    }
    // Where nothing is known there is no comparison; that is the exception.
    if (bytes_open * 10 > bytes_seen) {
        hoist_test_fail(t, __FILE__, __LINE__, "%zu of %zu bytes are not compared", bytes_open,
                        bytes_seen);
    }
}

static bool is_all_there(void)
{
    bool all = true;
    for (size_t i = 0; i < ARK_OP_TYPE_COUNT; i++) {
        all = all && has_type[i];
    }
    return all;
}

HOIST_TEST(all_that_models_have_is_made)
{
    enum { MOST_SEEDS = 1000 };
    for (uint64_t seed = 0; seed < MOST_SEEDS && !is_all_there(); seed++) {
        hoist_arena arena;
        ark_gen_job job;
        hoist_arena_init(&arena, hoist_allocator_system());
        ark_gen_make(seed, &arena, &job);
        note(&job);
        hoist_arena_deinit(&arena);
    }
    for (size_t i = 0; i < ARK_OP_TYPE_COUNT; i++) {
        if (!has_type[i]) {
            hoist_test_fail(t, __FILE__, __LINE__, "no model has a %s",
                            hoist_rec_word_name(&ark_op_types, (int)i));
        }
    }
    for (size_t i = 0; i < ARK_DTYPE_COUNT; i++) {
        HOIST_EXPECT(t, has_dtype[i]);
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(has_rank); i++) {
        HOIST_EXPECT(t, has_rank[i]);
    }
}

// Prints the files of a seed.
static int print(uint64_t seed)
{
    hoist_arena arena;
    ark_gen_job job;
    hoist_arena_init(&arena, hoist_allocator_system());
    ark_gen_make(seed, &arena, &job);
    for (size_t i = 0; i < job.count; i++) {
        (void)fwrite(job.files[i].text.data, 1, job.files[i].text.size, stdout);
    }
    hoist_arena_deinit(&arena);
    return 0;
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {HOIST_TEST_ROW(models_run_as_the_reference_says),
                                       HOIST_TEST_ROW(all_that_models_have_is_made)};
    models = count > 1 ? strtoul(arguments[1], NULL, 10) : models;
    first_seed = count > 2 ? strtoul(arguments[2], NULL, 10) : first_seed;
    if (count > 1 && models == 0) {
        return print(first_seed);
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return hoist_test_exit_status(failed, HOIST_COUNT_OF(tests));
}
