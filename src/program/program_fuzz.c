// Any bytes through the reader of programs, then verifier, printer and reader again: what is
// printed must read back, and print as the same bytes.
#include "base/diag.h"
#include "program/text.h"
#include "program/verify.h"
#include "testing/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_diag *diag = NULL;
    hoist_program *program = NULL;
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    const hoist_status status =
        hoist_program_parse((hoist_bytes){data, size}, hoist_allocator_system(), diag, &program);
    fuzz_require((status == HOIST_OK) == (program != NULL));
    fuzz_require((status == HOIST_OK) == (hoist_diag_count(diag, HOIST_ERROR) == 0));
    if (program) {
        fuzz_require(hoist_program_verify(program, diag) == HOIST_OK);
        fuzz_require(fuzz_read_again(program, hoist_allocator_system(), diag));
    }
    hoist_program_destroy(program);
    hoist_diag_destroy(diag);
    return 0;
}
