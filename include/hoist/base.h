// hoist/base.h - what every other header builds on: statuses, spans, allocators, deadlines, source
// locations, rules and the findings that name them, and the events that carry documents.
//
// Threads: nothing here is thread-safe by itself; one thread at a time uses one object. A deadline
// is the exception: any number of threads may share it.
//
// The library never prints, never exits and never reads the environment.
//
// Stack: calls may come from any thread with HOIST_LEAST_STACK bytes of stack, whatever the file,
// on 64-bit x86 and ARM. The caller's own functions (allocators, sinks, callbacks) need theirs on
// top, and builds without optimization or with sanitizers need more. Threads that a session starts
// have stacks of the system's default size.
//
// Ownership: a result that comes out of a `hoist_x **out_x` parameter is owned by the caller, who
// frees it with the function that its comment names. Strings and bytes that are returned by value
// are borrowed from the object that they were asked of, unless a comment says otherwise.
#ifndef HOIST_BASE_H
#define HOIST_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Marks the functions that the shared library exports.
#define HOIST_API __attribute__((visibility("default")))
// Marks functions whose result must be used: the compiler warns where it is dropped.
#define HOIST_NODISCARD __attribute__((warn_unused_result))
// Marks functions of printf's kind: the compiler checks the arguments from number `first` on
// against the format, which is argument number `fmt`; both count from 1.
#define HOIST_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

// Version of these headers; hoist_version() is that of the library which runs.
#define HOIST_VERSION_MAJOR 0      // incompatible changes
#define HOIST_VERSION_MINOR 1      // additions
#define HOIST_VERSION_PATCH 0      // corrections
#define HOIST_VERSION_TEXT "0.1.0" // the three, joined by dots

// Stack that a thread needs to call the library, in bytes.
#define HOIST_LEAST_STACK ((size_t)64 * 1024)

// Version of the library that runs, "0.1.0". Static; never NULL.
HOIST_API const char *hoist_version(void);

// Outcome of a call. The cause, its location and the rule that was broken are findings of the
// hoist_diag that the call was given.
typedef enum hoist_status {
    HOIST_OK = 0,      // success; warnings may have been reported
    HOIST_INVALID,     // the input or an argument breaks a rule; the diag names it
    HOIST_TRUNCATED,   // the input ends too early
    HOIST_UNSUPPORTED, // valid, but this build or command cannot handle it
    HOIST_LIMIT,       // a limit (memory, time, size, expansion) was reached
    HOIST_NO_MEMORY,   // the allocator returned NULL
    HOIST_NOT_FOUND,   // no such file, member or name
    HOIST_BUSY,        // in use, still running, or a name that is taken
    HOIST_CANCELLED,   // the caller asked to stop
    HOIST_IO,          // the operating system failed to read or write
    HOIST_INTERNAL,    // a bug in hoist
} hoist_status;

// Name of a status, for instance "no memory"; "unknown" for a value outside the enum. Static; never
// NULL.
HOIST_API const char *hoist_status_name(hoist_status status);

// Evaluates `expr`, a hoist_status, once; returns it from the calling function when it is not
// HOIST_OK.
#define HOIST_TRY(expr)                                                                            \
    do {                                                                                           \
        const hoist_status hoist_try_status_ = (expr);                                             \
        if (hoist_try_status_ != HOIST_OK) {                                                       \
            return hoist_try_status_;                                                              \
        }                                                                                          \
    } while (0)

// Read-only bytes; their owner is someone else. `data` may be NULL only when `size` is 0.
typedef struct hoist_bytes {
    const uint8_t *data; // borrowed
    size_t size;         // bytes
} hoist_bytes;

// Writable bytes, borrowed; as an out_ parameter owned by the caller, who frees them with the
// function that the comment of the call names. `data` may be NULL only when `size` is 0.
typedef struct hoist_mut_bytes {
    uint8_t *data; // borrowed, or owned as above
    size_t size;   // bytes
} hoist_mut_bytes;

// Text, borrowed, not necessarily NUL-terminated; may hold any byte. `data` may be NULL only when
// `size` is 0.
typedef struct hoist_str {
    const char *data; // borrowed
    size_t size;      // bytes, without a terminating NUL
} hoist_str;

