// A whole netlist, a transformer layer, run by a session (push, run, wait, pop) against the same
// layer in plain C. Before anything is measured both must give the same bits.
//
// Argument: the netlist (default: the one of the source tree).
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hoist/load.h"
#include "hoist/runtime.h"

#include "base/span.h"
#include "bench/bench.h"
#include "bench/encoder_plain.h"
#include "os/cpu.h"

#define WANT 4

enum {
    ENTRIES = 8, // of a run: what the queues hold
    MICROBATCH = 2,
    ROUNDS = 7
};

typedef struct input {
    const char *name;
    float middle;
    float spread; // 0: a constant
} input;

// clang-format off
static const input inputs[HOIST_PLAIN_INPUT_COUNT] = {
    [HOIST_PLAIN_X]       = {"x",       0, 1},
    [HOIST_PLAIN_WQ]      = {"wq",      0, 0.15F},
    [HOIST_PLAIN_WK]      = {"wk",      0, 0.15F},
    [HOIST_PLAIN_WV]      = {"wv",      0, 0.15F},
    [HOIST_PLAIN_WO]      = {"wo",      0, 0.15F},
    [HOIST_PLAIN_W1]      = {"w1",      0, 0.15F},
    [HOIST_PLAIN_W2]      = {"w2",      0, 0.08F},
    [HOIST_PLAIN_BQ]      = {"bq",      0, 0.1F},
    [HOIST_PLAIN_BK]      = {"bk",      0, 0.1F},
    [HOIST_PLAIN_BV]      = {"bv",      0, 0.1F},
    [HOIST_PLAIN_BO]      = {"bo",      0, 0.1F},
    [HOIST_PLAIN_B1]      = {"b1",      0, 0.1F},
    [HOIST_PLAIN_B2]      = {"b2",      0, 0.1F},
    [HOIST_PLAIN_GAIN1]   = {"gain1",   1, 0.1F},
    [HOIST_PLAIN_OFFSET1] = {"offset1", 0, 0.1F},
    [HOIST_PLAIN_GAIN2]   = {"gain2",   1, 0.1F},
    [HOIST_PLAIN_OFFSET2] = {"offset2", 0, 0.1F},
    [HOIST_PLAIN_MEAN]    = {"mean",    1.0F / 128, 0},
    [HOIST_PLAIN_ONES]    = {"ones",    1, 0},
    [HOIST_PLAIN_SCALE]   = {"scale",   0.17677669F, 0},
    [HOIST_PLAIN_EPSILON] = {"epsilon", 1.0F / 1024, 0},
};
// clang-format on

typedef struct encoder {
    hoist_program *program;
    hoist_session *session;
    hoist_plain_push_fn *plain_push;
    hoist_plain_encode_fn *plain_encode;
    float *given[HOIST_PLAIN_INPUT_COUNT];   // to hoist; of x all entries
    float *rounded[HOIST_PLAIN_INPUT_COUNT]; // to the plain code; of x one entry
    float ours[ENTRIES][HOIST_PLAIN_ELEMENTS];
    float theirs[ENTRIES][HOIST_PLAIN_ELEMENTS];
} encoder;

static void require(bool condition, const char *what)
{
    if (!condition) {
        (void)fprintf(stderr, "encoder_bench: %s failed\n", what);
        exit(1);
    }
}

static hoist_port port_of(const hoist_program *program, const char *name)
{
    for (size_t i = 0; i < hoist_program_port_count(program); i++) {
        const hoist_port port = hoist_program_port(program, i);
        if (hoist_str_equal(port.name, hoist_str_from(name))) {
            return port;
        }
    }
    require(false, name);
    return (hoist_port){.rank = 0};
}

static size_t elements_of(const hoist_port *port)
{
    size_t count = 1;
    for (uint32_t i = 0; i < port->rank; i++) {
        count *= (size_t)port->shape[i];
    }
    return count;
}

static bool is_block(const hoist_port *port)
{
    return port->dtype == HOIST_DTYPE_TT_BFP8B;
}

static float *make_values(const input *in, size_t count)
{
    static uint32_t state = 1;
    float *values = malloc(count * sizeof *values);
    require(values != NULL, "allocating");
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525U + 1013904223U;
        values[i] = in->middle + in->spread * ((float)(int32_t)state * 0x1p-31F);
    }
    return values;
}

// Weights stay: they are rounded once, and written to each session once.
static void make_inputs(encoder *j)
{
    for (size_t i = 0; i < HOIST_PLAIN_INPUT_COUNT; i++) {
        const hoist_port port = port_of(j->program, inputs[i].name);
        const size_t count = elements_of(&port);
        j->given[i] = make_values(&inputs[i], count * (i == HOIST_PLAIN_X ? ENTRIES : 1));
        j->rounded[i] = malloc(count * sizeof(float));
        require(j->rounded[i] != NULL, "allocating");
        hoist_plain_push(j->given[i], count, is_block(&port), j->rounded[i]);
    }
}

