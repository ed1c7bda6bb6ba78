#include "testing/docgen.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// The table that the line begins; NULL: none.
static const hoist_docgen_table *table_of(const hoist_docgen_table *tables, size_t count,
                                          const char *line)
{
    for (size_t i = 0; i < count; i++) {
        char mark[64];
        (void)snprintf(mark, sizeof(mark), "<!-- made: %s -->\n", tables[i].name);
        if (strcmp(line, mark) == 0) {
            return &tables[i];
        }
    }
    return NULL;
}

int hoist_docgen(const hoist_docgen_table *tables, size_t count)
{
    char line[4096];
    bool in_table = false;
    while (fgets(line, sizeof(line), stdin)) {
        const hoist_docgen_table *const table = table_of(tables, count, line);
        in_table = in_table && strcmp(line, "<!-- end -->\n") != 0;
        if (!in_table) {
            (void)fputs(line, stdout);
        }
        if (table) {
            table->make();
            in_table = true;
        }
    }
    return fflush(stdout) == 0 && !ferror(stdout) && !in_table ? 0 : 1;
}
