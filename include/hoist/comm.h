// hoist/comm.h - the processes of one job: a rank of it in each.
//
// Every process opens all files of the job and lowers all of it (hoist/load.h), opens a session
// with hoist_session_options.comm, writes its own inputs, runs, and reads its own outputs
// (hoist_port.home). The bits are those of a run in one process. Calls on one comm come one after
// the other; while a session has it, only the session makes them, and hoist_comm_agree() between
// runs.
#ifndef HOIST_COMM_H
#define HOIST_COMM_H

#include "hoist/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// The processes that a launcher has started together.
typedef struct hoist_comm hoist_comm; // owned by the caller: hoist_comm_close

// The MPI library that this library was built for, "Open MPI 4.1.4"; NULL: it was built without.
HOIST_API const char *hoist_comm_mpi(void);

// Starts MPI in this process, which a launcher (mpirun, srun) has started. `module` is the path of
// hoist-mpi.so; NULL: where an installation or a build has it. Free `*out_comm` with
// hoist_comm_close. `*out_why` (static) is the reason of a failure. HOIST_OK, HOIST_UNSUPPORTED
// (built without MPI; the module or the MPI library is not there; it allows no threads; MPI was
// started in this process before, by whomever: it can be once), HOIST_IO (MPI failed),
// HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_comm_open_mpi(hoist_allocator alloc,
                                                           const char *module, const char **out_why,
                                                           hoist_comm **out_comm);
// Ends the communication; waits for the other processes, which close theirs. NULL is allowed.
HOIST_API void hoist_comm_close(hoist_comm *comm);

// Number of this process, from 0 on.
HOIST_API uint32_t hoist_comm_rank(const hoist_comm *comm);
// Number of processes.
HOIST_API uint32_t hoist_comm_count(const hoist_comm *comm);

// Gives `mine` to all other processes and gets theirs: `out_all` has one value for each rank. Waits
// until all that have not ended are there, at most `seconds` (negative: without a limit);
// `out_there` (one for each rank) says which values came. Messages of a session that has ended are
// dropped. HOIST_OK: all came; HOIST_LIMIT: not all; HOIST_IO, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_comm_agree(hoist_comm *comm, uint64_t mine,
                                                        double seconds, uint64_t *out_all,
                                                        bool *out_there);
// Whether the process of a rank is not known to have ended.
HOIST_API bool hoist_comm_is_alive(hoist_comm *comm, uint32_t rank);
// Ends the processes of all ranks, with an exit code. Does not return where the launcher obeys.
HOIST_API void hoist_comm_abort(hoist_comm *comm, int code);

#ifdef __cplusplus
}
#endif

#endif // HOIST_COMM_H
