// hoist/program.h - programs: the one executable form that every file lowers to.
//
// A program is immutable; any number of threads may use it at a time. hoist_job_lower()
// (hoist/load.h) makes one of files, hoist_program_read() of its text, hoist_session_open()
// (hoist/runtime.h) runs it. Names are borrowed from
// the program. Numbers of entries, parameters and ports must be below their counts.
#ifndef HOIST_PROGRAM_H
#define HOIST_PROGRAM_H

#include "hoist/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

// An executable program with the names of its entries and ports.
typedef struct hoist_program hoist_program; // owned by the caller: hoist_program_destroy

// Frees a program, which no session may use any more. NULL is allowed.
HOIST_API void hoist_program_destroy(hoist_program *program);

// Choices for hoist_program_read().
typedef struct hoist_program_read_options {
    size_t struct_size;       // sizeof(hoist_program_read_options)
    hoist_allocator alloc;    // of the program; resize NULL: the system's
    const char *name;         // of the text in findings; borrowed during the call; NULL: "-"
    hoist_deadline *deadline; // borrowed during the call; NULL: none
} hoist_program_read_options;

// Reads a program from its text form (docs/program.md), as hoist_program_write() writes it, and
// verifies it. `options` and `diag` may be NULL. Free `*out_program` with hoist_program_destroy; it
// is NULL unless the status is HOIST_OK. HOIST_OK; HOIST_INVALID (syntax errors, a program that
// does not verify, or options), HOIST_UNSUPPORTED (options of a newer library), HOIST_LIMIT (a text
// of 2 GiB or more, lists of too many items, or the deadline), each with findings at lines and
// columns of the text; HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_program_read(hoist_bytes text,
                                                          const hoist_program_read_options *options,
                                                          hoist_diag *diag,
                                                          hoist_program **out_program);

// Writes the program's text form (docs/program.md) to `*out_text`, which is allocated with the
// allocator of the program, or of the job that it was lowered from; free it with
// hoist_program_free_text.
// HOIST_OK or HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_program_write(const hoist_program *program,
                                                           hoist_mut_bytes *out_text);
// Frees a text that hoist_program_write() made of `program`, which still exists.
HOIST_API void hoist_program_free_text(const hoist_program *program, hoist_mut_bytes text);

// Treatment of an instruction whose meaning is not public: when a file is lowered (hoist/lower.h),
// and of an opaque step when a program runs (hoist/runtime.h).
typedef enum hoist_unknown {
    HOIST_UNKNOWN_STOP = 0, // the file is refused (HOIST_UNSUPPORTED); the run stops there
    // The instruction waits and signals, and changes no data. When a file is lowered: it is an
    // opaque step, which a callback of the session may execute and a run without one passes over.
    HOIST_UNKNOWN_SKIP,
    // The same, and all bytes that it may have written are unknown from then on. When a file is
    // lowered: it is an opaque step, which a callback of the session may execute; without one
    // hoist_session_options.on_unknown decides.
    HOIST_UNKNOWN_POISON,
} hoist_unknown;

// Result of a check of all orders in which threads and units of a program may be scheduled
// (hoist_job_check_order() in hoist/load.h).
typedef enum hoist_verdict {
    HOIST_VERDICT_CLEAN = 0, // no order has a race, deadlock, fault or uninitialized read
    HOIST_VERDICT_BAD,       // at least one order has; findings have been reported
    HOIST_VERDICT_UNKNOWN,   // none was found, but not everything could be checked
    HOIST_VERDICT_NONE, // nothing was checked: there are errors, or the check was not asked for
} hoist_verdict;

// Number of entries: the programs of the file that a user may run by name, in the file's order.
HOIST_API size_t hoist_program_entry_count(const hoist_program *program);
// Name of an entry.
HOIST_API hoist_str hoist_program_entry_name(const hoist_program *program, size_t entry);
// Finds the number of the entry `name`; false: there is none (then *out_entry is 0).
HOIST_API bool hoist_program_find_entry(const hoist_program *program, hoist_str name,
                                        size_t *out_entry);
// Number of parameters of an entry: a run must be given a value for each.
HOIST_API size_t hoist_program_parameter_count(const hoist_program *program, size_t entry);
// Name of a parameter of an entry, "$p_loop_count".
HOIST_API hoist_str hoist_program_parameter_name(const hoist_program *program, size_t entry,
                                                 size_t parameter);

