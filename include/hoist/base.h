// hoist/base.h - what every other header builds on: statuses, spans, allocators, places in a
// source, rules and the findings that name them.
//
// Nothing here is thread-safe by itself: one object, one thread at a time. The library never
// prints, never exits and never reads the environment.
//
// Calls may come from any thread with HOIST_LEAST_STACK bytes of stack, whatever the file, on
// 64-bit x86 and ARM; what the caller's own functions take (allocators, sinks, callbacks) comes on
// top, and builds without optimization or with sanitizers need more. Threads that a session starts
// have stacks of the system's usual size.
#ifndef HOIST_BASE_H
#define HOIST_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HOIST_API __attribute__((visibility("default")))
#define HOIST_NODISCARD __attribute__((warn_unused_result))
#define HOIST_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

#define HOIST_VERSION_MAJOR 0
#define HOIST_VERSION_MINOR 1
#define HOIST_VERSION_PATCH 0
#define HOIST_VERSION_TEXT "0.1.0"

#define HOIST_LEAST_STACK ((size_t)64 * 1024) // bytes

// Version of the library that runs, "0.1.0"; static.
HOIST_API const char *hoist_version(void);

// What kind of result a call had. What, where and by which rule is in the hoist_diag.
typedef enum hoist_status {
    HOIST_OK = 0,
    HOIST_INVALID,     // the input breaks a rule; the diag says which
    HOIST_TRUNCATED,   // the input ends too early
    HOIST_UNSUPPORTED, // valid, but this build or command cannot handle it
    HOIST_LIMIT,       // a limit (memory, time, expansion) was hit
    HOIST_NO_MEMORY,   // the allocator returned NULL
    HOIST_NOT_FOUND,   // no such file, member, name
    HOIST_BUSY,        // somebody else holds it
    HOIST_CANCELLED,   // the caller asked to stop
    HOIST_IO,          // the operating system failed to read or write
    HOIST_INTERNAL,    // a bug in hoist
} hoist_status;

// Name of a status, for instance "no memory"; never NULL.
HOIST_API const char *hoist_status_name(hoist_status status);

// Returns from the calling function when `expr` is not HOIST_OK.
#define HOIST_TRY(expr)                                                                            \
    do {                                                                                           \
        const hoist_status hoist_try_status_ = (expr);                                             \
        if (hoist_try_status_ != HOIST_OK) {                                                       \
            return hoist_try_status_;                                                              \
        }                                                                                          \
    } while (0)

// Read-only bytes, borrowed. `data` may be NULL only when `size` is 0.
typedef struct hoist_bytes {
    const uint8_t *data; // borrowed
    size_t size;         // bytes
} hoist_bytes;

// Writable bytes, borrowed.
typedef struct hoist_mut_bytes {
    uint8_t *data; // borrowed
    size_t size;   // bytes
} hoist_mut_bytes;

// Text, borrowed, not necessarily NUL-terminated; may hold any byte.
typedef struct hoist_str {
    const char *data; // borrowed
    size_t size;      // bytes
} hoist_str;

// One function that allocates (old NULL), resizes and frees (new_size 0). It returns NULL when it
// cannot serve the request and then leaves `old` as it was. Memory is aligned as malloc's.
//
// The library's own memory comes from such a function. What does not: the tensors of a session,
// which are pages of the operating system (hoist/runtime.h counts and limits them), files that are
// mapped (hoist/load.h), the stacks of a session's threads, and what libyaml and libcrypto take for
// themselves while a YAML text is read or a digest is made.
typedef struct hoist_allocator {
    void *self; // borrowed, passed to every call
    void *(*resize)(void *self, void *old, size_t old_size, size_t new_size);
} hoist_allocator;

// The C library's malloc, realloc and free.
HOIST_API hoist_allocator hoist_allocator_system(void);

// When long calls have to end: a limit of time, and a way to stop them from elsewhere. Any number
// of calls and threads may share one, and it outlives them. Calls look at it at least every 100 ms,
// whatever the size of what they work on; a call that it ends returns HOIST_LIMIT (the time is
// over) or HOIST_CANCELLED, and gives no result. hoist_open_options, hoist_job_limit() and
// hoist_session_options take one. Waiting for a file that is a FIFO, and for a disk or a network,
// is not ended by it.
typedef struct hoist_deadline hoist_deadline; // owned by the caller: hoist_deadline_destroy

