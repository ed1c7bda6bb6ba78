// page/file.h - a file in a page (report/page.h around viewer/): the documents that the viewer
// reads (docs/json.md, hoist.view/1), each with the number of the file in its name. "file-0" is
// what the page shows at once: graphs with where their nodes are, memory, races, findings; others,
// which it reads when it is asked for them, are the summary, the estimated run, and the complete
// content with places, which is left out of files with very many values.
#ifndef HOIST_SRC_PAGE_FILE_H
#define HOIST_SRC_PAGE_FILE_H

#include "hoist/load.h"

#include "report/page.h"

typedef struct page_file {
    hoist_job *job;   // NULL: it is too broken to be one
    hoist_diag *diag; // what was found on opening it; what checks of all orders find is added
    hoist_str name;
    uint64_t size; // bytes
    bool is_shown; // else the page has the findings alone
    size_t number; // in the page, from 0
    // Called with the outcome of each part that may fail on its own, and with what it found; may be
    // NULL. Findings of the same rules are in several parts.
    void (*ended)(void *self, hoist_status status, hoist_diag *found);
    void *self;
} page_file;

// Opens a page with the viewer's text, style and script. report/page.h has what becomes of
// failures.
void page_open(hoist_page *page, hoist_allocator alloc, hoist_output *out,
               hoist_deadline *deadline);

// Sends the documents of a file. HOIST_OK, or the first failure that keeps the page from being one:
// HOIST_LIMIT, HOIST_CANCELLED, HOIST_NO_MEMORY, that of a part.
HOIST_NODISCARD hoist_status page_file_send(const page_file *file, hoist_page *page);

#endif // HOIST_SRC_PAGE_FILE_H
