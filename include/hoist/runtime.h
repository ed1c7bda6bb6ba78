// hoist/runtime.h - sessions: a program with its data and state on this machine.
//
// Pushes, pops and one run of one session may be called from any threads at a time; pushes (pops)
// of one queue wait for each other. A call that has to wait takes a timeout. Writes and reads by
// slot wait for nobody: one thread at a time is at a slot. After a run that failed a session can be
// popped, read and closed, nothing else.
//
// A netlist, whose inputs and outputs are queues (and rams, which are written and read by slot):
//
//     HOIST_TRY(hoist_job_lower(job, NULL, diag, &program));
//     HOIST_TRY(hoist_session_open(program, NULL, diag, &session));
//     HOIST_TRY(hoist_session_push(session, "input", HOIST_DTYPE_F32, elements, HOIST_FOREVER));
//     HOIST_TRY(hoist_session_run(session, "forward", parameters, 1));
//     HOIST_TRY(hoist_session_wait_idle(session, HOIST_FOREVER));
//     HOIST_TRY(hoist_session_pop(session, "output", HOIST_DTYPE_F32, result, HOIST_FOREVER));
//
// A NEFF, whose inputs and outputs are buffers: they are written before a run and read after it;
// pushes and pops of them give HOIST_NOT_FOUND. Its one entry is "run". They have the names of the
// variables, with several ranks "rank0/x", "rank1/x" ...:
//
//     const hoist_lower_options two = {.struct_size = sizeof(two), .ranks = 2};
//     HOIST_TRY(hoist_job_lower(job, &two, diag, &program));
//     HOIST_TRY(hoist_session_open(program, NULL, diag, &session));
//     HOIST_TRY(hoist_session_write(session, "rank0/x", 0, HOIST_DTYPE_F32, elements));
//     HOIST_TRY(hoist_session_write(session, "rank1/x", 0, HOIST_DTYPE_F32, elements));
//     HOIST_TRY(hoist_session_run(session, "run", NULL, 0));
//     HOIST_TRY(hoist_session_wait_idle(session, HOIST_FOREVER));
//     HOIST_TRY(hoist_session_read(session, "rank1/y", 0, HOIST_DTYPE_F32, result));
//
// hoist_program_port() (hoist/program.h) lists the names, with types and shapes.
#ifndef HOIST_RUNTIME_H
#define HOIST_RUNTIME_H

#include "hoist/program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hoist_session hoist_session; // owned by the caller: hoist_session_close

#define HOIST_FOREVER (-1.0) // a timeout, in seconds

// Which thread or unit makes the next step where several could. A program without races gives the
// same results under all of them; what differs shows a race.
typedef enum hoist_run_schedule {
    HOIST_RUN_AS_IT_COMES = 0,
    HOIST_RUN_IN_ORDER,    // each as far as it goes, one after the other
    HOIST_RUN_RANDOM,      // a choice at every step, which `seed` makes the same again
    HOIST_RUN_ADVERSARIAL, // what was posted is done as late as can be, the newest thread goes
                           // first
} hoist_run_schedule;

// A view of an opaque step.
typedef struct hoist_opaque_view {
    hoist_str name; // of its buffer or queue; empty: an address in memory
    int64_t offset; // bytes from the start of the buffer or slot; the address
    uint32_t slot;  // of a queue
    hoist_dtype dtype;
    uint32_t rank;
    int64_t shape[8];
    // All elements without gaps, in C order. What the callback leaves in those of a view that the
    // step writes is in memory after it.
    hoist_mut_bytes elements;
} hoist_opaque_view;

// The views of a NEFF's instruction. Which operands it has is not public: the record has them. So
// there are none to be read, and two to be written, of bytes (HOIST_DTYPE_U8): all memory on the
// chip of its core. The first is the state buffer, at offset 0, 128 partitions of 262,144 bytes (a
// device has the first 196,608 or 229,376 of each); the second PSUM, at offset 33,554,432, 128
// partitions of 16,384 bytes. They hold the current bytes, and what the callback leaves alone
// stays. Their name says whose they are: "chip"; with several subgraphs "sg01/chip"; with several
// ranks "rank1/chip", "rank1/sg01/chip".

// A record whose meaning is not public, at run time.
typedef struct hoist_opaque_step {
    size_t struct_size;
    hoist_str name;           // mnemonic, as far as there is one
    hoist_bytes record;       // as the file has it
    hoist_str file;           // that it stands in, as the user named it; empty: not known
    hoist_str member;         // of the file; empty: the file itself, or not known
    hoist_loc loc;            // where in it
    hoist_opaque_view *reads; // as far as known
    size_t read_count;
    hoist_opaque_view *writes;
    size_t write_count;
} hoist_opaque_step;

// Executes an opaque step: of a program that was lowered with HOIST_UNKNOWN_SKIP or _POISON. Called
// from the thread that the step's turn came to, several at a time; calls no function of the session
// but hoist_session_cancel(). HOIST_OK: done, and what it writes is known when all that it reads
// is; HOIST_UNSUPPORTED: as if there were no callback; anything else ends the run with it.
typedef hoist_status (*hoist_opaque_call)(void *self, const hoist_opaque_step *step);