// `seconds` from now; negative: no limit of time, it can only be cancelled. HOIST_OK,
// HOIST_NO_MEMORY, HOIST_INVALID (NaN).
HOIST_API HOIST_NODISCARD hoist_status hoist_deadline_create(hoist_allocator alloc, double seconds,
                                                             hoist_deadline **out_deadline);
HOIST_API void hoist_deadline_destroy(hoist_deadline *deadline); // NULL is allowed
// Ends what has the deadline, now and later. From any thread or a signal handler.
HOIST_API void hoist_deadline_cancel(hoist_deadline *deadline);
// HOIST_OK; HOIST_LIMIT or HOIST_CANCELLED, for ever, once it is over. NULL is never over. From any
// thread.
HOIST_API HOIST_NODISCARD hoist_status hoist_deadline_look(hoist_deadline *deadline);
// Seconds until the time is over, 0 when it is; infinity without a limit of time and for NULL. From
// any thread.
HOIST_API double hoist_deadline_left(const hoist_deadline *deadline);

// Line and column in a text, both 1-based; the column counts bytes. {0, 0} is "no place".
typedef struct hoist_pos {
    uint32_t line;
    uint32_t column;
} hoist_pos;

typedef enum hoist_loc_kind {
    HOIST_LOC_NONE = 0, // the whole file
    HOIST_LOC_TEXT,     // line and column
    HOIST_LOC_BYTE,     // byte offset
} hoist_loc_kind;

// A place in a file or member.
typedef struct hoist_loc {
    hoist_loc_kind kind;
    hoist_pos pos;   // HOIST_LOC_TEXT
    uint32_t source; // 0: the file or member that is told with it, always so in findings
    uint64_t offset; // HOIST_LOC_BYTE, from the start of the file or member
} hoist_loc;

typedef enum hoist_severity {
    HOIST_NOTE = 0,
    HOIST_WARNING, // legal but suspicious
    HOIST_ERROR,   // cannot be trusted
} hoist_severity;

// "note", "warning", "error".
HOIST_API const char *hoist_severity_name(hoist_severity severity);

// One numbered fact that `check` enforces. Rows live in const tables, one table per format or
// codec.
typedef struct hoist_rule {
    const char *id; // "BUDA-025", stable for ever
    hoist_severity severity;
    bool strict_error;  // a warning that --strict turns into an error
    bool judged;        // false: listed for completeness, not enforced by this version
    const char *title;  // the rule, as a sentence
    const char *detail; // why, and what to do; may be ""
    const char *source; // where the fact comes from: document section and origin
} hoist_rule;

// A table of rules with the name of what they belong to ("buda", "yaml").
typedef struct hoist_rule_set {
    const char *name;
    const char *title;
    const hoist_rule *rules; // static
    size_t count;
} hoist_rule_set;

// A rule broken. All strings live as long as the hoist_diag that holds the finding.
typedef struct hoist_finding {
    const hoist_rule *rule;
    hoist_severity severity; // the rule's, after --strict
    hoist_str file;          // as the user named it; "-" for standard input
    hoist_str member;        // "sg00/def.json", nested containers joined by "!"; empty for none
    hoist_loc loc;
    hoist_str object;  // "graphs/g0/ops/matmul_2"; empty for none
    hoist_str message; // a sentence: what was found, what was wanted
    hoist_str context; // "while reading queue 'q0', while ..."; empty for none
} hoist_finding;

// Options structs start with `size_t struct_size`, which the caller sets to sizeof of the struct as
// it was compiled; so an older caller and a newer library, or the other way round, understand each
// other. Fields beyond the caller's size read as zero. A caller may know fields that the library
// does not: when one of them is not zero the call returns HOIST_UNSUPPORTED. A size of 0
// (forgotten) or one that cannot be right returns HOIST_INVALID. A NULL struct is one of zeros.

// Results come out of parameters named out_. When a call fails, what they point to is NULL, 0,
// false or empty (a verdict is NONE), whatever was there before. Bytes and elements that a caller
// gives to be filled may hold anything then.

// Collects findings. Owned by whoever created it.
typedef struct hoist_diag hoist_diag;

typedef struct hoist_diag_options {
    size_t struct_size;  // sizeof(hoist_diag_options)
    bool strict;         // warnings marked strict_error become errors
    size_t max_findings; // kept findings; later ones are only counted. 0: 10,000
} hoist_diag_options;

