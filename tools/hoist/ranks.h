// Ranks in processes of their own, which mpirun or another launcher has started: what they have to
// agree on before, between and after runs.
#ifndef HOIST_TOOLS_RANKS_H
#define HOIST_TOOLS_RANKS_H

#include "tool.h"

// This process as one of several.
typedef struct ranks {
    hoist_comm *comm;    // owned; NULL: this is the only process
    hoist_output *shown; // standard error, behind what this process keeps of its own messages
    hoist_output kept;
    uint64_t *values; // owned: of an agreement, by rank
    bool *there;      // owned
    bool agreed;      // how the command ended
    bool prints;      // this rank's messages are those that are printed
    bool complete;    // all ranks have answered
    tool_exit code;   // of all
} ranks;

// Starts the communication if a launcher has started this process: from here on messages wait for
// ranks_end(). Options and files have to be the same in all processes.
tool_exit ranks_begin(ranks *r, tool *t);
// The exit code of all processes, from that of this one. The session is still open.
tool_exit ranks_agree(ranks *r, tool *t, tool_exit code);
// Prints the messages of one rank, the lowest that has some about the failure, and ends the
// communication; where a rank does not answer, all processes.
tool_exit ranks_end(ranks *r, tool *t, tool_exit code);

// Whether this process has the outputs of a rank.
static inline bool ranks_have(const ranks *r, uint32_t home)
{
    return !r || !r->comm || hoist_comm_rank(r->comm) == home;
}

#endif // HOIST_TOOLS_RANKS_H
