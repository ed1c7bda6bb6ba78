// report/junit.h - checked files as a JUnit report, which CI systems show as tests: a test case for
// each file, a failure for each error, what else was found as its output.
#ifndef HOIST_SRC_REPORT_JUNIT_H
#define HOIST_SRC_REPORT_JUNIT_H

#include "base/buffer.h"
#include "base/diag.h"

typedef enum hoist_junit_answer {
    HOIST_JUNIT_PASSED = 0,
    HOIST_JUNIT_FAILED, // the answer of the check is no
    HOIST_JUNIT_BROKEN, // there is no answer: the file cannot be read, or a limit was hit
} hoist_junit_answer;

// A report that is being made. No member is the caller's.
typedef struct hoist_junit {
    hoist_buffer cases;
    uint64_t tests;
    uint64_t failures; // test cases with some
    uint64_t errors;   // test cases without an answer
} hoist_junit;

// A checked file.
typedef struct hoist_junit_file {
    hoist_str path;
    const char *format; // NULL: unknown
    const hoist_diag *diag;
    hoist_junit_answer answer;
    bool fails_by_warning; // a warning is a failure, too
    bool quiet;            // notes are left out
} hoist_junit_file;

void hoist_junit_init(hoist_junit *junit, hoist_allocator alloc);
void hoist_junit_add(hoist_junit *junit, const hoist_junit_file *file);
// Appends the document. What memory ran out for shows in out->failed.
void hoist_junit_write(const hoist_junit *junit, hoist_buffer *out);
void hoist_junit_deinit(hoist_junit *junit);

#endif // HOIST_SRC_REPORT_JUNIT_H
