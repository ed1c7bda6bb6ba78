// testing/docgen.h - pages of docs/ whose tables are made from the code's. Never in the library.
#ifndef HOIST_SRC_TESTING_DOCGEN_H
#define HOIST_SRC_TESTING_DOCGEN_H

#include <stddef.h>

typedef struct hoist_docgen_table {
    const char *name;
    void (*make)(void); // prints it
} hoist_docgen_table;

// Copies a page from standard input to standard output, with each table, which is between the
// lines "<!-- made: NAME -->" and "<!-- end -->", made anew. What main() returns: 0, or 1 when
// output failed or a table has no end.
int hoist_docgen(const hoist_docgen_table *tables, size_t count);

#endif // HOIST_SRC_TESTING_DOCGEN_H
