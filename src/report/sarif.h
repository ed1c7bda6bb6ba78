// report/sarif.h - findings as a SARIF 2.1.0 log, which code scanning services read: one run with
// a result for each finding, and the rules that they break.
//
// Source: OASIS, Static Analysis Results Interchange Format Version 2.1.0.
#ifndef HOIST_SRC_REPORT_SARIF_H
#define HOIST_SRC_REPORT_SARIF_H

#include "report/findings.h"
#include "report/fingerprint.h"

enum { HOIST_SARIF_MOST = 25000 }; // results of a run that GitHub takes

typedef struct hoist_sarif {
    hoist_tree_sink *sink;           // borrowed: of the root map, which is open
    hoist_fingerprints fingerprints; // owned
    hoist_map rules;                 // by id
    const hoist_rule **list;         // owned: in the order in which they were met
    size_t list_capacity;
    size_t results;
    size_t left_out; // beyond HOIST_SARIF_MOST
    hoist_status status;
} hoist_sarif;

// Sends the head of the log into the map that is open. hoist_sarif_end() frees what this takes.
void hoist_sarif_begin(hoist_sarif *sarif, hoist_allocator alloc, hoist_tree_sink *sink);
// Sends the findings as results. Of the options `quiet`, `source_file` and `source` count: columns
// are characters, so that only findings of a file whose text is at hand have one.
void hoist_sarif_add(hoist_sarif *sarif, const hoist_diag *diag,
                     const hoist_findings_options *options);
// Sends the rest: the tool and its rules. HOIST_OK, HOIST_NO_MEMORY or of fingerprints.
HOIST_NODISCARD hoist_status hoist_sarif_end(hoist_sarif *sarif, const char *version);

#endif // HOIST_SRC_REPORT_SARIF_H
