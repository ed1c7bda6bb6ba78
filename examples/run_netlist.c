// run_netlist FILE PROGRAM [NAME=VALUE]...: runs a program of a file with all inputs filled with
// ones, and prints the first element of each entry that comes out.
//
// One thread, one run: everything is pushed before, and popped afterwards.
//
//     cc run_netlist.c $(pkg-config --cflags --libs hoist) -o run_netlist
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hoist/hoist.h"

enum { MOST_PARAMETERS = 16, MOST_NAME = 256 };

static void print_findings(const hoist_diag *diag)
{
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *f = hoist_diag_at(diag, i);
        (void)fprintf(stderr, "%.*s:%u: %s: %.*s [%s]\n", (int)f->file.size, f->file.data,
                      f->loc.pos.line, hoist_severity_name(f->severity), (int)f->message.size,
                      f->message.data, f->rule->id);
    }
}

static size_t elements_of(const hoist_port *port)
{
    size_t count = 1;
    for (uint32_t i = 0; i < port->rank; i++) {
        count *= (size_t)port->shape[i];
    }
    return count;
}

// Every slot of a queue is pushed, every slot of a ram written.
static hoist_status fill(hoist_session *session, const hoist_port *port, const char *name)
{
    const size_t count = elements_of(port);
    float *ones = malloc(count * sizeof(float));
    if (!ones) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        ones[i] = 1;
    }
    const hoist_bytes bytes = {(const uint8_t *)ones, count * sizeof(float)};
    hoist_status status = HOIST_OK;
    for (uint32_t slot = 0; slot < port->slots && status == HOIST_OK; slot++) {
        status = port->is_queue ? hoist_session_push(session, name, HOIST_DTYPE_F32, bytes, 0)
                                : hoist_session_write(session, name, slot, HOIST_DTYPE_F32, bytes);
    }
    free(ones);
    return status;
}

static hoist_status show(hoist_session *session, const hoist_port *port, const char *name)
{
    const size_t size = elements_of(port) * sizeof(float);
    float *entry = malloc(size);
    if (!entry) {
        return HOIST_NO_MEMORY;
    }
    const hoist_mut_bytes bytes = {(uint8_t *)entry, size};
    hoist_status status = HOIST_OK;
    const uint32_t entries = hoist_session_available(session, name);
    for (uint32_t i = 0; i < entries && status == HOIST_OK; i++) {
        status = port->is_queue ? hoist_session_pop(session, name, HOIST_DTYPE_F32, bytes, 0)
                                : hoist_session_read(session, name, i, HOIST_DTYPE_F32, bytes);
        if (status == HOIST_OK) {
            printf("%s[%u] = %g ...\n", name, i, (double)entry[0]);
        }
    }
    free(entry);
    return status;
}

// Fills all inputs or shows all outputs.
static hoist_status for_ports(hoist_session *session, const hoist_program *program, bool inputs)
{
    for (size_t i = 0; i < hoist_program_port_count(program); i++) {
        const hoist_port port = hoist_program_port(program, i);
        char name[MOST_NAME];
        (void)snprintf(name, sizeof name, "%.*s", (int)port.name.size, port.name.data);
        if (inputs && port.input) {
            HOIST_TRY(fill(session, &port, name));
        } else if (!inputs && port.output) {
            HOIST_TRY(show(session, &port, name));
        }
    }
    return HOIST_OK;
}

// "NAME=VALUE" from the command line; the argument is cut at the sign.
static size_t read_parameters(int argc, char **argv, hoist_parameter *parameters)
{
    size_t count = 0;
    for (int i = 3; i < argc && count < MOST_PARAMETERS; i++) {
        char *sign = strchr(argv[i], '=');
        if (sign) {
            *sign = '\0';
            parameters[count++] = (hoist_parameter){argv[i], strtoll(sign + 1, NULL, 0)};
        }
    }
    return count;
}

static hoist_status run(const hoist_program *program, int argc, char **argv, hoist_diag *diag)
{
    hoist_parameter parameters[MOST_PARAMETERS];
    const size_t count = read_parameters(argc, argv, parameters);
    hoist_session *session = NULL;
    HOIST_TRY(hoist_session_open(program, NULL, diag, &session));
    hoist_status status = for_ports(session, program, true);
    hoist_session_end_input(session, NULL); // nothing follows: a run that wants more ends
    if (status == HOIST_OK) {
        status = hoist_session_run(session, argv[2], parameters, count);
    }
    if (status == HOIST_OK) {
        status = hoist_session_wait_idle(session, HOIST_FOREVER);
    }
    if (status == HOIST_OK) {
        status = for_ports(session, program, false);
    }
    hoist_session_report(session, diag);
    hoist_session_close(session);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        (void)fprintf(stderr, "usage: run_netlist FILE PROGRAM [NAME=VALUE]...\n");
        return 2;
    }
    hoist_diag *diag = NULL;
    hoist_job *job = NULL;
    hoist_program *program = NULL;
    hoist_status status = hoist_diag_create(hoist_allocator_system(), NULL, &diag);
    if (status == HOIST_OK) {
        status = hoist_job_open(argv[1], NULL, diag, &job);
    }
    if (status == HOIST_OK) {
        status = hoist_job_lower(job, NULL, diag, &program);
    }
    if (status == HOIST_OK) {
        status = run(program, argc, argv, diag);
    }
    if (status != HOIST_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[1], hoist_status_name(status));
        print_findings(diag);
    }
    hoist_program_destroy(program);
    hoist_job_close(job);
    hoist_diag_destroy(diag);
    return status == HOIST_OK ? 0 : 1;
}
