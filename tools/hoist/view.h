// view.h - what the sources of `hoist view` share: the page that is written, and the documents of a
// file in it (docs/json.md, hoist.view/1), each in a source of its own.
#ifndef HOIST_TOOLS_VIEW_H
#define HOIST_TOOLS_VIEW_H

#include <stdio.h>

#include "report/page.h"
#include "tool.h"

typedef struct view {
    tool *t;
    hoist_output *out; // borrowed
    hoist_page page;   // from the first file on
    size_t shown;      // files that are in the page
} view;

// Begins the document `what` of the file at hand: "run-0".
static inline void view_begin(view *v, const char *what, bool positions)
{
    char id[32];
    (void)snprintf(id, sizeof(id), "%s-%zu", what, v->shown);
    hoist_page_begin(&v->page, id, positions);
}
// Sends the estimated run of a file that can be shown; why it has none, where it has none.
// view_time.c
tool_exit view_send_run(view *v, const tool_input *input);

#endif // HOIST_TOOLS_VIEW_H
