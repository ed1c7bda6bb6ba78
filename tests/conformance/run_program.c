// run_program LEVEL THREADS < PROGRAM: runs the entry "run" of a program in the text form and
// prints each output buffer as NAME and its bytes in hexadecimal. LEVEL: 0 the machine's best, else
// 1 + a CPU level. Findings go to standard error. For tests that compare programs with another
// implementation.
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "program/text.h"
#include "runtime/session.h"

static bool read_input(hoist_buffer *text)
{
    char block[65536];
    size_t count = 0;
    while ((count = fread(block, 1, sizeof block, stdin)) > 0) {
        hoist_buffer_add(text, (hoist_bytes){(const uint8_t *)block, count});
    }
    return !ferror(stdin);
}

static bool print_buffer(hoist_session *session, const hoist_prog_buffer *buffer)
{
    hoist_allocator alloc = hoist_allocator_system();
    uint8_t *bytes = hoist_alloc(alloc, (size_t)buffer->size);
    char name[256];
    (void)snprintf(name, sizeof name, "%.*s", HOIST_STR_ARGS(buffer->name));
    const bool ok = bytes && hoist_session_read(
                                 session, name, 0, buffer->typed ? buffer->dtype : HOIST_DTYPE_U8,
                                 (hoist_mut_bytes){bytes, (size_t)buffer->size}) == HOIST_OK;
    (void)printf("%s ", name);
    for (size_t i = 0; ok && i < buffer->size; i++) {
        (void)printf("%02x", bytes[i]);
    }
    (void)printf("\n");
    hoist_free(alloc, bytes, (size_t)buffer->size);
    return ok;
}

static bool run(const hoist_program *program, const hoist_session_options *options,
                hoist_diag *diag)
{
    hoist_session *session = NULL;
    bool ok = hoist_session_open(program, options, diag, &session) == HOIST_OK &&
              hoist_session_run(session, "run", NULL, 0) == HOIST_OK &&
              hoist_session_wait_idle(session, HOIST_FOREVER) == HOIST_OK;
    for (uint32_t i = 0; ok && i < program->buffer_count; i++) {
        ok = !program->buffers[i].output || print_buffer(session, &program->buffers[i]);
    }
    hoist_session_close(session);
    return ok;
}

int main(int argc, char **argv)
{
    hoist_allocator alloc = hoist_allocator_system();
    hoist_buffer text;
    hoist_diag *diag = NULL;
    hoist_program *program = NULL;
    const hoist_session_options options = {
        .struct_size = sizeof options,
        .max_cpu_level = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0,
        .threads = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0};
    hoist_buffer_init(&text, alloc);
    bool ok = hoist_diag_create(alloc, NULL, &diag) == HOIST_OK && read_input(&text);
    ok = ok && hoist_program_parse(hoist_buffer_bytes(&text), alloc, diag, &program) == HOIST_OK &&
         run(program, &options, diag);
    for (size_t i = 0; diag && i < hoist_diag_kept(diag); i++) {
        const hoist_finding *finding = hoist_diag_at(diag, i);
        (void)fprintf(stderr, "%u: %.*s\n", finding->loc.pos.line,
                      HOIST_STR_ARGS(finding->message));
    }
    hoist_program_destroy(program);
    hoist_diag_destroy(diag);
    hoist_buffer_deinit(&text);
    return ok ? 0 : 1;
}
