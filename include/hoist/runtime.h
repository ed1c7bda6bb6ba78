// hoist/runtime.h - sessions: a program with its data and state on this machine.
//
// Threads: pushes, pops and one run of one session may be called from any threads at a time; pushes
// (pops) of one queue wait for each other. Writes and reads by slot do not wait; one thread at a
// time uses a slot, or views that share bytes. A call that has to wait takes a timeout in seconds:
// negative (HOIST_FOREVER): none; 0: it does not wait.
//
// Names and types are those of hoist_program_port(); elements are dense, in C order, little-endian.
// Names, options and elements that a caller gives are borrowed during the call.
//
// Errors: pushes, pops, reads and writes only have a status; the findings of runs are kept in the
// session for hoist_session_report(). After a run that failed, queues can be popped and slots read,
// and the session closed, nothing else. When hoist_session_options.deadline is over or
// hoist_session_cancel() was called, runs, pushes, writes and calls that have to wait return
// HOIST_LIMIT or HOIST_CANCELLED.
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
// Ports that are views (hoist_port.is_view) are written and read as buffers are, as dense arrays of
// their shape; bytes between their elements stay. Several may be of one buffer, and what is written
// through one is there for all. They keep what they have from run to run.
//
// hoist_program_port() (hoist/program.h) lists the names, with types and shapes;
// hoist_program_missing() those that are still to be written.
#ifndef HOIST_RUNTIME_H
#define HOIST_RUNTIME_H

#include "hoist/comm.h"
#include "hoist/program.h"

