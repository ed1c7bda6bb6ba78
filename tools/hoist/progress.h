// How far a command is, on standard error while it works: a line on a terminal, which is gone when
// there is something else to read, or JSON for programs (--progress json).
#ifndef HOIST_TOOLS_PROGRESS_H
#define HOIST_TOOLS_PROGRESS_H

#include "os/thread.h"
#include "tool.h"

typedef struct tool_progress {
    tool *t;
    bool shows; // anything
    bool json;  // lines of JSON; else one line on the terminal
    pthread_mutex_t lock;
    hoist_output_watch watch; // of both outputs
    double began;             // the command
    double next;              // time of the next line
    bool is_over;             // the terminal has output of the command, or of a pager
    bool is_inside_line;      // what was written last has not ended its line
    hoist_stage stage;        // of the last report, which began
    double stage_began;       // then
    uint64_t first, done;     // with this much done; of the last report
} tool_progress;

// Whether the command line and standard error ask for progress: the command needs a deadline then.
bool tool_progress_is_asked(const tool *t);
// Watches the deadline of `t`, if progress is asked for; tool_progress_end() in any case.
void tool_progress_begin(tool_progress *p, tool *t);
void tool_progress_end(tool_progress *p);
// Takes the line away, for what ends the process. Safe in a signal handler.
void tool_progress_wipe(void);

#endif // HOIST_TOOLS_PROGRESS_H
