// hoist/program.h - programs: the one executable form that every file lowers to.
//
// A program is immutable; any thread may use it. hoist_job_lower() (hoist/load.h) makes one,
// hoist_session_open() (hoist/runtime.h) runs it.
#ifndef HOIST_PROGRAM_H
#define HOIST_PROGRAM_H

#include "hoist/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hoist_program hoist_program; // owned by the caller: hoist_program_destroy

HOIST_API void hoist_program_destroy(hoist_program *program); // NULL is allowed

// The program's text form (docs/program.md), allocated with the program's allocator and freed with
// hoist_program_free_text. HOIST_OK or HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_program_write(const hoist_program *program,
                                                           hoist_mut_bytes *out_text);
HOIST_API void hoist_program_free_text(const hoist_program *program, hoist_mut_bytes text);

// What becomes of an instruction whose meaning is not public: when a file is lowered
// (hoist/lower.h), and of an opaque step when a program runs (hoist/runtime.h).
typedef enum hoist_unknown {
    HOIST_UNKNOWN_STOP = 0, // the file is refused; the run stops there
    // It waits and signals, and changes no data. As a file is lowered: it is an opaque step, for a
    // callback of the session to execute, and passed over where none does.
    HOIST_UNKNOWN_SKIP,
    // The same, and what it may have written is unknown from then on. As a file is lowered: an
    // opaque step of which the session's on_unknown says what becomes where no callback executes
    // it.
    HOIST_UNKNOWN_POISON,
} hoist_unknown;

// Whether everything goes well in whatever order threads and units take their turns
// (hoist_job_check_order() in hoist/load.h).
typedef enum hoist_verdict {
    HOIST_VERDICT_CLEAN = 0,
    HOIST_VERDICT_BAD, // findings have been reported
    HOIST_VERDICT_UNKNOWN,
    HOIST_VERDICT_NONE, // nothing was looked at: there are errors, or nobody wants to know
} hoist_verdict;

// What a user may run by name, in the file's order, and its parameters.
HOIST_API size_t hoist_program_entry_count(const hoist_program *program);
HOIST_API hoist_str hoist_program_entry_name(const hoist_program *program, size_t entry);
// The number of the entry `name`; false: there is none (then *out_entry is 0).
HOIST_API bool hoist_program_find_entry(const hoist_program *program, hoist_str name,
                                        size_t *out_entry);
HOIST_API size_t hoist_program_parameter_count(const hoist_program *program, size_t entry);
HOIST_API hoist_str hoist_program_parameter_name(const hoist_program *program, size_t entry,
                                                 size_t parameter);

// The value of a parameter.
typedef struct hoist_parameter {
    const char *name; // "$p_loop_count"; without the dollar sign is understood too
    int64_t value;
} hoist_parameter;

// What a caller gives or gets by name: queues and rams of netlists, buffers of NEFFs. A buffer has
// the type and shape that neff.json gives the input or output (hoist_neff_add_entry()) when their
// bytes are as many as the variable's; else it is bytes, HOIST_DTYPE_U8, as many as its size says.
typedef struct hoist_port {
    hoist_str name;
    bool input;        // the caller fills it
    bool output;       // the caller may empty or read it
    bool is_queue;     // pushed and popped in order; else a ram or buffer, addressed by slot
    bool is_buffer;    // one tensor
    uint32_t slots;    // entries; 1 for a buffer
    hoist_dtype dtype; // as declared
    // Of the caller's arrays; HOIST_DTYPE_F32 where the reference names none.
    hoist_dtype host_dtype;
    uint32_t rank; // of one entry
    int64_t shape[8];
} hoist_port;
HOIST_API size_t hoist_program_port_count(const hoist_program *program);
HOIST_API hoist_port hoist_program_port(const hoist_program *program, size_t index);
// The number of the port `name`; false: there is none (then *out_index is 0).
HOIST_API bool hoist_program_find_port(const hoist_program *program, hoist_str name,
                                       size_t *out_index);

#ifdef __cplusplus
}
#endif

#endif // HOIST_PROGRAM_H
