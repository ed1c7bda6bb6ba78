// For fuzz targets: a program in a small session with limits, its ports filled and emptied, its
// entries run.
#include "runtime/runtime_fuzz_testing.h"

#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"
#include "program/program.h"
#include "runtime/runtime_testing.h"
#include "testing/fuzz.h"

enum {
    MOST_PARAMETERS = 16,
    MOST_ENTRIES = 8, // pushed or popped of a queue, or slots of a ram
};

static const double FUZZ_SECONDS = 1;

// Something that is done to a queue, or to a slot of what is none.
typedef hoist_status port_action(hoist_session *session, const char *name, const hoist_port *port,
                                 uint32_t slot, hoist_mut_bytes entry);

static hoist_status fill(hoist_session *session, const char *name, const hoist_port *port,
                         uint32_t slot, hoist_mut_bytes entry)
{
    const hoist_bytes elements = {entry.data, entry.size};
    if (!port->input) {
        return HOIST_NOT_FOUND;
    }
    return port->is_queue ? hoist_session_push(session, name, port->host_dtype, elements, 0)
                          : hoist_session_write(session, name, slot, port->host_dtype, elements);
}

static hoist_status empty(hoist_session *session, const char *name, const hoist_port *port,
                          uint32_t slot, hoist_mut_bytes entry)
{
    return port->is_queue && port->output
               ? hoist_session_pop(session, name, port->host_dtype, entry, 0)
               : hoist_session_read(session, name, slot, port->host_dtype, entry);
}

static void for_each_port(const hoist_program *program, hoist_session *session, uint64_t most,
                          port_action *act)
{
    const hoist_allocator alloc = hoist_allocator_system();
    for (size_t i = 0; i < hoist_program_port_count(program); i++) {
        const hoist_port port = hoist_program_port(program, i);
        const size_t size = runtime_port_size(&port);
        fuzz_require(size <= most); // the session holds an entry of each
        char *name = hoist_alloc_zero(alloc, port.name.size + 1, 1);
        uint8_t *entry = hoist_alloc_zero(alloc, size + 1, 1);
        if (name && entry) {
            memcpy(name, port.name.data, port.name.size);
            for (uint32_t slot = 0; slot < MOST_ENTRIES && slot < port.slots; slot++) {
                (void)act(session, name, &port, slot, (hoist_mut_bytes){entry, size});
            }
        }
        hoist_free(alloc, name, port.name.size + 1);
        hoist_free(alloc, entry, size + 1);
    }
}

static hoist_status run_entry(const hoist_program *program, hoist_session *session, size_t entry)
{
    const hoist_prog_entry *row = &program->entries[entry];
    hoist_parameter parameters[MOST_PARAMETERS];
    hoist_str names = {NULL, 0};
    hoist_arena arena;
    hoist_arena_init(&arena, hoist_allocator_system());
    hoist_status status = row->parameter_count > MOST_PARAMETERS ? HOIST_LIMIT : HOIST_OK;
    for (uint32_t i = 0; status == HOIST_OK && i < row->parameter_count; i++) {
        names = hoist_arena_str(&arena, row->parameters[i].name);
        parameters[i] = (hoist_parameter){names.data, 1};
    }
    const hoist_str name = hoist_arena_str(&arena, row->name);
    if (status == HOIST_OK) {
        status = hoist_session_run(session, name.data, parameters, row->parameter_count);
    }
    if (status == HOIST_OK) {
        hoist_session_end_input(session, NULL);
        status = hoist_session_wait_idle(session, FUZZ_SECONDS);
    }
    hoist_arena_deinit(&arena);
    return status;
}

static void run_all(const hoist_program *program, hoist_session *session, uint64_t most,
                    hoist_diag *diag)
{
    hoist_status status = HOIST_OK;
    for_each_port(program, session, most, fill);
    for (size_t i = 0; status == HOIST_OK && i < hoist_program_entry_count(program); i++) {
        status = run_entry(program, session, i);
        for_each_port(program, session, most, empty);
    }
    hoist_session_report(session, diag);
    // What ends badly says why.
    fuzz_require(status == HOIST_OK || status == HOIST_NO_MEMORY ||
                 hoist_diag_count(diag, HOIST_ERROR) > 0);
}

void fuzz_session(const hoist_program *program, const fuzz_session_limits *limits,
                  hoist_allocator alloc, hoist_diag *diag)
{
    const hoist_session_options options = {.struct_size = sizeof(options),
                                           .alloc = alloc,
                                           .sequential = true,
                                           .max_memory = limits->memory,
                                           .max_steps = limits->steps};
    hoist_session *session = NULL;
    const hoist_status status = hoist_session_open(program, &options, diag, &session);
    fuzz_require((status == HOIST_OK) == (session != NULL));
    if (session) {
        run_all(program, session, limits->memory, diag);
    } else {
        fuzz_require(status == HOIST_NO_MEMORY || hoist_diag_count(diag, HOIST_ERROR) > 0);
    }
    hoist_session_close(session);
}
