// What is unfinished when the command is ended from outside.
#ifndef HOIST_TOOLS_SIGNALS_H
#define HOIST_TOOLS_SIGNALS_H

#include "os/temporary.h"

// From here to tool_signals_end() SIGINT, SIGTERM and SIGHUP remove the entries of `list` before
// they end the process as they always do (for a shell exit status 130, 143, 129). A signal that
// the parent process ignores, as nohup(1) does, stays ignored. `run` takes SIGINT for
// itself while a session runs.
void tool_signals_begin(hoist_temporaries *list);
void tool_signals_end(void);

// Removes what the command has not finished, right before the process ends: async-signal-safe, from
// any thread, and once (hoist_temporaries_remove). Nothing but _exit() or a deadly signal may
// follow: a thread that writes waits for that, so exit() could wait for ever.
void tool_remove_temporaries(void);

#endif // HOIST_TOOLS_SIGNALS_H
