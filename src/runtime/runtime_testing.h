// runtime/runtime_testing.h - for tests: programs from text and sessions over them.
#ifndef HOIST_SRC_RUNTIME_RUNTIME_TESTING_H
#define HOIST_SRC_RUNTIME_RUNTIME_TESTING_H

#include "runtime/session.h"
#include "testing/test.h"

// The program of `text`, which must read and verify; NULL and a failed test otherwise. Owned by the
// caller: hoist_program_destroy.
hoist_program *runtime_program(hoist_test *t, const char *text);
// The example program `name` of examples/programs.
hoist_program *runtime_example(hoist_test *t, const char *name);

// How a session works.
typedef struct runtime_mode {
    const char *name;
    uint32_t threads;
    bool sequential;
} runtime_mode;
#define RUNTIME_MODES                                                                              \
    {                                                                                              \
        {"one worker", 1, false}, {"two workers", 2, false}, {"four workers", 4, false},           \
            {"sequential", 0, true},                                                               \
    }

// A session that must open. Owned by the caller: hoist_session_close.
hoist_session *runtime_open(hoist_test *t, const hoist_program *program, const runtime_mode *mode);

// Runs `entry` without parameters to its end; how it ended.
hoist_status runtime_run(hoist_session *session, const char *entry);

// Bytes of an entry of a port, as the host has it.
size_t runtime_port_size(const hoist_port *port);
// Writes bytes that follow from the seed to slot 0 of an input.
void runtime_write_noise(hoist_test *t, hoist_session *session, const hoist_port *port,
                         uint64_t seed);

#endif // HOIST_SRC_RUNTIME_RUNTIME_TESTING_H
