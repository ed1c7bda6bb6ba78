// The parts of `hoist check`: what is checked (cmd_check.c) and how the findings are given out
// (check_report.c).
#ifndef HOIST_TOOLS_CHECK_H
#define HOIST_TOOLS_CHECK_H

#include "report/baseline.h"
#include "report/junit.h"
#include "report/sarif.h"
#include "tool.h"

// A file and what was asked about it.
typedef struct checked {
    tool_input input;
    const hoist_job *job;  // of the input, also when ranks share it; NULL: it could not be opened
    hoist_status status;   // of opening, then of checking
    bool was_checked;      // also when the check ended early
    bool joined;           // to a job of several files, which is checked as one
    bool is_opened;        // with that one, and it is no part of the job
    hoist_verdict verdict; // of orders
    bool together;         // it is that of a job of several files
    tool *owner;           // of --jobs: by whose budget it is open; NULL: the command's
    size_t known;          // findings that --baseline has, which are not in the diag any more
} checked;

// Where findings go, in one of the forms that the command line chooses.
typedef struct check_report {
    tool *t;
    tool_option_id form;     // --json, --sarif, --jsonl, --github, --junit; OPT_COUNT: text
    hoist_document doc;      // of --json and --sarif
    hoist_sarif sarif;       // of --sarif
    hoist_junit junit;       // of --junit
    hoist_mut_bytes log;     // owned: what --baseline names
    hoist_baseline baseline; // of it
    bool has_baseline;
} check_report;

// TOOL_OK, or why the command cannot go on. check_report_end() in every case.
HOIST_NODISCARD tool_exit check_report_begin(tool *t, check_report *out_report);
// Gives out the findings of a file, which may have been checked or not, and gives its exit status.
tool_exit check_report_file(check_report *report, checked *file);
// The verdict on `count` files that were one job, which `first` has.
tool_exit check_report_job(check_report *report, const checked *first, size_t count);
// Completes the document; `begun`: check_report_begin() gave TOOL_OK.
tool_exit check_report_end(check_report *report, bool begun, tool_exit code);

#endif // HOIST_TOOLS_CHECK_H
