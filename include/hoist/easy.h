// hoist/easy.h - whole tasks in one call: findings as text, documents as bytes, a .npy file by its
// path, a run with arrays by name, and what a file holds as arrays. All of it can be done with the
// other headers, in more steps and with more choices.
//
// `diag` may be NULL in every call. One thread at a time uses a job.
#ifndef HOIST_EASY_H
#define HOIST_EASY_H

#include "hoist/exchange.h"
#include "hoist/load.h"
#include "hoist/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

// Frees bytes that a call of this header gave, with the allocator that it took them from. Empty
// ones are allowed.
HOIST_API void hoist_easy_free(hoist_mut_bytes bytes, hoist_allocator alloc);

// Writes a finding as `hoist check` prints it, "net.yaml:12:9: error: a sentence (object) [RULE]"
// and a line break, in UTF-8; what a terminal would obey is escaped. Free `*out_text` with
// hoist_easy_free and `alloc`. HOIST_OK, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_finding_text(const hoist_finding *finding,
                                                          hoist_allocator alloc,
                                                          hoist_mut_bytes *out_text);
// Sorts the findings that the diag has kept by their places (hoist_diag_sort()), and writes all of
// them so; then how many were not kept. NULL has none. Free `*out_text` with hoist_easy_free and
// `alloc`. HOIST_OK, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_diag_text(hoist_diag *diag, hoist_allocator alloc,
                                                       hoist_mut_bytes *out_text);

// Documents about a job.
typedef enum hoist_document_kind {
    HOIST_DOCUMENT_INFO = 0, // the summary: that of `hoist info`, without the size of the file
    HOIST_DOCUMENT_DUMP,     // every field: that of `hoist dump`
    HOIST_DOCUMENT_GRAPH,    // the flow of data: that of `hoist graph`
    HOIST_DOCUMENT_LAYERS,   // recovered layers: the packages of `hoist recover`
} hoist_document_kind;

// Makes a document as JSON, or as text of lines of any length, but of GRAPH in 80 columns; UTF-8
// with a line break at the end. Of DUMP and GRAPH the bytes are those that the command writes. Free
// `*out_bytes` with hoist_easy_free and `alloc`. HOIST_OK; HOIST_INVALID (no such kind, or the job
// cannot be shown: hoist_job_can_show()); HOIST_UNSUPPORTED (the format has no such thing),
// HOIST_LIMIT, HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_document(const hoist_job *job,
                                                          hoist_document_kind kind, bool json,
                                                          hoist_allocator alloc, hoist_diag *diag,
                                                          hoist_mut_bytes *out_bytes);

// Choices for hoist_job_page(). All that they point to is borrowed during the call.
typedef struct hoist_page_options {
    size_t struct_size;      // sizeof(hoist_page_options)
    hoist_allocator alloc;   // of the page; resize NULL: the system's
    const char *name;        // the file's name in the page; NULL: that of the job
    uint64_t size_bytes;     // of the file, as the page states it
    const hoist_diag *found; // what was found on opening it, which the page shows; NULL: nothing
} hoist_page_options;

// Makes the page of `hoist view`: one HTML file in UTF-8 that a browser opens without a server and
// that asks for nothing, with the job's graphs, floorplan, memory, estimated run, findings and
// fields. `options` may be NULL. Equal jobs and options give equal bytes, with the same zlib. Free
// `*out_page` with hoist_easy_free and the options' `alloc`. HOIST_OK; HOIST_UNSUPPORTED (options
// of a newer library); HOIST_INVALID (struct_size); HOIST_LIMIT, HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_page(hoist_job *job,
                                                      const hoist_page_options *options,
                                                      hoist_diag *diag, hoist_mut_bytes *out_page);

// Reads the .npy file `path`; the array owns its data: hoist_array_deinit with `alloc`. HOIST_OK,
// HOIST_NOT_FOUND or HOIST_IO (the file cannot be read), and the statuses of hoist_npy_read(), each
// with a finding.
HOIST_API HOIST_NODISCARD hoist_status hoist_npy_open(const char *path, hoist_allocator alloc,
                                                      hoist_diag *diag, hoist_array *out_array);

// An array for an input.
typedef struct hoist_named_array {
    const char *name;         // of the input, as hoist_program_port() has it
    const hoist_array *array; // entries of its shape after their number, or one entry
} hoist_named_array;

// Choices for hoist_run_once(). All that they point to is borrowed during the call.
typedef struct hoist_run_once_options {
    size_t struct_size;                // sizeof(hoist_run_once_options)
    hoist_allocator alloc;             // of the result; thread-safe; resize NULL: the system's
    const char *entry;                 // the program to run; NULL: all of the file, in its order
    const hoist_parameter *parameters; // of the entries; each takes those that it has, the last
                                       // of each name
    size_t parameter_count;            // of `parameters`
    uint32_t threads;                  // workers, at most 1,024; 0: one per core
    hoist_deadline *deadline;          // limit of the call; NULL: none
} hoist_run_once_options;

// Lowers the job, runs it once with the inputs, and gives the arrays of all outputs by their names:
// the entries that came out, after their number, of a tensor the tensor alone. Elements are
// float32, integers of tensors and bit patterns in their own type. Inputs are of the port's
// host_dtype or float32. Inputs of which a run needs nothing may be left out, and those that the
// container of the job's file holds (hoist_job_container()). `options` may be NULL.
//
// Free `*out_outputs` with hoist_array_set_destroy. HOIST_OK; HOIST_NOT_FOUND (an input that is
// needed is not given, or there is none of that name, EASY-001; no such entry or parameter);
// HOIST_INVALID (type or shape of an input, EASY-002; the job has errors; the run failed), with
// findings; and the statuses of hoist_job_lower(), hoist_session_open() and
// hoist_session_wait_idle().
HOIST_API HOIST_NODISCARD hoist_status hoist_run_once(
    hoist_job *job, const hoist_named_array *inputs, size_t input_count,
    const hoist_run_once_options *options, hoist_diag *diag, hoist_array_set **out_outputs);

// Gives the arrays of numbers that the job's file holds for its program, as hoist_job_recover()
// finds them: dense copies, each under its first name; one whose name was taken has the member
// before it, "sg00/def.json:w". Arrays that are missing are left out. Free `*out_arrays` with
// hoist_array_set_destroy. HOIST_OK, HOIST_UNSUPPORTED (the format has none), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_arrays(const hoist_job *job, hoist_allocator alloc,
                                                        hoist_diag *diag,
                                                        hoist_array_set **out_arrays);

#ifdef __cplusplus
}
#endif

#endif // HOIST_EASY_H