// Source of memory: one function that allocates, resizes and frees. An allocator in an options
// struct may be left zero (`resize` NULL), which means hoist_allocator_system(); one that is a
// parameter must be complete where its comment does not say otherwise. It must stay usable as long
// as any object that was made with it.
//
// The library's own memory comes from such a function. Exceptions: the tensors of a session, which
// are pages of the operating system (hoist/runtime.h counts and limits them), files that are mapped
// (hoist/load.h), the stacks of threads, and the memory that libyaml, libcrypto, libpng and libjpeg
// allocate for themselves while they read a text or an image or sum bytes. Sessions and estimates
// call it from threads of their own, one at a time.
typedef struct hoist_allocator {
    void *self; // borrowed; the first argument of every call; may be NULL
    // Allocates `new_size` bytes when `old` is NULL, frees `old` when `new_size` is 0 (and returns
    // NULL), else resizes `old`, which has `old_size` bytes, and keeps its content. Memory is
    // aligned as malloc's. Returns NULL when memory ran out, and then leaves `old` as it was.
    void *(*resize)(void *self, void *old, size_t old_size, size_t new_size);
} hoist_allocator;

// The C library's malloc, realloc and free. Thread-safe.
HOIST_API hoist_allocator hoist_allocator_system(void);

// Limit for long calls: a time at which they have to end, and a way to stop them earlier. Any
// number of calls and threads may share one, and it must outlive them. Calls check it at least
// every 100 ms, whatever the size of their input; a call that it ends returns HOIST_LIMIT (the time
// is over) or HOIST_CANCELLED, and gives no result. hoist_open_options, hoist_job_limit(),
// hoist_pack_options and hoist_session_options take one. Waiting for a FIFO, a disk or a network is
// not ended by it.
typedef struct hoist_deadline hoist_deadline; // owned by the caller: hoist_deadline_destroy

// Creates a deadline `seconds` from now (0: it is over at once); negative: no limit of time, it can
// only be cancelled. The time is exact to some milliseconds. Free with hoist_deadline_destroy.
// HOIST_OK, HOIST_NO_MEMORY, HOIST_INVALID (NaN).
HOIST_API HOIST_NODISCARD hoist_status hoist_deadline_create(hoist_allocator alloc, double seconds,
                                                             hoist_deadline **out_deadline);
// Frees a deadline, which no call, job or session may use any more. NULL is allowed.
HOIST_API void hoist_deadline_destroy(hoist_deadline *deadline);
// Ends all calls that have the deadline, those of now and those to come, with HOIST_CANCELLED; no
// effect once a check has found the time to be over. Any thread or a signal handler may call it.
// `deadline` is not NULL.
HOIST_API void hoist_deadline_cancel(hoist_deadline *deadline);
// Checks a deadline: HOIST_OK while it is not over, then HOIST_LIMIT or HOIST_CANCELLED, whichever
// was found first, for ever. NULL is never over. Any thread may call it.
HOIST_API HOIST_NODISCARD hoist_status hoist_deadline_look(hoist_deadline *deadline);
// Seconds until the time is over, 0 when it is; infinity without a limit of time and for NULL.
// Cancelling does not change it. Any thread may call it.
HOIST_API double hoist_deadline_left(const hoist_deadline *deadline);

// Line and column in a text. {0, 0} is "no location".
typedef struct hoist_pos {
    uint32_t line;   // from 1
    uint32_t column; // from 1, in bytes
} hoist_pos;

// Kind of a location.
typedef enum hoist_loc_kind {
    HOIST_LOC_NONE = 0, // the file, without a position
    HOIST_LOC_TEXT,     // line and column: hoist_loc.pos
    HOIST_LOC_BYTE,     // byte offset: hoist_loc.offset
} hoist_loc_kind;

// A location in a file or member.
typedef struct hoist_loc {
    hoist_loc_kind kind; // which of the fields below count
    hoist_pos pos;       // HOIST_LOC_TEXT
    uint32_t source;     // 0: in the file or member that is named next to it; always 0 in findings
    uint64_t offset;     // HOIST_LOC_BYTE: bytes from the start of the file or member
} hoist_loc;

// How much a finding matters.
typedef enum hoist_severity {
    HOIST_NOTE = 0, // information
    HOIST_WARNING,  // legal but suspicious
    HOIST_ERROR,    // the file, or the part that is named, cannot be trusted
} hoist_severity;

// "note", "warning" or "error". Static. `severity` is one of the enum.
HOIST_API const char *hoist_severity_name(hoist_severity severity);

// Which of the vendor's own programs refuses a file that breaks a rule: bits of
// hoist_rule.refused_by.
typedef enum hoist_refuser {
    HOIST_REFUSER_NONE = 1,     // none of those below: only hoist reports it
    HOIST_REFUSER_PARSER = 2,   // the reader of such files
    HOIST_REFUSER_GOLDEN = 4,   // the golden model, which runs them without a device
    HOIST_REFUSER_COMPILER = 8, // the compiler of device programs
    HOIST_REFUSER_RUNTIME = 16, // the device and its runtime
} hoist_refuser;

