// What python_bench.py compares with: an empty program's run and wait, from C through the shared
// library. Prints the least microseconds of a run, of seven rounds.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "hoist/hoist.h"

enum { ROUNDS = 7, RUNS = 20000 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static hoist_status run(hoist_session *session)
{
    HOIST_TRY(hoist_session_run(session, "run", NULL, 0));
    return hoist_session_wait_idle(session, HOIST_FOREVER);
}

static hoist_status measure(hoist_session *session, double *out_least)
{
    *out_least = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const double begun = seconds();
        for (int i = 0; i < RUNS; i++) {
            HOIST_TRY(run(session));
        }
        const double each = (seconds() - begun) / RUNS;
        *out_least = round == 0 || each < *out_least ? each : *out_least;
    }
    return HOIST_OK;
}

int main(void)
{
    static const char text[] =
        "program empty\n\nthread main {\n}\n\nentry run {\n    start main\n}\n";
    const hoist_bytes bytes = {(const uint8_t *)text, strlen(text)};
    const hoist_session_options options = {.struct_size = sizeof options, .sequential = true};
    hoist_program *program = NULL;
    hoist_session *session = NULL;
    double least = 0;
    hoist_status status = hoist_program_read(bytes, NULL, NULL, &program);
    if (status == HOIST_OK) {
        status = hoist_session_open(program, &options, NULL, &session);
    }
    if (status == HOIST_OK) {
        status = measure(session, &least);
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
    (void)printf("%.4f\n", least * 1e6);
    return status == HOIST_OK ? 0 : 1;
}
