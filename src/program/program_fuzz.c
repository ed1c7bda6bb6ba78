// Any bytes through the reader of programs, then verifier, printer and reader again: what is
// printed must read back, and print as the same bytes.
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "program/text.h"
#include "program/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void print(const hoist_program *program, hoist_buffer *out)
{
    hoist_buffer_init(out, hoist_allocator_system());
    fuzz_require(hoist_program_print(program, out) == HOIST_OK);
}

static void fuzz_program(const hoist_program *program, hoist_diag *diag)
{
    hoist_program *again = NULL;
    hoist_buffer once;
    hoist_buffer twice;
    fuzz_require(hoist_program_verify(program, diag) == HOIST_OK);
    print(program, &once);
    fuzz_require(hoist_program_read(hoist_buffer_bytes(&once), hoist_allocator_system(), diag,
                                    &again) == HOIST_OK);
    print(again, &twice);
    fuzz_require(once.size == twice.size && memcmp(once.data, twice.data, once.size) == 0);
    hoist_buffer_deinit(&once);
    hoist_buffer_deinit(&twice);
    hoist_program_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_diag *diag = NULL;
    hoist_program *program = NULL;
    fuzz_require(hoist_diag_create(hoist_allocator_system(), NULL, &diag) == HOIST_OK);
    const hoist_status status =
        hoist_program_read((hoist_bytes){data, size}, hoist_allocator_system(), diag, &program);
    fuzz_require((status == HOIST_OK) == (program != NULL));
    fuzz_require((status == HOIST_OK) == (hoist_diag_count(diag, HOIST_ERROR) == 0));
    if (program) {
        fuzz_program(program, diag);
    }
    hoist_program_destroy(program);
    hoist_diag_destroy(diag);
    return 0;
}