static void free_inputs(encoder *j)
{
    for (size_t i = 0; i < HOIST_PLAIN_INPUT_COUNT; i++) {
        free(j->given[i]);
        free(j->rounded[i]);
    }
}

static void open_session(encoder *j, uint32_t threads)
{
    const hoist_session_options options = {.struct_size = sizeof options, .threads = threads};
    require(hoist_session_open(j->program, &options, NULL, &j->session) == HOIST_OK, "opening");
    for (size_t i = HOIST_PLAIN_X + 1; i < HOIST_PLAIN_INPUT_COUNT; i++) {
        const hoist_port port = port_of(j->program, inputs[i].name);
        const hoist_bytes bytes = {(const uint8_t *)j->given[i],
                                   elements_of(&port) * sizeof(float)};
        require(hoist_session_write(j->session, inputs[i].name, 0, HOIST_DTYPE_F32, bytes) ==
                    HOIST_OK,
                inputs[i].name);
    }
}

static void run_session(void *self)
{
    encoder *j = self;
    static const hoist_parameter parameters[] = {
        {"p_loop_count", ENTRIES / MICROBATCH},
        {"p_microbatch_size", MICROBATCH},
    };
    for (size_t i = 0; i < ENTRIES; i++) {
        const float *x = j->given[HOIST_PLAIN_X] + i * HOIST_PLAIN_ELEMENTS;
        const hoist_bytes bytes = {(const uint8_t *)x, sizeof j->ours[i]};
        require(hoist_session_push(j->session, "x", HOIST_DTYPE_F32, bytes, 0) == HOIST_OK, "push");
    }
    require(hoist_session_run(j->session, "encode", parameters, HOIST_COUNT_OF(parameters)) ==
                HOIST_OK,
            "run");
    require(hoist_session_wait_idle(j->session, HOIST_FOREVER) == HOIST_OK, "the run");
    for (size_t i = 0; i < ENTRIES; i++) {
        const hoist_mut_bytes bytes = {(uint8_t *)j->ours[i], sizeof j->ours[i]};
        require(hoist_session_pop(j->session, "y", HOIST_DTYPE_F32, bytes, 0) == HOIST_OK, "pop");
    }
}

static void run_plain(void *self)
{
    encoder *j = self;
    for (size_t i = 0; i < ENTRIES; i++) {
        j->plain_push(j->given[HOIST_PLAIN_X] + i * HOIST_PLAIN_ELEMENTS, HOIST_PLAIN_ELEMENTS,
                      false, j->rounded[HOIST_PLAIN_X]);
        j->plain_encode((const float *const *)j->rounded, j->theirs[i]);
    }
}

// Twice, so that what a run leaves behind is seen too.
static void check_bits(encoder *j)
{
    run_plain(j);
    for (size_t i = 0; i < 2; i++) {
        memset(j->ours, 0xff, sizeof j->ours);
        run_session(j);
        require(memcmp(j->ours, j->theirs, sizeof j->ours) == 0, "the comparison, bit for bit,");
    }
}

static bool compare(encoder *j, const char *what, uint32_t threads, double want)
{
    open_session(j, threads);
    check_bits(j);
    const hoist_bench_pair pair = {.what = what,
                                   .ours = run_session,
                                   .theirs = run_plain,
                                   .self = j,
                                   .want = want,
                                   .rounds = ROUNDS,
                                   .wall = threads != 1};
    const bool reached = hoist_bench_compare(&pair);
    hoist_session_close(j->session);
    return reached;
}

static hoist_program *read_program(const char *path)
{
    hoist_job *job = NULL;
    hoist_program *program = NULL;
    require(hoist_job_open(path, NULL, NULL, &job) == HOIST_OK, path);
    require(hoist_job_lower(job, NULL, NULL, &program) == HOIST_OK, "lowering");
    hoist_job_close(job);
    return program;
}

int main(int argc, char **argv)
{
    static encoder j;
    j.program = read_program(argc > 1 ? argv[1] : HOIST_BENCH_NETLIST);
    make_inputs(&j);
    j.plain_push = hoist_plain_push;
    j.plain_encode = hoist_plain_encode;
    bool good = compare(&j, "encoder netlist, all threads, vs plain C", 0, WANT);
    good &= compare(&j, "encoder netlist, one thread, vs plain C", 1, WANT);
#ifdef HOIST_BENCH_V3
    if (hoist_cpu_detect() >= HOIST_CPU_X86_64_V3) {
        j.plain_push = hoist_plain_push_v3;
        j.plain_encode = hoist_plain_encode_v3;
        (void)compare(&j, "encoder netlist, all threads, vs plain C for x86-64-v3", 0, 0);
        (void)compare(&j, "encoder netlist, one thread, vs plain C for x86-64-v3", 1, 0);
    }
#endif
    free_inputs(&j);
    hoist_program_destroy(j.program);
    return good ? 0 : 1;
}