// Creates an empty collector. `options` may be NULL. Returns HOIST_OK, HOIST_NO_MEMORY, or
// HOIST_INVALID or HOIST_UNSUPPORTED for options that this library cannot read; on failure
// `*out_diag` is NULL. Free with hoist_diag_destroy.
HOIST_API HOIST_NODISCARD hoist_status hoist_diag_create(hoist_allocator alloc,
                                                         const hoist_diag_options *options,
                                                         hoist_diag **out_diag);
HOIST_API void hoist_diag_destroy(hoist_diag *diag); // NULL is allowed

// Findings seen so far of one severity, those dropped by max_findings included. NULL gives 0.
HOIST_API size_t hoist_diag_count(const hoist_diag *diag, hoist_severity severity);

// Number of findings kept, and the i-th of them. hoist_diag_sort() puts them in order of file,
// member, place and time of report; until then the order is that of report.
HOIST_API size_t hoist_diag_kept(const hoist_diag *diag);
HOIST_API const hoist_finding *hoist_diag_at(const hoist_diag *diag, size_t index);
HOIST_API void hoist_diag_sort(hoist_diag *diag);

// True when memory ran out while a finding was stored: what is kept is then incomplete.
HOIST_API bool hoist_diag_incomplete(const hoist_diag *diag);

// The device that a module is judged for and who chose it. Both static; NULL when there is none:
// the format has no choice, or nothing that the file names fits.
typedef struct hoist_target {
    const char *arch;   // "wormhole_b0"
    const char *source; // "option", "environment" (arch_fallback), "file", "first listed"
} hoist_target;

// The tree visitor: how a module, a report or a table leaves its owner without the receiver knowing
// its C types. A producer sends events; a sink renders them as JSON or as text.
//
// Grammar of a stream: value = MAP member* END | LIST value* END | scalar; members carry a key,
// list items do not. The producer stops at the first status that is not HOIST_OK.
typedef enum hoist_tree_kind {
    HOIST_TREE_MAP,
    HOIST_TREE_LIST,
    HOIST_TREE_END, // of the innermost map or list
    HOIST_TREE_STR,
    HOIST_TREE_INT,
    HOIST_TREE_UINT,
    HOIST_TREE_FLOAT,
    HOIST_TREE_BOOL,
    HOIST_TREE_NULL,
} hoist_tree_kind;

// How people like to read the number; machines get the plain value.
typedef enum hoist_tree_unit {
    HOIST_UNIT_NONE,
    HOIST_UNIT_BYTES,   // 17,039,392 (16.2 MiB)
    HOIST_UNIT_ADDRESS, // 0x30000000
    HOIST_UNIT_PERCENT, // value is 0..100
    HOIST_UNIT_SECONDS, // 1.25 ms
    HOIST_UNIT_RATE,    // bytes per second: 12.5 GB/s
} hoist_tree_unit;

// Whom an event is for: a text leaves out what is for programs, JSON what is for people. A map or
// list takes all that it holds with it.
typedef enum hoist_tree_audience {
    HOIST_TREE_FOR_ALL,
    HOIST_TREE_FOR_PEOPLE,
    HOIST_TREE_FOR_PROGRAMS,
} hoist_tree_audience;

typedef struct hoist_tree_event {
    hoist_tree_kind kind;
    hoist_tree_unit unit;
    hoist_tree_audience audience;
    hoist_str key;     // in a map; borrowed during the call
    hoist_pos pos;     // place in the source, {0,0} when there is none
    hoist_str str;     // HOIST_TREE_STR; of a HOIST_TREE_FLOAT that stands for an integer beyond 64
                       // bits its digits, else empty
    int64_t integer;   // HOIST_TREE_INT
    uint64_t uinteger; // HOIST_TREE_UINT
    double number;     // HOIST_TREE_FLOAT
    bool boolean;      // HOIST_TREE_BOOL
    bool inline_hint;  // a short map or list that reads best on one line
} hoist_tree_event;

typedef struct hoist_tree_sink {
    void *self;
    hoist_status (*event)(void *self, const hoist_tree_event *event);
    hoist_status status;          // sticky: the first failure; later events are not sent
    hoist_tree_audience audience; // of the events sent from now on; the producer's
    hoist_deadline *deadline;     // that is looked at with each event; the producer's
} hoist_tree_sink;

#ifdef __cplusplus
}
#endif

#endif // HOIST_BASE_H
