// For tests: programs from text, and sessions of them.
#include "runtime/runtime_testing.h"

#include "base/alloc.h"
#include "program/text.h"
#include "program/verify.h"

static hoist_program *read_program(hoist_test *t, hoist_bytes text)
{
    hoist_program *program = NULL;
    const hoist_status status =
        hoist_program_parse(text, hoist_allocator_system(), t->diag, &program);
    if (status != HOIST_OK || hoist_program_verify(program, t->diag) != HOIST_OK) {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "%.*s", (int)all.size, all.data);
        hoist_program_destroy(program);
        return NULL;
    }
    return program;
}

hoist_program *runtime_program(hoist_test *t, const char *text)
{
    const hoist_str all = hoist_str_from(text);
    return read_program(t, (hoist_bytes){(const uint8_t *)all.data, all.size});
}

hoist_program *runtime_example(hoist_test *t, const char *name)
{
    const hoist_str path =
        hoist_arena_format(&t->arena, "%s/examples/programs/%s.hoist", HOIST_SOURCE_DIR, name);
    return read_program(t, hoist_test_file(t, path.data));
}

hoist_session *runtime_open(hoist_test *t, const hoist_program *program, const runtime_mode *mode)
{
    hoist_session *session = NULL;
    const hoist_session_options options = {
        .struct_size = sizeof options, .threads = mode->threads, .sequential = mode->sequential};
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    return session;
}

hoist_status runtime_run(hoist_session *session, const char *entry)
{
    const hoist_status status = hoist_session_run(session, entry, NULL, 0);
    return status == HOIST_OK ? hoist_session_wait_idle(session, HOIST_FOREVER) : status;
}

size_t runtime_port_size(const hoist_port *port)
{
    size_t size = hoist_dtype_get(port->host_dtype)->bits / 8;
    for (uint32_t i = 0; i < port->rank; i++) {
        size *= (size_t)port->shape[i];
    }
    return size;
}

void runtime_write_noise(hoist_test *t, hoist_session *session, const hoist_port *port,
                         uint64_t seed)
{
    const size_t size = runtime_port_size(port);
    uint8_t *const noise = hoist_alloc(hoist_allocator_system(), size);
    for (size_t i = 0; noise && i < size; i++) {
        noise[i] = (uint8_t)hoist_test_random(&seed);
    }
    const hoist_str name = hoist_arena_str(&t->arena, port->name);
    HOIST_EXPECT_EQ(
        t, hoist_session_write(session, name.data, 0, port->host_dtype, (hoist_bytes){noise, size}),
        HOIST_OK);
    hoist_free(hoist_allocator_system(), noise, size);
}