// "none", "parser", "golden model", "compiler" or "device runtime"; NULL for any other value.
// Static.
HOIST_API const char *hoist_refuser_name(hoist_refuser refuser);

// One numbered fact that `check` enforces. Rows are static: one const table per format or codec.
typedef struct hoist_rule {
    const char *id;          // "BUDA-025"; never renumbered
    hoist_severity severity; // of its findings
    bool strict_error;       // a warning that hoist_diag_options.strict turns into an error
    bool judged;             // this version checks it; false: listed for completeness
    uint16_t refused_by;     // bits of hoist_refuser; 0: not known
    const char *title;       // the rule, as a sentence
    const char *detail;      // reason and remedy; may be ""
    const char *source;      // origin of the fact: a section of a document, or how it was found
} hoist_rule;

// A table of rules. All of it is static.
typedef struct hoist_rule_set {
    const char *name;        // of the format or codec that they belong to: "buda", "yaml"
    const char *title;       // the same for people
    const hoist_rule *rules; // `count` rows
    size_t count;            // rules
} hoist_rule_set;

// A rule that is broken, and where. The strings are owned by the hoist_diag that holds the finding.
typedef struct hoist_finding {
    const hoist_rule *rule;  // static
    hoist_severity severity; // the rule's, after hoist_diag_options.strict
    hoist_str file;          // as the user named it; "-" for standard input
    hoist_str member;        // "sg00/def.json", nested containers joined by "!"; empty for none
    hoist_loc loc;           // in the member, or in the file where there is none
    hoist_str object;        // "graphs/g0/ops/matmul_2"; empty for none
    hoist_str message;       // a sentence: what was found, what was expected; cut after 2 KiB
    hoist_str context;       // "while reading queue 'q0', while ..."; empty for none
} hoist_finding;

// Options structs start with `size_t struct_size`, which the caller sets to sizeof of the struct as
// it was compiled; so an older caller and a newer library, or the other way round, understand each
// other. Fields beyond the caller's size read as zero, which is the default of every field. A
// caller may know fields that the library does not: when one of them is not zero the call returns
// HOIST_UNSUPPORTED. A size of 0 (forgotten) or one that is out of range returns HOIST_INVALID. A
// NULL struct is one of zeros. The struct is borrowed during the call, as is all that it points to,
// except where the comment of a field promises more.

// Results come out of parameters named out_. When a call fails, they are NULL, 0, false or empty (a
// verdict is NONE), whatever was there before. Arrays that a caller gives to be filled may hold
// anything then.

// Collects findings.
typedef struct hoist_diag hoist_diag; // owned by the caller: hoist_diag_destroy

// Choices for hoist_diag_create().
typedef struct hoist_diag_options {
    size_t struct_size;  // sizeof(hoist_diag_options)
    bool strict;         // rules with strict_error report errors
    size_t max_findings; // findings to keep; later ones are only counted. 0: 10,000
} hoist_diag_options;

// Creates an empty collector. `options` may be NULL. Free with hoist_diag_destroy. HOIST_OK,
// HOIST_NO_MEMORY, or HOIST_INVALID or HOIST_UNSUPPORTED for options that this library cannot read.
HOIST_API HOIST_NODISCARD hoist_status hoist_diag_create(hoist_allocator alloc,
                                                         const hoist_diag_options *options,
                                                         hoist_diag **out_diag);
// Frees a collector and its findings. NULL is allowed.
HOIST_API void hoist_diag_destroy(hoist_diag *diag);

// Number of findings of one severity that were reported so far, those dropped by max_findings
// included; 0 for NULL. `severity` is one of the enum.
HOIST_API size_t hoist_diag_count(const hoist_diag *diag, hoist_severity severity);

// Number of findings that are kept; 0 for NULL.
HOIST_API size_t hoist_diag_kept(const hoist_diag *diag);
// Finding number `index` of those that are kept, 0 ... hoist_diag_kept() - 1: in the order of
// report, or as hoist_diag_sort() left them. Borrowed: the pointer until the next report or sort,
// the strings until hoist_diag_destroy().
HOIST_API const hoist_finding *hoist_diag_at(const hoist_diag *diag, size_t index);
// Sorts the findings by file, member, location and time of report. NULL is allowed.
HOIST_API void hoist_diag_sort(hoist_diag *diag);

