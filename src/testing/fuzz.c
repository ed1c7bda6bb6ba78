#include "testing/fuzz.h"

#include "base/span.h"
#include "program/text.h"

bool fuzz_read_again(const hoist_program *program, hoist_allocator alloc, hoist_diag *diag)
{
    hoist_buffer once;
    hoist_buffer twice;
    hoist_program *again = NULL;
    hoist_buffer_init(&once, alloc);
    hoist_buffer_init(&twice, alloc);
    const bool read =
        fuzz_came(hoist_program_print(program, &once)) &&
        fuzz_came(hoist_program_parse(hoist_buffer_bytes(&once), alloc, diag, &again)) &&
        fuzz_came(hoist_program_print(again, &twice));
    fuzz_require(!read || hoist_str_equal(hoist_buffer_text(&once), hoist_buffer_text(&twice)));
    hoist_buffer_deinit(&once);
    hoist_buffer_deinit(&twice);
    hoist_program_destroy(again);
    return read;
}
