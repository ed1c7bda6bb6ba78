// lower/buda/job_testing.h - for the tests of lowering: a netlist in, the text of its program out.
#ifndef HOIST_SRC_LOWER_BUDA_JOB_TESTING_H
#define HOIST_SRC_LOWER_BUDA_JOB_TESTING_H

#include "formats/buda/netlist_testing.h"
#include "lower/buda/lower.h"

// The netlist of `arch` with these sections queues and graphs, and programs; in t->arena.
hoist_str lower_test_netlist(hoist_test *t, const char *arch, const char *head,
                             const char *programs);
// Reads `text` and lowers it with `alloc`. Findings of both go to `diag`. `*out_program` is the
// caller's.
hoist_status lower_test_netlist_with(hoist_bytes text, hoist_allocator alloc, hoist_diag *diag,
                                     hoist_program **out_program);
// The same with the system's memory and these numerics.
hoist_status lower_test_netlist_as(hoist_numerics numerics, hoist_bytes text, hoist_diag *diag,
                                   hoist_program **out_program);
// The text of the program that `netlist` gives, in t->arena; NULL when there is none, which fails
// the test.
const char *lower_test_print(hoist_test *t, hoist_str netlist);
// Reads and lowers `netlist`; the caller destroys the program, NULL when there is none, which fails
// the test.
hoist_program *lower_test_lower(hoist_test *t, hoist_str netlist);
// Expects the lines of `expected`, without their indentation, in `text` next to each other.
void lower_test_expect(hoist_test *t, const char *text, const char *expected);

#endif // HOIST_SRC_LOWER_BUDA_JOB_TESTING_H
