// conformance/netlists.h - the netlists of the corpus that `check` finds clean, each lowered, for
// tests of whole layers. Conditions are those of the corpus' expect.tsv.
#ifndef HOIST_TESTS_CONFORMANCE_NETLISTS_H
#define HOIST_TESTS_CONFORMANCE_NETLISTS_H

#include "program/program.h"
#include "testing/test.h"

// A line of expect.tsv.
typedef struct netlist_row {
    char *path;
    char *arch;
    char *check;
    char *run;
    char *pushes;
} netlist_row;

typedef struct netlist {
    hoist_test *t;
    const netlist_row *row;
    const char *text;
    int64_t inputs; // the largest input_count
    int64_t loops;  // program_loop_count, or 1
    const hoist_program *program;
} netlist;

// Lowers the clean netlists of a folder of the corpus one after the other and hands each to
// `visit`. Fails the test where one cannot be lowered, skips it without the corpus.
void netlists_each(hoist_test *t, const char *folder, void (*visit)(const netlist *n));
// What the vectors were made with for entry parameter `name`.
int64_t netlist_parameter(const netlist *n, hoist_str name);
// True when the reference ran it to its end.
bool netlist_runs(const netlist *n);

#endif // HOIST_TESTS_CONFORMANCE_NETLISTS_H
