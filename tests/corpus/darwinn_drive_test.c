// Compiled models through every driver: the same bytes as without one, for one inference and for
// three, in every schedule, and no order that the waits permit is wrong.
#include <stdio.h>
#include <string.h>

#include "hoist/load.h"
#include "hoist/runtime.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "edgetpu_testing.h"
#include "machine/order_testing.h"
#include "runtime/runtime_testing.h"

typedef struct figures {
    size_t models;  // that run
    size_t refused; // without a driver, so with one as well
    size_t runs;
    size_t bytes; // of outputs that were compared
} figures;

static const hoist_driver drivers[] = {HOIST_DRIVER_PCIE, HOIST_DRIVER_USB,
                                       HOIST_DRIVER_USB_NO_HINTS};

// How sessions work; large models are run by the first only.
static const hoist_session_options sessions[] = {
    {.struct_size = sizeof(hoist_session_options), .threads = 2},
    {.struct_size = sizeof(hoist_session_options), .schedule = HOIST_RUN_ADVERSARIAL},
    {.struct_size = sizeof(hoist_session_options), .schedule = HOIST_RUN_RANDOM, .seed = 3},
};

// Runs ------------------------------------------------------------------------------------------

static void read_output(hoist_test *t, hoist_session *s, const hoist_port *port, hoist_buffer *out)
{
    const size_t size = runtime_port_size(port);
    uint8_t *const bytes = hoist_alloc_zero(hoist_allocator_system(), size, 1);
    const hoist_str name = hoist_arena_str(&t->arena, port->name);
    HOIST_EXPECT_EQ(
        t, hoist_session_read(s, name.data, 0, port->host_dtype, (hoist_mut_bytes){bytes, size}),
        HOIST_OK);
    hoist_buffer_add(out, (hoist_bytes){bytes, size});
    hoist_free(hoist_allocator_system(), bytes, size);
}

// All outputs of a run on noise, one after the other.
static void run(hoist_test *t, const hoist_program *program, const hoist_session_options *options,
                hoist_buffer *out)
{
    hoist_session *s = NULL;
    HOIST_EXPECT_EQ(t, hoist_session_open(program, options, t->diag, &s), HOIST_OK);
    if (!s) {
        return;
    }
    const size_t count = hoist_program_port_count(program);
    for (size_t i = 0; i < count; i++) {
        const hoist_port port = hoist_program_port(program, i);
        if (port.input) {
            runtime_write_noise(t, s, &port, 11);
        }
    }
    HOIST_EXPECT_EQ(t, hoist_session_run(s, "run", NULL, 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(s, 300), HOIST_OK);
    for (size_t i = 0; i < count; i++) {
        const hoist_port port = hoist_program_port(program, i);
        if (port.output) {
            read_output(t, s, &port, out);
        }
    }
    hoist_session_close(s);
}

static hoist_program *lower(hoist_job *job, hoist_driver driver, uint32_t batch, hoist_diag *diag)
{
    const hoist_lower_options options = {
        .struct_size = sizeof options, .driver = driver, .batch = batch};
    hoist_program *program = NULL;
    return hoist_job_lower(job, &options, diag, &program) == HOIST_OK ? program : NULL;
}

static void compare(hoist_test *t, const hoist_program *program, hoist_bytes want,
                    size_t session_count, figures *f)
{
    for (size_t i = 0; i < session_count; i++) {
        hoist_buffer got;
        hoist_buffer_init(&got, hoist_allocator_system());
        run(t, program, &sessions[i], &got);
        HOIST_EXPECT(t, got.size == want.size && memcmp(got.data, want.data, want.size) == 0);
        f->runs++;
        f->bytes += got.size;
        hoist_buffer_deinit(&got);
    }
}

static void judge_batch(hoist_test *t, hoist_job *job, const hoist_program *plain, uint32_t batch,
                        figures *f)
{
    hoist_buffer want;
    hoist_buffer_init(&want, hoist_allocator_system());
    run(t, plain, &sessions[0], &want);
    for (size_t i = 0; i < HOIST_COUNT_OF(drivers); i++) {
        hoist_program *const program = lower(job, drivers[i], batch, t->diag);
        HOIST_EXPECT(t, program != NULL);
        if (program) {
            HOIST_EXPECT_EQ(t, order_verdict(t, program, 0), HOIST_VERDICT_CLEAN);
            compare(t, program, hoist_buffer_bytes(&want),
                    want.size < 20000 ? HOIST_COUNT_OF(sessions) : 1, f);
        }
        hoist_program_destroy(program);
    }
    hoist_buffer_deinit(&want);
}

static void judge_file(hoist_test *t, const char *path, void *self)
{
    figures *const f = self;
    const hoist_open_options open = {.struct_size = sizeof open};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open(path, &open, t->diag, &job), HOIST_OK);
    for (uint32_t batch = 1; job && batch <= 3; batch += 2) {
        hoist_program *const plain = lower(job, HOIST_DRIVER_NONE, batch, NULL);
        if (plain) {
            judge_batch(t, job, plain, batch, f);
        }
        f->models += plain && batch == 1;
        f->refused += !plain && batch == 1;
        hoist_program_destroy(plain);
    }
    hoist_job_close(job);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
}

HOIST_TEST(every_driver_gives_the_same)
{
    figures f = {0};
    if (!edgetpu_each_file(t, judge_file, &f)) {
        hoist_test_skip(t, "no compiled models here");
    }
    printf("%zu models, %zu that cannot be run, %zu runs with a driver, %zu bytes compared\n",
           f.models, f.refused, f.runs, f.bytes);
    HOIST_EXPECT(t, f.models >= 14);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(every_driver_gives_the_same))
