// growth_program print|order|run FILE: what the library does with a program in the text form, which
// no command reads: reads it and prints it again, judges all orders of its first entry, or runs
// that. For measurements of how time grows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "machine/order.h"
#include "os/file.h"
#include "program/text.h"
#include "program/verify.h"
#include "runtime/session.h"

static hoist_status print(const hoist_program *program)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    const hoist_status status = hoist_program_print(program, &text);
    hoist_buffer_deinit(&text);
    return status;
}

static hoist_status order(const hoist_program *program, hoist_diag *diag)
{
    const hoist_order_options options = {.alloc = hoist_allocator_system()};
    hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
    HOIST_TRY(hoist_program_check_order(program, 0, &options, diag, &verdict));
    (void)printf("%s\n", verdict == HOIST_VERDICT_CLEAN ? "clean"
                         : verdict == HOIST_VERDICT_BAD ? "bad"
                                                        : "unknown");
    return HOIST_OK;
}

static hoist_status run(const hoist_program *program, hoist_diag *diag)
{
    const hoist_session_options options = {.struct_size = sizeof options, .sequential = true};
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", HOIST_STR_ARGS(hoist_program_entry_name(program, 0)));
    hoist_session *session = NULL;
    HOIST_TRY(hoist_session_open(program, &options, diag, &session));
    hoist_status status = hoist_session_run(session, name, NULL, 0);
    if (status == HOIST_OK) {
        status = hoist_session_wait_idle(session, HOIST_FOREVER);
    }
    hoist_session_close(session);
    return status;
}

static hoist_status measure(const char *what, hoist_bytes text, hoist_diag *diag)
{
    hoist_program *program = NULL;
    HOIST_TRY(hoist_program_parse(text, hoist_allocator_system(), diag, &program));
    hoist_status status = hoist_program_verify(program, diag);
    if (status == HOIST_OK && strcmp(what, "print") == 0) {
        status = print(program);
    } else if (status == HOIST_OK) {
        status = strcmp(what, "order") == 0 ? order(program, diag) : run(program, diag);
    }
    hoist_program_destroy(program);
    return status;
}

int main(int argc, char **argv)
{
    hoist_diag *diag = NULL;
    hoist_file_view file = {.bytes = {NULL, 0}};
    if (argc != 3 || hoist_diag_create(hoist_allocator_system(), NULL, &diag) != HOIST_OK) {
        return 2;
    }
    hoist_status status = hoist_file_map(argv[2], 0, hoist_allocator_system(), diag, &file);
    if (status == HOIST_OK) {
        status = measure(argv[1], file.bytes, diag);
        hoist_file_unmap(&file);
    }
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *finding = hoist_diag_at(diag, i);
        (void)fprintf(stderr, "%u: %.*s\n", finding->loc.pos.line,
                      HOIST_STR_ARGS(finding->message));
    }
    hoist_diag_destroy(diag);
    return status == HOIST_OK ? 0 : 1;
}