// True when memory ran out while a finding was stored: findings or their texts are then missing.
// False for NULL.
HOIST_API bool hoist_diag_incomplete(const hoist_diag *diag);

// The device that a module is checked for and who chose it. Both strings are static; NULL when
// there is none: the format has no choice of devices, or no device fits all that the file names.
typedef struct hoist_target {
    const char *arch; // "wormhole_b0"
    // "option", "environment" (arch_fallback), "file", "first listed", or "first clean": of a list
    // that was checked, the first for which there are no errors.
    const char *source;
} hoist_target;

// What a check found for one of several devices that a file lists.
typedef struct hoist_arch_verdict {
    const char *arch; // static: "wormhole_b0"
    size_t errors;    // findings, those of reading included
    size_t warnings;  // findings
    size_t notes;     // findings
} hoist_arch_verdict;

// Tree events: the form in which a module, a report or a table goes to a receiver that does not
// know its C types. A producer sends events; a sink renders them as JSON or as text.
//
// Grammar of a stream: value = MAP member* END | LIST value* END | scalar; members carry a key,
// list items do not. The producer stops at the first status that is not HOIST_OK.
typedef enum hoist_tree_kind {
    HOIST_TREE_MAP,   // begins a map: members follow
    HOIST_TREE_LIST,  // begins a list: values follow
    HOIST_TREE_END,   // ends the innermost map or list
    HOIST_TREE_STR,   // hoist_tree_event.str
    HOIST_TREE_INT,   // hoist_tree_event.integer
    HOIST_TREE_UINT,  // hoist_tree_event.uinteger
    HOIST_TREE_FLOAT, // hoist_tree_event.number
    HOIST_TREE_BOOL,  // hoist_tree_event.boolean
    HOIST_TREE_NULL,  // no value: unknown, or the source's null
} hoist_tree_kind;

// Unit of a number. Texts for people print it as below; JSON has the plain number.
typedef enum hoist_tree_unit {
    HOIST_UNIT_NONE,    // a count or a plain number
    HOIST_UNIT_BYTES,   // 17,039,392 (16.2 MiB)
    HOIST_UNIT_ADDRESS, // 0x30000000
    HOIST_UNIT_PERCENT, // 0 ... 100
    HOIST_UNIT_SECONDS, // 1.25 ms
    HOIST_UNIT_RATE,    // bytes per second: 12.5 GB/s
    HOIST_UNIT_FLOPS,   // operations per second: 12.5 GFLOP/s
} hoist_tree_unit;

// Audience of an event: a text for people leaves out the events for programs, JSON those for
// people. A map or list that is left out goes with all that it holds.
typedef enum hoist_tree_audience {
    HOIST_TREE_FOR_ALL,      // texts and JSON
    HOIST_TREE_FOR_PEOPLE,   // texts only
    HOIST_TREE_FOR_PROGRAMS, // JSON only
} hoist_tree_audience;

// One event. Which value field counts depends on `kind`; the others are zero.
typedef struct hoist_tree_event {
    hoist_tree_kind kind;         // what the event begins, ends or carries
    hoist_tree_unit unit;         // of a number, or of the number that a HOIST_TREE_NULL replaces
    hoist_tree_audience audience; // who gets it
    hoist_str key;                // of a member of a map, else empty; borrowed during the call
    hoist_pos pos;                // location in the source; {0, 0}: none
    hoist_str str;     // HOIST_TREE_STR; of a HOIST_TREE_FLOAT that represents an integer beyond 64
                       // bits its digits, else empty; borrowed during the call
    int64_t integer;   // HOIST_TREE_INT
    uint64_t uinteger; // HOIST_TREE_UINT
    double number;     // HOIST_TREE_FLOAT
    bool boolean;      // HOIST_TREE_BOOL
    bool inline_hint;  // a short map or list that reads best on one line
} hoist_tree_event;

// A receiver of events. Its owner sets `self` and `event` and leaves the rest zero.
typedef struct hoist_tree_sink {
    void *self; // borrowed; the first argument of every call
    // Takes one event, which is borrowed during the call. Another status than HOIST_OK ends the
    // stream; the call that sends returns it.
    hoist_status (*event)(void *self, const hoist_tree_event *event);
    hoist_status status;          // the first failure, which stays; no further events are sent then
    hoist_tree_audience audience; // set by the producer: of events sent from now on
    hoist_deadline *deadline;     // borrowed; set by the producer: checked before each event
} hoist_tree_sink;

#ifdef __cplusplus
}
#endif

#endif // HOIST_BASE_H
