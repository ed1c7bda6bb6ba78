// Any bytes as the text of a program; one that verifies is run in a small session, whose memory,
// steps and time are limited.
#include "base/alloc.h"
#include "base/diag.h"
#include "program/text.h"
#include "runtime/runtime_fuzz_testing.h"
#include "testing/fuzz.h"

enum { FUZZ_MEMORY = 256 << 20 };

static const fuzz_session_limits small = {.memory = 1 << 20, .steps = 500};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    const hoist_allocator alloc = hoist_budget_allocator(&budget);
    hoist_diag *diag = NULL;
    hoist_program *program = NULL;
    if (hoist_diag_create(hoist_allocator_system(), NULL, &diag) != HOIST_OK) {
        return 0;
    }
    if (hoist_program_parse((hoist_bytes){data, size}, alloc, diag, &program) == HOIST_OK) {
        fuzz_session(program, &small, alloc, diag);
    }
    hoist_program_destroy(program);
    hoist_diag_destroy(diag);
    fuzz_require(budget.used == 0);
    return 0;
}