typedef struct hoist_session_options {
    size_t struct_size;          // sizeof(hoist_session_options)
    hoist_allocator alloc;       // resize NULL: the system's; must be thread-safe
    uint32_t threads;            // workers; 0: one per core
    bool sequential;             // everything on the calling thread, with the same results
    uint64_t max_memory;         // of hoist_session_counts.memory_bytes; 0: not limited
    uint64_t max_steps;          // control steps of one run; 0: not limited
    uint32_t command_slots;      // of each unit's queue; 0: as the program says (BUDA: 32)
    uint32_t binary_slots;       // of each unit's cache of compiled functions; 0: 32
    bool preload;                // fill the cache before the first run
    uint32_t max_cpu_level;      // 0: the best; else 1 + a level, to compare (1: baseline)
    hoist_run_schedule schedule; // other than AS_IT_COMES: everything on the calling thread
    uint64_t seed;               // RANDOM
    hoist_unknown on_unknown;    // of opaque steps that no callback executes, but for those lowered
                                 // with HOIST_UNKNOWN_SKIP, which are passed over
    hoist_opaque_call on_opaque; // NULL: none
    void *on_opaque_self;
    // Bounds opening and every run and call of the session; when it is over what runs ends, and
    // calls but those that only read give HOIST_LIMIT or HOIST_CANCELLED. NULL: none.
    hoist_deadline *deadline;
} hoist_session_options;

// Takes memory and places constants. `program` must outlive the session. HOIST_OK,
// HOIST_UNSUPPORTED (this machine is big-endian; options of a newer library), HOIST_INVALID (the
// program does not verify; options whose struct_size, schedule or on_unknown cannot be),
// HOIST_LIMIT (max_memory, deadline), HOIST_CANCELLED, HOIST_NO_MEMORY. `diag` has the reason.
HOIST_API HOIST_NODISCARD hoist_status hoist_session_open(const hoist_program *program,
                                                          const hoist_session_options *options,
                                                          hoist_diag *diag,
                                                          hoist_session **out_session);
// Cancels what runs, waits for the workers, frees. NULL is allowed. No other call may be going on.
// A kernel that does not return (hoist_session_wait_idle() has named it) is given five seconds;
// then its memory is left to it, and the program must stay too.
HOIST_API void hoist_session_close(hoist_session *session);

// Converts one entry of the caller's elements (C order, the port's host dtype or float32) and
// pushes it. Waits while the queue is full, whether or not something runs: another thread may begin
// a run. HOIST_OK, HOIST_NOT_FOUND (no such input), HOIST_INVALID (another shape or type, or the
// run has failed), HOIST_LIMIT (timeout), HOIST_CANCELLED.
HOIST_API HOIST_NODISCARD hoist_status hoist_session_push(hoist_session *session, const char *name,
                                                          hoist_dtype dtype, hoist_bytes elements,
                                                          double timeout);
// Takes the oldest entry: writes hoist_port elements of `dtype` (the host dtype, or float32) to
// `elements`, whose size must fit. Waits while the queue is empty.
HOIST_API HOIST_NODISCARD hoist_status hoist_session_pop(hoist_session *session, const char *name,
                                                         hoist_dtype dtype,
                                                         hoist_mut_bytes elements, double timeout);
// The same for a slot of a ram or a buffer (slot 0), and peeking at a queue's slot; never waits.
// HOIST_BUSY while something runs; writing after a run that failed HOIST_INVALID, HOIST_CANCELLED.
//
// Of a buffer `elements` are all of its elements, in its type or as float32. Float32 is rounded to
// nearest, ties to even; beyond the type's greatest number it becomes infinity, of integers the end
// of their range; NaN stays NaN, of integers it becomes 0. A buffer to which neff.json gives no
// type takes and gives HOIST_DTYPE_U8 only. An input keeps what was written from run to run.
HOIST_API HOIST_NODISCARD hoist_status hoist_session_write(hoist_session *session, const char *name,
                                                           uint32_t slot, hoist_dtype dtype,
                                                           hoist_bytes elements);
HOIST_API HOIST_NODISCARD hoist_status hoist_session_read(hoist_session *session, const char *name,
                                                          uint32_t slot, hoist_dtype dtype,
                                                          hoist_mut_bytes elements);
// Unknown bytes of what hoist_session_read() would give: those that an opaque step may have written
// without being executed (HOIST_UNKNOWN_POISON), and all that was made of them. A copy carries them
// byte for byte; an element that is computed is unknown when any byte that it is made of is.
// Entries of tiles count as float32. HOIST_NOT_FOUND, HOIST_INVALID (no such slot), HOIST_BUSY.
#define HOIST_POPPED UINT32_MAX // a slot: all entries that were popped from the queue so far
HOIST_API HOIST_NODISCARD hoist_status hoist_session_unknown(hoist_session *session,
                                                             const char *name, uint32_t slot,
                                                             uint64_t *out_bytes);
// Entries that a pop could take now (of a queue), or slots that were written (of a ram).
HOIST_API uint32_t hoist_session_available(hoist_session *session, const char *name);