#ifdef __cplusplus
extern "C" {
#endif

// A program with its data and state.
typedef struct hoist_session hoist_session; // owned by the caller: hoist_session_close

// A timeout, in seconds: wait without a limit.
#define HOIST_FOREVER (-1.0)

// Choice of the thread or unit that makes the next step where several could. A program without
// races gives the same results under all schedules; a difference reveals a race.
typedef enum hoist_run_schedule {
    HOIST_RUN_AS_IT_COMES = 0, // unordered: any that can, by whichever worker is free
    HOIST_RUN_IN_ORDER,        // each as far as it goes, one after the other
    HOIST_RUN_RANDOM,      // at random at every step; reproducible by hoist_session_options.seed
    HOIST_RUN_ADVERSARIAL, // posted calls are executed as late as possible, the newest thread goes
                           // first
} hoist_run_schedule;

// Treatment of arithmetic at which a format's reference stops and to which IEEE 754 gives a value
// (of BUDA: the square root of a negative number or NaN, a reciprocal that is NaN or minus
// infinity). What has no such value, as an index outside of its table, stops a run in any case.
typedef enum hoist_undefined {
    HOIST_UNDEFINED_STOP = 0, // the run ends as the reference does (RUN-101)
    // The run goes on with the value of IEEE 754; a NaN has the bits 0x7fc00000. A warning
    // (RUN-110) has their number, the first one, and the operators that lead to it from the nearest
    // input.
    HOIST_UNDEFINED_NAN,
} hoist_undefined;

// A view of an opaque step: elements that it reads or writes.
typedef struct hoist_opaque_view {
    hoist_str name;    // of its buffer or queue; empty: an address in memory
    int64_t offset;    // bytes from the start of the buffer or slot; or the address
    uint32_t slot;     // of a queue; else 0
    hoist_dtype dtype; // of the elements
    uint32_t rank;     // dimensions
    int64_t shape[8];  // extents in elements, outermost first
    // All elements without gaps, in C order; borrowed during the call. Bytes of a view that the
    // step writes are in the program's memory after the call; those of a view that it reads must
    // not be changed.
    hoist_mut_bytes elements;
} hoist_opaque_view;

// Views of a NEFF's instruction. Its operands are not public: the record encodes them. So no view
// is read, and two are written, of bytes (HOIST_DTYPE_U8): all memory on the chip of its core. The
// first is the state buffer, at offset 0, 128 partitions of 262,144 bytes (a device has the first
// 196,608 or 229,376 of each); the second PSUM, at offset 33,554,432, 128 partitions of 16,384
// bytes. They hold the current bytes, and bytes that the callback does not change stay. Their name
// is that of the core: "chip"; with several subgraphs "sg01/chip"; with several ranks "rank1/chip",
// "rank1/sg01/chip".

// A record whose meaning is not public, at run time. Borrowed during the call that has it.
typedef struct hoist_opaque_step {
    size_t struct_size;        // set by the library; fields beyond it do not exist
    hoist_str name;            // mnemonic; empty: none is known
    hoist_bytes record;        // as the file has it
    hoist_str file;            // in which it is, as the user named it; empty: unknown
    hoist_str member;          // of the file; empty: the file itself, or unknown
    hoist_loc loc;             // of the record in the file or member
    hoist_opaque_view *reads;  // views that it reads, as far as known
    size_t read_count;         // of `reads`
    hoist_opaque_view *writes; // views that it may write
    size_t write_count;        // of `writes`
} hoist_opaque_step;

// Executes an opaque step of a program that was lowered with HOIST_UNKNOWN_SKIP or _POISON; `self`
// is hoist_session_options.on_opaque_self. Called from the thread on which the step is scheduled,
// several steps at a time; must not call any function of the session but hoist_session_cancel().
// Returns HOIST_OK: done, and the bytes that it writes are known when all bytes that it reads are;
// HOIST_UNSUPPORTED: as if there were no callback; any other status ends the run with it.
typedef hoist_status (*hoist_opaque_call)(void *self, const hoist_opaque_step *step);

// Choices for hoist_session_open().
typedef struct hoist_session_options {
    size_t struct_size;          // sizeof(hoist_session_options)
    hoist_allocator alloc;       // resize NULL: the system's; must be thread-safe
    uint32_t threads;            // workers, at most 1,024; 0: one per core
    bool sequential;             // everything on the calling thread, with the same results
    uint64_t max_memory;         // limit of hoist_session_counts.memory_bytes; 0: none
    uint64_t max_steps;          // control steps of one run; 0: not limited
    uint32_t command_slots;      // of each unit's queue; 0: as the program has it (BUDA: 32)
    uint32_t binary_slots;       // of each unit's cache of compiled functions; 0: 32
    bool preload;                // fill that cache before the first run
    uint32_t max_cpu_level;      // 0: the CPU's best; else 1 + a level, to compare (1: baseline)
    hoist_run_schedule schedule; // other than AS_IT_COMES: everything on the calling thread
    uint64_t seed;               // of HOIST_RUN_RANDOM; any value
    // Treatment of opaque steps that no callback executes, but for those that were lowered with
    // HOIST_UNKNOWN_SKIP, which are passed over.
    hoist_unknown on_unknown;
    hoist_opaque_call on_opaque; // executes opaque steps; NULL: no callback
    void *on_opaque_self; // borrowed until hoist_session_close(); first argument of on_opaque
    // Borrowed until hoist_session_close(): limit of opening and of every run and call of the
    // session. NULL: none.
    hoist_deadline *deadline;
    // Every step by itself. Else steps that go element by element, and sums over lines, are done
    // block by block with those before and after them; the results are the same.
    bool no_fusion;
    // Borrowed until hoist_session_close(): the processes of the other ranks, as many as the
    // program has homes. This session runs the threads of home hoist_comm_rank(), and every process
    // runs the same entries in the same order; ports of other homes may be written, which does
    // nothing, and hold nothing. NULL: all homes run here.
    hoist_comm *comm;
    // Names of the ports that are views and will be read: values that no other port leads to need
    // not be kept, and others cannot be read, nor can slots of messages that need no copy. NULL:
    // any may be read.
    const char *const *reads;
    size_t read_count;            // of `reads`
    hoist_undefined on_undefined; // treatment of arithmetic that the reference does not define
} hoist_session_options;

// Opens a session: verifies the program, allocates its memory and places constants. `program` is
// borrowed until hoist_session_close(). `options` and `diag`, which gets the reason of a failure,
// may be NULL. Free `*out_session` with hoist_session_close. HOIST_OK, HOIST_UNSUPPORTED (this
// machine is big-endian; a step that cannot be run; options of a newer library), HOIST_INVALID (the
// program does not verify; options whose struct_size, schedule, on_unknown or
// on_undefined is out of range),
// HOIST_LIMIT (max_memory, deadline), HOIST_CANCELLED, HOIST_NO_MEMORY (also: no thread could be
// started).
HOIST_API HOIST_NODISCARD hoist_status hoist_session_open(const hoist_program *program,
                                                          const hoist_session_options *options,
                                                          hoist_diag *diag,
                                                          hoist_session **out_session);
// Cancels a run that is going on, waits for the workers and frees the session. NULL is allowed. No
// other call on the session may be going on. A kernel that does not return
// (hoist_session_wait_idle() has named it) is given five seconds; then the session's memory is
// never freed, and the program must stay, too.
HOIST_API void hoist_session_close(hoist_session *session);

// Pushes one entry to a queue that is an input: converts `elements`, as many as the port's shape
// has, of type `dtype`: the port's host_dtype, or float32 where entries are of tiles. Waits while
// the queue is full, whether or not something runs: another thread may begin a run. HOIST_OK,
// HOIST_NOT_FOUND (no such input queue), HOIST_INVALID (another type or size, or the run has
// failed), HOIST_LIMIT (timeout), HOIST_CANCELLED.
HOIST_API HOIST_NODISCARD hoist_status hoist_session_push(hoist_session *session, const char *name,
                                                          hoist_dtype dtype, hoist_bytes elements,
                                                          double timeout);
// Pops the oldest entry of a queue that is an output into `elements`, whose size must be exact:
// elements of `dtype` (types as of hoist_session_push()), as many as the port's shape has; of a
// queue whose TMs change what is pushed, as many as an entry has after them. Waits while the queue
// is empty. Statuses as of hoist_session_push(), with "no such output queue".
HOIST_API HOIST_NODISCARD hoist_status hoist_session_pop(hoist_session *session, const char *name,
                                                         hoist_dtype dtype,
                                                         hoist_mut_bytes elements, double timeout);
// Writes a slot of a ram, or a buffer or view (slot 0); never waits. An input keeps what was
// written from run to run. HOIST_OK, HOIST_NOT_FOUND (no such port), HOIST_INVALID (no such slot, a
// queue, another type or size, or a run has failed), HOIST_BUSY (something runs), HOIST_CANCELLED.
//
// Of a buffer or view `elements` are all of its elements, in its type or as float32. Float32 is
// rounded to nearest, ties to even; beyond the type's greatest number it becomes infinity, of
// integers the end of their range; NaN stays NaN, of integers it becomes 0. A buffer to which
// neff.json gives no type takes and gives HOIST_DTYPE_U8 only.
HOIST_API HOIST_NODISCARD hoist_status hoist_session_write(hoist_session *session, const char *name,
                                                           uint32_t slot, hoist_dtype dtype,
                                                           hoist_bytes elements);
// Reads a slot of a ram or queue, without popping it, or a buffer or view (slot 0); never waits.
// Types and sizes as of hoist_session_pop() and hoist_session_write(). HOIST_OK, HOIST_NOT_FOUND
// (no such port, or not among hoist_session_options.reads), HOIST_INVALID (no such slot, another
// type or size), HOIST_BUSY (something runs).
HOIST_API HOIST_NODISCARD hoist_status hoist_session_read(hoist_session *session, const char *name,
                                                          uint32_t slot, hoist_dtype dtype,
                                                          hoist_mut_bytes elements);
// A slot for hoist_session_unknown(): all entries that were popped from the queue so far.
#define HOIST_POPPED UINT32_MAX
// Counts the unknown bytes of what hoist_session_read() would give: those that an opaque step may
// have written without being executed (HOIST_UNKNOWN_POISON), and all that were computed from them.
// A copy carries them byte for byte; an element that is computed is unknown when any byte of its
// operands is. Entries of tiles count as float32. HOIST_OK, HOIST_NOT_FOUND (no such port),
// HOIST_INVALID (no such slot), HOIST_BUSY (something runs).
HOIST_API HOIST_NODISCARD hoist_status hoist_session_unknown(hoist_session *session,
                                                             const char *name, uint32_t slot,
                                                             uint64_t *out_bytes);
// Number of entries that a pop could take now (of a queue), or of slots that were ever written (of
// a ram); of a buffer or view 1, of a name that does not exist 0. Any thread may call it.
HOIST_API uint32_t hoist_session_available(hoist_session *session, const char *name);

// Begins a run of an entry, after waiting for the end of one that is going on, and returns when it
// has begun. `parameters` are `count` values, one for each parameter of the entry; borrowed during
// the call. HOIST_OK, HOIST_NOT_FOUND (no such entry, a parameter is missing or unknown, or
// bytes of a buffer or view that the program needs were never written: hoist_session_report() has
// each port), HOIST_LIMIT, HOIST_CANCELLED, HOIST_NO_MEMORY, or the
// status with which the run before failed.
HOIST_API HOIST_NODISCARD hoist_status hoist_session_run(hoist_session *session, const char *entry,
                                                         const hoist_parameter *parameters,
                                                         size_t count);
// Waits at most `timeout` seconds until nothing runs, and returns the status of the last run. A
// timeout of 0 only asks (HOIST_BUSY: something runs), and lets a sequential session do some steps.
// HOIST_OK; HOIST_LIMIT (timeout, deadline, max_steps: hoist_session_report() has who waits for
// what); HOIST_INVALID (the program stopped: deadlock, fault, arithmetic); HOIST_UNSUPPORTED (an
// opaque step that is not executed); HOIST_CANCELLED; or the status of a callback. The findings of
// a wait that timed out do not stay: the next hoist_session_report() has them, if it comes before
// another wait or the end of the run.
HOIST_API HOIST_NODISCARD hoist_status hoist_session_wait_idle(hoist_session *session,
                                                               double timeout);
// Declares that no further entries of the input `name` (NULL: of any input) will be pushed until
// the next push of it: a run that waits for one then ends, with a finding. Names of no input are
// ignored. Any thread may call it.
HOIST_API void hoist_session_end_input(hoist_session *session, const char *name);
// Cancels the run that is going on, without waiting for its end; later runs, pushes and writes, and
// calls that have to wait, return HOIST_CANCELLED. Any thread or a signal handler may call it.
HOIST_API void hoist_session_cancel(hoist_session *session);
// Moves the findings of the session so far to `diag`: each is reported once, in the file of the
// program's job that it is about. Any thread may call it; `diag` is used by one at a time.
HOIST_API void hoist_session_report(hoist_session *session, hoist_diag *diag);

// The instructions of this CPU by which programs lowered with HOIST_NUMERICS_FAST do their fast
// products: "AVX512-BF16"; NULL: it has none that are faster, and they have the bits of the
// reference. Static. Any thread.
HOIST_API const char *hoist_fast_products(void);

// Counts since the session was opened.
typedef struct hoist_session_counts {
    size_t struct_size;       // sizeof(hoist_session_counts), set by the caller
    uint64_t control_steps;   // steps of threads and units that work on no data
    uint64_t moves;           // data steps that move or convert elements
    uint64_t computes;        // data steps that compute
    uint64_t calls;           // posted calls that worked on data (BUDA: epochs)
    uint64_t cache_hits;      // of the units' caches of compiled functions
    uint64_t cache_misses;    // of those caches
    uint64_t cache_evictions; // from those caches
    // Bytes now in pages of the operating system: of buffers, queues and the memory of calls,
    // touched or not, and of the marks of unknown bytes from the first one on. All other memory is
    // from the session's allocator.
    uint64_t memory_bytes;
    double seconds;        // wall time of runs that have ended
    uint32_t threads;      // workers; 1 of a sequential session
    const char *cpu_level; // name of the instruction set level that kernels use; static
    // False: this CPU or C library does not give the reference's bits in every function (fused
    // multiply-add and glibc are needed); last digits may differ.
    bool exact;
    // Instructions of the program's fast products (HOIST_NUMERICS_FAST), as hoist_fast_products(),
    // "none" where the reference's kernels do them; NULL: the program has no such product. Static.
    // Instructions of the program's fast products (HOIST_NUMERICS_FAST), as hoist_fast_products(),
    // "none" where the reference's kernels do them; NULL: the program has no such product. Static.
    const char *fast;
    uint64_t commands; // calls that threads have posted to units (BUDA: to chips: executes, changes
                       // of pointers, allocations)
    uint64_t full_waits; // of threads, for space in the queue of a unit's commands; they depend on
                         // what takes how long, unless the session is sequential
    uint64_t idle_waits; // of threads, until a unit has done all that was posted; the same
} hoist_session_counts;
// Fills `*out_counts`, as far as its struct_size, which the caller has set, reaches. Any thread may
// call it.
HOIST_API void hoist_session_count(hoist_session *session, hoist_session_counts *out_counts);

// Kinds of rows of a profile: where the time of runs goes. Profiling is off in a new session, and
// then costs a branch for each step; when it is on, it reads the clock twice for each.
typedef enum hoist_profiled {
    HOIST_PROFILED_RUNS = 0, // one row: runs, their wall time
    // Activity of workers during runs. The seconds of these kinds are together those of the runs,
    // times the number of workers.
    HOIST_PROFILED_MOVE,       // a row for each kind of data step: "move copy", "zero"
    HOIST_PROFILED_COMPUTE,    // a row for each operator: "golden.matmul"
    HOIST_PROFILED_COLLECTIVE, // a row for each kind: "collective all_reduce add"
    HOIST_PROFILED_OPAQUE,     // callbacks of opaque steps
    HOIST_PROFILED_CONTROL,    // one row: control steps, waits for the session's lock, and, in a
                               // sequential session, the caller's work between two calls
    HOIST_PROFILED_IDLE,       // one row: nothing to do, until a step ends or the caller moves
    // Not of workers, except in a sequential session, which does everything in the caller's thread.
    HOIST_PROFILED_HOST, // "push" and "pop": queue entries between the caller and the session
    // The same time again, by who had it.
    HOIST_PROFILED_THREAD, // a row for each thread of the program: wall time of its data steps
    HOIST_PROFILED_UNIT,   // a row for each unit of the program: wall time of its data steps
    HOIST_PROFILED_WORKER, // a row for each worker, "worker 0": time at work on data
    // The same time once more, of workers, by where their data steps are in the program.
    HOIST_PROFILED_FUNCTION, // a row for each function: a netlist's graph on one of its chips
    HOIST_PROFILED_OP, // a row for each label of compute steps, with all data steps of that label
} hoist_profiled;

// A row of a profile.
typedef struct hoist_profile_row {
    size_t struct_size;     // sizeof(hoist_profile_row), set by the caller
    hoist_profiled kind;    // of the row
    hoist_str name;         // borrowed from the session until the next begin or its close
    uint64_t calls;         // steps, entries; of workers: pieces of steps; of idle: waits
    double seconds;         // of calls that have ended; of runs, control and idle until now
    uint64_t bytes_read;    // by data steps, each operand once; by pops
    uint64_t bytes_written; // by data steps; by pushes
    // Additions, multiplications and so on by compute steps, of integers, too; a function such as
    // exp is one. 0 where nothing is counted.
    uint64_t flops;
} hoist_profile_row;

// Begins a profile, from zero, and forgets the one before. HOIST_OK, HOIST_BUSY (something runs),
// HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_session_profile_begin(hoist_session *session);
// Ends the profile; its rows can still be read. No effect while something runs.
HOIST_API void hoist_session_profile_end(hoist_session *session);
// Number of rows, those without any call included; 0 before the first begin. Any thread may call
// it.
HOIST_API size_t hoist_session_profile_count(hoist_session *session);
// Fills `*out_row` with row number `index`, as far as its struct_size, which the caller has set,
// reaches. False: there is no such row, and the other fields are zeroed. Any thread may call it;
// rows that are read while something runs are of different times.
HOIST_API bool hoist_session_profile_at(hoist_session *session, size_t index,
                                        hoist_profile_row *out_row);

// A piece of a timeline: for how long something was done, and by whom. Rows are numbers of rows of
// the profile that is kept at the same time; they have names, kinds and sums.
typedef struct hoist_timeline_event {
    size_t struct_size; // sizeof(hoist_timeline_event), set by the caller
    size_t row;         // what was done: runs, a kind of data step, control, idle, push or pop
    size_t owner;     // who did it: a worker, a thread or a unit; runs, push and pop are their own
    bool nested;      // a step of the group of steps before it: inside that event
    double begin;     // seconds from the beginning of the timeline
    double seconds;   // 0 or more
    uint32_t steps;   // data steps that were done together, block by block; else 1
    hoist_str label;  // of the step, of runs the entry; empty for none; borrowed from the program
    hoist_str file;   // where the step comes from, empty when not known; borrowed likewise
    hoist_str member; // of the file; empty for none; borrowed likewise
    hoist_loc loc;    // in the member, or in the file where there is none
    uint64_t bytes_read;    // of data steps of threads and units, of pops; else 0
    uint64_t bytes_written; // of data steps of threads and units, of pushes; else 0
    uint64_t flops;         // of data steps of threads and units; else 0
} hoist_timeline_event;

// Begins a profile, as hoist_session_profile_begin(), that keeps what was done when, too: at most
// `most` events (0: 1,000,000), of about 100 bytes each. hoist_session_profile_end() ends both.
// HOIST_OK or a status of hoist_session_profile_begin().
//
// Events of one owner are apart, or nested; only pushes (pops) of several callers overlap. Those of
// a worker are, while something runs, pieces of data steps, control and idle, without a gap: their
// seconds, but for those that are nested, add up to those of the runs. Steps that were done block
// by block are one event, which the nested ones divide by how long each of them took altogether.
HOIST_API HOIST_NODISCARD hoist_status hoist_session_timeline_begin(hoist_session *session,
                                                                    uint64_t most);
// Number of events so far; in `*out_lost` (may be NULL) how many were not kept, because there were
// `most` of them or no memory was left. Any thread may call it.
HOIST_API uint64_t hoist_session_timeline_count(hoist_session *session, uint64_t *out_lost);
// Fills `*out_event` with event number `index`, as far as its struct_size, which the caller has
// set, reaches: in the order of their ends, nested ones right after theirs. False: there is no such
// event, and the other fields are zeroed. Any thread may call it.
HOIST_API bool hoist_session_timeline_at(hoist_session *session, uint64_t index,
                                         hoist_timeline_event *out_event);

#ifdef __cplusplus
}
#endif

#endif // HOIST_RUNTIME_H