// The value of a parameter.
typedef struct hoist_parameter {
    const char *name; // "$p_loop_count", or without the dollar sign; borrowed during the call
    int64_t value;    // any
} hoist_parameter;

// A tensor, or a queue of tensors, that a caller gives or gets by name: queues and rams of
// netlists, buffers of NEFFs. A buffer of a NEFF has the type and shape that neff.json gives the
// input or output (hoist_neff_add_entry()) when they take as many bytes as the variable has; else
// it is bytes, HOIST_DTYPE_U8, in one dimension.
typedef struct hoist_port {
    hoist_str name;    // borrowed from the program
    bool input;        // the caller fills it
    bool output;       // the caller may empty or read it
    bool is_queue;     // pushed and popped in order; else a ram or buffer, addressed by slot
    bool is_buffer;    // one tensor
    uint32_t slots;    // entries that it holds; 1 for a buffer
    hoist_dtype dtype; // of the elements, as declared in the file
    // Of the elements in the caller's arrays; HOIST_DTYPE_F32 where the reference names none.
    // Sessions take and give float32, too, where entries are of tiles or the file gives a buffer a
    // type.
    hoist_dtype host_dtype;
    uint32_t rank;    // dimensions of one entry
    int64_t shape[8]; // extents of one entry in elements, outermost first; of tiles [t, rows, cols]
    // One tensor that is elements of a buffer, which may be those of other ports, too: all that the
    // caller fills before a run counts together. is_buffer is set, too.
    bool is_view;
    // A run reads what only the caller can supply, under this name, or as bytes of other ports
    // (hoist_program_missing()). Of all but views: every input.
    bool required;
    bool result; // expected by a caller who names no output. Of all but views: every output
    // The file's words for a view: "buffer 4, FP32 [1,512,4096], first read by matmul"; empty:
    // none.
    hoist_str note; // borrowed from the program
    uint32_t home;  // the rank whose memory it is; 0 where there are no ranks
} hoist_port;
// Number of ports.
HOIST_API size_t hoist_program_port_count(const hoist_program *program);
// Description of a port.
HOIST_API hoist_port hoist_program_port(const hoist_program *program, size_t index);
// Finds the number of the port `name`; false: there is none (then *out_index is 0).
HOIST_API bool hoist_program_find_port(const hoist_program *program, hoist_str name,
                                       size_t *out_index);

// Finds the ports that a caller has still to supply. `given` and `out_missing` have a value for
// each port: whether it is supplied, and whether it is missing. Inputs are missing that are not
// given; buffers and views only when bytes that a run needs are bytes of no given port. Missing
// bytes are reported once: at the port that is required for them, or, where it is given and does
// not have them all, at the first other port that has some. Repeating this with the missing ports
// given ends where nothing is missing, or only given ports are: no port has the bytes. Takes time
// in proportion to the rows of elements of the ports. HOIST_OK, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_program_missing(const hoist_program *program,
                                                             const bool *given, bool *out_missing);

// Choices for hoist_program_plan(), as of hoist_session_options (hoist/runtime.h).
typedef struct hoist_program_plan_options {
    size_t struct_size;       // sizeof(hoist_program_plan_options)
    hoist_allocator alloc;    // of scratch memory; resize NULL: the system's
    bool no_fusion;           // every step by itself: there are no groups
    bool memory_only;         // only the members "memory" and "spaces"
    const char *const *reads; // names of the ports that are views and will be read; NULL: any
    size_t read_count;        // of `reads`
    hoist_deadline *deadline; // borrowed during the call; NULL: none
} hoist_program_plan_options;

// Sends the plan by which sessions with the same choices execute a program, as members of a map
// that the caller has opened (and ends): "memory" and "spaces" (bytes that a session has when it is
// open, without those of kernels), "codes" (functions and threads), "groups" (steps that are done
// block by block), "order" (all steps), "buffers" and "queues" (where each is). No memory of the
// program is taken. `options` and `diag` may be NULL. HOIST_OK, the sink's failure, HOIST_INVALID
// (the program does not verify, a name of `reads` is of no port, or options), HOIST_UNSUPPORTED (a
// session refuses the program, or options of a newer library), HOIST_LIMIT (sizes beyond 2^63, or
// the deadline), HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_program_plan(const hoist_program *program,
                                                          const hoist_program_plan_options *options,
                                                          hoist_diag *diag, hoist_tree_sink *sink);

#ifdef __cplusplus
}
#endif

#endif // HOIST_PROGRAM_H
