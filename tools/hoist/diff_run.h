// hoist diff --run: what two files compute of the same inputs, tensor by tensor.
// A neighbour of cmd_diff.c, which opens the files and owns the output; what is run and how is
// run.h's.
#ifndef HOIST_TOOLS_DIFF_RUN_H
#define HOIST_TOOLS_DIFF_RUN_H

#include "tool.h"

typedef struct diff_runs diff_runs;

// Runs both files, which are open, and finds the tensors that belong together. Complains about what
// cannot be run or compared. `*out_runs` is ended with diff_run_end() whatever is returned.
tool_exit diff_run_begin(tool *t, tool_input inputs[2], diff_runs **out_runs);
// Sends how they differ as members of `sink`, a map; `is_text`: for people. `*out_count`: tensors
// that differ. HOIST_OK, HOIST_NO_MEMORY, or the sink's failure.
hoist_status diff_run_send(diff_runs *runs, bool is_text, hoist_tree_sink *sink, size_t *out_count);
void diff_run_end(diff_runs *runs); // NULL is allowed

#endif // HOIST_TOOLS_DIFF_RUN_H
