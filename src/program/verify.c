// program/verify.c - the verifier: references first, since all else follows them; then rows, then
// code.
#include "program/verify.h"

#include "base/diag.h"
#include "program/verifier.h"

hoist_status hoist_program_verify(const hoist_program *program, hoist_diag *diag)
{
    hoist_verifier v = {.program = program, .diag = diag, .step = HOIST_NO_REF};
    hoist_arena_init(&v.arena, program->arena.alloc);
    hoist_diag_sources(diag, program->sources, program->source_count);
    // What is known of rows; filled when they are first asked for.
    v.layouts = hoist_verifier_array(&v, program->layout_count, sizeof *v.layouts);
    v.roots = hoist_verifier_array(&v, program->buffer_count, sizeof *v.roots);
    v.views = hoist_verifier_array(&v, program->view_count, sizeof *v.views);
    if (!v.no_memory) {
        hoist_verify_references(&v);
    }
    // Each part may index tables by what the part before has checked.
    if (!v.no_memory && v.failures == 0) {
        hoist_verify_memory(&v);
    }
    if (!v.no_memory && v.failures == 0) {
        hoist_verify_rows(&v);
        hoist_verify_ports(&v);
        hoist_verify_codes(&v);
    }
    if (!v.no_memory && v.failures == 0) {
        hoist_verify_homes(&v);
    }
    hoist_diag_sources(diag, NULL, 0);
    hoist_arena_deinit(&v.arena);
    return v.no_memory ? HOIST_NO_MEMORY : HOIST_OK;
}

hoist_status hoist_program_verify_fully(const hoist_program *program, hoist_diag *diag,
                                        hoist_allocator alloc)
{
    hoist_diag *own = NULL;
    // Findings have to be counted somewhere.
    if (!diag) {
        HOIST_TRY(hoist_diag_create(alloc, NULL, &own));
        diag = own;
    }
    const size_t before = hoist_diag_count(diag, HOIST_ERROR);
    const hoist_status status = hoist_program_verify(program, diag);
    const bool good = hoist_diag_count(diag, HOIST_ERROR) == before;
    hoist_diag_destroy(own);
    return status != HOIST_OK ? status : good ? HOIST_OK : HOIST_INVALID;
}
