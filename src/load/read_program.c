// The public reader of programs: their text form, verified, without a job. In: text, and the
// caller's choices. Out: a program that sessions run. Neighbours: program/text.h, program/verify.h;
// call.c, which ends the call at its deadline.
#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "load/job.h"
#include "program/text.h"
#include "program/verify.h"

static hoist_status read_program(hoist_bytes text, const hoist_program_read_options *options,
                                 hoist_diag *diag, hoist_program **out_program)
{
    const hoist_parse_options parse = {.alloc = options->alloc, .deadline = options->deadline};
    // Verified, so that sessions need not check references again.
    HOIST_TRY(hoist_program_parse_with(text, &parse, diag, out_program));
    return hoist_program_verify_fully(*out_program, diag, options->alloc);
}

hoist_status hoist_program_read(hoist_bytes text, const hoist_program_read_options *options,
                                hoist_diag *diag, hoist_program **out_program)
{
    hoist_program_read_options own;
    *out_program = NULL;
    HOIST_TRY(hoist_load_options(options, &own, sizeof(own), "hoist_program_read_options", diag));
    if (!own.alloc.resize) {
        own.alloc = hoist_allocator_system();
    }
    const hoist_str name = own.name ? hoist_str_from(own.name) : HOIST_STR("-");
    const hoist_call call = hoist_call_begin(name, own.deadline, diag, "reading");
    const hoist_status status = hoist_call_end(&call, read_program(text, &own, diag, out_program));
    // Destroys also what verifying has refused.
    if (status != HOIST_OK) {
        hoist_program_destroy(*out_program);
        *out_program = NULL;
    }
    return status;
}
