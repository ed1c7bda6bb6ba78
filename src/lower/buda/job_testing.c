#include "lower/buda/job_testing.h"

#include "base/alloc.h"
#include "program/program_testing.h"

hoist_str lower_test_netlist(hoist_test *t, const char *arch, const char *head,
                             const char *programs)
{
    return hoist_arena_format(&t->arena, "devices:\n  arch: %s\n%sprograms:\n%s", arch, head,
                              programs);
}

static hoist_status lower_netlist(hoist_bytes text, const hoist_lower_options *options,
                                  hoist_allocator alloc, hoist_diag *diag,
                                  hoist_program **out_program)
{
    const hoist_read_options read_options = {.alloc = alloc};
    const hoist_check_options check_options = {0};
    hoist_module *module = NULL;
    *out_program = NULL;
    hoist_status status = hoist_buda_format.read(text, &read_options, diag, &module);
    if (status == HOIST_OK) {
        status = buda_lower(&(hoist_file){.module = module, .name = HOIST_STR("net.yaml")}, 1,
                            &check_options, options, diag, out_program);
        hoist_buda_format.destroy(module);
    }
    return status;
}

hoist_status lower_test_netlist_with(hoist_bytes text, hoist_allocator alloc, hoist_diag *diag,
                                     hoist_program **out_program)
{
    return lower_netlist(text, NULL, alloc, diag, out_program);
}

hoist_status lower_test_netlist_as(hoist_numerics numerics, hoist_bytes text, hoist_diag *diag,
                                   hoist_program **out_program)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .numerics = numerics};
    return lower_netlist(text, &options, hoist_allocator_system(), diag, out_program);
}

hoist_program *lower_test_lower(hoist_test *t, hoist_str netlist)
{
    hoist_program *program = NULL;
    const hoist_bytes bytes = {(const uint8_t *)netlist.data, netlist.size};
    const hoist_status status =
        lower_test_netlist_with(bytes, hoist_allocator_system(), t->diag, &program);
    if (status != HOIST_OK) {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "lowering gives %s\n%.*s", hoist_status_name(status),
                        HOIST_STR_ARGS(all));
    }
    return program;
}

const char *lower_test_print(hoist_test *t, hoist_str netlist)
{
    hoist_program *program = lower_test_lower(t, netlist);
    const char *text = program ? hoist_test_program_text(t, program).data : NULL;
    hoist_program_destroy(program);
    return text;
}

// `text` without the blanks at the beginnings of its lines, in t->arena.
static char *flush_left(hoist_test *t, const char *text)
{
    char *flat = hoist_arena_alloc(&t->arena, strlen(text) + 1);
    char *to = flat;
    while (*text) {
        text += strspn(text, " ");
        const size_t size = strcspn(text, "\n") + 1;
        const size_t there = strnlen(text, size);
        memcpy(to, text, there);
        to += there;
        text += there;
    }
    return flat;
}

void lower_test_expect(hoist_test *t, const char *text, const char *expected)
{
    if (text && !strstr(flush_left(t, text), expected)) {
        hoist_test_fail(t, __FILE__, __LINE__, "expected\n%s\nin\n%s", expected, text);
    }
}