// Begins a run of an entry; a run that is going on is waited for first. Returns when the run has
// begun. HOIST_OK, HOIST_NOT_FOUND (no such entry, a parameter is missing or unknown, or an input
// that is a buffer was never written), or how the run before ended when it did not end well.
HOIST_API HOIST_NODISCARD hoist_status hoist_session_run(hoist_session *session, const char *entry,
                                                         const hoist_parameter *parameters,
                                                         size_t count);
// Waits until nothing runs; a timeout of 0 only asks (HOIST_BUSY: something runs), and lets a
// sequential session move on a little. HOIST_OK; HOIST_LIMIT (timeout, max_steps: the diag says who
// waits for what); HOIST_INVALID (the program stopped: deadlock, fault, arithmetic);
// HOIST_CANCELLED. That a wait timed out is no finding of the run: what it saw is for the next
// hoist_session_report(), until another wait or the end of the run.
HOIST_API HOIST_NODISCARD hoist_status hoist_session_wait_idle(hoist_session *session,
                                                               double timeout);
// No further pushes of `name` (NULL: of anything) will come until the next push of it: a run that
// waits for one then ends, with a finding. Names of no input are ignored.
HOIST_API void hoist_session_end_input(hoist_session *session, const char *name);
// Asks everything to stop. From any thread or a signal handler.
HOIST_API void hoist_session_cancel(hoist_session *session);
// Moves the findings of the session so far to `diag`: each is reported once, in the file of the
// program's job that it is in.
HOIST_API void hoist_session_report(hoist_session *session, hoist_diag *diag);

typedef struct hoist_session_counts {
    size_t struct_size;
    uint64_t control_steps;
    uint64_t moves;
    uint64_t computes;
    uint64_t calls;      // posted ones that worked on data (BUDA: epochs)
    uint64_t cache_hits; // of compiled functions
    uint64_t cache_misses;
    uint64_t cache_evictions;
    // Of buffers, queues and what calls need, touched or not, and of the marks of unknown bytes
    // from the first one on: pages of the operating system. All else is from the session's
    // allocator.
    uint64_t memory_bytes;
    double seconds; // of runs
    uint32_t threads;
    const char *cpu_level;
    // False: this CPU or C library does not give the reference's bits in every function (it wants
    // fused multiply-add and glibc); last digits may differ.
    bool exact;
} hoist_session_counts;
// Sets struct_size bytes, which the caller has set.
HOIST_API void hoist_session_count(hoist_session *session, hoist_session_counts *out_counts);

// Where the time of runs goes. Off in a new session, and then it costs a branch for each step; on,
// it reads the clock twice for each.
typedef enum hoist_profiled {
    HOIST_PROFILED_RUNS = 0, // one row: runs, their wall time
    // What workers did meanwhile. The seconds of these kinds are together those of the runs, times
    // the number of workers.
    HOIST_PROFILED_MOVE,       // a row for each kind of data step: "move copy", "zero"
    HOIST_PROFILED_COMPUTE,    // "golden.matmul"
    HOIST_PROFILED_COLLECTIVE, // "collective all_reduce add"
    HOIST_PROFILED_OPAQUE,     // callbacks
    HOIST_PROFILED_CONTROL,    // one row: control steps, waits for the session's lock, and, in a
                               // sequential session, whatever the caller did between two calls
    HOIST_PROFILED_IDLE,       // one row: nothing to do, until a step ends or the caller moves
    // Not of workers but in a sequential session, which does everything in the caller's thread.
    HOIST_PROFILED_HOST, // "push" and "pop": queue entries between the caller and the session
    // The same time again, by who had it.
    HOIST_PROFILED_THREAD, // of the program, by name: wall time in which a data step was open
    HOIST_PROFILED_UNIT,   // the same
    HOIST_PROFILED_WORKER, // "worker 0": time at work on data
} hoist_profiled;

typedef struct hoist_profile_row {
    size_t struct_size;
    hoist_profiled kind;
    hoist_str name;         // borrowed from the session, until the next begin
    uint64_t calls;         // steps, entries; of workers: pieces of steps; of idle: waits
    double seconds;         // of what has ended
    uint64_t bytes_read;    // by data steps, each operand once; by pops
    uint64_t bytes_written; // by data steps; by pushes
} hoist_profile_row;

// Begins to note, from nothing. HOIST_OK, HOIST_BUSY (something runs), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_session_profile_begin(hoist_session *session);
// Ends noting; what was noted stays to be read. While something runs nothing changes.
HOIST_API void hoist_session_profile_end(hoist_session *session);
// Rows, whether anything was noted in them or not; 0 before the first begin. From any thread.
HOIST_API size_t hoist_session_profile_count(hoist_session *session);
// Row `index`: sets struct_size bytes, which the caller has set. False: there is no such row. From
// any thread; rows that are read while something runs are of different times.
HOIST_API bool hoist_session_profile_at(hoist_session *session, size_t index,
                                        hoist_profile_row *out_row);

#ifdef __cplusplus
}
#endif

#endif // HOIST_RUNTIME_H
