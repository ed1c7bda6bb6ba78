// page/run.h - the estimated run of a file, in a page.
#ifndef HOIST_SRC_PAGE_RUN_H
#define HOIST_SRC_PAGE_RUN_H

#include "report/page.h"

typedef struct hoist_job hoist_job;

// Sends the run as the document that was begun; why it has none, where it has none. HOIST_OK, the
// sink's failure, HOIST_LIMIT, HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status page_run_send(hoist_job *job, hoist_page *page);

#endif // HOIST_SRC_PAGE_RUN_H
